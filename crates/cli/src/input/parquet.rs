//! Forecasts from Parquet files, two columns of them, by name.
//!
//! Outcomes are booleans, integers or floats that are 0 or 1; predictions are floats, the exact
//! dyadics that they are. Columns are read in blocks, group after group of rows.

use std::fmt::Display;
use std::fs::File;

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use super::{Columns, InputError, Position};
use truecal::Forecasts;
use truecal::PredictionError;
use truecal::dyadic::Dyadic;

/// The rows of a block.
const BLOCK: usize = 1 << 14;

/// Reads rounds from a Parquet file. Only with the feature `parquet`.
///
/// `columns` must be [`Columns::Rounds`]; names that are not given are found as in CSV. `progress`
/// is called now and then with the rows read so far and the rows in all.
pub fn read_parquet(
    file: File,
    name: &str,
    columns: &Columns,
    progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    read(file, name, columns, progress)
}

/// The same from memory: the end of a Parquet file says where everything is, so a pipe must be read
/// to its end first.
pub fn read_parquet_bytes(
    bytes: Vec<u8>,
    name: &str,
    columns: &Columns,
    progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    read(bytes::Bytes::from(bytes), name, columns, progress)
}

fn read(
    source: impl ChunkReader + 'static,
    name: &str,
    columns: &Columns,
    mut progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    let of_file = |problem: String| InputError::of_file(name, problem);
    let broken =
        |error: ParquetError| of_file(format!("not a Parquet file that can be read: {error}"));
    if matches!(columns, Columns::Levels { .. }) {
        return Err(of_file(
            "a Parquet file is read round by round; levels are read from CSV".into(),
        ));
    }
    let reader = SerializedFileReader::new(source).map_err(broken)?;
    let metadata = reader.metadata().file_metadata();
    let schema = metadata.schema_descr();
    let names: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    let header: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = columns.find(&header).map_err(of_file)?;
    let place = |index: usize| -> Result<Column<'_>, InputError> {
        let column = Column { file: name, name: &names[index], kind: schema.column(index) };
        column.flat()?;
        Ok(column)
    };
    let (outcome, prediction) = (place(found[0])?, place(found[1])?);
    outcome.of_type("outcome", OUTCOME_TYPES)?;
    prediction.of_type("prediction", PREDICTION_TYPES)?;

    let mut forecasts = Forecasts::new();
    let (mut outcomes, mut predictions) = (Vec::new(), Vec::new());
    let all = u64::try_from(metadata.num_rows()).unwrap_or(0);
    let mut row = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(broken)?;
        let column = |index: usize| group.get_column_reader(index).map_err(broken);
        let (mut left, mut right) = (column(found[0])?, column(found[1])?);
        let end = row + u64::try_from(group.metadata().num_rows()).unwrap_or(0);
        while row < end {
            let rows = (end - row).min(BLOCK as u64) as usize;
            outcome.outcomes(&mut left, row, rows, &mut outcomes)?;
            prediction.predictions(&mut right, row, rows, &mut predictions)?;
            for (&outcome, &prediction) in outcomes.iter().zip(&predictions) {
                forecasts
                    .push_f64(outcome, prediction)
                    .map_err(|error| of_file(error.to_string()))?;
            }
            row += rows as u64;
            progress(row, all);
        }
    }
    if row == 0 {
        return Err(of_file("there is no row of data; give one row per round".into()));
    }
    forecasts.settle();
    Ok(forecasts)
}

const OUTCOME_TYPES: &[Type] =
    &[Type::BOOLEAN, Type::INT32, Type::INT64, Type::FLOAT, Type::DOUBLE];
const PREDICTION_TYPES: &[Type] = &[Type::FLOAT, Type::DOUBLE];

/// A column that is wanted, and all that is needed to complain about it.
struct Column<'a> {
    file: &'a str,
    name: &'a str,
    kind: std::sync::Arc<ColumnDescriptor>,
}

