//! What every row must have.

use std::collections::HashSet;

use truecal_paper::claims::{self, SECTIONS, harnesses, with_foundations};
use truecal_verify::committed::proof_of_law;
use truecal_verify::registry::{Check, Claim, FiniteCheck, Kind, Scope};

#[test]
fn rows_are_complete() {
    let mut ids = HashSet::new();
    for claim in claims::all() {
        assert!(ids.insert(claim.id.to_ascii_lowercase()), "{} occurs twice", claim.id);
        let plain = |c: char| c.is_ascii_alphanumeric() || ":._+=-".contains(c);
        assert!(claim.id.chars().all(plain), "{} would have to be quoted in a shell", claim.id);
        assert!(!claim.reading.is_empty(), "{} has no reading", claim.id);
        assert!(SECTIONS.contains(&claim.section), "{} is in no section", claim.id);
        let shown = !claim.checks.is_empty() || !claim.parts.is_empty();
        assert_eq!(shown, claim.stated.is_empty(), "{}: checks, parts or a reason", claim.id);
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

/// The finite checks of all rows, with their rows.
fn finite_checks() -> impl Iterator<Item = (&'static Claim, &'static FiniteCheck)> {
    let of = |claim: &'static Claim| {
        claim.checks.iter().filter_map(move |check| match check {
            Check::Finite(check) => Some((claim, check)),
            _ => None,
        })
    };
    claims::all().flat_map(of)
}

/// Whether words name a bound of what runs over all numbers, or a condition. What is tried besides
/// stands behind a semicolon and says so.
fn limits(words: &str) -> bool {
    let said = words.split("; ").filter(|part| !part.contains("tried "));
    let bound = |name: &str, part: &str| {
        let digits = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        part.match_indices(name).any(|(at, _)| {
            let alone = !part[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let rest = part[at + name.len()..].strip_prefix(" <= ");
            alone && rest.is_some_and(|rest| digits(rest) && !rest.starts_with("1/"))
        })
    };
    let mut said = said.filter(|part| {
        part.contains("given")
            || ["T", "k", "m", "n", "N", "M"].iter().any(|name| bound(name, part))
    });
    said.next().is_some()
}

/// The words of a check do not contradict its scope: a check of every T has no bound, and names no
/// condition, which would be a row that is used.
#[test]
fn words_agree_with_scopes() {
    for bad in ["T <= 6", "all alpha; m <= 7", "all T, given Freedman", "k <= 4, all weights"] {
        assert!(limits(bad), "{bad}");
    }
    for fine in ["all T", "all T; tried for T <= 6", "all a, b >= 0 with a + 2b <= 1", "m <= 1/4"] {
        assert!(!limits(fine), "{fine}");
    }
    for (claim, check) in finite_checks() {
        let wide = matches!(check.scope, Scope::All | Scope::Asymptotic);
        assert!(!(wide && limits(check.covers)), "{}: {}", claim.id, check.covers);
        let single = check.covers.contains("the instance");
        assert!(!single || check.scope == Scope::Instance, "{}: {}", claim.id, check.title);
    }
}

/// Nobody states a theorem for the cases that were tried.
#[test]
fn readings_have_scopes_of_readings() {
    for claim in claims::all() {
        assert!(!matches!(claim.scope, Scope::Cases | Scope::Samples), "{}", claim.id);
        let asymptotic = ["as T grows", "all large T"].iter().any(|w| claim.reading.contains(w));
        assert!(!asymptotic || claim.scope == Scope::Asymptotic, "{}", claim.id);
    }
}

/// What a row rests on comes to an end: following parts and uses never leads back.
#[test]
fn nothing_rests_on_itself() {
    for claim in claims::all() {
        let links = claim.parts.iter().chain(claim.uses);
        let on: Vec<_> = links.map(|id| claims::find(id).expect("a claim")).collect();
        let below = with_foundations(&on);
        assert!(below.iter().all(|other| other.id != claim.id), "{} rests on itself", claim.id);
    }
}

/// Theorems rest on nothing else: a row of which every check is one uses no other row.
#[test]
fn theorems_use_nothing() {
    let is_theorem = |check: &Check| match check {
        Check::Law(check) => {
            let law = check.law.parse().expect("a law");
            matches!(proof_of_law(&law), Some(Ok(proof)) if proof.scope == Scope::All)
        }
        Check::Finite(check) => !check.proofs.is_empty(),
        Check::Example(_) | Check::Refutation(_) => false,
    };
    let is_instance = |check: &Check| match check {
        Check::Finite(check) => check.scope == Scope::Instance,
        Check::Example(_) => true,
        Check::Law(_) | Check::Refutation(_) => false,
    };
    let mut rows = 0;
    for claim in claims::all().filter(|claim| claim.checks.iter().any(is_theorem)) {
        if claim.checks.iter().all(|check| is_theorem(check) || is_instance(check)) {
            assert!(claim.uses.is_empty(), "{} uses {:?}", claim.id, claim.uses);
            rows += 1;
        }
    }
    assert!(rows > 20, "{rows}");
}

/// A citation is used under its name, and what is used by name of a theorem is a citation.
#[test]
fn citations_are_named() {
    let cited: Vec<_> = claims::all().filter(|claim| claim.id.starts_with("cited:")).collect();
    assert!(cited.iter().all(|claim| claim.kind == Kind::Cited && claim.checks.is_empty()));
    for citation in cited {
        let used = claims::all().any(|claim| claim.uses.contains(&citation.id));
        assert!(used, "nothing uses {}", citation.id);
    }
}
