//! Bounded proofs of the code that really runs: the generic formulas at a small width, the
//! bit-level code for all inputs.
//!
//! A *harness* is a body that asserts a claim about symbolic input, with what it shows, its domain
//! and the claims of the registry that it supports. Under `cargo kani` one run covers the whole
//! domain. Under `cargo test` the same body runs on every case of the domain, or on a dense sample
//! of a large one (see [`symbolic`]). Each harness covers its tight case, and has a twin with a
//! seeded fault, which must fail.
//!
//! `README.md` here lists them all; it and `harnesses.tsv` are made from the harnesses (see
//! `listing.rs`). These are the proofs of the library of measures; those of the certificate checker
//! are in `check.rs`, those of the enumeration in `verify.rs`.

#[macro_use]
mod symbolic;

mod doubles;
mod every_t;
mod numbering;
mod prefix;
mod regret;
mod subsets;
mod sums;
mod tables;

#[cfg(test)]
mod listing;
#[cfg(not(kani))]
mod results;
#[cfg(test)]
mod sources;

/// The package, and its files with what they are about.
#[cfg(test)]
const TOPICS: listing::Topics = (
    "truecal",
    &[
        ("prefix.rs", "Prefix sums", prefix::HARNESSES),
        ("regret.rs", "Regret, VCal and UCal", regret::HARNESSES),
        ("subsets.rs", "Subsets of the rounds", subsets::HARNESSES),
        ("every_t.rs", "Every T: steps", every_t::HARNESSES),
        ("sums.rs", "Every T: sums", sums::HARNESSES),
        ("numbering.rs", "Tables, widths and numbers", numbering::HARNESSES),
        ("doubles.rs", "Bits of doubles", doubles::HARNESSES),
    ],
);
