//! Weights: a weight of n is the same as n rows, and any weight is what the definitions say of it.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use truecal::nearest_f64;

use crate::command::assert_snapshot;
use crate::measuring::{PLAIN, Round, csv, exact, fraction, json, parts, printed, refused};
use crate::rational;

/// Outcomes, predictions in twelfths, and weights from 0 to 5.
fn whole() -> impl Strategy<Value = Vec<(bool, u32, usize)>> {
    let rows = prop::collection::vec((any::<bool>(), 0..=12_u32, 0..6_usize), 1..8);
    rows.prop_filter("a weight", |rows| rows.iter().any(|(.., weight)| *weight > 0))
}

fn repeated(rows: &[(bool, u32, usize)]) -> Vec<Round> {
    let round =
        |(outcome, p, weight): &(bool, u32, usize)| vec![(*outcome, format!("{p}/12")); *weight];
    rows.iter().flat_map(round).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// The whole report, p-values and classical numbers included.
    #[test]
    fn whole_weights_are_rows(rows in whole()) {
        let line = |(outcome, p, weight): &(bool, u32, usize)| {
            let weight = ["0", "1.0", "2", "3e0", "8/2", "0.5e1"][*weight];
            format!("{},{p}/12,{weight}\n", u8::from(*outcome))
        };
        let file = format!("y,p,w\n{}", rows.iter().map(line).collect::<String>());
        let options = ["-", "--subsamples", "64", "--null", "20"];
        let weighted = json(&[&options[..], &["--weight", "w"]].concat(), file);
        prop_assert_eq!(weighted, json(&options, csv(&repeated(&rows))));
    }

    /// Weights in sevenths: all measures are a seventh of those of as many rows.
    #[test]
    fn fractional_weights_are_parts_of_rows(rows in whole()) {
        let line = |(outcome, p, weight): &(bool, u32, usize)| {
            format!("{},{p}/12,{weight}/7\n", u8::from(*outcome))
        };
        // A weight of 1/7 keeps the unit, whatever the others are.
        let rows = [&rows[..], &[(true, 5, 1)]].concat();
        let file = format!("y,p,w\n{}", rows.iter().map(line).collect::<String>());
        let arguments = ["-", "--only", PLAIN, "--bins", "10"];
        let weighted = json(&[&arguments[..], &["--weight", "w"]].concat(), file);
        let rounds = repeated(&rows);
        let counted = json(&arguments, csv(&rounds));
        let seven = rational("7");
        for measure in PLAIN.split(',') {
            let (own, other) = (exact(&weighted, measure), exact(&counted, measure));
            prop_assert_eq!(own * &seven, other, "{}", measure);
            let per_round = [&weighted, &counted].map(|r| &r["measures"][measure]["per_round"]);
            prop_assert_eq!(per_round[0], per_round[1]);
        }
        let total = BigRational::new(rounds.len().into(), 7.into());
        prop_assert_eq!(fraction(&weighted["weight"]), total);
        prop_assert_eq!(&weighted["classical"], &counted["classical"]);
    }

    /// Any decimals, by the definitions.
    #[test]
    fn weights_by_the_definitions(
        rows in prop::collection::vec((any::<bool>(), 0..=8_u32, 0..=3000_u64), 1..8),
    ) {
        prop_assume!(rows.iter().any(|(.., weight)| *weight > 0));
        let line = |(outcome, p, weight): &(bool, u32, u64)| {
            format!("{},{p}/8,{weight}e-3\n", u8::from(*outcome))
        };
        let file = format!("y,p,w\n{}", rows.iter().map(line).collect::<String>());
        let report = json(&["-", "--weight", "w", "--only", "ece,stepce", "--bins", "1"], file);
        let mut biases = BTreeMap::<u32, BigRational>::new();
        let [mut all, mut brier, mut together] = [(); 3].map(|()| BigRational::zero());
        for (outcome, p, weight) in &rows {
            let weight = BigRational::new((*weight).into(), 1000.into());
            let outcome = BigRational::from_integer(u8::from(*outcome).into());
            let bias = outcome - BigRational::new((*p).into(), 8.into());
            *biases.entry(*p).or_default() += &weight * &bias;
            brier += &weight * &bias * &bias;
            together += &weight * bias;
            all += weight;
        }
        let ece: BigRational = biases.values().map(Signed::abs).sum();
        let sum = |top| biases.range(..=top).map(|(_, bias)| bias).sum::<BigRational>();
        let step = (0..=8).map(sum).map(|sum| sum.abs()).max().expect("nine");
        prop_assert_eq!(exact(&report, "ece"), ece.clone());
        prop_assert_eq!(exact(&report, "stepce"), step);
        let per_round = nearest_f64(&(ece / &all));
        prop_assert_eq!(report["measures"]["ece"]["per_round"].as_f64(), Some(per_round));
        let classical = &report["classical"];
        prop_assert_eq!(fraction(&classical["brier"]["exact"]), brier / &all);
        prop_assert_eq!(fraction(&classical["ece_equal_width"]["exact"]), together.abs() / all);
    }
}

