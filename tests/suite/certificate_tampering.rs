//! Certificates that were tampered with: each is rejected for its reason, and nothing panics or runs away.

use proptest::prelude::*;
use truecal::certificate::checker::{self, MOST_ROUNDS, Rejected, Rejection};
use truecal::certificate::{Subject, aggregated, committed, prover};
use truecal::law::Law;

const LAW: &str = "signce <= 3*stepce";

fn law(text: &str) -> Law {
    text.parse().expect("a law")
}

fn certificate(text: &str, rounds: u32) -> Vec<String> {
    let text = prover::prove(&law(text), rounds, &|_| ()).expect("a true law");
    text.lines().map(str::to_owned).collect()
}

fn check(claim: &str, rounds: u32, lines: &[String]) -> Result<(), Rejected> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    checker::check(&law(claim), rounds, text.as_bytes()).map(|_| ())
}

/// Changes the certificate of [`LAW`] for three rounds, and gives the reason for which it is rejected.
fn reason(change: impl FnOnce(&mut Vec<String>)) -> Rejection {
    let mut lines = certificate(LAW, 3);
    assert_eq!(check(LAW, 3, &lines), Ok(()));
    change(&mut lines);
    check(LAW, 3, &lines).expect_err("tampered with").reason
}

fn find(lines: &[String], wanted: impl Fn(&str) -> bool) -> usize {
    lines.iter().position(|line| wanted(line)).expect("there is such a line")
}

/// A row of multipliers: it begins with a number or a fact.
fn is_row(line: &str) -> bool {
    line.trim_start_matches(['o', 'f']).starts_with(|c: char| c.is_ascii_digit())
}

