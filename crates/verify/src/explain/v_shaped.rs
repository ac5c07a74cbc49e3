//! VCal and UCal: from g(α) = max(X_< - α N_<, α N_> - X_>) and its limits at the levels.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use truecal::rational::int;

use super::text::{columns, joined, operand, wrap};
use super::{Ledger, first_largest};

/// What g is, for both measures.
const G: &str =
    "g(alpha) = max(X_< - alpha N_<, alpha N_> - X_>); N rounds, X ones predicted on that side";

/// 2 sup g
pub(super) fn v_cal(ledger: &Ledger) -> BigRational {
    int(2) * limits(ledger).into_iter().map(|limit| limit.height).max().unwrap_or_default()
}

pub(super) fn v_cal_lines(ledger: &Ledger) -> Vec<String> {
    let limits = limits(ledger);
    let decisive = first_largest(limits.iter().map(|limit| &limit.height));
    let mut lines = vec![G.to_owned()];
    lines.extend(columns(&["alpha", "g"], limits.len(), Some(decisive), |index| {
        let Limit { alpha, approach, height } = &limits[index];
        match approach {
            Approach::At => vec![alpha.to_string(), height.to_string()],
            Approach::FromBelow(sides) => vec![
                format!("{alpha} from below"),
                format!("alpha N_> - X_> = {} = {height}", sides.above_text(alpha)),
            ],
            Approach::FromAbove(sides) => vec![
                format!("{alpha} from above"),
                format!("X_< - alpha N_< = {} = {height}", sides.below_text(alpha)),
            ],
        }
    }));
    let sup = &limits[decisive].height;
    lines.extend(wrap(&format!("VCal = 2 sup g = 2 · {sup} = {}", int(2) * sup)));
    lines
}

/// A value or limit of g that can be its supremum.
struct Limit {
    alpha: BigRational,
    approach: Approach,
    height: BigRational,
}

/// How α is approached, and what lies on its sides on the way.
enum Approach {
    At,
    FromBelow(Sides),
    FromAbove(Sides),
}

/// g(0) = 0, and within [0, 1] the rising part of g at the upper end of each gap between levels and
/// the falling part at the lower end.
fn limits(ledger: &Ledger) -> Vec<Limit> {
    let zero = BigRational::zero();
    let mut limits = vec![Limit { alpha: zero.clone(), approach: Approach::At, height: zero }];
    for (j, level) in ledger.levels.iter().enumerate() {
        let alpha = level.value.clone();
        if alpha.is_positive() {
            let sides = Sides::between(ledger, j);
            let height = sides.above(&alpha);
            limits.push(Limit {
                alpha: alpha.clone(),
                approach: Approach::FromBelow(sides),
                height,
            });
        }
        if !alpha.is_one() {
            let sides = Sides::between(ledger, j + 1);
            let height = sides.below(&alpha);
            limits.push(Limit { alpha, approach: Approach::FromAbove(sides), height });
        }
    }
    limits
}

/// Rounds and ones on the sides of a threshold between levels.
struct Sides {
    rounds_below: u64,
    ones_below: u64,
    rounds_above: u64,
    ones_above: u64,
}

impl Sides {
    /// With this many levels below the threshold.
    fn between(ledger: &Ledger, levels: usize) -> Self {
        Sides {
            rounds_below: ledger.rounds[levels],
            ones_below: ledger.ones[levels],
            rounds_above: ledger.total_rounds() - ledger.rounds[levels],
            ones_above: ledger.total_ones() - ledger.ones[levels],
        }
    }

    /// X_< - α N_<
    fn below(&self, alpha: &BigRational) -> BigRational {
        int(self.ones_below) - alpha * int(self.rounds_below)
    }

    /// α N_> - X_>
    fn above(&self, alpha: &BigRational) -> BigRational {
        alpha * int(self.rounds_above) - int(self.ones_above)
    }

    fn g(&self, alpha: &BigRational) -> BigRational {
        self.below(alpha).max(self.above(alpha))
    }

    fn below_text(&self, alpha: &BigRational) -> String {
        format!("{} - {alpha} · {}", self.ones_below, self.rounds_below)
    }

    fn above_text(&self, alpha: &BigRational) -> String {
        format!("{alpha} · {} - {}", self.rounds_above, self.ones_above)
    }

    fn g_text(&self, alpha: &BigRational) -> String {
        let (below, above) = (self.below_text(alpha), self.above_text(alpha));
        format!("max({below}, {above}) = {}", self.g(alpha))
    }
}

/// 4 ĝ(1/2), with ĝ the least concave majorant of the corners of g
pub(super) fn u_cal(ledger: &Ledger) -> BigRational {
    let corners = corners(ledger);
    let (left, right) = edge_over_half(&corners);
    int(4) * at_half(&corners[left], &corners[right])
}

