//! Densities, variances and nets.

use num_rational::BigRational;
use num_traits::{One, Pow, Zero};

use crate::claims::tools::{binomial, int, r, uniform_moment};
use truecal_verify::registry::Evidence;

/// A density of at most h on [0, 1] has mass at most h, and the constant density h has that mass.
/// So a prior with density at most h exists exactly if h >= 1; for h = c that is c = 1, for h = 1/c
/// all c in (0,1].
fn density_cases(evidence: &mut Evidence, parameters: impl Iterator<Item = BigRational>) {
    for c in parameters {
        evidence.case(c >= BigRational::one(), || {
            format!("c = {c}: a density of at most {c} on [0,1] has mass at most {c} < 1")
        });
        evidence
            .corrected("a prior with density at most 1/c exists", c.recip() >= BigRational::one());
    }
}

/// See [`density_cases`]; multiples of 1/12 stand for all c, as the two sides are monotone in c.
pub(super) fn density_at_most_c(evidence: &mut Evidence) {
    density_cases(evidence, (1..=12).map(|i| r(i, 12)));
}

/// The erratum's own witness.
pub(super) fn density_at_most_half(evidence: &mut Evidence) {
    density_cases(evidence, std::iter::once(r(1, 2)));
}

/// E p(1 - p) for p uniform on an interval.
pub(super) fn mean_variance(low: &BigRational, high: &BigRational) -> BigRational {
    uniform_moment(low, high, 1) - uniform_moment(low, high, 2)
}

/// E p(1 - p) at c against c/2 - c²/3. Multiplied by c both are polynomials of degree 3, so that 12
/// points prove the identity. Over c it is 1/2 - c/3, which is between 1/6 and 1/2.
pub(super) fn variance_near_zero(evidence: &mut Evidence) {
    for c in (1..=12).map(|i| r(i, 12)) {
        let mean = mean_variance(&BigRational::zero(), &c);
        let formula = &c / int(2) - &c * &c / int(3);
        let between = &c / int(6) <= formula && formula <= &c / int(2);
        let shown =
            |formula: &BigRational| format!("c = {c}\nE p(1-p) = {mean}\nformula: {formula}");
        evidence.case(mean == formula && between, || shown(&formula));
        let wrong = &c / int(2) - &c * &c * r(33, 100);
        evidence.mistake("c/2 - (33/100) c^2", mean == wrong, || shown(&wrong));
    }
}

/// E p(1 - p) >= c/4 - c²/12, with equality for the density 1/c on [0, c/2] and [1-c/2,1].
///
/// Let f* be that density and f any other that is at most 1/c, h = p(1 - p) and h_0 its value at
/// c/2. Where h < h_0, f <= f* = 1/c; where h > h_0, f >= f* = 0. So the integral of (f - f*)(h -
/// h_0) is not negative, nor is that of (f - f*) h, the two having the same mass. The mean under f*
/// is that on [0, c/2] by symmetry; multiplied by c it is of degree 3 in c, and 12 points prove the
/// identity. Besides, every set of j eighths with density 8/j on it.
pub(super) fn least_variance(evidence: &mut Evidence) {
    let minimum = |c: &BigRational| c / int(4) - c * c / int(12);
    for c in (1..=12).map(|i| r(i, 12)) {
        let (mean, least) = (mean_variance(&int(0), &(&c / int(2))), minimum(&c));
        evidence.case(mean == least, || {
            format!("c = {c}, density 1/c on [0, c/2] and [1 - c/2, 1]\nE p(1-p) = {mean}")
        });
    }
    let eighths: Vec<_> = (0..8).map(|i| mean_variance(&r(i, 8), &r(i + 1, 8))).collect();
    for j in 1..=8_u32 {
        let c = r(j.into(), 8);
        let least = minimum(&c);
        for set in (0..256_u32).filter(|set| set.count_ones() == j) {
            let chosen = (0..8).filter(|i| set >> i & 1 == 1);
            let mean = chosen.map(|i| &eighths[i]).sum::<BigRational>() / int(j);
            let shown = || {
                format!(
                    "c = {c}, density 1/c on the eighths {set:08b}\nE p(1-p) = {mean}, c/4 - \
                        c^2/12 = {least}"
                )
            };
            evidence.case(mean >= least, shown);
            evidence.mistake("101/100 of the minimum", mean >= &least * r(101, 100), shown);
        }
    }
}

/// The expected number in the fullest of T² equally likely bins, over all (T²)^T ways for T <= 4,
/// against 1 + Σ_{m>=1} C(T,m+1) T^-2m.
///
/// For every T and all priors with density at most 1/c: given what came before, p*_t is in any
/// given bin with probability at most (1/c)(c/T²) = 1/T², linear in c after multiplying by c, and
/// that is what `overview-net` asks for. The sum is its bound.
pub(super) fn fullest_bin(evidence: &mut Evidence) {
    for rounds in 1..=4_u32 {
        let bins = rounds * rounds;
        for c in [r(1, 2), r(1, 1)] {
            let mass = c.recip() * (&c / int(bins));
            evidence.case(mass == r(1, bins.into()), || format!("c = {c}: a bin has mass {mass}"));
        }
        let ways = bins.pow(rounds);
        let total: u32 = (0..ways).map(|way| fullest(way, rounds, bins)).sum();
        let mean = r(total.into(), ways.into());
        let term = |m: u32| int(binomial(rounds.into(), u64::from(m) + 1)) / Pow::pow(int(bins), m);
        let bound = int(1) + (1..rounds).map(term).sum::<BigRational>();
        let shown =
            || format!("T = {rounds}: {ways} ways\nE fullest bin = {mean}\nunion bound = {bound}");
        evidence.case(mean <= bound && bound <= r(3, 2), shown);
        evidence.mistake("99/100 of the union bound", mean <= &bound * r(99, 100), shown);
    }
}

/// The number in the fullest bin if the digits of `way` to base `bins` are where the balls lie.
fn fullest(mut way: u32, balls: u32, bins: u32) -> u32 {
    let mut counts = vec![0; bins as usize];
    for _ in 0..balls {
        counts[(way % bins) as usize] += 1;
        way /= bins;
    }
    counts.into_iter().max().expect("a bin")
}

/// For v > 1, gamma(v) = sqrt(v). For v = s² with s in [0, 1], sqrt(v) - gamma(v) = s - s² = 1/4 -
/// (s - 1/2)², an identity of degree 2 that 13 points prove.
pub(super) fn root_and_gamma(evidence: &mut Evidence) {
    for root in (0..=24).map(|i| r(i, 12)) {
        let v = &root * &root;
        let gamma = if v <= int(1) { v.clone() } else { root.clone() };
        let excess = &root - &gamma;
        let square = Pow::pow(&root - r(1, 2), 2_u32);
        let explained = v > int(1) || excess == r(1, 4) - square;
        let shown =
            || format!("v = {v}: sqrt(v) = {root}, gamma(v) = {gamma}, difference {excess}");
        evidence.case(excess <= r(1, 4) && explained, shown);
        evidence.mistake("99/100 of 1/4", excess <= r(99, 400), shown);
    }
}
