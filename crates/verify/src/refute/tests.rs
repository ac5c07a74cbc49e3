//! The parts of the search, each against something plainer.

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::ascent::{Aim, simplest_within, small};
use super::cell::Cell;
use super::grids::encoded;
use super::instance::Instance;
use super::simplest::simplest;
use super::*;
use crate::enumeration::in_order;
use crate::laws::value_of;
use truecal::AnyLevels;
use truecal::grid::grid_tables;
use truecal_check::Pattern;
use truecal_check::law::Quantity;

fn law(text: &str) -> Law {
    text.parse().expect("a law")
}

fn rational(text: &str) -> BigRational {
    text.parse().expect("a number")
}

/// All quantities but those that `value_of` takes long for.
fn instances(rounds: u32, denominator: u32) -> impl Iterator<Item = Instance> {
    grid_tables(rounds, denominator).map(|table| Instance::of_levels(&AnyLevels::from(table)))
}

#[test]
fn a_cell_knows_the_quantities_of_its_tables() {
    for instance in (1..=3).flat_map(|rounds| instances(rounds, 4)) {
        let (pattern, values) = instance.pattern();
        assert_eq!(Instance::of_pattern(&pattern, &values), Some(instance.clone()));
        let cell = Cell::new(&pattern, &Quantity::ALL).expect("small");
        let levels = instance.levels();
        for quantity in Quantity::ALL {
            assert_eq!(
                cell.value(quantity, &values),
                value_of(&levels, quantity),
                "{quantity} at {instance}"
            );
        }
    }
}

/// At points in general position, where no two pieces are equal.
#[test]
fn slopes_in_a_cell_are_those_of_small_changes() {
    let step = small(40);
    for (outcomes, predictions) in [
        ("0,1,0", "11/97,53/101,71/83"),
        ("1,0,1,0", "13/97,37/101,61/103,89/107"),
        ("1,1,0,0", "13/97,13/97,61/103,89/107"),
        ("0,0,1", "41/97,41/97,53/109"),
    ] {
        let levels = crate::evidence::levels_of_columns(outcomes, predictions).expect("a table");
        let instance = Instance::of_levels(&levels);
        let (pattern, values) = instance.pattern();
        let cell = Cell::new(&pattern, &Quantity::ALL).expect("small");
        for quantity in Quantity::ALL {
            let (value, slopes) = cell.value_and_slopes(quantity, &values);
            for (j, slope) in slopes.iter().enumerate() {
                let mut moved = values.clone();
                moved[j] += &step;
                let change = (cell.value(quantity, &moved) - &value) / &step;
                let error = (change - slope).abs();
                assert!(error < small(20), "{quantity} in v_{} at {instance}", j + 1);
            }
        }
    }
}

/// Where neighbours touch, the value is what tables come close to.
#[test]
fn a_cell_knows_the_limits() {
    let pattern = Pattern { levels: vec![(1, 1), (0, 1), (1, 2)] };
    let cell = Cell::new(&pattern, &Quantity::ALL).expect("small");
    let inside = ["1/5", "1/2", "4/5"].map(rational);
    let touching =
        [["1/3", "1/3", "3/4"], ["1/3", "2/3", "2/3"], ["1/2", "1/2", "1/2"], ["0", "0", "1"]];
    for limit in touching.map(|limit| limit.map(rational)) {
        assert!(cell.instance(&limit).is_none());
        for quantity in Quantity::ALL {
            let near: Vec<_> =
                limit.iter().zip(&inside).map(|(l, i)| l + (i - l) * small(30)).collect();
            let table = cell.instance(&near).expect("a table").levels();
            let error = (cell.value(quantity, &limit) - value_of(&table, quantity)).abs();
            assert!(error < small(20), "{quantity} at {limit:?}");
        }
    }
}

#[test]
fn patterns_are_numbered_as_by_walks() {
    let law = law("ece <= T + 1");
    let watch = Watch::silent();
    let budget = Budget { max_rounds: 3, grid: 4, cases: None };
    let mut grids = Grids::new(&law, Extreme::Slack, &budget, &watch);
    let mut stage = Stage::new(3);
    assert_eq!(grids.search(&mut stage, 1..=4), None);
    assert_eq!(stage.best.len() as u64, prover::patterns(3));
    for (code, best) in &stage.best {
        assert_eq!(encoded(&grids::table(best).pattern().0), *code);
    }
}

