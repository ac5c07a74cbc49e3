//! Checks of the penalty of truthful forecasts when p* is 1/5, then 4/5 (L711-738): mean deviations
//! of Bin(n, 1/5).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

use super::binomial::Binomial;
use super::halves::{Forecast, beyond_root, table};
use crate::claims::tools::{int, r, value};
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// Bin(n, 1/5)
fn law(n: u64) -> Binomial {
    Binomial::new(n, &r(1, 5))
}

/// E |K - n/5| for K ~ Bin(n, 1/5).
fn mean_deviation(n: u64) -> BigRational {
    law(n).mean_deviation()
}

/// VCal >= 2 (X_1 - T/10) on every outcome for T <= 40: for every T this is prop:altform as alpha
/// falls to 1/5.
pub(super) fn pathwise(evidence: &mut Evidence) {
    for rounds in (2..=40_u64).step_by(2) {
        for low in 0..=rounds / 2 {
            for high in 0..=rounds / 2 {
                let halves = ((rounds / 2, low), (rounds / 2, high));
                let v = value(&table(Forecast::Truthful, halves.0, halves.1), Measure::VCal);
                let excess = int(low) - r(1, 10) * int(rounds);
                let words = || format!("T = {rounds}, X_1 = {low}, X_2 = {high}\nVCal = {v}");
                evidence.case(v >= int(2) * &excess, words);
                let more = r(202, 100) * &excess;
                evidence.mistake("101/100 of 2 (X_1 - T/10)", v >= more, words);
            }
        }
    }
}

/// E |X_1 - n/5| >= (2048/3125) sqrt(n/5) for every n = T/2, with equality at n = 5.
///
/// For n <= 200 exactly. For the rest, let M(n) be the mean deviation. By de Moivre's formula
/// ([`Binomial::de_moivre`]) M(5k + 5)/M(5k) is (256/625) (5k+1)(5k+2)(5k+3)(5k+4) / (4k
/// (4k+1)(4k+2)(4k+3)). So M(5k)^2/k does not fall as k grows: the inequality is one between
/// polynomials in k, and no coefficient of their difference is negative. Partial sums being a
/// martingale, M(5k + j) >= M(5k). Hence M(n)^2 >= M(50)^2 k/10 for n <= 5k + 4, which is enough at
/// k = 10 and, the slope M(50)^2/10 being larger than that of the square of the bound, for every
/// k > 10.
pub(super) fn every_n(evidence: &mut Evidence) {
    for n in 1..=200_u64 {
        let (deviation, formula) = (mean_deviation(n), law(n).de_moivre());
        let words = || format!("n = {n}\nE |X_1 - n/5| = {:.6}", Enclosure::exact(&deviation));
        evidence.case(beyond_root(&deviation, 2 * n, 1) && deviation == formula, words);
        let less = r(100, 101) * &deviation;
        evidence.mistake("101/100 of the constant", beyond_root(&less, 2 * n, 1), words);
    }
    for k in 1..40_u64 {
        let above: BigInt = (1..5).map(|i| BigInt::from(5 * k + i)).product();
        let below: BigInt = (0..4).map(|i| BigInt::from(4 * k + i)).product();
        let growth = mean_deviation(5 * k + 5) / mean_deviation(5 * k);
        let stated = r(256, 625) * BigRational::new(above, below);
        evidence.case(growth == stated, || format!("k = {k}\nM(5k + 5)/M(5k) = {growth}"));
    }
    let difference = growth_polynomial();
    evidence.case(difference.iter().all(|coefficient| !coefficient.is_negative()), || {
        format!("coefficients {difference:?}")
    });
    // (2048/3125)^2 n/5, the square of the bound, grows by (2048/3125)^2 when k does by 1.
    let (start, slope) = (Pow::pow(&mean_deviation(50), 2_u32), Pow::pow(&r(2048, 3125), 2_u32));
    let enough = start >= &slope * r(54, 5) && &start / int(10) >= slope;
    evidence.case(enough, || "n from 50 on".to_owned());
}

/// 256^2 ((5k+1)(5k+2)(5k+3)(5k+4))^2 - 625^2 16 k (k+1) ((4k+1)(4k+2)(4k+3))^2, lowest power of k
/// first: not negative exactly if (M(5k+5)/M(5k))^2 k/(k+1) >= 1.
fn growth_polynomial() -> Vec<BigInt> {
    let squares = |slope: i64, last: i64| (1..=last).flat_map(move |i| [(i, slope); 2]);
    let above = product(65_536, squares(5, 4));
    let below = product(390_625 * 16, squares(4, 3).chain([(0, 1), (1, 1)]));
    above.into_iter().zip(below).map(|(a, b)| a - b).collect()
}

/// The coefficients of a constant times factors (constant + slope k).
fn product(constant: i64, factors: impl Iterator<Item = (i64, i64)>) -> Vec<BigInt> {
    let mut coefficients = vec![BigInt::from(constant)];
    for (constant, slope) in factors {
        let raised = std::iter::once(BigInt::zero()).chain(coefficients.iter().map(|c| c * slope));
        let kept = coefficients.iter().map(|c| c * constant).chain([BigInt::zero()]);
        coefficients = kept.zip(raised).map(|(a, b)| a + b).collect();
    }
    coefficients
}

/// For n ~ Bin(N, 1/2), N = T/2 <= 30: E sqrt(n) >= sqrt(N)/2, and E of the mean deviation of
/// Bin(n, 1/5) is at least half of (2048/3125) sqrt(T/10). For every T the first follows from
/// sqrt(n) >= n/sqrt(N), as n^2 <= n N, and the second from the first and [`every_n`]. That E VCal
/// on S is at least the mean deviation is [`pathwise`] for the rounds of S.
pub(super) fn sampled(evidence: &mut Evidence) {
    for rounds in (2..=60_u64).step_by(2) {
        let kept = Binomial::new(rounds / 2, &r(1, 2));
        let mean = kept.expectation(mean_deviation);
        let weighted = |(n, weight): (u64, Enclosure)| {
            Enclosure::from(i64::try_from(n).expect("a small T")).sqrt() * weight
        };
        let root: Enclosure = kept.enclosures().map(weighted).sum();
        let full = Enclosure::exact(&(int(rounds) / int(2))).sqrt();
        let half = full * Enclosure::ratio(1, 2);
        let words = || {
            let mean = Enclosure::exact(&mean);
            format!("T = {rounds}\nE sqrt(n) = {root:.6}, E of the deviation {mean:.6}")
        };
        evidence.case(half.at_most(&root) == Some(true) && beyond_root(&mean, rounds, 2), words);
        let less = r(10, 11) * &mean;
        evidence.mistake("11/10 of the last bound", beyond_root(&less, rounds, 2), words);
        let more = half * Enclosure::ratio(101, 100);
        evidence.mistake("101/100 of sqrt(T/2)/2", more.at_most(&root) != Some(false), words);
    }
}
