//! Forecasts in groups, with weights, or of several models: each apart, in memory.

use indexmap::IndexMap;
use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::input::{At, BucketOfRow, Lot, RoundsOfRow, Sink, SinkError};
use crate::report::Gaps;
use truecal::buckets::{Bucket, BucketError, BucketTable};
use truecal::paired::PairedForecasts;
use truecal::{AnyLevels, Forecasts, WeightedError, WeightedForecasts};

/// More groups than anybody looks at: a column of names or of numbers was taken for one of groups.
const MOST_GROUPS: usize = 10_000;

/// What is known of each group and of each model in it.
pub(super) struct Collected {
    /// By the values of `--by`: of each model, or class, in order.
    groups: IndexMap<Vec<String>, Vec<Rounds>>,
    /// The models on the same rounds, if they are to be compared.
    pub paired: Option<PairedForecasts>,
    /// How far the probabilities of classes miss 1.
    pub gaps: Gaps,
    /// Neighbouring predictions.
    buckets: Vec<BucketOfRow>,
    /// The memory that may be used.
    most: u64,
    lots: u64,
}

/// The rounds of a model in a group.
enum Rounds {
    Counted(Forecasts),
    Weighted(WeightedForecasts),
}

/// A model, or a class, in a group.
pub(super) struct Part {
    /// Its place among the models.
    pub series: usize,
    /// The values of the columns of `--by`.
    pub group: Vec<String>,
    pub levels: AnyLevels,
    /// A count of so many stands for a weight of 1.
    pub unit: BigInt,
}

impl Collected {
    /// Nothing yet; of so many models that are to be compared, if they are.
    pub fn new(most: u64, compared: Option<usize>) -> Self {
        Collected {
            groups: IndexMap::new(),
            paired: compared.map(PairedForecasts::new),
            gaps: Gaps::default(),
            buckets: vec![],
            most,
            lots: 0,
        }
    }

    fn row(&mut self, row: RoundsOfRow) -> Result<(), SinkError> {
        let RoundsOfRow { group, weight, levels, gap } = row;
        if let Some(gap) = gap.filter(|gap| !gap.is_zero()) {
            self.gaps.rows += 1;
            self.gaps.largest = gap.max(std::mem::take(&mut self.gaps.largest));
        }
        if let Some(paired) = &mut self.paired {
            let predictions: Vec<_> = levels.iter().map(|(p, ..)| p.clone()).collect();
            let ones = levels.first().map_or(0, |(_, _, ones)| *ones);
            paired.push(ones == 1, &predictions)?;
        }
        let rounds = match self.groups.get_mut(&group) {
            Some(rounds) => rounds,
            None => {
                if self.groups.len() == MOST_GROUPS {
                    return Err(SinkError::Groups(MOST_GROUPS));
                }
                let new = |_: &_| Rounds::new(weight.is_some());
                self.groups.entry(group).or_insert_with(|| levels.iter().map(new).collect())
            }
        };
        for (rounds, (prediction, count, ones)) in rounds.iter_mut().zip(levels) {
            match rounds {
                Rounds::Counted(forecasts) => forecasts.push_level(prediction, count, ones)?,
                Rounds::Weighted(forecasts) => {
                    let weight = weight.as_ref().expect("either all rows have a weight or none");
                    forecasts.push(&prediction, count, ones, weight)?;
                }
            }
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let all = self.groups.values().flatten();
        let paired = self.paired.as_ref().map_or(0, PairedForecasts::bytes);
        all.map(Rounds::bytes).sum::<u64>() + paired
    }

    /// The buckets as a table, or the row in which something cannot be.
    pub fn bucket_table(self) -> (Vec<At>, Result<BucketTable, BucketError>) {
        let rows = self.buckets.iter().map(|bucket| bucket.at).collect();
        let bucket = |row: BucketOfRow| {
            let BucketOfRow { min, max, count, ones, sum, single, .. } = row;
            match single {
                true => Bucket::from_single_sum(min, max, count, ones, &sum),
                false => Bucket::from_rounded_sum(min, max, count, ones, &sum),
            }
        };
        (rows, BucketTable::new(self.buckets.into_iter().map(bucket)))
    }

    /// Everything as level tables: group after group, in each model after model.
    pub fn parts(self) -> Result<Vec<Part>, WeightedError> {
        let mut parts = vec![];
        for (group, all) in self.groups {
            for (series, rounds) in all.into_iter().enumerate() {
                let (levels, unit) = match rounds {
                    Rounds::Counted(forecasts) => (forecasts.levels()?, BigInt::one()),
                    Rounds::Weighted(forecasts) => {
                        let weighted = forecasts.levels()?;
                        (weighted.levels, weighted.unit)
                    }
                };
                parts.push(Part { series, group: group.clone(), levels, unit });
            }
        }
        Ok(parts)
    }
}

impl Rounds {
    fn new(weighted: bool) -> Self {
        match weighted {
            true => Rounds::Weighted(WeightedForecasts::new()),
            false => Rounds::Counted(Forecasts::new()),
        }
    }

    /// About the memory that they take.
    fn bytes(&self) -> u64 {
        match self {
            Rounds::Counted(forecasts) => forecasts.bytes(),
            // A prediction and two weights, each of two numbers of any size.
            Rounds::Weighted(forecasts) => 512 * forecasts.len() as u64,
        }
    }
}

impl Sink for Collected {
    fn take(&mut self, lot: Lot) -> Result<(), SinkError> {
        self.buckets.extend(lot.buckets);
        for row in lot.rows {
            self.row(row)?;
        }
        // Counting the bytes goes over all groups.
        self.lots += 1;
        if self.lots.is_power_of_two() || self.lots.is_multiple_of(64) {
            let full = self.bytes() > self.most;
            return if full { Err(SinkError::Full) } else { Ok(()) };
        }
        Ok(())
    }
}
