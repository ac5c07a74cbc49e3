//! `truecal forecast --from`: a model's predictions, recalibrated.

use std::fs;

use num_rational::BigRational;
use serde_json::Value;
use truecal::rational::int;
use truecal::{Prediction, Random, nearest_f64};
use truecal_lab::hedge::{HedgeForecaster, default_buckets};

use crate::command::{assert_snapshot, stdout, truecal};
use crate::rational;

/// What is written, and what is said of it.
fn recalibrated(arguments: &[&str], file: &str) -> (String, String) {
    let arguments = [&["forecast", "--from", "-"], arguments].concat();
    let output = truecal(&arguments, file.as_bytes());
    let report = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(0), "{report}");
    (String::from_utf8(output.stdout).expect("text"), report)
}

fn said(arguments: &[&str], file: &str) -> Value {
    let report = recalibrated(&[arguments, &["--json"]].concat(), file).1;
    serde_json::from_str(&report).expect("JSON")
}

/// The last cell of each row.
fn column(file: &str) -> Vec<&str> {
    file.lines().skip(1).map(|row| row.rsplit(',').next().expect("a cell")).collect()
}

fn exact(value: &Value) -> BigRational {
    rational(value["exact"].as_str().expect("text"))
}

/// Rounds as a file.
fn file(rounds: &[(String, bool)]) -> String {
    let rows = rounds.iter().map(|(p, y)| format!("{p},{}\n", u8::from(*y)));
    format!("p,y\n{}", rows.collect::<String>())
}

/// A model that is too sure: the event happens with probability 2/5 where it says 0.05 and the
/// like, and 3/5 where it says 0.95.
fn too_sure(rounds: u64) -> Vec<(String, bool)> {
    let round = |t| {
        let mut random = Random::new(9, t);
        let high = random.next().is_multiple_of(2);
        let likely = random.next() % 5 < 3;
        let digit = random.next() % 10;
        (format!("0.{}{digit}", if high { 9 } else { 0 }), high == likely)
    };
    (0..rounds).map(round).collect()
}

/// Any model, with numbers of all kinds, at the ends of groups, too.
fn any_model(rounds: u64) -> Vec<(String, bool)> {
    let odd = ["0", "1", "1/3", "2/3", "5e-324", "0.12345678901234567", "0.3", ".5", "1e-2", "0.7"];
    let round = |t| {
        let mut random = Random::new(6, t);
        (odd[(random.next() % 10) as usize].to_owned(), random.next().is_multiple_of(3))
    };
    (0..rounds).map(round).collect()
}

/// For each round anew: the earlier rounds of its group are collected, and a forecaster plays them
/// from the start.
fn literal_column(
    rounds: &[(String, bool)],
    group: impl Fn(&BigRational) -> BigRational,
    fresh: &HedgeForecaster,
    seed: u64,
) -> Vec<BigRational> {
    let value = |text: &String| text.parse::<Prediction>().expect("valid").to_rational();
    let groups: Vec<_> = rounds.iter().map(|(p, _)| group(&value(p))).collect();
    let forecast = |now: usize| {
        let mut forecaster = fresh.clone();
        for earlier in (0..now).filter(|earlier| groups[*earlier] == groups[now]) {
            forecaster.sample(&mut Random::new(seed, earlier as u64));
            forecaster.observe(rounds[earlier].1).expect("a round");
        }
        forecaster.sample(&mut Random::new(seed, now as u64)).to_rational()
    };
    (0..rounds.len()).map(forecast).collect()
}

/// The number of the interval that a prediction is in, by looking at all of them.
fn interval(groups: u64) -> impl Fn(&BigRational) -> BigRational {
    move |value| {
        let inside = |index: &u64| int(*index) <= value * int(groups);
        int((0..groups).rev().find(inside).expect("at least 0"))
    }
}

#[test]
fn forecasts_are_those_of_the_group_alone() {
    let doubling = |buckets| HedgeForecaster::doubling(buckets).expect("valid");
    for rounds in [any_model(150), too_sure(150)] {
        let file = file(&rounds);
        let check = |arguments: &str, expected: Vec<BigRational>| {
            let arguments: Vec<&str> = arguments.split_whitespace().collect();
            let (fractions, _) = recalibrated(&[&arguments[..], &["--exact"]].concat(), &file);
            let fractions: Vec<_> = column(&fractions).into_iter().map(rational).collect();
            assert_eq!(fractions, expected, "{arguments:?}");
            let (doubles, _) = recalibrated(&arguments, &file);
            let doubles: Vec<f64> =
                column(&doubles).iter().map(|cell| cell.parse().expect("a double")).collect();
            assert_eq!(doubles, expected.iter().map(nearest_f64).collect::<Vec<_>>());
        };
        check("", literal_column(&rounds, interval(10), &doubling(None), 1));
        check("--groups 3 --seed 7", literal_column(&rounds, interval(3), &doubling(None), 7));
        let plan = HedgeForecaster::new(150, default_buckets(150)).expect("valid");
        check("--groups 1 --rounds 150", literal_column(&rounds, |_| int(0), &plan, 1));
        let nine = doubling(Some(9));
        let distinct = literal_column(&rounds, BigRational::clone, &nine, 1);
        check("--groups distinct --buckets 9", distinct);
    }
}

