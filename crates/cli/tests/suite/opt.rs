//! `truecal opt`, as people run it, and the library behind it.

use num_rational::BigRational;
use serde_json::Value;
use truecal::Measure;
use truecal::Watch;
use truecal_lab::optimum::{
    GRID_BUDGET, OutcomeTree, TreeForecaster, check, exact, on_grid, variance_bound,
};

use crate::command::{assert_snapshot, complaint, stdout};
use crate::rational;

fn opt(arguments: &[&str]) -> String {
    stdout(&[&["opt"], arguments].concat(), "")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&opt(&[arguments, &["--json"]].concat())).expect("JSON")
}

#[test]
fn one_round() {
    assert_snapshot!("opt-one-round", opt(&["--nature", "1/4"]));
}

#[test]
fn two_rounds() {
    let measures = "stepce,stepce_sub,ucal";
    assert_snapshot!("opt-two-rounds", opt(&["--nature", "1/4,1/2", "--measure", measures]));
}

#[test]
fn three_rounds() {
    let arguments = ["--nature", "1/2,0,1", "--measure", "stepce,stepce_sub"];
    assert_snapshot!("opt-three-rounds", opt(&arguments));
}

#[test]
fn a_nature_that_remembers() {
    assert_snapshot!("opt-adaptive", opt(&["--nature", "1/2; 1/4, 3/4; 1/3"]));
}

#[test]
fn more_rounds_by_a_grid_or_by_bounds() {
    let grid = opt(&["--nature", "1/4,1/2,1/3,1/5", "--grid", "4"]);
    assert_snapshot!("opt-grid", grid);
    let bounds = opt(&["--nature", "1/2,1/3,1/4,1/5,1/6,1/7", "--measure", "stepce_sub,ece"]);
    assert_snapshot!("opt-bounds", bounds);
}

#[test]
fn the_json() {
    assert_snapshot!("opt-json", opt(&["--nature", "1/4,1/2", "--json"]));
    let value = json(&["--nature", "1/2,0,1", "--measure", "stepce,ucal", "--grid", "2"]);
    let step = &value["measures"]["stepce"];
    assert_eq!((&step["method"], &step["upper"]), (&"grid".into(), &"0".into()));
    assert_eq!((&step["truth"], &step["ratio_at_least"]), (&"1/2".into(), &Value::Null));
    assert_eq!(value["measures"]["ucal"]["grid"], 2);
    let value = json(&["--nature", "1/2,1/2,1/2,1/2,1/2,1/2"]);
    let bounds = &value["measures"]["stepce_sub"];
    assert_eq!((&bounds["method"], &bounds["lower"]), (&"bounds".into(), &"0.206800380…".into()));
}

/// What the command says is what the library finds.
#[test]
fn the_command_is_the_library() {
    let p: Vec<BigRational> = ["1/6", "5/12", "2/3"].map(rational).to_vec();
    let nature = OutcomeTree::product(&p).expect("probabilities");
    let value = json(&["--nature", "1/6,5/12,2/3", "--measure", "vcal,stepce_sub"]);
    for measure in [Measure::VCal, Measure::StepCeSub] {
        let optimum = exact(&nature, measure, &Watch::silent()).expect("three rounds");
        assert_eq!(check(&nature, measure, &optimum), Ok(()));
        let entry = &value["measures"][measure.key()];
        assert_eq!(entry["optimum"], optimum.value.to_string());
        let truth = nature.penalty(&TreeForecaster::truthful(&nature), measure);
        assert_eq!(entry["ratio"], (&truth / &optimum.value).to_string());
        let grid = on_grid(&nature, measure, 6, GRID_BUDGET).expect("cheap");
        assert!(optimum.value <= grid.value && grid.value <= truth);
    }
    let bound = variance_bound(&nature.variance());
    assert!(bound.high() < rational("115/288"));
}

#[test]
fn bad_natures_and_measures_are_refused() {
    let cases: [(&str, &[&str]); 11] = [
        ("empty", &["--nature", ""]),
        ("an empty cell", &["--nature", "1/4,,1/2"]),
        ("above one", &["--nature", "1/4,3/2"]),
        ("below zero", &["--nature", "-1/4"]),
        ("a word", &["--nature", "half"]),
        ("thirteen rounds on a grid", &["--nature", "1,1,1,1,1,1,1,1,1,1,1,1,1", "--grid", "2"]),
        ("rounds that remember", &["--nature", "1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1"]),
        ("not one after each past", &["--nature", "1/2;1/4,1/2,3/4"]),
        ("a grid that is too fine", &["--nature", "1/2,1/2,1/2,1/2,1/2,1/2", "--grid", "20"]),
        ("a measure that is not one", &["--nature", "1/2", "--measure", "stepce_sup"]),
        ("a grid of none", &["--nature", "1/2", "--grid", "0"]),
    ];
    let mut messages = String::new();
    for (name, arguments) in cases {
        let message = complaint(&[&["opt"], arguments].concat());
        messages.push_str(&format!("{name}\n  {message}"));
    }
    assert_snapshot!("opt-bad-input", messages);
    let long = format!("1/{}", "7".repeat(400));
    assert!(complaint(&["opt", "--nature", &long]).contains("more than 256 bits"));
    assert!(complaint(&["opt"]).contains("--nature"));
}
