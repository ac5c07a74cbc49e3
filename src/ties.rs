//! The two sides of a threshold.

/// On which side of a threshold the rounds predicted exactly at it are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// As below: the limit as α falls to the level.
    Below,
    /// As above: the limit as α rises to it.
    Above,
}
