//! Columns from `.npy` arrays, as `numpy.save` writes them.
//!
//! The first axis of an array is that of the rows. An array of shape (n,) or (n, 1) is one column;
//! one of shape (n, k) in C order is the columns `name[:,0]`, `name[:,1]`, …, as numpy would select
//! them. Elements are booleans, integers, floats of 16, 32 or 64 bits, or texts.

use std::io::{ErrorKind, Read};

use super::complaint::{of_cell, of_column};
use super::error::{InputError, quoted};
use super::npy_dtype::Dtype;
use super::npy_header::{Header, Order};
use super::table::{At, Cell, Table, Take};
use super::transposed::{BLOCK, hand_over};

/// The columns that one array may have.
const MOST_COLUMNS: u64 = 1 << 12;

/// An array that is read from its first row to its last.
pub(super) struct NpyArray<R> {
    source: R,
    /// The file that it is in, and its name there, for messages.
    file: String,
    pub name: String,
    pub dtype: Dtype,
    pub rows: u64,
    pub columns: usize,
    block: Vec<u8>,
}

impl<R: Read> NpyArray<R> {
    /// Reads the header.
    pub fn open(mut source: R, file: &str, name: &str) -> Result<Self, InputError> {
        let (header, _) = Header::read(&mut source)
            .map_err(|problem| InputError::of_file(file, problem.to_string()))?;
        let dtype = Dtype::of(&header).map_err(|problem| of_column(file, name, problem))?;
        let refused = |remedy: &str| {
            of_column(file, name, format!("of shape {}; {remedy}", header.shown_shape()))
        };
        let columns = match header.shape.as_slice() {
            [_] => 1,
            [_, 1..=MOST_COLUMNS] => header.shape[1],
            _ => return Err(refused("give an array of shape (n,), one element per round")),
        };
        if columns > 1 && header.order == Order::Columns {
            return Err(refused("save it in C order: numpy.ascontiguousarray(array)"));
        }
        let rows = header.shape[0];
        // Every byte of the array has a number.
        if rows.checked_mul(columns).and_then(|all| all.checked_mul(dtype.size as u64)).is_none() {
            return Err(refused("no file has so many elements; save the array again"));
        }
        let (file, name, columns) = (file.to_owned(), name.to_owned(), columns as usize);
        Ok(NpyArray { source, file, name, dtype, rows, columns, block: vec![] })
    }

    /// What its columns are called.
    pub fn names(&self) -> Vec<String> {
        match self.columns {
            1 => vec![self.name.clone()],
            many => (0..many).map(|column| format!("{}[:,{column}]", self.name)).collect(),
        }
    }

    /// Reads the next rows; there are so many still to come.
    fn read(&mut self, before: u64, rows: usize) -> Result<(), InputError> {
        let row = self.columns * self.dtype.size;
        let bytes = rows * row;
        let found = self.fill(bytes)?;
        if found == bytes {
            return Ok(());
        }
        let problem = format!(
            "the array ends within row {} of {}; it was cut off: save or copy it again",
            before + (found / row) as u64 + 1,
            self.rows
        );
        Err(of_column(&self.file, &self.name, problem))
    }

    fn expect_end(&mut self) -> Result<(), InputError> {
        if self.fill(1)? == 0 {
            return Ok(());
        }
        let problem =
            format!("there are bytes after its {} rows; save this array alone", self.rows);
        Err(of_column(&self.file, &self.name, problem))
    }

    /// Reads so many bytes, or as many as there are, and takes no more room than those.
    fn fill(&mut self, bytes: usize) -> Result<usize, InputError> {
        self.block.clear();
        match self.source.by_ref().take(bytes as u64).read_to_end(&mut self.block) {
            Ok(found) => Ok(found),
            Err(error) => {
                let problem = match error.kind() {
                    ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                        format!("damaged: {error}; save or copy it again")
                    }
                    _ => format!("cannot be read: {error}"),
                };
                Err(of_column(&self.file, &self.name, problem))
            }
        }
    }

    /// The elements of a column of the block.
    fn elements(&self, column: usize) -> impl Iterator<Item = &[u8]> {
        let size = self.dtype.size;
        let rows = self.block.chunks_exact(self.columns * size);
        rows.map(move |row| &row[column * size..][..size])
    }

    /// The texts of a column of the block, if they are texts.
    fn texts(&self, column: usize, before: u64) -> Result<Vec<String>, InputError> {
        if !self.dtype.is_text() {
            return Ok(vec![]);
        }
        let text = |(row, element): (u64, &[u8])| {
            self.dtype.text(element).map_err(|problem| {
                let at = At { row: row + 1, line: None };
                of_cell(&self.file, at, &self.name, String::from_utf8_lossy(element), problem)
            })
        };
        (before..).zip(self.elements(column)).map(text).collect()
    }

    /// The cells of a column of the block; `texts` has its texts.
    fn cells<'a>(&'a self, column: usize, texts: &'a [String]) -> Vec<Cell<'a>> {
        if self.dtype.is_text() {
            return texts.iter().map(|text| Cell::Text(text)).collect();
        }
        self.elements(column).map(|element| self.dtype.cell(element)).collect()
    }
}

