//! Bounded proofs of the certificate checker.

#[macro_use]
mod symbolic;

mod rows;

#[cfg(all(kani, kani_controls))]
mod controls;

#[cfg(test)]
mod listing;
#[cfg(test)]
mod sources;

/// The package, and its files with what they are about.
#[cfg(test)]
const TOPICS: listing::Topics =
    ("truecal-check", &[("rows.rs", "Rows of certificates", rows::HARNESSES)]);
