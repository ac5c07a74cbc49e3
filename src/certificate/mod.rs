//! Certificates: claims for every real prediction, proved by a prover that need not be believed and a checker that is short.
//!
//! A law such as `signce <= 3*stepce` is true or false of all tables with T rounds, whatever real numbers were predicted.
//! There are finitely many *order patterns* (how many rounds and ones each level has), and within one of them every measure
//! is a maximum, or a sum of maxima, of polynomials in the predictions ([`statement`]); UCal and smCE are bounded by lines and
//! flows. So the law becomes goals: polynomials that must be >= 0 wherever some facts are, such as v_1 <= v_2 or
//! stepCE >= B_1. A certificate writes each goal as a sum of products of facts with multipliers >= 0. The [`prover`] finds
//! them by an exact simplex method; the [`checker`] goes through all patterns itself and compares polynomials.
//!
//! Claims for every T are reduced by an argument to finitely many such cases ([`aggregated`]).
//!
//! ```
//! use truecal::certificate::{checker, prover};
//! let law = "signce <= 3*stepce".parse()?;
//! let certificate = prover::prove(&law, 3, &|_| ()).expect("it is true");
//! let accepted = checker::check(&law, 3, certificate.as_bytes())?;
//! assert_eq!(accepted.cases, 24);
//!
//! // A little more is false, and the prover says where.
//! let law = "signce <= 299/100*stepce".parse()?;
//! let Err(prover::Failure::Refuted(found)) = prover::prove(&law, 2, &|_| ()) else { panic!() };
//! assert!(found.refutes(&law));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod aggregated;
pub mod checker;
mod committed;
mod files;
pub mod prover;
mod rejection;
pub mod statement;

pub use committed::{COMMITTED_ROUNDS, Committed, committed, proof_of_claim, proof_of_law};
pub use files::{Subject, slug};
