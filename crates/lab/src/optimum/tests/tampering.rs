//! Certificates that were tampered with are rejected, each for its reason.

use num_rational::BigRational;

use super::{found, product, r};
use crate::optimum::{
    CaseBound, Optimum, OptimumCase, OptimumRejection, OrderRow, OutcomeTree, Selection,
    TreeForecaster, check,
};
use truecal::Measure;
use truecal::Random;

const MEASURE: Measure = Measure::StepCeSub;

fn nature() -> OutcomeTree {
    product("1/4,1/3")
}

/// The rejection after a change.
fn rejection(tamper: impl Fn(&mut Optimum)) -> Option<OptimumRejection> {
    let mut optimum = found(&nature(), MEASURE);
    tamper(&mut optimum);
    check(&nature(), MEASURE, &optimum).err()
}

/// The rejections after each single change of a bound, at every bound that can be so changed.
fn at_bounds(tamper: impl Fn(&mut CaseBound) -> bool) -> Vec<Option<OptimumRejection>> {
    let untouched = found(&nature(), MEASURE);
    let mut found = vec![];
    for (case, bounds) in untouched.certificate.cases.iter().map(|case| &case.bounds).enumerate() {
        for bound in 0..bounds.len() {
            let mut optimum = untouched.clone();
            if tamper(&mut optimum.certificate.cases[case].bounds[bound]) {
                found.push(check(&nature(), MEASURE, &optimum).err());
            }
        }
    }
    assert!(!found.is_empty(), "nothing was changed");
    found
}

fn all_are(rejections: &[Option<OptimumRejection>], expected: &OptimumRejection) {
    assert!(rejections.iter().all(|found| found.as_ref() == Some(expected)), "{rejections:?}");
}

fn is_about_bounds(rejection: &Option<OptimumRejection>) -> bool {
    matches!(rejection, Some(OptimumRejection::Bounds { .. }))
}

#[test]
fn untouched_it_is_accepted() {
    assert_eq!(rejection(|_| ()), None);
}

#[test]
fn values_that_are_off_are_not_those_of_the_forecaster() {
    let penalty = OptimumRejection::Penalty(found(&nature(), MEASURE).value);
    for off in ["1/1000000", "-1/1000000"] {
        assert_eq!(rejection(|optimum| optimum.value += r(off)), Some(penalty.clone()));
    }
    let truth = TreeForecaster::truthful(&nature());
    let penalty = nature().penalty(&truth, MEASURE);
    let other = rejection(|optimum| optimum.forecaster = truth.clone());
    assert_eq!(other, Some(OptimumRejection::Penalty(penalty.clone())));
    // A worse forecaster with its own value: the bounds do not reach so far.
    let worse = rejection(|optimum| {
        (optimum.value, optimum.forecaster) = (penalty.clone(), truth.clone());
    });
    assert!(is_about_bounds(&worse), "{worse:?}");
}

#[test]
fn other_rounds_and_other_natures() {
    let one = TreeForecaster::truthful(&product("1/4"));
    let shorter = rejection(|optimum| optimum.forecaster = one.clone());
    assert_eq!(shorter, Some(OptimumRejection::Forecaster));
    let optimum = found(&nature(), MEASURE);
    let four = product("1/2,1/2,1/2,1/2");
    assert_eq!(check(&four, MEASURE, &optimum), Err(OptimumRejection::Rounds));
    let mut elsewhere = optimum.clone();
    let other = product("1/3,1/4");
    elsewhere.value = other.penalty(&optimum.forecaster, MEASURE);
    assert!(check(&other, MEASURE, &elsewhere).is_err());
    assert!(check(&nature(), Measure::VCalSub, &optimum).is_err());
}

#[test]
fn every_case_must_be_there_in_order() {
    let changes: [fn(&mut Vec<OptimumCase>); 6] = [
        |cases| drop(cases.remove(2)),
        |cases| drop(cases.pop()),
        |cases| cases.push(cases[0].clone()),
        |cases| cases.swap(0, 1),
        |cases| cases[0].order = vec![2],
        |cases| cases[3].first = false,
    ];
    for change in changes {
        let rejected = rejection(|optimum| change(&mut optimum.certificate.cases));
        assert_eq!(rejected, Some(OptimumRejection::Cases));
    }
}

#[test]
fn shares_begin_at_0_and_ascend() {
    let changes: [fn(&mut Optimum); 3] = [
        |optimum| optimum.certificate.share.clear(),
        |optimum| optimum.certificate.share[0].0 = r("1/100"),
        |optimum| {
            let first = optimum.certificate.share[0].clone();
            optimum.certificate.share.insert(0, first);
        },
    ];
    for change in changes {
        assert_eq!(rejection(change), Some(OptimumRejection::Share));
    }
    let beyond = rejection(|optimum| {
        let line = optimum.certificate.share[0].1.clone();
        optimum.certificate.share.push((r("1"), line));
    });
    assert_eq!(beyond, Some(OptimumRejection::Share));
}

