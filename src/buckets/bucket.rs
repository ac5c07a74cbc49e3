//! One bucket: what is given, what that says, and whether it can be.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::error::{BucketFault, shown};
use crate::prediction::Prediction;
use crate::rational::int;
use crate::rounding::nearest_f64;
use crate::summary::Stretch;

/// Some rounds with neighbouring predictions, and what is known of them together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Their smallest prediction, which one of them has.
    pub min: Prediction,
    /// Their largest, which one of them has.
    pub max: Prediction,
    /// The number of rounds.
    pub count: u64,
    /// How often the event happened.
    pub ones: u64,
    /// The sum of their predictions, at least; 0 if it is not known.
    pub sum_low: BigRational,
    /// The sum of their predictions, at most; `count` if it is not known.
    pub sum_high: BigRational,
}

impl Bucket {
    /// With the exact sum of the predictions: of a column of decimals or fractions, not of doubles.
    pub fn exact(
        min: Prediction,
        max: Prediction,
        count: u64,
        ones: u64,
        sum: BigRational,
    ) -> Self {
        Bucket { min, max, count, ones, sum_low: sum.clone(), sum_high: sum }
    }

    /// With the sum that a database gives of a column of doubles.
    ///
    /// *What is assumed.* The column holds doubles (IEEE 754, 64 bits). The predictions, their ends
    /// `min` and `max` among them, are these doubles, or decimals to which these are the nearest
    /// doubles. The doubles were added up with rounding to nearest in any order: one after the
    /// other, in pairs, by parts; or in higher precision, rounded to a double at the end; or with
    /// compensation (Kahan's and Neumaier's sums). The sum was printed with at least 15 significant
    /// digits (trailing zeros may be missing), not `round`ed to fewer. The ends are taken as they
    /// are: have them printed in full, with 17 digits or as few as tell doubles apart. A column of
    /// 32 bits must be cast to doubles before it is summed.
    ///
    /// *What follows.* With n rounds and u = 2^-53, each addition makes a factor 1 + δ with |δ| <=
    /// u, and doubles that are added never underflow. In any order a prediction p_t takes part in
    /// at most n - 1 additions, so the sum is Σ p_t (1 + θ_t) with (1 - u)^(n-1) <= 1 + θ_t <= (1 +
    /// u)^(n-1); for compensated sums |θ_t| <= 2u + O(n u²). Rounding the result of a higher
    /// precision, or decimals to doubles, makes one factor more. All that is between 1 - e and
    /// 1/(1 - e) for e = (n + 3) u. What is printed differs by a part of 2^-47 at most, as half a
    /// unit of the last of 15 digits is at most 5·10^-15 of the number. So the exact sum of the
    /// predictions lies between s (1 - e) (1 - 2^-47) and s (1 + 2^-46) / (1 - e), with s what was
    /// printed.
    ///
    /// This interval is rounded outwards to fractions with a power of two below. If n is so large
    /// that e >= 1, it only says that predictions are between 0 and 1.
    ///
    /// ```
    /// use truecal::buckets::{Bucket, parse_sum};
    /// use truecal::rational::int;
    /// // 0.1 ten times: 0.9999999999999999 as doubles are added, and neither that nor 1 exactly.
    /// let p = 0.1_f64;
    /// let sum = (0..10).fold(0.0, |sum, _| sum + p).to_string();
    /// let printed = parse_sum(&sum)?;
    /// let bucket = Bucket::from_rounded_sum(p.try_into()?, p.try_into()?, 10, 4, &printed);
    /// let exact = bucket.min.to_rational() * int(10);
    /// assert!(printed < int(1) && int(1) < exact);
    /// assert!(bucket.sum_low < printed && exact < bucket.sum_high);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_rounded_sum(
        min: Prediction,
        max: Prediction,
        count: u64,
        ones: u64,
        printed: &BigRational,
    ) -> Self {
        Bucket::rounded(min, max, count, ones, (printed, 53))
    }

    /// The same where the doubles are singles (IEEE 754, 32 bits), the sum of which programs give
    /// as a single: then u = 2^-24, and all 9 digits of it must be printed.
    pub fn from_single_sum(
        min: Prediction,
        max: Prediction,
        count: u64,
        ones: u64,
        printed: &BigRational,
    ) -> Self {
        Bucket::rounded(min, max, count, ones, (printed, 24))
    }

    /// With a sum that was rounded to so many bits at each addition.
    fn rounded(
        min: Prediction,
        max: Prediction,
        count: u64,
        ones: u64,
        (printed, bits): (&BigRational, u32),
    ) -> Self {
        if printed.is_negative() {
            return Bucket::exact(min, max, count, ones, printed.clone()); // to be refused as it is
        }
        let power = |bits: u32| BigRational::new(BigInt::one(), BigInt::one() << bits);
        let error = int(BigInt::from(count) + 3) * power(bits);
        let rest = BigRational::one() - error;
        let [sum_low, sum_high] = match rest.is_positive() {
            true => [
                printed * &rest * (BigRational::one() - power(47)),
                printed * (BigRational::one() + power(46)) / rest,
            ],
            false => [BigRational::zero(), int(count)],
        };
        let grid = grid_of(printed);
        let sum_low = ((sum_low * &grid).floor() - BigRational::one()) / &grid;
        let sum_high = ((sum_high * &grid).ceil() + BigRational::one()) / grid;
        Bucket { min, max, count, ones, sum_low, sum_high }
    }
}

