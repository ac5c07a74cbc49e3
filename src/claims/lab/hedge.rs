//! The Hedge forecaster as it runs.

use super::Claim;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[];
