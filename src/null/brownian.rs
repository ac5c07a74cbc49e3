//! The maximum of |W| and the range max W - min W of a Brownian motion W on [0, 1], from W(0) = 0.
//!
//! If the forecaster is truthful, the walk of prefix sums over its standard deviation comes close
//! to W as the variance grows; so stepCE and intervalCE over that deviation come close to the two
//! variables here.
//!
//! *Staying within (-a, b).* Let L = a + b, Φ the normal distribution function, Q = 1 - Φ.
//! Reflecting W at both barriers again and again (images at 2kL with sign +, at 2b + 2kL with sign
//! -), or expanding the heat kernel in sines, the probability G(a, b) of staying inside is
//!
//! - Σ_k Φ(b - 2kL) - Φ(-a - 2kL) - Φ(-b - 2kL) + Φ(-b - (2k+1)L) over all integers k, and also
//! - Σ_n 4/(nπ) sin(nπa/L) exp(-n²π²/(2L²)) over all odd n >= 1.
//!
//! *The maximum.* P(max |W| <= x) = G(x, x), where sin(nπ/2) alternates; the first form has only
//! multiples of x and telescopes:
//!
//! - P(max |W| > x) = 4 Σ_{k>=0} (-1)^k Q((2k+1)x),
//! - P(max |W| <= x) = 4/π Σ_{k>=0} (-1)^k/(2k+1) exp(-(2k+1)²π²/(8x²)).
//!
//! *The range* (Feller 1951). With A = -min W and B = max W, P(A + B <= r) is the integral over a
//! from 0 to r of ∂G/∂a at (a, r - a), because G(a, 0) = 0. In the first form every term becomes a
//! multiple of D_j = Q(jr) - Q((j+1)r), where D_{-1-j} = D_j, and they add up to Σ_{j>=0} (-1)^j
//! (4j+2) D_j. In the second form, the integrals of cos vanish, those of a·cos and of sin give
//! 8/(n²π²) and 8/r². Thus
//!
//! - P(range > r) = 8 Σ_{k>=1} (-1)^(k-1) k Q(kr),
//! - P(range <= r) = 8 Σ_{n odd} (1/(n²π²) + 1/r²) exp(-n²π²/(2r²)).
//!
//! The first series of each pair is used for large arguments and gives the upper tail itself, so
//! that a tiny p-value keeps its digits; the second for small ones. Each is used where its sum is
//! dominated by its first term, and a few terms give every digit of a double. erfc and exp are
//! those of `libm`: the standard library has no erfc and takes exp from the system, so that results
//! would differ in the last digit between machines.
#![expect(clippy::float_arithmetic, reason = "distribution functions of real variables")]

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Where the two series for the maximum take over from each other, near the median.
const MAXIMUM_CROSSING: f64 = 1.0;
/// The same for the range.
const RANGE_CROSSING: f64 = 1.5;
/// Enough for every digit within a factor two of the crossings.
const TERMS: u32 = 16;

/// P(max |W| > x): the limit of the p-value of stepCE.
///
/// Within a few units in the last place, as far out as doubles go.
///
/// ```
/// use truecal::null::brownian::maximum_above;
/// assert_eq!(maximum_above(0.0), 1.0);
/// assert!((maximum_above(1.0) - 0.629_223).abs() < 1e-6);
/// // Not lost to cancellation:
/// assert!(maximum_above(21.5) > 1e-102 && maximum_above(21.5) < 1e-101);
/// ```
pub fn maximum_above(x: f64) -> f64 {
    if x > MAXIMUM_CROSSING { maximum_tail(x) } else { 1.0 - maximum_at_most(x) }
}

/// P(max |W| <= x).
///
/// Within a few units in the last place; where it is less than 1e-10, within 1e-13 of its value.
pub fn maximum_at_most(x: f64) -> f64 {
    if x > MAXIMUM_CROSSING { 1.0 - maximum_tail(x) } else { maximum_head(x) }
}

/// P(max W - min W > r): the limit of the p-value of intervalCE.
///
/// Within a few units in the last place, as far out as doubles go.
///
/// ```
/// use truecal::null::brownian::range_above;
/// assert_eq!(range_above(0.0), 1.0);
/// assert!((range_above(2.0) - 0.181_494).abs() < 1e-6);
/// ```
pub fn range_above(r: f64) -> f64 {
    if r > RANGE_CROSSING { range_tail(r) } else { 1.0 - range_at_most(r) }
}

/// P(max W - min W <= r).
///
/// Within a few units in the last place; where it is less than 1e-10, within 1e-13 of its value.
pub fn range_at_most(r: f64) -> f64 {
    if r > RANGE_CROSSING { 1.0 - range_tail(r) } else { range_head(r) }
}

fn maximum_tail(x: f64) -> f64 {
    4.0 * alternating(|k| normal_above(f64::from(2 * k + 1) * x))
}

fn maximum_head(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let term = |k| {
        let odd = f64::from(2 * k + 1);
        let root = odd * PI / x;
        libm::exp(-root * root / 8.0) / odd
    };
    4.0 / PI * alternating(term)
}

fn range_tail(r: f64) -> f64 {
    8.0 * alternating(|k| f64::from(k + 1) * normal_above(f64::from(k + 1) * r))
}

fn range_head(r: f64) -> f64 {
    if r <= 0.0 {
        return 0.0;
    }
    let term = |k| {
        let odd = f64::from(2 * k + 1);
        let root = odd * PI / r;
        let weight = 1.0 / (odd * PI * odd * PI) + 1.0 / (r * r);
        // Far down 1/r² may overflow where the exponential has long been 0.
        match libm::exp(-root * root / 2.0) {
            0.0 => 0.0,
            exponential => weight * exponential,
        }
    };
    8.0 * sum(term)
}

