//! A run as JSON: for programs, and for shards that are merged later. The schema is documented in the README.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use super::expectation::Difference;
use super::table::WORDS;
use crate::claims::{self, Counterexample, Finding};
use crate::evidence::{Effort, Options, Row, Shard, recheck};

/// The version of the format.
const SCHEMA: u32 = 1;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn fingerprint() -> String {
    format!("{:016x}", claims::fingerprint())
}

/// A run, or a shard of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    schema: u32,
    /// The version of truecal that ran, and the fingerprint of its registry.
    truecal: String,
    registry: String,
    pub(super) options: RecordedOptions,
    pub(super) claims: Vec<RecordedClaim>,
    totals: Map<String, Value>,
    /// How long it took; for merged shards, all of them together.
    pub(super) seconds: f64,
    /// Where the statuses are not the expected ones.
    #[serde(default)]
    differences: Vec<Difference>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordedOptions {
    effort: Effort,
    max_rounds: Option<u32>,
    grid: Option<u32>,
    seed: u64,
    pub(super) shard: Shard,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordedClaim {
    pub(super) id: String,
    section: String,
    kind: String,
    /// Null while some of its checks are left to other shards.
    status: Option<String>,
    scope: Option<String>,
    cases: u64,
    /// One entry for each check; null for one of another shard.
    pub(super) evidence: Vec<Option<Finding>>,
    witness: Option<Counterexample>,
}

/// Why a file is not a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not JSON of this shape.
    #[error("not the JSON of `truecal verify --json`: {0}")]
    Shape(#[from] serde_json::Error),
    /// It has another version.
    #[error("schema {0}, where this truecal reads schema {SCHEMA}")]
    Schema(u64),
    /// It comes from another version.
    #[error("from truecal {0} with registry {1}, not from this one; run all shards with one build")]
    Version(String, String),
    /// Its options are not possible.
    #[error("impossible options: {0}")]
    Options(String),
    /// A claim is unknown, not in the order of the registry, or there more than once.
    #[error("its claims are not claims of the registry in its order: {0}")]
    Claims(String),
    /// A finding is not one that its check can have.
    #[error("{0}, check {1}: {2}")]
    Finding(String, usize, String),
    /// What follows from the findings is not what it says.
    #[error(
        "its statuses, cases or totals do not follow from its findings; it was changed by hand"
    )]
    Summary,
}

impl Record {
    /// The record of a run.
    pub fn new(rows: &[Row], options: &Options, seconds: f64) -> Record {
        let claims: Vec<_> = rows.iter().map(RecordedClaim::new).collect();
        let mut totals = Map::new();
        totals.insert("claims".to_owned(), rows.len().into());
        totals.insert("cases".to_owned(), rows.iter().map(Row::cases).sum::<u64>().into());
        for word in WORDS {
            let count = claims.iter().filter(|claim| claim.status.as_deref() == Some(word)).count();
            totals.insert(word.to_owned(), count.into());
        }
        Record {
            schema: SCHEMA,
            truecal: VERSION.to_owned(),
            registry: fingerprint(),
            options: RecordedOptions::new(options),
            claims,
            totals,
            seconds,
            differences: vec![],
        }
    }

    /// Adds where the statuses are not the expected ones.
    #[must_use]
    pub fn with_differences(self, differences: Vec<Difference>) -> Record {
        Record { differences, ..self }
    }

    /// Reads a record of this program, and checks it as far as it can be checked without running it again.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let value: Value = serde_json::from_str(text)?;
        // Another schema may have another shape: say so rather than complain about the shape.
        if let Some(schema) = value["schema"].as_u64().filter(|schema| *schema != u64::from(SCHEMA))
        {
            return Err(RecordError::Schema(schema));
        }
        let record: Record = serde_json::from_value(value)?;
        let options = record.options.options();
        options.check().map_err(RecordError::Options)?;
        if !(0.0..1e12).contains(&record.seconds) {
            return Err(RecordError::Options(format!("{} seconds", record.seconds)));
        }
        let registry = fingerprint();
        if (record.truecal.as_str(), &record.registry) != (VERSION, &registry) {
            return Err(RecordError::Version(record.truecal, record.registry));
        }
        let rows = record.clone().rows()?;
        for row in &rows {
            for (number, (check, finding)) in (1..).zip(row.claim.checks.iter().zip(&row.findings))
            {
                if let Some(finding) = finding {
                    recheck(check, finding, &options).map_err(|problem| {
                        RecordError::Finding(row.claim.id.to_owned(), number, problem)
                    })?;
                }
            }
        }
        let again = Record::new(&rows, &options, record.seconds);
        let again = again.with_differences(record.differences.clone());
        if again == record { Ok(record) } else { Err(RecordError::Summary) }
    }

    /// The record as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a record has nothing that JSON cannot hold")
            + "\n"
    }

    /// The rows of the run, which are some of the registry's, in its order.
    pub(super) fn rows(self) -> Result<Vec<Row>, RecordError> {
        let whole = self.options.shard == Shard::WHOLE;
        let mut registry = claims::all();
        let mut rows = vec![];
        for recorded in self.claims {
            let known = registry.find(|claim| claim.id == recorded.id);
            let known = known.filter(|claim| claim.checks.len() == recorded.evidence.len());
            let claim = known.ok_or(RecordError::Claims(recorded.id))?;
            rows.push(Row { claim, findings: recorded.evidence, whole });
        }
        if rows.is_empty() {
            return Err(RecordError::Claims("there are none".to_owned()));
        }
        Ok(rows)
    }
}

impl RecordedOptions {
    fn new(options: &Options) -> Self {
        RecordedOptions {
            effort: options.effort,
            max_rounds: options.max_rounds,
            grid: options.denominator,
            seed: options.seed,
            shard: options.shard,
        }
    }

    pub(super) fn options(&self) -> Options {
        Options {
            effort: self.effort,
            max_rounds: self.max_rounds,
            denominator: self.grid,
            seed: self.seed,
            shard: self.shard,
        }
    }
}

impl RecordedClaim {
    fn new(row: &Row) -> Self {
        let status = row.status();
        let findings = || row.findings.iter().flatten();
        RecordedClaim {
            id: row.claim.id.to_owned(),
            section: row.claim.section.key().to_owned(),
            kind: row.claim.kind.key().to_owned(),
            status: status.as_ref().map(|status| status.word().to_owned()),
            scope: status.as_ref().map(|status| status.detail().to_owned()),
            cases: row.cases(),
            evidence: row.findings.clone(),
            witness: findings().find_map(|finding| finding.counterexample.clone()),
        }
    }
}
