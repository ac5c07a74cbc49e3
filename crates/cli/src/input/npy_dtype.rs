//! The types of the elements of an `.npy` array.

use half::f16;

use super::npy_header::Header;
use super::table::Cell;

/// How an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dtype {
    kind: Kind,
    /// The byte order, where there is one: the most significant byte first.
    big: bool,
    /// In bytes, positive.
    pub size: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// Bytes of UTF-8, padded with zeros.
    Bytes,
    /// Code points of four bytes each, padded with zeros.
    Unicode,
}

/// The longest text, in bytes as it is written.
const LONGEST: usize = 1 << 20;

impl Dtype {
    /// The type of an array, or what is wrong with it.
    pub fn of(header: &Header) -> Result<Self, String> {
        let refused = |remedy: &str| Err(format!("of dtype {}; {remedy}", header.shown_descr()));
        let Some(code) = header.code() else {
            return refused("save its fields as arrays of their own");
        };
        if let Some(dtype) = Dtype::parse(code) {
            return Ok(dtype);
        }
        match code.trim_start_matches(['<', '>', '|', '=']).chars().next() {
            Some('O') => refused(
                "Python objects (pickle) are not read; save numbers, array.astype('<f8'), or text, \
                    array.astype('U')",
            ),
            Some('f') => refused("save it as float64: array.astype('<f8')"),
            _ => refused("save numbers, booleans or text, such as array.astype('<f8')"),
        }
    }

    /// Such as `<f8`.
    fn parse(code: &str) -> Option<Self> {
        let (order, rest) = code.split_at_checked(1)?;
        let (kind, digits) = rest.split_at_checked(1)?;
        let number: usize = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
        let big = match order {
            "<" => false,
            ">" => true,
            // What has no order; other codes are refused.
            "|" => false,
            _ => return None,
        };
        let (kind, size) = match (kind, number) {
            ("b", 1) => (Kind::Bool, 1),
            ("i", 1 | 2 | 4 | 8) => (Kind::Signed, number),
            ("u", 1 | 2 | 4 | 8) => (Kind::Unsigned, number),
            ("f", 2 | 4 | 8) => (Kind::Float, number),
            ("S", 1..=LONGEST) => (Kind::Bytes, number),
            ("U", 1..) if number <= LONGEST / 4 => (Kind::Unicode, 4 * number),
            _ => return None,
        };
        let ordered = !matches!(kind, Kind::Bool | Kind::Bytes) && size > 1;
        (order != "|" || !ordered).then_some(Dtype { kind, big, size })
    }

    /// Whether elements are texts.
    pub fn is_text(self) -> bool {
        matches!(self.kind, Kind::Bytes | Kind::Unicode)
    }

    /// The text of an element that is one; what is wrong with it otherwise.
    pub fn text(self, bytes: &[u8]) -> Result<String, &'static str> {
        match self.kind {
            Kind::Unicode => {
                let unit = |bytes: &[u8]| match self.big {
                    false => u32::from_le_bytes(bytes.try_into().expect("four bytes")),
                    true => u32::from_be_bytes(bytes.try_into().expect("four bytes")),
                };
                let units: Vec<u32> = bytes.chunks_exact(4).map(unit).collect();
                let end = units.iter().rposition(|&unit| unit != 0).map_or(0, |last| last + 1);
                let text: Option<String> =
                    units[..end].iter().map(|&unit| char::from_u32(unit)).collect();
                text.ok_or("not Unicode text; save it again")
            }
            _ => {
                let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                let text = std::str::from_utf8(&bytes[..end]);
                text.map(str::to_owned).map_err(|_| "not UTF-8 text; save it as array.astype('U')")
            }
        }
    }

    /// The cell of an element that is no text.
    #[inline]
    pub fn cell(self, bytes: &[u8]) -> Cell<'static> {
        let mut word = [0; 8];
        let whole = &mut word[..self.size];
        whole.copy_from_slice(bytes);
        if self.big {
            whole.reverse();
        }
        let bits = u64::from_le_bytes(word);
        match (self.kind, self.size) {
            (Kind::Bool, _) => Cell::Bool(bits != 0),
            (Kind::Unsigned, _) => Cell::Integer(bits.into()),
            (Kind::Float, 8) => Cell::Double(f64::from_bits(bits)),
            (Kind::Float, 4) => Cell::Double(f32::from_bits(bits as u32).into()),
            (Kind::Float, _) => Cell::Double(f16::from_bits(bits as u16).to_f64()),
            (Kind::Signed, 8) => Cell::Integer((bits as i64).into()),
            (Kind::Signed, 4) => Cell::Integer((bits as i32).into()),
            (Kind::Signed, 2) => Cell::Integer((bits as i16).into()),
            (Kind::Signed, _) => Cell::Integer((bits as i8).into()),
            (Kind::Bytes | Kind::Unicode, _) => unreachable!("read by `text`"),
        }
    }
}
