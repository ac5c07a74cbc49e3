//! The largest bias that U-calibration does not see.

use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};

use crate::claims::tools::{levels_in_words, r, table_of, tables, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal::measures::u_cal;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// n (H_T - H_n), the sum over j = n+1, …, T of n/j.
fn harmonic(zeros: i64, rounds: i64) -> BigRational {
    (zeros + 1..=rounds).map(|j| r(zeros, j)).sum()
}

/// The largest of them over n.
fn largest(rounds: i64) -> BigRational {
    (1..=rounds).map(|zeros| harmonic(zeros, rounds)).max().unwrap_or_default()
}

/// n zeros predicted 0 and T - n ones predicted j/(n + j), j = 1, …, T - n: UCal = 0 and bias n
/// (H_T - H_n).
pub(super) fn family(evidence: &mut Evidence) {
    for rounds in 1..=40_i64 {
        for zeros in 1..=rounds {
            let table = |share: BigRational| {
                let first = (r(0, 1), zeros.unsigned_abs(), 0);
                let rest = (1..=rounds - zeros).map(|j| (r(j, zeros + j) * &share, 1, 1));
                table_of(std::iter::once(first).chain(rest))
            };
            let levels = table(BigRational::one());
            let u_cal = value(&levels, Measure::UCal);
            let bias: BigRational = levels.to_rational().table().biases().sum();
            let arithmetic = |u_cal: &BigRational| {
                format!("T = {rounds}, n = {zeros}\nUCal = {u_cal}\nbias {bias}")
            };
            evidence
                .case(u_cal.is_zero() && bias == harmonic(zeros, rounds), || arithmetic(&u_cal));
            if rounds <= 4 {
                let lower = value(&table(r(99, 100)), Measure::UCal);
                evidence
                    .mistake("99/100 of the predictions", lower.is_zero(), || arithmetic(&lower));
            }
        }
    }
}

/// No table with UCal = 0 has a larger |bias| than the family.
pub(super) fn no_more(evidence: &mut Evidence) {
    let largest: Vec<BigRational> = (0..=4).map(largest).collect();
    for levels in tables(4, 12) {
        let table = levels.table();
        if u_cal(table).numerator != 0 {
            evidence.inapplicable();
            continue;
        }
        let bias = r(table.biases().sum::<i64>().abs(), *table.unit());
        let bound = &largest[usize::try_from(table.rounds()).expect("small")];
        let arithmetic = || {
            let words = levels_in_words(&AnyLevels::from(levels.clone()));
            format!("{words}\nUCal = 0, |bias| = {bias}\nthe family: {bound}")
        };
        evidence.case(bias <= *bound, arithmetic);
        evidence.mistake("99/100 of it", bias <= bound * r(99, 100), arithmetic);
    }
}

/// The same for all real predictions.
///
/// Fix how many rounds and ones each level has, from the lowest level v_1 up. UCal = 0 means g <=
/// 0, and g is largest in limits at levels: it asks that each v_j is at least the mean outcome of
/// the levels up to j and at most that of the levels from j. Among v_1 <= v_2 <= … the lowest, and
/// so the one with the largest bias, has for v_j the largest of the lower bounds up to j; it is
/// feasible if any is. (If it has ties, it is a table with fewer levels, for which less is asked.)
/// Exchanging outcomes changes the sign of the bias, so |bias| need not be looked at.
pub(super) fn no_more_for_real_predictions(evidence: &mut Evidence) {
    for rounds in 1..=9 {
        let bound = largest(rounds);
        for pattern in patterns(rounds) {
            let Some(lowest) = lowest_predictions(&pattern) else {
                evidence.inapplicable();
                continue;
            };
            let levels = pattern.iter().zip(&lowest);
            let bias: Ratio<i64> = levels.map(|(&(n, k), v)| Ratio::from(k) - v * n).sum();
            let bias = r(*bias.numer(), *bias.denom());
            let arithmetic = || {
                let values: Vec<_> = lowest.iter().map(ToString::to_string).collect();
                let values = values.join(", ");
                format!(
                    "levels (rounds, ones): {pattern:?}\nat {values}\nbias {bias}, family {bound}"
                )
            };
            evidence.case(bias <= bound, arithmetic);
            evidence.mistake("99/100 of it", bias <= &bound * r(99, 100), arithmetic);
        }
    }
}

/// The lowest predictions with UCal = 0 for levels with these rounds and ones, if there are any.
fn lowest_predictions(pattern: &[(i64, i64)]) -> Option<Vec<Ratio<i64>>> {
    let mean = |levels: &[(i64, i64)]| {
        let (rounds, ones) = levels.iter().fold((0, 0), |(n, k), level| (n + level.0, k + level.1));
        Ratio::new(ones, rounds)
    };
    let mut lowest = vec![];
    let mut bound = Ratio::zero();
    for j in 0..pattern.len() {
        bound = mean(&pattern[..=j]).max(bound);
        if bound > mean(&pattern[j..]) {
            return None;
        }
        lowest.push(bound);
    }
    Some(lowest)
}

/// Every way to divide the rounds among levels: (rounds, ones) of each, from the lowest up.
fn patterns(rounds: i64) -> Vec<Vec<(i64, i64)>> {
    if rounds == 0 {
        return vec![vec![]];
    }
    let levels = (1..=rounds).flat_map(|count| (0..=count).map(move |ones| (count, ones)));
    let extend = |level: (i64, i64)| {
        patterns(rounds - level.0).into_iter().map(move |rest| [vec![level], rest].concat())
    };
    levels.flat_map(extend).collect()
}

/// T/e - 2/5 <= max_n n (H_T - H_n) < T/e.
pub(super) fn approaches(evidence: &mut Evidence) {
    let e = Enclosure::from(1).exp();
    let mut harmonic = vec![Enclosure::from(0)];
    for rounds in 1..=200_i64 {
        harmonic.push(harmonic.last().expect("H_0") + Enclosure::ratio(1, rounds));
        let all = harmonic.last().expect("H_T");
        let bias = |(zeros, part): (i64, &Enclosure)| Enclosure::from(zeros) * (all - part);
        let biases = (0..).zip(&harmonic).map(bias);
        let value = biases.reduce(|a, b| a.max(&b)).expect("T > 0");
        let limit = Enclosure::from(rounds) / &e;
        let gap = &limit - &value;
        let arithmetic = || format!("T = {rounds}\nlargest bias {value:.9}\nT/e = {limit:.9}");
        let within = |low: Enclosure, high: Enclosure| {
            low.below(&gap) == Some(true) && gap.at_most(&high) == Some(true)
        };
        evidence.case(within(Enclosure::from(0), Enclosure::ratio(2, 5)), arithmetic);
        let closer = within(Enclosure::from(0), Enclosure::ratio(3, 10));
        evidence.mistake("within 3/10", closer, arithmetic);
        let smaller = within(Enclosure::ratio(1, 4), Enclosure::ratio(2, 5));
        evidence.mistake("at most T/e - 1/4", smaller, arithmetic);
    }
}
