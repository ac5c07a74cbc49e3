//! The functions of a threshold that the proofs speak of, as they are defined: sums over the
//! rounds, no level table, no prefix sum, nothing from [`truecal::measures`].

use std::fmt;

use num_rational::Ratio;

use crate::claims::tools::tables;
use truecal::Levels;
use truecal_verify::registry::{Check, Evidence, FiniteCheck, Scope};

/// A sequence of T rounds with predictions on a grid 1/D, all numbers in units of 1/(6 D T).
///
/// The predictions, the mean outcome, 0 and 1 are then multiples of 6, and there is room between
/// any two of them for the two points that determine an affine function.
#[derive(Clone, Debug)]
pub(in crate::claims) struct Rounds {
    /// What stands for 1.
    pub unit: i64,
    /// Outcome (0 or `unit`) and prediction.
    pub rounds: Vec<(i64, i64)>,
    /// The mean outcome.
    pub mean: i64,
}

/// Every sequence, up to order, with T <= 4 and predictions in multiples of 1/6.
pub(in crate::claims) fn sweep() -> impl Iterator<Item = Rounds> {
    tables(4, 6).map(|levels| Rounds::of(&levels))
}

/// A check of a statement about single thresholds on [`sweep`]: breakpoints, points between them
/// and one-sided limits stand for every α, as the functions are affine in between.
pub(in crate::claims) const fn pointwise(title: &'static str, run: fn(&mut Evidence)) -> Check {
    let covers = "T <= 4, D = 6, every alpha";
    Check::Finite(FiniteCheck { title, scope: Scope::Cases, covers, run, place: "", proofs: &[] })
}

impl Rounds {
    /// At least one round: outcome and prediction in multiples of 1/`grid`.
    pub fn new(grid: i64, rounds: &[(bool, i64)]) -> Self {
        let count = i64::try_from(rounds.len()).expect("a short sequence");
        let unit = 6 * grid * count;
        let scaled = |&(x, p): &(bool, i64)| (i64::from(x) * unit, 6 * count * p);
        let rounds: Vec<_> = rounds.iter().map(scaled).collect();
        let mean = rounds.iter().map(|(x, _)| x).sum::<i64>() / count;
        Rounds { unit, rounds, mean }
    }

    /// The rounds of a level table, ascending.
    pub fn of(levels: &Levels<i64>) -> Self {
        let mut rounds = vec![];
        for level in levels.table().rows() {
            let ones = (0..level.count).map(|round| round >= level.count - level.ones);
            rounds.extend(ones.map(|x| (x, level.value)));
        }
        Rounds::new(*levels.table().unit(), &rounds)
    }

    /// Σ over the rounds.
    pub fn sum(&self, term: impl Fn(i64, i64) -> i64) -> i64 {
        self.rounds.iter().map(|&(x, p)| term(x, p)).sum()
    }

    /// X_- - α N_-
    pub fn under(&self, alpha: i64) -> i64 {
        self.sum(|x, p| if p < alpha { x - alpha } else { 0 })
    }

    /// α N_+ - X_+
    pub fn over(&self, alpha: i64) -> i64 {
        self.sum(|x, p| if p > alpha { alpha - x } else { 0 })
    }

    /// g(α), the larger of the two.
    pub fn g(&self, alpha: i64) -> i64 {
        self.under(alpha).max(self.over(alpha))
    }

    /// f(α) = Σ (x_t - α) sgn(α - p_t) - Σ (x_t - α) sgn(α - μ), for any real α.
    pub fn f(&self, alpha: i64) -> i64 {
        self.f_with(i64::signum, alpha)
    }

    /// The same with another function for sgn.
    pub fn f_with(&self, sgn: impl Fn(i64) -> i64, alpha: i64) -> i64 {
        self.sum(|x, p| (x - alpha) * (sgn(alpha - p) - sgn(alpha - self.mean)))
    }

    /// Σ (x_t - p_t) 1{p_t <= α}
    pub fn step(&self, alpha: i64) -> i64 {
        self.sum(|x, p| if p <= alpha { x - p } else { 0 })
    }

    /// Σ (x_t - p_t) sgn(α - p_t)
    pub fn sign(&self, alpha: i64) -> i64 {
        self.sum(|x, p| (x - p) * (alpha - p).signum())
    }

    /// Σ (x_t - p_t)
    pub fn bias(&self) -> i64 {
        self.sum(|x, p| x - p)
    }

    /// stepCE: the largest |step(α)|. Between breakpoints step is constant, so one point of each
    /// gap will do.
    pub fn step_ce(&self) -> i64 {
        self.places().into_iter().map(|alpha| self.step(alpha).abs()).max().expect("0 is a place")
    }

    /// sup |sign(α)|, likewise.
    pub fn sign_ce(&self) -> i64 {
        self.places().into_iter().map(|alpha| self.sign(alpha).abs()).max().expect("0 is a place")
    }

