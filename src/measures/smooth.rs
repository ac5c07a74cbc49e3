//! The smooth calibration error: a linear programme over Lipschitz functions, solved as a monotone
//! regression of the walk of biases.
//!
//! The dual of the programme is a flow between neighbouring levels. What stays of it adds up to a
//! staircase from 0 to the total bias, and the best staircase is the one nearest to the walk, with
//! the gaps between the levels as weights. One pass with a heap of kinks finds it; the function
//! follows from the signs of the flow, by complementary slackness. Two stacks
//! ([`smooth_scan`](super::smooth_scan)) solve the programme itself, without its dual: they serve
//! walks over subsets, and tests compare the two.

use std::cmp::Ordering;

use super::kinks::Kinks;
use crate::levels::Table;
use crate::number::Number;

/// The result of [`sm_ce`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmCe<N: Number> {
    /// smCE is `value` / unit².
    pub value: N::Wide,
    /// The Lipschitz function by its breakpoints, ascending: the number of a level, from 0, and f
    /// there, in units. The first and the last level are among them, and f is linear in between,
    /// with slope -1, 0 or 1 wherever levels are left out.
    pub function: Vec<(usize, N)>,
    /// The proof that no function does better: the numbers of the levels, ascending, at which
    /// something of the flow stays, and how much, in units.
    ///
    /// The flow φ_j from level j to level j + 1 is φ_{j-1} + b_j - r_j (φ_0 = φ_m = 0), where r_j
    /// stays. For every f that is admissible, Σ f(v_j) b_j = Σ f(v_j) r_j +
    /// Σ (f(v_j) - f(v_{j+1})) φ_j is at most Σ |r_j| + Σ (v_{j+1} - v_j) |φ_j|, which equals the
    /// value.
    pub residuals: Vec<(usize, N)>,
}

impl<N: Number> SmCe<N> {
    /// f at each level of the table that this is the result of, in units.
    pub fn heights(&self, levels: Table<'_, N>) -> Vec<N> {
        let mut heights = Vec::with_capacity(levels.rows().len());
        for ends in self.function.windows(2) {
            let [(first, from), (last, to)] = ends else { unreachable!("two at a time") };
            let rise = to.cmp(from);
            for level in &levels.rows()[*first..*last] {
                let run = level.value.clone() - &levels.rows()[*first].value;
                heights.push(along(from, rise, &run));
            }
        }
        heights.extend(self.function.last().map(|(_, height)| height.clone()));
        heights
    }

    /// The flow from each level to the next, in units.
    pub fn flow(&self, levels: Table<'_, N>) -> Vec<N> {
        let mut residuals = self.residuals.iter().peekable();
        let mut flow = N::zero();
        let mut out_of = |(j, bias): (usize, N)| {
            flow += &bias;
            if let Some((_, stays)) = residuals.next_if(|(level, _)| *level == j) {
                flow -= stays;
            }
            flow.clone()
        };
        let flows = levels.rows().len().saturating_sub(1);
        levels.biases().take(flows).enumerate().map(&mut out_of).collect()
    }
}

