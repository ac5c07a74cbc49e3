//! The second look at the data: only what can matter is gathered and sorted. If that would be too
//! much, it is split first.
//!
//! The rounds of a bucket grow with T, the walk of prefix sums with its root: in long data ever
//! more buckets can matter. A pass that would gather too many rounds splits their cells by further
//! bits of the key instead. A bucket, a part of one and a level are all a [`Cell`], so nothing else
//! knows how often that happened; memory is that of the cells and of one pass.

use thiserror::Error;

use super::near::Near;
use super::parts::{BLOCK, Part, Slices, in_groups};
use super::stretches::{Cell, Keyed, Stretches};
use super::{Bucket, Keys, Outcome, Summary, Weighted, at_width, entry_of, first_bad, same_length};
use crate::forecasts::ForecastsError;
use crate::measure::{Measure, Refined};
use crate::tally::{Entry, Tally};
use crate::witness::Evaluation;

/// What the second pass read is not what the summary was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the data changed between two passes over them")]
pub struct DataChanged;

/// As many rounds are gathered in a pass.
const ROOM: u64 = 1 << 17;

/// If they would be more, the cells are divided into as many parts.
const PARTS: usize = 1 << 17;

/// Rounds that are looked at in one go, and stay in the cache meanwhile.
const STRIDE: usize = 1 << 9;

/// The way from a [`Summary`] to exact values: passes over the data until it [is
/// complete](Refinement::is_complete), usually one.
///
/// A pass gathers the rounds of the buckets that can matter, up to some hundred thousand. If there
/// are more, the pass divides these buckets instead, and the next one needs fewer. So memory does
/// not grow with the data.
#[derive(Debug)]
pub struct Refinement<'a, K: Keys> {
    summary: &'a Summary<K>,
    measures: Vec<Measure>,
    /// Ascending.
    cells: Vec<Cell>,
    plan: Plan,
    found: Found,
    passes: u32,
    /// Rounds in memory stay as they are, and of their buckets less is known that could be
    /// compared.
    in_memory: bool,
}

/// What a pass looks for.
#[derive(Debug)]
struct Plan {
    room: u64,
    parts: usize,
    /// Most rounds are far from all that is wanted, and done with that.
    near: Near,
    /// Ascending.
    wanted: Vec<Wanted>,
    /// Whether cells are divided, or rounds gathered.
    divides: bool,
}

/// A cell that must be opened.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// Its index.
    cell: usize,
    floor: u64,
    /// The floor of the next cell.
    end: u64,
    /// Its first part and its last, of 2^shift keys each.
    first: usize,
    last: usize,
    shift: u32,
}

/// What a pass has found, in some rounds: those that it gathers, or the parts of cells.
#[derive(Debug, Default)]
struct Found {
    gathered: Tally,
    parts: Vec<Bucket>,
}

/// Some of up to `N` items, a power of two.
struct Listed<T, const N: usize> {
    items: [T; N],
    count: usize,
}

impl<T, const N: usize> Listed<T, N> {
    /// Lists those items that belong there; there have never been more than there is room for.
    #[inline(always)]
    fn list(&mut self, items: impl Iterator<Item = (T, bool)>) {
        let mut count = self.count;
        for (item, belongs) in items {
            self.items[count % N] = item;
            count += usize::from(belongs);
        }
        self.count = count;
    }

    fn all(&self) -> &[T] {
        &self.items[..self.count]
    }
}

impl<K: Keys> Summary<K> {
    /// Prepares to find these measures exactly; only stepCE, signCE, intervalCE, VCal and UCal can
    /// be found without a table of all levels, and others are left out.
    pub fn refine(&self, measures: &[Measure]) -> Refinement<'_, K> {
        self.refine_within(ROOM, PARTS, measures)
    }

    /// With so much room, and at least two parts for each cell.
    pub(super) fn refine_within(
        &self,
        room: u64,
        parts: usize,
        measures: &[Measure],
    ) -> Refinement<'_, K> {
        let mut measures = measures.to_vec();
        measures.retain(|measure| measure.description().refined.is_some());
        let mut refinement = Refinement {
            summary: self,
            measures,
            cells: self.cells(),
            plan: Plan { room, parts, near: Near::nothing(), wanted: vec![], divides: false },
            found: Found::default(),
            passes: 1,
            in_memory: false,
        };
        refinement.ask(false);
        refinement
    }

    /// The measures that [`refine`](Self::refine) finds.
    pub fn refined() -> impl Iterator<Item = Measure> {
        Measure::ALL.into_iter().filter(|measure| measure.description().refined.is_some())
    }
}