/// What `truecal measure` says of a column.
fn measured(file: &str, p: &str) -> BigRational {
    let arguments = ["measure", "--json", "--only", "stepce", "--p", p, "-"];
    let json: Value = serde_json::from_str(&stdout(&arguments, file)).expect("JSON");
    exact(&json["measures"]["stepce"])
}

#[test]
fn a_model_that_is_too_sure_gets_better() {
    let file = file(&too_sure(4000));
    let (written, report) = recalibrated(&["--rounds", "2500"], &file);
    assert_snapshot!("forecast-from", report);
    let json = said(&["--rounds", "2500"], &file);
    let change = |measure: &str| {
        let value = |when| exact(&json[measure][when]);
        (value("before"), value("after"))
    };
    let (before, after) = change("stepce");
    assert_eq!((&before, &after), (&measured(&file, "p"), &measured(&written, "recalibrated")));
    assert!(after.clone() * int(5) < before, "{before} {after}");
    let (before, after) = change("ece_over_groups");
    assert!(after * int(10) < before);
    let (before, after) = change("squared_error");
    assert!(after < before);
    // Without a plan the restarts cost something, but it is better all the same.
    let json = said(&[], &file);
    assert!(exact(&json["stepce"]["after"]) * int(2) < exact(&json["stepce"]["before"]));
}

/// The numbers of the report, literally from the rows.
#[test]
fn the_report_is_about_the_column() {
    let rounds = any_model(120);
    let (written, _) = recalibrated(&["--groups", "3", "--exact"], &file(&rounds));
    let json = said(&["--groups", "3"], &file(&rounds));
    let value = |text: &str| text.parse::<Prediction>().expect("valid").to_rational();
    let after: Vec<_> = column(&written).into_iter().map(value).collect();
    let before: Vec<_> = rounds.iter().map(|(p, _)| value(p)).collect();
    let outcome = |t: usize| int(u64::from(rounds[t].1));
    let group = interval(3);
    for (name, forecasts) in [("before", &before), ("after", &after)] {
        let error = |t: usize| outcome(t) - &forecasts[t];
        let mut ece = int(0);
        for index in 0..3 {
            let bias: BigRational =
                (0..120).filter(|t| group(&before[*t]) == int(index)).map(error).sum();
            ece += if bias < int(0) { -bias } else { bias };
        }
        assert_eq!(exact(&json["ece_over_groups"][name]), ece);
        let squares: BigRational = (0..120).map(|t| error(t) * error(t)).sum();
        assert_eq!(exact(&json["squared_error"][name]), squares);
    }
    let groups = json["groups"].as_array().expect("a list");
    assert_eq!(groups.len(), 3);
    let ends: Vec<_> = groups.iter().map(|group| (&group["start"], &group["end"])).collect();
    let text = |start: &str, end: &str| (Value::from(start), Value::from(end));
    let expected = [text("0", "1/3"), text("1/3", "2/3"), text("2/3", "1")];
    assert_eq!(ends, expected.each_ref().map(|(start, end)| (start, end)));
    let parts: BigRational = groups.iter().map(|group| exact(&group["stepce"])).sum();
    assert!(exact(&json["stepce"]["after"]) <= parts, "stepCE of the parts adds up");
    assert!(exact(&json["ece_over_groups"]["after"]) <= parts);
    let counted: u64 = groups.iter().filter_map(|group| group["rounds"].as_u64()).sum();
    assert_eq!((counted, json["rounds"].as_u64()), (120, Some(120)));
}

/// What is calibrated already does not get better; nor does anything against an adversary who
/// knows what the forecast is on average. The bound holds for both.
#[test]
fn what_does_not_get_better_stays_below_the_bound() {
    let alternating: Vec<_> = (0..600).map(|t| ("1/2".to_owned(), t % 2 == 0)).collect();
    let mut forecaster = HedgeForecaster::doubling(None).expect("valid");
    let against = |t| {
        let half = rational("1/2");
        let outcome = forecaster.predict().mean() < half;
        forecaster.sample(&mut Random::new(1, t));
        forecaster.observe(outcome).expect("a round");
        ("1/2".to_owned(), outcome)
    };
    let contrary: Vec<_> = (0..600).map(against).collect();
    for rounds in [alternating, contrary] {
        let json = said(&[], &file(&rounds));
        let [before, after] =
            ["before", "after"].map(|when| nearest_f64(&exact(&json["stepce"][when])));
        let bound = json["bound"].as_f64().expect("a number");
        assert!(before < after && after < bound, "{before} {after} {bound}");
    }
}

