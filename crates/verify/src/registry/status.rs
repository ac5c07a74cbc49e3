//! The status of a claim: what its checks show of its reading, and what it rests on.
//!
//! It is that of the weakest link. A claim is proved only if checks reach as far as its reading
//! says, each of its parts is proved, and so is everything that its proof uses. What has all that
//! but something that it uses is conditional, and names what is missing.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Claim, Finding};
use crate::scope::Scope;

/// What a run has to say about a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
// Exhaustive on purpose: whoever counts statuses must count a new one.
pub enum Status {
    /// It follows for all that the reading speaks of.
    Proved {
        /// For what, in words.
        scope: String,
    },
    /// It follows for all that the reading speaks of from what is not proved here.
    Conditional {
        /// For what, in words.
        scope: String,
        /// The claims that are missing: not proved, or cited.
        given: Vec<&'static str>,
    },
    /// It holds on every case of a domain that is less than the reading speaks of.
    Exhausted {
        /// Which.
        scope: String,
    },
    /// It holds on the cases that were tried.
    Sampled {
        /// Which.
        scope: String,
    },
    /// It fails.
    Refuted {
        /// Where.
        witness: String,
    },
    /// Nothing was computed.
    Stated {
        /// Why not.
        reason: String,
    },
    /// A theorem was checked in sources that have changed since: it has to be checked again.
    Stale {
        /// Which sources.
        sources: String,
    },
    /// A check shows nothing: a defect of the check, whatever becomes of the claim.
    Vacuous {
        /// What is wrong with it.
        defect: String,
    },
}

impl Status {
    /// `PROVED`, `CONDITIONAL`, …, in the order in which they are counted.
    pub const WORDS: [&'static str; 8] =
        ["PROVED", "CONDITIONAL", "EXHAUSTED", "SAMPLED", "REFUTED", "STATED", "STALE", "VACUOUS"];

    /// Those that are findings; the others are errors, which no expectation has.
    pub fn findings() -> impl Iterator<Item = &'static str> {
        Status::WORDS.into_iter().filter(|word| !["STALE", "VACUOUS"].contains(word))
    }

    /// Whether it says that something is wrong with the checks, and nothing of the claim.
    pub fn is_error(&self) -> bool {
        matches!(self, Status::Stale { .. } | Status::Vacuous { .. })
    }

    /// `PROVED`, `EXHAUSTED`, …
    pub fn word(&self) -> &'static str {
        match self {
            Status::Proved { .. } => "PROVED",
            Status::Conditional { .. } => "CONDITIONAL",
            Status::Exhausted { .. } => "EXHAUSTED",
            Status::Sampled { .. } => "SAMPLED",
            Status::Refuted { .. } => "REFUTED",
            Status::Stated { .. } => "STATED",
            Status::Stale { .. } => "STALE",
            Status::Vacuous { .. } => "VACUOUS",
        }
    }

    /// The scope, what is missing, the witness, the reason, the sources or the defect.
    pub fn detail(&self) -> Cow<'_, str> {
        match self {
            Status::Proved { scope } | Status::Exhausted { scope } | Status::Sampled { scope } => {
                scope.into()
            }
            Status::Conditional { scope, given } => {
                format!("given {}; for {scope}", given.join(", ")).into()
            }
            Status::Refuted { witness } => witness.into(),
            Status::Stated { reason } => reason.into(),
            Status::Stale { sources } => sources.into(),
            Status::Vacuous { defect } => defect.into(),
        }
    }

    /// How much it says for the claim, the least first.
    fn rank(&self) -> u8 {
        match self {
            Status::Vacuous { .. } => 0,
            Status::Stale { .. } => 1,
            Status::Refuted { .. } => 2,
            Status::Stated { .. } => 3,
            Status::Sampled { .. } => 4,
            Status::Exhausted { .. } => 5,
            Status::Conditional { .. } => 6,
            Status::Proved { .. } => 7,
        }
    }

    /// What the findings of its checks alone show of a claim; none if it has no checks.
    fn alone(claim: &Claim, findings: &[Finding]) -> Option<Status> {
        if let Some(defect) = findings.iter().find_map(Finding::defect) {
            return Some(Status::Vacuous { defect });
        }
        if let Some(sources) = findings.iter().find_map(Finding::stale) {
            return Some(Status::Stale { sources });
        }
        let failed = |finding: &&Finding| finding.counterexample.is_some();
        if let Some(found) = findings.iter().find(failed) {
            return Some(refuted(claim, found));
        }
        // An instance shows what the reading says of it besides, such as that a bound is attained.
        // It is all there is to the claim only if nothing else is checked.
        let general: Vec<_> =
            findings.iter().filter(|finding| finding.reaches() != Scope::Instance).collect();
        let carrying = if general.is_empty() { findings.iter().collect() } else { general };
        let shown = |finding: &Finding| match finding.reaches() {
            Scope::Samples => Status::Sampled { scope: finding.words() },
            reaches if reaches.covers(claim.scope) => Status::Proved { scope: finding.words() },
            _ => Status::Exhausted { scope: finding.words() },
        };
        weakest(carrying.into_iter().map(shown))
    }
}

