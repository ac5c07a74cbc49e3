//! The certificates that are committed in `proofs/certificates` and built into the program.

use std::collections::HashMap;
use std::sync::LazyLock;

use thiserror::Error;

use crate::hash::fnv1a;
use crate::scope::Scope;
use truecal_check::Subject;
use truecal_check::aggregated::{self, Aggregated};
use truecal_check::{Accepted, Rejected};

use truecal_check::law::{Comparison, Expr, Law, Quantity, Relation};

/// Certificates of laws are committed for 1, …, this many rounds: 0.9 MB. More can be made again in
/// seconds, and claims for every T need no more than a page.
pub const COMMITTED_ROUNDS: u32 = 4;

macro_rules! certificates {
    ($($slug:literal)*; $($name:literal)*) => {
        &[
            $(
                certificates!(file $slug ".T1.txt"),
                certificates!(file $slug ".T2.txt"),
                certificates!(file $slug ".T3.txt"),
                certificates!(file $slug ".T4.txt"),
            )*
            $(certificates!(file $name ".all.txt"),)*
        ]
    };
    (file $stem:literal $end:literal) => {
        Committed {
            name: concat!($stem, $end),
            text: include_str!(concat!("../../../proofs/certificates/", $stem, $end)),
        }
    };
}

/// A certificate that is built in.
#[derive(Clone, Copy, Debug)]
pub struct Committed {
    /// Its file name in `proofs/certificates`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

const COMMITTED: &[Committed] = certificates! {
    "T-eq-1-then-signce-eq-stepce"
    "T-eq-1-then-smce-eq-stepce"
    "T-eq-1-then-stepce_sub-eq-stepce-over-2"
    "T-eq-1-then-ucal-le-4-stepce"
    "T-eq-1-then-vcal-eq-2-stepce"
    "T-le-2-then-stepce_sub-le-stepce-over-2-plus-1-over-4"
    "abs-bias-le-signce"
    "ece-eq-0-then-smce-eq-0"
    "ece-eq-0-then-ssce-le-3-over-4-sqrt-T"
    "ece-eq-0-then-stepce-eq-0"
    "ece-eq-0-then-stepce_sub-le-sqrt-T-over-2"
    "ece-eq-0-then-ucal-eq-0"
    "ece-eq-0-then-vcal-eq-0"
    "ece-le-2-m-minus-1-stepce"
    "ece-le-T"
    "intervalce-le-2-stepce"
    "intervalce-le-T"
    "m-eq-1-then-stepce-eq-abs-bias"
    "m-eq-1-then-vcal-eq-2-abs-bias"
    "min-ece-smce-stepce-signce-intervalce-vcal-ucal-ge-0"
    "min-stepce_sub-vcal_sub-ucal_sub-ssce-ge-0"
    "signce-le-3-stepce"
    "signce-le-T"
    "smce-le-2-stepce"
    "smce-le-T"
    "squares-le-var-plus-3-stepce"
    "ssce-le-2-stepce_sub"
    "ssce-le-T-over-2"
    "stepce-ge-abs-bias"
    "stepce-ge-ucal-over-8"
    "stepce-le-2-stepce_sub"
    "stepce-le-T"
    "stepce-le-ece"
    "stepce-le-intervalce"
    "stepce-le-signce"
    "stepce_sub-ge-stepce-over-2"
    "stepce_sub-ge-ucal-over-16"
    "stepce_sub-le-T-over-2"
    "stepce_sub-le-stepce-over-2-plus-sqrt-T"
    "ucal-eq-0-then-vcal-eq-0"
    "ucal-le-2-T"
    "ucal-le-2-vcal"
    "ucal-le-8-stepce"
    "ucal-over-4-le-vcal-over-2"
    "ucal_sub-le-T"
    "vcal-eq-0-then-ucal-eq-0"
    "vcal-ge-0"
    "vcal-le-2-T"
    "vcal-le-4-stepce"
    "vcal-le-ucal"
    "vcal_sub-le-T"
    ;
    "altform"
    "bias-sign"
    "ece-step"
    "interval-step"
    "sides-step"
    "sign-step"
    "smooth-step"
    "ssce-sub"
    "step-ece"
    "step-interval"
    "step-sign"
    "step-sub"
    "sub-step"
    "ucal-majorant"
    "ucal-step"
    "ucal-sub"
    "ucal-vcal"
    "vcal-step"
    "vcal-ucal"
};

impl Committed {
    /// What it consists of, if it proves this.
    fn check(&self, subject: &Subject) -> Result<Accepted, CommittedError> {
        let checked = subject.check(self.text.as_bytes());
        checked.map_err(|rejected| CommittedError::Rejected { name: self.name, rejected })
    }
}

/// What accepted certificates show of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// For what it is proved.
    pub scope: Scope,
    /// Which certificates, and their size.
    pub certificate: String,
    /// What the certificate of a claim for every T shows, case by case.
    pub shown: Vec<String>,
    /// What is an argument in words and not part of a certificate; empty if there is nothing of the
    /// kind.
    pub argument: String,
}

