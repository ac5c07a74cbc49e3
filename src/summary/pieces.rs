//! A level table of which only parts are known: levels, and buckets that were not opened, in order.

use std::collections::BTreeMap;

use super::{Bucket, Keys, Summary};
use crate::levels::Level;
use crate::measure::Measure;
use crate::measures::{Corner, RangeScan, Sides, SignScan, StepScan, UScan, VScan};
use crate::number::Number;
use crate::tally::Entry;
use crate::witness::{Evaluation, Scale};

/// The levels of the buckets that were opened, by the number of the bucket.
pub(super) type Opened = BTreeMap<usize, Vec<Entry>>;

/// A summary, in units, with some of its buckets resolved into levels.
pub(super) struct Pieces<N> {
    pub unit: N,
    pub rounds: u64,
    pub ones: u64,
    pub list: Vec<Piece<N>>,
}

/// A level, or a bucket of several.
pub(super) struct Piece<N> {
    /// No prediction of the piece is lower.
    pub low: N,
    /// The largest prediction.
    pub high: N,
    pub count: u64,
    pub ones: u64,
    /// Σ (x - p)
    pub bias: N,
    /// Its number if it is a bucket of several levels.
    pub bucket: Option<usize>,
}

impl<N: Number> Pieces<N> {
    pub fn new<K: Keys>(summary: &Summary<K>, opened: &Opened, scale: u32) -> Self {
        let unit = N::from_bigint(&K::unit(scale)).expect("the unit meets the bound");
        let mut list = Vec::new();
        for (number, bucket) in summary.filled() {
            match opened.get(&number) {
                Some(levels) => list.extend(levels.iter().map(|level| {
                    let value: N = K::value(level.key, scale);
                    Piece::level(Level { value, count: level.count, ones: level.ones }, &unit)
                })),
                None => list.push(Piece::bucket::<K>(number, bucket, scale, &unit)),
            }
        }
        Pieces { unit, rounds: summary.rounds, ones: summary.ones, list }
    }

    pub fn sides(&self) -> Sides<N> {
        Sides::over(self.rounds, self.ones, &self.unit)
    }

    /// The value and witness that the whole level table gives, provided that [`missing`](Pieces::missing) names no bucket.
    pub fn evaluate(&self, measure: Measure) -> Evaluation {
        let unit = &self.unit;
        let pieces = || self.list.iter().enumerate();
        let value = |index: usize| &self.list[index].high;
        let scale = Scale { unit, levels: self.list.len(), value };
        let (value, witness) = match measure {
            Measure::StepCe => {
                let mut scan = StepScan::new();
                pieces().for_each(|(index, piece)| scan.take(index, &piece.bias));
                scale.step_ce(&scan.best)
            }
            Measure::SignCe => {
                let mut total = N::zero();
                pieces().for_each(|(_, piece)| total += &piece.bias);
                let gap_below = self.list.first().is_none_or(|lowest| lowest.low > N::zero());
                let mut scan = SignScan::new(total, gap_below);
                for (index, piece) in pieces() {
                    let gap_above = index + 1 < self.list.len() || piece.high < *unit;
                    scan.take(index, &piece.bias, gap_above);
                }
                scale.sign_ce(&scan.best)
            }
            Measure::IntervalCe => {
                let mut scan = RangeScan::new();
                pieces().for_each(|(index, piece)| scan.take(index, &piece.bias));
                scale.interval_ce(&scan.into_result())
            }
            Measure::VCal => {
                let mut scan = VScan::new(self.sides());
                for (index, piece) in pieces() {
                    match piece.bucket {
                        None => scan.take(index, &piece.to_level(), unit),
                        Some(_) => scan.sides.pass_rounds(piece.count, piece.ones, unit),
                    }
                }
                scale.v_cal(&scan.into_result())
            }
            Measure::UCal => {
                let mut hull: Vec<Corner<N>> = Vec::new();
                let mut scan = UScan::new(self.sides(), unit, &mut hull);
                for piece in &self.list {
                    match piece.bucket {
                        None => scan.take(&piece.to_level()),
                        Some(_) => scan.sides.pass_rounds(piece.count, piece.ones, unit),
                    }
                }
                scale.u_cal(&scan.into_result())
            }
            _ => unreachable!("only these are refined"),
        };
        Evaluation { measure, value, witness }
    }
}

impl<N: Number> Piece<N> {
    fn level(level: Level<N>, unit: &N) -> Self {
        Piece {
            bias: level.bias(unit),
            low: level.value.clone(),
            high: level.value,
            count: level.count,
            ones: level.ones,
            bucket: None,
        }
    }

    fn bucket<K: Keys>(number: usize, bucket: &Bucket, scale: u32, unit: &N) -> Self {
        let Bucket { largest, count, ones, .. } = *bucket;
        let high: N = K::value(largest, scale);
        if bucket.is_level() {
            return Piece::level(Level { value: high, count, ones }, unit);
        }
        let total: N = K::total(bucket.sum(), count, largest, scale);
        let bias = unit.clone() * &N::from_count(ones) - &total;
        let low = K::value(K::floor(number), scale);
        Piece { low, high, count, ones, bias, bucket: Some(number) }
    }

    pub fn to_level(&self) -> Level<N> {
        Level { value: self.high.clone(), count: self.count, ones: self.ones }
    }

    /// The most that rounds with the event can add to a prefix sum within the bucket: each 1 - p <= 1 - low. The others take away
    /// what is added beyond the bias, at most `high` each.
    pub fn rise(&self, unit: &N) -> N {
        let by_ones = (unit.clone() - &self.low) * &N::from_count(self.ones);
        let fall = self.high.clone() * &N::from_count(self.count - self.ones);
        by_ones.min(self.bias.clone() + &fall)
    }
}
