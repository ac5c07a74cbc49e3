//! The checker: what it accepts, and what it rejects where and why. Certificates are those that are
//! committed; no prover is needed to distrust them.

mod accepted;
mod noise;
mod tampering;

use super::*;
use crate::testing::certificate;

fn law(text: &str) -> Law {
    text.parse().expect("a law")
}

/// The lines of a committed certificate.
fn lines(name: &str) -> Vec<String> {
    certificate(name).lines().map(str::to_owned).collect()
}

/// The lines as the text of a file.
fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Why and in which line a text is rejected as a certificate.
fn rejected(claim: &str, rounds: u32, text: &[u8]) -> (u64, Rejection) {
    let Rejected { line, reason } = check(&law(claim), rounds, text).expect_err("not a proof");
    (line, reason)
}

/// A row of multipliers: it begins with a number or a fact.
fn is_row(line: &str) -> bool {
    line.trim_start_matches(['o', 'f']).starts_with(|c: char| c.is_ascii_digit())
}
