//! Expectations from random runs.

#![expect(
    clippy::float_arithmetic,
    reason = "means and standard errors of a sample are statistics, not exact"
)]

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rayon::prelude::*;
use truecal::Watch;

use crate::chance::{Chance, Piece, Spread};
use crate::forecaster::Forecaster;
use crate::nature::{Nature, Outcomes};
use truecal::Forecasts;
use truecal::Measure;
use truecal::Prediction;
use truecal::Random;
use truecal::nearest_f64;
use truecal::rational::int;
use truecal::{AnyLevels, TableTooLarge};

/// The mean penalty of random runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledPenalty {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// How many runs were drawn.
    pub runs: u64,
    /// The seed of the random bits.
    pub seed: u64,
}

/// Draws so many runs, at least 2. Run r has stream r of the seed, so that the result does not
/// depend on the threads. Of an average over subsets, one random subset is measured for each run:
/// the mean is the same, and averaging over all subsets of each run would cost much and help
/// little.
///
/// A p* with a density is drawn from the midpoints of 2^40 equal parts of its piece; everything
/// else has exactly the law it should have. `watch` hears of more runs that are done.
pub fn sample(
    nature: &dyn Nature,
    forecaster: &dyn Forecaster,
    measure: Measure,
    runs: u64,
    seed: u64,
    watch: &Watch<'_>,
) -> Result<SampledPenalty, TableTooLarge> {
    let runs = runs.max(2);
    let run = |number: u64| {
        let mut random = Random::new(seed, number);
        let base = measure.subsampled_from();
        let levels = one_run(nature, forecaster, base.is_some(), &mut random)?;
        watch.done(1);
        Ok(nearest_f64(&levels.evaluate(base.unwrap_or(measure)).value))
    };
    let values = (0..runs).into_par_iter().map(run).collect::<Result<Vec<f64>, TableTooLarge>>()?;
    let count = runs as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let standard_error = (squares / (count - 1.0) / count).sqrt();
    Ok(SampledPenalty { mean, standard_error, runs, seed })
}

/// The table of one random run; of its rounds that coins keep, if they are to be tossed.
fn one_run(
    nature: &dyn Nature,
    forecaster: &dyn Forecaster,
    subset: bool,
    random: &mut Random,
) -> Result<AnyLevels, TableTooLarge> {
    let mut forecasts = Forecasts::new();
    let (mut natural, mut strategic) = (nature.start(), forecaster.start());
    for round in 0..nature.rounds() {
        let truth = drawn(&nature.chance(round, &natural), random);
        let points = forecaster.rule(round, &strategic).at(&truth);
        let said = chosen(points, random);
        let one = happens(&truth, random);
        if !subset || random.next() & 1 == 1 {
            forecasts.push(one, said.clone()).expect("fewer than 2^64 rounds");
        }
        let outcomes = Outcomes { rounds: 1, ones: u64::from(one) };
        natural = nature.remember(round, natural, outcomes);
        strategic = forecaster.remember(round, strategic, &said, outcomes);
    }
    forecasts.levels()
}

/// A p* from its law.
fn drawn(chance: &Chance, random: &mut Random) -> Prediction {
    match chance {
        Chance::Point(p) => p.clone(),
        Chance::Spread(spread) => spread_out(spread, random),
    }
}

fn spread_out(spread: &Spread, random: &mut Random) -> Prediction {
    let pieces = spread.pieces();
    let index = match pieces.len() {
        1 => 0,
        _ => pick(pieces.iter().map(|piece| &piece.mass), random),
    };
    pieces[index].part(random.next() >> (u64::BITS - Piece::PARTS))
}

/// One of the points of a mixture.
fn chosen(mut points: Vec<(Prediction, BigRational)>, random: &mut Random) -> Prediction {
    let index = match points.len() {
        1 => 0,
        _ => pick(points.iter().map(|(_, mass)| mass), random),
    };
    points.swap_remove(index).0
}

/// An index by probabilities that add up to 1: one after the other, each given that it was none
/// before.
fn pick<'a>(masses: impl ExactSizeIterator<Item = &'a BigRational>, random: &mut Random) -> usize {
    let last = masses.len() - 1;
    let mut left = int(1);
    for (index, mass) in masses.enumerate() {
        if index == last
            || happens(&(mass / &left).try_into().expect("a share of what is left"), random)
        {
            return index;
        }
        left -= mass;
    }
    last
}

/// Whether an event of this probability happens: whether U < p for a uniform U, of which as many
/// bits are drawn as it takes.
fn happens(p: &Prediction, random: &mut Random) -> bool {
    if let Some((numerator, denominator)) = p.small() {
        // U is in [word, word + 1) / 2^64.
        let (scaled, word) = (u128::from(numerator) << 64, u128::from(random.next()));
        let low = word * u128::from(denominator);
        if low + u128::from(denominator) <= scaled {
            return true;
        }
        if low >= scaled {
            return false;
        }
        return beyond(BigInt::from(scaled - low), &denominator.into(), random);
    }
    let p = p.to_rational();
    beyond(p.numer().clone(), p.denom(), random)
}

/// The same for numerator/denominator, by 64 bits at a time.
fn beyond(mut numerator: BigInt, denominator: &BigInt, random: &mut Random) -> bool {
    loop {
        if numerator.is_zero() {
            return false;
        }
        if numerator == *denominator {
            return true;
        }
        numerator = (numerator << 64_u32) - denominator * random.next();
        if numerator >= *denominator {
            return true;
        }
        if numerator <= BigInt::zero() {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_happen_as_often_as_they_should() {
        for text in [
            "0",
            "1",
            "1/3",
            "2/3",
            "1/1000000000000000000000000000000000",
            "333333333333333333333333/1000000000000000000000000",
        ] {
            let p: Prediction = text.parse().expect("a probability");
            let mut random = Random::new(7, 1);
            let ones = (0..90_000).filter(|_| happens(&p, &mut random)).count() as f64;
            let mean = 90_000.0 * nearest_f64(&p.to_rational());
            // Five standard deviations of at most 150.
            assert!(
                (ones - mean).abs() <= if mean == 0.0 || mean == 90_000.0 { 0.0 } else { 750.0 },
                "{text}: {ones}"
            );
        }
        // A tie of the first word with p = a/(2^64 - 1) = a 2^-64 + a 2^-128 + … is decided by the
        // second.
        for stream in 0..40 {
            let mut words = Random::new(7, stream);
            let (a, b) = (words.next(), words.next());
            let p = Prediction::from_parts(a, u64::MAX).expect("at most 1");
            assert_eq!(happens(&p, &mut Random::new(7, stream)), b < a);
        }
    }

    #[test]
    fn points_are_picked_as_often_as_they_should() {
        let masses = [(1, 2), (1, 3), (1, 6)].map(|(a, b)| BigRational::new(a.into(), b.into()));
        let mut random = Random::new(7, 1);
        let mut counts = [0_i32; 3];
        for _ in 0..90_000 {
            counts[pick(masses.iter(), &mut random)] += 1;
        }
        for (count, expected) in counts.into_iter().zip([45_000, 30_000, 15_000]) {
            assert!((count - expected).abs() < 750, "{counts:?}");
        }
    }
}
