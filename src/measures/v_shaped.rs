//! V-calibration and U-calibration: how much a decision maker could regret the forecasts.
//!
//! Both read one function of a threshold. With N_< the rounds predicted below α, X_< the ones among
//! them, and likewise above, g(α) = max(X_< - α N_<, α N_> - X_>). A round predicted exactly at α
//! counts on neither side; next to α it counts on one of them.

use crate::levels::{Level, Table};
use crate::number::Number;
use crate::ties::Ties;

/// The result of [`v_cal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VCal<N> {
    /// 2 sup g, in units.
    pub value: N,
    /// The level that α approaches, and from which side; `None` if the supremum is 0, which is
    /// g(0).
    pub limit: Option<(usize, Ties)>,
}

/// The V-calibration error (eq:V-calibration, L348) by its alternative form (prop:altform, L357): 2
/// sup g. On each gap between levels g is a maximum of a falling and a rising function, so the
/// supremum is 0 or a limit at a level: K_j - v_j N_j from above, or v_j N_{>=j} - K_{>=j} from
/// below, with N and K the cumulative counts and ones.
///
/// Exact; unless it is 0, the supremum is approached but not attained. Cost: O(m).
///
/// ```
/// use truecal::{Level, Levels, Ties, measures};
/// // x = (1), p = (0): a decision maker who trusts 0 regrets it at every α > 0.
/// let rows = vec![Level { value: 0, count: 1, ones: 1 }];
/// let v_cal = measures::v_cal(Levels::<i64>::new(1, rows)?.table());
/// assert_eq!((v_cal.value, v_cal.limit), (2, Some((0, Ties::Below))));
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn v_cal<N: Number>(levels: Table<'_, N>) -> VCal<N> {
    let mut scan = VScan::new(Sides::new(levels));
    for (index, level) in levels.rows().iter().enumerate() {
        scan.take(index, level, levels.unit());
    }
    scan.into_result()
}

/// The scan for VCal after some levels: what lies on both sides, and the best limit so far.
#[derive(Clone)]
pub(crate) struct VScan<N> {
    pub sides: Sides<N>,
    pub sup: N,
    pub limit: Option<(usize, Ties)>,
}

impl<N: Number> VScan<N> {
    pub fn new(sides: Sides<N>) -> Self {
        VScan { sides, sup: N::zero(), limit: None }
    }

    /// Takes in the next level.
    pub fn take(&mut self, index: usize, level: &Level<N>, unit: &N) {
        let above = self.sides.above(&level.value);
        self.consider(above, (index, Ties::Above));
        self.sides.pass(level, unit);
        let below = self.sides.below(&level.value);
        self.consider(below, (index, Ties::Below));
    }

    /// Takes another limit if it is larger.
    fn consider(&mut self, value: N, limit: (usize, Ties)) {
        if value > self.sup {
            (self.sup, self.limit) = (value, Some(limit));
        }
    }

    pub fn into_result(self) -> VCal<N> {
        VCal { value: self.sup.clone() + &self.sup, limit: self.limit }
    }
}

/// Counts and ones on both sides of a threshold that moves up through the levels.
#[derive(Clone)]
pub(crate) struct Sides<N> {
    /// N_< and N_>, where the level at the threshold counts as above until it is passed.
    pub below: u64,
    pub above: u64,
    /// X_< and X_>, in units.
    pub ones_below: N,
    pub ones_above: N,
}

impl<N: Number> Sides<N> {
    pub fn new(levels: Table<'_, N>) -> Self {
        Sides::over(levels.rounds(), levels.ones(), levels.unit())
    }

    /// So many rounds above, and so many ones among them.
    pub fn over(rounds: u64, ones: u64, unit: &N) -> Self {
        Sides {
            below: 0,
            above: rounds,
            ones_below: N::zero(),
            ones_above: unit.clone() * &N::from_count(ones),
        }
    }

    /// The threshold moves past a level.
    pub fn pass(&mut self, level: &Level<N>, unit: &N) {
        self.pass_rounds(level.count, level.ones, unit);
    }

