//! `truecal gap` and `truecal properties`: what honesty costs.

use std::fs;

use serde_json::Value;
use truecal::truthfulness::constructions::{ALL, Construction};
use truecal::truthfulness::{Effort, Penalty};
use truecal::{Measure, claims};

use crate::command::{assert_snapshot, complaint, stdout};
use crate::rational;

#[test]
fn the_list_and_a_table() {
    assert_snapshot!("gap-list", stdout(&["gap", "--list"], ""));
    assert_snapshot!("gap-table", stdout(&["gap", "hedging", "--rounds", "40,10,20,20"], ""));
}

#[test]
fn for_programs_and_spreadsheets() {
    let arguments = ["gap", "patch-up", "--rounds", "4,8,1e1", "--measure", "ucal,stepce"];
    let json = stdout(&[&arguments[..], &["--json"]].concat(), "");
    assert_snapshot!("gap-json", json);
    assert_snapshot!("gap-csv", stdout(&[&arguments[..], &["--csv"]].concat(), ""));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    // 2 E|X - 1| for two coins.
    assert_eq!(json["duels"][0]["penalties"][0]["exact"], "1");
}

#[test]
fn samples_say_so_and_do_not_depend_on_threads() {
    let arguments = ["gap", "smoothed-hedging", "--rounds", "8,64", "--runs", "50", "--seed", "3"];
    let on = |jobs: &str| stdout(&[&arguments[..], &["--jobs", jobs]].concat(), "");
    let one = on("1");
    assert_snapshot!("gap-sampled", one);
    assert_eq!(one, on("3"));
    let sampled = stdout(&["gap", "hedging", "--rounds", "10", "--steps", "0", "--json"], "");
    let json: Value = serde_json::from_str(&sampled).expect("JSON");
    assert_eq!(json["duels"][0]["penalties"][1]["method"], "sampled");
}

#[test]
fn a_picture_is_written_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("gap.svg");
    let path = file.to_str().expect("text");
    stdout(&["gap", "hedging", "--rounds", "10,20,40", "--plot", path], "");
    let picture = fs::read_to_string(&file).expect("the picture");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    for name in ["truthful", "hedging", "expected VCal"] {
        assert!(picture.contains(name), "{name}");
    }
    fs::remove_file(&file).expect("the picture");
    complaint(&["gap", "hedging", "--rounds", "3", "--plot", path]);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn misuse_is_explained() {
    let mut messages = String::new();
    for arguments in [
        &["gap"][..],
        &["gap", "hedgin"],
        &["gap", "xyzzy"],
        &["gap", "hedging", "--rounds", "3"],
        &["gap", "hedging", "--rounds", "0"],
        &["gap", "hedging", "--rounds", "1e9"],
        &["gap", "hedging", "--rounds", "many"],
        &["gap", "hedging", "--rounds", "1e99"],
        &["gap", "hedging", "--measure", "stepc"],
        &["gap", "hedging", "--runs", "1"],
        &["gap", "hedging", "--json", "--csv"],
        &["gap", "hedging", "--plot", "/"],
    ] {
        messages += &format!("{}\n{}\n", arguments.join(" "), complaint(arguments).trim_end());
    }
    assert_snapshot!("gap-misuse", messages);
}

#[test]
fn what_the_measures_are() {
    assert_snapshot!("properties", stdout(&["properties"], ""));
    let json = stdout(&["properties", "--measure", "stepce_sub", "--json"], "");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let measure = &json["measures"]["stepce_sub"];
    assert_eq!(measure["truthful_on_products"]["holds"], true);
    assert_eq!(measure["truthful"]["holds"], false);
    assert_eq!(measure["decision_theoretic"]["number"], "1/8");
}

/// Figures of the catalogue, computed outside the project.
#[test]
fn figures_of_the_catalogue() {
    let exact = |name: &str, rounds: u64, measure: Measure| {
        let construction = Construction::named(name).expect("a construction");
        construction.compare(rounds, measure, &Effort::default(), &|_| ()).penalties.map(
            |penalty| match penalty {
                Penalty::Exact(value) => value,
                other => panic!("{name} at T = {rounds}: {other:?}"),
            },
        )
    };
    assert_eq!(exact("hedging", 2, Measure::VCal), ["72/125", "14/25"].map(rational));
    assert_eq!(exact("hedging", 2, Measure::UCal), ["112/125", "124/125"].map(rational));
    let rounded = |name, rounds, measure| {
        exact(name, rounds, measure).map(|value| {
            let scaled = value * rational("10000");
            scaled.round().to_integer().to_string()
        })
    };
    assert_eq!(rounded("hedging", 40, Measure::VCal), ["24247", "2484"]);
    assert_eq!(rounded("hedging", 40, Measure::UCal), ["32349", "4182"]);
    // n0 (H_T - H_n0)
    assert_eq!(exact("hidden-bias", 4, Measure::StepCe)[1], rational("7/6"));
    assert_eq!(exact("hidden-bias", 3, Measure::StepCe)[1], rational("5/6"));
}

#[test]
fn constructions_name_rows_of_the_registry() {
    for construction in ALL {
        for id in construction.claims {
            assert!(claims::find(id).is_some(), "{}: no claim {id}", construction.name);
        }
        for rounds in construction.rounds {
            assert_eq!(construction.check(*rounds), Ok(()), "{}", construction.name);
        }
    }
}
