//! What the truthfulness lab computes, beyond the statements of the paper.

mod hedge;
mod optimum;

use super::{Claim, ROW, Section};

/// The rows.
pub(super) const CLAIMS: [&[Claim]; 2] = [optimum::CLAIMS, hedge::CLAIMS];

/// A row of this section to start from.
const LAB: Claim = Claim { section: Section::Lab, ..ROW };