#[test]
fn a_climb_reaches_the_top_of_its_pattern() {
    // (sides, start, the best ratio in that pattern)
    let cases = [
        ("signce <= stepce", "1,0", "1/5,4/5", "3"),
        ("ucal <= stepce", "1,0", "3/5,7/10", "6"),
        ("ece <= stepce", "0,1,0,1", "1/5,2/5,3/5,4/5", "7"),
        ("ucal == 0 => abs(bias) <= 1", "0,1", "0,1/2", "1/2"),
        ("vcal <= ucal", "1", "1/4", "1"),
        ("stepce <= 1/4 => vcal <= 1", "1,0", "3/8,3/8", "1/2"),
    ];
    for (text, outcomes, predictions, best) in cases {
        let law = law(text);
        let levels = crate::evidence::levels_of_columns(outcomes, predictions).expect("a table");
        let (pattern, values) = Instance::of_levels(&levels).pattern();
        let cell = Cell::new(&pattern, &Aim::quantities(&law)).expect("small");
        let (gain, cost) = in_order(&law.conclusion).expect("an inequality");
        let rate = BigRational::default();
        let mut aim = Aim { gain, cost, rate, hypothesis: law.hypothesis.as_ref() };
        let summit = aim.ascend(&cell, &values, true, &Watch::silent()).expect("feasible");
        assert_eq!(summit.ratio(), Some(rational(best)), "{text}: {:?}", summit.at);
    }
}

#[test]
fn the_simplest_predictions_are_found() {
    let half = law("stepce <= 1/5");
    let found = Instance::of_levels(
        &crate::evidence::levels_of_columns("1,0", "3333/10000,7071/10000").expect("a table"),
    );
    let (pattern, values) = found.pattern();
    let refutes = |instance: &Instance| instance.judge(&half) == Verdict::Fails;
    let simple = simplest(&pattern, &values, 1, &refutes, &Watch::silent()).expect("one");
    assert_eq!(simple.to_string(), "x=(1,0) p=(0,1)");
    let simple = simplest(&pattern, &values, 3, &refutes, &Watch::silent()).expect("one");
    assert_eq!(simple.to_string(), "x=(1,0) p=(0,2/3)");
    assert_eq!(simplest(&pattern, &values, 1, &|_| false, &Watch::silent()), None);
    assert_eq!(simplest(&pattern, &values, 1, &refutes, &Watch::new(&|| false, &|_| ())), None);
    assert_eq!(simplest_within(&rational("3333/10000"), &small(10)), rational("1/3"));
    assert_eq!(simplest_within(&rational("3333/10000"), &BigRational::one()), rational("0"));
}

/// What no grid of the budget has: the prover's finds, those of climbs where there is no prover,
/// and those off all grids.
#[test]
fn counterexamples_off_the_grid_are_found() {
    let budget = Budget { max_rounds: 4, grid: 1, cases: None };
    for (text, rounds) in [
        ("signce <= 29/10*stepce", 2),
        // Products have no certificates.
        ("signce*signce <= 8*stepce*stepce", 2),
        ("stepce > 0 => vcal < 39/10*stepce", 2),
        // The sides differ off the grid only.
        ("m == 2 => smce == 3/2*ece - ece/2", 2),
        ("ece <= 6*stepce", 4),
        ("stepce <= T/4 => vcal <= 9/10*T", 2),
        ("sqrt(var) <= 2/5*sqrt(T)", 1),
        // Where the hypothesis holds nowhere on the grid.
        ("bias == 1/17 => ece < 0", 1),
        ("ucal < 1/4 => ucal == 0", 1),
        ("vcal == 1 => squares <= 11/10*ece", 2),
    ] {
        let law = law(text);
        let answer = refute(&law, &budget, &Watch::silent());
        let found = answer.counterexample.unwrap_or_else(|| panic!("{text} is false"));
        assert_eq!(found.instance.judge(&law), Verdict::Fails, "{text}");
        assert_eq!(found.instance.outcomes.len(), rounds, "{text}: {}", found.instance);
    }
}

