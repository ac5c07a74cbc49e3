//! Plausible mistakes, one for each measure. A comparison that does not notice them proves nothing.
//!
//! Most are made by published software: ties taken in the order of the rows, a walk that forgets
//! where it started, suprema over the predictions only.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::tools::int;
use truecal::Measure;
use truecal::definitions::{self, Round};

/// What the mistake is, and the wrong value that it gives.
pub(super) fn mistaken(measure: Measure, rounds: &[Round]) -> (&'static str, BigRational) {
    match measure {
        Measure::Ece => ("rounds instead of levels", errors(rounds).map(|e| e.abs()).sum()),
        Measure::SmCe => ("functions of any slope", definitions::ece(rounds)),
        Measure::StepCe => {
            let largest = walk(rounds).into_iter().map(|sum| sum.abs()).max();
            ("ties in row order", largest.unwrap_or_default())
        }
        Measure::SignCe => {
            let sum_at = |alpha: &BigRational| -> BigRational {
                let signs = rounds.iter().map(|(_, p)| (alpha - p).signum());
                errors(rounds).zip(signs).map(|(error, sign)| error * sign).sum()
            };
            let largest = rounds.iter().map(|(_, p)| sum_at(p).abs()).max();
            ("thresholds at predictions only", largest.unwrap_or_default())
        }
        Measure::IntervalCe => {
            let walk = walk(rounds);
            let range = walk.iter().max().zip(walk.iter().min()).map(|(high, low)| high - low);
            ("a walk without its start", range.unwrap_or_default())
        }
        Measure::VCal => {
            let g = |alpha: &BigRational| -> [BigRational; 2] {
                let part = |side: &dyn Fn(&BigRational) -> bool| -> BigRational {
                    let within = rounds.iter().filter(|(_, p)| side(p));
                    within.map(|(x, _)| int(u8::from(*x)) - alpha).sum()
                };
                [part(&|p| p < alpha), -part(&|p| p > alpha)]
            };
            let largest = rounds.iter().flat_map(|(_, p)| g(p)).max().unwrap_or_default();
            ("values without limits", largest.max(BigRational::zero()) * int(2))
        }
        Measure::UCal => ("V-shaped rules only", definitions::v_cal(rounds)),
        Measure::Cdl => ("one swap for all predictions", definitions::u_cal(rounds) / int(2)),
        Measure::StepCeSub | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => {
            let whole = measure.subsampled_from().unwrap_or(measure);
            ("half of the measure of all rounds", whole.define(rounds) / int(2))
        }
    }
}

/// x_t - p_t
fn errors(rounds: &[Round]) -> impl Iterator<Item = BigRational> {
    rounds.iter().map(|(x, p)| int(u8::from(*x)) - p)
}

/// The sums of x_t - p_t after each round.
fn walk(rounds: &[Round]) -> Vec<BigRational> {
    let mut sum = BigRational::zero();
    errors(rounds)
        .map(|error| {
            sum += error;
            sum.clone()
        })
        .collect()
}
