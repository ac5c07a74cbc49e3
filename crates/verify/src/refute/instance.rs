//! One table: its order pattern and its predictions.

use num_rational::BigRational;
use num_traits::{One, Signed};

use crate::laws::{Verdict, judge_at};
use crate::prover::RefutingTable;
use truecal::AnyLevels;
use truecal::Forecasts;
use truecal_check::Pattern;
use truecal_check::law::Law;

/// A table, round by round, in ascending order of the predictions; of equal ones those with the
/// event come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The outcomes.
    pub outcomes: Vec<bool>,
    /// The predictions.
    pub predictions: Vec<BigRational>,
}

impl Instance {
    /// The rounds of a level table.
    pub fn of_levels(levels: &AnyLevels) -> Instance {
        let (outcomes, predictions) = levels.to_rational().to_rounds().into_iter().unzip();
        Instance { outcomes, predictions }
    }

    /// The table of a pattern with these predictions; None unless they ascend from 0 to 1.
    pub(super) fn of_pattern(pattern: &Pattern, values: &[BigRational]) -> Option<Instance> {
        let inside = |value: &BigRational| !value.is_negative() && *value <= BigRational::one();
        if !values.is_sorted_by(|a, b| a < b) || !values.iter().all(inside) {
            return None;
        }
        let (mut outcomes, mut predictions) = (vec![], vec![]);
        for ((ones, rounds), value) in pattern.levels.iter().zip(values) {
            outcomes.extend((0..*rounds).map(|round| round < *ones));
            predictions.extend((0..*rounds).map(|_| value.clone()));
        }
        Some(Instance { outcomes, predictions })
    }

    /// The order pattern, and the prediction of each level.
    pub(super) fn pattern(&self) -> (Pattern, Vec<BigRational>) {
        let (mut pattern, mut values) = (Pattern::default(), vec![]);
        for (outcome, prediction) in self.outcomes.iter().zip(&self.predictions) {
            if values.last() != Some(prediction) {
                values.push(prediction.clone());
                pattern.levels.push((0, 0));
            }
            if let Some((ones, rounds)) = pattern.levels.last_mut() {
                *ones += u32::from(*outcome);
                *rounds += 1;
            }
        }
        (pattern, values)
    }

    /// The level table.
    pub fn levels(&self) -> AnyLevels {
        let predictions = self.predictions.iter().cloned();
        Forecasts::from_columns(self.outcomes.iter().copied(), predictions)
            .expect("predictions from 0 to 1, one for each outcome")
            .levels()
            .expect("few predictions with short denominators")
    }

    /// What the law is worth there.
    pub fn judge(&self, law: &Law) -> Verdict {
        judge_at(law, &self.levels())
    }

    /// The outcomes and the predictions, each with commas between them.
    pub fn columns(&self) -> (String, String) {
        let outcomes: Vec<_> = self.outcomes.iter().map(|x| u8::from(*x).to_string()).collect();
        let predictions: Vec<_> = self.predictions.iter().map(ToString::to_string).collect();
        (outcomes.join(","), predictions.join(","))
    }
}

impl From<&RefutingTable> for Instance {
    fn from(refutation: &RefutingTable) -> Instance {
        let predictions = refutation.predictions.iter().cloned();
        let forecasts = Forecasts::from_columns(refutation.outcomes.iter().copied(), predictions);
        let levels = forecasts.expect("a table that was judged").levels();
        Instance::of_levels(&levels.expect("a table that was judged"))
    }
}

/// `x=(1,0) p=(1/2,1)`
impl std::fmt::Display for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (outcomes, predictions) = self.columns();
        write!(f, "x=({outcomes}) p=({predictions})")
    }
}
