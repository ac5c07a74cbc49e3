//! Committed certificates with something changed at random.

use proptest::prelude::*;

use super::*;
use crate::Subject;
use crate::testing::certificate_names;

/// A committed certificate of moderate length with at least one case, as its subject and its lines.
fn any_certificate() -> impl Strategy<Value = (Subject, Vec<String>)> {
    let texts: Vec<_> = certificate_names()
        .iter()
        .map(|name| certificate(name))
        .filter(|text| (5..200).contains(&text.lines().count()))
        .collect();
    proptest::sample::select(texts).prop_map(|text| {
        let subject = Subject::read(&text).expect("a certificate");
        (subject, text.lines().map(str::to_owned).collect())
    })
}

/// Why the lines are rejected, if they are.
fn reason(subject: &Subject, lines: &[String]) -> Option<Rejection> {
    subject.check(text(lines).as_bytes()).err().map(|rejected| rejected.reason)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Without one of its lines, with one of them twice, or with two different ones exchanged, it
    /// is another text for other cases. (Rows that are exchanged may still show their goals.)
    #[test]
    fn a_line_more_or_less_is_noticed(
        (subject, lines) in any_certificate(),
        place in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        kind in 0..3_u8,
    ) {
        let (place, other) = (place.index(lines.len()), other.index(lines.len()));
        let mut changed = lines.clone();
        match kind {
            0 => drop(changed.remove(place)),
            1 => changed.insert(place, lines[place].clone()),
            _ => {
                let fixed = |line: &str| !is_row(line) && !line.starts_with(['=', 'b']);
                prop_assume!(lines[place] != lines[other] && fixed(&lines[place]));
                changed.swap(place, other);
            }
        }
        prop_assert!(reason(&subject, &changed).is_some(), "lines {} and {}", place + 1, other + 1);
    }

    /// A multiplier, a denominator or a fact changed to another: the sum is another, as facts are
    /// not 0.
    #[test]
    fn another_number_in_a_row_is_noticed(
        (subject, lines) in any_certificate(),
        place in any::<prop::sample::Index>(),
        word in any::<prop::sample::Index>(),
        more in 1_i128..1000,
    ) {
        let rows = (3..lines.len()).filter(|i| is_row(&lines[*i]) && lines[*i] != "0");
        let rows: Vec<_> = rows.collect();
        prop_assume!(!rows.is_empty());
        let row = rows[place.index(rows.len())];
        let mut words: Vec<String> = lines[row].split(' ').map(str::to_owned).collect();
        let word = word.index(words.len());
        words[word] = match words[word].strip_suffix(':') {
            Some(denominator) => {
                format!("{}:", denominator.parse::<i128>().expect("a number") + more)
            }
            None => match words[word].split_once('*').map(|(n, rest)| (n.parse::<i128>(), rest)) {
                Some((Ok(number), rest)) => format!("{}*{rest}", number + more),
                _ => format!("{}*{}", more + 1, words[word]),
            },
        };
        // A number alone cannot be a factor.
        let changed_row = words.join(" ");
        let mut changed = lines.clone();
        changed[row] = changed_row;
        let reason = reason(&subject, &changed);
        prop_assert!(
            matches!(reason, Some(Rejection::Goal | Rejection::Malformed)),
            "{reason:?} for {:?}", changed[row]
        );
    }

    #[test]
    fn a_cut_is_noticed(
        (subject, lines) in any_certificate(),
        place in any::<prop::sample::Index>(),
    ) {
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
            // What can be accepted is a row that shows the same goal in another way: `=1` for `=2`
            // is not among them, but two facts may be equal, and a row may stand in the place of
            // `=1`. Everything but rows and bounds is compared as text.
            let changed = String::from_utf8(bytes).expect("text was accepted");
            let line = changed[..place].matches('\n').count();
            let (before, after) = (&lines[line], changed.lines().nth(line).unwrap_or_default());
            let spelt_out = before.starts_with('=') && is_row(after);
            prop_assert!(
                is_row(before) || before.starts_with("bound ") || spelt_out,
                "{before} became {after}"
            );
        }
    }
}
