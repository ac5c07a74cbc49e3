//! The claims registry: a run of it, its counterexamples, its shards, its expectation.

use std::collections::HashMap;
use std::sync::LazyLock;

use truecal::claims::{self, Check, Claim};
use truecal::evidence::{Effort, Options, Row, Shard, run};
use truecal::law::Law;
use truecal::report::claims::{
    COMMITTED, Colour, Expectation, Record, counterexamples, merge, table, totals,
};

use crate::command::assert_snapshot;

fn rows(options: &Options) -> Vec<Row> {
    run(&claims::all().collect::<Vec<_>>(), options, &|_| ())
}

/// One default run for all tests that look at one.
pub static DEFAULT: LazyLock<Vec<Row>> = LazyLock::new(|| rows(&Options::default()));

#[test]
fn the_default_run_is_as_committed() {
    let expectation: Expectation = COMMITTED.parse().expect("the committed expectation");
    let differences = expectation.differences(&DEFAULT, true, true);
    assert!(differences.is_empty(), "{differences:#?}");
    assert_eq!(Expectation::write(&DEFAULT), COMMITTED);
    let table = table(&DEFAULT, Colour::Never);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

/// The rows that the README shows.
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
fn the_readme_shows_totals_and_headlines() {
    let headlines: Vec<Row> =
        DEFAULT.iter().filter(|row| HEADLINES.contains(&row.claim.id)).cloned().collect();
    assert_eq!(headlines.len(), HEADLINES.len());
    let expected = format!("{}\n{}\n", table(&headlines, Colour::Never), totals(&DEFAULT));
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&expected), "the README should show\n{expected}");
}

/// The name of the snapshot of a claim's counterexamples.
pub fn snapshot_name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    format!("claim-{}", id.chars().map(plain).collect::<String>())
}

#[test]
fn counterexamples_are_reviewed() {
    let mut names = HashMap::new();
    for row in DEFAULT.iter() {
        let Some(text) = counterexamples(row) else { continue };
        let name = snapshot_name(row.claim.id);
        assert_eq!(names.insert(name.clone(), row.claim.id), None, "{name} would be used twice");
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(104), "{}: a line of {widest:?} columns\n{text}", row.claim.id);
        assert_snapshot!(name, text);
    }
    // And none is left of a claim that has none any more.
    for entry in
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots")).expect("a folder")
    {
        let file = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let name = file.strip_suffix(".snap").unwrap_or(&file);
        assert!(
            !name.starts_with("claim-") || names.contains_key(name),
            "{file} belongs to no claim"
        );
    }
}

#[test]
fn shards_merge_to_the_whole_run() {
    let options = Options { effort: Effort::Quick, ..Options::default() };
    // Every third claim is enough to see that shares add up: laws are divided and surveys dealt out alike in all of them.
    let claims: Vec<&Claim> = claims::all().step_by(3).collect();
    let quick = run(&claims, &options, &|_| ());
    // The smaller domains hold a case for every tooth as well. (`.ci/run` asks both of all claims.)
    let expectation: Expectation = COMMITTED.parse().expect("the committed expectation");
    assert_eq!(expectation.differences(&quick, false, false), []);
    let whole = Record::new(&quick, &options, 0.0).to_json();
    let read = |text: &str| Record::read(text).expect("what was written");
    let thirds = (1..=3).map(|number| {
        let options = Options { shard: Shard { number, of: 3 }, ..options.clone() };
        let text = Record::new(&run(&claims, &options, &|_| ()), &options, 0.0).to_json();
        (number.to_string(), read(&text))
    });
    let alone = vec![("whole".to_owned(), read(&whole))];
    for shards in [alone, thirds.rev().collect()] {
        let (rows, options, _) = merge(shards).expect("all of one run");
        assert_eq!(Record::new(&rows, &options, 0.0).to_json(), whole);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let options = Options { effort: Effort::Quick, max_rounds: Some(3), ..Options::default() };
    // Only laws are divided between threads.
    let has_law = |claim: &&Claim| claim.checks.iter().any(|check| matches!(check, Check::Law(_)));
    let laws: Vec<_> = claims::all().filter(has_law).collect();
    let json = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| Record::new(&run(&laws, &options, &|_| ()), &options, 0.0).to_json())
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
            // What holds instead of informal-smoothed speaks of OPT, which nothing computes for densities.
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
