//! What a law claims at one order pattern: Σ coefficient · quantity >= 0, in integers.
//!
//! The number of rounds, of levels and of ones is known at a pattern, so they become numbers, and
//! with them products and roots of them. A root is replaced by a rational on the safe side, so that
//! the form claims a little more than the law.

mod bounded;
mod case;
mod table;

pub use bounded::Bounded;
pub use case::Case;
pub use table::Table as PatternTable;

use num_integer::{Integer, Roots};
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Signed, Zero};

use crate::law::{Comparison, Expr, Law, Quantity, Relation};
use crate::pattern::Pattern;
use truecal::Measure;

/// What a form is made of, besides numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A measure.
    Measure(Measure),
    /// Σ (x_t - p_t)
    Bias,
    /// |Σ (x_t - p_t)|
    AbsoluteBias,
    /// Σ p_t (1 - p_t)
    Variance,
    /// Σ (x_t - p_t)²
    Squares,
}

impl Atom {
    /// A measure, if certificates know it.
    fn measure(measure: Measure) -> Option<Atom> {
        match measure {
            // It is no maximum of polynomials: see `PatternTable::maxima`.
            Measure::Cdl => None,
            Measure::Ece
            | Measure::SmCe
            | Measure::StepCe
            | Measure::SignCe
            | Measure::IntervalCe
            | Measure::VCal
            | Measure::UCal
            | Measure::StepCeSub
            | Measure::VCalSub
            | Measure::UCalSub
            | Measure::Ssce => Some(Atom::Measure(measure)),
        }
    }
}

/// constant + Σ coefficient · atom >= 0; every atom once, no coefficient 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The number.
    pub constant: i128,
    /// The rest.
    pub terms: Vec<(Atom, i128)>,
}

/// What a law says at a pattern: if something is 0, then each form is >= 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What is 0 by hypothesis.
    pub zero: Option<Atom>,
    /// What is claimed.
    pub forms: Vec<Form>,
}

impl Statement {
    /// The law at a pattern; without forms if its hypothesis excludes the pattern. None: the law is
    /// of another shape (strict, with a product or a root of measures, or with a hypothesis other
    /// than `measure == 0`), or a number does not fit 62 bits.
    pub fn of(law: &Law, pattern: &Pattern) -> Option<Statement> {
        let mut zero = None;
        if let Some(Comparison { left, relation, right }) = &law.hypothesis {
            let form = Rational::difference(right, left, pattern).filter(|form| !form.rounded)?;
            match &form.terms[..] {
                [] if !relation.admits(Ratio::zero().cmp(&form.constant)) => {
                    return Some(Statement { zero, forms: vec![] });
                }
                [] => {}
                [(Atom::Variance | Atom::Squares, _)] => return None,
                [(atom, _)] if form.constant.is_zero() && *relation == Relation::Equal => {
                    zero = Some(*atom);
                }
                _ => return None,
            }
        }
        let Comparison { left, relation, right } = &law.conclusion;
        let comparisons = match relation {
            Relation::AtMost => vec![(left, right)],
            Relation::AtLeast => vec![(right, left)],
            Relation::Equal => vec![(left, right), (right, left)],
            Relation::Below | Relation::Above => return None,
        };
        let parts = comparisons.into_iter().flat_map(split);
        let form = |(less, more)| Rational::difference(more, less, pattern)?.integral();
        let forms = parts.map(form).collect::<Option<Vec<_>>>()?;
        // The maximum of nothing, which only an expression made by hand can have, claims nothing.
        let forms = Some(forms).filter(|forms| !forms.is_empty())?;
        Some(Statement { zero, forms })
    }
}

/// max(a, b) <= c is a <= c and b <= c; likewise c <= min(a, b).
fn split<'a>((less, more): (&'a Expr, &'a Expr)) -> Vec<(&'a Expr, &'a Expr)> {
    match (less, more) {
        (Expr::Max(all), more) => all.iter().map(|less| (less, more)).collect(),
        (less, Expr::Min(all)) => all.iter().map(|more| (less, more)).collect(),
        pair => vec![pair],
    }
}

/// A form with rational coefficients, while it is gathered.
#[derive(Default)]
struct Rational {
    constant: Ratio<i128>,
    terms: Vec<(Atom, Ratio<i128>)>,
    /// Whether a root was replaced.
    rounded: bool,
}

impl Rational {
    fn difference(more: &Expr, less: &Expr, pattern: &Pattern) -> Option<Rational> {
        let mut form = Rational::default();
        form.add(more, Ratio::from(1), pattern)?;
        form.add(less, Ratio::from(-1), pattern)?;
        form.terms.retain(|(_, factor)| !factor.is_zero());
        Some(form)
    }

