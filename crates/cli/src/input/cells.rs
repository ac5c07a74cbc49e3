//! A row of CSV: its cells, and what they say.

use std::io::BufRead;

use super::columns::CsvOptions;
use super::error::InputError;
use super::plain::Plain;
use super::plan::Plan;
use super::rows::Rows;
use super::sink::{Lot, SinkError};
use super::table::{At, Cell};
use truecal::Prediction;

/// The names of the columns, and which of them are wanted.
pub(super) struct Header<'a> {
    names: Vec<String>,
    plan: Plan<'a>,
    file: &'a str,
}

impl<'a> Header<'a> {
    pub fn read(rows: &Rows<impl BufRead>, options: &'a CsvOptions) -> Result<Self, InputError> {
        let file = options.name.as_str();
        let of_file = |problem: String| InputError::of_file(file, problem);
        let name = |index| std::str::from_utf8(rows.cell(index)).map(str::trim);
        let names: Result<Vec<&str>, _> = (0..rows.len()).map(name).collect();
        let names = names.map_err(|_| of_file(format!("the header is {NOT_UTF8}")))?;
        if names.iter().any(|name| name.contains('\0')) {
            return Err(of_file(
                "the header has zero bytes, as UTF-16 does; convert the file to UTF-8".into(),
            ));
        }
        let plan = Plan::find(&names, options).map_err(of_file)?;
        Ok(Header { names: names.into_iter().map(str::to_owned).collect(), plan, file })
    }

    /// The names of all columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The short cut for rows of one round with one prediction, written as usual.
    pub fn plain(&self, options: &CsvOptions, delimiter: u8) -> Option<Plain> {
        let [outcome, prediction] = *self.plan.wanted.first_chunk()?;
        let usual = self.plan.is_plain() && options.grammar.is_usual();
        usual.then(|| Plain::new(delimiter, self.names.len(), outcome, prediction)).flatten()
    }
}

/// A row of data and all that is needed to complain about it.
pub(super) struct Row<'a, R> {
    pub header: &'a Header<'a>,
    pub rows: &'a Rows<R>,
    /// From 1, the header not counted.
    pub number: u64,
}

impl<R: BufRead> Row<'_, R> {
    /// Reads the row into a lot.
    pub fn push_to(&self, lot: &mut Lot) -> Result<(), InputError> {
        lot.push(self.header.plan.read(self.at(), &self.cells()?)?);
        Ok(())
    }

    /// The outcome, if it is known yet, and the prediction, of a row of rounds.
    pub fn round(&self) -> Result<(Option<bool>, Prediction), InputError> {
        self.header.plan.round_to_come(self.at(), &self.cells()?)
    }

    /// What to say if a row that reads well is refused.
    pub fn refused(&self, error: SinkError) -> InputError {
        match error {
            SinkError::LongPrediction => {
                self.refused_cell(self.header.plan.prediction(), error.to_string())
            }
            _ => self.error(None, error.to_string()),
        }
    }

    /// The same of one of its wanted cells.
    pub fn refused_cell(&self, wanted: usize, problem: String) -> InputError {
        match self.cells() {
            Ok(cells) => self.header.plan.refused(self.at(), &cells, wanted, problem),
            Err(error) => error,
        }
    }

    fn at(&self) -> At {
        At { row: self.number, line: Some(self.rows.line()) }
    }

    /// The wanted cells, if there are as many as in the header, and all are text.
    fn cells(&self) -> Result<Vec<Cell<'_>>, InputError> {
        let columns = self.header.names.len();
        if self.rows.len() != columns {
            let remedy = match self.rows.len() < columns {
                true => "add what is missing",
                false => "remove what is left over",
            };
            return Err(self.error(None, format!(
                "the number of cells is {} but the header has {columns}; {remedy}, or quote cells \
                    that contain the delimiter",
                self.rows.len(),
            )));
        }
        for column in 0..columns {
            self.text(column)?; // columns that are not wanted must be text, too
        }
        let wanted = self.header.plan.wanted.iter();
        wanted.map(|&column| self.text(column).map(Cell::Text)).collect()
    }

    /// A cell as text.
    fn text(&self, column: usize) -> Result<&str, InputError> {
        let cell = self.rows.cell(column);
        std::str::from_utf8(cell).map_err(|_| {
            let lossy = String::from_utf8_lossy(cell);
            self.error(Some((column, &lossy)), NOT_UTF8.to_owned())
        })
    }

    fn error(&self, cell: Option<(usize, &str)>, problem: String) -> InputError {
        let name =
            |(column, value): (usize, &str)| (self.header.names[column].clone(), value.to_owned());
        let At { row, line } = self.at();
        InputError::of_row(self.header.file, (row, line), cell.map(name), problem)
    }
}

const NOT_UTF8: &str = "not UTF-8 text; convert the file to UTF-8";
