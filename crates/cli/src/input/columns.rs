//! Which column is which.

use super::error::quoted;
use super::grammar::Grammar;

/// What the columns of a file mean. A name that is not given is found among the usual ones.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// What a row is.
    pub rows: Meaning,
    /// The columns by which rows are told apart into groups.
    pub by: Vec<String>,
    /// The column of weights.
    pub weight: Option<String>,
}

/// What a row is.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A round, with the predictions of one or more models.
    Rounds {
        /// The column of outcomes.
        outcome: Option<String>,
        /// The columns of predictions.
        predictions: Vec<String>,
    },
    /// A distinct prediction, as `SELECT p, COUNT(*), SUM(y) … GROUP BY p` returns.
    Levels {
        /// The column of predictions.
        prediction: Option<String>,
        /// The column of counts.
        count: Option<String>,
        /// The column of ones.
        ones: Option<String>,
    },
    /// Neighbouring predictions, as `SELECT MIN(p), MAX(p), COUNT(*), SUM(y), SUM(p) … GROUP BY
    /// FLOOR(1000 * p)` returns.
    Buckets {
        /// The column of the smallest predictions.
        min: Option<String>,
        /// The column of the largest predictions.
        max: Option<String>,
        /// The column of counts.
        count: Option<String>,
        /// The column of ones.
        ones: Option<String>,
        /// The column of sums of predictions.
        sum: Option<String>,
    },
    /// A round with one of several classes, and a probability of each.
    Classes {
        /// The column of the class that came about.
        label: Option<String>,
        /// The classes and their columns.
        classes: Vec<Class>,
    },
}

/// A class of several, and the column of its probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// As it stands in the column of labels.
    pub name: String,
    /// The name of the column.
    pub column: String,
}

impl Default for Meaning {
    fn default() -> Self {
        Meaning::Rounds { outcome: None, predictions: vec![] }
    }
}

/// A column to be found.
struct Wanted<'a> {
    role: &'static str,
    option: &'static str,
    name: Option<&'a str>,
    usual: Vec<String>,
}

const PREDICTIONS: [&str; 6] = ["y_prob", "p", "prob", "probability", "forecast", "prediction"];
const OUTCOMES: [&str; 6] = ["y_true", "y", "label", "outcome", "x", "event"];
const COUNTS: [&str; 7] =
    ["count", "n", "rounds", "count(*)", "count(1)", "count_star()", "count(p)"];
const ONES: [&str; 5] = ["ones", "k", "events", "positives", "sum"];

/// These names, and what SQL engines call a function of a column with one of the other names.
fn usual(names: &[&str], function: &str, columns: &[&str]) -> Vec<String> {
    let of_columns = columns.iter().map(|column| format!("{function}({column})"));
    names.iter().map(|name| (*name).to_owned()).chain(of_columns).collect()
}

