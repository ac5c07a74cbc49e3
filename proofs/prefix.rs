//! Claims about prefix sums: stepCE, its sign variant, the interval error, ECE, the total bias,
//! smooth functions.

use super::symbolic::between;
use super::tables::levels;
use crate::levels::{Level, Table};
use crate::measures::{Ece, SignAt, ece, interval_ce, sign_ce, step_ce};

harnesses! {
    /// stepCE <= sign variant <= 3 stepCE on tables of exactly three levels, ties included. Nothing
    /// is said of other sizes or finer grids.
    sign_variant / sign_variant_with_factor_two {
        claims: ["fact:equivfactor", "upper-part", "lower-part"],
        domain: "3 levels of 1 to 3 rounds, D = 16",
        cases: "495 720",
        unwind: 5,
        seconds: 10,
        proof: sign_variant_is_equivalent(&levels::<3>(16, 3), 16, 3),
        fault: "the factor 3 is 2" => sign_variant_is_equivalent(&levels::<3>(16, 3), 16, 2),
    }

    /// The same for five rounds with different predictions.
    sign_variant_of_five / sign_variant_of_five_with_factor_two {
        claims: ["fact:equivfactor", "upper-part", "lower-part"],
        domain: "5 levels of 1 round, D = 8",
        cases: "4 032",
        unwind: 7,
        seconds: 10,
        proof: sign_variant_is_equivalent(&levels::<5>(8, 1), 8, 3),
        fault: "the factor 3 is 2" => sign_variant_is_equivalent(&levels::<5>(8, 1), 8, 2),
    }

    /// The same for eight rounds with different predictions.
    sign_variant_of_eight / sign_variant_of_eight_with_factor_two {
        claims: ["fact:equivfactor", "upper-part", "lower-part"],
        domain: "8 levels of 1 round, D = 16",
        cases: "6 223 360",
        slow: kani_slow,
        unwind: 10,
        seconds: 600,
        proof: sign_variant_is_equivalent(&levels::<8>(16, 1), 16, 3),
        fault: "the factor 3 is 2" => sign_variant_is_equivalent(&levels::<8>(16, 1), 16, 2),
    }

    /// stepCE <= interval error <= 2 stepCE on tables of exactly four levels, ties included.
    interval_error / interval_error_with_factor_one {
        claims: ["claim-union-of-intervals", "TIGHT-range"],
        domain: "4 levels of 1 to 3 rounds, D = 16",
        cases: "15 615 180",
        unwind: 6,
        seconds: 10,
        proof: interval_error_is_equivalent(&levels::<4>(16, 3), 2),
        fault: "the factor 2 is 1" => interval_error_is_equivalent(&levels::<4>(16, 3), 1),
    }

    /// stepCE <= ECE on tables of exactly three levels, ties included; and ECE is the sum of
    /// all |b_j|, from both sides.
    step_error_below_ece / step_error_below_half_of_ece {
        claims: ["stepCE-vs-ECE", "TIGHT-step-ece"],
        domain: "3 levels of 1 to 3 rounds, D = 16",
        cases: "495 720",
        unwind: 5,
        seconds: 10,
        proof: step_error_is_below(&levels::<3>(16, 3), 1),
        fault: "ECE is halved" => step_error_is_below(&levels::<3>(16, 3), 2),
    }

    /// |sum of x - p| <= sign variant, predictions 0 and 1 included, although the thresholds that
    /// would show it at once, below all and above all predictions, are then missing.
    total_bias / total_bias_doubled {
        claims: ["eq:total-bias-bound"],
        domain: "3 levels of 1 to 3 rounds, D = 16",
        cases: "495 720",
        unwind: 5,
        seconds: 10,
        proof: total_bias_is_bounded(&levels::<3>(16, 3), 1),
        fault: "twice the bias" => total_bias_is_bounded(&levels::<3>(16, 3), 2),
    }

    /// Every function f with |f| <= 1 that changes no faster than its argument has sum f(p)(x - p)
    /// <= 2 stepCE. As smCE is the largest such sum, and is attained at values of f on the grid of
    /// the predictions (the constraints are differences), smCE <= 2 stepCE for these tables; the
    /// steps for every T are in `sums.rs`.
    smooth_functions / smooth_functions_with_factor_one {
        claims: ["TIGHT-smce-step"],
        domain: "2 levels of 1 to 2 rounds, D = 4; f at its levels in multiples of 1/4",
        cases: "9 500",
        unwind: 4,
        seconds: 10,
        proof: smooth_function_is_bounded(&levels::<2>(4, 2), 4, 2),
        fault: "the factor 2 is 1" => smooth_function_is_bounded(&levels::<2>(4, 2), 4, 1),
    }

    /// stepCE is what it is defined as: the sum of x - p over predictions up to a threshold, round
    /// by round, is in absolute value at most stepCE for every threshold, and at the one that it
    /// names it is the bias that it names. So the running sum of the scan is the naive one.
    named_threshold / named_threshold_with_strict_comparison {
        claims: ["reading:stepce", "def-stepCE"],
        domain: "3 levels of 1 to 2 rounds, D = 16; 17 thresholds",
        cases: "1 445 000",
        unwind: 5,
        seconds: 10,
        proof: step_error_is_the_supremum(&levels::<3>(16, 2), false),
        fault: "p < alpha instead of p <= \
            alpha" => step_error_is_the_supremum(&levels::<3>(16, 2), true),
    }

    /// The interval error is what it is defined as: no interval of the grid has a larger sum of x -
    /// p, round by round, and the one that it names has this sum.
    named_interval / named_interval_doubled {
        claims: ["reading:intervalce"],
        domain: "2 levels of 1 to 2 rounds, D = 16; 153 intervals",
        cases: "520 200",
        unwind: 4,
        seconds: 10,
        proof: interval_error_is_the_supremum(&levels::<2>(16, 2), 1),
        fault: "twice the sum" => interval_error_is_the_supremum(&levels::<2>(16, 2), 2),
    }

    /// The sign variant is what it is defined as: no threshold in [0, 1], at a prediction or
    /// between two, has a larger sum, and the one that it names, which lies in [0, 1], has this
    /// sum.
    named_sign / named_sign_doubled {
        claims: ["reading:signce"],
        domain: "2 levels of 1 to 2 rounds, D = 8; 17 thresholds",
        cases: "15 300",
        unwind: 4,
        seconds: 10,
        proof: sign_variant_is_the_supremum(&levels::<2>(8, 2), 1),
        fault: "twice the sum" => sign_variant_is_the_supremum(&levels::<2>(8, 2), 2),
    }
}

