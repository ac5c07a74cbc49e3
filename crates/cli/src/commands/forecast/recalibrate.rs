//! A file of a model's predictions in, the same file with recalibrated ones out.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::Path;

use super::super::progress::Line;
use super::super::reading::Format;
use super::super::replacement::Replacement;
use super::{Arguments, Outcome, number};
use crate::input::{Columns, CsvOptions, InputError, Meaning, Part, RoundTable};
use crate::json::{self, Forecast};
use crate::report::recalibration::Recalibrated;
use truecal::{AnyLevels, Forecasts, ForecastsError, Prediction, Random};
use truecal_lab::hedge::{Grouping, Recalibrator};

/// The groups unless others are asked for. It does not depend on the file: whoever adds a row to it
/// would otherwise change the forecasts of rounds that are over.
const GROUPS: Grouping = Grouping::EqualWidth(NonZeroU32::new(10).expect("not 0"));

/// The name of the new column unless another is asked for.
const COLUMN: &str = "recalibrated";

pub(super) fn run(arguments: &Arguments, file: &Path) -> Result<Outcome, String> {
    let out = arguments.out.as_deref().map(Replacement::prepare).transpose()?;
    let column = arguments.column.as_deref().unwrap_or(COLUMN);
    let grouping = arguments.groups.unwrap_or(GROUPS);
    let recalibrator = Recalibrator::new(grouping, arguments.forecaster()?);
    let part = Part::of(file);
    let name = part.name.clone();
    let done = read(arguments, &part, grouping)
        .and_then(|table| table.accepts(column, &name).map(|()| table))
        .and_then(|table| Done::forecast(table, recalibrator, arguments, &name))
        .map_err(|error| error.to_string())?;
    let waiting = done.table.rounds.len() as u64 - done.before.rounds();
    let said = Recalibrated {
        recalibrator: &done.recalibrator,
        seed: arguments.seed(),
        column,
        waiting,
        before: &done.before,
        after: &done.after,
    };
    let report = match arguments.json {
        true => json::text(&Forecast::from(&said)),
        false => said.to_text(),
    };
    let mut output = done.table.with_column(column, &done.cells);
    if let Some(out) = out {
        out.write(&output)?;
        output.clear();
    }
    // With nobody to read it, the forecasts still stand.
    let _ = io::stderr().write_all(report.as_bytes());
    Ok(Outcome { output, code: 0 })
}

/// The file, if every row of it can be forecast.
fn read(arguments: &Arguments, part: &Part, grouping: Grouping) -> Result<RoundTable, InputError> {
    let name = part.name.clone();
    let opened = part.open()?;
    if Format::of(part, opened.kind)? != Format::Csv {
        let problem = "--from reads CSV, to which a column can be added; convert the file";
        return Err(InputError::of_file(&name, problem));
    }
    let predictions = arguments.p.iter().cloned().collect();
    let rows = Meaning::Rounds { outcome: arguments.y.clone(), predictions };
    let columns = Columns { rows, ..Columns::default() };
    let delimiter = arguments.delimiter;
    let options = CsvOptions { name, columns, delimiter, ..CsvOptions::default() };
    let mut groups = BTreeMap::<Prediction, Group>::new();
    RoundTable::read(opened.source, &options, |number, round| {
        let group = groups.entry(grouping.start(&round.prediction)).or_default();
        if let Some(most) = arguments.rounds.filter(|most| group.rounds == *most) {
            return Err(format!(
                "the group of this prediction has had all its {most} rounds; plan more with \
                    --rounds, or leave it out for any number"
            ));
        }
        match (round.outcome, group.waiting) {
            (Some(_), _) => group.rounds += 1,
            (None, None) => group.waiting = Some(number),
            (None, Some(earlier)) => {
                return Err(format!(
                    "the cell is blank, and so is that of row {earlier}, whose prediction is in \
                        the same group: this forecast needs that outcome; give it, or remove the \
                        row"
                ));
            }
        }
        Ok(())
    })
}

/// What has been read of a group.
#[derive(Default)]
struct Group {
    /// Those with an outcome.
    rounds: u64,
    /// The row without one.
    waiting: Option<u64>,
}

/// All forecasts of a file.
struct Done {
    table: RoundTable,
    recalibrator: Recalibrator,
    /// The new column.
    cells: Vec<String>,
    /// The rounds whose outcomes are known, as the model predicted them.
    before: AnyLevels,
    /// The same rounds, as they are forecast now.
    after: AnyLevels,
}

impl Done {
    /// The forecast of every round, before its outcome is looked at.
    fn forecast(
        table: RoundTable,
        mut recalibrator: Recalibrator,
        arguments: &Arguments,
        name: &str,
    ) -> Result<Self, InputError> {
        let refused = |error: ForecastsError| InputError::of_file(name, error.to_string());
        let (mut before, mut after) = (Forecasts::new(), Forecasts::new());
        let mut cells = Vec::with_capacity(table.rounds.len());
        let (mut progress, all) = (Line::new(), table.rounds.len() as u64);
        for (index, round) in (0..).zip(&table.rounds) {
            let mut random = Random::new(arguments.seed(), index);
            let forecast = recalibrator.sample(&round.prediction, &mut random);
            cells.push(number(&forecast.to_rational(), arguments.exact));
            if let Some(outcome) = round.outcome {
                before.push(outcome, round.prediction.clone()).map_err(refused)?;
                after.push(outcome, forecast).map_err(refused)?;
                recalibrator
                    .observe(&round.prediction, outcome)
                    .map_err(|error| InputError::of_file(name, error.to_string()))?;
            }
            progress.show_share(index + 1, all, || format!("forecasting: {} rounds", index + 1));
        }
        let levels = |rounds: Forecasts| {
            rounds.levels().map_err(|error| InputError::of_file(name, error.to_string()))
        };
        let (before, after) = (levels(before)?, levels(after)?);
        Ok(Done { table, recalibrator, cells, before, after })
    }
}

/// `10` or `distinct`
pub(super) fn groups(text: &str) -> Result<Grouping, String> {
    const MOST: u64 = 1_000_000;
    if text == "distinct" {
        return Ok(Grouping::Distinct);
    }
    let number = super::whole(text).filter(|number| *number <= MOST);
    let number = number.and_then(|number| NonZeroU32::new(u32::try_from(number).ok()?));
    number.map(Grouping::EqualWidth).ok_or_else(|| {
        "give a whole number from 1 to 1e6, such as 10, or the word distinct".to_owned()
    })
}

/// The name of the column to add.
pub(super) fn column(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("give a name that is not blank".to_owned()),
        _ => Ok(text.to_owned()),
    }
}