    /// Adds a multiple of an expression.
    fn add(&mut self, expr: &Expr, factor: Ratio<i128>, pattern: &Pattern) -> Option<()> {
        if let Some(number) = value(expr, pattern) {
            self.constant = fitting(self.constant.checked_add(&factor.checked_mul(&number)?)?)?;
            return Some(());
        }
        match expr {
            Expr::Quantity(Quantity::Measure(measure)) => {
                self.add_atom(Atom::measure(*measure)?, factor)?;
            }
            Expr::Quantity(Quantity::Bias) => self.add_atom(Atom::Bias, factor)?,
            Expr::Quantity(Quantity::Variance) => self.add_atom(Atom::Variance, factor)?,
            Expr::Quantity(Quantity::Squares) => self.add_atom(Atom::Squares, factor)?,
            Expr::Abs(inner) if **inner == Expr::Quantity(Quantity::Bias) => {
                self.add_atom(Atom::AbsoluteBias, factor)?;
            }
            Expr::Sum(a, b) => {
                self.add(a, factor, pattern)?;
                self.add(b, factor, pattern)?;
            }
            Expr::Difference(a, b) => {
                self.add(a, factor, pattern)?;
                self.add(b, -factor, pattern)?;
            }
            Expr::Negation(a) => self.add(a, -factor, pattern)?,
            Expr::Quotient(a, divisor) => {
                self.add(a, fitting(factor.checked_div(&wide(divisor))?)?, pattern)?;
            }
            Expr::Product(a, b) => {
                let (number, other) = match value(a, pattern) {
                    Some(number) => (number, b),
                    None => (value(b, pattern)?, a),
                };
                self.add(other, fitting(factor.checked_mul(&number)?)?, pattern)?;
            }
            Expr::Sqrt(a) => {
                let root = root(value(a, pattern)?, factor.is_negative())?;
                self.constant = fitting(self.constant.checked_add(&factor.checked_mul(&root)?)?)?;
                self.rounded = true;
            }
            _ => return None,
        }
        Some(())
    }

    fn add_atom(&mut self, atom: Atom, factor: Ratio<i128>) -> Option<()> {
        match self.terms.iter_mut().find(|(known, _)| *known == atom) {
            Some((_, sum)) => *sum = fitting(sum.checked_add(&factor)?)?,
            None => self.terms.push((atom, factor)),
        }
        Some(())
    }

    /// The same times a positive integer that makes all of it integral.
    fn integral(&self) -> Option<Form> {
        let numbers = || self.terms.iter().map(|(_, n)| n).chain([&self.constant]);
        let common = numbers().try_fold(1_i128, |common, number| {
            CheckedMul::checked_mul(&(number.denom() / common.gcd(number.denom())), &common)
        })?;
        let scaled = |number: &Ratio<i128>| {
            let scaled = CheckedMul::checked_mul(number.numer(), &(common / number.denom()))?;
            fitting(scaled.into()).map(|number| *number.numer())
        };
        let terms = self.terms.iter().map(|(atom, number)| Some((*atom, scaled(number)?)));
        Some(Form { constant: scaled(&self.constant)?, terms: terms.collect::<Option<_>>()? })
    }
}

/// The value of an expression that the pattern alone determines, without roots.
fn value(expr: &Expr, pattern: &Pattern) -> Option<Ratio<i128>> {
    let of = |expr: &Expr| value(expr, pattern);
    fitting(match expr {
        Expr::Constant(constant) => wide(constant),
        Expr::Quantity(Quantity::Rounds) => i128::from(pattern.rounds()).into(),
        Expr::Quantity(Quantity::Ones) => i128::from(pattern.ones()).into(),
        Expr::Quantity(Quantity::Levels) => (pattern.levels.len() as i128).into(),
        Expr::Sum(a, b) => of(a)?.checked_add(&of(b)?)?,
        Expr::Difference(a, b) => of(a)?.checked_sub(&of(b)?)?,
        Expr::Product(a, b) => of(a)?.checked_mul(&of(b)?)?,
        Expr::Negation(a) => -of(a)?,
        Expr::Quotient(a, divisor) => of(a)?.checked_div(&wide(divisor))?,
        _ => return None,
    })
}

fn wide(number: &Ratio<i64>) -> Ratio<i128> {
    Ratio::new(i128::from(*number.numer()), i128::from(*number.denom()))
}

/// A number with parts below 2^62, so that sums and products with counts and binomial coefficients
/// fit 127 bits.
fn fitting(number: Ratio<i128>) -> Option<Ratio<i128>> {
    let small = |part: &i128| part.unsigned_abs() < 1 << 62;
    Some(number).filter(|number| small(number.numer()) && small(number.denom()))
}

/// A millionth of an integer (over the radicand's denominator) next to the root, above it or not.
fn root(radicand: Ratio<i128>, above: bool) -> Option<Ratio<i128>> {
    let (numerator, denominator) = radicand.into();
    let scaled = numerator.checked_mul(denominator)?.checked_mul(1_000_000_000_000)?;
    let floor = Some(scaled).filter(|scaled| *scaled >= 0)?.sqrt();
    let up = i128::from(above && floor * floor < scaled);
    Some(Ratio::new(floor + up, denominator.checked_mul(1_000_000)?))
}

#[cfg(test)]
mod tests;
