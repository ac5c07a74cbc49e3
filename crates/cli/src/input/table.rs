//! Rows and columns, whatever format they are in.

use super::InputError;

/// A cell as a format has it. What it means is decided in one place for all formats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// Nothing, where the format can say so: null.
    Missing,
    /// A text; also a number that is written in decimal, to be read exactly.
    Text(&'a str),
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A double (or a single, which is a double): the exact dyadic that it is.
    Double(f64),
}

/// Where a row stands, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    /// The row of data, from 1.
    pub row: u64,
    /// The line of a text file on which it starts, from 1.
    pub line: Option<u64>,
}

/// Takes a row: its place and its wanted cells, in the order in which they were asked for.
pub(crate) type Take<'a> = &'a mut dyn FnMut(At, &[Cell<'_>]) -> Result<(), InputError>;

/// A file of named columns, read block by block.
pub(crate) trait Table {
    /// The names of all columns, in their order.
    fn names(&self) -> &[String];

    /// Hands over some thousand rows more; `false` if there are no more. Only the columns with
    /// these positions are wanted, in this order; they are the same in every call.
    fn read(&mut self, wanted: &[usize], take: Take<'_>) -> Result<bool, InputError>;

    /// How much of how much has been read, in rows or in bytes, if that is known.
    fn share(&self) -> Option<(u64, u64)>;
}
