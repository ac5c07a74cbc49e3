//! The truthful forecaster: what an epoch of the search adds.

use num_bigint::BigInt;
use num_integer::binomial;
use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

use crate::claims::tools::{binomial_law, int, outcomes, r, uniform_moment};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// The w that are tried: first that of epoch 1, then others up to the ends of [1/4, 3/4].
pub(super) fn places() -> impl Iterator<Item = BigRational> {
    [8, 7, 9, 6, 10, 5, 11, 4, 12].into_iter().map(|i| r(i, 16))
}

/// E Σ (x_t - p*_t) 1{Σ x_t >= n w} and E Σ (x_t - w) 1{Σ x_t >= n w} over n rounds with p*_t
/// uniform on w ± c/2.
///
/// In a round with x = 1, E (x - p*); x = 1 is E p*(1 - p*) = w - m for the second moment m, and
/// with x = 0 its opposite.
pub(super) fn both_sides(n: u32, w: &BigRational, c: &BigRational) -> (BigRational, BigRational) {
    let half = c / int(2);
    let second = uniform_moment(&(w - &half), &(w + &half), 2);
    let (up, down) = (w - &second, int(1) - w);
    let (mut true_bias, mut centre_bias) = (BigRational::zero(), BigRational::zero());
    for x in outcomes(n as usize) {
        let ones = x.iter().filter(|one| **one).count();
        let (ones, zeros) = (ones as u32, n - ones as u32);
        let sum = int(ones) - int(n) * w;
        if sum.is_negative() {
            continue;
        }
        let weight = |ones: u32, zeros: u32| Pow::pow(w, ones) * Pow::pow(&down, zeros);
        if ones > 0 {
            true_bias += int(ones) * &up * weight(ones - 1, zeros);
        }
        if zeros > 0 {
            true_bias -= int(zeros) * &up * weight(ones, zeros - 1);
        }
        centre_bias += sum * weight(ones, zeros);
    }
    (true_bias, centre_bias)
}

fn replacement_case(evidence: &mut Evidence, n: u32, w: &BigRational, c: &BigRational) {
    let (true_bias, centre_bias) = both_sides(n, w, c);
    let (left, right) = (&true_bias / int(2), &centre_bias / int(2));
    evidence.case(left == right, || {
        let each = w * (int(1) - w) - c * c / int(12);
        format!(
            "|T_i| = {n}, w = {w}, c = {c}\n\
             E[(x_t - p*_t) x_t] = E[p*_t (1 - p*_t)] = w(1-w) - c^2/12 = {each}\n\
             E sum (x_t - p*_t) 1{{mean >= w}} / 2 = {left}\n\
             E sum (x_t - w) 1{{mean >= w}} / 2 = {right}"
        )
    });
    let factor = int(1) - c * c / (int(12) * w * (int(1) - w));
    evidence.corrected(
        "left = (1 - c^2/(12 w (1-w))) right >= (575/576) right",
        left == &factor * &right && factor >= r(575, 576),
    );
}

/// The two sides for up to 6 rounds in an epoch.
pub(super) fn replacement(evidence: &mut Evidence) {
    for n in 1..=6 {
        for w in places() {
            for c in [r(1, 16), r(1, 32), r(3, 128)] {
                replacement_case(evidence, n, &w, &c);
            }
        }
    }
}

/// The erratum's own witness: T = 5, k = 1, c = 1/16.
pub(super) fn replacement_witness(evidence: &mut Evidence) {
    replacement_case(evidence, 1, &r(1, 2), &r(1, 16));
}

/// E max(X - np, 0) for X ~ Bin(n, p).
pub(super) fn positive_part(n: u32, p: &BigRational) -> BigRational {
    let mean = int(n) * p;
    let above =
        |(k, weight): (i64, BigRational)| (int(k) - &mean).max(BigRational::zero()) * weight;
    (0..).zip(binomial_law(n, p)).map(above).sum()
}

/// E Σ (x_t - w) 1{Σ x_t >= n w} over all outcomes against E max(X - nw, 0): for every n, w and x
/// the sum is X - nw, and times the indicator of X - nw >= 0 it is max(X - nw, 0), so that the
/// means agree. The least of the latter over p in [1/4, 3/4] is at most its value at w. Tried for n
/// <= 8.
pub(super) fn positive_parts(evidence: &mut Evidence) {
    // on both rays of X - nw
    for z in [-1, 0, 1_i64] {
        evidence.case(z * i64::from(z >= 0) == z.max(0), || format!("X - nw has the sign of {z}"));
    }
    for n in 1..=8 {
        let least = turning_points(n).map(|p| positive_part(n, &p)).min().expect("two ends");
        for w in places() {
            let (_, bias) = both_sides(n, &w, &r(1, 16));
            let part = positive_part(n, &w);
            let text =
                || format!("n = {n}, w = {w}\nover outcomes {bias}\nE max(X - nw, 0) = {part}");
            evidence.case(bias == part && part >= least, text);
            evidence.mistake("E|X - nw| for the positive part", bias == int(2) * &part, text);
            evidence.mistake("1.01 of the minimum", &part * int(100) >= &least * int(101), text);
        }
    }
}

/// Where E |X - np| can be least for p in [1/4, 3/4]: the ends and the multiples of 1/n.
///
/// Between neighbouring multiples of 1/n it is a constant times p^v (1-p)^(n-v+1) with v = ⌊np⌋ + 1
/// (de Moivre), which first increases and then decreases in p.
fn turning_points(n: u32) -> impl Iterator<Item = BigRational> {
    let multiples = (0..=n).map(move |j| r(j.into(), n.into()));
    let inside = multiples.filter(|p| r(1, 4) < *p && *p < r(3, 4));
    [r(1, 4), r(3, 4)].into_iter().chain(inside)
}

