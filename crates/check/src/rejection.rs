//! What the checker answers.

use std::fmt;

use thiserror::Error;

use crate::format::{MOST_ROUNDS, VERSION};

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The first line is another one.
    #[error("not a certificate of this version; the first line should be `{VERSION}`")]
    Version,
    /// It is about something else.
    #[error("a certificate of something else; expected `{0}`")]
    Statement(String),
    /// It is for too many rounds, or for none.
    #[error("not for 1 to {MOST_ROUNDS} rounds")]
    Rounds,
    /// A case is missing, is there twice, or is not in its place.
    #[error("expected `{0}`: every case once, in order")]
    Case(String),
    /// A multiplier is negative.
    #[error("a negative multiplier or denominator")]
    Negative,
    /// A denominator or a multiplier is zero.
    #[error("a denominator or a multiplier of zero")]
    Zero,
    /// There is no such fact.
    #[error("a fact that this case does not have")]
    Fact,
    /// The combination of facts is not the goal.
    #[error("the combination of facts is not the goal")]
    Goal,
    /// A line cannot be read.
    #[error("a line that does not belong here")]
    Malformed,
    /// The file ends too early.
    #[error("the certificate is cut off")]
    Truncated,
    /// Something follows the end.
    #[error("something follows the end")]
    Trailing,
    /// A number does not fit 127 bits, a product exceeds degree 4, or a line is too long.
    #[error("a number, a product or a line is too large")]
    TooLarge,
    /// The law is of a shape that has no certificates.
    #[error("no certificate can prove a law of this shape")]
    Unsupported,
    /// Reading failed.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

/// What is wrong with a row, a polynomial or a law: a [`Rejection`] without words, light enough for
/// bounded proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// See [`Rejection::Negative`].
    Negative,
    /// See [`Rejection::Zero`].
    Zero,
    /// See [`Rejection::Fact`].
    Fact,
    /// See [`Rejection::Goal`].
    Goal,
    /// See [`Rejection::Malformed`].
    Malformed,
    /// See [`Rejection::TooLarge`].
    TooLarge,
    /// See [`Rejection::Unsupported`].
    Unsupported,
}

/// In the words of the rejection.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Rejection::from(*self).fmt(f)
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for Rejection {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Negative => Rejection::Negative,
            Fault::Zero => Rejection::Zero,
            Fault::Fact => Rejection::Fact,
            Fault::Goal => Rejection::Goal,
            Fault::Malformed => Rejection::Malformed,
            Fault::TooLarge => Rejection::TooLarge,
            Fault::Unsupported => Rejection::Unsupported,
        }
    }
}

/// A rejected certificate: where and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct Rejected {
    /// The line, from 1.
    pub line: u64,
    /// Why.
    pub reason: Rejection,
}

/// What an accepted certificate consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// Cases: order patterns.
    pub cases: u64,
    /// Goals that were shown to be >= 0.
    pub goals: u64,
}

/// `104 goals in 24 cases`
impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |number: u64| if number == 1 { "" } else { "s" };
        let Accepted { cases, goals } = *self;
        write!(f, "{goals} goal{} in {cases} case{}", plural(goals), plural(cases))
    }
}
