//! The command, and the repository's own rules: one binary.

mod bad_input;
mod buckets;
mod cells;
mod certify;
mod command;
mod counterexamples;
mod documents;
mod forecast;
mod formats;
mod gap;
#[cfg(unix)]
mod kani;
mod measuring;
mod modules;
mod opt;
#[cfg(unix)]
mod proofs_run;
mod recalibrate;
mod refute;
mod registry;
mod schema;
mod several;
mod sources;
mod stream;
mod tidy;
mod verdict;
mod verify;
mod weights;

use num_rational::BigRational;

/// A rational from text.
fn rational(text: &str) -> BigRational {
    text.parse().expect("a rational")
}