/// A counterexample refutes, unless it is a small one against a statement about large T.
fn refuted(claim: &Claim, finding: &Finding) -> Status {
    let witness = finding.counterexample.as_ref().map(ToString::to_string).unwrap_or_default();
    match claim.scope {
        Scope::Asymptotic if !finding.reaches().covers(Scope::Asymptotic) => {
            let defect =
                format!("{}: small T do not refute what is said of large T", finding.check);
            Status::Vacuous { defect }
        }
        _ => Status::Refuted { witness },
    }
}

/// The weakest of several, with the scopes of all that are as weak.
fn weakest(statuses: impl Iterator<Item = Status>) -> Option<Status> {
    statuses.reduce(|one, other| match one.rank().cmp(&other.rank()) {
        std::cmp::Ordering::Less => one,
        std::cmp::Ordering::Greater => other,
        std::cmp::Ordering::Equal => joined(one, other),
    })
}

/// Two statuses with the same word.
fn joined(one: Status, other: Status) -> Status {
    let both = |mut one: String, other: String| {
        for part in other.split("; ") {
            if !one.split("; ").any(|known| known == part) {
                one += &format!("; {part}");
            }
        }
        one
    };
    match (one, other) {
        (Status::Proved { scope: a }, Status::Proved { scope: b }) => {
            Status::Proved { scope: both(a, b) }
        }
        (Status::Exhausted { scope: a }, Status::Exhausted { scope: b }) => {
            Status::Exhausted { scope: both(a, b) }
        }
        (Status::Sampled { scope: a }, Status::Sampled { scope: b }) => {
            Status::Sampled { scope: both(a, b) }
        }
        (
            Status::Conditional { scope: a, mut given },
            Status::Conditional { scope: b, given: more },
        ) => {
            merge(&mut given, &more);
            Status::Conditional { scope: both(a, b), given }
        }
        (one, _) => one, // the first counterexample, reason or defect is enough
    }
}

fn merge(given: &mut Vec<&'static str>, more: &[&'static str]) {
    for id in more {
        if !given.contains(id) {
            given.push(id);
        }
    }
}

/// The status of each claim, given what its checks found. A claim that is not among them counts as
/// not proved.
pub(crate) fn settle(found: &[(&'static Claim, Vec<Finding>)]) -> Vec<Status> {
    let claims = found.iter().map(|(claim, findings)| (claim.id, (*claim, findings.as_slice())));
    let mut links = Links { claims: claims.collect(), settled: HashMap::new() };
    found.iter().map(|(claim, _)| links.status(claim.id).expect("it is among them")).collect()
}

struct Links<'a> {
    claims: HashMap<&'static str, (&'static Claim, &'a [Finding])>,
    /// By id; none while it is being settled, so that nothing rests on itself.
    settled: HashMap<&'static str, Option<Status>>,
}

impl Links<'_> {
    fn status(&mut self, id: &'static str) -> Option<Status> {
        if let Some(known) = self.settled.get(id) {
            return known.clone();
        }
        let (claim, findings) = *self.claims.get(id)?;
        self.settled.insert(id, None);
        let status = self.settle(claim, findings);
        self.settled.insert(id, Some(status.clone()));
        Some(status)
    }

    fn settle(&mut self, claim: &'static Claim, findings: &[Finding]) -> Status {
        let alone = Status::alone(claim, findings);
        let parts: Vec<_> = claim.parts.iter().map(|&part| self.part(part)).collect();
        let whole = match weakest(alone.into_iter().chain(parts)) {
            Some(status) => status,
            None if claim.stated.is_empty() => {
                return Status::Vacuous { defect: "neither a check nor a reason".to_owned() };
            }
            None => return Status::Stated { reason: claim.stated.to_owned() },
        };
        match whole {
            Status::Proved { scope } => self.given(claim, scope, vec![]),
            Status::Conditional { scope, given } => self.given(claim, scope, given),
            other => other,
        }
    }

    /// What a part contributes: its status, with its name in place of the details.
    fn part(&mut self, id: &'static str) -> Status {
        let name = || format!("as {id}");
        match self.status(id) {
            Some(Status::Proved { .. }) => Status::Proved { scope: name() },
            Some(conditional @ Status::Conditional { .. }) => conditional,
            Some(Status::Exhausted { .. }) => Status::Exhausted { scope: name() },
            Some(Status::Sampled { .. }) => Status::Sampled { scope: name() },
            Some(Status::Refuted { .. }) => Status::Refuted { witness: format!("see {id}") },
            Some(Status::Stated { .. }) => Status::Stated { reason: format!("as {id}") },
            Some(Status::Stale { .. }) => Status::Stale { sources: name() },
            Some(Status::Vacuous { .. }) => {
                Status::Vacuous { defect: format!("its part {id} shows nothing") }
            }
            None => Status::Vacuous { defect: format!("its part {id} is not there") },
        }
    }

    /// Proved, if everything that it uses is.
    fn given(
        &mut self,
        claim: &'static Claim,
        scope: String,
        mut given: Vec<&'static str>,
    ) -> Status {
        for &id in claim.uses {
            match self.status(id) {
                Some(Status::Proved { .. }) => {}
                Some(Status::Conditional { given: more, .. }) => merge(&mut given, &more),
                Some(Status::Refuted { .. }) => {
                    let defect = format!("its proof uses {id}, which is refuted");
                    return Status::Vacuous { defect };
                }
                _ => merge(&mut given, &[id]),
            }
        }
        match given.is_empty() {
            true => Status::Proved { scope },
            false => Status::Conditional { scope, given },
        }
    }
}

#[cfg(test)]
mod tests;
