//! `truecal verify`, and the shards that `truecal merge` reads.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::report::claims::{Difference as Differs, points};
use truecal_paper::claims;
use truecal_verify::committed;
use truecal_verify::evidence::{self, Row};
use truecal_verify::registry::{self, Severity, Status};

/// What `truecal verify --json` and `truecal merge --json` print: a run of the checks of claims, or
/// a shard of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "verify")]
pub struct Record {
    /// The version of this format.
    #[schemars(extend("const" = Record::SCHEMA))]
    pub(crate) schema: u32,
    /// The version of truecal that ran.
    pub(crate) truecal: String,
    /// A fingerprint of its registry of claims.
    pub(crate) registry: String,
    /// What was run, and how far.
    pub(crate) options: Options,
    /// The claims, in the order of the registry.
    pub(crate) claims: Vec<Claim>,
    /// Sums over the claims.
    pub(crate) totals: Totals,
    /// How long it took; for merged shards, all of them together.
    pub(crate) seconds: f64,
    /// Where the statuses are not the expected ones.
    #[serde(default)]
    pub(crate) differences: Vec<Difference>,
}

/// What was run, and how far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Options {
    /// How much.
    effort: Extent,
    /// The largest number of rounds for laws; null for what the effort says.
    max_rounds: Option<u32>,
    /// The denominator of the predictions for laws; null for what the effort says.
    grid: Option<u32>,
    /// The seed of the sampled sequences.
    seed: u64,
    /// Which of several equal shares of the work: `3/16`; `1/1` is all of it.
    #[serde(serialize_with = "shard_to_text", deserialize_with = "shard_from_text")]
    #[schemars(with = "String")]
    pub(crate) shard: evidence::Shard,
}

/// How much a run does: a few seconds, under a minute, or minutes to hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Extent {
    Quick,
    Usual,
    Full,
}

/// What was found about a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// The claim; `truecal claims` shows all of it.
    pub(crate) id: String,
    /// The part of the paper.
    section: String,
    /// What sort of statement it is.
    kind: String,
    /// `PROVED`, `CONDITIONAL`, `EXHAUSTED`, `SAMPLED`, `REFUTED`, `STATED`, `STALE` or `VACUOUS`;
    /// null while some of its checks are left to other shards.
    status: Option<String>,
    /// For what it is proved, or what was tried; where it fails; why nothing was computed.
    scope: Option<String>,
    /// The claims from which a conditional one follows and that are not proved.
    given: Vec<String>,
    /// How many cases all its checks tried.
    cases: u64,
    /// What each of its checks found; null for a check of another shard.
    pub(crate) evidence: Vec<Option<Finding>>,
    /// Where the claim fails; null if it does not.
    witness: Option<Counterexample>,
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Finding {
    /// What was tried.
    check: String,
    /// How far it reaches if there is no counterexample: `all T, every real p`, `the instance`,
    /// `as T grows`, `cases` or `samples`.
    #[schemars(with = "String")]
    scope: Scope,
    /// Which cases, in words: `T <= 6, D = 12`.
    covers: String,
    /// How many there were.
    cases: u64,
    /// In how many of them the hypothesis held, so that something was claimed.
    applicable: u64,
    /// In how many the two sides of a law were equal.
    equalities: u64,
    /// On how many sampled sequences a law was tried besides.
    sampled: u64,
    /// Where a law was seen to be tight.
    tight: Vec<String>,
    /// The smallest case in which the claim fails; null if there is none.
    counterexample: Option<Counterexample>,
    /// Wrong variants of the claim that the check must notice.
    controls: Vec<Control>,
    /// What holds instead of a false claim; null if nothing is said.
    correction: Option<Correction>,
    /// What certificates or a theorem of Coq's prove besides; null if nothing.
    proof: Option<Proof>,
    /// What went wrong with the check itself.
    defects: Vec<String>,
}

/// How far a check or a proof reaches, as its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Scope(registry::Scope);

impl From<Scope> for String {
    fn from(Scope(scope): Scope) -> Self {
        scope.to_string()
    }
}

impl TryFrom<String> for Scope {
    type Error = registry::ScopeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Scope)
    }
}

impl From<registry::Scope> for Scope {
    fn from(scope: registry::Scope) -> Self {
        Scope(scope)
    }
}

impl From<Scope> for registry::Scope {
    fn from(Scope(scope): Scope) -> Self {
        scope
    }
}

