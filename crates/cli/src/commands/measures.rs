//! Measures on the command line: their names, and what help says of them, from their descriptions.

use std::collections::HashSet;

use truecal::{Measure, UnknownMeasure};

/// A measure by one of its names.
pub(super) fn measure(name: &str) -> Result<Measure, String> {
    const CLASSICAL: [&str; 5] = ["smece", "brier", "log", "logscore", "log_score"];
    let classical = CLASSICAL.iter().any(|other| other.eq_ignore_ascii_case(name.trim()));
    name.parse().map_err(|error: UnknownMeasure| match classical {
        true => format!(
            "one of the classical numbers, which `truecal measure` prints below the measures, with \
                --only if there is --bins, too; {error}"
        ),
        false => error.to_string(),
    })
}

/// Measures in words: `ECE, smCE and CDL`.
pub(super) fn in_words(measures: impl IntoIterator<Item = Measure>, last: &str) -> String {
    let names: Vec<_> = measures.into_iter().map(|measure| measure.to_string()).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [some @ .., one] => format!("{} {last} {one}", some.join(", ")),
    }
}

/// The help of an option that takes measures.
pub(super) fn list(what: &str) -> String {
    let keys: Vec<_> = Measure::ALL.into_iter().map(Measure::key).collect();
    format!("{what}, separated by commas: {}", keys.join(", "))
}

/// A line for each measure: how it is called, and what it is.
pub(super) fn table() -> String {
    let mut text = "Measures:\n".to_owned();
    for measure in Measure::ALL {
        let description = measure.description();
        text += &format!("  {:<10}  {}\n", description.key, description.words);
    }
    text
}

/// These measures, each once.
pub(super) fn distinct(measures: &[Measure]) -> Vec<Measure> {
    let mut seen = HashSet::new();
    measures.iter().copied().filter(|measure| seen.insert(*measure)).collect()
}
