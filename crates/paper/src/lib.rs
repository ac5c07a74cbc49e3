//! Every statement of the paper as a row of a registry, with evidence that can be computed again.
//!
//! A row says how a statement is read, not whether it is true: its status follows from what its
//! checks find. `PROVED` rests on certificates that `truecal_check` accepts, `EXHAUSTED` on every
//! table of a grid, `SAMPLED` on some; `REFUTED` comes with a counterexample and its arithmetic.
//!
//! ```
//! use truecal::Watch;
//! use truecal_paper::evidence::{Options, run};
//! use truecal_paper::refute::{Budget, refute};
//! use truecal_paper::registry::Extent;
//!
//! // signCE is between stepCE and 3 stepCE.
//! let claim = truecal_paper::claims::find("fact:equivfactor").expect("a statement of the paper");
//! let options = Options { effort: Extent::Quick, max_rounds: Some(3), ..Options::default() };
//! let rows = run(&[claim], &options, &Watch::silent());
//! let status = rows[0].status().expect("all of its checks were run");
//! assert_eq!((status.word(), status.detail()), ("PROVED", "all T, every real p"));
//!
//! // Is 2 enough? No, and this is the smallest table that shows it.
//! let law = "signce <= 2*stepce".parse()?;
//! let found = refute(&law, &Budget::usual(&law), &Watch::silent());
//! let table = found.counterexample.expect("3 is attained").instance;
//! assert_eq!(table.to_string(), "x=(1,0) p=(1/2,1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`registry`]: what a claim, a check, a finding and a status are; [`claims`]: the rows, by
//!   sections of the paper.
//! - [`evidence`]: runs of these checks.
//! - [`enumeration`]: all tables of a grid, and samples; [`laws`]: what laws speak of, at a table;
//!   [`explain`]: how a value comes about, line by line.
//! - [`committed`]: the certificates that are built in, and what they prove.
//! - [`prover`]: makes certificates; untrusted.
//! - [`aggregation`]: what links certificates for every T with the measures, checked on tables.
//! - [`refute`]: any conjecture in the language of laws, and best constants.
//! - [`properties`]: which measure is complete, sound, truthful: the paper's table, computed.

pub mod aggregation;
pub mod claims;
pub mod committed;
pub mod enumeration;
pub mod evidence;
pub mod explain;
pub mod laws;
pub mod properties;
pub mod prover;
pub mod refute;
pub mod registry;

#[cfg(any(kani, test))]
#[path = "../../../proofs/paper.rs"]
mod proofs;
