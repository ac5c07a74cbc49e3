//! Bad input: exit code 2, one message that names the place and the remedy, nothing on standard
//! output.

use std::fs;
use std::io::Read;

use proptest::prelude::*;
use truecal::Measure;
use truecal_cli::input::{Columns, CsvOptions, Grammar, Meaning, read_csv};
use truecal_cli::report::{Limits, Report};

use crate::command::{assert_snapshot, truecal};

/// What truecal says to bad input; it must say nothing else.
fn complaint(arguments: &[&str], input: &[u8]) -> String {
    let output = truecal(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(output.stdout, b"", "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn every_bad_file_has_its_message() {
    let long = format!("y,p\n1,0.{}\n", "7".repeat(5000));
    let wide = format!("{}\n", (0..30).map(|i| format!("c{i}")).collect::<Vec<_>>().join(","));
    let rounds: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("blank lines only", b"\n\n\n"),
        ("header only", b"y,p\n"),
        ("no header", b"0,0.5\n1,0.75\n"),
        ("no outcome column", b"when,p\nmonday,0.5\n"),
        ("no prediction column", b"y,chance\n1,0.5\n"),
        ("duplicate column", b"y,p,p\n1,0.5,0.5\n"),
        ("ambiguous column", b"y,label,p\n1,1,0.5\n"),
        ("many columns", wide.as_bytes()),
        ("NaN", b"y,p\n1,0.5\n0,NaN\n"),
        ("infinity", b"y,p\n1,-inf\n"),
        ("negative", b"y,p\n1,-0.1\n"),
        ("a hair above one", b"y,p\n1,0.5\n1,1.0000000000000002\n"),
        ("percentage", b"y,p\n1,150%\n"),
        ("decimal comma", b"y;p\n1;0,5\n"),
        ("outcome two", b"y,p\n2,0.5\n"),
        ("outcome maybe", b"y,p\nmaybe,0.5\n"),
        ("outcome one half", b"y,p\n0.5,0.5\n"),
        ("blank outcome", b"y,p\n,0.5\n"),
        ("blank prediction", b"y,p\n1, \n"),
        ("short row", b"y,p\n1,0.5\n0\n"),
        ("long row", b"y,p\n1,0.5\n0,0.5,0.7\n"),
        ("not UTF-8", b"y,p\n1,0.5\n1,\xff\xfe\n"),
        ("not UTF-8 in another column", b"y,p,note\n1,0.5,caf\xe9\n"),
        ("not UTF-8 in the header", b"y,p\xff\n1,0.5\n"),
        ("UTF-16", b"\xff\xfey\0,\0p\0\n\0"),
        ("zero denominator", b"y,p\n1,1/0\n"),
        ("huge exponent", b"y,p\n1,1e-999999999\n"),
        ("too many digits", long.as_bytes()),
        ("word with an escape", b"y,p\n1,\"a\tb\nc\"\n"),
        ("unclosed quote", b"y,p\n1,\"0.5\n1,0.7\n"),
        ("text after a quote", b"y,p\n1,\"0.5\"7\n"),
        ("a character cut between cells", b"y,p,a,b\n1,0.5,\xc3,\xa9\n"),
        ("CRLF and blank lines", b"y,p\r\n\r\n1,0.5\r\n1,7\r\n"),
        ("UTF-16 without a mark", b"y\0,\0p\0\n\0"),
    ];
    let mut messages = String::new();
    for (name, input) in rounds {
        let message = complaint(&["measure", "-"], input);
        assert_eq!(message.lines().count(), 1, "{name}: {message}");
        messages.push_str(&format!("{name}\n  {message}"));
    }
    let levels: &[(&str, &[u8])] = &[
        ("no count column", b"p,ones\n0.5,1\n"),
        ("count of zero", b"p,count,ones\n0.5,0,0\n"),
        ("more ones than rounds", b"p,count,ones\n0.5,2,3\n"),
        ("negative count", b"p,count,ones\n0.5,-2,0\n"),
        ("fraction of a round", b"p,count,ones\n0.5,2.5,1\n"),
        ("blank count", b"p,count,ones\n0.5,,1\n"),
        ("count beyond 64 bits", b"p,count,ones\n0.5,18446744073709551616,1\n"),
        ("counts beyond 64 bits together", b"p,count,ones\n0.5,18446744073709551615,1\n1,1,1\n"),
        ("prediction out of range", b"p,count,ones\n3/2,1,1\n"),
    ];
    for (name, input) in levels {
        let message = complaint(&["measure", "--levels", "-"], input);
        assert_eq!(message.lines().count(), 1, "{name}: {message}");
        messages.push_str(&format!("--levels: {name}\n  {message}"));
    }
    let options: &[(&str, &[&str])] =
        &[("named column missing", &["--y", "rain"]), ("one column for both", &["--y", "p"])];
    for (name, arguments) in options {
        let message = complaint(&[&["measure", "-"], *arguments].concat(), b"y,p\n1,0.5\n");
        messages.push_str(&format!("{name}\n  {message}"));
    }
    assert_snapshot!("bad-input", messages);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let missing = complaint(&["measure", &path("missing.csv")], b"");
    assert!(missing.contains("missing.csv: there is no such file"), "{missing}");
    let itself = complaint(&["measure", &folder.path().display().to_string()], b"");
    assert!(itself.contains("is a folder"), "{itself}");
    let odd = complaint(&["measure", "two\nlines\u{1b}[31m.csv"], b"");
    assert!(odd.starts_with("error: two\\nlines\\u{1b}[31m.csv: there is no such file"), "{odd}");
    fs::write(path("bad.csv"), "y,p\n1,7\n").expect("written");
    let bad = complaint(&["measure", &path("bad.csv")], b"");
    assert!(
        bad.contains("bad.csv, row 1 (line 2), column \"p\", value \"7\": greater than 1"),
        "{bad}"
    );
}

#[test]
fn misuse_is_refused() {
    for (arguments, words) in [
        (vec!["measure"], "FILE"),
        (vec!["measure", "--only", "mce", "-"], "the measures are ece, smce"),
        (vec!["measure", "--only", "smece", "-"], "one of the classical numbers"),
        (vec!["measure", "--delimiter", "ab", "-"], "one ASCII character"),
        (vec!["measure", "--format", "xlsx", "-"], "csv, json, npy, npz, parquet, arrow"),
        (vec!["measure", "--levels", "--y", "y", "-"], "--levels"),
        (vec!["measure", "--count", "n", "-"], "--levels"),
        (vec!["measure", "--json", "--exact", "-"], "--exact"),
        (vec!["measure", "--subset-budget=-1", "-"], "--subset-budget"),
        (vec!["measure", "--subsamples", "15", "-"], "give 0, or a number of subsets from 16 on"),
        (vec!["measure", "--subsamples", "1e3", "-"], "give 0, or a number of subsets from 16 on"),
        (vec!["measure", "--precision", "0", "-"], "give a positive number, such as 0.01"),
        (vec!["measure", "--precision=-0.1", "-"], "give a positive number, such as 0.01"),
        (vec!["measure", "--precision", "inf", "-"], "give a positive number, such as 0.01"),
        (vec!["measure", "--precision", "NaN", "-"], "give a positive number, such as 0.01"),
        (vec!["verify", "--max-rounds", "99"], "1..=32"),
        (vec!["meassure"], "measure"),
    ] {
        let message = complaint(&arguments, b"y,p\n1,0.5\n");
        assert!(message.contains(words), "{message}");
    }
}

/// Nothing that the file can do makes a row expensive: a million columns, a long line without an
/// end.
#[test]
fn odd_shapes_are_read_or_refused_in_good_time() {
    let names: String = (0..1_000_000).map(|i| format!("c{i},")).collect();
    let cells = "0,".repeat(1_000_000);
    let million = format!("{names}y,p\n{cells}1,0.5\n");
    assert!(truecal(&["measure", "--only", "ece", "-"], million.as_bytes()).status.success());
    let endless = format!("y,p\n1,{}", "0".repeat(20_000_000));
    assert!(complaint(&["measure", "-"], endless.as_bytes()).contains("more than 4096 digits"));
    let quote = format!("y,p,note\n1,0.5,\"{}", "x\n1,0.5,".repeat(2_000_000));
    let swallowed = complaint(&["measure", "-"], quote.as_bytes());
    assert!(swallowed.contains("opens on line 2 is never closed"), "{swallowed}");
    let unrelated: String =
        (0..20_000_u64).map(|i| format!("1,1/{}\n", 1_000_000_007 + 2 * i)).collect();
    let refused = complaint(&["measure", "-"], format!("y,p\n{unrelated}").as_bytes());
    assert!(refused.contains("common denominator"), "{refused}");
}

/// A source that hands over one byte at a time, as a slow pipe may.
struct Drip<'a>(&'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (first, rest) = self.0.split_at(self.0.len().min(1));
        buffer[..first.len()].copy_from_slice(first);
        self.0 = rest;
        Ok(first.len())
    }
}