/// The smooth calibration error (L385): the largest Σ f(p_t)(x_t - p_t) over 1-Lipschitz functions
/// f from [0, 1] to [-1, 1]. Only the values f(v_j) matter, and only neighbours constrain each
/// other.
///
/// By duality smCE is the least Σ |r_j| + Σ g_j |φ_j| over flows φ between neighbours, where
/// g_j = v_{j+1} - v_j and r_j = b_j + φ_{j-1} - φ_j stays at level j. With the walk
/// W_j = b_1 + … + b_j and R_j = r_1 + … + r_j this is the least total variation of R plus
/// Σ g_j |W_j - R_j|, where R goes from R_0 = 0 to R_m = B, the total bias. Let B >= 0; otherwise
/// all signs are turned. The gaps add up to at most 1, so R may be taken to rise and to stay in
/// \[0, B\]: cutting off an excursion of height h beyond \[0, B\] saves 2h of variation, putting
/// the running maximum in place of an R that falls by h in all saves 2h, and both move R by at most
/// h, which costs at most h. A rising R varies by B, so that
///
/// smCE = |B| + the least Σ g_j |W_j - R_j| over 0 <= R_1 <= … <= R_{m-1} <= B.
///
/// Let C_j(y) be the least sum up to g_j |W_j - R_j| with R_j <= y: convex, piecewise linear and
/// falling to a least value. The next term adds a kink of 2 g at W and g to every slope beyond; the
/// slopes that are positive now, g in all at the highest kinks, are levelled. The highest kink that
/// is left is the least minimiser of C_j. Backwards, R_j is this place or R_{j+1}, whichever is
/// lower: the lowest of the best staircases.
///
/// The function must fall as steeply as it may where φ_j > 0, rise so where φ_j < 0, and be 1 where
/// R rises. The largest f <= 1 that does the former does the latter; if B = 0, nothing is asked of
/// its height, and it starts from 0.
///
/// Exact; the supremum is attained. Nothing overflows: W and R are at most T·D for the unit D,
/// their difference 2·T·D, and the weights of the kinks 2·D. Everything that is added up in the
/// wide type is at least 0, and the sum is the value, at most T·D². Cost: O(m log m), and room for
/// the kinks and the stairs of R, at most one of each for a level.
///
/// ```
/// use truecal::{Level, Levels, measures};
/// // x = (1, 0, 0), p = (0, 1, 1): f falls from 0 at 0 to -1 at 1, where -1 stays.
/// let rows = vec![Level { value: 0, count: 1, ones: 1 }, Level { value: 1, count: 2, ones: 0 }];
/// let levels = Levels::<i64>::new(1, rows)?;
/// let smooth = measures::sm_ce(levels.table());
/// assert_eq!((smooth.value, smooth.flow(levels.table())), (2, vec![1]));
/// assert_eq!((smooth.function, smooth.residuals), (vec![(0, 0), (1, -1)], vec![(1, -1)]));
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn sm_ce<N: Number>(levels: Table<'_, N>) -> SmCe<N> {
    let walk = Walk::new(levels);
    let mut stairs = vec![];
    let value = walk.least(&mut Kinks::default(), |gap, place| rise(&mut stairs, gap, place));
    rise(&mut stairs, walk.gaps(), walk.total.clone());
    let function = walk.function(&mut walk.runs(&stairs));
    SmCe { value, function, residuals: walk.residuals(&stairs) }
}

/// The value of [`sm_ce`] alone, with room to be reused between calls.
pub(crate) fn sm_ce_value<N: Number>(levels: Table<'_, N>, room: &mut Kinks<N>) -> N::Wide {
    Walk::new(levels).least(room, |_, _| ())
}

/// The walk of the biases, turned so that it ends at B >= 0.
struct Walk<'a, N> {
    levels: Table<'a, N>,
    turned: bool,
    /// B
    total: N,
}

impl<'a, N: Number> Walk<'a, N> {
    fn new(levels: Table<'a, N>) -> Self {
        let mut total = N::zero();
        levels.biases().for_each(|bias| total += &bias);
        Walk { levels, turned: total < N::zero(), total: total.magnitude() }
    }

    fn turn(&self, number: N) -> N {
        if self.turned { -number } else { number }
    }

    fn bias(&self, j: usize) -> N {
        self.turn(self.levels.rows()[j].bias(self.levels.unit()))
    }

    /// From one level to another.
    fn between(&self, low: usize, high: usize) -> N {
        let rows = self.levels.rows();
        rows[high].value.clone() - &rows[low].value
    }

    /// From level j to the next.
    fn gap(&self, j: usize) -> N {
        self.between(j, j + 1)
    }

    /// How many gaps there are.
    fn gaps(&self) -> usize {
        self.levels.rows().len().saturating_sub(1)
    }

    /// |B| + the least Σ g_j |W_j - R_j|; `place` is told the least minimiser of each C_j.
    fn least(&self, kinks: &mut Kinks<N>, mut place: impl FnMut(usize, N)) -> N::Wide {
        kinks.clear();
        let mut least = self.total.times(self.levels.unit());
        let mut walk = N::zero();
        for j in 0..self.gaps() {
            walk += &self.bias(j);
            least += &kinks.take(&self.total, &walk, self.gap(j));
            place(j, kinks.highest(&self.total));
        }
        least
    }

    /// How much stays at each level where something does: by how much R rises there.
    fn residuals(&self, stairs: &[Stair<N>]) -> Vec<(usize, N)> {
        let mut residuals = vec![];
        let (mut level, mut below) = (0, N::zero());
        for Stair { last, height } in stairs {
            if *height > below {
                residuals.push((level, self.turn(height.clone() - &below)));
            }
            (level, below) = (last + 1, height.clone());
        }
        residuals
    }