    /// The distinct predictions, ascending.
    pub fn levels(&self) -> Vec<i64> {
        ascending(self.rounds.iter().map(|&(_, p)| p))
    }

    /// The set S of the predictions and the mean, ascending.
    pub fn atoms(&self) -> Vec<i64> {
        ascending(self.levels().into_iter().chain([self.mean]))
    }

    /// S with 0 and 1. Between neighbours among them all functions here are affine.
    pub fn breakpoints(&self) -> Vec<i64> {
        ascending(self.atoms().into_iter().chain([0, self.unit]))
    }

    /// Points of [0, 1] outside S: the middle of every gap and a point next to each of its ends; 0
    /// and 1 if they are not in S.
    pub fn typical(&self) -> Vec<i64> {
        let breakpoints = self.breakpoints();
        let gaps = breakpoints.windows(2);
        let inner = gaps.flat_map(|gap| [gap[0] + 2, i64::midpoint(gap[0], gap[1]), gap[1] - 2]);
        let atoms = self.atoms();
        ascending(inner.chain([0, self.unit].into_iter().filter(|end| !atoms.contains(end))))
    }

    /// Breakpoints and points between them.
    pub fn places(&self) -> Vec<i64> {
        ascending(self.breakpoints().into_iter().chain(self.typical()))
    }

    /// Every one-sided limit at a breakpoint from inside [0, 1].
    pub fn limits(&self) -> Vec<Limit> {
        let (unit, breakpoints) = (self.unit, self.breakpoints());
        let sides = |at: i64| [Limit { at, side: -1 }, Limit { at, side: 1 }];
        let inside = |limit: &Limit| (0..=unit).contains(&(limit.at + limit.side));
        breakpoints.into_iter().flat_map(sides).filter(inside).collect()
    }

    /// Places and limits: what is claimed for every α is tried at each.
    pub fn spots(&self) -> impl Iterator<Item = Spot> {
        let places = self.places().into_iter().map(Spot::At);
        places.chain(self.limits().into_iter().map(Spot::Near))
    }

    /// The supremum over [0, 1] of a function that is affine between breakpoints: the largest of
    /// its values and one-sided limits there.
    pub fn sup(&self, function: impl Fn(i64) -> i64) -> i64 {
        let values = self.breakpoints().into_iter().map(&function);
        let limits = self.limits().into_iter().map(|limit| limit.of(&function));
        values.chain(limits).max().expect("0 is a breakpoint")
    }

    /// A number in units as a rational.
    pub fn ratio(&self, number: i64) -> Ratio<i64> {
        Ratio::new(number, self.unit)
    }

    /// The sequence and a threshold, for the first line of an arithmetic.
    pub fn at(&self, alpha: i64) -> String {
        format!("{self}, alpha = {}", self.ratio(alpha))
    }
}

/// α -> at from the side -1 (below) or 1 (above).
#[derive(Clone, Copy, Debug)]
pub(in crate::claims) struct Limit {
    pub at: i64,
    pub side: i64,
}

impl Limit {
    /// The limit of a function that is affine on the gap, which is at least 6 wide: that of the
    /// line through two points of the gap.
    pub fn of(self, function: impl Fn(i64) -> i64) -> i64 {
        2 * function(self.at + 2 * self.side) - function(self.at + 4 * self.side)
    }

    /// The sequence and the limit, for the first line of an arithmetic.
    pub fn name(self, rounds: &Rounds) -> String {
        let side = if self.side < 0 { "from below" } else { "from above" };
        format!("{rounds}, alpha -> {} {side}", rounds.ratio(self.at))
    }
}

/// A threshold, or one that is approached.
#[derive(Clone, Copy, Debug)]
pub(in crate::claims) enum Spot {
    At(i64),
    Near(Limit),
}

impl Spot {
    /// The value or the limit of a function that is affine between breakpoints.
    pub fn of(self, function: impl Fn(i64) -> i64) -> i64 {
        match self {
            Spot::At(alpha) => function(alpha),
            Spot::Near(limit) => limit.of(function),
        }
    }

    /// The sequence and the spot, for the first line of an arithmetic.
    pub fn name(self, rounds: &Rounds) -> String {
        match self {
            Spot::At(alpha) => rounds.at(alpha),
            Spot::Near(limit) => limit.name(rounds),
        }
    }
}

/// `x = (1,0), p = (1/2,1)`
impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |of: fn(&(i64, i64)) -> i64| -> String {
            let texts: Vec<_> =
                self.rounds.iter().map(|round| self.ratio(of(round)).to_string()).collect();
            texts.join(",")
        };
        write!(f, "x = ({}), p = ({})", list(|(x, _)| *x), list(|(_, p)| *p))
    }
}

fn ascending(numbers: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut numbers: Vec<i64> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
