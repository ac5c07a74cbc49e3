//! Truthfulness, the gap of U-calibration, and subsampled smooth calibration.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::claims::tools::{
    binomial_law, compositions, in_words, int, listed, outcomes, r, table_of, tables, value,
};
use truecal::AnyLevels;
use truecal::Measure;
use truecal::definitions::{self, LinearProgramme, Round};
use truecal_verify::registry::Evidence;

/// Two rounds: the predictions of the truthful forecaster, multiplied along a path, are the nature.
pub(super) fn conditional_probabilities(evidence: &mut Evidence) {
    for masses in compositions(6, 4) {
        // In the order 00, 01, 10, 11 of `outcomes`.
        let nature: Vec<_> = masses.iter().map(|mass| r(*mass, 6)).collect();
        let first = &nature[2] + &nature[3];
        let second = |x_1: bool| {
            let (zero, one) = (&nature[2 * usize::from(x_1)], &nature[2 * usize::from(x_1) + 1]);
            let reached = zero + one;
            if reached.is_zero() { r(1, 2) } else { one / reached }
        };
        let marginal = &nature[1] + &nature[3];
        for (x, mass) in outcomes(2).zip(&nature) {
            let chance = |p: &BigRational, x: bool| if x { p.clone() } else { int(1) - p };
            let path = |p_2: &BigRational| chance(&first, x[0]) * chance(p_2, x[1]);
            let show = |p_2: &BigRational| {
                format!(
                    "masses {masses:?}/6 of 00, 01, 10, 11; x = ({})\np_1 = {first}, p_2 = {p_2}",
                    listed(&x)
                )
            };
            let truthful = second(x[0]);
            evidence.case(path(&truthful) == *mass, || show(&truthful));
            evidence
                .mistake("marginal probabilities", path(&marginal) == *mass, || show(&marginal));
        }
    }
}

/// For how many of T/2 certain events 5/8 is predicted, after so many heads among T/2 fair bits
/// that were: the bias heads + ones - 5/8 (T/2 + ones) is negative while 3 ones < 5 T/2 - 8 heads.
pub(in crate::claims) fn patched(half: u64, heads: u64) -> u64 {
    (5 * half).saturating_sub(8 * heads).div_ceil(3).min(half)
}

/// An expected measure on T/2 fair bits and then T/2 ones: of the truthful forecaster, and of the
/// one that predicts 5/8 until the bias is no longer negative in the second half, then 1.
pub(in crate::claims) fn fair_bits_then_ones(
    rounds: u64,
    measure: Measure,
) -> (BigRational, BigRational) {
    let half = rounds / 2;
    let (mut truthful, mut strategic) = (BigRational::zero(), BigRational::zero());
    for (heads, chance) in (0..=half).zip(binomial_law(half, &r(1, 2))) {
        let rows = [(r(1, 2), half, heads), (int(1), half, half)];
        truthful += &chance * value(&table_of(rows), measure);
        let ones = patched(half, heads);
        let rows = [(r(5, 8), half + ones, heads + ones), (int(1), half - ones, half - ones)];
        strategic += &chance * value(&table_of(rows), measure);
    }
    (truthful, strategic)
}

/// The truthful error is 2 E|X - T/4| >= √T/2, equal at T = 4; the strategic one is at most 6/5.
pub(super) fn gap_of_ucal(evidence: &mut Evidence) {
    for rounds in (2..=60_u64).step_by(2) {
        let (truthful, strategic) = fair_bits_then_ones(rounds, Measure::UCal);
        let law = binomial_law(rounds / 2, &r(1, 2));
        let deviation = |heads: u64| (int(heads) - int(rounds) / int(4)).abs();
        let formula: BigRational =
            (0..).zip(&law).map(|(heads, p)| int(2) * p * deviation(heads)).sum();
        let square = &truthful * &truthful;
        let show = || {
            format!(
                "T = {rounds}: {} fair bits, then as many ones\n\
                 truthful: {truthful}, 2 E|X - T/4| = {formula}\n\
                 strategic: {strategic}",
                rounds / 2
            )
        };
        let large = square >= int(rounds) / int(4);
        evidence.case(truthful == formula && large && strategic <= r(6, 5), show);
        evidence.mistake("truthful > sqrt(T)/2", square > int(rounds) / int(4), show);
        evidence.mistake("strategic <= 119/100", strategic <= r(119, 100), show);
        evidence.mistake("truthful <= strategic", truthful <= strategic, show);
    }
}