#[test]
fn shares_that_are_too_large_are_not_reached() {
    for (by, late) in [("1/100000", false), ("-1/100000", true)] {
        let rejected = rejection(|optimum| {
            optimum.certificate.share.iter_mut().for_each(|(_, line)| line.constant += r(by));
        });
        let Some(OptimumRejection::Bounds { first, .. }) = rejected else { panic!("{rejected:?}") };
        assert_eq!(first, late);
    }
    let without = rejection(|optimum| optimum.certificate.cases[0].bounds.clear());
    assert_eq!(without, Some(OptimumRejection::Bounds { first: false, order: vec![0] }));
}

#[test]
fn multipliers_are_nonnegative_and_weigh_no_more_than_the_outcomes() {
    let selection = |change: fn(&mut Selection)| {
        at_bounds(|bound| bound.selections.first_mut().map(change).is_some())
    };
    all_are(&selection(|s| s.multiplier = -&s.multiplier), &OptimumRejection::Negative);
    all_are(&selection(|s| s.multiplier += r("1/1000000")), &OptimumRejection::Weight);
    let less = selection(|s| s.multiplier *= r("9/10"));
    assert!(less.iter().filter(|found| is_about_bounds(found)).count() >= 3, "{less:?}");
    let row =
        |change: fn(&mut OrderRow)| at_bounds(|bound| bound.rows.first_mut().map(change).is_some());
    all_are(&row(|row| row.multiplier = -&row.multiplier), &OptimumRejection::Negative);
    let more = row(|row| row.multiplier += r("1/10"));
    assert!(more.iter().any(is_about_bounds), "{more:?}");
    let less = row(|row| row.multiplier *= r("9/10"));
    assert!(less.iter().any(is_about_bounds), "{less:?}");
}

#[test]
fn selections_are_for_outcomes_of_their_case() {
    let selection = |change: fn(&mut Selection)| {
        at_bounds(|bound| bound.selections.first_mut().map(change).is_some())
    };
    let change: [fn(&mut Selection); 3] =
        [|s| s.outcomes[0] = !s.outcomes[0], |s| s.outcomes.push(false), |s| s.outcomes.clear()];
    for change in change {
        all_are(&selection(change), &OptimumRejection::Outcomes);
    }
}

#[test]
fn selections_have_one_piece_of_each_maximum() {
    let selection = |change: fn(&mut Selection)| {
        at_bounds(|bound| bound.selections.first_mut().map(change).is_some())
    };
    all_are(&selection(|s| s.pieces.truncate(1)), &OptimumRejection::AffinePiece);
    all_are(&selection(|s| s.pieces.push(0)), &OptimumRejection::AffinePiece);
    all_are(&selection(|s| s.pieces[0] = 99), &OptimumRejection::AffinePiece);
    // Another piece is as true, but shows less.
    let other = selection(|s| s.pieces[0] = usize::from(s.pieces[0] == 0));
    assert!(other.iter().filter(|found| is_about_bounds(found)).count() >= 3, "{other:?}");
}

#[test]
fn rows_are_what_the_order_says() {
    let row =
        |change: fn(&mut OrderRow)| at_bounds(|bound| bound.rows.first_mut().map(change).is_some());
    all_are(&row(|row| row.above = !row.above), &OptimumRejection::Row);
    all_are(&row(|row| row.node = 1), &OptimumRejection::Row);
    // Where the order says that two predictions are equal, it says nothing else.
    let more = OrderRow { node: 0, above: true, multiplier: r("1/10") };
    let rejected = rejection(|optimum| {
        let tie = optimum.certificate.cases.iter_mut().find(|case| case.order == [1]);
        tie.expect("a tie").bounds[0].rows.push(more.clone());
    });
    assert_eq!(rejected, Some(OptimumRejection::Row));
}

/// Whatever the numbers in it, no certificate makes a worse forecaster the best.
#[test]
fn random_certificates_prove_no_wrong_value() {
    let mut random = Random::new(3, 0);
    let truth = TreeForecaster::truthful(&nature());
    let (untouched, penalty) = (found(&nature(), MEASURE), nature().penalty(&truth, MEASURE));
    assert!(penalty > untouched.value);
    for _ in 0..300 {
        let mut optimum = untouched.clone();
        (optimum.value, optimum.forecaster) = (penalty.clone(), truth.clone());
        let mut factor = || BigRational::new((random.next() % 7).into(), 4.into());
        optimum.certificate.share.iter_mut().for_each(|(_, line)| {
            line.constant *= factor();
            line.slope *= factor();
        });
        for bound in optimum.certificate.cases.iter_mut().flat_map(|case| &mut case.bounds) {
            bound.rows.iter_mut().for_each(|row| row.multiplier *= factor());
            for piece in bound.selections.iter_mut().flat_map(|s| &mut s.pieces) {
                *piece ^= usize::from(factor() == r("0")); // another, now and then
            }
        }
        assert!(check(&nature(), MEASURE, &optimum).is_err());
    }
}
