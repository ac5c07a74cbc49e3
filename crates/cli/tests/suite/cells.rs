//! How cells may be written: percentages, decimal commas, words for outcomes, nothing at all. The
//! same forecasts in other words give the same report.

use proptest::prelude::*;

use crate::command::assert_snapshot;
use crate::measuring::{ALL_PENGUINS, PENGUINS, Round, Sheet, csv, json, printed, refused};

/// Decimals of up to 20 digits, some of them tiny, all in [0, 1]: what stands before a power of ten
/// and the power.
fn decimals() -> impl Strategy<Value = Vec<(bool, String, i32)>> {
    let digits = prop_oneof![
        4 => (0..=100_u64).prop_map(|n| (n.to_string(), -2)),
        2 => any::<u64>().prop_map(|n| (n.to_string(), -20)),
        1 => (1..=9_u64).prop_map(|n| (n.to_string(), -400)),
    ];
    let row =
        (any::<bool>(), digits).prop_map(|(outcome, (digits, power))| (outcome, digits, power));
    prop::collection::vec(row, 1..10)
}

/// Digits times a power of ten, without an exponent if there are few zeros.
fn written(digits: &str, power: i32) -> String {
    let places = power.unsigned_abs() as usize;
    match power {
        -400 => format!("{digits}e-400"),
        0 => digits.to_owned(),
        _ => {
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, part) = digits.split_at(digits.len() - places);
            format!("{whole}.{part}")
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn percentages_and_commas_are_the_plain_numbers(rows in decimals()) {
        let file = |header: &str, delimiter: char, of: &dyn Fn(&str, i32) -> String| {
            let row = |(outcome, digits, power): &(bool, String, i32)| {
                format!("{}{delimiter}{}\n", u8::from(*outcome), of(digits, *power))
            };
            header.to_owned() + &rows.iter().map(row).collect::<String>()
        };
        let only = ["-", "--subsamples", "0"];
        let report = |arguments: &[&str], file: String| json(&[&only, arguments].concat(), file);
        let plain = report(&[], file("y,p\n", ',', &written));
        let percent = |digits: &str, power: i32| match power {
            -400 => format!("{digits}e-398"),
            _ => written(digits, power + 2),
        };
        let comma = |digits: &str, power: i32| written(digits, power).replace('.', ",");
        let percent_comma = |digits: &str, power: i32| percent(digits, power).replace('.', ",");
        let sign = |digits: &str, power: i32| percent(digits, power) + " %";
        prop_assert_eq!(&report(&["--percent"], file("y,p\n", ',', &percent)), &plain);
        prop_assert_eq!(&report(&[], file("y,p\n", ',', &sign)), &plain);
        prop_assert_eq!(&report(&["--percent"], file("y,p\n", ',', &sign)), &plain);
        prop_assert_eq!(&report(&["--decimal", ","], file("y;p\n", ';', &comma)), &plain);
        let both = ["--decimal", ",", "--percent"];
        prop_assert_eq!(&report(&both, file("y;p\n", ';', &percent_comma)), &plain);
        // Quoted, as spreadsheets do where the comma also parts cells.
        let quoted = |digits: &str, power: i32| format!("\"{}\"", comma(digits, power));
        prop_assert_eq!(&report(&["--decimal", ","], file("y,p\n", ',', &quoted)), &plain);
    }

    /// Rows in which something is missing are those that are not there.
    #[test]
    fn rows_with_something_missing_are_left_out(
        rows in prop::collection::vec((any::<bool>(), 0..=20_u32, 0..40_usize), 1..30),
    ) {
        const NOTHING: [&str; 10] =
            ["", " ", "NA", "n/a", "NaN", "null", "None", "<NA>", "\\N", "nan"];
        let full: Vec<Round> =
            rows.iter().map(|(outcome, p, _)| (*outcome, format!("{p}/20"))).collect();
        let left: Vec<Round> =
            full.iter().zip(&rows).filter(|(_, row)| row.2 >= 20).map(|(r, _)| r.clone()).collect();
        prop_assume!(!left.is_empty());
        let line = |((outcome, p), (.., lack)): (&Round, &(bool, u32, usize))| {
            let outcome = u8::from(*outcome).to_string();
            match lack {
                0..10 => format!("{},{p},x\n", NOTHING[*lack]),
                10..20 => format!("{outcome},{},x\n", NOTHING[*lack - 10]),
                // What is missing in other columns does not matter.
                _ => format!("{outcome},{p},{}\n", NOTHING[*lack % 10]),
            }
        };
        let file = format!("y,p,z\n{}", full.iter().zip(&rows).map(line).collect::<String>());
        let mut skipped = json(&["-", "--missing", "skip", "--subsamples", "0"], &file);
        let count = full.len() - left.len();
        let noted = skipped.as_object_mut().expect("a report").remove("skipped_rows");
        prop_assert_eq!(noted, Some(count).filter(|count| *count > 0).map(Into::into));
        prop_assert_eq!(skipped, json(&["-", "--subsamples", "0"], csv(&left)));
        if count > 0 {
            let said = refused(&["-"], &file);
            prop_assert!(said.contains("is missing; fill it in or remove the row, or leave such"));
            let last = match count {
                1 => String::new(),
                2..=10 => format!("{count} rows cannot be read; these are listed above\n"),
                _ => format!("{count} rows cannot be read; the first of them are listed above\n"),
            };
            prop_assert!(said.ends_with(&last), "{}", said);
            let lines = count.min(10) + usize::from(count > 1);
            prop_assert_eq!(said.lines().count(), lines, "{}", said);
        }
    }
}

/// What is blank for 11 of 344 birds; the rest are the 333 of the other file.
#[test]
fn the_penguins_of_unknown_sex_are_left_out() {
    let arguments = ["-", "--y", "female", "--p", "logreg", "--subsamples", "64"];
    let skip = [&arguments[..], &["--missing", "skip"]].concat();
    let mut all = json(&skip, ALL_PENGUINS);
    assert_eq!(all["skipped_rows"], 11);
    all.as_object_mut().expect("a report").remove("skipped_rows");
    assert_eq!(all, json(&arguments, PENGUINS));
    let table = printed(&skip, ALL_PENGUINS.as_bytes());
    assert!(
        table.contains("\n11 rows were left out, as something is missing in them\n"),
        "{table}"
    );
    assert_eq!(
        table.replacen("11 rows were left out, as something is missing in them\n", "", 1),
        printed(&arguments, PENGUINS.as_bytes())
    );
    // All eleven are counted, and ten of them described.
    let said = refused(&arguments, ALL_PENGUINS);
    assert_eq!(said.lines().count(), 11, "{said}");
    assert!(
        said.starts_with("error: standard input, row 4 (line 5), column \"female\", value \"\": ")
    );
    assert!(said.ends_with("\n11 rows cannot be read; the first of them are listed above\n"));
}

#[test]
fn words_for_outcomes() {
    let plain = json(&["-"], "y,p\n1,0.5\n0,0.25\n1,1/3\n");
    for (yes, no) in [
        ("true", "false"),
        ("TRUE", "False"),
        ("T", "f"),
        ("yes", "no"),
        ("Y", "N"),
        ("1.0", "0.0"),
        (" 1 ", "-0"),
        ("1e0", "0e7"),
    ] {
        let file = format!("y,p\n{yes},0.5\n{no},0.25\n{yes},1/3\n");
        assert_eq!(json(&["-"], &file), plain, "{yes} {no}");
        assert_eq!(json(&["-", "--missing", "skip"], &file), plain, "{yes} {no}");
        assert_eq!(json(&["-", "--positive", yes], &file), plain, "{yes} {no}");
    }
    for (positive, yes, no) in [
        ("spam", "spam", "ham"),
        ("1", "1", "-1"),
        ("-1", "-1", "1"),
        ("1", "1.0", "2"),
        ("2", "2", "1"),
        ("0", "0", "1"),
        ("no", "no", "yes"),
        ("a b", " a b ", "a  b"),
    ] {
        let file = format!("y,p\n{yes},0.5\n{no},0.25\n{yes},1/3\n");
        assert_eq!(json(&["-", "--positive", positive], &file), plain, "{yes} {no}");
    }
    let comma = "y;p\n1,0;0,5\n0,0;0,25\n1;1/3\n";
    assert_eq!(json(&["-", "--decimal", ","], comma), plain);
}

/// A name that stands for nothing elsewhere is a name where it was given as one.
#[test]
fn names_that_look_like_nothing() {
    let plain = json(&["-"], "y,p\n1,0.5\n0,0.25\n");
    let file = "y,p\nnone,0.5\nsome,0.25\n";
    assert_eq!(json(&["-", "--positive", "none"], file), plain);
    assert_eq!(json(&["-", "--positive", "none", "--missing", "skip"], file), plain);
    let labels = "y,none,some\nnone,0.5,0.5\nsome,0.25,0.75\n";
    let classes = ["-", "--classes", "none,some", "--positive", "none", "--missing", "skip"];
    assert_eq!(json(&classes, labels), plain);
}

#[test]
fn cells_that_are_refused() {
    let mut messages = String::new();
    for (line, file) in [
        ("", "y,p\n1,37\n"),
        ("", "y,p\n1,\"0,5\"\n"),
        ("", "y,p\n1,101%\n"),
        ("", "y,p\n1,%\n"),
        ("", "y,p\n1,\n"),
        ("", "y,p\nNA,0.5\n"),
        ("", "y,p\n-1,0.5\n"),
        ("", "y,p\nmaybe,0.5\n"),
        ("--percent", "y,p\n1,100.0000001\n"),
        ("--percent", "y,p\n1,37/100\n"),
        ("--percent", "y,p\n1,-1\n"),
        ("--percent", "y,p\n1,lots\n"),
        ("--decimal ,", "y;p\n1;0.5\n"),
        ("--decimal ,", "y;p\n1;0,5,5\n"),
        ("--decimal ,", "y,p\n1,0,5\n"),
        ("--positive=", "y,p\n1,0.5\n"),
        ("--decimal ;", "y,p\n1,0.5\n"),
        ("--positive spam", "y,p\n,0.5\n"),
        ("--positive spam --levels", "p,n,k\n0.5,1,1\n"),
        ("--missing drop", "y,p\n1,0.5\n"),
        ("--missing skip", "y,p\n,0.5\n1,\n"),
        ("--missing skip", "y,p\n,0.5\n1,7\n"),
        ("--missing skip --by g", "y,p,g\n,0.5,a\n1,0.5,\n"),
        ("--missing skip --levels", "p,n,k\n,1,1\n"),
        ("--missing skip --buckets", "min,max,n,k,sum_p\n,1,1,1,1\n"),
        ("--by g", "y,p,g\n1,0.5,NA\n"),
        ("--classes a,b", "y,a,b\nc,0.5,0.5\n"),
        ("--classes a,b", "y,a,b\n,0.5,0.5\n"),
    ] {
        let words = line.split(' ').filter(|word| !word.is_empty());
        let arguments: Vec<&str> = ["-"].into_iter().chain(words).collect();
        let said = refused(&arguments, file);
        let said = said.split("\n\n").next().unwrap_or_default().trim_end().to_owned();
        messages.push_str(&format!("{line} {file:?}\n  {said}\n"));
    }
    assert_snapshot!("measure-refused-cells", messages);
}

/// All bad rows of a file are counted, wherever they are, and the first ten described.
#[test]
fn many_bad_rows_in_a_long_file() {
    let row = |t: usize| match t % 10_000 {
        0 => "1,7\n".to_owned(),
        _ => format!("{},0.{t}\n", t % 2),
    };
    let file = format!("y,p\n{}", (1..=250_000).map(row).collect::<String>());
    let said = refused(&["-"], &file);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 11, "{said}");
    for (place, line) in lines[..10].iter().enumerate() {
        let row = 10_000 * (place + 1);
        assert!(line.contains(&format!("row {row} (line {}), column \"p\"", row + 1)), "{line}");
    }
    assert_eq!(lines[10], "25 rows cannot be read; the first of them are listed above");
    // With names and numbers in other columns, and in groups, the same.
    let grouped = Sheet::of(&file);
    let grouped = grouped.rows.iter().map(|row| format!("{},{},g\n", row[0], row[1]));
    let said = refused(&["-", "--by", "g"], format!("y,p,g\n{}", grouped.collect::<String>()));
    assert!(
        said.ends_with("25 rows cannot be read; the first of them are listed above\n"),
        "{said}"
    );
}
