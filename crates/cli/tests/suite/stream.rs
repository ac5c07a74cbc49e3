//! `truecal measure --max-memory`: the same numbers, in memory that does not grow with the file.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use num_rational::BigRational;
use serde_json::Value;

use crate::command::{assert_snapshot, stdout, truecal};
use crate::rational;

/// So little memory that no round is kept.
const LEAST: [&str; 2] = ["--max-memory", "32M"];

const REFINED: [&str; 5] = ["stepce", "signce", "intervalce", "vcal", "ucal"];

/// Rounds with hardly a tie, of a truthful forecaster: the digits of the prediction, out of 10^16,
/// and the outcome.
fn rounds(count: u64) -> impl Iterator<Item = (u64, bool)> {
    const WHOLE: u64 = 10_000_000_000_000_000;
    // SplitMix64
    let random = |t: u64| {
        let mut word = t.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word ^ (word >> 31)) % WHOLE
    };
    (1..=count).map(move |t| (random(2 * t), random(2 * t + 1) < random(2 * t)))
}

fn write_csv(path: &Path, count: u64) {
    let mut csv = String::from("y,p\n");
    for (prediction, outcome) in rounds(count) {
        writeln!(csv, "{},0.{prediction:016}", u8::from(outcome)).expect("in memory");
    }
    fs::write(path, csv).expect("written");
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments, "")).expect("JSON")
}

fn number(value: &Value) -> BigRational {
    rational(value.as_str().expect("a fraction"))
}

/// The same value with the same witness, but for lists of all levels.
fn are_same(streamed: &Value, whole: &Value) {
    for field in ["exact", "value", "per_round", "method"] {
        assert_eq!(streamed[field], whole[field]);
    }
    for field in ["threshold", "bias", "sum", "low", "high", "approach", "rule", "line"] {
        assert_eq!(streamed["witness"][field], whole["witness"][field]);
    }
}

/// What the whole table gives is found again, and lies between the bounds where there are only
/// these.
fn agrees(path: &str) {
    let streamed = json(&["measure", path, LEAST[0], LEAST[1], "--json"]);
    let whole =
        json(&["measure", path, "--json", "--only", "ece,smce,stepce,signce,intervalce,vcal,ucal"]);
    assert_eq!(streamed["rounds"], whole["rounds"]);
    assert_eq!(streamed["ones"], whole["ones"]);
    let drawn = whole["measures"]["stepce"]["test"]["method"] == "replicates";
    for measure in REFINED {
        are_same(&streamed["measures"][measure], &whole["measures"][measure]);
        // P-values need no table either, unless they are drawn.
        let test = whole["measures"][measure].get("test").filter(|_| !drawn);
        assert_eq!(streamed["measures"][measure].get("test"), test);
    }
    if drawn {
        let reason = streamed["verdict"]["reason"].as_str().expect("a reason");
        assert!(reason.contains("vary too little") && reason.contains("--max-memory"), "{reason}");
    } else {
        assert_eq!(streamed["verdict"], whole["verdict"]);
    }
    for measure in ["ece", "smce"] {
        let [streamed, whole] = [&streamed, &whole].map(|report| &report["measures"][measure]);
        assert_eq!(streamed["method"], "bounds");
        let exact = number(&whole["exact"]);
        let [lower, upper] = ["lower", "upper"].map(|end| number(&streamed[end]));
        assert!(lower <= exact && exact <= upper);
        // Bounds that meet are the value.
        let known = if lower == upper { &whole["exact"] } else { &Value::Null };
        assert_eq!(&streamed["exact"], known, "{measure}");
        assert_eq!(streamed["value"].is_null(), known.is_null(), "{measure}");
    }
}

#[test]
fn a_stream_agrees_with_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rounds.csv");
    let text = path.display().to_string();
    write_csv(&path, 20_000);
    agrees(&text);
    // Few distinct predictions, some of them written otherwise, and tiny ones.
    fs::write(&path, "p;y\n1/2;1\n0.50;0\n.5e0;1\n1e-60;1\n0;0\n1;true\n0.25;0\n")
        .expect("written");
    agrees(&text);

    let array = folder.path().join("rounds.npy");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (9000, 2), }";
    bytes.extend(format!("{header:<117}\n").bytes());
    for (prediction, outcome) in rounds(9000) {
        let prediction = f64::from_bits((prediction as f64).to_bits() - (54 << 52)); // over 2^54
        bytes.extend([f64::from(u8::from(outcome)), prediction].map(f64::to_le_bytes).concat());
    }
    fs::write(&array, bytes).expect("written");
    agrees(&array.display().to_string());
}