/// Arrays of the same length, of which some columns are read side by side.
pub(super) struct SideBySide<R> {
    arrays: Vec<NpyArray<R>>,
    rows: u64,
    before: u64,
}

impl<R: Read> SideBySide<R> {
    /// There is one array at least.
    pub fn new(arrays: Vec<NpyArray<R>>) -> Result<Self, InputError> {
        let first = &arrays[0];
        if let Some(other) = arrays.iter().find(|other| other.rows != first.rows) {
            let place = match other.file == first.file {
                true => String::new(),
                false => format!(" of {}", quoted(&first.file)),
            };
            let problem = format!(
                "it has {} rows but column {}{place} has {}; save arrays of the same rounds",
                other.rows,
                quoted(&first.name),
                first.rows
            );
            return Err(of_column(&other.file, &other.name, problem));
        }
        Ok(SideBySide { rows: first.rows, before: 0, arrays })
    }

    /// Hands over some rows of these columns of these arrays, as [`Table::read`] does.
    pub fn read(&mut self, wanted: &[(usize, usize)], take: Take<'_>) -> Result<bool, InputError> {
        let rows = (self.rows - self.before).min(BLOCK as u64);
        if rows == 0 {
            for array in &mut self.arrays {
                array.expect_end()?;
            }
            return Ok(false);
        }
        // A row may be long, but a block is not much longer.
        let longest = self.arrays.iter().map(|array| array.columns * array.dtype.size).max();
        let rows = (rows as usize).min((BLOCK * 64 / longest.unwrap_or(1)).max(1));
        for array in &mut self.arrays {
            array.read(self.before, rows)?;
        }
        let texts =
            wanted.iter().map(|&(array, column)| self.arrays[array].texts(column, self.before));
        let texts: Vec<Vec<String>> = texts.collect::<Result<_, _>>()?;
        let columns = wanted.iter().zip(&texts);
        let columns: Vec<Vec<Cell<'_>>> = columns
            .map(|(&(array, column), texts)| self.arrays[array].cells(column, texts))
            .collect();
        hand_over(&columns, self.before, rows, take)?;
        self.before += rows as u64;
        Ok(true)
    }

    /// The rows read so far, and in all.
    pub fn share(&self) -> (u64, u64) {
        (self.before, self.rows)
    }
}

/// Several files with an array each, all of the same length.
pub(crate) struct NpyArrays<R> {
    names: Vec<String>,
    /// The array and the column in it of each name.
    places: Vec<(usize, usize)>,
    arrays: SideBySide<R>,
}

impl<R: Read + Send> NpyArrays<R> {
    /// Reads the headers. Each source, one at least, has the name of its file, for messages, and
    /// that of its column.
    pub(crate) fn open(sources: Vec<(R, &str, &str)>) -> Result<Self, InputError> {
        let open = |(source, file, name)| NpyArray::open(source, file, name);
        let arrays: Vec<NpyArray<R>> = sources.into_iter().map(open).collect::<Result<_, _>>()?;
        let columns = |(index, array): (usize, &NpyArray<R>)| {
            (0..array.columns).map(move |column| (index, column)).collect::<Vec<_>>()
        };
        Ok(NpyArrays {
            names: arrays.iter().flat_map(NpyArray::names).collect(),
            places: arrays.iter().enumerate().flat_map(columns).collect(),
            arrays: SideBySide::new(arrays)?,
        })
    }
}

impl<R: Read + Send> Table for NpyArrays<R> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&mut self, wanted: &[usize], take: Take<'_>) -> Result<bool, InputError> {
        let wanted: Vec<(usize, usize)> =
            wanted.iter().map(|&column| self.places[column]).collect();
        self.arrays.read(&wanted, take)
    }

    fn share(&self) -> Option<(u64, u64)> {
        Some(self.arrays.share())
    }
}

#[cfg(test)]
mod tests {
    use super::super::transposed::shown::columns;
    use super::*;
    use proptest::prelude::*;

    fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), data].concat()
    }

    fn read(bytes: &[u8], names: &[&str]) -> Result<Vec<String>, String> {
        let table = NpyArrays::open(vec![(bytes, "p.npy", "p")]);
        columns(&mut table.map_err(|error| error.to_string())?, names)
    }

    proptest! {
        /// Numbers of every size, and in both byte orders.
        #[test]
        fn integers_and_floats(values in prop::collection::vec(any::<i64>(), 0..40), big: bool) {
            macro_rules! check {
                ($type:ty, $code:literal, $shown:expr) => {{
                    let numbers: Vec<$type> = values.iter().map(|&value| value as $type).collect();
                    let bytes = |value: &$type| match big {
                        true => value.to_be_bytes().to_vec(),
                        false => value.to_le_bytes().to_vec(),
                    };
                    let data: Vec<u8> = numbers.iter().flat_map(bytes).collect();
                    let order = if big { '>' } else { '<' };
                    let descr = format!("'{order}{}'", $code);
                    let shape = format!("({},)", values.len());
                    let expected: Vec<String> = numbers.iter().map($shown).collect();
                    let file = file(&descr, "False", &shape, &data);
                    prop_assert_eq!(read(&file, &["p"]), Ok(expected));
                }};
            }
            check!(i8, "i1", |value| value.to_string());
            check!(i16, "i2", |value| value.to_string());
            check!(i32, "i4", |value| value.to_string());
            check!(i64, "i8", |value| value.to_string());
            check!(u8, "u1", |value| value.to_string());
            check!(u16, "u2", |value| value.to_string());
            check!(u32, "u4", |value| value.to_string());
            check!(u64, "u8", |value| value.to_string());
            check!(f32, "f4", |value| format!("{:?}f", f64::from(*value)));
            check!(f64, "f8", |value| format!("{value:?}f"));
        }
    }

    #[test]
    fn shapes() {
        let data: Vec<u8> = [0.0, 0.25, 0.5, 1.0].map(f64::to_le_bytes).concat();
        let doubles = |fortran, shape| file("'<f8'", fortran, shape, &data);
        let one = ["0.0f", "0.25f", "0.5f", "1.0f"];
        for (fortran, shape) in [("False", "(4,)"), ("True", "(4,)"), ("True", "(4, 1)")] {
            assert_eq!(read(&doubles(fortran, shape), &["p"]).expect("read"), one);
        }
        let rows = read(&doubles("False", "(2, 2)"), &["p[:,1]", "p[:,0]"]).expect("read");
        assert_eq!(rows, ["0.25f 0.0f", "1.0f 0.5f"]);
        let rows = read(&doubles("False", "(1, 4)"), &["p[:,3]"]).expect("read");
        assert_eq!(rows, ["1.0f"]);
        for (fortran, shape, words) in [
            ("True", "(2, 2)", "of shape (2, 2); save it in C order"),
            ("False", "()", "of shape (); give an array of shape (n,)"),
            ("False", "(4, 0)", "of shape (4, 0); give"),
            ("False", "(1, 5000)", "of shape (1, 5000); give"),
            ("False", "(2, 2, 1)", "of shape (2, 2, 1); give"),
            ("False", "(9000000000000000000,)", "no file has so many"),
            ("False", "(5,)", "ends within row 5 of 5; it was cut off"),
            ("False", "(3,)", "there are bytes after its 3 rows"),
        ] {
            let error = read(&doubles(fortran, shape), &["p"]).expect_err(shape);
            assert!(error.starts_with("p.npy: column \"p\": ") && error.contains(words), "{error}");
        }
    }

    #[test]
    fn types() {
        for (descr, data, rows) in [
            ("'|b1'", &b"\x01\0"[..], ["true", "false"]),
            ("'|S2'", b"ab\0c", ["'ab'", "'\0c'"]),
            ("'<U1'", b"\xe9\0\0\0\0\0\0\0", ["'é'", "''"]),
            ("'>U1'", b"\0\0\0a\0\x01\xf6\0", ["'a'", "'😀'"]),
            ("'>f2'", b"\x3c\0\0\x01", ["1.0f", "5.960464477539063e-8f"]),
        ] {
            assert_eq!(read(&file(descr, "False", "(2,)", data), &["p"]).expect(descr), rows);
        }
        for (descr, words) in [
            ("'|O'", "of dtype '|O'; Python objects (pickle) are not read"),
            ("'<f16'", "save it as float64"),
            ("'<c16'", "of dtype '<c16'; save numbers"),
            ("'<M8[D]'", "save numbers"),
            ("'|f8'", "save it as float64"),
            ("'<i3'", "save numbers"),
            ("[('y', '<f8')]", "save its fields as arrays of their own"),
        ] {
            let error = read(&file(descr, "False", "(2,)", b""), &["p"]).expect_err(descr);
            assert!(error.contains(words), "{error}");
        }
        let wrong = file("'<U1'", "False", "(2,)", b"a\0\0\0\0\xd8\0\0");
        let error = read(&wrong, &["p"]).expect_err("a surrogate");
        assert!(error.contains("p.npy, row 2, column \"p\"") && error.contains("not Unicode"));
    }

    #[test]
    fn files_side_by_side() {
        let y = file("'|b1'", "False", "(2,)", b"\x01\0");
        let p = file("'<f8'", "False", "(2,)", &[0.5, 0.25].map(f64::to_le_bytes).concat());
        let sources = || vec![(&y[..], "y.npy", "y"), (&p[..], "p.npy", "p")];
        let mut table = NpyArrays::open(sources()).map_err(|e| e.to_string()).expect("open");
        assert_eq!(columns(&mut table, &["p", "y"]).expect("read"), ["0.5f true", "0.25f false"]);
        assert_eq!(table.share(), Some((2, 2)));
        let q = file("'<f8'", "False", "(3,)", b"");
        let error = NpyArrays::open(vec![(&y[..], "y.npy", "y"), (&q[..], "q.npy", "p")]).err();
        let words = "q.npy: column \"p\": it has 3 rows but column \"y\" of \"y.npy\" has 2; save \
            arrays of the same rounds";
        assert_eq!(error.expect("different lengths").to_string(), words);
    }
}
