//! Expressions, with the arithmetic on numbers already carried out.

use num_rational::Ratio;
use num_traits::Signed;

use super::Quantity;

/// One side of a comparison.
///
/// Parsing makes only expressions that have a value wherever no radicand is negative. One made by
/// hand may have none: a division by zero, the maximum of nothing, a root in a root, roots of
/// different numbers in one comparison. Then the comparison is not satisfied. Numbers are as
/// [`Ratio::new`] makes them, above -2^63.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number.
    Constant(Ratio<i64>),
    /// A number that the table determines.
    Quantity(Quantity),
    /// `a + b`
    Sum(Box<Expr>, Box<Expr>),
    /// `a - b`
    Difference(Box<Expr>, Box<Expr>),
    /// `a*b`
    Product(Box<Expr>, Box<Expr>),
    /// `a/3`: the divisor is a number.
    Quotient(Box<Expr>, Ratio<i64>),
    /// `-a`
    Negation(Box<Expr>),
    /// `max(a, b, …)`
    Max(Vec<Expr>),
    /// `min(a, b, …)`
    Min(Vec<Expr>),
    /// `abs(a)`
    Abs(Box<Expr>),
    /// `sqrt(a)`
    Sqrt(Box<Expr>),
}

/// The constructors carry out arithmetic on numbers. None: the result does not fit.
impl Expr {
    pub(super) fn sum(left: Expr, right: Expr) -> Option<Expr> {
        match (&left, &right) {
            (Expr::Constant(a), Expr::Constant(b)) => constant(wide(a) + wide(b)),
            _ => Some(Expr::Sum(left.into(), right.into())),
        }
    }

    pub(super) fn difference(left: Expr, right: Expr) -> Option<Expr> {
        match (&left, &right) {
            (Expr::Constant(a), Expr::Constant(b)) => constant(wide(a) - wide(b)),
            _ => Some(Expr::Difference(left.into(), right.into())),
        }
    }

    pub(super) fn product(left: Expr, right: Expr) -> Option<Expr> {
        match (&left, &right) {
            (Expr::Constant(a), Expr::Constant(b)) => constant(wide(a) * wide(b)),
            _ => Some(Expr::Product(left.into(), right.into())),
        }
    }

    /// The divisor is not zero.
    pub(super) fn quotient(left: Expr, divisor: Ratio<i64>) -> Option<Expr> {
        match &left {
            Expr::Constant(a) => constant(wide(a) / wide(&divisor)),
            _ => Some(Expr::Quotient(left.into(), divisor)),
        }
    }

    pub(super) fn negation(inner: Expr) -> Expr {
        match inner {
            Expr::Constant(a) => Expr::Constant(-a),
            _ => Expr::Negation(inner.into()),
        }
    }

    pub(super) fn abs(inner: Expr) -> Expr {
        match inner {
            Expr::Constant(a) => Expr::Constant(a.abs()),
            _ => Expr::Abs(inner.into()),
        }
    }

    pub(super) fn max(all: Vec<Expr>) -> Expr {
        let largest = constants(&all).and_then(|numbers| numbers.into_iter().max());
        largest.map_or(Expr::Max(all), Expr::Constant)
    }

    pub(super) fn min(all: Vec<Expr>) -> Expr {
        let smallest = constants(&all).and_then(|numbers| numbers.into_iter().min());
        smallest.map_or(Expr::Min(all), Expr::Constant)
    }

    pub(super) fn collect_quantities(&self, found: &mut Vec<Quantity>) {
        match self {
            Expr::Constant(_) => {}
            Expr::Quantity(quantity) => found.push(*quantity),
            Expr::Sum(a, b) | Expr::Difference(a, b) | Expr::Product(a, b) => {
                a.collect_quantities(found);
                b.collect_quantities(found);
            }
            Expr::Quotient(a, _) | Expr::Negation(a) | Expr::Abs(a) | Expr::Sqrt(a) => {
                a.collect_quantities(found);
            }
            Expr::Max(all) | Expr::Min(all) => {
                all.iter().for_each(|a| a.collect_quantities(found));
            }
        }
    }
}

/// The number, if it fits. -2^63 counts as one that does not: its negation would overflow, and it
/// could not be printed as the negation of a number.
pub(super) fn fitting(number: &Ratio<i128>) -> Option<Ratio<i64>> {
    let numerator = i64::try_from(*number.numer()).ok().filter(|n| *n != i64::MIN)?;
    let denominator = i64::try_from(*number.denom()).ok()?;
    Some(Ratio::new_raw(numerator, denominator))
}

fn constant(number: Ratio<i128>) -> Option<Expr> {
    fitting(&number).map(Expr::Constant)
}

/// In 128 bits no single operation overflows: with parts below 2^63, a/b ± c/d has a numerator
/// below 2^127.
fn wide(number: &Ratio<i64>) -> Ratio<i128> {
    Ratio::new_raw((*number.numer()).into(), (*number.denom()).into())
}

fn constants(all: &[Expr]) -> Option<Vec<Ratio<i64>>> {
    let number = |expr: &Expr| match expr {
        Expr::Constant(number) => Some(*number),
        _ => None,
    };
    all.iter().map(number).collect()
}
