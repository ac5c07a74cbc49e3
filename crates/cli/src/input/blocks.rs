//! A source of text, in blocks of whole lines.

use std::io::{self, BufRead, ErrorKind, Read};
use std::ops::Range;

/// Bytes that have been read and not yet been used, and the source of more.
pub(super) struct Blocks<R> {
    source: R,
    bytes: Bytes,
    ended: bool,
    /// All that were used.
    used: u64,
}

/// Some bytes in room that is kept, and so has been written to before: a source can be read into it
/// by large pieces.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    room: Vec<u8>,
    filled: Range<usize>,
}

impl Bytes {
    pub fn all(&self) -> &[u8] {
        &self.room[self.filled.clone()]
    }

    /// Room for so many bytes in all.
    fn make_room(&mut self, size: usize) {
        if self.room.len() - self.filled.start < size {
            self.room.copy_within(self.filled.clone(), 0);
            self.filled = 0..self.filled.len();
        }
        if self.room.len() < size {
            self.room.resize(size, 0);
        }
    }

    /// These instead.
    fn copy(&mut self, bytes: &[u8]) {
        self.filled = 0..0;
        self.make_room(bytes.len());
        self.room[..bytes.len()].copy_from_slice(bytes);
        self.filled.end = bytes.len();
    }
}

impl<R: Read> Blocks<R> {
    pub fn new(source: R) -> Self {
        Blocks { source, bytes: Bytes::default(), ended: false, used: 0 }
    }

    /// Reads on until so many bytes are there, or the source ends.
    pub fn fill(&mut self, size: usize) -> io::Result<()> {
        // A pipe may hand its bytes over one by one.
        while self.rest().len() < size && !self.ended {
            self.bytes.make_room(size);
            let Bytes { room, filled } = &mut self.bytes;
            match self.source.read(&mut room[filled.end..filled.start + size]) {
                Ok(0) => self.ended = true,
                Ok(more) => filled.end += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The bytes that are there.
    pub fn rest(&self) -> &[u8] {
        self.bytes.all()
    }

    /// Whether there is nothing more.
    pub fn is_empty(&self) -> bool {
        self.ended && self.rest().is_empty()
    }

    /// The bytes that were used.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Uses the whole lines that are there, at the end of the source all that is left; nothing if
    /// no line ends. The room of others is used for what stays.
    ///
    /// Lines end with LF: after a CR nobody knows whether its LF follows.
    pub fn whole_lines(&mut self, mut others: Bytes) -> Bytes {
        let rest = self.rest();
        let length = match self.ended {
            true => rest.len(),
            false => rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1),
        };
        if length == 0 {
            others.filled = 0..0;
            return others;
        }
        others.copy(&rest[length..]);
        let mut lines = std::mem::replace(&mut self.bytes, others);
        lines.filled.end = lines.filled.start + length;
        self.used += length as u64;
        lines
    }

    /// Gives back the last bytes that were used.
    pub fn put_back(&mut self, bytes: &[u8]) {
        let all = [bytes, self.rest()].concat();
        self.bytes.copy(&all);
        self.used -= bytes.len() as u64;
    }
}

impl<R: Read> Read for Blocks<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let copied = self.fill_buf()?.read(room)?;
        self.consume(copied);
        Ok(copied)
    }
}

impl<R: Read> BufRead for Blocks<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.rest().is_empty() {
            self.fill(ONE_BY_ONE)?;
        }
        Ok(self.rest())
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.filled.start += amount;
        self.used += amount as u64;
    }
}

/// What is read for rows that are read one by one.
const ONE_BY_ONE: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_with_their_lines() {
        let mut blocks = Blocks::new(&b"ab\ncd\r\nef\rg"[..]);
        blocks.fill(2).expect("a slice");
        let lines = blocks.whole_lines(Bytes::default());
        assert_eq!((lines.all(), blocks.rest()), (&b""[..], &b"ab"[..]));
        blocks.fill(4).expect("a slice");
        let lines = blocks.whole_lines(lines);
        assert_eq!(lines.all(), b"ab\n");
        assert_eq!((blocks.used(), blocks.rest()), (3, &b"c"[..]));
        blocks.fill(7).expect("a slice");
        // What the room held before is gone.
        let lines = blocks.whole_lines(lines);
        assert_eq!(lines.all(), b"cd\r\n");
        assert_eq!((blocks.used(), blocks.rest(), blocks.is_empty()), (7, &b"ef\r"[..], false));
        blocks.fill(9).expect("a slice");
        let lines = blocks.whole_lines(lines);
        assert_eq!((lines.all(), blocks.used(), blocks.is_empty()), (&b"ef\rg"[..], 11, true));
        assert_eq!(blocks.whole_lines(lines).all(), b"");
    }

    #[test]
    fn what_is_put_back_comes_again() {
        let mut blocks = Blocks::new(&b"ab\ncd\nef"[..]);
        blocks.fill(7).expect("a slice");
        let lines = blocks.whole_lines(Bytes::default());
        blocks.put_back(&lines.all()[3..]);
        assert_eq!((blocks.rest(), blocks.used()), (&b"cd\ne"[..], 3));
        blocks.consume(1);
        let mut all = String::new();
        blocks.read_to_string(&mut all).expect("text");
        assert_eq!((all.as_str(), blocks.used()), ("d\nef", 8));
    }
}