#[test]
fn a_stream_says_what_it_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rounds.csv");
    write_csv(&path, 30_000);
    let text = path.display().to_string();
    let streamed =
        |more: &[&str]| stdout(&[&["measure", &text, LEAST[0], LEAST[1]], more].concat(), "");
    assert_snapshot!("measure-stream", streamed(&[]));
    let timed = streamed(&["--timing", "--only", "stepce"]);
    assert!(timed.contains("\nseconds: read ") && timed.contains(" passes "), "{timed}");
    // No two predictions share a bucket: the bounds meet.
    fs::write(&path, "y,p\n1,0.5\n0,0.25\n1,0.5\n").expect("written");
    let met = streamed(&["--only", "ece"]);
    assert!(met.contains("1.25") && met.contains("lower and upper bound are the same"), "{met}");
}

#[test]
fn what_cannot_be_streamed_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rounds.csv");
    let text = path.display().to_string();
    let complaint = |arguments: &[&str]| {
        let output = truecal(arguments, b"");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
        String::from_utf8(output.stderr).expect("text")
    };
    fs::write(&path, "y,p\n1,0.5\n0,1/3\n").expect("written");
    let message = complaint(&["measure", &text, LEAST[0], LEAST[1]]);
    let expected = "row 2 (line 3), column \"p\", value \"1/3\": not a decimal of at most 17 \
        significant digits from 1e-63 on, as all predictions of a file must be that does not fit \
        in --max-memory";
    assert!(message.contains(expected), "{message}");
    let message = complaint(&["measure", "-", LEAST[0], LEAST[1]]);
    assert!(message.contains("the file is empty"), "{message}");
    let output = truecal(&["measure", "-", LEAST[0], LEAST[1]], b"y,p\n1,0.5\n0,1/3\n");
    let message = String::from_utf8(output.stderr).expect("text");
    assert!(message.contains("row 2 (line 3), column \"p\", value \"1/3\": not a"), "{message}");
    for (size, problem) in [("31M", "at least 32M"), ("lots", "a size such as 64M")] {
        let message = complaint(&["measure", &text, "--max-memory", size]);
        assert!(message.contains(problem), "{message}");
    }
    fs::write(&path, "y,p\n1,0.5\n0,1.5\n").expect("written");
    let message = complaint(&["measure", &text, LEAST[0], LEAST[1]]);
    assert!(
        message.contains("row 2 (line 3), column \"p\", value \"1.5\": greater than 1"),
        "{message}"
    );
}

/// Standard input is kept in a temporary file, and gives what the file gives.
#[test]
fn standard_input_is_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rounds.csv");
    write_csv(&path, 20_000);
    let bytes = fs::read(&path).expect("readable");
    // There is room for some of them before the copy is begun.
    for memory in ["32M", "33M"] {
        let measured = |file: &str, input: &[u8]| -> Value {
            let output = truecal(&["measure", file, "--max-memory", memory, "--json"], input);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            serde_json::from_slice(&output.stdout).expect("JSON")
        };
        let (copied, read) = (measured("-", &bytes), measured(&path.display().to_string(), b""));
        assert_eq!(copied["measures"], read["measures"]);
        if memory == "32M" {
            assert_eq!((&copied["copied"], &read["copied"]), (&true.into(), &false.into()));
        }
    }
    // So many that they share buckets.
    write_csv(&path, 100_000);
    let bytes = fs::read(&path).expect("readable");
    let output = truecal(&["measure", "-", LEAST[0], LEAST[1], "--only", "stepce"], &bytes);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains(" in 2 passes, by a temporary copy on disk\n"), "{text}");
}

