//! Linear programmes for untrusted searches, in exact arithmetic.
//!
//! One simplex method serves two questions: what a [`Programme`] of inequalities has as its
//! maximum, and how to [`combine`] vectors with multipliers >= 0. It runs in machine words, first
//! of 64 and then of 128 bits; where a number does not fit these, maxima are found in integers of
//! any size. What it finds is checked elsewhere: the multipliers as part of a certificate, the
//! points by evaluating what they are for. (The literal definitions have a solver of their own,
//! which checks itself.)

mod combination;
mod dictionary;
mod inequalities;
mod word;

pub use combination::{Combined, Sparse, combine};
pub use dictionary::PivotRule;
pub use inequalities::{Programme, Solution};
pub use word::Coefficient;

#[cfg(test)]
mod tests;
