//! Whether a finding that was read from a file can be what a check found: for shards that were computed elsewhere.

use super::instance;
use super::run::Options;
use super::trial::{Trial, affordable};
use crate::claims::{Check, Counterexample, Finding, Survey};
use crate::law::{Law, Verdict};

/// The longest outcomes and predictions of a counterexample, as text; those of a run have at most a few hundred rounds.
const LONGEST: usize = 20_000;

/// Compares a finding with what the check and the options determine: its texts and its number of cases, all of an
/// instance, and the counterexamples of laws, which are judged again. What a survey counted has to be believed.
pub fn recheck(check: &Check, finding: &Finding, options: &Options) -> Result<(), String> {
    let Finding { cases, applicable, equalities, sampled, .. } = finding;
    if applicable > cases || equalities > applicable {
        return Err("more applicable cases than cases, or more equalities than those".to_owned());
    }
    if *cases > Options::MOST_TABLES * 64 || *sampled > 1 << 20 {
        return Err(format!("{cases} cases and {sampled} samples are more than a run has"));
    }
    let text = serde_json::to_string(finding).map_err(|error| error.to_string())?;
    if text.contains("\\u00") || text.contains("\\n") || text.contains("\\b") {
        return Err("a text has control characters".to_owned());
    }
    match check {
        Check::Law(check) => {
            let trial = Trial::new(check, options);
            same_frame(&trial.frame(), finding)?;
            if *cases != trial.tables(options) {
                return Err(format!("{cases} cases instead of {}", trial.tables(options)));
            }
            if let Some(found) = &finding.counterexample {
                replay(trial.law(), found)?;
            }
            for (tooth, mistake) in finding.teeth.iter().zip(trial.mistake_law()) {
                if let Some(found) = &tooth.bite {
                    replay(mistake, found)?;
                }
            }
            Ok(())
        }
        Check::Example(example) => equal(finding, &instance::example(example)),
        Check::Refutation(refutation) => equal(finding, &instance::refutation(refutation)),
        Check::Survey(survey) => same_texts(&Survey::frame(survey), finding),
    }
}

fn equal(finding: &Finding, expected: &Finding) -> Result<(), String> {
    if finding == expected { Ok(()) } else { Err("not what the instance gives".to_owned()) }
}

fn same_texts(frame: &Finding, finding: &Finding) -> Result<(), String> {
    let texts =
        |finding: &Finding| (finding.check.clone(), finding.strength, finding.covers.clone());
    if frame.proof != finding.proof {
        return Err("another proof than the committed certificates give".to_owned());
    }
    match texts(frame) == texts(finding) {
        true => Ok(()),
        false => Err(format!(
            "{} ({}) instead of {} ({})",
            finding.check, finding.covers, frame.check, frame.covers
        )),
    }
}

fn same_frame(frame: &Finding, finding: &Finding) -> Result<(), String> {
    same_texts(frame, finding)?;
    let mistakes = |finding: &Finding| -> Vec<String> {
        finding.teeth.iter().map(|tooth| tooth.mistake.clone()).collect()
    };
    let statement = |finding: &Finding| finding.correction.as_ref().map(|c| c.statement.clone());
    if mistakes(frame) == mistakes(finding) && statement(frame) == statement(finding) {
        Ok(())
    } else {
        Err("other mistakes or another correction than the check has".to_owned())
    }
}

/// The law fails there, with the same arithmetic.
fn replay(law: &Law, found: &Counterexample) -> Result<(), String> {
    let (outcomes, predictions) =
        found.sequence.as_ref().ok_or("a counterexample without a sequence")?;
    if outcomes.len().max(predictions.len()) > LONGEST {
        return Err("a counterexample longer than any that a run finds".to_owned());
    }
    let levels = instance::levels(outcomes, predictions)?;
    if law.quantities().iter().any(|quantity| quantity.is_average()) && !affordable(&levels) {
        return Err(format!("{law} would take too long to judge at {} rounds", levels.rounds()));
    }
    match instance::judge(law, &levels) {
        Verdict::Fails if instance::counterexample(law, &levels) == *found => Ok(()),
        _ => Err(format!("{law} is not refuted as it says at {found}")),
    }
}
