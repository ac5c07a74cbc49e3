//! The expected calibration error of bins.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use thiserror::Error;

use crate::levels::{Level, Table};
use crate::number::Number;
use crate::rational::int;

/// The most bins.
pub const MAX_BINS: usize = 1 << 16;

/// How [0, 1] is divided into B bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binning {
    /// The bins are (k/B, (k+1)/B] for k = 0, …, B - 1, and 0 lies in the first: a prediction at an
    /// edge lies in the bin below it, and 1 in the last one.
    ///
    /// So define it Guo et al. (2017), and so do scikit-learn's `calibration_curve`, MAPIE and
    /// uncertainty-calibration; netcal, torchmetrics and relplot close bins at the lower end, the
    /// latter two with one more bin for the prediction 1. Edges are compared exactly: 0.3, which is
    /// 3/10, lies in the third of ten bins.
    EqualWidth,
    /// About T/B rounds in each bin; rounds with the same prediction stay together.
    ///
    /// With the rounds in the order of their predictions, those of one level take up an interval of
    /// [0, T]. The level lies in bin k if the middle of that interval lies in (kT/B, (k+1)T/B].
    /// Without ties bins differ by one round at most. The rule reads only the level table: the
    /// order of the rows does not matter, and multiplying all counts by a number changes nothing.
    EqualMass,
}

/// The number of bins is 0 or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{bins} bins; ask for 1 to {MAX_BINS}")]
#[non_exhaustive]
pub struct BinsError {
    /// The number that was asked for.
    pub bins: usize,
}

/// A bin with at least one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its number k, from 0.
    pub index: usize,
    /// The smallest prediction in it.
    pub first: BigRational,
    /// The largest prediction in it.
    pub last: BigRational,
    /// Its rounds.
    pub count: u64,
    /// The rounds among them in which the event happened.
    pub ones: u64,
    /// The sum of their predictions.
    pub sum: BigRational,
}

impl Bin {
    /// The mean forecast.
    pub fn mean(&self) -> BigRational {
        &self.sum / BigInt::from(self.count)
    }

    /// The observed frequency of the event.
    pub fn frequency(&self) -> BigRational {
        BigRational::new(self.ones.into(), self.count.into())
    }
}

/// The expected calibration error with bins, per round: Σ over bins of |Σ (x_t - p_t)| / T.
///
/// Exact; 0 without rounds. It is the value that other packages call ECE, and it depends on the
/// bins; the measure [`Ece`](crate::Measure::Ece) does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinnedEce {
    /// How [0, 1] was divided.
    pub binning: Binning,
    /// The number of bins B, empty ones included.
    pub number: usize,
    /// The value per round.
    pub value: BigRational,
    /// The bins that are not empty, ascending.
    pub bins: Vec<Bin>,
}

/// Whether there can be so many bins.
pub(super) fn check_bins(bins: usize) -> Result<(), BinsError> {
    if (1..=MAX_BINS).contains(&bins) { Ok(()) } else { Err(BinsError { bins }) }
}

/// The binned error, for a number of bins that is allowed. Cost: O(m), and a division for each bin
/// that is not empty.
pub(super) fn binned<N: Number>(
    levels: Table<'_, N>,
    binning: Binning,
    number: usize,
) -> BinnedEce {
    let open = match binning {
        Binning::EqualWidth => by_width(levels, number),
        Binning::EqualMass => by_mass(levels, number),
    };
    let mut total = N::zero();
    for bin in &open {
        total += &bin.bias(levels.unit()).magnitude();
    }
    let value = match levels.rounds() {
        0 => int(0),
        rounds => levels.rational(&total) / BigInt::from(rounds),
    };
    let bins = open.into_iter().map(|bin| bin.closed(levels)).collect();
    BinnedEce { binning, number, value, bins }
}

/// A bin that is being filled. Every sum is at most T·D, which the bound of the table admits.
struct Open<N> {
    index: usize,
    first: usize,
    last: usize,
    count: u64,
    ones: u64,
    sum: N,
}

impl<N: Number> Open<N> {
    fn take(&mut self, place: usize, level: &Level<N>) {
        self.last = place;
        self.count += level.count;
        self.ones += level.ones;
        self.sum += &(level.value.clone() * &N::from_count(level.count));
    }

    fn bias(&self, unit: &N) -> N {
        unit.clone() * &N::from_count(self.ones) - &self.sum
    }

    fn closed(self, levels: Table<'_, N>) -> Bin {
        let prediction = |place: usize| levels.rational(&levels.rows()[place].value);
        Bin {
            index: self.index,
            first: prediction(self.first),
            last: prediction(self.last),
            count: self.count,
            ones: self.ones,
            sum: levels.rational(&self.sum),
        }
    }
}

fn by_width<N: Number>(levels: Table<'_, N>, number: usize) -> Vec<Open<N>> {
    let integer = |number: &N| number.to_rational().to_integer();
    let unit = integer(levels.unit());
    fill(levels, |level, edge: Option<&N>| {
        if edge.is_some_and(|edge| level.value <= *edge) {
            return None;
        }
        let (index, edge) = place(&integer(&level.value), &unit, number);
        Some((index, N::from_bigint(&edge).expect("an edge is at most the unit")))
    })
}

fn by_mass<N: Number>(levels: Table<'_, N>, number: usize) -> Vec<Open<N>> {
    // In halves of a round.
    let whole = BigInt::from(levels.rounds()) * 2;
    let mut before = 0_u128;
    fill(levels, |level, edge: Option<&u128>| {
        let middle = before + u128::from(level.count);
        before += 2 * u128::from(level.count);
        if edge.is_some_and(|edge| middle <= *edge) {
            return None;
        }
        let (index, edge) = place(&middle.into(), &whole, number);
        Some((index, edge.to_u128().expect("an edge is at most twice the rounds")))
    })
}

/// The bin of a place in [0, whole], and its upper edge, rounded down.
fn place(at: &BigInt, whole: &BigInt, number: usize) -> (usize, BigInt) {
    let end = (at * number).div_ceil(whole).max(1.into());
    let edge = (&end * whole).div_floor(&number.into());
    (end.to_usize().expect("at most the number of bins") - 1, edge)
}

/// Fills bins in order. Given a level and the edge of the current bin, `next` says which other bin
/// it opens, and the edge of that one.
fn fill<N: Number, E>(
    levels: Table<'_, N>,
    mut next: impl FnMut(&Level<N>, Option<&E>) -> Option<(usize, E)>,
) -> Vec<Open<N>> {
    let (mut bins, mut edge) = (Vec::<Open<N>>::new(), None);
    for (first, level) in levels.rows().iter().enumerate() {
        if let Some((index, end)) = next(level, edge.as_ref()) {
            edge = Some(end);
            bins.push(Open { index, first, last: first, count: 0, ones: 0, sum: N::zero() });
        }
        bins.last_mut().expect("the first level opens one").take(first, level);
    }
    bins
}
