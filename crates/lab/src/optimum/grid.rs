//! The best forecaster whose predictions are multiples of 1/D: backward induction over pasts and
//! level tables.
//!
//! What a forecaster will pay depends on its past through the level table so far and through what
//! nature does next. So histories are the same if their tables are and nature goes on alike; for
//! independent rounds the table is all there is.

use std::collections::{HashMap, HashSet};
use truecal::rational::common_denominator;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::OptimumError;
use super::tree::{OutcomeTree, TreeForecaster, outcomes};
use truecal::AnyLevels;
use truecal::Measure;
use truecal::{Level, Levels};

/// The largest denominator of a grid: two outcomes at each of its predictions fit a byte.
pub const MAX_GRID_DENOMINATOR: u32 = 127;

/// The default for the budget of [`on_grid`]: seconds.
pub const GRID_BUDGET: u128 = 1 << 25;

/// A best forecaster on a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridOptimum {
    /// Its penalty, which is at least OPT.
    pub value: BigRational,
    /// Of all that attain it, one that predicts the smallest numbers, the earliest rounds first.
    pub forecaster: TreeForecaster,
    /// How many level tables were told apart, with what nature does next.
    pub states: usize,
}

/// The best forecaster with predictions 0, 1/D, …, 1, for any measure.
///
/// Fails if the [cost](grid_cost) exceeds the budget. Panics if the denominator is 0 or more than
/// [`MAX_GRID_DENOMINATOR`].
///
/// ```
/// use truecal::Measure;
/// use truecal_lab::optimum::{GRID_BUDGET, OutcomeTree, on_grid};
/// let nature = OutcomeTree::product(&["1/4".parse()?, "1/2".parse()?])?;
/// let optimum = on_grid(&nature, Measure::UCal, 12, GRID_BUDGET)?;
/// assert_eq!(optimum.value, "11/8".parse()?); // the truth costs 3/2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_grid(
    tree: &OutcomeTree,
    measure: Measure,
    denominator: u32,
    budget: u128,
) -> Result<GridOptimum, OptimumError> {
    assert!((1..=MAX_GRID_DENOMINATOR).contains(&denominator), "a grid of 1/{denominator}");
    let cost = grid_cost(tree, measure, denominator);
    if cost > budget {
        return Err(OptimumError::TooCostly { denominator, cost, budget });
    }
    let mut induction = Induction::new(tree, measure, denominator);
    let value = induction.least(&[], &[]);
    let unit = &induction.end_unit * induction.units.iter().product::<BigInt>();
    let mut predictions = HashMap::new();
    induction.choose(&[], &[], &mut predictions);
    let forecaster = TreeForecaster::new(tree.rounds(), |past| match predictions.get(past) {
        Some(prediction) => BigRational::new((*prediction).into(), denominator.into()),
        None => tree.probability(past).clone(),
    });
    Ok(GridOptimum {
        value: BigRational::new(value, unit),
        forecaster: forecaster.expect("fractions of a small denominator"),
        states: induction.known.len(),
    })
}

/// About how many steps [`on_grid`] takes: in each state every prediction is tried, and at the end
/// the measure is evaluated, over all subsets of the rounds if it is an average.
pub fn grid_cost(tree: &OutcomeTree, measure: Measure, denominator: u32) -> u128 {
    let predictions = u128::from(denominator) + 1;
    let futures = futures(tree);
    let evaluation = match measure.subsampled_from() {
        None => 4,
        Some(_) => 4 << tree.rounds(),
    };
    let states = |rounds: usize| {
        let alike: HashSet<_> = outcomes(rounds).map(|past| futures[&past]).collect();
        // No more than tables for each future, and no more than pasts with predictions.
        let tables = (0..rounds as u128).fold(1, |n, t| n * (2 * predictions + t) / (t + 1));
        (tables * alike.len() as u128).min((2 * predictions).pow(rounds as u32))
    };
    let inner: u128 = (0..tree.rounds()).map(states).sum();
    inner * predictions + states(tree.rounds()) * evaluation
}

/// Equal numbers for pasts of one length after which nature goes on alike; 0 at the end.
fn futures(tree: &OutcomeTree) -> HashMap<Vec<bool>, usize> {
    let mut futures: HashMap<_, _> = outcomes(tree.rounds()).map(|past| (past, 0)).collect();
    for rounds in (0..tree.rounds()).rev() {
        let mut kinds = HashMap::new();
        for past in outcomes(rounds) {
            let next = [false, true].map(|x| futures[&[&past[..], &[x]].concat()]);
            let count = kinds.len();
            let kind = *kinds.entry((tree.probability(&past).clone(), next)).or_insert(count);
            futures.insert(past, kind);
        }
    }
    futures
}

