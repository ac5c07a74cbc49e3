//! A row of CSV as forecasts: which cells are wanted, what they say, and what is wrong with them.

use std::io::BufRead;

use super::plain::Plain;
use super::rows::Rows;
use super::{Columns, CsvOptions, InputError, Lot, Position, SinkError};
use truecal::{Decimal, Prediction};

/// The names of the columns, and which of them are wanted.
pub(super) struct Header {
    names: Vec<String>,
    /// Positions in the order of [`Columns::find`].
    wanted: Vec<usize>,
}

impl Header {
    pub fn read(rows: &Rows<impl BufRead>, options: &CsvOptions) -> Result<Self, InputError> {
        let of_file = |problem: String| InputError::of_file(&options.name, problem);
        let name = |index| std::str::from_utf8(rows.cell(index)).map(str::trim);
        let names: Result<Vec<&str>, _> = (0..rows.len()).map(name).collect();
        let names = names.map_err(|_| of_file(format!("the header is {NOT_UTF8}")))?;
        if names.iter().any(|name| name.contains('\0')) {
            return Err(of_file(
                "the header has zero bytes, as UTF-16 does; convert the file to UTF-8".into(),
            ));
        }
        let wanted = options.columns.find(&names).map_err(of_file)?;
        Ok(Header { names: names.into_iter().map(str::to_owned).collect(), wanted })
    }

    /// The short cut for rows of rounds.
    pub fn plain(&self, options: &CsvOptions, delimiter: u8) -> Option<Plain> {
        match (&options.columns, self.wanted.as_slice()) {
            (Columns::Rounds { .. }, &[outcome, prediction]) => {
                Plain::new(delimiter, self.names.len(), outcome, prediction)
            }
            _ => None,
        }
    }
}

/// A row of data and all that is needed to complain about it.
pub(super) struct Row<'a, R> {
    pub header: &'a Header,
    pub options: &'a CsvOptions,
    pub rows: &'a Rows<R>,
    /// From 1, the header not counted.
    pub number: u64,
}

impl<R: BufRead> Row<'_, R> {
    /// Reads the row into a lot; short decimals in a simpler way if `short_cut`.
    pub fn push_to(&self, lot: &mut Lot, short_cut: bool) -> Result<(), InputError> {
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
        match self.options.columns {
            Columns::Rounds { .. } => {
                let outcome = self.parse(0, outcome)?;
                match self.decimal(1).filter(|_| short_cut) {
                    Some(decimal) => lot.push_decimal(outcome, decimal),
                    None => lot.push(outcome, self.parse(1, str::parse)?),
                }
            }
            Columns::Levels { .. } => {
                let prediction: Prediction = self.parse(0, str::parse)?;
                let count = self.parse(1, |text| match natural(text)? {
                    0 => Err("a level of no rounds; remove the row"),
                    count => Ok(count),
                })?;
                let ones = self.parse(2, |text| match natural(text).map_err(str::to_owned)? {
                    ones if ones > count => Err(format!(
                        "more than the count of rounds, which is {count}; ones are counted among \
                            them"
                    )),
                    ones => Ok(ones),
                })?;
                lot.others.push((prediction, count, ones));
            }
        }
        Ok(())
    }

    /// What to say if the row is refused.
    pub fn refused(&self, error: SinkError) -> InputError {
        let wanted = match self.options.columns {
            Columns::Rounds { .. } => 1,
            Columns::Levels { .. } => 0,
        };
        let column = self.header.wanted[wanted];
        let cell = match error {
            SinkError::LongPrediction => self.text(column).ok().map(|text| (column, text)),
            SinkError::Forecasts(_) | SinkError::Full | SinkError::Copy(_) => None,
        };
        self.error(cell, error.to_string())
    }

    /// A cell as text.
    fn text(&self, column: usize) -> Result<&str, InputError> {
        let cell = self.rows.cell(column);
        std::str::from_utf8(cell).map_err(|_| {
            let lossy = String::from_utf8_lossy(cell);
            self.error(Some((column, &lossy)), NOT_UTF8.to_owned())
        })
    }

    /// A wanted cell, if it is a short decimal and nothing else.
    fn decimal(&self, wanted: usize) -> Option<Decimal> {
        let cell = self.rows.cell(self.header.wanted[wanted]);
        let (decimal, length) = Decimal::parse(cell)?;
        (length == cell.len()).then_some(decimal)
    }

    /// A wanted cell, parsed.
    fn parse<T, E: ToString>(
        &self,
        wanted: usize,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, InputError> {
        let column = self.header.wanted[wanted];
        let text = self.text(column)?;
        parse(text).map_err(|error| self.error(Some((column, text)), error.to_string()))
    }

    fn error(&self, cell: Option<(usize, &str)>, problem: String) -> InputError {
        let cell =
            cell.map(|(column, value)| (self.header.names[column].clone(), value.to_owned()));
        let place =
            Box::new(Position { row: Some(self.number), line: Some(self.rows.line()), cell });
        InputError { file: self.options.name.clone(), place, problem }
    }
}

const NOT_UTF8: &str = "not UTF-8 text; convert the file to UTF-8";

fn outcome(text: &str) -> Result<bool, &'static str> {
    let text = text.trim();
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        "" => Err("the cell is blank; give the outcome as 0 or 1, or remove the row"),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ => match text.parse::<Prediction>() {
            // 1.0 and 0.0, as tables with missing values elsewhere are often written
            Ok(Prediction::ZERO) => Ok(false),
            Ok(Prediction::ONE) => Ok(true),
            _ => Err("not an outcome; outcomes are 0 or 1, or false or true"),
        },
    }
}

/// A whole number, possibly written with zeros after the point.
fn natural(text: &str) -> Result<u64, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the cell is blank; give a whole number or remove the row");
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !part.bytes().all(|byte| byte == b'0') {
        return Err("not a whole number; counts and ones are rounds, counted");
    }
    whole.parse().map_err(|_| "more rounds than 64 bits can count; check the counts")
}
