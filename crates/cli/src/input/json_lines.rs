//! Columns from JSON: an object on each line, or one array of objects, as pandas writes them with
//! `orient="records"`.
//!
//! The names are the keys of the first object. Later objects may have them in any order, and may
//! lack some, which are then missing, and may have others, which are ignored. Numbers are handed
//! over as they are written, so that 0.3 is 3/10.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{BufReader, Read};

use serde_json::value::RawValue;

use super::InputError;
use super::complaint::{of_cell, of_row};
use super::json_objects::{Object, parse};
use super::json_texts::Texts;
use super::table::{At, Cell, Table, Take};

/// The rows of a block.
const BLOCK: usize = 1 << 12;

/// A file of objects.
pub(crate) struct JsonLines<R> {
    file: String,
    texts: Texts<BufReader<R>>,
    names: Vec<String>,
    /// The first object, from which the names were read, until it is handed over.
    first: bool,
    rows: u64,
}

impl<R: Read + Send> JsonLines<R> {
    /// Reads the first object.
    pub(crate) fn open(source: R, name: &str) -> Result<Self, InputError> {
        let mut texts = Texts::new(BufReader::with_capacity(1 << 16, source));
        let (file, names) = (name.to_owned(), vec![]);
        if !texts.next().map_err(|problem| wrong(name, 1, &texts, problem))? {
            let problem = "there is no row of data; give one JSON object per row";
            return Err(InputError::of_file(name, problem));
        }
        let mut table = JsonLines { file, texts, names, first: true, rows: 0 };
        let object = table.object(1)?;
        let names = object.0.iter().map(|(key, _)| key.to_string()).collect();
        table.names = names;
        Ok(table)
    }

    /// The object that was read last; it has this number.
    fn object(&self, row: u64) -> Result<Object<'_>, InputError> {
        let wrong = |problem| wrong(&self.file, row, &self.texts, problem);
        let object = parse(self.texts.text()).map_err(wrong)?;
        let mut keys = HashSet::with_capacity(object.0.len());
        match object.0.iter().find(|(key, _)| !keys.insert(key)) {
            None => Ok(object),
            Some((twice, _)) => {
                let twice = super::error::quoted(twice);
                Err(wrong(format!("the object has the key {twice} twice; remove one of them")))
            }
        }
    }

    /// Hands over the wanted cells of the object that was read last.
    fn row(&self, wanted: &[usize], take: Take<'_>) -> Result<(), InputError> {
        let at = At { row: self.rows + 1, line: Some(self.texts.line()) };
        let object = self.object(at.row)?;
        let value = |&column: &usize| {
            let name = &self.names[column];
            // In most files it is where it was in the first object.
            let there = object.0.get(column).filter(|(key, _)| key == name);
            let found = there.or_else(|| object.0.iter().find(|(key, _)| key == name));
            found.map_or(Ok(Value::Missing), |(_, raw)| {
                let short: String = raw.get().chars().take(50).collect();
                Value::of(raw).map_err(|problem| of_cell(&self.file, at, name, short, problem))
            })
        };
        let values: Vec<Value<'_>> = wanted.iter().map(value).collect::<Result<_, _>>()?;
        let cells: Vec<Cell<'_>> = values.iter().map(Value::cell).collect();
        take(at, &cells)
    }
}

/// A problem with the text that was read last, or with that after it.
fn wrong<R>(file: &str, row: u64, texts: &Texts<R>, problem: String) -> InputError {
    of_row(file, At { row, line: Some(texts.line()) }, problem)
}

impl<R: Read + Send> Table for JsonLines<R> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&mut self, wanted: &[usize], take: Take<'_>) -> Result<bool, InputError> {
        for row in 0..BLOCK {
            if !std::mem::take(&mut self.first) {
                let next = self.texts.next();
                let next = next.map_err(|e| wrong(&self.file, self.rows + 1, &self.texts, e))?;
                if !next {
                    return Ok(row > 0);
                }
            }
            self.row(wanted, take)?;
            self.rows += 1;
        }
        Ok(true)
    }

    fn share(&self) -> Option<(u64, u64)> {
        None
    }
}

/// A value in a wanted column.
enum Value<'a> {
    Missing,
    Bool(bool),
    Text(Cow<'a, str>),
}

