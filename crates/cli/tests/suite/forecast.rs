//! `truecal forecast`: the protocol, runs that go on, and duels.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use truecal::Random;
use truecal_lab::hedge::HedgeForecaster;

use crate::command::{assert_snapshot, complaint, stdout, truecal};

/// What is said to outcomes: predictions, and the report.
fn forecast(arguments: &[&str], outcomes: &str) -> (Vec<String>, String) {
    let output = truecal(&[&["forecast"], arguments].concat(), outcomes.as_bytes());
    let report = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(0), "{report}");
    let said = String::from_utf8(output.stdout).expect("text");
    (said.lines().map(str::to_owned).collect(), report)
}

/// Outcomes without a pattern that matters, as lines.
fn outcomes(rounds: u64) -> Vec<String> {
    (0..rounds).map(|t| format!("{}\n", Random::new(4, t).next() % 3 / 2)).collect()
}

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_truecal"))
        .arg("forecast")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("truecal starts")
}

/// Every prediction arrives before its outcome is sent, and is the one that the library draws.
#[test]
fn another_program_holds_the_other_end() {
    let mut child = start(&["--rounds", "30", "--buckets", "7", "--seed", "5", "--exact"]);
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut forecaster = HedgeForecaster::new(30, 7).expect("valid");
    for round in 0..30 {
        let mut line = String::new();
        output.read_line(&mut line).expect("a prediction");
        let prediction = forecaster.sample(&mut Random::new(5, round)).to_rational();
        assert_eq!(line, format!("{prediction}\n"));
        // Against the prediction, as nobody can who does not wait for it.
        let outcome = prediction < crate::rational("1/2");
        forecaster.observe(outcome).expect("a round");
        writeln!(input, "{}", u8::from(outcome)).expect("it listens");
    }
    drop(input);
    let mut rest = String::new();
    assert_eq!(output.read_line(&mut rest).expect("the end"), 0, "no prediction for round 31");
    assert_eq!(child.wait_with_output().expect("truecal ends").status.code(), Some(0));
}

#[test]
fn what_was_said_is_measured() {
    let (said, report) =
        forecast(&["--rounds", "12", "--buckets", "5"], "1\n0\nTRUE\nfalse\r\n1\n1");
    assert_eq!(said.len(), 7, "six outcomes, and what is said before the seventh");
    assert_snapshot!("forecast-online", format!("{}\n\n{report}", said.join("\n")));
    let arguments = ["--rounds", "12", "--buckets", "5", "--json"];
    let json: Value = serde_json::from_str(&forecast(&arguments, "1\n0\n").1).expect("JSON");
    assert_eq!(
        (&json["rounds"], &json["planned"], &json["ones"]),
        (&2.into(), &12.into(), &1.into())
    );
    assert_eq!(json["stepce"]["exact"].as_str().map(crate::rational), Some(crate::rational("1")));
    let (said, report) =
        forecast(&["--rounds", "12", "--buckets", "5", "--mixture"], "1\n0\n1\n0\n1\n1\n");
    assert_snapshot!("forecast-mixture", format!("{}\n\n{report}", said.join("\n")));
    let (said, report) = forecast(&["--exact"], "0\n1\n1\n0\n1\n0\n0\n1\n");
    assert_snapshot!("forecast-restarts", format!("{}\n\n{report}", said.join("\n")));
    let (said, report) = forecast(&[], "");
    assert_eq!(said, ["1"]);
    assert!(report.contains("0 rounds"), "{report}");
}

