//! Averages over random subsets of the rounds, where visiting every subset would take too long.
//!
//! A subset keeps each round with probability 1/2: of every level, as many of its zeros and of its
//! ones as there are heads in as many tosses of a fair coin, which are random bits. What is kept of
//! a level table is a level table, in order; so each subset takes the formulas of
//! [`measures`](crate::measures) one pass and nothing is sorted. Values are integers (UCal is
//! rounded down to 64 significant bits or more, and where numbers take more than 256 bits, values
//! have an error of at most 2^-64 of themselves, see `near.rs`), their sum and the sum of their
//! squares are exact.
//! Subsets come in numbered blocks, each with random bits of its own, and whether there are enough
//! is only asked after certain numbers of them: the result depends on the seed and not on the
//! threads.
//!
//! **The interval** is mean ± t·(standard error), with the 97.5 % quantile t of Student's
//! distribution for as many degrees of freedom as there are independent observations, less one. A
//! value is the maximum of many sums, somewhat skewed to the right, so means are not normal for few
//! observations: skewness makes one side of the interval miss more often and the other less, by
//! about skewness/√n, which cancels to first order. There are at least [`MIN_SUBSETS`] subsets.
//! Stopping when the interval is short ([`SampleOptions::precision`]) favours samples that happen
//! to vary little; so it is only considered from 64 subsets on, at numbers that grow by a quarter.
//! The tests count how often the interval misses an exact value.
//!
//! **Pairs.** A subset and its complement deviate from the average in opposite directions where one
//! threshold matters in both, as it does for miscalibrated forecasts, and in the same direction
//! where the sign of the bias does not matter, as for stepCE and smCE of calibrated ones. The
//! variance of the mean of pairs, relative to that of as many independent subsets (`cargo bench
//! --bench subsampled`; predictions spread evenly over a thousand values, or over five; 8000
//! subsets):
//!
//! | forecasts | rounds | stepCE^sub | VCal^sub | UCal^sub | SSCE |
//! |---|---:|---:|---:|---:|---:|
//! | calibrated | 100 | 1.48 | 0.26 | 0.13 | 1.44 |
//! | calibrated | 1000 | 0.93 | 0.28 | 0.30 | 0.77 |
//! | calibrated | 10000 | 0.06 | 0.61 | 0.41 | 0.02 |
//! | calibrated, ties | 100 | 0.11 | 0.05 | 0.05 | 0.09 |
//! | calibrated, ties | 1000 | 0.79 | 0.09 | 0.10 | 0.71 |
//! | calibrated, ties | 10000 | 0.53 | 0.40 | 0.36 | 0.78 |
//! | too high by a quarter | 100 | 0.28 | 0.03 | 0.03 | 0.08 |
//! | too high by a quarter | 1000 | 0.00 | 0.04 | 0.05 | 0.00 |
//! | too high by a quarter | 10000 | 0.00 | 0.03 | 0.06 | 0.00 |
//! | too extreme | 100 | 1.67 | 0.04 | 0.10 | 1.86 |
//! | too extreme | 1000 | 0.27 | 0.43 | 0.08 | 0.96 |
//! | too extreme | 10000 | 0.05 | 0.52 | 0.05 | 0.14 |
//!
//! So VCal^sub and UCal^sub take pairs, and the standard error comes from the sums of pairs. For
//! stepCE^sub and SSCE they may do harm (at most by a factor of 2); and where they do much good,
//! nearly all sums are the same, and a sample does not show how much the few others add: intervals
//! from pairs, stopped at a precision, missed the exact SSCE of twelve rounds in 15 % of the runs.
//! These two take independent subsets. To be safe with the others, too: where there are fewer pairs
//! than 25 times the squared skewness of their sums (Cochran's rule), the standard error is that of
//! as many independent subsets, if that is larger. The mean is then better than it says.

mod coins;
mod interval;
mod near;
#[cfg(test)]
mod tests;
mod values;

use num_rational::BigRational;

use crate::any_levels::{AnyLevels, at_any_width};
use crate::levels::Table;
use crate::measure::Measure;
use crate::number::Number;
use crate::parallel;
use crate::random::Random;
use crate::rounding::nearest_f64;
use crate::watch::Watch;
pub(crate) use coins::Coins;
use interval::{Tally, around, half_width, is_precise};
use near::{Near, is_zero, is_zero_between};
use num_bigint::BigInt;
use values::{Rooms, scale, value};

/// The subsets that are drawn unless something else is asked for or the table is long (see
/// [`AnyLevels::subsets_to_draw`]).
pub const USUAL_SUBSETS: u64 = 1000;

/// If fewer subsets than these fit the budget of work, none are drawn unless a number of them is
/// asked for: few say little, and take long where few fit.
pub const LEAST_SUBSETS: u64 = 100;

/// The levels that all subsets together may look at, if their number is left open.
pub const SAMPLE_BUDGET: u64 = 1 << 25;

