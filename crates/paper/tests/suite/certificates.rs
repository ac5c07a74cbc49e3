//! Certificates: those that are committed, what the prover does with false laws, and the
//! aggregation lemma.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use num_rational::BigRational;
use proptest::prelude::*;
use truecal::grid::grid_tables;
use truecal::rational::ratio;
use truecal::{AnyLevels, Measure, definitions};
use truecal_check::Subject;
use truecal_check::aggregated;
use truecal_check::checker;
use truecal_check::law::{Law, Quantity};
use truecal_paper::aggregation::{Sums, links as linked};
use truecal_paper::claims;
use truecal_paper::committed::{COMMITTED_ROUNDS, committed, file_name};
use truecal_paper::enumeration::Sampler;
use truecal_paper::laws::{tightened, value_of};
use truecal_paper::prover::{self, Failure};
use truecal_paper::registry::{Check, LawCheck};

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
    let name = file_name(&Subject::Law(law.clone(), 1), true);
    committed().any(|committed| committed.name == name)
}

#[test]
fn the_directory_is_built_in() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/certificates");
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(directory).expect("the directory") {
        let entry = entry.expect("an entry");
        let text = fs::read_to_string(entry.path()).expect("text");
        files.insert((entry.file_name().into_string().expect("a plain name"), text));
    }
    let known: BTreeSet<_> = committed().map(|c| (c.name.to_owned(), c.text.to_owned())).collect();
    assert_eq!(files, known, "proofs/certificates and src/certificate/committed.rs differ");
    let whole: usize = known.iter().map(|(_, text)| text.len()).sum();
    assert!(whole < 1 << 20, "{whole} bytes of certificates are too many to commit");
}

/// That they are accepted is for the crate of the checker to test.
#[test]
fn every_committed_certificate_is_named_after_what_it_proves() {
    for committed in committed() {
        let subject = Subject::read(committed.text).expect("a certificate");
        assert_eq!(file_name(&subject, false), committed.name);
    }
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
                    let name = file_name(&Subject::Law(law.clone(), rounds), true);
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
    for claim in aggregated::ALL {
        let text = prover::prove_aggregated(claim).expect("a certificate");
        let name = file_name(&Subject::Aggregated(claim), false);
        let committed = committed().find(|committed| committed.name == name);
        assert_eq!(committed.map(|committed| committed.text), Some(text.as_str()), "{name}");
    }
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

#[test]
fn the_refuting_vertex_is_exact() {
    // 3 is attained at x = (1,0), p = (1/2,1).
    let Err(Failure::Refuted(found)) = prove(&law("signce <= 299/100*stepce"), 2) else {
        panic!("not refuted")
    };
    let rounds: Vec<_> = found.outcomes.iter().copied().zip(found.predictions.clone()).collect();
    let [sign, step] = [definitions::sign_ce(&rounds), definitions::step_ce(&rounds)];
    assert!(sign > ratio(299, 100) * step);
    // It is found anew for each number of rounds, by one thread or by many.
    let texts = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let laws = ["signce <= 299/100*stepce", "signce <= 3*stepce", "ucal <= 7*stepce"];
        pool.install(|| laws.map(|text| format!("{:?}", prove(&law(text), 5))))
    };
    assert_eq!(texts(1), texts(3));
}

