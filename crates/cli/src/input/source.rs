//! Where rows come from: files, folders of parts, patterns and standard input, compressed or not.

use std::fs::{self, File};
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::error::InputError;
use super::magic::{self, Kind};

/// One file of several, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub path: PathBuf,
    /// What messages call it.
    pub name: String,
}

/// What is read, from any thread.
pub(crate) type Source = Box<dyn Read + Send>;

/// A file that was opened and looked into.
pub(crate) struct Opened {
    /// All of it, decompressed.
    pub source: Source,
    /// Its size in bytes, if that is known and nothing is compressed.
    pub size: Option<u64>,
    /// What its first bytes say.
    pub kind: Kind,
    /// Whether `source` is the file byte for byte.
    pub plain: bool,
}

impl Part {
    /// The file itself.
    pub fn of(path: &Path) -> Self {
        let name = match is_stdin(path) {
            true => "standard input".to_owned(),
            false => path.display().to_string(),
        };
        Part { path: path.to_owned(), name }
    }

    /// Whether it is standard input, which can be read only once.
    pub fn is_stdin(&self) -> bool {
        is_stdin(&self.path)
    }

    /// Opens it and undoes its compression.
    pub fn open(&self) -> Result<Opened, InputError> {
        let (source, size) = self.raw()?;
        let unreadable = |error: io::Error| {
            let problem = match error.kind() {
                ErrorKind::IsADirectory => "is a folder; give a file".to_owned(),
                _ => format!("cannot be read: {error}"),
            };
            InputError::of_file(&self.name, problem)
        };
        let (mut source, mut kind) = looked_into(source).map_err(unreadable)?;
        let mut plain = true;
        while let Some(unpacked) = unpacked(kind, &mut source).map_err(unreadable)? {
            plain = false;
            (source, kind) = looked_into(unpacked).map_err(|error| {
                let problem = format!("cannot be decompressed: {error}; copy or make it again");
                InputError::of_file(&self.name, problem)
            })?;
        }
        Ok(Opened { source, size: size.filter(|_| plain), kind, plain })
    }

    /// The file as it is, and its size if that is known.
    fn raw(&self) -> Result<(Source, Option<u64>), InputError> {
        if self.is_stdin() {
            return Ok((Box::new(io::stdin()), None));
        }
        let file = self.file()?;
        let size = file.metadata().map(|data| data.len()).ok().filter(|&size| size > 0);
        Ok((Box::new(file), size))
    }

    /// The file, to be read in any order.
    pub fn file(&self) -> Result<File, InputError> {
        File::open(&self.path).map_err(|error| {
            InputError::of_file(
                &self.name,
                match error.kind() {
                    ErrorKind::NotFound => "there is no such file; check the path".to_owned(),
                    _ => format!("cannot be opened: {error}"),
                },
            )
        })
    }
}

/// What is compressed, if something is; `source` is taken then.
fn unpacked(kind: Kind, source: &mut Source) -> io::Result<Option<Source>> {
    let taken = |source: &mut Source| std::mem::replace(source, Box::new(io::empty()));
    Ok(match kind {
        Kind::Gzip => Some(Box::new(MultiGzDecoder::new(taken(source)))),
        Kind::Zstd => Some(Box::new(zstd::Decoder::new(taken(source))?)),
        _ => None,
    })
}

/// What its first bytes say of a source, and the source from its start.
fn looked_into(mut source: Source) -> io::Result<(Source, Kind)> {
    let mut start = vec![];
    source.by_ref().take(magic::START as u64).read_to_end(&mut start)?;
    let kind = magic::recognise(&start);
    Ok((Box::new(Cursor::new(start).chain(source)), kind))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The files that are meant: themselves, those in a folder, those that match a pattern such as
/// `part-*.csv`; in the order of their names.
pub(crate) fn parts(paths: &[PathBuf]) -> Result<Vec<Part>, InputError> {
    let mut all = vec![];
    for path in paths {
        let name = path.display().to_string();
        if is_stdin(path) {
            if paths.len() > 1 {
                let problem = "standard input cannot be one of several files; give it alone";
                return Err(InputError::of_file("-", problem));
            }
            all.push(Part::of(path));
        } else if path.is_dir() {
            all.extend(folder(path, &name)?);
        } else if !path.exists() && name.contains(['*', '?', '[']) {
            all.extend(matches(path, &name)?);
        } else {
            all.push(Part::of(path));
        }
    }
    for (place, part) in all.iter().enumerate() {
        if all[..place].contains(part) {
            return Err(InputError::of_file(&part.name, "is given twice; give each file once"));
        }
    }
    Ok(all)
}

/// The files in a folder, but for those that programs hide or mark with `_`, as Spark does, or are
/// copies that editors keep.
fn folder(path: &Path, name: &str) -> Result<Vec<Part>, InputError> {
    let unreadable =
        |error: io::Error| InputError::of_file(name, format!("cannot be read: {error}"));
    let mut files = vec![];
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let hidden = path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.starts_with(['.', '_']) || name.ends_with('~')
        });
        if hidden {
            continue;
        }
        if path.is_dir() {
            let problem = format!(
                "has a folder in it, {}; give the folders that hold the files (what their names \
                    say, such as year=2024, is not read: write it into the files)",
                path.display()
            );
            return Err(InputError::of_file(name, problem));
        }
        files.push(path);
    }
    if files.is_empty() {
        return Err(InputError::of_file(name, "is a folder without files; give a file"));
    }
    files.sort();
    Ok(files.iter().map(|path| Part::of(path)).collect())
}

/// The files that match a pattern, in the order of their names.
fn matches(path: &Path, pattern: &str) -> Result<Vec<Part>, InputError> {
    let of_pattern = |problem: String| InputError::of_file(pattern, problem);
    // What cannot be a pattern, such as `a[1.csv`, is a name.
    let Ok(paths) = glob::glob(pattern) else { return Ok(vec![Part::of(path)]) };
    let paths = paths.collect::<Result<Vec<_>, _>>();
    let paths = paths.map_err(|error| of_pattern(format!("cannot be read: {error}")))?;
    match paths.as_slice() {
        [] => Err(of_pattern("no file matches this pattern; check the path".to_owned())),
        some => Ok(some.iter().map(|path| Part::of(path)).collect()),
    }
}
