//! A JSON object with its keys in their order and its values as they are written.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// An object. A key that occurs twice is twice in it.
pub(super) struct Object<'a>(pub Vec<(Cow<'a, str>, &'a RawValue)>);

/// A key, lent where it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object, such as {\"y\": 1, \"p\": 0.5}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut entries = vec![];
                while let Some((Key(key), value)) = map.next_entry()? {
                    entries.push((key, value));
                }
                Ok(Object(entries))
            }
        }
        source.deserialize_map(Entries)
    }
}

/// The object in a text, or what is wrong with it.
pub(super) fn parse(text: &[u8]) -> Result<Object<'_>, String> {
    let Ok(text) = std::str::from_utf8(text) else {
        return Err("not UTF-8 text; convert the file to UTF-8".to_owned());
    };
    serde_json::from_str(text).map_err(|error| {
        // Its place in the text of one row: the row itself is named elsewhere.
        let problem = error.to_string();
        let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(what, _)| what);
        let at = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
        let from = error.column().saturating_sub(1).min(at.len());
        let near: String =
            String::from_utf8_lossy(&at.as_bytes()[from..]).chars().take(20).collect();
        let at_end = text.starts_with('{') && error.column() >= at.trim_end().len();
        let remedy = if error.is_eof() || at_end {
            "it was cut off, or goes on over several lines: give one object per line"
        } else if ["NaN", "Inf", "-Inf", "N", "I"].iter().any(|word| near.starts_with(word)) {
            "NaN and Infinity are not JSON: write null"
        } else {
            "give one JSON object per row"
        };
        let near =
            if near.is_empty() { near } else { format!(" at {}", super::error::quoted(&near)) };
        format!("not a JSON object: {problem}{near}; {remedy}")
    })
}