/// Those that only long sequences refute, and what is left of them.
#[test]
fn long_counterexamples_are_shortened() {
    let budget = Budget { max_rounds: 2, grid: 2, cases: None };
    let law = law("ece <= 20*stepce");
    let answer = refute(&law, &budget, &Watch::silent());
    let found = answer.counterexample.expect("false for many levels").instance;
    assert_eq!(found.judge(&law), Verdict::Fails);
    assert!(found.outcomes.len() <= 24, "{found}");
    for left_out in 0..found.outcomes.len() {
        let mut shorter = found.clone();
        shorter.outcomes.remove(left_out);
        shorter.predictions.remove(left_out);
        assert_ne!(shorter.judge(&law), Verdict::Fails, "{found}");
    }
}

/// The best ratio of one round.
fn best_ratio(less: &str, more: &str, given: Option<&str>) -> Supremum {
    let (less, more) = (less.parse().expect("a side"), more.parse().expect("a side"));
    let given = given.map(|given| given.parse().expect("a comparison"));
    let budget = Budget { max_rounds: 1, grid: 3, cases: None };
    let found = tight(&less, &more, given.as_ref(), &budget, &Watch::silent()).expect("ratios");
    found.rows[0].supremum.clone()
}

#[test]
fn ratios_of_very_different_numbers_are_numbers() {
    let tiny = "/1000000000000000/1000000000000000/1000000000000000";
    let supremum = best_ratio(&format!("ece{tiny}"), "stepce", None);
    let expected = format!("1{}", "0".repeat(45));
    assert_eq!(supremum.value(), Some(&rational(&expected)));
    let supremum = best_ratio(&format!("ece{tiny}"), &format!("stepce{tiny}"), None);
    assert_eq!(supremum.value(), Some(&rational("1")));
    let sum = format!("ece/3 + ece/3 - 2*ece/3 + stepce_sub{tiny}");
    let supremum = best_ratio(&sum, &format!("stepce{tiny}"), None);
    assert_eq!(supremum.value(), Some(&rational("2")));
}

#[test]
fn ratios_without_bound_are_called_so() {
    for (less, more) in [("squares", "ece"), ("ece*ece", "stepce")] {
        assert!(matches!(best_ratio(less, more, None), Supremum::Unbounded(_)), "{more}/{less}");
    }
    assert!(matches!(best_ratio("var", "ece", None), Supremum::Infinite(_)));
}

#[test]
fn ratios_are_found_where_the_grid_has_none() {
    let supremum = best_ratio("stepce", "ece", Some("bias == 1/13"));
    assert_eq!(supremum.value(), Some(&rational("1")));
    let supremum = best_ratio("stepce", "ece", Some("ece <= 1/13"));
    assert_eq!(supremum.value(), Some(&rational("1")));
    assert_eq!(best_ratio("stepce", "ece", Some("T == 2")), Supremum::Nothing);
}

#[test]
fn the_closest_table_is_one_with_equality() {
    let budget = Budget { max_rounds: 2, grid: 3, cases: None };
    let closest = |text: &str| {
        let answer = refute(&law(text), &budget, &Watch::silent());
        assert_eq!(answer.counterexample, None, "{text}");
        answer.closest.map(|closest| closest.to_string())
    };
    assert_eq!(closest("ece >= 0").as_deref(), Some("x=(0) p=(0)"));
    assert_eq!(closest("signce <= 3*stepce").as_deref(), Some("x=(1,0) p=(1/2,1)"));
}

#[test]
fn a_search_ends_when_asked() {
    let law = law("ssce <= 2*stepce_sub + T/100");
    let budget = Budget { max_rounds: 9, grid: 12, cases: Some(1000) };
    let answer = refute(&law, &budget, &Watch::silent());
    assert_eq!(answer.stopped, Some(Stopped::Cases));
    let visited: u64 = answer.stages.iter().map(|stage| stage.cases).sum();
    assert!(visited <= 1000 && answer.closest.is_some());
    let asked = Watch::new(&|| false, &|_| ());
    let answer = refute(&law, &Budget { cases: None, ..budget }, &asked);
    assert_eq!(answer.stopped, Some(Stopped::Asked));
    assert_eq!(answer.stages[0].cases, 0);
}
