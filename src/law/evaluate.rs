//! Judging a law. Square roots are exact: a value is a + b√c, with one c for the whole comparison, and its
//! sign is decided by squaring. Sides without roots, which are most, are judged without that apparatus.

use std::cmp::Ordering;

use num_rational::BigRational;

use num_rational::Ratio;
use num_traits::Zero;

use super::{Comparison, Expr, Law, Quantity, Value};

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

impl Law {
    /// Judges the law where the quantities have these values. Exact, and without allocation on
    /// [`Fraction`](super::Fraction)s. A comparison with the square root of a negative number is not
    /// satisfied: as a hypothesis it makes the law inapplicable, as a conclusion it fails.
    ///
    /// None if a number does not fit the type; `BigRational` never fails.
    ///
    /// ```
    /// use num_rational::BigRational;
    /// use truecal::law::{Fraction, Law, Verdict};
    /// let law: Law = "T*T*T*T > T".parse()?;
    /// let rounds = 1_i64 << 40;
    /// assert_eq!(law.judge(&|_| Fraction { numerator: rounds.into(), denominator: 1 }), None);
    /// let verdict = law.judge(&|_| BigRational::from_integer(rounds.into()));
    /// assert_eq!(verdict, Some(Verdict::Holds { equality: false }));
    /// # Ok::<(), truecal::law::LawError>(())
    /// ```
    pub fn judge<V: Value>(&self, quantity: &impl Fn(Quantity) -> V) -> Option<Verdict> {
        if let Some(hypothesis) = &self.hypothesis
            && satisfied(hypothesis, quantity)?.is_none()
        {
            return Some(Verdict::Inapplicable);
        }
        Some(match satisfied(&self.conclusion, quantity)? {
            Some(ordering) => Verdict::Holds { equality: ordering.is_eq() },
            None => Verdict::Fails,
        })
    }
}

/// How the sides compare if that satisfies the comparison. The outer None is overflow.
fn satisfied<V: Value>(
    comparison: &Comparison,
    quantity: &impl Fn(Quantity) -> V,
) -> Option<Option<Ordering>> {
    let mut sides = Sides { quantity, radicand: None };
    match sides.compare(&comparison.left, &comparison.right) {
        Ok(ordering) => Some(Some(ordering).filter(|o| comparison.relation.admits(*o))),
        Err(NoValue::Undefined | NoValue::Irrational) => Some(None),
        Err(NoValue::Overflow) => None,
    }
}

impl Comparison {
    /// The values of the two sides as text: fractions, or `1/2 + 3·sqrt(5)`; `undefined` without a value.
    ///
    /// ```
    /// use truecal::law::Law;
    /// let law: Law = "T/2 <= 1 - 2*sqrt(T)".parse()?;
    /// let (left, right) = law.conclusion.sides(&|_| "3".parse().expect("a number"));
    /// assert_eq!((left.as_str(), right.as_str()), ("3/2", "1 - 2·sqrt(3)"));
    /// # Ok::<(), truecal::law::LawError>(())
    /// ```
    pub fn sides(&self, quantity: &impl Fn(Quantity) -> BigRational) -> (String, String) {
        let mut sides = Sides { quantity, radicand: None };
        let mut text = |expr: &Expr| match sides.value(expr) {
            Ok(Surd { rational, root: None }) => rational.to_string(),
            Ok(Surd { rational, root: Some(root) }) => {
                let radicand = sides.radicand.clone().unwrap_or_default();
                let (sign, size) = if root.sign().is_lt() { ("-", -root) } else { ("+", root) };
                format!("{rational} {sign} {size}·sqrt({radicand})")
            }
            Err(_) => "undefined".to_owned(),
        };
        (text(&self.left), text(&self.right))
    }
}

/// Why an expression has no value.
enum NoValue {
    /// In this number type.
    Overflow,
    /// In any: a negative radicand, or a tree that parsing refuses.
    Undefined,
    /// Among the rationals: it has a square root.
    Irrational,
}

/// rational + root·√radicand; without `root`, just the rational.
struct Surd<V> {
    rational: V,
    root: Option<V>,
}

/// The evaluation of the two sides of one comparison, which share a radicand.
struct Sides<'a, V, Q> {
    quantity: &'a Q,
    /// Once a root was met; not negative.
    radicand: Option<V>,
}

