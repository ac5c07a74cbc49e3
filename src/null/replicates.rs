//! Draws outcomes and evaluates the measures on them, in parallel.

use std::ops::Range;

use super::blocks::Blocks;
use super::columns::{Column, Redrawn};
use super::group::Group;
use super::outcomes::{LANES, Outcomes};
use super::summary::asymptotic;
use super::values::{self, Values};
use super::{Null, NullOptions};
use crate::any_levels::AnyLevels;
use crate::levels::Levels;
use crate::measure::Measure;
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
    let wanted = Asked { any, levels, measures };
    let (observed, all) = (wanted.observed(), wanted.replicates(options, watch));
    let null = |((column, observed), &measure): ((Column<N>, Column<N>), &Measure)| {
        let (summary, observed) = column.summarise(observed, levels.table());
        let asymptotic = asymptotic(levels.table(), measure, &observed);
        Null {
            measure,
            replicates,
            seed,
            mean: summary.mean,
            mean_standard_error: summary.mean_standard_error,
            percentile_95: summary.percentile_95,
            at_least: summary.at_least,
            asymptotic,
            asymptotic_p_value: asymptotic.map(Into::into),
            observed,
        }
    };
    all.into_iter().zip(observed).zip(measures).map(null).collect()
}

/// Measures of a table.
pub(super) struct Asked<'a, N> {
    pub any: &'a AnyLevels,
    pub levels: &'a Levels<N>,
    pub measures: &'a [Measure],
}

impl<N: Number + Send + Sync> Asked<'_, N>
where
    N::Wide: Send,
{
    fn columns(&self) -> Vec<Column<N>> {
        let unit = self.levels.table().unit();
        self.measures.iter().map(|&measure| Column::new(measure, unit)).collect()
    }

    /// A table for the formulas.
    fn room(&self) -> Redrawn<N> {
        let averages = self.measures.iter().any(|measure| measure.subsampled_from().is_some());
        Redrawn::new(self.levels, averages.then(|| self.any.clone()))
    }

    /// The values on the outcomes that happened.
    fn observed(&self) -> Vec<Column<N>> {
        let (mut columns, mut room) = (self.columns(), self.room());
        for (column, &measure) in columns.iter_mut().zip(self.measures) {
            column.plain(measure, &mut room);
        }
        columns
    }

    /// The values on the replicates, in their order.
    pub fn replicates(&self, options: &NullOptions, watch: &Watch<'_>) -> Vec<Column<N>> {
        assert!(options.replicates > 0, "a distribution needs a replicate");
        let (table, measures) = (self.levels.table(), self.measures);
        let outcomes = Outcomes::new(table);
        let blocks = Blocks::new(table, &outcomes, values::wanted(measures, table.rounds()));
        let bounded = measures.iter().all(|&measure| values::is_found(measure, blocks.wanted));
        let tasks = Tasks::new(options.replicates, bounded);
        let room = || (Group::default(), (!bounded).then(|| self.room()));
        let parts = parallel::map_in(tasks.count(), room, |(group, room), number| {
            let (stream, lanes) = tasks.lanes(number);
            group.draw(&blocks, &mut Random::new(options.seed, stream));
            let columns = self.evaluate(&blocks, group, lanes.clone(), room.as_mut());
            watch.done(lanes.len() as u64);
            columns
        });
        let mut all = self.columns();
        for part in parts {
            all.iter_mut().zip(part).for_each(|(column, more)| column.append(more));
        }
        all
    }

    /// The values in some lanes of a group. There is room for the formulas if some measure needs
    /// them.
    fn evaluate(
        &self,
        blocks: &Blocks<'_, N>,
        group: &Group,
        lanes: Range<usize>,
        mut room: Option<&mut Redrawn<N>>,
    ) -> Vec<Column<N>> {
        let mut columns = self.columns();
        let values = Values::new(blocks, group, lanes.clone(), self.measures);
        for (place, lane) in lanes.enumerate() {
            if let Some(room) = &mut room {
                room.set(blocks, group, lane);
            }
            for (column, &measure) in columns.iter_mut().zip(self.measures) {
                match (values.amount(measure, place), &mut room) {
                    (Some(amount), _) => column.take(amount, blocks.table.unit()),
                    (None, Some(room)) => column.plain(measure, room),
                    (None, None) => unreachable!("there is room"),
                }
            }
        }
        columns
    }
}

/// Groups of replicates, and parts of groups.
struct Tasks {
    replicates: u64,
    /// The tasks that share a group, each for as many lanes.
    parts: u64,
}

impl Tasks {
    /// Where drawing takes the most time, a group is one task. Where formulas take more and there
    /// are few groups, several threads draw the same group, each for some of its lanes.
    fn new(replicates: u64, bounded: bool) -> Self {
        let mut tasks = Tasks { replicates, parts: 1 };
        let enough = 4 * parallel::threads() as u64;
        while !bounded && tasks.parts < LANES as u64 && tasks.count() < enough {
            tasks.parts *= 2;
        }
        tasks
    }

    fn count(&self) -> u64 {
        self.replicates.div_ceil(LANES as u64 / self.parts)
    }

    /// The group of a task, and its lanes.
    fn lanes(&self, number: u64) -> (u64, Range<usize>) {
        let (lanes, group) = (LANES as u64, number / self.parts);
        let size = lanes / self.parts;
        let first = number % self.parts * size;
        let end = (first + size).min(self.replicates - group * lanes);
        (group, first as usize..end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_all_lanes_in_order() {
        for threads in [1, 3, 40] {
            parallel::on(threads, || {
                for replicates in [1, 63, 64, 65, 128, 700, 1000] {
                    for bounded in [true, false] {
                        let tasks = Tasks::new(replicates, bounded);
                        let lanes = (0..tasks.count()).flat_map(|number| {
                            let (group, lanes) = tasks.lanes(number);
                            lanes.map(move |lane| group * LANES as u64 + lane as u64)
                        });
                        assert!(lanes.eq(0..replicates));
                        assert!(!bounded || tasks.parts == 1);
                    }
                }
                #[cfg(feature = "rayon")]
                assert_eq!(
                    Tasks::new(64, false).parts,
                    (4 * threads as u64).next_power_of_two().min(64)
                );
            });
        }
    }
}
