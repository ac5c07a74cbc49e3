//! Claims for every T: that every table is an instance of them, and that they say no less than they
//! could.

use num_rational::BigRational;
use proptest::prelude::*;
use truecal::grid::grid_tables;
use truecal::{AnyLevels, Measure};
use truecal_check::aggregated;
use truecal_check::law::Quantity;
use truecal_check::polynomial::Poly;
use truecal_verify::aggregation::{Sums, links as linked};
use truecal_verify::enumeration::Sampler;
use truecal_verify::laws::value_of;
use truecal_verify::prover;

/// The aggregation lemma: with the literal definitions on a grid, with the formulas on longer
/// sequences.
#[test]
fn every_table_is_an_instance_of_the_aggregated_claims() {
    let links = |levels: &AnyLevels, measure: &dyn Fn(Measure) -> BigRational| {
        let sums = Sums::new(levels, measure);
        for claim in aggregated::ALL {
            let linked = linked(claim, &sums);
            linked.unwrap_or_else(|problem| panic!("{} at {levels:?}: {problem}", claim.name));
        }
    };
    for levels in (1..=3).flat_map(|rounds| grid_tables(rounds, 4)).map(AnyLevels::from) {
        let rounds = levels.to_rational().to_rounds();
        links(&levels, &|measure| (measure.description().definition)(&rounds));
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

/// No row shows a goal that is a little less.
#[test]
fn an_aggregated_goal_cannot_be_lowered() {
    for claim in aggregated::ALL {
        for case in claim.cases {
            let names = case.names();
            let poly = |text: &str| Poly::parse(text, &names).expect("a polynomial");
            let facts: Vec<_> = case.facts.iter().map(|fact| poly(fact)).collect();
            for goal in case.goals {
                let lower = poly(&format!("{goal} - 1"));
                assert!(prover::row(&facts, 0, &lower).is_err(), "{}: {goal}", claim.name);
            }
        }
    }
}
