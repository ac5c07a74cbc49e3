//! The best forecaster of a nature.

use super::Claim;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[];