/// The subsets that are drawn at most if a precision is asked for and no number of subsets.
pub const MOST_SUBSETS: u64 = 1_000_000;

/// The fewest subsets from which an interval is made.
pub const MIN_SUBSETS: u64 = 16;

/// Subsets that share their random bits.
const BLOCK: u64 = 8;

/// The subsets after which it is first asked whether they are enough.
const FIRST_LOOK: u64 = 64;

/// How to sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleOptions {
    /// The most subsets to draw; fewer than [`MIN_SUBSETS`] count as that. `None` for
    /// [`AnyLevels::subsets_to_draw`].
    pub subsets: Option<u64>,
    /// Stop when the 95 % interval reaches at most so far to either side of the mean, relative to
    /// the mean.
    pub precision: Option<f64>,
    /// Whether subsets come with their complements; `None` for those of VCal^sub and UCal^sub
    /// alone, where it helps.
    pub pairs: Option<bool>,
    /// The seed of the random bits.
    pub seed: u64,
}

impl Default for SampleOptions {
    fn default() -> Self {
        SampleOptions { subsets: None, precision: None, pairs: None, seed: 1 }
    }
}

/// The mean of a measure over random subsets.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// What was measured.
    pub measure: Measure,
    /// The mean over the subsets drawn: exact, except that values of UCal are rounded down to 64
    /// bits, and that values of tables that take more than 256 bits may be off by 2^-64 of
    /// themselves.
    pub mean: BigRational,
    /// Its standard error. For pairs, from pairs if there are enough of them to tell, otherwise
    /// that of as many independent subsets.
    pub standard_error: f64,
    /// The lower end of the 95 % interval, at least 0.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// How far the interval reaches to either side.
    pub half_width: f64,
    /// How many subsets were drawn.
    pub subsets: u64,
    /// Whether they came with their complements.
    pub pairs: bool,
    /// The seed of the random bits.
    pub seed: u64,
    /// Whether the interval is as short as was asked for.
    pub precision_reached: Option<bool>,
}

impl AnyLevels {
    /// A subsampled measure by random subsets; `None` for the other measures.
    ///
    /// ```
    /// use num_rational::Ratio;
    /// use truecal::{Forecasts, Measure, sampled::SampleOptions};
    /// // A thousand rounds: 2^1000 subsets.
    /// let rounds = (0..1000).map(|t| (t % 3 == 0, Ratio::new(t, 2000)));
    /// let levels = Forecasts::from_pairs(rounds)?.levels()?;
    /// let options = SampleOptions { precision: Some(0.05), ..SampleOptions::default() };
    /// let ssce = levels.sample(Measure::Ssce, &options).expect("an average over subsets");
    /// assert_eq!(ssce.precision_reached, Some(true));
    /// assert!(ssce.high - ssce.low <= 0.1 * (ssce.low + ssce.high) / 2.0);
    /// // The same bits give the same mean, in any number of threads.
    /// assert_eq!(levels.sample(Measure::Ssce, &options), Some(ssce));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&self, measure: Measure, options: &SampleOptions) -> Option<Sampled> {
        self.sample_with(measure, options, &Watch::silent())
    }

    /// The same with progress reports: the subsets drawn.
    pub fn sample_with(
        &self,
        measure: Measure,
        options: &SampleOptions,
        watch: &Watch<'_>,
    ) -> Option<Sampled> {
        let base = measure.subsampled_from()?;
        let most =
            options.subsets.unwrap_or_else(|| self.subsets_to_draw(measure, options.precision));
        let most = if options.subsets.is_none() { most.max(LEAST_SUBSETS) } else { most };
        let most = most.clamp(MIN_SUBSETS, 1 << 62).next_multiple_of(2);
        Some(at_any_width!(&self.0, levels => {
            let near = self.is_long().then(|| Near::new(levels.table())).flatten();
            let seed = options.seed;
            let sampler = Sampler { levels: levels.table(), near, measure, base, seed, watch };
            sampler.run(most, options.precision, options.pairs)
        }))
    }

    /// The subsets that are drawn if their number is left open. With a precision, at most
    /// [`MOST_SUBSETS`]. Otherwise [`USUAL_SUBSETS`], or as many as fit the
    /// [budget](SAMPLE_BUDGET), by their [work](Self::sample_work); 0 if that is fewer than
    /// [`LEAST_SUBSETS`].
    pub fn subsets_to_draw(&self, measure: Measure, precision: Option<f64>) -> u64 {
        if self.rounds() > 1 << 33 {
            return 0; // tossing a coin for each of them takes long
        }
        match (precision, SAMPLE_BUDGET / self.sample_work(measure, 1).max(1)) {
            (Some(_), _) => MOST_SUBSETS,
            (None, ..LEAST_SUBSETS) => 0,
            (None, fit) => fit.min(USUAL_SUBSETS),
        }
    }

    /// The work of so many subsets, in levels that stepCE looks at: 64 rounds to draw from count as
    /// a level, and a level as eight for SSCE.
    pub fn sample_work(&self, measure: Measure, subsets: u64) -> u64 {
        let base = measure.subsampled_from().unwrap_or(measure).description();
        let work = base.sampling.looks * self.len() as u64 + self.rounds() / 64;
        work.saturating_mul(subsets)
    }
}

