//! The claims for every T are well formed.

use std::collections::BTreeSet;

use crate::aggregated::{ALL, named, of_law};
use crate::law::Law;
use crate::polynomial::Poly;

/// What a claim rests on stands before it, so that nothing rests on itself; and what it states are
/// polynomials in its variables.
#[test]
fn claims_are_well_formed() {
    let mut names = BTreeSet::new();
    for claim in ALL {
        assert!(names.insert(claim.name));
        assert!(claim.rests_on.iter().all(|name| names.contains(name)), "{}", claim.name);
        assert!(!claim.argument.is_empty() && !claim.cases.is_empty());
        for case in claim.cases {
            assert!(!case.name.contains(' ') && !case.goals.is_empty() && !case.setting.is_empty());
            let variables = case.names();
            assert_eq!(variables.iter().collect::<BTreeSet<_>>().len(), variables.len());
            let text: String = case.facts.iter().chain(case.goals).copied().collect();
            assert!(variables.iter().all(|name| text.contains(name)), "{}", case.name);
            for text in case.facts.iter().chain(case.goals) {
                assert!(Poly::parse(text, &variables).is_ok(), "{text}");
            }
        }
        if let Ok(law) = claim.claim.parse::<Law>() {
            assert_eq!(law.to_string(), claim.claim);
            assert_eq!(of_law(&law).map(|known| known.name), Some(claim.name));
        }
    }
}

#[test]
fn claims_are_found_by_name_and_by_what_they_say() {
    assert_eq!(named("step-ece").map(|claim| claim.claim), Some("stepce <= ece"));
    assert!(named("step").is_none());
    let of = |law: &str| of_law(&law.parse().expect("a law")).map(|claim| claim.name);
    assert_eq!(of("ece - stepce >= 0"), Some("step-ece"));
    assert_eq!(of("stepce >= ucal/8"), Some("ucal-step"));
    assert_eq!(of("signce >= abs(bias)"), Some("bias-sign"));
    assert_eq!(of("stepce < ece"), None);
}

#[test]
fn a_case_says_what_follows_from_what() {
    let case = &named("ucal-sub").expect("a claim").cases[0];
    assert_eq!(case.names(), ["U", "S", "Y"]);
    assert_eq!(
        case.to_string(),
        "chain. U = UCal, S = stepCE, Y = stepCE^sub. Where 8*S - U, 2*Y - S are >= 0, 16*Y - U \
         are >= 0."
    );
}
