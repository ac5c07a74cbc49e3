//! Claims for every T: what is left of them after an argument, as polynomial inequalities in a handful of sums.
//!
//! A claim about tables of any length is about a threshold and the sums below, at and above it, or about one step of
//! an induction over the levels. The argument that says so is prose ([`Aggregated::argument`]); what remains is a case: facts
//! about the sums that are >= 0, and goals that must be. A certificate shows the goals. The link between the two, that
//! every table gives sums for which the facts hold and the goals say what is claimed, is the aggregation lemma, which
//! [`Aggregated::links`] tries on a table.

mod claims;
mod instances;
mod regret;
mod subsets;
mod table;

use std::fmt;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::checker::{Poly, Rejection};
use crate::law::Law;

pub use claims::ALL;
pub use table::Sums;

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
    /// Whether the goals, at the instances of a table, are the claim there.
    pub covers: fn(&Sums<'_>) -> bool,
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
    /// All values of the variables that a table gives.
    pub instances: fn(&Sums<'_>) -> Vec<Vec<BigRational>>,
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

impl Aggregated {
    /// The aggregation lemma at one table: every fact holds at every instance, and the goals are the claim. Says what fails.
    pub fn links(&self, sums: &Sums<'_>) -> Result<(), String> {
        for case in self.cases {
            let names = case.names();
            for values in (case.instances)(sums) {
                if values.len() != names.len() {
                    return Err(format!("{}: {} values", case.name, values.len()));
                }
                for text in case.facts {
                    let fact = Poly::parse(text, &names)
                        .map_err(|fault| Rejection::from(fault).to_string())?;
                    if value(&fact, &values).is_negative() {
                        return Err(format!("{}: {text} < 0 at {values:?}", case.name));
                    }
                }
            }
        }
        if (self.covers)(sums) { Ok(()) } else { Err("the goals are not the claim".to_owned()) }
    }
}

/// A polynomial at a point.
pub(super) fn value(poly: &Poly, at: &[BigRational]) -> BigRational {
    poly.terms().fold(BigRational::zero(), |sum, (monomial, coefficient)| {
        let number = BigRational::from_integer((*coefficient).into());
        let variables = monomial.iter().filter(|variable| **variable > 0);
        sum + variables.fold(number, |product, variable| product * &at[usize::from(*variable) - 1])
    })
}
