//! Columns from Arrow files (Feather version 2) and Arrow streams, batch after batch.
//!
//! The end of a file says where its batches are, and dictionaries may stand after those that use
//! them; a stream is read from its first byte to its last. Lengths are compared with what is there
//! before anything is decoded.

use std::collections::HashMap;
use std::io::{Read, Seek};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::MessageHeader;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_schema::{ArrowError, Schema, SchemaRef};

use super::InputError;
use super::arrow_cells::{Values, dictionary, refused};
use super::arrow_messages::{File, Messages, Stream};
use super::complaint::of_column;
use super::guard::guarded;
use super::table::{Cell, Table, Take};
use super::transposed::{BLOCK, hand_over};

/// An Arrow file or stream.
pub(crate) struct Arrow {
    messages: Box<dyn Messages + Send>,
    file: String,
    schema: SchemaRef,
    names: Vec<String>,
    /// The values of dictionaries that came so far.
    dictionaries: HashMap<i64, ArrayRef>,
    /// The wanted columns of the last batch, and its rows that were handed over.
    batch: Option<(RecordBatch, usize)>,
    before: u64,
}

impl Arrow {
    /// Reads the end of a file, where its schema is.
    pub(crate) fn open_file(
        source: impl Read + Seek + Send + 'static,
        name: &str,
    ) -> Result<Self, InputError> {
        let opened = guarded(|| File::open(source)).unwrap_or_else(Err);
        let (messages, schema) = opened.map_err(|problem| InputError::of_file(name, problem))?;
        Ok(Arrow::new(Box::new(messages), schema, name))
    }

    /// Reads the start of a stream, where its schema is.
    pub(crate) fn open_stream(
        source: impl Read + Send + 'static,
        name: &str,
    ) -> Result<Self, InputError> {
        let opened = guarded(|| Stream::open(source)).unwrap_or_else(Err);
        let (messages, schema) = opened.map_err(|problem| InputError::of_file(name, problem))?;
        Ok(Arrow::new(Box::new(messages), schema, name))
    }

    fn new(messages: Box<dyn Messages + Send>, schema: Schema, file: &str) -> Self {
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        let (file, schema, dictionaries) = (file.to_owned(), Arc::new(schema), HashMap::new());
        Arrow { messages, file, schema, names, dictionaries, batch: None, before: 0 }
    }

    /// Reads up to the next batch with rows, and its wanted columns.
    fn next_batch(&mut self, wanted: &[usize]) -> Result<bool, InputError> {
        for &column in wanted {
            if let Some(problem) = refused(self.schema.field(column).data_type()) {
                return Err(of_column(&self.file, &self.names[column], problem));
            }
        }
        let decoded = guarded(|| self.decode(wanted)).unwrap_or_else(Err).map_err(|problem| {
            let problem = format!("the batch after row {}: {problem}", self.before);
            InputError::of_file(&self.file, problem)
        })?;
        self.batch = decoded.map(|batch| (batch, 0));
        Ok(self.batch.is_some())
    }

    fn decode(&mut self, wanted: &[usize]) -> Result<Option<RecordBatch>, String> {
        while let Some(message) = self.messages.next()? {
            let header = message.header()?;
            let version = header.version();
            match header.header_type() {
                MessageHeader::DictionaryBatch => {
                    let batch = header.header_as_dictionary_batch().expect("its type was asked");
                    if !self.is_wanted(batch.id(), wanted) {
                        continue;
                    }
                    message.check(batch.data())?;
                    let (schema, known) = (&self.schema, &mut self.dictionaries);
                    let read = read_dictionary(&message.body, batch, schema, known, &version);
                    read.map_err(|error| broken(&error))?;
                }
                MessageHeader::RecordBatch => {
                    let batch = header.header_as_record_batch().expect("its type was asked");
                    message.check(Some(batch))?;
                    let (schema, known) = (Arc::clone(&self.schema), &self.dictionaries);
                    let decoder =
                        RecordBatchDecoder::try_new(&message.body, batch, schema, known, &version)
                            .map_err(|error| broken(&error))?;
                    let decoded = decoder.with_projection(Some(wanted)).read_record_batch();
                    let decoded = decoded.map_err(|error| broken(&error))?;
                    if decoded.num_rows() > 0 {
                        return Ok(Some(decoded));
                    }
                }
                _ => return Err("neither rows nor a dictionary".to_owned()),
            }
        }
        Ok(None)
    }

    /// Whether a dictionary is that of a wanted column.
    fn is_wanted(&self, dictionary: i64, wanted: &[usize]) -> bool {
        wanted.iter().any(|&column| {
            #[expect(deprecated, reason = "nothing else says which dictionary a field has")]
            let id = self.schema.field(column).dict_id();
            id == Some(dictionary)
        })
    }
}

fn broken(error: &ArrowError) -> String {
    format!("it cannot be read: {error}; write the file again")
}

impl Table for Arrow {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&mut self, wanted: &[usize], take: Take<'_>) -> Result<bool, InputError> {
        if self.batch.is_none() && !self.next_batch(wanted)? {
            return Ok(false);
        }
        let (batch, done) = self.batch.as_mut().expect("there is one");
        // All of a dictionary is looked at for each block, which must be worth it.
        let longest = batch.columns().iter().map(dictionary).max().unwrap_or(0);
        let rows = (batch.num_rows() - *done).min(BLOCK.max(longest));
        let block = batch.slice(*done, rows);
        let values: Vec<Values<'_>> = block.columns().iter().map(Values::of).collect();
        let mut columns: Vec<Vec<Cell<'_>>> = Vec::with_capacity(wanted.len());
        for (values, &column) in values.iter().zip(wanted) {
            let cells = values.cells();
            columns.push(
                cells.map_err(|problem| of_column(&self.file, &self.names[column], problem))?,
            );
        }
        hand_over(&columns, self.before, rows, take)?;
        self.before += rows as u64;
        *done += rows;
        if *done == batch.num_rows() {
            self.batch = None;
        }
        Ok(true)
    }

    fn share(&self) -> Option<(u64, u64)> {
        None
    }
}
