//! `testdata/*.toml`: engine-independent cases with the exact value of every measure.

use std::collections::BTreeMap;
use std::path::Path;

use num_rational::BigRational;
use serde::Deserialize;
use truecal::definitions::Round;
use truecal::{AnyLevels, Forecasts, Measure, check};

/// One file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// One case: rounds, or levels, and the values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    #[expect(dead_code, reason = "for readers of the file")]
    about: String,
    outcomes: Option<Vec<u8>>,
    predictions: Option<Vec<String>>,
    levels: Option<Vec<(String, u64, u64)>>,
    values: BTreeMap<String, String>,
}

impl Case {
    pub fn levels(&self) -> AnyLevels {
        let mut forecasts = Forecasts::new();
        match (&self.outcomes, &self.predictions, &self.levels) {
            (Some(outcomes), Some(predictions), None) => {
                let outcomes = outcomes.iter().map(|&x| x == 1);
                let predictions = predictions.iter().map(String::as_str);
                forecasts = Forecasts::from_columns(outcomes, predictions).expect("valid rounds");
            }
            (None, None, Some(levels)) => {
                for (prediction, count, ones) in levels {
                    let prediction = prediction.parse().expect("a prediction");
                    forecasts.push_level(prediction, *count, *ones).expect("a level");
                }
            }
            _ => panic!("{}: either outcomes and predictions, or levels", self.name),
        }
        forecasts.levels().expect("a small table")
    }

    pub fn rounds(&self) -> Vec<Round> {
        self.levels().to_rational().to_rounds()
    }

    /// The measures that the case gives, with their values.
    pub fn values(&self) -> Vec<(Measure, BigRational)> {
        let known = Measure::ALL.iter().filter(|measure| self.values.contains_key(measure.key()));
        let values = known.map(|&m| (m, self.values[m.key()].parse().expect("a rational")));
        let values: Vec<_> = values.collect();
        assert_eq!(values.len(), self.values.len(), "{}: an unknown key", self.name);
        values
    }
}

/// All cases of all files.
pub fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("testdata")
        .map(|entry| entry.expect("entry").path())
        .collect();
    paths.sort();
    let toml = paths.iter().filter(|path| path.extension().is_some_and(|e| e == "toml"));
    toml.flat_map(|path| {
        let text = std::fs::read_to_string(path).expect("readable");
        toml::from_str::<File>(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).case
    })
    .collect()
}

#[test]
fn measures_have_the_golden_values() {
    let mut compared = 0;
    for case in cases() {
        let levels = case.levels();
        for (measure, value) in case.values() {
            let evaluation = levels.evaluate(measure);
            assert_eq!(evaluation.value, value, "{}: {measure}", case.name);
            if measure.subsampled_from().is_none() {
                let checked = check(&levels.to_rational(), &evaluation);
                assert_eq!(checked, Ok(()), "{}: {measure}", case.name);
            }
            compared += 1;
        }
    }
    assert!(compared > 1800, "only {compared} values were compared");
}

#[test]
fn definitions_have_the_golden_values() {
    let mut compared = 0;
    for case in cases() {
        let rounds = case.rounds();
        for (measure, value) in case.values() {
            // The literal definitions are exponential or worse: leave the long cases to the
            // formulas.
            let longest = if measure.subsampled_from().is_some() { 5 } else { 12 };
            if rounds.len() <= longest {
                assert_eq!(measure.define(&rounds), value, "{}: {measure}", case.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared} values were compared");
}
