//! Reading CSV.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use super::plain::Plain;
use super::rows::{RowError, Rows};
use super::{Columns, InputError, Position, Sink, SinkError};
use truecal::Forecasts;
use truecal::{Decimal, Prediction};

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
/// `progress` is called now and then with the rows and bytes read so far. Memory grows with the
/// distinct predictions and the longest row.
///
/// ```
/// use truecal_cli::input::{CsvOptions, read_csv};
/// let csv = "outcome,forecast\n1,0.3\n0,1/3\n";
/// let forecasts = read_csv(csv.as_bytes(), &CsvOptions::default(), |_, _| ())?;
/// assert_eq!((forecasts.rounds(), forecasts.ones()), (2, 1));
///
/// let options = CsvOptions { name: "bad.csv".into(), ..CsvOptions::default() };
/// let error = read_csv("y,p\n1,1.5\n".as_bytes(), &options, |_, _| ()).unwrap_err();
/// let place = r#"bad.csv, row 1 (line 2), column "p", value "1.5": greater than 1"#;
/// assert!(error.to_string().starts_with(place));
/// # Ok::<(), truecal_cli::input::InputError>(())
/// ```
pub fn read_csv(
    source: impl Read,
    options: &CsvOptions,
    progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    let mut forecasts = Forecasts::new();
    read_csv_into(&mut forecasts, source, options, progress)?;
    forecasts.settle();
    Ok(forecasts)
}

/// The same for whatever takes rounds; returns the number of rows.
pub(crate) fn read_csv_into(
    sink: &mut impl Sink,
    source: impl Read,
    options: &CsvOptions,
    progress: impl FnMut(u64, u64),
) -> Result<u64, InputError> {
    read(sink, source, options, true, progress)
}

