//! The committed expectation: a table of claims and statuses. Changing it is a reviewed act.

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use truecal_paper::claims::SECTIONS;
use truecal_verify::evidence::Row;
use truecal_verify::registry::Status;

/// For each claim the word for its status and the detail.
///
/// As text, one line for each claim: status, id and detail, with two or more blanks between them;
/// lines that start with `#` are comments.
///
/// ```
/// use truecal_cli::report::claims::Expectation;
/// let expectation: Expectation = "# step\nEXHAUSTED  fact:equivfactor  T <= 6, D = 12\n".parse()?;
/// assert_eq!(expectation.get("fact:equivfactor"), Some(("EXHAUSTED", "T <= 6, D = 12")));
/// # Ok::<(), truecal_cli::report::claims::ExpectationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    rows: BTreeMap<String, (String, String)>,
}

/// Why text is not an expectation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}: {text:?}")]
pub struct ExpectationError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub problem: &'static str,
    /// The line, or its beginning.
    pub text: String,
}

/// A claim whose status is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The claim.
    pub id: String,
    /// What was expected.
    pub expected: Option<String>,
    /// What was found.
    pub found: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
        writeln!(f, "  {}", self.id)?;
        writeln!(f, "    expected {}", side(&self.expected))?;
        write!(f, "    found    {}", side(&self.found))
    }
}

impl std::str::FromStr for Expectation {
    type Err = ExpectationError;

    fn from_str(text: &str) -> Result<Self, ExpectationError> {
        let mut rows = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let text = || line.chars().take(60).collect();
            let error = |problem| ExpectationError { line: number, problem, text: text() };
            let (word, rest) =
                line.split_once("  ").ok_or(error("not a status, two blanks and an id"))?;
            if !Status::findings().any(|finding| finding == word) {
                return Err(error(
                    "the status is PROVED, CONDITIONAL, EXHAUSTED, SAMPLED, REFUTED or STATED",
                ));
            }
            let (id, detail) = rest.trim_start().split_once("  ").unwrap_or((rest.trim(), ""));
            if id.is_empty() {
                return Err(error("the id of a claim follows the status"));
            }
            let row = (word.to_owned(), detail.trim().to_owned());
            if rows.insert(id.to_owned(), row).is_some() {
                return Err(error("the claim occurs twice"));
            }
        }
        Ok(Expectation { rows })
    }
}

impl Expectation {
    /// The word and the detail that are expected of a claim.
    pub fn get(&self, id: &str) -> Option<(&str, &str)> {
        self.rows.get(id).map(|(word, detail)| (word.as_str(), detail.as_str()))
    }

    /// The text of an expectation that these rows meet.
    pub fn write(rows: &[Row]) -> String {
        let mut text = String::from(
            "# What a default run of `truecal verify` finds. Written by `truecal verify \
                --write-expectation FILE`.\n",
        );
        for section in SECTIONS {
            text += &format!("\n# {}\n", section.title);
            for row in rows.iter().filter(|row| row.claim.section == *section) {
                if let Some(status) = row.status() {
                    let line =
                        format!("{:<11}  {:<34}  {}", status.word(), row.claim.id, status.detail());
                    text += line.trim_end();
                    text.push('\n');
                }
            }
        }
        text
    }

    /// Where the rows differ: in the word, or, if `details`, in anything. With `whole`, a claim
    /// that is expected but not among the rows differs too.
    pub fn differences(&self, rows: &[Row], details: bool, whole: bool) -> Vec<Difference> {
        let shown = |word: &str, detail: &str| format!("{word} ({detail})");
        let mut differences = vec![];
        for row in rows {
            let found = row.status().map(|status| (status.word(), status.detail().into_owned()));
            let expected = self.get(row.claim.id);
            let same = match (&found, expected) {
                (Some((word, detail)), Some((expected_word, expected_detail))) => {
                    *word == expected_word && (!details || detail == expected_detail)
                }
                _ => false,
            };
            if !same {
                differences.push(Difference {
                    id: row.claim.id.to_owned(),
                    expected: expected.map(|(word, detail)| shown(word, detail)),
                    found: found.map(|(word, detail)| shown(word, &detail)),
                });
            }
        }
        if whole {
            for (id, (word, detail)) in &self.rows {
                if !rows.iter().any(|row| row.claim.id == id) {
                    differences.push(Difference {
                        id: id.clone(),
                        expected: Some(shown(word, detail)),
                        found: None,
                    });
                }
            }
        }
        differences
    }
}
