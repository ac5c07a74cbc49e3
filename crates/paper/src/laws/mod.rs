//! Laws at tables: what their quantities are there, and what searches ask of their sides.

mod sides;
mod value;

pub use sides::{has_root, near_sides, near_value, tightened, with_larger_side_times};
#[cfg(test)]
pub(crate) use value::sum_of;
pub use value::{affordable, value_of};
