//! Laws without products, roots, maxima and absolute values, as integer combinations of quantities:
//! some ten times faster to judge.

use std::cmp::Ordering;

use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Zero};

use super::{Comparison, Expr, Law, Quantity, Relation, Verdict};

/// A law whose two sides are linear in the quantities, with integer coefficients.
///
/// It is judged on the numerators of the quantities over one common denominator, which it need not
/// know:
///
/// ```
/// use truecal::Measure;
/// use truecal_check::law::{Law, LinearLaw, Quantity, Verdict};
/// let law: Law = "stepce >= ucal/8".parse()?;
/// let linear = LinearLaw::of(&law).expect("linear");
/// let mut numerators = [0; Quantity::ALL.len()];
/// numerators[Quantity::Measure(Measure::StepCe).index()] = 1; // 1/4
/// numerators[Quantity::Measure(Measure::UCal).index()] = 8; // 8/4
/// assert_eq!(linear.judge(&numerators, 4), Verdict::Holds { equality: true });
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearLaw {
    hypothesis: Option<Form>,
    conclusion: Form,
}

/// constant + Σ coefficient · quantity, compared with 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    terms: Vec<(usize, i64)>,
    constant: i64,
    relation: Relation,
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
            hypothesis: self.hypothesis.map(Form::normalised),
            conclusion: self.conclusion.normalised(),
        }
    }

    /// The linear form of a law; `None` if it has none, or one with coefficients beyond 32 bits.
    pub fn of(law: &Law) -> Option<LinearLaw> {
        let hypothesis = match &law.hypothesis {
            Some(comparison) => Some(Form::of(comparison)?),
            None => None,
        };
        Some(LinearLaw { hypothesis, conclusion: Form::of(&law.conclusion)? })
    }

    /// Judges the law where each quantity, by its [index](Quantity::index), is its numerator over
    /// `denominator`, which is positive.
    #[inline]
    pub fn judge(&self, numerators: &[i64; Quantity::ALL.len()], denominator: i64) -> Verdict {
        if let Some(form) = &self.hypothesis
            && !form.relation.admits(form.sign(numerators, denominator))
        {
            return Verdict::Inapplicable;
        }
        let sign = self.conclusion.sign(numerators, denominator);
        match self.conclusion.relation.admits(sign) {
            true => Verdict::Holds { equality: sign.is_eq() },
            false => Verdict::Fails,
        }
    }
}

impl Form {
    fn of(comparison: &Comparison) -> Option<Form> {
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
        for (index, coefficient) in rational.coefficients.iter().enumerate() {
            if !coefficient.is_zero() {
                terms.push((index, scaled(coefficient)?));
            }
        }
        Some(Form { terms, constant: scaled(&rational.constant)?, relation: comparison.relation })
    }

    /// Without common factors, and with >= or > instead of <= or <; equalities begin with a
    /// positive coefficient.
    fn normalised(self) -> Form {
        let common = self.terms.iter().fold(self.constant, |gcd, (_, n)| gcd.gcd(n)).max(1);
        let turn = match self.relation {
            Relation::AtMost | Relation::Below => true,
            Relation::AtLeast | Relation::Above => false,
            Relation::Equal => self.terms.first().map_or(self.constant, |(_, n)| *n).is_negative(),
        };
        let (sign, relation) = if turn { (-1, self.relation.turned()) } else { (1, self.relation) };
        let scaled = |number: i64| sign * number / common;
        let terms = self.terms.iter().map(|(place, number)| (*place, scaled(*number))).collect();
        Form { terms, constant: scaled(self.constant), relation }
    }

    #[inline]
    fn sign(&self, numerators: &[i64; Quantity::ALL.len()], denominator: i64) -> Ordering {
        let product = |coefficient: i64, number: i64| i128::from(coefficient) * i128::from(number);
        let sum = self
            .terms
            .iter()
            .fold(product(self.constant, denominator), |sum, (index, coefficient)| {
                sum + product(*coefficient, numerators[*index])
            });
        sum.cmp(&0)
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
