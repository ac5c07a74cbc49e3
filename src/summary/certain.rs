//! What is certain of a value.

use num_rational::BigRational;

/// The value of a measure lies between these, ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub lower: BigRational,
    /// At most this.
    pub upper: BigRational,
}
