//! Witnesses that were tampered with are rejected, each for its reason.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;
use truecal::Ties;
use truecal::rational::ratio;
use truecal::{
    AnyLevels, Approach, Evaluation, Level, Levels, Measure, ScoringRule, VShape, Witness,
    WitnessRejection, check,
};

use crate::{levels, rational};

/// Three levels, one under-forecast, so that every witness has something to show.
fn example() -> AnyLevels {
    levels(&[(true, "1/5"), (true, "1/5"), (false, "1/2"), (false, "3/4"), (true, "3/4")])
}

/// The rejection of an evaluation after a change.
fn rejection(measure: Measure, tamper: impl Fn(&mut Evaluation)) -> Option<WitnessRejection> {
    let mut evaluation = example().evaluate(measure);
    tamper(&mut evaluation);
    check(&example().to_rational(), &evaluation).err()
}

/// The same, for a change of the witness alone.
fn with_witness(measure: Measure, tamper: impl Fn(&mut Witness)) -> Option<WitnessRejection> {
    rejection(measure, |evaluation| tamper(&mut evaluation.witness))
}

#[test]
fn values_that_are_off_are_rejected() {
    for measure in Measure::ALL {
        assert_eq!(rejection(measure, |_| ()), None, "{measure}");
        for off in ["1/1000000", "-1/1000000"] {
            let rejected = rejection(measure, |evaluation| evaluation.value += rational(off));
            assert_eq!(rejected, Some(WitnessRejection::Value), "{measure}");
        }
    }
}

#[test]
fn witnesses_of_other_measures_are_rejected() {
    for measure in Measure::ALL {
        let other = if measure == Measure::Ece { Measure::StepCe } else { Measure::Ece };
        let rejected =
            with_witness(measure, |witness| *witness = example().evaluate(other).witness);
        assert_eq!(rejected, Some(WitnessRejection::Kind), "{measure}");
    }
}

#[test]
fn averages_are_no_witness_for_plain_measures() {
    for measure in Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_none()) {
        let rejected = with_witness(measure, |witness| *witness = Witness::Subsets { classes: 18 });
        assert_eq!(rejected, Some(WitnessRejection::Kind), "{measure}");
    }
}

/// The value stays, the witness tells another story.
#[test]
fn biases_with_the_wrong_sign_or_share_are_rejected() {
    for measure in [Measure::Ece, Measure::StepCe, Measure::SignCe, Measure::IntervalCe] {
        let rejected = with_witness(measure, |witness| match witness {
            Witness::Signs { under, over } => {
                *under += rational("1/10");
                *over -= rational("1/10");
            }
            Witness::Threshold { bias: sum, .. }
            | Witness::Sign { sum, .. }
            | Witness::Interval { bias: sum, .. } => *sum = -sum.clone(),
            other => unreachable!("{other:?}"),
        });
        assert_eq!(rejected, Some(WitnessRejection::Value), "{measure}");
    }
}

#[test]
fn thresholds_outside_the_range_are_rejected() {
    let beyond = || rational("6/5");
    let bias = BigRational::zero;
    for (measure, witness) in [
        (Measure::StepCe, Witness::Threshold { alpha: beyond(), bias: bias() }),
        (Measure::SignCe, Witness::Sign { alpha: -beyond(), sum: bias() }),
        (Measure::IntervalCe, Witness::Interval { low: bias(), high: beyond(), bias: bias() }),
        (Measure::VCal, Witness::Limit { alpha: beyond(), approach: Approach::At }),
        (
            Measure::VCal,
            Witness::Limit { alpha: BigRational::one(), approach: Approach::FromAbove },
        ),
        (Measure::VCal, Witness::Limit { alpha: bias(), approach: Approach::FromBelow }),
    ] {
        let rejected = with_witness(measure, |place| *place = witness.clone());
        assert_eq!(rejected, Some(WitnessRejection::Range), "{witness:?}");
    }
}

