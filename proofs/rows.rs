//! The row check of certificates: its steps from any state, hence rows of every length, and whole
//! short rows.

use super::symbolic::{between, either, near};
use crate::polynomial::row::{Judge, Kind, Place, Reader, Role, Token};
use crate::polynomial::{Ring, natural, shows};
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

    /// One byte of a row, after whatever came before. A digit makes the number ten times as large
    /// and adds itself, unless 127 bits are too few; a letter begins a word; a star, a space or a
    /// colon ends one that has a digit, and hands on just what was read; nothing else is accepted.
    /// It never panics. By induction rows of every length are read as they are written.
    reading_step / reading_step_in_eights {
        claims: ["core:checker"],
        domain: "every state of the reader, every byte",
        cases: "2^136.6",
        unwind: 2,
        seconds: 10,
        proof: a_byte_is_read_as_it_is(10),
        fault: "digits count eight times as much" => a_byte_is_read_as_it_is(8),
    }

    /// A word that was written is read: the tokens of its bytes are what it was written from.
    reading_words / reading_words_with_the_other_letter {
        claims: ["core:checker"],
        domain: "words of two digits after no letter, `o` or `f`, before a star, a space, a colon \
            or the end",
        cases: "1200",
        unwind: 6,
        seconds: 10,
        proof: a_word_is_read_as_written(false),
        fault: "the letters are exchanged" => a_word_is_read_as_written(true),
    }

    /// Soundness for rows of every length, by induction over their words. Facts are small integers:
    /// their values at a point. While all of them are at least 0, one word more, whatever was
    /// before, leaves what is left of a negative goal negative, and products at least 0; so it is
    /// at the beginning; and at the end nothing may be left. So a row that is accepted shows that
    /// its goal is at least 0. It never panics. (Values beyond 16 bits are not looked at.)
    judging_step / judging_step_of_facts_below_zero {
        claims: ["core:checker"],
        domain: "every word after every state that keeps this, 16 bits; facts o0, o1, f1 from 0 to \
            15, goal from -16 to 15",
        cases: "2^179",
        unwind: 2,
        seconds: 10,
        proof: a_word_keeps_a_negative_goal_negative(0),
        fault: "facts may be -1" => a_word_keeps_a_negative_goal_negative(-1),
    }

    /// One word more means what it says: a denominator multiplies the goal, a number or a fact the
    /// product, and the last factor of a term takes the product from what is left.
    judging_words / judging_words_added {
        claims: ["core:checker"],
        domain: "rest from -3 to 3, product from 0 to 9, every place, words up to 3; three facts \
            from 0 to 3, one or two of them of the order, goal from -2 to 2",
        cases: "1 935 360",
        unwind: 2,
        seconds: 10,
        proof: a_word_means_what_it_says(-1),
        fault: "terms are added" => a_word_means_what_it_says(1),
    }

    /// A whole row: if it is accepted while all facts are at least 0, then so is the goal. It does
    /// not panic.
    short_rows / short_rows_of_facts_below_zero {
        claims: ["core:checker"],
        domain: "2 characters out of 12; facts o0, f1 from 0 to 1, goal from -1 to 2",
        cases: "2 304",
        unwind: 4,
        seconds: 10,
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
        seconds: 60,
        proof: an_accepted_row_is_right(row::<4>(), 0),
        fault: "facts may be -1" => an_accepted_row_is_right(row::<4>(), -1),
    }

    /// The row `d: f1` shows a goal exactly if d is positive and d times the goal is f1, `o0*f1`
    /// exactly if the goal is the product, `0` exactly if it is 0, and an empty row shows nothing.
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
#[derive(Clone)]
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
    match result!("natural", natural(&text)) {
        Ok(number) => assert!(digits && number == 100 * a + 10 * b + c + more),
        Err(Fault::Negative) => assert!(text[0] == b'-'),
        Err(reason) => assert!(!digits && text[0] != b'-' && reason == Fault::Malformed),
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

/// The largest number that is read.
const LARGEST: i128 = i128::MAX;

fn any_kind() -> Kind {
    match between(0_u8, 2) {
        0 => Kind::Number,
        1 => Kind::Order,
        _ => Kind::Fact,
    }
}

fn a_byte_is_read_as_it_is(ten: i128) {
    let (kind, colon) = (any_kind(), either());
    let number = either().then(|| near(0, LARGEST, &[LARGEST / 10, LARGEST]));
    // After a colon nothing was read yet.
    assume!(!colon || kind == Kind::Number && number.is_none());
    let before = Reader { kind, number, colon };
    let byte = near(0_u8, 255, b"0589of*:-");
    let mut reader = before;
    let token = reader.take(byte);
    // What is left after an error is never used.
    let read = result!("Reader::take", token.map(|token| (token, reader)));
    let fresh = Reader { kind: Kind::Number, number: None, colon: false };
    let ends = |role: Role, after: Reader| match number {
        Some(number) => read == Ok((Some(Token { kind, number, role }), after)),
        None => read == Err(Fault::Malformed),
    };
    match byte {
        b' ' if colon => assert!(read == Ok((None, fresh))),
        _ if colon => assert!(read == Err(Fault::Malformed)),
        b'*' => assert!(ends(Role::Factor, fresh)),
        b' ' => assert!(ends(Role::Last, fresh)),
        b':' => assert!(ends(Role::Denominator, Reader { colon: true, ..fresh })),
        b'0'..=b'9' => {
            let (so_far, digit) = (number.unwrap_or(0), i128::from(byte - b'0'));
            if so_far > LARGEST / 10 || so_far == LARGEST / 10 && digit > LARGEST % 10 {
                assert!(read == Err(Fault::TooLarge));
            } else {
                let number = Some(ten * so_far + digit);
                assert!(read == Ok((None, Reader { number, ..before })));
            }
        }
        b'o' | b'f' if kind == Kind::Number && number.is_none() => {
            let kind = if byte == b'o' { Kind::Order } else { Kind::Fact };
            assert!(read == Ok((None, Reader { kind, ..before })));
        }
        b'-' if number.is_none() => assert!(read == Err(Fault::Negative)),
        _ => assert!(read == Err(Fault::Malformed)),
    }
    // The word that the end of the row would end.
    let end = result!("Reader::end", before.end(Role::Last));
    let role = Role::Last;
    assert!(end == number.map(|number| Token { kind, number, role }).ok_or(Fault::Malformed));
    let token = read.map(|(token, _)| token);
    cover!(number == Some(LARGEST / 10) && token == Ok(None));
    cover!(number.is_some() && token == Err(Fault::TooLarge));
    cover!(token == Ok(Some(Token { kind: Kind::Fact, number: LARGEST, role })));
}

fn a_word_is_read_as_written(exchanged: bool) {
    let kind = any_kind();
    let (tens, ones) = (between(0_u8, 9), between(0_u8, 9));
    let number = i128::from(10 * tens + ones);
    let (order, fact) = if exchanged { (b'f', b'o') } else { (b'o', b'f') };
    let mut reader = Reader::default();
    let letter = match kind {
        Kind::Number => Ok(None),
        Kind::Order => reader.take(order),
        Kind::Fact => reader.take(fact),
    };
    let (first, second) = (reader.take(b'0' + tens), reader.take(b'0' + ones));
    assert!(letter == Ok(None) && first == Ok(None) && second == Ok(None));
    let (token, role) = match between(0_u8, 3) {
        0 => (reader.take(b'*'), Role::Factor),
        1 => (reader.take(b' '), Role::Last),
        2 => (reader.take(b':'), Role::Denominator),
        _ => (reader.end(Role::Last).map(Some), Role::Last),
    };
    assert!(result!("Reader::take", token) == Ok(Some(Token { kind, number, role })));
    cover!(kind == Kind::Fact && number == 99 && role == Role::Last);
    cover!(kind == Kind::Number && role == Role::Denominator);
}

fn any_place() -> Place {
    match between(0_u8, 2) {
        0 => Place::Row,
        1 => Place::Term,
        _ => Place::Factor,
    }
}

/// A word with a number in this range, in any role.
fn any_token(least: i128, most: i128) -> Token {
    let role = match between(0_u8, 2) {
        0 => Role::Denominator,
        1 => Role::Factor,
        _ => Role::Last,
    };
    Token { kind: any_kind(), number: near(least, most, &[0, 1, 2]), role }
}

/// Two facts of the order, o0 and o1, and another, f1.
type Facts = [Scalar; 3];

fn a_word_keeps_a_negative_goal_negative(least: i16) {
    let facts: Facts = [between(least, 15), between(least, 15), between(least, 15)].map(Scalar);
    let goal = Scalar(between(-16, 15));
    // A negative goal has a negative rest, products are at least 0, and begin with 1; what is
    // judged stays the same.
    let keeps = |judge: &Judge<Scalar>| {
        let same = judge.order == 2
            && std::ptr::eq(judge.goal, &goal)
            && judge.facts.len() == 3
            && std::ptr::eq(&judge.facts[0], &facts[0]);
        let begun = judge.place == Place::Factor || judge.product.0 == 1;
        same && begun && judge.product.0 >= 0 && (goal.0 >= 0 || judge.rest.0 < 0)
    };
    match Judge::begin(&facts, 2, &goal) {
        Ok(judge) => {
            let start = result!("Judge::begin", (judge.rest.0, judge.product.0));
            assert!(start == (goal.0, 1) && judge.place == Place::Row && keeps(&judge));
        }
        Err(_) => panic!("every goal can be begun with"),
    }
    let rest = Scalar(near(i16::MIN, i16::MAX, &[-1, 7]));
    let product = Scalar(near(0, i16::MAX, &[1, 4]));
    let judge = Judge { facts: &facts, order: 2, goal: &goal, rest, product, place: any_place() };
    assume!(keeps(&judge));
    let accepted = result!("Judge::end", judge.clone().end());
    assert!(accepted == if judge.rest.0 == 0 { Ok(()) } else { Err(Fault::Goal) });
    assert!(accepted.is_err() || goal.0 >= 0);
    let result = judge.take(any_token(i128::MIN, i128::MAX));
    if let Ok(after) = &result {
        assert!(keeps(after));
    }
    cover!(matches!(&result, Ok(after) if goal.0 == -1 && after.rest.0 == -2));
    cover!(matches!(&result, Ok(after) if after.product.0 == 12 && after.rest.0 == 7));
    cover!(matches!(&result, Ok(after) if goal.0 > 0 && after.rest.0 == 0));
}

fn a_word_means_what_it_says(sign: i16) {
    let facts: Facts = [between(0_i16, 3), between(0_i16, 3), between(0_i16, 3)].map(Scalar);
    // Each order is a number that the solver knows.
    match between(0_u8, 1) {
        0 => a_word_after_the_order(&facts, 1, sign),
        _ => a_word_after_the_order(&facts, 2, sign),
    }
}

fn a_word_after_the_order(facts: &Facts, order: usize, sign: i16) {
    let goal = Scalar(between(-2, 2));
    let (rest, place) = (between(-3_i16, 3), any_place());
    let product = if place == Place::Factor { between(0_i16, 9) } else { 1 };
    let token = any_token(0, 3);
    let (facts, goal) = (facts.as_slice(), &goal);
    let (rest_before, product_before) = (Scalar(rest), Scalar(product));
    let judge = Judge { facts, order, goal, rest: rest_before, product: product_before, place };
    let after = judge.take(token).map(|judge| ((judge.rest.0, judge.product.0), judge.place));
    let after = result!("Judge::take", after);
    let number = token.number as i16;
    let unless_zero = |number: i16| if number > 0 { Ok(number) } else { Err(Fault::Zero) };
    if token.role == Role::Denominator {
        let allowed = token.kind == Kind::Number && place == Place::Row;
        let factor = if allowed { unless_zero(number) } else { Err(Fault::Malformed) };
        assert!(after == factor.map(|factor| ((factor * goal.0, 1), Place::Term)));
        cover!(after == Ok(((-6, 1), Place::Term)));
        return;
    }
    // o0, o1, … are the first facts, f1, f2, … the others.
    let place_of = |number: usize| facts.get(number).map(|fact| fact.0).ok_or(Fault::Fact);
    let (from, index) = (order, number.unsigned_abs() as usize);
    let factor = match token.kind {
        Kind::Number if place == Place::Factor => Err(Fault::Malformed),
        Kind::Number => unless_zero(number),
        Kind::Order if index < from => place_of(index),
        Kind::Fact if index > 0 => place_of(from + index - 1),
        Kind::Order | Kind::Fact => Err(Fault::Fact),
    };
    match factor.map(|factor| product * factor) {
        Ok(product) if token.role == Role::Last => {
            assert!(after == Ok(((rest + sign * product, 1), Place::Term)));
        }
        Ok(product) => assert!(after == Ok(((rest, product), Place::Factor))),
        Err(fault) => assert!(after == Err(fault)),
    }
    cover!(after == Ok(((-30, 1), Place::Term)));
    cover!(after == Ok(((3, 27), Place::Factor)));
}

/// Characters of all kinds that rows are made of, and some that they are not.
fn row<const N: usize>() -> [u8; N] {
    const CHARACTERS: [u8; 12] = *b"0129-:* of+x";
    [0; N].map(|_: u8| CHARACTERS[between(0, 11)])
}

fn an_accepted_row_is_right<const N: usize>(row: [u8; N], least: i16) {
    let facts = [Scalar(between(least, 1)), Scalar(between(least, 1))];
    let goal = between(-1, 2);
    let result = result!("shows", shows(&row, &facts, 1, &Scalar(goal)));
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
    let by_division = result!("shows", shows(&row, &facts, 1, &Scalar(goal)));
    let denominator = if divided { i16::from(digit) } else { 1 };
    assert!(by_division.is_ok() == (digit > 0 && denominator * goal == f1));
    assert!(
        by_division.is_ok()
            || by_division == Err(if digit > 0 { Fault::Goal } else { Fault::Zero })
    );
    let by_product = result!("shows", shows(b"o0*f1", &facts, 1, &Scalar(goal)));
    assert!(by_product == if goal == o0 * f1 { Ok(()) } else { Err(Fault::Goal) });
    // A row without terms, and one without anything.
    let nothing = result!("shows", shows(b"0", &facts, 1, &Scalar(goal)));
    assert!(nothing == if goal == 0 { Ok(()) } else { Err(Fault::Goal) });
    assert!(shows(b"", &facts, 1, &Scalar(goal)) == Err(Fault::Malformed));
    cover!(nothing.is_ok());
    cover!(digit == 3 && by_division.is_ok() && goal == 1);
    cover!(goal == 9 && o0 == 3 && f1 == 3);
}

fn any_bytes_are_judged(rejected: bool) {
    let row = [between(0_u8, 255), between(0, 255)];
    let result = result!("shows", shows(&row, &[Scalar(1), Scalar(2)], 1, &Scalar(2)));
    assert!(result.is_ok() == (!rejected && (&row == b"f1" || &row == b"02")));
    cover!(result.is_ok());
    cover!(result == Err(Fault::Zero));
}

#[cfg(not(kani))]
wrong_fields! {
    Reader { kind: Kind, number: Option<i128>, colon: bool }
    Token { kind: Kind, number: i128, role: Role }
}

#[cfg(not(kani))]
wrong_variants! {
    Fault { Malformed, Negative, Zero, Fact, Goal, TooLarge }
    Kind { Number, Order, Fact }
    Place { Row, Term, Factor }
    Role { Denominator, Factor, Last }
}
