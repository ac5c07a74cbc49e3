//! Columns from Parquet files, in blocks, group after group of rows.
//!
//! Booleans, integers, floats and texts are what they are; decimals are texts with all their
//! digits. What else there is (dates, times, lists) is refused if it is wanted.

use half::f16;
use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::InputError;
use super::complaint::{of_cell, of_column};
use super::decimal::{decimal_text, whole_number};
use super::guard::guarded;
use super::parquet_pages::CheckedPages;
use super::table::{At, Cell, Table, Take};
use super::transposed::{BLOCK, hand_over};

/// A Parquet file.
pub(crate) struct Parquet {
    reader: Box<dyn FileReader>,
    file: String,
    names: Vec<String>,
    all: u64,
    /// The rows read so far.
    before: u64,
    /// The groups of rows begun so far, and the row at which the last of them ends.
    groups: usize,
    end: u64,
    /// The wanted columns in this group.
    columns: Vec<Column>,
}

impl Parquet {
    /// Reads what stands at the end: the schema, and where everything is.
    pub(crate) fn open(source: impl ChunkReader + 'static, name: &str) -> Result<Self, InputError> {
        let reader = guarded(|| SerializedFileReader::new(source));
        let reader = reader.map_err(|problem| InputError::of_file(name, problem))?;
        let reader = reader.map_err(|error| broken(name, &error))?;
        let metadata = reader.metadata();
        let columns = metadata.file_metadata().schema_descr().columns();
        let names = columns.iter().map(|column| column.path().string()).collect();
        let rows = |group: usize| u64::try_from(metadata.row_group(group).num_rows()).ok();
        let mut groups = (0..metadata.num_row_groups()).map(rows);
        let all = groups.try_fold(0_u64, |sum, rows| sum.checked_add(rows?)).ok_or_else(|| {
            InputError::of_file(
                name,
                "not a Parquet file that can be read: its rows have no number",
            )
        })?;
        let (file, reader) = (name.to_owned(), Box::new(reader));
        Ok(Parquet { reader, file, names, all, before: 0, groups: 0, end: 0, columns: vec![] })
    }

    /// Begins the next group of rows.
    fn begin_group(&mut self, wanted: &[usize]) -> Result<(), InputError> {
        let broken = |error| broken(&self.file, &error);
        let group = self.reader.get_row_group(self.groups).map_err(broken)?;
        self.columns.clear();
        for &index in wanted {
            let (file, name) = (self.file.clone(), self.names[index].clone());
            let schema = group.metadata().schema_descr().column(index);
            let kind = Kind::of(&schema).map_err(|problem| of_column(&file, &name, problem))?;
            let pages = guarded(|| group.get_column_page_reader(index));
            let pages = pages.map_err(|problem| of_column(&file, &name, problem))?;
            let pages = pages.map_err(broken)?;
            let reader = get_column_reader(schema.clone(), Box::new(CheckedPages(pages)));
            self.columns.push(Column { file, name, schema, kind, reader });
        }
        self.groups += 1;
        self.end += u64::try_from(group.metadata().num_rows()).expect("seen when it was opened");
        Ok(())
    }
}

fn broken(file: &str, error: &ParquetError) -> InputError {
    InputError::of_file(file, format!("not a Parquet file that can be read: {error}"))
}

impl Table for Parquet {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&mut self, wanted: &[usize], take: Take<'_>) -> Result<bool, InputError> {
        while self.before == self.end {
            if self.groups == self.reader.num_row_groups() {
                return Ok(false);
            }
            self.begin_group(wanted)?;
        }
        let rows = (self.end - self.before).min(BLOCK as u64) as usize;
        let before = self.before;
        let blocks = self.columns.iter_mut().map(|column| column.block(before, rows));
        let blocks: Vec<Block> = blocks.collect::<Result<_, _>>()?;
        let cells = self.columns.iter().zip(&blocks);
        let cells: Vec<Vec<Cell<'_>>> =
            cells.map(|(column, block)| column.cells(block, before)).collect::<Result<_, _>>()?;
        hand_over(&cells, before, rows, take)?;
        self.before += rows as u64;
        Ok(true)
    }

    fn share(&self) -> Option<(u64, u64)> {
        Some((self.before, self.all))
    }
}

/// What the values of a column mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    Half,
    Text,
    /// A whole number with so many digits after the point.
    Decimal(i32),
}

