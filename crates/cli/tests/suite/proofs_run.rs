//! `proofs/run` believes no run that it should not, without Kani itself: a fake says Kani's words,
//! and logs are judged.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const HEAD: &str = "# harness\ttwin\tclaims\tset\tpackage\ttests\tseconds\tsource\t\
    verified\tkani\tdate\ttook\ttwin took\n";

/// The harness `sign` was recorded as it is now, `long` before it was changed, `huge` never.
fn trial_table() -> String {
    let rows = [
        "prefix::sign fact:one,lem:two default core enumerated 10 a1 a1 0.67.0 2026-11-17 4.1 0.5",
        "other::long lem:two default core sampled 20 b2 b1 0.67.0 2026-11-17 0.1 0.2",
        "other::huge lem:three slow other sampled 600 c1 - - - - -",
    ];
    let row = |text: &str| {
        let mut cells: Vec<String> = text.split(' ').map(|cell| cell.replace(',', " ")).collect();
        let path = format!("proofs::{}", cells[0]);
        cells.splice(..1, [path.clone(), format!("{path}_fault")]);
        cells.join("\t") + "\n"
    };
    format!("{HEAD}{}", rows.map(row).concat())
}

const PROVED: &str = "SUMMARY:
 ** 0 of 61 failed (3 unreachable)

 ** 1 of 1 cover properties satisfied


VERIFICATION:- SUCCESSFUL
Verification Time: 2.5043988s
";

const NOTICED: &str = "SUMMARY:
 ** 1 of 60 failed
Failed Checks: assertion failed: sign <= factor * step
 File: \"src/../proofs/prefix.rs\", line 22, in proofs::prefix::sign_variant_is_equivalent

VERIFICATION:- SUCCESSFUL (encountered one or more panics as expected)
Verification Time: 0.9s
";

/// The version of Kani that is asked for.
fn pinned() -> String {
    let version = fs::read_to_string(format!("{ROOT}/proofs/kani-version")).expect("a version");
    version.trim().to_owned()
}

/// What the fake Kani says of the harnesses for which it says something else.
type Said<'a> = &'a [(&'a str, &'a str)];

/// A folder with a fake `cargo kani`, a table of harnesses and what comes of a run.
struct Trial {
    folder: TempDir,
}

impl Trial {
    /// The fake prints Kani's words around the text for each harness that it is asked for, and
    /// exits as Kani does.
    fn new(table: &str, said: Said) -> Self {
        let trial = Self { folder: tempfile::tempdir().expect("a folder") };
        trial.write("harnesses.tsv", table);
        trial.write("version", &format!("cargo-kani {}\n", pinned()));
        for line in table.lines().skip(1) {
            let mut names = line.split('\t');
            for text in [PROVED, NOTICED] {
                let name = names.next().unwrap_or("none");
                let special = said.iter().find(|(harness, _)| name.ends_with(harness));
                trial.write(&format!("said-{name}"), special.map_or(text, |(_, text)| text));
            }
        }
        // Whether the lists are those of the sources is what `cargo test` would say.
        trial.write("lists", "0\n");
        trial.script(
            "cargo",
            r#"cd "${0%/*}" || exit 9
            [ "$1" = test ] && exit "$(cat lists)"
            [ "$1" = kani ] && exec ./cargo-kani "$@""#,
        );
        trial.script(
            "cargo-kani",
            r#"shift
            cd "${0%/*}" || exit 9
            [ "$1" = --version ] && exec cat version
            echo "$RUSTFLAGS" "$CARGO_PROFILE_DEV_OPT_LEVEL" "$@" >>calls
            printf 'Kani Rust Verifier (cargo plugin)\n   Compiling truecal v0.1.0\n'
            failed=0
            while [ $# -gt 0 ]; do
                if [ "$1" = --harness ]; then
                    printf 'Checking harness %s...\nCBMC 6.8.0\n\n' "$2"
                    printf 'RESULTS:\nCheck 1: assertion.1\n\n'
                    grep -q '^crash' "said-$2" && echo 'error: Kani crashed' >&2 && exit 101
                    printf '%s\n' "$(cat "said-$2")" ''
                    grep -q '^VERIFICATION:- FAILED' "said-$2" && failed=1
                fi
                shift
            done
            printf 'Manual Harness Summary:\nComplete - in this way.\n'
            [ -f code ] && exit "$(cat code)"
            exit $failed"#,
        );
        trial
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("written");
    }

    fn script(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/usr/bin/env bash\n{text}\n"));
        let path = self.folder.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect("written by the run")
    }

    /// `proofs/run` with the fake first among the programs, if they are not given.
    fn command(&self, arguments: &[&str], programs: Option<&str>) -> Output {
        let folder = self.folder.path();
        let path = env::var("PATH").expect("a path");
        let path = format!("{}:{path}", folder.display());
        Command::new("bash")
            .arg(format!("{ROOT}/proofs/run"))
            .arg("--harnesses")
            .arg(folder.join("harnesses.tsv"))
            .args(arguments)
            .env("PATH", programs.unwrap_or(&path))
            .env("CARGO_HOME", folder)
            .env("CARGO_TARGET_DIR", folder)
            .env_remove("RUSTFLAGS")
            .output()
            .expect("bash starts")
    }

    /// The exit code of a run, its table (with single spaces) and what it complains of.
    fn run(&self, arguments: &[&str]) -> (i32, Vec<String>, String) {
        let output = self.command(arguments, None);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let table = text(output.stdout).lines().map(words).collect();
        (output.status.code().expect("an exit code"), table, text(output.stderr))
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.read("kani.json")).expect("JSON")
    }
}