/// Interrupted at any round, the run says the same from there on; what awaited an outcome is said
/// again.
#[test]
fn a_run_goes_on_from_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let all = outcomes(40);
    for (number, plan) in [&["--rounds", "40"][..], &["--buckets", "6"], &[]].iter().enumerate() {
        let with = |file: &str, outcomes: &[String]| {
            let file = path(file);
            forecast(&[*plan, &["--seed", "3", "--state", &file]].concat(), &outcomes.concat())
        };
        let name = |part: &str| format!("{number}-{part}.json");
        let (whole, report) = with(&name("whole"), &all);
        for middle in [0, 1, 7, 31, 40] {
            let file = name(&middle.to_string());
            let (mut said, _) = with(&file, &all[..middle]);
            // What is known need not be said again.
            let (rest, last) = forecast(&["--state", &path(&file)], &all[middle..].concat());
            if middle < 40 || plan.first() != Some(&"--rounds") {
                assert_eq!(said.pop().as_ref(), rest.first());
            }
            said.extend(rest);
            assert_eq!(said, whole, "{plan:?} {middle}");
            assert_eq!(last, report);
            let text = |name: &str| fs::read_to_string(path(name)).expect("a state");
            assert_eq!(text(&file), text(&name("whole")));
        }
    }
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 3 * 6, "nothing but states");
}

#[test]
fn states_that_cannot_be_believed_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.json").display().to_string();
    forecast(&["--rounds", "9", "--state", &path], "1\n0\n1\n");
    let good = fs::read_to_string(&path).expect("a state");
    let mut messages = String::new();
    let mut refused = |text: &[u8], arguments: &[&str]| {
        fs::write(&path, text).expect("written");
        let message = complaint(&[&["forecast", "--state", &path], arguments].concat());
        assert_eq!(fs::read(&path).expect("a state"), text, "what was refused is left as it is");
        messages += &message.replace(&path, "run.json");
    };
    refused(good.replacen("\"seed\":1", "\"seed\":2", 1).as_bytes(), &[]);
    refused(good.replacen("\"schema\":1", "\"schema\":7", 1).as_bytes(), &[]);
    refused(&good.as_bytes()[..good.len() / 2], &[]);
    refused(b"", &[]);
    refused(b"\xff", &[]);
    refused(good.as_bytes(), &["--rounds", "10"]);
    refused(good.as_bytes(), &["--buckets", "7"]);
    refused(good.as_bytes(), &["--seed", "2"]);
    assert_snapshot!("forecast-bad-state", messages);
    let folder = folder.path().display().to_string();
    assert!(complaint(&["forecast", "--state", &folder]).contains("cannot be read"));
    let nowhere = format!("{folder}/missing/run.json");
    assert!(complaint(&["forecast", "--state", &nowhere]).contains("cannot be written"));
}

