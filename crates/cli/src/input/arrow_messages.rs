//! The messages of an Arrow file or stream, each with its body, none longer than what is there.

use std::io::{Read, Seek, SeekFrom};

use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::{RecordBatch, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, Schema};

/// The longest description of a message, and of a file.
const MAX_HEADER: u32 = 1 << 26;

/// The rows that a batch may have: what they take has a number, whatever their type.
const MAX_ROWS: i64 = 1 << 40;

/// Messages, one after the other: every dictionary before the rows that use it.
pub(super) trait Messages {
    /// The next message, if there is one more.
    fn next(&mut self) -> Result<Option<Message>, String>;
}

/// A message.
pub(super) struct Message {
    header: Vec<u8>,
    pub body: Buffer,
}

const CUT: &str = "an Arrow file that ends too early; it was cut off: save or copy it again";

/// A stream, behind its schema.
pub(super) struct Stream<R> {
    source: R,
}

impl<R: Read> Stream<R> {
    /// Reads the schema.
    pub fn open(mut source: R) -> Result<(Self, Schema), String> {
        let first = read_message(&mut source)?;
        let header = first.as_ref().map(Message::header).transpose()?;
        let Some(schema) = header.and_then(|header| header.header_as_schema()) else {
            return Err("not an Arrow stream: it does not start with a schema".to_owned());
        };
        let schema = of_schema(schema)?;
        Ok((Stream { source }, schema))
    }
}

impl<R: Read> Messages for Stream<R> {
    fn next(&mut self) -> Result<Option<Message>, String> {
        read_message(&mut self.source)
    }
}

/// A file, of which the end says where the messages are.
pub(super) struct File<R> {
    source: R,
    /// Where messages start that are still to be read, the last of them first.
    places: Vec<u64>,
}

impl<R: Read + Seek> File<R> {
    /// Reads the end.
    pub fn open(mut source: R) -> Result<(Self, Schema), String> {
        const LAST: u64 = 10;
        let length = source.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let place = length.checked_sub(LAST).ok_or(CUT)?;
        source.seek(SeekFrom::Start(place)).map_err(unreadable)?;
        let last = whole(&mut source, LAST)?;
        let size: &[u8; 4] = last.first_chunk().expect("ten bytes");
        let size = u32::from_le_bytes(*size);
        let start = place.checked_sub(size.into());
        let Some(start) = start.filter(|_| last.ends_with(b"ARROW1") && size <= MAX_HEADER) else {
            return Err(CUT.to_owned());
        };
        source.seek(SeekFrom::Start(start)).map_err(unreadable)?;
        let footer = whole(&mut source, size.into())?;
        let footer = root_as_footer(&footer).map_err(damaged)?;
        let schema = of_schema(footer.schema().ok_or_else(|| damaged("it has no schema"))?)?;
        let batches = footer.recordBatches().into_iter().flatten();
        let blocks = footer.dictionaries().into_iter().flatten().chain(batches);
        let places: Result<Vec<u64>, _> =
            blocks.map(|block| u64::try_from(block.offset())).collect();
        let mut places = places.map_err(|_| damaged("a message has no place"))?;
        places.reverse();
        Ok((File { source, places }, schema))
    }
}

impl<R: Read + Seek> Messages for File<R> {
    fn next(&mut self) -> Result<Option<Message>, String> {
        let Some(place) = self.places.pop() else { return Ok(None) };
        self.source.seek(SeekFrom::Start(place)).map_err(unreadable)?;
        read_message(&mut self.source)?.map(Some).ok_or_else(|| damaged("a message is not there"))
    }
}

fn of_schema(schema: arrow_ipc::Schema<'_>) -> Result<Schema, String> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err("Arrow data of another byte order; write it again on this machine".to_owned());
    }
    try_fb_to_schema(schema).map_err(|error: ArrowError| damaged(error))
}

