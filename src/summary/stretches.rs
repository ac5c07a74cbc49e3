//! A level table of which only parts are known: levels, and cells of several levels, in order.
//!
//! What is said of them needs only their ends, counts and sums ([`Cells`]): those of a summary come
//! from keys, those of a [`BucketTable`](crate::buckets::BucketTable) were given.

use std::marker::PhantomData;

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

/// Levels and cells of several, in order: no prediction is in two of them.
pub(crate) trait Cells<N> {
    /// How many there are.
    fn len(&self) -> usize;

    /// One of them, in units.
    fn piece(&self, index: usize, unit: &N) -> Stretch<N>;
}

impl<N: Clone> Cells<N> for Vec<Stretch<N>> {
    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn piece(&self, index: usize, _: &N) -> Stretch<N> {
        self[index].clone()
    }
}

/// The cells of a summary. Each is put in units whenever it is looked at: that takes less time than
/// keeping all of them.
pub(super) struct Keyed<'a, K> {
    cells: &'a [Cell],
    scale: u32,
    keys: PhantomData<K>,
}

impl<K: Keys, N: Number> Cells<N> for Keyed<'_, K> {
    fn len(&self) -> usize {
        self.cells.len()
    }

    fn piece(&self, index: usize, unit: &N) -> Stretch<N> {
        Stretch::new::<K>(&self.cells[index], self.scale, unit)
    }
}

/// Cells, in units, with what all rounds have together.
pub(crate) struct Stretches<N, C> {
    pub(super) unit: N,
    pub(super) rounds: u64,
    pub(super) ones: u64,
    cells: C,
}

/// A level, or a cell of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch<N> {
    /// No prediction of the piece is lower.
    pub low: N,
    /// No prediction of the piece is higher; of a level, the prediction.
    pub high: N,
    pub count: u64,
    pub ones: u64,
    /// Σ (x - p), at least.
    pub bias: N,
    /// How much more Σ (x - p) may be: 0 of a level, and where sums are exact.
    pub slack: N,
    /// Whether it has several levels.
    pub closed: bool,
}

impl<N: Number, C: Cells<N>> Stretches<N, C> {
    /// A piece for each cell, with so many rounds and ones in all.
    pub fn of_cells(unit: N, rounds: u64, ones: u64, cells: C) -> Self {
        Stretches { unit, rounds, ones, cells }
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// A piece.
    pub fn piece(&self, index: usize) -> Stretch<N> {
        self.cells.piece(index, &self.unit)
    }

    /// The pieces, ascending.
    pub fn pieces(&self) -> impl Iterator<Item = Stretch<N>> {
        (0..self.len()).map(|index| self.piece(index))
    }

    pub(super) fn sides(&self) -> Sides<N> {
        Sides::over(self.rounds, self.ones, &self.unit)
    }
}

impl<'a, K: Keys, N: Number> Stretches<N, Keyed<'a, K>> {
    /// A piece for each cell of a summary.
    pub fn new(summary: &Summary<K>, cells: &'a [Cell], scale: u32) -> Self {
        let unit = N::from_bigint(&K::unit(scale)).expect("the unit meets the bound");
        let Summary { rounds, ones, .. } = *summary;
        Stretches { unit, rounds, ones, cells: Keyed { cells, scale, keys: PhantomData } }
    }

    /// The biases of the pieces alone.
    pub fn biases(&self) -> impl Iterator<Item = N> {
        let Keyed { cells, scale, .. } = self.cells;
        cells.iter().map(move |cell| cell.bucket.bias::<K, N>(scale, &self.unit))
    }

    /// The ones of a piece, in units.
    pub fn ones_of(&self, index: usize) -> N {
        self.unit.clone() * &N::from_count(self.cells.cells[index].bucket.ones)
    }

    /// Whether each piece may have several levels.
    pub fn closed(&self) -> impl Iterator<Item = bool> {
        self.cells.cells.iter().map(|cell| !cell.bucket.is_level())
    }

