//! Columns from `.npz` archives, as `numpy.savez` and `numpy.savez_compressed` write them: an array
//! for each name.

use std::io::{Read, Seek};

use super::InputError;
use super::complaint::of_column;
use super::npy_columns::{NpyArray, SideBySide};
use super::table::{Table, Take};
use super::zip::{Archive, Content, Entry};

/// An archive of arrays; a column is read from those that are wanted only.
pub(crate) struct Npz<S> {
    file: String,
    archive: Archive<S>,
    names: Vec<String>,
    /// The entry and the column in its array of each name.
    places: Vec<(usize, usize)>,
    open: Option<Wanted>,
}

/// What is wanted of an archive.
struct Wanted {
    arrays: SideBySide<Content>,
    /// The array and the column in it of each wanted name.
    places: Vec<(usize, usize)>,
}

impl<S: Read + Seek + Send + 'static> Npz<S> {
    /// Reads the directory and the headers of the arrays.
    pub(crate) fn open(source: S, name: &str) -> Result<Self, InputError> {
        let of_file = |problem: String| InputError::of_file(name, problem);
        let archive = Archive::open(source).map_err(of_file)?;
        let file = name.to_owned();
        let mut npz = Npz { file, archive, names: vec![], places: vec![], open: None };
        for index in 0..npz.archive.entries.len() {
            let Some(array) = column(&npz.archive.entries[index]) else { continue };
            // An array that cannot be read matters only to those who want it.
            let names = match npz.array(index) {
                Ok(array) => array.names(),
                Err(_) => vec![array.to_owned()],
            };
            npz.places.extend((0..names.len()).map(|column| (index, column)));
            npz.names.extend(names);
        }
        if npz.names.is_empty() {
            let problem = "a zip archive without arrays; give what numpy.savez writes";
            return Err(InputError::of_file(name, problem));
        }
        Ok(npz)
    }

    /// An array from its first row.
    fn array(&self, index: usize) -> Result<NpyArray<Content>, InputError> {
        let entry = &self.archive.entries[index];
        let name = column(entry).unwrap_or(&entry.name);
        let content = self.archive.content(entry);
        let content = content.map_err(|problem| of_column(&self.file, name, problem))?;
        NpyArray::open(content, &self.file, name)
    }

    fn start(&self, wanted: &[usize]) -> Result<Wanted, InputError> {
        let (mut entries, mut arrays, mut places) = (vec![], vec![], vec![]);
        for &name in wanted {
            let (entry, column) = self.places[name];
            let place = entries.iter().position(|&other| other == entry);
            if place.is_none() {
                entries.push(entry);
                arrays.push(self.array(entry)?);
            }
            places.push((place.unwrap_or(arrays.len() - 1), column));
        }
        Ok(Wanted { arrays: SideBySide::new(arrays)?, places })
    }
}

/// The name of the array in an entry, if it is one.
fn column(entry: &Entry) -> Option<&str> {
    entry.name.strip_suffix(".npy")
}

impl<S: Read + Seek + Send + 'static> Table for Npz<S> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&mut self, wanted: &[usize], take: Take<'_>) -> Result<bool, InputError> {
        if wanted.is_empty() {
            return Ok(false);
        }
        if self.open.is_none() {
            self.open = Some(self.start(wanted)?);
        }
        let Wanted { arrays, places } = self.open.as_mut().expect("just opened");
        arrays.read(places, take)
    }

    fn share(&self) -> Option<(u64, u64)> {
        self.open.as_ref().map(|open| open.arrays.share())
    }
}

#[cfg(test)]
mod tests {
    use super::super::transposed::shown::columns;
    use super::*;
    use std::io::Cursor;

    /// An array of doubles as numpy writes it.
    fn array(shape: &str, values: &[f64]) -> Vec<u8> {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        let data = values.iter().flat_map(|value| value.to_le_bytes());
        let start = [b"\x93NUMPY\x01\0", &length[..], header.as_bytes()].concat();
        start.into_iter().chain(data).collect()
    }

    /// What is made wrong in an archive.
    #[derive(Clone, Copy, Default)]
    struct Wrong {
        flags: u16,
        method: u16,
        checksum: u32,
        more: u64,
        packed: u64,
        /// Whether sizes and places have 64 bits.
        long: bool,
    }

