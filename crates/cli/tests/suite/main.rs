//! The command, and the repository's own rules: one binary.

mod bad_input;
mod certify;
mod command;
mod counterexamples;
mod documents;
mod forecast;
mod formats;
mod gap;
#[cfg(unix)]
mod kani;
mod modules;
mod opt;
#[cfg(unix)]
mod proofs_run;
mod refute;
mod registry;
mod schema;
mod stream;
mod tidy;
mod verify;

use num_rational::BigRational;

/// A rational from text.
fn rational(text: &str) -> BigRational {
    text.parse().expect("a rational")
}
