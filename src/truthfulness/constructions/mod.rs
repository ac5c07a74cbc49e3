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

impl Bound {
    /// Whether an exact or enclosed penalty is certain to be as stated; for a sample, whether it is within five standard errors of that.
    #[expect(clippy::float_arithmetic, reason = "samples are compared by their standard error")]
    pub fn admits(&self, penalty: &Penalty) -> bool {
        let value = match penalty {
            Penalty::Exact(value) => Enclosure::exact(value),
            Penalty::Enclosed(enclosure) => enclosure.clone(),
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
        if rounds == 0 || !rounds.is_multiple_of(*multiple) {
            return Err(format!("{rounds} rounds: {name} needs a multiple of {multiple}"));
        }
        if rounds > *most {
            return Err(format!("{rounds} rounds: {name} goes up to {most}"));
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
