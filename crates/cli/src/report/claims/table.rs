//! One line for each claim, grouped by section.

use std::fmt::Write;

use truecal_paper::claims::SECTIONS;
use truecal_verify::evidence::Row;
use truecal_verify::registry::{Severity, Status};

/// The widest line.
const COLUMNS: usize = 100;
/// The room for the names of claims.
const NAME: usize = 36;

/// Whether to colour the words for the status. Colour repeats what symbol and word say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// For a terminal.
    Always,
    /// For everything else.
    Never,
}

/// The table of a run.
pub fn table(rows: &[Row], colour: Colour) -> String {
    let mut text = String::new();
    for section in SECTIONS {
        let mut rows = rows.iter().filter(|row| row.claim.section == *section).peekable();
        if rows.peek().is_some() {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{}", section.title);
        }
        for row in rows {
            let (word, detail) = match row.status() {
                Some(status) => (status.word(), scope(row, status)),
                None => ("PARTIAL", "some checks are left to other shards".to_owned()),
            };
            let line = format!("{} {word:<11}  {:<NAME$} {detail}", symbol(word), row.claim.id);
            let line = shortened(&line);
            let coloured = match colour {
                Colour::Always => line.replacen(word, &paint(word), 1),
                Colour::Never => line,
            };
            let _ = writeln!(text, "  {coloured}");
        }
    }
    text
}

/// The scope with the number of cases, the witness, or the reason.
fn scope(row: &Row, status: &Status) -> String {
    match status {
        Status::Exhausted { scope } | Status::Sampled { scope } if row.cases() > 0 => {
            format!("{scope}: {}", counted(row.cases(), "case"))
        }
        other => other.detail().into_owned(),
    }
}

/// `303 claims: 60 PROVED, 20 CONDITIONAL, …`
pub fn totals(rows: &[Row]) -> String {
    let count = |word: &str| {
        let with = |row: &&Row| row.status().is_some_and(|status| status.word() == word);
        let number = rows.iter().filter(with).filter(|row| !points(row)).count();
        match rows.iter().filter(|row| word == "REFUTED" && points(row)).count() {
            0 if number == 0 => None,
            0 => Some(format!("{number} {word}")),
            others => Some(format!("{number} {word} ({others} more point to these)")),
        }
    };
    let parts: Vec<_> = Status::WORDS.into_iter().filter_map(count).collect();
    format!("{}: {}", counted(rows.len() as u64, "claim"), parts.join(", "))
}

/// Whether a claim is false only in that a part of it is, which is counted itself.
pub(crate) fn points(row: &Row) -> bool {
    let refuted = row.status().is_some_and(|status| matches!(status, Status::Refuted { .. }));
    refuted && row.findings.iter().flatten().all(|finding| finding.counterexample.is_none())
}

/// `38 defects in the paper: 2 false with consequence, …`; empty without one. A defect is counted
/// once, however many statements point to it.
pub fn defects(rows: &[Row]) -> String {
    let severities =
        || rows.iter().filter_map(|row| row.claim.defect).map(|defect| defect.severity);
    let count = |severity: Severity| {
        let number = severities().filter(|other| *other == severity).count() as u64;
        (number > 0).then(|| match severity {
            Severity::Consequence => format!("{number} {}", severity.key()),
            _ => counted(number, severity.key()),
        })
    };
    let parts: Vec<_> = Severity::ALL.into_iter().filter_map(count).collect();
    match severities().count() as u64 {
        0 => String::new(),
        number => format!("{} in the paper: {}\n", counted(number, "defect"), parts.join(", ")),
    }
}

/// `1 case`, `906 191 cases`
pub(in crate::report) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `906 191`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn symbol(word: &str) -> char {
    match word {
        "PROVED" => '■',
        "CONDITIONAL" => '□',
        "EXHAUSTED" => '✓',
        "SAMPLED" => '~',
        "REFUTED" => '✗',
        "STATED" => '·',
        _ => '!',
    }
}

fn paint(word: &str) -> String {
    let code = match word {
        "PROVED" | "EXHAUSTED" => 32,
        "CONDITIONAL" => 33,
        "SAMPLED" => 36,
        "REFUTED" => 31,
        "STATED" => 90,
        _ => 35,
    };
    format!("\x1b[{code}m{word}\x1b[0m")
}

/// Cut to fit, indented by two, with a sign that it was.
fn shortened(line: &str) -> String {
    let room = COLUMNS - 2;
    if line.chars().count() <= room {
        return line.trim_end().to_owned();
    }
    let kept: String = line.chars().take(room - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_say_when_they_are_cut() {
        assert_eq!(shortened("short "), "short");
        let cut = shortened(&"long ".repeat(40));
        assert!(cut.ends_with('…') && cut.chars().count() <= 98);
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(906_191), "906 191");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }
}
