//! What the truthfulness lab computes, beyond the statements of the paper.

mod constructions;
mod engine;
mod hedge;
mod optimum;
mod properties;
mod smoothed;

use super::{Claim, ROW, sections};

/// The rows.
pub(super) const CLAIMS: [&[Claim]; 6] = [
    engine::CLAIMS,
    constructions::CLAIMS,
    smoothed::CLAIMS,
    optimum::CLAIMS,
    properties::CLAIMS,
    hedge::CLAIMS,
];

/// A row of this section to start from.
const LAB: Claim = Claim { section: sections::LAB, ..ROW };
