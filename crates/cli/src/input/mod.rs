//! Files, read exactly and strictly: forecasts from CSV, `.npy` and, if built with the feature
//! `parquet`, Parquet; natures from TOML; saved runs from JSON.
//!
//! Nothing is clipped, dropped or guessed. What cannot be read is an [`InputError`] that names the
//! file, the row, the column and the value, and says what to do.

mod blocks;
mod cells;
mod columns;
mod csv;
mod nature_file;
mod npy;
mod npy_header;
#[cfg(feature = "parquet")]
mod parquet;
mod plain;
mod rows;
mod saved_run;
mod sink;

use std::fmt;

use thiserror::Error;

pub use self::columns::{Columns, CsvOptions};
pub use self::csv::read_csv;
pub(crate) use self::csv::read_csv_into;
pub use self::nature_file::{NatureFile, NatureFileError};
pub use self::npy::{NpyReader, read_npy};
#[cfg(feature = "parquet")]
pub use self::parquet::{read_parquet, read_parquet_bytes};
pub use self::rows::MAX_ROW_BYTES;
pub use self::saved_run::{SavedRun, SavedRunError};
pub(crate) use self::sink::{Lot, Sink, SinkError};

/// Why a file is not forecasts.
#[derive(Debug, Error)]
#[error("{}{place}: {problem}", printable(.file))]
pub struct InputError {
    file: String,
    place: Box<Position>,
    problem: String,
}

/// Where in the file.
#[derive(Debug, Default)]
struct Position {
    /// The row of data, from 1.
    row: Option<u64>,
    /// The line of a text file on which it starts.
    line: Option<u64>,
    /// The column by name, and the value in it.
    cell: Option<(String, String)>,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        if let Some((column, value)) = &self.cell {
            write!(f, ", column {}, value {}", quoted(column), quoted(value))?;
        }
        Ok(())
    }
}

impl InputError {
    /// A problem of the file as a whole.
    pub fn of_file(file: &str, problem: impl Into<String>) -> Self {
        InputError { file: file.to_owned(), place: Box::default(), problem: problem.into() }
    }
}

/// A text on one line, without what could disturb a terminal.
fn printable(text: &str) -> String {
    let escape = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// A text in quotes, on one line, and not longer than a message can bear.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}
