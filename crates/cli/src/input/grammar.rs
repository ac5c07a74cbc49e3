//! What a cell means, in any format: an outcome, a prediction, a weight, a count or a name.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::table::Cell;
use truecal::rational::int;
use truecal::{Prediction, PredictionError};

/// How the cells of a file are written, where that can differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// A comma stands where 0.5 has a point.
    pub decimal_comma: bool,
    /// Predictions are percentages.
    pub percent: bool,
    /// The outcome that is the event; every other one is not.
    pub positive: Option<String>,
    /// Whether rows in which something is missing are left out; `None` where neither that nor
    /// anything else here can be asked for.
    pub skip_missing: Option<bool>,
}

/// What stands in files where a value is missing, in either case.
const NOTHING: [&str; 8] = ["", "na", "n/a", "<na>", "nan", "null", "none", r"\n"];

/// Whether there is nothing in a cell.
pub(super) fn is_missing(cell: Cell<'_>) -> bool {
    match cell {
        Cell::Missing => true,
        Cell::Text(text) => NOTHING.iter().any(|word| word.eq_ignore_ascii_case(text.trim())),
        Cell::Double(number) => number.is_nan(),
        Cell::Bool(_) | Cell::Integer(_) => false,
    }
}

/// A cell as text, for messages and for names.
pub(super) fn shown(cell: Cell<'_>) -> String {
    match cell {
        Cell::Missing => "null".to_owned(),
        Cell::Text(text) => text.to_owned(),
        Cell::Bool(value) => value.to_string(),
        Cell::Integer(number) => number.to_string(),
        Cell::Double(number) => number.to_string(),
    }
}

/// Words for outcomes, in either case.
const NO: [&str; 4] = ["false", "f", "no", "n"];
const YES: [&str; 4] = ["true", "t", "yes", "y"];

impl Grammar {
    /// Whether cells are written in the usual way, so that there are short cuts.
    pub(super) fn is_usual(&self) -> bool {
        *self == Grammar { skip_missing: self.skip_missing, ..Grammar::default() }
    }

