//! `truecal::float` on the cases of `testdata`, their predictions rounded to doubles.

use num_rational::BigRational;
use truecal::float::{self, Rounded, nearest_f64};
use truecal::rational::int;
use truecal::{Forecasts, ForecastsError, Measure};

use crate::golden::cases;

type Function = fn(&[bool], &[f64]) -> Result<Rounded, ForecastsError>;

const FUNCTIONS: [(Measure, Function); 7] = [
    (Measure::Ece, float::ece),
    (Measure::SmCe, float::sm_ce),
    (Measure::StepCe, float::step_ce),
    (Measure::SignCe, float::sign_ce),
    (Measure::IntervalCe, float::interval_ce),
    (Measure::VCal, float::v_cal),
    (Measure::UCal, float::u_cal),
];

/// Few rounds are sorted; the same rounds many times over go by buckets, and every value is so many
/// times as large.
#[test]
fn the_bits_are_those_of_rationals() {
    let mut compared = 0;
    for case in cases() {
        let rounds = case.rounds();
        if rounds.is_empty() || rounds.len() > 200 {
            continue; // levels of thousands of rounds are not for a list of rounds
        }
        let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
            rounds.iter().map(|(x, p)| (*x, nearest_f64(p))).unzip();
        let copies = (1_usize << 17).div_ceil(rounds.len());
        let (many_outcomes, many_predictions) =
            (outcomes.repeat(copies), predictions.repeat(copies));
        let exact = predictions.iter().map(|p| BigRational::from_float(*p).expect("finite"));
        let forecasts = Forecasts::from_columns(outcomes.iter().copied(), exact).expect("valid");
        let levels = forecasts.levels().expect("small");
        for (measure, function) in FUNCTIONS {
            let value = levels.evaluate(measure).value;
            let bits = |value: &BigRational| nearest_f64(value).to_bits();
            let found = function(&outcomes, &predictions).expect("valid");
            assert_eq!(found.value.to_bits(), bits(&value), "{}: {measure}", case.name);
            let many = function(&many_outcomes, &many_predictions).expect("valid");
            let value = value * int(copies);
            assert_eq!(many.evaluation.value, value, "{}: {measure}", case.name);
            assert_eq!(many.value.to_bits(), bits(&value), "{}: {measure}", case.name);
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}
