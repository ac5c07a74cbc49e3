//! A file that is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// New contents for a file, written beside it and moved over it at the end.
pub(super) struct Replacement {
    target: PathBuf,
    beside: PathBuf,
    file: File,
}

impl Replacement {
    /// Makes sure that the file can be written, before the work that it is for. A link is followed; what is there and not a
    /// regular file is refused.
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
        for attempt in 0..100 {
            let mut beside = target.as_os_str().to_owned();
            beside.push(format!(".{}-{attempt}.part", std::process::id()));
            let beside = PathBuf::from(beside);
            match OpenOptions::new().write(true).create_new(true).open(&beside) {
                Ok(file) => return Ok(Replacement { target, beside, file }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(problem(error.to_string())),
            }
        }
        Err(problem("every name for a temporary file beside it is taken".to_owned()))
    }

    /// Writes the contents and puts them in place.
    pub fn write(mut self, text: &str) -> Result<(), String> {
        let put = |this: &mut Replacement| {
            this.file.write_all(text.as_bytes())?;
            if let Ok(old) = fs::metadata(&this.target) {
                this.file.set_permissions(old.permissions())?;
            }
            fs::rename(&this.beside, &this.target)
        };
        let written = put(&mut self);
        written.map_err(|error| format!("{}: cannot be written: {error}", self.target.display()))
    }
}

/// What is beside the file does not stay there, whatever happened. After a success there is nothing left to remove.
impl Drop for Replacement {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.beside);
    }
}
