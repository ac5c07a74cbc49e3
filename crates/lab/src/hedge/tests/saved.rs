//! Runs that are stored and go on.

use crate::hedge::*;

fn run(mut forecaster: HedgeForecaster, rounds: u64) -> HedgeForecaster {
    for round in forecaster.rounds()..rounds {
        forecaster.sample(&mut Random::new(3, round));
        forecaster.observe(round % 5 < 2).expect("a round");
    }
    forecaster
}

/// Interrupted anywhere, a run goes on as if nothing had happened.
#[test]
fn a_run_goes_on() {
    let new = |plan: u64| match plan {
        0 => HedgeForecaster::new(60, 9),
        1 => HedgeForecaster::doubling(None),
        _ => HedgeForecaster::doubling(Some(6)),
    };
    for plan in 0..3 {
        let whole = run(new(plan).expect("valid"), 60);
        for rounds in 0..60 {
            let mut part = run(new(plan).expect("valid"), rounds);
            if rounds % 2 == 0 {
                part.sample(&mut Random::new(3, rounds));
            }
            let resumed = HedgeForecaster::resume(&part.state()).expect("a state that was come to");
            assert_eq!(resumed, part);
            assert_eq!(run(resumed, 60), whole);
        }
    }
}

fn tally(bucket: usize, count: u64, ones: u64) -> Vec<BucketTally> {
    vec![BucketTally { bucket, count, ones }]
}

type Change = fn(&mut RunState);

/// Each way in which a state can be none.
#[test]
fn what_does_not_fit_together_is_refused() {
    let mut forecaster = run(HedgeForecaster::doubling(None).expect("valid"), 6);
    forecaster.sample(&mut Random::new(3, 6));
    let state = forecaster.state();
    let with = |change: Change| {
        let mut state = state.clone();
        change(&mut state);
        HedgeForecaster::resume(&state).expect_err("not a state")
    };
    let cases: [(Change, StateError, &str); 11] = [
        (|s| s.horizon = Some(9), StateError::NoBuckets, "comes with a number of buckets"),
        (|s| s.buckets = Some(1), StateError::Plan(HedgeError::Buckets(1)), "out of range"),
        (|s| s.restart = 40, StateError::Restart, "no such restart"),
        (|s| (s.horizon, s.buckets) = (Some(5), Some(3)), StateError::Restart, "no such restart"),
        (|s| s.tally[0].bucket = 9, StateError::Tally, "listed once, in order"),
        (|s| s.tally = tally(9, 6, 0), StateError::Bucket, "beyond the last"),
        (|s| s.tally[0].count = MAX_ROUNDS, StateError::TooMany, "more rounds than can be"),
        (|s| s.round = 7, StateError::Rounds, "do not add up to the number of rounds"),
        (|s| s.restart = 1, StateError::Before, "before the restart do not add up"),
        (|s| s.before = vec![], StateError::Before, "before the restart do not add up"),
        (|s| s.drawn = Some(9), StateError::Drawn, "no grid point"),
    ];
    for (change, error, words) in cases {
        let found = with(change);
        assert_eq!(found, error);
        assert!(found.to_string().contains(words), "{found}");
    }
}

/// The rounds before a restart are among all rounds, and those since are fewer than it is for.
#[test]
fn the_parts_of_a_run_add_up() {
    let resume = |round, whole, before| {
        HedgeForecaster::resume(&RunState {
            horizon: None,
            buckets: Some(3),
            round,
            restart: 1,
            tally: whole,
            before,
            drawn: None,
        })
        .map(|forecaster| forecaster.rounds())
    };
    assert_eq!(resume(2, tally(2, 2, 0), tally(2, 1, 0)), Ok(2));
    for before in [tally(2, 1, 1), tally(1, 1, 0)] {
        let error = resume(2, tally(2, 2, 0), before).expect_err("not among them");
        assert_eq!(error, StateError::Part);
        assert!(error.to_string().contains("in a bucket before the restart than in all"));
    }
    let error = resume(3, tally(2, 3, 0), tally(2, 1, 0)).expect_err("over after two rounds");
    assert_eq!(error, StateError::Since);
    assert!(error.to_string().contains("since the restart than it is for"));
}
