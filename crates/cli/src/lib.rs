//! The command `truecal`: files in, reports out.

#[doc(hidden)]
pub mod commands;
pub mod input;
pub mod json;
pub mod report;

/// The examples in the README and in the book must run.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/src/measuring.md")]
    struct Measuring;
    #[doc = include_str!("../../../docs/src/forecasting.md")]
    struct Forecasting;
}