pub(super) fn u_cal_lines(ledger: &Ledger) -> Vec<String> {
    let corners = corners(ledger);
    let mut lines = vec![G.to_owned()];
    let mut limits: Vec<(&BigRational, &Sides, &str)> = vec![];
    for GraphPoint { alpha, below, above, .. } in &corners {
        limits.extend(below.iter().map(|sides| (alpha, sides, "below")));
        limits.extend(above.iter().map(|sides| (alpha, sides, "above")));
    }
    lines.extend(columns(&["alpha", "limit of g"], limits.len(), None, |index| {
        let (alpha, sides, side) = limits[index];
        vec![format!("{alpha} from {side}"), sides.g_text(alpha)]
    }));
    let half = majorant_lines(&corners, "ĝ", &mut lines);
    lines.extend(wrap(&format!("UCal = 4 ĝ(1/2) = 4 · {half} = {}", int(4) * &half)));
    lines
}

/// How the least concave majorant of some corners, with this name, comes about at 1/2; and its
/// height there.
pub(super) fn majorant_lines(
    corners: &[GraphPoint],
    hat: &str,
    lines: &mut Vec<String>,
) -> BigRational {
    let (left, right) = edge_over_half(corners);
    let points = joined(corners.len(), ", ", Some(right), |index| {
        let GraphPoint { alpha, height, .. } = &corners[index];
        format!("({alpha}, {height})")
    });
    lines.extend(wrap(&format!("corners at the larger limits: {points}")));

    let (left, right) = (&corners[left], &corners[right]);
    let GraphPoint { alpha: a, height: g_a, .. } = left;
    let GraphPoint { alpha: b, height: g_b, .. } = right;
    lines.extend(wrap(&format!(
        "their least concave majorant {hat} over 1/2: the line from ({a}, {g_a}) to ({b}, {g_b})"
    )));
    let slope = (g_b - g_a) / (b - a);
    let start = g_a - &slope * a;
    lines.extend(wrap(&format!(
        "no corner lies above that line: {start} + {} · alpha",
        operand(&slope)
    )));
    let half = at_half(left, right);
    lines.extend(wrap(&format!(
        "{hat}(1/2) = {g_a} + ({g_b} - {g_a}) · (1/2 - {a}) / ({b} - {a}) = {half}"
    )));
    half
}

/// A corner of the closure of g.
pub(super) struct GraphPoint {
    alpha: BigRational,
    /// What lies on the sides of a threshold just below α, if there is one in [0, 1].
    below: Option<Sides>,
    /// The same just above α.
    above: Option<Sides>,
    /// The larger limit, never negative at 0 and 1. At a level g is no larger than one of its
    /// limits.
    height: BigRational,
}

impl GraphPoint {
    fn new(alpha: BigRational, below: Option<Sides>, above: Option<Sides>) -> Self {
        let limits = below.iter().chain(&above).map(|sides| sides.g(&alpha));
        let height = limits.max().unwrap_or_default();
        GraphPoint { alpha, below, above, height }
    }

    /// A corner of another function.
    pub(super) fn at(alpha: BigRational, height: BigRational) -> Self {
        GraphPoint { alpha, below: None, above: None, height }
    }
}

/// The corners at 0, the levels and 1.
fn corners(ledger: &Ledger) -> Vec<GraphPoint> {
    let (zero, one) = (BigRational::zero(), BigRational::one());
    let sides = |levels: usize| Some(Sides::between(ledger, levels));
    let mut corners = vec![];
    if ledger.levels.first().is_none_or(|level| level.value > zero) {
        corners.push(GraphPoint::new(zero, None, sides(0)));
    }
    for (j, level) in ledger.levels.iter().enumerate() {
        let below = if level.value.is_zero() { None } else { sides(j) };
        let above = if level.value.is_one() { None } else { sides(j + 1) };
        corners.push(GraphPoint::new(level.value.clone(), below, above));
    }
    if ledger.levels.last().is_none_or(|level| level.value < one) {
        corners.push(GraphPoint::new(one, sides(ledger.len()), None));
    }
    corners
}

/// The ends of the edge of the upper hull over 1/2.
fn edge_over_half(corners: &[GraphPoint]) -> (usize, usize) {
    let mut hull: Vec<usize> = vec![];
    for (index, next) in corners.iter().enumerate() {
        while let [.., first, middle] = hull.as_slice() {
            let (first, middle) = (&corners[*first], &corners[*middle]);
            let before = (&middle.height - &first.height) * (&next.alpha - &middle.alpha);
            let after = (&next.height - &middle.height) * (&middle.alpha - &first.alpha);
            if before > after {
                break;
            }
            hull.pop();
        }
        hull.push(index);
    }
    let half = int(1) / int(2);
    let right = (1..hull.len()).find(|&edge| corners[hull[edge]].alpha >= half);
    let right = right.expect("the hull goes from 0 to 1");
    (hull[right - 1], hull[right])
}

/// The height over 1/2 of the line through two corners.
fn at_half(left: &GraphPoint, right: &GraphPoint) -> BigRational {
    let half = int(1) / int(2);
    let share = (half - &left.alpha) / (&right.alpha - &left.alpha);
    &left.height + (&right.height - &left.height) * share
}
