//! Laws read, printed and judged.

mod mistakes;
mod properties;
mod text;
mod verdicts;

use num_rational::{BigRational, Ratio};
use proptest::prelude::*;

use super::*;

fn law(text: &str) -> Law {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The sides of a comparison without quantities, or with T only.
fn judged(text: &str, rounds: i64) -> Verdict {
    let law = law(text);
    let fast = law.judge(&|_| Fraction { numerator: rounds.into(), denominator: 1 });
    let exact = law.judge(&|_| BigRational::from_integer(rounds.into()));
    assert_eq!(fast, exact, "{text}");
    exact.expect("rationals never overflow")
}

const TIGHT: Verdict = Verdict::Holds { equality: true };
const LOOSE: Verdict = Verdict::Holds { equality: false };
