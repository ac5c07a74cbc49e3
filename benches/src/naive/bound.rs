//! Bounds of the rounding errors in the naive measures, proved for every input.

use truecal::Measure;

/// The most rounds for which the bounds are proved.
pub const MAX_ROUNDS: usize = 1 << 48;

/// A bound of |naive value - exact value| for every input with so many rounds; `None` for the
/// subsampled measures, which have no naive version. Infinite beyond [`MAX_ROUNDS`].
///
/// Arithmetic is that of IEEE 754 in double precision, rounding to nearest: with u = 2^-53, a
/// result x is off by at most u·2^e where 2^e <= |x| < 2^(e+1), hence at most u|x|. Sums and
/// differences are exact where they are subnormal. n is the number of rounds, 2^k the largest power
/// of two up to n, and all that follows is in units of u.
///
/// **Sums.** d = x - p is exact for x = 0 and for p >= 1/2, and otherwise off by 1/2. Rounding is
/// monotone, so the computed sum of i differences is at most i in size, and the step to it is off
/// by at most 2^⌊log2 i⌋; the first step is exact. So the prefix sums are off by at most P =
/// Σ_{i=2..n} 2^⌊log2 i⌋ + n/2, about n²/3 to n²/2; and so is each difference of two of them,
/// because only the steps between them count.
///
/// - **stepCE**: P. Magnitudes and maxima add nothing.
/// - **intervalCE**: a difference of prefix sums, P, and its rounding, of a number up to 2n: P +
///   2·2^k.
/// - **signCE**: B_a + B_b - B_n = B_a - (B_n - B_b) with a <= b counts no step twice: P. The
///   roundings are of numbers up to 2n and 3n: P + 6·2^k.
/// - **ECE**: P. A group of c rounds has the steps 2..c of its own, which are no larger than those
///   of the whole sum at its rounds but the last; the last pays for adding the group, since the
///   total so far is at most the number of rounds so far.
/// - **VCal**: counts are exact; α·N and X - αN are at most n in size, so each is off by 2^k. Twice
///   that is 4·2^k. (A subnormal α times a count is exact or normal.)
///
/// **UCal.** The heights of the corners are off by 2·2^k, as for VCal; the majorant moves by no
/// more. Now take them as given, in [0, n]. A slope s comes out as s(1 + θ), |θ| <= γ = 3u/(1 -
/// 3u). (The scaling may underflow: that moves heights by less than 2^-968 at a time, less than u
/// altogether.) Think of the chain through all corners, of which a pop replaces the edges ab, bc by
/// ac. If b is above ac although the slopes were found not to fall, then they differ by at most
/// γ(|s_ab| + |s_bc|) and have one sign, so both are near s_ac, and b is above ac by less than 7n
/// μ(1 - μ), where μ and 1 - μ are the shares of ab and bc in ac. What the chain loses over a fixed
/// point is at most the sum of these over the pops around it. With μ the share of the edge over
/// that point, μ(1 - μ) <= ln(1/μ), and these logarithms add up to that of the growth of the edge,
/// from 2^-1074 or more to 1 or less: at most 745. So the loss is at most 5215n; and as μ(1 - μ) <=
/// 1/4, at most 2n². In the end the rounded slopes fall from edge to edge: the chain with those
/// slopes is concave, and differs from the true one by at most γ times the rise and fall of the
/// latter, 2n. Twice that (at the ends of an edge over 1/2 and at 1/2) is less than 13n. The height
/// over 1/2 takes three roundings above the fraction line, one below, and the division, all of
/// numbers >= 0: less than 6n. Together 4·(2·2^k + min(2n², 5215n) + 20n).
///
/// **smCE.** Biases are off by P altogether, as for ECE, and |f| <= 1. Now take them as given. Read
/// the stacks without rounding: the maximum minus Σ fall·(distance beyond the kink) is a concave
/// function Φ of y in [-1, 1]. Going to a level and adding b·y moves no two functions farther
/// apart; so the errors of single levels add up, each the largest distance between what Φ becomes
/// and what it should. At level j, after t rounds, |b| is at most the count c, there are at most j
/// kinks, and the falls add up to at most t (all up to a factor 1 + 2^-5, because n <= 2^48).
/// - *Moving outwards* needs no arithmetic, but is right only for kinks in order. Rounded to
///   nearest and kept in order in each stack, a kink below and one above, or one and the end of the
///   domain, overlap by at most 2: put in order, moved and put back, Φ changes by at most 2·2t.
/// - *Adding b·y*: w·y - w·(y - q)⁺ = w·q - w·(q - y)⁺ for every place q, whatever the order; so
///   kinks may be passed one by one. Places are off by 2 when pushed and by 1 in the gain, and the
///   product by 1, which is at most 4c in all. What is still needed and the gain are at most c: off
///   by c for each kink, 2jc. The fall of a kink that is divided: t, times a distance of 2. The
///   maximum: t + 1.
///
/// Now Σ t <= n(n+1)/2 over the levels and Σ jc <= n(n+1)/2; in the end kinks that overlap cost 2n
/// once more. The sum, 4.5n² + 11.5n times the factor, is less than 5n² + 13n.
///
/// ```
/// use truecal::Measure;
/// use truecal_benches::naive::error_bound;
/// assert_eq!(error_bound(Measure::StepCe, 1), Some(f64::EPSILON / 4.0)); // 1 - p is rounded
/// assert_eq!(error_bound(Measure::VCal, 1_000_000), Some(2_f64.powi(2 + 19 - 53)));
/// assert_eq!(error_bound(Measure::Ssce, 1), None);
/// ```
pub fn error_bound(measure: Measure, rounds: usize) -> Option<f64> {
    // The largest number stands for all that are too large.
    let bound = half_units(measure, rounds.min(MAX_ROUNDS) as u128)?;
    Some(if rounds > MAX_ROUNDS { f64::INFINITY } else { up(bound) })
}

