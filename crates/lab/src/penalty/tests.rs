//! Both ways to an expected penalty against literal sums over outcomes.

mod density;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::*;
use crate::optimum::pieces::is_piecewise_affine;
use crate::*;
use truecal::Prediction;
use truecal::definitions::Round;
use truecal::rational::int;

fn p(text: &str) -> Prediction {
    text.parse().expect("a probability")
}

fn r(text: &str) -> BigRational {
    text.parse().expect("a rational")
}

fn uniform(low: &str, high: &str) -> Chance {
    Chance::Spread(Spread::uniform(r(low), r(high)).expect("an interval"))
}

/// The expected measure from its definition: over all outcomes of a nature without densities, for a
/// function of all outcomes before.
fn literal(
    rounds: usize,
    chance: &dyn Fn(&[bool]) -> BigRational,
    predict: &dyn Fn(&[bool]) -> BigRational,
    measure: Measure,
) -> BigRational {
    let mut total = BigRational::zero();
    for bits in 0..1_u32 << rounds {
        let x: Vec<bool> = (0..rounds).map(|t| bits >> t & 1 == 1).collect();
        let mut probability = BigRational::one();
        let mut sequence: Vec<Round> = vec![];
        for t in 0..rounds {
            let q = chance(&x[..t]);
            probability *= if x[t] { q } else { BigRational::one() - q };
            sequence.push((x[t], predict(&x[..t])));
        }
        total += probability * measure.define(&sequence);
    }
    total
}

/// p* after these outcomes: something without symmetry.
fn wandering(past: &[bool]) -> BigRational {
    let code = past.iter().fold(1, |code, x| 2 * code + i64::from(*x));
    BigRational::new((code * 5 % 12).into(), 12.into())
}

#[test]
fn trees_agree_with_the_definition() {
    for rounds in 1..=4 {
        let nature = Adaptive::new(rounds, |past: &[bool]| {
            Chance::Point(wandering(past).try_into().expect("a probability"))
        });
        for measure in Measure::ALL {
            if rounds == 4 && matches!(measure, Measure::UCalSub | Measure::Ssce) {
                continue; // sixteen linear programmes for each of sixteen outcomes
            }
            let truthful = exact(&nature, &Truthful, measure, 1 << 20).expect("a small tree");
            let expected = literal(rounds as usize, &wandering, &wandering, measure);
            assert_eq!(truthful.exact(), Some(&expected), "{measure}, T = {rounds}");
            let half = exact(&nature, &Constant(p("1/3")), measure, 1 << 20).expect("a small tree");
            let expected = literal(rounds as usize, &wandering, &|_| r("1/3"), measure);
            assert_eq!(half.exact(), Some(&expected), "{measure}, T = {rounds}");
        }
    }
}

/// A forecaster that does not say that it is steady, and remembers everything.
struct Forgetless<F>(F);

impl<F: Forecaster> Forecaster for Forgetless<F> {
    fn start(&self) -> Memory {
        let inner = self.0.start();
        [vec![inner.len() as i64], inner].concat()
    }

    fn rule(&self, round: u64, memory: &[i64]) -> Rule {
        self.0.rule(round, &memory[1..=memory[0] as usize])
    }

    fn remember(
        &self,
        round: u64,
        memory: Memory,
        said: &Prediction,
        outcomes: Outcomes,
    ) -> Memory {
        let (inner, rest) = memory[1..].split_at(memory[0] as usize);
        let inner = self.0.remember(round, inner.to_vec(), said, outcomes);
        [vec![inner.len() as i64], inner, rest.to_vec(), vec![outcomes.ones as i64]].concat()
    }
}

