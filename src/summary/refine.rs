//! The second look at the data: only what can matter is gathered and sorted.

use thiserror::Error;

use super::pieces::{Opened, Pieces};
use super::{Bucket, Keys, Outcome, Summary, at_width, first_bad, pack, same_length, unpack};
use crate::forecasts::ForecastsError;
use crate::levels::Level;
use crate::measure::Measure;
use crate::witness::Evaluation;

/// What the second pass read is not what the summary was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the data changed between two passes over them")]
pub struct DataChanged;

/// How many rounds are kept before equal predictions among them are put together.
const ROOM: usize = 1 << 19;

/// The way from a [`Summary`] to exact values: passes over the data until it [is complete](Refinement::is_complete), usually one.
///
/// Memory grows with the distinct predictions in the buckets that are opened: for most data a few in a thousand of all.
#[derive(Debug)]
pub struct Refinement<'a, K: Keys> {
    summary: &'a Summary<K>,
    measures: Vec<Measure>,
    opened: Opened,
    /// For each bucket, whether this pass gathers it.
    wanted: Vec<bool>,
    /// What this pass has gathered, and how much of the beginning is sorted and tallied.
    gathered: Gathered,
    passes: u32,
}

/// Rounds of some buckets.
#[derive(Debug)]
pub(crate) struct Gathered {
    tallied: Vec<Level<u64>>,
    recent: Vec<u64>,
}

impl Gathered {
    pub fn new() -> Self {
        Gathered { tallied: Vec::new(), recent: Vec::new() }
    }

    #[inline(always)]
    fn push(&mut self, key: u64, happened: bool) {
        self.recent.push(pack(key, happened));
        if self.recent.len() >= ROOM.max(self.tallied.len()) {
            self.tally();
        }
    }

    /// Puts equal predictions together.
    fn tally(&mut self) {
        self.recent.sort_unstable();
        let mut old = std::mem::take(&mut self.tallied).into_iter().peekable();
        let mut all: Vec<Level<u64>> = Vec::with_capacity(old.len());
        let mut put = |key: u64, count: u64, ones: u64| match all.last_mut() {
            Some(last) if last.value == key => {
                last.count += count;
                last.ones += ones;
            }
            _ => all.push(Level { value: key, count, ones }),
        };
        for (key, happened) in self.recent.drain(..).map(unpack) {
            while let Some(level) = old.next_if(|level| level.value <= key) {
                put(level.value, level.count, level.ones);
            }
            put(key, 1, u64::from(happened));
        }
        old.for_each(|level| put(level.value, level.count, level.ones));
        self.tallied = all;
    }

    /// All of another.
    pub fn append(&mut self, mut other: Self) {
        other.tally();
        self.tally();
        let merger = Merge { left: &self.tallied, right: &other.tallied };
        self.tallied = merger.collect();
    }
}

/// Two tallies in order, those of one key put together.
struct Merge<'a> {
    left: &'a [Level<u64>],
    right: &'a [Level<u64>],
}

impl Iterator for Merge<'_> {
    type Item = Level<u64>;

    fn next(&mut self) -> Option<Level<u64>> {
        let (a, b) = (self.left.first(), self.right.first());
        let value = a.into_iter().chain(b).map(|level| level.value).min()?;
        let mut level = Level { value, count: 0, ones: 0 };
        for side in [&mut self.left, &mut self.right] {
            if let [first, rest @ ..] = *side
                && first.value == value
            {
                level.count += first.count;
                level.ones += first.ones;
                *side = rest;
            }
        }
        Some(level)
    }
}

impl<K: Keys> Summary<K> {
    /// Prepares to find these measures exactly; only stepCE, signCE, intervalCE, VCal and UCal can be found without a table
    /// of all levels, and others are left out.
    pub fn refine(&self, measures: &[Measure]) -> Refinement<'_, K> {
        let mut measures = measures.to_vec();
        measures.retain(|measure| Summary::<K>::REFINED.contains(measure));
        let mut refinement = Refinement {
            summary: self,
            measures,
            opened: Opened::new(),
            wanted: vec![false; K::BUCKETS],
            gathered: Gathered::new(),
            passes: 1,
        };
        refinement.ask();
        refinement
    }

    /// The measures that [`refine`](Self::refine) finds.
    pub const REFINED: [Measure; 5] =
        [Measure::StepCe, Measure::SignCe, Measure::IntervalCe, Measure::VCal, Measure::UCal];
}