#[test]
fn a_slow_pipe_reads_the_same() {
    let text = "\u{feff}\n\"y\";p;note\r\n1;0.5;\"a;\"\"b\"\r\n0;1/3;\r\n";
    let options = CsvOptions::default();
    let at_once = read_csv(text.as_bytes(), &options, |_, _| ()).expect("valid");
    let slowly = read_csv(Drip(text.as_bytes()), &options, |_, _| ()).expect("valid");
    assert_eq!((at_once.rounds(), at_once == slowly), (2, true));
}

/// Files that look almost right: a header, then cells out of a bag of good and odd pieces.
fn almost_csv() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "0",
        "1",
        "0.5",
        "1/3",
        "1e-3",
        "-0",
        "1e-99999999",
        "nan",
        "true",
        "",
        " ",
        "\"",
        "\"\"",
        ",",
        ",",
        ",",
        ";",
        "\t",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "\0",
        "é",
        "p",
        "y",
        "/",
        "1/0",
        "0,5",
        "%",
        "-",
        "e",
        "99999999999999999999",
    ]);
    let header = prop::sample::select(vec!["y,p\n", "p;x\n", "y\tp\r\n", "p,count,ones\n", ""]);
    (header, prop::collection::vec(piece, 0..40))
        .prop_map(|(header, pieces)| [header.as_bytes(), pieces.concat().as_bytes()].concat())
}