#[test]
fn every_byte_of_the_file_stays() {
    let before =
        "\u{feff}\"note\";score;rained\r\n\"a;\"\"b\"\"\nc\";1/3;1\r\n\r\n5\" d; 0.30;TRUE\r";
    let arguments = ["--y", "rained", "--p", "score", "--column", "new;one", "--exact"];
    let (after, _) = recalibrated(&arguments, before);
    let expected = before
        .replacen("rained", "rained;\"new;one\"", 1)
        .replacen(";1\r\n", ";1;1\r\n", 1)
        .replacen("TRUE", "TRUE;1", 1);
    assert_eq!(after, expected);
}

/// With more rows, or with an outcome that was blank, earlier forecasts stay.
#[test]
fn the_future_changes_nothing() {
    for rounds in [any_model(60), too_sure(60)] {
        let (whole, _) = recalibrated(&[], &file(&rounds));
        let whole = column(&whole);
        for now in 0..rounds.len() {
            let known = file(&rounds[..now]);
            let live = format!("{known}{}, \n", rounds[now].0);
            let (part, report) = recalibrated(&[], &live);
            assert_eq!(column(&part), whole[..=now]);
            assert!(report.contains("and 1 round to come, in "), "{report}");
            let json = said(&[], &live);
            assert_eq!((&json["waiting"], &json["rounds"]), (&1.into(), &now.into()));
            if now > 0 {
                let without = said(&[], &known);
                for field in ["stepce", "ece_over_groups", "squared_error", "bound"] {
                    assert_eq!(json[field], without[field], "only known rounds count");
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_recalibrated_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.csv").display().to_string();
    fs::write(&out, "as it was").expect("written");
    let mut messages = String::new();
    let mut refused = |arguments: &str, file: &str| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        for to in [&[][..], &["--out", &out]] {
            let arguments = [&["forecast"], &arguments[..], to].concat();
            let output = truecal(&arguments, file.as_bytes());
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert!(output.stdout.is_empty());
            if to.is_empty() {
                messages += &String::from_utf8(output.stderr).expect("text");
            }
            assert_eq!(fs::read_to_string(&out).expect("a file"), "as it was");
        }
    };
    let from = "--from -";
    refused(from, "");
    refused(from, "p,y\n");
    refused(from, "p,y\n0.5,1\n1.5,0\n");
    refused(from, "p,y\n0.5,1\n0.5,maybe\n");
    refused(from, "p,y\n0.5,1\n0.5\n");
    refused(from, "p,z\n0.5,1\n");
    refused(from, "p,y, recalibrated\n0.5,1,\n");
    refused(from, "p,y\n0.5,1\n0.1,\n0.5,\n0.1,0\n");
    refused(from, "p,y\n0.5,1\n0.51,\n0.1,\n0.59, \n");
    refused("--from - --rounds 2", "p,y\n0.5,1\n0.5,1\n0.1,1\n0.5,0\n");
    refused("--from - --column p", "p,y\n0.5,1\n");
    refused(from, "{\"y\": 1, \"p\": 0.5}\n");
    refused(from, "SQLite format 3\0");
    refused("--from missing.csv", "");
    refused("--from - --groups 0", "");
    refused("--from - --groups many", "");
    refused("--from - --column=", "");
    refused("--from - --mixture", "");
    refused("--from - --state run.json", "");
    refused("--from - --against greedy --rounds 9", "");
    refused("--groups 3", "");
    assert_snapshot!("forecast-from-misuse", messages);
    let count = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(count, 1, "nothing is left beside it");
}

#[test]
fn a_file_may_replace_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.csv").display().to_string();
    let before = file(&any_model(20));
    fs::write(&path, &before).expect("written");
    let arguments = ["forecast", "--from", &path, "--out", &path];
    let output = truecal(&arguments, b"");
    assert_eq!((output.status.code(), output.stdout), (Some(0), vec![]));
    let after = fs::read_to_string(&path).expect("a file");
    assert_eq!(after, recalibrated(&[], &before).0);
    let again = truecal(&arguments, b"");
    assert_eq!(again.status.code(), Some(2), "it has the column already");
}