/// A case in which a statement fails, with the arithmetic that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Counterexample {
    /// Outcomes and predictions, such as `["1,0", "1/2,1"]`; null if the statement is not about
    /// sequences.
    sequence: Option<(String, String)>,
    /// The computation, line by line, so that it can be redone by hand.
    arithmetic: Vec<String>,
}

/// A wrong variant of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Control {
    /// What is wrong.
    mistake: String,
    /// The smallest case that shows it; null if the check cannot tell the difference.
    caught: Option<Counterexample>,
}

/// A statement that replaces a false one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Correction {
    /// What holds instead.
    statement: String,
    /// On how many cases it was tried.
    cases: u64,
    /// Whether it held on all of them.
    holds: bool,
}

/// What is proved of a statement, and by what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Proof {
    /// For what it is proved: `all T, every real p`, or `T <= 4, every real p`.
    #[schemars(with = "String")]
    scope: Scope,
    /// Which certificates, and their size; or the theorem that Coq has checked.
    source: String,
    /// What the theorem says, as Coq prints it, line by line; empty for certificates.
    statement: Vec<String>,
    /// The sources of the theorem that have changed since Coq checked them: there should be none.
    stale: Vec<String>,
}

/// Sums over the claims.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE", deny_unknown_fields)]
pub(crate) struct Totals {
    /// How many claims there are.
    #[serde(rename = "claims")]
    claims: usize,
    /// How many cases all of them tried.
    #[serde(rename = "cases")]
    cases: u64,
    /// How many claims follow for all that their reading speaks of.
    proved: usize,
    /// How many follow from what is not proved here.
    conditional: usize,
    /// How many hold on every case of a domain that is less.
    exhausted: usize,
    /// How many hold on the cases that were tried.
    sampled: usize,
    /// How many fail.
    refuted: usize,
    /// How many are false only in that a part of them is, which is counted itself.
    #[serde(rename = "pointing to REFUTED")]
    pointing: usize,
    /// For how many nothing was computed.
    stated: usize,
    /// How many rest on a theorem of Coq's that has to be checked again.
    stale: usize,
    /// How many have a check that shows nothing.
    vacuous: usize,
    /// What is wrong in the paper, each defect once.
    #[serde(rename = "defects")]
    defects: Defects,
}

/// How many defects the claims have, by severity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Defects {
    /// A statement, or what the text builds on, is false and has to be changed.
    #[serde(rename = "false with consequence")]
    consequence: usize,
    /// A step of a proof is false, and another one takes its place.
    #[serde(rename = "repairable step")]
    step: usize,
    /// A special case was overlooked: an end of a range, a tie, a parity, a rounding.
    #[serde(rename = "boundary case")]
    boundary: usize,
    /// Not what was meant: a sign, an index, a name.
    slip: usize,
}

/// A claim whose status is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Difference {
    /// The claim.
    id: String,
    /// What was expected; null if nothing.
    expected: Option<String>,
    /// What was found; null if nothing.
    found: Option<String>,
}

impl Record {
    /// The version of the format.
    pub(crate) const SCHEMA: u32 = 4;

    /// The version of this truecal, and the fingerprint of its registry.
    pub(crate) fn origin() -> (String, String) {
        (env!("CARGO_PKG_VERSION").to_owned(), format!("{:016x}", claims::fingerprint()))
    }

    /// The record of a run.
    pub fn new(rows: &[Row], options: &evidence::Options, seconds: f64) -> Record {
        let (truecal, registry) = Record::origin();
        Record {
            schema: Record::SCHEMA,
            truecal,
            registry,
            options: options.into(),
            claims: rows.iter().map(Claim::from).collect(),
            totals: Totals::of(rows),
            seconds,
            differences: vec![],
        }
    }

    /// Adds where the statuses are not the expected ones.
    #[must_use]
    pub(crate) fn with_differences(self, differences: Vec<Differs>) -> Record {
        Record { differences: differences.into_iter().map(Difference::from).collect(), ..self }
    }
}

impl From<&evidence::Options> for Options {
    fn from(options: &evidence::Options) -> Self {
        Options {
            effort: options.effort.into(),
            max_rounds: options.max_rounds,
            grid: options.denominator,
            seed: options.seed,
            shard: options.shard,
        }
    }
}

impl From<&Options> for evidence::Options {
    fn from(options: &Options) -> Self {
        evidence::Options {
            effort: options.effort.into(),
            max_rounds: options.max_rounds,
            denominator: options.grid,
            seed: options.seed,
            shard: options.shard,
        }
    }
}

fn shard_to_text<S: Serializer>(shard: &evidence::Shard, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(shard)
}