/// A power of two in which a sum has 64 binary digits or some more: one step of this grid more to
/// either side costs nothing, and is more than what predictions below 2^-1022 lose as doubles.
fn grid_of(sum: &BigRational) -> BigRational {
    const DIGITS: u64 = 64;
    const FINEST: u64 = 1000;
    let below_one = sum.denom().bits().saturating_sub(sum.numer().bits());
    int(BigInt::one() << (DIGITS + below_one).min(FINEST))
}

/// A bucket that can be, with what its ends and its count say of the sum.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// Its place as it was given.
    pub index: usize,
    pub min: BigRational,
    pub max: BigRational,
    pub count: u64,
    pub ones: u64,
    /// At least and at most.
    pub sum: [BigRational; 2],
}

impl Checked {
    pub fn new(index: usize, bucket: &Bucket) -> Result<Self, BucketFault> {
        let &Bucket { count, ones, .. } = bucket;
        let (min, max) = (bucket.min.to_rational(), bucket.max.to_rational());
        if count == 0 {
            return Err(BucketFault::Empty);
        }
        if ones > count {
            return Err(BucketFault::Ones { ones, count });
        }
        if min > max {
            return Err(BucketFault::Ends { min: shown(&min), max: shown(&max) });
        }
        if count == 1 && min < max {
            return Err(BucketFault::OneRound { min: shown(&min), max: shown(&max) });
        }
        let (low, high) = (&bucket.sum_low, &bucket.sum_high);
        if low > high {
            return Err(BucketFault::SumRange { low: shown(low), high: shown(high) });
        }
        // One round has the smallest prediction and one the largest; one round alone has both.
        let others = int(count - 1);
        let (least, most) = (&max + &min * &others, &min + &max * &others);
        let sum = [low.max(&least).clone(), high.min(&most).clone()];
        if sum[0] > sum[1] {
            let given = if low == high {
                shown(low)
            } else {
                format!("between about {} and {}", nearest_f64(low), nearest_f64(high))
            };
            let (least, most) = (shown(&least), shown(&most));
            return Err(BucketFault::Sum { sum: given, count, least, most });
        }
        Ok(Checked { index, min, max, count, ones, sum })
    }

    /// Takes the rounds of the next bucket, too.
    pub fn join(&mut self, next: Checked) {
        self.index = next.index; // that of the bucket which ends highest
        self.max = next.max;
        self.count += next.count;
        self.ones += next.ones;
        let [low, high] = next.sum;
        self.sum = [&self.sum[0] + low, &self.sum[1] + high];
    }

    /// In units, of which all its numbers are multiples.
    pub fn in_units(&self, unit: &BigInt) -> Stretch<BigInt> {
        let units = |number: &BigRational| number.numer() * (unit / number.denom());
        let [least, most] = self.sum.each_ref().map(units);
        Stretch {
            low: units(&self.min),
            high: units(&self.max),
            count: self.count,
            ones: self.ones,
            bias: unit * self.ones - &most,
            slack: most - least,
            closed: self.min < self.max,
        }
    }
}
