//! What honesty costs: the expected measure of any forecaster on any nature, exactly.
//!
//! A measure is truthful if predicting the true probabilities is as good as anything else. Here
//! that can be computed: penalties are rationals or rigorous enclosures where that is affordable,
//! otherwise means of random runs with their standard error, and they say which.
//!
//! ```
//! use truecal::Measure;
//! use truecal_lab::penalty::{Effort, penalty};
//! use truecal_lab::{Truthful, forecasters, natures};
//!
//! // Two rounds with probability 1/5, then two with 4/5. One forecaster says so; the other says
//! // 2/5, then 3/5.
//! let nature = natures::hedging(4);
//! let hedging = forecasters::named("hedging", &nature, Measure::VCal)?;
//! let effort = Effort::default();
//!
//! // By VCal the lie is better than the truth.
//! let honest = penalty(&nature, &Truthful, Measure::VCal, &effort)?;
//! let strategic = penalty(&nature, &*hedging, Measure::VCal, &effort)?;
//! assert_eq!(honest.exact(), Some(&"2704/3125".parse()?));
//! assert_eq!(strategic.exact(), Some(&"476/625".parse()?));
//!
//! // By stepCE, averaged over all subsets of the rounds, it is not.
//! let honest = penalty(&nature, &Truthful, Measure::StepCeSub, &effort)?;
//! let strategic = penalty(&nature, &*hedging, Measure::StepCeSub, &effort)?;
//! assert!(honest.exact() < strategic.exact());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Nature`] decides how outcomes come about, round by round; a [`Forecaster`] what is
//! predicted, given the outcomes so far and the probability p* of the next event. Both are state
//! machines: what they remember decides what they do next, and the expected measure is computed by
//! a dynamic programme over states. Implement the traits for your own.
//!
//! - [`natures`] and [`forecasters`]: those of the paper, by name.
//! - [`mod@penalty`]: what a forecaster pays on average.
//! - [`constructions`]: a nature with an honest and a strategic forecaster, and what the theory
//!   says of both.
//! - [`optimum`]: the best forecaster of a nature, over all real predictions, with a certificate.
//! - [`hedge`]: the paper's forecaster, which keeps stepCE low whatever happens.
//! - [`enclosure`]: rigorous bounds of roots, exponentials and the like.
//! - [`programme`]: linear programmes, for this and other searches.

mod chance;
pub mod constructions;
pub mod enclosure;
mod forecaster;
pub mod forecasters;
pub mod hedge;
mod names;
mod nature;
pub mod natures;
pub mod optimum;
pub mod penalty;
pub mod programme;

pub use chance::{Chance, ChanceError, Piece, Spread};
pub use forecaster::{Constant, Forecaster, PatchUp, RoundedTruth, Rule, Scheduled, Truthful};
pub use names::UnknownName;
pub use nature::{Adaptive, Blocks, Memory, Nature, Outcomes};
pub use penalty::{Effort, Penalty, PenaltyError};
