//! The certificates of the laws in the registry: that there are all that could be, and what the
//! prover does with wrong variants.

use std::collections::BTreeSet;

use truecal_check::Subject;
use truecal_check::law::Law;
use truecal_paper::claims;
use truecal_verify::committed::{COMMITTED_ROUNDS, committed, file_name};
use truecal_verify::kernel;
use truecal_verify::laws::tightened;
use truecal_verify::prover::{self, Failure};
use truecal_verify::registry::{Check, LawCheck};

fn law(text: &str) -> Law {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn prove(law: &Law, rounds: u32) -> Result<String, Failure> {
    prover::prove(law, rounds, &truecal::Watch::silent())
}

/// The law checks of the registry, one for each law.
fn law_checks() -> Vec<&'static LawCheck> {
    let mut seen = BTreeSet::new();
    let checks = claims::all().flat_map(|claim| claim.checks);
    let laws = checks.filter_map(|check| match check {
        Check::Law(check) => Some(check),
        _ => None,
    });
    laws.filter(|check| seen.insert(check.law)).collect()
}

fn is_committed(law: &Law) -> bool {
    let name = file_name(&Subject { law: law.clone(), rounds: 1 }, true);
    committed().any(|committed| committed.name == name)
}

/// A change of the prover, or of a law, that would change a certificate is noticed; and no law that
/// could have one lacks it.
#[test]
fn committed_certificates_are_those_that_the_prover_makes() {
    let mut without = vec![];
    for check in law_checks() {
        let law = law(check.law);
        let proved: Result<Vec<String>, Failure> =
            (1..=COMMITTED_ROUNDS).map(|rounds| prove(&law, rounds)).collect();
        match proved {
            Ok(texts) => {
                for (rounds, text) in (1..).zip(texts) {
                    let name = file_name(&Subject { law: law.clone(), rounds }, true);
                    let committed = committed().find(|committed| committed.name == name);
                    let committed = committed.unwrap_or_else(|| panic!("{name} is missing"));
                    assert!(committed.text == text, "{name} is stale");
                }
            }
            Err(failure) => {
                assert!(!is_committed(&law));
                let reason = match failure {
                    Failure::Refuted(_) => "refuted",
                    Failure::NotFound { .. } => "not found",
                    Failure::Unsupported => "unsupported",
                    other => panic!("{}: {other}", check.law),
                };
                without.push((check.law, reason));
            }
        }
    }
    let expected = [
        ("ucal <= T", "refuted"),
        ("vcal <= T", "refuted"),
        ("squares == 0 => stepce == 0", "unsupported"),
        ("ucal <= 2*cdl", "unsupported"),
        ("cdl <= 2*ece", "unsupported"),
        ("cdl <= T", "unsupported"),
        ("T <= 4 => stepce_sub <= stepce/2 + 1/2", "not found"),
        ("var <= T/4", "not found"),
        ("stepce_sub <= stepce/2 + sqrt(squares)", "unsupported"),
        ("stepce_sub <= stepce/2 + sqrt(T/4 + 3*stepce)", "unsupported"),
    ];
    assert_eq!(without, expected);
}

/// Each wrong variant of a certified law has no certificates for all T, and the prover shows an
/// exact table where it fails.
#[test]
fn a_perturbed_law_is_refuted_by_the_prover() {
    for check in law_checks() {
        let claimed = law(check.law);
        if !is_committed(&claimed) {
            continue;
        }
        let wrong = check.mistake.map(law).or_else(|| tightened(&claimed));
        let wrong = wrong.expect("a test of the registry asks for a mistake");
        let found = (1..=5).find_map(|rounds| match prove(&wrong, rounds) {
            Err(Failure::Refuted(found)) => Some(found),
            _ => None,
        });
        let Some(found) = found else {
            // Strict laws and hypotheses with a slack are judged on grids only.
            assert!(matches!(prove(&wrong, 1), Err(Failure::Unsupported)), "{wrong}");
            continue;
        };
        assert!(found.refutes(&wrong) && !found.refutes(&claimed), "{wrong} at {found:?}");
    }
}

/// Finite checks name theorems that there are, and that are said to be evidence for the claim.
#[test]
fn finite_checks_name_their_proofs() {
    let mut known = 0;
    for claim in claims::all() {
        let proofs = claim.checks.iter().flat_map(|check| match check {
            Check::Finite(evidence) => evidence.proofs,
            _ => &[],
        });
        for name in proofs {
            let theorem = kernel::record().named(name).unwrap_or_else(|| panic!("{name}"));
            assert!(theorem.claims.contains(&claim.id), "{name} does not name {}", claim.id);
            known += 1;
        }
    }
    assert!(known > 0);
}

/// Theorems are evidence for claims that there are.
#[test]
fn theorems_name_their_claims() {
    let ids: BTreeSet<_> = claims::all().map(|claim| claim.id).collect();
    let theorems = &kernel::record().theorems;
    let named = theorems.iter().flat_map(|theorem| &theorem.claims);
    let unknown: Vec<_> = named.clone().filter(|id| !ids.contains(**id)).collect();
    assert!(unknown.is_empty(), "no claims of the registry: {unknown:?}");
    assert!(named.count() > 100);
}

/// File names are plain, and no two laws share one.
#[test]
fn laws_have_names_of_their_own() {
    let mut names = BTreeSet::new();
    for check in law_checks() {
        let name = file_name(&Subject { law: law(check.law), rounds: 1 }, true);
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)), "{name}");
        assert!(names.insert(name), "{}", check.law);
    }
    // Signs and brackets are lost in words, but not in the number that other laws get; and names
    // stay short.
    let long = format!("max(ece{}) <= T", ", ece".repeat(200));
    for text in ["2*(ece - stepce) >= 0", "2*ece - stepce >= 0", "-ece <= 0", "ece <= 0", &long] {
        let name = file_name(&Subject { law: law(text), rounds: 1 }, false);
        assert!(name.len() < 130 && names.insert(name), "{text}");
    }
}
