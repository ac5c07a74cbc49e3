//! The values of the measures on the subsets drawn, as integers.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::coins::Coins;
use crate::levels::{Level, Table};
use crate::measure::Measure;
use crate::measures::{self, Amount};
use crate::number::Number;

/// The bits by which a value with a denominator of its own is scaled up before it is rounded down.
/// It is a fraction of at least 1 in squared units, so these are significant bits.
pub(super) const EXTRA_BITS: u32 = 64;

/// Room for one subset after the other.
pub(super) struct Rooms<N: Number> {
    pub kept: Vec<Level<N>>,
    rest: Vec<Level<N>>,
    room: measures::Room<N>,
}

impl<N: Number> Rooms<N> {
    pub fn new() -> Self {
        Rooms { kept: Vec::new(), rest: Vec::new(), room: measures::Room::default() }
    }

    /// The measure of a random subset, and of its complement if that is wanted.
    pub fn draw(
        &mut self,
        levels: Table<'_, N>,
        base: Measure,
        coins: &mut Coins,
        pair: bool,
    ) -> (Amount<N>, Option<Amount<N>>) {
        let unit = levels.unit();
        coins.divide(levels, &mut self.kept, pair.then_some(&mut self.rest));
        let kept = self.of_kept(base, unit);
        let rest =
            pair.then(|| amount(base, Table::assume_valid(unit, &self.rest), &mut self.room));
        (kept, rest)
    }

    /// The measure of what is kept.
    pub fn of_kept(&mut self, base: Measure, unit: &N) -> Amount<N> {
        amount(base, Table::assume_valid(unit, &self.kept), &mut self.room)
    }
}

/// What an integer value of a plain measure stands for.
pub(super) fn scale<N: Number>(base: Measure, unit: &N) -> BigRational {
    let nothing = amount(base, Table::assume_valid(unit, &[]), &mut measures::Room::default());
    let unit = unit.to_rational();
    match nothing {
        Amount::Units(_) => unit.recip(),
        Amount::Squares(_) => unit.pow(-2),
        Amount::Ratio(..) => {
            (&unit * &unit * BigRational::from(BigInt::from(1) << EXTRA_BITS)).recip()
        }
    }
}

fn amount<N: Number>(
    base: Measure,
    levels: Table<'_, N>,
    room: &mut measures::Room<N>,
) -> Amount<N> {
    measures::value(base, levels, room).expect("what is averaged is no average")
}

/// A value as an integer, in [`scale`]s.
pub(super) fn value<N: Number>(amount: &Amount<N>, unit: &N) -> BigInt {
    match amount {
        Amount::Units(value) => integer(value),
        Amount::Squares(value) => integer(value),
        Amount::Ratio(above, below) => {
            ((integer(above) * integer(unit)) << EXTRA_BITS) / integer(below)
        }
    }
}

pub(super) fn integer<N: Number>(number: &N) -> BigInt {
    number.to_rational().to_integer()
}
