//! U-calibration is not truthful (L492-956): by its jumps, by hedging, and by hedging under noise.
//!
//! The rows are in `discontinuity`, `hedging` and `smoothed`, in the order of the paper; the other
//! files check them.

mod binomial;
mod conditions;
mod constant;
mod deviation;
mod discontinuity;
mod halves;
mod hedge;
mod hedging;
mod moments;
mod noise;
mod search;
mod smoothed;

use super::{Claim, ROW, sections};

/// The rows, in the order of the paper.
pub(super) const CLAIMS: [&[Claim]; 3] = [discontinuity::CLAIMS, hedging::CLAIMS, smoothed::CLAIMS];

/// A row of this section to start from.
const UCAL: Claim = Claim { section: sections::U_CALIBRATION, ..ROW };
