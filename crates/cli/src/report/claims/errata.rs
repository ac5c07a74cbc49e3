//! The defects of the paper as a page of Markdown, for its authors and readers.

use super::table::{counted, defects};
use super::wrapped;
use truecal_paper::claims;
use truecal_verify::evidence::Row;
use truecal_verify::registry::{Claim, Counterexample, Defect, Finding, Scope, Severity};

/// What stands above all.
const HEAD: &str = "What is wrong in *Truthfulness of Decision-Theoretic Calibration Measures*, \
    each defect once, the worst first: where it stands (lines of the LaTeX source), what is said \
    there in our words, the smallest case in which it fails, and what to write instead. Statements \
    about large T are not held against small T, and an `O(…)` is read with its usual conventions. \
    Every number here is computed: `truecal claims E01` shows the arithmetic of one defect and how \
    to run it again. This page is written by `truecal claims --errata`.";

/// What a severity means.
fn meaning(severity: Severity) -> &'static str {
    match severity {
        Severity::Consequence => {
            "A statement, or something that the text builds on, is false as it stands and has to \
                be changed."
        }
        Severity::Step => {
            "A step of a proof or of a sketch is false. Another one takes its place, and the \
                result stands."
        }
        Severity::Boundary => {
            "A special case was overlooked: an end of a range, a tie, a parity, a rounding."
        }
        Severity::Slip => "Not what was meant: a sign, an index, a name.",
    }
}

fn title(severity: Severity) -> &'static str {
    match severity {
        Severity::Consequence => "False with consequence",
        Severity::Step => "Repairable steps",
        Severity::Boundary => "Boundary cases",
        Severity::Slip => "Slips",
    }
}

/// The page, from a run of all claims.
pub fn errata(rows: &[Row]) -> String {
    let mut page = format!("# Errata\n\n{}\n\n**{}.**\n", wrapped(HEAD, 0), defects(rows).trim());
    for severity in Severity::ALL {
        let with = |row: &&Row| row.claim.defect.is_some_and(|defect| defect.severity == severity);
        let mut rows = rows.iter().filter(with).peekable();
        if rows.peek().is_some() {
            page += &format!("\n## {}\n\n{}\n", title(severity), wrapped(meaning(severity), 0));
        }
        rows.for_each(|row| page += &entry(row));
    }
    page + &withdrawn(rows)
}

fn entry(row: &Row) -> String {
    let Claim { id, lines, reading, departs, defect, .. } = row.claim;
    let repair = defect.map_or("", |Defect { repair, .. }| repair);
    let found = witnesses(row);
    let mut text = format!("\n### {id} (L{lines})\n\n");
    // Where nothing fails, the row says what is meant, and departs from what is written.
    let label = if found.is_empty() && !departs.is_empty() { "Meant" } else { "Said" };
    text += &format!("{}\n", paragraph(&format!("**{label}:** {reading}")));
    if !departs.is_empty() {
        text += &format!("\n{}\n", paragraph(departs));
    }
    if !found.is_empty() {
        text += &format!("\n**Fails at:**\n\n```text\n{}\n```\n", found.join("\n\n"));
    }
    text += &format!("\n{}\n", paragraph(&format!("**Instead:** {repair}")));
    let touched = touched(id);
    if !touched.is_empty() {
        let names: Vec<_> = touched.iter().map(|id| format!("`{id}`")).collect();
        text += &format!("\n{}\n", paragraph(&format!("Touches {}.", names.join(", "))));
    }
    let checked: u64 = row.findings.iter().flatten().filter_map(tried).sum();
    if checked > 0 {
        text += &format!("\nWhat holds instead was checked in {}.\n", counted(checked, "case"));
    }
    text
}

/// The smallest case of each check that fails: those that look for one, or else the instances.
fn witnesses(row: &Row) -> Vec<String> {
    let failing = || row.findings.iter().flatten().filter(|f| f.counterexample.is_some());
    let general: Vec<_> = failing().filter(|finding| finding.scope != Scope::Instance).collect();
    let shown = if general.is_empty() { failing().collect() } else { general };
    let mut texts: Vec<_> =
        shown.into_iter().filter_map(|f| f.counterexample.as_ref()).map(arithmetic).collect();
    texts.dedup();
    texts
}

/// In how many cases a correction was tried.
fn tried(finding: &Finding) -> Option<u64> {
    finding.correction.as_ref().map(|correction| correction.cases)
}

/// The statements of which a defect is a part.
fn touched(id: &str) -> Vec<&'static str> {
    claims::all().filter(|claim| claim.parts.contains(&id)).map(|claim| claim.id).collect()
}

/// The sequence with its values, or the computation in full; tables of sequences are left to
/// `truecal claims`.
fn arithmetic(found: &Counterexample) -> String {
    match &found.sequence {
        Some(_) => {
            let last = found.arithmetic.iter().rev().take_while(|line| !line.is_empty());
            let mut lines: Vec<_> = last.cloned().collect();
            lines.reverse();
            format!("{found}\n{}", lines.join("\n"))
        }
        None => found.arithmetic.join("\n"),
    }
}

/// Whether it is an entry of the catalogue of errata: `E01`.
pub(crate) fn is_erratum(claim: &Claim) -> bool {
    claim.id.strip_prefix('E').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Entries of the catalogue that are no defects on a second reading.
fn withdrawn(rows: &[Row]) -> String {
    let rows = rows.iter().filter(|row| is_erratum(row.claim) && row.claim.defect.is_none());
    let mut text = format!(
        "\n## Withdrawn\n\n{}\n\n",
        wrapped("Taken for defects at first, and none on a second reading.", 0)
    );
    for Row { claim, .. } in rows {
        let words =
            format!("- **{}** (L{}): {} {}", claim.id, claim.lines, claim.reading, claim.departs);
        text += &format!("{}\n", plain(&words, 2));
    }
    text
}

fn paragraph(words: &str) -> String {
    plain(words, 0)
}

/// Broken into lines, with formulas that stay what they are: no star between letters makes words
/// slanted, and no sign at the start of a line makes it a list, a quotation or a heading.
fn plain(words: &str, indent: usize) -> String {
    let parts: Vec<_> = words.split("**").map(|part| part.replace('*', "\\*")).collect();
    let lines = wrapped(&parts.join("**"), indent);
    let (first, rest) = lines.split_once('\n').unwrap_or((&lines, ""));
    let mut text = first.to_owned();
    for line in rest.lines() {
        let (blanks, words) = line.split_at(line.len() - line.trim_start().len());
        let sign = if words.starts_with(['-', '+', '>', '#', '=']) { "\\" } else { "" };
        text += &format!("\n{blanks}{sign}{words}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_not_markdown() {
        assert_eq!(paragraph("**Said:** 2*T <= p*_t"), r"**Said:** 2\*T <= p\*_t");
        let long = paragraph(&format!("{} - B_1 >= 0", "x".repeat(100)));
        assert!(long.ends_with("\n\\- B_1 >= 0"), "{long}");
    }
}
