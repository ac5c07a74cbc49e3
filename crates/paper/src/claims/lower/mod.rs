//! The lower bound for smoothed natures (L1170-1274).

mod construction;
mod epoch;
mod instance;
mod rows;
mod strategic;
mod truthful;

pub(super) use epoch::CLAIMS as EPOCH;
pub(super) use instance::Instance;
pub(super) use rows::CLAIMS;
