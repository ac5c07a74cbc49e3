//! From sums to a mean, its standard error and an interval.

#![expect(
    clippy::float_arithmetic,
    reason = "standard errors and quantiles are statistics, not exact"
)]

use crate::rational::int;
use std::ops::Add;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::rounding::nearest_f64;

/// What is kept of the values of subsets, and of pairs of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    subsets: Moments,
    /// Of the sums of pairs, if subsets come in pairs.
    pairs: Moments,
}

impl Tally {
    pub fn record(&mut self, value: &BigInt) {
        self.subsets.record(value);
    }

    pub fn record_pair(&mut self, one: &BigInt, other: &BigInt) {
        self.subsets.record(one);
        self.subsets.record(other);
        self.pairs.record(&(one + other));
    }

    /// The mean value in units of `scale`, exactly.
    pub fn mean(&self, scale: &BigRational) -> BigRational {
        BigRational::from(self.subsets.sum.clone()) * scale / int(self.subsets.count)
    }

    /// The standard error of that mean, and the degrees of freedom that it has.
    ///
    /// It comes from pairs if there are any. Their sums are at least the value of all rounds
    /// together, and may be just that but for a few subsets: then a sample that has none or few of
    /// those would seem far too precise. So if there are fewer pairs than 25 times the square of
    /// their skewness (Cochran's rule), the error is at least that of as many independent subsets.
    pub fn standard_error(&self, scale: &BigRational) -> (f64, u64) {
        let independent = self.subsets.variance() / int(self.subsets.count);
        let (of_mean, count) = if self.pairs.count == 0 {
            (independent, self.subsets.count)
        } else {
            let paired = self.pairs.variance() / int(4 * self.pairs.count);
            let of_mean = if self.trusts_pairs() { paired } else { paired.max(independent) };
            (of_mean, self.pairs.count)
        };
        (nearest_f64(&(of_mean * scale * scale)).sqrt(), count - 1)
    }

    /// Whether there are enough pairs for the skewness of their sums.
    fn trusts_pairs(&self) -> bool {
        let (variance, skewness) = self.pairs.central();
        variance > BigInt::ZERO
            && variance.pow(3) * self.pairs.count >= skewness.pow(2) * BigInt::from(25)
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally { subsets: self.subsets + other.subsets, pairs: self.pairs + other.pairs }
    }
}

/// Sums of powers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Moments {
    count: u64,
    sum: BigInt,
    squares: BigInt,
    cubes: BigInt,
}

impl Moments {
    fn record(&mut self, value: &BigInt) {
        let square = value * value;
        self.count += 1;
        self.sum += value;
        self.cubes += &square * value;
        self.squares += square;
    }

    /// n² times the second and n³ times the third central moment.
    fn central(&self) -> (BigInt, BigInt) {
        let (n, sum) = (BigInt::from(self.count), &self.sum);
        let second = &n * &self.squares - sum * sum;
        let third = &n * &n * &self.cubes - &n * sum * &self.squares * 3 + sum.pow(3) * 2;
        (second, third)
    }

    /// The unbiased estimate of the variance. Needs two values.
    fn variance(&self) -> BigRational {
        let n = BigInt::from(self.count);
        BigRational::new(self.central().0, &n * (&n - 1))
    }
}

impl Add for Moments {
    type Output = Moments;

    fn add(self, other: Moments) -> Moments {
        Moments {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
            cubes: self.cubes + other.cubes,
        }
    }
}

/// How far a 95 % interval reaches to either side of a mean.
pub(super) fn half_width(standard_error: f64, degrees: u64) -> f64 {
    standard_error * student(degrees)
}

/// The interval around a mean that is known not to be negative.
pub(super) fn around(mean: f64, half_width: f64) -> (f64, f64) {
    ((mean - half_width).max(0.0), mean + half_width)
}

/// Whether an interval is as short, relative to its mean, as `precision` asks.
pub(super) fn is_precise(mean: f64, half_width: f64, precision: f64) -> bool {
    half_width <= precision * mean
}

/// The 97.5 % quantile of Student's distribution, by Fisher's expansion around the normal one:
/// within 0.001 from 5 degrees of freedom on.
fn student(degrees: u64) -> f64 {
    let z: f64 = 1.959963984540054;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
            - 1920.0 * z.powi(3)
            - 945.0 * z)
            / 92160.0,
    ];
    let step = (degrees as f64).recip();
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) * step) + z
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From printed tables.
    #[test]
    fn quantiles_of_student() {
        for (degrees, quantile) in
            [(5, 2.570582), (7, 2.364624), (15, 2.131450), (30, 2.042272), (120, 1.979930)]
        {
            assert!((student(degrees) - quantile).abs() < 1e-3, "{degrees}: {}", student(degrees));
        }
        assert!((student(u64::MAX) - 1.959964).abs() < 1e-6);
        assert!((student(30) - 2.042272).abs() < 1e-6);
    }

    fn third() -> BigRational {
        "1/3".parse().expect("a rational")
    }

    /// 1, 2, 3, 6 in thirds: mean 1, variance (4 + 1 + 0 + 9)/3/9, over 4.
    #[test]
    fn a_sample_by_hand() {
        let mut tally = Tally::default();
        for x in [1, 2, 3, 6] {
            tally.record(&x.into());
        }
        assert_eq!(tally.mean(&third()), int(1));
        let (error, degrees) = tally.standard_error(&third());
        assert!((error - (14.0_f64 / 3.0 / 9.0 / 4.0).sqrt()).abs() < 1e-15);
        assert_eq!(degrees, 3);
        let both = tally.clone() + tally.clone();
        assert_eq!((both.mean(&third()), both.standard_error(&third()).1), (int(1), 7));
        // -2, -1, 0, 3: 4³ times the mean cube is 16·18, 4² times the mean square 4·14.
        assert_eq!(tally.subsets.central(), (56.into(), 288.into()));
    }

    /// Sums 5, 7, 6, 6 of pairs have variance 2/3 and no skew; sums 6, 6, 6, 6 or 6, 6, 6, 8 do not
    /// tell enough.
    #[test]
    fn pairs_by_hand() {
        let tally = |pairs: [(i32, i32); 4]| {
            let mut tally = Tally::default();
            for (one, other) in pairs {
                tally.record_pair(&one.into(), &other.into());
            }
            tally
        };
        let even = tally([(1, 4), (6, 1), (3, 3), (0, 6)]);
        assert!(even.trusts_pairs());
        assert_eq!(even.mean(&third()), int(1));
        let (error, degrees) = even.standard_error(&third());
        assert!((error - (2.0_f64 / 3.0 / 4.0 / 4.0 / 9.0).sqrt()).abs() < 1e-15);
        assert_eq!(degrees, 3);
        for last in [6, 8] {
            let uneven = tally([(1, 5), (6, 0), (3, 3), (0, last)]);
            assert!(!uneven.trusts_pairs());
            let alone = Tally { pairs: Moments::default(), ..uneven.clone() };
            let (error, degrees) = uneven.standard_error(&third());
            assert_eq!((error, degrees), (alone.standard_error(&third()).0, 3));
        }
    }

    #[test]
    fn intervals() {
        assert_eq!(around(2.0, 0.5), (1.5, 2.5));
        assert_eq!(around(0.25, 0.5), (0.0, 0.75));
        assert!(
            is_precise(2.0, 0.5, 0.25) && !is_precise(2.0, 0.5, 0.2) && is_precise(0.0, 0.0, 0.1)
        );
    }
}
