//! The forecaster of thm:alg: stepCE of order √(T log T) in expectation, whatever happens.
//!
//! Predictions are on the grid 0, 1/(k-1), …, 1. With L_i = Σ (x_t - p_t) over the rounds with p_t
//! <= (i-1)/(k-1), Hedge gives the experts (σ, i), σ = ±1, weights proportional to exp(σ eta
//! L_i/2), where eta = √(8 ln(2k)/T). Let C_j = Σ_{i>=j} exp(eta L_i/2) - exp(-eta L_i/2). Then
//!
//! 1. if C_k >= 0, that is L_k >= 0, the prediction is 1;
//! 2. otherwise, if C_1 <= 0, it is 0;
//! 3. otherwise C_1 > 0 > C_k, and bisection of 1, …, 2^⌈log2 k⌉ (with C = 0 beyond k) ends at
//!    neighbours with C_j > 0 >= C_{j+1}: it is (j-1)/(k-1) with probability q = -C_{j+1}/(C_j -
//!    C_{j+1}), and j/(k-1) otherwise.
//!
//! The paper predicts 1 only if all C_j >= 0 and 0 only if all C_j <= 0, and takes any neighbours
//! with a change of sign otherwise. Where the rules differ nothing is lost: the loss of a step,
//! max(E C_p, 0) - E p C_p over the sum of all weights (per-step-identity), reads C at the
//! predicted points only. It is C_k - C_k = 0 in the first case and 0 in the second, as in the
//! paper; in the third the pair is one that the paper allows. So every step loses at most (3 -
//! 2√2)/(k-1), and E stepCE <= [`bound()`].
//!
//! A [`HedgeForecaster`] needs O(log k) time for a round. Doubles enter in the sums of weights
//! alone; what they decide is a function of the integers (k-1)L_i, the same on every machine and in
//! every run that comes to the same integers.
//!
//! The bounds are of the algorithm in real numbers. In doubles E C_p of a mixture is not 0 but,
//! over the sum of all weights, something that stayed below 1e-12 wherever it was compared with
//! another reading; a step may lose so much more.

pub mod adversary;
mod bound;
mod duel;
mod game;
mod mixture;
mod reading;
mod recalibrator;
mod record;
mod state;
mod tree;

use num_rational::BigRational;
use thiserror::Error;

use crate::enclosure::Enclosure;
use truecal::AnyLevels;
use truecal::Prediction;
use truecal::Random;

pub use bound::{bound, paper_bound};
pub use duel::expectation;
pub use duel::{Checkpoint, duel};
pub use game::{Forecast, Game, forecasts, signs};
pub use mixture::{Mixture, PROBABILITY_BITS};
pub use reading::{Exact, PredictionLaw, distance, moved, plain_law, reachable};
pub use recalibrator::{Grouping, Recalibrator};
pub use record::Cell;
use record::{Record, change, prefix_sums};
pub use state::{BucketTally, RunState, StateError};
use tree::Tree;

/// The most buckets: then (k-1)T is below 2^61.
pub const MAX_BUCKETS: usize = (1 << 20) + 1;

/// The most rounds.
pub const MAX_ROUNDS: u64 = 1_000_000_000_000;

/// Why there is no such forecaster, or a round cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HedgeError {
    /// Too few buckets, or too many.
    #[error("{0} buckets; there must be 2 to {MAX_BUCKETS}")]
    Buckets(usize),
    /// No rounds, or too many.
    #[error("{0} rounds; there must be 1 to {MAX_ROUNDS}")]
    Rounds(u64),
    /// A point that is not on the grid.
    #[error("bucket {bucket} of {buckets}, which are numbered from 0")]
    Point {
        /// What was given.
        bucket: usize,
        /// The number of buckets.
        buckets: usize,
    },
    /// All rounds have been played.
    #[error("all {0} rounds are over; plan more rounds, or do without a plan")]
    Over(u64),
    /// An outcome without a prediction.
    #[error("no prediction has been drawn in this round; call `sample` first, or `observe_at`")]
    NothingDrawn,
}

/// The number of buckets for so many rounds, unless another is asked for: ⌈√T⌉ + 1.
///
/// The losses of the steps then add up to at most (3 - 2√2) T/(k-1) <= 0.172 √T, less than the
/// regret of Hedge, which grows with ln k. More buckets would not lower the order; the paper takes
/// k = T, which has twice as large a logarithm.
pub fn default_buckets(rounds: u64) -> usize {
    let root = rounds.isqrt();
    (root + u64::from(root * root < rounds) + 1) as usize
}

