//! A source of text, in blocks of whole lines.

use std::io::{self, BufRead, Read};

/// Bytes that have been read and not yet been used, and the source of more.
pub(super) struct Blocks<R> {
    source: R,
    bytes: Vec<u8>,
    /// Where the unused bytes begin.
    start: usize,
    ended: bool,
    /// All that were used.
    used: u64,
}

impl<R: Read> Blocks<R> {
    pub fn new(source: R) -> Self {
        Blocks { source, bytes: vec![], start: 0, ended: false, used: 0 }
    }

    /// Reads on until so many bytes are there, or the source ends.
    pub fn fill(&mut self, size: usize) -> io::Result<()> {
        let missing = size.saturating_sub(self.rest().len());
        if missing == 0 || self.ended {
            return Ok(());
        }
        self.bytes.drain(..self.start);
        self.start = 0;
        self.bytes.reserve(missing);
        // A pipe may hand its bytes over one by one.
        let more = self.source.by_ref().take(missing as u64).read_to_end(&mut self.bytes)?;
        self.ended = more < missing;
        Ok(())
    }

    /// The bytes that are there.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
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
    /// no line ends. The room is used for what stays.
    ///
    /// Lines end with LF: after a CR nobody knows whether its LF follows.
    pub fn whole_lines(&mut self, mut room: Vec<u8>) -> Vec<u8> {
        let end = match self.ended {
            true => self.bytes.len(),
            false => {
                let end = self.rest().iter().rposition(|byte| *byte == b'\n');
                end.map_or(self.start, |end| self.start + end + 1)
            }
        };
        room.clear();
        if end == self.start {
            return room;
        }
        room.extend_from_slice(&self.bytes[end..]);
        let mut lines = std::mem::replace(&mut self.bytes, room);
        lines.truncate(end);
        lines.drain(..std::mem::take(&mut self.start));
        self.used += lines.len() as u64;
        lines
    }

    /// Gives back the last bytes that were used.
    pub fn put_back(&mut self, bytes: &[u8]) {
        self.bytes.splice(..self.start, bytes.iter().copied());
        self.start = 0;
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
        self.fill(1)?;
        Ok(self.rest())
    }

    fn consume(&mut self, amount: usize) {
        self.start += amount;
        self.used += amount as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_with_their_lines() {
        let mut blocks = Blocks::new(&b"ab\ncd\r\nef\rg"[..]);
        blocks.fill(2).expect("a slice");
        assert_eq!(blocks.whole_lines(vec![]), b"");
        assert_eq!(blocks.rest(), b"ab");
        blocks.fill(4).expect("a slice");
        assert_eq!(blocks.whole_lines(vec![7]), b"ab\n");
        assert_eq!((blocks.used(), blocks.rest()), (3, &b"c"[..]));
        blocks.fill(7).expect("a slice");
        assert_eq!(blocks.whole_lines(vec![]), b"cd\r\n");
        assert_eq!((blocks.used(), blocks.rest(), blocks.is_empty()), (7, &b"ef\r"[..], false));
        blocks.fill(9).expect("a slice");
        assert_eq!(blocks.whole_lines(vec![]), b"ef\rg");
        assert_eq!((blocks.used(), blocks.is_empty()), (11, true));
        assert_eq!(blocks.whole_lines(vec![]), b"");
    }

    #[test]
    fn what_is_put_back_comes_again() {
        let mut blocks = Blocks::new(&b"ab\ncd\nef"[..]);
        blocks.fill(7).expect("a slice");
        let lines = blocks.whole_lines(vec![]);
        blocks.put_back(&lines[3..]);
        assert_eq!((blocks.rest(), blocks.used()), (&b"cd\ne"[..], 3));
        blocks.consume(1);
        let mut all = String::new();
        blocks.read_to_string(&mut all).expect("text");
        assert_eq!((all.as_str(), blocks.used()), ("d\nef", 8));
    }
}