fn damaged(what: impl std::fmt::Display) -> String {
    format!("damaged Arrow data: {what}; write the file again")
}

fn unreadable(error: std::io::Error) -> String {
    format!("cannot be read: {error}")
}

/// The message that comes next; none at the end of the source or where an end is marked.
fn read_message(source: &mut impl Read) -> Result<Option<Message>, String> {
    let mut prefix = bytes(source, 4)?;
    if prefix.is_empty() {
        return Ok(None);
    }
    // Versions before 0.15 begin with the length.
    if prefix == [0xff; 4] {
        prefix = whole(source, 4)?;
    }
    let length: &[u8; 4] = prefix.first_chunk().ok_or(CUT)?;
    let length = u32::from_le_bytes(*length);
    if length == 0 {
        return Ok(None);
    }
    if length > MAX_HEADER {
        return Err(damaged(format!("a message is described in {length} bytes")));
    }
    let header = whole(source, length.into())?;
    let mut message = Message { header, body: Buffer::default() };
    let size = u64::try_from(message.header()?.bodyLength());
    message.body = body(source, size.map_err(|_| damaged("a message has no length"))?)?;
    Ok(Some(message))
}

/// So many bytes, or as many as there are, and no more room than those.
fn bytes(source: &mut impl Read, count: u64) -> Result<Vec<u8>, String> {
    let mut bytes = vec![];
    source.take(count).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

fn whole(source: &mut impl Read, count: u64) -> Result<Vec<u8>, String> {
    let bytes = bytes(source, count)?;
    if bytes.len() as u64 == count { Ok(bytes) } else { Err(CUT.to_owned()) }
}

/// So many bytes, placed so that numbers can be read from them.
fn body(source: &mut impl Read, count: u64) -> Result<Buffer, String> {
    const CHUNK: u64 = 1 << 20;
    let mut body = MutableBuffer::new(0);
    while (body.len() as u64) < count {
        body.extend_from_slice(&whole(source, (count - body.len() as u64).min(CHUNK))?);
    }
    Ok(body.into())
}

impl Message {
    /// What the message says of itself.
    pub fn header(&self) -> Result<arrow_ipc::Message<'_>, String> {
        root_as_message(&self.header).map_err(damaged)
    }

    /// Checks that the parts of a batch are where it says, and that they need no more room than
    /// they can fill.
    pub fn check(&self, batch: Option<RecordBatch<'_>>) -> Result<(), String> {
        let batch = batch.ok_or_else(|| damaged("a batch is empty"))?;
        if !(0..=MAX_ROWS).contains(&batch.length()) {
            return Err(damaged("the number of rows of a batch is none"));
        }
        for node in batch.nodes().into_iter().flatten() {
            let (length, nulls) = (node.length(), node.null_count());
            if !(0..=MAX_ROWS).contains(&length) || !(0..=length).contains(&nulls) {
                return Err(damaged("the length of a column is none"));
            }
        }
        for part in batch.buffers().into_iter().flatten() {
            let place =
                usize::try_from(part.offset()).ok().zip(usize::try_from(part.length()).ok());
            let part = place.and_then(|(at, length)| self.body.get(at..at.checked_add(length)?));
            let part = part.ok_or_else(|| damaged("a column is not where it says"))?;
            if batch.compression().is_some() && !is_possible(part) {
                return Err(damaged("the size of a compressed column is none"));
            }
        }
        Ok(())
    }
}

/// Whether compressed bytes, which begin with the length of what they are unpacked, can have it.
fn is_possible(bytes: &[u8]) -> bool {
    /// Zstandard packs 128 kB of the same byte into four, and nothing packs more.
    const MOST: u64 = 1 << 15;
    let Some((length, packed)) = bytes.split_first_chunk() else { return bytes.is_empty() };
    match i64::from_le_bytes(*length) {
        -1 => true, // it is not compressed
        length => u64::try_from(length).is_ok_and(|length| length / MOST <= packed.len() as u64),
    }
}
