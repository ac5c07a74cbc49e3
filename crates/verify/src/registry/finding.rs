//! What a check finds.

use std::fmt;
use truecal::rational::common_denominator;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::committed::{CommittedError, Proof};
use crate::explain::wrap;
use crate::scope::Scope;

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was tried.
    pub check: String,
    /// How far it reaches if there is no counterexample; a proof may reach farther.
    pub scope: Scope,
    /// Which cases, in words: `T <= 6, D = 12`.
    pub covers: String,
    /// How many there were.
    pub cases: u64,
    /// In how many of them the hypothesis held, so that something was claimed.
    pub applicable: u64,
    /// In how many the two sides of a law were equal.
    pub equalities: u64,
    /// On how many sampled sequences a law was tried besides.
    pub sampled: u64,
    /// Where a law was seen to be tight.
    pub tight: Vec<String>,
    /// The smallest case in which the claim fails.
    pub counterexample: Option<Counterexample>,
    /// Wrong variants that the check must notice.
    pub controls: Vec<Control>,
    /// What holds instead of a false claim.
    pub correction: Option<Correction>,
    /// What certificates or a theorem prove besides.
    pub proof: Option<Proof>,
    /// What went wrong with the check itself.
    pub defects: Vec<String>,
}

/// A wrong variant of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// What is wrong.
    pub mistake: String,
    /// The smallest case that shows it; `None` if the check cannot tell the difference.
    pub caught: Option<Counterexample>,
}

/// A case in which a statement fails, with the arithmetic that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// Outcomes and predictions, for a statement about sequences: `("1,0", "1/2,1")`.
    pub sequence: Option<(String, String)>,
    /// The computation, line by line, so that it can be redone by hand.
    pub arithmetic: Vec<String>,
}

impl Counterexample {
    /// The smaller of two: fewer rounds, then a smaller common denominator, then earlier in the
    /// order of the grid.
    pub fn smaller(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(if other.size() < one.size() { other } else { one }),
            (one, other) => one.or(other),
        }
    }

    /// Rounds, common denominator, and the pairs in order, zeros first.
    fn size(&self) -> (usize, BigInt, Vec<(BigRational, String)>) {
        let (outcomes, predictions) = self.sequence.clone().unwrap_or_default();
        let predictions = predictions.split(',').filter_map(|p| p.parse::<BigRational>().ok());
        let mut pairs: Vec<_> = predictions.zip(outcomes.split(',').map(str::to_owned)).collect();
        pairs.sort();
        let common = common_denominator(pairs.iter().map(|(p, _)| p));
        (pairs.len(), common, pairs)
    }

    /// From text with one step of the computation on each line. Long lines are broken.
    pub fn of_lines(text: &str) -> Self {
        Counterexample { sequence: None, arithmetic: text.lines().flat_map(wrap).collect() }
    }
}

/// A statement that replaces a false one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What holds instead.
    pub statement: String,
    /// On how many cases it was tried.
    pub cases: u64,
    /// Whether it held on all of them.
    pub holds: bool,
}

impl Finding {
    /// Before anything was tried.
    pub fn new(check: &str, scope: Scope, covers: String) -> Self {
        Finding {
            check: check.to_owned(),
            scope,
            covers,
            cases: 0,
            applicable: 0,
            equalities: 0,
            sampled: 0,
            tight: vec![],
            counterexample: None,
            controls: vec![],
            correction: None,
            proof: None,
            defects: vec![],
        }
    }

    /// Adds what certificates show; one that is rejected is a defect.
    pub(crate) fn prove(&mut self, proof: Option<Result<Proof, CommittedError>>) {
        match proof {
            None => {}
            Some(Ok(proof)) => self.proof = Some(proof),
            Some(Err(rejected)) => self.defects.push(format!("certificate rejected: {rejected}")),
        }
    }

    /// Every text in it.
    pub(crate) fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.check.as_str(), &self.covers];
        texts.extend(self.tight.iter().chain(&self.defects).map(String::as_str));
        texts.extend(self.controls.iter().map(|control| control.mistake.as_str()));
        texts.extend(self.correction.iter().map(|correction| correction.statement.as_str()));
        let failures = self.controls.iter().filter_map(|control| control.caught.as_ref());
        for found in failures.chain(&self.counterexample) {
            texts.extend(found.arithmetic.iter().map(String::as_str));
            texts.extend(found.sequence.iter().flat_map(|(x, p)| [x.as_str(), p.as_str()]));
        }
        if let Some(Proof { scope: _, source, statement, stale }) = &self.proof {
            texts.push(source);
            texts.extend(statement.iter().chain(stale).map(String::as_str));
        }
        texts
    }

    /// For what it shows something, with its proof.
    pub fn reaches(&self) -> Scope {
        self.proof.as_ref().map_or(self.scope, |proof| proof.scope)
    }

    /// The same in words. Certificates for few rounds and a grid add to one another.
    pub(super) fn words(&self) -> String {
        match &self.proof {
            Some(proof) if proof.is_kernel() => format!("Coq, {}", proof.scope),
            Some(Proof { scope: Scope::All, .. }) => {
                "certificates for every T of the law".to_owned()
            }
            Some(proof) => format!("{}; {}", proof.scope, self.covers),
            None => self.covers.clone(),
        }
    }

    /// Which sources of its theorem are not those that Coq checked, if so.
    pub fn stale(&self) -> Option<String> {
        let files = &self.proof.as_ref()?.stale;
        (!files.is_empty()).then(|| {
            format!("Coq did not check {} as it is; run proofs/coq/check --write", files.join(", "))
        })
    }

    /// Why the check shows nothing, if so.
    pub fn defect(&self) -> Option<String> {
        if let Some(defect) = self.defects.first() {
            return Some(format!("{}: {defect}", self.check));
        }
        if self.cases == 0 {
            return Some(format!("{}: no case was tried", self.check));
        }
        if self.applicable == 0 {
            return Some(format!("{}: the hypothesis was never satisfied", self.check));
        }
        if let Some(Correction { statement, cases, holds }) = &self.correction
            && (*cases == 0 || !holds)
        {
            return Some(format!("{}: the correction fails: {statement}", self.check));
        }
        if self.counterexample.is_some() {
            return None; // it has failed, so it can
        }
        if self.controls.is_empty() {
            return Some(format!("{}: nothing shows that it can fail", self.check));
        }
        let missed = self.controls.iter().find(|control| control.caught.is_none())?;
        Some(format!("{}: does not notice {}", self.check, missed.mistake))
    }
}

/// In one line: the sequence, or the first line of the arithmetic.
impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sequence {
            Some((outcomes, predictions)) => write!(f, "x=({outcomes}) p=({predictions})"),
            None => f.write_str(self.arithmetic.first().map_or("", String::as_str)),
        }
    }
}
