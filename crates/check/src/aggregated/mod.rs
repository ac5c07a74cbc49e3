//! Claims for every T: what is left of them after an argument, as polynomial inequalities in a
//! handful of sums.
//!
//! A claim about tables of any length is about a threshold and the sums below, at and above it, or
//! about one step of an induction over the levels. The argument that says so is prose
//! ([`Aggregated::argument`]); what remains is a case: facts about the sums that are >= 0, and
//! goals that must be. A certificate shows the goals. That every table gives sums for which the
//! facts hold and the goals say what is claimed is part of the argument; tests try it on tables.

mod cases;
mod claims;

use std::fmt;

use crate::law::Law;

pub use claims::ALL;

/// A claim and what an argument reduces it to.
#[derive(Debug)]
pub struct Aggregated {
    /// A short name.
    pub name: &'static str,
    /// What is claimed: a law, or words.
    pub claim: &'static str,
    /// The names of other claims that the argument uses.
    pub rests_on: &'static [&'static str],
    /// What the certificate does not show.
    pub argument: &'static str,
    /// What it does.
    pub cases: &'static [AggregatedCase],
}

/// Sums with facts about them, and goals.
#[derive(Debug)]
pub struct AggregatedCase {
    /// A name without blanks.
    pub name: &'static str,
    /// What the variables stand for.
    pub setting: &'static str,
    /// Their names.
    pub variables: &'static str,
    /// What is known to be >= 0.
    pub facts: &'static [&'static str],
    /// What must be.
    pub goals: &'static [&'static str],
}

/// The claim that says what a law says.
pub fn of_law(law: &Law) -> Option<&'static Aggregated> {
    let says = |text: &str| text.parse::<Law>().is_ok_and(|other| other.says_the_same_as(law));
    ALL.iter().find(|claim| says(claim.claim))
}

/// The claim with this name.
pub fn named(name: &str) -> Option<&'static Aggregated> {
    ALL.iter().find(|claim| claim.name == name)
}

/// What the case is about, and what follows from what.
impl fmt::Display for AggregatedCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AggregatedCase { name, setting, facts, goals, .. } = self;
        write!(f, "{name}. {setting} Where ")?;
        write!(f, "{} are >= 0, {} are >= 0.", facts.join(", "), goals.join(", "))
    }
}

impl AggregatedCase {
    /// The names of the variables.
    pub fn names(&self) -> Vec<String> {
        self.variables.split(' ').map(str::to_owned).collect()
    }
}