fn shard_from_text<'a, D: Deserializer<'a>>(from: D) -> Result<evidence::Shard, D::Error> {
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

impl From<&Row> for Claim {
    fn from(row: &Row) -> Self {
        let status = row.status();
        let evidence: Vec<Option<Finding>> =
            row.findings.iter().map(|finding| finding.clone().map(Finding::from)).collect();
        let witness = evidence.iter().flatten().find_map(|finding| finding.counterexample.clone());
        Claim {
            id: row.claim.id.to_owned(),
            section: row.claim.section.key.to_owned(),
            kind: row.claim.kind.key().to_owned(),
            status: status.map(|status| status.word().to_owned()),
            scope: status.map(scope_of),
            given: given_of(status),
            cases: row.cases(),
            evidence,
            witness,
        }
    }
}

/// The scope, witness, reason or defect; what is given stands apart.
fn scope_of(status: &Status) -> String {
    match status {
        Status::Conditional { scope, .. } => scope.clone(),
        other => other.detail().into_owned(),
    }
}

fn given_of(status: Option<&Status>) -> Vec<String> {
    match status {
        Some(Status::Conditional { given, .. }) => given.iter().map(|&id| id.to_owned()).collect(),
        _ => vec![],
    }
}

impl Totals {
    fn of(rows: &[Row]) -> Self {
        let cases = rows.iter().map(Row::cases).sum();
        let mut totals = Totals { claims: rows.len(), cases, ..Totals::default() };
        for (row, status) in rows.iter().filter_map(|row| Some((row, row.status()?))) {
            *match status {
                Status::Refuted { .. } if points(row) => &mut totals.pointing,
                Status::Proved { .. } => &mut totals.proved,
                Status::Conditional { .. } => &mut totals.conditional,
                Status::Exhausted { .. } => &mut totals.exhausted,
                Status::Sampled { .. } => &mut totals.sampled,
                Status::Refuted { .. } => &mut totals.refuted,
                Status::Stated { .. } => &mut totals.stated,
                Status::Stale { .. } => &mut totals.stale,
                Status::Vacuous { .. } => &mut totals.vacuous,
            } += 1;
        }
        for defect in rows.iter().filter_map(|row| row.claim.defect) {
            *match defect.severity {
                Severity::Consequence => &mut totals.defects.consequence,
                Severity::Step => &mut totals.defects.step,
                Severity::Boundary => &mut totals.defects.boundary,
                Severity::Slip => &mut totals.defects.slip,
            } += 1;
        }
        totals
    }
}

impl From<Differs> for Difference {
    fn from(Differs { id, expected, found }: Differs) -> Self {
        Difference { id, expected, found }
    }
}

/// Conversions both ways between an enum here and one of the registry with the same variants.
macro_rules! same_variants {
    ($here:ident = $there:ty { $($variant:ident),+ }) => {
        impl From<$there> for $here {
            fn from(value: $there) -> Self {
                type There = $there;
                match value { $(There::$variant => $here::$variant),+ }
            }
        }

        impl From<$here> for $there {
            fn from(value: $here) -> Self {
                match value { $($here::$variant => Self::$variant),+ }
            }
        }
    };
}

/// The same between structs, where some fields are converted by a function.
macro_rules! same_fields {
    ($here:ident = $there:ty { $($field:ident $(: $convert:path)?),+ }) => {
        impl From<$there> for $here {
            fn from(value: $there) -> Self {
                type There = $there;
                let There { $($field),+ } = value;
                $here { $($field $(: $convert($field))?),+ }
            }
        }

        impl From<$here> for $there {
            fn from(value: $here) -> Self {
                let $here { $($field),+ } = value;
                Self { $($field $(: $convert($field))?),+ }
            }
        }
    };
}

fn option<S, T: From<S>>(value: Option<S>) -> Option<T> {
    value.map(T::from)
}

fn list<S, T: From<S>>(values: Vec<S>) -> Vec<T> {
    values.into_iter().map(T::from).collect()
}

same_variants!(Extent = registry::Extent { Quick, Usual, Full });
same_fields!(Counterexample = registry::Counterexample { sequence, arithmetic });
same_fields!(Correction = registry::Correction { statement, cases, holds });
same_fields!(Proof = committed::Proof { scope: Into::into, source, statement, stale });
same_fields!(Control = registry::Control { mistake, caught: option });
same_fields!(
    Finding = registry::Finding {
        check,
        scope: Into::into,
        covers,
        cases,
        applicable,
        equalities,
        sampled,
        tight,
        counterexample: option,
        controls: list,
        correction: option,
        proof: option,
        defects
    }
);
