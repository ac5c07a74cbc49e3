//! Forecasters by name.

use num_rational::BigRational;
use thiserror::Error;

use super::chance::Chance;
use super::forecaster::{Constant, Forecaster, PatchUp, RoundedTruth, Rule, Scheduled, Truthful};
use super::hedge::{HedgeError, HedgeForecaster, default_buckets};
use super::names::{UnknownName, bare};
use super::nature::{Memory, Nature, Outcomes, with_outcome};
use super::natures::{Epochs, Strategist, p};
use super::optimum::{
    GRID_BUDGET, MAX_GRID_DENOMINATOR, MAX_TREE_ROUNDS, OptimumError, OutcomeTree, TreeError,
    TreeForecaster, on_grid,
};
use truecal::Measure;
use truecal::rational::int;
use truecal::{Prediction, PredictionError};

/// What can be asked for: the name, and what it is.
pub const NAMED: [(&str, &str); 8] = [
    ("truthful", "predicts p*"),
    ("constant:P", "always predicts P"),
    ("rounded:D", "predicts the multiple of 1/D that is nearest to p*"),
    ("hedging", "predicts 2/5 in the first half and 3/5 in the second"),
    (
        "patch-up",
        "predicts 5/8 in the first half, and on until its bias there is not negative; then 1",
    ),
    ("strategist", "of the epochs: predicts 1/2 during the search, then undoes its bias"),
    ("grid-optimal:D", "the best for the measure with predictions in multiples of 1/D"),
    ("hedge:K", "the paper's algorithm with K buckets, or about sqrt(T)"),
];

/// Why a text does not name a forecaster.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ForecasterError {
    /// No forecaster has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// The name is known, but its parameter will not do.
    #[error("{text:?}: {problem}")]
    Parameter {
        /// What was given.
        text: String,
        /// What is wrong with it.
        problem: ParameterError,
    },
}

