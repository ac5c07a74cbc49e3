//! Rounding thresholds down to finer and finer grids (L1356-1403).
//!
//! The factors y_s and 1{s in I_k} only select steps, and a sum over steps does not depend on their
//! order: statements about M_T(., y, k) for all y, k and sequences are statements about all level
//! tables.

use crate::claims::tools::slip;
use num_integer::Integer;

use super::tools::{levels_in_words, r, tables};
use super::{Claim, Evidence, Kind, MAIN, exhaustion, proof};
use truecal::AnyLevels;
use truecal::{Level, Levels};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "V-size",
        kind: Kind::Inequality,
        lines: "1356",
        reading: "For eps in (0,1] there are floor(1/eps) + 1 multiples of eps in [0,1], which is \
            at most 2/eps.",
        tight: "Equality at eps = 1.",
        checks: &[proof!("eps in (1/(n+1), 1/n]", "all eps in (0,1]", net_size)],
        ..MAIN
    },
    Claim {
        id: "w-rounding",
        kind: Kind::Identity,
        lines: "1360-1371",
        reading: "w_0 is alpha rounded down to a multiple of eps*; w_i = w_(i-1) + eps*/2^i if \
            that is at most alpha, else w_(i-1). Then w_i is alpha rounded down to a multiple of \
            eps*/2^i, and [0,w_0], the (w_(i-1),w_i] and (w_m,alpha] partition [0,alpha].",
        checks: &[proof!(
            "one halving of the mesh; every position of alpha and p",
            "all alpha, p, eps* and m; tried for m <= 6",
            rounding,
        )],
        ..MAIN
    },
    Claim {
        id: "abs-split",
        kind: Kind::Inequality,
        lines: "1372-1384",
        reading: "|M_t(alpha,y,k)| is at most the sum of |M_t(S,y,k)| over S = (w_m,alpha], \
            [0,w_0] and (w_(i-1),w_i], i = 1..m.",
        uses: &["w-rounding", "M_t-definition"],
        checks: &[proof!(
            "the triangle inequality; the sums over the parts",
            TABLES,
            absolute_split
        )],
        ..MAIN
    },
    Claim {
        id: "tail",
        kind: Kind::Inequality,
        lines: "1386-1390",
        reading: "alpha < w_m + eps*/2^m, so that |M_t((w_m,alpha],y,k)| is at most the number of \
            s <= t with p*_s in (w_m, w_m + eps*/2^m].",
        uses: &["w-rounding", "M_t-definition"],
        tight: "Equality at x = (0), p = (1), eps* = 4/9, m = 1, alpha = 1.",
        checks: &[proof!("one term; the sums", TABLES, tail)],
        ..MAIN
    },
    Claim {
        id: "M_t-definition",
        kind: Kind::Definition,
        lines: "1391-1394",
        reading: "M_t(S,y,k) is the sum of y_s (x_s - p*_s) over s <= t in I_k with p*_s in S. \
            Then M_t([0,a],y,k) = M_t(a,y,k), and M_t((a,b],y,k) = M_t(b,y,k) - M_t(a,y,k) for a \
            <= b.",
        departs: "The paper has y_t for y_s: E27.",
        see: &["E27"],
        checks: &[proof!(
            "every position of p; sequences and y",
            "all T, x, y, p*, k and S; tried for T <= 2",
            restriction,
        )],
        ..MAIN
    },
    Claim {
        id: "E27",
        kind: Kind::Definition,
        lines: "1393",
        reading: "M_t(S,y,k) = sum over s <= t of y_t 1{p*_s in S} (x_s - p*_s) 1{s in I_k} \
            extends M_t(alpha,y,k): the two agree for S = [0,alpha].",
        see: &["M_t-definition"],
        defect: slip("y_s for y_t."),
        checks: &[exhaustion!("every sequence and y", SEQUENCES, literal_restriction)],
        ..MAIN
    },
    Claim {
        id: "eq:divide",
        kind: Kind::Inequality,
        lines: "1395-1403",
        reading: "sup_alpha |M_T(alpha,y,k)| is at most max |M_T(w,y,k)| over w in V_eps*, plus \
            for i = 1..m the max of |M_T((w, w + eps*/2^i],y,k)| over w in V_(eps*/2^i), plus the \
            largest number of p*_t in one (w, w + eps*/2^m].",
        departs: "Shown with the last number restricted to t in I_k, which is stronger and what \
            E23 needs.",
        uses: &["w-rounding", "abs-split", "tail"],
        see: &["E23"],
        checks: &[proof!("the parts and the maxima", TABLES, divide)],
        ..MAIN
    },
];

