//! Reading a table, whatever its format.

use super::columns::CsvOptions;
use super::error::{InputError, Problems};
use super::plan::Plan;
use super::sink::{Lot, Sink, Totals};
use super::table::{At, Cell, Table};
use truecal::Rounds;
use truecal::dyadic::Dyadic;

/// Hands over all rows of a table. `progress` is called now and then.
pub(crate) fn read_table(
    sink: &mut dyn Sink,
    table: &mut dyn Table,
    options: &CsvOptions,
    mut progress: impl FnMut(u64, Option<(u64, u64)>),
) -> Result<Totals, InputError> {
    let name = options.name.as_str();
    let names: Vec<&str> = table.names().iter().map(String::as_str).collect();
    let plan = Plan::find(&names, options).map_err(|problem| InputError::of_file(name, problem))?;
    let mut block = Block::new(&plan);
    let mut totals = Totals::default();
    loop {
        let more = table.read(&plan.wanted, &mut |at, cells| block.row(at, cells))?;
        let lot = block.lot(name)?;
        totals.rows += std::mem::take(&mut block.rows);
        totals.skipped += lot.skipped;
        if block.problems.is_empty() {
            let taken = sink.take(lot);
            taken.map_err(|error| InputError::of_file(name, error.to_string()))?;
        }
        if !more {
            break;
        }
        progress(totals.rows, table.share());
    }
    block.problems.into_result()?;
    match totals.rows {
        0 => Err(InputError::of_file(name, "there is no row of data; give one row per round")),
        _ => Ok(totals),
    }
}

/// Some rows, as they are read.
struct Block<'a> {
    plan: &'a Plan<'a>,
    /// Whether a row is a round with one prediction.
    plain: bool,
    rows: u64,
    /// The rounds among them with a double as it is, which is the usual case.
    outcomes: Vec<bool>,
    doubles: Vec<f64>,
    /// All others.
    lot: Lot,
    problems: Problems,
}

impl<'a> Block<'a> {
    fn new(plan: &'a Plan<'a>) -> Self {
        Block {
            plan,
            plain: plan.is_plain(),
            rows: 0,
            outcomes: vec![],
            doubles: vec![],
            lot: Lot::default(),
            problems: Problems::default(),
        }
    }

