//! The rows of a CSV file, strictly.
//!
//! The grammar is that of RFC 4180 with any of LF, CRLF or CR at the end of a row; a quotation mark
//! inside a cell that does not start with one is an ordinary character, and lines without any
//! character are skipped. What other readers mend silently is an error here: a quotation that never
//! ends swallows the rest of the file, and text after a closing quotation mark is not part of any
//! cell. The crate `csv` accepts both, which a tool that promises to drop nothing cannot; tests use
//! it to see that whatever is accepted here is read alike.

use std::io::{self, BufRead};

use thiserror::Error;

use super::plain::Taken;

/// The longest row that is read, in bytes: a million columns, and no file without an end.
pub const MAX_ROW_BYTES: usize = 1 << 25;

/// Why there is no next row.
#[derive(Debug, Error)]
pub(super) enum RowError {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("the quotation mark that opens on line {line} is never closed; close it, or double it")]
    OpenQuote { line: u64 },
    #[error(
        "line {line}: text after a closing quotation mark; quote the whole cell and double the \
            marks in it"
    )]
    AfterQuote { line: u64 },
    #[error(
        "the row that starts on line {line} is longer than {MAX_ROW_BYTES} bytes; is this a CSV \
            file?"
    )]
    TooLong { line: u64 },
}

/// Reads one row after another into the same room.
pub(super) struct Rows<R> {
    source: R,
    delimiter: u8,
    /// The cells of the current row, end to end.
    text: Vec<u8>,
    /// Where each cell ends in `text`.
    ends: Vec<u32>,
    /// The line on which the current row starts, from 1.
    line: u64,
    /// The line that is read next.
    next_line: u64,
    /// Whether the last byte was a CR, of which a LF may be the second half.
    after_cr: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing of the row was seen yet.
    RowStart,
    CellStart,
    Plain,
    Quoted,
    /// After a quotation mark within quotes: the end of the cell, or the first half of a doubled
    /// mark.
    QuoteSeen,
}

impl<R: BufRead> Rows<R> {
    /// The next line of the source has this number.
    pub fn new(source: R, delimiter: u8, next_line: u64) -> Self {
        Rows {
            source,
            delimiter,
            text: Vec::new(),
            ends: Vec::new(),
            line: next_line,
            next_line,
            after_cr: false,
        }
    }

    /// Reads the next row; `false` at the end of the file.
    pub fn read(&mut self) -> Result<bool, RowError> {
        self.text.clear();
        self.ends.clear();
        let mut state = State::RowStart;
        let mut quote_line = self.next_line;
        loop {
            let buffer = self.source.fill_buf()?;
            if buffer.is_empty() {
                return self.end_of_file(state, quote_line);
            }
            let mut used = 0;
            let mut row_ended = false;
            while let (Some(&byte), false) = (buffer.get(used), row_ended) {
                used += 1;
                let ends_line = byte == b'\n' || byte == b'\r';
                if state == State::RowStart && !ends_line {
                    self.line = self.next_line;
                    state = State::CellStart;
                }
                state = match state {
                    State::RowStart => State::RowStart, // an empty line, or the LF of a CRLF
                    State::CellStart if byte == b'"' => {
                        quote_line = self.next_line;
                        State::Quoted
                    }
                    State::Quoted if byte == b'"' => State::QuoteSeen,
                    State::QuoteSeen if byte == b'"' => {
                        self.text.push(byte);
                        State::Quoted
                    }
                    State::Quoted => {
                        self.text.push(byte);
                        State::Quoted
                    }
                    State::CellStart | State::Plain | State::QuoteSeen
                        if byte == self.delimiter =>
                    {
                        self.ends.push(self.text.len() as u32);
                        State::CellStart
                    }
                    State::CellStart | State::Plain | State::QuoteSeen if ends_line => {
                        self.ends.push(self.text.len() as u32);
                        row_ended = true;
                        State::RowStart
                    }
                    State::QuoteSeen => return Err(RowError::AfterQuote { line: self.next_line }),
                    State::CellStart | State::Plain => {
                        self.text.push(byte);
                        State::Plain
                    }
                };
                if ends_line {
                    // CRLF is one end of line: its LF is not counted again.
                    let second_half = byte == b'\n' && self.after_cr;
                    self.next_line += u64::from(!second_half);
                }
                self.after_cr = byte == b'\r';
                if self.text.len() + self.ends.len() > MAX_ROW_BYTES {
                    return Err(RowError::TooLong { line: self.line });
                }
            }
            self.source.consume(used);
            if row_ended {
                return Ok(true);
            }
        }
    }

