//! `truecal gap` and `truecal properties`: what honesty costs.

use std::fs;

use serde_json::Value;
use truecal::Measure;
use truecal_lab::constructions::{ALL, Construction};
use truecal_lab::{Effort, Penalty};
use truecal_paper::claims;

use crate::command::{assert_snapshot, complaint, stdout};
use crate::rational;

#[test]
fn the_list_and_a_table() {
    assert_snapshot!("gap-list", stdout(&["gap", "--list"], ""));
    assert_eq!(stdout(&["gap"], ""), stdout(&["gap", "--list"], ""));
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

/// What the theory says, with its constants.
#[test]
fn bounds_are_reviewed() {
    let mut text = String::new();
    for construction in ALL {
        for measure in Measure::ALL {
            for rounds in [1, 20, 100].into_iter().filter(|t| construction.check(*t).is_ok()) {
                let bounds = (construction.theory)(rounds, measure);
                let [one, other] = bounds.map(|bound| match bound {
                    None => "-".to_owned(),
                    Some(bound) => format!("{} {:.8}", bound.side.symbol(), bound.value),
                });
                if one != "-" || other != "-" {
                    let name = construction.name;
                    text += &format!("{name} {measure}, T = {rounds}: {one}; {other}\n");
                }
            }
        }
    }
    assert_snapshot!("gap-theory", text);
}

/// Zeros have a place in the picture, too.
#[test]
fn a_picture_of_nothing_shows_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("gap.svg");
    let path = file.to_str().expect("text");
    stdout(&["gap", "hidden-bias", "--rounds", "8,20", "--plot", path], "");
    let picture = fs::read_to_string(&file).expect("the picture");
    // Two points of each forecaster, and one in the legend.
    assert_eq!(picture.matches("<circle ").count(), 3, "{picture}");
    assert_eq!(picture.matches("<rect x=").count(), 3, "{picture}");
}

/// Two equal draws have no standard error, and prove nothing.
#[test]
fn few_runs_contradict_nothing() {
    for construction in ["hedging", "patch-up", "distinct"] {
        let few = stdout(&["gap", construction, "--runs", "2", "--steps", "0"], "");
        assert!(few.contains("; too few"), "{few}");
    }
}

#[test]
fn misuse_is_explained() {
    let mut messages = String::new();
    for arguments in [
        &["gap", "--rounds", "8"][..],
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
        &["gap", "--nature", "1/2"],
        &["gap", "--nature", "", "--forecaster", "truthful"],
        &["gap", "--nature", "1/2,3/2", "--forecaster", "truthful"],
        &["gap", "--nature", "1/2; 1/4,1/2,3/4", "--forecaster", "truthful"],
        &["gap", "--nature", "hedgin:4", "--forecaster", "truthful"],
        &["gap", "--nature", "hedging:5", "--forecaster", "truthful"],
        &["gap", "--nature", "no-such-file.toml", "--forecaster", "truthful"],
        &["gap", "--nature", "fair:4", "--forecaster", "truthfull"],
        &["gap", "--nature", "fair:30", "--forecaster", "grid-optimal:12"],
        &["gap", "hedging", "--forecaster", "truthful"],
        &["properties", "--measure", "ucl"],
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
        construction
            .compare(rounds, measure, &Effort::default(), &truecal::Watch::silent())
            .penalties
            .map(|penalty| match penalty {
                Penalty::Exact(value) => value,
                other => panic!("{name} at T = {rounds}: {other:?}"),
            })
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

/// The exact penalties of every construction, for a few rounds.
#[test]
fn exact_penalties_are_reviewed() {
    let mut text = String::new();
    for construction in ALL {
        text += &format!(
            "{}: {} and {}\n",
            construction.name, construction.contestants[0], construction.contestants[1]
        );
        let few = construction.rounds.iter().filter(|rounds| **rounds <= 20).take(2);
        for (rounds, measure) in
            few.flat_map(|t| construction.measures.iter().map(move |m| (*t, *m)))
        {
            // What is not exact after so many steps is not for several times as many.
            let effort = Effort { runs: 2, steps: 1 << 18, ..Effort::default() };
            let duel = construction.compare(rounds, measure, &effort, &truecal::Watch::silent());
            let shown =
                duel.penalties.map(|penalty| match penalty.exact().map(ToString::to_string) {
                    Some(fraction) if fraction.len() <= 40 => fraction,
                    Some(fraction) => {
                        format!("{}… ({} characters)", &fraction[..30], fraction.len())
                    }
                    None => "sampled".to_owned(),
                });
            text += &format!("  T = {rounds}, {measure}: {} and {}\n", shown[0], shown[1]);
        }
    }
    assert_snapshot!("gap-exact", text);
}

#[test]
fn forecasters_meet_on_any_nature() {
    let arguments = [
        "gap",
        "--nature",
        "1/4,1/2,3/4",
        "--forecaster",
        "truthful,constant:1/2,rounded:2,grid-optimal:12,hedge:3",
        "--measure",
        "stepce,stepce_sub,ucal",
    ];
    assert_snapshot!("gap-contest", stdout(&arguments, ""));
    let json = stdout(&[&arguments[..], &["--json"]].concat(), "");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["penalties"]["stepce"]["constant:1/2"]["exact"], "11/16");
    let csv = stdout(&[&arguments[..], &["--csv"]].concat(), "");
    assert!(csv.contains("\nstepce,constant:1/2,0.6875,0,11/16\n"), "{csv}");
}

#[test]
fn natures_come_from_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("a file");
        file.to_str().expect("text").to_owned()
    };
    let tree = path("tree.toml", "[after]\n'' = '1/2'\n'0' = '1/4'\n'1' = '3/4'\n");
    let from_file = stdout(&["opt", "--nature", &tree], "");
    assert_eq!(from_file, stdout(&["opt", "--nature", "1/2; 1/4,3/4"], ""));
    let smooth = path("smooth.toml", "[[block]]\nrounds = 3\nuniform = ['0', '1']\n");
    let contest = [
        "gap",
        "--nature",
        &smooth,
        "--forecaster",
        "truthful,rounded:1",
        "--runs",
        "10",
        "--json",
    ];
    let json: Value = serde_json::from_str(&stdout(&contest, "")).expect("JSON");
    assert_eq!(json["penalties"]["ucal"]["truthful"]["method"], "sampled");
    assert_eq!(json["penalties"]["ucal"]["rounded:1"]["method"], "exact");
    assert_eq!(json["penalties"]["stepce"]["truthful"]["exact"], "951768823/1360800000");
    let bad = path("bad.toml", "probabilities = [\n  '1/2',\n  '3/2',\n]\n");
    let message = complaint(&["opt", "--nature", &bad]);
    assert!(message.contains("bad.toml: line 3: \"3/2\": greater than 1"), "{message}");
    let message = complaint(&["opt", "--nature", &smooth, "--grid", "4"]);
    assert!(message.contains("p* has a density"), "{message}");
}

#[test]
fn long_natures_have_bounds() {
    assert_snapshot!(
        "opt-long",
        stdout(&["opt", "--nature", "fair:40", "--measure", "stepce_sub,stepce"], "")
    );
    let json = stdout(&["opt", "--nature", "fair:40", "--json"], "");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let low = json["opt_at_least"]["stepce_sub"].as_f64().expect("a bound");
    let truth = json["penalties"]["stepce_sub"]["truthful"]["value"].as_f64().expect("a value");
    assert!(0.7 < low && low < truth && truth < 2.0, "{low} {truth}");
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
