//! Claims about the regret f of V-shaped rules and about g: VCal and what bounds it.

use super::symbolic::between;
use super::tables::levels;
use crate::levels::{Level, Table};
use crate::measures::{Corner, Sides, four_at_half, step_ce, v_cal};
use crate::ties::Ties;

harnesses! {
    /// f(α) = 2 g(α) at every threshold of the grid that is not a prediction, with f as it is
    /// defined, round by round, and g as the formulas compute it.
    regret_off_the_predictions / regret_is_three_times_g {
        claims: ["typical-f-2g", "prop:altform"],
        domain: "3 levels of 1 to 2 rounds, D = 16; 14 thresholds",
        cases: "1 190 000",
        unwind: 5,
        seconds: 10,
        proof: regret_is_a_multiple_of_g(&levels::<3>(16, 2), 2),
        fault: "the factor 2 is 3" => regret_is_a_multiple_of_g(&levels::<3>(16, 2), 3),
    }

    /// At a prediction f is the average of its two limits, each of which is twice the limit of g.
    regret_at_a_prediction / regret_at_a_prediction_from_one_side {
        claims: ["eq:f-average-of-two-limits", "prop:altform"],
        domain: "2 levels of 1 to 2 rounds, D = 16; each level",
        cases: "6 800",
        unwind: 4,
        seconds: 10,
        proof: regret_is_the_average_of_limits(&levels::<2>(16, 2), true),
        fault: "the limit from below counts \
            twice" => regret_is_the_average_of_limits(&levels::<2>(16, 2), false),
    }

    /// VCal by its formula is the supremum of f over the thresholds: f exceeds it nowhere on a grid
    /// twice as fine as that of the predictions, and tends to it at the level and from the side
    /// that the formula names.
    alternative_form / alternative_form_without_factor {
        claims: ["prop:altform", "reading:vcal"],
        domain: "2 levels of 1 to 2 rounds, D = 8; 17 thresholds",
        cases: "15 300",
        unwind: 4,
        seconds: 10,
        proof: v_cal_is_the_supremum(levels::<2>(8, 2), 1),
        fault: "sup g instead of 2 sup g" => v_cal_is_the_supremum(levels::<2>(8, 2), 2),
    }

    /// X - αN over the predictions below a threshold is at most stepCE. (Between predictions it
    /// falls, so the limits at levels suffice.)
    lower_side / lower_side_halved {
        claims: ["case1", "prop:stepCE-complete-sound-decision-theoretic"],
        domain: "5 levels of 1 round, D = 16; each level",
        cases: "990 080",
        unwind: 7,
        seconds: 10,
        proof: lower_side_is_bounded(&levels::<5>(16, 1), 1),
        fault: "half of stepCE" => lower_side_is_bounded(&levels::<5>(16, 1), 2),
    }

    /// αN - X over the predictions above a threshold is at most 2 stepCE. With the lower side: g <=
    /// 2 stepCE, hence VCal <= 4 stepCE.
    upper_side / upper_side_with_factor_one {
        claims: ["case2-ineq", "case2-half", "prop:stepCE-complete-sound-decision-theoretic"],
        domain: "5 levels of 1 round, D = 16; each level",
        cases: "990 080",
        unwind: 7,
        seconds: 10,
        proof: upper_side_is_bounded(&levels::<5>(16, 1), 2),
        fault: "the factor 2 is 1" => upper_side_is_bounded(&levels::<5>(16, 1), 1),
    }

    /// The upper side for eight rounds with different predictions.
    upper_side_of_eight / upper_side_of_eight_with_factor_one {
        claims: ["case2-ineq", "case2-half", "prop:stepCE-complete-sound-decision-theoretic"],
        domain: "8 levels of 1 round, D = 16; each level",
        cases: "49 786 880",
        slow: kani_slow,
        unwind: 10,
        seconds: 600,
        proof: upper_side_is_bounded(&levels::<8>(16, 1), 2),
        fault: "the factor 2 is 1" => upper_side_is_bounded(&levels::<8>(16, 1), 1),
    }

    /// VCal <= 4 stepCE, on tables of exactly three levels, ties included.
    v_cal_below_step_error / v_cal_below_three_step_errors {
        claims: ["VCal-bound", "TIGHT-vcal-step"],
        domain: "3 levels of 1 to 2 rounds, D = 16",
        cases: "85 000",
        unwind: 5,
        seconds: 10,
        proof: v_cal_is_bounded(&levels::<3>(16, 2), 4),
        fault: "the factor 4 is 3" => v_cal_is_bounded(&levels::<3>(16, 2), 3),
    }

    /// The height of an edge over 1/2 is that of the line between its ends, and if both ends of the
    /// edge of the majorant there are at most 2 stepCE high, then UCal, four times its height
    /// there, is at most 8 stepCE; so from g <= 2 stepCE. (That UCal is four times the majorant is
    /// UCAL-FORMULA.)
    majorant_at_half / majorant_at_half_with_factor_seven {
        claims: [
            "prop:stepCE-complete-sound-decision-theoretic",
            "UCAL-FORMULA",
            "TIGHT-ucal-step"
        ],
        domain: "every edge over 1/2 with D = 8, stepCE up to 7/8",
        cases: "13600",
        unwind: 2,
        seconds: 10,
        proof: majorant_is_bounded(8),
        fault: "the factor 8 is 7" => majorant_is_bounded(7),
    }
}

