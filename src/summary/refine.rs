//! The second look at the data: only what can matter is gathered and sorted.

use thiserror::Error;

use super::pieces::{Opened, Pieces};
use super::{Bucket, Keys, Outcome, Summary, at_width, first_bad, same_length};
use crate::forecasts::ForecastsError;
use crate::measure::Measure;
use crate::tally::Tally;
use crate::witness::Evaluation;

/// What the second pass read is not what the summary was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the data changed between two passes over them")]
pub struct DataChanged;

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
    /// What this pass has gathered.
    gathered: Tally,
    passes: u32,
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
            gathered: Tally::default(),
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
    pub(crate) fn append(&mut self, gathered: Tally) {
        self.gathered.append(gathered);
    }

    /// Ends a pass: opens the buckets that were gathered, and finds out whether more must be.
    pub fn end_pass(&mut self) -> Result<(), DataChanged> {
        self.passes += 1;
        let mut gathered = std::mem::take(&mut self.gathered);
        gathered.settle();
        for group in gathered.entries().chunk_by(|a, b| K::bucket(a.key) == K::bucket(b.key)) {
            self.opened.insert(K::bucket(group[0].key), group.to_vec());
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
    gathered: &mut Tally,
) -> Result<(), ForecastsError> {
    same_length(outcomes, predictions)?;
    let all_good = outcomes.iter().zip(predictions).all(|(&outcome, &prediction)| {
        let (Some(key), Some(happened)) = (K::key(prediction), outcome.happened()) else {
            return false;
        };
        if wanted[K::bucket(key)] {
            gathered.push(happened, key);
        }
        true
    });
    if all_good { Ok(()) } else { Err(first_bad::<K, O>(outcomes, predictions).1) }
}
