//! What the benchmarks run on, and what they compare the library with.

pub mod data;
pub mod naive;
