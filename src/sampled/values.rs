//! The values of the measures on the subsets drawn, as integers.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::levels::{Level, Table};
use crate::measure::Measure;
use crate::measures::{self, Amount};
use crate::number::Number;

/// The bits by which a value with a denominator of its own is scaled up before it is rounded down.
/// It is a fraction of at least 1 in squared units, so these are significant bits.
const EXTRA_BITS: u32 = 64;

/// Room for one subset after the other.
pub(super) struct Rooms<N: Number> {
    pub kept: Vec<Level<N>>,
    pub rest: Vec<Level<N>>,
    room: measures::Room<N>,
}

impl<N: Number> Rooms<N> {
    pub fn new() -> Self {
        Rooms { kept: Vec::new(), rest: Vec::new(), room: measures::Room::default() }
    }

    /// The measure of the subset drawn, in [`scale`]s.
    pub fn of_kept(&mut self, base: Measure, unit: &N) -> BigInt {
        value(base, Table::assume_valid(unit, &self.kept), &mut self.room)
    }

    /// The measure of its complement.
    pub fn of_rest(&mut self, base: Measure, unit: &N) -> BigInt {
        value(base, Table::assume_valid(unit, &self.rest), &mut self.room)
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

fn value<N: Number>(base: Measure, levels: Table<'_, N>, room: &mut measures::Room<N>) -> BigInt {
    match amount(base, levels, room) {
        Amount::Units(value) => integer(&value),
        Amount::Squares(value) => integer(&value),
        Amount::Ratio(above, below) => {
            ((integer(&above) * integer(levels.unit())) << EXTRA_BITS) / integer(&below)
        }
    }
}

fn integer<N: Number>(number: &N) -> BigInt {
    number.to_rational().to_integer()
}
