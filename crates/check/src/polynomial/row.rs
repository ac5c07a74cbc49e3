//! A row of a certificate: the nonnegative combination of products of facts that is the goal.
//!
//! All numbers in it are natural, so that the checker needs no rationals; what exceeds 127 bits is
//! rejected.

use crate::rejection::Fault;

/// What facts are: polynomials. In a bounded proof they are small integers, the values of facts at
/// a point, and soundness is one sentence: accepted, and facts >= 0, implies goal >= 0.
pub trait Ring: Sized {
    /// A number.
    fn constant(number: i128) -> Self;
    /// This plus a multiple of another.
    fn plus(self, factor: i128, other: &Self) -> Result<Self, Fault>;
    /// The product of two.
    fn times(&self, other: &Self) -> Result<Self, Fault>;
    /// Whether it is 0.
    fn is_zero(&self) -> bool;
}

/// Whether `3: f1 2*o1 o0*f2` shows the goal: 3 goal = f1 + 2 o1 + o0 f2. The first facts are o0,
/// o1, …, the others f1, f2, ….
pub fn shows<R: Ring>(row: &[u8], facts: &[R], order: usize, goal: &R) -> Result<(), Fault> {
    let (denominator, terms) = match row.iter().position(|byte| *byte == b':') {
        Some(end) => (&row[..end], row[end + 1..].strip_prefix(b" ").ok_or(Fault::Malformed)?),
        None => (b"1".as_slice(), row),
    };
    let mut rest = R::constant(0).plus(positive(denominator)?, goal)?;
    for text in terms.split(|byte| *byte == b' ').filter(|_| row != b"0") {
        rest = rest.plus(-1, &term(text, facts, order)?)?;
    }
    if rest.is_zero() { Ok(()) } else { Err(Fault::Goal) }
}

/// The product `2*o1*f3` of facts, with a positive number first or without one.
pub fn term<R: Ring>(text: &[u8], facts: &[R], order: usize) -> Result<R, Fault> {
    let mut product = R::constant(1);
    for (place, factor) in text.split(|byte| *byte == b'*').enumerate() {
        let number;
        let fact = match factor {
            [b'o', digits @ ..] => facts[..order].get(index(natural(digits)?)),
            [b'f', digits @ ..] => facts[order..].get(index(natural(digits)? - 1)),
            _ if place > 0 => return Err(Fault::Malformed),
            _ => {
                number = R::constant(positive(factor)?);
                Some(&number)
            }
        };
        product = product.times(fact.ok_or(Fault::Fact)?)?;
    }
    Ok(product)
}

/// A place in a list; no list is long enough for one that does not fit.
fn index(place: i128) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// An integer > 0, in digits only.
pub(crate) fn positive(digits: &[u8]) -> Result<i128, Fault> {
    Some(natural(digits)?).filter(|number| *number > 0).ok_or(Fault::Zero)
}

/// An integer >= 0, in digits only.
pub fn natural(digits: &[u8]) -> Result<i128, Fault> {
    if digits.first().ok_or(Fault::Malformed)? == &b'-' {
        return Err(Fault::Negative);
    }
    let mut number = 0_i128;
    for digit in digits {
        let digit = (*digit as char).to_digit(10).ok_or(Fault::Malformed)?;
        let next = number.checked_mul(10).and_then(|ten| ten.checked_add(digit.into()));
        number = next.ok_or(Fault::TooLarge)?;
    }
    Ok(number)
}
