//! Opening the file of forecasts, in whatever format it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::ValueEnum;

use super::progress::Line;
use crate::input::{Columns, CsvOptions, InputError};
use truecal::Forecasts;

/// How forecasts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text with a header row
    Csv,
    /// What numpy.save writes: an array of floats of shape (n, 2), outcome and prediction
    Npy,
    /// Columns by name (if built with --features parquet)
    Parquet,
}

impl Format {
    /// The format that the name of a file promises.
    pub fn of(path: &Path) -> Self {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("npy") => Format::Npy,
            Some("parquet") => Format::Parquet,
            _ => Format::Csv,
        }
    }
}

/// Options that a format has no use for.
pub(super) fn refused(format: Format, options: &CsvOptions) -> Result<(), InputError> {
    let named = matches!(
        options.columns,
        Columns::Rounds { outcome: Some(_), .. } | Columns::Rounds { prediction: Some(_), .. }
    );
    let refused = if format == Format::Csv {
        None
    } else if matches!(options.columns, Columns::Levels { .. }) {
        Some("--levels is for CSV; leave it out, or say --format csv if the file is one")
    } else if options.delimiter.is_some() {
        Some("--delimiter is for CSV; leave it out, or say --format csv if the file is one")
    } else if format == Format::Npy && named {
        Some(
            "the columns of an .npy file have no names: outcome, then prediction; leave out --y \
                and --p",
        )
    } else {
        None
    };
    match refused {
        Some(problem) => Err(InputError::of_file(&options.name, problem)),
        None => Ok(()),
    }
}

pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Shows how far a source of a known size, or of none, was read.
pub(super) fn reading(line: &mut Line, words: &str, (rows, bytes): (u64, u64), size: Option<u64>) {
    match size {
        Some(size) => line.show_share(bytes, size, || format!("{words}: {rows} rows")),
        None => line.show(|| format!("{words}: {rows} rows, {} MB", bytes / 1_000_000)),
    }
}

/// What is read, from any thread.
pub(super) type Source = Box<dyn Read + Send>;

/// The source and its size, if that is known.
pub(super) fn open(path: &Path, name: &str) -> Result<(Source, Option<u64>), InputError> {
    if is_stdin(path) {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = open_file(path, name)?;
    let size = file.metadata().map(|data| data.len()).ok().filter(|&size| size > 0);
    Ok((Box::new(file), size))
}

fn open_file(path: &Path, name: &str) -> Result<File, InputError> {
    File::open(path).map_err(|error| {
        InputError::of_file(
            name,
            match error.kind() {
                io::ErrorKind::NotFound => "there is no such file; check the path".to_owned(),
                _ => format!("cannot be opened: {error}"),
            },
        )
    })
}

#[cfg(feature = "parquet")]
pub(super) fn parquet(
    path: &Path,
    options: &CsvOptions,
    progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    use crate::input::{read_parquet, read_parquet_bytes};
    let name = &options.name;
    if !is_stdin(path) {
        return read_parquet(open_file(path, name)?, name, &options.columns, progress);
    }
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| InputError::of_file(name, format!("cannot be read: {error}")))?;
    read_parquet_bytes(bytes, name, &options.columns, progress)
}

#[cfg(not(feature = "parquet"))]
pub(super) fn parquet(
    path: &Path,
    options: &CsvOptions,
    _progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    if !is_stdin(path) {
        open_file(path, &options.name)?; // a file that is not there is the first thing to know
    }
    let problem = "this truecal was built without Parquet; build it with `cargo build --release \
        --features parquet`, or convert the file to CSV or .npy";
    Err(InputError::of_file(&options.name, problem))
}
