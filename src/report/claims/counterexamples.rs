//! The counterexamples of a claim, to be reviewed by hand.

use super::wrapped;
use crate::claims::{Check, Counterexample};
use crate::evidence::Row;

/// What fails and where, step by step: the claim itself if it is refuted, with what holds instead, and the wrong
/// variants that its checks notice. `None` if there is nothing of the sort.
///
/// The opposites of the facts of an example are left out: they say nothing that the example does not.
pub fn counterexamples(row: &Row) -> Option<String> {
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
            for tooth in &finding.teeth {
                if let Some(found) = &tooth.bite {
                    let mistake = wrapped(&format!("noticed: {}", tooth.mistake), 4);
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
