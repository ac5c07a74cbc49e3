//! A CSV file of rounds in their order, kept as it stands, so that a column can be added to it.

use std::io::Read;

use super::cells::Row;
use super::columns::CsvOptions;
use super::csv::{BYTE_ORDER_MARK, EMPTY, NO_ROUNDS, begin, likely_delimiter, of_row};
use super::error::{InputError, quoted};
use super::rows::{RowError, Rows};
use truecal::Prediction;

/// The text of a file, and its rounds in order.
pub(crate) struct RoundTable {
    text: String,
    delimiter: u8,
    /// The names of the columns.
    names: Vec<String>,
    /// Where the header ends in the text, without the end of its line.
    header_end: usize,
    pub rounds: Vec<Round>,
}

/// A row.
pub(crate) struct Round {
    /// What happened, if that is known yet.
    pub outcome: Option<bool>,
    pub prediction: Prediction,
    /// Where the row ends in the text, without the end of its line.
    end: usize,
}

impl RoundTable {
    /// Reads all of a file. An outcome may be blank if no later row has one. `check` gets each row
    /// with its number and may say what is wrong: with the outcome if that is blank, or else with
    /// the prediction.
    pub fn read(
        mut source: impl Read,
        options: &CsvOptions,
        mut check: impl FnMut(u64, &Round) -> Result<(), String>,
    ) -> Result<Self, InputError> {
        let name = &options.name;
        let mut bytes = vec![];
        source.read_to_end(&mut bytes).map_err(|error| of_row(name, error.into()))?;
        if bytes.is_empty() {
            return Err(InputError::of_file(name, EMPTY));
        }
        let start = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        let delimiter = options.delimiter.unwrap_or_else(|| likely_delimiter(start));
        let (mut rows, header) = begin(start, delimiter, options)?;
        let end = |rows: &Rows<&[u8]>| end_of_row(&bytes[..bytes.len() - rows.source().len()]);
        let header_end = end(&rows);
        let mut rounds = vec![];
        let mut blank: Option<InputError> = None;
        let read = |rows: &mut Rows<&[u8]>| rows.read().map_err(|e: RowError| of_row(name, e));
        while read(&mut rows)? {
            let number = rounds.len() as u64 + 1;
            let row = Row { header: &header, rows: &rows, number };
            let (outcome, prediction) = row.round()?;
            let round = Round { outcome, prediction, end: end(&rows) };
            let wanted = usize::from(outcome.is_some());
            check(number, &round).map_err(|problem| row.refused_cell(wanted, problem))?;
            match (outcome, blank.take()) {
                (Some(_), Some(blank)) => return Err(blank),
                (Some(_), None) => {}
                (None, before) => {
                    let refused = || row.refused_cell(0, BLANK.to_owned());
                    blank = Some(before.unwrap_or_else(refused));
                }
            }
            rounds.push(round);
        }
        if rounds.is_empty() {
            return Err(InputError::of_file(name, NO_ROUNDS));
        }
        let names = header.names().to_vec();
        let text = String::from_utf8(bytes).expect("every cell is text, and so is what parts them");
        Ok(RoundTable { text, delimiter, names, header_end, rounds })
    }

    /// Whether a column may be added under this name.
    pub fn accepts(&self, column: &str, file: &str) -> Result<(), InputError> {
        match self.names.iter().any(|name| name == column.trim()) {
            true => Err(InputError::of_file(
                file,
                format!(
                    "there is a column {} already; name another for what is added with --column",
                    quoted(column)
                ),
            )),
            false => Ok(()),
        }
    }

    /// The file with one more column. Every byte of it stays; the new cells come at the ends of its
    /// rows.
    pub fn with_column(&self, name: &str, cells: &[String]) -> String {
        let ends = self.rounds.iter().map(|round| round.end);
        let ends = std::iter::once(self.header_end).chain(ends);
        let cells = std::iter::once(name).chain(cells.iter().map(String::as_str));
        let (mut text, mut done) = (String::new(), 0);
        for (end, cell) in ends.zip(cells) {
            text += &self.text[done..end];
            text.push(char::from(self.delimiter));
            text += &self.cell(cell);
            done = end;
        }
        text + &self.text[done..]
    }

    /// A cell as it is written, in quotation marks if it needs them.
    fn cell(&self, value: &str) -> String {
        let special = |c: char| c == char::from(self.delimiter) || "\"\r\n".contains(c);
        match value.contains(special) {
            true => format!("\"{}\"", value.replace('"', "\"\"")),
            false => value.to_owned(),
        }
    }
}

/// What is wrong with a blank outcome before one that is known.
const BLANK: &str = "the cell is blank, but a later row has an outcome; give the outcome as 0 or \
    1, or remove the row: only rows at the end may wait for theirs";

