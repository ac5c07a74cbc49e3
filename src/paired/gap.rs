//! How far the values of a measure are apart, in the integers of a table.

use num_bigint::BigInt;

use crate::measures::Amount;
use crate::number::Number;

/// The absolute difference of two values of a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gap<N: Number> {
    /// So many units.
    Units(N),
    /// So many squared units.
    Squares(N::Wide),
    /// So many units, over a denominator, not in lowest terms.
    Ratio(BigInt, BigInt),
}

/// Why no value is of another kind than the one that it is compared with.
const KIND: &str = "a formula always gives the same kind of value";

impl<N: Number> Gap<N> {
    /// Between two values of one measure. Nothing overflows: values are not negative, so that
    /// their difference is no larger than one of them.
    pub fn between(one: Amount<N>, other: Amount<N>) -> Self {
        match (one, other) {
            (Amount::Units(one), Amount::Units(other)) => Gap::Units((one - &other).magnitude()),
            (Amount::Squares(one), Amount::Squares(other)) => {
                Gap::Squares((one - &other).magnitude())
            }
            (Amount::Ratio(one, below), Amount::Ratio(other, other_below)) => {
                let (below, other_below) = (integer(&below), integer(&other_below));
                let gap = integer(&one) * &other_below - integer(&other) * &below;
                Gap::Ratio(Number::magnitude(&gap), below * other_below)
            }
            _ => unreachable!("{KIND}"),
        }
    }

    /// Whether it is at least as large as another.
    pub fn at_least(&self, other: &Self) -> bool {
        match (self, other) {
            (Gap::Units(own), Gap::Units(other)) => own >= other,
            (Gap::Squares(own), Gap::Squares(other)) => own >= other,
            (Gap::Ratio(own, below), Gap::Ratio(other, other_below)) => {
                own * other_below >= other * below
            }
            _ => unreachable!("{KIND}"),
        }
    }
}

fn integer<N: Number>(number: &N) -> BigInt {
    number.to_rational().to_integer()
}