/// Every certificate that is built in.
pub fn committed() -> impl Iterator<Item = &'static Committed> {
    COMMITTED.iter()
}

fn with_name(name: &str) -> Option<&'static Committed> {
    committed().find(|committed| committed.name == name)
}

/// Why committed certificates do not prove what they should: the build is damaged, or a law and its
/// certificate were not changed together. `truecal certify` makes certificates anew.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommittedError {
    /// The checker rejects one.
    #[error("{name}: {rejected}")]
    Rejected {
        /// Its file name.
        name: &'static str,
        /// Where and why.
        rejected: Rejected,
    },
    /// There is none where another rests on it.
    #[error("{name} has no certificate")]
    Missing {
        /// The claim that should have one.
        name: &'static str,
    },
    /// What a claim rests on is not proved.
    #[error("{claim} rests on {on}: {problem}")]
    RestsOn {
        /// The claim.
        claim: &'static str,
        /// The other claim.
        on: &'static str,
        /// What is wrong there.
        problem: Box<CommittedError>,
    },
}

/// What the committed certificates show of a law: for every T if there is such a certificate,
/// otherwise for few rounds. None: there is none. Err: one is rejected.
pub fn proof_of_law(law: &Law) -> Option<Result<Proof, CommittedError>> {
    if let Some(claim) = aggregated::of_law(law) {
        return proof_of_claim(claim);
    }
    OF_LAWS.get(&law.to_string()).cloned()
}

/// What a certificate shows, or why it is rejected.
type Shown = Result<Proof, CommittedError>;

/// By law. Several claims rest on the same one, and each certificate need be checked once.
static OF_LAWS: LazyLock<HashMap<String, Shown>> = LazyLock::new(|| {
    let laws = committed().filter_map(|committed| match Subject::read(committed.text) {
        Ok(Subject::Law(law, 1)) => Some(law),
        _ => None,
    });
    laws.filter_map(|law| Some((law.to_string(), proof_for_few_rounds(&law)?))).collect()
});

fn proof_for_few_rounds(law: &Law) -> Option<Shown> {
    let mut whole = Accepted::default();
    for rounds in 1..=COMMITTED_ROUNDS {
        let subject = Subject::Law(law.clone(), rounds);
        let committed = with_name(&file_name(&subject, true))?;
        match committed.check(&subject) {
            Ok(Accepted { cases, goals }) => {
                whole.cases += cases;
                whole.goals += goals;
            }
            Err(rejected) => return Some(Err(rejected)),
        }
    }
    let files = format!("{}.T1.txt to .T{COMMITTED_ROUNDS}.txt", plain_stem(law));
    let scope = match speaks_of_few_rounds(law) {
        true => Scope::All,
        false => Scope::Rounds(COMMITTED_ROUNDS),
    };
    let certificate = format!("{files}, {whole}");
    Some(Ok(Proof { scope, certificate, shown: vec![], argument: String::new() }))
}

