//! `truecal claims`.

use schemars::JsonSchema;
use serde::Serialize;

use super::Record;
use truecal_paper::claims;
use truecal_verify::registry;

/// What `truecal claims --json` prints: a list of claims, or, for claims named by their ids, what
/// `truecal verify --json` prints about them.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "claims")]
pub(crate) enum Claims {
    /// Without ids.
    List {
        /// The version of this format.
        schema: u32,
        /// The claims, by sections.
        claims: Vec<Claim>,
    },
    /// With ids.
    Run(Box<Record>),
}

impl Claims {
    /// A list of claims.
    pub(crate) fn list(claims: Vec<Claim>) -> Self {
        Claims::List { schema: 3, claims }
    }
}

/// A claim of the registry.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Claim {
    /// The paper's label where it has one, otherwise a name.
    id: &'static str,
    /// The part of the paper.
    section: &'static str,
    /// What sort of statement it is.
    kind: &'static str,
    /// The lines of the paper's source, such as `985, 2059-2137`; empty for what is not in the
    /// paper.
    lines: &'static str,
    /// What it is taken to say.
    reading: &'static str,
    /// For what the reading states it: `all T, every real p`, `T <= 4, every real p`, `the
    /// instance` or `as T grows`.
    reads: String,
    /// Where the reading departs from the paper, and why; empty if it does not.
    departs: &'static str,
    /// The ids of the claims that state parts of it.
    parts: &'static [&'static str],
    /// The ids of the claims that its proof rests on.
    uses: &'static [&'static str],
    /// The ids of the claims to read with it.
    see: &'static [&'static str],
    /// The best constant and where it is attained; empty without one.
    tight: &'static str,
    /// What is wrong in the paper; null for a claim that says nothing of the kind.
    defect: Option<Defect>,
    /// The Kani harnesses for parts of it; see `verified`.
    harnesses: Vec<Harness>,
    /// Why there is no machine check; empty if there is one.
    stated: &'static str,
    /// How many checks there are.
    checks: usize,
    /// The status in the committed expectation; empty if it has none.
    expected: String,
    /// The scope, witness or reason in the committed expectation.
    scope: String,
}

/// Something that is wrong where it stands.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Defect {
    /// `false with consequence`, `repairable step`, `boundary case` or `slip`.
    severity: &'static str,
    /// What to write instead, and what becomes of the results that rest on it.
    repair: &'static str,
}

/// A harness of Kani's, and what is known of it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Harness {
    /// Its path, as `proofs/run` takes it.
    path: &'static str,
    /// What the tests do with its body: `enumerated`, every case of its domain, or `sampled`.
    tests: &'static str,
    /// Whether Kani has verified it, with the code under proof, as both are now.
    verified: bool,
    /// The version of Kani that verified it last; null if none did.
    kani: Option<&'static str>,
    /// The day of that run, such as `2026-11-17`; null if there was none.
    date: Option<&'static str>,
}

impl From<claims::Harness> for Harness {
    fn from(harness: claims::Harness) -> Self {
        Harness {
            path: harness.path,
            tests: if harness.enumerated { "enumerated" } else { "sampled" },
            verified: harness.is_verified(),
            kani: harness.record.map(|record| record.kani),
            date: harness.record.map(|record| record.date),
        }
    }
}

impl Claim {
    /// A claim with what is expected of it: status and scope.
    pub(crate) fn new(claim: &registry::Claim, (expected, scope): (&str, &str)) -> Self {
        Claim {
            id: claim.id,
            section: claim.section.key,
            kind: claim.kind.key(),
            lines: claim.lines,
            reading: claim.reading,
            reads: claim.scope.to_string(),
            departs: claim.departs,
            parts: claim.parts,
            uses: claim.uses,
            see: claim.see,
            tight: claim.tight,
            defect: claim.defect.map(|registry::Defect { severity, repair }| Defect {
                severity: severity.key(),
                repair,
            }),
            harnesses: claims::harnesses(claim.id).map(Harness::from).collect(),
            stated: claim.stated,
            checks: claim.checks.len(),
            expected: expected.to_owned(),
            scope: scope.to_owned(),
        }
    }
}
