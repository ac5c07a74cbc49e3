//! A run: the checks of some claims, or the share of them that falls to one shard.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use rayon::prelude::*;
use thiserror::Error;

use truecal::Watch;

use super::instance;
use super::trial::{Trial, exhaust_all, sample_all};
use crate::enumeration::{DomainError, tables};
use crate::registry::Extent;
use crate::registry::{Check, Claim, Finding, Status, Survey};

/// What to run, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// How much.
    pub effort: Extent,
    /// The largest number of rounds for laws, instead of what the effort says.
    pub max_rounds: Option<u32>,
    /// The denominator of the predictions for laws, instead of 12.
    pub denominator: Option<u32>,
    /// The seed of the samples.
    pub seed: u64,
    /// One of several equal shares of the work.
    pub shard: Shard,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            effort: Extent::default(),
            max_rounds: None,
            denominator: None,
            seed: 1,
            shard: Shard::WHOLE,
        }
    }
}

impl Options {
    /// Whether the domains are those of the committed expectation.
    pub fn is_usual(&self) -> bool {
        let Options { effort, max_rounds, denominator, .. } = self;
        *effort == Extent::Usual && max_rounds.is_none() && denominator.is_none()
    }

    /// The most tables that a run, or a shard of one, may have: about a day's work.
    pub const MOST_TABLES: u64 = 1 << 36;

    /// Whether the work can be done in reasonable time; otherwise what to change.
    pub fn check(&self) -> Result<(), OptionsError> {
        let (rounds, denominator) = (self.max_rounds.unwrap_or(10), self.denominator.unwrap_or(12));
        let tables = tables(rounds, denominator)?;
        if tables.div_ceil(self.shard.of) <= Options::MOST_TABLES {
            return Ok(());
        }
        let shards = tables.div_ceil(Options::MOST_TABLES);
        Err(OptionsError::Days { tables, rounds, denominator, shards })
    }
}

/// Why a run cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// Its tables cannot be numbered.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// It would take too long.
    #[error(
        "{tables} tables have {rounds} rounds and predictions in 1/{denominator}, which would take \
         days; choose fewer rounds or a coarser grid, or use at least {shards} shards"
    )]
    Days {
        /// How many tables there are.
        tables: u64,
        /// The most rounds.
        rounds: u32,
        /// The denominator of the predictions.
        denominator: u32,
        /// The fewest shards that would do.
        shards: u64,
    },
}

/// The share `number` of `of` shares, from 1; as text, `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    pub number: u64,
    /// At least 1.
    pub of: u64,
}

impl Shard {
    /// The largest number of shares.
    pub const MOST: u64 = 1 << 20;

    /// Everything.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether the task with this number belongs to the share.
    pub(super) fn has(self, task: usize) -> bool {
        task as u64 % self.of == self.number - 1
    }

    /// The share of the numbers below `size`: a range, so that the shares follow one another.
    pub(super) fn range(self, size: u64) -> Range<u64> {
        let part =
            |number: u64| (u128::from(size) * u128::from(number) / u128::from(self.of)) as u64;
        part(self.number - 1)..part(self.number)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A text is not a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a shard is written 3/16: a number from 1 to how many there are, at most {}", Shard::MOST)]
#[non_exhaustive]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        parts
            .filter(|shard| (1..=shard.of).contains(&shard.number) && shard.of <= Shard::MOST)
            .ok_or(ShardError)
    }
}

/// What a run found about one claim.
#[derive(Clone, Debug)]
pub struct Row {
    /// The claim.
    pub claim: &'static Claim,
    /// What each of its checks found; `None` for those of other shards.
    pub findings: Vec<Option<Finding>>,
    /// Whether that is everything, and not the share of one shard.
    pub whole: bool,
}

impl Row {
    /// The status that follows; `None` for one shard of several, which has seen only a part.
    pub fn status(&self) -> Option<Status> {
        if !self.whole {
            return None;
        }
        let findings: Option<Vec<Finding>> = self.findings.iter().cloned().collect();
        findings.map(|findings| Status::of(self.claim, &findings))
    }

    /// All cases of all checks.
    pub fn cases(&self) -> u64 {
        self.findings.iter().flatten().map(|finding| finding.cases + finding.sampled).sum()
    }
}