#[test]
fn states_and_stretches_change_nothing() {
    let fair = Chance::Point(p("1/2"));
    let nature = Blocks::new([(5, fair), (5, Chance::Point(Prediction::ONE))]);
    let patch_up = PatchUp { first_rounds: 5, first: p("5/8"), then: Prediction::ONE };
    for measure in [Measure::UCal, Measure::StepCe, Measure::VCalSub] {
        let quick = exact(&nature, &patch_up, measure, 1 << 20).expect("few states");
        let slow = exact(&nature, &Forgetless(patch_up.clone()), measure, 1 << 20).expect("few");
        assert_eq!(quick.exact(), slow.exact(), "{measure}");
    }
    // As long as patching up takes, and no longer: from five rounds with k ones on, until the bias
    // is not negative.
    let said = |past: &[bool]| {
        let mut over = false;
        for t in 5..=past.len() {
            let ones = past[..t].iter().filter(|x| **x).count();
            over |= 8 * ones >= 5 * t;
        }
        if over { r("1") } else { r("5/8") }
    };
    let chance = |past: &[bool]| if past.len() < 5 { r("1/2") } else { r("1") };
    let expected = literal(10, &chance, &said, Measure::StepCe);
    let quick = exact(&nature, &patch_up, Measure::StepCe, 1 << 20).expect("few states");
    assert_eq!(quick.exact(), Some(&expected));
}

#[test]
fn densities_are_integrated_where_predictions_are_few() {
    // p* uniform on [0, 1], predicted 1/4 up to 1/2 and 3/4 above. Given the step, the event has
    // the mean of p* there: as if that were the truth.
    let nature =
        Blocks::new([(3, Chance::Spread(Spread::uniform(r("0"), r("1")).expect("an interval")))]);
    let steps = [(p("1/2"), p("1/4")), (p("1"), p("3/4"))];
    struct Stepwise([(Prediction, Prediction); 2]);
    impl Forecaster for Stepwise {
        fn rule(&self, _round: u64, _memory: &[i64]) -> Rule {
            Rule::Steps(self.0.clone().into())
        }
    }
    let by_steps = exact(&nature, &Stepwise(steps), Measure::StepCeSub, 1 << 20).expect("few");
    let mut expected = BigRational::zero();
    for sides in 0..8_u32 {
        let truth = |t: usize| if sides >> t & 1 == 1 { r("3/4") } else { r("1/4") };
        let at = |past: &[bool]| truth(past.len());
        expected += literal(3, &at, &at, Measure::StepCeSub) / int(8);
    }
    assert_eq!(by_steps.exact(), Some(&expected));
    let error = exact(&nature, &Truthful, Measure::UCal, 1 << 20).expect_err("a continuum");
    assert_eq!(error, PenaltyError::Continuous);
    // Rounding to halves: [0, 1/4], (1/4, 3/4], (3/4, 1] with means 1/8, 1/2, 7/8. One round: |x -
    // p|.
    let one =
        Blocks::new([(1, Chance::Spread(Spread::uniform(r("0"), r("1")).expect("an interval")))]);
    let rounded = exact(&one, &RoundedTruth::to(2), Measure::StepCe, 100).expect("few");
    assert_eq!(
        rounded.exact(),
        Some(&(r("1/4") * r("1/8") + r("1/2") * r("1/2") + r("1/4") * r("1/8")))
    );
}

#[test]
fn mixtures_are_averages() {
    struct Coin;
    impl Forecaster for Coin {
        fn rule(&self, _round: u64, _memory: &[i64]) -> Rule {
            Rule::Mixture(vec![(p("0"), r("1/3")), (p("1"), r("2/3"))])
        }
    }
    let nature = Blocks::product([p("1/4")]);
    // The mean of p* is 1/4 in both.
    for nature in [nature, Blocks::new([(1, uniform("0", "1/2"))])] {
        let mixed = exact(&nature, &Coin, Measure::StepCe, 100).expect("few");
        assert_eq!(mixed.exact(), Some(&(r("1/3") * r("1/4") + r("2/3") * r("3/4"))));
    }
}

#[test]
fn too_many_steps_are_refused() {
    let nature = Adaptive::new(12, |past: &[bool]| {
        Chance::Point(wandering(past).try_into().expect("a probability"))
    });
    let refused = exact(&nature, &Truthful, Measure::StepCe, 1000).expect_err("4096 states");
    assert_eq!(refused, PenaltyError::Steps { steps: 1000 });
    let effort = Effort { steps: 1000, runs: 50, seed: 1 };
    let sampled = penalty(&nature, &Truthful, Measure::StepCe, &effort).expect("twelfths");
    assert!(matches!(sampled, Penalty::Sampled(SampledPenalty { runs: 50, seed: 1, .. })));
}

