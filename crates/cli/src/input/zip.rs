//! The directory of a zip archive, and the files in it, as far as archives of arrays need it:
//! stored or deflated, of any size.
//!
//! What the archive says of sizes is not believed: a file is read to its end and its length and its
//! checksum are compared with what was promised.

use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

/// A file in an archive.
#[derive(Debug)]
pub(super) struct Entry {
    pub name: String,
    flags: u16,
    method: u16,
    checksum: u32,
    packed: u64,
    size: u64,
    /// Where its own header is.
    start: u64,
}

/// An archive whose directory has been read.
pub(super) struct Archive<S> {
    source: Arc<Mutex<S>>,
    length: u64,
    pub entries: Vec<Entry>,
}

/// The longest directory, for half a million arrays.
const MAX_DIRECTORY: u64 = 1 << 26;

const DAMAGED: &str = "a damaged zip archive";

/// Little-endian numbers, one after the other.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (bytes, rest) =
            self.0.split_at_checked(count).ok_or(format!("{DAMAGED}: its directory is cut off"))?;
        self.0 = rest;
        Ok(bytes)
    }

    /// A number of up to eight bytes.
    fn number(&mut self, size: usize) -> Result<u64, String> {
        let number = |sum, &byte| sum << 8 | u64::from(byte);
        Ok(self.bytes(size)?.iter().rev().fold(0, number))
    }

    fn short(&mut self) -> Result<u16, String> {
        self.number(2).map(|number| number as u16)
    }

    fn long(&mut self) -> Result<u32, String> {
        self.number(4).map(|number| number as u32)
    }
}

impl<S: Read + Seek + Send + 'static> Archive<S> {
    /// Reads the directory, which stands at the end.
    pub fn open(mut source: S) -> Result<Self, String> {
        let length = source.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let (start, size) = place_of_directory(&mut source, length)?;
        let inside = start.checked_add(size).is_some_and(|end| end <= length);
        if !inside || size > MAX_DIRECTORY {
            return Err(format!("{DAMAGED}: its directory is not where its end says"));
        }
        let directory = read_at(&mut source, start, size as usize)?;
        let (mut fields, mut entries) = (Fields(&directory), vec![]);
        while !fields.0.is_empty() {
            entries.push(Entry::read(&mut fields)?);
        }
        Ok(Archive { source: Arc::new(Mutex::new(source)), length, entries })
    }

    /// The content of an entry, checked as it is read.
    pub fn content(&self, entry: &Entry) -> Result<Content, String> {
        if entry.flags & 1 != 0 {
            return Err("encrypted; save it without a password".to_owned());
        }
        let mut source = self.source.lock().map_err(|_| "cannot be read".to_owned())?;
        let header = read_at(&mut *source, entry.start, 30)?;
        drop(source);
        let mut fields = Fields(&header);
        if fields.bytes(4)? != b"PK\x03\x04" {
            return Err("not where the directory of the archive says; save it again".to_owned());
        }
        fields.bytes(22)?;
        let skipped = 30 + u64::from(fields.short()?) + u64::from(fields.short()?);
        let at = entry.start.saturating_add(skipped);
        if at.checked_add(entry.packed).is_none_or(|end| end > self.length) {
            return Err("longer than the archive; it was cut off: save or copy it again".to_owned());
        }
        let section = Section { source: Arc::clone(&self.source), at, rest: entry.packed };
        let section = BufReader::with_capacity(1 << 16, section);
        let unpacked: Box<dyn Read + Send> = match entry.method {
            0 => Box::new(section),
            8 => Box::new(DeflateDecoder::new(section)),
            method => {
                return Err(format!(
                    "compressed by method {method}; save it with numpy.savez_compressed"
                ));
            }
        };
        let (size, checksum) = (entry.size, entry.checksum);
        Ok(Content { unpacked, crc: Crc::new(), found: 0, size, checksum })
    }
}

fn unreadable(error: io::Error) -> String {
    format!("cannot be read: {error}")
}