impl Column<'_> {
    fn flat(&self) -> Result<(), InputError> {
        match self.kind.max_rep_level() {
            0 => Ok(()),
            _ => Err(self.of_column("a list in every row; give a column with one value per row")),
        }
    }

    fn of_type(&self, role: &str, types: &[Type]) -> Result<(), InputError> {
        let physical = self.kind.physical_type();
        // An integer may stand for a decimal or for a date: 1 is then not 1.
        let plain =
            matches!(self.kind.logical_type_ref(), None | Some(LogicalType::Integer { .. }))
                && !matches!(
                    self.kind.converted_type(),
                    ConvertedType::DECIMAL
                        | ConvertedType::DATE
                        | ConvertedType::TIME_MILLIS
                        | ConvertedType::TIME_MICROS
                        | ConvertedType::TIMESTAMP_MILLIS
                        | ConvertedType::TIMESTAMP_MICROS
                );
        if types.contains(&physical) && plain {
            return Ok(());
        }
        let known = types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        let found = match self.kind.logical_type_ref() {
            Some(logical) if !plain => format!("{physical} that stands for {logical:?}"),
            _ => physical.to_string(),
        };
        Err(self.of_column(format!("of type {found}; the {role} must be {known}")))
    }

    fn outcomes(
        &self,
        reader: &mut ColumnReader,
        row: u64,
        rows: usize,
        outcomes: &mut Vec<bool>,
    ) -> Result<(), InputError> {
        outcomes.clear();
        match reader {
            ColumnReader::BoolColumnReader(reader) => *outcomes = self.values(reader, row, rows)?,
            ColumnReader::Int32ColumnReader(reader) => {
                self.bits(&self.values(reader, row, rows)?, row, &[0, 1], outcomes)?;
            }
            ColumnReader::Int64ColumnReader(reader) => {
                self.bits(&self.values(reader, row, rows)?, row, &[0, 1], outcomes)?;
            }
            ColumnReader::FloatColumnReader(reader) => {
                self.bits(&self.values(reader, row, rows)?, row, &[0.0, 1.0], outcomes)?;
            }
            ColumnReader::DoubleColumnReader(reader) => {
                self.bits(&self.values(reader, row, rows)?, row, &[0.0, 1.0], outcomes)?;
            }
            _ => return Err(self.of_column("of another type than the schema says")),
        }
        Ok(())
    }

    /// Values that must be the first or the second of two.
    fn bits<T: PartialEq + Display>(
        &self,
        values: &[T],
        row: u64,
        [zero, one]: &[T; 2],
        outcomes: &mut Vec<bool>,
    ) -> Result<(), InputError> {
        for (row, value) in (row..).zip(values) {
            if value != zero && value != one {
                let problem = "not an outcome; outcomes are 0 or 1, or false or true";
                return Err(self.of_cell(row, value.to_string(), problem.to_owned()));
            }
            outcomes.push(value == one);
        }
        Ok(())
    }

    /// The bits of the predictions.
    fn predictions(
        &self,
        reader: &mut ColumnReader,
        row: u64,
        rows: usize,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let doubles: Vec<f64> = match reader {
            ColumnReader::DoubleColumnReader(reader) => self.values(reader, row, rows)?,
            ColumnReader::FloatColumnReader(reader) => {
                self.values(reader, row, rows)?.into_iter().map(f64::from).collect()
            }
            _ => return Err(self.of_column("of another type than the schema says")),
        };
        predictions.clear();
        for (row, double) in (row..).zip(doubles) {
            match Dyadic::from_bits(double.to_bits()).map_err(PredictionError::from) {
                Ok(_) => predictions.push(double),
                Err(error) => return Err(self.of_cell(row, double.to_string(), error.to_string())),
            }
        }
        Ok(())
    }

    /// The next values, none of them missing.
    fn values<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        row: u64,
        rows: usize,
    ) -> Result<Vec<T::T>, InputError> {
        let (mut values, mut levels) = (Vec::with_capacity(rows), Vec::new());
        let (records, _, _) = reader
            .read_records(rows, Some(&mut levels), None, &mut values)
            .map_err(|error| self.of_column(format!("cannot be read after row {row}: {error}")))?;
        if records != rows {
            let found = row + records as u64;
            return Err(self.of_column(format!("it ends after row {found}; write the file again")));
        }
        // A value that is there has the highest level.
        let missing = levels.iter().position(|&level| level != self.kind.max_def_level());
        match missing {
            Some(index) => {
                let problem = "missing; fill it in or remove the row".to_owned();
                Err(self.of_cell(row + index as u64, "null".to_owned(), problem))
            }
            None => Ok(values),
        }
    }

    fn of_column(&self, problem: impl Display) -> InputError {
        InputError::of_file(self.file, format!("column {}: {problem}", super::quoted(self.name)))
    }

    fn of_cell(&self, row: u64, value: String, problem: String) -> InputError {
        let cell = Some((self.name.to_owned(), value));
        let place = Box::new(Position { row: Some(row + 1), line: None, cell });
        InputError { file: self.file.to_owned(), place, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::basic::{Compression, ZstdLevel};
    use parquet::data_type::{
        BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type,
    };
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;
    use truecal::AnyLevels;

    /// The values of a column, some of them missing.
    enum Cells {
        Bool(Vec<Option<bool>>),
        Int32(Vec<Option<i32>>),
        Int64(Vec<Option<i64>>),
        Float(Vec<Option<f32>>),
        Double(Vec<Option<f64>>),
        Text(Vec<Option<ByteArray>>),
    }

    /// A file with these columns, in groups of so many rows.
    fn file(schema: &str, columns: &[Cells], groups: usize, compression: Compression) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(schema).expect("a schema"));
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut writer =
            SerializedFileWriter::new(vec![], schema, Arc::new(properties)).expect("a writer");
        for _ in 0..groups {
            let mut group = writer.next_row_group().expect("a group");
            for cells in columns {
                macro_rules! write {
                    ($type:ty, $cells:expr) => {{
                        let mut column = group.next_column().expect("readable").expect("a column");
                        let present: Vec<_> = $cells.iter().flatten().cloned().collect();
                        let levels: Vec<i16> =
                            $cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                        let writer = column.typed::<$type>();
                        writer.write_batch(&present, Some(&levels), None).expect("written");
                        column.close().expect("closed");
                    }};
                }
                match cells {
                    Cells::Bool(cells) => write!(BoolType, cells),
                    Cells::Int32(cells) => write!(Int32Type, cells),
                    Cells::Int64(cells) => write!(Int64Type, cells),
                    Cells::Float(cells) => write!(FloatType, cells),
                    Cells::Double(cells) => write!(DoubleType, cells),
                    Cells::Text(cells) => write!(ByteArrayType, cells),
                }
            }
            group.close().expect("closed");
        }
        writer.into_inner().expect("a file")
    }

    fn read(bytes: Vec<u8>) -> Result<Forecasts, String> {
        let columns = Columns::default();
        read_parquet_bytes(bytes, "a.parquet", &columns, |_, _| ()).map_err(|e| e.to_string())
    }

    fn some<T: Copy>(values: &[T]) -> Vec<Option<T>> {
        values.iter().copied().map(Some).collect()
    }

    #[test]
    fn every_type_gives_the_same_table() {
        let predictions = [0.1_f32, 0.75, 5e-42, 1.0];
        let doubles = predictions.map(f64::from);
        let outcomes = [true, false, false, true];
        let twice = |values: &[f64]| [values, values].concat();
        let expected = AnyLevels::from_doubles(&[outcomes, outcomes].concat(), &twice(&doubles))
            .expect("valid");
        let snappy = Compression::SNAPPY;
        let zstd = Compression::ZSTD(ZstdLevel::default());
        for (kind, cells) in [
            ("BOOLEAN y", Cells::Bool(some(&outcomes))),
            ("INT32 y (INTEGER(8,false))", Cells::Int32(some(&outcomes.map(i32::from)))),
            ("INT64 y", Cells::Int64(some(&outcomes.map(i64::from)))),
            ("FLOAT y", Cells::Float(some(&outcomes.map(|y| f32::from(u8::from(y)))))),
            ("DOUBLE y", Cells::Double(some(&outcomes.map(|y| f64::from(u8::from(y)))))),
        ] {
            let schema = format!("message m {{ OPTIONAL DOUBLE p; OPTIONAL {kind}; }}");
            let bytes = file(&schema, &[Cells::Double(some(&doubles)), cells], 2, zstd);
            assert_eq!(read(bytes).expect("valid").levels().as_ref(), Ok(&expected), "{kind}");
        }
        let schema = "message m { OPTIONAL BOOLEAN y; OPTIONAL FLOAT p; }";
        let columns = [Cells::Bool(some(&outcomes)), Cells::Float(some(&predictions))];
        let bytes = file(schema, &columns, 2, snappy);
        assert_eq!(read(bytes).expect("valid").levels(), Ok(expected));
    }

    /// More rows than a block, read from a file.
    #[test]
    fn blocks_join() {
        let doubles: Vec<f64> =
            (0..40_000).map(|i| f64::from_bits(0.5_f64.to_bits() + i % 999)).collect();
        let outcomes: Vec<bool> = (0..40_000).map(|i| i % 7 < 3).collect();
        let schema = "message m { OPTIONAL BOOLEAN y; OPTIONAL DOUBLE p; }";
        let columns = [Cells::Bool(some(&outcomes)), Cells::Double(some(&doubles))];
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.parquet");
        std::fs::write(&path, file(schema, &columns, 1, Compression::UNCOMPRESSED))
            .expect("written");
        let opened = File::open(&path).expect("there");
        let forecasts =
            read_parquet(opened, "a.parquet", &Columns::default(), |_, _| ()).expect("valid");
        let expected = AnyLevels::from_doubles(&outcomes, &doubles).expect("valid");
        assert_eq!(forecasts.levels(), Ok(expected));
    }

    #[test]
    fn bad_files_are_named() {
        let two = |kinds: &str, y: Cells, p: Cells| {
            let schema = format!("message m {{ {kinds} }}");
            read(file(&schema, &[y, p], 1, Compression::UNCOMPRESSED)).expect_err("bad")
        };
        let p = |values: &[Option<f64>]| Cells::Double(values.to_vec());
        let y = |values: &[Option<i32>]| Cells::Int32(values.to_vec());
        let usual = "OPTIONAL INT32 y; OPTIONAL DOUBLE p;";
        let text =
            |words: &[&str]| Cells::Text(words.iter().map(|&word| Some(word.into())).collect());
        let good = || p(&[Some(0.5), Some(0.5)]);
        for (error, words) in [
            (
                two(usual, y(&[Some(1), None]), good()),
                "a.parquet, row 2, column \"y\", value \"null\": missing",
            ),
            (
                two(usual, y(&[Some(1), Some(0)]), p(&[None, Some(0.5)])),
                "a.parquet, row 1, column \"p\", value \"null\": missing",
            ),
            (
                two(usual, y(&[Some(1), Some(2)]), good()),
                "row 2, column \"y\", value \"2\": not an outcome",
            ),
            (
                two(usual, y(&[Some(1), Some(0)]), p(&[Some(0.5), Some(1.5)])),
                "row 2, column \"p\", value \"1.5\": greater than 1",
            ),
            (
                two(usual, y(&[Some(1), Some(0)]), p(&[Some(0.5), Some(f64::NAN)])),
                "row 2, column \"p\", value \"NaN\": not a number",
            ),
            (
                two("OPTIONAL BYTE_ARRAY y; OPTIONAL DOUBLE p;", text(&["1", "0"]), good()),
                "column \"y\": of type BYTE_ARRAY; the outcome must be BOOLEAN, INT32",
            ),
            (
                two(
                    "OPTIONAL INT32 y (DECIMAL(9,2)); OPTIONAL DOUBLE p;",
                    y(&[Some(1), Some(0)]),
                    good(),
                ),
                "column \"y\": of type INT32 that stands for Decimal",
            ),
            (
                two(
                    "OPTIONAL INT32 y; OPTIONAL INT32 p;",
                    y(&[Some(1), Some(0)]),
                    y(&[Some(1), Some(0)]),
                ),
                "column \"p\": of type INT32; the prediction must be FLOAT, DOUBLE",
            ),
            (
                two("OPTIONAL INT32 y; OPTIONAL DOUBLE q;", y(&[Some(1), Some(0)]), good()),
                "no column has a usual name for the prediction",
            ),
            (two(usual, y(&[]), p(&[])), "there is no row of data"),
            (
                read(b"y,p\n1,0.5\n".to_vec()).expect_err("CSV"),
                "a.parquet: not a Parquet file that can be read",
            ),
            (read(vec![]).expect_err("empty"), "a.parquet: not a Parquet file that can be read"),
        ] {
            assert!(error.contains(words), "{error}");
        }
    }
}
