//! Reading CSV.

use std::io::{self, BufRead, ErrorKind, Read};

use rayon::prelude::*;

use super::blocks::{Blocks, Bytes};
use super::cells::{Header, Row};
use super::columns::CsvOptions;
use super::error::{InputError, Problems};
use super::plain::Plain;
use super::rows::{RowError, Rows};
use super::sink::{Lot, Sink, Totals};
use truecal::Forecasts;

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
    source: impl Read + Send,
    options: &CsvOptions,
    progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    let mut forecasts = Forecasts::new();
    read_csv_into(&mut forecasts, source, options, progress)?;
    forecasts.settle();
    Ok(forecasts)
}

/// The same for whatever takes rounds.
pub(crate) fn read_csv_into(
    sink: &mut dyn Sink,
    source: impl Read + Send,
    options: &CsvOptions,
    progress: impl FnMut(u64, u64),
) -> Result<Totals, InputError> {
    let chunk = 1 << 18;
    let sizes = Sizes { chunk, batch: 4 * chunk * rayon::current_num_threads() };
    read(sink, source, options, Some(sizes), progress)
}

/// How much is read at a time.
#[derive(Clone, Copy)]
struct Sizes {
    /// What one thread gets.
    chunk: usize,
    /// What all threads get.
    batch: usize,
}

/// Reads a file; without sizes strictly row by row, which is the definition of what is accepted.
fn read(
    sink: &mut dyn Sink,
    source: impl Read + Send,
    options: &CsvOptions,
    sizes: Option<Sizes>,
    mut progress: impl FnMut(u64, u64),
) -> Result<Totals, InputError> {
    let of_file = |problem: &str| InputError::of_file(&options.name, problem);
    let of_io = |error: io::Error| of_row(&options.name, error.into());
    let mut blocks = Blocks::new(source);
    // What is decided from the start must not depend on how a pipe hands it over.
    blocks.fill(1 << 16).map_err(of_io)?;
    if blocks.is_empty() {
        return Err(of_file(EMPTY));
    }
    if blocks.rest().starts_with(BYTE_ORDER_MARK) {
        blocks.consume(BYTE_ORDER_MARK.len());
    }
    let delimiter = options.delimiter.unwrap_or_else(|| likely_delimiter(blocks.rest()));
    let (rows, header) = begin(&mut blocks, delimiter, options)?;
    let place = Place { rows: 0, lines: rows.next_line() - 1, skipped: 0 };
    let problems = Problems::default();
    let mut reader = Reader { header: &header, options, delimiter, place, problems };
    match reader.all(&mut blocks, sizes, sink, &mut progress) {
        // What is wrong with rows comes first: it may be why the file does not end well.
        Err(error) if reader.problems.is_empty() => return Err(error),
        _ => reader.problems.into_result()?,
    }
    let Place { rows, skipped, .. } = reader.place;
    match rows {
        0 => Err(of_file(NO_ROUNDS)),
        rows => Ok(Totals { rows, skipped }),
    }
}

/// Reads the header, and goes to the line after it.
pub(super) fn begin<R: BufRead>(
    source: R,
    delimiter: u8,
    options: &CsvOptions,
) -> Result<(Rows<R>, Header<'_>), InputError> {
    let mut rows = Rows::new(source, delimiter, 1);
    if !rows.read().map_err(|error| of_row(&options.name, error))? {
        let problem = "the file has no rows; give a header row and one row per round";
        return Err(InputError::of_file(&options.name, problem));
    }
    let header = Header::read(&rows, options)?;
    rows.end_line().map_err(|error| of_row(&options.name, error))?;
    Ok((rows, header))
}

pub(super) fn of_row(name: &str, error: RowError) -> InputError {
    match error {
        RowError::Io(error) if error.kind() == ErrorKind::IsADirectory => {
            InputError::of_file(name, "is a folder; give a CSV file")
        }
        other => InputError::of_file(name, other.to_string()),
    }
}

/// How far a file has been read: its rows of data, those of them that were left out, and its lines.
#[derive(Clone, Copy, Default)]
struct Place {
    rows: u64,
    skipped: u64,
    lines: u64,
}

/// Reads rows of data.
struct Reader<'a> {
    header: &'a Header<'a>,
    options: &'a CsvOptions,
    delimiter: u8,
    place: Place,
    problems: Problems,
}

