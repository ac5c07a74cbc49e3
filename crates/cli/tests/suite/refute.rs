//! `truecal refute` and `truecal tight`, as people run them and as a library.

use num_rational::BigRational;
use serde_json::Value;
use truecal::grid::grid_tables;
use truecal::{AnyLevels, Watch};
use truecal_check::law::Law;
use truecal_verify::laws::{Verdict, judge_at, near_value, value_of};
use truecal_verify::refute::{Budget, Instance, Supremum, refute, tight};

use crate::command::{assert_snapshot, complaint, stdout};
use crate::rational;

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments, "")).expect("JSON")
}

#[test]
fn a_refuted_conjecture() {
    assert_snapshot!("refute-refuted", stdout(&["refute", "stepce >= ucal/7"], ""));
}

#[test]
fn a_conjecture_that_is_refuted_off_the_grid() {
    assert_snapshot!("refute-off-grid", stdout(&["refute", "ece <= 6*stepce", "--grid", "4"], ""));
}

#[test]
fn a_conjecture_that_is_proved() {
    assert_snapshot!(
        "refute-proved",
        stdout(&["refute", "stepce >= ucal/8", "--max-rounds", "4"], "")
    );
}

#[test]
fn a_conjecture_that_stands() {
    let law = "stepce_sub <= stepce/2 + sqrt(T)/3 + sqrt(var)/4";
    assert_snapshot!("refute-stands", stdout(&["refute", law, "--max-rounds", "3"], ""));
}

#[test]
fn a_law_at_one_sequence() {
    let at = |law: &str| stdout(&["refute", law, "--at", "1,0", "1/2,1"], "");
    assert_snapshot!("refute-at", at("signce <= 3*stepce"));
    assert!(at("signce < 3*stepce").starts_with("FAILS: signce < 3*stepce\n"));
    assert!(at("ece <= T").starts_with("HOLDS: ece <= T\n"));
    let predictions: Vec<String> = (0..40).map(|t| format!("{t}/40")).collect();
    let at_forty = ["--at", &["1"; 40].join(","), &predictions.join(",")];
    let holds = stdout(&[&["refute", "stepce_sub == stepce/2"], &at_forty[..]].concat(), "");
    assert!(holds.starts_with("HOLDS"), "{holds}");
    assert!(complaint(&[&["refute", "ssce <= T"], &at_forty[..]].concat()).contains("too long"));
    assert!(at("m == 1 => ece <= 0").starts_with("SAYS NOTHING (its hypothesis does not hold)"));
    let value = json(&["refute", "signce <= 3*stepce", "--at", "1,0", "1/2,1", "--json"]);
    assert_eq!(value["holds"], true);
    assert_eq!((&value["left"], &value["right"]), (&"3/2".into(), &"3/2".into()));
}

#[test]
fn json_has_what_was_found() {
    let value = json(&["refute", "stepce >= 5/13*signce", "--json"]);
    assert_eq!(value["refuted"], true);
    let sequence = serde_json::json!({"outcomes": [1, 0], "predictions": ["1/2", "1"]});
    assert_eq!(value["counterexample"], sequence);
    assert_eq!((&value["left"], &value["right"]), (&"1/2".into(), &"15/26".into()));
    assert_eq!(value["searched"]["rounds"][0]["proved"], "8 goals in 2 cases");
    let value = json(&["refute", "stepce >= signce/3", "--json", "--max-rounds", "3"]);
    assert_eq!(value["refuted"], false);
    assert_eq!(value["proved"], "all T, every real p");
    assert_eq!(value["closest"]["slack"], "0");
    assert_eq!(value["closest"]["predictions"], serde_json::json!(["1/2", "1"]));
    assert_eq!(value["searched"]["stopped"], Value::Null);
    assert_eq!(value["searched"]["grid"], 12);
}

