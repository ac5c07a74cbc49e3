//! Files, read exactly and strictly: forecasts from tables of many formats; natures from TOML;
//! saved runs from JSON.
//!
//! Nothing is clipped, dropped or guessed. What cannot be read is an [`InputError`] that names the
//! file, the row, the column and the value, and says what to do.

mod arrow;
mod arrow_cells;
mod arrow_messages;
mod blocks;
#[cfg(test)]
mod broken_tests;
mod cells;
mod columns;
mod complaint;
mod csv;
mod decimal;
mod error;
#[cfg(test)]
mod golden_tests;
mod grammar;
mod guard;
mod json_lines;
mod json_objects;
mod json_texts;
mod magic;
mod nature_file;
mod npy;
mod npy_columns;
mod npy_dtype;
mod npy_header;
mod npz;
mod parquet;
mod parquet_pages;
mod plain;
mod plan;
mod round_table;
mod rows;
mod saved_run;
mod sink;
mod source;
mod table;
mod tabular;
mod transposed;
mod zip;

pub(crate) use self::arrow::Arrow;
pub(crate) use self::columns::TOP_LABEL;
pub use self::columns::{Class, Columns, CsvOptions, Meaning};
pub use self::csv::read_csv;
pub(crate) use self::csv::read_csv_into;
pub use self::error::InputError;
pub(crate) use self::error::{printable, quoted};
pub use self::grammar::Grammar;
pub(crate) use self::json_lines::JsonLines;
pub(crate) use self::magic::Kind;
pub use self::nature_file::{NatureFile, NatureFileError};
pub use self::npy::{NpyReader, read_npy};
pub(crate) use self::npy_columns::NpyArrays;
pub(crate) use self::npz::Npz;
pub(crate) use self::parquet::Parquet;
pub(crate) use self::plan::{Bucket as BucketOfRow, Rounds as RoundsOfRow};
pub(crate) use self::round_table::RoundTable;
pub use self::rows::MAX_ROW_BYTES;
pub use self::saved_run::{SavedRun, SavedRunError};
pub(crate) use self::sink::{Lot, Sink, SinkError, Totals};
pub(crate) use self::source::{Opened, Part, parts};
pub(crate) use self::table::{At, Table};
pub(crate) use self::tabular::read_table;