#[test]
fn a_run_in_which_all_is_well() {
    let trial = Trial::new(&trial_table(), &[]);
    let (code, table, complaint) = trial.run(&[]);
    assert_eq!(code, 0, "{complaint}");
    let expected = [
        "harness claim result covers seconds before",
        "proofs::prefix::sign fact:one lem:two proved 1/1 2.50 4.1",
        "proofs::prefix::sign_fault fact:one lem:two fault noticed 0.90 0.5",
        "proofs::other::long lem:two proved 1/1 2.50 0.1",
        "proofs::other::long_fault lem:two fault noticed 0.90 0.2",
        "4 of 4 well, 7 s in all",
    ];
    assert_eq!(table, expected);
    assert!(!complaint.contains("warning"), "{complaint}");
    let json = trial.json();
    let proved = json!({
        "harness": "proofs::prefix::sign",
        "claims": ["fact:one", "lem:two"],
        "twin": false,
        "result": "proved",
        "covers_satisfied": 1,
        "covers": 1,
        "seconds": 2.5,
    });
    assert_eq!((&json["schema"], &json["failed"]), (&json!(1), &json!(0)));
    assert_eq!(json["harnesses"][0], proved);
    assert_eq!(json["harnesses"][1]["result"], "fault noticed");
    assert_eq!(json["harnesses"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["kani"], format!("cargo-kani {}", pinned()));
    // One run for each package, with the longest limit and flags that do not hang on a profile.
    let runs = "-Zmir-enable-passes=-JumpThreading s --package core --lib -Z unstable-options \
        --harness-timeout 60s --exact --harness proofs::prefix::sign --harness \
        proofs::prefix::sign_fault --harness proofs::other::long --harness \
        proofs::other::long_fault\n";
    assert_eq!(trial.read("calls"), runs);
    assert!(trial.read("kani.log").contains("Checking harness proofs::other::long..."));
}

#[test]
fn a_run_of_some() {
    let trial = Trial::new(&trial_table(), &[]);
    // With the head and the sum.
    assert_eq!(trial.run(&["sign"]).1.len(), 4, "the proof and its twin");
    assert_eq!(trial.run(&["sign_fault", "proofs::other::long_fault"]).1.len(), 4, "two twins");
    assert_eq!(trial.run(&["--slow"]).1.len(), 8, "all");
    assert_eq!(trial.run(&["huge"]).1.len(), 4, "slow, but named");
    assert_eq!(trial.read("calls").matches("--cfg=kani_slow").count(), 3);
    let (code, table, complaint) = trial.run(&["sing"]);
    assert_eq!((code, table.as_slice()), (2, [].as_slice()));
    assert!(complaint.contains("no harness is called sing"), "{complaint}");
    assert!(complaint.contains("  proofs::prefix::sign\n"), "{complaint}");
    assert!(!complaint.contains("huge"), "{complaint}");
    assert_eq!(trial.run(&["--fast"]).0, 2);
    assert_eq!(trial.run(&["--json"]).0, 2);
    assert!(trial.command(&["--help"], None).stdout.starts_with(b"Usage: proofs/run"));
}

#[test]
fn a_run_in_which_something_is_wrong() {
    let failed = "SUMMARY:\n ** 1 of 61 failed\nFailed Checks: too small\n\n\
                  VERIFICATION:- FAILED\nVerification Time: 1s\n";
    let timed_out = "\nCBMC failed\nVERIFICATION:- \x1b[31mFAILED\x1b[0m\nCBMC timed out. You may \
        want to rerun\n";
    let no_panic = "SUMMARY:\n\nVERIFICATION:- FAILED (encountered no panics, but at least one was \
        expected)\n";
    let others =
        "VERIFICATION:- FAILED (encountered failures other than panics, which were unexpected)\n";
    let uncovered = PROVED.replace("1 of 1 cover", "0 of 1 cover");
    let no_cover = PROVED.replace(" ** 1 of 1 cover properties satisfied\n", "");
    let slow = PROVED.replace("2.5043988", "13.1");
    let copied = PROVED.replace("SUMMARY", &(cover(7, "UNSATISFIABLE") + "SUMMARY"));
    let no_time = PROVED.replace("Verification Time", "Time");
    let some_failed = PROVED.replace("0 of 61 failed", "1 of 61 failed");
    let torn = format!("VERIFICATION:- FAILED\n{PROVED}");
    let again = format!("{PROVED}\nChecking harness proofs::prefix::sign...\n{PROVED}");
    let refused = format!("{PROVED}\nVerification failed for - proofs::prefix::sign\n");
    let cases: [(&str, &str, &str, &str); 17] = [
        ("::sign", failed, "FAILED 0/0 1.00", "Failed Checks: too small"),
        ("::sign", timed_out, "TIMED OUT 0/0", "CBMC timed out"),
        ("::sign", &slow, "TOO SLOW 1/1 13.10", "13.1s"),
        ("::sign", &copied, "NOT COVERED 0/1 2.50", "1 of 1 cover properties"),
        ("::sign", &uncovered, "NOT COVERED 0/1 2.50", "0 of 1 cover properties"),
        ("::sign", &no_cover, "NOT COVERED 0/0 2.50", "0 of 61 failed"),
        ("::sign", "words", "NO RESULT 0/0", "words"),
        ("::sign", NOTICED, "FAILED 0/0 0.90", "one or more panics as expected"),
        ("::sign_fault", no_panic, "FAULT NOT NOTICED", "no panics"),
        ("::sign_fault", PROVED, "FAULT NOT NOTICED 1/1 2.50", "SUCCESSFUL"),
        ("::sign_fault", others, "FAILED", "other than panics"),
        ("::sign_fault", timed_out, "TIMED OUT", "CBMC timed out"),
        ("::sign", &no_time, "NO RESULT 1/1", "SUCCESSFUL"),
        ("::sign", &some_failed, "FAILED 1/1 2.50", "1 of 61 failed"),
        ("::sign", &torn, "FAILED 1/1 2.50", "SUCCESSFUL"),
        ("::sign", &again, "RUN TWICE 1/1 2.50", "SUCCESSFUL"),
        ("::sign", &refused, "FAILED 1/1 2.50", "SUCCESSFUL"),
    ];
    for (harness, said, expected, shown) in cases {
        let trial = Trial::new(&trial_table(), &[(harness, said)]);
        let (code, table, complaint) = trial.run(&["sign"]);
        assert_eq!(code, 1, "{expected}: {complaint}");
        let before = if harness == "::sign" { "4.1" } else { "0.5" };
        let row = format!("proofs::prefix{harness} fact:one lem:two {expected} {before}");
        assert!(table.contains(&row), "no {row} in {table:#?}");
        assert!(complaint.contains(shown) && complaint.contains("kani.log"), "{complaint}");
        assert_eq!(trial.json()["failed"], 1, "{expected}");
    }
}

#[test]
fn a_run_that_breaks_off() {
    let trial = Trial::new(&trial_table(), &[("::sign_fault", "crash")]);
    let (code, table, complaint) = trial.run(&[]);
    assert_eq!(code, 1);
    assert!(table.iter().any(|row| row.ends_with("sign fact:one lem:two proved 1/1 2.50 4.1")));
    assert!(table.iter().any(|row| row.ends_with("sign_fault fact:one lem:two NO RESULT 0.5")));
    assert!(complaint.contains("Kani crashed"), "{complaint}");
    assert_eq!(trial.json()["harnesses"][1]["seconds"], Value::Null);
    // Before it comes to a harness.
    let trial = Trial::new(&trial_table(), &[("::sign", "crash")]);
    let (code, table, complaint) = trial.run(&["sign"]);
    assert_eq!((code, &trial.json()["failed"]), (1, &json!(2)), "{table:#?}");
    assert!(complaint.contains("The last lines of cargo kani"), "{complaint}");
    // All harnesses are well, but Kani says that something was not: nothing of it is recorded.
    for exit in ["1", "101", "139"] {
        let trial = Trial::new(&trial_table(), &[]);
        trial.write("code", exit);
        let (code, table, complaint) = trial.run(&["--record", "sign"]);
        assert_eq!((code, &trial.json()["failed"]), (1, &json!(1)), "{table:#?}");
        let words =
            format!("cargo kani failed although its harnesses did not; core: exit code {exit}");
        assert!(complaint.contains(&words), "{complaint}");
        assert_eq!(trial.read("harnesses.tsv"), trial_table());
    }
    // What a run says of itself can be judged again.
    let trial = Trial::new(&trial_table(), &[]);
    trial.write("code", "1");
    trial.run(&["sign"]);
    let log = trial.folder.path().join("kani.log").display().to_string();
    assert_eq!(trial.run(&["--log", &log, "sign"]).0, 1);
    fs::remove_file(trial.folder.path().join("code")).expect("removed");
    trial.run(&["sign"]);
    assert_eq!(trial.run(&["--log", &log, "sign"]).0, 0);
    // A log that was cut off before its end, or that is of something else.
    trial.write("cut.log", &trial.read("kani.log").replace("Complete", "").replace("exit", ""));
    let cut = trial.folder.path().join("cut.log").display().to_string();
    assert_eq!(trial.run(&["--log", &cut, "sign"]).0, 1);
    assert_eq!(trial.run(&["--log", &log, "long"]).0, 1);
    assert_eq!(trial.run(&["--log", "/"]).0, 2);
}

#[test]
fn a_run_without_kani() {
    let trial = Trial::new(&trial_table(), &[]);
    let output = trial.command(&[], Some("/usr/bin:/bin"));
    let complaint = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(3), "{complaint}");
    let install = format!("cargo install --locked kani-verifier@{} && cargo kani setup", pinned());
    assert!(complaint.contains(&install), "{complaint}");
}

