//! The row check of certificates, on every short row.

use super::symbolic::{between, near};
use crate::polynomial::{Ring, natural, shows, term};
use crate::rejection::Fault;

harnesses! {
    /// Reading a number never panics or overflows; it accepts exactly digits, and the number is
    /// what they say, at least 0.
    numbers / numbers_from_one {
        claims: ["core:checker"],
        domain: "every 3 bytes",
        cases: "16 777 216",
        unwind: 5,
        seconds: 10,
        proof: a_number_is_its_digits(0),
        fault: "one more" => a_number_is_its_digits(1),
    }

    /// A number of 39 digits is accepted exactly if it fits 127 bits, next to the largest that
    /// does.
    long_numbers / long_numbers_in_128_bits {
        claims: ["core:checker"],
        domain: "the last 2 of 39 digits, after the first 37 of 2^127",
        cases: "100",
        unwind: 42,
        seconds: 10,
        proof: a_long_number_fits_or_not(false),
        fault: "every one fits" => a_long_number_fits_or_not(true),
    }

    /// Whatever a term of a row says, reading it does not panic, and if all facts are at least 0
    /// and it is accepted, then it is at least 0. So no negative multiplier is accepted, in rows of
    /// any number of terms (`step_of_a_row`). Facts are small integers: their values at a point.
    terms / terms_of_facts_below_zero {
        claims: ["core:checker"],
        domain: "3 characters out of 12; facts o0, f1 from 0 to 1",
        cases: "6 912",
        unwind: 5,
        seconds: 60,
        proof: an_accepted_term_is_nonnegative(row::<3>(), 0),
        fault: "facts may be -1" => an_accepted_term_is_nonnegative(row::<3>(), -1),
    }

    /// One step of a row: what is left of the goal after a term that is at least 0 was taken from
    /// it is no larger. If nothing is left at the end, the goal was at least 0.
    step_of_a_row / step_of_a_row_with_the_other_sign {
        claims: ["core:checker"],
        domain: "every rest and term in 16 bits",
        cases: "2^31",
        unwind: 2,
        seconds: 10,
        proof: a_step_takes_something(-1),
        fault: "the term is added" => a_step_takes_something(1),
    }

    /// A whole row: if it is accepted while all facts are at least 0, then so is the goal. It does
    /// not panic.
    short_rows / short_rows_of_facts_below_zero {
        claims: ["core:checker"],
        domain: "2 characters out of 12; facts o0, f1 from 0 to 1, goal from -1 to 2",
        cases: "2 304",
        unwind: 4,
        seconds: 60,
        proof: an_accepted_row_is_right(row::<2>(), 0),
        fault: "facts may be -1" => an_accepted_row_is_right(row::<2>(), -1),
    }

    /// The same for rows of four characters.
    rows_of_four / rows_of_four_of_facts_below_zero {
        claims: ["core:checker"],
        domain: "4 characters out of 12; facts o0, f1 from 0 to 1, goal from -1 to 2",
        cases: "331 776",
        slow: kani_slow,
        unwind: 6,
        seconds: 600,
        proof: an_accepted_row_is_right(row::<4>(), 0),
        fault: "facts may be -1" => an_accepted_row_is_right(row::<4>(), -1),
    }

    /// The row `d: f1` shows a goal exactly if d is positive and d times the goal is f1, and
    /// `o0*f1` exactly if the goal is the product.
    denominators_and_products / denominators_are_ignored {
        claims: ["core:checker"],
        domain: "digits d; facts o0, f1 from 0 to 3, goal from -2 to 9",
        cases: "1 920",
        unwind: 8,
        seconds: 10,
        proof: a_row_means_what_it_says(true),
        fault: "the denominator is 1" => a_row_means_what_it_says(false),
    }

    /// Nor does it panic on bytes that no certificate has.
    rows_of_any_bytes / rows_of_any_bytes_are_all_rejected {
        claims: ["core:checker"],
        domain: "every 2 bytes; facts o0 = 1, f1 = 2, goal 2",
        cases: "65 536",
        unwind: 4,
        seconds: 10,
        proof: any_bytes_are_judged(false),
        fault: "every row is rejected" => any_bytes_are_judged(true),
    }
}

/// A fact at a point: a small integer, where whatever is larger is an error.
struct Scalar(i16);

impl Scalar {
    fn of(number: Option<i16>) -> Result<Scalar, Fault> {
        number.map(Scalar).ok_or(Fault::TooLarge)
    }
}

impl Ring for Scalar {
    fn constant(number: i128) -> Self {
        // What does not fit is never equal to a small goal; it is as good as the largest.
        Scalar(i16::try_from(number).unwrap_or(i16::MAX))
    }

