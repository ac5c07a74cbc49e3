//! What is proved: the certificates that are committed in `proofs/certificates` and built into the
//! program, and the theorems of [`kernel`].

use std::collections::HashMap;
use std::sync::LazyLock;

use thiserror::Error;

use crate::hash::fnv1a;
use crate::kernel::{self, Theorem};
use crate::scope::Scope;
use truecal_check::Subject;
use truecal_check::{Accepted, Rejected};

use truecal_check::law::{Comparison, Expr, Law, Quantity, Relation};

/// Certificates of laws are committed for 1, …, this many rounds: 0.9 MB. More can be made again in
/// seconds.
pub const COMMITTED_ROUNDS: u32 = 4;

macro_rules! certificates {
    ($($slug:literal)*) => {
        &[
            $(
                certificates!(file $slug ".T1.txt"),
                certificates!(file $slug ".T2.txt"),
                certificates!(file $slug ".T3.txt"),
                certificates!(file $slug ".T4.txt"),
            )*
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
};

impl Committed {
    /// What it consists of, if it proves this.
    fn check(&self, subject: &Subject) -> Result<Accepted, CommittedError> {
        let checked = subject.check(self.text.as_bytes());
        checked.map_err(|rejected| CommittedError::Rejected { name: self.name, rejected })
    }
}

/// What is proved of a statement, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// For what it is proved.
    pub scope: Scope,
    /// Which certificates, and their size; or the theorems.
    pub source: String,
    /// What the theorems say, as Coq prints it, line by line below the name of each; empty for
    /// certificates, which show the law itself.
    pub statement: Vec<String>,
    /// The files of `proofs/coq` that are not those that Coq checked: theorems count only if there
    /// are none.
    pub stale: Vec<String>,
}

impl Proof {
    /// Whether it is a theorem of Coq's, not certificates.
    pub fn is_kernel(&self) -> bool {
        !self.statement.is_empty()
    }

    /// What Coq's kernel has shown.
    pub fn of_theorems(theorems: &[&Theorem]) -> Proof {
        let names: Vec<_> = theorems.iter().map(|theorem| theorem.name).collect();
        let lines = theorems.iter().flat_map(|theorem| {
            let indented = theorem.statement.iter().map(|line| format!("  {line}"));
            std::iter::once(format!("{}:", theorem.name)).chain(indented)
        });
        Proof {
            scope: Scope::All,
            source: format!("{} (proofs/coq)", names.join(", ")),
            statement: lines.collect(),
            stale: kernel::record().stale.iter().map(|file| (*file).to_owned()).collect(),
        }
    }
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
}

/// What is shown of a law: for every T by a theorem, otherwise for few rounds by the committed
/// certificates. None: there is neither. Err: a certificate is rejected.
pub fn proof_of_law(law: &Law) -> Option<Result<Proof, CommittedError>> {
    if let Some(theorem) = kernel::record().of_law(law) {
        return Some(Ok(Proof::of_theorems(&[theorem])));
    }
    OF_LAWS.get(&law.to_string()).cloned()
}

/// What a certificate shows, or why it is rejected.
type Shown = Result<Proof, CommittedError>;

/// By law. Several claims rest on the same one, and each certificate need be checked once.
static OF_LAWS: LazyLock<HashMap<String, Shown>> = LazyLock::new(|| {
    let laws = committed().filter_map(|committed| match Subject::read(committed.text) {
        Ok(Subject { law, rounds: 1 }) => Some(law),
        _ => None,
    });
    laws.filter_map(|law| Some((law.to_string(), proof_for_few_rounds(&law)?))).collect()
});

fn proof_for_few_rounds(law: &Law) -> Option<Shown> {
    let mut whole = Accepted::default();
    for rounds in 1..=COMMITTED_ROUNDS {
        let subject = Subject { law: law.clone(), rounds };
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
    Some(Ok(Proof { scope, source: format!("{files}, {whole}"), statement: vec![], stale: vec![] }))
}

/// Whether the hypothesis is `T == n` or `T <= n`, with n so small that the law says nothing of
/// more rounds than are committed.
fn speaks_of_few_rounds(law: &Law) -> bool {
    let Some(Comparison { left, relation, right }) = &law.hypothesis else { return false };
    let rounds = *left == Expr::Quantity(Quantity::Rounds);
    let few = matches!(right, Expr::Constant(n) if n.to_integer() <= i64::from(COMMITTED_ROUNDS));
    rounds && few && matches!(relation, Relation::Equal | Relation::AtMost)
}

/// The file name of a certificate: `signce-le-3-stepce.T4.txt`. Words alone for laws of the
/// registry and what is committed; other laws get a number as well, because brackets and signs are
/// lost (`2*(ece - 1)`, `2*ece - 1`).
pub fn file_name(subject: &Subject, registered: bool) -> String {
    let Subject { law, rounds } = subject;
    let stem = plain_stem(law);
    match registered || OF_LAWS.contains_key(&law.to_string()) {
        true => format!("{stem}.T{rounds}.txt"),
        false => format!("{stem:.100}-{:016x}.T{rounds}.txt", fnv1a(&law.to_string())),
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
