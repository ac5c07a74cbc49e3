//! A file that is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// New contents for a file, written beside it and moved over it at the end.
pub(super) struct Replacement {
    target: PathBuf,
}

impl Replacement {
    /// Makes sure that the file can be written, before the work that it is for. A link is followed;
    /// what is there and not a regular file is refused.
    pub fn prepare(path: &Path) -> Result<Replacement, String> {
        let problem = |problem: String| format!("{}: cannot be written: {problem}", path.display());
        let target = match fs::canonicalize(path) {
            Ok(target) if !target.is_file() => {
                return Err(problem("not a regular file".to_owned()));
            }
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(problem(error.to_string())),
        };
        // Only tried, and not kept: whatever ends the work in between leaves nothing behind.
        Beside::create(&target).map_err(|error| problem(error.to_string()))?;
        Ok(Replacement { target })
    }

    /// Writes the contents and puts them in place.
    pub fn write(self, text: &str) -> Result<(), String> {
        let put = || {
            let mut beside = Beside::create(&self.target)?;
            beside.file.write_all(text.as_bytes())?;
            if let Ok(old) = fs::metadata(&self.target) {
                beside.file.set_permissions(old.permissions())?;
            }
            fs::rename(&beside.path, &self.target)
        };
        put().map_err(|error: io::Error| {
            format!("{}: cannot be written: {error}", self.target.display())
        })
    }
}

/// A new file beside another. It does not stay there, whatever happens; once it is renamed there is
/// nothing left to remove.
struct Beside {
    path: PathBuf,
    file: File,
}

impl Beside {
    fn create(target: &Path) -> io::Result<Beside> {
        for attempt in 0..100 {
            let mut path = target.as_os_str().to_owned();
            path.push(format!(".{}-{attempt}.part", std::process::id()));
            let path = PathBuf::from(path);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Beside { path, file }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("every name for a temporary file beside it is taken"))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
