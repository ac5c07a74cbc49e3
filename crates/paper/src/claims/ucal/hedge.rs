//! Checks of the hedging examples with UCal = 0 and a large bias (L673-693).

use num_rational::BigRational;
use num_traits::Zero;

use crate::claims::appendix::thresholds::Rounds;
use crate::claims::tools::{int, r, table_of, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal_verify::registry::Evidence;

/// `copies` of (0, 0), (1, 3/4), and `fillers` rounds with outcome and prediction 1.
fn blocks(copies: u64, fillers: u64) -> AnyLevels {
    table_of([(int(0), copies, 0), (r(3, 4), copies, copies), (int(1), fillers, fillers)])
}

/// The sum of x_t - p_t.
fn bias(table: &AnyLevels) -> BigRational {
    let table = table.to_rational();
    table.table().biases().sum()
}

/// UCal = 0 and bias T/8 for the example repeated, T <= 60. For every T: both are T/2 times as
/// large as at T = 2, since every count is.
pub(super) fn repeated(evidence: &mut Evidence) {
    for copies in 1..=30_u64 {
        let table = blocks(copies, 0);
        let (u, bias) = (value(&table, Measure::UCal), bias(&table));
        let words = || format!("T = {}\nUCal = {u}, bias {bias}", 2 * copies);
        evidence.case(u.is_zero() && bias == int(2 * copies) / int(8), words);
        let lower = table_of([(int(0), copies, 0), (r(99, 200), copies, copies)]);
        let u = value(&lower, Measure::UCal);
        evidence.mistake("99/200 in place of 3/4 (1/2 would do)", u.is_zero(), || {
            format!("T = {}\nUCal = {u}", 2 * copies)
        });
    }
}

/// What stands for 1 below.
const ONE: i64 = 48;

/// Both sides of g for x = (0, 1), p = (0, 3/4), counted at these thresholds between two ends,
/// against the stated ones, in units of 1/48.
///
/// In an interval without predictions both are affine in alpha, so that two thresholds in it stand
/// for all; and an affine function is negative between two ends where it is not positive, unless it
/// is 0 at both.
fn thresholds(
    evidence: &mut Evidence,
    ends: [i64; 2],
    thresholds: &[i64],
    stated: fn(i64) -> [i64; 2],
) {
    let rounds = Rounds::new(4, &[(false, 0), (true, 3)]);
    assert_eq!(rounds.unit, ONE, "the unit of two rounds on quarters");
    let at_ends = ends.map(stated);
    let not_positive = at_ends.iter().flatten().all(|side| *side <= 0);
    for &alpha in thresholds {
        let sides = [rounds.under(alpha), rounds.over(alpha)];
        let words = || {
            let [alpha, below, above] = [alpha, sides[0], sides[1]].map(|number| r(number, ONE));
            format!("alpha = {alpha}\nX_- - alpha N_- = {below}, alpha N_+ - X_+ = {above}")
        };
        evidence.case(sides == stated(alpha) && not_positive, words);
        evidence.mistake("the sides exchanged", [sides[1], sides[0]] == stated(alpha), words);
    }
}

/// alpha = 0
pub(super) fn at_zero(evidence: &mut Evidence) {
    thresholds(evidence, [0, 0], &[0], |_| [0, -ONE]);
}

/// 0 < alpha < 3/4
pub(super) fn below_three_quarters(evidence: &mut Evidence) {
    thresholds(evidence, [0, 36], &[12, 32], |alpha| [-alpha, alpha - ONE]);
}

/// alpha = 3/4
pub(super) fn at_three_quarters(evidence: &mut Evidence) {
    thresholds(evidence, [36, 36], &[36], |_| [-36, 0]);
}

/// 3/4 < alpha <= 1
pub(super) fn above_three_quarters(evidence: &mut Evidence) {
    thresholds(evidence, [36, ONE], &[42, ONE], |alpha| [ONE - 2 * alpha, 0]);
}

/// Whole copies of the two rounds give even T only; one more round (1, 1) gives the odd ones.
pub(super) fn odd_lengths(evidence: &mut Evidence) {
    for rounds in 2..=31_u64 {
        let copies = rounds / 2;
        evidence.case(2 * copies == rounds, || {
            format!(
                "T = {rounds}\ncopies of two rounds: {copies} have {}, one more has {}",
                2 * copies,
                2 * copies + 2
            )
        });
        let table = blocks(copies, rounds % 2);
        let zero = value(&table, Measure::UCal).is_zero();
        evidence.corrected(
            "with one more round x = p = 1 for odd T: UCal = 0 and bias floor(T/2)/4",
            zero && bias(&table) == int(copies) / int(4),
        );
    }
}