/// Whether the hypothesis is `T == n` or `T <= n`, with n so small that the law says nothing of
/// more rounds than are committed.
fn speaks_of_few_rounds(law: &Law) -> bool {
    let Some(Comparison { left, relation, right }) = &law.hypothesis else { return false };
    let rounds = *left == Expr::Quantity(Quantity::Rounds);
    let few = matches!(right, Expr::Constant(n) if n.to_integer() <= i64::from(COMMITTED_ROUNDS));
    rounds && few && matches!(relation, Relation::Equal | Relation::AtMost)
}

/// What the committed certificate shows of a claim for every T.
pub fn proof_of_claim(claim: &'static Aggregated) -> Option<Result<Proof, CommittedError>> {
    for &on in claim.rests_on {
        let other = aggregated::named(on).and_then(proof_of_claim);
        if let Err(problem) = other.unwrap_or(Err(CommittedError::Missing { name: on })) {
            let problem = Box::new(problem);
            return Some(Err(CommittedError::RestsOn { claim: claim.name, on, problem }));
        }
    }
    let subject = Subject::Aggregated(claim);
    let committed = with_name(&file_name(&subject, true))?;
    Some(committed.check(&subject).map(|accepted| Proof {
        scope: Scope::All,
        certificate: format!("{}, {accepted}", committed.name),
        shown: claim.cases.iter().map(ToString::to_string).collect(),
        argument: claim.argument.to_owned(),
    }))
}

/// The file name of a certificate: `signce-le-3-stepce.T4.txt`, `sign-step.all.txt`. Words alone
/// for laws of the registry and what is committed; other laws get a number as well, because
/// brackets and signs are lost (`2*(ece - 1)`, `2*ece - 1`).
pub fn file_name(subject: &Subject, registered: bool) -> String {
    match subject {
        Subject::Law(law, rounds) => {
            let stem = plain_stem(law);
            match registered || OF_LAWS.contains_key(&law.to_string()) {
                true => format!("{stem}.T{rounds}.txt"),
                false => format!("{stem:.100}-{:016x}.T{rounds}.txt", fnv1a(&law.to_string())),
            }
        }
        Subject::Aggregated(claim) => format!("{}.all.txt", claim.name),
    }
}

/// A law in words for a file name: `stepce >= ucal/8` is `stepce-ge-ucal-over-8`.
pub fn plain_stem(law: &Law) -> String {
    let mut text = law.to_string();
    let words = [("=>", " then "), ("<=", " le "), (">=", " ge "), ("==", " eq "), ("/", " over ")];
    for (sign, word) in words.into_iter().chain([("<", " lt "), (">", " gt "), ("+", " plus ")]) {
        text = text.replace(sign, word);
    }
    let text = text.replace('-', " minus ");
    let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    text.split(word).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claims that no file proves, to be rested on.
    #[test]
    fn what_is_not_proved_is_named() {
        let some = aggregated::named("ucal-step").expect("a claim");
        let claim = |name, rests_on| -> &'static Aggregated {
            Box::leak(Box::new(Aggregated { name, rests_on, ..*some }))
        };
        // A claim without a file of its own has no proof, which is no error.
        let nameless = claim("nameless", &[]);
        assert_eq!(proof_of_claim(nameless), None);
        let resting = claim("nameless", &["nothing"]);
        let error = proof_of_claim(resting).expect("an answer").expect_err("rests on nothing");
        let CommittedError::RestsOn { on, problem, .. } = &error else { panic!("{error}") };
        assert_eq!(**problem, CommittedError::Missing { name: on });
        assert_eq!(error.to_string(), "nameless rests on nothing: nothing has no certificate");
        // The name of a file that proves something else.
        let posing = claim("ucal-sub", &[]);
        let error = proof_of_claim(posing).expect("a file").expect_err("of another claim");
        let name = "ucal-sub.all.txt";
        assert!(matches!(error, CommittedError::Rejected { name: found, .. } if found == name));
        assert!(error.to_string().starts_with("ucal-sub.all.txt: line "), "{error}");
    }
}
