//! The integration tests, one binary.

mod exhaustive;
mod golden;
