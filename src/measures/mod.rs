//! The formulas: every measure exactly, from a level table, with the evidence for its value.
//!
//! One file per family. Results are in units of the table they were computed from;
//! [`AnyLevels::evaluate`](crate::AnyLevels::evaluate) turns them into rationals and witnesses;
//! [`value`] and [`average`] are for those who want the number alone, of any measure.

mod cdl;
mod cdl_between;
mod classes;
mod fenwick;
mod kinks;
mod meet;
mod meet_v;
mod prefix;
mod smooth;
#[cfg(test)]
mod smooth_plain;
mod smooth_scan;
mod subsampled;
mod v_shaped;

pub use cdl::{Cdl, cdl};
pub use prefix::{Ece, IntervalCe, SignAt, SignCe, StepCe, ece, interval_ce, sign_ce, step_ce};
pub use smooth::{SmCe, sm_ce};
pub use smooth_scan::SmoothScan;
pub use subsampled::{
    SubsetAverage, meeting_cost, ssce, step_ce_sub, subset_cost, u_cal_sub, v_cal_sub,
    v_meeting_cost,
};
pub use v_shaped::{Corner, UCal, VCal, u_cal, u_cal_in, v_cal};

pub(crate) use cdl_between::{Rounds, cdl_between};
pub(crate) use prefix::{RangeScan, SignScan, StepScan};
pub(crate) use v_shaped::{Sides, UScan, VScan, four_at_half};

// What only bounded proofs look into.
#[cfg(any(kani, test))]
pub(crate) use {
    classes::{StepWalk, SubsetWalk},
    fenwick::Fenwick,
};

use num_rational::BigRational;

use crate::any_levels::AnyLevels;
use crate::levels::Table;
use crate::measure::Measure;
use crate::number::Number;

/// The value of a measure, as its formula gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount<N: Number> {
    /// So many units.
    Units(N),
    /// So many squared units.
    Squares(N::Wide),
    /// So many units, over a denominator.
    Ratio(N::Wide, N),
}

impl<N: Number> Amount<N> {
    /// The number that it stands for.
    pub fn to_rational(&self, unit: &N) -> BigRational {
        match self {
            Amount::Units(value) => value.to_rational() / unit.to_rational(),
            Amount::Squares(value) => value.to_rational() / unit.to_rational().pow(2),
            Amount::Ratio(above, below) => {
                above.to_rational() / (below.to_rational() * unit.to_rational())
            }
        }
    }
}

/// Room that the formulas use again and again.
#[derive(Clone, Debug)]
pub struct Room<N: Number> {
    hull: Vec<Corner<N>>,
    smooth: kinks::Kinks<N>,
}

impl<N: Number> Default for Room<N> {
    fn default() -> Self {
        Room { hull: Vec::new(), smooth: kinks::Kinks::default() }
    }
}

/// The value of a plain measure; `None` for the averages over subsets.
pub fn value<N: Number>(
    measure: Measure,
    levels: Table<'_, N>,
    room: &mut Room<N>,
) -> Option<Amount<N>> {
    Some(match measure {
        Measure::Ece => Amount::Units(ece(levels).value),
        Measure::SmCe => Amount::Squares(smooth::sm_ce_value(levels, &mut room.smooth)),
        Measure::StepCe => Amount::Units(step_ce(levels).value),
        Measure::SignCe => Amount::Units(sign_ce(levels).value),
        Measure::IntervalCe => Amount::Units(interval_ce(levels).value),
        Measure::VCal => Amount::Units(v_cal(levels).value),
        Measure::UCal => {
            let u_cal = u_cal_in(levels, &mut room.hull);
            Amount::Ratio(u_cal.numerator, u_cal.denominator)
        }
        Measure::Cdl => {
            let cdl = cdl::cdl_in(levels, &mut room.hull);
            Amount::Ratio(cdl.numerator, cdl.denominator)
        }
        Measure::StepCeSub | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => return None,
    })
}

/// An average over all subsets of the rounds; `None` for the plain measures. Can take very long:
/// ask [`AnyLevels::cost`] first.
pub fn average(measure: Measure, levels: &AnyLevels) -> Option<SubsetAverage> {
    Some(match measure {
        Measure::StepCeSub => step_ce_sub(levels),
        Measure::VCalSub => v_cal_sub(levels),
        Measure::UCalSub => u_cal_sub(levels),
        Measure::Ssce => ssce(levels),
        Measure::Ece
        | Measure::SmCe
        | Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::VCal
        | Measure::UCal
        | Measure::Cdl => return None,
    })
}