/// Weights in groups, and beside several models and classes.
#[test]
fn weights_go_with_everything() {
    let weighted = "y,p,q,w,g\n1,0.5,0.25,2,a\n0,0.25,0.5,1,a\n1,1/3,0,3,b\n0,1,1,0,b\n";
    let rows =
        "y,p,q,g\n1,0.5,0.25,a\n1,0.5,0.25,a\n0,0.25,0.5,a\n1,1/3,0,b\n1,1/3,0,b\n1,1/3,0,b\n";
    for more in [&["--p", "p,q"][..], &["--by", "g"], &["--p", "p,q", "--by", "g"]] {
        let arguments = [&["-", "--only", "stepce,ece"], more].concat();
        let own = json(&[&arguments[..], &["--weight", "w"]].concat(), weighted);
        assert_eq!(own, json(&arguments, rows), "{more:?}");
    }
    let weighted = "label,a,b,w\na,1/2,1/2,2\nb,1/4,1/2,1\n";
    let rows = "label,a,b\na,1/2,1/2\na,1/2,1/2\nb,1/4,1/2\n";
    let classes = ["-", "--classes", "a,b", "--only", PLAIN];
    let own = json(&[&classes[..], &["--weight", "w"]].concat(), weighted);
    assert_eq!(parts(&own), parts(&json(&classes, rows)));
}

/// A group in which all weights are 0 is one of no rounds.
#[test]
fn groups_without_weight() {
    let file = "y,p,w,g\n1,0.5,1,a\n0,0.25,0,b\n";
    let report = json(&["-", "--weight", "w", "--by", "g"], file);
    let own: Vec<_> = parts(&report).iter().map(|part| part["group"]["g"].clone()).collect();
    assert_eq!(own, ["a"]);
}

#[test]
fn what_is_said_of_weights() {
    let file = "y,p,w\n1,0.5,0.5\n0,0.25,1.75\n1,0.75,2\n0,0.5,0.25\n";
    let table = printed(&["-", "--weight", "w"], file.as_bytes());
    assert_snapshot!("measure-weights", table);
    let report = json(&["-", "--weight", "w"], file);
    assert_eq!(report["measures"]["ssce"]["method"], "none");
    let mut messages = String::new();
    for (line, file) in [
        ("--weight w", "y,p,w\n1,0.5,-1\n"),
        ("--weight w", "y,p,w\n1,0.5,\n"),
        ("--weight w", "y,p,w\n1,0.5,heavy\n"),
        ("--weight w", "y,p,w\n1,0.5,1e21\n"),
        ("--weight w", "y,p,w\n1,0.5,1/0\n"),
        ("--weight w", "y,p,w\n1,0.5,inf\n"),
        ("--weight w", "y,p,w\n1,0.5,0\n"),
        ("--weight w", "y,p,w\n1,0.5,1e20\n"),
        ("--weight w", "y,p,w\n1,0.5,1e-19\n1,0.5,10\n"),
        ("--weight p", "y,p,w\n1,0.5,1\n"),
        ("--weight v", "y,p,w\n1,0.5,1\n"),
        ("--weight w --levels", "p,n,k,w\n0.5,1,1,1\n"),
        ("--weight w --buckets", "min,max,n,k,sum_p,w\n0.5,0.5,1,1,0.5,1\n"),
        ("--weight w --p p,q --compare", "y,p,q,w\n1,0.5,0.5,1\n"),
    ] {
        let arguments: Vec<&str> = ["-"].into_iter().chain(line.split(' ')).collect();
        let said = refused(&arguments, file);
        let said = said.split("\n\n").next().unwrap_or_default().trim_end().to_owned();
        messages.push_str(&format!("{line} {file:?}\n  {said}\n"));
    }
    assert_snapshot!("measure-refused-weights", messages);
}
