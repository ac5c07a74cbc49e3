//! From columns to rows: files that are written column by column, handed over row by row.

use super::InputError;
use super::table::{At, Cell, Take};

/// The rows of a block, at most.
pub(super) const BLOCK: usize = 1 << 14;

/// Hands over some rows, given column by column; the first has so many before it.
pub(super) fn hand_over(
    columns: &[Vec<Cell<'_>>],
    before: u64,
    rows: usize,
    take: Take<'_>,
) -> Result<(), InputError> {
    let mut cells = vec![Cell::Missing; columns.len()];
    for index in 0..rows {
        for (cell, column) in cells.iter_mut().zip(columns) {
            *cell = column[index];
        }
        take(At { row: before + index as u64 + 1, line: None }, &cells)?;
    }
    Ok(())
}

/// What tests do with a table: all rows of all columns, as text that shows the kind of each cell.
#[cfg(test)]
pub(super) mod shown {
    use super::super::table::{Cell, Table};

    /// A cell in a notation of its own for each kind.
    pub(crate) fn cell(cell: Cell<'_>) -> String {
        match cell {
            Cell::Missing => "-".to_owned(),
            Cell::Text(text) => format!("'{text}'"),
            Cell::Bool(value) => value.to_string(),
            Cell::Integer(value) => value.to_string(),
            Cell::Double(value) => format!("{value:?}f"),
        }
    }

    /// The rows of the columns with these names.
    pub(crate) fn columns(table: &mut dyn Table, names: &[&str]) -> Result<Vec<String>, String> {
        let place = |name: &&str| table.names().iter().position(|other| other == name);
        let wanted: Option<Vec<usize>> = names.iter().map(place).collect();
        rows(table, &wanted.expect("columns that are there"))
    }

    /// The rows of the columns at these places; every row has the number that it should have.
    pub(crate) fn rows(table: &mut dyn Table, wanted: &[usize]) -> Result<Vec<String>, String> {
        let mut rows: Vec<String> = vec![];
        loop {
            let more = table.read(wanted, &mut |at, cells| {
                assert_eq!(at.row, rows.len() as u64 + 1);
                rows.push(cells.iter().map(|&one| cell(one)).collect::<Vec<_>>().join(" "));
                Ok(())
            });
            match more {
                Ok(true) => {}
                Ok(false) => return Ok(rows),
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}
