//! A run as text, so that it can go on later as if nothing had happened.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::{Cell, Record};
use super::tree::Tree;
use super::{HedgeForecaster, MAX_ROUNDS, Plan};
use crate::claims::hash;

/// The version of the text.
const SCHEMA: u64 = 1;

/// A forecaster and the seed that its predictions are drawn by: those of a round from the stream with the number of the round, so that
/// nothing else is needed to go on.
///
/// ```
/// use truecal::{Random, truthfulness::hedge::{HedgeForecaster, SavedRun}};
/// let mut run = SavedRun { forecaster: HedgeForecaster::doubling(None)?, seed: 7 };
/// for round in 0..100 {
///     run.forecaster.sample(&mut Random::new(run.seed, round));
///     run.forecaster.observe(round % 3 == 0)?;
/// }
/// let again = SavedRun::read(&run.to_text())?;
/// assert_eq!(again, run); // to the last bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SavedRun {
    /// The forecaster.
    pub forecaster: HedgeForecaster,
    /// The seed.
    pub seed: u64,
}

/// Why a text is not a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// It cannot be read, or its checksum is not its own.
    #[error("damaged: {0}")]
    Damaged(String),
    /// It was written by another version.
    #[error("of schema {0}; this version reads schema {SCHEMA}")]
    Schema(u64),
    /// Its parts do not fit together.
    #[error("inconsistent: {0}")]
    Inconsistent(&'static str),
}

/// The text is this as JSON in one line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    schema: u64,
    seed: u64,
    /// The horizon, or nothing for restarts.
    rounds: Option<u64>,
    /// As asked for; nothing if every restart has its own.
    buckets: Option<usize>,
    /// How many rounds are over.
    round: u64,
    /// The number of the restart, 0 for a known horizon.
    restart: u32,
    /// Bucket, count and ones where there were rounds: in all of them, and before the restart.
    tally: Vec<(usize, u64, u64)>,
    before: Vec<(usize, u64, u64)>,
    /// The bucket that was drawn, if its outcome is awaited.
    drawn: Option<usize>,
    /// Of this text with an empty checksum.
    checksum: String,
}

impl Text {
    fn line(&self) -> String {
        serde_json::to_string(self).expect("numbers and lists are JSON")
    }

    /// FNV-1a: a change of any one byte changes it, because every step is a bijection.
    fn checksum(&self) -> String {
        let Text { tally, before, .. } = self;
        let bare =
            Text { checksum: String::new(), tally: tally.clone(), before: before.clone(), ..*self };
        format!("{:016x}", hash(&bare.line()))
    }
}

impl SavedRun {
    /// The run as a line of JSON.
    pub fn to_text(&self) -> String {
        let HedgeForecaster { plan, whole, restart, drawn } = &self.forecaster;
        let (rounds, buckets) = match *plan {
            Plan::Rounds(rounds) => (Some(rounds), Some(whole.cells().len())),
            Plan::Doubling(buckets) => (None, buckets),
        };
        let mut text = Text {
            schema: SCHEMA,
            seed: self.seed,
            rounds,
            buckets,
            round: whole.rounds(),
            restart: restart.number,
            tally: sparse(whole.cells()),
            before: sparse(&restart.before),
            drawn: *drawn,
            checksum: String::new(),
        };
        text.checksum = text.checksum();
        text.line() + "\n"
    }

