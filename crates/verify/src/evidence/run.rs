//! A run: the checks of some claims, or the share of them that falls to one shard.

use rayon::prelude::*;
use truecal::Watch;

use super::instance;
use super::options::{Options, Shard};
use super::trial::{Trial, exhaust_all, sample_all};
use crate::registry::{Check, Claim, Evidence, Finding, Status, settle};

/// What a run found about one claim.
#[derive(Clone, Debug)]
pub struct Row {
    /// The claim.
    pub claim: &'static Claim,
    /// What each of its checks found; `None` for those of other shards.
    pub findings: Vec<Option<Finding>>,
    status: Option<Status>,
}

impl Row {
    /// A row of one shard of several.
    pub fn partial(claim: &'static Claim, findings: Vec<Option<Finding>>) -> Row {
        Row { claim, findings, status: None }
    }

    /// The rows of a whole run, with the statuses that follow from all of them together. Otherwise
    /// the first claim that lacks a finding, and of which check.
    pub fn settled(found: Vec<Row>) -> Result<Vec<Row>, (&'static Claim, usize)> {
        let mut complete = vec![];
        for row in &found {
            let findings: Option<Vec<Finding>> = row.findings.iter().cloned().collect();
            let missing = || row.findings.iter().position(Option::is_none).unwrap_or_default();
            complete.push((row.claim, findings.ok_or_else(|| (row.claim, missing()))?));
        }
        let statuses = settle(&complete).into_iter().map(Some);
        Ok(found.into_iter().zip(statuses).map(|(row, status)| Row { status, ..row }).collect())
    }

    /// Its status; `None` for one shard of several, which has seen only a part.
    pub fn status(&self) -> Option<&Status> {
        self.status.as_ref()
    }

    /// All cases of all checks.
    pub fn cases(&self) -> u64 {
        self.findings.iter().flatten().map(|finding| finding.cases + finding.sampled).sum()
    }
}

/// Runs the checks of the claims. Statuses depend on what claims rest on: give those as well.
pub fn run(claims: &[&'static Claim], options: &Options, watch: &Watch<'_>) -> Vec<Row> {
    let mut rows: Vec<Row> =
        claims.iter().map(|claim| Row::partial(claim, vec![None; claim.checks.len()])).collect();
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
                Check::Finite(evidence) => Evidence::run(evidence, options.effort),
            };
            watch.done(1);
            (*place, finding)
        })
        .collect();
    for ((row, column), finding) in found {
        rows[row].findings[column] = Some(finding);
    }
    match options.shard == Shard::WHOLE {
        true => Row::settled(rows).expect("every check was run"),
        false => rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Example, Extent, FiniteCheck, LawCheck, ROW, Refutation, Scope};

    const LAW: LawCheck = LawCheck { law: "", attained: &[], mistake: None, correction: None };

    /// The word and the detail for a claim with this check.
    fn status(check: Check) -> (&'static str, String) {
        status_for(Scope::All, check)
    }

    /// The same for a reading of this scope.
    fn status_for(scope: Scope, check: Check) -> (&'static str, String) {
        let claim = Claim { id: "test", scope, checks: Box::leak(Box::new([check])), ..ROW };
        let claim: &'static Claim = Box::leak(Box::new(claim));
        let options = Options { effort: Extent::Quick, max_rounds: Some(2), ..Options::default() };
        let rows = run(&[claim], &options, &Watch::silent());
        let status = rows[0].status().expect("not a shard");
        (status.word(), status.detail().into_owned())
    }

    fn finite(run: fn(&mut Evidence)) -> (&'static str, String) {
        let (title, covers) = ("cases", "nothing much");
        status(Check::Finite(FiniteCheck {
            title,
            scope: Scope::All,
            covers,
            run,
            place: "",
            proofs: &[],
        }))
    }

    #[test]
    fn a_law_is_proved_exhausted_or_refuted() {
        // With a theorem for every T, certificates for few rounds, and without.
        let (word, detail) = status(Check::Law(LawCheck { law: "signce <= 3*stepce", ..LAW }));
        assert_eq!((word, detail.as_str()), ("PROVED", "Coq, all T, every real p"));
        let few_rounds = "T <= 2 => stepce_sub <= stepce/2 + 1/4";
        let (word, detail) = status(Check::Law(LawCheck { law: few_rounds, ..LAW }));
        let words = "certificates for every T of the law";
        assert_eq!((word, detail.as_str()), ("PROVED", words));
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
    fn an_instance_is_proved_or_refuted() {
        let sequence = ("1,0", "1/2,1");
        let check = |facts| Check::Example(Example { sequence, facts });
        let example = |facts| status_for(Scope::Instance, check(facts));
        assert_eq!(example(&["stepce == 1/2", "signce == 3/2", "ucal >= 2"]).0, "PROVED");
        // One sequence does not show what is said of all.
        let one = ("EXHAUSTED", "the instance".to_owned());
        assert_eq!(status(check(&["stepce == 1/2"])), one);
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
    fn a_finite_check_that_shows_nothing_is_vacuous() {
        let fine: fn(&mut Evidence) = |evidence| {
            evidence.case(true, String::new);
            evidence.mistake("a slip", false, || "at 1".to_owned());
        };
        assert_eq!(finite(fine), ("PROVED", "nothing much".to_owned()));
        assert_eq!(finite(|_| ()).0, "VACUOUS");
        assert_eq!(finite(|evidence| evidence.case(true, String::new)).0, "VACUOUS");
        assert_eq!(finite(Evidence::inapplicable).0, "VACUOUS");
        let missed: fn(&mut Evidence) = |evidence| {
            evidence.case(true, String::new);
            evidence.mistake("a slip", true, String::new);
        };
        let (word, detail) = finite(missed);
        assert!(word == "VACUOUS" && detail.contains("a slip"), "{detail}");
        let refuted: fn(&mut Evidence) = |evidence| {
            evidence.case(false, || "1 > 0\nso it fails".to_owned());
            evidence.corrected("1 >= 0", true);
        };
        assert_eq!(finite(refuted), ("REFUTED", "1 > 0".to_owned()));
        let worse: fn(&mut Evidence) = |evidence| {
            evidence.case(false, || "1 > 0".to_owned());
            evidence.corrected("1 < 0", false);
        };
        assert_eq!(finite(worse).0, "VACUOUS");
    }
}
