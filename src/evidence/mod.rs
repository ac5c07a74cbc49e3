//! Where evidence comes from: enumeration of everything small, samples of what is large.

mod arithmetic;
mod enclosure;
mod exhaust;
mod extremes;
mod grid;
mod instance;
mod recheck;
mod run;
mod sample;
mod trial;
mod value;
mod walk;

pub(crate) use arithmetic::wrap;
pub use arithmetic::{quantity_lines, table_lines};
pub use enclosure::{Enclosure, Subdivision, on_box};
pub use exhaust::{Place, Tally, exhaust};
pub use extremes::{Best, Extreme, Extremes, Score, extremes, in_order};
pub use grid::{Grid, grid_tables};
pub use instance::{law_lines, levels as levels_of_columns};
pub use recheck::recheck;
pub use run::{Options, Progress, Row, Shard, run};
pub use sample::Sampler;
pub use trial::affordable;
pub use value::value_of;
pub use walk::{MAX_DENOMINATOR, MAX_ROUNDS};

// What only bounded proofs look into.
#[cfg(any(kani, test))]
pub(crate) use {grid::Pair, walk::restrict};

use serde::{Deserialize, Serialize};

/// How much a run does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A few seconds.
    Quick,
    /// Under a minute.
    #[default]
    Usual,
    /// Minutes to hours.
    Full,
}
