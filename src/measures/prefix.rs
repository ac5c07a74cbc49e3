//! The measures that read the walk of prefix sums B_j = b_1 + … + b_j, with B_0 = 0.
//!
//! Each loop is a state and a step that takes the next level: a bounded proof can start from an
//! arbitrary state, and nothing allocates.

use crate::levels::Table;
use crate::number::Number;

/// The result of [`ece`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ece<N> {
    /// Σ |b_j|, in units.
    pub value: N,
    /// The part of it from levels where the event happened more often than forecast.
    pub under: N,
    /// The part of it from levels where it happened less often.
    pub over: N,
}

/// The expected calibration error of the distinct predictions, not of bins:
/// ECE = Σ_j |b_j|, the largest Σ f(p_t)(x_t - p_t) over all f into [-1, 1].
///
/// Exact. Cost: O(m).
///
/// ```
/// use truecal::{Level, Levels, measures};
/// let rows = vec![Level { value: 1, count: 2, ones: 2 }, Level { value: 3, count: 1, ones: 0 }];
/// let ece = measures::ece(Levels::<i64>::new(4, rows)?.table());
/// assert_eq!((ece.value, ece.under, ece.over), (9, 6, 3)); // 6/4 at 1/4, 3/4 at 3/4
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn ece<N: Number>(levels: Table<'_, N>) -> Ece<N> {
    let mut ece = Ece { value: N::zero(), under: N::zero(), over: N::zero() };
    for level in levels.rows() {
        ece.take(&level.bias(levels.unit()));
    }
    ece
}

impl<N: Number> Ece<N> {
    /// Takes in the next level.
    pub(crate) fn take(&mut self, bias: &N) {
        self.value += &bias.magnitude();
        if *bias > N::zero() {
            self.under += bias;
        } else {
            self.over -= bias;
        }
    }
}

/// The result of [`step_ce`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepCe<N> {
    /// max_j |B_j|, in units.
    pub value: N,
    /// The first level where it is attained, as a threshold α = v_j; `None` without rounds.
    pub level: Option<usize>,
    /// B_j there: positive when the event was under-forecast among predictions up to α.
    pub bias: N,
}

/// The step calibration error (L963): sup over α of |Σ (x_t - p_t) 1{p_t <= α}| = max_j |B_j|.
///
/// Exact; the supremum is attained. Cost: O(m).
///
/// ```
/// use truecal::{Level, Levels, measures};
/// // x = (1, 0), p = (1/2, 1): the prefix sums are 1/2 and -1/2.
/// let rows = vec![Level { value: 1, count: 1, ones: 1 }, Level { value: 2, count: 1, ones: 0 }];
/// let step = measures::step_ce(Levels::<i64>::new(2, rows)?.table());
/// assert_eq!((step.value, step.level, step.bias), (1, Some(0), 1));
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn step_ce<N: Number>(levels: Table<'_, N>) -> StepCe<N> {
    let mut scan = StepScan::new();
    for (index, level) in levels.rows().iter().enumerate() {
        scan.take(index, &level.bias(levels.unit()));
    }
    scan.best
}

/// The scan for stepCE after some levels: their prefix sum, and the best so far.
#[derive(Clone)]
pub(crate) struct StepScan<N> {
    pub prefix: N,
    pub best: StepCe<N>,
}

impl<N: Number> StepScan<N> {
    pub fn new() -> Self {
        let best = StepCe { value: N::zero(), level: None, bias: N::zero() };
        StepScan { prefix: N::zero(), best }
    }

    /// Takes in the next level.
    pub fn take(&mut self, index: usize, bias: &N) {
        self.prefix += bias;
        let value = self.prefix.magnitude();
        if value > self.best.value || self.best.level.is_none() {
            self.best = StepCe { value, level: Some(index), bias: self.prefix.clone() };
        }
    }
}

/// Where a threshold lies among the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignAt {
    /// On level `j`: α = v_j.
    Level(usize),
    /// Strictly between level `j - 1` and level `j`; gap 0 lies below all, gap m above all.
    Gap(usize),
}

/// The result of [`sign_ce`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignCe<N> {
    /// The supremum, in units.
    pub value: N,
    /// Where it is attained.
    pub place: SignAt,
    /// The signed sum there.
    pub sum: N,
}

