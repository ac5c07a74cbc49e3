//! A run as plain numbers, so that it can be stored and go on later as if nothing had happened:
//! what is read back is checked, counts against each other.

use thiserror::Error;

use super::record::{Cell, Record};
use super::tree::Tree;
use super::{HedgeError, HedgeForecaster, MAX_ROUNDS, Plan};

/// All that a [`HedgeForecaster`] knows. Store it in any way; what is read back is checked.
///
/// ```
/// use truecal::Random;
/// use truecal_lab::hedge::HedgeForecaster;
/// let mut forecaster = HedgeForecaster::doubling(None)?;
/// for round in 0..100 {
///     forecaster.sample(&mut Random::new(7, round));
///     forecaster.observe(round % 3 == 0)?;
/// }
/// let mut state = forecaster.state();
/// assert_eq!(HedgeForecaster::resume(&state)?, forecaster); // to the last bit
/// state.round += 1;
/// assert!(HedgeForecaster::resume(&state).is_err()); // the buckets tell of 100 rounds
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunState {
    /// The number of rounds that is planned, or nothing for restarts.
    pub horizon: Option<u64>,
    /// The number of buckets as asked for; nothing if every restart has its own.
    pub buckets: Option<usize>,
    /// How many rounds are over.
    pub round: u64,
    /// The number of the restart, 0 for a known horizon.
    pub restart: u32,
    /// All rounds by bucket: those buckets that have any, in order.
    pub tally: Vec<BucketTally>,
    /// Likewise the rounds before the restart, in the buckets of now.
    pub before: Vec<BucketTally>,
    /// The bucket of the prediction that was drawn, if its outcome is awaited.
    pub drawn: Option<usize>,
}

/// The rounds of one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BucketTally {
    /// Which bucket, from 0.
    pub bucket: usize,
    /// How many rounds, at least one.
    pub count: u64,
    /// In how many of them the event happened.
    pub ones: u64,
}

/// Why a state is not one that a run can come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// A horizon alone.
    #[error("a known horizon comes with a number of buckets")]
    NoBuckets,
    /// No forecaster can be planned so.
    #[error("a number of rounds or buckets out of range")]
    Plan(#[source] HedgeError),
    /// A restart of a run that has none, or one beyond the last.
    #[error("no such restart")]
    Restart,
    /// The list of buckets is not in its normal form.
    #[error("buckets are listed once, in order, with no more ones than rounds")]
    Tally,
    /// A bucket with rounds that the grid does not have.
    #[error("a bucket beyond the last")]
    Bucket,
    /// More than [`MAX_ROUNDS`] in all buckets.
    #[error("more rounds than can be")]
    TooMany,
    /// The buckets tell of other rounds, or of more than are planned.
    #[error("the rounds of all buckets do not add up to the number of rounds")]
    Rounds,
    /// The restart before this one has more rounds, or fewer.
    #[error("the rounds before the restart do not add up")]
    Before,
    /// A part that is larger than the whole.
    #[error("more rounds in a bucket before the restart than in all")]
    Part,
    /// The restart should be over.
    #[error("more rounds since the restart than it is for")]
    Since,
    /// No round is left, or the prediction has probability 0.
    #[error("the prediction that was drawn is no grid point")]
    Drawn,
}

impl HedgeForecaster {
    /// What it knows, to be stored.
    pub fn state(&self) -> RunState {
        let HedgeForecaster { plan, whole, restart, drawn } = self;
        let (horizon, buckets) = match *plan {
            Plan::Rounds(rounds) => (Some(rounds), Some(whole.cells().len())),
            Plan::Doubling(buckets) => (None, buckets),
        };
        RunState {
            horizon,
            buckets,
            round: whole.rounds(),
            restart: restart.number,
            tally: sparse(whole.cells()),
            before: sparse(&restart.before),
            drawn: *drawn,
        }
    }