impl Reader<'_> {
    /// Hands over all rows, to the end of the file.
    fn all<R: Read + Send>(
        &mut self,
        blocks: &mut Blocks<R>,
        sizes: Option<Sizes>,
        sink: &mut dyn Sink,
        progress: &mut impl FnMut(u64, u64),
    ) -> Result<(), InputError> {
        let mut lines = Bytes::default();
        loop {
            // Once a row is bad the others are only looked at, one by one.
            let sizes = sizes.filter(|_| self.problems.is_empty());
            lines = match sizes {
                Some(sizes) => {
                    let filled = blocks.fill(sizes.batch);
                    filled.map_err(|error| of_row(&self.options.name, error.into()))?;
                    blocks.whole_lines(lines)
                }
                None => Bytes::default(),
            };
            match sizes.filter(|_| !lines.all().is_empty()) {
                Some(sizes) => self.at_once(lines.all(), sizes, blocks, sink)?,
                // No line ends in sight, or nothing is left.
                None => {
                    let far = sizes.map_or(usize::MAX, |sizes| sizes.batch);
                    if !self.one_by_one(blocks, far, sink)? {
                        return Ok(());
                    }
                }
            }
            progress(self.place.rows, blocks.used());
        }
    }

    /// Hands over rows strictly, one by one, for so many bytes and to the end of that row; `false`
    /// if there is nothing more.
    fn one_by_one<R: Read>(
        &mut self,
        blocks: &mut Blocks<R>,
        bytes: usize,
        sink: &mut dyn Sink,
    ) -> Result<bool, InputError> {
        let name = &self.options.name;
        let end = blocks.used().saturating_add(bytes as u64);
        let mut rows = Rows::new(blocks, self.delimiter, self.place.lines + 1);
        let mut any = false;
        while rows.source().used() < end && rows.read().map_err(|error| of_row(name, error))? {
            any = true;
            self.place.rows += 1;
            let row = Row { header: self.header, rows: &rows, number: self.place.rows };
            let mut lot = Lot::default();
            match row.push_to(&mut lot) {
                Err(error) => self.problems.note(error)?,
                Ok(()) if self.problems.is_empty() => {
                    self.place.skipped += lot.skipped;
                    sink.take(lot).map_err(|error| row.refused(error))?;
                }
                Ok(()) => {}
            }
        }
        rows.end_line().map_err(|error| of_row(name, error))?;
        self.place.lines = rows.next_line() - 1;
        Ok(any)
    }

    /// Hands over lines that were read, on all threads, while the next are read.
    ///
    /// They are parted at the ends of lines, which may be within quotation marks. But a chunk that
    /// begins with a row and is read without a mistake ends with a row, so that the next one
    /// begins with one. From the first chunk with a mistake on, or that is refused, rows are read
    /// one by one, which finds out what is wrong, and where; or ends beyond a quotation.
    fn at_once<R: Read + Send>(
        &mut self,
        lines: &[u8],
        sizes: Sizes,
        blocks: &mut Blocks<R>,
        sink: &mut dyn Sink,
    ) -> Result<(), InputError> {
        let chunks = chunks(lines, sizes.chunk);
        let plain = self.header.plain(self.options, self.delimiter);
        let read = |chunk: &&[u8]| self.chunk(chunk, plain.as_ref()).ok();
        let (lots, filled) = rayon::join(
            || chunks.par_iter().map(read).collect::<Vec<_>>(),
            || blocks.fill(sizes.batch),
        );
        let mut done = 0;
        for (chunk, lot) in chunks.iter().zip(lots) {
            let taken = lot.and_then(|(mut lot, more)| {
                for bucket in &mut lot.buckets {
                    bucket.at.row += self.place.rows;
                    bucket.at.line = bucket.at.line.map(|line| line + self.place.lines);
                }
                sink.take(lot).is_ok().then_some(more)
            });
            let Some(more) = taken else {
                blocks.put_back(&lines[done..]);
                self.one_by_one(blocks, chunk.len(), sink)?;
                return Ok(());
            };
            done += chunk.len();
            self.place.rows += more.rows;
            self.place.skipped += more.skipped;
            self.place.lines += more.lines;
        }
        filled.map_err(|error| of_row(&self.options.name, error.into()))
    }

    /// The rows of a chunk that begins with one, counted from its start.
    fn chunk(&self, chunk: &[u8], plain: Option<&Plain>) -> Result<(Lot, Place), InputError> {
        let name = &self.options.name;
        let first = chunk.iter().position(|byte| *byte == b'\n').map_or(chunk.len(), |end| end + 1);
        let mut lot = Lot::with_room(chunk.len() / first + chunk.len() / (8 * first) + 1);
        let mut rows = Rows::new(chunk, self.delimiter, 1);
        let mut number = 0;
        loop {
            if let Some(plain) = plain {
                let skimmed = rows.skim(|bytes| plain.take(bytes, &mut lot));
                number += skimmed.map_err(|error| of_row(name, error))?;
            }
            // Whatever is not plain.
            if !rows.read().map_err(|error| of_row(name, error))? {
                break;
            }
            number += 1;
            Row { header: self.header, rows: &rows, number }.push_to(&mut lot)?;
        }
        lot.decimals.shrink();
        let place = Place { rows: number, skipped: lot.skipped, lines: rows.next_line() - 1 };
        Ok((lot, place))
    }
}

