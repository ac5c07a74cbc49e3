//! The formulas: every measure exactly, from a level table, with the evidence for its value.
//!
//! One file per family. Results are in units of the table they were computed from;
//! [`AnyLevels::evaluate`](crate::AnyLevels::evaluate) turns them into rationals and witnesses.

mod fenwick;
mod kinks;
mod meet;
mod meet_v;
mod prefix;
mod smooth;
mod smooth_walk;
mod subsampled;
mod v_shaped;

pub use prefix::{Ece, IntervalCe, Place, SignCe, StepCe, ece, interval_ce, sign_ce, step_ce};
pub use smooth::{SmCe, sm_ce};
pub use subsampled::{
    SubsetAverage, meeting_cost, ssce, step_ce_sub, subset_cost, u_cal_sub, v_cal_sub,
    v_meeting_cost,
};
pub use v_shaped::{Corner, Ties, UCal, VCal, u_cal, v_cal};

pub(crate) use prefix::{RangeScan, SignScan, StepScan};
pub(crate) use smooth::sm_ce_value;
pub(crate) use smooth_walk::SmoothWalk;
pub(crate) use subsampled::Walk;
pub(crate) use v_shaped::{Sides, UScan, VScan, u_cal_with};

// What only bounded proofs look into.
#[cfg(any(kani, test))]
pub(crate) use {fenwick::Fenwick, subsampled::StepWalk, v_shaped::four_at_half};
