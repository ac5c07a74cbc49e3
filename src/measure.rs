//! The measures: everything about each but how it is computed.

use std::fmt;
use std::str::FromStr;

use num_rational::BigRational;
use thiserror::Error;

use crate::definitions::{self, Round};
use crate::suggest;

/// A calibration measure.
///
/// | measure | definition | formula | where it is from |
/// |---|---|---|---|
/// | ECE | [`definitions::ece`] | [`measures::ece`](crate::measures::ece) | L1060 |
/// | smCE | [`definitions::sm_ce`] | [`measures::sm_ce`](crate::measures::sm_ce) | L385 |
/// | stepCE | [`definitions::step_ce`] | [`measures::step_ce`](crate::measures::step_ce) | L963 |
/// | signCE | [`definitions::sign_ce`] | [`measures::sign_ce`](crate::measures::sign_ce) | fact:equivfactor, L985 |
/// | intervalCE | [`definitions::interval_ce`] | [`measures::interval_ce`](crate::measures::interval_ce) | L969 in words |
/// | VCal | [`definitions::v_cal`] | [`measures::v_cal`](crate::measures::v_cal) | eq:V-calibration, L348 |
/// | UCal | [`definitions::u_cal`] | [`measures::u_cal`](crate::measures::u_cal) | eq:U-calibration, L332 |
/// | CDL | [`definitions::cdl`] | [`measures::cdl`](crate::measures::cdl) | L. Hu and Y. Wu |
/// | stepCE^sub | [`definitions::subsampled`] | [`measures::step_ce_sub`](crate::measures::step_ce_sub) | eq:subsampled, L524 |
/// | VCal^sub | [`definitions::subsampled`] | [`measures::v_cal_sub`](crate::measures::v_cal_sub) | eq:subsampled, L524 |
/// | UCal^sub | [`definitions::subsampled`] | [`measures::u_cal_sub`](crate::measures::u_cal_sub) | eq:subsampled, L524 |
/// | SSCE | [`definitions::subsampled`] | [`measures::ssce`](crate::measures::ssce) | eq:ssce, L388 |
///
/// Labels and lines are those of the paper.
///
/// ```
/// use truecal::Measure;
/// assert_eq!("stepCE^sub".parse(), Ok(Measure::StepCeSub));
/// assert_eq!("kuiper".parse(), Ok(Measure::IntervalCe));
/// assert_eq!(Measure::IntervalCe.to_string(), "intervalCE");
/// let error = "stepse".parse::<Measure>().unwrap_err();
/// assert!(error.to_string().starts_with("did you mean stepce?"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
// The crates of this workspace ask for `exhaustive`, so that the compiler lists what a new measure
// needs.
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
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
    /// The calibration decision loss.
    Cdl,
    /// The step calibration error of a random subset, on average.
    StepCeSub,
    /// The V-calibration error of a random subset, on average.
    VCalSub,
    /// The U-calibration error of a random subset, on average.
    UCalSub,
    /// The smooth calibration error of a random subset, on average.
    Ssce,
}

/// Everything about a measure but how it is computed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The name in JSON, in laws and on the command line.
    pub key: &'static str,
    /// The name that people use, e.g. `stepCE^sub`.
    pub name: &'static str,
    /// Other names under which it is known; case does not matter.
    pub aliases: &'static [&'static str],
    /// What it is called elsewhere, divided by the number of rounds.
    pub elsewhere: &'static [&'static str],
    /// The name in TeX.
    pub symbol: &'static str,
    /// What it says, in a sentence.
    pub words: &'static str,
    /// What shows its value.
    pub witnessed_by: &'static str,
    /// The value by definition (see [`definitions`]): slow, on few rounds.
    pub definition: fn(&[Round]) -> BigRational,
    /// The measure that is averaged over all subsets of the rounds, if it is such an average.
    pub subsampled_from: Option<Measure>,
    /// Whether forecasting the opposite event, 1 - x with 1 - p, gives the same value.
    pub symmetric: bool,
    /// How a table of buckets finds it exactly with a second look at the data; `None` if every
    /// level counts.
    pub(crate) refined: Option<Refined>,
    /// The distribution that a truthful forecaster's value tends to, if it is known.
    pub(crate) limit: Option<Limit>,
    /// What helps where it is measured on many random subsets.
    pub(crate) sampling: Sampling,
}

/// What helps to draw the subsets on which a measure is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sampling {
    /// How long it looks at a level, in looks of stepCE.
    pub looks: u64,
    /// Whether a subset and its complement tell more than two subsets: large values of the one go
    /// with small ones of the other.
    pub pairs: bool,
}

impl Sampling {
    const PLAIN: Sampling = Sampling { looks: 1, pairs: false };
}

/// A limit distribution, of a Brownian motion on [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Of its largest absolute value.
    Maximum,
    /// Of its range.
    Range,
}

/// The measures that a summary by buckets finds exactly: what attains them lies in few buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refined {
    Step,
    Sign,
    Interval,
    V,
    U,
}

