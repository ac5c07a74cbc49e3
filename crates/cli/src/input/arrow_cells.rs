//! The cells of an Arrow array.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray};
use arrow_schema::DataType;

use super::decimal::decimal_text;
use super::table::Cell;

/// Why a column of this type is not read, if it is not.
pub(super) fn refused(kind: &DataType) -> Option<String> {
    use DataType::*;
    match kind {
        Boolean | Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 | Float16
        | Float32 | Float64 | Utf8 | LargeUtf8 | Utf8View => None,
        Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => None,
        // A dictionary of dictionaries would be nested.
        Dictionary(_, values) if !matches!(**values, Dictionary(..)) => refused(values),
        _ => Some(format!("of type {kind}; give booleans, numbers or texts")),
    }
}

/// How many values the dictionary of an array has, if it has one.
pub(super) fn dictionary(array: &ArrayRef) -> usize {
    array.as_any_dictionary_opt().map_or(0, |dictionary| dictionary.values().len())
}

/// An array, with what has to be written out before it can be lent.
pub(super) enum Values<'a> {
    Plain(&'a ArrayRef),
    Decimals(Result<Vec<Option<String>>, String>),
    Dictionary { keys: Vec<Option<usize>>, values: Box<Values<'a>> },
}

impl<'a> Values<'a> {
    /// The values of an array whose type is not refused.
    pub fn of(array: &'a ArrayRef) -> Self {
        match array.data_type() {
            DataType::Decimal32(_, scale) => decimals::<Decimal32Type>(array, *scale),
            DataType::Decimal64(_, scale) => decimals::<Decimal64Type>(array, *scale),
            DataType::Decimal128(_, scale) => decimals::<Decimal128Type>(array, *scale),
            DataType::Decimal256(_, scale) => decimals::<Decimal256Type>(array, *scale),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = dictionary.values();
                // There is no first value to which a key could be moved if there is none at all.
                let normal = if values.is_empty() {
                    vec![0; array.len()]
                } else {
                    dictionary.normalized_keys()
                };
                let key = |(row, key)| {
                    (!dictionary.keys().is_null(row) && !values.is_empty()).then_some(key)
                };
                let keys = normal.into_iter().enumerate().map(key).collect();
                Values::Dictionary { keys, values: Box::new(Values::of(values)) }
            }
            _ => Values::Plain(array),
        }
    }

    /// The cells of all rows.
    pub fn cells(&self) -> Result<Vec<Cell<'_>>, String> {
        match self {
            Values::Plain(array) => plain(array),
            Values::Decimals(texts) => {
                let texts = texts.as_ref().map_err(String::clone)?;
                let texts = texts.iter().map(Option::as_deref);
                Ok(texts.map(|text| text.map_or(Cell::Missing, Cell::Text)).collect())
            }
            Values::Dictionary { keys, values } => {
                let values = values.cells()?;
                let cell = |key: &Option<usize>| match key {
                    None => Ok(Cell::Missing),
                    Some(key) => {
                        values.get(*key).copied().ok_or("a key without a value".to_owned())
                    }
                };
                keys.iter().map(cell).collect()
            }
        }
    }
}

fn decimals<T: DecimalType>(array: &ArrayRef, scale: i8) -> Values<'static>
where
    T::Native: ToString,
{
    let text =
        |value: Option<T::Native>| value.map(|value| decimal_text(value, scale.into())).transpose();
    Values::Decimals(array.as_primitive::<T>().iter().map(text).collect())
}

fn plain(array: &ArrayRef) -> Result<Vec<Cell<'_>>, String> {
    fn texts<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Vec<Cell<'a>> {
        texts.map(|text| text.map_or(Cell::Missing, Cell::Text)).collect()
    }
    Ok(match array.data_type() {
        DataType::Boolean => {
            let values = array.as_boolean().iter();
            values.map(|value| value.map_or(Cell::Missing, Cell::Bool)).collect()
        }
        DataType::Int8 => integers::<Int8Type>(array),
        DataType::Int16 => integers::<Int16Type>(array),
        DataType::Int32 => integers::<Int32Type>(array),
        DataType::Int64 => integers::<Int64Type>(array),
        DataType::UInt8 => integers::<UInt8Type>(array),
        DataType::UInt16 => integers::<UInt16Type>(array),
        DataType::UInt32 => integers::<UInt32Type>(array),
        DataType::UInt64 => integers::<UInt64Type>(array),
        DataType::Float16 => {
            numbers(array.as_primitive::<Float16Type>(), |value| Cell::Double(value.to_f64()))
        }
        DataType::Float32 => {
            numbers(array.as_primitive::<Float32Type>(), |value| Cell::Double(value.into()))
        }
        DataType::Float64 => numbers(array.as_primitive::<Float64Type>(), Cell::Double),
        DataType::Utf8 => texts(array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => texts(array.as_string::<i64>().iter()),
        DataType::Utf8View => texts(array.as_string_view().iter()),
        other => return Err(refused(other).unwrap_or_else(|| format!("of type {other}"))),
    })
}

fn integers<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &ArrayRef) -> Vec<Cell<'_>> {
    numbers(array.as_primitive::<T>(), |value| Cell::Integer(value.into()))
}

fn numbers<'a, T: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    cell: impl Fn(T::Native) -> Cell<'a>,
) -> Vec<Cell<'a>> {
    array.iter().map(|value| value.map_or(Cell::Missing, &cell)).collect()
}
