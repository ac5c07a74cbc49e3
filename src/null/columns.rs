//! The values of a measure in many replicates, and a table for the formulas.

use num_rational::BigRational;

use super::blocks::Blocks;
use super::group::Group;
use super::summary::{ReplicateSummary, summarise};
use crate::any_levels::{AnyLevels, at_any_width};
use crate::levels::{Levels, Table};
use crate::measure::Measure;
use crate::measures::{self, Amount};
use crate::number::Number;

/// A table whose ones change, and room that the formulas use again and again.
pub(super) struct Redrawn<N: Number> {
    levels: Levels<N>,
    /// The same table for the averages over subsets, if there are any.
    any: Option<AnyLevels>,
    /// Its ones.
    ones: Vec<u64>,
    formulas: measures::Room<N>,
}

impl<N: Number> Redrawn<N> {
    pub fn new(levels: &Levels<N>, any: Option<AnyLevels>) -> Self {
        let formulas = measures::Room::default();
        Redrawn { levels: levels.clone(), any, ones: Vec::new(), formulas }
    }

    /// Puts the ones of a replicate in place.
    pub fn set(&mut self, blocks: &Blocks<'_, N>, group: &Group, lane: usize) {
        let Redrawn { levels, any, ones, .. } = self;
        ones.clear();
        for number in 0..blocks.blocks.len() {
            group.look(blocks, number, lane, |place| ones.push(place.ones.1 - place.ones.0));
        }
        levels.set_ones(|index, _, _| ones[index]);
        if let Some(any) = any {
            at_any_width!(&mut any.0, levels => levels.set_ones(|index, _, _| ones[index]));
        }
    }
}

/// The values of a measure, by what they are in.
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(super) enum Column<N: Number> {
    /// Integers over the unit.
    Units(Vec<N>),
    /// Integers over the square of the unit.
    Squares(Vec<N::Wide>),
    /// Each value with its own denominator.
    Ratios(Vec<BigRational>),
    /// Averages over subsets.
    Averages(Vec<BigRational>),
}

/// Why no value is of another kind than its column.
const KIND: &str = "a formula always gives the same kind of value";

impl<N: Number> Column<N> {
    pub fn new(measure: Measure, unit: &N) -> Self {
        let nothing = Table::assume_valid(unit, &[]);
        match measures::value(measure, nothing, &mut measures::Room::default()) {
            Some(Amount::Units(_)) => Column::Units(Vec::new()),
            Some(Amount::Squares(_)) => Column::Squares(Vec::new()),
            Some(Amount::Ratio(..)) => Column::Ratios(Vec::new()),
            None => Column::Averages(Vec::new()),
        }
    }

    /// Adds the value of the table in the room.
    pub fn plain(&mut self, measure: Measure, room: &mut Redrawn<N>) {
        let table = room.levels.table();
        match (measures::value(measure, table, &mut room.formulas), self) {
            (Some(amount), column) => column.take(amount, table.unit()),
            (None, Column::Averages(values)) => {
                let any = room.any.as_ref().expect("there is one if an average is wanted");
                let average = measures::average(measure, any).expect("not a plain measure");
                values.push(average.value);
            }
            (None, _) => unreachable!("{KIND}"),
        }
    }

    /// Adds a value.
    pub fn take(&mut self, amount: Amount<N>, unit: &N) {
        match (self, amount) {
            (Column::Units(values), Amount::Units(value)) => values.push(value),
            (Column::Squares(values), Amount::Squares(value)) => values.push(value),
            (Column::Ratios(values), ratio @ Amount::Ratio(..)) => {
                values.push(ratio.to_rational(unit));
            }
            _ => unreachable!("{KIND}"),
        }
    }

    /// Adds the values of a later block.
    pub fn append(&mut self, other: Self) {
        match (self, other) {
            (Column::Units(values), Column::Units(more)) => values.extend(more),
            (Column::Squares(values), Column::Squares(more)) => values.extend(more),
            (Column::Ratios(values), Column::Ratios(more))
            | (Column::Averages(values), Column::Averages(more)) => values.extend(more),
            _ => unreachable!("blocks have the same columns"),
        }
    }

    /// What the values come to, and the only value of `observed`.
    pub fn summarise(self, observed: Self, table: Table<'_, N>) -> (ReplicateSummary, BigRational) {
        let unit = table.unit().to_rational();
        // A value that is not 0 is at least 1/D², and 2^-T of that on average over subsets; 64 bits
        // below that are kept.
        let ratios = |values, observed: Vec<BigRational>, more_bits| {
            let bits = 2 * unit.numer().bits() + more_bits + 64;
            (
                summarise(values, &observed[0], &BigRational::from_count(1), bits),
                observed[0].clone(),
            )
        };
        match (self, observed) {
            (Column::Units(values), Column::Units(observed)) => {
                (summarise(values, &observed[0], &unit, 0), observed[0].to_rational() / &unit)
            }
            (Column::Squares(values), Column::Squares(observed)) => {
                let square = &unit * &unit;
                (summarise(values, &observed[0], &square, 0), observed[0].to_rational() / square)
            }
            (Column::Ratios(values), Column::Ratios(observed)) => ratios(values, observed, 0),
            (Column::Averages(values), Column::Averages(observed)) => {
                ratios(values, observed, table.rounds())
            }
            _ => unreachable!("blocks have the same columns"),
        }
    }
}
