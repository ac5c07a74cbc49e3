//! What is predicted in one round: one grid point, or two neighbours with probabilities.

use num_rational::BigRational;

use truecal::Prediction;
use truecal::Random;

/// Probabilities are multiples of 2^-53: doubles hold them and their complements exactly, 53 random
/// bits decide, and expectations over draws are rationals, so that the value of the game is exact.
pub const PROBABILITY_BITS: u32 = 53;

/// The weight of certainty.
const CERTAIN: u64 = 1 << PROBABILITY_BITS;

/// At most two neighbouring points of the grid 0, 1/(k-1), …, 1, with probabilities that are
/// multiples of 2^-53.
///
/// ```
/// use truecal_lab::hedge::HedgeForecaster;
/// let mut forecaster = HedgeForecaster::new(100, 11)?;
/// forecaster.observe_at(10, false)?; // 1 was predicted, and 0 happened
/// let mixture = forecaster.predict();
/// assert_eq!(mixture.points().count(), 1);
/// assert_eq!(mixture.mean(), "0".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mixture {
    buckets: usize,
    low: usize,
    /// The probability of the lower point in multiples of 2^-53.
    weight: u64,
}

impl Mixture {
    /// One point for certain.
    pub(super) fn certain(buckets: usize, bucket: usize) -> Self {
        Mixture { buckets, low: bucket, weight: CERTAIN }
    }

    /// A point and the next, with the weight of the first in multiples of 2^-53.
    pub(super) fn pair(buckets: usize, low: usize, weight: u64) -> Self {
        match weight {
            0 => Mixture::certain(buckets, low + 1),
            weight => Mixture { buckets, low, weight: weight.min(CERTAIN) },
        }
    }

    /// The points, as numbers of their buckets from 0 on, and their probabilities in multiples of
    /// 2^-53, none of them 0.
    pub fn weights(&self) -> impl Iterator<Item = (usize, u64)> {
        let pair = [(self.low, self.weight), (self.low + 1, CERTAIN - self.weight)];
        pair.into_iter().filter(|(_, weight)| *weight > 0)
    }

    /// The points and their probabilities.
    pub fn points(&self) -> impl Iterator<Item = (Prediction, BigRational)> {
        let buckets = self.buckets;
        self.weights().map(move |(bucket, weight)| (point(bucket, buckets), share(weight)))
    }

    /// The mean.
    pub fn mean(&self) -> BigRational {
        self.points().map(|(point, share)| point.to_rational() * share).sum()
    }

    /// Draws a point, and returns the number of its bucket. Takes 64 bits of the stream, of which
    /// the first 53 decide.
    pub fn draw(&self, random: &mut Random) -> usize {
        let bits = random.next() >> (u64::BITS - PROBABILITY_BITS);
        if bits < self.weight { self.low } else { self.low + 1 }
    }

    /// How the mean compares with 1/2.
    pub(super) fn mean_to_half(&self) -> std::cmp::Ordering {
        let sum = |(bucket, weight): (usize, u64)| bucket as u128 * u128::from(weight);
        let twice_mean = 2 * self.weights().map(sum).sum::<u128>();
        twice_mean.cmp(&((self.buckets as u128 - 1) * u128::from(CERTAIN)))
    }
}

/// The grid point bucket/(k-1).
pub(super) fn point(bucket: usize, buckets: usize) -> Prediction {
    let value = num_rational::Ratio::new(bucket as u64, buckets as u64 - 1);
    value.try_into().expect("a bucket of the grid is at most its last")
}

/// weight/2^53
fn share(weight: u64) -> BigRational {
    BigRational::new(weight.into(), CERTAIN.into())
}