    /// The gaps by the sign of the flow φ_j = W_j - R_j, as far as it stays the same.
    fn runs(&self, stairs: &[Stair<N>]) -> Vec<Run<N>> {
        let mut runs: Vec<Run<N>> = vec![];
        let mut walk = N::zero();
        let mut start = 0;
        for Stair { last, height } in stairs {
            let end = (last + 1).min(self.gaps());
            for j in start..end {
                walk += &self.bias(j);
                let sign = walk.cmp(height);
                match runs.last_mut().filter(|run| run.sign == sign) {
                    Some(run) => run.end = j + 1,
                    None => runs.push(Run { end: j + 1, sign, ceiling: N::zero() }),
                }
            }
            start = end;
        }
        runs
    }

    /// The breakpoints of the best function for a flow with these signs.
    fn function(&self, runs: &mut [Run<N>]) -> Vec<(usize, N)> {
        let first = self.ceilings(runs);
        if self.levels.rows().is_empty() {
            return vec![];
        }
        let is_flat = self.total == N::zero();
        let height = if is_flat { N::zero() } else { first };
        let mut line = Line { at: 0, height, slope: None, breakpoints: vec![] };
        for Run { end, sign, ceiling } in runs {
            if sign.is_ne() || is_flat {
                let next = along(&line.height, sign.reverse(), &self.between(line.at, *end));
                line.goes_to(*end, next, self);
                continue;
            }
            for level in line.at + 1..=*end {
                let most = self.ceiling_before(ceiling, level, *end);
                let next = most.min(line.height.clone() + &self.between(level - 1, level));
                line.goes_to(level, next, self);
            }
        }
        line.breakpoints.push((line.at, self.turn(line.height)));
        line.breakpoints
    }

    /// What f can be at most if it is at most 1, falls no faster than by 1, and rises so where the
    /// flow is negative: an upper bound from the levels above. Notes it at the end of each run;
    /// what it is at the first level is returned.
    fn ceilings(&self, runs: &mut [Run<N>]) -> N {
        let mut ceiling = self.levels.unit().clone();
        for index in (0..runs.len()).rev() {
            let start = if index == 0 { 0 } else { runs[index - 1].end };
            let run = &mut runs[index];
            run.ceiling = ceiling.clone();
            ceiling = match run.sign {
                Ordering::Less => ceiling - &self.between(start, run.end),
                _ => self.ceiling_before(&ceiling, start, run.end),
            };
        }
        ceiling
    }

    /// What f can be at most at a level, if it is at most `ceiling` at a later one and nothing
    /// makes it rise in between.
    fn ceiling_before(&self, ceiling: &N, level: usize, later: usize) -> N {
        (ceiling.clone() + &self.between(level, later)).min(self.levels.unit().clone())
    }
}

/// A stair of R: up to which gap it goes, and its height.
#[derive(Debug)]
struct Stair<N> {
    last: usize,
    height: N,
}

/// R_j is at most `height` for the gap j and all before it, which leaves fewer stairs or one more.
fn rise<N: Number>(stairs: &mut Vec<Stair<N>>, gap: usize, height: N) {
    while stairs.last().is_some_and(|stair| stair.height >= height) {
        stairs.pop();
    }
    stairs.push(Stair { last: gap, height });
}

/// Gaps with the same sign of the flow, up to the level at which they end.
struct Run<N> {
    end: usize,
    sign: Ordering,
    /// What f can be at most at that level.
    ceiling: N,
}

/// The graph of f, as far as it has been drawn: the breakpoints, and where it is now.
struct Line<N> {
    at: usize,
    height: N,
    /// The slope up to here, if it is -1, 0 or 1.
    slope: Option<Ordering>,
    breakpoints: Vec<(usize, N)>,
}

impl<N: Number> Line<N> {
    /// Draws a straight line to a level.
    fn goes_to(&mut self, level: usize, next: N, walk: &Walk<'_, N>) {
        let slope = slope_of(&next, &self.height, &walk.between(self.at, level));
        let height = std::mem::replace(&mut self.height, next);
        if slope.is_none() || slope != self.slope {
            self.breakpoints.push((self.at, walk.turn(height)));
        }
        (self.at, self.slope) = (level, slope);
    }
}

/// Whether the slope is -1, 0 or 1, or none of these.
pub(super) fn slope_of<N: Number>(to: &N, from: &N, run: &N) -> Option<Ordering> {
    let sign = to.cmp(from);
    (along(from, sign, run) == *to).then_some(sign)
}

/// The end of a line of slope -1, 0 or 1.
pub(super) fn along<N: Number>(from: &N, slope: Ordering, run: &N) -> N {
    match slope {
        Ordering::Less => from.clone() - run,
        Ordering::Equal => from.clone(),
        Ordering::Greater => from.clone() + run,
    }
}