/// The triangle inequality needs no examples; they are to show that nothing is left out of the
/// sums.
const TABLES: &str = "all T, m, alpha and eps*; tried for T <= 3, m <= 4 on grids";
const SEQUENCES: &str = "T <= 2, p and S in Z/4, all x, y";

/// For z = 1/eps in [n, n+1): floor(z) + 1 - 2z <= n + 1 - 2n = 1 - n <= 0, since it falls with z
/// and then with n >= 1. The ends z = n are checked, and the count itself for eps = a/b by
/// counting.
fn net_size(evidence: &mut Evidence) {
    for n in 1..=40_i64 {
        evidence.case(n < 2 * n, || format!("eps = 1/{n}\n|V| = {}\n2/eps = {}", n + 1, 2 * n));
        evidence.mistake("99/100 of 2/eps", 100 * (n + 1) <= 99 * 2 * n, || {
            format!("eps = 1/{n}\n|V| = {}\n99/100 * 2/eps = {}", n + 1, r(198 * n, 100))
        });
    }
    for (a, b) in (1..=24_i64).flat_map(|b| (1..=b).map(move |a| (a, b))) {
        let count = (0..=b).filter(|k| k * a <= b).count() as i64;
        evidence.case(count == b / a + 1, || format!("eps = {a}/{b}\n{count} multiples"));
    }
}

/// eps* and a threshold, in units fine enough for eps*/2^m.
struct Grid {
    /// The representation of 1.
    unit: i64,
    eps: i64,
    levels: u32,
}

impl Grid {
    /// The values of eps*: some are c^2, some do not divide 1.
    const EPS: [(i64, i64); 7] = [(1, 1), (1, 2), (1, 3), (1, 4), (4, 9), (1, 9), (2, 5)];

    /// All grids for points in multiples of 1/denominator, with m from 1 on.
    fn all(denominator: i64, most_levels: u32) -> impl Iterator<Item = Grid> {
        Self::EPS.into_iter().flat_map(move |(a, b)| {
            (1..=most_levels).map(move |levels| {
                let scale = b << levels;
                Grid { unit: denominator * scale, eps: a * (denominator << levels), levels }
            })
        })
    }

    fn width(&self, level: u32) -> i64 {
        self.eps >> level
    }

    /// w_0, …, w_m by the recursion.
    fn chain(&self, alpha: i64) -> Vec<i64> {
        let mut w = vec![alpha / self.eps * self.eps];
        for level in 1..=self.levels {
            let last = w[w.len() - 1];
            let next = last + self.width(level);
            w.push(if next <= alpha { next } else { last });
        }
        w
    }

    /// The members of V for a width.
    fn net(&self, width: i64) -> impl Iterator<Item = i64> {
        (0..=self.unit / width).map(move |k| k * width)
    }

    fn describe(&self) -> String {
        format!("eps* = {}, m = {}", r(self.eps, self.unit), self.levels)
    }
}