#[test]
fn another_kani_is_a_warning() {
    let trial = Trial::new(&trial_table(), &[]);
    trial.write("version", "cargo-kani 9.9.9\n");
    let (code, _, complaint) = trial.run(&["sign"]);
    assert_eq!(code, 0, "{complaint}");
    assert!(
        complaint.contains("warning: this is not Kani") && complaint.contains("9.9.9"),
        "{complaint}"
    );
}

#[test]
fn a_table_that_cannot_be_read() {
    let all = trial_table();
    let row = all.lines().nth(1).expect("a row");
    let with = |from: &str, to: &str| format!("# head\n{}\n", row.replacen(from, to, 1));
    let cases = [
        (row.to_owned(), ":1: the first line"),
        ("# head\n".to_owned(), "no harness"),
        ("# head\nproofs::a\tproofs::b\tdefault\t10\n".to_owned(), ":2: there are 4 columns"),
        (format!("# head\n{row}\n{row}\n"), ":3: proofs::prefix::sign stands twice"),
        (with("sign_fault", "sign fault"), ":2: not a harness"),
        (with("fact:one lem:two", " "), ":2: no claim"),
        (with("default", "other"), ":2: not a set"),
        (with("10", "0"), ":2: not a number of seconds"),
        (with("core", "-p"), ":2: not a package"),
        (with("4.1", "-"), ":2: not a record"),
    ];
    for (table, expected) in cases {
        let (code, _, complaint) = Trial::new(&table, &[]).run(&[]);
        assert!(code == 2 && complaint.contains(expected), "{code}: {complaint}");
    }
    let trial = Trial::new(&trial_table(), &[]);
    fs::remove_file(trial.folder.path().join("harnesses.tsv")).expect("removed");
    assert_eq!(trial.run(&[]).0, 2);
}