    /// The value and witness that the whole level table gives, provided that
    /// [`missing`](Stretches::missing) names no cell.
    pub fn evaluate(&self, measure: Measure) -> Option<Evaluation> {
        let unit = &self.unit;
        let pieces = || self.pieces().enumerate();
        let value =
            |index: usize| K::value::<N>(self.cells.cells[index].bucket.largest, self.cells.scale);
        let scale = Scale { unit, levels: self.len(), value };
        let (value, witness) = match measure.description().refined? {
            Refined::Step => {
                let mut scan = StepScan::new();
                self.biases().enumerate().for_each(|(index, bias)| scan.take(index, &bias));
                scale.step_ce(&scan.best)
            }
            Refined::Sign => {
                let mut total = N::zero();
                self.biases().for_each(|bias| total += &bias);
                let gap_below = self.pieces().next().is_none_or(|lowest| lowest.low > N::zero());
                let mut scan = SignScan::new(total, gap_below);
                for (index, piece) in pieces() {
                    let gap_above = index + 1 < self.len() || piece.high < *unit;
                    scan.take(index, &piece.bias, gap_above);
                }
                scale.sign_ce(&scan.best)
            }
            Refined::Interval => {
                let mut scan = RangeScan::new();
                self.biases().enumerate().for_each(|(index, bias)| scan.take(index, &bias));
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
                for piece in self.pieces() {
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

impl Bucket {
    /// Σ (x - p), in units.
    fn bias<K: Keys, N: Number>(&self, scale: u32, unit: &N) -> N {
        let total: N = K::total(self.sum(), self.count, self.largest, scale);
        unit.clone() * &N::from_count(self.ones) - &total
    }
}

impl<N: Number> Stretch<N> {
    fn new<K: Keys>(&Cell { floor, bucket }: &Cell, scale: u32, unit: &N) -> Self {
        let Bucket { largest, count, ones, .. } = bucket;
        let high: N = K::value(largest, scale);
        let bias = bucket.bias::<K, N>(scale, unit);
        let closed = !bucket.is_level();
        let low = if closed { K::value(floor, scale) } else { high.clone() };
        Stretch { low, high, count, ones, bias, slack: N::zero(), closed }
    }

    pub fn to_level(&self) -> Level<N> {
        Level { value: self.high.clone(), count: self.count, ones: self.ones }
    }

    /// The same in another number type.
    pub fn map<M>(&self, number: impl Fn(&N) -> M) -> Stretch<M> {
        let &Stretch { count, ones, closed, .. } = self;
        let [low, high, bias, slack] = [&self.low, &self.high, &self.bias, &self.slack].map(number);
        Stretch { low, high, count, ones, bias, slack, closed }
    }

    /// Σ (x - p), at most.
    pub fn most(&self) -> N {
        self.bias.clone() + &self.slack
    }

    /// The most that rounds with the event can add to a prefix sum within the cell: each 1 - p <=
    /// 1 - low. The others take away what is added beyond the bias, at most `high` each.
    pub fn rise(&self, unit: &N) -> N {
        self.by_ones(unit).min(self.most() + &self.by_zeros())
    }

    /// The most that rounds without the event can take away, likewise.
    pub fn fall(&self, unit: &N) -> N {
        self.by_zeros().min(self.by_ones(unit) - &self.bias)
    }

    /// Both together, of one bias: at most as much as Σ |x - p|.
    pub fn both(&self, unit: &N) -> N {
        let (by_ones, by_zeros) = (self.by_ones(unit), self.by_zeros());
        (by_ones.clone() + &by_ones - &self.bias).min(self.most() + &by_zeros + &by_zeros)
    }

    fn by_ones(&self, unit: &N) -> N {
        (unit.clone() - &self.low) * &N::from_count(self.ones)
    }

    fn by_zeros(&self) -> N {
        self.high.clone() * &N::from_count(self.count - self.ones)
    }
}