    /// Lets `take` have rows of one line each from what is in the buffer.
    pub fn skim(&mut self, take: impl FnOnce(&[u8]) -> Taken) -> Result<u64, RowError> {
        let buffer = self.source.fill_buf()?;
        // The second half of a CRLF belongs to the line before.
        let half = usize::from(self.after_cr && buffer.starts_with(b"\n"));
        let taken = take(&buffer[half..]);
        let used = half + taken.bytes;
        if used > 0 {
            self.after_cr = false;
        }
        self.next_line += taken.rows;
        self.source.consume(used);
        Ok(taken.rows)
    }

    /// Goes to the start of the next line: behind the LF of a CRLF of which the CR ended a row.
    pub fn end_line(&mut self) -> Result<(), RowError> {
        if self.after_cr && self.source.fill_buf()?.starts_with(b"\n") {
            self.source.consume(1);
        }
        self.after_cr = false;
        Ok(())
    }

    fn end_of_file(&mut self, state: State, quote_line: u64) -> Result<bool, RowError> {
        match state {
            State::RowStart => Ok(false),
            State::Quoted => Err(RowError::OpenQuote { line: quote_line }),
            State::CellStart | State::Plain | State::QuoteSeen => {
                self.ends.push(self.text.len() as u32);
                Ok(true)
            }
        }
    }

    /// The number of cells in the current row.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A cell of the current row.
    pub fn cell(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    /// Where the rows come from.
    pub fn source(&self) -> &R {
        &self.source
    }

    /// The line that is read next.
    pub fn next_line(&self) -> u64 {
        self.next_line
    }

    /// The line on which the current row starts.
    pub fn line(&self) -> u64 {
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The line on which a row starts, and its cells.
    type Row = (u64, Vec<Vec<u8>>);

    fn rows(text: &[u8]) -> Result<Vec<Row>, String> {
        // A small buffer, so that rows are cut everywhere.
        let mut rows = Rows::new(io::BufReader::with_capacity(3, text), b',', 1);
        let mut all = vec![];
        while rows.read().map_err(|error| error.to_string())? {
            all.push((rows.line(), (0..rows.len()).map(|i| rows.cell(i).to_vec()).collect()));
        }
        Ok(all)
    }

    fn row(line: u64, cells: &[&str]) -> Row {
        (line, cells.iter().map(|cell| cell.as_bytes().to_vec()).collect())
    }

    #[test]
    fn rows_know_their_lines() {
        let two = vec![row(1, &["a", "b"]), row(2, &["c", ""])];
        for text in ["a,b\nc,\n", "a,b\r\nc,\r\n", "a,b\rc,\r", "a,b\nc,", "\"a\",b\r\n\"c\",\"\""]
        {
            assert_eq!(rows(text.as_bytes()), Ok(two.clone()), "{text:?}");
        }
        let spread = vec![row(3, &["a"]), row(4, &["b\r\nb", "\"c\""]), row(7, &["5\" nails"])];
        let text = "\n\r\na\r\n\"b\r\nb\",\"\"\"c\"\"\"\n\r5\" nails\n\n";
        assert_eq!(rows(text.as_bytes()), Ok(spread));
    }

    #[test]
    fn broken_quotations_are_errors() {
        assert!(
            rows(b"a\nb,\"c\nd\n").is_err_and(|e| e.contains("opens on line 2 is never closed"))
        );
        assert!(rows(b"a\n\"b\"c\n").is_err_and(|e| e.contains("line 2: text after")));
        assert!(rows(b"a\n\"b\" ,c\n").is_err_and(|e| e.contains("line 2: text after")));
    }

    #[test]
    fn endless_rows_are_errors() {
        let endless = io::BufReader::new(io::repeat(b'0'));
        assert!(matches!(Rows::new(endless, b',', 1).read(), Err(RowError::TooLong { line: 1 })));
        let commas = io::BufReader::new(io::repeat(b','));
        assert!(matches!(Rows::new(commas, b',', 1).read(), Err(RowError::TooLong { line: 1 })));
    }

    proptest! {
        /// Whatever is accepted here, the `csv` crate reads the same cells.
        #[test]
        fn agrees_with_another_reader(text in "[ab,\"\r\n]{0,40}") {
            if let Ok(rows) = rows(text.as_bytes()) {
                let mut other = csv::ReaderBuilder::new();
                other.has_headers(false).flexible(true);
                let mut other = other.from_reader(text.as_bytes());
                let other: Vec<Vec<Vec<u8>>> = other
                    .byte_records()
                    .map(|record| record.expect("lenient").iter().map(<[u8]>::to_vec).collect())
                    .collect();
                let rows: Vec<_> = rows.into_iter().map(|(_, cells)| cells).collect();
                prop_assert_eq!(rows, other);
            }
        }
    }
}