/// What Kani says of a cover in line `line`.
fn cover(line: u32, status: &str) -> String {
    format!(
        "Check 9: proofs::prefix::body::reached.cover.1\n\t - Status: {status}\n\t - Description: \
         \"cover condition: tight\"\n\t - Location: proofs/prefix.rs:{line}:5 in function \
         proofs::prefix::body::reached\n\n"
    )
}

#[test]
fn covers_count_by_their_places() {
    let said = |checks: &[String], summary: &str| {
        let checks = checks.concat();
        PROVED.replace("SUMMARY", &(checks + "SUMMARY")).replace("1 of 1 cover", summary)
    };
    let (yes, no) = (|line| cover(line, "SATISFIED"), |line| cover(line, "UNSATISFIABLE"));
    for (checks, summary, code, covers) in [
        // A copy that cannot be reached beside one that is.
        (vec![no(7), yes(7)], "1 of 2 cover", 0, "proved 1/1"),
        (vec![yes(7), no(7), yes(8)], "2 of 3 cover", 0, "proved 2/2"),
        // Another place that is not.
        (vec![yes(7), no(8)], "1 of 2 cover", 1, "NOT COVERED 1/2"),
        (vec![cover(7, "UNREACHABLE")], "0 of 1 cover", 1, "NOT COVERED 0/1"),
    ] {
        let trial = Trial::new(&trial_table(), &[("::sign", &said(&checks, summary))]);
        let (found, rows, complaint) = trial.run(&["sign"]);
        assert_eq!(found, code, "{covers}: {complaint}");
        assert!(rows[1].contains(covers), "{rows:#?}");
    }
}