#[test]
fn each_reason_has_its_rejection() {
    let set = |place: usize, text: &str| {
        let text = text.to_owned();
        move |lines: &mut Vec<String>| lines[place] = text
    };
    assert_eq!(reason(set(0, "truecal certificate 2")), Rejection::Version);
    assert_eq!(reason(set(0, "")), Rejection::Version);
    let expected = |text: &str| Rejection::Statement(text.to_owned());
    let claim = "claim signce <= 3*stepce";
    assert_eq!(reason(set(1, "claim signce <= 2*stepce")), expected(claim));
    assert_eq!(reason(set(1, "claim  signce <= 3*stepce")), expected(claim));
    assert_eq!(reason(set(2, "rounds 4")), expected("rounds 3"));
    assert_eq!(reason(set(2, "rounds 03")), expected("rounds 3"));

    let cases = |lines: &[String]| -> Vec<usize> {
        (0..lines.len()).filter(|i| lines[*i].starts_with("case ")).collect()
    };
    // A case left out, one twice, two exchanged, one of another pattern.
    let dropped = reason(|lines| {
        let places = cases(lines);
        lines.drain(places[4]..places[5]);
    });
    assert_eq!(dropped, Rejection::Case("case 0/1 0/2".to_owned()));
    let doubled = reason(|lines| {
        let places = cases(lines);
        let again = lines[places[4]..places[5]].to_vec();
        lines.splice(places[5]..places[5], again);
    });
    assert!(matches!(doubled, Rejection::Case(_)), "{doubled}");
    let swapped = reason(|lines| {
        let places = cases(lines);
        lines.swap(places[4], places[5]);
    });
    assert!(matches!(swapped, Rejection::Case(_)), "{swapped}");
    let other = reason(|lines| {
        let place = cases(lines)[0];
        lines[place] = "case 1/1 1/1 1/1".to_owned();
    });
    assert_eq!(other, Rejection::Case("case 0/1 0/1 0/1".to_owned()));

    let row = |text: &str| {
        let text = text.to_owned();
        reason(move |lines| {
            let place = find(lines, is_row);
            lines[place] = text;
        })
    };
    assert_eq!(row("-1*f1 f2"), Rejection::Negative);
    assert_eq!(row("f1 -f2"), Rejection::Negative);
    assert_eq!(row("-2: f1"), Rejection::Negative);
    assert_eq!(row("0: f1"), Rejection::Zero);
    assert_eq!(row("f1 0*f2"), Rejection::Zero);
    assert_eq!(row("f0"), Rejection::Fact);
    assert_eq!(row("f1 f999"), Rejection::Fact);
    assert_eq!(row("o4"), Rejection::Fact);
    assert_eq!(row("o18446744073709551616"), Rejection::Fact);
    assert_eq!(row("f1"), Rejection::Goal);
    assert_eq!(row("0"), Rejection::Goal);
    for malformed in [
        "", " f1", "f1  f2", "f1 ", "x1", "f1*2", "f1 + f2", "+1", "f", "1:f1", "f1\r", "=0", "=",
        "=x",
    ] {
        assert_eq!(row(malformed), Rejection::Malformed, "{malformed:?}");
    }
    assert_eq!(row("=-1"), Rejection::Negative);
    // The first case has no case before it.
    assert_eq!(row("=1"), Rejection::Malformed);
    assert_eq!(row(&"9".repeat(10_000)), Rejection::TooLarge);
    assert_eq!(row(&format!("{}*f1", "9".repeat(10_000))), Rejection::TooLarge);
    assert_eq!(row(&format!("{}: f1", i128::MAX)), Rejection::TooLarge);
    assert_eq!(row(&format!("{0}*f1 {0}*f1", i128::MAX)), Rejection::TooLarge);
    assert_eq!(row("f1*f1*f1*f1*f1"), Rejection::TooLarge);
    assert_eq!(row(&"f1 ".repeat(1 << 16)), Rejection::TooLarge);
    let repeated = reason(|lines| {
        let place = find(lines, |line| line.starts_with('='));
        lines[place] = format!("={}", i128::MAX);
    });
    assert_eq!(repeated, Rejection::Malformed);

    assert_eq!(reason(|lines| lines.truncate(lines.len() - 1)), Rejection::Truncated);
    assert_eq!(reason(|lines| lines.push(String::new())), Rejection::Trailing);
    assert_eq!(reason(|lines| lines.push("end".to_owned())), Rejection::Trailing);
    let text = certificate(LAW, 2).join("\n") + "\n";
    for (more, reason) in [("more", Rejection::Trailing), ("\u{0}", Rejection::Trailing)] {
        let longer = text.clone() + more;
        let rejected = checker::check(&law(LAW), 2, longer.as_bytes()).expect_err("too long");
        assert_eq!(rejected.reason, reason);
    }
    let bytes = [text.as_bytes(), b"\xff\n"].concat();
    assert!(checker::check(&law(LAW), 2, &bytes[..]).is_err());
    let bytes = [&b"\xff"[..], text.as_bytes()].concat();
    let rejected = checker::check(&law(LAW), 2, &bytes[..]).expect_err("not text");
    assert!(matches!(rejected.reason, Rejection::Unreadable(_)), "{rejected}");
    assert_eq!(rejected.line, 1);
}

#[test]
fn bounds_are_read_as_strictly_as_rows() {
    const LAW: &str = "ucal <= 8*stepce";
    let reason = |wanted: &str, text: &str| {
        let mut lines = certificate(LAW, 2);
        let place = find(&lines, |line| line.starts_with(wanted));
        lines[place] = text.to_owned();
        check(LAW, 2, &lines).expect_err("tampered with").reason
    };
    assert_eq!(reason("over", "over 0"), Rejection::Zero);
    assert_eq!(reason("over", "over -1"), Rejection::Negative);
    assert_eq!(reason("over", "bound 1"), Rejection::Malformed);
    assert_eq!(reason("over", "over 2"), Rejection::Goal);
    for malformed in [
        "bound ",
        "bound",
        "bound y1 y1",
        "bound y1+v1",
        "bound y1 +  v1",
        "bound x",
        "bound y2",
        "bound (y1)",
        "bound y1*",
    ] {
        assert_eq!(reason("bound", malformed), Rejection::Malformed, "{malformed:?}");
    }
    assert_eq!(reason("bound", "bound y1 - -1"), Rejection::Negative);
    assert_eq!(reason("bound", "bound v1*v1*v1*v1*v1"), Rejection::TooLarge);
    assert_eq!(reason("bound", "bound v1*v1*v1*v1"), Rejection::TooLarge);
    assert_eq!(reason("bound", &format!("bound {}", "1".repeat(10_000))), Rejection::TooLarge);
    assert_eq!(reason("bound", "bound 0"), Rejection::Goal);
}