/// Runs the checks of the claims.
pub fn run(claims: &[&'static Claim], options: &Options, watch: &Watch<'_>) -> Vec<Row> {
    let mut rows: Vec<Row> = claims
        .iter()
        .map(|claim| Row {
            claim,
            findings: vec![None; claim.checks.len()],
            whole: options.shard == Shard::WHOLE,
        })
        .collect();
    let tasks = || {
        claims.iter().enumerate().flat_map(|(row, claim)| {
            claim.checks.iter().enumerate().map(move |(column, check)| ((row, column), check))
        })
    };

    // A law belongs to every shard, each with its part of the tables.
    let (places, mut trials): (Vec<_>, Vec<_>) = tasks()
        .filter_map(|(place, check)| match check {
            Check::Law(check) => Some((place, Trial::new(check, options))),
            _ => None,
        })
        .unzip();
    exhaust_all(&mut trials, options, watch);
    sample_all(&mut trials, options, watch);
    for ((row, column), trial) in places.into_iter().zip(trials) {
        rows[row].findings[column] = Some(trial.finding(options));
    }

    // Everything else is done by one of them.
    let others: Vec<_> = tasks()
        .filter(|(_, check)| !matches!(check, Check::Law(_)))
        .enumerate()
        .filter(|(number, _)| options.shard.has(*number))
        .map(|(_, task)| task)
        .collect();
    watch.begin("examples and computations", others.len() as u64);
    let found: Vec<_> = others
        .par_iter()
        .map(|(place, check)| {
            let finding = match check {
                Check::Law(_) => unreachable!("laws were tried above"),
                Check::Example(example) => instance::example(example),
                Check::Refutation(refutation) => instance::refutation(refutation),
                Check::Survey(survey) => Survey::run(survey, options.effort),
            };
            watch.done(1);
            (*place, finding)
        })
        .collect();
    for ((row, column), finding) in found {
        rows[row].findings[column] = Some(finding);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::committed::CommittedError;
    use crate::registry::{Example, LawCheck, ROW, Refutation, Strength, SurveyCheck};

    const LAW: LawCheck = LawCheck { law: "", attained: &[], mistake: None, correction: None };

    /// The word and the detail for a claim with this check.
    fn status(check: Check) -> (&'static str, String) {
        let claim = Claim { id: "test", checks: Box::leak(Box::new([check])), ..ROW };
        let claim: &'static Claim = Box::leak(Box::new(claim));
        let options = Options { effort: Extent::Quick, max_rounds: Some(2), ..Options::default() };
        let status = run(&[claim], &options, &Watch::silent())[0].status().expect("not a shard");
        (status.word(), status.detail().to_owned())
    }

    fn survey(run: fn(&mut Survey)) -> (&'static str, String) {
        let (title, covers) = ("survey", "nothing much");
        status(Check::Survey(SurveyCheck {
            title,
            strength: Strength::Proved,
            covers,
            run,
            proof: None,
        }))
    }

    #[test]
    fn a_law_is_proved_exhausted_or_refuted() {
        // With certificates for every T, for few rounds, and without.
        let (word, detail) = status(Check::Law(LawCheck { law: "signce <= 3*stepce", ..LAW }));
        assert_eq!((word, detail.as_str()), ("PROVED", "all T, every real p"));
        let (word, detail) = status(Check::Law(LawCheck { law: "ece <= T", ..LAW }));
        assert_eq!((word, detail.as_str()), ("PROVED", "T <= 4, every real p"));
        let (word, detail) = status(Check::Law(LawCheck { law: "ece + stepce <= 2*T", ..LAW }));
        assert_eq!((word, detail.as_str()), ("EXHAUSTED", "T <= 2, D = 12"));
        let correction = Some("ucal <= 2*T");
        let (word, detail) = status(Check::Law(LawCheck { law: "ucal <= T", correction, ..LAW }));
        assert_eq!((word, detail.as_str()), ("REFUTED", "x=(1) p=(0)"));
    }

    #[test]
    fn a_law_that_shows_nothing_is_vacuous() {
        let vacuous = |check: LawCheck, defect: &str| {
            let (word, detail) = status(Check::Law(check));
            assert_eq!(word, "VACUOUS");
            assert!(detail.contains(defect), "{detail}");
        };
        // Not tight: 1 % less holds as well.
        vacuous(LawCheck { law: "stepce <= 10*T", ..LAW }, "does not notice");
        // Without a larger side there is nothing to move.
        vacuous(LawCheck { law: "stepce == stepce", ..LAW }, "nothing shows that it can fail");
        vacuous(LawCheck { law: "T == 7 => stepce <= ece", ..LAW }, "never satisfied");
        let attained = &[("1", "1/2")];
        vacuous(LawCheck { law: "signce <= 3*stepce", attained, ..LAW }, "not attained");
        let correction = Some("ucal <= T/2");
        vacuous(LawCheck { law: "ucal <= T", correction, ..LAW }, "the correction fails");
    }

    #[test]
    fn a_rejected_certificate_is_a_defect() {
        let claim = Claim { id: "test", ..ROW };
        let mut finding = Finding::new("a law", Strength::Exhausted, "T <= 2".to_owned());
        finding.prove(Some(Err(CommittedError::Missing { name: "ucal-step" })));
        let status = Status::of(&claim, &[finding]);
        let rejected = "certificate rejected: ucal-step has no certificate";
        assert_eq!(status.detail(), format!("a law: {rejected}"));
        assert_eq!(status.word(), "VACUOUS");
    }

    #[test]
    fn an_instance_is_proved_or_refuted() {
        let sequence = ("1,0", "1/2,1");
        let example = |facts| status(Check::Example(Example { sequence, facts }));
        assert_eq!(example(&["stepce == 1/2", "signce == 3/2", "ucal >= 2"]).0, "PROVED");
        assert_eq!(example(&["stepce == 1/2", "signce == 1"]).0, "REFUTED");
        assert_eq!(example(&[]).0, "VACUOUS");
        let refutation = |law, facts, correction| {
            status(Check::Refutation(Refutation { law, sequence, facts, correction }))
        };
        assert_eq!(refutation("signce <= stepce", &["T == 2"], "signce <= 3*stepce").0, "REFUTED");
        let (word, detail) = refutation("stepce <= signce", &[], "stepce <= signce");
        assert!(word == "VACUOUS" && detail.contains("overturned"), "{detail}");
        assert_eq!(refutation("signce <= stepce", &["T == 3"], "signce <= 3*stepce").0, "VACUOUS");
        assert_eq!(refutation("signce <= stepce", &["T == 2"], "signce <= 2*stepce").0, "VACUOUS");
    }

    #[test]
    fn a_survey_that_shows_nothing_is_vacuous() {
        let fine: fn(&mut Survey) = |survey| {
            survey.case(true, String::new);
            survey.mistake("a slip", false, || "at 1".to_owned());
        };
        assert_eq!(survey(fine), ("PROVED", "nothing much".to_owned()));
        assert_eq!(survey(|_| ()).0, "VACUOUS");
        assert_eq!(survey(|survey| survey.case(true, String::new)).0, "VACUOUS");
        assert_eq!(survey(Survey::inapplicable).0, "VACUOUS");
        let missed: fn(&mut Survey) = |survey| {
            survey.case(true, String::new);
            survey.mistake("a slip", true, String::new);
        };
        let (word, detail) = survey(missed);
        assert!(word == "VACUOUS" && detail.contains("a slip"), "{detail}");
        let refuted: fn(&mut Survey) = |survey| {
            survey.case(false, || "1 > 0\nso it fails".to_owned());
            survey.corrected("1 >= 0", true);
        };
        assert_eq!(survey(refuted), ("REFUTED", "1 > 0".to_owned()));
        let worse: fn(&mut Survey) = |survey| {
            survey.case(false, || "1 > 0".to_owned());
            survey.corrected("1 < 0", false);
        };
        assert_eq!(survey(worse).0, "VACUOUS");
    }

    /// What would take too long is not begun, unless enough shards share it.
    #[test]
    fn runs_end_within_days() {
        let options = |rounds, of| Options {
            max_rounds: Some(rounds),
            shard: Shard { number: 1, of },
            ..Options::default()
        };
        assert_eq!(options(10, 1).check(), Ok(()));
        let Err(error @ OptionsError::Days { tables, rounds: 20, denominator: 12, shards }) =
            options(20, 1).check()
        else {
            panic!("20 rounds take days")
        };
        let words = error.to_string();
        assert!(words.starts_with(&format!("{tables} tables have 20 rounds")), "{words}");
        assert!(words.ends_with(&format!("or use at least {shards} shards")), "{words}");
        assert!(options(20, shards - 1).check().is_err());
        assert_eq!(options(20, shards).check(), Ok(()));
        let domain = options(0, 1).check().expect_err("no rounds");
        let range = DomainError::Range { rounds: 0, denominator: 12 };
        assert_eq!(domain, OptionsError::Domain(range));
    }

    #[test]
    fn shards_are_a_partition() {
        for (size, of) in [(0, 3), (10, 1), (10, 3), (2, 5), (u64::MAX, 7)] {
            let ranges = (1..=of).map(|number| Shard { number, of }.range(size));
            let end = ranges.fold(0, |end, range| {
                assert_eq!(range.start, end);
                range.end
            });
            assert_eq!(end, size);
        }
        for bad in ["", "1", "0/3", "4/3", "a/3", "1/0", "-1/2", "1/99999999", "1/2/3"] {
            assert_eq!(bad.parse::<Shard>(), Err(ShardError), "{bad}");
        }
        assert!(ShardError.to_string().starts_with("a shard is written 3/16: a number from 1 to"));
    }
}