impl Kind {
    /// What the schema says of a column, or why it is refused.
    fn of(schema: &ColumnDescriptor) -> Result<Self, String> {
        let physical = schema.physical_type();
        if schema.max_rep_level() > 0 {
            return Err("a list in every row; give a column with one value per row".to_owned());
        }
        let whole = matches!(physical, Type::INT32 | Type::INT64);
        let bytes = matches!(physical, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY);
        let (logical, converted) = (schema.logical_type_ref(), schema.converted_type());
        let kind = match (logical, converted) {
            (Some(LogicalType::Decimal { .. }), _) | (None, ConvertedType::DECIMAL) => {
                (whole || bytes).then(|| Kind::Decimal(schema.type_scale()))
            }
            (Some(LogicalType::Integer(whole_type)), _) => {
                whole.then_some(if whole_type.is_signed { Kind::Signed } else { Kind::Unsigned })
            }
            (Some(LogicalType::Float16), _) => {
                let two = physical == Type::FIXED_LEN_BYTE_ARRAY && schema.type_length() == 2;
                two.then_some(Kind::Half)
            }
            (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _) => {
                (physical == Type::BYTE_ARRAY).then_some(Kind::Text)
            }
            (None, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => {
                (physical == Type::BYTE_ARRAY).then_some(Kind::Text)
            }
            (
                None,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
            ) => whole.then_some(Kind::Unsigned),
            (
                None,
                ConvertedType::NONE
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64,
            ) => match physical {
                Type::BOOLEAN => Some(Kind::Bool),
                Type::INT32 | Type::INT64 => Some(Kind::Signed),
                Type::FLOAT | Type::DOUBLE => Some(Kind::Float),
                // Texts of writers that do not say that they are.
                Type::BYTE_ARRAY => Some(Kind::Text),
                Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY => None,
            },
            _ => None,
        };
        kind.ok_or_else(|| {
            let meaning = match (logical, converted) {
                (Some(logical), _) => format!(" that stands for {logical:?}"),
                (None, ConvertedType::NONE) => String::new(),
                (None, converted) => format!(" that stands for {converted}"),
            };
            format!("of type {physical}{meaning}; give booleans, numbers or texts")
        })
    }
}

/// A wanted column in a group of rows, and all that is needed to complain about it.
struct Column {
    file: String,
    name: String,
    schema: ColumnDescPtr,
    kind: Kind,
    reader: ColumnReader,
}

/// For each row whether there is a value, if some are missing.
type Presence = Option<Vec<bool>>;

/// Some values, without those that are missing.
struct Block {
    values: Values,
    present: Presence,
}

enum Values {
    Bools(Vec<bool>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    Bytes(Vec<parquet::data_type::ByteArray>),
    Halves(Vec<f16>),
    Decimals(Vec<String>),
}

impl Column {
    /// Reads the next rows.
    fn block(&mut self, before: u64, rows: usize) -> Result<Block, InputError> {
        let place = Place {
            file: &self.file,
            name: &self.name,
            full: self.schema.max_def_level(),
            before,
            rows,
        };
        let decimals = |numbers: &mut dyn Iterator<Item = Result<String, String>>| {
            let texts = numbers.collect::<Result<Vec<_>, _>>();
            texts.map(Values::Decimals).map_err(|problem| place.of_column(problem))
        };
        let of_bytes = |bytes: &[u8], scale| decimal_text(whole_number(bytes)?, scale);
        let (values, present) = match (&mut self.reader, self.kind) {
            (ColumnReader::BoolColumnReader(reader), _) => {
                let (values, present) = place.values(reader)?;
                (Values::Bools(values), present)
            }
            (ColumnReader::Int32ColumnReader(reader), Kind::Decimal(scale)) => {
                let (values, present) = place.values(reader)?;
                (decimals(&mut values.iter().map(|value| decimal_text(value, scale)))?, present)
            }
            (ColumnReader::Int32ColumnReader(reader), _) => {
                let (values, present) = place.values(reader)?;
                (Values::Ints(values), present)
            }
            (ColumnReader::Int64ColumnReader(reader), Kind::Decimal(scale)) => {
                let (values, present) = place.values(reader)?;
                (decimals(&mut values.iter().map(|value| decimal_text(value, scale)))?, present)
            }
            (ColumnReader::Int64ColumnReader(reader), _) => {
                let (values, present) = place.values(reader)?;
                (Values::Longs(values), present)
            }
            (ColumnReader::FloatColumnReader(reader), _) => {
                let (values, present) = place.values(reader)?;
                (Values::Floats(values), present)
            }
            (ColumnReader::DoubleColumnReader(reader), _) => {
                let (values, present) = place.values(reader)?;
                (Values::Doubles(values), present)
            }
            (ColumnReader::ByteArrayColumnReader(reader), Kind::Decimal(scale)) => {
                let (values, present) = place.values(reader)?;
                (decimals(&mut values.iter().map(|value| of_bytes(value.data(), scale)))?, present)
            }
            (ColumnReader::ByteArrayColumnReader(reader), _) => {
                let (values, present) = place.values(reader)?;
                (Values::Bytes(values), present)
            }
            (ColumnReader::FixedLenByteArrayColumnReader(reader), Kind::Decimal(scale)) => {
                let (values, present) = place.values(reader)?;
                (decimals(&mut values.iter().map(|value| of_bytes(value.data(), scale)))?, present)
            }
            (ColumnReader::FixedLenByteArrayColumnReader(reader), _) => {
                let (values, present) = place.values(reader)?;
                let half = |bytes: &[u8]| bytes.try_into().map(f16::from_le_bytes);
                let halves =
                    values.iter().map(|value| half(value.data())).collect::<Result<_, _>>();
                (Values::Halves(halves.map_err(|_| place.of_column("damaged"))?), present)
            }
            (ColumnReader::Int96ColumnReader(_), _) => {
                return Err(place.of_column("of type INT96; give numbers"));
            }
        };
        Ok(Block { values, present })
    }

