//! The Brier score and its decomposition.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;

use crate::any_levels::MAX_UNIT_BITS;
use crate::levels::Table;
use crate::number::Number;
use crate::rational::int;

use super::isotonic::{Block, pooled};

/// The Brier score Σ (x_t - p_t)² / T, and its CORP decomposition (Dimitriadis, Gneiting and Jordan
/// 2021): score = miscalibration - discrimination + uncertainty, exactly.
///
/// Let S be the score of the [isotonic fit](crate::AnyLevels::isotonic_fit) to these rounds, and U
/// that of their overall frequency of ones. Miscalibration is score - S, discrimination U - S,
/// uncertainty U; none is negative. All are 0 without rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brier {
    /// Σ (x_t - p_t)² / T, exactly.
    pub score: BigRational,
    /// MCB: how much recalibration would gain.
    pub miscalibration: BigRational,
    /// DSC: how much the recalibrated forecasts gain on the overall frequency.
    pub discrimination: BigRational,
    /// UNC: the score of the overall frequency K/T of ones, which is K(T - K)/T², exactly.
    pub uncertainty: BigRational,
    /// How far miscalibration and discrimination may lie below what they are: both by the same
    /// number, so that the decomposition stays exact. It is 0, unless the counts of the blocks of
    /// the fit have no common multiple of at most [`MAX_UNIT_BITS`] bits; then it is below 2^-192.
    pub error: BigRational,
}

/// Fractional bits of each block where blocks have no common denominator of a reasonable size.
const FRACTION_BITS: u32 = 256;

/// Score and decomposition. Cost: O(m).
///
/// **No overflow.** In units the score is Σ n v² - 2D Σ k v + D² K over T D². Σ n v <= T·D and
/// Σ k v fit the number type. With L its largest value, 4·T·D <= L, so the products (n v)·v, each
/// made in the wide type, add up to at most T·D² <= L²/16, which it holds: it holds 2L².
pub(super) fn brier<N: Number>(levels: Table<'_, N>) -> Brier {
    let rounds = levels.rounds();
    if rounds == 0 {
        let zero = || int(0);
        return Brier {
            score: zero(),
            miscalibration: zero(),
            discrimination: zero(),
            uncertainty: zero(),
            error: zero(),
        };
    }
    let (mut squares, mut of_ones) = (N::Wide::zero(), N::zero());
    for level in levels.rows() {
        let sum = level.value.clone() * &N::from_count(level.count);
        squares += &sum.times(&level.value);
        of_ones += &(level.value.clone() * &N::from_count(level.ones));
    }
    let ones = levels.ones();
    let [squares, of_ones, unit] =
        [squares.to_rational(), of_ones.to_rational(), levels.unit().to_rational()]
            .map(|number| number.to_integer());
    let sum = squares - &unit * of_ones * 2 + &unit * &unit * ones;
    let rounds = BigInt::from(rounds);
    let score = BigRational::new(sum, &unit * &unit * &rounds);
    let uncertainty = BigRational::new(ones * (&rounds - ones), &rounds * &rounds);
    let (fitted, error) = fitted(&pooled(levels), &rounds);
    Brier {
        miscalibration: &score - &fitted,
        discrimination: &uncertainty - &fitted,
        score,
        uncertainty,
        error,
    }
}

/// The score of the fit, Σ K(N - K)/N over blocks / T, and by how much it is too large.
fn fitted(blocks: &[Block], rounds: &BigInt) -> (BigRational, BigRational) {
    // Σ K(N - K) for each N: at most Σ N²/4, and Σ N < 2^64.
    let mut by_count = BTreeMap::<u64, u128>::new();
    for Block { count, ones, .. } in blocks {
        *by_count.entry(*count).or_default() += u128::from(*ones) * u128::from(count - ones);
    }
    by_count.retain(|_, products| *products > 0);
    if let Some(common) = common_multiple(by_count.keys().copied()) {
        let parts = by_count.iter().map(|(count, products)| &common / count * products);
        let sum = parts.sum::<BigInt>();
        return (BigRational::new(sum, common * rounds), int(0));
    }
    // Each rounded up by less than 2^-256, and there are fewer than 2^64.
    let up = |(count, products): (&u64, &u128)| {
        (BigInt::from(*products) << FRACTION_BITS).div_ceil(&BigInt::from(*count))
    };
    let whole = (BigInt::one() << FRACTION_BITS) * rounds;
    let terms = BigInt::from(by_count.len());
    let sum = by_count.iter().map(up).sum::<BigInt>();
    (BigRational::new(sum, whole.clone()), BigRational::new(terms, whole))
}

/// The least common multiple, unless it is too long.
fn common_multiple(counts: impl Iterator<Item = u64>) -> Option<BigInt> {
    let mut common = BigInt::one();
    for count in counts {
        let remainder = &common % count;
        let missing = BigInt::from(count) / remainder.gcd(&count.into());
        common *= missing;
        if common.bits() > MAX_UNIT_BITS {
            return None;
        }
    }
    Some(common)
}
