//! Every table of a grid, and samples of what is longer: laws judged on all of them, and where they
//! come closest to failing.

mod domain;
mod exhaust;
mod extremes;
mod sample;
mod walk;

pub(crate) use domain::tables;
pub use domain::{DomainError, MAX_DENOMINATOR, MAX_ROUNDS, TableNumber};
pub use exhaust::{Tally, exhaust};
pub use extremes::{Best, Extreme, Extremes, Score, extremes, in_order};
pub use sample::Sampler;
pub use walk::is_apart;

// What only bounded proofs look into.
#[cfg(any(kani, test))]
pub(crate) use walk::restrict;
