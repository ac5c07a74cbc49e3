//! Laws read and printed.

mod mistakes;
mod properties;
mod text;

use num_rational::Ratio;
use proptest::prelude::*;

use super::*;

fn law(text: &str) -> Law {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}
