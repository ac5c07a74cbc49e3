//! `--buckets`: bounds from what a database can add up.

use std::collections::BTreeMap;

use num_rational::BigRational;
use proptest::prelude::*;

use crate::command::assert_snapshot;
use crate::measuring::{Round, csv, exact, fraction, json, printed, refused};
use crate::rational;

const AVERAGES: [&str; 4] = ["stepce_sub", "vcal_sub", "ucal_sub", "ssce"];

/// Predictions in 64ths, whose sums are exact as decimals.
fn rounds() -> impl Strategy<Value = Vec<(bool, u32)>> {
    prop::collection::vec((any::<bool>(), 0..=64_u32), 1..12)
}

/// A row for each range of so many 64ths.
fn grouped(rounds: &[(bool, u32)], width: u32) -> String {
    let mut buckets = BTreeMap::<u32, Vec<(bool, u32)>>::new();
    rounds.iter().for_each(|round| buckets.entry(round.1 / width).or_default().push(*round));
    let row = |bucket: &Vec<(bool, u32)>| {
        let predictions = || bucket.iter().map(|(_, p)| *p);
        let (least, most) = (predictions().min(), predictions().max());
        let ones = bucket.iter().filter(|(outcome, _)| *outcome).count();
        let sum = BigRational::new(predictions().sum::<u32>().into(), 64.into());
        let [least, most] = [least, most].map(|p| format!("{}/64", p.expect("not empty")));
        format!("{},{ones},{least},{sum},{most}\n", bucket.len())
    };
    let rows: String = buckets.values().map(row).collect();
    format!("count(*),sum(y),min(p),sum(p),max(p)\n{rows}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// What the rounds themselves give lies between the bounds; and is all that is left of them if
    /// no bucket has more than one prediction.
    #[test]
    fn bounds_hold(rounds in rounds(), width in prop::sample::select(vec![1_u32, 2, 9, 65])) {
        let report = json(&["-", "--buckets"], grouped(&rounds, width));
        let all: Vec<Round> = rounds.iter().map(|(x, p)| (*x, format!("{p}/64"))).collect();
        let whole = json(&["-"], csv(&all));
        prop_assert_eq!(&report["rounds"], &whole["rounds"]);
        prop_assert_eq!(&report["ones"], &whole["ones"]);
        prop_assert!(report.get("classical").is_none());
        for (measure, entry) in report["measures"].as_object().expect("measures") {
            prop_assert_eq!(&entry["method"], "bounds");
            let [lower, upper] = ["lower", "upper"].map(|end| fraction(&entry[end]));
            let value = exact(&whole, measure);
            prop_assert!(lower <= value && value <= upper, "{}: {}", measure, value);
            if width == 1 && !AVERAGES.contains(&measure.as_str()) {
                prop_assert_eq!(&lower, &value);
                prop_assert_eq!(&entry["exact"], &whole["measures"][measure]["exact"]);
            }
        }
    }
}

/// The buckets of a percentage, and of names of one's own.
#[test]
fn buckets_are_read_as_other_cells() {
    let plain = json(&["-", "--buckets"], "min,max,n,k,sum_p\n0.125,0.25,3,1,0.5\n0.5,0.5,2,2,1\n");
    for (arguments, file) in [
        (vec!["--percent"], "min,max,n,k,sum_p\n12.5,25,3,1,50\n50,50,2,2,100\n"),
        (vec!["--decimal", ","], "min;max;n;k;sum_p\n0,125;0,25;3;1;0,5\n0,5;0,5;2;2;1,0\n"),
        (
            vec!["--min", "a", "--max", "b", "--count", "c", "--ones", "d", "--sum", "e"],
            "e,d,c,b,a,min\n0.5,1,3,0.25,0.125,x\n1,2,2,0.5,0.5,x\n",
        ),
    ] {
        assert_eq!(json(&[&["-", "--buckets"], &arguments[..]].concat(), file), plain, "{file}");
    }
    let skipped = "min,max,n,k,sum_p\n0.125,0.25,3,1,0.5\n,,,,\n0.5,0.5,2,2,1\n";
    let skipped = json(&["-", "--buckets", "--missing", "skip"], skipped);
    assert_eq!((&skipped["skipped_rows"], &skipped["measures"]), (&1.into(), &plain["measures"]));
}

/// Doubles added up by a database: the sum is not the exact one, and says so by a hair.
#[test]
fn sums_of_doubles_are_rounded() {
    // 0.1 ten times is 0.9999999999999999 where doubles are added one by one.
    let bucket = "min,max,n,k,sum_p\n0.1,0.1,10,4,0.9999999999999999\n";
    let entry = &json(&["-", "--buckets", "--only", "stepce"], bucket)["measures"]["stepce"];
    assert_eq!(
        (fraction(&entry["lower"]), fraction(&entry["upper"])),
        (rational("3"), rational("3"))
    );
}

#[test]
fn what_is_said_of_buckets() {
    let file = "min,max,n,k,sum_p\n0,0.25,40,6,5.5\n0.25,0.5,30,14,11\n0.5,1,30,20,22.5\n";
    assert_snapshot!("measure-buckets", printed(&["-", "--buckets"], file.as_bytes()));
    let text = printed(&["-", "--buckets", "--csv", "--only", "ece"], file.as_bytes());
    let bounds = &json(&["-", "--buckets", "--only", "ece"], file)["measures"]["ece"];
    let row =
        format!("ece,bounds,100,40,,,,{},{},,,0", bounds["lower_value"], bounds["upper_value"]);
    assert_eq!(text.lines().nth(1), Some(row.as_str()));
    let mut messages = String::new();
    for (line, file) in [
        ("--buckets", "min,max,n,k,sum_p\n0.5,0.25,2,1,0.75\n"),
        ("--buckets", "min,max,n,k,sum_p\n0.25,0.5,0,0,0\n"),
        ("--buckets", "min,max,n,k,sum_p\n0.25,0.5,2,3,0.75\n"),
        ("--buckets", "min,max,n,k,sum_p\n0.25,0.5,1,1,0.25\n"),
        ("--buckets", "min,max,n,k,sum_p\n0.25,0.5,2,1,7\n"),
        ("--buckets", "min,max,n,k,sum_p\n0.25,0.5,2,1,lots\n"),
        ("--buckets", "min,max,n,k,sum_p\n0.25,7,2,1,1\n"),
        ("--buckets", "min,max,n,k,sum_p\n0,0.5,2,1,0.5\n0.25,0.75,2,1,1\n"),
        ("--buckets", "min,n,k,sum_p\n0,2,1,0.5\n"),
        ("--buckets --null 10", "min,max,n,k,sum_p\n0,0.5,2,1,0.5\n"),
        ("--buckets --by g", "min,max,n,k,sum_p,g\n0,0.5,2,1,0.5,a\n"),
        ("--buckets --levels", "min,max,n,k,sum_p\n0,0.5,2,1,0.5\n"),
        ("--buckets --p p", "min,max,n,k,sum_p\n0,0.5,2,1,0.5\n"),
        ("--buckets --y y", "min,max,n,k,sum_p\n0,0.5,2,1,0.5\n"),
        ("--buckets --bins 5", "min,max,n,k,sum_p\n0,0.5,2,1,0.5\n"),
        ("--min a", "y,p\n1,0.5\n"),
        ("--count a", "y,p\n1,0.5\n"),
    ] {
        let arguments: Vec<&str> = ["-"].into_iter().chain(line.split(' ')).collect();
        let said = refused(&arguments, file);
        let said = said.split("\n\nUsage").next().unwrap_or_default().trim_end().to_owned();
        messages.push_str(&format!("{line} {file:?}\n  {said}\n"));
    }
    assert_snapshot!("measure-refused-buckets", messages);
}

/// The rows of a long file are read in pieces, and are counted through.
#[test]
fn bad_buckets_are_found_in_long_files() {
    let row = |i: u32| format!("{}e-6,{}e-6,2,1,{}e-6\n", 2 * i, 2 * i + 1, 4 * i + 1);
    let rows: Vec<String> = (0..20_000).map(row).collect();
    let file = |rows: &[String]| format!("min,max,n,k,sum_p\n{}", rows.concat());
    let report = json(&["-", "--buckets", "--only", "ece"], file(&rows));
    assert_eq!(report["rounds"], 40_000);
    let mut bad = rows.clone();
    bad[18_000] = "0.0000005,0.0000008,2,1,0.0000013\n".to_owned();
    let said = refused(&["-", "--buckets"], file(&bad));
    let words = "row 18001 (line 18002): its smallest prediction, 0.0000005, lies within the \
        bucket of row 1, which goes on to 0.000001; group by";
    assert!(said.contains(words), "{said}");
}
