//! Laws that every measure obeys, on random tables with mixed denominators.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use proptest::prelude::*;
use truecal::definitions::Round;
use truecal::rational::int;
use truecal::{AnyLevels, Forecasts, Measure, Prediction, check};

use crate::{levels, rational};

/// Rounds of adversarial shapes: ties, neighbours, 0 and 1, mixed denominators.
fn rounds(most: usize) -> impl Strategy<Value = Vec<Round>> {
    let fraction = |numerator: u32, denominator: u32| {
        BigRational::new((numerator % (denominator + 1)).into(), denominator.into())
    };
    let prediction = prop_oneof![
        2 => (0_u32..1000, 1_u32..60).prop_map(move |(n, d)| fraction(n, d)),
        2 => (0_u32..5).prop_map(move |n| fraction(n, 4)),
        1 => (0_u32..3).prop_map(move |n| fraction(499_999_999 + n, 1_000_000_000)),
        1 => (0.0..=1.0_f64).prop_map(|p| BigRational::from_float(p).expect("finite")),
    ];
    prop::collection::vec((any::<bool>(), prediction), 0..=most)
}

fn gather(rounds: &[Round]) -> Forecasts {
    Forecasts::from_pairs(rounds.iter().cloned()).expect("valid rounds")
}

fn table(rounds: &[Round]) -> AnyLevels {
    gather(rounds).levels().expect("a small table")
}

fn value(rounds: &[Round], measure: Measure) -> BigRational {
    table(rounds).evaluate(measure).value
}

fn plain() -> impl Iterator<Item = Measure> {
    Measure::ALL.into_iter().filter(|measure| measure.subsampled_from().is_none())
}

fn complement(rounds: &[Round]) -> Vec<Round> {
    rounds.iter().map(|(x, p)| (!x, BigRational::one() - p)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn definitions_equal_measures(rounds in rounds(9)) {
        for measure in plain() {
            prop_assert_eq!(value(&rounds, measure), measure.define(&rounds), "{}", measure);
        }
    }

    #[test]
    fn subsampled_definitions_equal_measures(rounds in rounds(6)) {
        for measure in Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_some()) {
            prop_assert_eq!(value(&rounds, measure), measure.define(&rounds), "{}", measure);
        }
    }
}

proptest! {
    /// On tables far beyond the reach of the definitions, the witnesses still show the values.
    #[test]
    fn witnesses_show_the_values(rounds in rounds(80)) {
        let levels = table(&rounds);
        for measure in plain() {
            let evaluation = levels.evaluate(measure);
            prop_assert_eq!(check(&levels.to_rational(), &evaluation), Ok(()), "{:?}", evaluation);
        }
    }

    #[test]
    fn order_does_not_matter(rounds in rounds(10), seed in any::<u64>()) {
        let mut shuffled = rounds.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, (seed.rotate_left(i as u32 * 7) % (i as u64 + 1)) as usize);
        }
        prop_assert_eq!(table(&rounds), table(&shuffled));
    }

    /// The table of all rounds is the merger of the tables of any two parts, made either way.
    #[test]
    fn merging_is_gathering(rounds in rounds(30), cut in any::<prop::sample::Index>()) {
        let (left, right) = rounds.split_at(cut.index(rounds.len() + 1));
        let (left, right) = (gather(left), gather(right));
        let mut both = left.clone();
        both.merge(&right).expect("few rounds");
        prop_assert_eq!(&both, &gather(&rounds));
        prop_assert_eq!(both.levels().expect("small"), table(&rounds));
        let (left, right) = (left.levels().expect("small"), right.levels().expect("small"));
        prop_assert_eq!(left.merge(&right), Ok(table(&rounds)));
        let merged = left.to_rational().merge(&right.to_rational());
        prop_assert_eq!(merged, Ok(table(&rounds).to_rational()));
    }

    /// Every measure is a supremum of sums, or an average of such: a whole is at most its parts.
    #[test]
    fn measures_are_subadditive(rounds in rounds(8), cut in any::<prop::sample::Index>()) {
        let (left, right) = rounds.split_at(cut.index(rounds.len() + 1));
        for measure in Measure::ALL {
            let parts = value(left, measure) + value(right, measure);
            prop_assert!(value(&rounds, measure) <= parts, "{}", measure);
        }
    }

    /// An integer weight is so many repeated rounds.
    #[test]
    fn weights_are_repetitions(rounds in rounds(6), weights in prop::collection::vec(1_u64..4, 6)) {
        let (mut weighted, mut repeated) = (Forecasts::new(), Forecasts::new());
        for ((x, p), weight) in rounds.iter().zip(weights) {
            let p = Prediction::try_from(p).expect("a probability");
            weighted.push_level(p.clone(), weight, if *x { weight } else { 0 }).expect("few \
                rounds");
            for _ in 0..weight {
                repeated.push(*x, p.clone()).expect("few rounds");
            }
        }
        prop_assert_eq!(&weighted, &repeated);
        let weighted = weighted.levels().expect("small");
        let repeated = repeated.levels().expect("small");
        for measure in plain() {
            prop_assert_eq!(weighted.evaluate(measure), repeated.evaluate(measure));
        }
    }

    /// Repeating all rounds multiplies the plain measures, which are sums.
    #[test]
    fn repetition_multiplies_plain_measures(rounds in rounds(12), times in 1_usize..5) {
        let repeated: Vec<Round> = (0..times).flat_map(|_| rounds.clone()).collect();
        for measure in plain() {
            let times = int(times);
            let expected = value(&rounds, measure) * times;
            prop_assert_eq!(value(&repeated, measure), expected, "{}", measure);
        }
    }

    /// Forecasting the opposite event changes nothing, except for stepCE, which looks upwards only.
    #[test]
    fn the_opposite_event_has_the_same_calibration(rounds in rounds(9)) {
        for measure in Measure::ALL {
            if measure.description().symmetric {
                let opposite = value(&complement(&rounds), measure);
                prop_assert_eq!(value(&rounds, measure), opposite, "{}", measure);
            }
        }
    }

    /// left <= factor x right, for every pair of measures with a known constant.
    #[test]
    fn measures_bound_each_other(rounds in rounds(9)) {
        use Measure::*;
        let values: Vec<BigRational> = Measure::ALL.map(|measure| value(&rounds, measure)).to_vec();
        let place = |measure| Measure::ALL.iter().position(|m| *m == measure).expect("listed");
        let of = |measure: Measure| &values[place(measure)];
        for (left, factor, right) in [
            (StepCe, 1, IntervalCe), (IntervalCe, 2, StepCe), (IntervalCe, 1, Ece),
            (StepCe, 1, Ece), (StepCe, 1, SignCe), (SignCe, 3, StepCe), (SmCe, 2, StepCe),
            (SmCe, 1, Ece), (VCal, 1, UCal), (UCal, 2, VCal), (UCal, 2, Cdl), (Cdl, 2, Ece),
            (VCal, 4, StepCe), (UCal, 8, StepCe), (VCal, 2, IntervalCe), (StepCe, 2, StepCeSub),
            (VCal, 2, VCalSub), (UCal, 2, UCalSub), (SmCe, 2, Ssce), (Ssce, 2, StepCeSub),
            (VCalSub, 4, StepCeSub), (UCalSub, 8, StepCeSub), (VCalSub, 1, UCalSub),
        ] {
            let bound = of(right) * int(BigInt::from(factor));
            prop_assert!(of(left) <= &bound, "{} <= {} {}: {:?}", left, factor, right, rounds);
        }
    }

    /// Doubles are the dyadics that they are.
    #[test]
    fn doubles_are_read_exactly(
        pairs in prop::collection::vec((any::<bool>(), 0.0..=1.0_f64), 0..30),
    ) {
        let exact = pairs.iter().map(|(x, p)| (*x, BigRational::from_float(*p).expect("finite")));
        prop_assert_eq!(Forecasts::from_pairs(pairs.clone()), Forecasts::from_pairs(exact));
    }
}