/// What is wrong with the parameter of a forecaster, or with the lack of one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// A parameter where there is none.
    #[error("{name} takes no parameter")]
    Superfluous {
        /// The forecaster.
        name: &'static str,
    },
    /// Not a whole number in range.
    #[error("give a whole number from 1 to {most} after a colon, like {name}:12")]
    Whole {
        /// The forecaster.
        name: &'static str,
        /// The largest number.
        most: u32,
    },
    /// No prediction.
    #[error("give the prediction after a colon, like constant:1/2")]
    NoPrediction,
    /// Not a prediction.
    #[error(transparent)]
    Prediction(#[from] PredictionError),
    /// A number of rounds that the epochs do not have.
    #[error("{rounds} rounds; the strategist needs a multiple of 20")]
    Strategist {
        /// The rounds of the nature.
        rounds: u64,
    },
    /// A nature of which the best forecaster is not known.
    #[error(transparent)]
    NotATree(#[from] NotATree),
    /// The best forecaster cannot be computed.
    #[error(transparent)]
    Optimum(#[from] OptimumError),
    /// The algorithm has no such number of buckets.
    #[error(transparent)]
    Hedge(#[from] HedgeError),
}

/// A forecaster by name, for a nature and a measure. The error says which there are, or what is
/// missing.
pub fn named(
    text: &str,
    nature: &dyn Nature,
    measure: Measure,
) -> Result<Box<dyn Forecaster>, ForecasterError> {
    let (name, parameter) =
        text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let known = NAMED.iter().map(|(known, _)| bare(known)).find(|known| *known == name);
    let known = known.ok_or_else(|| {
        let names = NAMED.iter().map(|(name, _)| *name);
        UnknownName::new("forecaster", name, names)
    })?;
    with_parameter(known, parameter, nature, measure)
        .map_err(|problem| ForecasterError::Parameter { text: text.to_owned(), problem })
}

/// A forecaster by one of the names that there are.
fn with_parameter(
    name: &'static str,
    parameter: Option<&str>,
    nature: &dyn Nature,
    measure: Measure,
) -> Result<Box<dyn Forecaster>, ParameterError> {
    let rounds = nature.rounds();
    let whole = |most: u32| {
        let number = parameter.and_then(|number| number.parse().ok());
        let within = number.filter(|number| (1..=most).contains(number));
        within.ok_or(ParameterError::Whole { name, most })
    };
    Ok(match (name, parameter) {
        ("truthful", None) => Box::new(Truthful),
        ("constant", Some(value)) => Box::new(Constant(value.parse()?)),
        ("constant", None) => return Err(ParameterError::NoPrediction),
        ("rounded", _) => Box::new(RoundedTruth::to(whole(1_000_000)?)),
        ("hedging", None) => {
            let half = rounds / 2;
            Box::new(Scheduled::new([(half, p(2, 5)), (rounds - half, p(3, 5))]))
        }
        ("patch-up", None) => {
            Box::new(PatchUp { first_rounds: rounds / 2, first: p(5, 8), then: Prediction::ONE })
        }
        ("strategist", None) => {
            let epochs = Epochs::usual(rounds).ok_or(ParameterError::Strategist { rounds })?;
            Box::new(Strategist::new(&epochs))
        }
        ("grid-optimal", _) => {
            let denominator = whole(MAX_GRID_DENOMINATOR)?;
            let tree = outcome_tree(nature)?;
            Box::new(on_grid(&tree, measure, denominator, GRID_BUDGET)?.forecaster)
        }
        ("hedge", None) => Box::new(Hedge::new(rounds, default_buckets(rounds))?),
        ("hedge", Some(_)) => Box::new(Hedge::new(rounds, whole(100_000)? as usize)?),
        _ => return Err(ParameterError::Superfluous { name }),
    })
}

/// Why a nature is not a tree of probabilities.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotATree {
    /// There are too many pasts.
    #[error("{rounds} rounds; with more than {MAX_TREE_ROUNDS} only bounds are known")]
    Long {
        /// T
        rounds: u64,
    },
    /// Nobody knows p* beforehand.
    #[error("p* has a density; only bounds are known")]
    Density,
    /// A probability that a tree does not hold.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// A nature as a tree of probabilities, if it is one.
pub fn outcome_tree(nature: &dyn Nature) -> Result<OutcomeTree, NotATree> {
    let rounds = usize::try_from(nature.rounds()).ok().filter(|rounds| *rounds <= MAX_TREE_ROUNDS);
    let Some(rounds) = rounds else {
        return Err(NotATree::Long { rounds: nature.rounds() });
    };
    let mut continuous = false;
    let tree = OutcomeTree::new(rounds, |past| {
        let mut memory = nature.start();
        for (round, one) in (0..).zip(past) {
            let outcomes = Outcomes { rounds: 1, ones: u64::from(*one) };
            memory = nature.remember(round, memory, outcomes);
        }
        let chance = nature.chance(past.len() as u64, &memory);
        continuous |= matches!(chance, Chance::Spread(_));
        chance.mean()
    });
    if continuous { Err(NotATree::Density) } else { Ok(tree?) }
}

/// Remembers all outcomes.
impl Forecaster for TreeForecaster {
    fn rule(&self, _round: u64, memory: &[i64]) -> Rule {
        let past: Vec<bool> = memory.iter().map(|x| *x == 1).collect();
        let prediction: &BigRational = self.prediction(&past);
        Rule::Constant(prediction.try_into().expect("predictions of a tree are in [0, 1]"))
    }

    fn remember(
        &self,
        _round: u64,
        memory: Memory,
        _said: &Prediction,
        outcomes: Outcomes,
    ) -> Memory {
        with_outcome(memory, outcomes)
    }
}

/// The paper's algorithm as a strategy: it remembers (k-1) L_1, …, (k-1) L_k.
#[derive(Clone, Copy, Debug)]
pub struct Hedge {
    rounds: u64,
    buckets: usize,
}

impl Hedge {
    /// For T rounds, with k buckets.
    pub fn new(rounds: u64, buckets: usize) -> Result<Self, HedgeError> {
        HedgeForecaster::new(rounds, buckets)?;
        Ok(Hedge { rounds, buckets })
    }
}

impl Forecaster for Hedge {
    fn start(&self) -> Memory {
        vec![0; self.buckets]
    }

    fn rule(&self, _round: u64, memory: &[i64]) -> Rule {
        Rule::Mixture(HedgeForecaster::mixture_at(memory, self.rounds).points().collect())
    }

    fn remember(
        &self,
        _round: u64,
        mut memory: Memory,
        said: &Prediction,
        outcomes: Outcomes,
    ) -> Memory {
        let steps = int(self.buckets - 1);
        let place = (said.to_rational() * &steps).to_integer();
        let bucket = usize::try_from(&place).expect("a point of the grid");
        let step = if outcomes.ones == 1 { self.buckets - 1 - bucket } else { bucket };
        let step = i64::try_from(step).expect("few buckets");
        let step = if outcomes.ones == 1 { step } else { -step };
        memory[bucket..].iter_mut().for_each(|bias| *bias += step);
        memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::penalty::exact;
    use crate::{Blocks, natures};

    fn r(text: &str) -> BigRational {
        text.parse().expect("a rational")
    }

    #[test]
    fn names_mean_what_they_say() {
        let penalty = |name: &str, nature: &dyn Nature, measure| {
            let forecaster = named(name, nature, measure).expect(name);
            exact(nature, &*forecaster, measure, 1 << 16).expect("few states").exact().cloned()
        };
        assert_eq!(penalty("hedging", &natures::hedging(2), Measure::VCal), Some(r("14/25")));
        assert_eq!(penalty("patch-up", &natures::patch_up(10), Measure::UCal), Some(r("9/8")));
        // A memory for each bucket, about √T of them unless it says how many.
        let buckets =
            |name: &str| named(name, &natures::fair(9), Measure::StepCe).expect(name).start().len();
        assert_eq!((buckets("hedge"), buckets("hedge:7")), (4, 7));
    }

    #[test]
    fn natures_that_are_trees() {
        assert!(outcome_tree(&natures::fair(12)).is_ok());
        assert!(matches!(outcome_tree(&natures::fair(13)), Err(NotATree::Long { rounds: 13 })));
        let (density, point) =
            (natures::uniform(1).chance(0, &[]), natures::fair(1).chance(0, &[]));
        let nature = Blocks::new([(1, density), (1, point)]);
        assert!(matches!(outcome_tree(&nature), Err(NotATree::Density)));
    }

    #[test]
    fn names_lead_to_forecasters() {
        let nature = natures::fair(3);
        for text in [
            "truthful",
            "constant:1/3",
            "rounded:4",
            "hedging",
            "patch-up",
            "grid-optimal:4",
            "hedge",
            "hedge:3",
        ] {
            let forecaster = named(text, &nature, Measure::StepCe).expect(text);
            let penalty =
                exact(&nature, &*forecaster, Measure::StepCe, 1 << 16).expect("few states");
            assert!(penalty.exact().is_some(), "{text}");
        }
        assert!(named("strategist", &natures::fair(20), Measure::StepCe).is_ok());
        let error =
            |text: &str| named(text, &nature, Measure::StepCe).err().expect("no forecaster");
        let complaint = |text: &str| error(text).to_string();
        assert!(complaint("truthfull").contains("did you mean truthful?"));
        assert!(complaint("xyzzy").contains("known forecasters: truthful constant:P"));
        assert!(complaint("truthful:3").contains("takes no parameter"));
        assert!(complaint("constant").contains("like constant:1/2"));
        assert!(complaint("constant:2").contains("greater than 1"));
        assert!(complaint("rounded").contains("like rounded:12"));
        assert!(complaint("strategist").contains("a multiple of 20"));
        assert!(complaint("rounded:0").contains("give a whole number from 1 to 1000000"));
        assert!(complaint("hedge:1").contains("bucket"));
        let dense = named("grid-optimal:4", &natures::uniform(2), Measure::StepCe);
        let dense = dense.err().expect("a density");
        assert!(dense.to_string().starts_with("\"grid-optimal:4\": p* has a density"), "{dense}");
        assert!(matches!(error("xyzzy"), ForecasterError::Unknown(_)));
        let problem = |text: &str| match error(text) {
            ForecasterError::Parameter { problem, .. } => problem,
            other => panic!("{other}"),
        };
        assert_eq!(problem("hedging:3"), ParameterError::Superfluous { name: "hedging" });
        assert_eq!(
            problem("rounded:x"),
            ParameterError::Whole { name: "rounded", most: 1_000_000 }
        );
        assert_eq!(problem("constant"), ParameterError::NoPrediction);
        assert_eq!(problem("strategist"), ParameterError::Strategist { rounds: 3 });
        assert_eq!(problem("hedge:1"), ParameterError::Hedge(HedgeError::Buckets(1)));
    }

    #[test]
    fn the_grid_optimum_pays_what_it_says() {
        let nature = natures::patch_up(4);
        let tree = outcome_tree(&nature).expect("four rounds");
        for measure in [Measure::StepCe, Measure::UCal, Measure::StepCeSub] {
            let optimum = on_grid(&tree, measure, 8, GRID_BUDGET).expect("a small grid");
            let best = exact(&nature, &optimum.forecaster, measure, 1 << 16).expect("few states");
            assert_eq!(best.exact(), Some(&optimum.value), "{measure}");
            let truth = exact(&nature, &Truthful, measure, 1 << 16).expect("few states");
            assert!(truth.exact() >= best.exact(), "{measure}");
        }
    }

    /// The first prediction is 1; then, one way or the other, what is remembered is what the
    /// forecaster itself knows.
    #[test]
    fn hedge_remembers_its_biases() {
        // From nine rounds and four buckets on, it matters to the mixtures how fast it learns.
        for (rounds, buckets) in [(6, 3), (9, 4), (20, 5), (30, 7)] {
            let hedge = Hedge::new(rounds, buckets).expect("some buckets");
            let mut forecaster = HedgeForecaster::new(rounds, buckets).expect("some buckets");
            let mut memory = hedge.start();
            for round in 0..rounds {
                let outcome = round * 7 % 5 < 2;
                let Rule::Mixture(points) = hedge.rule(round, &memory) else { panic!("a mixture") };
                assert_eq!(points, forecaster.predict().points().collect::<Vec<_>>());
                let (bucket, _) = forecaster.predict().weights().next().expect("a point");
                let outcomes = Outcomes { rounds: 1, ones: u64::from(outcome) };
                memory = hedge.remember(round, memory, &points[0].0, outcomes);
                forecaster.observe_at(bucket, outcome).expect("a round that is left");
            }
        }
        let hedge = Hedge::new(6, 3).expect("three buckets");
        assert_eq!(hedge.rule(0, &[0, 0, 0]).at(&p(1, 2)), [(Prediction::ONE, r("1"))]);
    }
}
