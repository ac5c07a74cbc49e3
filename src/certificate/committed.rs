//! The certificates that are committed in `proofs/certificates` and built into the program.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::aggregated::{self, Aggregated};
use super::checker::Accepted;
use super::files::{Subject, slug};
use crate::claims::Proof;
use crate::law::{Comparison, Expr, Law, Quantity, Relation};

/// Certificates of laws are committed for 1, …, this many rounds.
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
            text: include_str!(concat!("../../proofs/certificates/", $stem, $end)),
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
    "bias-step"
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
    "ucal-majorant"
    "ucal-step"
    "ucal-sub"
    "ucal-vcal"
    "vcal-step"
    "vcal-ucal"
};

/// Every certificate that is built in.
pub fn committed() -> impl Iterator<Item = &'static Committed> {
    COMMITTED.iter()
}

fn with_name(name: &str) -> Option<&'static Committed> {
    committed().find(|committed| committed.name == name)
}

/// What the committed certificates show of a law: for every T if there is such a certificate, otherwise for few rounds.
/// None: there is none. Err: one is rejected.
pub fn proof_of_law(law: &Law) -> Option<Result<Proof, String>> {
    if let Some(claim) = aggregated::of_law(law) {
        return proof_of_claim(claim);
    }
    OF_LAWS.get(&law.to_string()).cloned()
}

/// What a certificate shows, or why it is rejected.
type Shown = Result<Proof, String>;

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
        let committed = with_name(&subject.file_name())?;
        match subject.check(committed.text.as_bytes()) {
            Ok(Accepted { cases, goals }) => {
                whole.cases += cases;
                whole.goals += goals;
            }
            Err(rejected) => return Some(Err(format!("{}: {rejected}", committed.name))),
        }
    }
    let files = format!("{}.T1.txt to .T{COMMITTED_ROUNDS}.txt", slug(law));
    let scope = match speaks_of_few_rounds(law) {
        true => EVERY_T.to_owned(),
        false => format!("T <= {COMMITTED_ROUNDS}, every real p"),
    };
    let certificate = format!("{files}, {whole}");
    Some(Ok(Proof { scope, certificate, shown: vec![], argument: String::new() }))
}

const EVERY_T: &str = "all T, every real p";

/// Whether the hypothesis is `T == n` or `T <= n`, with n so small that the law says nothing of more rounds than are committed.
fn speaks_of_few_rounds(law: &Law) -> bool {
    let Some(Comparison { left, relation, right }) = &law.hypothesis else { return false };
    let rounds = *left == Expr::Quantity(Quantity::Rounds);
    let few = matches!(right, Expr::Constant(n) if n.to_integer() <= i64::from(COMMITTED_ROUNDS));
    rounds && few && matches!(relation, Relation::Equal | Relation::AtMost)
}

/// What the committed certificate shows of a claim for every T.
pub fn proof_of_claim(claim: &'static Aggregated) -> Option<Result<Proof, String>> {
    for name in claim.rests_on {
        let other = aggregated::named(name).and_then(proof_of_claim);
        if let Err(problem) = other.unwrap_or_else(|| Err(format!("{name} has no certificate"))) {
            return Some(Err(format!("{} rests on {name}: {problem}", claim.name)));
        }
    }
    let subject = Subject::Aggregated(claim);
    let committed = with_name(&subject.file_name())?;
    Some(match subject.check(committed.text.as_bytes()) {
        Ok(accepted) => Ok(Proof {
            scope: EVERY_T.to_owned(),
            certificate: format!("{}, {accepted}", committed.name),
            shown: claim.cases.iter().map(ToString::to_string).collect(),
            argument: claim.argument.to_owned(),
        }),
        Err(rejected) => Err(format!("{}: {rejected}", committed.name)),
    })
}
