//! The claims registry: a run of it, its shards, its expectation.

use std::sync::LazyLock;

use truecal_check::law::Law;
use truecal_cli::json::{self, Record, merge};
use truecal_cli::report::claims::{Colour, Expectation, defects, errata, table, totals};
use truecal_paper::claims::{self, EXPECTED};
use truecal_verify::evidence::{Options, Row, Shard, run};
use truecal_verify::registry::Extent;
use truecal_verify::registry::{Check, Claim, Scope, Status};

fn rows(options: &Options) -> Vec<Row> {
    run(&claims::all().collect::<Vec<_>>(), options, &truecal::Watch::silent())
}

/// One default run for all tests that look at one.
pub static DEFAULT: LazyLock<Vec<Row>> = LazyLock::new(|| rows(&Options::default()));

#[test]
fn the_default_run_is_as_committed() {
    let expectation: Expectation = EXPECTED.parse().expect("the committed expectation");
    let differences = expectation.differences(&DEFAULT, true, true);
    assert!(differences.is_empty(), "{differences:#?}");
    assert_eq!(Expectation::write(&DEFAULT), EXPECTED);
    let table = table(&DEFAULT, Colour::Never);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

/// The rows that the book shows.
const HEADLINES: [&str; 9] = [
    "UCAL-FORMULA",
    "lemma:UCal-vs-VCal",
    "prop:altform",
    "fact:equivfactor",
    "stepCE-vs-UCal",
    "E01",
    "thm:strongupperbound",
    "lemma:stepCE-vs-stepCEsub",
    "cited:CLT",
];

#[test]
fn totals_and_headlines_are_shown() {
    let headlines: Vec<Row> =
        DEFAULT.iter().filter(|row| HEADLINES.contains(&row.claim.id)).cloned().collect();
    assert_eq!(headlines.len(), HEADLINES.len());
    let totals = format!("{}\n{}", totals(&DEFAULT), defects(&DEFAULT).trim());
    let expected = format!("{}\n{totals}\n", table(&headlines, Colour::Never));
    let page = include_str!("../../../../docs/src/paper.md");
    assert!(page.contains(&expected), "docs/src/paper.md should show\n{expected}");
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains(&totals), "the README should show\n{totals}");
}

#[test]
fn shards_merge_to_the_whole_run() {
    let options = Options { effort: Extent::Quick, ..Options::default() };
    // Every fifth claim, with what it rests on, is enough to see that shares add up: laws are
    // divided and finite checks distributed alike in all of them.
    let claims = claims::with_foundations(&claims::all().step_by(5).collect::<Vec<_>>());
    let quick = run(&claims, &options, &truecal::Watch::silent());
    // The smaller domains hold a case for every control as well. (`.ci/run` asks both of all
    // claims.)
    let expectation: Expectation = EXPECTED.parse().expect("the committed expectation");
    assert_eq!(expectation.differences(&quick, false, false), []);
    let text = |rows: &[Row], options: &Options| json::text(&Record::new(rows, options, 0.0));
    let whole = text(&quick, &options);
    let read = |text: &str| Record::read(text).expect("what was written");
    let thirds = (1..=3).map(|number| {
        let options = Options { shard: Shard { number, of: 3 }, ..options.clone() };
        let rows = run(&claims, &options, &truecal::Watch::silent());
        (number.to_string(), read(&text(&rows, &options)))
    });
    let alone = vec![("whole".to_owned(), read(&whole))];
    for shards in [alone, thirds.rev().collect()] {
        let (rows, options, _) = merge(shards).expect("all of one run");
        assert_eq!(text(&rows, &options), whole);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let options = Options { effort: Extent::Quick, max_rounds: Some(3), ..Options::default() };
    // Only laws are divided between threads.
    let has_law = |claim: &&Claim| claim.checks.iter().any(|check| matches!(check, Check::Law(_)));
    let laws: Vec<_> = claims::all().filter(has_law).collect();
    let json = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let rows = run(&laws, &options, &truecal::Watch::silent());
            json::text(&Record::new(&rows, &options, 0.0))
        })
    };
    assert_eq!(json(1), json(4));
}

/// What a row refers to exists, and a law that is false says what holds instead.
#[test]
fn rows_refer_to_rows() {
    for row in DEFAULT.iter() {
        let claim = row.claim;
        for id in claim.uses.iter().chain(claim.parts).chain(claim.see) {
            assert!(claims::find(id).is_some(), "{} refers to {id}", claim.id);
        }
        for (check, finding) in claim.checks.iter().zip(row.findings.iter().flatten()) {
            let corrected = finding.correction.is_some();
            assert!(finding.counterexample.is_none() || corrected, "{}: what instead?", claim.id);
            let Check::Law(check) = check else { continue };
            let refuted = finding.counterexample.is_some();
            assert_eq!(refuted, check.correction.is_some(), "{}: {}", claim.id, check.law);
            let law: Law = check.law.parse().expect("a law");
            assert_eq!(law.to_string(), check.law, "{}: written in the usual form", claim.id);
        }
    }
}

/// A claim is false for a reason that stands in one place: it is a defect, or a part of it is.
#[test]
fn what_is_refuted_is_a_defect_or_has_one() {
    let mut pointing = 0;
    for row in DEFAULT.iter() {
        let refuted = row.status().is_some_and(|status| status.word() == "REFUTED");
        let defective = |id: &&&str| claims::find(id).is_some_and(|part| part.defect.is_some());
        let points = row.claim.parts.iter().any(|id| defective(&id));
        assert_eq!(refuted && row.claim.defect.is_none(), points && refuted, "{}", row.claim.id);
        pointing += u32::from(points);
        if let Some(defect) = row.claim.defect {
            assert!(row.claim.id.starts_with('E') && !defect.repair.is_empty(), "{}", row.claim.id);
        }
    }
    assert!(pointing > 10);
}

/// The page of errata is the one that the program writes.
#[test]
fn the_page_of_errata_is_as_committed() {
    let page = include_str!("../../../../docs/errata.md");
    let rows: Vec<Row> = DEFAULT.iter().cloned().collect();
    assert_eq!(errata(&rows), page, "write it anew: truecal claims --errata > docs/errata.md");
}

/// Without the proof of something that it uses a claim is conditional: on the registry itself.
#[test]
fn without_a_proof_its_users_are_conditional() {
    let status = |rows: &[Row], id: &str| {
        let row = rows.iter().find(|row| row.claim.id == id).expect("a row");
        row.status().expect("a whole run").clone()
    };
    let without = |id: &str| -> Vec<Row> {
        let weaken = |row: &Row| {
            let mut row = row.clone();
            for finding in row.findings.iter_mut().flatten().filter(|_| row.claim.id == id) {
                (finding.proof, finding.scope) = (None, Scope::Cases);
            }
            row
        };
        Row::settled(DEFAULT.iter().map(weaken).collect()).expect("every check was run")
    };
    for (used, user) in [("prop:altform", "prop-disc"), ("smooth-interior", "sqrtVar-lower")] {
        assert_eq!(status(&DEFAULT, user).word(), "PROVED", "{user}");
        let rows = without(used);
        assert_eq!(status(&rows, used).word(), "EXHAUSTED", "{used}");
        let Status::Conditional { given, .. } = status(&rows, user) else { panic!("{user}") };
        assert_eq!(given, [used]);
    }
}