fn sign_variant_is_equivalent(rows: &[Level<i16>], unit: i16, factor: i16) {
    let table = Table::assume_valid(&unit, rows);
    let step = result!("step_ce", step_ce(table)).value;
    let sign = result!("sign_ce", sign_ce(table)).value;
    assert!(step <= sign);
    assert!(sign <= factor * step);
    cover!(step > 0 && sign == factor * step);
}

fn interval_error_is_equivalent(rows: &[Level<i16>], factor: i16) {
    let table = Table::assume_valid(&16, rows);
    let step = result!("step_ce", step_ce(table)).value;
    let interval = result!("interval_ce", interval_ce(table)).value;
    assert!(step <= interval);
    assert!(interval <= factor * step);
    cover!(step > 0 && interval == factor * step);
}

fn step_error_is_below(rows: &[Level<i16>], factor: i16) {
    let table = Table::assume_valid(&16, rows);
    let step = result!("step_ce", step_ce(table)).value;
    let Ece { value: ece, under, over } = result!("ece", ece(table));
    let (mut more, mut less) = (0, 0);
    for row in rows {
        let bias = row.bias(&16);
        more += bias.max(0);
        less += (-bias).max(0);
    }
    assert!(ece == more + less && under == more && over == less);
    assert!(factor * step <= ece);
    cover!(step > 0 && factor * step == ece);
}

