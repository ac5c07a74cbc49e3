//! Reading CSV.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use csv::{ByteRecord, ReaderBuilder};

use super::{Columns, InputError, Place};
use crate::forecasts::Forecasts;
use crate::prediction::{Prediction, PredictionError};

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
    source: impl Read,
    options: &CsvOptions,
    mut progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    let of_file = |problem: &str| InputError::of_file(&options.name, problem);
    let of_read = |error: &std::io::Error| {
        of_file(&match error.kind() {
            ErrorKind::IsADirectory => "is a folder; give a CSV file".to_owned(),
            _ => format!("cannot be read: {error}"),
        })
    };
    let mut source = BufReader::with_capacity(1 << 16, source);
    let start = source.fill_buf().map_err(|error| of_read(&error))?;
    if start.is_empty() {
        return Err(of_file("the file is empty; give a header row and one row per round"));
    }
    let delimiter = options.delimiter.unwrap_or_else(|| likely_delimiter(start));
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true) // a row of another length is reported here, with its place
        .from_reader(source);

    let mut file = CsvFile { options, header: Vec::new(), columns: Vec::new() };
    let mut forecasts = Forecasts::new();
    let mut record = ByteRecord::new();
    let mut rows = 0;
    loop {
        let more =
            reader.read_byte_record(&mut record).map_err(|error| match error.into_kind() {
                csv::ErrorKind::Io(error) => of_read(&error),
                other => of_file(&format!("cannot be read as CSV: {other:?}")),
            })?;
        if !more {
            break;
        }
        if file.columns.is_empty() {
            file.read_header(&record)?;
            continue;
        }
        rows += 1;
        file.read_row(&record, rows, &mut forecasts)?;
        if rows % (1 << 14) == 0 {
            progress(rows, reader.position().byte());
        }
    }
    match (file.columns.is_empty(), rows) {
        (true, _) => Err(of_file("the file has no rows; give a header row and one row per round")),
        (false, 0) => Err(of_file("there is a header but no row of data; give one row per round")),
        _ => Ok(forecasts),
    }
}

/// The most frequent of comma, tab and semicolon in the first line, outside quotes.
fn likely_delimiter(start: &[u8]) -> u8 {
    let mut counts = [(b',', 0), (b'\t', 0), (b';', 0)];
    let mut within_quotes = false;
    for &byte in start {
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

/// What is known of the file once its header is read.
struct CsvFile<'a> {
    options: &'a CsvOptions,
    header: Vec<String>,
    /// Positions of the columns, in the order of [`Columns::find`].
    columns: Vec<usize>,
}

impl CsvFile<'_> {
    fn read_header(&mut self, record: &ByteRecord) -> Result<(), InputError> {
        let of_file = |problem: String| InputError::of_file(&self.options.name, problem);
        let text = |cell| std::str::from_utf8(cell);
        let header: Result<Vec<&str>, _> = record.iter().map(text).collect();
        let header = header.map_err(|_| of_file(format!("the header is {NOT_UTF8}")))?;
        self.columns = self.options.columns.find(&header).map_err(of_file)?;
        self.header = header.iter().map(|name| name.trim().to_owned()).collect();
        Ok(())
    }

    fn read_row(
        &self,
        record: &ByteRecord,
        row: u64,
        forecasts: &mut Forecasts,
    ) -> Result<(), InputError> {
        let of_row = |problem: String| self.error(record, row, None, problem);
        if record.len() != self.header.len() {
            return Err(of_row(format!(
                "the number of cells is {} but the header has {}; add what is missing, or quote cells that contain the delimiter",
                record.len(),
                self.header.len()
            )));
        }
        if std::str::from_utf8(record.as_slice()).is_err() {
            return Err(self.not_utf8(record, row));
        }
        let cell = |index: usize| -> &str {
            std::str::from_utf8(&record[self.columns[index]]).unwrap_or_default()
        };
        let in_cell = |index: usize| {
            let name = self.header[self.columns[index]].clone();
            let value = cell(index).to_owned();
            move |problem: String| self.error(record, row, Some((name, value)), problem)
        };
        let prediction = |index| -> Result<Prediction, InputError> {
            cell(index).parse().map_err(|error: PredictionError| {
                let hint = if cell(index).contains('\n') {
                    "; is a quotation mark left open?"
                } else {
                    ""
                };
                in_cell(index)(format!("{error}{hint}"))
            })
        };
        let pushed = match self.options.columns {
            Columns::Rounds { .. } => {
                let outcome = outcome(cell(0)).map_err(|e| in_cell(0)(e.to_owned()))?;
                forecasts.push(outcome, prediction(1)?)
            }
            Columns::Levels { .. } => {
                let count = natural(cell(1)).map_err(|e| in_cell(1)(e.to_owned()))?;
                if count == 0 {
                    return Err(in_cell(1)("a level of no rounds; remove the row".to_owned()));
                }
                let ones = natural(cell(2)).map_err(|e| in_cell(2)(e.to_owned()))?;
                if ones > count {
                    let problem = format!(
                        "more than the count of rounds, which is {count}; ones are counted among them"
                    );
                    return Err(in_cell(2)(problem));
                }
                forecasts.push_level(prediction(0)?, count, ones)
            }
        };
        pushed.map_err(|error| of_row(error.to_string()))
    }

    /// Names the first cell that is not UTF-8.
    fn not_utf8(&self, record: &ByteRecord, row: u64) -> InputError {
        let mut cells = self.header.iter().zip(record);
        let bad = cells.find(|(_, cell)| std::str::from_utf8(cell).is_err());
        let lossy = |(name, cell): (&String, &[u8])| {
            (name.clone(), String::from_utf8_lossy(cell).into_owned())
        };
        self.error(record, row, bad.map(lossy), NOT_UTF8.to_owned())
    }

    fn error(
        &self,
        record: &ByteRecord,
        row: u64,
        cell: Option<(String, String)>,
        problem: String,
    ) -> InputError {
        let line = record.position().map_or(0, csv::Position::line);
        let place = Place { row: Some((row, line)), cell };
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
