//! The paper's constructions: a nature and two forecasters, the honest one first, with what the theory says of both.

mod fit;
mod list;
mod theory;

use num_rational::BigRational;

use crate::evidence::Enclosure;
use crate::measure::Measure;
use crate::suggest;

use super::forecaster::Forecaster;
use super::nature::Nature;
use super::penalty::{Effort, Penalty, penalty_with};

pub use fit::{Fit, fit};
pub use list::ALL;
pub(crate) use theory::strong_upper_bound;

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
    /// Whether an exact or enclosed penalty is certain to be as stated; for a sample, whether it is within five standard errors of that. A sample of fewer than
    /// [`FEWEST_RUNS`] says too little of its own error to contradict anything.
    #[expect(clippy::float_arithmetic, reason = "samples are compared by their standard error")]
    pub fn admits(&self, penalty: &Penalty) -> bool {
        let value = match penalty {
            Penalty::Exact(value) => Enclosure::exact(value),
            Penalty::Enclosed(enclosure) => enclosure.clone(),
            Penalty::Sampled(sampled) if sampled.runs < FEWEST_RUNS => return true,
            Penalty::Sampled(sampled) => {
                let [low, high] = [self.value.low(), self.value.high()]
                    .map(|end| crate::report::nearest_f64(&end));
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

impl Construction {
    /// The construction of this name. The error says which there are.
    pub fn named(name: &str) -> Result<&'static Construction, String> {
        let names = || ALL.iter().map(|construction| construction.name);
        ALL.iter().find(|construction| construction.name == name).ok_or_else(|| {
            let hint =
                suggest::nearest(name, names()).map(|near| format!("; did you mean {near}?"));
            format!(
                "no construction is called {name:?}{}\nknown constructions: {}",
                hint.unwrap_or_default(),
                names().collect::<Vec<_>>().join(" ")
            )
        })
    }

    /// Whether it exists for this number of rounds; otherwise what is wrong with it.
    pub fn check(&self, rounds: u64) -> Result<(), String> {
        let Construction { name, multiple, most, .. } = self;
        if rounds == 0 {
            return Err(format!("0 rounds: give {multiple} or more"));
        }
        if !rounds.is_multiple_of(*multiple) {
            return Err(format!("{rounds} rounds: {name} needs a multiple of {multiple}"));
        }
        if rounds > *most {
            // The same nature without the theory, if it has a name.
            let by_name = super::natures::named(&format!("{name}:{rounds}")).map(|_| {
                format!("; random courses can be drawn of --nature {name}:{rounds} --forecaster truthful")
            });
            return Err(format!(
                "{rounds} rounds: {name} goes up to {most}{}",
                by_name.unwrap_or_default()
            ));
        }
        Ok(())
    }

    /// Compares the two forecasters. The number of rounds must [exist](Construction::check).
    pub fn compare(
        &self,
        rounds: u64,
        measure: Measure,
        effort: &Effort,
        watch: &(dyn Fn(u64) + Sync),
    ) -> Duel {
        let Setting { nature, forecasters } = (self.setting)(rounds);
        let penalties = forecasters.each_ref().map(|forecaster| {
            penalty_with(&*nature, &**forecaster, measure, effort, watch)
                .expect("the predictions of constructions have denominators of a few thousand bits")
        });
        Duel { rounds, measure, penalties, bounds: (self.theory)(rounds, measure) }
    }
}

/// The exponent of the power that fits the penalties of a forecaster in some comparisons, if a power fits better than a decay.
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
    use crate::truthfulness::penalty::Sampled;

    const SIDES: [Side; 3] = [Side::AtLeast, Side::AtMost, Side::Equal];

    fn bound(side: Side, number: i64) -> Bound {
        Bound { side, value: Enclosure::from(number), formula: "a number" }
    }

    fn exactly(number: i64) -> Penalty {
        Penalty::Exact(BigRational::from_integer(number.into()))
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
        let sampled =
            |mean, runs| Penalty::Sampled(Sampled { mean, standard_error: 1.0, runs, seed: 1 });
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
        let [low, high] = [99, 101].map(|n: i64| BigRational::from_integer(n.into()));
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
        assert_eq!(hedging.check(0).expect_err("none"), "0 rounds: give 2 or more");
        let many = hedging.check(2002).expect_err("too many");
        assert!(many.starts_with("2002 rounds: hedging goes up to 2000; random courses"), "{many}");
        assert!(many.ends_with("--nature hedging:2002 --forecaster truthful"), "{many}");
        let distinct = Construction::named("distinct").expect("one of the list");
        assert_eq!(
            distinct.check(2001).expect_err("many"),
            "2001 rounds: distinct goes up to 2000"
        );
    }
}