/// Lines in chunks of about this size.
fn chunks(lines: &[u8], size: usize) -> Vec<&[u8]> {
    let (mut chunks, mut rest) = (vec![], lines);
    while !rest.is_empty() {
        let beyond = rest.get(size..).and_then(|rest| rest.iter().position(|byte| *byte == b'\n'));
        let (chunk, more) = rest.split_at(beyond.map_or(rest.len(), |beyond| size + beyond + 1));
        chunks.push(chunk);
        rest = more;
    }
    chunks
}

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What is wrong with a file without a byte.
pub(super) const EMPTY: &str = "the file is empty; give a header row and one row per round";

/// What is wrong with a file that ends after its header.
pub(super) const NO_ROUNDS: &str = "there is a header but no row of data; give one row per round";

/// The most frequent of comma, tab and semicolon in the first line, outside quotes.
pub(super) fn likely_delimiter(start: &[u8]) -> u8 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What comes of the bytes; strictly row by row without sizes.
    fn read_as(
        bytes: &[u8],
        options: &CsvOptions,
        sizes: Option<Sizes>,
    ) -> Result<Forecasts, String> {
        let mut forecasts = Forecasts::new();
        read(&mut forecasts, bytes, options, sizes, |_, _| ())
            .map(|_| forecasts)
            .map_err(|error| error.to_string())
    }

    /// Chunks of a few bytes, so that rows and quotations are parted everywhere, and of all.
    const SIZES: [Sizes; 4] = [
        Sizes { chunk: 1, batch: 7 },
        Sizes { chunk: 5, batch: 16 },
        Sizes { chunk: 40, batch: 1000 },
        Sizes { chunk: 1 << 18, batch: 1 << 20 },
    ];

    fn agree(bytes: &[u8]) -> Result<(), TestCaseError> {
        for delimiter in [None, Some(b','), Some(b'.'), Some(b' ')] {
            let options = CsvOptions { name: "bytes".into(), delimiter, ..CsvOptions::default() };
            let strict = read_as(bytes, &options, None);
            for sizes in SIZES {
                let quick = read_as(bytes, &options, Some(sizes));
                prop_assert_eq!(&quick, &strict, "{:?}", String::from_utf8_lossy(bytes));
            }
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

        /// Two columns in either order have a way of their own.
        #[test]
        fn two_columns_agree(
            rows in prop::collection::vec((
                prop::sample::select(vec!["0", "1", "1", "0", "2", "1.0", "true", ""]),
                prop_oneof![4 => "0[.][0-9]{1,19}", 1 => "[01.]{1,3}[0-9e-]{0,4}"],
                prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r", "", " \n"]),
                prop::sample::select(vec![",", ",", ",", ",", ";"]),
            ), 0..10),
            flipped: bool,
        ) {
            let row = |(y, p, end, comma): &(&str, String, &str, &str)| match flipped {
                true => format!("{p}{comma}{y}{end}"),
                false => format!("{y}{comma}{p}{end}"),
            };
            let header = if flipped { "p,y\n" } else { "y,p\n" };
            agree(format!("{header}{}", rows.iter().map(row).collect::<String>()).as_bytes())?;
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
        let complaint = read_as(text.as_bytes(), &options, Some(SIZES[3])).expect_err("1.5");
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
        let mut lot = Lot::default();
        let rows = b"1,,0.5\n0,caf\xc3\xa9,1e-05\r\nTrue,x,1\n0.0,x,0.12345678901234567\n1,x,1/3\n";
        let taken = plain.take(rows, &mut lot);
        assert_eq!((taken.rows, taken.bytes), (4, rows.len() - b"1,x,1/3\n".len()));
        assert_eq!((lot.decimals.rounds(), lot.decimals.ones()), (4, 2));
        assert!(Plain::new(b'.', 2, 0, 1).is_none());
    }
}
