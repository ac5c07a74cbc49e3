//! What a certificate is about, as it says itself.

use std::io::BufRead;

use thiserror::Error;

use crate::checker::check;
use crate::format::{MOST_ROUNDS, VERSION};
use crate::law::{Law, LawError};
use crate::rejection::{Accepted, Rejected};

/// What a certificate is about: a law for so many rounds.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The law.
    pub law: Law,
    /// The number of rounds.
    pub rounds: u32,
}

/// Why a text does not say what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SubjectError {
    /// Lines end as on another system.
    #[error("its lines end with carriage returns; save it with line feeds alone")]
    CarriageReturns,
    /// The first line is another one.
    #[error("the first line is not `{VERSION}`")]
    Version,
    /// A line of the header is missing.
    #[error("there is no line `{0}…` where it should be")]
    Field(&'static str),
    /// The number of rounds is none.
    #[error("{0:?} rounds; a number from 1 to {MOST_ROUNDS} was expected")]
    Rounds(String),
    /// The claim is not a law.
    #[error("its claim is not a law: {0}")]
    Law(#[from] LawError),
}

impl Subject {
    /// Reads it off the first three lines of a certificate.
    pub fn read(text: &str) -> Result<Subject, SubjectError> {
        if text.contains('\r') {
            return Err(SubjectError::CarriageReturns);
        }
        let mut lines = text.lines();
        if lines.next() != Some(VERSION) {
            return Err(SubjectError::Version);
        }
        let mut field = |name: &'static str| {
            let line = lines.next().and_then(|line| line.strip_prefix(name));
            line.ok_or(SubjectError::Field(name))
        };
        let (claim, rounds) = (field("claim ")?, field("rounds ")?);
        let number = rounds.parse().ok().filter(|rounds| (1..=MOST_ROUNDS).contains(rounds));
        let number =
            number.ok_or_else(|| SubjectError::Rounds(rounds.chars().take(20).collect()))?;
        Ok(Subject { law: claim.parse()?, rounds: number })
    }

    /// Whether the text proves it.
    pub fn check(&self, text: impl BufRead) -> Result<Accepted, Rejected> {
        check(&self.law, self.rounds, text)
    }
}