/// Three fair bits, then three ones: the optimum is at most 6/5 and the truthful error is 3/2, so
/// UCal has a (6/5)-(3/2) gap, and it is (1, β)-truthful for no β < 3/10.
pub(super) fn one_gap(evidence: &mut Evidence) {
    let (truthful, strategic) = fair_bits_then_ones(6, Measure::UCal);
    let show =
        || format!("T = 6: three fair bits, then ones\ntruthful {truthful}, strategic {strategic}");
    evidence.case(truthful == r(3, 2) && strategic == r(6, 5), show);
    evidence.mistake("(1, 29/100)-truthful", truthful <= &strategic + r(29, 100), show);
}

/// The average over subsets of the largest Σ f(p_t)(x_t - p_t) over the subset is the average over
/// y in {0,1}^T of the largest Σ y_t f(p_t)(x_t - p_t), where f is defined at the other predictions
/// as well.
pub(super) fn two_forms_of_ssce(evidence: &mut Evidence) {
    for table in tables(3, 3) {
        let rounds = table.to_rational().to_rounds();
        let table = AnyLevels::from(table);
        let subsets = definitions::subsampled(&rounds, definitions::sm_ce);
        let total: BigRational = outcomes(rounds.len()).map(|y| weighted_smooth(&rounds, &y)).sum();
        let weighted = total / int(1_u64 << rounds.len());
        let formula = value(&table, Measure::Ssce);
        let show = || {
            format!(
                "{}\nover subsets: {subsets}\nover y: {weighted}\nformula: {formula}",
                in_words(&rounds)
            )
        };
        evidence.case(subsets == weighted && weighted == formula, show);
        let half = value(&table, Measure::SmCe) / int(2);
        evidence.mistake("half of smCE", subsets == half, show);
    }
}

/// The largest Σ y_t f(p_t)(x_t - p_t) over 1-Lipschitz f into [-1, 1], as a linear programme over
/// f(p_t) + 1.
fn weighted_smooth(rounds: &[Round], y: &[bool]) -> BigRational {
    let mut programme = LinearProgramme::new(rounds.len());
    let mut shift = BigRational::zero();
    for (t, (x, p)) in rounds.iter().enumerate() {
        programme.at_most(&[(t, BigRational::one())], int(2));
        for (s, (_, q)) in rounds.iter().enumerate().filter(|(s, _)| *s != t) {
            programme.at_most(&[(t, int(1)), (s, int(-1))], (p - q).abs());
        }
        if y[t] {
            let error = int(u8::from(*x)) - p;
            programme.gain(t, &error);
            shift += error;
        }
    }
    programme.maximise().value - shift
}

/// T/2 ones at 1/2 - ε and T/2 zeros at 1/2 + ε: UCal = (1 + 2ε)T, smCE = ε(1/2 + ε)T, and
/// SSCE <= (1/2 + ε)(√T + εT)/2, so that SSCE / UCal <= 1/(4√T) + ε/4 falls below any constant.
pub(super) fn not_decision_theoretic(evidence: &mut Evidence) {
    for rounds in (2..=24_u64).step_by(2) {
        for epsilon in [r(1, 4), r(1, 16), r(1, 64)] {
            let (half, t) = (rounds / 2, int(rounds));
            let rows = [(r(1, 2) - &epsilon, half, half), (r(1, 2) + &epsilon, half, 0)];
            let table = table_of(rows);
            let [u_cal, smooth, sampled] =
                [Measure::UCal, Measure::SmCe, Measure::Ssce].map(|m| value(&table, m));
            let weight = r(1, 2) + &epsilon;
            // 4T SSCE / UCal = 2 SSCE / (1/2 + ε) <= √T + εT
            let scaled = int(2) * &sampled / &weight;
            let beyond = &scaled - &epsilon * &t;
            let holds = u_cal == int(2) * &weight * &t
                && smooth == &epsilon * &weight * &t
                && (beyond.is_negative() || beyond.pow(2) <= t);
            let show = || {
                format!(
                    "T = {rounds}, epsilon = {epsilon}\nUCal = {u_cal}\nsmCE = {smooth}\nSSCE = \
                        {sampled}"
                )
            };
            evidence.case(holds, show);
            evidence.mistake("SSCE / UCal <= 1/(4 sqrt(T))", scaled.pow(2) <= t, show);
            let beyond_less = int(16) * beyond.pow(2) <= int(9) * &t;
            evidence.mistake("3/4 of 1/(4 sqrt(T))", beyond.is_negative() || beyond_less, show);
        }
    }
}
