//! Which measures can a forecaster game?
//!
//! A [`Nature`] decides how outcomes come about, round by round; a [`Forecaster`] what is predicted, given the outcomes so far and the probability p* of the
//! next event. Both are state machines: what they remember decides what they do next. What a forecaster pays is the expected measure of its forecasts
//! ([`penalty`](mod@penalty)): exactly, by following all courses of events, those together that are remembered alike; or from random courses, with a standard error.
//!
//! - [`natures`] and [`forecasters`]: those of the paper, by name; and natures from files.
//! - [`constructions`]: a nature with an honest and a strategic forecaster, and what the theory says of both.
//! - [`optimum`]: the best forecaster of a nature, over all real predictions, with a certificate.
//! - [`properties`]: which measures are complete, sound, decision-theoretic and truthful.
//! - [`hedge`]: the paper's forecaster, which keeps stepCE low whatever happens.

mod chance;
pub mod constructions;
mod forecaster;
pub mod forecasters;
pub mod hedge;
mod nature;
pub mod natures;
pub mod optimum;
pub mod penalty;
pub mod properties;

pub use chance::{Chance, ChanceError, Piece, Spread};
pub use forecaster::{Constant, Forecaster, PatchUp, Rounded, Rule, Scheduled, Truthful};
pub use nature::{Adaptive, Blocks, Memory, Nature, Outcomes};
pub use natures::{NatureFile, NatureFileError};
pub use penalty::{Effort, Penalty, PenaltyError};
