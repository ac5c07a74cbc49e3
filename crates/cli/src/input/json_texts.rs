//! The texts of the objects in a file, one after the other: its lines, or the elements of the array
//! that it is.

use std::io::{BufRead, Read};

use super::rows::MAX_ROW_BYTES;

/// Reads text after text.
pub(super) struct Texts<R> {
    source: R,
    layout: Option<Layout>,
    text: Vec<u8>,
    /// The line on which the text starts, and that on which the next byte is.
    line: u64,
    next_line: u64,
}

/// How objects stand in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Each on a line of its own.
    Lines,
    /// In an array of which nothing was read, or something, or everything.
    Array { begun: bool, ended: bool },
}

const TOO_LONG: &str = "a row of more than 32 MB; give one JSON object per line";
const BOM: &[u8] = b"\xef\xbb\xbf";

impl<R: BufRead> Texts<R> {
    pub fn new(source: R) -> Self {
        Texts { source, layout: None, text: vec![], line: 1, next_line: 1 }
    }

    /// The text that was read last.
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

impl<R> Texts<R> {
    /// The line on which it starts, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }
}

impl<R: BufRead> Texts<R> {
    /// Reads the next text; `false` if there is none.
    pub fn next(&mut self) -> Result<bool, String> {
        let layout = match self.layout {
            Some(layout) => layout,
            None => self.see()?,
        };
        self.text.clear();
        match layout {
            Layout::Lines => self.next_line(),
            Layout::Array { begun, ended } => self.next_element(begun, ended),
        }
    }

    /// Sees whether it is an array.
    fn see(&mut self) -> Result<Layout, String> {
        // A byte order mark, byte by byte: the source may give them so.
        for &byte in BOM {
            if self.peek()? != Some(byte) {
                break;
            }
            self.source.consume(1);
        }
        let layout = match self.peek_word()? {
            Some(b'[') => {
                self.source.consume(1);
                Layout::Array { begun: false, ended: false }
            }
            _ => Layout::Lines,
        };
        self.layout = Some(layout);
        Ok(layout)
    }

    /// The next line that is not blank.
    fn next_line(&mut self) -> Result<bool, String> {
        loop {
            self.text.clear();
            self.line = self.next_line;
            let most = MAX_ROW_BYTES as u64 + 1;
            let read = self.source.by_ref().take(most).read_until(b'\n', &mut self.text);
            if read.map_err(unreadable)? == 0 {
                return Ok(false);
            }
            if self.text.len() > MAX_ROW_BYTES {
                return Err(TOO_LONG.to_owned());
            }
            self.next_line += 1;
            if !self.text.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// The next element of the array.
    fn next_element(&mut self, begun: bool, ended: bool) -> Result<bool, String> {
        let next = self.peek_word()?;
        self.line = self.next_line;
        match next {
            _ if ended => {}
            Some(b']') => {
                self.source.consume(1);
                self.layout = Some(Layout::Array { begun, ended: true });
                return self.next_element(begun, true);
            }
            Some(b',') if begun => {
                self.source.consume(1);
                return self.object();
            }
            Some(_) if !begun => {
                self.layout = Some(Layout::Array { begun: true, ended });
                return self.object();
            }
            Some(_) => return Err("no comma between two elements of the array; add it".to_owned()),
            None => {
                return Err(
                    "the array has no end; the file was cut off: save or copy it again".to_owned()
                );
            }
        }
        match next {
            None => Ok(false),
            Some(_) => Err("text after the array; give one array of objects".to_owned()),
        }
    }

    /// Takes an object up to the brace that closes it, or what is no object up to something that
    /// cannot be in it.
    fn object(&mut self) -> Result<bool, String> {
        let start = self.peek_word()?;
        self.line = self.next_line;
        if start != Some(b'{') {
            return Err("an element of the array is not an object; give one object per row".into());
        }
        let (mut depth, mut quoted, mut escaped) = (0_u64, false, false);
        while let Some(byte) = self.take_byte()? {
            self.text.push(byte);
            if self.text.len() > MAX_ROW_BYTES {
                return Err(TOO_LONG.to_owned());
            }
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => depth += 1,
                b'}' | b']' if !quoted => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(true);
            }
        }
        Err("an object without an end; the file was cut off: save or copy it again".to_owned())
    }

    /// The next byte that is not white space, which is left where it is.
    fn peek_word(&mut self) -> Result<Option<u8>, String> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.take_byte()?;
        }
        Ok(None)
    }

    fn peek(&mut self) -> Result<Option<u8>, String> {
        loop {
            match self.source.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(error)),
            }
        }
    }

    fn take_byte(&mut self) -> Result<Option<u8>, String> {
        let byte = self.peek()?;
        if byte.is_some() {
            self.source.consume(1);
        }
        self.next_line += u64::from(byte == Some(b'\n'));
        Ok(byte)
    }
}

fn unreadable(error: std::io::Error) -> String {
    format!("cannot be read: {error}")
}
