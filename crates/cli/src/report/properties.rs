//! The table of measures and properties.

use super::claims::wrapped;
use super::columns;
use super::rounding::short_decimal;
use truecal::Measure;
use truecal_paper::properties::{Property, PropertyAnswer};

/// The measure, and an answer for each property.
const COLUMNS: usize = 1 + Property::ALL.len();

/// The answers for some measures.
pub struct Properties {
    /// A row for each measure, with an answer for each of [`Property::ALL`].
    pub rows: Vec<(Measure, Vec<Option<PropertyAnswer>>)>,
}

impl Properties {
    /// For people.
    pub fn to_text(&self) -> String {
        let head = ["measure"].into_iter().chain(Property::ALL.map(Property::title));
        let head: [String; COLUMNS] =
            std::array::from_fn(|i| head.clone().nth(i).unwrap_or_default().to_owned());
        let mut rows = vec![head];
        for (measure, answers) in &self.rows {
            let cell = |answer: &Option<PropertyAnswer>| match answer {
                None => "?".to_owned(),
                Some(PropertyAnswer { yes, number, .. }) => {
                    format!("{} ({})", if *yes { "yes" } else { "no" }, short_decimal(number))
                }
            };
            let cells: Vec<String> = answers.iter().map(cell).collect();
            rows.push(std::array::from_fn(|i| match i {
                0 => measure.to_string(),
                _ => cells.get(i - 1).cloned().unwrap_or_default(),
            }));
        }
        let mut text = columns(&rows, COLUMNS);
        text.push_str("\nin parentheses\n");
        for (column, property) in Property::ALL.into_iter().enumerate() {
            let mut all: Vec<&str> = vec![];
            for answer in self.rows.iter().filter_map(|(_, answers)| answers[column].as_ref()) {
                if !all.contains(&answer.what) {
                    all.push(answer.what);
                }
            }
            let line = format!("{}: {}", property.title(), all.join("; or "));
            text += &format!("  {}\n", wrapped(&line, 4));
        }
        let all_three = [Property::Complete, Property::DecisionTheoretic, Property::Truthful];
        let has = |answers: &[Option<PropertyAnswer>], property: Property| {
            let index = Property::ALL.into_iter().position(|other| other == property);
            index.and_then(|index| answers[index].as_ref()).is_some_and(|answer| answer.yes)
        };
        let wonders: Vec<_> = self
            .rows
            .iter()
            .filter(|(_, answers)| all_three.into_iter().all(|property| has(answers, property)))
            .map(|(measure, _)| measure.to_string())
            .collect();
        text += &match wonders.as_slice() {
            [] => "\nno measure is complete, decision-theoretic and truthful at once, as none can \
                be\n"
                .to_owned(),
            some => format!(
                "\ncomplete, decision-theoretic and truthful at once: \
                {}\n",
                some.join(", ")
            ),
        };
        text
    }
}