    /// Whether nothing but the usual is to be read.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_usual() && self.skip_missing != Some(true)
    }

    /// Whether there are options to read cells otherwise.
    fn has_options(&self) -> bool {
        self.skip_missing.is_some()
    }

    /// What is said of a cell with nothing in it.
    fn missing(&self, what: &str) -> String {
        let option = match self.has_options() {
            true => ", or leave such rows out with --missing skip",
            false => "",
        };
        format!("the {what} is missing; fill it in or remove the row{option}")
    }

    pub(super) fn outcome(&self, cell: Cell<'_>) -> Result<bool, String> {
        match &self.positive {
            Some(positive) if names(cell, positive) => return Ok(true),
            _ if is_missing(cell) => return Err(self.missing("outcome")),
            Some(_) => return Ok(false),
            None => {}
        }
        let refused = match self.has_options() {
            true => {
                "not an outcome; outcomes are 0 or 1, false or true, no or yes; for others say \
                    with --positive NAME which one is the event"
            }
            false => "not an outcome; outcomes are 0 or 1, false or true, no or yes",
        };
        match cell {
            Cell::Bool(value) => Ok(value),
            Cell::Integer(number @ (0 | 1)) => Ok(number == 1),
            Cell::Double(number) if number == 0.0 || number == 1.0 => Ok(number == 1.0),
            Cell::Text(text) => {
                let text = self.with_point(text.trim()).unwrap_or_else(|_| text.trim().to_owned());
                let is =
                    |words: [&str; 4]| words.iter().any(|word| word.eq_ignore_ascii_case(&text));
                match text.parse::<Prediction>() {
                    _ if is(NO) => Ok(false),
                    _ if is(YES) => Ok(true),
                    // 1.0 and 0.0, as tables with missing values elsewhere are often written
                    Ok(Prediction::ZERO) => Ok(false),
                    Ok(Prediction::ONE) => Ok(true),
                    _ => Err(refused.to_owned()),
                }
            }
            Cell::Missing | Cell::Integer(_) | Cell::Double(_) => Err(refused.to_owned()),
        }
    }

    pub(super) fn prediction(&self, cell: Cell<'_>) -> Result<Prediction, String> {
        if is_missing(cell) {
            return Err(self.missing("prediction"));
        }
        let of_number = |value: Option<BigRational>| {
            let value = value.ok_or(PredictionError::Infinite)?;
            let share = if self.percent { value / int(100) } else { value };
            Prediction::try_from(share)
        };
        let prediction = match cell {
            Cell::Double(number) if !self.percent => Prediction::try_from(number),
            Cell::Double(number) => of_number(BigRational::from_float(number)),
            Cell::Integer(number) => of_number(Some(int(number))),
            Cell::Text(text) => return self.prediction_text(text),
            Cell::Missing | Cell::Bool(_) => Err(PredictionError::Malformed),
        };
        prediction.map_err(|error| self.complaint(error))
    }

    fn prediction_text(&self, text: &str) -> Result<Prediction, String> {
        let text = text.trim();
        // A sign is as clear as the option.
        let (number, percent) = match text.strip_suffix('%') {
            Some(number) => (number.trim_end(), true),
            None => (text, self.percent),
        };
        let number = self.with_point(number)?;
        let parsed = if percent { shifted(&number, -2) } else { number.parse() };
        parsed.map_err(|error| match error {
            PredictionError::AboveOne if percent => {
                "more than 100 percent; values are never clipped".to_owned()
            }
            error => self.complaint(error),
        })
    }

    /// A number with a point, where others write a comma.
    fn with_point(&self, number: &str) -> Result<String, String> {
        match (self.decimal_comma, number.contains('.')) {
            (false, _) => Ok(number.to_owned()),
            (true, false) => Ok(number.replacen(',', ".", 1)),
            (true, true) => {
                Err("a point in a number, though --decimal says that there is a comma; \
                write all numbers in one way"
                    .to_owned())
            }
        }
    }

    /// What to do about a number that is no prediction, in terms of the command.
    fn complaint(&self, error: PredictionError) -> String {
        match error {
            PredictionError::AboveOne if self.percent => {
                "more than 100 percent; values are never clipped".to_owned()
            }
            PredictionError::AboveOne | PredictionError::DecimalComma if !self.has_options() => {
                error.to_string()
            }
            PredictionError::AboveOne => "greater than 1; predictions are probabilities in [0, 1] \
                (if they are percentages, say --percent; values are never clipped)"
                .to_owned(),
            PredictionError::Malformed if self.percent => {
                "not a number; write a percentage such as 37 or 0.5, and no fraction".to_owned()
            }
            PredictionError::Malformed if self.decimal_comma => {
                "not a number; write a decimal such as 0,3 or 1e-3, or a fraction such as 1/3"
                    .to_owned()
            }
            PredictionError::DecimalComma => {
                "a decimal comma; say --decimal , if numbers are written so".to_owned()
            }
            other => other.to_string(),
        }
    }

    /// A weight: a number that is not negative.
    pub(super) fn weight(&self, cell: Cell<'_>) -> Result<BigRational, String> {
        if is_missing(cell) {
            return Err(self.missing("weight"));
        }
        let refused = "not a weight; weights are numbers from 0 to 1e20, such as 2 or 0.75";
        let value = match cell {
            Cell::Integer(number) => Some(int(number)),
            Cell::Double(number) => BigRational::from_float(number),
            Cell::Text(text) => number(&self.with_point(text.trim())?),
            Cell::Missing | Cell::Bool(_) => None,
        };
        let in_range = |value: &BigRational| *value >= BigRational::zero() && *value <= largest();
        value.filter(in_range).ok_or_else(|| refused.to_owned())
    }

    /// A sum of predictions.
    pub(super) fn sum(&self, cell: Cell<'_>) -> Result<BigRational, String> {
        if is_missing(cell) {
            return Err(self.missing("sum"));
        }
        let sum = self.weight(cell).map_err(|_| "not a number from 0 to 1e20".to_owned())?;
        Ok(if self.percent { sum / int(100) } else { sum })
    }

    /// A whole number, possibly written with zeros after the point.
    pub(super) fn natural(&self, cell: Cell<'_>) -> Result<u64, String> {
        if is_missing(cell) {
            return Err("the cell is blank; give a whole number or remove the row".to_owned());
        }
        let whole = match cell {
            Cell::Integer(number) => Some(BigInt::from(number)),
            Cell::Double(number) => {
                BigRational::from_float(number).filter(|n| n.is_integer()).map(|n| n.to_integer())
            }
            Cell::Text(text) => {
                let value = number(&self.with_point(text.trim())?);
                value.filter(BigRational::is_integer).map(|whole| whole.to_integer())
            }
            Cell::Missing | Cell::Bool(_) => None,
        };
        let whole = whole.filter(|whole| *whole >= BigInt::zero());
        let whole = whole.ok_or("not a whole number; counts and ones are rounds, counted")?;
        whole.try_into().map_err(|_| "more rounds than 64 bits can count; check the counts".into())
    }

    /// A name: of a group, or of a class.
    pub(super) fn name(&self, cell: Cell<'_>, what: &str) -> Result<String, String> {
        match is_missing(cell) {
            true => Err(self.missing(what)),
            false => Ok(shown(cell).trim().to_owned()),
        }
    }
}

/// Whether a cell has this name; numbers may be written in another way: `1.0` is `1`.
pub(super) fn names(cell: Cell<'_>, name: &str) -> bool {
    let (text, name) = (shown(cell), name.trim());
    match cell {
        Cell::Missing => false,
        Cell::Bool(value) => {
            text.eq_ignore_ascii_case(name) || name == if value { "1" } else { "0" }
        }
        _ if text.trim() == name => true,
        _ => signed(text.trim()).is_some_and(|value| signed(name) == Some(value)),
    }
}

fn signed(text: &str) -> Option<BigRational> {
    match text.strip_prefix('-') {
        Some(text) => number(text).map(|value| -value),
        None => number(text),
    }
}

/// The largest weight, 10^[`PLACES`].
fn largest() -> BigRational {
    int(BigInt::from(10).pow(PLACES.unsigned_abs() as u32))
}

