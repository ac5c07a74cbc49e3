//! Bounded proofs of the enumeration.

#[macro_use]
mod symbolic;

mod classes;

#[cfg(test)]
mod listing;
#[cfg(test)]
mod sources;

/// The package, and its files with what they are about.
#[cfg(test)]
const TOPICS: listing::Topics =
    ("truecal-verify", &[("classes.rs", "Classes of subsets", classes::HARNESSES)]);