/// What is drawn from.
struct Sampler<'a, N> {
    levels: Table<'a, N>,
    /// The same in short numbers, if those are long.
    near: Option<Near>,
    measure: Measure,
    /// What is averaged.
    base: Measure,
    seed: u64,
    watch: &'a Watch<'a>,
}

impl<N: Number + Send + Sync> Sampler<'_, N> {
    fn run(&self, most: u64, precision: Option<f64>, pairs: Option<bool>) -> Sampled {
        let pairs = pairs.unwrap_or(self.base.description().sampling.pairs);
        let scale = scale(self.base, self.levels.unit());
        let mut tally = Tally::default();
        let mut subsets = 0;
        loop {
            let until = match precision {
                None => most,
                Some(_) => next_look(subsets).min(most),
            };
            tally = tally + self.draw(subsets..until, pairs);
            subsets = until;

            let mean = tally.mean(&scale);
            let (standard_error, degrees) = tally.standard_error(&scale);
            let half_width = half_width(standard_error, degrees);
            let center = nearest_f64(&mean);
            let reached = precision.map(|precision| is_precise(center, half_width, precision));
            if subsets == most || reached == Some(true) {
                let (low, high) = around(center, half_width);
                return Sampled {
                    measure: self.measure,
                    mean,
                    standard_error,
                    low,
                    high,
                    half_width,
                    subsets,
                    pairs,
                    seed: self.seed,
                    precision_reached: reached,
                };
            }
        }
    }

    /// Subsets by number, of which a block begins at every multiple of [`BLOCK`].
    fn draw(&self, subsets: std::ops::Range<u64>, pairs: bool) -> Tally {
        let first = subsets.start / BLOCK;
        let blocks = subsets.end.div_ceil(BLOCK) - first;
        let tallies = parallel::map_in(
            blocks,
            || (Rooms::new(), Rooms::new()),
            |rooms, number| {
                let block = first + number;
                let size = (subsets.end - block * BLOCK).min(BLOCK);
                let mut coins = Coins::new(Random::new(self.seed, block));
                let mut tally = Tally::default();
                for _ in 0..if pairs { size / 2 } else { size } {
                    self.observe(&mut coins, pairs, rooms, &mut tally);
                }
                self.watch.done(size);
                tally
            },
        );
        tallies.into_iter().fold(Tally::default(), |one, other| one + other)
    }

    /// Draws a subset, or a subset and its complement.
    fn observe(
        &self,
        coins: &mut Coins,
        pair: bool,
        (rooms, short): &mut (Rooms<N>, Rooms<i128>),
        tally: &mut Tally,
    ) {
        let again = coins.clone();
        let near = self.near.as_ref().and_then(|near| self.nearby(near, coins, pair, short));
        let (kept, rest) = near.unwrap_or_else(|| {
            *coins = again;
            let (kept, rest) = rooms.draw(self.levels, self.base, coins, pair);
            let value = |amount| value(&amount, self.levels.unit());
            (value(kept), rest.map(value))
        });
        match rest {
            Some(rest) => tally.record_pair(&kept, &rest),
            None => tally.record(&kept),
        }
    }

    /// The same in short numbers, if those are certain enough.
    fn nearby(
        &self,
        near: &Near,
        coins: &mut Coins,
        pair: bool,
        rooms: &mut Rooms<i128>,
    ) -> Option<(BigInt, Option<BigInt>)> {
        let mut again = coins.clone();
        let (kept, rest) = rooms.draw(near.low(), self.base, coins, pair);
        let known = [Some(&kept), rest.as_ref()];
        let mut values = known.map(|amount| amount.map(|amount| near.value(amount)));
        if values.contains(&Some(None)) && is_zero_between(self.base) {
            let (kept, rest) = rooms.draw(near.high(), self.base, &mut again, pair);
            for (value, (low, high)) in values.iter_mut().zip(known.iter().zip([Some(kept), rest]))
            {
                if let (Some(low), Some(high)) = (low, high)
                    && is_zero(low)
                    && is_zero(&high)
                {
                    *value = Some(Some(BigInt::ZERO));
                }
            }
        }
        let [kept, rest] = values;
        match rest {
            Some(rest) => Some((kept??, Some(rest?))),
            None => Some((kept??, None)),
        }
    }
}

/// The number of subsets, a multiple of [`BLOCK`], at which it is next asked whether they are
/// enough.
fn next_look(subsets: u64) -> u64 {
    FIRST_LOOK.max(subsets + subsets / 4).next_multiple_of(BLOCK)
}