#[test]
fn crowds_that_are_divided_give_the_same() {
    // 18221 states after 15 rounds, more than are followed together.
    let nature = Adaptive::new(16, |past: &[bool]| {
        Chance::Point(wandering(past).try_into().expect("a probability"))
    });
    let walked = exact(&nature, &Constant(p("1/2")), Measure::VCal, 1 << 22).expect("a tree");
    // For a constant prediction VCal is 2|X - T/2|: the law of X, over all runs.
    let mut expected = BigRational::zero();
    let mut stack = vec![(vec![], BigRational::one())];
    while let Some((past, probability)) = stack.pop() {
        if past.len() == 16 {
            let ones = past.iter().filter(|x| **x).count() as i64;
            expected += probability * int((2 * ones - 16).abs());
            continue;
        }
        let q = wandering(&past);
        let probabilities = [BigRational::one() - &q, q];
        let possible = [false, true].into_iter().zip(probabilities).filter(|(_, q)| !q.is_zero());
        for (x, share) in possible {
            stack.push(([&past[..], &[x]].concat(), &probability * share));
        }
    }
    assert_eq!(walked.exact(), Some(&expected));
}

#[test]
fn samples_are_near_the_truth_and_repeatable() {
    let nature = Blocks::new([(6, Chance::Point(p("1/5"))), (6, Chance::Point(p("4/5")))]);
    for measure in [Measure::StepCe, Measure::UCal, Measure::StepCeSub, Measure::VCalSub] {
        let known = exact(&nature, &Truthful, measure, 1 << 20).expect("few states").to_f64();
        let drawn = sample(&nature, &Truthful, measure, 4000, 3, &truecal::Watch::silent())
            .expect("fifths");
        let off = (drawn.mean - known) / drawn.standard_error;
        assert!(off.abs() < 4.5, "{measure}: {} against {known}", drawn.mean);
        let wrong = sample(&nature, &Constant(p("0")), measure, 4000, 3, &truecal::Watch::silent())
            .expect("fifths");
        assert!(((wrong.mean - known) / wrong.standard_error).abs() > 4.5, "{measure}");
    }
    let few = |seed| {
        sample(&nature, &Truthful, Measure::StepCe, 100, seed, &truecal::Watch::silent())
            .expect("fifths")
    };
    assert_eq!(few(1), few(1));
    assert_ne!(few(1).mean, few(2).mean);
}

#[test]
fn denominators_without_bound_are_refused() {
    // 1/(10^4000 + j) for some j: each is a prediction, but no table holds six of them.
    let long = |j: u32| format!("1/1{}{j:03}", "0".repeat(3997));
    let nature = Blocks::product((1..=6).map(|j| p(&long(j))));
    let effort = Effort { steps: 1 << 20, runs: 3, seed: 1 };
    assert!(penalty(&nature, &Truthful, Measure::StepCe, &effort).is_err());
    assert!(penalty(&nature, &Truthful, Measure::StepCeSub, &effort).is_err());
    assert!(penalty(&nature, &Truthful, Measure::StepCe, &Effort { steps: 0, ..effort }).is_err());
    assert!(penalty(&nature, &Constant(p("0")), Measure::StepCe, &effort).is_ok());
}

/// What would take too much memory is not begun.
#[test]
fn long_stretches_are_sampled() {
    let refused = exact(&natures::fair(1_000_000), &Constant(p("1/2")), Measure::StepCe, 1 << 20);
    assert_eq!(
        refused.expect_err("a million long weights"),
        PenaltyError::Steps { steps: 1 << 20 }
    );
    let certain = Blocks::new([(1_000_000, Chance::Point(p("1")))]);
    let none = exact(&certain, &Constant(p("1/2")), Measure::StepCe, 10).expect("one run");
    assert_eq!(none.exact(), Some(&r("500000")));
    let never = Blocks::new([(1000, Chance::Point(p("0")))]);
    let none = exact(&never, &Constant(p("1/2")), Measure::StepCe, 10).expect("one run");
    assert_eq!(none.exact(), Some(&r("500")));
    // Beyond 128 bits the number of classes is not known, but it is too large.
    let parts = (1..=60_u64).map(|j| (1000, Prediction::from_parts(j, 61).expect("less than 1")));
    let certain = Blocks::new([(60_000, Chance::Point(p("1")))]);
    let refused = exact(&certain, &Scheduled::new(parts), Measure::StepCeSub, 1 << 20);
    assert_eq!(refused.expect_err("too many classes"), PenaltyError::Steps { steps: 1 << 20 });
}

