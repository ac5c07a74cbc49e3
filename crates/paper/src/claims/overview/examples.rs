//! The two ways in which U-calibration is not truthful, and how they begin.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::claims::tools::{binomial_law, commas, int, listed, outcomes, r, table_of, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal_verify::registry::Evidence;

/// UCal = 4 max(b, 0) for the bias b = X - T/4: nothing for a negative bias, so that no κ will do;
/// in expectation it is 2 E|b|, since E b = 0.
pub(super) fn bias_at_half(evidence: &mut Evidence) {
    for rounds in (2..=24_u64).step_by(2) {
        let half = rounds / 2;
        let (mut expected, mut deviation) = (BigRational::zero(), BigRational::zero());
        let mut exact = true;
        for (heads, chance) in (0..=half).zip(binomial_law(half, &r(1, 2))) {
            let table = table_of([(r(1, 2), half, heads), (int(1), half, half)]);
            let u_cal = value(&table, Measure::UCal);
            let bias = int(heads) - r(1, 2) * int(half);
            evidence.case(bias.is_zero() || u_cal.is_positive(), || {
                format!(
                    "T = {rounds}: {heads} of {half} ones at 1/2, {half} of {half} at 1\n\
                     bias at 1/2: {heads} - {half}/2 = {bias}\n\
                     UCal = {u_cal}"
                )
            });
            exact &= u_cal == int(4) * bias.clone().max(int(0));
            expected += &chance * u_cal;
            deviation += chance * bias.abs();
        }
        evidence.corrected(
            "UCal = 4 max(b, 0), so that E UCal = 2 E|b|",
            exact && expected == int(2) * deviation,
        );
    }
}

/// T/2 ones at 1/2 - ε and T/2 zeros at 1/2 + ε.
fn next_to_half(rounds: u64, epsilon: &BigRational) -> AnyLevels {
    let half = rounds / 2;
    table_of([(r(1, 2) - epsilon, half, half), (r(1, 2) + epsilon, half, 0)])
}

/// VCal = (1/2 + ε)T and UCal = (1 + 2ε)T, while UCal = 0 once every prediction is moved by ε to
/// 1/2.
pub(super) fn discontinuity(evidence: &mut Evidence) {
    for rounds in (2..=20_u64).step_by(2) {
        for epsilon in (1..12).map(|k| r(k, 24)) {
            let table = next_to_half(rounds, &epsilon);
            let [u_cal, v_cal] = [Measure::UCal, Measure::VCal].map(|m| value(&table, m));
            let moved = value(&next_to_half(rounds, &int(0)), Measure::UCal);
            let expected = (r(1, 2) + &epsilon) * int(rounds);
            let show = || {
                format!(
                    "T = {rounds}, epsilon = {epsilon}\n\
                     UCal = {u_cal}, VCal = {v_cal}\n\
                     UCal at p = 1/2: {moved}"
                )
            };
            let exact = v_cal == expected && u_cal == int(2) * &expected;
            evidence.case(exact && moved.is_zero(), show);
            evidence.mistake("VCal = T/2", v_cal == int(rounds / 2), show);
            let lipschitz = u_cal <= int(4) * &epsilon * int(rounds);
            evidence.mistake("UCal moves by at most 4 epsilon T", lipschitz, show);
        }
    }
}

