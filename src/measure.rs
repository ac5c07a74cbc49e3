//! The names of the measures.

use std::fmt;

use num_rational::BigRational;

use crate::definitions::{self, Round};

/// A calibration measure of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// The expected calibration error of the distinct predictions.
    Ece,
    /// The smooth calibration error.
    SmCe,
    /// The step calibration error.
    StepCe,
    /// Its sign variant.
    SignCe,
    /// The interval (cutoff) calibration error.
    IntervalCe,
    /// The V-calibration error.
    VCal,
    /// The U-calibration error.
    UCal,
    /// The step calibration error of a random subset, on average.
    StepCeSub,
    /// The V-calibration error of a random subset, on average.
    VCalSub,
    /// The U-calibration error of a random subset, on average.
    UCalSub,
    /// The smooth calibration error of a random subset, on average.
    Ssce,
}

impl Measure {
    /// All of them, in the order of reports.
    pub const ALL: [Measure; 11] = [
        Measure::Ece,
        Measure::SmCe,
        Measure::StepCe,
        Measure::SignCe,
        Measure::IntervalCe,
        Measure::VCal,
        Measure::UCal,
        Measure::StepCeSub,
        Measure::VCalSub,
        Measure::UCalSub,
        Measure::Ssce,
    ];

    /// The name in JSON and on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Measure::Ece => "ece",
            Measure::SmCe => "smce",
            Measure::StepCe => "stepce",
            Measure::SignCe => "signce",
            Measure::IntervalCe => "intervalce",
            Measure::VCal => "vcal",
            Measure::UCal => "ucal",
            Measure::StepCeSub => "stepce_sub",
            Measure::VCalSub => "vcal_sub",
            Measure::UCalSub => "ucal_sub",
            Measure::Ssce => "ssce",
        }
    }

    /// The measure that is averaged over subsets, for the subsampled ones.
    pub fn subsampled_from(self) -> Option<Measure> {
        match self {
            Measure::StepCeSub => Some(Measure::StepCe),
            Measure::VCalSub => Some(Measure::VCal),
            Measure::UCalSub => Some(Measure::UCal),
            Measure::Ssce => Some(Measure::SmCe),
            _ => None,
        }
    }

    /// The value by definition (see [`definitions`]): slow, on few rounds.
    ///
    /// ```
    /// use truecal::{Measure, definitions::Round};
    /// let rounds: Vec<Round> = vec![(true, "1/2".parse()?)];
    /// assert_eq!(Measure::UCal.define(&rounds), "2".parse()?);
    /// assert_eq!(Measure::UCalSub.define(&rounds), "1".parse()?);
    /// # Ok::<(), num_rational::ParseRatioError>(())
    /// ```
    pub fn define(self, rounds: &[Round]) -> BigRational {
        match self {
            Measure::Ece => definitions::ece(rounds),
            Measure::SmCe => definitions::sm_ce(rounds),
            Measure::StepCe => definitions::step_ce(rounds),
            Measure::SignCe => definitions::sign_ce(rounds),
            Measure::IntervalCe => definitions::interval_ce(rounds),
            Measure::VCal => definitions::v_cal(rounds),
            Measure::UCal => definitions::u_cal(rounds),
            Measure::StepCeSub => definitions::subsampled(rounds, definitions::step_ce),
            Measure::VCalSub => definitions::subsampled(rounds, definitions::v_cal),
            Measure::UCalSub => definitions::subsampled(rounds, definitions::u_cal),
            Measure::Ssce => definitions::subsampled(rounds, definitions::sm_ce),
        }
    }
}

/// The name that people use, e.g. `stepCE^sub`.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Measure::Ece => "ECE",
            Measure::SmCe => "smCE",
            Measure::StepCe => "stepCE",
            Measure::SignCe => "signCE",
            Measure::IntervalCe => "intervalCE",
            Measure::VCal => "VCal",
            Measure::UCal => "UCal",
            Measure::StepCeSub => "stepCE^sub",
            Measure::VCalSub => "VCal^sub",
            Measure::UCalSub => "UCal^sub",
            Measure::Ssce => "SSCE",
        })
    }
}
