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

/// Three levels at which the function of smCE turns: 1, 7/10, 19/20.
fn turning() -> AnyLevels {
    let middle = [(false, "1/2"), (false, "1/2")];
    levels(
        &[&[(true, "1/5"), (true, "1/5")], &middle[..], &[(true, "3/4"), (true, "3/4")]].concat(),
    )
}

/// Changes the smCE witness.
fn with_lipschitz(tamper: impl Fn(&mut truecal::Lipschitz)) -> Option<WitnessRejection> {
    let mut evaluation = turning().evaluate(Measure::SmCe);
    match &mut evaluation.witness {
        Witness::Lipschitz(lipschitz) => tamper(lipschitz),
        _ => unreachable!("smCE has a function"),
    }
    check(&turning().to_rational(), &evaluation).err()
}

#[test]
fn functions_must_be_admissible() {
    assert_eq!(with_lipschitz(|_| ()), None);
    assert_eq!(with_lipschitz(|l| l.function[0].1 += &l.unit * 3), Some(WitnessRejection::Bounds));
    assert_eq!(with_lipschitz(|l| l.function[2].1 -= &l.unit * 3), Some(WitnessRejection::Bounds));
    let steeper = with_lipschitz(|l| l.function[1].1 -= 1);
    assert_eq!(steeper, Some(WitnessRejection::NotLipschitz));
    let rising = with_lipschitz(|l| l.function[0].1 = -&l.unit);
    assert_eq!(rising, Some(WitnessRejection::NotLipschitz));
    let lower = with_lipschitz(|l| l.function.iter_mut().for_each(|point| point.1 -= 1));
    assert_eq!(lower, Some(WitnessRejection::Value));
    // Without the level at which it turns, f is another function.
    let straight = with_lipschitz(|l| drop(l.function.remove(1)));
    assert_eq!(straight, Some(WitnessRejection::Value));
}

#[test]
fn breakpoints_are_levels_in_order_with_both_ends() {
    let shape = Some(WitnessRejection::Shape);
    assert_eq!(with_lipschitz(|l| drop(l.function.pop())), shape);
    assert_eq!(with_lipschitz(|l| drop(l.function.remove(0))), shape);
    assert_eq!(with_lipschitz(|l| l.function.clear()), shape);
    assert_eq!(with_lipschitz(|l| l.function[1].0 += 1), shape);
    assert_eq!(with_lipschitz(|l| l.function[2].0 += 1), shape);
    assert_eq!(with_lipschitz(|l| l.function.insert(1, l.function[1].clone())), shape);
    assert_eq!(with_lipschitz(|l| l.function.insert(2, l.function[0].clone())), shape);
    let beyond = |l: &truecal::Lipschitz| (&l.unit * 2, l.function[2].1.clone());
    assert_eq!(with_lipschitz(|l| l.function.insert(2, beyond(l))), shape);
    assert_eq!(with_lipschitz(|l| l.unit = BigInt::zero()), shape);
    assert_eq!(with_lipschitz(|l| l.unit = -&l.unit), shape);
}

#[test]
fn flows_must_end_and_bound_the_value() {
    let (shape, flow) = (Some(WitnessRejection::Shape), Some(WitnessRejection::Flow));
    // More or less stays than there is.
    assert_eq!(with_lipschitz(|l| l.residuals[0].1 += 1), flow);
    assert_eq!(with_lipschitz(|l| l.residuals.clear()), flow);
    // What stays adds up, but the flow costs more.
    let moved = |l: &mut truecal::Lipschitz, amount: i32| {
        l.residuals = vec![(l.function[0].0.clone(), BigInt::from(amount) + total(l))];
        l.residuals.push((l.function[2].0.clone(), BigInt::from(-amount)));
    };
    assert_eq!(with_lipschitz(|l| moved(l, -3)), flow);
    assert_eq!(with_lipschitz(|l| moved(l, 3)), flow);
    // The cost is the value, 11/8 = 12/25 + 3/20 + 149/200, but not all that flows is counted.
    let unending = |l: &mut truecal::Lipschitz| {
        let finer = |(at, number): &(BigInt, BigInt)| (at * 10, number * 10);
        l.function = l.function.iter().map(finer).collect();
        l.unit *= 10;
        assert_eq!(l.unit, BigInt::from(200));
        l.residuals = vec![(150.into(), 149.into())];
    };
    assert_eq!(with_lipschitz(unending), flow);
    // Not at levels, or not in order.
    assert_eq!(with_lipschitz(|l| l.residuals[0].0 += 1), shape);
    assert_eq!(with_lipschitz(|l| l.residuals.push((&l.unit * 2, BigInt::zero()))), shape);
    assert_eq!(with_lipschitz(|l| l.residuals.push(l.residuals[0].clone())), shape);
    let below = |l: &truecal::Lipschitz| (l.function[0].0.clone(), BigInt::zero());
    assert_eq!(with_lipschitz(|l| l.residuals.extend([below(l), below(l)])), shape);
}