/// With or without the short cut for plain rows.
fn read(
    sink: &mut impl Sink,
    mut source: impl Read,
    options: &CsvOptions,
    short_cut: bool,
    mut progress: impl FnMut(u64, u64),
) -> Result<u64, InputError> {
    let of_file = |problem: &str| InputError::of_file(&options.name, problem);
    let of_row = |error: RowError| match error {
        RowError::Io(error) if error.kind() == ErrorKind::IsADirectory => {
            of_file("is a folder; give a CSV file")
        }
        other => of_file(&other.to_string()),
    };
    // A pipe may hand over its bytes one by one; what is decided from the start must not depend on
    // that.
    let mut start = Vec::new();
    source.by_ref().take(1 << 16).read_to_end(&mut start).map_err(|error| of_row(error.into()))?;
    if start.is_empty() {
        return Err(of_file("the file is empty; give a header row and one row per round"));
    }
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
    let delimiter = options.delimiter.unwrap_or_else(|| likely_delimiter(start));
    let mut rows = Rows::new(BufReader::with_capacity(1 << 18, start.chain(source)), delimiter);

    if !rows.read().map_err(of_row)? {
        return Err(of_file("the file has no rows; give a header row and one row per round"));
    }
    let header = Header::read(&rows, options)?;
    let plain = header.plain(options, delimiter).filter(|_| short_cut);
    let (mut number, mut shown) = (0, 0);
    loop {
        if let Some(plain) = &plain {
            number += rows.skim(|bytes| plain.take(bytes, sink)).map_err(of_row)?;
        }
        // Whatever is not plain, such as the row at the end of the buffer.
        if !rows.read().map_err(of_row)? {
            break;
        }
        number += 1;
        let row = Row { header: &header, options, rows: &rows, number };
        row.push_to(sink, short_cut)?;
        if number - shown >= 1 << 14 {
            shown = number;
            progress(number, rows.bytes());
        }
    }
    match number {
        0 => Err(of_file("there is a header but no row of data; give one row per round")),
        _ => Ok(number),
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

    /// The short cut for rows of rounds.
    fn plain(&self, options: &CsvOptions, delimiter: u8) -> Option<Plain> {
        match (&options.columns, self.wanted.as_slice()) {
            (Columns::Rounds { .. }, &[outcome, prediction]) => {
                Plain::new(delimiter, self.names.len(), outcome, prediction)
            }
            _ => None,
        }
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
    fn push_to(&self, sink: &mut impl Sink, short_cut: bool) -> Result<(), InputError> {
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
        let pushed = match self.options.columns {
            Columns::Rounds { .. } => {
                let outcome = self.parse(0, outcome)?;
                match self.decimal(1).filter(|_| short_cut) {
                    Some(decimal) => sink.decimal(outcome, decimal),
                    None => sink.round(outcome, self.parse(1, str::parse)?),
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
                sink.level(prediction, count, ones)
            }
        };
        pushed.map_err(|error| {
            let column = self.header.wanted[1];
            let cell = match error {
                SinkError::LongPrediction => self.text(column).ok().map(|text| (column, text)),
                SinkError::Forecasts(_) | SinkError::Full => None,
            };
            self.error(cell, error.to_string())
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What comes of the bytes, with or without the short cut.
    fn read_as(bytes: &[u8], options: &CsvOptions, short_cut: bool) -> Result<Forecasts, String> {
        let mut forecasts = Forecasts::new();
        read(&mut forecasts, bytes, options, short_cut, |_, _| ())
            .map(|_| forecasts)
            .map_err(|error| error.to_string())
    }

    fn agree(bytes: &[u8]) -> Result<(), TestCaseError> {
        for delimiter in [None, Some(b','), Some(b'.'), Some(b' ')] {
            let options = CsvOptions { name: "bytes".into(), delimiter, ..CsvOptions::default() };
            let (quick, strict) = (read_as(bytes, &options, true), read_as(bytes, &options, false));
            prop_assert_eq!(quick, strict, "{:?}", String::from_utf8_lossy(bytes));
        }
        Ok(())
    }

    /// Rows that are nearly plain.
    fn rows() -> impl Strategy<Value = Vec<u8>> {
        let outcome = prop::sample::select(vec![
            "0", "1", "0.0", "1.0", "True", "false", "01", "2", "", " 1", "\"1\"", "1.", "tru",
        ]);
        let odd = prop::sample::select(vec![
            "1/3",
            "-0",
            "1.1",
            "nan",
            "",
            "1e-3",
            "1e-70",
            "1E+0",
            "\".5\"",
            "0,5",
            " .5",
            "1.0",
            "+1",
            "00.5",
            "0.12345678901234567890",
            "1e5000",
            ".",
            "0..5",
            "0.5e",
            "5e-1",
            "12e-2",
        ]);
        let prediction = prop_oneof![
            6 => "0?[.][0-9]{1,19}",
            2 => "[0-9][.][0-9]{0,17}e-[0-9]{1,3}",
            1 => odd.prop_map(str::to_owned),
        ];
        let note: Vec<&[u8]> =
            vec![b"", b"a", b"caf\xc3\xa9", b"\xc3", b"\"b,\nc\"", b"5\"", b"\"", b"d e", b"x\0"];
        let note = prop_oneof![9 => Just(&b"n"[..]), 1 => prop::sample::select(note)];
        let end = prop::sample::select(vec![
            "\n", "\n", "\n", "\r\n", "\r\n", "\r", "\n\n", "\n\r", ",\n", "",
        ]);
        let row = (outcome, prediction, note, end).prop_map(|(y, p, note, end)| {
            [y.as_bytes(), b",", p.as_bytes(), b",", note, end.as_bytes()].concat()
        });
        let header =
            prop::sample::select(vec!["y,p,note\n", "p,y,note\r\n", "note,p,y\r", "y,note,p\n\n"]);
        // Most rows are plain, so that the short cut is taken before something odd comes up.
        let good = (0..2_u8, "0[.][0-9]{1,17}", 0..8_u8).prop_map(|(y, p, end)| {
            let end = if end == 0 { "\r\n" } else { "\n" };
            format!("{y},{p},{end}").into_bytes()
        });
        let row = prop_oneof![3 => good, 1 => row];
        (header, prop::collection::vec(row, 0..12))
            .prop_map(|(header, rows)| [header.as_bytes(), &rows.concat()].concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// The short cut changes nothing: the same forecasts, or the same complaint about the same
        /// row.
        #[test]
        fn the_short_cut_agrees_with_the_strict_reader(bytes in rows()) {
            agree(&bytes)?;
        }

        #[test]
        fn the_short_cut_agrees_on_odd_bytes(
            rest in prop::collection::vec(prop::sample::select(b"01,.;\n\r\" \
                e-5/\xc3".to_vec()), 0..60),
        ) {
            agree(&[b"y,p\n".as_slice(), &rest].concat())?;
        }
    }

    /// Rows across the ends of several buffers, and a mistake far down, keep their numbers.
    #[test]
    fn long_files_agree() {
        let row =
            |i: u32| format!("{},0.{:017},x{}\r\n", i % 2, u64::from(i) * 2_654_435_761, i % 7);
        let mut text: String = (0..20_000).map(row).collect();
        text.insert_str(0, "y,p,note\n");
        agree(text.as_bytes()).expect("they agree");
        text.push_str("1,1.5,x\n");
        agree(text.as_bytes()).expect("they agree");
        let options = CsvOptions { name: "bytes".into(), ..CsvOptions::default() };
        let complaint = read_as(text.as_bytes(), &options, true).expect_err("1.5 is no prediction");
        assert!(
            complaint.starts_with("bytes, row 20001 (line 20002), column \"p\""),
            "{complaint}"
        );
    }

    /// The usual rows do take the short cut: otherwise all of this would compare the strict reader
    /// with itself.
    #[test]
    fn usual_rows_are_plain() {
        let plain = Plain::new(b',', 3, 0, 2).expect("a usual delimiter");
        let mut forecasts = Forecasts::new();
        let rows = b"1,,0.5\n0,caf\xc3\xa9,1e-05\r\nTrue,x,1\n0.0,x,0.12345678901234567\n1,x,1/3\n";
        let taken = plain.take(rows, &mut forecasts);
        assert_eq!((taken.rows, taken.bytes), (4, rows.len() - b"1,x,1/3\n".len()));
        assert_eq!((forecasts.rounds(), forecasts.ones()), (4, 2));
        assert!(Plain::new(b'.', 2, 0, 1).is_none());
    }
}
