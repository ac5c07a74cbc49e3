//! Reading CSV.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use super::rows::{RowError, Rows};
use super::{Columns, InputError, Place};
use crate::forecasts::Forecasts;
use crate::prediction::Prediction;

/// How to read a CSV file.
#[derive(Clone, Debug, Default)]
pub struct CsvOptions {
    /// The name of the file, for messages.
    pub name: String,
    /// What the columns mean.
    pub columns: Columns,
    /// The byte between cells; `None` to see from the header whether it is comma, tab or semicolon.
    pub delimiter: Option<u8>,
}

/// Reads rounds, or levels, from CSV with a header row.
///
/// `progress` is called now and then with the rows and bytes read so far. Memory grows with the distinct
/// predictions and the longest row.
///
/// ```
/// use truecal::input::{CsvOptions, read_csv};
/// let csv = "outcome,forecast\n1,0.3\n0,1/3\n";
/// let forecasts = read_csv(csv.as_bytes(), &CsvOptions::default(), |_, _| ())?;
/// assert_eq!((forecasts.rounds(), forecasts.ones()), (2, 1));
///
/// let options = CsvOptions { name: "bad.csv".into(), ..CsvOptions::default() };
/// let error = read_csv("y,p\n1,1.5\n".as_bytes(), &options, |_, _| ()).unwrap_err();
/// assert!(error.to_string().starts_with(r#"bad.csv, row 1 (line 2), column "p", value "1.5": greater than 1"#));
/// # Ok::<(), truecal::input::InputError>(())
/// ```
pub fn read_csv(
    mut source: impl Read,
    options: &CsvOptions,
    mut progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    let of_file = |problem: &str| InputError::of_file(&options.name, problem);
    let of_row = |error: RowError| match error {
        RowError::Io(error) if error.kind() == ErrorKind::IsADirectory => {
            of_file("is a folder; give a CSV file")
        }
        other => of_file(&other.to_string()),
    };
    // A pipe may hand over its bytes one by one; what is decided from the start must not depend on that.
    let mut start = Vec::new();
    source.by_ref().take(1 << 16).read_to_end(&mut start).map_err(|error| of_row(error.into()))?;
    if start.is_empty() {
        return Err(of_file("the file is empty; give a header row and one row per round"));
    }
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
    let delimiter = options.delimiter.unwrap_or_else(|| likely_delimiter(start));
    let mut rows = Rows::new(BufReader::with_capacity(1 << 16, start.chain(source)), delimiter);

    if !rows.read().map_err(of_row)? {
        return Err(of_file("the file has no rows; give a header row and one row per round"));
    }
    let header = Header::read(&rows, options)?;
    let mut forecasts = Forecasts::new();
    let mut number = 0;
    while rows.read().map_err(of_row)? {
        number += 1;
        let row = Row { header: &header, options, rows: &rows, number };
        row.push_to(&mut forecasts)?;
        if number % (1 << 14) == 0 {
            progress(number, rows.bytes());
        }
    }
    match number {
        0 => Err(of_file("there is a header but no row of data; give one row per round")),
        _ => Ok(forecasts),
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The most frequent of comma, tab and semicolon in the first line, outside quotes.
fn likely_delimiter(start: &[u8]) -> u8 {
    let mut counts = [(b',', 0), (b'\t', 0), (b';', 0)];
    let mut within_quotes = false;
    let blank_lines = start.iter().take_while(|byte| b"\r\n".contains(byte)).count();
    for &byte in &start[blank_lines..] {
        match byte {
            b'"' => within_quotes = !within_quotes,
            b'\n' | b'\r' if !within_quotes => break,
            _ if within_quotes => {}
            _ => {
                counts.iter_mut().filter(|(delimiter, _)| *delimiter == byte).for_each(|c| c.1 += 1)
            }
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts.iter().find(|(_, count)| *count == most).map_or(b',', |(delimiter, _)| *delimiter)
}

/// The names of the columns, and which of them are wanted.
struct Header {
    names: Vec<String>,
    /// Positions in the order of [`Columns::find`].
    wanted: Vec<usize>,
}

impl Header {
    fn read(rows: &Rows<impl BufRead>, options: &CsvOptions) -> Result<Self, InputError> {
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
}

/// A row of data and all that is needed to complain about it.
struct Row<'a, R> {
    header: &'a Header,
    options: &'a CsvOptions,
    rows: &'a Rows<R>,
    /// From 1, the header not counted.
    number: u64,
}

impl<R: BufRead> Row<'_, R> {
    fn push_to(&self, forecasts: &mut Forecasts) -> Result<(), InputError> {
        let columns = self.header.names.len();
        if self.rows.len() != columns {
            return Err(self.error(None, format!(
                "the number of cells is {} but the header has {columns}; add what is missing, or quote cells that contain the delimiter",
                self.rows.len(),
            )));
        }
        for column in 0..columns {
            self.text(column)?; // columns that are not wanted must be text, too
        }
        let pushed = match self.options.columns {
            Columns::Rounds { .. } => {
                let outcome = self.parse(0, outcome)?;
                forecasts.push(outcome, self.parse(1, str::parse)?)
            }
            Columns::Levels { .. } => {
                let prediction: Prediction = self.parse(0, str::parse)?;
                let count = self.parse(1, |text| match natural(text)? {
                    0 => Err("a level of no rounds; remove the row"),
                    count => Ok(count),
                })?;
                let ones = self.parse(2, |text| match natural(text).map_err(str::to_owned)? {
                    ones if ones > count => Err(format!(
                        "more than the count of rounds, which is {count}; ones are counted among them"
                    )),
                    ones => Ok(ones),
                })?;
                forecasts.push_level(prediction, count, ones)
            }
        };
        pushed.map_err(|error| self.error(None, error.to_string()))
    }

    /// A cell as text.
    fn text(&self, column: usize) -> Result<&str, InputError> {
        let cell = self.rows.cell(column);
        std::str::from_utf8(cell).map_err(|_| {
            let lossy = String::from_utf8_lossy(cell);
            self.error(Some((column, &lossy)), NOT_UTF8.to_owned())
        })
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
        let place = Place { row: Some((self.number, self.rows.line())), cell };
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
    whole.parse().map_err(
        |_| "more rounds than 64 bits can count; divide all counts and ones by a common factor",
    )
}
