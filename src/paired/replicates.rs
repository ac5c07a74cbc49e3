//! Draws swaps and compares the measures after them, in parallel.

use super::gap::Gap;
use super::plan::{Draw, Plan};
use super::tables::Tables;
use super::{Paired, PairedOptions};
use crate::levels::Table;
use crate::measure::Measure;
use crate::measures::{self, Amount};
use crate::number::Number;
use crate::parallel;
use crate::random::Random;
use crate::watch::Watch;

/// So many replicates are a task.
const BLOCK: u64 = 16;

/// See [`Pair::compare`](super::Pair::compare); `levels` is the table of the plan.
pub(super) fn run<N: Number + Send + Sync>(
    plan: &Plan,
    levels: Table<'_, N>,
    measures: &[Measure],
    options: &PairedOptions,
    watch: &Watch<'_>,
) -> Vec<Paired>
where
    N::Wide: Send + Sync,
{
    let &PairedOptions { replicates, seed } = options;
    assert!(replicates > 0, "a distribution needs a replicate");
    let mut room = Room::new();
    room.tables.fill(plan, levels, &plan.observed);
    let observed: Vec<[Amount<N>; 2]> =
        measures.iter().map(|&measure| room.values(levels.unit(), measure)).collect();
    let gaps: Vec<Gap<N>> =
        observed.iter().cloned().map(|[first, second]| Gap::between(first, second)).collect();

    let blocks = parallel::map_in(replicates.div_ceil(BLOCK), Room::new, |room, block| {
        let numbers = block * BLOCK..replicates.min((block + 1) * BLOCK);
        let mut at_least = vec![0_u64; measures.len()];
        for number in numbers.clone() {
            room.draw.draw(plan, Random::new(seed, number));
            room.tables.fill(plan, levels, &room.draw);
            for ((at_least, gap), &measure) in at_least.iter_mut().zip(&gaps).zip(measures) {
                let [first, second] = room.values(levels.unit(), measure);
                *at_least += u64::from(Gap::between(first, second).at_least(gap));
            }
        }
        watch.done(numbers.end - numbers.start);
        at_least
    });
    let paired = |((index, &measure), values): ((usize, &Measure), [Amount<N>; 2])| {
        let [first, second] = values.map(|value| value.to_rational(levels.unit()));
        let at_least = blocks.iter().map(|block| block[index]).sum();
        let difference = &first - &second;
        Paired { measure, first, second, difference, replicates, seed, at_least }
    };
    measures.iter().enumerate().zip(observed).map(paired).collect()
}

/// Room for one replicate after the other.
struct Room<N: Number> {
    draw: Draw,
    tables: Tables<N>,
    formulas: measures::Room<N>,
}

impl<N: Number> Room<N> {
    fn new() -> Self {
        Room { draw: Draw::default(), tables: Tables::new(), formulas: measures::Room::default() }
    }

    /// A measure of both tables.
    fn values(&mut self, unit: &N, measure: Measure) -> [Amount<N>; 2] {
        let Room { tables, formulas, .. } = self;
        tables.both(unit).map(|table| {
            measures::value(measure, table, formulas).expect("no average over subsets")
        })
    }
}