/// Files that are right except, now and then, for a cell.
fn mostly_good_csv() -> impl Strategy<Value = Vec<u8>> {
    let outcome = prop::sample::select(vec!["0", "1", "true", "FALSE", "1.0", " 1", "\"0\""]);
    let good = prop::sample::select(vec![
        "0", "1", ".5", "0.30", "1/3", "22/23", "1e-30", "-0.0", "\"0.7\"",
    ]);
    let odd = prop::sample::select(vec!["1.1", "nan", "", "-1", "1/0", "a\"b", "\"", "0,5"]);
    let prediction = prop_oneof![200 => good, 1 => odd];
    let end = prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n"]);
    let row = (outcome, prediction, end).prop_map(|(x, p, end)| format!("{x},{p}{end}"));
    prop::collection::vec(row, 1..12)
        .prop_map(|rows| format!("y,p\n{}", rows.concat()).into_bytes())
}

/// Reads bytes in every way there is. Whatever comes of it, it must be a whole report or one line
/// of words.
fn read_every_way(bytes: &[u8]) -> Result<(), TestCaseError> {
    let levels = Meaning::Levels { prediction: None, count: None, ones: None };
    for rows in [Meaning::default(), levels] {
        for delimiter in [None, Some(b';')] {
            let options = CsvOptions {
                name: "bytes".into(),
                columns: Columns { rows: rows.clone(), ..Columns::default() },
                grammar: Grammar::default(),
                delimiter,
            };
            match read_csv(bytes, &options, |_, _| ()) {
                Ok(forecasts) => {
                    prop_assert!(forecasts.rounds() > 0);
                    prop_assert!(forecasts.ones() <= forecasts.rounds());
                    let levels = forecasts.levels().expect("a few short numbers");
                    let limits =
                        Limits { subset_budget: 1 << 10, sample: None, ..Limits::default() };
                    let report = Report::of_levels(&levels, Measure::ALL, &limits);
                    let lines = report.to_table(true).lines().count();
                    // The verdict, the counts, the head, and a note on VCal and UCal.
                    prop_assert_eq!(lines, Measure::ALL.len() + 6);
                }
                Err(error) => {
                    let message = error.to_string();
                    let (rows, end) = message.rsplit_once('\n').unwrap_or((&message, ""));
                    prop_assert!(rows.lines().all(|row| row.starts_with("bytes")), "{}", message);
                    prop_assert!(rows.lines().count() <= 10, "{}", message);
                    let several = rows.lines().count() > 1;
                    prop_assert_eq!(several, end.contains(" rows cannot be read; "), "{}", message);
                    prop_assert!(message.len() < 9000, "{}", message);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_every_way(&bytes)?;
    }

    #[test]
    fn almost_good_files_do_no_harm(bytes in almost_csv()) {
        read_every_way(&bytes)?;
    }

    #[test]
    fn mostly_good_files_are_measured(bytes in mostly_good_csv()) {
        read_every_way(&bytes)?;
    }
}
