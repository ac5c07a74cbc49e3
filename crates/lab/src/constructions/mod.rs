//! The paper's constructions: a nature and two forecasters, the honest one first, with what the
//! theory says of both.

mod fit;
mod list;
mod theory;

use num_rational::BigRational;
use thiserror::Error;
use truecal::Watch;

use crate::enclosure::Enclosure;
use crate::names::UnknownName;
use truecal::Measure;

use super::forecaster::Forecaster;
use super::nature::Nature;
use super::penalty::{Effort, Penalty, penalty_with};

pub use fit::{Fit, fit};
pub use list::ALL;
pub use theory::strong_upper_bound;

/// A nature on which forecasters are compared, for every number of rounds.
#[derive(Clone, Copy)]
pub struct Construction {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// What happens, and why.
    pub about: &'static str,
    /// The rows of the registry that it belongs to.
    pub claims: &'static [&'static str],
    /// What the two forecasters are called.
    pub contestants: [&'static str; 2],
    /// The measures that are shown unless others are asked for.
    pub measures: &'static [Measure],
    /// The numbers of rounds that are shown unless others are asked for.
    pub rounds: &'static [u64],
    /// What T must be a multiple of.
    pub multiple: u64,
    /// The most rounds.
    pub most: u64,
    /// The nature and the two forecasters for T rounds.
    pub setting: fn(u64) -> Setting,
    /// What is known of the penalties of both.
    pub theory: fn(u64, Measure) -> [Option<Bound>; 2],
}

/// A nature with two forecasters.
pub struct Setting {
    /// Where outcomes come from.
    pub nature: Box<dyn Nature>,
    /// Who predicts.
    pub forecasters: [Box<dyn Forecaster>; 2],
}

/// What the theory says of a penalty.
#[derive(Clone, Debug)]
pub struct Bound {
    /// On which side.
    pub side: Side,
    /// The number.
    pub value: Enclosure,
    /// The formula.
    pub formula: &'static str,
}

/// How a penalty compares with what the theory says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The penalty is at least that.
    AtLeast,
    /// The penalty is at most that.
    AtMost,
    /// The penalty is that.
    Equal,
}

impl Side {
    /// `>=`, `<=` or `=`.
    pub fn symbol(self) -> &'static str {
        match self {
            Side::AtLeast => ">=",
            Side::AtMost => "<=",
            Side::Equal => "=",
        }
    }
}

/// The fewest runs of a sample that may contradict a bound.
pub const FEWEST_RUNS: u64 = 30;

impl Bound {
    /// Whether an exact or enclosed penalty is certain to be as stated; for a sample, whether it is
    /// within five standard errors of that. A sample of fewer than [`FEWEST_RUNS`] says too little
    /// of its own error to contradict anything.
    #[expect(clippy::float_arithmetic, reason = "samples are compared by their standard error")]
    pub fn admits(&self, penalty: &Penalty) -> bool {
        let value = match penalty {
            Penalty::Exact(value) => Enclosure::exact(value),
            Penalty::Enclosed(enclosure) => enclosure.clone(),
            Penalty::Sampled(sampled) if sampled.runs < FEWEST_RUNS => return true,
            Penalty::Sampled(sampled) => {
                let [low, high] =
                    [self.value.low(), self.value.high()].map(|end| truecal::nearest_f64(&end));
                let room = 5.0 * sampled.standard_error;
                let (above, below) = (sampled.mean + room >= low, sampled.mean - room <= high);
                return match self.side {
                    Side::AtLeast => above,
                    Side::AtMost => below,
                    Side::Equal => above && below,
                };
            }
        };
        let (at_least, at_most) = (self.value.at_most(&value), value.at_most(&self.value));
        match self.side {
            Side::AtLeast => at_least == Some(true),
            Side::AtMost => at_most == Some(true),
            // Two enclosures of one number overlap.
            Side::Equal => at_least != Some(false) && at_most != Some(false),
        }
    }
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct Duel {
    /// T
    pub rounds: u64,
    /// What is measured.
    pub measure: Measure,
    /// What both pay on average.
    pub penalties: [Penalty; 2],
    /// What is known of that.
    pub bounds: [Option<Bound>; 2],
}

impl Duel {
    /// Whether the theory holds here.
    pub fn holds(&self) -> bool {
        self.bounds
            .iter()
            .zip(&self.penalties)
            .all(|(bound, penalty)| bound.as_ref().is_none_or(|bound| bound.admits(penalty)))
    }
}

/// Why a construction does not exist for a number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RoundsError {
    /// No rounds.
    #[error("0 rounds: give {multiple} or more")]
    Zero {
        /// The least number.
        multiple: u64,
    },
    /// It has parts that would not be equal.
    #[error("{rounds} rounds: {name} needs a multiple of {multiple}")]
    NotAMultiple {
        /// What was given.
        rounds: u64,
        /// The construction.
        name: &'static str,
        /// What the rounds must be a multiple of.
        multiple: u64,
    },
    /// It would take too long.
    #[error("{rounds} rounds: {name} goes up to {most}")]
    TooMany {
        /// What was given.
        rounds: u64,
        /// The construction.
        name: &'static str,
        /// The most rounds.
        most: u64,
    },
}

