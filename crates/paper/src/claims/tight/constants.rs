//! Where best constants are attained or only approached.

use crate::claims::surd::Surd;

use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};

use crate::claims::step::alternating_levels;
use crate::claims::tools::{compositions, int, levels_in_words, r, table_of, tables, value};
use truecal::AnyLevels;
use truecal::Levels;
use truecal::Measure;
use truecal::grid::grid_tables;
use truecal::measures::{step_ce, u_cal};
use truecal_verify::registry::Evidence;

/// A measure and stepCE of a table.
fn pair(measure: Measure, levels: &AnyLevels) -> [BigRational; 2] {
    [measure, Measure::StepCe].map(|measure| value(levels, measure))
}

/// With two rounds `measure` < `factor` stepCE unless both are 0; and the family of tables, for n =
/// 10, 100, 1000, has the stated ratios, which tend to `factor`.
fn approached_at_two(
    evidence: &mut Evidence,
    measure: Measure,
    factor: i64,
    family: impl Fn(i64) -> (AnyLevels, BigRational),
) {
    let grid = grid_tables(2, 24).map(|levels| (AnyLevels::from(levels), None));
    let family = [10, 100, 1000].into_iter().map(family);
    for (levels, ratio) in grid.chain(family.map(|(levels, ratio)| (levels, Some(ratio)))) {
        let [value, step] = pair(measure, &levels);
        if step.is_zero() {
            evidence.inapplicable();
            continue;
        }
        let arithmetic =
            || format!("{}\n{measure} = {value}\nstepCE = {step}", levels_in_words(&levels));
        let as_stated = ratio.is_none_or(|ratio| value == ratio * &step);
        evidence.case(value < &step * int(factor) && as_stated, arithmetic);
        let closer = value < &step * int(factor) * r(99, 100);
        evidence.mistake("99/100 of the factor", closer, arithmetic);
    }
}

/// x = (1,0), p = (2/3 - 1/(3n), 2/3): UCal/stepCE = 6n/(n + 1) -> 6.
pub(super) fn u_cal_at_two(evidence: &mut Evidence) {
    approached_at_two(evidence, Measure::UCal, 6, |n| {
        (table_of([(r(2, 3) - r(1, 3 * n), 1, 1), (r(2, 3), 1, 0)]), r(6 * n, n + 1))
    });
}

/// x = (0,1), p = (d, 1 - 2d) with d = 1/n: smCE/stepCE = 2 - 3d -> 2.
pub(super) fn sm_ce_at_two(evidence: &mut Evidence) {
    approached_at_two(evidence, Measure::SmCe, 2, |n| {
        (table_of([(r(1, n), 1, 0), (int(1) - r(2, n), 1, 1)]), int(2) - r(3, n))
    });
}

/// UCal = 8 stepCE = 8M > 0 only if the top level is at 1/2 with bias -2M, and M is the sum below
/// it.
pub(super) fn u_cal_equality(evidence: &mut Evidence) {
    for levels in tables(5, 8) {
        let table = levels.table();
        let (u_cal, step) = (u_cal(table), step_ce(table).value);
        // UCal = numerator/denominator, in units
        let tight = u_cal.numerator == i128::from(8 * step) * i128::from(u_cal.denominator);
        if step == 0 || !tight {
            evidence.inapplicable();
            continue;
        }
        let biases: Vec<i64> = table.biases().collect();
        let (last, lower) = biases.split_last().expect("at least one level");
        let sum: i64 = lower.iter().sum();
        let top = table.rows().last().expect("at least one level").value;
        let arithmetic = || {
            let words = levels_in_words(&AnyLevels::from(levels.clone()));
            let [step, last, sum] = [step, *last, sum].map(|number| r(number, 8));
            format!("{words}\nstepCE = {step}, UCal = 8 stepCE\ntop bias {last}, sum below {sum}")
        };
        evidence.case(2 * top == *table.unit() && *last == -2 * step && sum == step, arithmetic);
        evidence.mistake("total bias M, not -M", sum + *last == step, arithmetic);
        evidence.mistake("two levels only", biases.len() == 2, arithmetic);
    }
}