    fn plus(self, factor: i128, other: &Self) -> Result<Self, Fault> {
        let factor = i16::try_from(factor).map_err(|_| Fault::TooLarge)?;
        Scalar::of(other.0.checked_mul(factor).and_then(|product| self.0.checked_add(product)))
    }

    fn times(&self, other: &Self) -> Result<Self, Fault> {
        Scalar::of(self.0.checked_mul(other.0))
    }

    fn is_zero(&self) -> bool {
        self.0 == 0
    }
}

fn a_number_is_its_digits(more: i128) {
    let byte = || near(0_u8, 255, b"-5");
    let text = [byte(), byte(), byte()];
    let [a, b, c] = text.map(|byte| i128::from(byte) - 48);
    let digits = (0..=9).contains(&a) && (0..=9).contains(&b) && (0..=9).contains(&c);
    match natural(&text) {
        Ok(number) => assert!(digits && number == 100 * a + 10 * b + c + more),
        Err(Fault::Negative) => assert!(text[0] == b'-'),
        Err(reason) => assert!(!digits && reason == Fault::Malformed),
    }
    cover!(digits && a == 9);
    cover!(text[0] == b'-');
}

fn a_long_number_fits_or_not(always: bool) {
    let mut text = *b"170141183460469231731687303715884105728"; // 2^127
    let (mut low, mut place) = (0, 37);
    while place < 39 {
        let digit = between(b'0', b'9');
        text[place] = digit;
        low = 10 * low + u32::from(digit - b'0');
        place += 1;
    }
    let fits = low < 28;
    assert!(natural(&text).is_ok() == (fits || always));
    cover!(low == 27);
    cover!(low == 28);
}

/// Characters of all kinds that rows are made of, and some that they are not.
fn row<const N: usize>() -> [u8; N] {
    const CHARACTERS: [u8; 12] = *b"0129-:* of+x";
    [0; N].map(|_: u8| CHARACTERS[between(0, 11)])
}

fn an_accepted_term_is_nonnegative<const N: usize>(text: [u8; N], least: i16) {
    let facts = [Scalar(between(least, 1)), Scalar(between(least, 1))];
    let result = term(&text, &facts, 1);
    assert!(!matches!(result, Ok(Scalar(i16::MIN..=-1))));
    cover!(matches!(result, Ok(Scalar(0))));
    cover!(matches!(result, Ok(Scalar(12))));
    cover!(matches!(result, Err(Fault::Negative)));
}

fn a_step_takes_something(sign: i128) {
    let (rest, term) = (between(i16::MIN, i16::MAX), between(0, i16::MAX));
    let result = Scalar(rest).plus(sign, &Scalar(term));
    match &result {
        Ok(Scalar(left)) => assert!(*left <= rest),
        Err(fault) => assert!(*fault == Fault::TooLarge),
    }
    cover!(matches!(result, Ok(Scalar(0))));
    cover!(result.is_err());
}

fn an_accepted_row_is_right<const N: usize>(row: [u8; N], least: i16) {
    let facts = [Scalar(between(least, 1)), Scalar(between(least, 1))];
    let goal = between(-1, 2);
    let result = shows(&row, &facts, 1, &Scalar(goal));
    assert!(result.is_err() || goal >= 0);
    cover!(result.is_ok() && goal == 0);
    cover!(result.is_ok() && goal == 2);
    cover!(result == Err(Fault::Negative));
}

fn a_row_means_what_it_says(divided: bool) {
    let digit = between(0_u8, 9);
    let (o0, f1, goal) = (between(0_i16, 3), between(0_i16, 3), between(-2_i16, 9));
    let facts = [Scalar(o0), Scalar(f1)];
    let row = [b'0' + digit, b':', b' ', b'f', b'1'];
    let by_division = shows(&row, &facts, 1, &Scalar(goal));
    let denominator = if divided { i16::from(digit) } else { 1 };
    assert!(by_division.is_ok() == (digit > 0 && denominator * goal == f1));
    assert!(digit > 0 || by_division == Err(Fault::Zero));
    assert!(shows(b"o0*f1", &facts, 1, &Scalar(goal)).is_ok() == (goal == o0 * f1));
    cover!(digit == 3 && by_division.is_ok() && goal == 1);
    cover!(goal == 9 && o0 == 3 && f1 == 3);
}

fn any_bytes_are_judged(rejected: bool) {
    let row = [between(0_u8, 255), between(0, 255)];
    let result = shows(&row, &[Scalar(1), Scalar(2)], 1, &Scalar(2));
    assert!(result.is_err() || !rejected && (&row == b"f1" || &row == b"02"));
    cover!(result.is_ok());
    cover!(result == Err(Fault::Zero));
}
