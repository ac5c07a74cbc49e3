use super::*;
use crate::committed::{CommittedError, Proof};
use crate::registry::{Control, Counterexample, ROW};
use truecal_check::checker::check;

/// A finding that shows something.
fn finding(scope: Scope) -> Finding {
    let mut finding = Finding::new("a check", scope, format!("tried: {scope}"));
    (finding.cases, finding.applicable) = (1, 1);
    let caught = Some(Counterexample::of_lines("there"));
    finding.controls = vec![Control { mistake: "a mistake".to_owned(), caught }];
    finding
}

fn failing(scope: Scope) -> Finding {
    Finding { counterexample: Some(Counterexample::of_lines("here")), ..finding(scope) }
}

fn claim(claim: Claim) -> &'static Claim {
    Box::leak(Box::new(claim))
}

/// The status of a claim with a reading of this scope and these findings.
fn of(scope: Scope, findings: &[Finding]) -> (&'static str, String) {
    let claim = claim(Claim { id: "test", scope, ..ROW });
    words_of(&settle(&[(claim, findings.to_vec())])[0])
}

fn words_of(status: &Status) -> (&'static str, String) {
    (status.word(), status.detail().into_owned())
}

#[test]
fn a_status_says_no_more_than_the_checks_reach() {
    let word = |reading, shown: &[Scope]| {
        of(reading, &shown.iter().copied().map(finding).collect::<Vec<_>>()).0
    };
    use Scope::{All, Asymptotic, Cases, Instance, Rounds, Samples};
    assert_eq!(word(All, &[All]), "PROVED");
    assert_eq!(word(All, &[Rounds(4)]), "EXHAUSTED");
    assert_eq!(word(Rounds(4), &[Rounds(4)]), "PROVED");
    assert_eq!(word(Rounds(5), &[Rounds(4)]), "EXHAUSTED");
    assert_eq!(word(Asymptotic, &[All]), "PROVED");
    assert_eq!(word(Asymptotic, &[Rounds(4)]), "EXHAUSTED");
    assert_eq!(word(Instance, &[Instance]), "PROVED");
    assert_eq!(word(Instance, &[Cases]), "EXHAUSTED");
    assert_eq!(word(All, &[Cases]), "EXHAUSTED");
    assert_eq!(word(All, &[Samples]), "SAMPLED");
    // The weakest of several; an instance besides takes nothing away and adds nothing.
    assert_eq!(word(All, &[All, Cases]), "EXHAUSTED");
    assert_eq!(word(All, &[All, Cases, Samples]), "SAMPLED");
    assert_eq!(word(All, &[All, Instance]), "PROVED");
    assert_eq!(word(All, &[Cases, Instance]), "EXHAUSTED");
    assert_eq!(word(All, &[Instance, Instance]), "EXHAUSTED");
}

#[test]
fn proofs_reach_as_far_as_they_do() {
    let proof =
        |scope| Proof { scope, source: "file".to_owned(), statement: vec![], stale: vec![] };
    let with = |scope| Finding { proof: Some(proof(scope)), ..finding(Scope::Cases) };
    let words = "certificates for every T of the law";
    assert_eq!(of(Scope::All, &[with(Scope::All)]), ("PROVED", words.to_owned()));
    let few = ("EXHAUSTED", "T <= 4, every real p; tried: cases".to_owned());
    assert_eq!(of(Scope::All, &[with(Scope::Rounds(4))]), few);
    let mut rejected = finding(Scope::Cases);
    let reason = check(&"ece >= 0".parse().expect("a law"), 1, "truecal".as_bytes());
    let reason = reason.expect_err("no certificate");
    rejected.prove(Some(Err(CommittedError::Rejected { name: "a file", rejected: reason })));
    let (word, detail) = of(Scope::All, &[rejected]);
    assert_eq!(word, "VACUOUS");
    assert!(detail.starts_with("a check: certificate rejected: a file: line 1: "), "{detail}");
}

/// A theorem counts as it is; if a source has changed since Coq checked it, it is an error, of
/// whatever else speaks for the claim, and of what the claim is a part of.
#[test]
fn a_theorem_of_other_sources_is_stale() {
    let theorem = |stale: &[&str]| Finding {
        proof: Some(Proof {
            scope: Scope::All,
            source: "a theorem".to_owned(),
            statement: vec!["forall x, x = x".to_owned()],
            stale: stale.iter().map(|file| (*file).to_owned()).collect(),
        }),
        ..finding(Scope::Cases)
    };
    let proved = ("PROVED", "Coq, all T, every real p".to_owned());
    assert_eq!(of(Scope::All, &[theorem(&[])]), proved);
    let words = "Coq did not check Step.v, Sub.v as it is; run proofs/coq/check --write";
    let stale = ("STALE", words.to_owned());
    assert_eq!(of(Scope::All, &[theorem(&[]), theorem(&["Step.v", "Sub.v"])]), stale);
    assert_eq!(of(Scope::Cases, &[failing(Scope::All), theorem(&["Step.v", "Sub.v"])]), stale);
    let found = [
        (claim(Claim { id: "whole", parts: &["part"], ..ROW }), vec![]),
        (claim(Claim { id: "part", ..ROW }), vec![theorem(&["Step.v"])]),
        (claim(Claim { id: "on it", uses: &["part"], ..ROW }), vec![finding(Scope::All)]),
    ];
    let statuses: Vec<_> = settle(&found).iter().map(words_of).collect();
    assert_eq!(statuses[0], ("STALE", "as part".to_owned()));
    assert_eq!(statuses[2].0, "CONDITIONAL");
    assert!(settle(&found)[0].is_error() && !settle(&found)[2].is_error());
    assert!(Status::findings().all(|word| !["STALE", "VACUOUS"].contains(&word)));
}