/// So many bytes from a place; there must be so many.
fn read_at(source: &mut (impl Read + Seek), at: u64, count: usize) -> Result<Vec<u8>, String> {
    source.seek(SeekFrom::Start(at)).map_err(unreadable)?;
    let mut bytes = vec![];
    source.take(count as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    match bytes.len() == count {
        true => Ok(bytes),
        false => Err(format!("{DAMAGED}: it was cut off")),
    }
}

/// Where the directory starts, and its size.
fn place_of_directory(source: &mut (impl Read + Seek), length: u64) -> Result<(u64, u64), String> {
    /// The end without its comment, and the longest comment.
    const END: u64 = 22;
    const COMMENT: u64 = u16::MAX as u64;
    let tail = length.min(END + COMMENT);
    let bytes = read_at(source, length - tail, tail as usize)?;
    let is_end = |&at: &usize| {
        let end = bytes[at..].strip_prefix(b"PK\x05\x06").and_then(|end| end.get(16..18));
        end.is_some_and(|size| {
            at + 22 + usize::from(u16::from_le_bytes([size[0], size[1]])) == bytes.len()
        })
    };
    let at = (0..bytes.len())
        .rev()
        .find(is_end)
        .ok_or("a zip archive without an end; it was cut off: save or copy it again".to_owned())?;
    let mut fields = Fields(&bytes[at + 12..]);
    let (size, start) = (fields.number(4)?, fields.number(4)?);
    let full = u64::from(u32::MAX);
    if size != full && start != full {
        return Ok((start, size));
    }
    // The end of an archive with 64-bit sizes stands before, and something that says where.
    let end = length - tail + at as u64;
    let locator = end.checked_sub(20).ok_or(format!("{DAMAGED}: it is too short"))?;
    let locator = read_at(source, locator, 20)?;
    let mut fields = Fields(&locator);
    if fields.bytes(4)? != b"PK\x06\x07" {
        return Ok((start, size));
    }
    fields.bytes(4)?;
    let end = read_at(source, fields.number(8)?, 56)?;
    let mut fields = Fields(&end);
    if fields.bytes(4)? != b"PK\x06\x06" {
        return Err(format!("{DAMAGED}: its end is not where it says"));
    }
    fields.bytes(36)?;
    let size = fields.number(8)?;
    Ok((fields.number(8)?, size))
}

impl Entry {
    fn read(fields: &mut Fields<'_>) -> Result<Self, String> {
        if fields.bytes(4)? != b"PK\x01\x02" {
            return Err(format!("{DAMAGED}: its directory has something else in it"));
        }
        fields.bytes(4)?;
        let (flags, method) = (fields.short()?, fields.short()?);
        fields.bytes(4)?;
        let checksum = fields.long()?;
        let (mut packed, mut size) = (fields.number(4)?, fields.number(4)?);
        let (name, extra, comment) = (fields.short()?, fields.short()?, fields.short()?);
        fields.bytes(8)?;
        let mut start = fields.number(4)?;
        let name = String::from_utf8_lossy(fields.bytes(name.into())?).into_owned();
        let mut extra = Fields(fields.bytes(extra.into())?);
        fields.bytes(comment.into())?;
        while extra.0.len() >= 4 {
            let (id, length) = (extra.short()?, extra.short()?);
            let mut data = Fields(extra.bytes(length.into())?);
            if id == 1 {
                // 64 bits for each number that does not fit in 32, in this order.
                for number in [&mut size, &mut packed, &mut start] {
                    if *number == u64::from(u32::MAX) {
                        *number = data.number(8)?;
                    }
                }
            }
        }
        Ok(Entry { name, flags, method, checksum, packed, size, start })
    }
}

/// A part of a source that others read, too.
struct Section<S> {
    source: Arc<Mutex<S>>,
    at: u64,
    rest: u64,
}

impl<S: Read + Seek> Read for Section<S> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.rest).unwrap_or(usize::MAX).min(room.len());
        let mut source =
            self.source.lock().map_err(|_| io::Error::other("another reader failed"))?;
        source.seek(SeekFrom::Start(self.at))?;
        let found = source.read(&mut room[..most])?;
        self.at += found as u64;
        self.rest -= found as u64;
        Ok(found)
    }
}

/// The content of an entry. Its end is an error if it is not as long as was promised, or has
/// another checksum.
pub(super) struct Content {
    unpacked: Box<dyn Read + Send>,
    crc: Crc,
    found: u64,
    size: u64,
    checksum: u32,
}

impl Read for Content {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let found = self.unpacked.read(room)?;
        self.crc.update(&room[..found]);
        self.found += found as u64;
        let wrong = |problem: &str| Err(io::Error::new(ErrorKind::InvalidData, problem.to_owned()));
        if self.found > self.size {
            return wrong("longer than the archive says");
        }
        if found == 0 && !room.is_empty() {
            if self.found < self.size {
                return wrong("shorter than the archive says");
            }
            if self.crc.sum() != self.checksum {
                return wrong("its checksum is another");
            }
        }
        Ok(found)
    }
}
