//! The integration tests, one binary.

mod bad_input;
mod certificate_tampering;
mod certificates;
mod certify;
mod command;
mod doubles;
mod forecast;
mod formats;
mod gap;
mod golden;
#[cfg(unix)]
mod kani;
mod laws_proptest;
mod laws_quickcheck;
mod opt;
mod refute;
mod registry;
mod stream;
mod tampering;
mod tidy;
mod universal;
mod verify;
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
