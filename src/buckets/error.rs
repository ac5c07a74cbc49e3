//! What is wrong with a bucket.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use thiserror::Error;

use crate::rounding::nearest_f64;

/// A bucket that no forecasts have, or that cannot stand beside the others.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bucket {bucket}: {fault}")]
#[non_exhaustive]
pub struct BucketError {
    /// Its place among the buckets as they were given, from 0.
    pub bucket: usize,
    /// What is wrong with it.
    pub fault: BucketFault,
}

/// What is wrong with a bucket: the value, and what to do. Numbers are given as text, as decimals
/// where they are short ones.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BucketFault {
    /// No rounds.
    #[error("the count is 0; leave out buckets without rounds, as GROUP BY does")]
    Empty,
    /// More ones than rounds.
    #[error("{ones} ones in {count} rounds; give count(*) and the sum of outcomes that are 0 or 1")]
    Ones {
        /// The ones.
        ones: u64,
        /// The rounds.
        count: u64,
    },
    /// The smallest prediction is above the largest.
    #[error(
        "the smallest prediction, {min}, is above the largest, {max}; give min(p), then max(p)"
    )]
    Ends {
        /// The smallest prediction.
        min: String,
        /// The largest.
        max: String,
    },
    /// One round with two predictions.
    #[error(
        "one round, but its smallest prediction is {min} and its largest {max}; give min(p) and \
            max(p) of the rounds of the bucket, not its borders"
    )]
    OneRound {
        /// The smallest prediction.
        min: String,
        /// The largest.
        max: String,
    },
    /// The range of the sum is upside down.
    #[error(
        "the sum of the predictions is said to be at least {low} and at most {high}; \
            give the smaller number first"
    )]
    SumRange {
        /// The lower end.
        low: String,
        /// The upper end.
        high: String,
    },
    /// The sum cannot be.
    #[error(
        "the sum of the predictions is {sum}, but {count} of them with the smallest and the \
            largest that are given add up to {least} at least and to {most} at most; give sum(p), \
            not avg(p), and min(p) and max(p) of the same rounds, not the borders of the bucket \
            (if p is a floating-point column, its sum is rounded and must be given as such)"
    )]
    Sum {
        /// The sum, or what it is said to lie between.
        sum: String,
        /// The rounds.
        count: u64,
        /// The least that the sum can be.
        least: String,
        /// The most.
        most: String,
    },
    /// It overlaps another bucket.
    #[error(
        "its smallest prediction, {min}, lies within bucket {other}, which goes on to {max}; \
            group by ranges of the prediction that do not overlap, e.g. floor(p * 1000), and by \
            nothing else"
    )]
    Overlap {
        /// Its smallest prediction.
        min: String,
        /// The place of the other bucket, from 0.
        other: usize,
        /// The largest prediction of the other bucket.
        max: String,
    },
    /// The rounds up to this bucket cannot be counted in 64 bits.
    #[error("with this bucket there are more than {} rounds", u64::MAX)]
    Rounds,
    /// The common denominator is too long.
    #[error(
        "with this bucket the numbers have no common denominator of a reasonable size; write them \
            as decimals of similar length"
    )]
    Denominator,
}

impl BucketFault {
    pub(super) fn overlap(min: &BigRational, other: usize, max: &BigRational) -> Self {
        BucketFault::Overlap { min: shown(min), other, max: shown(max) }
    }
}

/// As a decimal if it is one of at most 40 places, and as a fraction otherwise.
pub(super) fn shown(number: &BigRational) -> String {
    let double = nearest_f64(number).to_string();
    let (mut places, mut rest) = (0, number.denom().clone());
    let ten = BigInt::from(10);
    let mut scale = BigInt::one();
    while places < 40 && !rest.is_one() {
        rest = &rest / rest.gcd(&ten);
        scale *= 10;
        places += 1;
    }
    if !rest.is_one() {
        return format!("{number} (about {double})");
    }
    let digits = (number * scale).to_integer();
    let sign = if digits.is_negative() { "-" } else { "" };
    let digits = format!("{:0>width$}", digits.abs().to_string(), width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    let point = if places.is_zero() { "" } else { "." };
    format!("{sign}{whole}{point}{part}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::{int, ratio};

    #[test]
    fn numbers_are_shown_as_people_write_them() {
        for (number, text) in [
            (int(0), "0"),
            (int(120), "120"),
            (ratio(3, 10), "0.3"),
            (ratio(-5, 4), "-1.25"),
            (ratio(1, 1000), "0.001"),
            (ratio(1, 3), "1/3 (about 0.3333333333333333)"),
        ] {
            assert_eq!(shown(&number), text);
        }
        let fine = BigRational::new(1.into(), BigInt::from(1) << 41);
        assert!(shown(&fine).starts_with("1/2199023255552 (about 0.0000000000004547"));
    }
}
