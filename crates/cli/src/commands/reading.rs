//! Reading forecasts, in whatever format and in however many parts they are.

use std::io::{Cursor, Read, Seek};
use std::path::PathBuf;

use bytes::Bytes;
use clap::ValueEnum;

use super::progress::Line;
use crate::input::{
    Arrow, Columns, CsvOptions, InputError, JsonLines, Kind, Lot, Meaning, NpyArrays, NpyReader,
    Npz, Opened, Parquet, Part, Sink, Table, Totals, parts, read_csv_into, read_table,
};

/// How forecasts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text with a header row
    Csv,
    /// A JSON object on each line
    Json,
    /// What numpy.save writes: an array of floats of shape (n, 2), outcome and prediction
    Npy,
    /// What numpy.savez writes: one-dimensional arrays by name
    Npz,
    /// Parquet
    Parquet,
    /// Arrow IPC, which Feather is
    Arrow,
}

impl Format {
    /// The format that the first bytes of a file show, or that its name promises.
    pub fn of(part: &Part, kind: Kind) -> Result<Self, InputError> {
        let promised = || {
            let name = part.path.file_name().unwrap_or_default();
            let mut name = name.to_string_lossy().to_lowercase();
            for packed in [".gz", ".zst"] {
                name.truncate(name.strip_suffix(packed).map_or(name.len(), str::len));
            }
            match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
                "npy" => Format::Npy,
                "npz" => Format::Npz,
                "parquet" | "pq" => Format::Parquet,
                "arrow" | "feather" | "ipc" => Format::Arrow,
                "json" | "jsonl" | "ndjson" => Format::Json,
                _ => Format::Csv,
            }
        };
        Ok(match kind {
            Kind::Npy => Format::Npy,
            Kind::Npz => Format::Npz,
            Kind::Parquet => Format::Parquet,
            Kind::ArrowFile | Kind::ArrowStream => Format::Arrow,
            Kind::JsonObject | Kind::JsonArray => Format::Json,
            Kind::Text | Kind::Gzip | Kind::Zstd => promised(),
            Kind::Foreign(found) => {
                let problem = format!("is {}; {}", found.name, found.remedy);
                return Err(InputError::of_file(&part.name, problem));
            }
        })
    }
}

/// What is to be read, and how.
pub(super) struct Job {
    pub from: From,
    pub format: Option<Format>,
    /// The name in it is not used: each part has its own.
    pub options: CsvOptions,
}

/// Where rows are.
pub(super) enum From {
    /// In files of rows.
    Parts(Vec<Part>),
    /// In files of one column each, by name.
    Columns(Vec<(String, Part)>),
}

impl From {
    /// Files, folders and patterns.
    pub fn files(paths: &[PathBuf]) -> Result<Self, InputError> {
        parts(paths).map(From::Parts)
    }

    fn parts(&self) -> Vec<&Part> {
        match self {
            From::Parts(parts) => parts.iter().collect(),
            From::Columns(columns) => columns.iter().map(|(_, part)| part).collect(),
        }
    }
}

impl Job {
    /// Whether it can be read only once.
    pub fn is_once(&self) -> bool {
        self.from.parts().into_iter().any(Part::is_stdin)
    }

    /// What messages call all of it.
    pub fn name(&self) -> String {
        match self.from.parts().as_slice() {
            [] => String::new(),
            [one] => one.name.clone(),
            [first, others @ ..] => format!("{} and {} more", first.name, others.len()),
        }
    }

    /// Hands over all rows. `words` say what is going on.
    pub fn read(&self, sink: &mut dyn Sink, words: &str) -> Result<Totals, InputError> {
        let mut all = Totals::default();
        let mut line = Line::new();
        match &self.from {
            From::Parts(parts) => {
                for part in parts {
                    let found = self.part(part, sink, words, &mut line)?;
                    all = Totals {
                        rows: all.rows + found.rows,
                        skipped: all.skipped + found.skipped,
                    };
                }
            }
            From::Columns(columns) => {
                let arrays = columns
                    .iter()
                    .map(|(name, part)| Ok((name.clone(), part.name.clone(), part.open()?.source)));
                let mut arrays = arrays.collect::<Result<Vec<_>, InputError>>()?;
                let arrays = arrays
                    .iter_mut()
                    .map(|(name, file, source)| (source, file.as_str(), name.as_str()));
                let mut table = NpyArrays::open(arrays.collect())?;
                let options = CsvOptions { name: self.name(), ..self.options.clone() };
                all = from_table(&mut table, sink, &options, words, &mut line)?;
            }
        }
        Ok(all)
    }

