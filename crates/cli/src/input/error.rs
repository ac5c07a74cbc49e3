//! What is wrong with a file, and where.

use std::fmt;

use thiserror::Error;

/// How many bad rows are described one by one.
const DESCRIBED: usize = 10;

/// Why a file is not forecasts.
#[derive(Debug, Error)]
#[error("{}{place}: {problem}{}", printable(.file), Further(.others))]
pub struct InputError {
    file: String,
    place: Box<Position>,
    problem: String,
    others: Others,
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

/// Further bad rows.
#[derive(Debug, Default)]
struct Others {
    /// How many.
    count: u64,
    /// The first of them, a line each.
    described: Vec<String>,
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

/// The lines that follow the first.
struct Further<'a>(&'a Others);

impl fmt::Display for Further<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Further(Others { count, described }) = self;
        described.iter().try_for_each(|line| write!(f, "\n{line}"))?;
        match count {
            0 => Ok(()),
            others => {
                let (all, shown) = (others + 1, described.len() + 1);
                let those = if all == shown as u64 { "these" } else { "the first of them" };
                write!(f, "\n{all} rows cannot be read; {those} are listed above")
            }
        }
    }
}

impl InputError {
    /// A problem of the file as a whole.
    pub fn of_file(file: &str, problem: impl Into<String>) -> Self {
        let (file, problem) = (file.to_owned(), problem.into());
        InputError { file, place: Box::default(), problem, others: Others::default() }
    }

    /// A problem of a row, and of a column by name with the value in it.
    pub(crate) fn of_row(
        file: &str,
        (row, line): (u64, Option<u64>),
        cell: Option<(String, String)>,
        problem: impl Into<String>,
    ) -> Self {
        let place = Box::new(Position { row: Some(row), line, cell });
        InputError { place, ..InputError::of_file(file, problem) }
    }

    /// Whether a single row is to blame, so that others may be looked at.
    fn is_of_row(&self) -> bool {
        self.place.row.is_some()
    }

    /// Adds what is wrong with a later row.
    fn add(&mut self, other: &InputError) {
        self.others.count += 1 + other.others.count;
        if self.others.described.len() + 1 < DESCRIBED {
            self.others.described.push(other.to_string());
        }
    }
}

/// The bad rows of a file: all are counted, and the first ones described.
#[derive(Debug, Default)]
pub(crate) struct Problems(Option<InputError>);

impl Problems {
    /// Takes note of a bad row; a problem of the file as a whole ends the reading.
    pub fn note(&mut self, error: InputError) -> Result<(), InputError> {
        if !error.is_of_row() {
            return Err(error);
        }
        match &mut self.0 {
            None => self.0 = Some(error),
            Some(first) => first.add(&error),
        }
        Ok(())
    }

    /// Whether there are none so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// All of them as one error.
    pub fn into_result(self) -> Result<(), InputError> {
        self.0.map_or(Ok(()), Err)
    }
}

/// A text on one line, without what could disturb a terminal.
pub(crate) fn printable(text: &str) -> String {
    let escape = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// A text in quotes, on one line, and not longer than a message can bear.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_bad_rows_are_described_and_all_are_counted() {
        let row = |row| InputError::of_row("f", (row, None), None, "bad");
        let mut problems = Problems::default();
        assert!(problems.is_empty());
        problems.note(row(1)).expect("a row");
        assert!(!problems.is_empty());
        let mut many = Problems(Some(row(1)));
        (2..=12).for_each(|number| many.note(row(number)).expect("a row"));
        let text = many.into_result().expect_err("bad").to_string();
        assert!(text.starts_with("f, row 1: bad\nf, row 2: bad\n"), "{text}");
        assert!(text.contains("row 10: bad") && !text.contains("row 11"), "{text}");
        assert!(text.ends_with("12 rows cannot be read; the first of them are listed above"));
        assert_eq!(problems.into_result().expect_err("bad").to_string(), "f, row 1: bad");
        let mut whole = Problems::default();
        assert!(whole.note(InputError::of_file("f", "cut")).is_err());
    }
}
