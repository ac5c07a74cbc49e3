//! Which column is which.

use super::quoted;

/// What the columns of a file mean. A name that is `None` is found among the usual ones.
#[derive(Clone, Debug)]
pub enum Columns {
    /// One row per round.
    Rounds {
        /// The column of outcomes.
        outcome: Option<String>,
        /// The column of predictions.
        prediction: Option<String>,
    },
    /// One row per distinct prediction, as `SELECT p, COUNT(*), SUM(y) … GROUP BY p` returns.
    Levels {
        /// The column of predictions.
        prediction: Option<String>,
        /// The column of counts.
        count: Option<String>,
        /// The column of ones.
        ones: Option<String>,
    },
}

impl Default for Columns {
    fn default() -> Self {
        Columns::Rounds { outcome: None, prediction: None }
    }
}

/// A column to be found.
struct Wanted<'a> {
    role: &'static str,
    option: &'static str,
    name: Option<&'a str>,
    usual: &'static [&'static str],
}

const PREDICTIONS: &[&str] = &["y_prob", "p", "prob", "probability", "forecast", "prediction"];
const OUTCOMES: &[&str] = &["y_true", "y", "label", "outcome", "x", "event"];
const COUNTS: &[&str] = &["count", "n", "rounds", "count(*)"];
const ONES: &[&str] = &["ones", "k", "events", "positives", "sum"];

impl Columns {
    /// The positions of the columns in a header, or what is wrong with it.
    pub(super) fn find(&self, header: &[&str]) -> Result<Vec<usize>, String> {
        let wanted = match self {
            Columns::Rounds { outcome, prediction } => vec![
                Wanted {
                    role: "outcome",
                    option: "--y",
                    name: outcome.as_deref(),
                    usual: OUTCOMES,
                },
                wanted_prediction(prediction),
            ],
            Columns::Levels { prediction, count, ones } => vec![
                wanted_prediction(prediction),
                Wanted { role: "count", option: "--count", name: count.as_deref(), usual: COUNTS },
                Wanted { role: "ones", option: "--ones", name: ones.as_deref(), usual: ONES },
            ],
        };
        let mut found: Vec<usize> = Vec::new();
        for column in &wanted {
            let position = column.find(header)?;
            if let Some(earlier) = found.iter().position(|&other| other == position) {
                return Err(format!(
                    "column {} cannot be both {} and {}; name two different columns with {} and {}",
                    quoted(header[position].trim()),
                    wanted[earlier].role,
                    column.role,
                    wanted[earlier].option,
                    column.option
                ));
            }
            found.push(position);
        }
        Ok(found)
    }
}

fn wanted_prediction(name: &Option<String>) -> Wanted<'_> {
    Wanted { role: "prediction", option: "--p", name: name.as_deref(), usual: PREDICTIONS }
}

impl Wanted<'_> {
    fn find(&self, header: &[&str]) -> Result<usize, String> {
        let Wanted { role, option, .. } = self;
        let matches = |column: &str| match self.name {
            Some(name) => column == name.trim(),
            None => self.usual.contains(&column.to_ascii_lowercase().as_str()),
        };
        let found: Vec<usize> =
            (0..header.len()).filter(|&position| matches(header[position].trim())).collect();
        match (found.as_slice(), self.name) {
            ([position], _) => Ok(*position),
            ([], Some(name)) => Err(format!(
                "there is no column {} for the {role}; the columns are {}",
                quoted(name),
                list(header)
            )),
            ([], None) => Err(format!(
                "no column has a usual name for the {role} ({}); name it with {option} NAME; the \
                    columns are {}{}",
                self.usual.join(", "),
                list(header),
                headless(header)
            )),
            ([first, others @ ..], _) => {
                let name = header[*first].trim();
                if others.iter().all(|&other| header[other].trim() == name) {
                    return Err(format!(
                        "column {} occurs {} times; give the columns different names",
                        quoted(name),
                        found.len()
                    ));
                }
                let candidates: Vec<&str> =
                    found.iter().map(|&position| header[position]).collect();
                Err(format!(
                    "the {role} is ambiguous: {} are all usual names for it; choose one with \
                        {option} NAME; the columns are {}",
                    list(&candidates),
                    list(header)
                ))
            }
        }
    }
}

fn list(columns: &[&str]) -> String {
    const MOST: usize = 20;
    let shown: Vec<String> =
        columns.iter().take(MOST).map(|column| quoted(column.trim())).collect();
    match columns.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A hint for files whose first row is data.
fn headless(header: &[&str]) -> &'static str {
    let is_number = |cell: &&str| cell.trim().parse::<f64>().is_ok();
    if header.iter().all(is_number) { "; is the header row missing?" } else { "" }
}

/// How to read a CSV file.
#[derive(Clone, Debug, Default)]
pub struct CsvOptions {
    /// The name of the file, for messages.
    pub name: String,
    /// What the columns mean.
    pub columns: Columns,
    /// The byte between cells; `None` to see from the header whether it is comma, tab or semicolon.
    pub delimiter: Option<u8>,
}