    fn part(
        &self,
        part: &Part,
        sink: &mut dyn Sink,
        words: &str,
        line: &mut Line,
    ) -> Result<Totals, InputError> {
        let opened = part.open()?;
        let format = match (self.format, opened.kind) {
            (Some(format), _) => format,
            (None, kind) => Format::of(part, kind)?,
        };
        let options = CsvOptions { name: part.name.clone(), ..self.options.clone() };
        refused(format, &options)?;
        let size = opened.size;
        let name = part.name.as_str();
        let mut table: Box<dyn Table> = match format {
            Format::Csv => {
                return read_csv_into(sink, opened.source, &options, |rows, bytes| {
                    reading(line, words, (rows, bytes), size);
                });
            }
            Format::Npy => return rounds_of_npy(opened, sink, &options, words, line),
            Format::Json => Box::new(JsonLines::open(opened.source, name)?),
            Format::Arrow if opened.kind == Kind::ArrowStream => {
                Box::new(Arrow::open_stream(opened.source, name)?)
            }
            Format::Arrow => Box::new(Arrow::open_file(anywhere(part, opened)?, name)?),
            Format::Npz => Box::new(Npz::open(anywhere(part, opened)?, name)?),
            Format::Parquet if opened.plain && !part.is_stdin() => {
                Box::new(Parquet::open(part.file()?, name)?)
            }
            Format::Parquet => Box::new(Parquet::open(Bytes::from(all_of(opened, name)?), name)?),
        };
        from_table(&mut *table, sink, &options, words, line)
    }
}

/// What can be read in any order.
trait Anywhere: Read + Seek + Send {}

impl<T: Read + Seek + Send> Anywhere for T {}

/// A file, for formats that are read from their end; if it is compressed, all bytes of it.
fn anywhere(part: &Part, opened: Opened) -> Result<Box<dyn Anywhere>, InputError> {
    Ok(match opened.plain && !part.is_stdin() {
        true => Box::new(part.file()?),
        false => Box::new(Cursor::new(all_of(opened, &part.name)?)),
    })
}

fn all_of(mut opened: Opened, name: &str) -> Result<Vec<u8>, InputError> {
    let mut bytes = vec![];
    opened
        .source
        .read_to_end(&mut bytes)
        .map_err(|error| InputError::of_file(name, format!("cannot be read: {error}")))?;
    Ok(bytes)
}

/// Options that a format has no use for.
fn refused(format: Format, options: &CsvOptions) -> Result<(), InputError> {
    let CsvOptions { columns: Columns { rows, by, weight }, grammar, delimiter, .. } = options;
    let only_rounds = matches!(
        rows,
        Meaning::Rounds { outcome: None, predictions } if predictions.is_empty()
    ) && by.is_empty()
        && weight.is_none();
    let problem = if format != Format::Csv && delimiter.is_some() {
        "--delimiter is for CSV; leave it out, or say --format csv if the file is one"
    } else if format == Format::Npy && !only_rounds {
        "the columns of an .npy file have no names: outcome, then prediction; leave out the \
            options that name columns, or give one array for each by --y-file and --p-file"
    } else if format == Format::Npy && !grammar.is_plain() {
        "an .npy file is read as it is; give its columns by --y-file and --p-file for --percent, \
            --positive and --missing"
    } else {
        return Ok(());
    };
    Err(InputError::of_file(&options.name, problem))
}

/// Shows how far a source of a known size, or of none, was read.
fn reading(line: &mut Line, words: &str, (rows, bytes): (u64, u64), size: Option<u64>) {
    match size {
        Some(size) => line.show_share(bytes, size, || format!("{words}: {rows} rows")),
        None => line.show(|| format!("{words}: {rows} rows, {} MB", bytes / 1_000_000)),
    }
}

/// An array of rounds, which needs no columns with names.
fn rounds_of_npy(
    opened: Opened,
    sink: &mut dyn Sink,
    options: &CsvOptions,
    words: &str,
    line: &mut Line,
) -> Result<Totals, InputError> {
    let (name, size) = (&options.name, opened.size);
    let mut reader = NpyReader::open(opened.source, name)?;
    let mut room = (vec![], vec![]);
    while let Some(rounds) = reader.read_rounds(&mut room)? {
        let taken = sink.take(Lot::of_doubles(rounds));
        taken.map_err(|error| InputError::of_file(name, error.to_string()))?;
        reading(line, words, (reader.rows(), reader.bytes()), size);
    }
    Ok(Totals { rows: reader.rows(), skipped: 0 })
}

fn from_table(
    table: &mut dyn Table,
    sink: &mut dyn Sink,
    options: &CsvOptions,
    words: &str,
    line: &mut Line,
) -> Result<Totals, InputError> {
    read_table(sink, table, options, |rows, share| match share {
        Some((part, whole)) => line.show_share(part, whole, || format!("{words}: {rows} rows")),
        None => line.show(|| format!("{words}: {rows} rows")),
    })
}