/// The conjectures that a search must overturn: the number of rounds, and the table.
#[test]
fn known_counterexamples_are_found() {
    let cases = [
        ("stepce >= ucal/7", "1,0,0", "3/8,3/8,1/2"),
        ("stepce >= 5/13*signce", "1,0", "1/2,1"),
        ("smce <= 3/2*stepce", "0,1", "1/7,5/7"),
        ("vcal <= 3*stepce", "1,0", "1/2,1"),
        ("stepce_sub <= stepce", "1,0", "1/2,1/2"),
        ("ucal == 0 => abs(bias) <= T/4", "0,1,1", "0,1/2,2/3"),
        ("ucal <= T", "1", "0"),
        ("ece <= 6*stepce", "0,1,0,1", "3/11,5/11,6/11,7/11"),
    ];
    for (text, outcomes, predictions) in cases {
        let law: Law = text.parse().expect("a law");
        let answer = refute(&law, &Budget::usual(&law), &Watch::silent());
        let found = answer.counterexample.unwrap_or_else(|| panic!("{text} is false"));
        let expected = (outcomes.to_owned(), predictions.to_owned());
        assert_eq!(found.instance.columns(), expected, "{text}");
        assert!(found.smallest, "{text}");
        assert_eq!(found.instance.judge(&law), Verdict::Fails);
    }
}

/// Against a plain search: sequences by rounds, then by denominator, then in order, each judged in
/// rationals.
#[test]
fn the_smallest_counterexample_is_the_first_of_a_plain_search() {
    let laws = [
        "stepce >= 101/800*ucal",
        "smce <= 7/4*stepce",
        "vcal < 4*stepce",
        "signce <= 11/4*stepce",
        "m == 2 => ece <= 14/5*stepce",
        "abs(bias) >= stepce - 1/7",
        "stepce_sub <= stepce/2 + sqrt(T)/6",
        "ones == 1 => ucal <= T + var",
        "squares <= var + 12/5*stepce",
        "max(stepce, smce) <= min(ece, 7/8*intervalce)",
        "sqrt(var) + sqrt(squares) <= 6/5*T",
        "T >= 2 => stepce == intervalce",
    ];
    for text in laws {
        let law: Law = text.parse().expect("a law");
        let fails = |levels: &AnyLevels| judge_at(&law, levels) == Verdict::Fails;
        let tables = (1..=3).flat_map(|rounds| {
            (1..=8).flat_map(move |denominator| grid_tables(rounds, denominator))
        });
        let plain =
            tables.map(AnyLevels::from).find(fails).map(|levels| Instance::of_levels(&levels));
        let plain = plain.unwrap_or_else(|| panic!("{text} holds"));
        let budget = Budget { max_rounds: 3, grid: 8, cases: None };
        let found = refute(&law, &budget, &Watch::silent()).counterexample.expect("one");
        if found.smallest && found.instance.outcomes.len() == plain.outcomes.len() {
            assert_eq!(found.instance, plain, "{text}");
        } else {
            // One with fewer rounds was found between the grids.
            assert!(found.instance.outcomes.len() < plain.outcomes.len(), "{text}");
        }
    }
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    for law in [
        "ece <= 6*stepce",
        "stepce*stepce >= ucal*ucal/60",
        "stepce_sub <= stepce/2 + 3/10*sqrt(T)",
    ] {
        let run = |jobs: &str| {
            stdout(
                &["refute", law, "--json", "--max-rounds", "4", "--grid", "7", "--jobs", jobs],
                "",
            )
        };
        assert_eq!(run("1"), run("3"), "{law}");
    }
    let run = |jobs: &str| stdout(&["tight", "stepce", "ece", "--json", "--jobs", jobs], "");
    assert_eq!(run("1"), run("3"));
}

#[test]
fn a_budget_in_cases_is_kept() {
    let arguments = ["refute", "ece <= 8*stepce", "--json", "--cases", "5000"];
    let value = json(&arguments);
    assert_eq!(value["searched"]["stopped"], "cases");
    assert_eq!(value["refuted"], false);
    assert_eq!(value, json(&arguments));
    let text = stdout(&["refute", "ece <= 8*stepce", "--cases", "5000"], "");
    assert!(text.contains("stopped by --cases"), "{text}");
}

