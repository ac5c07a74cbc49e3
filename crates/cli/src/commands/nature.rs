//! Natures on the command line, and the random runs of forecasters against them.

use std::fs;
use std::io::{self, Read};

use clap::Args;

use crate::input::NatureFile;
use truecal::Prediction;
use truecal_lab::natures::{MOST_ROUNDS, named};
use truecal_lab::penalty::Effort;
use truecal_lab::{Adaptive, Blocks, Chance, Nature};

/// The random runs of what is not computed exactly.
#[derive(Args)]
pub(super) struct Draws {
    /// How many random runs are drawn where an expectation is not computed exactly
    #[arg(
        long,
        value_name = "N",
        default_value_t = Effort::default().runs,
        value_parser = clap::value_parser!(u64).range(2..=100_000_000)
    )]
    runs: u64,

    /// The seed of these
    #[arg(long, value_name = "S", default_value_t = Effort::default().seed)]
    seed: u64,
}

impl Draws {
    /// With the usual number of steps of exact work.
    pub fn effort(&self) -> Effort {
        Effort { runs: self.runs, seed: self.seed, ..Effort::default() }
    }
}

/// The most rounds of which each past is written out.
const MOST_WRITTEN: usize = 16;

/// A nature from text: a file that ends in .toml, a list of probabilities, one for each round, or,
/// with semicolons between rounds, after each past; or a name with a number of rounds.
pub(super) fn nature(text: &str) -> Result<Box<dyn Nature>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("no probabilities; give one for each round, like 1/4,1/2".to_owned());
    }
    if text.to_ascii_lowercase().ends_with(".toml") {
        let contents = contents(text).map_err(|error| format!("{text}: {error}"))?;
        let file = NatureFile::read(&contents).map_err(|error| format!("{text}: {error}"))?;
        return Ok(file.into_nature());
    }
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) && !text.contains([',', ';']) {
        return named(text).map_err(|error| error.to_string());
    }
    if text.contains(';') { after_each_past(text) } else { independent(text) }
}

/// More than a million probabilities take.
const LONGEST_FILE: u64 = 1 << 26;

fn contents(path: &str) -> io::Result<String> {
    let mut contents = String::new();
    fs::File::open(path)?.take(LONGEST_FILE + 1).read_to_string(&mut contents)?;
    match contents.len() as u64 > LONGEST_FILE {
        true => Err(io::Error::other(format!(
            "longer than {LONGEST_FILE} bytes; no nature needs so much"
        ))),
        false => Ok(contents),
    }
}

fn probabilities(part: &str) -> Result<Vec<Prediction>, String> {
    let number = |cell: &str| {
        cell.trim().parse::<Prediction>().map_err(|error| {
            let cell: String = cell.trim().chars().take(60).collect();
            format!("{cell:?} is not a probability: {error}")
        })
    };
    part.split(',').map(number).collect()
}

fn independent(text: &str) -> Result<Box<dyn Nature>, String> {
    let all = probabilities(text)?;
    if all.len() as u64 > MOST_ROUNDS {
        return Err(format!("more than {MOST_ROUNDS} rounds"));
    }
    Ok(Box::new(Blocks::product(all)))
}

/// `1/2; 1/4,3/4`: none; after 0, after 1; after 00, 01, 10, 11; …
fn after_each_past(text: &str) -> Result<Box<dyn Nature>, String> {
    let rounds = text.split(';').map(probabilities).collect::<Result<Vec<_>, _>>()?;
    if rounds.len() > MOST_WRITTEN {
        return Err(format!("more than {MOST_WRITTEN} rounds with all pasts written out"));
    }
    for (t, probabilities) in rounds.iter().enumerate() {
        let (found, pasts) = (probabilities.len(), 1 << t);
        if found != 1 && found != pasts {
            return Err(format!(
                "round {}: {found} probabilities; give 1, or {pasts}: one after each past",
                t + 1
            ));
        }
    }
    let count = rounds.len() as u64;
    let law = move |past: &[bool]| {
        let place = past.iter().fold(0, |place, x| 2 * place + usize::from(*x));
        let probabilities = &rounds[past.len()];
        Chance::Point(probabilities[place.min(probabilities.len() - 1)].clone())
    };
    Ok(Box::new(Adaptive::new(count, law)))
}