/// Measures with CM >= κ UCal are at least κT next to 1/2, however small ε is, but at 1/2 they are
/// at most √T/4: a jump for every T > 1/(4κ)².
pub(super) fn every_such_measure_jumps(evidence: &mut Evidence) {
    let measures = [
        (Measure::UCal, r(1, 1)),
        (Measure::VCal, r(1, 2)),
        (Measure::Ece, r(1, 8)),
        (Measure::StepCe, r(1, 8)),
        (Measure::SignCe, r(1, 8)),
        (Measure::IntervalCe, r(1, 8)),
        (Measure::StepCeSub, r(1, 16)),
    ];
    for rounds in (2..=24_u64).step_by(2) {
        for epsilon in [r(1, 4), r(1, 16), r(1, 256)] {
            let (table, at_half) = (next_to_half(rounds, &epsilon), next_to_half(rounds, &int(0)));
            let least = (int(1) + int(2) * &epsilon) * int(rounds);
            for (measure, kappa) in &measures {
                let [near, there] = [&table, &at_half].map(|table| value(table, *measure));
                let small = int(16) * &there * &there <= int(rounds);
                evidence.case(near >= kappa * &least && small, || {
                    format!(
                        "{measure}, T = {rounds}, epsilon = {epsilon}\n\
                         next to 1/2: {near} >= {kappa} {least}\n\
                         at 1/2: {there}"
                    )
                });
            }
            let smooth = value(&table, Measure::SmCe);
            evidence.mistake("smCE as well, kappa = 1/8", smooth >= &least / int(8), || {
                format!("T = {rounds}, epsilon = {epsilon}\nsmCE = {smooth}, UCal = {least}")
            });
        }
    }
}

/// Bisection of [1/2 - ε, 1/2 + ε]: for all outcomes, the midpoints follow the recursion p_{t+1} =
/// p_t ± ε 2^-t, and the last midpoint α separates the rounds: p_t < α exactly where x_t = 1, and
/// p_t = α never. All of it is affine in ε, so that one ε is enough.
pub(super) fn binary_search(evidence: &mut Evidence) {
    let epsilon = r(1, 4);
    for rounds in 1..=8 {
        for x in outcomes(rounds) {
            let (mut low, mut high) = (r(1, 2) - &epsilon, r(1, 2) + &epsilon);
            let mut midpoints = vec![(&low + &high) / int(2)];
            let (mut step, mut recursion) = (epsilon.clone(), vec![r(1, 2)]);
            for (t, &one) in x.iter().enumerate() {
                let middle = midpoints[t].clone();
                *(if one { &mut low } else { &mut high }) = middle;
                midpoints.push((&low + &high) / int(2));
                step /= int(2);
                let moved = if one { &recursion[t] + &step } else { &recursion[t] - &step };
                recursion.push(moved);
            }
            let separates = |alpha: &BigRational| {
                let right =
                    |(p, one): (&BigRational, &bool)| if *one { p < alpha } else { p > alpha };
                midpoints.iter().zip(&x).all(right)
            };
            let show = || {
                let (x, points) = (listed(&x), commas(&midpoints));
                format!("epsilon = 1/4, x = ({x})\np*_1, ..., p*_T, alpha: {points}")
            };
            evidence.case(midpoints == recursion && separates(&midpoints[x.len()]), show);
            evidence.mistake("alpha = p*_T", separates(&midpoints[x.len() - 1]), show);
            evidence.mistake("alpha = 1/2", separates(&r(1, 2)), show);
        }
    }
}

/// Outcomes Bern(1/5) in the first half and Bern(4/5) in the second, predictions 2/5 and 3/5: the
/// chance of an event that depends on the ones X_1 and X_2 of the halves.
fn chance(rounds: u64, event: impl Fn(u64, u64) -> bool) -> BigRational {
    let half = rounds / 2;
    let (first, second) = (binomial_law(half, &r(1, 5)), binomial_law(half, &r(4, 5)));
    let mut total = BigRational::zero();
    for (x_1, mass_1) in (0_u64..).zip(&first) {
        for (x_2, mass_2) in (0_u64..).zip(&second) {
            if event(x_1, x_2) {
                total += mass_1 * mass_2;
            }
        }
    }
    total
}