impl<'a> Value<'a> {
    fn of(raw: &'a RawValue) -> Result<Self, String> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'n') => Ok(Value::Missing),
            Some(b't' | b'f') => Ok(Value::Bool(text == "true")),
            Some(b'"') if !text.contains('\\') => Ok(Value::Text(text[1..text.len() - 1].into())),
            Some(b'"') => match serde_json::from_str::<String>(text) {
                Ok(text) => Ok(Value::Text(text.into())),
                Err(_) => Err("not Unicode text; write the file again".to_owned()),
            },
            Some(b'{' | b'[') => Err(
                "not one value but several; give one object per row, with a number, a text or a \
                    boolean in each column, as df.to_json(orient=\"records\", lines=True) does"
                    .to_owned(),
            ),
            _ => Ok(Value::Text(text.into())),
        }
    }

    fn cell(&self) -> Cell<'_> {
        match self {
            Value::Missing => Cell::Missing,
            Value::Bool(value) => Cell::Bool(*value),
            Value::Text(text) => Cell::Text(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::transposed::shown::columns;
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, names: &[&str]) -> Result<Vec<String>, String> {
        let mut table = JsonLines::open(text.as_bytes(), "a.json").map_err(|e| e.to_string())?;
        columns(&mut table, names)
    }

    #[test]
    fn lines_and_arrays_are_the_same() {
        let objects = [
            r#"{"y": 1, "p": 0.30000000000000000001, "g": "a\u00e9\n\"b\""}"#,
            r#"{"p":1e-400,"extra":[1,{"}":"]"}],"g":null,"y":true}"#,
            r#"{"\u0070": -0, "y": "1"}"#,
        ];
        let rows = ["'1' '0.30000000000000000001' 'aé\n\"b\"'", "true '1e-400' -", "'1' '-0' -"];
        for text in [
            objects.join("\n"),
            format!("\u{feff}\n  \r\n{}\r\n", objects.join("\r\n\n")),
            format!("[{}]", objects.join(",")),
            format!("\u{feff} [\n{}\n]\n", objects.join("\n , ")),
        ] {
            assert_eq!(read(&text, &["y", "p", "g"]).expect("read"), rows, "{text}");
        }
    }

    /// More rows than a block, each with its line.
    #[test]
    fn blocks_join() {
        let object = |i: usize| format!("{{\"y\": {}, \"p\": 0.{i}}}", i % 2);
        let lines: Vec<String> = (0..10_000).map(object).collect();
        for text in [lines.join("\n"), format!("[{}]", lines.join(",\n"))] {
            let mut table = JsonLines::open(text.as_bytes(), "a.json").expect("open");
            let mut count = 0;
            while table
                .read(&[1], &mut |at, cells| {
                    assert_eq!((at.row, at.line), (count + 1, Some(count + 1)));
                    assert_eq!(cells, [Cell::Text(&format!("0.{count}"))]);
                    count += 1;
                    Ok(())
                })
                .expect("read")
            {}
            assert_eq!(count, 10_000);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = r#"{"y":1,"p":0.5}"#;
        for (text, words) in [
            ("", "a.json: there is no row of data; give one JSON object per row"),
            ("\n \n", "a.json: there is no row of data"),
            ("[]", "a.json: there is no row of data"),
            ("[1,0.5]", "row 1 (line 1): an element of the array is not an object"),
            ("1\n", "row 1 (line 1): not a JSON object: invalid type: integer `1`, expected an"),
            ("y,p\n1,0.5\n", "(line 1): not a JSON object: expected value at \"y,p\"; give one"),
            ("{\n\"y\":1}\n", "(line 1): not a JSON object: EOF while parsing an object"),
            (&format!("{good}\n\n{good}{good}"), "row 2 (line 3): not a JSON object: trailing"),
            (
                &format!("{good}\n{{\"y\":1,\"p\":0."),
                "row 2 (line 2): not a JSON object: invalid number at \".\"; it was cut off",
            ),
            (
                &format!("{good}\n{{\"y\":1,\"p\":NaN}}"),
                "row 2 (line 2): not a JSON object: expected value at \"NaN}\"; NaN and Infinity",
            ),
            (
                &format!("{good}\n{{\"y\":1,\"p\":0.5,\"y\":0}}"),
                "row 2 (line 2): the object has the key \"y\" twice; remove one",
            ),
            (
                &format!("{good}\n{{\"y\":1,\"p\":[0.5, 0.5]}}"),
                "row 2 (line 2), column \"p\", value \"[0.5, 0.5]\": not one value but several",
            ),
            (
                &format!("{good}\n{{\"y\":1,\"p\":\"\\ud800\"}}"),
                "column \"p\", value \"\\\"\\\\ud800\\\"\": not Unicode text",
            ),
            (&format!("[{good},\n{good}"), "row 3 (line 2): the array has no end"),
            (&format!("[{good},\n{good} {good}]"), "row 3 (line 2): no comma between"),
            (&format!("[{good},]"), "row 2 (line 1): an element of the array is not an object"),
            (&format!("[{good}] {good}"), "row 2 (line 1): text after the array"),
            (&format!("[{good},{{\"y\":1"), "row 2 (line 1): an object without an end"),
        ] {
            let error = read(text, &["p", "y"]).expect_err(text);
            assert!(error.starts_with("a.json") && error.contains(words), "{error}");
        }
        let latin = JsonLines::open(&b"{\"y\": \"\xe9\"}"[..], "a.json");
        assert!(latin.is_err_and(|error| error.to_string().contains("not UTF-8 text")));
    }

    /// Only what is wanted is judged.
    #[test]
    fn other_columns_may_hold_anything() {
        let text = r#"{"y":1,"p":[{}]}"#;
        assert_eq!(read(text, &["y"]).expect("read"), ["'1'"]);
    }

    #[test]
    fn a_row_without_an_end() {
        let endless = std::io::repeat(b'{');
        let error = JsonLines::open(endless, "a.json").err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("a row of more than 32 MB")));
    }

    proptest! {
        /// What serde_json reads from each line, this reads, in both layouts.
        #[test]
        fn as_serde_reads(
            rows in prop::collection::vec(("[a-c\\\\\"{}\\[\\],:é\n]{0,6}", any::<f64>()), 1..20),
        ) {
            let object = |(text, number): &(String, f64)| {
                serde_json::json!({ "t": text, "n": number, "u": text }).to_string()
            };
            let lines: Vec<String> = rows.iter().map(object).collect();
            let expected: Vec<String> = lines
                .iter()
                .map(|line| {
                    let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
                    let number = match &value["n"] {
                        serde_json::Value::Null => "-".to_owned(),
                        number => format!("'{number}'"),
                    };
                    format!("'{}' {number}", value["t"].as_str().expect("a text"))
                })
                .collect();
            prop_assert_eq!(read(&lines.join("\n"), &["t", "n"]), Ok(expected.clone()));
            prop_assert_eq!(read(&format!("[{}]", lines.join("\n,")), &["t", "n"]), Ok(expected));
        }
    }
}