impl<V: Value, Q: Fn(Quantity) -> V> Sides<'_, V, Q> {
    fn compare(&mut self, left: &Expr, right: &Expr) -> Result<Ordering, NoValue> {
        let rationals = self.rational(left).and_then(|left| Ok((left, self.rational(right)?)));
        match rationals {
            Ok((left, right)) => fits(left.compare(&right)),
            Err(NoValue::Irrational) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.order(&left, &right)
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
            Expr::Constant(_) | Expr::Quantity(_) => {
                Ok(Surd { rational: self.rational(expr)?, root: None })
            }
            Expr::Sum(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let root = match (a.root, b.root) {
                    (Some(a), Some(b)) => Some(fits(a.plus(&b))?),
                    (a, b) => a.or(b),
                };
                Ok(Surd { rational: fits(a.rational.plus(&b.rational))?, root })
            }
            Expr::Difference(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                difference(&a, &b)
            }
            Expr::Product(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.product(&a, &b)
            }
            Expr::Quotient(a, divisor) => {
                let (a, factor) = (self.value(a)?, reciprocal::<V>(divisor)?);
                let root = a.root.map(|root| fits(root.times(&factor))).transpose()?;
                Ok(Surd { rational: fits(a.rational.times(&factor))?, root })
            }
            Expr::Negation(a) => negation(self.value(a)?),
            Expr::Max(all) => self.extreme(all, Ordering::Greater),
            Expr::Min(all) => self.extreme(all, Ordering::Less),
            Expr::Abs(a) => {
                let a = self.value(a)?;
                if self.sign(&a)?.is_lt() { negation(a) } else { Ok(a) }
            }
            Expr::Sqrt(a) => self.root_of(self.rational(a)?),
        }
    }

    fn root_of(&mut self, radicand: V) -> Result<Surd<V>, NoValue> {
        if radicand.sign().is_lt() {
            return Err(NoValue::Undefined);
        }
        match &self.radicand {
            None => self.radicand = Some(radicand),
            Some(known) if fits(known.compare(&radicand))?.is_eq() => {}
            Some(_) => return Err(NoValue::Undefined),
        }
        Ok(Surd { rational: V::constant(0.into()), root: Some(V::constant(1.into())) })
    }

    /// (a + b√c)(d + e√c) = ad + bec + (ae + bd)√c
    fn product(&self, left: &Surd<V>, right: &Surd<V>) -> Result<Surd<V>, NoValue> {
        let mut whole = fits(left.rational.times(&right.rational))?;
        if let (Some(b), Some(e), Some(c)) = (&left.root, &right.root, &self.radicand) {
            whole = fits(whole.plus(&fits(fits(b.times(e))?.times(c))?))?;
        }
        let part = |rational: &V, root: &Option<V>| {
            root.as_ref().map(|root| fits(rational.times(root))).transpose()
        };
        let root = match (part(&left.rational, &right.root)?, part(&right.rational, &left.root)?) {
            (Some(a), Some(b)) => Some(fits(a.plus(&b))?),
            (a, b) => a.or(b),
        };
        Ok(Surd { rational: whole, root })
    }

    /// The value that compares like this with the others.
    fn extreme(&mut self, all: &[Expr], wanted: Ordering) -> Result<Surd<V>, NoValue> {
        let (first, others) = all.split_first().ok_or(NoValue::Undefined)?;
        let mut best = self.value(first)?;
        for other in others {
            let other = self.value(other)?;
            if self.order(&other, &best)? == wanted {
                best = other;
            }
        }
        Ok(best)
    }

    fn order(&self, left: &Surd<V>, right: &Surd<V>) -> Result<Ordering, NoValue> {
        match (&left.root, &right.root) {
            (None, None) => fits(left.rational.compare(&right.rational)),
            _ => self.sign(&difference(left, right)?),
        }
    }

    /// The sign of a + b√c: if the two terms have opposite signs, the one with the larger square decides.
    fn sign(&self, value: &Surd<V>) -> Result<Ordering, NoValue> {
        let a = value.rational.sign();
        let (Some(root), Some(radicand)) = (&value.root, &self.radicand) else {
            return Ok(a);
        };
        let b = if radicand.sign().is_eq() { Ordering::Equal } else { root.sign() };
        if b.is_eq() || a == b {
            return Ok(a);
        }
        if a.is_eq() {
            return Ok(b);
        }
        let square = fits(value.rational.times(&value.rational))?;
        let other = fits(fits(root.times(root))?.times(radicand))?;
        Ok(match fits(square.compare(&other))? {
            Ordering::Greater => a,
            Ordering::Equal => Ordering::Equal,
            Ordering::Less => b,
        })
    }
}

#[inline]
fn fits<T>(result: Option<T>) -> Result<T, NoValue> {
    result.ok_or(NoValue::Overflow)
}

#[inline]
fn reciprocal<V: Value>(divisor: &Ratio<i64>) -> Result<V, NoValue> {
    match divisor.is_zero() {
        true => Err(NoValue::Undefined),
        false => Ok(V::constant(divisor.recip())),
    }
}

fn negation<V: Value>(value: Surd<V>) -> Result<Surd<V>, NoValue> {
    let root = value.root.map(|root| fits(root.negated())).transpose()?;
    Ok(Surd { rational: fits(value.rational.negated())?, root })
}

fn difference<V: Value>(left: &Surd<V>, right: &Surd<V>) -> Result<Surd<V>, NoValue> {
    let root = match (&left.root, &right.root) {
        (Some(a), Some(b)) => Some(fits(a.minus(b))?),
        (Some(a), None) => Some(a.clone()),
        (None, Some(b)) => Some(fits(b.negated())?),
        (None, None) => None,
    };
    Ok(Surd { rational: fits(left.rational.minus(&right.rational))?, root })
}
