//! Whether a finding that was read from a file can be what a check found: for shards that were
//! computed elsewhere.

use thiserror::Error;

use super::instance::{self, SequenceError};
use super::options::Options;
use super::trial::Trial;

use crate::laws::{Verdict, affordable, judge_at};
use crate::registry::{Check, Counterexample, Evidence, Finding};
use truecal_check::law::Law;

/// The longest outcomes and predictions of a counterexample, as text; those of a run have at most a
/// few hundred rounds.
const LONGEST: usize = 20_000;

/// Why a finding is not one that its check can have. Run the check again.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecheckError {
    /// A part is larger than the whole.
    #[error("more applicable cases than cases, or more equalities than those")]
    Counts,
    /// Numbers beyond any run.
    #[error("{cases} cases and {sampled} samples are more than a run has")]
    TooMany {
        /// The cases.
        cases: u64,
        /// The samples.
        sampled: u64,
    },
    /// A text that could disturb a terminal.
    #[error("a text has control characters")]
    Control,
    /// The options lead to another number of cases.
    #[error("{found} cases instead of {expected}")]
    Cases {
        /// Those of the finding.
        found: u64,
        /// Those of the options.
        expected: u64,
    },
    /// An example or a refutation comes out differently.
    #[error("not what the instance gives")]
    Instance,
    /// What is built in proves something else.
    #[error("another proof than what is built in gives")]
    Proof,
    /// Of another check, or with another scope.
    #[error("{found} instead of {expected}")]
    Texts {
        /// What the finding says that was checked, and for what.
        found: String,
        /// What is checked, and for what.
        expected: String,
    },
    /// Other controls.
    #[error("other mistakes or another correction than the check has")]
    Controls,
    /// A law fails at a sequence, and none is given.
    #[error("a counterexample without a sequence")]
    NoSequence,
    /// The sequence is beyond any run.
    #[error("a counterexample longer than any that a run finds")]
    Long,
    /// The sequence is none.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// It cannot be judged here.
    #[error("{law} would take too long to judge at {rounds} rounds")]
    TooCostly {
        /// The law.
        law: Box<Law>,
        /// The rounds of the counterexample.
        rounds: u64,
    },
    /// The law holds there, or fails in another way.
    #[error("{law} is not refuted as it says at {at}")]
    NotRefuted {
        /// The law.
        law: Box<Law>,
        /// The counterexample.
        at: Box<Counterexample>,
    },
}

/// Compares a finding with what the check and the options determine: its texts and its number of
/// cases, all of an instance, and the counterexamples of laws, which are judged again. What a
/// finite check counted must be trusted.
pub fn recheck(check: &Check, finding: &Finding, options: &Options) -> Result<(), RecheckError> {
    let Finding { cases, applicable, equalities, sampled, .. } = finding;
    if applicable > cases || equalities > applicable {
        return Err(RecheckError::Counts);
    }
    if *cases > Options::MOST_TABLES * 64 || *sampled > 1 << 20 {
        return Err(RecheckError::TooMany { cases: *cases, sampled: *sampled });
    }
    if finding.texts().iter().any(|text| text.contains(char::is_control)) {
        return Err(RecheckError::Control);
    }
    match check {
        Check::Law(check) => {
            let trial = Trial::new(check, options);
            same_frame(&trial.frame(), finding)?;
            let expected = trial.tables(options);
            if *cases != expected {
                return Err(RecheckError::Cases { found: *cases, expected });
            }
            if let Some(found) = &finding.counterexample {
                replay(trial.law(), found)?;
            }
            for (control, mistake) in finding.controls.iter().zip(trial.mistake_law()) {
                if let Some(found) = &control.caught {
                    replay(mistake, found)?;
                }
            }
            Ok(())
        }
        Check::Example(example) => equal(finding, &instance::example(example)),
        Check::Refutation(refutation) => equal(finding, &instance::refutation(refutation)),
        Check::Finite(evidence) => same_texts(&Evidence::frame(evidence), finding),
    }
}

fn equal(finding: &Finding, expected: &Finding) -> Result<(), RecheckError> {
    if finding == expected { Ok(()) } else { Err(RecheckError::Instance) }
}

fn same_texts(frame: &Finding, finding: &Finding) -> Result<(), RecheckError> {
    let texts = |finding: &Finding| (finding.check.clone(), finding.scope, finding.covers.clone());
    if frame.proof != finding.proof {
        return Err(RecheckError::Proof);
    }
    let words =
        |finding: &Finding| format!("{} ({}: {})", finding.check, finding.scope, finding.covers);
    match texts(frame) == texts(finding) {
        true => Ok(()),
        false => Err(RecheckError::Texts { found: words(finding), expected: words(frame) }),
    }
}

fn same_frame(frame: &Finding, finding: &Finding) -> Result<(), RecheckError> {
    same_texts(frame, finding)?;
    let mistakes = |finding: &Finding| -> Vec<String> {
        finding.controls.iter().map(|control| control.mistake.clone()).collect()
    };
    let statement = |finding: &Finding| finding.correction.as_ref().map(|c| c.statement.clone());
    if mistakes(frame) == mistakes(finding) && statement(frame) == statement(finding) {
        Ok(())
    } else {
        Err(RecheckError::Controls)
    }
}

