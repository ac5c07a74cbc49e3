//! Judging a law. Square roots are exact: signs are decided by squaring (`surd`). Sides without
//! roots, which are most, are judged without that apparatus.

use std::cmp::Ordering;

use num_rational::{BigRational, Ratio};
use num_traits::Zero;
use truecal_check::law::{Comparison, Expr, Law, Quantity};

use super::number::{NoValue, Value, fits};
use super::surd::{Radicands, Surd};

/// What a law is worth at one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The hypothesis is false: nothing is claimed here.
    Inapplicable,
    /// The conclusion is true.
    Holds {
        /// Whether its two sides are equal: then no stronger law of this form holds here.
        equality: bool,
    },
    /// The conclusion is false: the table refutes the law.
    Fails,
}

/// Judges a law where the quantities have these values. Exact, and on
/// [`Fraction`](super::Fraction)s without allocation unless there are roots. A comparison with the
/// square root of a negative number is not satisfied: as a hypothesis it makes the law
/// inapplicable, as a conclusion it fails.
///
/// None if a number does not fit the type; `BigRational` never fails.
///
/// ```
/// use num_rational::BigRational;
/// use truecal_check::law::Law;
/// use truecal_verify::laws::{Fraction, Verdict, judge};
/// let law: Law = "T*T*T*T > T".parse()?;
/// let rounds = 1_i64 << 40;
/// assert_eq!(judge(&law, &|_| Fraction { numerator: rounds.into(), denominator: 1 }), None);
/// let verdict = judge(&law, &|_| BigRational::from_integer(rounds.into()));
/// assert_eq!(verdict, Some(Verdict::Holds { equality: false }));
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
pub fn judge<V: Value>(law: &Law, quantity: &dyn Fn(Quantity) -> V) -> Option<Verdict> {
    if let Some(hypothesis) = &law.hypothesis
        && satisfied(hypothesis, quantity)?.is_none()
    {
        return Some(Verdict::Inapplicable);
    }
    Some(match satisfied(&law.conclusion, quantity)? {
        Some(ordering) => Verdict::Holds { equality: ordering.is_eq() },
        None => Verdict::Fails,
    })
}

/// How the sides compare if that satisfies the comparison. The outer None is overflow.
fn satisfied<V: Value>(
    comparison: &Comparison,
    quantity: &dyn Fn(Quantity) -> V,
) -> Option<Option<Ordering>> {
    let mut sides = Sides { quantity, radicands: Radicands::none() };
    match sides.compare(&comparison.left, &comparison.right) {
        Ok(ordering) => Some(Some(ordering).filter(|o| comparison.relation.admits(*o))),
        Err(NoValue::Undefined | NoValue::Irrational) => Some(None),
        Err(NoValue::Overflow) => None,
    }
}

/// The values of the two sides as text: fractions, or `1/2 + 3·sqrt(5)`; `undefined` without a
/// value.
///
/// ```
/// use truecal_check::law::Law;
/// use truecal_verify::laws::sides;
/// let law: Law = "T/2 <= 1 - 2*sqrt(T)".parse()?;
/// let (left, right) = sides(&law.conclusion, &|_| "3".parse().expect("a number"));
/// assert_eq!((left.as_str(), right.as_str()), ("3/2", "1 - 2·sqrt(3)"));
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
pub fn sides(
    comparison: &Comparison,
    quantity: &dyn Fn(Quantity) -> BigRational,
) -> (String, String) {
    let mut sides = Sides { quantity, radicands: Radicands::none() };
    let mut text = |expr: &Expr| match sides.value(expr) {
        Ok(value) => sides.radicands.text(&value),
        Err(_) => "undefined".to_owned(),
    };
    (text(&comparison.left), text(&comparison.right))
}

/// The value of an expression; None if it has none, has a root, or does not fit the type.
pub fn rational_value<V: Value>(expr: &Expr, quantity: &dyn Fn(Quantity) -> V) -> Option<V> {
    Sides { quantity, radicands: Radicands::none() }.rational(expr).ok()
}

/// The value of an expression as a sum of products of roots: each coefficient, and what the roots
/// are of. None without a value.
///
/// ```
/// use truecal_check::law::Expr;
/// use truecal_verify::laws::terms;
/// let expr: Expr = "T/2 - 3*sqrt(T)".parse()?;
/// let number = |text: &str| text.parse().expect("a number");
/// let terms = terms(&expr, &|_| number("5"));
/// assert_eq!(terms, Some(vec![(number("5/2"), vec![]), (number("-3"), vec![number("5")])]));
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
pub fn terms(
    expr: &Expr,
    quantity: &dyn Fn(Quantity) -> BigRational,
) -> Option<Vec<(BigRational, Vec<BigRational>)>> {
    let mut sides = Sides { quantity, radicands: Radicands::none() };
    let value = sides.value(expr).ok()?;
    Some(sides.radicands.terms(&value))
}