#[test]
fn the_wrong_side_of_a_limit_is_another_value() {
    let rejected = with_witness(Measure::VCal, |witness| {
        if let Witness::Limit { approach, .. } = witness {
            *approach = Approach::At;
        }
    });
    assert_eq!(rejected, Some(WitnessRejection::Value));
}

/// The measures whose witness is a scoring rule and a line.
const WITH_RULES: [Measure; 2] = [Measure::UCal, Measure::Cdl];

/// Changes the rule of a witness.
fn with_rule(measure: Measure, tamper: impl Fn(&mut ScoringRule)) -> Option<WitnessRejection> {
    with_witness(measure, |witness| match witness {
        Witness::Rule { rule, .. } => tamper(rule),
        _ => unreachable!("{measure} has a rule"),
    })
}

#[test]
fn scoring_rules_must_be_bounded_and_proper() {
    WITH_RULES.into_iter().for_each(rules_must_be_bounded_and_proper);
}

fn rules_must_be_bounded_and_proper(measure: Measure) {
    let heavier = with_rule(measure, |rule| rule.parts[0].weight *= rational("2"));
    assert_eq!(heavier, Some(WitnessRejection::Bounds));
    let only = |alpha: &'static str, weight: &'static str, ties| {
        let part = move || VShape { alpha: rational(alpha), weight: rational(weight), ties };
        with_rule(measure, move |rule| rule.parts = vec![part()])
    };
    // Beyond [-1, 1] for one of the outcomes only.
    assert_eq!(only("9/10", "2", Ties::Below), Some(WitnessRejection::Bounds));
    assert_eq!(only("1/10", "2", Ties::Below), Some(WitnessRejection::Bounds));
    // A rule upside down: the higher, or the lower, of two neighbours would rather be the other.
    assert_eq!(only("1/2", "-1", Ties::Below), Some(WitnessRejection::NotProper));
    assert_eq!(only("3/4", "-1", Ties::Above), Some(WitnessRejection::NotProper));
    let outside = with_rule(measure, |rule| rule.parts[0].alpha = rational("-1/10"));
    assert_eq!(outside, Some(WitnessRejection::Range));
    let lighter = with_rule(measure, |rule| rule.parts[0].weight /= rational("2"));
    assert_eq!(lighter, Some(WitnessRejection::Value));
    let other_ties = with_rule(measure, |rule| {
        for part in &mut rule.parts {
            part.ties = if part.ties == Ties::Below { Ties::Above } else { Ties::Below };
        }
    });
    assert_eq!(other_ties, Some(WitnessRejection::Value));
}

#[test]
fn lines_must_stay_above_and_meet_the_value() {
    WITH_RULES.into_iter().for_each(lines_must_stay_above);
}

fn lines_must_stay_above(measure: Measure) {
    let with_line = |tamper: fn(&mut (BigRational, BigRational))| {
        with_witness(measure, |witness| match witness {
            Witness::Rule { line, .. } => tamper(line),
            _ => unreachable!("{measure} has a line"),
        })
    };
    let higher = with_line(|line| line.0 += rational("1/100"));
    assert_eq!(higher, Some(WitnessRejection::Line));
    let tilted = with_line(|line| {
        line.0 += rational("1");
        line.1 -= rational("1");
    });
    assert_eq!(tilted, Some(WitnessRejection::Line));
}

/// Changes the smCE witness.
fn with_lipschitz(tamper: impl Fn(&mut truecal::Lipschitz)) -> Option<WitnessRejection> {
    with_witness(Measure::SmCe, |witness| match witness {
        Witness::Lipschitz(lipschitz) => tamper(lipschitz),
        _ => unreachable!("smCE has a function"),
    })
}

