//! A run of `truecal forecast` as a line of JSON with its FNV-1a hash, by which any one changed
//! byte is certain to be seen; what it tells is then checked.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use truecal_lab::hedge::{BucketTally, HedgeForecaster, RunState, StateError};
use truecal_verify::fnv1a;

/// The version of the text.
const SCHEMA: u64 = 1;

/// A forecaster and the seed that its predictions are drawn by: those of a round from the stream
/// with the number of the round, so that nothing else is needed to go on.
///
/// ```
/// use truecal::Random;
/// use truecal_cli::input::SavedRun;
/// use truecal_lab::hedge::HedgeForecaster;
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
pub enum SavedRunError {
    /// It cannot be read, or its checksum is not its own.
    #[error("damaged: {0}")]
    Damaged(String),
    /// It was written by another version.
    #[error("of schema {0}; this version reads schema {SCHEMA}")]
    Schema(u64),
    /// Its parts do not fit together.
    #[error("inconsistent: {0}")]
    Inconsistent(#[from] StateError),
}

/// Bucket, count and ones, for buckets with rounds.
type Tally = Vec<(usize, u64, u64)>;

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
    /// All rounds, and those before the restart.
    tally: Tally,
    before: Tally,
    /// The bucket that was drawn, if its outcome is awaited.
    drawn: Option<usize>,
    /// Of this text with an empty checksum.
    checksum: String,
}

impl Text {
    fn of(run: &SavedRun) -> Text {
        let RunState { horizon, buckets, round, restart, tally, before, drawn } =
            run.forecaster.state();
        let rows = |tallies: Vec<BucketTally>| {
            let row = |BucketTally { bucket, count, ones }| (bucket, count, ones);
            tallies.into_iter().map(row).collect()
        };
        let mut text = Text {
            schema: SCHEMA,
            seed: run.seed,
            rounds: horizon,
            buckets,
            round,
            restart,
            tally: rows(tally),
            before: rows(before),
            drawn,
            checksum: String::new(),
        };
        text.checksum = text.checksum();
        text
    }

    fn state(self) -> RunState {
        let Text { rounds, buckets, round, restart, tally, before, drawn, .. } = self;
        let tallies = |rows: Tally| {
            let tally = |(bucket, count, ones)| BucketTally { bucket, count, ones };
            rows.into_iter().map(tally).collect()
        };
        let (tally, before) = (tallies(tally), tallies(before));
        RunState { horizon: rounds, buckets, round, restart, tally, before, drawn }
    }

    fn line(&self) -> String {
        serde_json::to_string(self).expect("numbers and lists are JSON")
    }

    /// FNV-1a: a change of any one byte changes it, because every step is a bijection.
    fn checksum(&self) -> String {
        let Text { tally, before, .. } = self;
        let bare =
            Text { checksum: String::new(), tally: tally.clone(), before: before.clone(), ..*self };
        format!("{:016x}", fnv1a(&bare.line()))
    }
}

impl SavedRun {
    /// The run as a line of JSON.
    pub fn to_text(&self) -> String {
        Text::of(self).line() + "\n"
    }

    /// Reads what [`to_text`](Self::to_text) wrote. Whatever says anything else is refused.
    pub fn read(text: &str) -> Result<Self, SavedRunError> {
        let damaged = |error: serde_json::Error| SavedRunError::Damaged(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(damaged)?;
        match value["schema"].as_u64() {
            Some(SCHEMA) | None => {}
            Some(schema) => return Err(SavedRunError::Schema(schema)),
        }
        let text: Text = serde_json::from_str(text).map_err(damaged)?;
        if text.checksum != text.checksum() {
            return Err(SavedRunError::Damaged("the checksum is of another text".to_owned()));
        }
        let seed = text.seed;
        Ok(SavedRun { forecaster: HedgeForecaster::resume(&text.state())?, seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecal::Random;

    /// Six rounds with restarts, and the prediction of a seventh.
    fn saved() -> SavedRun {
        let mut forecaster = HedgeForecaster::doubling(None).expect("valid");
        for round in 0..6 {
            forecaster.sample(&mut Random::new(3, round));
            forecaster.observe(round % 5 < 2).expect("a round");
        }
        forecaster.sample(&mut Random::new(3, 6));
        SavedRun { forecaster, seed: 3 }
    }

    /// Every byte, changed to every other: refused, or another way to write the same.
    #[test]
    fn no_damage_goes_unnoticed() {
        let saved = saved();
        let text = saved.to_text();
        let mut harmless = 0;
        for place in 0..text.len() {
            for byte in 0..=127 {
                let mut bytes = text.clone().into_bytes();
                bytes[place] = byte;
                let damaged = String::from_utf8(bytes).expect("ASCII");
                match SavedRun::read(&damaged) {
                    Err(_) => {}
                    Ok(read) => {
                        assert_eq!(read, saved, "{damaged}");
                        harmless += usize::from(damaged != text);
                    }
                }
            }
            let mut cut = text.clone();
            cut.truncate(place);
            assert!(place + 1 == text.len() || SavedRun::read(&cut).is_err(), "{cut}");
        }
        assert_eq!(harmless, 3, "the newline at the end may be another white space");
    }

    /// A text with a checksum of its own that tells of something else.
    #[test]
    fn what_does_not_fit_together_is_refused() {
        let text = saved().to_text();
        let with = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            let (body, _) = text.split_once("\"checksum\":\"").expect("a checksum");
            let bare = format!("{}\"checksum\":\"\"}}", body.replacen(from, to, 1));
            let sum = format!("\"checksum\":\"{:016x}\"", fnv1a(&bare));
            SavedRun::read(&bare.replace("\"checksum\":\"\"", &sum))
        };
        assert_eq!(with("\"seed\":3", "\"seed\":4").map(|run| run.seed), Ok(4));
        let newer = with("\"schema\":1", "\"schema\":2").expect_err("another version");
        assert_eq!(newer.to_string(), "of schema 2; this version reads schema 1");
        let other = with("\"round\":6", "\"round\":7").expect_err("of six rounds");
        assert_eq!(other, SavedRunError::Inconsistent(StateError::Rounds));
        assert!(other.to_string().starts_with("inconsistent: the rounds of all buckets"));
        let unknown = with("\"seed\"", "\"sead\"").expect_err("no such field");
        assert!(unknown.to_string().starts_with("damaged: unknown field `sead`"), "{unknown}");
    }

    /// The bytes that earlier versions wrote.
    #[test]
    fn the_text_stays_what_it_was() {
        let text = r#"{"schema":1,"seed":3,"rounds":null,"buckets":null,"round":6,"restart":2,"#
            .to_owned()
            + r#""tally":[[0,2,1],[2,4,2]],"before":[[2,3,2]],"drawn":2,"#
            + r#""checksum":"6256f53931601e4c"}"#;
        assert_eq!(saved().to_text(), text + "\n");
    }
}
