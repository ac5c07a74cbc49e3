//! The counterexamples of claims, to be reviewed by hand.

use std::collections::HashMap;

use truecal_cli::report::claims::wrapped;
use truecal_verify::evidence::Row;
use truecal_verify::registry::{Check, Counterexample};

use crate::command::assert_snapshot;
use crate::registry::DEFAULT;

/// What fails and where, step by step: the claim itself if it is refuted, with what holds instead,
/// and the wrong variants that its checks notice. `None` if there is nothing of the sort.
///
/// The opposites of the facts of an example are left out: they say nothing that the example does
/// not.
fn counterexamples(row: &Row) -> Option<String> {
    let mut text = String::new();
    for (check, finding) in row.claim.checks.iter().zip(&row.findings) {
        let Some(finding) = finding else { continue };
        let mut shown = String::new();
        if let Some(found) = &finding.counterexample {
            shown += &format!("\n  refuted{}", steps(found));
            if let Some(correction) = &finding.correction {
                shown +=
                    &format!("  {}\n", wrapped(&format!("instead: {}", correction.statement), 4));
            }
        }
        if !matches!(check, Check::Example(_)) {
            for control in &finding.controls {
                if let Some(found) = &control.caught {
                    let mistake = wrapped(&format!("noticed: {}", control.mistake), 4);
                    shown += &format!("\n  {mistake}{}", steps(found));
                }
            }
        }
        if !shown.is_empty() {
            text += &format!("\n{}\n{shown}", wrapped(&format!("check: {}", finding.check), 2));
        }
    }
    let claim = row.claim;
    let heading = wrapped(&format!("{}: {}", claim.id, claim.reading), 2);
    (!text.is_empty()).then(|| format!("{heading}\n{text}"))
}

fn steps(found: &Counterexample) -> String {
    let mut text = match &found.sequence {
        Some((outcomes, predictions)) => format!(" at x=({outcomes}) p=({predictions})\n"),
        None => "\n".to_owned(),
    };
    for step in &found.arithmetic {
        text += format!("    {step}").trim_end();
        text.push('\n');
    }
    text
}

/// The name of the snapshot of a claim's counterexamples.
fn snapshot_name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    format!("claim-{}", id.chars().map(plain).collect::<String>())
}

#[test]
fn counterexamples_are_reviewed() {
    let mut names = HashMap::new();
    for row in DEFAULT.iter() {
        let Some(text) = counterexamples(row) else { continue };
        let name = snapshot_name(row.claim.id);
        assert_eq!(names.insert(name.clone(), row.claim.id), None, "{name} would be used twice");
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(104), "{}: a line of {widest:?} columns\n{text}", row.claim.id);
        assert_snapshot!(name, text);
    }
    // And none is left of a claim that has none any more.
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots"))
        .expect("a folder")
    {
        let file = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let name = file.strip_suffix(".snap").unwrap_or(&file);
        assert!(
            !name.starts_with("claim-") || names.contains_key(name),
            "{file} belongs to no claim"
        );
    }
}
