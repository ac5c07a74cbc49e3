//! Certificates that were tampered with: each is rejected in its line for its reason, and nothing
//! panics or runs away.

use super::*;
use crate::Subject;

const LAW: &str = "signce <= 3*stepce";

/// Changes the certificate of [`LAW`] for three rounds; where and why it is rejected.
fn tampered(change: impl FnOnce(&mut Vec<String>)) -> (u64, Rejection) {
    let mut lines = lines("signce-le-3-stepce.T3.txt");
    change(&mut lines);
    rejected(LAW, 3, text(&lines).as_bytes())
}

/// The same with one line replaced, counted from 1.
fn replaced(line: usize, text: &str) -> (u64, Rejection) {
    tampered(|lines| lines[line - 1] = text.to_owned())
}

#[test]
fn the_header_says_what_is_proved() {
    let expected = |text: &str| Rejection::Statement(text.to_owned());
    let claim = "claim signce <= 3*stepce";
    for (line, text, reason) in [
        (1, "truecal certificate 2", Rejection::Version),
        (1, "truecal certificate 1 ", Rejection::Version),
        (1, "", Rejection::Version),
        (2, "claim signce <= 2*stepce", expected(claim)),
        (2, "claim  signce <= 3*stepce", expected(claim)),
        (2, "signce <= 3*stepce", expected(claim)),
        (3, "rounds 4", expected("rounds 3")),
        (3, "rounds 03", expected("rounds 3")),
        (3, "rounds all", expected("rounds 3")),
    ] {
        assert_eq!(replaced(line, text), (line as u64, reason), "{text:?}");
    }
}

/// Left out, twice, exchanged, another: the checker counts cases itself.
#[test]
fn every_case_comes_once_and_in_order() {
    let expected = |text: &str| Rejection::Case(text.to_owned());
    // Lines 23 to 31 are the case 0/1 0/2.
    let dropped = tampered(|lines| drop(lines.drain(22..31)));
    assert_eq!(dropped, (23, expected("case 0/1 0/2")));
    let doubled = tampered(|lines| {
        let again = lines[22..31].to_vec();
        lines.splice(31..31, again);
    });
    assert_eq!(doubled, (32, expected("case 0/1 1/2")));
    assert_eq!(tampered(|lines| lines.swap(31, 33)), (32, expected("case 0/1 1/2")));
    assert_eq!(replaced(4, "case 1/1 1/1 1/1"), (4, expected("case 0/1 0/1 0/1")));
    assert_eq!(replaced(4, "case 0/1 0/1 0/1 "), (4, expected("case 0/1 0/1 0/1")));
    // The last case, and what comes after it.
    assert_eq!(tampered(|lines| drop(lines.drain(88..90))), (89, expected("case 3/3")));
    assert_eq!(replaced(91, "case 0/4"), (91, expected("end")));
    assert_eq!(replaced(91, "end "), (91, expected("end")));
    // A row more and a row less.
    let more = tampered(|lines| lines.insert(4, lines[4].clone()));
    assert_eq!(more, (6, Rejection::Goal));
    assert_eq!(replaced(16, "case 0/1 0/1 1/1"), (16, Rejection::Malformed));
    assert_eq!(replaced(18, "=11"), (19, Rejection::Malformed));
    assert_eq!(replaced(18, "=13"), (18, Rejection::Malformed));
}

#[test]
fn rows_are_read_strictly() {
    let row = |text: &str| replaced(5, text);
    for (text, reason) in [
        ("-1*f1 f2", Rejection::Negative),
        ("f1 -f2", Rejection::Negative),
        ("-2: f1", Rejection::Negative),
        ("=-1", Rejection::Negative),
        ("0: f1", Rejection::Zero),
        ("f1 0*f2", Rejection::Zero),
        ("f0", Rejection::Fact),
        ("f1 f999", Rejection::Fact),
        ("o4", Rejection::Fact),
        ("o18446744073709551616", Rejection::Fact),
        ("f1", Rejection::Goal),
        ("0", Rejection::Goal),
        ("f1*f1*f1*f1*f1", Rejection::TooLarge),
        // The first case has no case before it.
        ("=1", Rejection::Malformed),
    ] {
        assert_eq!(row(text), (5, reason), "{text:?}");
    }
    for malformed in [
        "", " f1", "f1  f2", "f1 ", "x1", "f1*2", "f1 + f2", "+1", "f", "1:f1", "f1\r", "=0", "=",
        "=x",
    ] {
        assert_eq!(row(malformed), (5, Rejection::Malformed), "{malformed:?}");
    }
    let most = i128::MAX;
    for large in [
        "9".repeat(10_000),
        format!("{}*f1", "9".repeat(10_000)),
        format!("{most}: f1"),
        format!("{most}*f1 {most}*f1"),
        "f1 ".repeat(1 << 16),
    ] {
        assert_eq!(row(&large), (5, Rejection::TooLarge));
    }
    assert_eq!(replaced(18, &format!("={most}")), (18, Rejection::Malformed));
}

/// 2^16 bytes are too many, with what ends the line.
#[test]
fn lines_are_not_too_long() {
    let most = (1 << 16) - 2;
    assert_eq!(replaced(5, &"x".repeat(most)), (5, Rejection::Malformed));
    assert_eq!(replaced(5, &"x".repeat(most + 1)), (5, Rejection::TooLarge));
    // Whatever its length, the file is not read further.
    let endless = std::io::BufReader::new(std::io::Read::take(std::io::repeat(b'f'), 1 << 24));
    let rejected = check(&law(LAW), 2, endless).expect_err("endless");
    assert_eq!(rejected, Rejected { line: 1, reason: Rejection::TooLarge });
}