/// ECE = (2m - 1) stepCE with m alternating levels.
pub(super) fn ece_attained(evidence: &mut Evidence) {
    for count in 1..=16 {
        let (m, levels) = alternating_levels(count);
        let [ece, step] = pair(Measure::Ece, &levels);
        let arithmetic = || format!("{count} levels, M = {m}\nECE = {ece}\nstepCE = {step}");
        evidence.case(step == m && ece == &step * int(2 * count - 1), arithmetic);
        evidence.mistake("an absolute constant 29", ece <= &step * int(29), arithmetic);
        evidence.mistake("2m - 2", ece <= &step * int(2 * count - 2), arithmetic);
    }
}

/// Σ f_j b_j = f_n B_n - Σ_{j < n} (f_{j+1} - f_j) B_j. Both sides are bilinear in f and b, so that
/// unit vectors prove it for all f and b.
pub(super) fn abel(evidence: &mut Evidence) {
    for n in 1..=12_usize {
        for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let f = |j: usize| i64::from(j == row);
            let prefix = |j: usize| i64::from(column <= j);
            let left: i64 = i64::from(row == column);
            let rises: i64 = (0..n - 1).map(|j| (f(j + 1) - f(j)) * prefix(j)).sum();
            let arithmetic = |right: i64| {
                format!("n = {n}, f = e_{row}, b = e_{column}\nleft {left}, right {right}")
            };
            let right = f(n - 1) * prefix(n - 1) - rises;
            evidence.case(left == right, || arithmetic(right));
            evidence.mistake("without f_n B_n", left == -rises, || arithmetic(-rises));
        }
    }
}

/// smCE <= (1 + q_n - q_1) stepCE.
pub(super) fn smooth_range(evidence: &mut Evidence) {
    let range = |levels: &Levels<i64>| {
        let rows = levels.table().rows();
        let [low, high] = [rows.first(), rows.last()].map(|l| l.expect("a round").value);
        r(high - low, *levels.table().unit())
    };
    for levels in tables(4, 6) {
        let factor = int(1) + range(&levels);
        let levels = AnyLevels::from(levels);
        let [smooth, step] = pair(Measure::SmCe, &levels);
        let arithmetic = || {
            format!(
                "{}\nsmCE = {smooth}\nstepCE = {step}, factor {factor}",
                levels_in_words(&levels)
            )
        };
        evidence.case(smooth <= &factor * &step, arithmetic);
        let less = &factor * &step * r(99, 100);
        evidence.mistake("99/100 of it", smooth <= less, arithmetic);
    }
}

/// √x <= γ(x) + 1/4 for x >= 0. Beyond 1, √x = γ(x). Up to 1, with s = √x, 1/4 - (s - s²) = (s -
/// 1/2)²: two polynomials of degree 2 that agree at three points.
pub(super) fn sqrt_gamma(evidence: &mut Evidence) {
    for s in [r(0, 1), r(1, 2), r(1, 1)] {
        let slack = |constant: BigRational| constant - (&s - &s * &s);
        let square = (&s - r(1, 2)) * (&s - r(1, 2));
        let arithmetic = |constant: BigRational| {
            format!("x = {}, sqrt(x) = {s}\nslack {}, square {square}", &s * &s, slack(constant))
        };
        evidence.case(slack(r(1, 4)) == square, || arithmetic(r(1, 4)));
        let less = slack(r(99, 400)) >= BigRational::zero();
        evidence.mistake("99/100 of 1/4", less, || arithmetic(r(99, 400)));
    }
}

/// rational/over + irrational/over √2
fn surd(rational: i64, irrational: i64, over: i64) -> Surd<Ratio<i64>> {
    Surd(Ratio::new(rational, over), Ratio::new(irrational, over))
}

