//! The header of an `.npy` file: a magic word, a version, and a Python dictionary with three
//! entries.

use std::io::{ErrorKind, Read};

use thiserror::Error;

/// What the header says of the array.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The type as Python writes it: a text in quotes, or a list of fields.
    descr: String,
    pub order: Order,
    pub shape: Vec<u64>,
}

/// An array of floats of shape (n, 2).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    pub float: Float,
    pub order: Order,
    pub rows: u64,
}

/// Which of two neighbours in the file is which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// C order: row after row.
    Rows,
    /// Fortran order: column after column.
    Columns,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float {
    DoubleLittle,
    DoubleBig,
    SingleLittle,
    SingleBig,
}

impl Float {
    /// In bytes.
    pub fn size(self) -> usize {
        match self {
            Float::DoubleLittle | Float::DoubleBig => 8,
            Float::SingleLittle | Float::SingleBig => 4,
        }
    }

    /// The number in so many bytes; singles are doubles, exactly.
    #[inline]
    pub fn value(self, bytes: &[u8]) -> f64 {
        let double = || bytes.try_into().expect("eight bytes");
        let single = || bytes.try_into().expect("four bytes");
        match self {
            Float::DoubleLittle => f64::from_le_bytes(double()),
            Float::DoubleBig => f64::from_be_bytes(double()),
            Float::SingleLittle => f32::from_le_bytes(single()).into(),
            Float::SingleBig => f32::from_be_bytes(single()).into(),
        }
    }
}

/// Why a file has no header that can be read here.
#[derive(Debug, Error)]
pub(super) enum HeaderError {
    #[error("the file is empty; give what numpy.save writes")]
    Empty,
    #[error("is a folder; give an .npy file")]
    Folder,
    #[error("cannot be read: {0}")]
    Io(std::io::Error),
    #[error(
        "not an .npy file: it does not start with \\x93NUMPY; give what numpy.save writes, or say \
            --format csv"
    )]
    Magic,
    #[error("a zip archive of arrays (.npz); save the one array with numpy.save")]
    Archive,
    #[error("version {0}.{1} of the .npy format; save it again with version 1.0, 2.0 or 3.0")]
    Version(u8, u8),
    #[error("the header of the .npy file is longer than {MAX_HEADER} bytes; save the array again")]
    TooLong,
    #[error(
        "the file ends within the header of the .npy format; it was cut off: save or copy it again"
    )]
    Short,
    #[error("the header of the .npy file is damaged ({0}); save the array again")]
    Damaged(&'static str),
    #[error("the array has dtype {0}; save it as float64: numpy.save(file, array.astype('<f8'))")]
    Dtype(String),
    #[error(
        "the array has shape {0}; it must be (n, 2), outcome and prediction of each round: \
            numpy.save(file, numpy.column_stack([y, p]))"
    )]
    Shape(String),
    #[error("the array has no rows; give one row per round")]
    NoRows,
}

/// A header that numpy writes has a few hundred bytes.
const MAX_HEADER: usize = 1 << 16;

impl Header {
    /// Reads the header and says how many bytes it took.
    pub fn read(source: &mut impl Read) -> Result<(Self, u64), HeaderError> {
        let mut start = [0; 8];
        let found = fill(source, &mut start)?;
        match &start[..found] {
            [] => return Err(HeaderError::Empty),
            [b'P', b'K', 3 | 5, ..] => return Err(HeaderError::Archive),
            found if !found.starts_with(MAGIC) => {
                // Too short to tell is another matter.
                return Err(if MAGIC.starts_with(found) {
                    HeaderError::Short
                } else {
                    HeaderError::Magic
                });
            }
            _ if found < start.len() => return Err(HeaderError::Short),
            _ => {}
        }
        let (size, length) = match (start[6], start[7]) {
            (1, 0) => {
                let mut length = [0; 2];
                whole(source, &mut length)?;
                (2, usize::from(u16::from_le_bytes(length)))
            }
            (2 | 3, 0) => {
                let mut length = [0; 4];
                whole(source, &mut length)?;
                (4, u32::from_le_bytes(length) as usize)
            }
            (major, minor) => return Err(HeaderError::Version(major, minor)),
        };
        if length > MAX_HEADER {
            return Err(HeaderError::TooLong);
        }
        let mut text = vec![0; length];
        whole(source, &mut text)?;
        let text = std::str::from_utf8(&text).map_err(|_| HeaderError::Damaged("not text"))?;
        Ok((Header::parse(text)?, (start.len() + size + length) as u64))
    }