#[test]
fn functions_must_be_admissible_and_flows_must_balance() {
    assert_eq!(with_lipschitz(|l| l.function[0] += &l.unit * 3), Some(WitnessRejection::Bounds));
    assert_eq!(with_lipschitz(|l| l.function[0] -= &l.unit), Some(WitnessRejection::NotLipschitz));
    let lower = with_lipschitz(|l| l.function.iter_mut().for_each(|value| *value -= 1));
    assert_eq!(lower, Some(WitnessRejection::Value));
    assert_eq!(with_lipschitz(|l| l.flow[0] += 1), Some(WitnessRejection::Flow));
    assert_eq!(with_lipschitz(|l| l.flow[0] = -&l.flow[0] - 1), Some(WitnessRejection::Flow));
    assert_eq!(with_lipschitz(|l| drop(l.function.pop())), Some(WitnessRejection::Shape));
    assert_eq!(with_lipschitz(|l| l.flow.push(BigInt::zero())), Some(WitnessRejection::Shape));
    assert_eq!(with_lipschitz(|l| l.unit = BigInt::zero()), Some(WitnessRejection::Shape));
    assert_eq!(with_lipschitz(|l| l.unit = -&l.unit), Some(WitnessRejection::Shape));
}

/// Values are read as probabilities, so a table in other units is not what they are about.
#[test]
fn tables_in_other_units_are_rejected() {
    let rows = vec![Level { value: rational("1"), count: 1, ones: 1 }];
    let halves = Levels::new(rational("2"), rows).expect("valid");
    let witness = Witness::Rule {
        rule: ScoringRule { parts: vec![] },
        line: (BigRational::zero(), BigRational::zero()),
    };
    let nothing = Evaluation { measure: Measure::UCal, value: BigRational::zero(), witness };
    assert_eq!(check(&halves, &nothing), Err(WitnessRejection::Shape));
    assert_eq!(halves.to_rounds(), [(true, rational("1/2"))]);
    assert_eq!(check(&halves.to_rational(), &nothing), Err(WitnessRejection::Line));
}

#[test]
fn miscounted_classes_are_rejected() {
    let rejected =
        with_witness(Measure::Ssce, |witness| *witness = Witness::Subsets { classes: 1 });
    assert_eq!(rejected, Some(WitnessRejection::Shape));
}

#[test]
fn averages_over_many_subsets_are_not_made_again() {
    let levels = levels(&[(true, "1/2"); 9]);
    let evaluation = levels.evaluate(Measure::StepCeSub);
    assert_eq!(check(&levels.to_rational(), &evaluation), Err(WitnessRejection::TooManyRounds));
}

proptest! {
    /// No two-sided witness, whatever its numbers, gets a wrong value past the check.
    #[test]
    fn random_witnesses_prove_no_wrong_value(
        function in prop::collection::vec(-20_i64..=20, 3),
        flow in prop::collection::vec(-60_i64..=60, 2),
        line in (0_i64..80, 0_i64..80),
    ) {
        let table = example();
        let (smooth, u_cal) = (table.evaluate(Measure::SmCe), table.evaluate(Measure::UCal));
        let integers = |numbers: &[i64]| numbers.iter().map(|&n| BigInt::from(n)).collect();
        let lipschitz = truecal::Lipschitz {
            unit: 20.into(),
            function: integers(&function),
            flow: integers(&flow),
        };
        let sum: BigRational = table.to_rational().table().biases().zip(&lipschitz.function)
            .map(|(bias, f)| bias * lipschitz.rational(f)).sum();
        let witness = Witness::Lipschitz(lipschitz);
        let claimed = Evaluation { measure: Measure::SmCe, value: sum.clone(), witness };
        if sum != smooth.value {
            prop_assert!(check(&table.to_rational(), &claimed).is_err());
        }
        let line = (ratio(line.0, 20), ratio(line.1, 20));
        let value = (&line.0 + &line.1) * rational("2");
        let Witness::Rule { rule, .. } = u_cal.witness else { unreachable!("UCal has a rule") };
        let witness = Witness::Rule { rule, line };
        let claimed = Evaluation { measure: Measure::UCal, value: value.clone(), witness };
        if value != u_cal.value {
            prop_assert!(check(&table.to_rational(), &claimed).is_err());
        }
    }
}