/// The sign variant of the step calibration error (fact:equivfactor, L985):
/// sup over α in [0, 1] of |Σ (x_t - p_t) sgn(α - p_t)|.
///
/// At α = v_j the sum is B_{j-1} + B_j - B_m; in the gap above level j it is 2 B_j - B_m, where the
/// gaps below v_1 and above v_m exist only if v_1 > 0 and v_m < 1.
///
/// Exact; the supremum is attained. Cost: O(m).
///
/// ```
/// use truecal::{Level, Levels, measures::{self, SignAt}};
/// // x = (1, 0), p = (1/2, 1): the largest ratio to stepCE, 3.
/// let rows = vec![Level { value: 1, count: 1, ones: 1 }, Level { value: 2, count: 1, ones: 0 }];
/// let sign = measures::sign_ce(Levels::<i64>::new(2, rows)?.table());
/// assert_eq!((sign.value, sign.place), (3, SignAt::Gap(1)));
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn sign_ce<N: Number>(levels: Table<'_, N>) -> SignCe<N> {
    let (unit, rows) = (levels.unit(), levels.rows());
    let mut total = N::zero();
    for level in rows {
        total += &level.bias(unit);
    }

    let gap_below = rows.first().is_none_or(|lowest| lowest.value > N::zero());
    let mut scan = SignScan::new(total, gap_below);
    for (index, level) in rows.iter().enumerate() {
        let gap_above = index + 1 < rows.len() || level.value < *unit;
        scan.take(index, &level.bias(unit), gap_above);
    }
    scan.best
}

/// The scan for the sign variant after some levels: B_m, their prefix sum, and the best so far.
#[derive(Clone)]
pub(crate) struct SignScan<N> {
    pub total: N,
    pub prefix: N,
    pub best: SignCe<N>,
}

impl<N: Number> SignScan<N> {
    pub fn new(total: N, gap_below: bool) -> Self {
        let place = if gap_below { SignAt::Gap(0) } else { SignAt::Level(0) };
        let mut best = SignCe { value: N::zero(), place, sum: N::zero() };
        if gap_below {
            best.consider(SignAt::Gap(0), -total.clone());
        }
        SignScan { total, prefix: N::zero(), best }
    }

    /// Takes in the next level, and the gap above it if there is one.
    pub fn take(&mut self, index: usize, bias: &N, gap_above: bool) {
        let before = self.prefix.clone();
        self.prefix += bias;
        self.best.consider(SignAt::Level(index), before + &self.prefix - &self.total);
        if gap_above {
            let twice = self.prefix.clone() + &self.prefix;
            self.best.consider(SignAt::Gap(index + 1), twice - &self.total);
        }
    }
}

impl<N: Number> SignCe<N> {
    /// Takes another place if the sum there is larger.
    fn consider(&mut self, place: SignAt, sum: N) {
        let value = sum.magnitude();
        if value > self.value {
            *self = SignCe { value, place, sum };
        }
    }
}

/// The result of [`interval_ce`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalCe<N> {
    /// max B_j - min B_j, in units.
    pub value: N,
    /// The first and the last level of the interval; `None` if no interval has a bias.
    pub levels: Option<(usize, usize)>,
    /// The bias of the interval: positive when the event was under-forecast in it.
    pub bias: N,
}

/// The interval (cutoff) calibration error: sup over intervals I of |Σ (x_t - p_t) 1{p_t in I}|
/// = max_j B_j - min_j B_j, with B_0 = 0 among them. The Kuiper statistic is this number over T.
///
/// Exact; the supremum is attained. Cost: O(m).
///
/// ```
/// use truecal::{Level, Levels, measures};
/// let rows = vec![Level { value: 1, count: 1, ones: 1 }, Level { value: 2, count: 1, ones: 0 }];
/// let interval = measures::interval_ce(Levels::<i64>::new(2, rows)?.table());
/// assert_eq!((interval.value, interval.levels, interval.bias), (2, Some((1, 1)), -2));
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn interval_ce<N: Number>(levels: Table<'_, N>) -> IntervalCe<N> {
    let mut scan = RangeScan::new();
    for (index, level) in levels.rows().iter().enumerate() {
        scan.take(index, &level.bias(levels.unit()));
    }
    scan.into_result()
}

/// The range of B_0, …, B_j: each extreme with the number of levels summed where it is first
/// reached.
#[derive(Clone)]
pub(crate) struct RangeScan<N> {
    pub prefix: N,
    pub highest: (N, usize),
    pub lowest: (N, usize),
}

impl<N: Number> RangeScan<N> {
    pub fn new() -> Self {
        RangeScan { prefix: N::zero(), highest: (N::zero(), 0), lowest: (N::zero(), 0) }
    }

    /// Takes in the next level.
    pub fn take(&mut self, index: usize, bias: &N) {
        self.prefix += bias;
        if self.prefix > self.highest.0 {
            self.highest = (self.prefix.clone(), index + 1);
        }
        if self.prefix < self.lowest.0 {
            self.lowest = (self.prefix.clone(), index + 1);
        }
    }

    /// The interval between the extremes.
    pub fn into_result(self) -> IntervalCe<N> {
        let RangeScan { highest, lowest, .. } = self;
        let value = highest.0 - &lowest.0;
        match highest.1.cmp(&lowest.1) {
            std::cmp::Ordering::Equal => IntervalCe { value, levels: None, bias: N::zero() },
            std::cmp::Ordering::Greater => {
                let levels = Some((lowest.1, highest.1 - 1));
                IntervalCe { bias: value.clone(), value, levels }
            }
            std::cmp::Ordering::Less => {
                let levels = Some((highest.1, lowest.1 - 1));
                IntervalCe { bias: -value.clone(), value, levels }
            }
        }
    }
}
