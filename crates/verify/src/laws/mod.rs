//! Laws at tables: what their quantities are there, whether they hold, and what searches ask of
//! their sides.

mod judge;
mod linear;
mod number;
mod sides;
mod surd;
mod value;

pub use judge::{Verdict, judge, rational_value, sides, terms};
pub use linear::LinearJudge;
pub use number::{Fraction, Value};
pub use sides::{has_root, near_sides, near_value, tightened, with_larger_side_times};
#[cfg(test)]
pub(crate) use value::sum_of;
pub use value::{affordable, judge_at, value_of};

#[cfg(test)]
mod tests;
