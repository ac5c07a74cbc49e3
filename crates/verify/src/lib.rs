//! Claims about calibration measures, put to the test: a law is tried on every table of a grid,
//! proved by certificates, or refuted, and a registry of claims gets statuses from what was found.
//!
//! Nothing here knows the paper: its statements are rows in `truecal_paper`, made of the types of
//! [`registry`], and other rows can be run in the same way.
//!
//! ```
//! use truecal::Watch;
//! use truecal_verify::evidence::{Options, run};
//! use truecal_verify::refute::{Budget, refute};
//! use truecal_verify::registry::{Check, Claim, Extent, ROW, law};
//!
//! // signCE is between stepCE and 3 stepCE.
//! const CLAIM: Claim = Claim {
//!     id: "sign-and-step",
//!     reading: "For all sequences, stepCE <= signCE <= 3 stepCE.",
//!     checks: &[Check::Law(law("stepce <= signce")), Check::Law(law("signce <= 3*stepce"))],
//!     ..ROW
//! };
//! let options = Options { effort: Extent::Quick, max_rounds: Some(3), ..Options::default() };
//! let rows = run(&[&CLAIM], &options, &Watch::silent());
//! let status = rows[0].status().expect("all of its checks were run");
//! assert_eq!((status.word(), &*status.detail()), ("PROVED", "Coq, all T, every real p"));
//!
//! // Is 2 enough? No, and this is the smallest table that shows it.
//! let law = "signce <= 2*stepce".parse()?;
//! let found = refute(&law, &Budget::usual(&law), &Watch::silent());
//! let table = found.counterexample.expect("3 is attained").instance;
//! assert_eq!(table.to_string(), "x=(1,0) p=(1/2,1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`laws`]: what laws speak of, at a table; [`enumeration`]: all tables of a grid, and samples;
//!   [`explain`]: how a value comes about, line by line.
//! - [`prover`]: makes certificates; untrusted. [`committed`]: the certificates that are built in,
//!   and what they prove. [`kernel`]: the theorems that Coq has checked.
//! - [`refute`]: any conjecture in the language of laws, and best constants.
//! - [`registry`]: what a claim, a check, a finding and a status are; [`evidence`]: runs of checks.

pub mod committed;
pub mod coq;
pub mod enumeration;
pub mod evidence;
pub mod explain;
mod hash;
pub mod kernel;
pub mod laws;
pub mod prover;
pub mod refute;
pub mod registry;
mod scope;

pub use hash::fnv1a;

#[cfg(any(kani, test))]
#[path = "../../../proofs/verify.rs"]
mod proofs;