impl Measure {
    /// All of them, in the order of reports.
    pub const ALL: [Measure; 12] = [
        Measure::Ece,
        Measure::SmCe,
        Measure::StepCe,
        Measure::SignCe,
        Measure::IntervalCe,
        Measure::VCal,
        Measure::UCal,
        Measure::Cdl,
        Measure::StepCeSub,
        Measure::VCalSub,
        Measure::UCalSub,
        Measure::Ssce,
    ];

    /// Its description.
    pub fn description(self) -> &'static Description {
        match self {
            Measure::Ece => &Description {
                key: "ece",
                name: "ECE",
                aliases: &[],
                elsewhere: &[],
                symbol: r"\mathsf{ECE}",
                words: "the biases of the distinct predictions, added up without their signs",
                witnessed_by: "the biases of under-forecast and of over-forecast predictions",
                definition: definitions::ece,
                subsampled_from: None,
                symmetric: true,
                refined: None,
                limit: None,
                sampling: Sampling::PLAIN,
            },
            Measure::SmCe => &Description {
                key: "smce",
                name: "smCE",
                aliases: &[],
                elsewhere: &[],
                symbol: r"\mathsf{smCE}",
                words: "the largest bias weighted by a 1-Lipschitz function of the prediction",
                witnessed_by: "a 1-Lipschitz function, and a flow that no function beats",
                definition: definitions::sm_ce,
                subsampled_from: None,
                symmetric: true,
                refined: None,
                limit: None,
                sampling: Sampling { looks: 8, ..Sampling::PLAIN },
            },
            Measure::StepCe => &Description {
                key: "stepce",
                name: "stepCE",
                aliases: &["ks", "ecce-mad"],
                elsewhere: &["KS", "ECCE-MAD"],
                symbol: r"\mathsf{stepCE}",
                words: "the largest bias of the predictions up to a threshold",
                witnessed_by: "a threshold",
                definition: definitions::step_ce,
                subsampled_from: None,
                symmetric: false,
                refined: Some(Refined::Step),
                limit: Some(Limit::Maximum),
                sampling: Sampling::PLAIN,
            },
            Measure::SignCe => &Description {
                key: "signce",
                name: "signCE",
                aliases: &[],
                elsewhere: &[],
                symbol: r"\mathsf{signCE}",
                words: "the largest bias with opposite signs below and above a threshold",
                witnessed_by: "a threshold",
                definition: definitions::sign_ce,
                subsampled_from: None,
                symmetric: true,
                refined: Some(Refined::Sign),
                limit: None,
                sampling: Sampling::PLAIN,
            },
            Measure::IntervalCe => &Description {
                key: "intervalce",
                name: "intervalCE",
                aliases: &["kuiper", "ecce-r", "cutoffce"],
                elsewhere: &["Kuiper", "ECCE-R"],
                symbol: r"\mathsf{intervalCE}",
                words: "the largest bias of the predictions in an interval",
                witnessed_by: "an interval",
                definition: definitions::interval_ce,
                subsampled_from: None,
                symmetric: true,
                refined: Some(Refined::Interval),
                limit: Some(Limit::Range),
                sampling: Sampling::PLAIN,
            },
            Measure::VCal => &Description {
                key: "vcal",
                name: "VCal",
                aliases: &[],
                elsewhere: &[],
                symbol: r"\mathsf{VCal}",
                words: "the largest regret, against the best constant action, of acting above a \
                    threshold",
                witnessed_by: "a threshold that is approached",
                definition: definitions::v_cal,
                subsampled_from: None,
                symmetric: true,
                refined: Some(Refined::V),
                limit: None,
                sampling: Sampling { pairs: true, ..Sampling::PLAIN },
            },
            Measure::UCal => &Description {
                key: "ucal",
                name: "UCal",
                aliases: &["u-calibration"],
                elsewhere: &[],
                symbol: r"\mathsf{UCal}",
                words: "the largest regret against the best constant prediction, over proper \
                    scores in [-1, 1]",
                witnessed_by: "a scoring rule, and a line that no rule beats",
                definition: definitions::u_cal,
                subsampled_from: None,
                symmetric: true,
                refined: Some(Refined::U),
                limit: None,
                sampling: Sampling { pairs: true, ..Sampling::PLAIN },
            },
            Measure::Cdl => &Description {
                key: "cdl",
                name: "CDL",
                aliases: &["calibration-decision-loss"],
                elsewhere: &[],
                symbol: r"\mathsf{CDL}",
                words: "the largest swap regret over decision tasks with payoffs in [0, 1]",
                witnessed_by: "a scoring rule, and a line that no rule beats",
                definition: definitions::cdl,
                subsampled_from: None,
                symmetric: true,
                refined: None,
                limit: None,
                sampling: Sampling::PLAIN,
            },
            Measure::StepCeSub => &Description {
                key: "stepce_sub",
                name: "stepCE^sub",
                aliases: &["stepcesub"],
                elsewhere: &[],
                symbol: r"\mathsf{stepCE}^{\mathsf{sub}}",
                words: "stepCE of a random subset of the rounds, on average",
                witnessed_by: "all subsets",
                definition: |rounds| definitions::subsampled(rounds, definitions::step_ce),
                subsampled_from: Some(Measure::StepCe),
                symmetric: false,
                refined: None,
                limit: None,
                sampling: Sampling::PLAIN,
            },
            Measure::VCalSub => &Description {
                key: "vcal_sub",
                name: "VCal^sub",
                aliases: &["vcalsub"],
                elsewhere: &[],
                symbol: r"\mathsf{VCal}^{\mathsf{sub}}",
                words: "VCal of a random subset of the rounds, on average",
                witnessed_by: "all subsets",
                definition: |rounds| definitions::subsampled(rounds, definitions::v_cal),
                subsampled_from: Some(Measure::VCal),
                symmetric: true,
                refined: None,
                limit: None,
                sampling: Sampling::PLAIN,
            },
            Measure::UCalSub => &Description {
                key: "ucal_sub",
                name: "UCal^sub",
                aliases: &["ucalsub"],
                elsewhere: &[],
                symbol: r"\mathsf{UCal}^{\mathsf{sub}}",
                words: "UCal of a random subset of the rounds, on average",
                witnessed_by: "all subsets",
                definition: |rounds| definitions::subsampled(rounds, definitions::u_cal),
                subsampled_from: Some(Measure::UCal),
                symmetric: true,
                refined: None,
                limit: None,
                sampling: Sampling::PLAIN,
            },
            Measure::Ssce => &Description {
                key: "ssce",
                name: "SSCE",
                aliases: &["smce_sub", "smce^sub"],
                elsewhere: &[],
                symbol: r"\mathsf{SSCE}",
                words: "smCE of a random subset of the rounds, on average",
                witnessed_by: "all subsets",
                definition: |rounds| definitions::subsampled(rounds, definitions::sm_ce),
                subsampled_from: Some(Measure::SmCe),
                symmetric: true,
                refined: None,
                limit: None,
                sampling: Sampling::PLAIN,
            },
        }
    }

    /// The name in JSON, in laws and on the command line.
    pub fn key(self) -> &'static str {
        self.description().key
    }

    /// The measure that is averaged over subsets, for the subsampled ones.
    pub fn subsampled_from(self) -> Option<Measure> {
        self.description().subsampled_from
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
        (self.description().definition)(rounds)
    }
}

