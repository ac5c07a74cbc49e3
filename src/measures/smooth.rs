//! The smooth calibration error: a linear programme over Lipschitz functions, solved in one pass.
//!
//! The best sum over the levels so far, as a function of f at the last level, is concave and
//! piecewise linear. Its kinks are kept in a balanced tree ([`kinks`](super::kinks)) that moves,
//! cuts and joins in logarithmic time. Two stacks ([`smooth_scan`](super::smooth_scan)) make the
//! same moves faster on most data, but take quadratic time on some: many levels of ones, then
//! alternating heavy levels. The flow that proves optimality is derived from the function alone, by
//! complementary slackness.

use super::kinks::{Kink, Kinks, Tree};
use super::smooth_scan::SmoothScan;
use crate::levels::Table;
use crate::number::Number;

/// The result of [`sm_ce`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmCe<N: Number> {
    /// smCE is `value` / unit².
    pub value: N::Wide,
    /// The Lipschitz function: f(v_j) in units.
    pub function: Vec<N>,
    /// The flow φ_j from level j to level j + 1, in units: the proof that no function does better.
    ///
    /// What flows does not stay: r_j = b_j + φ_{j-1} - φ_j (φ_0 = φ_m = 0). For every f that is
    /// admissible, Σ f(v_j) b_j = Σ f(v_j) r_j + Σ (f(v_j) - f(v_{j+1})) φ_j is at most
    /// Σ |r_j| + Σ (v_{j+1} - v_j) |φ_j|, which equals the value.
    pub flow: Vec<N>,
}

/// The smooth calibration error (L385): the largest Σ f(p_t)(x_t - p_t) over 1-Lipschitz functions
/// f from [0, 1] to [-1, 1]. Only the values f(v_j) matter, and only neighbours constrain each
/// other.
///
/// Let F_j(y) be the best sum over levels 1..j with f(v_j) = y: concave and piecewise linear on
/// [-1, 1]. Going to the next level moves the rising part left and the falling part right by the
/// gap between the levels; the level itself adds a linear function, which moves the maximum.
/// Backwards, f(v_j) is the point nearest to the maximum of F_j that f(v_{j+1}) allows.
///
/// Exact; the supremum is attained. Cost: O(m log m).
///
/// ```
/// use truecal::{Level, Levels, measures};
/// // x = (1, 0, 0), p = (0, 1, 1): f falls from 0 at 0 to -1 at 1.
/// let rows = vec![Level { value: 0, count: 1, ones: 1 }, Level { value: 1, count: 2, ones: 0 }];
/// let smooth = measures::sm_ce(Levels::<i64>::new(1, rows)?.table());
/// assert_eq!((smooth.value, smooth.function, smooth.flow), (2, vec![0, -1], vec![1]));
/// # Ok::<(), truecal::LevelsError>(())
/// ```
pub fn sm_ce<N: Number>(levels: Table<'_, N>) -> SmCe<N> {
    let (value, function) = best_function(levels);
    let flow = flow(levels, &function);
    SmCe { value, function, flow }
}

/// The value of [`sm_ce`] alone, with room to be reused between calls: by stacks, which move a few
/// kinks for each of m levels, or some √m/6 if the forecasts are calibrated, and by the tree if
/// that comes to more than 256, which takes the tree no longer.
pub(crate) fn sm_ce_value<N: Number>(levels: Table<'_, N>, room: &mut SmoothScan<N>) -> N::Wide {
    let moves = levels.rows().len().saturating_mul(256);
    room.within(levels, moves).unwrap_or_else(|| best_function(levels).0)
}

fn best_function<N: Number>(levels: Table<'_, N>) -> (N::Wide, Vec<N>) {
    let mut function = peaks(levels);
    for j in (1..function.len()).rev() {
        let gap = levels.rows()[j].value.clone() - &levels.rows()[j - 1].value;
        let (lowest, highest) = (function[j].clone() - &gap, function[j].clone() + &gap);
        let peak = &function[j - 1];
        function[j - 1] = peak.clone().max(lowest).min(highest);
    }
    let mut value = N::zero().widen();
    for (height, bias) in function.iter().zip(levels.biases()) {
        value += &height.times(&bias);
    }
    (value, function)
}

