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
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

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
/// a number per level and the kinks.
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
    let mut places = Vec::with_capacity(levels.rows().len());
    let value = walk.least(&mut Kinks::default(), |place| places.push(place));
    let (residuals, signs) = walk.staircase(&places);
    let function = walk.function(&signs, places);
    SmCe { value, function, residuals }
}

/// The value of [`sm_ce`] alone, with room to be reused between calls.
pub(crate) fn sm_ce_value<N: Number>(levels: Table<'_, N>, room: &mut Kinks<N>) -> N::Wide {
    Walk::new(levels).least(room, |_| ())
}

/// Where the slope of C_j grows, and by how much.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kink<N> {
    place: N,
    weight: N,
}

/// The kinks of C_j. Those at 0 have weight without end.
#[derive(Clone, Debug)]
pub(crate) struct Kinks<N> {
    /// Strictly between 0 and B.
    inside: BinaryHeap<Kink<N>>,
    /// The weight at B.
    at_end: N,
}

impl<N: Number> Default for Kinks<N> {
    fn default() -> Self {
        Kinks { inside: BinaryHeap::new(), at_end: N::zero() }
    }
}

impl<N: Number> Kinks<N> {
    /// From C_{j-1} to C_j: adds gap · |y - walk| and levels what then rises. The least value grows
    /// by what is returned: levelling a weight lowers the slope between its place and `walk`.
    fn take(&mut self, end: &N, walk: &N, gap: N) -> N::Wide {
        if walk >= end {
            self.at_end += &gap;
            return gap.times(&(walk.clone() - end));
        }
        let mut growth = N::zero().widen();
        let mut needed = gap.clone();
        if self.at_end > N::zero() {
            let weight = self.at_end.clone().min(needed.clone());
            growth += &weight.times(&(end.clone() - walk));
            self.at_end -= &weight;
            needed -= &weight;
        }
        while needed > N::zero()
            && let Some(mut highest) = self.inside.peek_mut()
            && highest.place > *walk
        {
            let distance = highest.place.clone() - walk;
            if highest.weight > needed {
                growth += &needed.times(&distance);
                highest.weight -= &needed;
                needed = N::zero();
            } else {
                growth += &highest.weight.times(&distance);
                needed -= &highest.weight;
                PeekMut::pop(highest);
            }
        }
        if *walk > N::zero() {
            let weight = gap.clone() + &gap - &needed;
            self.inside.push(Kink { place: walk.clone(), weight });
        } else if needed > N::zero() {
            growth += &needed.times(&-walk.clone());
        }
        growth
    }

    /// The least minimiser of C_j.
    fn highest(&self, end: &N) -> N {
        if self.at_end > N::zero() {
            return end.clone();
        }
        self.inside.peek().map_or_else(N::zero, |kink| kink.place.clone())
    }
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

    /// From level j to the next.
    fn gap(&self, j: usize) -> N {
        let rows = self.levels.rows();
        rows[j + 1].value.clone() - &rows[j].value
    }

    /// How many gaps there are.
    fn gaps(&self) -> usize {
        self.levels.rows().len().saturating_sub(1)
    }

    /// |B| + the least Σ g_j |W_j - R_j|; `place` is told the least minimiser of each C_j.
    fn least(&self, kinks: &mut Kinks<N>, mut place: impl FnMut(N)) -> N::Wide {
        kinks.inside.clear();
        kinks.at_end = N::zero();
        let mut least = self.total.times(self.levels.unit());
        let mut walk = N::zero();
        for j in 0..self.gaps() {
            walk += &self.bias(j);
            least += &kinks.take(&self.total, &walk, self.gap(j));
            place(kinks.highest(&self.total));
        }
        least
    }

    /// The steps of the lowest of the best staircases, and the sign of each φ_j = W_j - R_j.
    fn staircase(&self, places: &[N]) -> (Vec<(usize, N)>, Vec<Ordering>) {
        let mut steps = Vec::new();
        let mut signs = vec![Ordering::Equal; places.len()];
        let (mut walk, mut height) = (self.total.clone(), &self.total);
        for (j, place) in places.iter().enumerate().rev() {
            if place < height {
                steps.push((j + 1, self.turn(height.clone() - place)));
                height = place;
            }
            walk -= &self.bias(j + 1);
            signs[j] = walk.cmp(height);
        }
        if *height > N::zero() {
            steps.push((0, self.turn(height.clone())));
        }
        steps.reverse();
        (steps, signs)
    }

    /// The breakpoints of the best function for a flow with these signs.
    fn function(&self, signs: &[Ordering], room: Vec<N>) -> Vec<(usize, N)> {
        let ceilings = (self.total > N::zero()).then(|| self.ceilings(signs, room));
        let mut height = match &ceilings {
            Some(ceilings) => ceilings.first().cloned().unwrap_or_else(N::zero),
            None => N::zero(),
        };
        let mut slope = None;
        let mut breakpoints = Vec::new();
        for (j, sign) in signs.iter().enumerate() {
            let gap = self.gap(j);
            let next = match &ceilings {
                Some(_) if sign.is_gt() => height.clone() - &gap,
                Some(ceilings) => ceilings[j + 1].clone().min(height.clone() + &gap),
                None => along(&height, sign.reverse(), &gap),
            };
            let before = std::mem::replace(&mut slope, slope_of(&next, &height, &gap));
            if slope.is_none() || slope != before {
                breakpoints.push((j, self.turn(height)));
            }
            height = next;
        }
        if !self.levels.rows().is_empty() {
            breakpoints.push((signs.len(), self.turn(height)));
        }
        breakpoints
    }

    /// What f can be at most if it is at most 1, falls no faster than by 1, and rises so where the
    /// flow is negative: an upper bound from the levels above.
    fn ceilings(&self, signs: &[Ordering], mut room: Vec<N>) -> Vec<N> {
        let unit = self.levels.unit();
        let mut ceiling = unit.clone();
        room.push(ceiling.clone());
        for (j, sign) in signs.iter().enumerate().rev() {
            let gap = self.gap(j);
            ceiling =
                if sign.is_lt() { ceiling - &gap } else { (ceiling + &gap).min(unit.clone()) };
            room[j] = ceiling.clone();
        }
        room
    }
}

/// Whether the slope is -1, 0 or 1, or none of these.
fn slope_of<N: Number>(to: &N, from: &N, run: &N) -> Option<Ordering> {
    let sign = to.cmp(from);
    (along(from, sign, run) == *to).then_some(sign)
}

/// The end of a line of slope -1, 0 or 1.
fn along<N: Number>(from: &N, slope: Ordering, run: &N) -> N {
    match slope {
        Ordering::Less => from.clone() - run,
        Ordering::Equal => from.clone(),
        Ordering::Greater => from.clone() + run,
    }
}