/// By induction on i. Let w_(i-1) be alpha rounded down to a multiple of h = eps*/2^(i-1), as it is
/// for i = 1. In units of h and from w_(i-1) on, which is a multiple of h/2 as well, alpha is in
/// [0,1), and w_i has to be alpha rounded down to a multiple of 1/2. Only the order of alpha and
/// 1/2 matters: alpha = 0, 1/4, 1/2, 3/4 stand for all. So w_0 <= w_1 <= … <= w_m <= alpha, and for
/// every p in [0, alpha] there is exactly one of [0, w_0], (w_0,w_1], …, (w_m,alpha] that holds it.
///
/// Then all of it is tried for m <= 6. In units of eps*/2^m all w_i are integers, so that they
/// depend on alpha through N = floor(alpha) only; and if alpha grows by 2^m so does each w_i: alpha
/// = N and alpha = N + 1/2 with N < 2^m stand for all alpha. A p is compared with integers and with
/// alpha: multiples of 1/4 up to alpha + 1/2 stand for all p, and p = 0 for all p <= w_0.
fn rounding(evidence: &mut Evidence) {
    for quarters in 0..4_i64 {
        let next = if 2 <= quarters { 2 } else { 0 };
        evidence.case(next == quarters.prev_multiple_of(&2) && next <= quarters, || {
            format!("alpha = w + {quarters}/4 h: the next w is w + {next}/4 h")
        });
    }
    for levels in 1..=6 {
        let grid = Grid { unit: 4 << levels, eps: 4 << levels, levels };
        for alpha in (0..1 << levels).flat_map(|n| [4 * n, 4 * n + 2]) {
            let w = grid.chain(alpha);
            let text = || format!("{}, alpha = {}", grid.describe(), r(alpha, grid.unit));
            let floors = (0..=levels).map(|level| alpha.prev_multiple_of(&grid.width(level)));
            evidence.case(floors.eq(w.iter().copied()), || format!("{}: w = {w:?}", text()));
            for p in 0..=alpha + 2 {
                let parts = |inside: fn(i64, i64, i64) -> bool| {
                    let steps = w.windows(2).filter(|pair| inside(pair[0], p, pair[1])).count();
                    usize::from(p <= w[0]) + steps + usize::from(inside(w[w.len() - 1], p, alpha))
                };
                let shown = |parts| format!("{}\np = {}: {parts} parts", text(), r(p, grid.unit));
                let meant = usize::from(p <= alpha);
                let counted = parts(|low, p, high| low < p && p <= high);
                evidence.case(counted == meant, || shown(counted));
                let closed = parts(|low, p, high| low <= p && p <= high);
                evidence.mistake("closed intervals", closed == meant, || shown(closed));
            }
        }
    }
}

/// A table seen through a grid.
struct ChainSums<'a> {
    grid: &'a Grid,
    table: &'a Levels<i64>,
}

impl ChainSums<'_> {
    /// M((low, high]) in the table's units, with the ends in the grid's.
    fn bias(&self, low: i64, high: i64) -> i64 {
        self.inside(low, high).map(|level| level.bias(self.table.table().unit())).sum()
    }

    /// How many p* are in (low, high], in the table's units.
    fn count(&self, low: i64, high: i64) -> i64 {
        let rounds: u64 = self.inside(low, high).map(|level| level.count).sum();
        rounds.cast_signed() * self.table.table().unit()
    }

    fn inside(&self, low: i64, high: i64) -> impl Iterator<Item = &Level<i64>> {
        let scale = self.grid.unit / self.table.table().unit();
        let rows = self.table.table().rows().iter();
        rows.filter(move |level| low < level.value * scale && level.value * scale <= high)
    }

    fn describe(&self) -> String {
        let table = AnyLevels::from(self.table.clone());
        format!("{}; {}", levels_in_words(&table), self.grid.describe())
    }

    fn describe_at(&self, alpha: i64) -> String {
        format!("{}, alpha = {}", self.describe(), r(alpha, self.grid.unit))
    }
}

/// Below every p*: (BELOW, w] stands for [0, w].
const BELOW: i64 = -1;

