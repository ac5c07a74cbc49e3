//! Errors that name a cell or a column.

use std::fmt::Display;

use super::error::{InputError, quoted};
use super::table::At;

/// A problem with one cell.
pub(super) fn of_cell(
    file: &str,
    at: At,
    column: &str,
    value: impl Display,
    problem: impl Into<String>,
) -> InputError {
    let cell = Some((column.to_owned(), value.to_string()));
    InputError::of_row(file, (at.row, at.line), cell, problem)
}

/// A problem with one row.
pub(super) fn of_row(file: &str, at: At, problem: impl Into<String>) -> InputError {
    InputError::of_row(file, (at.row, at.line), None, problem)
}

/// A problem with one column as a whole.
pub(super) fn of_column(file: &str, column: &str, problem: impl Display) -> InputError {
    InputError::of_file(file, format!("column {}: {problem}", quoted(column)))
}