#[test]
fn what_was_proved_is_recorded() {
    // The twin of the second is not noticed: its record stays, and so does what did not run.
    let trial = Trial::new(&trial_table(), &[("::long_fault", PROVED)]);
    let (code, _, complaint) = trial.run(&["--record"]);
    assert_eq!(code, 1, "{complaint}");
    let (before, after) = (trial_table(), trial.read("harnesses.tsv"));
    let changed: Vec<_> = before.lines().zip(after.lines()).filter(|(a, b)| a != b).collect();
    let [(_, line)] = changed.as_slice() else { panic!("{changed:#?}") };
    let cells: Vec<_> = line.split('\t').collect();
    assert_eq!((cells[0], cells[7], cells[8]), ("proofs::prefix::sign", "a1", "a1"));
    assert_eq!((cells[9], cells[11], cells[12]), (&*pinned(), "2.50", "0.90"));
    assert!(cells[10].len() == 10 && cells[10] > "2026-11-17", "{line}");
    assert_eq!(before.lines().count(), after.lines().count());
    // The new limits: three times what it took, and at least ten seconds.
    let slower = PROVED.replace("2.5043988", "9.9");
    let trial = Trial::new(&after, &[("::sign", &slower)]);
    assert_eq!(trial.run(&["sign"]).0, 0);
    // What is recorded is of the sources, before and after.
    trial.write("lists", "1\n");
    let (code, _, complaint) = trial.run(&["--record", "sign"]);
    assert!(code == 2 && complaint.contains("is not that of the sources"), "{complaint}");
    trial.write("lists", "0\n");
    trial.write("version", "cargo-kani\n");
    let (code, _, complaint) = trial.run(&["--record", "sign"]);
    assert!(code == 2 && complaint.contains("nothing would be recorded"), "{complaint}");
    assert_eq!(trial.read("harnesses.tsv"), after);
    for arguments in
        [["--record", "--controls"].as_slice(), &["--record", "--log", "harnesses.tsv"]]
    {
        let (code, _, complaint) = trial.run(arguments);
        assert!(code == 2 && complaint.contains("--record needs a run"), "{complaint}");
    }
}