impl<K: Keys> Refinement<'_, K> {
    /// Whether no further pass is needed.
    pub fn is_complete(&self) -> bool {
        !self.wanted.contains(&true)
    }

    /// The passes over the data so far, that of the summary included.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// The rounds in the buckets that this pass opens.
    pub fn wanted_rounds(&self) -> u64 {
        let buckets = self.summary.buckets.iter().zip(&self.wanted);
        buckets.filter(|(_, wanted)| **wanted).map(|(bucket, _)| bucket.count).sum()
    }

    /// Reads rounds again: in a pass, all that were read into the summary, in any order.
    pub fn update<O: Outcome>(
        &mut self,
        outcomes: &[O],
        predictions: &[K::Input],
    ) -> Result<(), ForecastsError> {
        gather::<K, O>(&self.wanted, outcomes, predictions, &mut self.gathered)
    }

    /// The buckets that this pass gathers.
    pub(crate) fn wanted(&self) -> &[bool] {
        &self.wanted
    }

    /// What was gathered elsewhere.
    pub(crate) fn append(&mut self, gathered: Gathered) {
        self.gathered.append(gathered);
    }

    /// Ends a pass: opens the buckets that were gathered, and finds out whether more must be.
    pub fn end_pass(&mut self) -> Result<(), DataChanged> {
        self.passes += 1;
        self.gathered.tally();
        let levels = std::mem::take(&mut self.gathered.tallied);
        for group in levels.chunk_by(|a, b| K::bucket(a.value) == K::bucket(b.value)) {
            self.opened.insert(K::bucket(group[0].value), group.to_vec());
        }
        let wanted = self.wanted.iter().enumerate().filter(|(_, wanted)| **wanted);
        for (number, _) in wanted {
            let bucket = &self.summary.buckets[number];
            let mut again = Bucket::default();
            self.opened.get(&number).into_iter().flatten().for_each(|level| again.add_level(level));
            if again != *bucket {
                return Err(DataChanged);
            }
        }
        self.ask();
        Ok(())
    }

    /// Finds out which buckets must be opened.
    fn ask(&mut self) {
        self.wanted.fill(false);
        let (summary, scale) = (self.summary, self.summary.scale());
        at_width!(summary.rounds, &K::unit(scale), N => {
            let pieces = Pieces::<N>::new(summary, &self.opened, scale);
            for &measure in &self.measures {
                for bucket in pieces.missing(measure) {
                    self.wanted[bucket] = true;
                }
            }
        });
    }

    /// The measure and its witness, the same that [`AnyLevels::evaluate`](crate::AnyLevels::evaluate) gives; `None` if it was not asked for, or
    /// needs another pass.
    pub fn evaluate(&self, measure: Measure) -> Option<Evaluation> {
        if !self.is_complete() || !self.measures.contains(&measure) {
            return None;
        }
        let (summary, scale) = (self.summary, self.summary.scale());
        Some(at_width!(summary.rounds, &K::unit(scale), N => {
            Pieces::<N>::new(summary, &self.opened, scale).evaluate(measure)
        }))
    }
}

/// Takes from some rounds those of wanted buckets.
pub(crate) fn gather<K: Keys, O: Outcome>(
    wanted: &[bool],
    outcomes: &[O],
    predictions: &[K::Input],
    gathered: &mut Gathered,
) -> Result<(), ForecastsError> {
    same_length(outcomes, predictions)?;
    let all_good = outcomes.iter().zip(predictions).all(|(&outcome, &prediction)| {
        let (Some(key), Some(happened)) = (K::key(prediction), outcome.happened()) else {
            return false;
        };
        if wanted[K::bucket(key)] {
            gathered.push(key, happened);
        }
        true
    });
    if all_good { Ok(()) } else { Err(first_bad::<K, O>(outcomes, predictions).1) }
}
