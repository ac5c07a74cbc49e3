//! What Coq's kernel has checked: the theorems of `proofs/coq`, for every T and every real p.
//!
//! `proofs/coq/check` compiles the development, asks Coq for the assumptions of each theorem, and
//! writes a record: the theorem, the claims and laws for which it is evidence, its statement as Coq
//! prints it, and the hashes of all sources. Record and sources are built in here. A record counts
//! only for the very sources that were checked; for others it is stale, which is an error.

use std::sync::LazyLock;

use thiserror::Error;
use truecal_check::law::{Law, LawError};

use crate::hash::sha256;

/// The first line of the record.
const VERSION: &str = "truecal kernel record 1";

macro_rules! sources {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../proofs/coq/", $name)))),*]
    };
}

/// The files that the record is about, by name.
const SOURCES: &[(&str, &str)] = sources! {
    "_CoqProject"
    "Definitions.v"
    "Bounds.v"
    "Formulas.v"
    "Prefix.v"
    "Rules.v"
    "Step.v"
    "Abel.v"
    "ECE.v"
    "Probability.v"
    "Maximal.v"
    "Subsampled.v"
    "Hull.v"
    "Regret.v"
    "VCal.v"
    "UCal.v"
    "Majorant.v"
    "Constant.v"
    "SmoothDual.v"
    "Smooth.v"
    "Rates.v"
    "Natures.v"
    "TheoremsPreliminaries.v"
    "TheoremsStep.v"
    "TheoremsSubsampled.v"
    "Witnesses.v"
    "Copies.v"
    "Tight.v"
    "Certificate.v"
};

/// Their names.
pub fn sources() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(name, _)| *name)
}

/// A theorem that the kernel accepted, without assumptions.
#[derive(Clone, Debug)]
pub struct Theorem {
    /// Its name.
    pub name: &'static str,
    /// The file of `proofs/coq` in which it stands.
    pub file: &'static str,
    /// The claims for which it is evidence.
    pub claims: Vec<&'static str>,
    /// The laws that it states.
    pub laws: Vec<Law>,
    /// What it says, as Coq prints it, line by line.
    pub statement: Vec<&'static str>,
}

/// What Coq was asked, and what it answered.
#[derive(Clone, Debug)]
pub struct Record {
    /// The versions of Coq and of its libraries.
    pub versions: Vec<&'static str>,
    /// The theorems, in the order in which they stand.
    pub theorems: Vec<Theorem>,
    /// The sources that are not those that were checked.
    pub stale: Vec<&'static str>,
}

/// Why a record is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The first line is another one.
    #[error("the first line is not `{VERSION}`")]
    Version,
    /// A line is none that belongs here.
    #[error("line {line}: does not belong here")]
    Line {
        /// Which, from 1.
        line: usize,
    },
    /// A theorem rests on something.
    #[error("line {line}: the theorem rests on an axiom")]
    Assumes {
        /// Which, from 1.
        line: usize,
    },
    /// What should be a law is none.
    #[error("line {line}: {error}")]
    Law {
        /// Which, from 1.
        line: usize,
        /// What is wrong.
        error: LawError,
    },
}

impl Record {
    /// Reads a record, and compares its hashes with the sources.
    fn read(
        text: &'static str,
        sources: &[(&'static str, &'static str)],
    ) -> Result<Record, RecordError> {
        let mut record = Record { versions: vec![], theorems: vec![], stale: vec![] };
        let mut hashes = vec![];
        let mut lines = (1..).zip(text.lines());
        if lines.next().map(|(_, first)| first) != Some(VERSION) {
            return Err(RecordError::Version);
        }
        for (line, content) in lines {
            let (word, rest) = content.split_once(' ').unwrap_or((content, ""));
            let last = record.theorems.last_mut();
            match (word, last) {
                ("version", None) => record.versions.push(rest),
                ("source", None) => hashes.push(rest),
                ("theorem", _) => {
                    let (file, name) = rest.split_once(' ').ok_or(RecordError::Line { line })?;
                    let (claims, laws, statement) = (vec![], vec![], vec![]);
                    record.theorems.push(Theorem { name, file, claims, laws, statement });
                }
                ("claim", Some(theorem)) => theorem.claims.push(rest),
                ("law", Some(theorem)) => {
                    let law = rest.parse().map_err(|error| RecordError::Law { line, error })?;
                    theorem.laws.push(law);
                }
                ("assumes", Some(_)) if rest == "nothing" => {}
                ("assumes", Some(_)) => return Err(RecordError::Assumes { line }),
                ("|", Some(theorem)) => theorem.statement.push(rest),
                _ => return Err(RecordError::Line { line }),
            }
        }
        let listed = hashes.iter().filter_map(|row| row.split_once(' ').map(|(name, _)| name));
        let absent = listed.filter(|name| !sources.iter().any(|(known, _)| known == name));
        record.stale.extend(absent);
        for (name, text) in sources {
            if !hashes.contains(&format!("{name} {}", sha256(text)).as_str()) {
                record.stale.push(name);
            }
        }
        Ok(record)
    }

    /// The theorem with this name.
    pub fn named(&self, name: &str) -> Option<&Theorem> {
        self.theorems.iter().find(|theorem| theorem.name == name)
    }

    /// The theorem that states what a law says.
    pub fn of_law(&self, law: &Law) -> Option<&Theorem> {
        let states = |theorem: &&Theorem| theorem.laws.iter().any(|own| own.says_the_same_as(law));
        self.theorems.iter().find(states)
    }

    /// The theorems that are evidence for a claim.
    pub fn of_claim(&self, id: &str) -> impl Iterator<Item = &Theorem> {
        self.theorems.iter().filter(move |theorem| theorem.claims.contains(&id))
    }
}

/// The record that is built in.
pub fn record() -> &'static Record {
    static RECORD: LazyLock<Record> = LazyLock::new(|| {
        let text = include_str!("../../../proofs/coq/record.txt");
        Record::read(text, SOURCES).unwrap_or_else(|error| panic!("proofs/coq/record.txt: {error}"))
    });
    &RECORD
}

#[cfg(test)]
mod tests;