/// c (a + b)(a + 2b) - a b = c (a - √2 b)² with c = 3 - 2√2. Both sides are of degree 2 in a and in
/// b, so nine points prove it; hence ab/(a + b) <= c (a + 2b) for a, b >= 0, with equality where a
/// = √2 b, as at the stated weights.
pub(super) fn surd_identity(evidence: &mut Evidence) {
    let c = surd(3, -2, 1);
    for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
        let square = surd(a, -b, 1).times(&surd(a, -b, 1));
        let sides = |c: Surd<Ratio<i64>>| {
            let left = c.times(&surd((a + b) * (a + 2 * b), 0, 1));
            [left.plus(&surd(-a * b, 0, 1)), c.times(&square)]
        };
        let arithmetic = |c: Surd<Ratio<i64>>| {
            let [left, right] = sides(c);
            format!("a = {a}, b = {b}, c = {c}\nleft {left}\nright {right}")
        };
        let equal = |c: Surd<Ratio<i64>>| sides(c)[0] == sides(c)[1];
        evidence.case(equal(c), || arithmetic(c));
        let other = surd(17, 0, 100);
        evidence.mistake("17/100 for c", equal(other), || arithmetic(other));
    }
    // w(+, j) = 1/√2 and w(-, j+1) = 1 - 1/√2 give a = √2 - 1 and b = 1 - 1/√2.
    let (a, b) = (surd(-1, 1, 1), surd(2, -1, 2));
    let sum = a.plus(&b);
    let attained = a.times(&b) == c.times(&sum) && sum.plus(&b) == surd(1, 0, 1);
    evidence.case(attained, || format!("a = {a}, b = {b}\nab = {}", a.times(&b)));
}

/// The two-point forecast at every change of the sign of C, for all weights of a grid on {+, -} x
/// {1, …, k}: its worst expected loss, over both outcomes, is at most (3 - 2√2)/(k - 1).
pub(super) fn two_point_loss(evidence: &mut Evidence) {
    for (k, total) in [(2, 17), (3, 8), (4, 8)] {
        for weights in compositions(total, 2 * k) {
            // C at j/(k-1): Σ over i >= j of w(+, i) - w(-, i), counted from 0.
            let at = |j: usize| {
                let difference = |i: usize| weights[2 * i] - weights[2 * i + 1];
                Ratio::new((j..k).map(difference).sum(), total)
            };
            for j in 0..k - 1 {
                let (first, second) = (at(j), at(j + 1));
                if first * second > Ratio::zero() || first == second {
                    evidence.inapplicable();
                    continue;
                }
                // q C_1 + (1 - q) C_2 = 0
                let q = second / (second - first);
                let [points, place] = [k - 1, j].map(|n| i64::try_from(n).expect("small"));
                // (k - 1) times E (x - p) C_p
                let loss = |x: i64| {
                    let from = |j: i64| Ratio::from_integer(points * x - j);
                    q * first * from(place) + (Ratio::one() - q) * second * from(place + 1)
                };
                let worst = loss(0).max(loss(1));
                let arithmetic = || {
                    let name =
                        format!("k = {k}, w(+,1), w(-,1), w(+,2), ... = {weights:?}/{total}");
                    format!("{name}\nC = {first} and {second}, q = {q}\n(k-1) loss = {worst}")
                };
                // worst <= 3 - 2√2 means (3 - worst)² >= 8, as it is below 3
                let rest = Ratio::from_integer(3) - worst;
                let bounded = rest * rest >= Ratio::from_integer(8);
                let (a, b) = (first, -second);
                let falling = a > Ratio::zero() && b > Ratio::zero();
                let formula = worst == a * b / (a + b) && a + b + b <= Ratio::one();
                evidence.case(bounded && (!falling || formula), arithmetic);
                evidence.mistake("17/100", worst <= Ratio::new(17, 100), arithmetic);
            }
        }
    }
}
