//! Certificates as files: their names, what they claim, and those that are committed with the program.

use std::io::BufRead;

use super::aggregated::{self, Aggregated};
use super::checker::{Accepted, MOST_ROUNDS, Rejected, VERSION, check, check_aggregated};
use crate::claims::{self, Check};
use crate::law::Law;

/// What a certificate is about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A law for so many rounds.
    Law(Law, u32),
    /// A claim for every T.
    Aggregated(&'static Aggregated),
}

impl Subject {
    /// Reads it off the first three lines of a certificate. Err: why not.
    pub fn read(text: &str) -> Result<Subject, String> {
        if text.contains('\r') {
            return Err(
                "its lines end with carriage returns; save it with line feeds alone".to_owned()
            );
        }
        let mut lines = text.lines();
        if lines.next() != Some(VERSION) {
            return Err(format!("the first line is not `{VERSION}`"));
        }
        let mut field = |name: &str| -> Result<&str, String> {
            let line = lines.next().and_then(|line| line.strip_prefix(name));
            line.ok_or_else(|| format!("there is no line `{name}…` where it should be"))
        };
        let (claim, rounds) = (field("claim ")?, field("rounds ")?);
        if rounds == "all" {
            let known = aggregated::ALL.iter().find(|known| known.claim == claim);
            return known.map(Subject::Aggregated).ok_or_else(|| {
                "its claim is not one that is known to reduce to finitely many cases".to_owned()
            });
        }
        let number = rounds.parse().ok().filter(|rounds| (1..=MOST_ROUNDS).contains(rounds));
        let number = number.ok_or_else(|| {
            let rounds: String = rounds.chars().take(20).collect();
            format!("{rounds:?} rounds; a number from 1 to {MOST_ROUNDS} was expected, or `all`")
        })?;
        let law: Law = claim.parse().map_err(|error| format!("its claim is not a law: {error}"))?;
        Ok(Subject::Law(law, number))
    }

    /// Whether the text proves it.
    pub fn check(&self, text: impl BufRead) -> Result<Accepted, Rejected> {
        match self {
            Subject::Law(law, rounds) => check(law, *rounds, text),
            Subject::Aggregated(claim) => check_aggregated(claim, text),
        }
    }

    /// `signce-le-3-stepce.T4.txt`, `sign-step.all.txt`
    pub fn file_name(&self) -> String {
        match self {
            Subject::Law(law, rounds) => format!("{}.T{rounds}.txt", slug(law)),
            Subject::Aggregated(claim) => format!("{}.all.txt", claim.name),
        }
    }
}

/// A law as a file name: `stepce >= ucal/8` is `stepce-ge-ucal-over-8`. Laws that are not in the registry get a number as well,
/// because brackets and signs are lost (`2*(ece - 1)`, `2*ece - 1`).
pub fn slug(law: &Law) -> String {
    let mut text = law.to_string();
    let registered = claims::all().flat_map(|claim| claim.checks).any(|check| match check {
        Check::Law(check) => check.law.parse().is_ok_and(|other: Law| other == *law),
        _ => false,
    });
    let number = claims::hash(&text);
    let words = [("=>", " then "), ("<=", " le "), (">=", " ge "), ("==", " eq "), ("/", " over ")];
    for (sign, word) in words.into_iter().chain([("<", " lt "), (">", " gt "), ("+", " plus ")]) {
        text = text.replace(sign, word);
    }
    let text = text.replace('-', " minus ");
    let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let slug = text.split(word).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if registered { slug } else { format!("{slug:.100}-{number:016x}") }
}
