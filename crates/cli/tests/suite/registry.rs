//! The claims registry: a run of it, its shards, its expectation.

use std::sync::LazyLock;

use truecal_check::law::Law;
use truecal_cli::json::{self, Record, merge};
use truecal_cli::report::claims::{Colour, Expectation, table, totals};
use truecal_paper::claims::{self, EXPECTED};
use truecal_verify::evidence::{Options, Row, Shard, run};
use truecal_verify::registry::Extent;
use truecal_verify::registry::{Check, Claim};

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
    "prop:stepCE-complete-sound-decision-theoretic",
    "VCal-bound",
    "stepCE-vs-ECE",
    "eq:total-bias-bound",
    "lemma:stepCE-vs-stepCEsub",
];

#[test]
fn totals_and_headlines_are_shown() {
    let headlines: Vec<Row> =
        DEFAULT.iter().filter(|row| HEADLINES.contains(&row.claim.id)).cloned().collect();
    assert_eq!(headlines.len(), HEADLINES.len());
    let totals = totals(&DEFAULT);
    let expected = format!("{}\n{totals}\n", table(&headlines, Colour::Never));
    let page = include_str!("../../../../docs/src/paper.md");
    assert!(page.contains(&expected), "docs/src/paper.md should show\n{expected}");
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains(&totals), "the README should show\n{totals}");
}

#[test]
fn shards_merge_to_the_whole_run() {
    let options = Options { effort: Extent::Quick, ..Options::default() };
    // Every third claim is enough to see that shares add up: laws are divided and finite checks
    // distributed alike in all of them.
    let claims: Vec<&Claim> = claims::all().step_by(3).collect();
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
        for id in claim.uses.iter().chain(claim.see) {
            assert!(claims::find(id).is_some(), "{} refers to {id}", claim.id);
        }
        for (check, finding) in claim.checks.iter().zip(row.findings.iter().flatten()) {
            // What holds instead of informal-smoothed speaks of OPT, which nothing computes for
            // densities.
            let corrected = finding.correction.is_some() || claim.id == "informal-smoothed";
            assert!(finding.counterexample.is_none() || corrected, "{}: what instead?", claim.id);
            let Check::Law(check) = check else { continue };
            let refuted = finding.counterexample.is_some();
            assert_eq!(refuted, check.correction.is_some(), "{}: {}", claim.id, check.law);
            let law: Law = check.law.parse().expect("a law");
            assert_eq!(law.to_string(), check.law, "{}: written in the usual form", claim.id);
        }
    }
}
