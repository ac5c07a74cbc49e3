//! The logarithmic score.
//!
//! # The error
//!
//! u = 2^-53; `log` and `log1p` of `libm` err by less than a unit in the last place, so by a
//! relative 2u at most. A prediction p = v/D is a quotient of two rounded integers, with a relative
//! error of at most 3u (and 1 - p, whose numerator D - v is made exactly, likewise).
//!
//! *A logarithm.* If p <= 1/2, an error of 3u in p is one of 3u in ln p, which is at least 0.693 in
//! absolute value: 4.33u; with that of `log`, 6.33u. If p > 1/2, ln p is log1p(-q) with q = 1 - p,
//! and q/((1-q)|ln(1-q)|) <= 1.443 for q <= 1/2: again 4.33u + 2u. If p is less than 1e-300, it is
//! s·2^e with |ln s| <= 92, and ln s + e ln 2 has an absolute error of (3 + 2·92)u for the first,
//! a relative one of 2u for the second, which is at most 1.14 |ln p|; with the last rounding, 4u.
//!
//! *The sum.* A count and the product with it are rounded: 8.4u. No term is negative, so errors do
//! not grow by cancellation. Sums keep what each addition rounds off (Knuth's TwoSum finds it
//! exactly), and add that up: with m terms, each is at most u times the sum, and so they add up
//! within (m u)² of it. The last rounding, the number of rounds and the division by it add 3u.
//!
//! Together 11.4u + (m u)²; 16u + 4 (m u)² is stated. Where doubles underflow, absolute errors of
//! 2^-1074 for each term come to less than 1e-300.
#![expect(clippy::float_arithmetic, reason = "a score that is not rational, with a stated error")]

use std::f64::consts::LN_2;

use crate::levels::Table;

use super::real::{ROUNDING, Real, Scaled};

/// The mean logarithmic score, -Σ ln(p_t if x_t = 1, else 1 - p_t) / T, with the natural logarithm:
/// also known as log loss or cross-entropy. Nothing is clipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogScore {
    /// The score as a double; infinite if something happened that was forecast with probability 0.
    /// 0 without rounds.
    pub value: f64,
    /// The score is certainly not below this.
    pub low: f64,
    /// The score is certainly not above this.
    pub high: f64,
    /// The rounds whose outcome was forecast with probability 0.
    pub impossible: u64,
}

/// More than underflow may amount to, and where a prediction is taken apart.
const SMALLEST: f64 = 1e-300;

/// The score. Cost: O(m).
pub(super) fn log_score<N: Real>(levels: Table<'_, N>) -> LogScore {
    let unit = levels.unit().scaled();
    let (mut sum, mut impossible, mut terms) = (Sum::default(), 0, 0_u64);
    for level in levels.rows() {
        let zeros = level.count - level.ones;
        if level.value == N::zero() {
            impossible += level.ones;
        } else if level.value == *levels.unit() {
            impossible += zeros;
        } else {
            let other = levels.unit().clone() - &level.value;
            let [p, q] = [&level.value, &other].map(|value| value.scaled().over(unit));
            let small = level.value <= other;
            if level.ones > 0 {
                sum.add(level.ones as f64 * -ln(p, q, small));
            }
            if zeros > 0 {
                sum.add(zeros as f64 * -ln(q, p, !small));
            }
            terms += 2;
        }
    }
    if impossible > 0 {
        let value = f64::INFINITY;
        return LogScore { value, low: value, high: value, impossible };
    }
    if terms == 0 {
        return LogScore { value: 0.0, low: 0.0, high: 0.0, impossible };
    }
    let value = sum.total() / levels.rounds() as f64;
    let lost = terms as f64 * ROUNDING;
    let error = value * (16.0 * ROUNDING + 4.0 * lost * lost) + SMALLEST;
    let low = (value - error).next_down().max(0.0);
    LogScore { value, low, high: (value + error).next_up(), impossible }
}

/// ln p, where q = 1 - p and `small` says whether p <= 1/2.
fn ln(p: Scaled, q: Scaled, small: bool) -> f64 {
    if !small {
        return libm::log1p(-q.to_f64());
    }
    let double = p.to_f64();
    if double > SMALLEST {
        return libm::log(double);
    }
    libm::log(p.significand) + p.exponent as f64 * LN_2
}

/// A sum that keeps what its additions round off.
#[derive(Default)]
struct Sum {
    rounded: f64,
    rest: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let sum = self.rounded + term;
        let of_term = sum - self.rounded;
        self.rest += (self.rounded - (sum - of_term)) + (term - of_term);
        self.rounded = sum;
    }

    fn total(&self) -> f64 {
        self.rounded + self.rest
    }
}