    /// The threshold moves past some rounds.
    pub fn pass_rounds(&mut self, count: u64, ones: u64, unit: &N) {
        let ones = unit.clone() * &N::from_count(ones);
        self.below += count;
        self.above -= count;
        self.ones_below += &ones;
        self.ones_above -= &ones;
    }

    /// g on the side of the threshold where the level at it is counted now.
    pub fn height(&self, alpha: &N) -> N {
        self.below(alpha).max(self.above(alpha))
    }

    /// X_< - α N_<
    pub fn below(&self, alpha: &N) -> N {
        self.ones_below.clone() - &(alpha.clone() * &N::from_count(self.below))
    }

    /// α N_> - X_>
    pub fn above(&self, alpha: &N) -> N {
        alpha.clone() * &N::from_count(self.above) - &self.ones_above
    }
}

/// A point of the closed graph of g: the larger limit of g at a threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corner<N> {
    /// The threshold, in units.
    pub alpha: N,
    /// The larger of the two one-sided limits of g there, in units.
    pub height: N,
    /// Which of the two it is.
    pub ties: Ties,
}

/// The result of [`u_cal`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UCal<N: Number> {
    /// UCal is `numerator` / (`denominator` · unit).
    pub numerator: N::Wide,
    /// See `numerator`.
    pub denominator: N,
    /// The edge of the least concave majorant over 1/2: `left.alpha <= 1/2 <= right.alpha`. Its
    /// ends are the kinks of the worst scoring rule, its line is the proof that none is worse.
    pub left: Corner<N>,
    /// See `left`.
    pub right: Corner<N>,
}

/// The U-calibration error (eq:U-calibration, L332): the largest regret over all proper scoring
/// rules into [-1, 1]. It equals 4 ĝ(1/2), with ĝ the least concave majorant on [0, 1] of the
/// closure of g.
///
/// *Why.* A proper rule is, up to an affine part that cancels in the regret, a mixture μ of
/// V-shaped rules; staying within [-1, 1] costs ∫α dμ <= 1 and ∫(1-α) dμ <= 1; the regret of the
/// mixture is ∫2g dμ with the better side at ties. The best mixture puts mass 2 with mean 1/2 on
/// the two ends of the edge of ĝ over 1/2. A line u(1-α) + vα above g bounds every mixture by
/// 2(u+v); the line of that edge attains it.
///
/// Exact; the supremum is attained. Cost: O(m).
///
/// ```
/// use truecal::{Level, Levels, measures};
/// // x = (0, 1, 0), p = (3/8, 3/8, 1/2): UCal is 2, eight times stepCE.
/// let rows = vec![Level { value: 3, count: 2, ones: 1 }, Level { value: 4, count: 1, ones: 0 }];
/// let levels = Levels::<i64>::new(8, rows)?;
/// let u_cal = measures::u_cal(levels.table());
/// assert_eq!(u_cal.numerator, 2 * i128::from(u_cal.denominator) * 8);
/// assert_eq!(measures::step_ce(levels.table()).value, 2); // 1/4
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn u_cal<N: Number>(levels: Table<'_, N>) -> UCal<N> {
    u_cal_in(levels, &mut Vec::new())
}

/// [`u_cal`] with room for the majorant to be reused between calls.
pub fn u_cal_in<N: Number>(levels: Table<'_, N>, hull: &mut Vec<Corner<N>>) -> UCal<N> {
    let mut scan = UScan::new(Sides::new(levels), levels.unit(), hull);
    for level in levels.rows() {
        scan.take(level);
    }
    scan.into_result()
}

/// The scan for UCal after some levels: what lies on both sides, and the majorant of the corners so
/// far.
pub(crate) struct UScan<'a, N> {
    pub sides: Sides<N>,
    majorant: Majorant<'a, N>,
}

impl<'a, N: Number> UScan<'a, N> {
    pub fn new(sides: Sides<N>, unit: &'a N, hull: &'a mut Vec<Corner<N>>) -> Self {
        UScan { sides, majorant: Majorant::new(unit, hull) }
    }

