//! What is accepted, and as how much.

use std::collections::BTreeSet;

use super::*;
use crate::Subject;
use crate::testing::certificate_names;
use truecal::Levels;
use truecal::grid::grid_tables;

/// How many lines make a certificate long: most are shorter, but most lines are in long ones.
const LONG: usize = 150;

/// Each is about what its name says.
fn committed_are_accepted(long: bool) {
    for name in certificate_names() {
        let text = certificate(&name);
        if (text.lines().count() > LONG) != long {
            continue;
        }
        let subject = Subject::read(&text).expect("a certificate");
        let accepted = subject.check(text.as_bytes()).unwrap_or_else(|no| panic!("{name}: {no}"));
        // Each case has its line; without cases a hypothesis is false for so many rounds.
        let cases = text.lines().filter(|line| line.starts_with("case ")).count();
        assert_eq!(accepted.cases, cases as u64, "{name}");
        assert_eq!(accepted.goals == 0, cases == 0, "{name}");
        assert!(name.ends_with(&format!(".T{}.txt", subject.rounds)), "{name}");
    }
}

#[test]
fn committed_certificates_are_accepted() {
    committed_are_accepted(false);
}

#[test]
fn long_certificates_are_accepted() {
    committed_are_accepted(true);
}

#[test]
fn cases_and_goals_are_counted() {
    let accepted = |claim: &str, rounds: u32, name: &str| {
        let accepted = check(&law(claim), rounds, certificate(name).as_bytes()).expect("a proof");
        (accepted.cases, accepted.goals)
    };
    // Two pieces for each sign at each of m levels, and the same with the other sign.
    assert_eq!(accepted("signce <= 3*stepce", 1, "signce-le-3-stepce.T1.txt"), (2, 8));
    assert_eq!(accepted("signce <= 3*stepce", 2, "signce-le-3-stepce.T2.txt"), (7, 4 * 8 + 3 * 4));
    // A line over 4 points for each level, >= 0 at both ends, and twice their sum.
    assert_eq!(accepted("ucal <= 8*stepce", 1, "ucal-le-8-stepce.T1.txt"), (2, 2 * (2 + 4 + 1)));
    let never = "T == 1 => signce == stepce";
    assert_eq!(accepted(never, 2, "T-eq-1-then-signce-eq-stepce.T2.txt"), (0, 0));
}

/// `=2` is two rows of the case before, and a row may be spelt out instead.
#[test]
fn repeated_rows_are_those_of_the_case_before() {
    let head = "truecal certificate 1\nclaim stepce <= ece\nrounds 1\n";
    let judge = |rows: &str| {
        let text = format!("{head}case 0/1\nf2\nf3\ncase 1/1\n{rows}end\n");
        check(&law("stepce <= ece"), 1, text.as_bytes()).map_err(|no| (no.line, no.reason))
    };
    for same in ["f2\nf3\n", "=2\n", "=1\nf3\n", "f2\n=1\n", "=1\n=1\n", "=02\n"] {
        assert_eq!(judge(same), Ok(Accepted { cases: 2, goals: 4 }), "{same:?}");
    }
    assert_eq!(judge("f3\n=1\n"), Err((8, Rejection::Goal)));
    // More rows than there are goals, or than there were rows.
    assert_eq!(judge("=3\n"), Err((8, Rejection::Malformed)));
    assert_eq!(judge("=1\n=2\n"), Err((9, Rejection::Malformed)));
    assert_eq!(judge("f2\n=2\n"), Err((9, Rejection::Malformed)));
    assert_eq!(judge("=0\nf2\nf3\n"), Err((8, Rejection::Malformed)));
}

fn patterns(rounds: u32) -> Vec<Pattern> {
    let mut patterns = vec![];
    let all: Result<(), ()> = Pattern::default().each(rounds, &mut |pattern| {
        patterns.push(pattern.clone());
        Ok(())
    });
    all.expect("nothing stops it");
    patterns
}

#[test]
fn patterns_come_in_their_order() {
    let texts: Vec<_> = patterns(2).iter().map(Pattern::to_string).collect();
    let expected = [
        "case 0/1 0/1",
        "case 0/1 1/1",
        "case 1/1 0/1",
        "case 1/1 1/1",
        "case 0/2",
        "case 1/2",
        "case 2/2",
    ];
    assert_eq!(texts, expected);
    for pattern in patterns(4) {
        let sum = |part: fn(&(u32, u32)) -> u32| pattern.levels.iter().map(part).sum::<u32>();
        assert_eq!((pattern.rounds(), pattern.ones()), (4, sum(|level| level.0)));
    }
    let ones: u32 = patterns(2).iter().map(Pattern::ones).sum();
    assert_eq!(ones, 7);
}

/// The case split is complete: every table has its pattern, and every pattern comes once and has a
/// table.
#[test]
fn every_table_has_its_pattern() {
    for rounds in 1..=4 {
        let patterns = patterns(rounds);
        let counts = |levels: Levels<i64>| -> Vec<(u32, u32)> {
            let rows = levels.table().rows().iter();
            rows.map(|row| (row.ones as u32, row.count as u32)).collect()
        };
        let tables: BTreeSet<_> = grid_tables(rounds, rounds).map(counts).collect();
        let found: BTreeSet<_> = patterns.iter().map(|pattern| pattern.levels.clone()).collect();
        assert_eq!(found, tables);
        assert_eq!(patterns.len(), tables.len());
    }
}

#[test]
fn the_first_error_stops_the_patterns() {
    let mut visited = 0;
    let stopped = Pattern::default().each(3, &mut |pattern| {
        visited += 1;
        if visited == 5 { Err(pattern.to_string()) } else { Ok(()) }
    });
    assert_eq!((stopped, visited), (Err("case 0/1 0/2".to_owned()), 5));
}