/// Σ (x_t - α) sgn(α - p_t) - Σ (x_t - α) sgn(α - μ), round by round, with `tie` for sgn(0) in the
/// first sum. The second is -|Σ (x_t - α)|.
fn regret(rows: &[Level<i16>], unit: i16, alpha: i16, tie: i16) -> i16 {
    let (mut first, mut second) = (0, 0);
    for row in rows {
        let mut round = 0;
        while round < 2 {
            if round < row.count {
                let x = if round < row.ones { unit } else { 0 };
                second += x - alpha;
                if row.value < alpha {
                    first += x - alpha;
                } else if row.value > alpha {
                    first -= x - alpha;
                } else if tie > 0 {
                    first += x - alpha;
                } else if tie < 0 {
                    first -= x - alpha;
                }
            }
            round += 1;
        }
    }
    first + second.abs()
}

/// g by the formulas, at a threshold above some levels and not at one.
fn g(sides: &Sides<i16>, alpha: i16) -> i16 {
    result!("Sides::height", sides.height(&alpha))
}

fn regret_is_a_multiple_of_g(rows: &[Level<i16>], factor: i16) {
    let alpha = between(0, 16);
    let mut sides = Sides::new(Table::assume_valid(&16, rows));
    for row in rows {
        assume!(row.value != alpha);
        if row.value < alpha {
            sides.pass(row, &16);
        }
    }
    let g = g(&sides, alpha);
    assert!(regret(rows, 16, alpha, 0) == factor * g);
    cover!(g > 0);
}

fn regret_is_the_average_of_limits(rows: &[Level<i16>], both: bool) {
    let chosen = between(0, rows.len() - 1);
    let mut sides = Sides::new(Table::assume_valid(&16, rows));
    for (index, row) in rows.iter().enumerate() {
        let from_below = g(&sides, row.value);
        sides.pass(row, &16);
        let from_above = g(&sides, row.value);
        if index == chosen {
            assert!(regret(rows, 16, row.value, -1) == 2 * from_below);
            assert!(regret(rows, 16, row.value, 1) == 2 * from_above);
            let other = if both { from_above } else { from_below };
            assert!(regret(rows, 16, row.value, 0) == from_below + other);
            cover!(from_below > 0 && from_above > 0 && from_below != from_above);
        }
    }
}

fn v_cal_is_the_supremum<const M: usize>(mut rows: [Level<i16>; M], divisor: i16) {
    for row in &mut rows {
        row.value *= 2; // thresholds between neighbours
    }
    let v_cal = result!("v_cal", v_cal(Table::assume_valid(&16, &rows)));
    let value = v_cal.value / divisor;
    assert!(regret(&rows, 16, between(0, 16), 0) <= value);
    match v_cal.limit {
        None => assert!(value == 0),
        Some((index, ties)) => {
            let tie = if ties == Ties::Below { 1 } else { -1 };
            assert!(value > 0);
            assert!(regret(&rows, 16, rows[index].value, tie) == value);
            cover!(tie == 1);
            cover!(tie == -1);
        }
    }
}

fn lower_side_is_bounded(rows: &[Level<i16>], factor: i16) {
    let table = Table::assume_valid(&16, rows);
    let step = result!("step_ce", step_ce(table)).value;
    let chosen = between(0, rows.len() - 1);
    let mut sides = Sides::new(table);
    for (index, row) in rows.iter().enumerate() {
        sides.pass(row, &16);
        if index == chosen {
            let below = result!("Sides::below", sides.below(&row.value));
            assert!(factor * below <= step);
            cover!(below > 0 && factor * below == step);
        }
    }
}

fn upper_side_is_bounded(rows: &[Level<i16>], factor: i16) {
    let table = Table::assume_valid(&16, rows);
    let step = result!("step_ce", step_ce(table)).value;
    let chosen = between(0, rows.len() - 1);
    let mut sides = Sides::new(table);
    for (index, row) in rows.iter().enumerate() {
        if index == chosen {
            let above = result!("Sides::above", sides.above(&row.value));
            assert!(above <= factor * step);
            cover!(step > 0 && above == factor * step);
        }
        sides.pass(row, &16);
    }
}

fn v_cal_is_bounded(rows: &[Level<i16>], factor: i16) {
    let table = Table::assume_valid(&16, rows);
    let step = result!("step_ce", step_ce(table)).value;
    let v_cal = result!("v_cal", v_cal(table)).value;
    assert!(v_cal <= factor * step);
    cover!(step > 0 && v_cal == factor * step);
}

fn majorant_is_bounded(factor: i32) {
    let step = between(0_i16, 7);
    let corner = |alpha: i16, height: i16| Corner { alpha, height, ties: Ties::Below };
    let left = corner(between(0, 3), between(0, 2 * step));
    let right = corner(between(4, 8), between(0, 2 * step));
    let length = i32::from(right.alpha) - i32::from(left.alpha);
    let numerator = result!("four_at_half", four_at_half(&left, &right, &8));
    let (low, high) = (i32::from(left.height), i32::from(right.height));
    let height = low * length + (high - low) * (4 - i32::from(left.alpha));
    assert!(numerator == 4 * height);
    assert!(numerator <= factor * i32::from(step) * length);
    cover!(step > 0 && numerator == factor * i32::from(step) * length);
}
