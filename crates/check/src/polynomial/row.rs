//! A row of a certificate: the nonnegative combination of products of facts that is the goal.
//!
//! A row is read and judged in one pass, each by one step after the other: a [`Reader`] turns bytes
//! into [`Token`]s and knows nothing of facts, a [`Judge`] takes tokens from the goal and knows
//! nothing of text. So a proof about a single step, from any state, is one about rows of every
//! length (`proofs/rows.rs`).
//!
//! All numbers are natural, so that the checker needs no rationals; what exceeds 127 bits is
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
/// o1, …, the others f1, f2, …. The row `0` has no terms.
pub fn shows<R: Ring>(row: &[u8], facts: &[R], order: usize, goal: &R) -> Result<(), Fault> {
    let mut judge = Judge::begin(facts, order, goal)?;
    if row != b"0" {
        let mut reader = Reader::default();
        for byte in row {
            if let Some(token) = reader.take(*byte)? {
                judge = judge.take(token)?;
            }
        }
        judge = judge.take(reader.end(Role::Last)?)?;
    }
    judge.end()
}

/// A word of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it names.
    pub kind: Kind,
    /// Its number.
    pub number: i128,
    /// What it is in the row, by what follows it.
    pub role: Role,
}

/// What a word names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// `12`: the number itself.
    #[default]
    Number,
    /// `o12`: a fact of the order.
    Order,
    /// `f12`: another fact.
    Fact,
}

/// What a word is, by what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The denominator of the row: a colon and a space.
    Denominator,
    /// A factor of a term that goes on: a star.
    Factor,
    /// The last factor of a term: a space, or the end of the row.
    Last,
}

/// Reads a row, byte by byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// What the word names, by its letter.
    pub kind: Kind,
    /// The number so far, if there was a digit.
    pub number: Option<i128>,
    /// Whether a space must follow, as after a colon.
    pub colon: bool,
}

impl Reader {
    /// The word that ends with this byte, if one does.
    pub fn take(&mut self, byte: u8) -> Result<Option<Token>, Fault> {
        let begins = self.kind == Kind::Number && self.number.is_none();
        let role = match byte {
            b' ' if self.colon => {
                self.colon = false;
                return Ok(None);
            }
            _ if self.colon => return Err(Fault::Malformed),
            b'*' => Role::Factor,
            b' ' => Role::Last,
            b':' => Role::Denominator,
            _ => {
                match byte {
                    b'o' if begins => self.kind = Kind::Order,
                    b'f' if begins => self.kind = Kind::Fact,
                    _ => self.number = Some(longer(self.number, byte)?),
                }
                return Ok(None);
            }
        };
        let token = self.end(role)?;
        *self = Reader { colon: role == Role::Denominator, ..Reader::default() };
        Ok(Some(token))
    }

    /// The word that was read, if it ends here: it needs a digit.
    pub fn end(&self, role: Role) -> Result<Token, Fault> {
        let number = self.number.ok_or(Fault::Malformed)?;
        Ok(Token { kind: self.kind, number, role })
    }
}

/// Takes a row from its goal, word by word: it is shown if nothing is left.
#[derive(Clone, Debug)]
pub struct Judge<'a, R> {
    /// All facts, those of the order first.
    pub facts: &'a [R],
    /// How many are of the order.
    pub order: usize,
    /// What is to be shown.
    pub goal: &'a R,
    /// What is left of the goal times the denominator.
    pub rest: R,
    /// The factors so far of the term under way.
    pub product: R,
    /// What was before.
    pub place: Place,
}

/// Where in a row a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At its beginning.
    Row,
    /// At the beginning of a term.
    Term,
    /// After another factor.
    Factor,
}

impl<'a, R: Ring> Judge<'a, R> {
    /// Nothing is taken yet.
    pub fn begin(facts: &'a [R], order: usize, goal: &'a R) -> Result<Self, Fault> {
        let rest = R::constant(0).plus(1, goal)?;
        Ok(Judge { facts, order, goal, rest, product: R::constant(1), place: Place::Row })
    }

    /// One word more.
    pub fn take(mut self, Token { kind, number, role }: Token) -> Result<Self, Fault> {
        if role == Role::Denominator {
            if (kind, self.place) != (Kind::Number, Place::Row) {
                return Err(Fault::Malformed);
            }
            self.rest = R::constant(0).plus(above_zero(number)?, self.goal)?;
            self.place = Place::Term;
            return Ok(self);
        }
        let (order, others) = self.facts.split_at(self.order);
        self.product = match kind {
            Kind::Number if self.place == Place::Factor => return Err(Fault::Malformed),
            Kind::Number => R::constant(above_zero(number)?),
            Kind::Order => self.product.times(fact(order, number)?)?,
            Kind::Fact => self.product.times(fact(others, number.saturating_sub(1))?)?,
        };
        self.place = Place::Factor;
        if role == Role::Last {
            self.rest = self.rest.plus(-1, &self.product)?;
            self.product = R::constant(1);
            self.place = Place::Term;
        }
        Ok(self)
    }

    /// Nothing may be left.
    pub fn end(self) -> Result<(), Fault> {
        if self.rest.is_zero() { Ok(()) } else { Err(Fault::Goal) }
    }
}

/// The fact at a place, counted from 0.
fn fact<R>(facts: &[R], place: i128) -> Result<&R, Fault> {
    // No list is long enough for a place that does not fit.
    facts.get(usize::try_from(place).unwrap_or(usize::MAX)).ok_or(Fault::Fact)
}

/// An integer > 0, in digits only.
pub(crate) fn positive(digits: &[u8]) -> Result<i128, Fault> {
    above_zero(natural(digits)?)
}

/// An integer >= 0, in digits only.
pub fn natural(digits: &[u8]) -> Result<i128, Fault> {
    let mut number = None;
    for digit in digits {
        number = Some(longer(number, *digit)?);
    }
    number.ok_or(Fault::Malformed)
}

/// The number with one digit more.
fn longer(number: Option<i128>, digit: u8) -> Result<i128, Fault> {
    if digit == b'-' && number.is_none() {
        return Err(Fault::Negative);
    }
    let digit = (digit as char).to_digit(10).ok_or(Fault::Malformed)?;
    let ten = number.unwrap_or(0).checked_mul(10).ok_or(Fault::TooLarge)?;
    ten.checked_add(digit.into()).ok_or(Fault::TooLarge)
}

/// The number, unless it is 0 or less.
fn above_zero(number: i128) -> Result<i128, Fault> {
    Some(number).filter(|number| *number > 0).ok_or(Fault::Zero)
}
