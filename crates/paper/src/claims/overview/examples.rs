//! The two ways in which U-calibration is not truthful, and how they begin.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::claims::tools::{binomial_law, commas, int, listed, outcomes, r, table_of, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// UCal = 4 max(b, 0) for the bias b = X - T/4, and in expectation 2 E|b|, since E b = 0.
pub(super) fn bias_at_half(evidence: &mut Evidence) {
    for rounds in (2..=24_u64).step_by(2) {
        let half = rounds / 2;
        let (mut expected, mut deviation) = (BigRational::zero(), BigRational::zero());
        for (heads, chance) in (0..=half).zip(binomial_law(half, &r(1, 2))) {
            let table = table_of([(r(1, 2), half, heads), (int(1), half, half)]);
            let u_cal = value(&table, Measure::UCal);
            let bias = int(heads) - r(1, 2) * int(half);
            let show = || {
                format!(
                    "T = {rounds}: {heads} of {half} ones at 1/2, {half} of {half} at 1\n\
                     bias at 1/2: {heads} - {half}/2 = {bias}\n\
                     UCal = {u_cal}"
                )
            };
            evidence.case(u_cal == int(4) * bias.clone().max(int(0)), show);
            evidence.mistake("UCal >= |b| for either sign", u_cal >= bias.abs(), show);
            expected += &chance * &u_cal;
            deviation += chance * bias.abs();
        }
        evidence.case(expected == int(2) * &deviation, || {
            format!("T = {rounds}: E UCal = {expected}, E|b| = {deviation}")
        });
    }
}

/// T/2 ones at 1/2 - ε and T/2 zeros at 1/2 + ε.
fn next_to_half(rounds: u64, epsilon: &BigRational) -> AnyLevels {
    let half = rounds / 2;
    table_of([(r(1, 2) - epsilon, half, half), (r(1, 2) + epsilon, half, 0)])
}

/// Measures with CM >= κ UCal are at least κT next to 1/2, however small ε is.
///
/// For every such measure: UCal = (1 + 2ε)T at p = 1/2 ∓ ε (`prop-disc`), so CM is at least κ times
/// that there. If CM is continuous at 1/2, its value is the limit as ε -> 0 of numbers that are
/// at least κ(1 + 2ε)T >= κT, an inequality between affine functions of ε that is seen at ε = 0 and
/// ε = 1/2 for T = 1 (both sides are multiples of κT). At p = 1/2 the one b_j is 0, where a
/// complete measure is o(T), which κT is not.
///
/// Seven measures of this sort are at most √T/4 at 1/2, so that they jump for every T > 1/(4κ)².
pub(super) fn every_such_measure_jumps(evidence: &mut Evidence) {
    for epsilon in [int(0), r(1, 2)] {
        let nearby = int(1) + int(2) * &epsilon;
        evidence.case(nearby >= int(1), || format!("epsilon = {epsilon}: {nearby} kappa T"));
    }
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
/// 0); 3/5 is the mirror image.
///
/// From above: E z^(X_1) = (4/5 + z/5)^(T/2) at z = 8/3 gives P(X_1 > T/5) <= (16/27)^(T/10). T/2 -
/// X_2 has the law of X_1, so X_2 < T/5 is X_1 > 3T/10, and less likely. From below: if the sums of
/// m blocks are less than 2/5 of their lengths, so is that of all rounds; hence the probability at
/// T = 160 m is at least ρ^m, ρ that at T = 160. As ρ > (16/27)^16, the quotient of the two grows
/// without bound with m: the limit from below falls more slowly.
pub(super) fn worst_thresholds(evidence: &mut Evidence) {
    const BLOCK: u64 = 160;
    let z = r(8, 3);
    let rate = (r(4, 5) + &z / int(5)).pow(5_i32) / (&z * &z);
    let above = rate.pow(16_i32);
    let below = chance(BLOCK, |x_1, x_2| 5 * (x_1 + x_2) < 2 * BLOCK);
    evidence.case(below <= above, || {
        format!(
            "T = {BLOCK} m: X_1 ~ Bin(T/2, 1/5), X_2 ~ Bin(T/2, 4/5)\n\
             alpha -> (2/5)+: X_1 > T/5 or X_2 < T/5 has probability <= 2 ({rate})^(T/10) = 2 a^m, \
             a = {:.8}\n\
             alpha -> (2/5)-: X_1 + X_2 < 2T/5 has probability >= b^m, b = {:.8}, that at m = 1",
            Enclosure::exact(&above),
            Enclosure::exact(&below)
        )
    });
    for rounds in (2..=40_u64).step_by(2) {
        let above = chance(rounds, |x_1, x_2| 5 * x_1 > rounds || 5 * x_2 < rounds);
        let below = chance(rounds, |x_1, x_2| 5 * (x_1 + x_2) < 2 * rounds);
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
    let at_ten = (chance(10, |x_1, _| x_1 > 2), chance(10, |x_1, x_2| x_1 + x_2 < 4));
    evidence.corrected(
        "at T = 10, P(X_1 > 2) = 181/3125 < P(X_1 + X_2 < 4) = 1085984/9765625",
        at_ten == (r(181, 3125), r(1_085_984, 9_765_625)),
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
