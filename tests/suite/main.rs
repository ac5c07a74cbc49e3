//! The library of measures, one binary.

mod doubles;
mod golden;
mod laws_proptest;
mod laws_quickcheck;
mod smooth;
mod tampering;
mod widths;

use num_rational::BigRational;
use truecal::{AnyLevels, Forecasts};

/// A rational from text.
fn rational(text: &str) -> BigRational {
    text.parse().expect("a rational")
}

/// The level table of a few rounds.
fn levels(rounds: &[(bool, &str)]) -> AnyLevels {
    Forecasts::from_pairs(rounds.iter().copied()).expect("valid").levels().expect("small")
}