    /// `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }`, the entries in any order.
    fn parse(text: &str) -> Result<Self, HeaderError> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        let mut rest =
            after(text.trim_start(), "{").ok_or(HeaderError::Damaged("no dictionary"))?;
        while !rest.starts_with('}') {
            let (key, more) = string(rest).ok_or(HeaderError::Damaged("no name of an entry"))?;
            let more = after(more, ":").ok_or(HeaderError::Damaged("no colon"))?;
            let end = value_end(more).ok_or(HeaderError::Damaged("an entry without an end"))?;
            let value = more[..end].trim_end();
            let entry = match key {
                "descr" => &mut descr,
                "fortran_order" => &mut fortran,
                "shape" => &mut shape,
                _ => return Err(HeaderError::Damaged("an unknown entry")),
            };
            if entry.replace(value).is_some() {
                return Err(HeaderError::Damaged("an entry twice"));
            }
            rest = after(&more[end..], ",").unwrap_or(&more[end..]);
        }
        if !rest[1..].trim().is_empty() {
            return Err(HeaderError::Damaged("text after the dictionary"));
        }
        let (Some(descr), Some(fortran), Some(shape)) = (descr, fortran, shape) else {
            return Err(HeaderError::Damaged("an entry is missing"));
        };
        let order = match fortran {
            "False" => Order::Rows,
            "True" => Order::Columns,
            _ => return Err(HeaderError::Damaged("fortran_order is neither True nor False")),
        };
        let shape = dimensions(shape).ok_or(HeaderError::Damaged("no shape"))?;
        Ok(Header { descr: descr.to_owned(), order, shape })
    }

    /// The array as pairs of floats, if it is that.
    pub fn pairs(&self) -> Result<Pairs, HeaderError> {
        let float = match self.code() {
            Some("<f8") => Float::DoubleLittle,
            Some(">f8") => Float::DoubleBig,
            Some("<f4") => Float::SingleLittle,
            Some(">f4") => Float::SingleBig,
            _ => return Err(HeaderError::Dtype(self.shown_descr())),
        };
        match self.shape.as_slice() {
            [0, 2] => Err(HeaderError::NoRows),
            // Every byte of the array has a number.
            &[rows, 2] if rows.checked_mul(16).is_some() => {
                Ok(Pairs { float, order: self.order, rows })
            }
            _ => Err(HeaderError::Shape(self.shown_shape())),
        }
    }

    /// The type, if it is a simple one: byte order, kind and size, such as `<f8`.
    pub fn code(&self) -> Option<&str> {
        string(&self.descr).filter(|(_, rest)| rest.is_empty()).map(|(code, _)| code)
    }

    /// The type for messages.
    pub fn shown_descr(&self) -> String {
        shown(&self.descr)
    }

    /// The shape for messages, as Python writes it.
    pub fn shown_shape(&self) -> String {
        match self.shape.as_slice() {
            [length] => format!("({length},)"),
            shape => {
                let shape: Vec<String> = shape.iter().map(u64::to_string).collect();
                shown(&format!("({})", shape.join(", ")))
            }
        }
    }
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// As much of a text as a message can bear.
fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let end = if text.chars().nth(LONGEST).is_some() { "…" } else { "" };
    super::error::printable(&text.chars().take(LONGEST).collect::<String>()) + end
}

/// The rest of a text after some word and white space.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.strip_prefix(word).map(str::trim_start)
}

/// A text in quotes without escapes, and what follows.
fn string(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|&c| c == '\'' || c == '"')?;
    let (inside, rest) = text[1..].split_once(quote)?;
    (!inside.contains('\\')).then_some((inside, rest.trim_start()))
}

