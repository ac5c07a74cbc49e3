//! JSON Schema, as far as the documented schemas use it.

use std::collections::BTreeSet;

use serde_json::Value;

/// What is wrong with a value: where it is not as the schema says, or has a field that the schema
/// does not know.
pub fn problem(schema: &Value, value: &Value) -> Option<String> {
    Validator { root: schema }.whole(schema, value, "").err()
}

/// The fields of an object that some part of a schema knows.
type Known = BTreeSet<String>;

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    /// A value that this schema alone describes.
    fn whole(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let known = self.part(schema, value, path)?;
        let mut keys = value.as_object().into_iter().flat_map(|fields| fields.keys());
        match keys.find(|key| !known.contains(*key)) {
            Some(key) => Err(format!("{path}/{key} is not documented")),
            None => Ok(()),
        }
    }

    /// A value that this schema describes, perhaps together with others.
    fn part(&self, schema: &Value, value: &Value, path: &str) -> Result<Known, String> {
        let mut known = Known::new();
        for (keyword, rule) in schema.as_object().expect("a schema is an object") {
            known.extend(self.rule(schema, (keyword, rule), value, path)?);
        }
        Ok(known)
    }

    fn rule(
        &self,
        schema: &Value,
        (keyword, rule): (&String, &Value),
        value: &Value,
        path: &str,
    ) -> Result<Known, String> {
        let list = || rule.as_array().expect("a list");
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|name| name.strip_prefix('#'));
                let place = name.and_then(|name| self.root.pointer(name));
                return self.part(place.expect("a definition"), value, path);
            }
            "anyOf" | "oneOf" => {
                let each = list().iter().map(|choice| self.part(choice, value, path));
                let (fit, unfit): (Vec<_>, Vec<_>) = each.partition(Result::is_ok);
                return match fit.len() {
                    1.. if keyword == "anyOf" => Ok(fit.into_iter().flatten().flatten().collect()),
                    1 => Ok(fit.into_iter().flatten().flatten().collect()),
                    fits => Err(format!("{path}: {fits} choices fit; {unfit:?}")),
                };
            }
            "properties" => {
                let fields = rule.as_object().expect("fields");
                let present = fields.iter().filter(|(name, _)| value.get(name).is_some());
                for (name, field) in present.clone() {
                    self.whole(field, &value[name], &format!("{path}/{name}"))?;
                }
                return Ok(present.map(|(name, _)| name.clone()).collect());
            }
            "additionalProperties" => {
                let named = |name: &String| schema["properties"].get(name).is_some();
                let others = value.as_object().into_iter().flatten();
                let others: Vec<_> = others.filter(|(name, _)| !named(name)).collect();
                if *rule != false {
                    for (name, field) in &others {
                        self.whole(rule, field, &format!("{path}/{name}"))?;
                    }
                    return Ok(others.into_iter().map(|(name, _)| name.clone()).collect());
                }
                others.is_empty()
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.whole(rule, item, &format!("{path}/{index}"))?;
                }
                true
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                for (index, (part, item)) in list().iter().zip(items).enumerate() {
                    self.whole(part, item, &format!("{path}/{index}"))?;
                }
                true
            }
            "required" => {
                let has = |name: &Value| value.get(name.as_str().expect("a name")).is_some();
                !value.is_object() || list().iter().all(has)
            }
            "type" if rule.is_array() => list().iter().any(|one| is(value, one)),
            "type" => is(value, rule),
            "const" => value == rule,
            "enum" => list().contains(value),
            "minimum" => value.as_f64() >= rule.as_f64() || !value.is_number(),
            "maximum" => value.as_f64() <= rule.as_f64() || !value.is_number(),
            "minItems" => {
                value.as_array().is_none_or(|list| Some(list.len() as u64) >= rule.as_u64())
            }
            "maxItems" => {
                value.as_array().is_none_or(|list| Some(list.len() as u64) <= rule.as_u64())
            }
            other => panic!("{other} is not supported here"),
        };
        if holds { Ok(Known::new()) } else { Err(format!("{path}: not {keyword} {rule}")) }
    }
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}
