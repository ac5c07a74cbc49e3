//! Which measures can a forecaster game?

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
