//! Draws outcomes and evaluates the measures on them, in parallel.

use num_rational::BigRational;
use rayon::prelude::*;

use super::outcomes::Outcomes;
use super::summary::{Summary, asymptotic_p_value, summarise};
use super::{Null, NullOptions};
use crate::any_levels::{AnyLevels, at_any_width};
use crate::levels::{Levels, Table};
use crate::measure::Measure;
use crate::measures::{self, Corner, SmoothWalk, SubsetAverage, Walk, sm_ce_value, u_cal_with};
use crate::number::Number;
use crate::random::Random;

/// See [`AnyLevels::null`]; `levels` is the table of `any`.
pub(super) fn run<N: Number + Send + Sync>(
    any: &AnyLevels,
    levels: &Levels<N>,
    measures: &[Measure],
    options: &NullOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Null>
where
    N::Wide: Send,
{
    let &NullOptions { replicates, seed } = options;
    assert!(replicates > 0, "a distribution needs a replicate");
    let outcomes = Outcomes::new(levels.table());
    let averages = measures.iter().any(|measure| measure.subsampled_from().is_some());
    let room = || Room::new(levels, averages.then(|| any.clone()));
    let columns = || -> Vec<Column<N>> { measures.iter().copied().map(Column::new).collect() };

    let mut observed = columns();
    let mut here = room();
    observed.iter_mut().for_each(|column| column.take(&mut here));

    // Every replicate has a random stream of its own, so how they are grouped is a matter of time only.
    let block = (replicates / 256).clamp(1, 1024);
    let blocks: Vec<Vec<Column<N>>> = (0..replicates.div_ceil(block))
        .into_par_iter()
        .map_init(room, |room, number| {
            let mut columns = columns();
            for replicate in number * block..replicates.min((number + 1) * block) {
                room.draw(&outcomes, &mut Random::new(seed, replicate));
                columns.iter_mut().for_each(|column| column.take(room));
                progress(1);
            }
            columns
        })
        .collect();
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
struct Room<N: Number> {
    levels: Levels<N>,
    /// The same table for the averages over subsets, if there are any.
    any: Option<AnyLevels>,
    hull: Vec<Corner<N>>,
    smooth: SmoothWalk<N>,
}

impl<N: Number> Room<N> {
    fn new(levels: &Levels<N>, any: Option<AnyLevels>) -> Self {
        Room { levels: levels.clone(), any, hull: Vec::new(), smooth: SmoothWalk::new() }
    }

    fn draw(&mut self, outcomes: &Outcomes, random: &mut Random) {
        self.levels.set_ones(|index, level, unit| outcomes.ones(index, level, unit, random));
        if let Some(any) = &mut self.any {
            let rows = self.levels.table().rows();
            at_any_width!(any, levels => levels.set_ones(|index, _, _| rows[index].ones));
        }
    }
}

/// The values of a measure: how they are found, and what they are in.
enum Column<N: Number> {
    /// Integers over the unit.
    Units(fn(Table<'_, N>) -> N, Vec<N>),
    /// smCE: integers over the square of the unit.
    Smooth(Vec<N::Wide>),
    /// UCal: each value with its own denominator.
    UCal(Vec<BigRational>),
    /// Averages over subsets.
    Average(fn(&AnyLevels) -> SubsetAverage, Vec<BigRational>),
}

impl<N: Number> Column<N> {
    fn new(measure: Measure) -> Self {
        let units = |formula| Column::Units(formula, Vec::new());
        let average = |formula| Column::Average(formula, Vec::new());
        match measure {
            Measure::Ece => units(|table| measures::ece(table).value),
            Measure::SmCe => Column::Smooth(Vec::new()),
            Measure::StepCe => units(|table| measures::step_ce(table).value),
            Measure::SignCe => units(|table| measures::sign_ce(table).value),
            Measure::IntervalCe => units(|table| measures::interval_ce(table).value),
            Measure::VCal => units(|table| measures::v_cal(table).value),
            Measure::UCal => Column::UCal(Vec::new()),
            Measure::StepCeSub => average(measures::step_ce_sub),
            Measure::VCalSub => average(measures::v_cal_sub),
            Measure::UCalSub => average(measures::u_cal_sub),
            Measure::Ssce => average(measures::ssce),
        }
    }

    /// Adds the value of the table in the room.
    fn take(&mut self, room: &mut Room<N>) {
        let table = room.levels.table();
        match self {
            Column::Units(formula, values) => values.push(formula(table)),
            Column::Smooth(values) => values.push(sm_ce_value(table, &mut room.smooth)),
            Column::UCal(values) => {
                let u_cal = u_cal_with(table, &mut room.hull);
                let below = u_cal.denominator.to_rational() * table.unit().to_rational();
                values.push(u_cal.numerator.to_rational() / below);
            }
            Column::Average(formula, values) => {
                let any = room.any.as_ref().expect("there is one if an average is wanted");
                values.push(formula(any).value);
            }
        }
    }

    /// Adds the values of a later block.
    fn append(&mut self, other: Self) {
        match (self, other) {
            (Column::Units(_, values), Column::Units(_, more)) => values.extend(more),
            (Column::Smooth(values), Column::Smooth(more)) => values.extend(more),
            (Column::UCal(values), Column::UCal(more))
            | (Column::Average(_, values), Column::Average(_, more)) => values.extend(more),
            _ => unreachable!("blocks have the same columns"),
        }
    }

    /// What the values come to, and the only value of `observed`.
    fn summarise(self, observed: Self, table: Table<'_, N>) -> (Summary, BigRational) {
        let unit = table.unit().to_rational();
        // A value that is not 0 is at least 1/D², and 2^-T of that on average over subsets; 64 bits below that are kept.
        let ratios = |values, observed: Vec<BigRational>, more_bits| {
            let bits = 2 * unit.numer().bits() + more_bits + 64;
            (
                summarise(values, &observed[0], &BigRational::from_count(1), bits),
                observed[0].clone(),
            )
        };
        match (self, observed) {
            (Column::Units(_, values), Column::Units(_, observed)) => {
                (summarise(values, &observed[0], &unit, 0), observed[0].to_rational() / &unit)
            }
            (Column::Smooth(values), Column::Smooth(observed)) => {
                let square = &unit * &unit;
                (summarise(values, &observed[0], &square, 0), observed[0].to_rational() / square)
            }
            (Column::UCal(values), Column::UCal(observed)) => ratios(values, observed, 0),
            (Column::Average(_, values), Column::Average(_, observed)) => {
                ratios(values, observed, table.rounds())
            }
            _ => unreachable!("blocks have the same columns"),
        }
    }
}