/// The evaluation of the two sides of one comparison, which share radicands. (A type parameter for
/// the function would compile all of this again for each of dozens of callers.)
struct Sides<'a, V> {
    quantity: &'a dyn Fn(Quantity) -> V,
    radicands: Radicands<V>,
}

impl<V: Value> Sides<'_, V> {
    fn compare(&mut self, left: &Expr, right: &Expr) -> Result<Ordering, NoValue> {
        let rationals = self.rational(left).and_then(|left| Ok((left, self.rational(right)?)));
        match rationals {
            Ok((left, right)) => fits(left.compare(&right)),
            Err(NoValue::Irrational) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.radicands.order(&left, &right)
            }
            Err(other) => Err(other),
        }
    }

    /// The value of an expression without roots.
    fn rational(&self, expr: &Expr) -> Result<V, NoValue> {
        match expr {
            Expr::Constant(number) => Ok(V::constant(*number)),
            Expr::Quantity(quantity) => Ok((self.quantity)(*quantity)),
            Expr::Sum(a, b) => fits(self.rational(a)?.plus(&self.rational(b)?)),
            Expr::Difference(a, b) => fits(self.rational(a)?.minus(&self.rational(b)?)),
            Expr::Product(a, b) => fits(self.rational(a)?.times(&self.rational(b)?)),
            Expr::Quotient(a, divisor) => fits(self.rational(a)?.times(&reciprocal(divisor)?)),
            Expr::Negation(a) => fits(self.rational(a)?.negated()),
            Expr::Max(all) => self.rational_extreme(all, Ordering::Greater),
            Expr::Min(all) => self.rational_extreme(all, Ordering::Less),
            Expr::Abs(a) => {
                let a = self.rational(a)?;
                if a.sign().is_lt() { fits(a.negated()) } else { Ok(a) }
            }
            Expr::Sqrt(_) => Err(NoValue::Irrational),
        }
    }

    fn rational_extreme(&self, all: &[Expr], wanted: Ordering) -> Result<V, NoValue> {
        let (first, others) = all.split_first().ok_or(NoValue::Undefined)?;
        others.iter().try_fold(self.rational(first)?, |best, other| {
            let other = self.rational(other)?;
            Ok(if fits(other.compare(&best))? == wanted { other } else { best })
        })
    }

    fn value(&mut self, expr: &Expr) -> Result<Surd<V>, NoValue> {
        match expr {
            Expr::Constant(_) | Expr::Quantity(_) => Ok(Surd::rational(self.rational(expr)?)),
            Expr::Sum(a, b) => self.value(a)?.plus(self.value(b)?),
            Expr::Difference(a, b) => self.value(a)?.plus(self.value(b)?.negated()?),
            Expr::Product(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.radicands.product(&a, &b)
            }
            Expr::Quotient(a, divisor) => self.value(a)?.times(&reciprocal(divisor)?),
            Expr::Negation(a) => self.value(a)?.negated(),
            Expr::Max(all) => self.extreme(all, Ordering::Greater),
            Expr::Min(all) => self.extreme(all, Ordering::Less),
            Expr::Abs(a) => {
                let a = self.value(a)?;
                if self.radicands.sign(&a)?.is_lt() { a.negated() } else { Ok(a) }
            }
            Expr::Sqrt(a) => {
                let radicand = self.rational(a)?;
                self.radicands.root_of(radicand)
            }
        }
    }

    /// The value that compares like this with the others.
    fn extreme(&mut self, all: &[Expr], wanted: Ordering) -> Result<Surd<V>, NoValue> {
        let (first, others) = all.split_first().ok_or(NoValue::Undefined)?;
        let mut best = self.value(first)?;
        for other in others {
            let other = self.value(other)?;
            if self.radicands.order(&other, &best)? == wanted {
                best = other;
            }
        }
        Ok(best)
    }
}

#[inline]
fn reciprocal<V: Value>(divisor: &Ratio<i64>) -> Result<V, NoValue> {
    match divisor.is_zero() {
        true => Err(NoValue::Undefined),
        false => Ok(V::constant(divisor.recip())),
    }
}