/// The forecaster of thm:alg as it runs.
///
/// ```
/// use truecal::Random;
/// use truecal_lab::hedge::HedgeForecaster;
/// let mut forecaster = HedgeForecaster::new(1000, 33)?;
/// for round in 0..1000 {
///     let prediction = forecaster.sample(&mut Random::new(1, round));
///     // Anything may happen, but without regard to what was drawn just now.
///     forecaster.observe(round % 3 == 0)?;
/// }
/// assert!(forecaster.step_ce() < forecaster.bound());
/// # Ok::<(), truecal_lab::hedge::HedgeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HedgeForecaster {
    plan: Plan,
    whole: Record,
    restart: Restart,
    drawn: Option<usize>,
}

/// What is known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    Rounds(u64),
    /// Restarts with twice as many rounds each time, and so many buckets, or more each time.
    Doubling(Option<usize>),
}

/// The run of Hedge since the last restart.
#[derive(Clone, Debug, PartialEq)]
struct Restart {
    /// 0, 1, 2, …
    number: u32,
    /// For how many rounds it is.
    horizon: u64,
    /// How many of them are over.
    done: u64,
    tree: Tree,
    /// What was recorded before, on the present grid.
    before: Vec<Cell>,
}

impl HedgeForecaster {
    /// For a known number of rounds, and k buckets: predictions are multiples of 1/(k-1).
    pub fn new(rounds: u64, buckets: usize) -> Result<Self, HedgeError> {
        if !(1..=MAX_ROUNDS).contains(&rounds) {
            return Err(HedgeError::Rounds(rounds));
        }
        HedgeForecaster::planned(Plan::Rounds(rounds), buckets)
    }

    /// For any number of rounds: restarts for 1, 2, 4, … rounds, each with so many buckets; or with
    /// 2^⌈s/2⌉ + 1 in the restart for 2^s rounds, which is [about](default_buckets) √(2^s) and
    /// makes each grid contain those before it.
    pub fn doubling(buckets: Option<usize>) -> Result<Self, HedgeError> {
        HedgeForecaster::planned(Plan::Doubling(buckets), buckets.unwrap_or(2))
    }

    fn planned(plan: Plan, buckets: usize) -> Result<Self, HedgeError> {
        if !(2..=MAX_BUCKETS).contains(&buckets) {
            return Err(HedgeError::Buckets(buckets));
        }
        let whole = Record::new(buckets);
        let restart = plan.restart(0, &whole);
        Ok(HedgeForecaster { plan, whole, restart, drawn: None })
    }

    /// What to predict now: the law of the prediction. Cost: O(log k).
    pub fn predict(&self) -> Mixture {
        self.restart.tree.mixture()
    }

    /// The same from sums over all buckets, to compare with: it agrees but for rounding. Cost:
    /// O(k).
    pub fn predict_plainly(&self) -> Mixture {
        reading::Plain::new(&self.biases(), self.restart.tree.scale()).mixture()
    }

    /// Draws the prediction of this round. Drawn again before its outcome is observed, it stays the
    /// same.
    pub fn sample(&mut self, random: &mut Random) -> Prediction {
        let bucket = self.drawn.unwrap_or_else(|| self.predict().draw(random));
        self.drawn = Some(bucket);
        self.point(bucket)
    }

    /// The bucket of the prediction that was drawn, if its outcome has not been observed yet.
    pub fn drawn(&self) -> Option<usize> {
        self.drawn
    }

    /// The grid point of a bucket, which are numbered from 0. Panics beyond the last.
    pub fn point(&self, bucket: usize) -> Prediction {
        mixture::point(bucket, self.buckets())
    }

    /// The outcome of the prediction that was drawn. Cost: O(log k), and O(k) at a restart.
    pub fn observe(&mut self, outcome: bool) -> Result<(), HedgeError> {
        self.observe_at(self.drawn.ok_or(HedgeError::NothingDrawn)?, outcome)
    }

    /// The outcome of a prediction that somebody else drew. Any grid point is accepted; but the
    /// [`bound`](Self::bound) is for those that are drawn from [`predict`](Self::predict).
    pub fn observe_at(&mut self, bucket: usize, outcome: bool) -> Result<(), HedgeError> {
        let buckets = self.buckets();
        if bucket >= buckets {
            return Err(HedgeError::Point { bucket, buckets });
        }
        if self.is_over() {
            return Err(HedgeError::Over(self.rounds()));
        }
        self.restart.tree.add(bucket, change(buckets, bucket, outcome));
        self.restart.done += 1;
        self.whole.add(bucket, outcome);
        self.drawn = None;
        if self.restart.done == self.restart.horizon && matches!(self.plan, Plan::Doubling(_)) {
            let number = self.restart.number + 1;
            if self.plan.buckets(number).is_some_and(|next| next > buckets) {
                self.whole = self.whole.refined();
            }
            self.restart = self.plan.restart(number, &self.whole);
        }
        Ok(())
    }

