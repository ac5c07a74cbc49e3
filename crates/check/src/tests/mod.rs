//! Tests of the crate as a whole: its words, its data and its sources.

mod sources;
mod subject;
mod words;