impl Construction {
    /// The construction of this name. The error says which there are.
    pub fn named(name: &str) -> Result<&'static Construction, UnknownName> {
        let names = || ALL.iter().map(|construction| construction.name);
        let found = ALL.iter().find(|construction| construction.name == name);
        found.ok_or_else(|| UnknownName::new("construction", name, names()))
    }

    /// Whether it exists for this number of rounds; otherwise what is wrong with it.
    pub fn check(&self, rounds: u64) -> Result<(), RoundsError> {
        let Construction { name, multiple, most, .. } = *self;
        match rounds {
            0 => Err(RoundsError::Zero { multiple }),
            _ if !rounds.is_multiple_of(multiple) => {
                Err(RoundsError::NotAMultiple { rounds, name, multiple })
            }
            _ if rounds > most => Err(RoundsError::TooMany { rounds, name, most }),
            _ => Ok(()),
        }
    }

    /// Compares the two forecasters. The number of rounds must [exist](Construction::check).
    pub fn compare(
        &self,
        rounds: u64,
        measure: Measure,
        effort: &Effort,
        watch: &Watch<'_>,
    ) -> Duel {
        let Setting { nature, forecasters } = (self.setting)(rounds);
        let penalties = forecasters.each_ref().map(|forecaster| {
            penalty_with(&*nature, &**forecaster, measure, effort, watch)
                .expect("the predictions of constructions have denominators of a few thousand bits")
        });
        Duel { rounds, measure, penalties, bounds: (self.theory)(rounds, measure) }
    }
}

/// The exponent of the power that fits the penalties of a forecaster in some comparisons, if a
/// power fits better than a decay.
pub fn exponent(duels: &[Duel], contestant: usize) -> Option<BigRational> {
    let point = |duel: &Duel| (duel.rounds as f64, duel.penalties[contestant].to_f64());
    match fit(&duels.iter().map(point).collect::<Vec<_>>())? {
        Fit::Power { exponent, .. } => BigRational::from_float(exponent),
        Fit::Decay { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use num_traits::ToPrimitive;

    use super::*;
    use crate::penalty::SampledPenalty;
    use truecal::rational::int;

    const SIDES: [Side; 3] = [Side::AtLeast, Side::AtMost, Side::Equal];

    fn bound(side: Side, number: i64) -> Bound {
        Bound { side, value: Enclosure::from(number), formula: "a number" }
    }

    fn exactly(number: i64) -> Penalty {
        Penalty::Exact(int(number))
    }

    /// For each side of a bound of 100, which of these it admits.
    fn admitted<const N: usize>(penalties: [Penalty; N]) -> [[bool; N]; 3] {
        SIDES.map(|side| penalties.each_ref().map(|penalty| bound(side, 100).admits(penalty)))
    }

    #[test]
    fn bounds_admit_what_they_should() {
        let (no, yes) = (false, true);
        assert_eq!(
            admitted([99, 100, 101].map(exactly)),
            [[no, yes, yes], [yes, yes, no], [no, yes, no]]
        );
        // Five standard errors of room.
        let sampled = |mean, runs| {
            Penalty::Sampled(SampledPenalty { mean, standard_error: 1.0, runs, seed: 1 })
        };
        assert_eq!(
            admitted([94.0, 96.0, 104.0, 106.0].map(|mean| sampled(mean, FEWEST_RUNS))),
            [[no, yes, yes, yes], [yes, yes, yes, no], [no, yes, yes, no]]
        );
        assert_eq!(
            admitted([0.0, 200.0].map(|mean| sampled(mean, FEWEST_RUNS - 1))),
            [[yes; 2]; 3],
            "too few to contradict anything"
        );
        // An enclosure has to be certain of an inequality, and may not be apart from a number.
        let [low, high] = [99, 101].map(int);
        let about = Enclosure::between(&low, &high);
        assert_eq!(admitted([Penalty::Enclosed(about)]), [[no], [no], [yes]]);
    }

    #[test]
    fn both_penalties_count() {
        let duel = |rounds: u64, one: i64, other: i64| Duel {
            rounds,
            measure: Measure::VCal,
            penalties: [one, other].map(exactly),
            bounds: [Some(bound(Side::AtLeast, 1)), Some(bound(Side::AtMost, 1))],
        };
        assert!(duel(4, 2, 0).holds());
        assert!(!duel(4, 0, 0).holds() && !duel(4, 2, 2).holds());
        let duels = [1, 2, 4, 8].map(|t: i64| duel(t.cast_unsigned(), t * t, t));
        for (contestant, power) in [(0, 2.0), (1, 1.0)] {
            let exponent = exponent(&duels, contestant).and_then(|found| found.to_f64());
            assert!(exponent.is_some_and(|found| (found - power).abs() < 1e-9), "{exponent:?}");
        }
    }

    #[test]
    fn constructions_have_their_rounds() {
        let hedging = Construction::named("hedging").expect("one of the list");
        assert_eq!(hedging.check(2000), Ok(()));
        let name = "hedging";
        for (rounds, error, words) in [
            (0, RoundsError::Zero { multiple: 2 }, "0 rounds: give 2 or more"),
            (
                7,
                RoundsError::NotAMultiple { rounds: 7, name, multiple: 2 },
                "7 rounds: hedging needs a multiple of 2",
            ),
            (
                2002,
                RoundsError::TooMany { rounds: 2002, name, most: 2000 },
                "2002 rounds: hedging goes up to 2000",
            ),
        ] {
            let found = hedging.check(rounds).expect_err("not a number of rounds for it");
            assert_eq!((found, found.to_string().as_str()), (error, words));
        }
    }

    #[test]
    fn constructions_go_by_their_names() {
        let slip = Construction::named("hedgin").err().expect("no construction");
        assert_eq!((slip.kind, slip.near), ("construction", Some("hedging")));
        assert_eq!(slip.known.len(), ALL.len());
    }
}
