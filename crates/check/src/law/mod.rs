//! Laws: claims about the measures, written as text and judged exactly. A law in the registry, in a
//! property test and on a command line is the same string with the same judge.
//!
//! ```
//! use truecal::Measure;
//! use truecal_check::law::{Fraction, Law, Quantity, Verdict};
//!
//! let law: Law = "stepce_sub <= stepce/2 + sqrt(T)".parse()?;
//! let at = |sub, step, rounds| {
//!     law.judge(&|quantity| match quantity {
//!         Quantity::Measure(Measure::StepCeSub) => Fraction { numerator: sub, denominator: 1 },
//!         Quantity::Measure(Measure::StepCe) => Fraction { numerator: step, denominator: 1 },
//!         _ => Fraction { numerator: rounds, denominator: 1 },
//!     })
//! };
//! assert_eq!(at(2, 3, 2), Some(Verdict::Holds { equality: false })); // 2 < 3/2 + 1.41…
//! assert_eq!(at(4, 4, 4), Some(Verdict::Holds { equality: true })); // 4 = 4/2 + 2
//! assert_eq!(at(3, 3, 2), Some(Verdict::Fails)); // 3 > 3/2 + 1.41…
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
mod evaluate;
mod expr;
mod lex;
mod linear;
mod parse;
mod print;
mod quantity;
mod surd;
mod value;

pub use error::{LawError, Mistake};
pub use evaluate::Verdict;
pub use expr::Expr;
pub use linear::LinearLaw;
pub use quantity::Quantity;
pub use surd::MAX_RADICANDS;
pub use value::{Fraction, Value};

use std::cmp::Ordering;

/// The longest law, in bytes.
pub const MAX_LAW_BYTES: usize = 10_000;

/// How many operations or parentheses may enclose one another, so that no law exhausts the stack.
pub const MAX_NESTING: usize = 100;

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