#[test]
fn small_t_do_not_refute_what_is_said_of_large_t() {
    for scope in [Scope::All, Scope::Rounds(4), Scope::Instance, Scope::Cases] {
        assert_eq!(of(Scope::All, &[failing(scope)]), ("REFUTED", "here".to_owned()));
        let large = of(Scope::Asymptotic, &[failing(scope)]);
        match scope {
            Scope::All => assert_eq!(large, ("REFUTED", "here".to_owned())),
            _ => assert!(large.0 == "VACUOUS" && large.1.contains("small T"), "{large:?}"),
        }
    }
    assert_eq!(of(Scope::Asymptotic, &[failing(Scope::Asymptotic)]).0, "REFUTED");
}

/// Statuses of a chain: `top` uses `middle`, which uses `bottom`.
fn chain(bottom: Vec<Finding>, middle: Vec<Finding>) -> Vec<(&'static str, String)> {
    let found = [
        (claim(Claim { id: "top", uses: &["middle"], ..ROW }), vec![finding(Scope::All)]),
        (claim(Claim { id: "middle", uses: &["bottom"], ..ROW }), middle),
        (claim(Claim { id: "bottom", stated: "cited", ..ROW }), bottom),
    ];
    settle(&found).iter().map(words_of).collect()
}

/// Removing the proof of a used claim makes its users conditional, and they name what is missing.
#[test]
fn what_rests_on_something_unproved_is_conditional() {
    let all = || vec![finding(Scope::All)];
    let proved = chain(all(), all());
    assert!(proved.iter().all(|(word, _)| *word == "PROVED"), "{proved:?}");

    // Tried on cases, only cited, or not there at all: the same for whoever uses it.
    for missing in [vec![finding(Scope::Cases)], vec![finding(Scope::Samples)], vec![]] {
        let statuses = chain(missing, all());
        let given = "given bottom; for tried: all T, every real p".to_owned();
        assert_eq!(statuses[..2], [("CONDITIONAL", given.clone()), ("CONDITIONAL", given)]);
    }
    let alone = [(claim(Claim { id: "top", uses: &["middle"], ..ROW }), all())];
    assert_eq!(settle(&alone)[0].word(), "CONDITIONAL");
    // What is missing is named where the chain breaks first.
    let statuses = chain(vec![], vec![finding(Scope::Cases)]);
    assert_eq!(statuses[0].1, "given middle; for tried: all T, every real p");
    assert_eq!(statuses[1].0, "EXHAUSTED");
    // Nothing follows from what is false.
    let statuses = chain(vec![failing(Scope::Cases)], all());
    assert_eq!(statuses[1].0, "VACUOUS");
    assert!(statuses[1].1.contains("uses bottom, which is refuted"), "{statuses:?}");
}

#[test]
fn nothing_rests_on_itself() {
    let found = [
        (claim(Claim { id: "one", uses: &["other"], ..ROW }), vec![finding(Scope::All)]),
        (claim(Claim { id: "other", uses: &["one"], ..ROW }), vec![finding(Scope::All)]),
    ];
    let statuses = settle(&found);
    assert!(statuses.iter().all(|status| status.word() == "CONDITIONAL"), "{statuses:?}");
}

/// The status of a claim with these parts, and with its own finding or without.
fn whole(parts: &[Vec<Finding>], own: Option<Finding>) -> (&'static str, String) {
    let names = ["a", "b", "c"];
    let parts_of: &'static [&'static str] = Box::leak(names[..parts.len()].to_vec().into());
    let mut found =
        vec![(claim(Claim { id: "whole", parts: parts_of, ..ROW }), own.into_iter().collect())];
    for (name, findings) in names.into_iter().zip(parts) {
        let uses: &[&str] = if name == "c" { &["elsewhere"] } else { &[] };
        let part = claim(Claim { id: name, uses, stated: "a slip", ..ROW });
        found.push((part, findings.clone()));
    }
    words_of(&settle(&found)[0])
}

#[test]
fn a_whole_is_as_weak_as_its_weakest_part() {
    let one = |scope| vec![finding(scope)];
    let all = one(Scope::All);
    assert_eq!(whole(&[all.clone(), all.clone()], None), ("PROVED", "as a; as b".to_owned()));
    let weak = [all.clone(), one(Scope::Cases)];
    assert_eq!(whole(&weak, None), ("EXHAUSTED", "as b".to_owned()));
    assert_eq!(whole(&weak, Some(finding(Scope::All))), ("EXHAUSTED", "as b".to_owned()));
    assert_eq!(whole(&weak, Some(finding(Scope::Samples))).0, "SAMPLED");
    assert_eq!(whole(&[all.clone(), vec![]], None), ("STATED", "as b".to_owned()));
    let false_part = [all.clone(), vec![failing(Scope::Cases)]];
    assert_eq!(whole(&false_part, None), ("REFUTED", "see b".to_owned()));
    let conditional = [all.clone(), all.clone(), all.clone()];
    let given = "given elsewhere; for tried: all T, every real p";
    assert_eq!(whole(&conditional, None), ("CONDITIONAL", given.to_owned()));
    let vacuous = Finding { controls: vec![], ..finding(Scope::All) };
    assert_eq!(whole(&[all, vec![vacuous]], None).0, "VACUOUS");
    // Without parts there must be a check or a reason.
    assert_eq!(whole(&[], None).0, "VACUOUS");
}