/// Where the value of an entry ends: at the comma or brace outside of brackets and quotes.
fn value_end(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = Some(open).filter(|&open| open != c),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ',' | '}') if depth == 0 => return Some(at),
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// `(3, 2)`, `(3,)` or `()`.
fn dimensions(text: &str) -> Option<Vec<u64>> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?.trim();
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    if inside.trim().is_empty() {
        return Some(vec![]);
    }
    let number = |text: &str| {
        let text = text.trim();
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    inside.split(',').map(number).collect()
}

/// Fills the room as far as there are bytes.
fn fill(source: &mut impl Read, room: &mut [u8]) -> Result<usize, HeaderError> {
    let mut filled = 0;
    while filled < room.len() {
        match source.read(&mut room[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::IsADirectory => {
                return Err(HeaderError::Folder);
            }
            Err(error) => return Err(HeaderError::Io(error)),
        }
    }
    Ok(filled)
}

fn whole(source: &mut impl Read, room: &mut [u8]) -> Result<(), HeaderError> {
    if fill(source, room)? < room.len() { Err(HeaderError::Short) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dictionaries_in_any_order() {
        for text in [
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }          \n",
            "{\"shape\":(3,2),\"descr\":\"<f8\",\"fortran_order\":False}\n",
            " { 'shape' : ( 3 , 2 , ) , 'fortran_order' : False , 'descr' : '<f8' } ",
        ] {
            let header = Header::parse(text).expect("valid");
            assert_eq!((header.code(), header.order), (Some("<f8"), Order::Rows), "{text}");
            assert_eq!(
                (header.shape.as_slice(), header.shown_shape()),
                (&[3, 2][..], "(3, 2)".into())
            );
            let expected = Pairs { float: Float::DoubleLittle, order: Order::Rows, rows: 3 };
            assert_eq!(header.pairs().expect("pairs"), expected, "{text}");
        }
        let big = "{'descr': '>f4', 'fortran_order': True, 'shape': (7, 2)}";
        let expected = Pairs { float: Float::SingleBig, order: Order::Columns, rows: 7 };
        assert_eq!(Header::parse(big).and_then(|header| header.pairs()).expect("valid"), expected);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let with = |descr: &str, fortran: &str, shape: &str| {
            let text =
                format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}}}");
            let pairs = Header::parse(&text).and_then(|header| header.pairs());
            pairs.expect_err("bad").to_string()
        };
        for (error, words) in [
            (with("'<i8'", "False", "(3, 2)"), "dtype '<i8'; save it as float64"),
            (with("'|O'", "False", "(3, 2)"), "dtype"),
            (
                with("[('y', '<f8'), ('p', '<f8')]", "False", "(3,)"),
                "dtype [('y', '<f8'), ('p', '<f8')]; save",
            ),
            (with("'<f8'", "0", "(3, 2)"), "fortran_order"),
            (with("'<f8'", "False", "(3,)"), "shape (3,); it must be (n, 2)"),
            (with("'<f8'", "False", "()"), "shape (); it"),
            (with("'<f8'", "False", "(2, 3)"), "shape (2, 3); it"),
            (with("'<f8'", "False", "(3, 2, 1)"), "shape"),
            (with("'<f8'", "False", "(0, 2)"), "no rows"),
            (with("'<f8'", "False", "(9000000000000000000, 2)"), "shape"),
            (with("'<f8'", "False", "(-3, 2)"), "damaged"),
            (with("'<f8'", "False", "3"), "damaged"),
            (with("'<f8'", "False", "(3, 2), 'shape': (3, 2)"), "twice"),
            (with("'<f8'", "False", "(3, 2), 'x': 1"), "unknown"),
            (with("'<f8'", "False", "(3, 2)} {"), "after the dictionary"),
        ] {
            assert!(error.contains(words), "{error}");
        }
        for text in [
            "",
            "{",
            "{}",
            "{'descr'",
            "{'descr': ",
            "{'descr' '<f8'}",
            "{'descr': ')'}",
            "{'descr': )}",
        ] {
            assert!(matches!(Header::parse(text), Err(HeaderError::Damaged(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_an_answer(text in "\\{?[{}()',: a-z0-9<>é\\\\]{0,60}") {
            let _ = Header::parse(&text);
        }
    }
}
