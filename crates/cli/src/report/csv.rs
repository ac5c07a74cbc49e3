//! Reports as CSV: a row for each measure, of each model and group.

use num_rational::BigRational;

use super::{Entry, Report, Several};
use truecal::classical::Classical;
use truecal::nearest_f64;

/// The columns behind those of model and groups.
const COLUMNS: [&str; 12] = [
    "measure",
    "method",
    "rounds",
    "ones",
    "per_round",
    "total",
    "exact",
    "lower",
    "upper",
    "p_value",
    "adjusted_p_value",
    "skipped_rows",
];

/// The report of all rows together.
pub(crate) fn of_report(report: &Report<'_>) -> String {
    row(&COLUMNS.map(str::to_owned)) + &rows(&[], report, report.skipped)
}

/// Those of several parts.
pub(crate) fn of_several(several: &Several<'_>) -> String {
    let model = (!several.series.is_empty()).then(|| "model".to_owned());
    let head: Vec<String> = model
        .into_iter()
        .chain(several.by.iter().cloned())
        .chain(COLUMNS.map(str::to_owned))
        .collect();
    let mut text = row(&head);
    for member in &several.members {
        let model = several.series.get(member.series).cloned();
        let place: Vec<String> = model.into_iter().chain(member.group.iter().cloned()).collect();
        text.push_str(&rows(&place, &member.report, several.skipped));
    }
    for (models, paired, adjusted) in several.differences() {
        let source = &several.members[0].report.source;
        let blank = String::new;
        let numbers =
            [nearest_f64(&source.per_round(&paired.difference)), nearest_f64(&paired.difference)];
        let [per_round, total] = numbers.map(|number| number.to_string());
        let p_values = [paired.p_value(), adjusted].map(|p| nearest_f64(&p).to_string());
        let [p, adjusted] = p_values;
        let [one, other] = models.map(|place| several.series[place].as_str());
        text.push_str(&row(&[
            format!("{one} - {other}"),
            paired.measure.key().to_owned(),
            "difference".to_owned(),
            source.rounds().to_string(),
            source.ones().to_string(),
            per_round,
            total,
            paired.difference.to_string(),
            blank(),
            blank(),
            p,
            adjusted,
            several.skipped.to_string(),
        ]));
    }
    text
}

fn rows(place: &[String], report: &Report<'_>, skipped: u64) -> String {
    let source = &report.source;
    let of = |number: &BigRational| nearest_f64(number).to_string();
    let total = |count: u64| of(&source.total(&BigRational::from_integer(count.into())));
    let (rounds, ones) = (total(source.rounds()), total(source.ones()));
    let mut text = String::new();
    let mut add = |measure: &str, method: &str, numbers: [String; 7]| {
        let [per_round, total, exact, lower, upper, p, adjusted] = numbers;
        let facts = [measure, method, &rounds, &ones].map(str::to_owned);
        let rest = [per_round, total, exact, lower, upper, p, adjusted, skipped.to_string()];
        let cells = place.iter().cloned().chain(facts).chain(rest);
        text.push_str(&row(&cells.collect::<Vec<_>>()));
    };
    for entry in &report.entries {
        let measure = entry.measure();
        let test = report.significance.of_measure(measure);
        let (p, adjusted) = test.map_or_else(Default::default, |test| {
            (format!("{:.5}", test.p), format!("{:.5}", test.adjusted))
        });
        let blank = String::new;
        let value = |value: &BigRational| [of(&source.per_round(value)), of(&source.total(value))];
        let (method, [mean, total], exact, [lower, upper]) = match entry {
            Entry::Exact(found) => {
                let exact = source.total(&found.value).to_string();
                ("exact", value(&found.value), exact, [blank(), blank()])
            }
            Entry::Sampled(sampled) => {
                let ends = [sampled.low, sampled.high].map(|end| end.to_string());
                ("sampled", value(&sampled.mean), blank(), ends)
            }
            Entry::Bounds(_, bounds) => {
                ("bounds", [blank(), blank()], blank(), [of(&bounds.lower), of(&bounds.upper)])
            }
            Entry::TooCostly { .. } => ("none", [blank(), blank()], blank(), [blank(), blank()]),
        };
        add(measure.key(), method, [mean, total, exact, lower, upper, p, adjusted]);
    }
    for (name, method, value, exact) in report.classical.iter().flat_map(numbers) {
        let blank = String::new;
        let numbers = [value, blank(), exact, blank(), blank(), blank(), blank()];
        add(&name, method, numbers);
    }
    text
}

/// The classical numbers, per round: name, method, value, and the value exactly if it is known.
fn numbers(classical: &Classical) -> Vec<(String, &'static str, String, String)> {
    let Classical { equal_width, equal_mass, brier, log_score, sm_ece } = classical;
    let exact = |name: &str, number: &BigRational| {
        (name.to_owned(), "exact", nearest_f64(number).to_string(), number.to_string())
    };
    let about = |name: &str, number: f64| {
        (name.to_owned(), "approximate", number.to_string(), String::new())
    };
    vec![
        exact(&format!("ece_{}_equal_width", equal_width.number), &equal_width.value),
        exact(&format!("ece_{}_equal_mass", equal_mass.number), &equal_mass.value),
        about("smece", sm_ece.value),
        exact("brier", &brier.score),
        exact("brier_miscalibration", &brier.miscalibration),
        exact("brier_discrimination", &brier.discrimination),
        exact("brier_uncertainty", &brier.uncertainty),
        about("log_score", log_score.value),
    ]
}

/// A row, with quotation marks where they are needed.
fn row(cells: &[String]) -> String {
    let cell = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n"
}