/// Where the row ends that is the last of a text. Outside quotation marks, which a row of quoted
/// cells ends with, CR and LF end rows and are nothing else.
fn end_of_row(text: &[u8]) -> usize {
    text.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &[u8]) -> Result<RoundTable, String> {
        let options = CsvOptions { name: "bytes".into(), ..CsvOptions::default() };
        RoundTable::read(text, &options, |_, _| Ok(())).map_err(|error| error.to_string())
    }

    /// The cells of all rows, by another reader.
    fn cells(text: &str) -> Vec<Vec<Vec<u8>>> {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.has_headers(false).from_reader(text.as_bytes());
        let record = |record: csv::ByteRecord| record.iter().map(<[u8]>::to_vec).collect();
        reader.byte_records().map(|row| record(row.expect("rows of the same length"))).collect()
    }

    #[test]
    fn every_byte_stays() {
        for (before, after) in [
            ("y,p\n1,0.5\n", "y,p,new\n1,0.5,a\n"),
            ("y,p\r\n1,0.5\r\n\r\n,\"1\"", "y,p,new\r\n1,0.5,a\r\n\r\n,\"1\",b"),
            ("\u{feff}\n\"p\";y\r1/3;1\r", "\u{feff}\n\"p\";y;new\r1/3;1;a\r"),
            ("y,p,\"a\"\"\r\n\"\n1,0,\"x,\n\"\n", "y,p,\"a\"\"\r\n\",new\n1,0,\"x,\n\",a\n"),
        ] {
            let table = read(before.as_bytes()).expect("a table");
            let column = ["a".to_owned(), "b".to_owned()];
            let column = &column[..table.rounds.len()];
            assert_eq!(table.with_column("new", column), after);
        }
    }

    #[test]
    fn new_cells_are_quoted_if_they_must_be() {
        let table = read(b"y;p\n1;1\n").expect("a table");
        let added = table.with_column("a;\"b\"", &["1,5".to_owned()]);
        assert_eq!(added, "y;p;\"a;\"\"b\"\"\"\n1;1;1,5\n");
    }

    #[test]
    fn only_the_last_rows_may_wait() {
        let outcomes = |text: &str| {
            read(text.as_bytes()).map(|table| table.rounds.iter().map(|r| r.outcome).collect())
        };
        assert_eq!(outcomes("y,p\n1,0\n ,1\n,1\n"), Ok(vec![Some(true), None, None]));
        let complaint = outcomes("y,p\n1,0\n\n,1\n,1\n0,1\n").expect_err("blank");
        assert!(complaint.starts_with("bytes, row 2 (line 4), column \"y\", value \"\": the cell"));
        let options = CsvOptions { name: "bytes".into(), ..CsvOptions::default() };
        let refuse = |at: u64| {
            let check = |number, round: &Round| {
                assert_eq!(round.outcome.is_none(), number == 2);
                if number == at { Err("no".to_owned()) } else { Ok(()) }
            };
            let table = RoundTable::read("y,p\n1,0\n,1\n".as_bytes(), &options, check);
            table.map(drop).expect_err("refused").to_string()
        };
        assert_eq!(refuse(1), "bytes, row 1 (line 2), column \"p\", value \"0\": no");
        assert_eq!(refuse(2), "bytes, row 2 (line 3), column \"y\", value \"\": no");
    }

    proptest! {
        /// Whatever is accepted has one more cell in every row, and no other cell changes; and what
        /// is accepted is what the strict reader of measures accepts.
        #[test]
        fn a_column_is_added_and_nothing_else(rows in "([01],[01.]{1,2},[ab\"\r\n,]{0,6}\n){0,5}") {
            let before = format!("y,p,\"n\"\n{rows}");
            let options = CsvOptions { name: "bytes".into(), ..CsvOptions::default() };
            let measured = super::super::read_csv(before.as_bytes(), &options, |_, _| ());
            let blank = |error: &InputError| error.to_string().contains("outcome is missing");
            prop_assume!(!measured.as_ref().is_err_and(blank)); // it is read otherwise here
            let table = read(before.as_bytes());
            // The first bad row is all that is told here.
            let first = |error: &InputError| {
                error.to_string().lines().next().map(str::to_owned).unwrap_or_default()
            };
            prop_assert_eq!(table.as_ref().err().cloned(), measured.as_ref().err().map(first));
            if let (Ok(table), Ok(measured)) = (table, measured) {
                prop_assert_eq!(table.rounds.len() as u64, measured.rounds());
                let mut expected = cells(&before);
                let column: Vec<String> = (1..expected.len()).map(|i| i.to_string()).collect();
                let after = table.with_column("new", &column);
                for (row, cell) in expected.iter_mut().zip(["new"].into_iter().chain(
                    column.iter().map(String::as_str)
                )) {
                    row.push(cell.as_bytes().to_vec());
                }
                prop_assert_eq!(cells(&after), expected);
            }
        }
    }
}
