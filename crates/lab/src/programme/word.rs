//! The integers to calculate in.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{CheckedMul, CheckedSub, NumRef, Signed, ToPrimitive};

/// An integer that a programme is given in.
pub trait Coefficient: Clone + ToPrimitive + Into<BigInt> {}

impl<E: Clone + ToPrimitive + Into<BigInt>> Coefficient for E {}

/// An integer to calculate in, which may be too short for a result.
pub(super) trait Word:
    Clone + Integer + NumRef + Signed + CheckedMul + CheckedSub + Coefficient
{
    /// The same number. None: it does not fit.
    fn of(entry: &impl Coefficient) -> Option<Self>;

    /// None: it does not fit.
    fn negated(&self) -> Option<Self> {
        Self::zero().checked_sub(self)
    }
}

impl Word for i64 {
    fn of(entry: &impl Coefficient) -> Option<i64> {
        entry.to_i64()
    }
}

impl Word for i128 {
    fn of(entry: &impl Coefficient) -> Option<i128> {
        entry.to_i128()
    }
}

impl Word for BigInt {
    fn of(entry: &impl Coefficient) -> Option<BigInt> {
        Some(entry.clone().into())
    }
}