#[test]
fn a_deadline_is_kept() {
    let law = "ssce <= 2*stepce_sub + T/100";
    let value = json(&["refute", law, "--json", "--max-rounds", "12", "--seconds", "1"]);
    assert_eq!(value["searched"]["stopped"], "seconds");
    assert!(value["closest"]["outcomes"].is_array());
}

/// The first Ctrl-C ends the search, and what was found is printed.
#[cfg(unix)]
#[test]
fn an_interruption_prints_what_was_found() {
    use std::process::{Command, Stdio};
    let commands: [&[&str]; 2] = [
        &["refute", "ssce <= 2*stepce_sub + T/100", "--max-rounds", "12"],
        &["tight", "stepce_sub", "ssce", "--max-rounds", "12"],
    ];
    for arguments in commands {
        let child = Command::new(env!("CARGO_BIN_EXE_truecal"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("truecal starts");
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
        assert!(sent.success(), "truecal ended before it was interrupted");
        let output = child.wait_with_output().expect("truecal ends");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains("interrupted"), "{text}");
        assert!(text.contains("x=("), "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_explained() {
    let cases: [&[&str]; 12] = [
        &["refute", "stepce >= ucl/7"],
        &["refute", "stepce >= "],
        &["refute", ""],
        &["refute", "ece/stepce <= 3"],
        &["refute", "ece <= T", "--at", "1,2", "1/2,1"],
        &["refute", "ece <= T", "--at", "1,0", "1/2,3/2"],
        &["refute", "ece <= T", "--at", "1,0", "1/2"],
        &["refute", "ece <= T", "--max-rounds", "32", "--grid", "60"],
        &["tight", "stepce <= 1", "ucal"],
        &["tight", "sqrt(T)", "ucal"],
        &["tight", "bias", "ece"],
        &["tight", "stepce", "ucal", "--given", "T == 2 => m == 1"],
    ];
    let said: Vec<_> = cases.iter().map(|arguments| complaint(arguments)).collect();
    assert_snapshot!("refute-bad-input", said.join("\n"));
}

#[test]
fn best_constants() {
    assert_snapshot!("tight-ucal", stdout(&["tight", "stepce", "ucal"], ""));
    assert_snapshot!("tight-unbounded", stdout(&["tight", "smce", "ece", "--max-rounds", "2"], ""));
    let average = ["tight", "ssce", "ucal_sub", "--max-rounds", "2"];
    assert_snapshot!("tight-not-known", stdout(&average, ""));
    let bias = ["tight", "1", "abs(bias)", "--given", "ucal == 0", "--max-rounds", "5"];
    assert_snapshot!("tight-hedging", stdout(&bias, ""));
}

/// The best constants that are known, by the number of rounds: the value, whether it is attained,
/// whether a certificate shows that there is no more.
#[test]
fn known_constants_are_found() {
    const ATTAINED: bool = true;
    const APPROACHED: bool = false;
    type Row<'a> = (&'a str, bool, bool);
    let cases: [(&str, &str, Option<&str>, &[Row<'_>]); 14] = [
        ("vcal", "ucal", None, &[("2", ATTAINED, true), ("2", ATTAINED, true)]),
        ("ucal", "vcal", None, &[("1", ATTAINED, true), ("1", ATTAINED, true)]),
        ("stepce", "signce", None, &[("1", ATTAINED, true), ("3", ATTAINED, true)]),
        ("signce", "stepce", None, &[("1", ATTAINED, true), ("1", ATTAINED, true)]),
        (
            "stepce",
            "ucal",
            None,
            &[("4", ATTAINED, true), ("6", APPROACHED, true), ("8", ATTAINED, true)],
        ),
        ("stepce", "vcal", None, &[("2", ATTAINED, true), ("4", ATTAINED, true)]),
        ("stepce_sub", "stepce", None, &[("2", ATTAINED, true), ("2", ATTAINED, true)]),
        (
            "1",
            "stepce_sub - stepce/2",
            None,
            &[("0", ATTAINED, true), ("1/4", ATTAINED, true), ("1/2", ATTAINED, false)],
        ),
        (
            "stepce",
            "smce",
            None,
            &[("1", ATTAINED, true), ("2", APPROACHED, true), ("2", ATTAINED, true)],
        ),
        ("ece", "stepce", None, &[("1", ATTAINED, true), ("1", ATTAINED, true)]),
        (
            "stepce",
            "ece",
            None,
            &[
                ("1", ATTAINED, true),
                ("3", ATTAINED, true),
                ("5", ATTAINED, true),
                ("7", APPROACHED, true),
            ],
        ),
        ("stepce", "intervalce", None, &[("1", ATTAINED, true), ("2", ATTAINED, true)]),
        ("T", "max(ucal, vcal)", None, &[("2", ATTAINED, true), ("2", ATTAINED, true)]),
        (
            "1",
            "abs(bias)",
            Some("ucal == 0"),
            &[
                ("0", ATTAINED, true),
                ("1/2", ATTAINED, true),
                ("5/6", ATTAINED, true),
                ("7/6", ATTAINED, true),
            ],
        ),
    ];
    for (less, more, given, expected) in cases {
        let (less, more) = (less.parse().expect("a side"), more.parse().expect("a side"));
        let given = given.map(|given| given.parse().expect("a comparison"));
        let budget = Budget { max_rounds: expected.len() as u32, grid: 12, cases: None };
        let found = tight(&less, &more, given.as_ref(), &budget, &Watch::silent()).expect("ratios");
        for (row, (value, attained, proved)) in found.rows.iter().zip(expected) {
            let place = format!("{more}/{less}, T = {}: {:?}", row.stage.rounds, row.supremum);
            assert_eq!(row.supremum.value(), Some(&rational(value)), "{place}");
            assert_eq!(row.stage.proved.is_some(), *proved, "{place}");
            let ratio = |instance: &Instance| -> BigRational {
                let levels = instance.levels();
                let value = |quantity| value_of(&levels, quantity);
                near_value(&more, &value).expect("a value")
                    / near_value(&less, &value).expect("a value")
            };
            match &row.supremum {
                Supremum::Attained(value, instance) => {
                    assert!(attained, "{place}");
                    assert_eq!(ratio(instance), *value, "{place}");
                }
                Supremum::Approached(value, family) => {
                    assert!(!attained, "{place}");
                    // Within a thousandth of the limit, and closer for smaller e.
                    let missing =
                        |e: &str| value - ratio(&family.at(&rational(e)).expect("small enough"));
                    let (far, near) = (missing("1/1000000"), missing("1/1000000000"));
                    assert!(
                        near > rational("0") && near < far && far < rational("1/1000"),
                        "{place}"
                    );
                }
                other => panic!("{place}: {other:?}"),
            }
        }
    }
}

#[test]
fn the_book_shows_what_is_printed() {
    let page = include_str!("../../../../docs/src/conjectures.md");
    let tight = stdout(&["tight", "stepce", "ucal"], "");
    let shown = format!("$ truecal tight stepce ucal\n{tight}```");
    assert!(page.contains(&shown), "docs/src/conjectures.md should show\n{shown}");
    let refuted = stdout(&["refute", "stepce >= ucal/7"], "");
    let parts: Vec<&str> = refuted.split("\n\n").collect();
    // The witnesses and the arithmetic between are left out.
    let head = parts[..3].join("\n\n");
    let tail = parts[parts.len() - 2..].join("\n\n");
    assert!(page.contains(&head), "docs/src/conjectures.md should show\n{head}");
    assert!(page.contains(&tail), "docs/src/conjectures.md should show\n{tail}");
}