    /// The number of buckets k.
    pub fn buckets(&self) -> usize {
        self.whole.cells().len()
    }

    /// How many rounds are over.
    pub fn rounds(&self) -> u64 {
        self.whole.rounds()
    }

    /// For how many rounds it is, if that was known.
    pub fn horizon(&self) -> Option<u64> {
        match self.plan {
            Plan::Rounds(rounds) => Some(rounds),
            Plan::Doubling(_) => None,
        }
    }

    /// The number of buckets, if it is the same in every restart.
    pub fn fixed_buckets(&self) -> Option<usize> {
        match self.plan {
            Plan::Rounds(_) => Some(self.buckets()),
            Plan::Doubling(buckets) => buckets,
        }
    }

    /// Whether no more rounds can be played.
    pub fn is_over(&self) -> bool {
        self.rounds() == self.horizon().unwrap_or(MAX_ROUNDS)
    }

    /// What was said and what happened: the rounds at each grid point.
    pub fn cells(&self) -> &[Cell] {
        self.whole.cells()
    }

    /// stepCE of all rounds so far. Exact. Cost: O(1).
    pub fn step_ce(&self) -> BigRational {
        self.whole.step_ce()
    }

    /// The level table of all rounds so far, for every measure. Exact. Cost: O(k log k).
    pub fn levels(&self) -> AnyLevels {
        self.whole.levels()
    }

    /// What E stepCE is at most after so many rounds as are over, whatever the adversary does.
    /// Rigorous, rounded up.
    ///
    /// For a known horizon T, after t rounds: (3 - 2√2) t/(k-1) + (1 + t/T) √(T ln(2k)/2), which is
    /// [`bound()`] for t = T.
    ///
    /// With restarts, the sum of their bounds. For every sign and threshold the sum of σ(x_t - p_t)
    /// over all rounds is the sum of those over the restarts, each at most the stepCE of its
    /// restart; so stepCE of the whole is at most the sum of theirs, and the expectation of each is
    /// bounded given all that came before. If restart m has begun, T >= 2^m, and Σ_{s<=m} 2^(s/2)
    /// <= (2 + √2) 2^(m/2): as k_s - 1 >= 2^(s/2), the sum is at most (2 + √2) ((3 - 2√2) √T + √(2T
    /// ln(2k))) with the present k, (2 + √2) times the bound for a known T.
    pub fn bound(&self) -> BigRational {
        let Restart { number, horizon, done, .. } = self.restart;
        let earlier = (0..number).map(|s| {
            let buckets = self.plan.buckets(s).unwrap_or(self.buckets());
            bound::bound_during(1 << s, 1 << s, buckets)
        });
        let now = match done {
            0 => Enclosure::from(0),
            _ => bound::bound_during(done, horizon, self.buckets()),
        };
        (earlier.sum::<Enclosure>() + now).high()
    }

    /// What to predict now, as rationals.
    pub fn law(&self) -> PredictionLaw {
        reading::tree_law(&self.restart.tree)
    }

    /// The mixture at these (k-1)L_1, …, (k-1)L_k in a run of T rounds.
    pub fn mixture_at(biases: &[i64], rounds: u64) -> Mixture {
        Tree::new(biases, tree::scale(rounds, biases.len())).mixture()
    }

    /// What would be predicted at these (k-1)L_1, …, (k-1)L_k in a run of T rounds.
    pub fn law_at(biases: &[i64], rounds: u64) -> PredictionLaw {
        reading::tree_law(&Tree::new(biases, tree::scale(rounds, biases.len())))
    }

    /// (k-1)L_1, …, (k-1)L_k of the present restart.
    pub fn biases(&self) -> Vec<i64> {
        self.restart.biases(&self.whole)
    }
}

impl Plan {
    /// The number of buckets in a restart, if it depends on the restart.
    fn buckets(self, number: u32) -> Option<usize> {
        match self {
            Plan::Doubling(None) => Some((1 << number.div_ceil(2)) + 1),
            _ => None,
        }
    }

    /// A restart with all of this before it.
    fn restart(self, number: u32, whole: &Record) -> Restart {
        let (horizon, before) = match self {
            Plan::Rounds(rounds) => (rounds, vec![]),
            Plan::Doubling(_) => (1 << number, whole.cells().to_vec()),
        };
        let buckets = whole.cells().len();
        let tree = Tree::new(&vec![0; buckets], tree::scale(horizon, buckets));
        Restart { number, horizon, done: 0, tree, before }
    }
}

impl Restart {
    fn biases(&self, whole: &Record) -> Vec<i64> {
        let before = record::biases(&self.before).chain(std::iter::repeat(0));
        prefix_sums(record::biases(whole.cells()).zip(before).map(|(all, before)| all - before))
    }
}

#[cfg(test)]
mod tests;
