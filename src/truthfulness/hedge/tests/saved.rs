//! Runs as text.

use crate::truthfulness::hedge::*;

fn run(mut forecaster: HedgeForecaster, seed: u64, rounds: u64) -> SavedRun {
    for round in forecaster.rounds()..rounds {
        forecaster.sample(&mut Random::new(seed, round));
        forecaster.observe(round % 5 < 2).expect("a round");
    }
    SavedRun { forecaster, seed }
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
        let whole = run(new(plan).expect("valid"), 3, 60);
        for rounds in 0..60 {
            let mut part = run(new(plan).expect("valid"), 3, rounds);
            if rounds % 2 == 0 {
                part.forecaster.sample(&mut Random::new(3, rounds));
            }
            let read = SavedRun::read(&part.to_text()).expect("what was written");
            assert_eq!(read, part);
            assert_eq!(run(read.forecaster, 3, 60), whole);
        }
    }
}

/// Every byte, changed to every other: refused, or another way to write the same.
#[test]
fn no_damage_goes_unnoticed() {
    let mut saved = run(HedgeForecaster::doubling(None).expect("valid"), 3, 6);
    saved.forecaster.sample(&mut Random::new(3, 6));
    let text = saved.to_text();
    let mut harmless = 0;
    for place in 0..text.len() {
        for byte in 0..=127 {
            let mut bytes = text.clone().into_bytes();
            bytes[place] = byte;
            let damaged = String::from_utf8(bytes).expect("ASCII");
            match SavedRun::read(&damaged) {
                Err(_) => {}
                Ok(read) => {
                    assert_eq!(read, saved, "{damaged}");
                    harmless += usize::from(damaged != text);
                }
            }
        }
        let mut cut = text.clone();
        cut.truncate(place);
        assert!(place + 1 == text.len() || SavedRun::read(&cut).is_err(), "{cut}");
    }
    assert_eq!(harmless, 3, "the newline at the end may be another white space");
}

/// A text with a checksum of its own that tells of what cannot be.
#[test]
fn what_does_not_fit_together_is_refused() {
    let mut saved = run(HedgeForecaster::doubling(None).expect("valid"), 3, 6);
    saved.forecaster.sample(&mut Random::new(3, 6));
    let text = saved.to_text();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        let (body, _) = text.split_once("\"checksum\":\"").expect("a checksum");
        let bare = format!("{}\"checksum\":\"\"}}", body.replacen(from, to, 1));
        let sum = format!("\"checksum\":\"{:016x}\"", crate::claims::hash(&bare));
        SavedRun::read(&bare.replace("\"checksum\":\"\"", &sum))
    };
    let message = |from: &str, to: &str| match with(from, to) {
        Ok(_) => panic!("{from} -> {to} was accepted"),
        Err(error) => error.to_string(),
    };
    assert_eq!(with("\"seed\":3", "\"seed\":4").map(|run| run.seed), Ok(4));
    assert!(message("\"schema\":1", "\"schema\":2").contains("of schema 2"));
    let by_hand = |bare: &str| {
        let sum = format!("\"checksum\":\"{:016x}\"", crate::claims::hash(bare));
        SavedRun::read(&bare.replace("\"checksum\":\"\"", &sum))
    };
    let two_rounds = |before: &str| {
        by_hand(&format!(
            "{{\"schema\":1,\"seed\":3,\"rounds\":null,\"buckets\":3,\"round\":2,\"restart\":1,\"tally\":[[2,2,0]],\
             \"before\":[[{before}]],\"drawn\":null,\"checksum\":\"\"}}"
        ))
    };
    assert!(two_rounds("2,1,0").is_ok());
    for before in ["2,1,1", "1,1,0"] {
        let words = "more rounds in a bucket before the restart than in all";
        assert_eq!(two_rounds(before), Err(StateError::Inconsistent(words)));
    }
    for (from, to, words) in [
        ("\"round\":6", "\"round\":7", "do not add up to the number of rounds"),
        ("\"rounds\":null", "\"rounds\":9", "comes with a number of buckets"),
        ("\"rounds\":null,\"buckets\":null", "\"rounds\":5,\"buckets\":3", "no such restart"),
        ("\"buckets\":null", "\"buckets\":1", "out of range"),
        ("\"restart\":2", "\"restart\":1", "before the restart do not add up"),
        ("\"restart\":2", "\"restart\":40", "no such restart"),
        ("\"tally\":[[0,", "\"tally\":[[9,", "listed once, in order"),
        ("\"drawn\":", "\"drawn\":9", "none that can be"),
    ] {
        let message = message(from, to);
        assert!(message.contains(words), "{from} -> {to}: {message}");
    }
}
