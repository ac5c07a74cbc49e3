//! `truecal claims`: the registry.

use std::time::Instant;

use clap::Args;

use super::Outcome;
use super::progress::Meter;
use super::verify::{chosen, in_pool};
use crate::json::{self, Claims, Record};
use crate::report::claims::{Expectation, detail, errata, is_erratum};
use truecal::Watch;
use truecal_paper::claims::{EXPECTED, SECTIONS, with_foundations};
use truecal_verify::evidence::{self, Options, Row};
use truecal_verify::registry::{Claim, Section, Status};

/// List the claims of the paper, or show all of one
///
/// Without an id: one line for each claim, with the status of the committed expectation. With ids:
/// everything about them; their checks are run for it.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal claims --section step
  truecal claims --status refuted
  truecal claims E01
  truecal claims --errata > errata.md

Exit codes: 0 done, 2 misuse.")]
pub(super) struct Arguments {
    /// Show all of these claims
    ids: Vec<String>,

    /// Only claims of this part of the paper
    #[arg(long, value_name = "NAME", value_parser = section, conflicts_with = "ids")]
    section: Option<Section>,

    /// Only claims with this status in the committed expectation: proved, conditional, exhausted,
    /// sampled, refuted or stated
    #[arg(long, value_name = "STATUS", value_parser = status, conflicts_with = "ids")]
    status: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print the defects of the paper as a page of Markdown, by severity; their checks are run for
    /// it
    #[arg(long, conflicts_with_all = ["ids", "section", "status", "json"])]
    errata: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let expectation: Expectation =
        EXPECTED.parse().expect("the committed expectation parses: a test reads it");
    let mut claims = chosen(&arguments.ids)?;
    if arguments.errata {
        claims.retain(|claim| is_erratum(claim));
        return Ok(Outcome { output: errata(&rows_of(&claims)?), code: 0 });
    }
    let expected = |claim: &Claim| expectation.get(claim.id).unwrap_or(("", ""));
    claims.retain(|claim| {
        arguments.section.is_none_or(|section| section == claim.section)
            && arguments.status.as_ref().is_none_or(|status| status == expected(claim).0)
    });
    if arguments.ids.is_empty() {
        claims.sort_by_key(|claim| SECTIONS.iter().position(|other| *other == claim.section));
    }
    let output = match (arguments.ids.is_empty(), arguments.json) {
        (true, false) => list(&claims, &expectation),
        (true, true) => {
            let row = |claim: &&'static Claim| json::Claim::new(claim, expected(claim));
            json::text(&Claims::list(claims.iter().map(row).collect()))
        }
        (false, json) => shown(&claims, json)?,
    };
    Ok(Outcome { output, code: 0 })
}

fn list(claims: &[&Claim], expectation: &Expectation) -> String {
    let mut text = String::new();
    let mut section = None;
    for claim in claims {
        if section.replace(claim.section) != Some(claim.section) {
            text +=
                &format!("{}{}\n", if text.is_empty() { "" } else { "\n" }, claim.section.title);
        }
        let (word, _) = expectation.get(claim.id).unwrap_or_default();
        let line =
            format!("  {word:<11}  {:<36} {:<12} {}", claim.id, claim.kind.key(), lines(claim));
        text += &cut(&line);
        text.push('\n');
    }
    let gap = if text.is_empty() { "" } else { "\n" };
    text + &format!("{gap}{} claims; `truecal claims ID` shows all of one\n", claims.len())
}

/// To 100 columns, with a sign that it was.
fn cut(line: &str) -> String {
    match line.chars().count() {
        0..=100 => line.trim_end().to_owned(),
        _ => line.chars().take(99).collect::<String>() + "…",
    }
}

fn lines(claim: &Claim) -> String {
    if claim.lines.is_empty() { String::new() } else { format!("L{}", claim.lines) }
}

/// Runs the checks of the claims, and of what they rest on.
fn rows_of(claims: &[&'static Claim]) -> Result<Vec<Row>, String> {
    in_pool(None, || {
        let (meter, claims) = (Meter::new(), with_foundations(claims));
        let options = Options::default();
        evidence::run(&claims, &options, &Watch::new(&|| true, &|news| meter.tell(news)))
    })
}

/// Everything about the claims.
fn shown(claims: &[&'static Claim], json: bool) -> Result<String, String> {
    let (options, started) = (Options::default(), Instant::now());
    let rows = rows_of(claims)?;
    if json {
        let record = Record::new(&rows, &options, started.elapsed().as_secs_f64());
        return Ok(json::text(&Claims::Run(Box::new(record))));
    }
    let named = rows.iter().filter(|row| claims.iter().any(|claim| claim.id == row.claim.id));
    Ok(named.map(|row| detail(row, &options)).collect::<Vec<_>>().join("\n"))
}

fn section(key: &str) -> Result<Section, String> {
    let found = SECTIONS.iter().find(|section| section.key.eq_ignore_ascii_case(key));
    let keys = || SECTIONS.iter().map(|section| section.key).collect::<Vec<_>>().join(", ");
    found.copied().ok_or_else(|| format!("the sections are {}", keys()))
}

fn status(word: &str) -> Result<String, String> {
    let word = word.to_ascii_uppercase();
    let words: Vec<_> = Status::findings().collect();
    if words.contains(&word.as_str()) {
        Ok(word)
    } else {
        Err(format!("the statuses are {}", words.join(", ")))
    }
}