/// For each level a maximiser of F_j.
fn peaks<N: Number>(levels: Table<'_, N>) -> Vec<N> {
    let unit = levels.unit();
    let floor = -unit.clone();
    let mut kinks = Kinks::new();
    // Kinks below and above the maximum of F_j. The ends of the domain are kinks without bottom.
    let (mut rising, mut falling): (Tree, Tree) = (None, None);
    let mut peak = N::zero();
    let mut previous: Option<&N> = None;
    let mut peaks = Vec::with_capacity(levels.rows().len());
    for level in levels.rows() {
        if let Some(previous) = previous {
            let gap = level.value.clone() - previous;
            kinks.shift(falling, &gap);
            kinks.shift(rising, &-gap);
            while kinks.last(falling).is_some_and(|place| place >= *unit) {
                falling = kinks.without_last(falling);
            }
            while kinks.first(rising).is_some_and(|place| place <= floor) {
                rising = kinks.without_first(rising);
            }
        }
        previous = Some(&level.value);

        let bias = level.bias(unit);
        if bias > N::zero() {
            let available = kinks.total(falling);
            let (mut passed, rest) = kinks.cut(falling, &bias);
            if bias > available {
                let end = kinks.single(Kink { place: unit.clone(), fall: bias - &available });
                passed = kinks.concat(passed, end);
            }
            peak = kinks.last(passed).expect("a positive amount was cut off");
            rising = kinks.concat(rising, passed);
            falling = rest;
        } else if bias < N::zero() {
            let left = kinks.total(rising) + &bias;
            let (rest, mut passed) = kinks.cut(rising, &left.clone().max(N::zero()));
            if left < N::zero() {
                let end = kinks.single(Kink { place: floor.clone(), fall: -left });
                passed = kinks.concat(end, passed);
            }
            peak = kinks.first(passed).expect("a positive amount was cut off");
            falling = kinks.concat(passed, falling);
            rising = rest;
        }
        peaks.push(peak.clone());
    }
    peaks
}

/// A flow that proves `function` optimal, by complementary slackness: φ_j may be positive only
/// where f falls as steeply as it may, negative only where it rises so, and r_j may differ from 0
/// only where
/// |f(v_j)| = 1, and then has the sign of f(v_j).
///
/// Between two levels with |f| = 1 the flow is determined up to its start, which the signs confine
/// to an interval. Those levels all have the same sign, as f cannot get from 1 to -1 within [0, 1]:
/// where it is positive, r_j >= 0 asks for little flow out of the level and much into the next, so
/// the largest start that the interval and r_j >= 0 allow leaves most to the rest; where it is
/// negative, the smallest.
fn flow<N: Number>(levels: Table<'_, N>, function: &[N]) -> Vec<N> {
    let rows = levels.rows();
    let biases: Vec<N> = levels.biases().collect();
    let at_end = |j: usize| function[j].magnitude() == *levels.unit();

    let mut flow: Vec<N> = Vec::with_capacity(rows.len());
    while flow.len() < rows.len() {
        let first = flow.len();
        // The flow out of level j is the start plus `gained` of j: at least 0 where f falls as
        // steeply as it may, at most 0 where it rises so, and 0 elsewhere.
        let mut gained = vec![N::zero()];
        let (mut lowest, mut highest): (Option<N>, Option<N>) = (None, None);
        for j in first.. {
            let (falls, rises) = match rows.get(j + 1) {
                None => (false, false), // nothing flows out of the last level
                Some(next) => {
                    let gap = next.value.clone() - &rows[j].value;
                    let fall = function[j].clone() - &function[j + 1];
                    (fall == gap, fall == -gap)
                }
            };
            let stop = -gained[j - first].clone();
            if !rises {
                lowest = lowest.max(Some(stop.clone()));
            }
            if !falls {
                highest = Some(highest.map_or(stop.clone(), |highest| highest.min(stop)));
            }
            if j + 1 >= rows.len() || at_end(j + 1) {
                break;
            }
            gained.push(gained[j - first].clone() + &biases[j + 1]);
        }
        let inflow = match flow.last() {
            Some(before) => before.clone() + &biases[first],
            None => biases[first].clone(),
        };
        let start = if !at_end(first) {
            inflow
        } else if function[first] > N::zero() {
            highest.map_or(inflow.clone(), |highest| highest.min(inflow))
        } else {
            lowest.map_or(inflow.clone(), |lowest| lowest.max(inflow))
        };
        flow.extend(gained.into_iter().map(|gained| gained + &start));
    }
    flow.pop(); // out of the last level
    flow
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::grid_tables;
    use crate::levels::{Level, Levels};

    #[test]
    fn the_value_alone_is_the_same() {
        let mut room = SmoothScan::new();
        for levels in (0..=4).flat_map(|rounds| grid_tables(rounds, 4)) {
            assert_eq!(sm_ce_value(levels.table(), &mut room), sm_ce(levels.table()).value);
        }
    }

    /// Many levels of ones, then alternating heavy levels: each of those moves all kinks.
    #[test]
    fn stacks_give_up_where_the_tree_is_faster() {
        let row = |j: i64| {
            let value = (1 << 29) + j;
            match j {
                ..1000 => Level { value, count: 1, ones: 1 },
                _ => Level { value, count: 2000, ones: if j % 2 == 0 { 0 } else { 2000 } },
            }
        };
        let rows: Vec<_> = (0..1500).map(row).collect();
        let levels = Levels::<i64>::new(1 << 30, rows).expect("valid");
        let mut room = SmoothScan::new();
        assert_eq!(room.within(levels.table(), 256 * 1500), None);
        assert_eq!(room.within(levels.table(), usize::MAX), Some(sm_ce(levels.table()).value));
        assert_eq!(sm_ce_value(levels.table(), &mut room), sm_ce(levels.table()).value);
    }
}