/// How many steps it takes, at every place where they are counted.
#[test]
fn steps_are_counted() {
    let half = Constant(p("1/2"));
    let mixed = Blocks::product((0..12).map(|t| p(["4/5", "1/5", "3/5"][t % 3])));
    let cases: [(&dyn Nature, &dyn Forecaster, Measure, u64); 4] = [
        (&natures::fair(10), &half, Measure::StepCe, 22),
        (&natures::fair(10), &half, Measure::StepCeSub, 39),
        (&natures::hedging(10), &Truthful, Measure::StepCeSub, 117),
        (&mixed, &Truthful, Measure::StepCe, 925),
    ];
    for (nature, forecaster, measure, steps) in cases {
        assert!(exact(nature, forecaster, measure, steps).is_ok(), "{measure}, {steps}");
        assert!(exact(nature, forecaster, measure, steps - 1).is_err(), "{measure}, {steps}");
    }
    assert_eq!(Effort::default(), Effort { steps: 1 << 20, runs: 2000, seed: 1 });
}

/// A tree is given up long before its steps are spent.
#[test]
fn trees_are_given_up_early() {
    let asked = AtomicU64::new(0);
    let nature = Adaptive::new(50, |_: &[bool]| {
        asked.fetch_add(1, Ordering::Relaxed);
        Chance::Point(p("1/3"))
    });
    let refused = exact(&nature, &Truthful, Measure::StepCe, 1 << 16).expect_err("a tree");
    assert_eq!(refused, PenaltyError::Steps { steps: 1 << 16 });
    assert!(asked.load(Ordering::Relaxed) < 2000);
}

/// A nature may say that it never changes.
#[test]
fn stretches_end_with_the_rounds() {
    struct Endless;
    impl Nature for Endless {
        fn rounds(&self) -> u64 {
            3
        }

        fn chance(&self, _round: u64, _memory: &[i64]) -> Chance {
            Chance::Point(p("1/2"))
        }

        fn steady(&self, _round: u64, _memory: &[i64]) -> u64 {
            u64::MAX
        }
    }
    let penalty = exact(&Endless, &Constant(p("1/2")), Measure::StepCe, 100).expect("four states");
    assert_eq!(penalty.exact(), Some(&r("3/4"))); // E|X - 3/2| of three coins
}

/// Any function of p* is followed where p* is known, and sampled where it is spread.
#[test]
fn functions_of_the_truth() {
    struct Squared;
    impl Forecaster for Squared {
        fn rule(&self, _round: u64, _memory: &[i64]) -> Rule {
            Rule::Function(Arc::new(|p: &Prediction| {
                let p = p.to_rational();
                (&p * &p).try_into().expect("at most 1")
            }))
        }
    }
    let known = exact(&Blocks::product([p("1/2")]), &Squared, Measure::StepCe, 100).expect("few");
    assert_eq!(known.exact(), Some(&r("1/2")));
    let error =
        exact(&natures::uniform(1), &Squared, Measure::StepCe, 100).expect_err("a continuum");
    assert_eq!(error, PenaltyError::Continuous);
}

#[test]
fn standard_errors_are_those_of_a_sample() {
    let toss = |runs| {
        sample(
            &natures::fair(1),
            &Constant(p("0")),
            Measure::StepCe,
            runs,
            1,
            &truecal::Watch::silent(),
        )
        .expect("short")
    };
    // Zeros and ones with mean m: m(1 - m) n/(n - 1) over n.
    let ten = toss(10);
    assert!(0.0 < ten.mean && ten.mean < 1.0);
    assert!((ten.standard_error - (ten.mean * (1.0 - ten.mean) / 9.0).sqrt()).abs() < 1e-12);
    let one = toss(1);
    assert!(one.runs == 2 && one.standard_error.is_finite(), "at least two");
    // Both pieces of a density are drawn.
    let edges = natures::edges(1, &r("1/16"));
    let both =
        sample(&edges, &Constant(p("0")), Measure::StepCe, 1000, 1, &truecal::Watch::silent())
            .expect("short");
    assert!((both.mean - 0.5).abs() < 5.0 * both.standard_error);
    let middle = Penalty::Enclosed(Enclosure::between(&r("1/4"), &r("3/4")));
    assert_eq!(middle.to_f64(), 0.5);
}