/// The rounds so far, in order: for each twice the numerator of the prediction, and 1 more if the
/// event happened. It stands for the table.
type History = Vec<u8>;

struct Induction<'a> {
    tree: &'a OutcomeTree,
    measure: Measure,
    denominator: u32,
    futures: HashMap<Vec<bool>, usize>,
    /// A common denominator of the probabilities in each round.
    units: Vec<BigInt>,
    /// A common denominator of the values of the measure.
    end_unit: BigInt,
    /// The least penalty for each table and future, times the unit of the end and of the rounds
    /// from there on.
    known: HashMap<(History, usize), BigInt>,
}

impl<'a> Induction<'a> {
    fn new(tree: &'a OutcomeTree, measure: Measure, denominator: u32) -> Self {
        let unit = |t: usize| {
            let pasts: Vec<_> = outcomes(t).collect();
            common_denominator(pasts.iter().map(|past| tree.probability(past)))
        };
        // Values are integers over D, for smCE over D², for UCal over D times a difference of
        // predictions; and averages are over 2^T subsets.
        let differences = (1..=denominator).fold(BigInt::one(), |unit, d| unit.lcm(&d.into()));
        Induction {
            tree,
            measure,
            denominator,
            futures: futures(tree),
            units: (0..tree.rounds()).map(unit).collect(),
            end_unit: (differences * denominator) << tree.rounds(),
            known: HashMap::new(),
        }
    }

    /// The least penalty from here on.
    fn least(&mut self, past: &[bool], history: &[u8]) -> BigInt {
        let key = (history.to_vec(), self.futures[past]);
        if let Some(value) = self.known.get(&key) {
            return value.clone();
        }
        let value = match past.len() == self.tree.rounds() {
            true => self.at_end(history),
            false => self.best(past, history).0,
        };
        self.known.insert(key, value.clone());
        value
    }

    /// The least penalty, and the smallest prediction that leads to it.
    fn best(&mut self, past: &[bool], history: &[u8]) -> (BigInt, u32) {
        let (unit, denominator) = (self.units[past.len()].clone(), self.denominator);
        let event = self.tree.probability(past);
        let event = event.numer() * (&unit / event.denom());
        let chances = [(false, unit - &event), (true, event)];
        let tried = |prediction: u32| {
            let mut sum = BigInt::zero();
            for (x, chance) in chances.iter().filter(|(_, chance)| !chance.is_zero()) {
                let next = self.least(&[past, &[*x]].concat(), &with(history, prediction, *x));
                sum += chance * next;
            }
            (sum, prediction)
        };
        (0..=denominator).map(tried).min().expect("0 is a prediction")
    }

    /// The best predictions after each past that is possible.
    fn choose(&mut self, past: &[bool], history: &[u8], chosen: &mut HashMap<Vec<bool>, u32>) {
        if past.len() == self.tree.rounds() || self.tree.chance(past).is_zero() {
            return;
        }
        let (_, prediction) = self.best(past, history);
        chosen.insert(past.to_vec(), prediction);
        for x in [false, true] {
            self.choose(&[past, &[x]].concat(), &with(history, prediction, x), chosen);
        }
    }

    fn at_end(&self, history: &[u8]) -> BigInt {
        let rounds = history.iter().map(|code| (i64::from(code / 2), u64::from(code % 2)));
        let mut rows: Vec<Level<i64>> = vec![];
        for (prediction, one) in rounds {
            match rows.last_mut().filter(|row| row.value == prediction) {
                Some(row) => (row.count, row.ones) = (row.count + 1, row.ones + one),
                None => rows.push(Level { value: prediction, count: 1, ones: one }),
            }
        }
        let levels = Levels::new(self.denominator.into(), rows).expect("an ascending table");
        let value = AnyLevels::from(levels).evaluate(self.measure).value;
        value.numer() * (&self.end_unit / value.denom())
    }
}

fn with(history: &[u8], prediction: u32, x: bool) -> History {
    let code = 2 * prediction as u8 + u8::from(x); // at most 2 · 127 + 1
    let place = history.partition_point(|other| *other <= code);
    [&history[..place], &[code], &history[place..]].concat()
}
