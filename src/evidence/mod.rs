//! Where evidence comes from: enumeration of everything small.

mod grid;
mod mistakes;
mod verify;

pub use grid::{grid_size, grid_tables};
pub use verify::{Domain, Finding, verify};