    fn row(&mut self, at: At, cells: &[Cell<'_>]) -> Result<(), InputError> {
        self.rows += 1;
        if let (true, &[outcome, Cell::Double(prediction)]) = (self.plain, cells)
            && let Some(outcome) = self.plan.double(outcome, prediction)
        {
            self.outcomes.push(outcome);
            self.doubles.push(prediction);
            return Ok(());
        }
        match self.plan.read(at, cells) {
            Ok(record) => self.lot.push(record),
            Err(error) => self.problems.note(error)?,
        }
        Ok(())
    }

    /// What has been read since the last time.
    fn lot(&mut self, name: &str) -> Result<Lot, InputError> {
        let mut lot = std::mem::take(&mut self.lot);
        lot.doubles = Rounds::with_room(self.doubles.len());
        let pushed = lot.doubles.push(&self.outcomes, &self.doubles);
        pushed.map_err(|error| InputError::of_file(name, error.to_string()))?;
        self.outcomes.clear();
        self.doubles.clear();
        Ok(lot)
    }
}

impl Plan<'_> {
    /// A usual outcome, if the prediction is a probability as it stands.
    fn double(&self, outcome: Cell<'_>, prediction: f64) -> Option<bool> {
        let valid = self.takes_doubles() && Dyadic::from_bits(prediction.to_bits()).is_ok();
        let outcome = match outcome {
            Cell::Bool(outcome) => outcome,
            Cell::Integer(number @ (0 | 1)) => number == 1,
            Cell::Double(number) if number == 0.0 || number == 1.0 => number == 1.0,
            _ => return None,
        };
        valid.then_some(outcome)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::columns::{Class, Columns, Meaning};
    use super::super::csv::read_csv_into;
    use super::super::grammar::Grammar;
    use super::super::plan::{Bucket, Rounds as Row};
    use super::super::sink::SinkError;
    use super::super::table::Take;
    use super::*;
    use truecal::Forecasts;

    /// Texts in rows, some rows at a time.
    struct Texts(Vec<String>, Vec<Vec<String>>, usize);

    impl Table for Texts {
        fn names(&self) -> &[String] {
            &self.0
        }

        fn read(&mut self, wanted: &[usize], take: Take<'_>) -> Result<bool, InputError> {
            let end = self.1.len().min(self.2 + 3);
            for row in self.2..end {
                let cells: Vec<Cell<'_>> =
                    wanted.iter().map(|&column| Cell::Text(&self.1[row][column])).collect();
                take(At { row: row as u64 + 1, line: Some(row as u64 + 2) }, &cells)?;
            }
            self.2 = end;
            Ok(end < self.1.len())
        }

        fn share(&self) -> Option<(u64, u64)> {
            None
        }
    }

    /// All that was read.
    #[derive(Debug, Default, PartialEq)]
    struct All(Forecasts, Vec<Row>, Vec<Bucket>);

    impl Sink for All {
        fn take(&mut self, mut lot: Lot) -> Result<(), SinkError> {
            self.1.append(&mut lot.rows);
            self.2.append(&mut lot.buckets);
            self.0.take(lot)
        }
    }

    fn meanings() -> Vec<Columns> {
        let plain = Columns::default();
        let classes = ["a", "b"].map(|name| Class { name: name.into(), column: name.into() });
        let classes = Meaning::Classes { label: Some("y".into()), classes: classes.into() };
        let [min, max] = ["a", "b"].map(|name| Some(name.to_owned()));
        let (count, ones) = (Some("p".to_owned()), Some("y".to_owned()));
        let sum = Some("g".to_owned());
        vec![
            plain.clone(),
            Columns { by: vec!["g".into()], ..plain.clone() },
            Columns { weight: Some("g".into()), ..plain.clone() },
            Columns { rows: classes, ..plain.clone() },
            Columns { rows: Meaning::Buckets { min, max, count, ones, sum }, ..plain },
        ]
    }

    proptest! {
        /// The same rows as CSV: the same of everything, and the same complaints.
        #[test]
        fn a_table_reads_as_csv_of_the_same_text(
            rows in prop::collection::vec(
                prop::collection::vec(prop::sample::select(vec![
                    "1", "0", "0.5", "1/3", "2", "a", "b", "", "nan", "yes", " 1.0", "7 %",
                    "1e-400",
                ]), 5),
                1..8,
            ),
            skip in any::<bool>(),
        ) {
            let header = ["y", "p", "g", "a", "b"];
            let rows: Vec<Vec<String>> =
                rows.into_iter().map(|row| row.into_iter().map(str::to_owned).collect()).collect();
            let lines: String = rows.iter().map(|row| row.join(",") + "\n").collect();
            let csv = format!("{}\n{lines}", header.join(","));
            for columns in meanings() {
                let grammar = Grammar { skip_missing: Some(skip), ..Grammar::default() };
                let options = CsvOptions { name: "f".into(), columns, grammar, delimiter: None };
                let mut table = Texts(header.map(str::to_owned).into(), rows.clone(), 0);
                let [mut own, mut other] = [(); 2].map(|()| All::default());
                let read = read_table(&mut own, &mut table, &options, |_, _| ());
                let csv = read_csv_into(&mut other, csv.as_bytes(), &options, |_, _| ());
                let shown = |result: Result<Totals, InputError>| result.map_err(|e| e.to_string());
                let (read, csv) = (shown(read), shown(csv));
                prop_assert_eq!(&read, &csv);
                if read.is_ok() {
                    prop_assert_eq!(own, other);
                }
            }
        }
    }
}