    /// Reads what [`to_text`](Self::to_text) wrote. Whatever says anything else is refused.
    pub fn read(text: &str) -> Result<Self, StateError> {
        let damaged = |error: serde_json::Error| StateError::Damaged(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(damaged)?;
        match value["schema"].as_u64() {
            Some(SCHEMA) | None => {}
            Some(schema) => return Err(StateError::Schema(schema)),
        }
        let text: Text = serde_json::from_str(text).map_err(damaged)?;
        if text.checksum != text.checksum() {
            return Err(StateError::Damaged("the checksum is of another text".to_owned()));
        }
        let forecaster = forecaster(&text).map_err(StateError::Inconsistent)?;
        Ok(SavedRun { forecaster, seed: text.seed })
    }
}

/// The forecaster that a text tells of, if its parts fit together.
fn forecaster(text: &Text) -> Result<HedgeForecaster, &'static str> {
    let new = match (text.rounds, text.buckets) {
        (Some(rounds), Some(buckets)) => HedgeForecaster::new(rounds, buckets),
        (Some(_), None) => return Err("a known horizon comes with a number of buckets"),
        (None, buckets) => HedgeForecaster::doubling(buckets),
    };
    let HedgeForecaster { plan, whole, .. } =
        new.map_err(|_| "a number of rounds or buckets out of range")?;
    // The restart for 2^39 rounds is not over when there are as many as there may be.
    if text.restart > MAX_ROUNDS.ilog2() || (text.rounds.is_some() && text.restart > 0) {
        return Err("no such restart");
    }
    let buckets = plan.buckets(text.restart).unwrap_or(whole.cells().len());
    let (tally, before) = (dense(&text.tally, buckets)?, dense(&text.before, buckets)?);
    let whole = Record::of(tally);
    if whole.rounds() != text.round || text.round > text.rounds.unwrap_or(MAX_ROUNDS) {
        return Err("the rounds of all buckets do not add up to the number of rounds");
    }
    let earlier = before.iter().map(|cell| cell.count).sum::<u64>();
    let expected = if text.rounds.is_some() { 0 } else { (1 << text.restart) - 1 };
    let done = text.round.checked_sub(earlier).filter(|_| earlier == expected);
    let done = done.ok_or("the rounds before the restart do not add up")?;
    let zeros = |cell: &Cell| cell.count - cell.ones;
    let within = |(all, part): (&Cell, &Cell)| part.ones <= all.ones && zeros(part) <= zeros(all);
    if !whole.cells().iter().zip(&before).all(within) {
        return Err("more rounds in a bucket before the restart than in all");
    }
    let mut restart = plan.restart(text.restart, &whole);
    if text.rounds.is_none() {
        restart.before = before;
        if done >= restart.horizon {
            return Err("more rounds since the restart than it is for");
        }
    }
    restart.done = done;
    restart.tree = Tree::new(&restart.biases(&whole), restart.tree.scale());
    let forecaster = HedgeForecaster { plan, whole, restart, drawn: text.drawn };
    let possible = |drawn| forecaster.predict().weights().any(|(bucket, _)| bucket == drawn);
    if forecaster.drawn.is_some_and(|drawn| forecaster.is_over() || !possible(drawn)) {
        return Err("the prediction that was drawn is none that can be");
    }
    Ok(forecaster)
}

fn sparse(cells: &[Cell]) -> Vec<(usize, u64, u64)> {
    let used = cells.iter().enumerate().filter(|(_, cell)| cell.count > 0);
    used.map(|(bucket, cell)| (bucket, cell.count, cell.ones)).collect()
}

fn dense(rows: &[(usize, u64, u64)], buckets: usize) -> Result<Vec<Cell>, &'static str> {
    let mut cells = vec![Cell::default(); buckets];
    let ascending = rows.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let counted =
        |&(_, count, ones): &(usize, u64, u64)| (1..=MAX_ROUNDS).contains(&count) && ones <= count;
    if !ascending || !rows.iter().all(counted) {
        return Err("buckets are listed once, in order, with no more ones than rounds");
    }
    for &(bucket, count, ones) in rows {
        *cells.get_mut(bucket).ok_or("a bucket beyond the last")? = Cell { count, ones };
    }
    // At most 2^20 buckets with at most 2^40 rounds each: the sum fits 64 bits, but biases need fewer than MAX_ROUNDS.
    match cells.iter().map(|cell| cell.count).sum::<u64>() {
        0..=MAX_ROUNDS => Ok(cells),
        _ => Err("more rounds than can be"),
    }
}