/// What `proofs/run` says of a log, with the table and the options given.
fn judged(arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = format!("{}/tests/suite/controls.log", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("bash")
        .arg(format!("{ROOT}/proofs/run"))
        .args(["--log", &log])
        .args(arguments)
        .env("CARGO_TARGET_DIR", folder.path())
        .output()
        .expect("bash starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// Kani has nothing against these harnesses; the runner must have.
#[test]
fn harnesses_that_show_nothing_are_found_wanting() {
    let (code, table, complaint) = judged(&["--controls"]);
    assert_eq!((code, &*complaint), (0, ""), "{table}");
    for (name, verdict) in [
        ("::cover_out_of_reach ", "NOT COVERED"),
        ("::vacuous ", "NOT COVERED"),
        ("::without_a_fault_twin ", "FAULT NOT NOTICED"),
    ] {
        let row = table.lines().find(|line| line.contains(name)).expect("a row");
        assert_eq!(row.matches(verdict).count(), 2, "expected and found: {row}");
    }
    assert!(table.contains("3 of 6 well"), "{table}");
    // As proofs they fail, each by itself.
    let controls = format!("{ROOT}/proofs/controls.tsv");
    for name in ["cover_out_of_reach", "vacuous", "without_a_fault"] {
        let (code, table, complaint) = judged(&["--harnesses", &controls, name]);
        assert!(code == 1 && complaint.contains("1 failed"), "{table}{complaint}");
    }
    // Whatever else the runner says of a control is a failure, of either half.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("controls.tsv").display().to_string();
    let table = fs::read_to_string(&controls).expect("a table");
    for (from, to) in
        [("FAULT NOT NOTICED", "FAILED"), ("fault noticed", "FAILED"), ("proved", "x")]
    {
        fs::write(&path, table.replacen(from, to, 1)).expect("written");
        let (code, _, complaint) = judged(&["--controls", "--harnesses", &path]);
        assert!(code == 1 && complaint.contains(&format!(", not {to}")), "{complaint}");
    }
}

/// The log is written by hand, in Kani's words: `proofs/run --controls` leaves a real one in
/// target/kani-controls.log. Its places are those of the controls.
#[test]
fn the_log_is_that_of_the_controls() {
    let log = include_str!("controls.log");
    let source = fs::read_to_string(format!("{ROOT}/proofs/controls.rs")).expect("a source");
    for line in log.lines().filter_map(|line| line.strip_prefix("\t - Location: ")) {
        let Some(place) = line.strip_prefix("proofs/controls.rs:") else { continue };
        let mut parts = place.split([':', ' ']);
        let number: usize = parts.next().and_then(|n| n.parse().ok()).expect("a line");
        let text = source.lines().nth(number - 1).expect("a line of the source");
        assert!(text.contains("assert!") || text.contains("cover!"), "{line}: {text}");
    }
}