/// The aggregation lemma: with the literal definitions on a grid, with the formulas on longer
/// sequences.
#[test]
fn every_table_is_an_instance_of_the_aggregated_claims() {
    let literal = |levels: &AnyLevels, measure: Measure| {
        let rounds = levels.to_rational().to_rounds();
        match measure {
            Measure::Ece => definitions::ece(&rounds),
            Measure::SmCe => definitions::sm_ce(&rounds),
            Measure::StepCe => definitions::step_ce(&rounds),
            Measure::SignCe => definitions::sign_ce(&rounds),
            Measure::IntervalCe => definitions::interval_ce(&rounds),
            Measure::VCal => definitions::v_cal(&rounds),
            Measure::UCal => definitions::u_cal(&rounds),
            Measure::StepCeSub => definitions::subsampled(&rounds, definitions::step_ce),
            other => value_of(levels, Quantity::Measure(other)),
        }
    };
    let links = |levels: &AnyLevels, measure: &dyn Fn(Measure) -> BigRational| {
        let sums = Sums::new(levels, measure);
        for claim in aggregated::ALL {
            let linked = linked(claim, &sums);
            linked.unwrap_or_else(|problem| panic!("{} at {levels:?}: {problem}", claim.name));
        }
    };
    for levels in (1..=3).flat_map(|rounds| grid_tables(rounds, 4)).map(AnyLevels::from) {
        links(&levels, &|measure| literal(&levels, measure));
    }
    // One with more ways to choose than 64 bits hold, found by chance below.
    let long = Sampler::new(938_525_214_685).forecasts(60).levels().expect("small denominators");
    links(&long, &|measure| value_of(&long, Quantity::Measure(measure)));
    for seed in 0..60 {
        let levels = Sampler::new(seed).forecasts(40).levels().expect("small denominators");
        links(&levels, &|measure| value_of(&levels, Quantity::Measure(measure)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn long_tables_are_instances_of_the_aggregated_claims(seed in 1_000_u64..1 << 40) {
        let levels = Sampler::new(seed).forecasts(60).levels().expect("small denominators");
        let measure = |measure| value_of(&levels, Quantity::Measure(measure));
        let sums = Sums::new(&levels, &measure);
        for claim in aggregated::ALL {
            prop_assert_eq!(linked(claim, &sums), Ok(()), "{}", claim.name);
        }
    }
}

/// The lemma can fail: a table whose measures are wrong is no instance.
#[test]
fn the_aggregation_lemma_notices_wrong_measures() {
    let levels = AnyLevels::from(grid_tables(3, 4).nth(57).expect("a table"));
    for wrong in [-1, 1] {
        let measure = |measure| {
            let value = value_of(&levels, Quantity::Measure(measure));
            value * BigRational::new((100 + wrong).into(), 100.into())
        };
        let sums = Sums::new(&levels, &measure);
        let failing = aggregated::ALL.iter().filter(|claim| linked(claim, &sums).is_err());
        assert!(failing.count() >= 10, "{wrong}");
    }
}

/// Surveys name proofs that there are.
#[test]
fn surveys_name_their_proofs() {
    let proofs = claims::all().flat_map(|claim| claim.checks).filter_map(|check| match check {
        Check::Survey(survey) => survey.proof,
        _ => None,
    });
    let mut known = 0;
    for name in proofs {
        assert!(aggregated::named(name).is_some(), "{name}");
        known += 1;
    }
    assert!(known > 0);
}

/// No row shows a goal that is a little less.
#[test]
fn an_aggregated_goal_cannot_be_lowered() {
    for claim in aggregated::ALL {
        for case in claim.cases {
            let names = case.names();
            let poly = |text: &str| checker::Poly::parse(text, &names).expect("a polynomial");
            let facts: Vec<_> = case.facts.iter().map(|fact| poly(fact)).collect();
            for goal in case.goals {
                let lower = poly(&format!("{goal} - 1"));
                assert!(prover::row(&facts, 0, &lower).is_err(), "{}: {goal}", claim.name);
            }
        }
    }
}

/// File names are plain, and no two laws share one.
#[test]
fn laws_have_names_of_their_own() {
    let mut names = BTreeSet::new();
    for check in law_checks() {
        let name = file_name(&Subject::Law(law(check.law), 1), true);
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)), "{name}");
        assert!(names.insert(name), "{}", check.law);
    }
    // Signs and brackets are lost in words, but not in the number that other laws get; and names
    // stay short.
    let long = format!("max(ece{}) <= T", ", ece".repeat(200));
    for text in ["2*(ece - stepce) >= 0", "2*ece - stepce >= 0", "-ece <= 0", "ece <= 0", &long] {
        let name = file_name(&Subject::Law(law(text), 1), false);
        assert!(name.len() < 130 && names.insert(name), "{text}");
    }
}

/// The book's table of what the committed certificates prove.
#[test]
fn the_book_lists_what_is_proved() {
    let list = |claims: Vec<String>| claims.join(", ");
    let subjects = || committed().map(|c| Subject::read(c.text).expect("a certificate"));
    let laws: BTreeSet<String> = subjects()
        .filter_map(|subject| match subject {
            Subject::Law(law, _) if aggregated::of_law(&law).is_none() => Some(format!("`{law}`")),
            _ => None,
        })
        .collect();
    let every = aggregated::ALL.iter().map(|claim| match claim.claim.parse::<Law>() {
        Ok(law) => format!("`{law}`"),
        Err(_) => claim.claim.to_owned(),
    });
    let table = format!(
        "| rounds | proved for every real prediction |\n|---|---|\n| every T | {} |\n| T <= \
            {COMMITTED_ROUNDS} | {} |\n",
        list(every.collect()),
        list(laws.into_iter().collect())
    );
    let page = include_str!("../../../../docs/src/certificates.md");
    assert!(page.contains(&table), "docs/src/certificates.md should show\n{table}");
}
