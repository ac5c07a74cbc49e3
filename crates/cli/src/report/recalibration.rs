//! What `truecal forecast --from` says of a stream that was recalibrated.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::claims::counted;
use super::rounding::{per_round, short_decimal};
use truecal::rational::int;
use truecal::{AnyLevels, Level, Measure, Prediction};
use truecal_lab::hedge::{Grouping, HedgeForecaster, Recalibrator};

/// A stream that was recalibrated.
#[derive(Debug)]
pub(crate) struct Recalibrated<'a> {
    /// The forecasters of the groups, after the last round.
    pub recalibrator: &'a Recalibrator,
    /// The seed of their forecasts.
    pub seed: u64,
    /// The column that was added.
    pub column: &'a str,
    /// How many rows got a forecast, but have no outcome yet.
    pub waiting: u64,
    /// The rounds as the model predicted them.
    pub before: &'a AnyLevels,
    /// The rounds as they were forecast.
    pub after: &'a AnyLevels,
}

/// A measure before and after, summed over rounds.
pub(crate) struct Change {
    pub before: BigRational,
    pub after: BigRational,
}

/// So many groups are listed in text.
const MOST_GROUPS: usize = 20;

impl Recalibrated<'_> {
    pub fn rounds(&self) -> u64 {
        self.before.rounds()
    }

    pub fn step_ce(&self) -> Change {
        let value = |levels: &AnyLevels| levels.evaluate(Measure::StepCe).value;
        Change { before: value(self.before), after: value(self.after) }
    }

    /// The sum over the groups of |Σ (x_t - p_t)| over their rounds.
    pub fn ece_over_groups(&self) -> Change {
        let mut biases = BTreeMap::<Prediction, BigRational>::new();
        let levels = self.before.to_rational();
        let table = levels.table();
        for level in table.rows() {
            let value = Prediction::try_from(table.rational(&level.value));
            let value = value.expect("levels are predictions");
            let bias = biases.entry(self.recalibrator.grouping().start(&value)).or_default();
            *bias += table.rational(&level.bias(table.unit()));
        }
        let after = self.recalibrator.groups().map(|(_, group)| bias(group).abs());
        Change { before: biases.values().map(Signed::abs).sum(), after: after.sum() }
    }

    /// The sum of (x_t - p_t)² over the rounds: T times the Brier score.
    pub fn squared_error(&self) -> Change {
        let value = |levels: &AnyLevels| {
            let levels = levels.to_rational();
            let table = levels.table();
            let unit = table.unit();
            let of_level = |level: &Level<BigRational>| {
                let (ones, zeros) = (int(level.ones), int(level.count - level.ones));
                let below = unit - &level.value;
                ones * &below * &below + zeros * &level.value * &level.value
            };
            table.rows().iter().map(of_level).sum::<BigRational>() / (unit * unit)
        };
        Change { before: value(self.before), after: value(self.after) }
    }

    /// The end of a group that starts there; none if all predictions in it are equal.
    pub fn end(&self, start: &Prediction) -> Option<BigRational> {
        match self.recalibrator.grouping() {
            Grouping::EqualWidth(groups) => {
                Some(start.to_rational() + int(u64::from(groups.get())).recip())
            }
            Grouping::Distinct => None,
        }
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let groups = self.recalibrator.groups().count();
        let waiting = match self.waiting {
            0 => String::new(),
            waiting => format!(", and {} to come", counted(waiting, "round")),
        };
        let head = format!(
            "{}{waiting}, in {} by the model's prediction, seed {}\n\n",
            counted(self.rounds(), "round"),
            counted(groups as u64, "group"),
            self.seed,
        );
        let number = |value: &BigRational| short_decimal(&per_round(value, self.rounds()));
        let bound = number(&self.recalibrator.bound());
        let row = |name: &str, Change { before, after }, bound: &str| {
            vec![name.to_owned(), number(&before), number(&after), bound.to_owned()]
        };
        let changes = [
            ["per round", "before", "after", "bound"].map(str::to_owned).to_vec(),
            row("stepCE", self.step_ce(), &bound),
            row("ECE over the groups", self.ece_over_groups(), &bound),
            row("squared error", self.squared_error(), "-"),
        ];
        format!("{head}{}\n{}{GUARANTEE}", aligned(&changes), self.groups_as_text(groups))
    }

    fn groups_as_text(&self, groups: usize) -> String {
        if groups > MOST_GROUPS {
            return "(--json lists the groups)\n\n".to_owned();
        }
        let mut rows = vec![["group", "rounds", "stepCE after", "bound"].map(str::to_owned).into()];
        for (start, group) in self.recalibrator.groups() {
            let number = |value: &BigRational| short_decimal(&per_round(value, group.rounds()));
            rows.push(vec![
                self.name(start),
                group.rounds().to_string(),
                number(&group.step_ce()),
                number(&group.bound()),
            ]);
        }
        aligned(&rows) + "\n"
    }

    /// `[0.3, 0.4)`, or `0.3`
    fn name(&self, start: &Prediction) -> String {
        let decimal = short_decimal(&start.to_rational());
        match self.end(start) {
            None => decimal,
            Some(end) if end == int(1) => format!("[{decimal}, 1]"),
            Some(end) => format!("[{decimal}, {})", short_decimal(&end)),
        }
    }
}

/// What is guaranteed.
const GUARANTEE: &str = "\
In expectation over the draws of the forecasts, stepCE after and the ECE over the groups after are
at most their bounds, whatever happens: in each group by thm:alg for the rounds of that group, and
in all by the sum over the groups. Outcomes may depend on earlier forecasts; the model's predictions
must not. Nothing bounds the squared error: forecasts are drawn, and that costs sharpness.
";

/// Σ (x_t - p_t) over the rounds of a forecaster.
fn bias(group: &HedgeForecaster) -> BigRational {
    let last = int(group.buckets() as u64 - 1);
    let cells = (0..).zip(group.cells());
    let bias = |(bucket, cell): (u64, &truecal_lab::hedge::Cell)| {
        int(cell.ones) - int(cell.count) * int(bucket) / &last
    };
    cells.map(bias).fold(BigRational::zero(), |sum, bias| sum + bias)
}

/// Names to the left, numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let line = |row: &Vec<String>| {
        let mut line = format!("{:<1$}", row[0], width(0).unwrap_or(0));
        for (column, cell) in row.iter().enumerate().skip(1) {
            line += &format!("  {cell:>0$}", width(column).unwrap_or(0));
        }
        line + "\n"
    };
    rows.iter().map(line).collect()
}
