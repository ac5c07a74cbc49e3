//! `truecal::float` on the cases of `testdata`, their predictions rounded to doubles.

use num_rational::BigRational;
use truecal::float;
use truecal::rational::int;
use truecal::{Forecasts, Measure, nearest_f64};

use crate::golden::cases;

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
        for measure in Measure::ALL {
            let Some(found) = float::measure(measure, &outcomes, &predictions) else { continue };
            let value = levels.evaluate(measure).value;
            let bits = |value: &BigRational| nearest_f64(value).to_bits();
            assert_eq!(
                found.expect("valid").value.to_bits(),
                bits(&value),
                "{}: {measure}",
                case.name
            );
            let many = float::measure(measure, &many_outcomes, &many_predictions);
            let many = many.expect("as few rounds").expect("valid");
            let value = value * int(copies);
            assert_eq!(many.evaluation.value, value, "{}: {measure}", case.name);
            assert_eq!(many.value.to_bits(), bits(&value), "{}: {measure}", case.name);
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}
