//! `truecal check`: whether certificates prove what they claim.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Outcome;
use truecal_check::Subject;
use truecal_check::{Accepted, Rejected, Rejection};

/// Check certificates
///
/// Reads every certificate in a directory (files that end in .txt), or the files that are named,
/// and has the checker go through all their cases. Prints a line for each, and what they prove
/// together.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal check proofs/certificates
  truecal check certificates/signce-le-3-stepce.T8.txt

Exit codes: 0 every certificate is accepted, 1 one is rejected, 2 one cannot be read or there is \
none.")]
pub(super) struct Arguments {
    /// Directories of certificates, or certificates
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let mut files = vec![];
    for path in &arguments.paths {
        files.extend(certificates(path)?);
    }
    let (mut output, mut rejections) = (String::new(), 0);
    let mut proved: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for file in &files {
        let (subject, result) = check(file)?;
        let verdict = match result {
            Ok(Accepted { cases: 0, .. }) => "accepted, nothing to prove".to_owned(),
            Ok(accepted) => {
                proved.entry(subject.law.to_string()).or_default().push(subject.rounds);
                format!("accepted, {accepted}")
            }
            Err(rejected) => {
                rejections += 1;
                format!("REJECTED, {rejected}")
            }
        };
        let _ = writeln!(output, "{}: {verdict}", file.display());
    }
    output.push_str(if proved.is_empty() { "\n" } else { "\nproved for every real prediction:\n" });
    for (claim, mut rounds) in proved {
        rounds.sort_unstable();
        rounds.dedup();
        let _ = writeln!(output, "  {claim}: {}", scope(&rounds));
    }
    let count = files.len();
    let _ = writeln!(output, "{} of {count} certificates accepted", count - rejections);
    Ok(Outcome { output, code: u8::from(rejections > 0) })
}

/// `T <= 4`, `T = 3, 5`
fn scope(rounds: &[u32]) -> String {
    match rounds.last() {
        Some(most) if rounds.len() == *most as usize => format!("T <= {most}"),
        _ => {
            let numbers: Vec<_> = rounds.iter().map(ToString::to_string).collect();
            format!("T = {}", numbers.join(", "))
        }
    }
}

/// The certificates at a path, by name.
fn certificates(path: &Path) -> Result<Vec<PathBuf>, String> {
    let problem = |error: std::io::Error| format!("{}: cannot be read: {error}", path.display());
    if !fs::metadata(path).map_err(problem)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = vec![];
    for entry in fs::read_dir(path).map_err(problem)? {
        let file = entry.map_err(problem)?.path();
        let regular = fs::metadata(&file).is_ok_and(|metadata| metadata.is_file());
        if regular && file.extension().is_some_and(|extension| extension == "txt") {
            files.push(file);
        }
    }
    files.sort();
    match files.is_empty() {
        true => {
            Err(format!("{}: no certificate is in it (files that end in .txt)", path.display()))
        }
        false => Ok(files),
    }
}

/// Reads a certificate once, line by line: it may be larger than memory, or come through a pipe.
fn check(file: &Path) -> Result<(Subject, Result<Accepted, Rejected>), String> {
    let problem = |problem: String| format!("{}: {problem}", file.display());
    let unreadable = |error: &dyn fmt::Display| problem(format!("cannot be read: {error}"));
    let mut text = BufReader::new(File::open(file).map_err(|error| unreadable(&error))?);
    // What it says that it proves stands in its first lines, which are short, or it is no
    // certificate.
    let mut head = String::new();
    for _ in 0..3 {
        let read = (&mut text).take(20_000).read_line(&mut head);
        read.map_err(|error| unreadable(&error))?;
    }
    let subject =
        Subject::read(&head).map_err(|why| problem(format!("not a certificate: {why}")))?;
    match subject.check(head.as_bytes().chain(text)) {
        Err(Rejected { line, reason: Rejection::Unreadable(why), .. }) => {
            Err(unreadable(&format!("line {line}: {why}")))
        }
        result => Ok((subject, result)),
    }
}
