//! The shards of a run put together.

use thiserror::Error;

use super::Record;
use truecal_verify::evidence::{Options, Row, Shard};
use truecal_verify::registry::{Counterexample, Finding};

/// Why records are not the shards of one run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MergeShardsError {
    /// There are none.
    #[error("no shards to merge")]
    Nothing,
    /// Two of them differ in what they ran.
    #[error("{0} was run with other options or for other claims than {1}")]
    Different(String, String),
    /// One comes twice.
    #[error("{0} and {1} are both shard {2}")]
    Twice(String, String, Shard),
    /// One is missing.
    #[error("shard {0} is missing; make it with --shard {0} and the other options of the rest")]
    Missing(Shard),
    /// One was not read by [`Record::read`].
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// A check was done by none of them.
    #[error("no shard has the check {1} of {0}")]
    Unchecked(String, usize),
}

/// The run whose shards these are, each with the name of its file: what it found, its options, and
/// the seconds that all shards took together.
pub fn merge(shards: Vec<(String, Record)>) -> Result<(Vec<Row>, Options, f64), MergeShardsError> {
    let Some((first_name, first)) = shards.first() else { return Err(MergeShardsError::Nothing) };
    let of = first.options.shard.of;
    let mut options = Options::from(&first.options);
    options.shard = Shard::WHOLE;
    let common = |record: &Record| {
        let mut options = record.options.clone();
        options.shard = Shard { number: 1, of: options.shard.of };
        (options, record.claims.iter().map(|claim| claim.id.clone()).collect::<Vec<_>>())
    };
    let mut owners: Vec<Option<&str>> = vec![];
    for (name, record) in &shards {
        if common(record) != common(first) {
            return Err(MergeShardsError::Different(name.clone(), first_name.clone()));
        }
        let place = (record.options.shard.number - 1) as usize;
        if owners.len() <= place {
            owners.resize(place + 1, None);
        }
        if let Some(other) = owners[place].replace(name) {
            return Err(MergeShardsError::Twice(
                other.to_owned(),
                name.clone(),
                record.options.shard,
            ));
        }
    }
    let missing = (1..=of)
        .find(|number| owners.get((number - 1) as usize).is_none_or(|owner| owner.is_none()));
    if let Some(number) = missing {
        return Err(MergeShardsError::Missing(Shard { number, of }));
    }

    let seconds = shards.iter().map(|(_, record)| record.seconds).sum();
    let mut rows: Vec<Row> = vec![];
    for (name, record) in shards {
        let part =
            record.rows().map_err(|error| MergeShardsError::Unreadable(name, error.to_string()))?;
        if rows.is_empty() {
            rows = part;
            continue;
        }
        for (row, other) in rows.iter_mut().zip(part) {
            for (finding, more) in row.findings.iter_mut().zip(other.findings) {
                *finding = match (finding.take(), more) {
                    (Some(one), Some(other)) => Some(both(one, other)),
                    (one, other) => one.or(other),
                };
            }
        }
    }
    let rows = Row::settled(rows)
        .map_err(|(claim, check)| MergeShardsError::Unchecked(claim.id.to_owned(), check + 1))?;
    Ok((rows, options, seconds))
}

/// What two shards found about one law.
fn both(mut one: Finding, other: Finding) -> Finding {
    one.cases += other.cases;
    one.applicable += other.applicable;
    one.equalities += other.equalities;
    one.sampled += other.sampled;
    one.tight.extend(other.tight);
    one.defects.extend(other.defects);
    one.counterexample = Counterexample::smaller(one.counterexample, other.counterexample);
    for (control, more) in one.controls.iter_mut().zip(other.controls) {
        control.caught = Counterexample::smaller(control.caught.take(), more.caught);
    }
    if let (Some(correction), Some(more)) = (&mut one.correction, other.correction) {
        correction.cases += more.cases;
        correction.holds &= more.holds;
    }
    one
}