/// Σ_{k>=0} (-1)^k term(k)
fn alternating(term: impl Fn(u32) -> f64) -> f64 {
    sum(|k| if k % 2 == 0 { term(k) } else { -term(k) })
}

/// Smallest terms first.
fn sum(term: impl Fn(u32) -> f64) -> f64 {
    (0..TERMS).rev().map(term).sum()
}

/// Q(x), the probability that a standard normal variable exceeds x.
///
/// Q(x) = erfc(x/√2)/2, and far out a rounding of x/√2 by one unit in the last place would change
/// it by x² units. So what was rounded off, δ, is made good by the derivative: erfc(y + δ) =
/// erfc(y) - 2δ exp(-y²)/√π up to δ².
fn normal_above(x: f64) -> f64 {
    // 1/√2 is the double of this name and as much again.
    const REST: f64 = -4.833_646_656_726_457e-17;
    let y = x * FRAC_1_SQRT_2;
    let rounded_off = x.mul_add(FRAC_1_SQRT_2, -y) + x * REST;
    let slope = libm::exp(-y * y) / PI.sqrt();
    match slope {
        0.0 => 0.0, // infinitely far out, what was rounded off is not a number
        slope => libm::erfc(y) / 2.0 - rounded_off * slope,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distribution functions as published (to six decimals).
    #[test]
    fn known_values() {
        for (value, known) in [
            (maximum_at_most(1.0), 0.370_777),
            (range_at_most(1.0), 0.063_365),
            (range_at_most(2.0), 0.818_506),
            (range_at_most(3.0), 0.989_201),
        ] {
            assert!((value - known).abs() < 5e-7, "{value} is not {known}");
        }
        // MAPIE's example of p-values: six rounds with Σ p(1-p) = 1.17, whose walk goes from 0.1 to
        // -0.9.
        let deviation = 1.17_f64.sqrt();
        assert_eq!(format!("{:.4}", maximum_above(0.9 / deviation)), "0.7857");
        assert_eq!(format!("{:.4}", range_above(1.0 / deviation)), "0.9684");
    }

    fn relative(a: f64, b: f64) -> f64 {
        (a / b - 1.0).abs()
    }

    #[test]
    fn both_series_agree_where_both_converge() {
        for step in 0..=100 {
            let share = f64::from(step) / 100.0;
            let x = 0.7 + 1.3 * share;
            assert!(relative(maximum_head(x), 1.0 - maximum_tail(x)) < 2e-15, "{x}");
            let r = 1.0 + 2.0 * share;
            assert!(relative(range_head(r), 1.0 - range_tail(r)) < 5e-15, "{r}");
        }
        // The crossings are in there, and a series with a wrong weight would be noticed.
        let wrong = 8.0 * sum(|k| normal_above(f64::from(k + 1) * 2.0));
        assert!(relative(range_head(2.0), 1.0 - wrong) > 1e-5);
    }

    #[test]
    fn monotone_and_within_bounds() {
        for [above, at_most] in [[maximum_above, maximum_at_most], [range_above, range_at_most]]
            as [[fn(f64) -> f64; 2]; 2]
        {
            assert_eq!((above(0.0), at_most(0.0)), (1.0, 0.0));
            assert_eq!((above(-1.0), at_most(-1.0)), (1.0, 0.0));
            assert_eq!((above(1e-300), at_most(1e-300)), (1.0, 0.0));
            assert_eq!((above(f64::INFINITY), at_most(f64::INFINITY)), (0.0, 1.0));
            let mut last = (1.0, 0.0);
            for step in 1..4000 {
                let x = f64::from(step) / 100.0;
                let now = (above(x), at_most(x));
                assert!((0.0..=1.0).contains(&now.0) && (0.0..=1.0).contains(&now.1), "{x}");
                assert!(now.0 <= last.0 && now.1 >= last.1, "{x}");
                assert!(now.0 < last.0 || now.0 == 1.0 || now.0 < 1e-300, "flat at {x}");
                last = now;
            }
        }
    }

    /// How many walks of n steps of ±1 stay strictly between -a and b, as a share.
    fn staying(steps: u32, a: usize, b: usize) -> f64 {
        if a == 0 || b == 0 {
            return 0.0;
        }
        let mut share = vec![0.0; a + b + 1];
        share[a] = 1.0;
        for _ in 0..steps {
            let inside =
                |place: usize| if place == 0 || place == a + b { 0.0 } else { share[place] };
            share = (0..=a + b)
                .map(|place| {
                    let below = if place == 0 { 0.0 } else { inside(place - 1) };
                    let above = if place == a + b { 0.0 } else { inside(place + 1) };
                    (below + above) / 2.0
                })
                .collect();
            share[0] = 0.0;
            share[a + b] = 0.0;
        }
        share.iter().sum()
    }

    /// A simple random walk, counted exactly, is close to the limit.
    #[test]
    fn random_walks_come_close() {
        let steps = 400;
        for reach in [15, 20, 30, 45] {
            let x = f64::from(reach) / f64::from(steps).sqrt();
            let walks = staying(steps, reach as usize, reach as usize);
            assert!((walks - maximum_at_most(x)).abs() < 2e-3, "{walks} at {x}");
            // max - min <= reach, by the place of the minimum. In a
            // difference, L is reach + 1 and reach + 2, in the limit half of each.
            let reach = reach as usize;
            let with_minimum =
                |a: usize| staying(steps, a + 1, reach - a + 1) - staying(steps, a, reach - a + 1);
            let walks: f64 = (0..=reach).map(with_minimum).sum();
            let r = (reach as f64 + 1.5) / f64::from(steps).sqrt();
            assert!((walks - range_at_most(r)).abs() < 2e-3, "{walks} at {r}");
        }
    }
}