/// The name that people use, e.g. `stepCE^sub`.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.description().name)
    }
}

/// No measure has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}the measures are {}", self.hint(), Measure::ALL.map(Measure::key).join(", "))]
#[non_exhaustive]
pub struct UnknownMeasure {
    /// What was asked for.
    pub name: String,
}

impl UnknownMeasure {
    /// The key of the measure that was probably meant.
    ///
    /// Nothing for names of other measures, which are like ours.
    pub fn nearest(&self) -> Option<&'static str> {
        const OTHERS: [&str; 4] = ["smece", "mce", "ace", "mmce"];
        if OTHERS.iter().any(|other| other.eq_ignore_ascii_case(&self.name)) {
            return None;
        }
        suggest::nearest(&self.name, Measure::ALL.into_iter().map(Measure::key))
    }

    fn hint(&self) -> String {
        self.nearest().map(|key| format!("did you mean {key}? ")).unwrap_or_default()
    }
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    /// By key, by name or by another name, in either case.
    fn from_str(text: &str) -> Result<Measure, UnknownMeasure> {
        let text = text.trim();
        let called = |name: &str| name.eq_ignore_ascii_case(text);
        let found = Measure::ALL.into_iter().find(|measure| {
            let Description { key, name, aliases, .. } = measure.description();
            called(key) || called(name) || aliases.iter().any(|alias| called(alias))
        });
        found.ok_or_else(|| UnknownMeasure { name: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_list_is_complete_and_in_order() {
        for (place, measure) in Measure::ALL.into_iter().enumerate() {
            assert_eq!(measure as usize, place, "{measure}");
        }
        assert_eq!(Measure::ALL.len(), Measure::Ssce as usize + 1);
    }

    #[test]
    fn names_belong_to_one_measure() {
        let mut names = HashSet::new();
        for measure in Measure::ALL {
            let Description { key, name, aliases, .. } = measure.description();
            let own: HashSet<String> =
                aliases.iter().chain([key, name]).map(|name| name.to_lowercase()).collect();
            for name in own {
                assert_eq!(name.parse(), Ok(measure));
                assert!(names.insert(name.clone()), "{name} names two measures");
            }
        }
        assert_eq!("smee".parse::<Measure>().map_err(|error| error.nearest()), Err(Some("smce")));
        assert_eq!("smECE".parse::<Measure>().map_err(|error| error.nearest()), Err(None));
        assert_eq!("x".parse::<Measure>().map_err(|error| error.nearest()), Err(None));
    }

    #[test]
    fn averages_are_of_plain_measures() {
        for measure in Measure::ALL {
            let Description { subsampled_from, symmetric, refined, .. } = measure.description();
            if let Some(base) = subsampled_from {
                assert_eq!(base.subsampled_from(), None);
                assert_eq!(base.description().symmetric, *symmetric);
                assert_eq!(*refined, None);
            }
        }
    }
}