#[test]
fn the_end_is_the_end() {
    assert_eq!(tampered(|lines| lines.truncate(90)), (91, Rejection::Truncated));
    assert_eq!(tampered(Vec::clear), (1, Rejection::Truncated));
    assert_eq!(tampered(|lines| lines.push(String::new())), (92, Rejection::Trailing));
    assert_eq!(tampered(|lines| lines.push("end".to_owned())), (92, Rejection::Trailing));
    let whole = certificate("signce-le-3-stepce.T2.txt").into_bytes();
    let lines = whole.iter().filter(|byte| **byte == b'\n').count() as u64;
    for more in [b"more".as_slice(), b"\0", b"\xff\n"] {
        let longer = [&whole[..], more].concat();
        assert_eq!(rejected(LAW, 2, &longer), (lines + 1, Rejection::Trailing));
    }
    // A last line that is not ended may be half of one.
    assert_eq!(rejected(LAW, 2, &whole[..whole.len() - 1]), (lines, Rejection::Truncated));
}

#[test]
fn what_is_not_text_cannot_be_read() {
    let whole = certificate("signce-le-3-stepce.T2.txt").into_bytes();
    let (line, reason) = rejected(LAW, 2, &[&b"\xff"[..], &whole].concat());
    assert_eq!(line, 1);
    let Rejection::Unreadable(why) = reason else { panic!("{reason}") };
    assert!(why.contains("UTF-8"), "{why}");
}

#[test]
fn bounds_are_read_as_strictly_as_rows() {
    const LAW: &str = "ucal <= 8*stepce";
    let replaced = |line: usize, new: &str| {
        let mut lines = lines("ucal-le-8-stepce.T2.txt");
        lines[line - 1] = new.to_owned();
        rejected(LAW, 2, text(&lines).as_bytes())
    };
    assert_eq!(replaced(5, "over 0"), (5, Rejection::Zero));
    assert_eq!(replaced(5, "over -1"), (5, Rejection::Negative));
    assert_eq!(replaced(5, "over x"), (5, Rejection::Malformed));
    assert_eq!(replaced(5, "bound 1"), (5, Rejection::Malformed));
    assert_eq!(replaced(5, "over 2"), (11, Rejection::Goal));
    for malformed in [
        "bound ",
        "bound",
        "over 1",
        "bound y1 y1",
        "bound y1+v1",
        "bound y1 +  v1",
        "bound x",
        "bound y2",
        "bound v3",
        "bound (y1)",
        "bound y1*",
    ] {
        assert_eq!(replaced(6, malformed), (6, Rejection::Malformed), "{malformed:?}");
    }
    assert_eq!(replaced(6, "bound y1 - -1"), (6, Rejection::Negative));
    assert_eq!(replaced(6, "bound v1*v1*v1*v1*v1"), (6, Rejection::TooLarge));
    // Times a prediction it is of degree 5.
    assert_eq!(replaced(6, "bound v1*v1*v1*v1"), (7, Rejection::TooLarge));
    assert_eq!(replaced(6, &format!("bound {}", "1".repeat(10_000))), (6, Rejection::TooLarge));
    assert_eq!(replaced(6, "bound 0"), (8, Rejection::Goal));
    // One bound fewer: a row is not one.
    let mut fewer = lines("ucal-le-8-stepce.T2.txt");
    fewer.remove(5);
    assert_eq!(rejected(LAW, 2, text(&fewer).as_bytes()), (7, Rejection::Malformed));
}

fn head(claim: &str, rounds: u32) -> String {
    format!("{VERSION}\nclaim {claim}\nrounds {rounds}\nend\n")
}

#[test]
fn rounds_are_few() {
    let claim = "stepce <= ece";
    for rounds in [0, MOST_ROUNDS + 1, u32::MAX] {
        let text = head(claim, rounds);
        assert_eq!(rejected(claim, rounds, text.as_bytes()), (3, Rejection::Rounds));
        assert!(Subject::read(&text).is_err());
    }
    let never = "m == 0 => stepce <= 0";
    for rounds in [1, 8] {
        let accepted = check(&law(never), rounds, head(never, rounds).as_bytes());
        assert_eq!(accepted, Ok(Accepted::default()));
    }
    // As many as there may be; the first case is not there.
    let (line, reason) = rejected(claim, MOST_ROUNDS, head(claim, MOST_ROUNDS).as_bytes());
    let first = format!("case{}", " 0/1".repeat(MOST_ROUNDS as usize));
    assert_eq!((line, reason), (4, Rejection::Case(first)));
}

/// Small files that ask for much work are refused, or done with at once.
#[test]
fn nothing_runs_away() {
    // Products of numbers are evaluated once, however deep they are.
    let claim = format!("ece{} <= T", "*1".repeat(90));
    let (line, reason) = rejected(&claim, 1, head(&claim, 1).as_bytes());
    assert_eq!((line, reason), (4, Rejection::Case("case 0/1".to_owned())));
    // Numbers that would overflow are too large for a certificate, and so are small fractions that
    // are large over a common denominator.
    for claim in [
        "4611686018427387904*(4611686018427387904*(7*ucal)) <= stepce",
        "stepce/4611686018427387 + ece/4611686018427389 <= T",
    ] {
        let unsupported = (3, Rejection::Unsupported);
        assert_eq!(rejected(claim, 1, head(claim, 1).as_bytes()), unsupported, "{claim}");
    }
}
