//! Every statement of the paper as a row of a registry, with evidence that can be computed again.
//!
//! A row says how a statement is read, not whether it is true: its status follows from what its
//! checks find. `PROVED` rests on theorems that Coq has checked, on certificates that
//! `truecal_check` accepts, or on finitely many cases and an argument; `CONDITIONAL` on something
//! that is not proved besides, `EXHAUSTED` on every table of a grid, `SAMPLED` on some; `REFUTED`
//! comes with a counterexample and its arithmetic.
//! How rows are run is the business of `truecal_verify`.
//!
//! ```
//! use truecal::Watch;
//! use truecal_verify::evidence::{Options, run};
//! use truecal_verify::registry::Extent;
//!
//! // signCE is between stepCE and 3 stepCE.
//! let claim = truecal_paper::claims::find("fact:equivfactor").expect("a statement of the paper");
//! let options = Options { effort: Extent::Quick, max_rounds: Some(3), ..Options::default() };
//! let claims = truecal_paper::claims::with_foundations(&[claim]);
//! let rows = run(&claims, &options, &Watch::silent());
//! let row = rows.iter().find(|row| row.claim.id == claim.id).expect("it was run");
//! let status = row.status().expect("all of its checks were run");
//! assert_eq!((status.word(), &*status.detail()), ("PROVED", "Coq, all T, every real p"));
//! ```
//!
//! - [`claims`]: the rows, by sections of the paper.
//! - [`properties`]: which measure is complete, sound, truthful: the paper's table, computed.

pub mod claims;
pub mod properties;