/// P(X - np >= sigma), with sigma² = np(1-p).
fn one_deviation(n: u32, p: &BigRational) -> BigRational {
    let mean = int(n) * p;
    let variance = &mean * (int(1) - p);
    let far = |k: i64| int(k) >= mean && Pow::pow(int(k) - &mean, 2_u32) >= variance;
    (0..).zip(binomial_law(n, p)).filter(|(k, _)| far(*k)).map(|(_, weight)| weight).sum()
}

fn one_deviation_case(evidence: &mut Evidence, n: u32, p: &BigRational) {
    let probability = one_deviation(n, p);
    evidence.case(!probability.is_zero(), || {
        let variance = int(n) * p * (int(1) - p);
        let reach = int(n) * (int(1) - p);
        format!(
            "n = {n}, p = {p}: X - np is at most n(1-p) = {reach}\n\
             sigma^2 = np(1-p) = {variance} > {reach}^2, so P(X - np >= sigma) = 0"
        )
    });
}

/// "P(X - np >= sigma) is bounded below", and what holds instead: E max(X - np, 0) >= (81/512)
/// sqrt(n) for all n >= 1 and p in [1/4, 3/4]; see [`positive_part_is_large`] and
/// [`positive_part_is_large_for_large`].
pub(super) fn one_deviation_bound(evidence: &mut Evidence) {
    for n in 1..=8 {
        for p in (4..=12).rev().map(|i| r(i, 16)) {
            one_deviation_case(evidence, n, &p);
        }
    }
    let statement = "E max(X - np, 0) >= (81/512) sqrt(n), equal at n = 4, p = 1/4";
    for n in 1..FEW {
        evidence.corrected(statement, positive_part_is_large(n));
    }
    evidence.corrected(statement, positive_part_is_large_for_large());
    let equal = positive_part(4, &r(1, 4)) == r(81, 512) * int(2);
    evidence.corrected(statement, equal);
}

/// The erratum's own witnesses: p = 3/4 with n = 1 and n = 2.
pub(super) fn one_deviation_witness(evidence: &mut Evidence) {
    for n in [1, 2] {
        one_deviation_case(evidence, n, &r(3, 4));
        evidence.corrected("E max(X - np, 0) >= (81/512) sqrt(n)", positive_part_is_large(n));
    }
}

/// Below this n every turning point is evaluated; from it on Stirling's formula does.
pub(super) const FEW: u32 = 41;

/// E max(X - np, 0) = E |X - np| / 2 is at least (81/512) sqrt(n) at all turning points, hence at
/// all p in [1/4, 3/4].
///
/// In integers: with p = a/b, b^(n+1) E max = Σ_k C(n,k) a^k (b-a)^(n-k) max(kb - na, 0).
pub(super) fn positive_part_is_large(n: u32) -> bool {
    turning_points(n).all(|p| {
        let (a, b) = (p.numer(), p.denom());
        let term = |k: u32| {
            let above = BigInt::from(k) * b - BigInt::from(n) * a;
            let weight = Pow::pow(a, k) * Pow::pow(b - a, n - k);
            binomial(BigInt::from(n), k.into()) * weight * above.max(BigInt::zero())
        };
        let mean = BigRational::new((0..=n).map(term).sum(), Pow::pow(b, n + 1));
        &mean * &mean >= r(81 * 81, 512 * 512) * int(n)
    })
}

/// The same for all n >= [`FEW`]. Every p in [1/4, 3/4] lies between multiples j/n of 1/n, j/n in
/// [1/4 - 1/n, 3/4 + 1/n], and E |X - np| is at least the lesser of its values there. At p = j/n
/// with q = 1 - p it is 2 n p q C(n,j) p^j q^(n-j).
///
/// Let d_n = ln n! - (n + 1/2) ln n + n. With y = 1/(2n+1), d_n - d_(n+1) = (n + 1/2) ln(1 + 1/n) -
/// 1 = y²/3 + y⁴/5 + …, which is positive and at most (y²/3)/(1 - y²) = 1/(12n) - 1/(12(n+1)),
/// since (2n+1)² - 1 = 4n(n+1). So d_n falls, d_n - 1/(12n) increases, and both tend to some d, d
/// <= d_10. As ln C(n,j) p^j q^(n-j) = d_n - d_j - d_(n-j) - ln(npq)/2, which is at least d - (d +
/// 1/(12j)) - (d + 1/(12(n-j))) - ln(npq)/2,
///
/// E max = npq C(n,j) p^j q^(n-j) >= sqrt(npq) e^(-d) exp(-1/(12 npq)).
///
/// As pq >= (1/4 - 1/n)(3/4 + 1/n), which increases with n, both factors over sqrt(n) increase with
/// n: n = [`FEW`] suffices.
pub(super) fn positive_part_is_large_for_large() -> bool {
    let margin = r(1, FEW.into());
    let pq = Enclosure::exact(&((r(1, 4) - &margin) * (r(3, 4) + &margin)));
    let npq = Enclosure::from(i64::from(FEW)) * &pq;
    let factor = (-(Enclosure::ratio(1, 12) / npq) - stirling(10)).exp();
    Enclosure::ratio(81, 512).at_most(&(pq.sqrt() * factor)) == Some(true)
}

/// d_n = ln n! - (n + 1/2) ln n + n
pub(super) fn stirling(n: i64) -> Enclosure {
    let factorial: i64 = (1..=n).product();
    let logarithm = if n == 1 { Enclosure::from(0) } else { Enclosure::from(n).ln() };
    Enclosure::from(factorial).ln() - Enclosure::ratio(2 * n + 1, 2) * logarithm
        + Enclosure::from(n)
}