#[test]
fn step_calibration_is_not_symmetric() {
    let (here, opposite) =
        (levels(&[(true, "1/2"), (false, "1")]), levels(&[(false, "1/2"), (true, "0")]));
    for (measure, value, mirrored) in
        [(Measure::StepCe, "1/2", "1"), (Measure::StepCeSub, "1/2", "5/8")]
    {
        assert_eq!(here.evaluate(measure).value, rational(value));
        assert_eq!(opposite.evaluate(measure).value, rational(mirrored));
    }
}

#[test]
fn repetition_does_not_multiply_subsampled_measures() {
    let (once, twice) = (
        levels(&[(true, "1/2"), (false, "1/2")]),
        levels(&[(true, "1/2"), (false, "1/2"), (true, "1/2"), (false, "1/2")]),
    );
    assert_eq!(once.evaluate(Measure::StepCeSub).value, rational("1/4"));
    assert_eq!(twice.evaluate(Measure::StepCeSub).value, rational("3/8"));
}

#[test]
fn every_input_type_is_gathered() {
    use num_rational::Ratio;
    let half = Forecasts::from_pairs([(true, "0.5")]).expect("valid");
    assert_eq!(Forecasts::from_pairs([(true, 0.5)]), Ok(half.clone()));
    assert_eq!(Forecasts::from_pairs([(true, Ratio::new(1_i64, 2))]), Ok(half.clone()));
    assert_eq!(Forecasts::from_pairs([(true, rational("1/2"))]), Ok(half.clone()));
    assert_eq!(Forecasts::from_pairs([(true, &rational("1/2"))]), Ok(half.clone()));
    assert_eq!(Forecasts::from_columns([true], [Ratio::new(1_u32, 2)]), Ok(half.clone()));
    let prediction: Prediction = "1/2".parse().expect("valid");
    assert_eq!(Forecasts::from_pairs([(true, prediction)]), Ok(half));
}

#[test]
fn bad_values_are_refused_with_their_round() {
    let error = Forecasts::from_pairs([(true, 0.5), (false, f64::NAN)]).expect_err("NaN");
    assert!(error.to_string().starts_with("round 1: not a number"), "{error}");
    let error = Forecasts::from_columns([true], [0.1, 0.2]).expect_err("lengths");
    assert!(error.to_string().starts_with("1 outcomes but 2 predictions"), "{error}");
    let mut forecasts = Forecasts::new();
    let p: Prediction = "1/2".parse().expect("valid");
    assert!(forecasts.push_level(p.clone(), 1, 2).is_err());
    forecasts.push_level(p.clone(), u64::MAX, 0).expect("as many as fit");
    assert!(forecasts.push(true, p).is_err());
    assert_eq!(forecasts.rounds(), u64::MAX);
}
