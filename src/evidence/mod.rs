//! Where evidence comes from: enumeration of everything small.

mod grid;

pub use grid::{grid_size, grid_tables};