    /// An archive of stored entries.
    fn archive(entries: &[(&str, Vec<u8>)], wrong: Wrong) -> Vec<u8> {
        let (mut file, mut directory) = (vec![], vec![]);
        for (name, content) in entries {
            let start = file.len() as u64;
            let mut crc = flate2::Crc::new();
            crc.update(content);
            let size = content.len() as u64 + wrong.more;
            let packed = content.len() as u64 + wrong.packed;
            let short = |number: u64| if wrong.long { u32::MAX } else { number as u32 };
            let fields = [
                &[20, 0][..],
                &wrong.flags.to_le_bytes(),
                &wrong.method.to_le_bytes(),
                &[0; 4],
                &(crc.sum() ^ wrong.checksum).to_le_bytes(),
                &short(packed).to_le_bytes(),
                &short(size).to_le_bytes(),
                &(name.len() as u16).to_le_bytes(),
            ]
            .concat();
            file.extend([b"PK\x03\x04", &fields[..], &[0, 0], name.as_bytes(), content].concat());
            let extra = match wrong.long {
                false => vec![],
                true => {
                    let numbers = [size, packed, start].map(u64::to_le_bytes).concat();
                    [&[1, 0, 24, 0][..], &numbers].concat()
                }
            };
            let length = (extra.len() as u16).to_le_bytes();
            let start = short(start).to_le_bytes();
            let name = name.as_bytes();
            directory.extend(
                [b"PK\x01\x02\x14\0", &fields[..], &length, &[0; 10], &start, name, &extra]
                    .concat(),
            );
        }
        let (start, size) = (file.len() as u64, directory.len() as u64);
        file.extend(directory);
        let end = file.len() as u64;
        if wrong.long {
            file.extend([&b"PK\x06\x06"[..], &[0; 36]].concat());
            file.extend([size, start].map(u64::to_le_bytes).concat());
            file.extend([&b"PK\x06\x07"[..], &[0; 4], &end.to_le_bytes(), &[0; 4]].concat());
        }
        let short = |number: u64| if wrong.long { u32::MAX } else { number as u32 };
        let place = [short(size), short(start)].map(u32::to_le_bytes).concat();
        file.extend([&b"PK\x05\x06"[..], &[0; 8], &place, &[4, 0], b"note"].concat());
        file
    }

    fn read(bytes: Vec<u8>, names: &[&str]) -> Result<Vec<String>, String> {
        let mut table = Npz::open(Cursor::new(bytes), "a.npz").map_err(|e| e.to_string())?;
        columns(&mut table, names)
    }

    fn two() -> Vec<(&'static str, Vec<u8>)> {
        vec![("y.npy", array("(2,)", &[1.0, 0.0])), ("p.npy", array("(2, 1)", &[0.5, 0.25]))]
    }

    #[test]
    fn sizes_of_32_and_of_64_bits() {
        for long in [false, true] {
            let bytes = archive(&two(), Wrong { long, ..Wrong::default() });
            assert_eq!(read(bytes, &["p", "y"]).expect("read"), ["0.5f 1.0f", "0.25f 0.0f"]);
        }
    }

    /// Two columns of different length and more rows than a block.
    #[test]
    fn blocks_join() {
        let values: Vec<f64> = (0..40_000).map(f64::from).collect();
        let bytes = archive(&[("p.npy", array("(40000,)", &values))], Wrong::default());
        let rows = read(bytes, &["p"]).expect("read");
        assert_eq!((rows.len(), rows[39_999].as_str()), (40_000, "39999.0f"));
    }

    #[test]
    fn archives_that_lie() {
        let usual = Wrong::default();
        for (wrong, words) in [
            (Wrong { flags: 1, ..usual }, "encrypted; save it without a password"),
            (Wrong { method: 14, ..usual }, "compressed by method 14"),
            (Wrong { checksum: 1, ..usual }, "damaged: its checksum is another"),
            (Wrong { more: 1, ..usual }, "damaged: shorter than the archive says"),
            (Wrong { more: 1 << 31, ..usual }, "damaged: shorter than the archive says"),
            (Wrong { packed: 1 << 30, ..usual }, "longer than the archive; it was cut off"),
            (Wrong { packed: u64::MAX >> 1, long: true, ..usual }, "longer than the archive"),
        ] {
            let error = read(archive(&two(), wrong), &["p"]).expect_err(words);
            assert!(error.starts_with("a.npz: column \"p\": ") && error.contains(words), "{error}");
        }
        let huge = [("p.npy", array("(1000000000000,)", &[0.5]))];
        let error = read(archive(&huge, usual), &["p"]).expect_err("a lie");
        assert!(error.contains("ends within row 2 of 1000000000000"), "{error}");
        let long = [("p.npy", array("(1,)", &[0.5, 0.25]))];
        let error = read(archive(&long, usual), &["p"]).expect_err("two rows");
        assert!(error.contains("there are bytes after its 1 rows"), "{error}");
        let none = [("a.txt", b"y,p".to_vec())];
        let error = read(archive(&none, usual), &[]).expect_err("no arrays");
        assert!(error.contains("a zip archive without arrays"), "{error}");
        let error = read(b"PK\x03\x04".to_vec(), &[]).expect_err("cut");
        assert!(error.contains("a zip archive without an end"), "{error}");
    }
}