fn total_bias_is_bounded(rows: &[Level<i16>], factor: i16) {
    let table = Table::assume_valid(&16, rows);
    let mut bias = 0;
    for row in rows {
        bias += row.bias(&16);
    }
    let sign = result!("sign_ce", sign_ce(table)).value;
    assert!(factor * bias.abs() <= sign);
    cover!(
        rows[0].value == 0 && rows[rows.len() - 1].value == 16 && bias != 0 && bias.abs() == sign
    );
}

fn smooth_function_is_bounded(rows: &[Level<i16>], unit: i16, factor: i16) {
    let step = result!("step_ce", step_ce(Table::assume_valid(&unit, rows))).value;
    let (mut sum, mut f) = (0, between(-unit, unit));
    let mut before = rows[0].value;
    for row in rows {
        let reach = row.value - before;
        f = between((f - reach).max(-unit), (f + reach).min(unit));
        sum += f * row.bias(&unit);
        before = row.value;
    }
    assert!(sum <= factor * unit * step);
    cover!(step > 0 && sum == factor * unit * step);
}

/// Σ (x - p) over the predictions from `low` to `high`, round by round.
fn naive(rows: &[Level<i16>], unit: i16, low: i16, high: i16) -> i16 {
    let mut sum = 0;
    for row in rows {
        if low <= row.value && row.value <= high {
            let mut round = 0;
            while round < 2 {
                if round < row.count {
                    sum += if round < row.ones { unit - row.value } else { -row.value };
                }
                round += 1;
            }
        }
    }
    sum
}

fn step_error_is_the_supremum(rows: &[Level<i16>], strictly: bool) {
    let step = result!("step_ce", step_ce(Table::assume_valid(&16, rows)));
    let below = |alpha: i16| naive(rows, 16, 0, if strictly { alpha - 1 } else { alpha });
    assert!(below(between(0, 16)).abs() <= step.value);
    let named = below(rows[step.level.expect("there are rounds")].value);
    assert!(named == step.bias && named.abs() == step.value);
    cover!(named < 0);
}

fn interval_error_is_the_supremum(rows: &[Level<i16>], factor: i16) {
    let interval = result!("interval_ce", interval_ce(Table::assume_valid(&16, rows)));
    let low = between(0, 16);
    let sum = naive(rows, 16, low, between(low, 16));
    assert!(factor * sum.abs() <= interval.value);
    if let Some((first, last)) = interval.levels {
        let named = naive(rows, 16, rows[first].value, rows[last].value);
        assert!(named == interval.bias && named.abs() == interval.value);
        cover!(first > 0 && named < 0);
    } else {
        assert!(interval.value == 0 && interval.bias == 0);
    }
}

/// Σ (x - p) sgn(α - p) by the sums below and above the threshold; α in half units.
fn naive_sign(rows: &[Level<i16>], twice_alpha: i16) -> i16 {
    let (mut below, mut above) = (0, 0);
    for row in rows {
        let own = naive(rows, 8, row.value, row.value);
        if 2 * row.value < twice_alpha {
            below += own;
        } else if 2 * row.value > twice_alpha {
            above += own;
        }
    }
    below - above
}

fn sign_variant_is_the_supremum(rows: &[Level<i16>], factor: i16) {
    let sign = result!("sign_ce", sign_ce(Table::assume_valid(&8, rows)));
    assert!(factor * naive_sign(rows, between(0, 16)).abs() <= sign.value);
    let place = match sign.place {
        SignAt::Level(index) => 2 * rows[index].value,
        SignAt::Gap(0) => 2 * rows[0].value - 1,
        SignAt::Gap(above) => 2 * rows[above - 1].value + 1,
    };
    assert!((0..=16).contains(&place));
    assert!(naive_sign(rows, place) == sign.sum && sign.sum.abs() == sign.value);
    cover!(place & 1 == 1);
    cover!(place & 1 == 0 && sign.value > 0);
}