/// What stays in all: the total bias.
fn total(lipschitz: &truecal::Lipschitz) -> BigInt {
    lipschitz.residuals.iter().map(|(_, amount)| amount).sum()
}

/// A slope between -1 and 1 is as good as another; what counts is the sum.
#[test]
fn functions_of_any_slope_are_read_between_their_breakpoints() {
    let table = example();
    let unit = BigInt::from(20);
    // f falls from 1/2 at 1/5 to 1/4 at 3/4, through 4/11 at 1/2.
    let function = vec![(4.into(), 10.into()), (15.into(), 5.into())];
    let lipschitz = truecal::Lipschitz { unit, function, residuals: vec![] };
    assert_eq!(lipschitz.at(&rational("1/2")), rational("4/11"));
    let sum = rational("8/5") * rational("1/2")
        - rational("1/2") * rational("4/11")
        - rational("1/2") * rational("1/4");
    let claimed = |value: BigRational| Evaluation {
        measure: Measure::SmCe,
        value,
        witness: Witness::Lipschitz(lipschitz.clone()),
    };
    // The sum is what it is; that nothing is larger is another matter.
    let rejected = check(&table.to_rational(), &claimed(sum.clone()));
    assert_eq!(rejected, Err(WitnessRejection::Flow));
    let rejected = check(&table.to_rational(), &claimed(sum + rational("1/99")));
    assert_eq!(rejected, Err(WitnessRejection::Value));
}

#[test]
fn the_flow_and_the_function_can_be_read_anywhere() {
    let table = turning();
    let Witness::Lipschitz(lipschitz) = table.evaluate(Measure::SmCe).witness else {
        unreachable!("smCE has a function")
    };
    for (prediction, height) in &lipschitz.function {
        assert_eq!(lipschitz.at(&lipschitz.rational(prediction)), lipschitz.rational(height));
    }
    let [first, .., last] = lipschitz.function.as_slice() else { unreachable!("three levels") };
    assert_eq!(lipschitz.at(&BigRational::zero()), lipschitz.rational(&first.1));
    assert_eq!(lipschitz.at(&BigRational::one()), lipschitz.rational(&last.1));
    // Of the biases 8/5, -1 and 1/2, 11/10 stay at the first level.
    assert_eq!(lipschitz.flow(&table.to_rational()), [rational("1/2"), rational("-1/2")]);
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
        residuals in prop::collection::vec(-60_i64..=60, 2),
        line in (0_i64..80, 0_i64..80),
    ) {
        let table = example();
        let (smooth, u_cal) = (table.evaluate(Measure::SmCe), table.evaluate(Measure::UCal));
        let at_levels = |numbers: &[i64]| {
            [4, 10, 15].into_iter().zip(numbers).map(|(v, &n)| (v.into(), n.into())).collect()
        };
        // The last residual is what is left of the total bias, 12/20.
        let last = 12 - residuals[0] - residuals[1];
        let lipschitz = truecal::Lipschitz {
            unit: 20.into(),
            function: at_levels(&function),
            residuals: at_levels(&[residuals[0], residuals[1], last]),
        };
        let sum: BigRational = table.to_rational().table().biases().zip(&lipschitz.function)
            .map(|(bias, (_, f))| bias * lipschitz.rational(f)).sum();
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
