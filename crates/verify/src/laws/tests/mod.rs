//! Laws judged.

mod properties;
mod verdicts;

use num_rational::BigRational;
use truecal_check::law::Law;

use super::{Fraction, Verdict, judge};

fn law(text: &str) -> Law {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A law without quantities, or with T only.
fn judged(text: &str, rounds: i64) -> Verdict {
    let law = law(text);
    let fast = judge(&law, &|_| Fraction { numerator: rounds.into(), denominator: 1 });
    let exact = judge(&law, &|_| BigRational::from_integer(rounds.into()));
    assert_eq!(fast, exact, "{text}");
    exact.expect("rationals never overflow")
}

const TIGHT: Verdict = Verdict::Holds { equality: true };
const LOOSE: Verdict = Verdict::Holds { equality: false };