/// Every table and grid.
fn each_table(mut visit: impl FnMut(&ChainSums<'_>)) {
    for table in tables(3, 9) {
        for grid in Grid::all(9, 4) {
            visit(&ChainSums { grid: &grid, table: &table });
        }
    }
}

/// Every table, grid and alpha, with w_0, …, w_m.
fn each_threshold(mut visit: impl FnMut(&ChainSums<'_>, i64, &[i64])) {
    each_table(|sums| {
        for alpha in (0..=9).map(|k| k * sums.grid.unit / 9) {
            visit(sums, alpha, &sums.grid.chain(alpha));
        }
    });
}

/// M_t(S,y,k) is a sum over the s with p*_s in S, so additive in S; the intervals partition [0,
/// alpha] (w-rounding), so that M over it is the sum of M over them, and the triangle inequality
/// does the rest, part by part: |a + b| <= |a| + |b|, both sides linear between the rays where a, b
/// or a + b changes its sign. So for all t, y, k and m; tables are tried.
fn absolute_split(evidence: &mut Evidence) {
    for (a, b) in [(1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1)] {
        let (sum, parts) = (i64::abs(a + b), i64::abs(a) + i64::abs(b));
        evidence.case(sum <= parts, || format!("a = {a}, b = {b}"));
    }
    each_threshold(|sums, alpha, w| {
        let whole = sums.bias(BELOW, alpha).abs();
        let segments: i64 = w.windows(2).map(|pair| sums.bias(pair[0], pair[1]).abs()).sum();
        let first = sums.bias(BELOW, w[0]).abs();
        let last = sums.bias(w[w.len() - 1], alpha).abs();
        let text = || {
            format!(
                "{}\n|M| = {whole}/9\nparts {first}/9, {segments}/9, {last}/9",
                sums.describe_at(alpha)
            )
        };
        evidence.case(whole <= first + segments + last, text);
        evidence.mistake("without (w_m, alpha]", whole <= first + segments, text);
        evidence.mistake("without the segments", whole <= first + last, text);
    });
}

/// w_m is alpha rounded down to a multiple of eps*/2^m (w-rounding), so alpha < w_m + eps*/2^m and
/// (w_m, alpha] is part of (w_m, w_m + eps*/2^m]. Each |y_s (x_s - p*_s)| is at most 1, being
/// largest at a corner, as it is convex in each of y, x and p; add up the s with p*_s in the
/// interval: for all t.
fn tail(evidence: &mut Evidence) {
    for corner in 0..8_i64 {
        let (x, y, p) = (corner & 1, corner >> 1 & 1, corner >> 2);
        evidence.case((y * (x - p)).abs() <= 1, || format!("x = {x}, y = {y}, p = {p}"));
    }
    each_threshold(|sums, alpha, w| {
        let (last, width) = (w[w.len() - 1], sums.grid.width(sums.grid.levels));
        let bias = sums.bias(last, alpha).abs();
        let count = sums.count(last, last + width);
        let text = || format!("{}\n|M| = {bias}/9\ncount = {count}/9", sums.describe_at(alpha));
        evidence.case(alpha < last + width && bias <= count, text);
        evidence.mistake("99/100 of the count", 100 * bias <= 99 * count, text);
        evidence.mistake("alpha < w_m + eps*/2^(m+1)", 2 * (alpha - last) < width, text);
    });
}

/// Each term of abs-split for one alpha is among those over which a maximum is taken: w_0 is in
/// V_eps*; (w_(i-1), w_i] is empty or (w, w + eps*/2^i] with w = w_(i-1), a multiple of
/// eps*/2^(i-1) and so of eps*/2^i, at most alpha <= 1; and tail bounds the last, with w = w_m. So
/// each alpha is bounded by the same sum of maxima, and so is the supremum: for all T, m, y and k.
/// What w_i is, given w_(i-1), is one step of w-rounding: in units of eps*/2^(i-1) and from w_(i-1)
/// on, alpha in [0,1) stands on one side of 1/2 or the other. In the trials the supremum over alpha
/// is reached at a prediction.
fn divide(evidence: &mut Evidence) {
    for quarters in 0..4_i64 {
        let next = quarters.prev_multiple_of(&2);
        evidence.case(next == 0 || next == 2, || {
            format!("alpha = w + {quarters}/4 h: (w, w + {next}/4 h] is neither empty nor h/2 long")
        });
    }
    each_table(|sums| {
        let grid = sums.grid;
        let largest = |of: &dyn Fn(i64) -> i64, width| grid.net(width).map(of).max().unwrap_or(0);
        let whole = largest(&|alpha| sums.bias(BELOW, alpha).abs(), grid.unit / 9);
        let prefix = largest(&|w| sums.bias(BELOW, w).abs(), grid.eps);
        let segments: i64 = (1..=grid.levels)
            .map(|level| grid.width(level))
            .map(|width| largest(&|w| sums.bias(w, w + width).abs(), width))
            .sum();
        let width = grid.width(grid.levels);
        let suffix = largest(&|w| sums.count(w, w + width), width);
        let text = || {
            format!(
                "{}\nsup |M| = {whole}/9\nterms {prefix}/9, {segments}/9, {suffix}/9",
                sums.describe()
            )
        };
        evidence.case(whole <= prefix + segments + suffix, text);
        evidence.mistake("without the last term", whole <= prefix + segments, text);
    });
}

/// One step: x, y and p in quarters.
type Step = (i64, i64, i64);

/// All sequences of at most 2 steps.
fn sequences() -> impl Iterator<Item = Vec<Step>> {
    let steps: Vec<Step> = (0..20).map(|code: i64| (code % 2, code / 2 % 2, code / 4)).collect();
    let pairs = steps.clone().into_iter().flat_map({
        let steps = steps.clone();
        move |first| steps.clone().into_iter().map(move |second| vec![first, second])
    });
    steps.into_iter().map(|step| vec![step]).chain(pairs)
}

/// `x = (1, 0), y = (0, 1), p* = (0, 1/4)`
fn in_lists(steps: &[Step]) -> String {
    let list = |part: fn(&Step) -> String| steps.iter().map(part).collect::<Vec<_>>().join(", ");
    format!(
        "x = ({}), y = ({}), p* = ({})",
        list(|step| step.0.to_string()),
        list(|step| step.1.to_string()),
        list(|step| r(step.2, 4).to_string())
    )
}

/// M_T(alpha, y) in quarters.
fn prefix(steps: &[Step], alpha: i64) -> i64 {
    steps.iter().filter(|step| step.2 <= alpha).map(|(x, y, p)| y * (4 * x - p)).sum()
}

/// M_T((low, high], y) in quarters, with y_s, or with y_T in every term.
fn segment(steps: &[Step], low: i64, high: i64, y: impl Fn(&Step) -> i64) -> i64 {
    let inside = steps.iter().filter(|step| low < step.2 && step.2 <= high);
    inside.map(|step| y(step) * (4 * step.0 - step.2)).sum()
}

/// 1{a < p <= b} = 1{p <= b} - 1{p <= a} for a <= b, whether p is up to a, beyond it and up to b,
/// or beyond b; and [0, a] holds p exactly if p <= a, as p >= 0. Multiply by y_s (x_s - p*_s) 1{s
/// in I_k} and add up: for all t. The sums themselves are tried.
fn restriction(evidence: &mut Evidence) {
    for (a, b, p) in
        (0..=2).flat_map(|b| (0..=b).flat_map(move |a| (0..=3).map(move |p| (a, b, p))))
    {
        let inside = i64::from(a < p && p <= b);
        evidence.case(inside == i64::from(p <= b) - i64::from(p <= a), || {
            format!("a = {a}, b = {b}, p = {p}")
        });
    }
    for steps in sequences() {
        let last = steps[steps.len() - 1].1;
        for (low, high) in (BELOW..=4).flat_map(|low| (low..=4).map(move |high| (low, high))) {
            let difference = prefix(&steps, high) - prefix(&steps, low);
            let text = |found: i64| {
                let bracket = if low < 0 { "[0".to_owned() } else { format!("({}", r(low, 4)) };
                format!(
                    "{}, S = {bracket}, {}]\nM_T(S, y) = {}\nby thresholds: {}",
                    in_lists(&steps),
                    r(high, 4),
                    r(found, 4),
                    r(difference, 4)
                )
            };
            let found = segment(&steps, low, high, |step| step.1);
            evidence.case(found == difference, || text(found));
            let wrong = segment(&steps, low, high, |_| last);
            evidence.mistake("y_T in every term", wrong == difference, || text(wrong));
        }
    }
}

fn literal_restriction(evidence: &mut Evidence) {
    for steps in sequences() {
        let last = steps[steps.len() - 1].1;
        for alpha in 0..=4 {
            let meant = prefix(&steps, alpha);
            let literal = segment(&steps, BELOW, alpha, |_| last);
            evidence.case(literal == meant, || {
                format!(
                    "{}, S = [0, {}]\nwith y_T in every term: {}\nM_T(alpha, y) = {}",
                    in_lists(&steps),
                    r(alpha, 4),
                    r(literal, 4),
                    r(meant, 4)
                )
            });
            let holds = segment(&steps, BELOW, alpha, |step| step.1) == meant;
            evidence.corrected("y_s in place of y_t", holds);
        }
    }
}
