//! Draws outcomes and evaluates the measures on them, in parallel.

use num_rational::BigRational;

use super::outcomes::Outcomes;
use super::summary::{ReplicateSummary, asymptotic_p_value, summarise};
use super::{Null, NullOptions};
use crate::any_levels::{AnyLevels, at_any_width};
use crate::levels::{Levels, Table};
use crate::measure::Measure;
use crate::measures::{self, Amount};
use crate::number::Number;
use crate::parallel;
use crate::random::Random;
use crate::watch::Watch;

/// See [`AnyLevels::null`]; `levels` is the table of `any`.
pub(super) fn run<N: Number + Send + Sync>(
    any: &AnyLevels,
    levels: &Levels<N>,
    measures: &[Measure],
    options: &NullOptions,
    watch: &Watch<'_>,
) -> Vec<Null>
where
    N::Wide: Send,
{
    let &NullOptions { replicates, seed } = options;
    assert!(replicates > 0, "a distribution needs a replicate");
    let outcomes = Outcomes::new(levels.table());
    let averages = measures.iter().any(|measure| measure.subsampled_from().is_some());
    let room = || Redrawn::new(levels, averages.then(|| any.clone()));
    let unit = levels.table().unit();
    let columns = || -> Vec<Column<N>> { measures.iter().map(|&m| Column::new(m, unit)).collect() };
    let take = |columns: &mut [Column<N>], room: &mut Redrawn<N>| {
        columns.iter_mut().zip(measures).for_each(|(column, &m)| column.take(m, room));
    };

    let mut observed = columns();
    let mut here = room();
    take(&mut observed, &mut here);

    // Every replicate has a random stream of its own, so how they are grouped is a matter of time
    // only.
    let block = (replicates / 256).clamp(1, 1024);
    let blocks = parallel::map_in(replicates.div_ceil(block), room, |room, number| {
        let mut columns = columns();
        for replicate in number * block..replicates.min((number + 1) * block) {
            room.draw(&outcomes, &mut Random::new(seed, replicate));
            take(&mut columns, room);
            watch.done(1);
        }
        columns
    });
    let mut all = columns();
    for block in blocks {
        all.iter_mut().zip(block).for_each(|(column, more)| column.append(more));
    }

    let table = levels.table();
    let null = |((column, observed), &measure): ((Column<N>, Column<N>), &Measure)| {
        let (summary, observed) = column.summarise(observed, table);
        Null {
            measure,
            replicates,
            seed,
            mean: summary.mean,
            mean_standard_error: summary.mean_standard_error,
            percentile_95: summary.percentile_95,
            at_least: summary.at_least,
            asymptotic_p_value: asymptotic_p_value(table, measure, &observed),
            observed,
        }
    };
    all.into_iter().zip(observed).zip(measures).map(null).collect()
}

/// A table whose ones change, and room that the formulas use again and again.
struct Redrawn<N: Number> {
    levels: Levels<N>,
    /// The same table for the averages over subsets, if there are any.
    any: Option<AnyLevels>,
    formulas: measures::Room<N>,
}

impl<N: Number> Redrawn<N> {
    fn new(levels: &Levels<N>, any: Option<AnyLevels>) -> Self {
        Redrawn { levels: levels.clone(), any, formulas: measures::Room::default() }
    }

    fn draw(&mut self, outcomes: &Outcomes, random: &mut Random) {
        self.levels.set_ones(|index, level, unit| outcomes.ones(index, level, unit, random));
        if let Some(any) = &mut self.any {
            let rows = self.levels.table().rows();
            at_any_width!(&mut any.0, levels => levels.set_ones(|index, _, _| rows[index].ones));
        }
    }
}

/// The values of a measure, by what they are in.
enum Column<N: Number> {
    /// Integers over the unit.
    Units(Vec<N>),
    /// Integers over the square of the unit.
    Squares(Vec<N::Wide>),
    /// Each value with its own denominator.
    Ratios(Vec<BigRational>),
    /// Averages over subsets.
    Averages(Vec<BigRational>),
}

impl<N: Number> Column<N> {
    fn new(measure: Measure, unit: &N) -> Self {
        let nothing = Table::assume_valid(unit, &[]);
        match measures::value(measure, nothing, &mut measures::Room::default()) {
            Some(Amount::Units(_)) => Column::Units(Vec::new()),
            Some(Amount::Squares(_)) => Column::Squares(Vec::new()),
            Some(Amount::Ratio(..)) => Column::Ratios(Vec::new()),
            None => Column::Averages(Vec::new()),
        }
    }

    /// Adds the value of the table in the room.
    fn take(&mut self, measure: Measure, room: &mut Redrawn<N>) {
        let table = room.levels.table();
        match (self, measures::value(measure, table, &mut room.formulas)) {
            (Column::Units(values), Some(Amount::Units(value))) => values.push(value),
            (Column::Squares(values), Some(Amount::Squares(value))) => values.push(value),
            (Column::Ratios(values), Some(ratio)) => values.push(ratio.to_rational(table.unit())),
            (Column::Averages(values), None) => {
                let any = room.any.as_ref().expect("there is one if an average is wanted");
                let average = measures::average(measure, any).expect("not a plain measure");
                values.push(average.value);
            }
            _ => unreachable!("a formula always gives the same kind of value"),
        }
    }

    /// Adds the values of a later block.
    fn append(&mut self, other: Self) {
        match (self, other) {
            (Column::Units(values), Column::Units(more)) => values.extend(more),
            (Column::Squares(values), Column::Squares(more)) => values.extend(more),
            (Column::Ratios(values), Column::Ratios(more))
            | (Column::Averages(values), Column::Averages(more)) => values.extend(more),
            _ => unreachable!("blocks have the same columns"),
        }
    }

    /// What the values come to, and the only value of `observed`.
    fn summarise(self, observed: Self, table: Table<'_, N>) -> (ReplicateSummary, BigRational) {
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