    /// Takes in the next level.
    pub fn take(&mut self, level: &Level<N>) {
        let alpha = level.value.clone();
        let (below, above) = (self.sides.below(&alpha), self.sides.above(&alpha));
        self.sides.pass(level, self.majorant.unit);
        // Both parts of g grow by the bias of the level when it moves from one side to the other.
        let bias = self.sides.below(&alpha) - &below;
        let tied_above = below.max(above);
        self.corner(if bias >= N::zero() {
            Corner { alpha, height: tied_above + &bias, ties: Ties::Below }
        } else {
            Corner { alpha, height: tied_above, ties: Ties::Above }
        });
    }

    /// Takes in the next corner of the graph of g, or of a function above it.
    pub fn corner(&mut self, corner: Corner<N>) {
        self.majorant.corner(corner);
    }

    pub fn into_result(self) -> UCal<N> {
        self.majorant.into_result()
    }
}

/// The least concave majorant on [0, 1] of 0 at both ends and the corners so far, which ascend.
pub(crate) struct Majorant<'a, N> {
    unit: &'a N,
    hull: &'a mut Vec<Corner<N>>,
}

impl<'a, N: Number> Majorant<'a, N> {
    pub fn new(unit: &'a N, hull: &'a mut Vec<Corner<N>>) -> Self {
        hull.clear();
        Majorant { unit, hull }
    }

    /// Takes in the next corner.
    pub fn corner(&mut self, corner: Corner<N>) {
        if self.hull.is_empty() && corner.alpha > N::zero() {
            // g(0) = 0, and no larger limit without a level there
            self.hull.push(flat_end(N::zero()));
        }
        // The ends are at least 0 high, so that a corner between them sticks out only if it is
        // higher.
        let at_end = corner.alpha == N::zero() || corner.alpha == *self.unit;
        if at_end || corner.height > N::zero() {
            push_concave(self.hull, corner);
        }
    }

    /// Four times the majorant at 1/2, and the edge there.
    pub fn into_result(self) -> UCal<N> {
        let Majorant { unit, hull } = self;
        if hull.is_empty() {
            hull.push(flat_end(N::zero()));
        }
        if hull.last().is_some_and(|highest| highest.alpha < *unit) {
            push_concave(hull, flat_end(unit.clone()));
        }

        let over_half = |corner: &Corner<N>| corner.alpha.clone() + &corner.alpha >= *unit;
        let right = hull.iter().skip(1).position(over_half).expect("the majorant ends at 1") + 1;
        let (left, right) = (hull[right - 1].clone(), hull[right].clone());

        let numerator = four_at_half(&left, &right, unit);
        UCal { numerator, denominator: right.alpha.clone() - &left.alpha, left, right }
    }
}

/// g where it ends without a level.
fn flat_end<N: Number>(alpha: N) -> Corner<N> {
    Corner { alpha, height: N::zero(), ties: Ties::Below }
}

/// Four times the height over 1/2 of the edge between two corners, times its length, in squared
/// units: 4 ĝ(1/2) = (2 g_l (2 a_r - 1) + 2 g_r (1 - 2 a_l)) / (a_r - a_l).
pub(crate) fn four_at_half<N: Number>(left: &Corner<N>, right: &Corner<N>, unit: &N) -> N::Wide {
    let twice = |number: &N| number.clone() + number;
    twice(&left.height).times(&(twice(&right.alpha) - unit))
        + &twice(&right.height).times(&(unit.clone() - &twice(&left.alpha)))
}

/// Adds a corner to the right of an upper hull and removes those that no longer stick out.
fn push_concave<N: Number>(hull: &mut Vec<Corner<N>>, corner: Corner<N>) {
    while let [.., a, b] = hull.as_slice() {
        // Mostly it shows without a product: the highest of three, or the lowest in the middle.
        if b.height > a.height && b.height > corner.height {
            break;
        }
        if b.height <= a.height && b.height <= corner.height {
            hull.pop();
            continue;
        }
        let rise_before = (b.height.clone() - &a.height).times(&(corner.alpha.clone() - &b.alpha));
        let rise_after = (corner.height.clone() - &b.height).times(&(b.alpha.clone() - &a.alpha));
        if rise_before > rise_after {
            break;
        }
        hull.pop();
    }
    hull.push(corner);
}
