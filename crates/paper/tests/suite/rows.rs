//! What every row must have.

use std::collections::HashSet;

use truecal_paper::claims::{self, SECTIONS, harnesses};

#[test]
fn rows_are_complete() {
    let mut ids = HashSet::new();
    for claim in claims::all() {
        assert!(ids.insert(claim.id.to_ascii_lowercase()), "{} occurs twice", claim.id);
        let plain = |c: char| c.is_ascii_alphanumeric() || ":._+=-".contains(c);
        assert!(claim.id.chars().all(plain), "{} would have to be quoted in a shell", claim.id);
        assert!(!claim.reading.is_empty(), "{} has no reading", claim.id);
        assert!(SECTIONS.contains(&claim.section), "{} is in no section", claim.id);
        let checked = !claim.checks.is_empty();
        assert_eq!(checked, claim.stated.is_empty(), "{}: a check or a reason", claim.id);
    }
}

#[test]
fn sections_have_rows_and_names_of_their_own() {
    let mut keys = HashSet::new();
    for section in SECTIONS {
        assert!(keys.insert(section.key), "{} occurs twice", section.key);
        assert!(claims::all().any(|claim| claim.section == *section), "{}", section.title);
    }
}

/// The list of harnesses.
const HARNESSES: &str = include_str!("../../../../proofs/harnesses.tsv");

/// What is run weekly only is not the only proof of anything.
#[test]
fn no_claim_rests_on_slow_harnesses_alone() {
    let claims = |wanted: &str| {
        let rows = HARNESSES.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let rows = rows.filter(|row| row[3] == wanted).map(|row| row[2]);
        rows.flat_map(|ids| ids.split(' ')).collect::<HashSet<_>>()
    };
    let (default, slow) = (claims("default"), claims("slow"));
    assert!(!slow.is_empty() && slow.is_subset(&default), "{:?}", slow.difference(&default));
}

/// Ten seconds at most for each of the default set of all packages, a minute for five.
#[test]
fn the_default_set_is_within_its_budget() {
    let rows = HARNESSES.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let default = rows.filter(|row| row[3] == "default");
    let seconds: Vec<u32> = default.map(|row| row[6].parse().expect("seconds")).collect();
    let long = seconds.iter().filter(|&&seconds| seconds > 10).count();
    assert!(long <= 5 && seconds.iter().all(|&seconds| seconds <= 60), "{seconds:?}");
}

#[test]
fn every_harness_names_claims() {
    for line in HARNESSES.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (path, ids) = (columns.next(), columns.nth(1).expect("claims"));
        for id in ids.split(' ') {
            let claim = claims::find(id);
            assert!(claim.is_some_and(|claim| claim.id == id), "no claim {id}: {line}");
            assert!(harnesses(id).any(|known| Some(known.path) == path), "{id} does not know it");
        }
    }
}