/// Small files that ask for much work are refused, or done with at once.
#[test]
fn nothing_runs_away() {
    let head = |claim: &str, rounds: u32| {
        format!("{}\nclaim {claim}\nrounds {rounds}\nend\n", checker::VERSION)
    };
    for (claim, rounds) in
        [("stepce <= ece", 0), ("stepce <= ece", MOST_ROUNDS + 1), ("stepce <= ece", u32::MAX)]
    {
        let text = head(claim, rounds);
        let rejected = checker::check(&law(claim), rounds, text.as_bytes()).expect_err("rounds");
        assert_eq!(rejected.reason, Rejection::Rounds);
        assert!(Subject::read(&text).is_err());
    }
    // Products of numbers are evaluated once, however deep they are.
    let claim = format!("ece{} <= T", "*1".repeat(90));
    let text = head(&claim, 1);
    let rejected = checker::check(&law(&claim), 1, text.as_bytes()).expect_err("no cases");
    assert!(!matches!(rejected.reason, Rejection::Trailing), "{rejected}");
    // Numbers that would overflow are too large for a certificate.
    let big = "4611686018427387904*(4611686018427387904*(7*ucal)) <= stepce";
    let rejected = checker::check(&law(big), 1, head(big, 1).as_bytes());
    let reason = rejected.map_err(|rejected| rejected.reason);
    assert!(matches!(reason, Err(Rejection::Unsupported | Rejection::Statement(_))), "{reason:?}");
    // So are small fractions that are large over a common denominator.
    let fine = "stepce/4611686018427387 + ece/4611686018427389 <= T";
    let rejected = checker::check(&law(fine), 1, head(fine, 1).as_bytes()).expect_err("too fine");
    assert_eq!(rejected.reason, Rejection::Unsupported);
    // Every hypothesis is false.
    let never = "m == 0 => stepce <= 0";
    assert!(checker::check(&law(never), 8, head(never, 8).as_bytes()).is_ok());
    // A line without an end.
    let endless = std::io::BufReader::new(std::io::Read::take(std::io::repeat(b'f'), 1 << 24));
    let rejected = checker::check(&law(LAW), 2, endless).expect_err("endless");
    assert_eq!(rejected.reason, Rejection::TooLarge);
}

#[test]
fn certificates_for_every_t_repeat_their_cases() {
    let claim = aggregated::named("sign-step").expect("a claim");
    let lines: Vec<String> = prover::prove_aggregated(claim)
        .expect("a certificate")
        .lines()
        .map(str::to_owned)
        .collect();
    let reason = |wanted: &str, text: Option<&str>| {
        let mut lines = lines.clone();
        let place = find(&lines, |line| line.starts_with(wanted));
        match text {
            Some(text) => lines[place] = text.to_owned(),
            None => drop(lines.remove(place)),
        }
        let text = lines.join("\n") + "\n";
        checker::check_aggregated(claim, text.as_bytes()).expect_err("tampered with").reason
    };
    assert!(matches!(reason("rounds", Some("rounds 3")), Rejection::Statement(_)));
    assert!(matches!(reason("claim", Some("claim stepce <= ece")), Rejection::Statement(_)));
    assert!(matches!(reason("case", Some("case")), Rejection::Case(_)));
    assert!(matches!(reason("variables", None), Rejection::Case(_)));
    assert!(matches!(reason("fact", None), Rejection::Case(_)));
    assert!(matches!(reason("fact", Some("fact -1")), Rejection::Case(_)));
    assert!(matches!(reason("goal", Some("goal S")), Rejection::Case(_)));
    assert_eq!(reason("f1 f3 f6", Some("f1 f3 f5")), Rejection::Goal);
    assert_eq!(reason("f1 f3 f6", Some("o0")), Rejection::Fact);
    assert_eq!(reason("end", None), Rejection::Truncated);
}

