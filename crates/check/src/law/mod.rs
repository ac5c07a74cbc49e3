//! Laws: claims about the measures, written as text. A law in the registry, in a certificate, in a
//! property test and on a command line is the same string.
//!
//! ```
//! use truecal::Measure;
//! use truecal_check::law::{Law, Quantity, Relation};
//!
//! let law: Law = "stepce_sub <= stepce/2 + sqrt(T)".parse()?;
//! assert_eq!(law.conclusion.relation, Relation::AtMost);
//! let measures = [Measure::StepCe, Measure::StepCeSub].map(Quantity::Measure);
//! assert_eq!(law.quantities(), [measures[0], measures[1], Quantity::Rounds]);
//! # Ok::<(), truecal_check::law::LawError>(())
//! ```
//!
//! # The language
//!
//! | | |
//! |---|---|
//! | law | `comparison`, or `comparison => comparison`: if the first, then the second |
//! | comparison | two expressions with `<=`, `>=`, `<`, `>` or `==` between them; `≤` and `≥` as well |
//! | expression | `+`, `-`, `*`, `/` with the usual precedence, `( )`, `sqrt(a)`, `abs(a)`, `max(a, b, …)`, `min(a, b, …)` |
//! | number | `12`, `0.25`; with `/` any fraction, above and below the line at most 2^63 - 1 |
//! | name | a key of a [`Quantity`], in either case |
//!
//! Two rules keep every law decidable by a few multiplications: a divisor is a number, and the
//! square roots of one comparison are of at most two different expressions, which have none
//! themselves. Arithmetic on numbers is carried out while reading, so that `2*3/4` is the number
//! 3/2.

mod error;
mod expr;
mod function;
mod lex;
mod linear;
mod parse;
mod print;
mod quantity;

pub use error::{LawError, Mistake};
pub use expr::Expr;
pub use linear::{LinearForm, LinearLaw};
pub use quantity::Quantity;

use std::cmp::Ordering;

/// The longest law, in bytes.
pub const MAX_LAW_BYTES: usize = 10_000;

/// How many operations or parentheses may enclose one another, so that no law exhausts the stack.
pub const MAX_NESTING: usize = 100;

/// How many different numbers one comparison may take the root of.
pub const MAX_RADICANDS: usize = 2;

/// A claim about the measures of one level table.
///
/// Made by parsing (see the [module](self)), which refuses what cannot be judged. It prints as text
/// that parses to an equal law, unless that text exceeds [`MAX_LAW_BYTES`] or [`MAX_NESTING`].
///
/// ```
/// use truecal_check::law::Law;
/// let law: Law = "UCAL==0=>abs(bias)<=(T/3)".parse()?;
/// assert_eq!(law.to_string(), "ucal == 0 => abs(bias) <= T/3");
///
/// let error = "stepc >= ucal/8".parse::<Law>().unwrap_err();
/// assert_eq!(error.column(), 1);
/// assert!(error.to_string().contains("did you mean `stepce`?"));
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Law {
    /// Where it is false the law claims nothing.
    pub hypothesis: Option<Comparison>,
    /// What is claimed.
    pub conclusion: Comparison,
}

/// Two expressions and the relation claimed between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// The left side.
    pub left: Expr,
    /// The relation.
    pub relation: Relation,
    /// The right side.
    pub right: Expr,
}

/// How two sides compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `>`
    Above,
    /// `==`
    Equal,
}

impl Relation {
    /// The same, read from right to left.
    pub fn turned(self) -> Relation {
        match self {
            Relation::AtMost => Relation::AtLeast,
            Relation::AtLeast => Relation::AtMost,
            Relation::Below => Relation::Above,
            Relation::Above => Relation::Below,
            Relation::Equal => Relation::Equal,
        }
    }

    /// Whether it admits two sides that compare like this.
    pub fn admits(self, ordering: Ordering) -> bool {
        match self {
            Relation::AtMost => ordering.is_le(),
            Relation::AtLeast => ordering.is_ge(),
            Relation::Below => ordering.is_lt(),
            Relation::Above => ordering.is_gt(),
            Relation::Equal => ordering.is_eq(),
        }
    }
}

impl Law {
    /// What the law speaks of: sorted and distinct.
    ///
    /// ```
    /// use truecal_check::law::{Law, Quantity};
    /// let law: Law = "m == 1 => m + T > sqrt(T)".parse()?;
    /// assert_eq!(law.quantities(), [Quantity::Rounds, Quantity::Levels]);
    /// # Ok::<(), truecal_check::law::LawError>(())
    /// ```
    pub fn quantities(&self) -> Vec<Quantity> {
        let mut found = vec![];
        for comparison in self.hypothesis.iter().chain([&self.conclusion]) {
            comparison.left.collect_quantities(&mut found);
            comparison.right.collect_quantities(&mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests;
