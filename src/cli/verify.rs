//! `truecal verify`: does what truecal rests on hold?

use std::fmt::Write;

use clap::Args;

use super::Outcome;
use super::progress::Progress;
use crate::evidence::{Domain, Finding, verify};

/// Check the measures and the headline inequalities on every small case
///
/// Both readings of every measure (definition and formula) are compared, and every witness is checked,
/// on every level table with few rounds and predictions in multiples of 1/GRID; then the headline
/// inequalities on a larger domain. Each check is also shown to be able to fail.
#[derive(Args)]
#[command(after_long_help = "Exit codes: 0 everything holds, 1 something does not, 2 misuse.")]
pub(super) struct Arguments {
    /// The largest number of rounds for the readings
    #[arg(long, value_name = "T", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=8))]
    max_rounds: u64,

    /// The denominator of the predictions for the readings
    #[arg(long, value_name = "D", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=60))]
    grid: u32,
}

/// Where the inequalities are tried: wide enough to hold a case where each is tight.
const INEQUALITIES: Domain = Domain { rounds: 5, grid: 12 };

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let readings = Domain { rounds: arguments.max_rounds, grid: arguments.grid };
    let mut progress = Progress::new();
    let findings = verify(readings, INEQUALITIES, |check| progress.show(|| check.to_owned()));
    drop(progress);

    let domain =
        |domain: Domain| format!("T <= {}, predictions in 1/{}", domain.rounds, domain.grid);
    let mut output =
        format!("readings and witnesses: every level table with {}\n", domain(readings));
    let _ = writeln!(output, "inequalities: every level table with {}\n", domain(INEQUALITIES));
    for finding in &findings {
        output.push_str(&describe(finding));
    }
    let failed = findings.iter().filter(|finding| !finding.passed()).count();
    let cases: u64 = findings.iter().map(|finding| finding.cases).sum();
    let _ = writeln!(output, "\n{} checks, {cases} cases, {failed} failed", findings.len());
    Outcome { output, code: u8::from(failed > 0) }
}

fn describe(finding: &Finding) -> String {
    let status = if finding.passed() { "holds" } else { "FAILS" };
    let mut text = format!("{status}  {:<42} {:>7} cases\n", finding.claim, finding.cases);
    let mut detail = |label: &str, words: &str| {
        let _ = writeln!(text, "         {label}: {words}");
    };
    if let Some(failure) = &finding.failure {
        detail("counterexample", failure);
    }
    match &finding.teeth {
        Some(teeth) => detail("can fail", teeth),
        None => detail("defect", "nothing shows that this check can fail"),
    }
    text
}
