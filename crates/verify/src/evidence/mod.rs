//! Runs of the registry's checks: what each finds, whole or in shards.

mod instance;
mod options;
mod recheck;
mod run;
mod trial;

pub use instance::{SequenceError, law_lines, levels as levels_of_columns};
pub use options::{Options, OptionsError, Shard, ShardError};
pub use recheck::{RecheckError, recheck};
pub use run::{Row, run};
