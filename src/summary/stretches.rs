//! A level table of which only parts are known: levels, and cells of several levels, in order.

use super::{Bucket, Keys, Summary};
use crate::evaluation::Scale;
use crate::levels::Level;
use crate::measure::{Measure, Refined};
use crate::measures::{Corner, RangeScan, Sides, SignScan, StepScan, UScan, VScan};
use crate::number::Number;
use crate::witness::Evaluation;

/// The rounds with keys from its floor up to that of the next: a bucket, a part of one, or a level.
/// All keys have the same exponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub floor: u64,
    pub bucket: Bucket,
}

/// Cells, in units, with what all rounds have together.
pub(super) struct Stretches<N> {
    pub unit: N,
    pub rounds: u64,
    pub ones: u64,
    pub list: Vec<Stretch<N>>,
}

/// A level, or a cell of several.
pub(super) struct Stretch<N> {
    /// No prediction of the piece is lower.
    pub low: N,
    /// The largest prediction.
    pub high: N,
    pub count: u64,
    pub ones: u64,
    /// Σ (x - p)
    pub bias: N,
    /// Whether it has several levels.
    pub closed: bool,
}

impl<N: Number> Stretches<N> {
    /// A piece for each cell.
    pub fn new<K: Keys>(summary: &Summary<K>, cells: &[Cell], scale: u32) -> Self {
        let unit = N::from_bigint(&K::unit(scale)).expect("the unit meets the bound");
        let list = cells.iter().map(|cell| Stretch::new::<K>(cell, scale, &unit)).collect();
        Stretches { unit, rounds: summary.rounds, ones: summary.ones, list }
    }

    pub fn sides(&self) -> Sides<N> {
        Sides::over(self.rounds, self.ones, &self.unit)
    }

    /// The value and witness that the whole level table gives, provided that
    /// [`missing`](Stretches::missing) names no cell.
    pub fn evaluate(&self, measure: Measure) -> Option<Evaluation> {
        let unit = &self.unit;
        let pieces = || self.list.iter().enumerate();
        let value = |index: usize| &self.list[index].high;
        let scale = Scale { unit, levels: self.list.len(), value };
        let (value, witness) = match measure.description().refined? {
            Refined::Step => {
                let mut scan = StepScan::new();
                pieces().for_each(|(index, piece)| scan.take(index, &piece.bias));
                scale.step_ce(&scan.best)
            }
            Refined::Sign => {
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
            Refined::Interval => {
                let mut scan = RangeScan::new();
                pieces().for_each(|(index, piece)| scan.take(index, &piece.bias));
                scale.interval_ce(&scan.into_result())
            }
            Refined::V => {
                let mut scan = VScan::new(self.sides());
                for (index, piece) in pieces() {
                    match piece.closed {
                        false => scan.take(index, &piece.to_level(), unit),
                        true => scan.sides.pass_rounds(piece.count, piece.ones, unit),
                    }
                }
                scale.v_cal(&scan.into_result())
            }
            Refined::U => {
                let mut hull: Vec<Corner<N>> = Vec::new();
                let mut scan = UScan::new(self.sides(), unit, &mut hull);
                for piece in &self.list {
                    match piece.closed {
                        false => scan.take(&piece.to_level()),
                        true => scan.sides.pass_rounds(piece.count, piece.ones, unit),
                    }
                }
                scale.u_cal(&scan.into_result())
            }
        };
        Some(Evaluation { measure, value, witness })
    }
}

impl<N: Number> Stretch<N> {
    fn new<K: Keys>(&Cell { floor, bucket }: &Cell, scale: u32, unit: &N) -> Self {
        let Bucket { largest, count, ones, .. } = bucket;
        let high: N = K::value(largest, scale);
        let total: N = K::total(bucket.sum(), count, largest, scale);
        let bias = unit.clone() * &N::from_count(ones) - &total;
        let closed = !bucket.is_level();
        let low = if closed { K::value(floor, scale) } else { high.clone() };
        Stretch { low, high, count, ones, bias, closed }
    }

    pub fn to_level(&self) -> Level<N> {
        Level { value: self.high.clone(), count: self.count, ones: self.ones }
    }

    /// The most that rounds with the event can add to a prefix sum within the cell: each 1 - p <=
    /// 1 - low. The others take away what is added beyond the bias, at most `high` each.
    pub fn rise(&self, unit: &N) -> N {
        let by_ones = (unit.clone() - &self.low) * &N::from_count(self.ones);
        let fall = self.high.clone() * &N::from_count(self.count - self.ones);
        by_ones.min(self.bias.clone() + &fall)
    }
}