    /// The forecaster with this [`state`](Self::state), if its parts fit together.
    pub fn resume(state: &RunState) -> Result<HedgeForecaster, StateError> {
        let new = match (state.horizon, state.buckets) {
            (Some(rounds), Some(buckets)) => HedgeForecaster::new(rounds, buckets),
            (Some(_), None) => return Err(StateError::NoBuckets),
            (None, buckets) => HedgeForecaster::doubling(buckets),
        };
        let HedgeForecaster { plan, whole, .. } = new.map_err(StateError::Plan)?;
        // The restart for 2^39 rounds is not over when there are as many as there may be.
        if state.restart > MAX_ROUNDS.ilog2() || (state.horizon.is_some() && state.restart > 0) {
            return Err(StateError::Restart);
        }
        let buckets = plan.buckets(state.restart).unwrap_or(whole.cells().len());
        let (whole, before, done) = rounds(state, buckets)?;
        let mut restart = plan.restart(state.restart, &whole);
        if state.horizon.is_none() {
            restart.before = before;
            if done >= restart.horizon {
                return Err(StateError::Since);
            }
        }
        restart.done = done;
        restart.tree = Tree::new(&restart.biases(&whole), restart.tree.scale());
        let forecaster = HedgeForecaster { plan, whole, restart, drawn: state.drawn };
        let possible = |drawn| forecaster.predict().weights().any(|(bucket, _)| bucket == drawn);
        if forecaster.drawn.is_some_and(|drawn| forecaster.is_over() || !possible(drawn)) {
            return Err(StateError::Drawn);
        }
        Ok(forecaster)
    }
}

/// All rounds, those before the restart, and how many came since.
fn rounds(state: &RunState, buckets: usize) -> Result<(Record, Vec<Cell>, u64), StateError> {
    let (tally, before) = (dense(&state.tally, buckets)?, dense(&state.before, buckets)?);
    let whole = Record::of(tally);
    if whole.rounds() != state.round || state.round > state.horizon.unwrap_or(MAX_ROUNDS) {
        return Err(StateError::Rounds);
    }
    let earlier = before.iter().map(|cell| cell.count).sum::<u64>();
    let expected = if state.horizon.is_some() { 0 } else { (1 << state.restart) - 1 };
    let done = state.round.checked_sub(earlier).filter(|_| earlier == expected);
    let done = done.ok_or(StateError::Before)?;
    let zeros = |cell: &Cell| cell.count - cell.ones;
    let within = |(all, part): (&Cell, &Cell)| part.ones <= all.ones && zeros(part) <= zeros(all);
    match whole.cells().iter().zip(&before).all(within) {
        true => Ok((whole, before, done)),
        false => Err(StateError::Part),
    }
}

fn sparse(cells: &[Cell]) -> Vec<BucketTally> {
    let used = cells.iter().enumerate().filter(|(_, cell)| cell.count > 0);
    used.map(|(bucket, &Cell { count, ones })| BucketTally { bucket, count, ones }).collect()
}

fn dense(tallies: &[BucketTally], buckets: usize) -> Result<Vec<Cell>, StateError> {
    let mut cells = vec![Cell::default(); buckets];
    let ascending = tallies.windows(2).all(|pair| pair[0].bucket < pair[1].bucket);
    let counted =
        |tally: &BucketTally| (1..=MAX_ROUNDS).contains(&tally.count) && tally.ones <= tally.count;
    if !ascending || !tallies.iter().all(counted) {
        return Err(StateError::Tally);
    }
    for &BucketTally { bucket, count, ones } in tallies {
        *cells.get_mut(bucket).ok_or(StateError::Bucket)? = Cell { count, ones };
    }
    // At most 2^20 buckets with at most 2^40 rounds each: the sum fits 64 bits, but biases need
    // fewer than MAX_ROUNDS.
    match cells.iter().map(|cell| cell.count).sum::<u64>() {
        0..=MAX_ROUNDS => Ok(cells),
        _ => Err(StateError::TooMany),
    }
}