/// The bound in units of u/2 = 2^-54. Below 2^102 for n <= 2^48. None where nothing is naive.
fn half_units(measure: Measure, n: u128) -> Option<u128> {
    let power = n.checked_ilog2().map_or(0, |log| 1 << log); // 2^k
    let sums = if n == 0 { 0 } else { 2 * steps(n) + n };
    Some(match measure {
        Measure::StepCe | Measure::Ece => sums,
        Measure::IntervalCe => sums + 2 * (2 * power),
        Measure::SignCe => sums + 2 * (6 * power),
        Measure::VCal => 2 * (4 * power),
        Measure::UCal => 2 * (4 * (2 * power + (2 * n * n).min(5215 * n) + 20 * n)),
        Measure::SmCe => sums + 2 * (5 * n * n + 13 * n),
        Measure::Cdl | Measure::StepCeSub | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => {
            return None;
        }
    })
}

/// Σ 2^⌊log2 i⌋ for i from 2 to n: 2^e numbers of each logarithm e, 4^e together, and those from
/// 2^k on.
fn steps(n: u128) -> u128 {
    let power: u128 = 1 << n.ilog2();
    (power * power - 1) / 3 + (n - power + 1) * power - 1
}

/// `half_units` · 2^-54, rounded up.
fn up(half_units: u128) -> f64 {
    let nearest = half_units as f64;
    let above = if (nearest as u128) < half_units { nearest.next_up() } else { nearest };
    above * f64::from_bits((1023 - 54) << 52) // a power of two: exact
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up() {
        let mut sum = 0;
        for n in 1..300_u128 {
            sum += if n > 1 { 1 << n.ilog2() } else { 0 };
            assert_eq!(steps(n), sum, "{n}");
        }
    }

    #[test]
    fn bounds_are_rounded_up() {
        for units in [0, 1, (1 << 53) + 1, (1 << 60) + 1, (1 << 60) - 1, (1 << 101) + 1_u128] {
            let scaled = up(units) * 2_f64.powi(54);
            assert!(scaled as u128 >= units && (scaled as u128) - units <= units >> 52, "{units}");
        }
    }

    #[test]
    fn no_rounds_no_error_and_no_bound_beyond_the_limit() {
        let naive = Measure::ALL.into_iter().filter(|m| error_bound(*m, 1).is_some());
        assert_eq!(naive.clone().count(), 7);
        for measure in naive {
            assert_eq!(error_bound(measure, 0), Some(0.0));
            assert_eq!(error_bound(measure, MAX_ROUNDS + 1), Some(f64::INFINITY));
            assert!(error_bound(measure, MAX_ROUNDS).expect("proved").is_finite());
        }
    }
}