/// By so many powers of ten a number is divided to be read by the grammar of predictions.
const PLACES: i64 = 20;

/// A number from 0 to 10^20, exactly, in the notations of predictions.
fn number(text: &str) -> Option<BigRational> {
    if let Some((above, below)) = text.split_once('/') {
        let whole = |text: &str| number(text.trim()).filter(BigRational::is_integer);
        let (above, below) = (whole(above)?, whole(below).filter(|below| !below.is_zero())?);
        return Some(above / below);
    }
    Some(shifted(text, -PLACES).ok()?.to_rational() * largest())
}

/// A decimal times a power of ten.
fn shifted(text: &str, places: i64) -> Result<Prediction, PredictionError> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    if mantissa.contains('/') {
        return Err(PredictionError::Malformed);
    }
    match exponent.strip_prefix('+').unwrap_or(exponent).parse::<i64>() {
        Ok(exponent) => format!("{mantissa}e{}", exponent.saturating_add(places)).parse(),
        Err(_) => text.parse(), // which says what is wrong with it
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;
    use truecal::rational::ratio;

    /// A cell of every type, with as many values as matter.
    const CELLS: [Cell<'static>; 14] = [
        Cell::Missing,
        Cell::Text(" na "),
        Cell::Double(f64::NAN),
        Cell::Bool(false),
        Cell::Bool(true),
        Cell::Integer(0),
        Cell::Integer(1),
        Cell::Integer(-3),
        Cell::Integer(40),
        Cell::Double(0.0),
        Cell::Double(0.375),
        Cell::Double(f64::INFINITY),
        Cell::Text(" 3/8 "),
        Cell::Text("Yes"),
    ];

    /// What becomes of each cell, as text; of those that are refused the start of the words.
    fn each<T: fmt::Display>(read: impl Fn(Cell<'_>) -> Result<T, String>) -> Vec<String> {
        let first_words = |words: String| words.split(';').next().unwrap_or_default().to_owned();
        let one = |cell: &Cell<'_>| read(*cell).map_or_else(first_words, |value| value.to_string());
        CELLS.iter().map(one).collect()
    }

    #[test]
    fn every_cell_in_every_role() {
        let usual = Grammar { skip_missing: Some(false), ..Grammar::default() };
        let no = "not an outcome";
        let lacks = "the outcome is missing";
        assert_eq!(
            each(|cell| usual.outcome(cell)),
            [
                lacks, lacks, lacks, "false", "true", "false", "true", no, no, "false", no, no, no,
                "true"
            ]
        );
        let no = "not a number";
        let lacks = "the prediction is missing";
        let found = each(|cell| usual.prediction(cell).map(|found| found.to_rational()));
        let expected = [
            lacks,
            lacks,
            lacks,
            no,
            no,
            "0",
            "1",
            "less than 0",
            "greater than 1",
            "0",
            "3/8",
            "infinite",
            "3/8",
            no,
        ];
        for ((found, expected), cell) in found.iter().zip(expected).zip(CELLS) {
            assert!(found.starts_with(expected), "{cell:?}: {found}");
        }
        let no = "not a weight";
        let lacks = "the weight is missing";
        assert_eq!(
            each(|cell| usual.weight(cell)),
            [lacks, lacks, lacks, no, no, "0", "1", no, "40", "0", "3/8", no, "3/8", no]
        );
        let no = "not a whole number";
        let lacks = "the cell is blank";
        assert_eq!(
            each(|cell| usual.natural(cell)),
            [lacks, lacks, lacks, no, no, "0", "1", no, "40", "0", no, no, no, no]
        );
        let lacks = "the group is missing";
        assert_eq!(
            each(|cell| usual.name(cell, "group")),
            [
                lacks, lacks, lacks, "false", "true", "0", "1", "-3", "40", "0", "0.375", "inf",
                "3/8", "Yes"
            ]
        );
        let percent = Grammar { percent: true, ..Grammar::default() };
        let of = |cell| percent.prediction(cell).map(|prediction| prediction.to_rational());
        assert_eq!(of(Cell::Double(0.375)), Ok(ratio(3, 800)));
        assert_eq!(
            (of(Cell::Integer(40)), of(Cell::Text("40%"))),
            (Ok(ratio(2, 5)), Ok(ratio(2, 5)))
        );
        assert_eq!(percent.sum(Cell::Integer(40)), Ok(ratio(2, 5)));
        assert_eq!(usual.sum(Cell::Integer(40)), Ok(int(40)));
    }

    #[test]
    fn names_of_events() {
        for (name, event, others) in [
            ("True", Cell::Bool(true), [Cell::Bool(false), Cell::Text("1")]),
            ("1", Cell::Bool(true), [Cell::Integer(-1), Cell::Bool(false)]),
            ("-1.0", Cell::Integer(-1), [Cell::Integer(1), Cell::Text("1")]),
            ("none", Cell::Text(" none "), [Cell::Text("None "), Cell::Missing]),
        ] {
            assert!(
                names(event, name) && others.iter().all(|other| !names(*other, name)),
                "{name}"
            );
        }
    }
}