impl Columns {
    /// The positions of the columns in a header, or what is wrong with it: those of a row, then the
    /// groups, then the weight.
    pub(super) fn find(&self, header: &[&str]) -> Result<Vec<usize>, String> {
        let mut wanted = self.rows.wanted();
        let named = |role, option, name| Wanted { role, option, name: Some(name), usual: vec![] };
        wanted.extend(self.by.iter().map(|name| named("group", "--by", name.as_str())));
        wanted.extend(self.weight.iter().map(|name| named("weight", "--weight", name.as_str())));
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

impl Meaning {
    /// The columns of a row, in the order in which it is read.
    fn wanted(&self) -> Vec<Wanted<'_>> {
        match self {
            Meaning::Rounds { outcome, predictions } => {
                let outcome = wanted("outcome", "--y", outcome, usual(&OUTCOMES, "", &[]));
                let named = |name| Wanted { name: Some(name), ..a_prediction(&None) };
                match predictions.as_slice() {
                    [] => vec![outcome, a_prediction(&None)],
                    some => [outcome].into_iter().chain(some.iter().map(|p| named(p))).collect(),
                }
            }
            Meaning::Levels { prediction, count, ones } => {
                vec![a_prediction(prediction), a_count(count), some_ones(ones)]
            }
            Meaning::Buckets { min, max, count, ones, sum } => {
                let of = |names: &[&str], function| usual(names, function, &PREDICTIONS);
                vec![
                    wanted("smallest prediction", "--min", min, of(&["min", "min_p"], "min")),
                    wanted("largest prediction", "--max", max, of(&["max", "max_p"], "max")),
                    a_count(count),
                    some_ones(ones),
                    wanted("sum of predictions", "--sum", sum, of(&["sum_p"], "sum")),
                ]
            }
            Meaning::Classes { label, classes } => {
                let label = wanted("label", "--y", label, usual(&OUTCOMES, "", &[]));
                let of_class = |class| Wanted {
                    role: "probability of a class",
                    option: "--classes",
                    name: Some(class),
                    usual: vec![],
                };
                let columns = classes.iter().map(|class| of_class(class.column.as_str()));
                [label].into_iter().chain(columns).collect()
            }
        }
    }

    /// What is measured in each row: the models, or the classes.
    pub(crate) fn series(&self) -> Vec<String> {
        match self {
            Meaning::Rounds { predictions, .. } => predictions.clone(),
            Meaning::Levels { .. } | Meaning::Buckets { .. } => vec![],
            Meaning::Classes { classes, .. } => {
                let names = classes.iter().map(|class| class.name.clone());
                [TOP_LABEL.to_owned()].into_iter().chain(names).collect()
            }
        }
    }
}

/// How the class with the largest probability is called, among the classes.
pub(crate) const TOP_LABEL: &str = "top label";

fn wanted<'a>(
    role: &'static str,
    option: &'static str,
    name: &'a Option<String>,
    usual: Vec<String>,
) -> Wanted<'a> {
    Wanted { role, option, name: name.as_deref(), usual }
}

fn a_prediction(name: &Option<String>) -> Wanted<'_> {
    wanted("prediction", "--p", name, usual(&PREDICTIONS, "", &[]))
}

fn a_count(name: &Option<String>) -> Wanted<'_> {
    wanted("count", "--count", name, usual(&COUNTS, "", &[]))
}

fn some_ones(name: &Option<String>) -> Wanted<'_> {
    wanted("ones", "--ones", name, usual(&ONES, "sum", &OUTCOMES))
}

impl Wanted<'_> {
    fn find(&self, header: &[&str]) -> Result<usize, String> {
        let Wanted { role, option, .. } = self;
        let matches = |column: &str| match self.name {
            Some(name) => column == name.trim(),
            None => self.usual.contains(&column.to_ascii_lowercase()),
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

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct CsvOptions {
    /// The name of the file, for messages.
    pub name: String,
    /// What the columns mean.
    pub columns: Columns,
    /// How cells are written.
    pub grammar: Grammar,
    /// The byte between cells of CSV; `None` to see from the header whether it is comma, tab or
    /// semicolon.
    pub delimiter: Option<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows first, then groups, then the weight; in the order in which they are read.
    #[test]
    fn columns_are_found_by_their_names() {
        let named = |name: &str| Some(name.to_owned());
        let levels = Meaning::Levels { prediction: None, count: named("c"), ones: None };
        let [min, max, count, ones, sum] = [(); 5].map(|()| None);
        let buckets = Meaning::Buckets { min, max, count, ones, sum };
        let predictions = vec!["b".to_owned(), "a".to_owned()];
        let models = Meaning::Rounds { outcome: None, predictions };
        let class = |name: &str, column: &str| Class { name: name.into(), column: column.into() };
        let classes = vec![class("x", "q"), class("y", "r")];
        let classes = Meaning::Classes { label: None, classes };
        for (rows, header, expected) in [
            (Meaning::default(), "w,g,Y_PROB,X", vec![3, 2, 1, 0]),
            (models, "w,g,a,b,y", vec![4, 3, 2, 1, 0]),
            (levels, "w,g,SUM(Label),c,P", vec![4, 3, 2, 1, 0]),
            (buckets, "Count(1),sum(p),sum(y),MAX(p),min_p,g,w", vec![4, 3, 0, 2, 1, 5, 6]),
            (classes, "label,r,g,q,w", vec![0, 3, 1, 2, 4]),
        ] {
            let (by, weight) = (vec!["g".to_owned()], Some("w".to_owned()));
            let columns = Columns { rows, by, weight };
            let header: Vec<&str> = header.split(',').collect();
            assert_eq!(columns.find(&header), Ok(expected), "{header:?}");
        }
    }
}