impl<K: Keys> Refinement<'_, K> {
    /// Whether no further pass is needed.
    pub fn is_complete(&self) -> bool {
        self.plan.wanted.is_empty()
    }

    /// The passes over the data so far, that of the summary included.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// The rounds that this pass looks at.
    pub fn wanted_rounds(&self) -> u64 {
        self.plan.wanted.iter().map(|wanted| self.cells[wanted.cell].bucket.count).sum()
    }

    /// Reads levels again, as they were read into the summary.
    pub fn update_levels(&mut self, levels: &[Weighted<K>]) -> Result<(), ForecastsError> {
        for (round, level) in levels.iter().enumerate() {
            let entry = entry_of::<K>(round, level)?;
            if entry.count > 0 && self.plan.near.is_near(entry.key) {
                self.plan.take(&entry, &mut self.found);
            }
        }
        Ok(())
    }

    /// Reads rounds again by their words.
    pub(crate) fn update_words(&mut self, words: &Vec<u64>) {
        let all_good = self.plan.look::<K, _>(words, &mut self.found);
        assert!(all_good, "words are of forecasts");
    }

    /// Reads rounds again: in a pass, all that were read into the summary, in any order.
    pub fn update<O: Outcome>(
        &mut self,
        outcomes: &[O],
        predictions: &[K::Input],
    ) -> Result<(), ForecastsError> {
        same_length(outcomes, predictions)?;
        let all_good = self.plan.look::<K, _>(&Slices { outcomes, predictions }, &mut self.found);
        if all_good { Ok(()) } else { Err(first_bad::<K, O>(outcomes, predictions).1) }
    }

    /// What was found elsewhere.
    fn append(&mut self, found: Found) {
        self.found.gathered.append(found.gathered);
        let parts = self.found.parts.iter_mut().zip(&found.parts);
        parts.for_each(|(part, found)| part.join(found));
    }

    /// Ends a pass: opens or divides what was wanted, and finds out whether more must be.
    pub fn end_pass(&mut self) -> Result<(), DataChanged> {
        self.passes += 1;
        let Found { mut gathered, parts } = std::mem::take(&mut self.found);
        gathered.settle();
        let entries = gathered.entries();
        let mut entries = entries.iter().peekable();
        let more = if self.plan.divides { parts.len() } else { entries.len() };
        let mut cells = Vec::with_capacity(self.cells.len() + more);
        let mut done = 0;
        for wanted in &self.plan.wanted {
            cells.extend_from_slice(&self.cells[done..wanted.cell]);
            done = wanted.cell + 1;
            let begin = cells.len();
            if self.plan.divides {
                let parts = parts[wanted.first..=wanted.last].iter().enumerate();
                let filled = parts.filter(|(_, bucket)| bucket.count > 0);
                cells.extend(filled.map(|(number, &bucket)| {
                    let floor = wanted.floor + ((number as u64) << wanted.shift);
                    Cell { floor, bucket }
                }));
            } else {
                while let Some(entry) = entries.next_if(|entry| entry.key < wanted.end) {
                    cells.push(Cell { floor: entry.key, bucket: Bucket::of_level(entry) });
                }
            }
            let mut again = Bucket::default();
            cells[begin..].iter().for_each(|cell| again.join(&cell.bucket));
            if !self.in_memory && again != self.cells[wanted.cell].bucket {
                return Err(DataChanged);
            }
        }
        cells.extend_from_slice(&self.cells[done..]);
        self.cells = cells;
        self.ask(!self.plan.divides);
        Ok(())
    }

    /// Finds out which cells must be opened. If those that were missing have been, only the line of
    /// UCal can have moved so that others are; what else was attained for certain has grown, and
    /// other cells reach it less than before.
    fn ask(&mut self, opened: bool) {
        let moves = |measure: &&Measure| measure.description().refined == Some(Refined::U);
        let (summary, scale) = (self.summary, self.summary.scale());
        let mut missing = at_width!(summary.rounds, &K::unit(scale), N => {
            let pieces = Stretches::<N, Keyed<K>>::new(summary, &self.cells, scale);
            let asked = self.measures.iter().filter(|measure| !opened || moves(measure));
            asked.flat_map(|measure| pieces.missing(*measure)).collect::<Vec<usize>>()
        });
        missing.sort_unstable();
        missing.dedup();
        self.plan.want(&self.cells, &missing);
        self.found = self.plan.nothing();
    }

    /// The measure and its witness, the same that
    /// [`AnyLevels::evaluate`](crate::AnyLevels::evaluate) gives; `None` if it was not asked for,
    /// or needs another pass.
    pub fn evaluate(&self, measure: Measure) -> Option<Evaluation> {
        if !self.is_complete() || !self.measures.contains(&measure) {
            return None;
        }
        let (summary, scale) = (self.summary, self.summary.scale());
        at_width!(summary.rounds, &K::unit(scale), N => {
            Stretches::<N, Keyed<K>>::new(summary, &self.cells, scale).evaluate(measure)
        })
    }
}

impl Plan {
    /// Plans a pass that opens or divides these cells.
    fn want(&mut self, cells: &[Cell], missing: &[usize]) {
        let rounds: u64 = missing.iter().map(|cell| cells[*cell].bucket.count).sum();
        self.divides = rounds > self.room;
        self.near = Near::to(cells, missing);
        self.wanted.clear();
        // A power of two for each.
        let part_bits = (self.parts / missing.len().max(1)).max(2).ilog2();
        let mut first = 0;
        for &cell in missing {
            let Cell { floor, bucket } = cells[cell];
            let span = bucket.largest - floor;
            let shift = (u64::BITS - span.leading_zeros()).saturating_sub(part_bits);
            let last = first + (span >> shift) as usize;
            let end = cells.get(cell + 1).map_or(u64::MAX, |next| next.floor);
            self.wanted.push(Wanted { cell, floor, end, first, last, shift });
            first = last + 1;
        }
    }