    /// The cells of all rows of a block.
    fn cells<'a>(&self, block: &'a Block, before: u64) -> Result<Vec<Cell<'a>>, InputError> {
        let present = block.present.as_deref();
        let unsigned = self.kind == Kind::Unsigned;
        Ok(match &block.values {
            Values::Bools(values) => spread(values, present, |&value| Cell::Bool(value)),
            Values::Ints(values) if unsigned => {
                spread(values, present, |&value| Cell::Integer(value.cast_unsigned().into()))
            }
            Values::Ints(values) => spread(values, present, |&value| Cell::Integer(value.into())),
            Values::Longs(values) if unsigned => {
                spread(values, present, |&value| Cell::Integer(value.cast_unsigned().into()))
            }
            Values::Longs(values) => spread(values, present, |&value| Cell::Integer(value.into())),
            Values::Floats(values) => spread(values, present, |&value| Cell::Double(value.into())),
            Values::Doubles(values) => spread(values, present, |&value| Cell::Double(value)),
            Values::Halves(values) => {
                spread(values, present, |&value| Cell::Double(value.to_f64()))
            }
            Values::Decimals(values) => spread(values, present, |value| Cell::Text(value)),
            Values::Bytes(values) => {
                let texts = values.iter().map(|value| std::str::from_utf8(value.data()));
                let texts: Vec<Result<&str, _>> = texts.collect();
                if let Some(wrong) = texts.iter().position(Result::is_err) {
                    return Err(self.not_text(values[wrong].data(), wrong, present, before));
                }
                spread(&texts, present, |text| Cell::Text(text.unwrap_or_default()))
            }
        })
    }

    /// The complaint about a value that is no text, by its number among those that are there.
    fn not_text(
        &self,
        value: &[u8],
        index: usize,
        present: Option<&[bool]>,
        before: u64,
    ) -> InputError {
        let row = match present {
            None => Some(index),
            Some(present) => (0..present.len()).filter(|&row| present[row]).nth(index),
        };
        let at = At { row: before + row.unwrap_or(index) as u64 + 1, line: None };
        let value = String::from_utf8_lossy(value);
        of_cell(&self.file, at, &self.name, value, "not UTF-8 text; give numbers or texts")
    }
}

/// The cells of all rows from the values that are there.
fn spread<'a, 'b, T>(
    values: &'b [T],
    present: Option<&[bool]>,
    cell: impl Fn(&'b T) -> Cell<'a>,
) -> Vec<Cell<'a>> {
    let Some(present) = present else { return values.iter().map(cell).collect() };
    let mut values = values.iter();
    let next = |&there: &bool| match there {
        true => cell(values.next().expect("as many values as rows that have one")),
        false => Cell::Missing,
    };
    present.iter().map(next).collect()
}

/// Which rows of which column are read.
struct Place<'a> {
    file: &'a str,
    name: &'a str,
    /// The level of a value that is there.
    full: i16,
    before: u64,
    rows: usize,
}

impl Place<'_> {
    /// The values that are there; and which are, unless all of them.
    fn values<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
    ) -> Result<(Vec<T::T>, Presence), InputError> {
        let (mut values, mut levels) = (Vec::with_capacity(self.rows), Vec::new());
        let read = guarded(|| reader.read_records(self.rows, Some(&mut levels), None, &mut values));
        let read = read.map_err(|problem| self.of_column(problem))?;
        let (records, _, _) = read.map_err(|error| {
            self.of_column(format!("cannot be read after row {}: {error}", self.before))
        })?;
        if records != self.rows {
            let found = self.before + records as u64;
            return Err(self.of_column(format!("it ends after row {found}; write the file again")));
        }
        let present: Vec<bool> = levels.iter().map(|&level| level == self.full).collect();
        let all = self.full == 0 || present.iter().all(|&there| there);
        let count = if all { self.rows } else { present.iter().filter(|&&there| there).count() };
        if values.len() != count || (!all && present.len() != self.rows) {
            return Err(self.of_column("its nulls are damaged; write the file again"));
        }
        Ok((values, (!all).then_some(present)))
    }

    fn of_column(&self, problem: impl std::fmt::Display) -> InputError {
        of_column(self.file, self.name, problem)
    }
}
