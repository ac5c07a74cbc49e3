//! What the tests of `truecal measure` share: runs, and what is to be found in their reports.

use num_rational::BigRational;
use serde_json::Value;

use crate::command::truecal;
use crate::rational;

/// The 333 penguins of known sex, and all 344.
pub const PENGUINS: &str = include_str!("../../../../testdata/penguins/penguins.csv");
pub const ALL_PENGUINS: &str = include_str!("../../../../testdata/penguins/penguins-all.csv");

/// The measures that need no subsets.
pub const PLAIN: &str = "ece,smce,stepce,signce,intervalce,cdl,vcal,ucal";

/// What the command prints, which must succeed without a word on standard error.
pub fn printed(arguments: &[&str], input: &[u8]) -> String {
    let output = truecal(&[&["measure"], arguments].concat(), input);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), complaint.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The same as JSON.
pub fn json(arguments: &[&str], input: impl AsRef<[u8]>) -> Value {
    let text = printed(&[&["--json"], arguments].concat(), input.as_ref());
    serde_json::from_str(&text).expect("JSON")
}

/// What the command complains about, with exit code 2 and nothing on standard output.
pub fn refused(arguments: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = truecal(&[&["measure"], arguments].concat(), input.as_ref());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{said}");
    assert!(said.starts_with("error: ") && !said.contains("panicked"), "{arguments:?}: {said}");
    said
}

/// A report without what depends on the other parts that are reported with it: the verdict, and
/// adjusted p-values.
pub fn alone(report: &Value) -> Value {
    let mut report = report.clone();
    report.as_object_mut().expect("a report").remove("verdict");
    for (_, entry) in report["measures"].as_object_mut().expect("measures") {
        if let Some(test) = entry.get_mut("test") {
            test.as_object_mut().expect("a test").remove("adjusted_p_value");
        }
    }
    report
}

/// The parts of a report on several models, classes or groups.
pub fn parts(report: &Value) -> &[Value] {
    report["parts"].as_array().expect("parts")
}

/// The exact value of a measure in a report.
pub fn exact(report: &Value, measure: &str) -> BigRational {
    fraction(&report["measures"][measure]["exact"])
}

pub fn fraction(value: &Value) -> BigRational {
    rational(value.as_str().unwrap_or_else(|| panic!("{value} is not a fraction")))
}

/// A table of text: a header, and the cells of each row.
pub struct Sheet {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Cells without quotation marks.
    pub fn of(csv: &str) -> Self {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = csv.lines().map(cells);
        Sheet { header: lines.next().expect("a header"), rows: lines.collect() }
    }

    pub fn place(&self, column: &str) -> usize {
        self.header.iter().position(|name| name == column).expect("a column")
    }

    /// The file with these rows only.
    pub fn only(&self, keep: impl Fn(&[String]) -> bool) -> String {
        let rows = self.rows.iter().filter(|row| keep(row)).map(|row| row.join(",") + "\n");
        format!("{}\n{}", self.header.join(","), rows.collect::<String>())
    }
}

/// A round: whether the event happened, and its prediction as text.
pub type Round = (bool, String);

/// Rounds as CSV.
pub fn csv(rounds: &[Round]) -> String {
    let row = |(outcome, prediction): &Round| format!("{},{prediction}\n", u8::from(*outcome));
    format!("y,p\n{}", rounds.iter().map(row).collect::<String>())
}
