//! Reading a run, or a shard of one.

use serde_json::Value;
use thiserror::Error;

use super::Record;
use truecal_paper::claims;
use truecal_verify::evidence::{Options, Row, Shard, recheck};
use truecal_verify::registry::Finding;

/// Why a file is not a record.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not JSON of this shape.
    #[error("not the JSON of `truecal verify --json`: {0}")]
    Shape(#[from] serde_json::Error),
    /// It has another version.
    #[error("schema {0}, where this truecal reads schema {ours}", ours = Record::SCHEMA)]
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
    /// A claim is not there on which others rest.
    #[error("{0} is missing, on which others of its claims rest; run them together")]
    Foundation(&'static str),
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
    /// Reads a record of this program, and checks it as far as it can be checked without running it
    /// again.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let value: Value = serde_json::from_str(text)?;
        // Another schema may have another shape: say so rather than complain about the shape.
        match value["schema"].as_u64() {
            Some(schema) if schema != u64::from(Record::SCHEMA) => {
                return Err(RecordError::Schema(schema));
            }
            _ => {}
        }
        let record: Record = serde_json::from_value(value)?;
        let options = Options::from(&record.options);
        options.check().map_err(|error| RecordError::Options(error.to_string()))?;
        if !(0.0..1e12).contains(&record.seconds) {
            return Err(RecordError::Options(format!("{} seconds", record.seconds)));
        }
        let origin = (record.truecal.clone(), record.registry.clone());
        if origin != Record::origin() {
            return Err(RecordError::Version(origin.0, origin.1));
        }
        let rows = record.clone().rows()?;
        for row in &rows {
            for (number, (check, finding)) in (1..).zip(row.claim.checks.iter().zip(&row.findings))
            {
                if let Some(finding) = finding {
                    recheck(check, finding, &options).map_err(|problem| {
                        let problem = problem.to_string();
                        RecordError::Finding(row.claim.id.to_owned(), number, problem)
                    })?;
                }
            }
        }
        let differences = record.differences.clone();
        let again = Record { differences, ..Record::new(&rows, &options, record.seconds) };
        if again == record { Ok(record) } else { Err(RecordError::Summary) }
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
            let findings = recorded.evidence.into_iter();
            let findings = findings.map(|finding| finding.map(Finding::from)).collect();
            rows.push(Row::partial(claim, findings));
        }
        if rows.is_empty() {
            return Err(RecordError::Claims("there are none".to_owned()));
        }
        let claims: Vec<_> = rows.iter().map(|row| row.claim).collect();
        let closed = claims::with_foundations(&claims);
        if let Some(absent) = closed.iter().find(|claim| !claims.iter().any(|c| c.id == claim.id)) {
            return Err(RecordError::Foundation(absent.id));
        }
        match whole {
            // One that lacks a finding does not have the statuses that it says.
            true => Ok(Row::settled(rows.clone()).unwrap_or(rows)),
            false => Ok(rows),
        }
    }
}