/// The law fails there, with the same arithmetic.
fn replay(law: &Law, found: &Counterexample) -> Result<(), RecheckError> {
    let (outcomes, predictions) = found.sequence.as_ref().ok_or(RecheckError::NoSequence)?;
    if outcomes.len().max(predictions.len()) > LONGEST {
        return Err(RecheckError::Long);
    }
    let levels = instance::levels(outcomes, predictions)?;
    if law.quantities().iter().any(|quantity| quantity.is_average()) && !affordable(&levels) {
        return Err(RecheckError::TooCostly {
            law: Box::new(law.clone()),
            rounds: levels.rounds(),
        });
    }
    match judge_at(law, &levels) {
        Verdict::Fails if instance::counterexample(law, &levels) == *found => Ok(()),
        _ => Err(RecheckError::NotRefuted {
            law: Box::new(law.clone()),
            at: Box::new(found.clone()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::committed::Proof;
    use crate::evidence::run;
    use crate::registry::Extent;
    use crate::registry::{Claim, Example, LawCheck, ROW, Scope};
    use truecal::Watch;

    fn options() -> Options {
        Options { effort: Extent::Quick, max_rounds: Some(2), ..Options::default() }
    }

    type Change = fn(&mut Finding);

    /// The check, what a run finds, and why that is refused once it is changed.
    fn refused(check: Check, changes: &[(Change, &str)]) -> Vec<RecheckError> {
        let checks: &'static [Check] = Box::leak(Box::new([check]));
        let claim: &'static Claim = Box::leak(Box::new(Claim { id: "test", checks, ..ROW }));
        let rows = run(&[claim], &options(), &Watch::silent());
        let finding = rows[0].findings[0].clone().expect("not a shard");
        assert_eq!(recheck(&checks[0], &finding, &options()), Ok(()));
        let refuse = |(change, words): &(Change, &str)| {
            let mut finding = finding.clone();
            change(&mut finding);
            let error = recheck(&checks[0], &finding, &options()).expect_err(words);
            assert!(error.to_string().contains(words), "{error}");
            error
        };
        changes.iter().map(refuse).collect()
    }

    fn at(finding: &mut Finding, outcomes: &str, predictions: &str) {
        let sequence = Some((outcomes.to_owned(), predictions.to_owned()));
        finding.counterexample = Some(Counterexample { sequence, arithmetic: vec![] });
    }

    const FALSE: LawCheck = LawCheck {
        law: "ucal <= T",
        attained: &[],
        mistake: None,
        correction: Some("ucal <= 2*T"),
    };

    #[test]
    fn a_finding_that_no_run_has_is_refused() {
        let errors = refused(
            Check::Law(FALSE),
            &[
                (|f| f.applicable = f.cases + 1, "more applicable cases than cases"),
                (|f| f.sampled = 1 << 21, "2097152 samples are more than a run has"),
                (|f| f.tight.push("\u{7}".to_owned()), "control characters"),
                (|f| f.cases += 1, " instead of "),
                (
                    |f| f.covers = "all".to_owned(),
                    "ucal <= T (cases: all) instead of ucal <= T (cases: T <= 2",
                ),
                (|f| f.correction = None, "another correction than the check has"),
                (
                    |f| {
                        let (scope, source) = (Scope::All, "mine".to_owned());
                        let (statement, stale) = (vec![], vec![]);
                        f.proof = Some(Proof { scope, source, statement, stale });
                    },
                    "another proof than what is built in gives",
                ),
            ],
        );
        assert!(matches!(
            errors[..],
            [
                RecheckError::Counts,
                RecheckError::TooMany { .. },
                RecheckError::Control,
                RecheckError::Cases { .. },
                RecheckError::Texts { .. },
                RecheckError::Controls,
                RecheckError::Proof,
            ]
        ));
    }

    #[test]
    fn a_counterexample_that_is_none_is_refused() {
        let errors = refused(
            Check::Law(FALSE),
            &[
                (|f| f.counterexample = Some(Counterexample::of_lines("")), "without a sequence"),
                (|f| at(f, "1", &"0".repeat(LONGEST + 1)), "longer than any that a run finds"),
                (|f| at(f, "1", "2"), "round 1: the prediction \"2\": greater than 1"),
                (|f| at(f, "0", "0"), "ucal <= T is not refuted as it says at x=(0) p=(0)"),
                (|f| at(f, "1", "0"), "ucal <= T is not refuted as it says at x=(1) p=(0)"),
            ],
        );
        assert!(matches!(
            errors[..],
            [
                RecheckError::NoSequence,
                RecheckError::Long,
                RecheckError::Sequence(SequenceError::Prediction { .. }),
                RecheckError::NotRefuted { .. },
                RecheckError::NotRefuted { .. },
            ]
        ));
    }

    #[test]
    fn what_cannot_be_judged_again_is_refused() {
        let law = LawCheck { law: "ssce <= T/4", correction: Some("ssce <= T/2"), ..FALSE };
        let long: Change = |finding| {
            let predictions: Vec<_> = (0..200).map(|n| format!("{n}/200")).collect();
            at(finding, &["1"; 200].join(","), &predictions.join(","));
        };
        let errors = refused(Check::Law(law), &[(long, "too long to judge at 200 rounds")]);
        assert!(matches!(errors[..], [RecheckError::TooCostly { rounds: 200, .. }]));
        let example = Example { sequence: ("1,0", "1/2,1"), facts: &["stepce == 1/2"] };
        let other: Change = |finding| finding.tight.push("here".to_owned());
        let errors = refused(Check::Example(example), &[(other, "not what the instance gives")]);
        assert_eq!(errors, [RecheckError::Instance]);
    }
}
