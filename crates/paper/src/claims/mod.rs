//! The rows of the registry: every statement of the paper, how we read it, and how it is checked.
//!
//! A row says what is claimed and lists its checks. It does not say whether the claim is true: its
//! [`Status`](truecal_verify::registry::Status) is computed from what the checks find in a run
//! ([`truecal_verify::evidence`]). There is one file for each section of the paper; `L985` is a
//! line of its source. The catalogue's errata have rows of their own next to the statements that
//! they concern.

mod algorithm;
mod appendix;
mod cited;
mod harnesses;
mod introduction;
mod lab;
mod lower;
mod main_theorem;
mod mistakes;
mod overview;
mod preliminaries;
mod product;
mod program;
mod readings;
mod sections;
mod step;
mod surd;
mod tight;
mod tools;
mod ucal;
mod warmup;

use std::collections::HashSet;

pub use harnesses::{Harness, KaniRecord, harnesses};
pub use sections::SECTIONS;

use truecal_verify::registry::{
    Check, Claim, Evidence, Example, FiniteCheck, Kind, ROW, Scope, law,
};

/// Every claim, section by section.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    [introduction::CLAIMS, preliminaries::UCAL, preliminaries::CLAIMS, readings::CLAIMS]
        .into_iter()
        .chain([overview::CLAIMS])
        .chain(ucal::CLAIMS)
        .chain([step::CLAIMS, warmup::CLAIMS, lower::CLAIMS, lower::EPOCH])
        .chain(main_theorem::CLAIMS)
        .chain([product::CLAIMS, algorithm::CLAIMS, appendix::CLAIMS, tight::CLAIMS])
        .chain(lab::CLAIMS)
        .chain([cited::CLAIMS, program::CLAIMS])
        .flatten()
}

/// The claim with this id.
pub fn find(id: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.id.eq_ignore_ascii_case(id))
}

/// These claims and everything that they rest on, in the order of the registry: what has to be run
/// for their statuses.
pub fn with_foundations(chosen: &[&'static Claim]) -> Vec<&'static Claim> {
    let (mut wanted, mut next) = (HashSet::new(), chosen.to_vec());
    while let Some(claim) = next.pop() {
        if wanted.insert(claim.id) {
            let links = claim.parts.iter().chain(claim.uses);
            next.extend(links.filter_map(|id| find(id)));
        }
    }
    all().filter(|claim| wanted.contains(claim.id)).collect()
}

/// The id that is most like this one, if one is.
pub fn nearest(id: &str) -> Option<&'static str> {
    truecal::suggest::nearest(id, all().map(|claim| claim.id))
}

/// The status that each claim had when it was last reviewed: what a run is compared with.
pub const EXPECTED: &str = include_str!("expected.txt");

/// A number that changes with the texts of the registry, so that runs of different registries are
/// told apart.
pub fn fingerprint() -> u64 {
    truecal_verify::fnv1a(&all().map(|claim| format!("{claim:?}")).collect::<String>())
}