#[test]
fn bad_outcomes_are_refused() {
    let long = "1".repeat(5000);
    // No piece of a line is taken for a line.
    let apart = format!("1{}0\n", " ".repeat(999));
    let mut messages = String::new();
    let inputs =
        ["1\n2\n0\n", "yes\n", "1\n\n0\n", "0.5\n", "1 0\n", "1\n0\n1\n1\n", &long, &apart];
    for input in inputs {
        let output = truecal(&["forecast", "--rounds", "3"], input.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{input}");
        messages += &String::from_utf8(output.stderr).expect("text");
    }
    assert_snapshot!("forecast-bad-outcomes", messages);
    // What came before is kept.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.json").display().to_string();
    let output = truecal(&["forecast", "--state", &path], b"1\n0\nmaybe\n");
    let message = String::from_utf8(output.stderr).expect("text");
    assert!(message.contains("; what came before it is kept in "), "{message}");
    let (rest, report) = forecast(&["--state", &path], "1\n");
    assert_eq!(rest.len(), 2);
    assert!(report.starts_with("3 rounds"), "{report}");
}

/// Ctrl-C, and whatever else asks to end, ends a run that waits for an outcome: it is reported and
/// kept.
#[cfg(unix)]
#[test]
fn an_interruption_keeps_the_run() {
    ["-INT", "-TERM", "-HUP"].into_iter().for_each(kept_after);
}

#[cfg(unix)]
fn kept_after(signal: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.json").display().to_string();
    let mut child = start(&["--rounds", "100", "--state", &path]);
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    input.write_all(b"1\n0\n").expect("it listens");
    for _ in 0..3 {
        output.read_line(&mut String::new()).expect("a prediction");
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status().expect("kill runs");
    assert!(sent.success());
    let ended = child.wait_with_output().expect("truecal ends");
    drop(input); // it did not wait for this
    let report = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(0), "{report}");
    assert!(report.starts_with("2 rounds of 100"), "{report}");
    let state: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a state")).expect("JSON");
    assert_eq!(state["round"], 2);
    assert!(state["drawn"].is_u64());
}

/// Of two runs that begin with the same file, the second to end does not write over the first.
#[test]
fn runs_do_not_overwrite_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.json").display().to_string();
    let mut child = start(&["--state", &path]);
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    output.read_line(&mut String::new()).expect("a prediction: it has looked for the file");
    forecast(&["--state", &path], "1\n0\n1\n");
    let first = fs::read_to_string(&path).expect("a state");
    child.stdin.take().expect("piped").write_all(b"0\n").expect("it listens");
    let kept = format!("{path}.{}", child.id());
    let ended = child.wait_with_output().expect("truecal ends");
    let message = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(2), "{message}");
    assert!(message.contains("it has changed meanwhile, as by another run; this one is kept in"));
    assert_eq!(fs::read_to_string(&path).expect("a state"), first);
    assert!(forecast(&["--state", &kept], "").1.starts_with("1 round"));
}

#[test]
fn duels() {
    let arguments = ["forecast", "--against", "potential", "--rounds", "1e4"];
    assert_snapshot!("forecast-duel", stdout(&arguments, ""));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("duel.svg").display().to_string();
    let arguments =
        ["forecast", "--against", "greedy", "--rounds", "500", "--json", "--plot", &path];
    let json: Value = serde_json::from_str(&stdout(&arguments, "")).expect("JSON");
    let checkpoints = json["checkpoints"].as_array().expect("a list");
    let rounds: Vec<_> = checkpoints.iter().filter_map(|at| at["round"].as_u64()).collect();
    assert_eq!(rounds, [1, 2, 4, 8, 16, 32, 64, 128, 256, 500]);
    assert!(checkpoints.iter().all(|at| at["stepce"].as_f64() < at["bound"].as_f64()));
    assert_eq!((&json["buckets"], &json["seed"]), (&24.into(), &1.into()));
    let svg = fs::read_to_string(&path).expect("a picture");
    assert!(svg.starts_with("<svg ") && svg.contains("against greedy"), "{svg}");
    let optimal = ["forecast", "--against", "optimal", "--rounds", "5", "--buckets", "3"];
    assert!(stdout(&optimal, "").starts_with("5 rounds against optimal, 3 buckets, seed 1"));
    let seed = |seed| stdout(&[&optimal[..], &["--seed", seed]].concat(), "");
    assert_eq!(seed("7"), seed("7"));
}

#[test]
fn misuse_is_explained() {
    let cases: [&[&str]; 11] = [
        &["--against", "gready", "--rounds", "10"],
        &["--against", "xyzzy", "--rounds", "10"],
        &["--against", "biased:2", "--rounds", "10"],
        &["--against", "optimal", "--rounds", "100"],
        &["--against", "greedy"],
        &["--rounds", "0"],
        &["--rounds", "1e13"],
        &["--rounds", "1.5e3"],
        &["--buckets", "1"],
        &["--plot", "a.svg"],
        &["--against", "greedy", "--rounds", "10", "--plot", "missing/a.svg"],
    ];
    let said: Vec<_> =
        cases.iter().map(|arguments| complaint(&[&["forecast"], *arguments].concat())).collect();
    assert_snapshot!("forecast-misuse", said.join("\n"));
    assert_snapshot!("help-forecast", stdout(&["forecast", "--help"], ""));
}
