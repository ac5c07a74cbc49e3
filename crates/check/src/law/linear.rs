//! Laws without products, roots, maxima and absolute values, as integer combinations of quantities:
//! a normal form by which laws that say the same are recognised.

use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Zero};

use super::{Comparison, Expr, Law, Quantity, Relation};

/// A law whose two sides are linear in the quantities, with integer coefficients.
///
/// ```
/// use truecal_check::law::{Law, LinearLaw, Quantity, Relation};
/// let law: Law = "m <= T/2 + 1/3".parse()?;
/// let form = LinearLaw::of(&law).expect("linear").conclusion;
/// // 6 m - 3 T - 2 <= 0
/// assert_eq!(form.terms, [(Quantity::Rounds, -3), (Quantity::Levels, 6)]);
/// assert_eq!((form.constant, form.relation), (-2, Relation::AtMost));
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearLaw {
    /// Where it is false the law claims nothing.
    pub hypothesis: Option<LinearForm>,
    /// What is claimed.
    pub conclusion: LinearForm,
}

/// constant + Σ coefficient · quantity, compared with 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearForm {
    /// The quantities with their coefficients, ascending; no coefficient is 0.
    pub terms: Vec<(Quantity, i64)>,
    /// The number.
    pub constant: i64,
    /// How the sum compares with 0.
    pub relation: Relation,
}

impl Law {
    /// Whether the two laws plainly claim the same: the same text but for the order of the sides,
    /// or the same linear form. False does not mean that they differ.
    ///
    /// ```
    /// use truecal_check::law::Law;
    /// let [a, b, c]: [Law; 3] =
    ///     ["stepce >= ucal/8", "ucal <= 8*stepce", "8*stepce - ucal >= 0"]
    ///         .map(|text| text.parse().expect("a law"));
    /// assert!(a.says_the_same_as(&b) && b.says_the_same_as(&c));
    /// assert!(!a.says_the_same_as(&"ucal < 8*stepce".parse()?));
    /// # Ok::<(), truecal_check::law::LawError>(())
    /// ```
    pub fn says_the_same_as(&self, other: &Law) -> bool {
        let linear = |law: &Law| LinearLaw::of(law).map(LinearLaw::normalised);
        *self == *other
            || self.turned() == *other
            || linear(self).is_some_and(|own| linear(other) == Some(own))
    }

    /// With the sides of the conclusion exchanged.
    fn turned(&self) -> Law {
        let Comparison { left, relation, right } = self.conclusion.clone();
        let conclusion = Comparison { left: right, relation: relation.turned(), right: left };
        Law { hypothesis: self.hypothesis.clone(), conclusion }
    }
}

impl LinearLaw {
    fn normalised(self) -> LinearLaw {
        LinearLaw {
            hypothesis: self.hypothesis.map(LinearForm::normalised),
            conclusion: self.conclusion.normalised(),
        }
    }

    /// The linear form of a law; `None` if it has none, or one with coefficients beyond 32 bits.
    pub fn of(law: &Law) -> Option<LinearLaw> {
        let hypothesis = match &law.hypothesis {
            Some(comparison) => Some(LinearForm::of(comparison)?),
            None => None,
        };
        Some(LinearLaw { hypothesis, conclusion: LinearForm::of(&law.conclusion)? })
    }
}

impl LinearForm {
    fn of(comparison: &Comparison) -> Option<LinearForm> {
        let mut rational = Rational::default();
        rational.add(&comparison.left, &Ratio::one())?;
        rational.add(&comparison.right, &-Ratio::one())?;
        let coefficients = || rational.coefficients.iter().chain([&rational.constant]);
        let common = coefficients().try_fold(1_i64, |common, coefficient| {
            let common = i128::from(common).lcm(&i128::from(*coefficient.denom()));
            i32::try_from(common).ok().map(i64::from)
        })?;
        let scaled = |coefficient: &Ratio<i64>| {
            let scaled =
                i128::from(*coefficient.numer()) * i128::from(common / coefficient.denom());
            // So that a sum of products with 64-bit numbers fits 128 bits, however many there are.
            i32::try_from(scaled).ok().map(i64::from)
        };
        let mut terms = vec![];
        for (quantity, coefficient) in Quantity::ALL.into_iter().zip(&rational.coefficients) {
            if !coefficient.is_zero() {
                terms.push((quantity, scaled(coefficient)?));
            }
        }
        Some(LinearForm {
            terms,
            constant: scaled(&rational.constant)?,
            relation: comparison.relation,
        })
    }

    /// Without common factors, and with >= or > instead of <= or <; equalities begin with a
    /// positive coefficient.
    fn normalised(self) -> LinearForm {
        let common = self.terms.iter().fold(self.constant, |gcd, (_, n)| gcd.gcd(n)).max(1);
        let turn = match self.relation {
            Relation::AtMost | Relation::Below => true,
            Relation::AtLeast | Relation::Above => false,
            Relation::Equal => self.terms.first().map_or(self.constant, |(_, n)| *n).is_negative(),
        };
        let (sign, relation) = if turn { (-1, self.relation.turned()) } else { (1, self.relation) };
        let scaled = |number: i64| sign * number / common;
        let scaled_term = |(quantity, number): &(Quantity, i64)| (*quantity, scaled(*number));
        let terms = self.terms.iter().map(scaled_term).collect();
        LinearForm { terms, constant: scaled(self.constant), relation }
    }
}

/// The same with rational coefficients, while it is gathered.
struct Rational {
    coefficients: [Ratio<i64>; Quantity::ALL.len()],
    constant: Ratio<i64>,
}

impl Default for Rational {
    fn default() -> Self {
        Rational { coefficients: [Ratio::zero(); Quantity::ALL.len()], constant: Ratio::zero() }
    }
}

impl Rational {
    /// Adds a multiple of an expression. None: it is not linear, or a number does not fit.
    fn add(&mut self, expr: &Expr, factor: &Ratio<i64>) -> Option<()> {
        use num_traits::{CheckedAdd, CheckedDiv, CheckedMul};
        match expr {
            Expr::Constant(number) => {
                self.constant = self.constant.checked_add(&number.checked_mul(factor)?)?;
            }
            Expr::Quantity(quantity) => {
                let coefficient = &mut self.coefficients[quantity.index()];
                *coefficient = coefficient.checked_add(factor)?;
            }
            Expr::Sum(a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)?;
            }
            Expr::Difference(a, b) => {
                self.add(a, factor)?;
                self.add(b, &-factor)?;
            }
            Expr::Product(a, b) => match (&**a, &**b) {
                (Expr::Constant(number), other) | (other, Expr::Constant(number)) => {
                    self.add(other, &factor.checked_mul(number)?)?;
                }
                _ => return None,
            },
            Expr::Quotient(a, divisor) => self.add(a, &factor.checked_div(divisor)?)?,
            Expr::Negation(a) => self.add(a, &-factor)?,
            Expr::Max(_) | Expr::Min(_) | Expr::Abs(_) | Expr::Sqrt(_) => return None,
        }
        Some(())
    }
}
