//! Plain rows, quickly: `1,0.123` and the like, straight from the buffer.
//!
//! This is a short cut, not a second grammar. It takes rows of the right number of cells, each
//! ended by LF or CRLF, without quotation, with an outcome and a short decimal in their places; at
//! anything else it stops, and the strict reader goes on from there.

use super::Lot;
use truecal::Decimal;

/// Where the wanted cells of a plain row are.
pub(super) struct Plain {
    delimiter: u8,
    columns: usize,
    outcome: usize,
    prediction: usize,
}

/// How far the plain rows went.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    pub bytes: usize,
    /// Each is one line.
    pub rows: u64,
}

impl Plain {
    /// `None` for delimiters that could be part of a number or of a word.
    pub fn new(delimiter: u8, columns: usize, outcome: usize, prediction: usize) -> Option<Self> {
        b",;\t|: ".contains(&delimiter).then_some(Plain { delimiter, columns, outcome, prediction })
    }

    /// Takes the plain rows at the start of `bytes` as far as they go.
    pub fn take(&self, bytes: &[u8], lot: &mut Lot) -> Taken {
        match (self.columns, self.outcome) {
            (2, 0) => self.take_by(bytes, lot, |rest| self.outcome_first(rest)),
            (2, 1) => self.take_by(bytes, lot, |rest| self.prediction_first(rest)),
            _ => self.take_by(bytes, lot, |_| None),
        }
    }

    /// With a way that reads the most usual rows, but need not read any.
    fn take_by(
        &self,
        bytes: &[u8],
        lot: &mut Lot,
        usual: impl Fn(&[u8]) -> Option<(bool, Decimal, usize)>,
    ) -> Taken {
        let before = lot.decimals.rounds();
        let mut taken = 0;
        lot.decimals.push_decimals(std::iter::from_fn(|| {
            let rest = &bytes[taken..];
            let (outcome, prediction, length) = usual(rest).or_else(|| self.row(rest))?;
            taken += length;
            Some((outcome, prediction))
        }));
        Taken { bytes: taken, rows: lot.decimals.rounds() - before }
    }

    /// `1,0.25` and LF.
    #[inline(always)]
    fn outcome_first(&self, bytes: &[u8]) -> Option<(bool, Decimal, usize)> {
        let [outcome @ (b'0' | b'1'), delimiter, rest @ ..] = bytes.first_chunk::<ROW>()? else {
            return None;
        };
        let (prediction, length) = Decimal::parse_before(rest.first_chunk()?, b'\n')?;
        (*delimiter == self.delimiter).then_some((*outcome == b'1', prediction, 2 + length + 1))
    }

    /// `0.25,1` and LF.
    #[inline(always)]
    fn prediction_first(&self, bytes: &[u8]) -> Option<(bool, Decimal, usize)> {
        let row = bytes.first_chunk::<ROW>()?;
        let (prediction, length) = Decimal::parse_before(row.first_chunk()?, self.delimiter)?;
        let [outcome @ (b'0' | b'1'), b'\n', ..] = &row[length + 1..] else { return None };
        Some((*outcome == b'1', prediction, length + 3))
    }

    /// The first row, and its length with the end of its line.
    // Apart, so that the loop over usual rows has all registers.
    #[inline(never)]
    fn row(&self, bytes: &[u8]) -> Option<(bool, Decimal, usize)> {
        let (mut outcome, mut prediction) = (None, None);
        let mut at = 0;
        for column in 0..self.columns {
            let rest = &bytes[at..];
            let last = column + 1 == self.columns;
            at += if column == self.outcome {
                let (value, length) = self.outcome(rest)?;
                outcome = Some(value);
                length
            } else if column == self.prediction {
                let end = if last { b'\n' } else { self.delimiter };
                let usual = rest.first_chunk().and_then(|text| Decimal::parse_before(text, end));
                let (value, length) = usual.or_else(|| Decimal::parse(rest))?;
                prediction = Some(value);
                length
            } else {
                self.text(rest)?.len()
            };
            let end = *bytes.get(at)?;
            at += match end {
                b'\n' if last => 1,
                b'\r' if last && bytes.get(at + 1) == Some(&b'\n') => 2,
                _ if end == self.delimiter && !last => 1,
                _ => return None,
            };
        }
        Some((outcome?, prediction?, at))
    }

    /// An outcome as it is usually written, and its length.
    fn outcome(&self, bytes: &[u8]) -> Option<(bool, usize)> {
        let plain = |end: u8| end == self.delimiter || end == b'\n' || end == b'\r';
        match bytes {
            [b'0', end, ..] if plain(*end) => Some((false, 1)),
            [b'1', end, ..] if plain(*end) => Some((true, 1)),
            _ => {
                let cell = self.text(bytes)?;
                let value = match cell {
                    b"0.0" => false,
                    b"1.0" => true,
                    _ if cell.eq_ignore_ascii_case(b"false") => false,
                    _ if cell.eq_ignore_ascii_case(b"true") => true,
                    _ => return None,
                };
                Some((value, cell.len()))
            }
        }
    }

    /// The cell at the start, if it is text without quotation and ends within the bytes.
    fn text<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let ends = |byte: u8| byte == self.delimiter || byte == b'\n' || byte == b'\r';
        // Eight bytes at a time as long as none of them ends the cell.
        let marks = [self.delimiter, b'\n', b'\r'].map(|mark| u64::from(mark) * LOWEST_BITS);
        let eights = bytes.chunks_exact(8).take_while(|eight| {
            let word = u64::from_le_bytes((*eight).try_into().expect("eight bytes"));
            !marks.iter().any(|mark| has_zero(word ^ mark))
        });
        let start = 8 * eights.count();
        let end = start + bytes[start..].iter().position(|byte| ends(*byte))?;
        let cell = &bytes[..end];
        let is_text = cell.is_ascii() || std::str::from_utf8(cell).is_ok();
        (is_text && !cell.starts_with(b"\"")).then_some(cell)
    }
}

/// The bytes of a usual row: a decimal, what stands behind it, and two more.
const ROW: usize = Decimal::WINDOW + 2;

const LOWEST_BITS: u64 = u64::from_le_bytes([1; 8]);

/// Whether one of eight bytes is 0: taking 1 from each sets the highest bit of a byte that was 0 or
/// had it before, or of one above a byte that was 0.
fn has_zero(word: u64) -> bool {
    word.wrapping_sub(LOWEST_BITS) & !word & (LOWEST_BITS << 7) != 0
}