/// Rounds fit in memory, but no table of them: bounds for what needs one, without reading again.
#[test]
fn tables_keep_within_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rounds.csv");
    write_csv(&path, 40_000);
    let text = path.display().to_string();
    // 0.3 MB of rounds, and more than 2 MB with a table.
    let little = json(&["measure", &text, "--max-memory", "33M", "--json"]);
    assert_eq!((&little["levels"], &little["passes"]), (&Value::Null, &1.into()));
    assert_eq!(little["measures"]["smce"]["method"], "bounds");
    let enough = json(&["measure", &text, "--max-memory", "36M", "--json", "--subsamples", "0"]);
    assert_eq!(enough["levels"], 40_000);
    for measure in REFINED {
        are_same(&little["measures"][measure], &enough["measures"][measure]);
    }
}

/// Levels with their counts, and what a truthful forecaster would get in the limit.
#[test]
fn levels_and_limits_need_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("levels.csv");
    let mut csv = String::from("p,count,ones\n");
    for (t, (prediction, _)) in (1..).zip(rounds(3000)) {
        writeln!(csv, "0.{prediction:016},{t},{}", t / 3).expect("in memory");
    }
    fs::write(&path, &csv).expect("written");
    let text = path.display().to_string();
    let only = ["--only", "stepce,signce,intervalce,vcal,ucal", "--null", "3", "--json"];
    let whole = json(&[&["measure", &text, "--levels"], &only[..]].concat());
    for (file, input) in [(text.as_str(), ""), ("-", csv.as_str())] {
        let least = ["measure", file, "--levels", LEAST[0], LEAST[1]];
        let little: Value =
            serde_json::from_str(&stdout(&[&least, &only[..]].concat(), input)).expect("JSON");
        assert_eq!(little["passes"], 2);
        for (measure, entry) in whole["measures"].as_object().expect("measures") {
            let same = &little["measures"][measure];
            are_same(same, entry);
            let limits = [same, entry].map(|entry| &entry["null"]["asymptotic_p_value"]);
            assert_eq!(limits[0], limits[1], "{measure}");
            assert_eq!(same["null"]["p_value"], Value::Null);
        }
        assert!(little["measures"]["stepce"]["null"]["asymptotic_p_value"].is_number());
    }
}

/// Rows that do not fit are kept by their distinct predictions if these are few.
#[test]
fn many_rounds_of_few_predictions_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tied.csv");
    let mut csv = String::from("y,p\n");
    for t in 0..140_000_u32 {
        writeln!(csv, "{},0.{}", u8::from(t % 3 == 0), t % 7).expect("in memory");
    }
    fs::write(&path, csv).expect("written");
    let text = path.display().to_string();
    let only = ["--only", "ece,stepce", "--json"];
    let whole = json(&[&["measure", &text], &only[..]].concat());
    // There is room for 2^16 of them.
    let little = json(&[&["measure", &text, "--max-memory", "33M"], &only[..]].concat());
    assert_eq!(little, whole);
    assert_eq!(little["levels"], 7);
}

/// A file larger than all the memory that the process may have; and without a word about it that is
/// not enough.
#[cfg(target_os = "linux")]
#[test]
fn files_larger_than_memory_are_measured() {
    use std::process::Command;

    // Half of it is for the program and its tables of all formats.
    const LIMIT_KIB: u64 = 64 << 10;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.csv");
    write_csv(&path, 3_400_000);
    assert!(fs::metadata(&path).expect("written").len() > LIMIT_KIB << 10);
    let limited = |options: &str| {
        let command =
            format!("ulimit -v {LIMIT_KIB}; exec \"$0\" measure \"$1\" --jobs 1 {options}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &command, env!("CARGO_BIN_EXE_truecal")]).arg(&path);
        shell.output().expect("a shell")
    };
    let streamed = limited("--only stepce --max-memory 32M");
    let text = String::from_utf8_lossy(&streamed.stdout);
    assert!(streamed.status.success(), "{}", String::from_utf8_lossy(&streamed.stderr));
    assert!(text.starts_with("3400000 rounds: ") && text.contains("read in 2 passes"), "{text}");
    assert!(!limited("--only ece").status.success(), "the limit is too high to show anything");
}