    fn nothing(&self) -> Found {
        let parts = self.wanted.last().filter(|_| self.divides).map_or(0, |wanted| wanted.last + 1);
        Found { gathered: Tally::default(), parts: vec![Bucket::default(); parts] }
    }

    /// Takes what is wanted from some rounds; `false` if one that it looks at is not a forecast.
    fn look<K: Keys, P: Part<K>>(&self, part: &P, found: &mut Found) -> bool {
        let (predictions, outcomes) = part.columns();
        let strides = predictions.chunks(STRIDE).zip(outcomes.chunks(STRIDE));
        let mut rounds = Listed { items: [(0, None); STRIDE], count: 0 };
        strides.into_iter().all(|(predictions, outcomes)| {
            self.list_near::<K, P>(predictions, outcomes, &mut rounds);
            rounds.all().iter().all(|(bits, outcome)| self.take_round::<K>(*bits, *outcome, found))
        })
    }

    /// Lists those rounds of a stride that are near what is wanted.
    ///
    /// What is near comes now and then, and a processor cannot guess where; so nothing here depends
    /// on a branch. First all blocks with something near are listed, with their outcomes, as memory
    /// is fast where it is read in order; then those of their rounds that are near.
    // Apart, so that the loop has all registers.
    #[inline(never)]
    fn list_near<K: Keys, P: Part<K>>(
        &self,
        predictions: &[P::Prediction],
        outcomes: &[P::Outcome],
        rounds: &mut Listed<(u64, Option<bool>), STRIDE>,
    ) {
        let (predictions, last_predictions) = predictions.as_chunks::<BLOCK>();
        let (outcomes, last_outcomes) = outcomes.as_chunks::<BLOCK>();
        let mut blocks = Listed { items: [(0, [None; BLOCK]); STRIDE / BLOCK], count: 0 };
        blocks.list(predictions.iter().zip(outcomes).enumerate().map(|(index, block)| {
            let is_near = self.near.any(|t| P::bits(block.0[t]));
            ((index, block.1.map(P::happened)), is_near)
        }));
        rounds.count = 0;
        let near = |round: (u64, Option<bool>)| (round, self.near.is_near(round.0));
        for (index, outcomes) in blocks.all() {
            let keys = predictions[*index].iter().map(|prediction| P::bits(*prediction));
            rounds.list(keys.zip(outcomes.iter().copied()).map(near));
        }
        let last = last_predictions.iter().zip(last_outcomes);
        rounds.list(last.map(|(p, x)| (P::bits(*p), P::happened(*x))).map(near));
    }

    /// Takes a round if it is wanted; `false` if it is not a forecast.
    #[inline(never)]
    fn take_round<K: Keys>(&self, bits: u64, outcome: Option<bool>, found: &mut Found) -> bool {
        let (Some(key), Some(happened)) = (K::valid(bits), outcome) else { return false };
        self.take(&Entry { key, count: 1, ones: happened.into() }, found);
        true
    }

    /// Takes rounds with one prediction if they are wanted.
    fn take(&self, entry: &Entry, found: &mut Found) {
        let key = entry.key;
        let below = self.wanted.partition_point(|wanted| wanted.floor <= key);
        let Some(wanted) = self.wanted[..below].last().filter(|wanted| key < wanted.end) else {
            return;
        };
        if self.divides {
            // Beyond the last part are keys that were not there before; that will be noticed.
            let part = wanted.first + ((key - wanted.floor) >> wanted.shift) as usize;
            found.parts[part.min(wanted.last)].join(&Bucket::of_level(entry));
        } else if entry.count == 1 {
            found.gathered.push(entry.ones == 1, key);
        } else {
            found.gathered.push_level(key, entry.count, entry.ones);
        }
    }
}

/// The refined ones of these measures, of rounds in memory; `None` if one of them is not a
/// forecast.
pub(crate) fn evaluate_parts<K: Keys, P: Part<K>>(
    parts: &[P],
    measures: &[Measure],
) -> Option<Result<Vec<Evaluation>, ForecastsError>> {
    let summary = match Summary::of_parts(parts)? {
        Ok(summary) => summary,
        Err(error) => return Some(Err(error)),
    };
    let mut refinement = Refinement { in_memory: true, ..summary.refine(measures) };
    while !refinement.is_complete() {
        let plan = &refinement.plan;
        let found = in_groups(parts, |group: &[P]| {
            let mut found = plan.nothing();
            let all_good = group.iter().all(|part| plan.look::<K, P>(part, &mut found));
            found.gathered.settle(); // here, as all threads can
            all_good.then_some(found)
        });
        for found in found {
            refinement.append(found?);
        }
        refinement.end_pass().expect("parts are borrowed and cannot change");
    }
    let evaluations = refinement.measures.iter().filter_map(|m| refinement.evaluate(*m));
    Some(Ok(evaluations.collect()))
}