/// A committed certificate with at least one case, as its subject and its lines.
fn any_certificate() -> impl Strategy<Value = (Subject, Vec<String>)> {
    let texts: Vec<_> =
        committed().map(|c| c.text).filter(|text| text.lines().count() > 4).collect();
    proptest::sample::select(texts).prop_map(|text| {
        let subject = Subject::read(text).expect("a certificate");
        (subject, text.lines().map(str::to_owned).collect())
    })
}

fn rejected(subject: &Subject, lines: &[String]) -> Option<Rejection> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    subject.check(text.as_bytes()).err().map(|rejected| rejected.reason)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Without one of its lines, with one of them twice, or with two different ones exchanged, it is another text for other cases.
    #[test]
    fn a_line_more_or_less_is_noticed(
        (subject, lines) in any_certificate(), place in any::<prop::sample::Index>(), kind in 0..2_u8,
    ) {
        let place = place.index(lines.len());
        let mut changed = lines.clone();
        match kind {
            0 => drop(changed.remove(place)),
            _ => changed.insert(place, lines[place].clone()),
        }
        prop_assert!(rejected(&subject, &changed).is_some(), "line {}", place + 1);
    }

    /// A multiplier, a denominator or a fact changed to another: the sum is another, as facts are not 0.
    #[test]
    fn another_number_in_a_row_is_noticed(
        (subject, lines) in any_certificate(),
        place in any::<prop::sample::Index>(),
        word in any::<prop::sample::Index>(),
        more in 1_i128..1000,
    ) {
        let rows: Vec<_> = (3..lines.len()).filter(|i| is_row(&lines[*i]) && lines[*i] != "0").collect();
        prop_assume!(!rows.is_empty());
        let row = rows[place.index(rows.len())];
        let mut words: Vec<String> = lines[row].split(' ').map(str::to_owned).collect();
        let word = word.index(words.len());
        words[word] = match words[word].strip_suffix(':') {
            Some(denominator) => format!("{}:", denominator.parse::<i128>().expect("a number") + more),
            None => match words[word].split_once('*').map(|(n, rest)| (n.parse::<i128>(), rest)) {
                Some((Ok(number), rest)) => format!("{}*{rest}", number + more),
                _ => format!("{}*{}", more + 1, words[word]),
            },
        };
        // A number alone cannot be a factor.
        let changed_row = words.join(" ");
        let mut changed = lines.clone();
        changed[row] = changed_row;
        let reason = rejected(&subject, &changed);
        prop_assert!(
            matches!(reason, Some(Rejection::Goal | Rejection::Malformed)),
            "{reason:?} for {:?}", changed[row]
        );
    }

    #[test]
    fn a_cut_is_noticed((subject, lines) in any_certificate(), place in any::<prop::sample::Index>()) {
        let text = lines.join("\n") + "\n";
        let cut = &text[..place.index(text.len())];
        let reason = subject.check(cut.as_bytes()).err().map(|rejected| rejected.reason);
        prop_assert!(reason.is_some());
    }

    /// Bytes at random: nothing panics, and whatever is accepted still says the same.
    #[test]
    fn noise_does_no_harm(
        (subject, lines) in any_certificate(),
        place in any::<prop::sample::Index>(),
        byte in prop::sample::select(b"0123456789 -+*:=foycabndr./\n\r\t\0\xff".to_vec()),
    ) {
        let mut bytes = (lines.join("\n") + "\n").into_bytes();
        let place = place.index(bytes.len());
        let same = bytes[place] == byte;
        bytes[place] = byte;
        if subject.check(&bytes[..]).is_ok() && !same {
            // What can be accepted is a row that shows the same goal in another way: `=1` for `=2` is not among them, but two
            // facts may be equal, and a row may stand in the place of `=1`. Everything but rows and bounds is compared as text.
            let changed = String::from_utf8(bytes).expect("text was accepted");
            let line = changed[..place].matches('\n').count();
            let (before, after) = (&lines[line], changed.lines().nth(line).unwrap_or_default());
            let spelt_out = before.starts_with('=') && is_row(after);
            prop_assert!(is_row(before) || before.starts_with("bound ") || spelt_out, "{before} became {after}");
        }
    }
}