/// At 2/5 the limit of g from above is max(X_1 - T/5, T/5 - X_2), from below max(2T/5 - X_1 - X_2,
/// 0). The former is at least as likely to be positive: true for T = 2 and 4, then no longer. The
/// limits at 3/5 are as likely, by x -> 1 - x. Below 2/5 and above 3/5 g is no larger than next to
/// them; between them it may be positive more often than at either end, at T = 10 even more often
/// than beyond them.
pub(super) fn worst_thresholds(evidence: &mut Evidence) {
    for rounds in (2..=40_u64).step_by(2) {
        let above = chance(rounds, |x_1, x_2| 5 * x_1 > rounds || 5 * x_2 < rounds);
        let below = chance(rounds, |x_1, x_2| 5 * (x_1 + x_2) < 2 * rounds);
        evidence.case(above >= below, || {
            let half = rounds / 2;
            format!(
                "T = {rounds}: X_1 ~ Bin({half}, 1/5), X_2 ~ Bin({half}, 4/5)\n\
                 alpha -> (2/5)+: max(X_1 - T/5, T/5 - X_2) > 0 has probability {above}\n\
                 alpha -> (2/5)-: 2T/5 - X_1 - X_2 > 0 has probability {below}"
            )
        });
        // g = max(X_1 - s, s - X_2) at alpha = 2s/T between 2/5 and 3/5, where j < s < j + 1.
        let between = (0..rounds / 2).filter(|j| 5 * (j + 1) > rounds && 10 * j < 3 * rounds);
        let between = between.map(|j| chance(rounds, |x_1, x_2| x_1 > j || x_2 <= j));
        let likeliest = between.max().is_none_or(|between| below > between);
        evidence.corrected(
            "the limits at (2/5)- and (3/5)+ are likelier for even T >= 6, and for T >= 12 than \
                any alpha",
            (rounds < 6 || below > above) && (rounds < 12 || likeliest),
        );
    }
}

/// At T = 10, with the numbers of the erratum.
pub(super) fn worst_thresholds_at_ten(evidence: &mut Evidence) {
    let (above, below) = (chance(10, |x_1, _| x_1 > 2), chance(10, |x_1, x_2| x_1 + x_2 < 4));
    evidence.case(above >= below, || {
        format!(
            "T = 10: X_1 ~ Bin(5, 1/5), X_2 ~ Bin(5, 4/5)\n\
             alpha -> (2/5)+: P(X_1 > 2) = (10 16 + 5 4 + 1)/5^5 = {above}\n\
             alpha -> (2/5)-: P(X_1 + X_2 < 4) = {below}"
        )
    });
    let numbers = above == r(181, 3125) && below == r(1_085_984, 9_765_625);
    evidence.corrected(
        "P(X_1 > 2) = 181/3125 < P(X_1 + X_2 < 4) = 1085984/9765625",
        numbers && above < below,
    );
}

/// p* uniform on [1/5 - c, 1/5 + c], α = 1/5 - (1-γ)c: P(p* < α) = γ/2 (times 2c) and the mean
/// below α is α - γc/2, identities of degree at most 1 in each of γ and c, which hold everywhere if
/// they do at two values of each. With γ = 1/k, T = k³, bias (γT/4)(γc/2) and deviation √(γT) are
/// ck/8 and k, monomials on both sides.
pub(super) fn smoothed_hedging(evidence: &mut Evidence) {
    for c in [r(1, 20), r(1, 10), r(3, 20)] {
        for k in 1..=4_i64 {
            let gamma = r(1, k);
            let (low, t) = (r(1, 5) - &c, int(k * k * k));
            let alpha = r(1, 5) - (int(1) - &gamma) * &c;
            let chance = (&alpha - &low) / (int(2) * &c);
            let mean = (&low + &alpha) / int(2);
            let (bias, squared_deviation) = (&gamma * &t / int(4) * (&alpha - &mean), &gamma * &t);
            let show = || {
                format!(
                    "c = {c}, gamma = {gamma}, T = {t}, alpha = {alpha}\n\
                     P(p* < alpha) = {chance}, mean below alpha {mean}\n\
                     bias {bias}, deviation^2 {squared_deviation}"
                )
            };
            let growth = bias == &c * int(k) / int(8) && squared_deviation == int(k * k);
            let laws = chance == &gamma / int(2) && mean == &alpha - &gamma * &c / int(2);
            evidence.case(laws && growth, show);
            evidence.mistake("P(p* < alpha) = gamma", chance == gamma, show);
            evidence.mistake("mean alpha - gamma c", mean == &alpha - &gamma * &c, show);
            evidence.mistake(
                "bias c k/4, without the 1/2 of P(p* < alpha)",
                bias == &c * int(k) / int(4),
                show,
            );
        }
    }
}
