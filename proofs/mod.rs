//! Bounded proofs of the code that really runs: the generic formulas, at a small width.
//!
//! Each proof is a *body*, a function of one case that asserts the claim. Under `cargo kani` the body gets a
//! symbolic case, so that one run covers the whole domain; under `cargo test` it gets every case of a smaller
//! one. A body returns whether the case is *tight*, and each claim has a twin with its constant moved by one,
//! which must fail.

mod prefix;
