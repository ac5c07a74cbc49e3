//! How an expression changes with the quantities: for searches, which need a direction and not a
//! proof.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::laws::Value;
use crate::laws::near_value;
use truecal_check::law::{Expr, Quantity};

/// An expression near some values of the quantities: value + Σ slope · change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slopes {
    /// The value there; a root is within 2^-64.
    pub value: BigRational,
    /// The slope in each quantity, by its [index](Quantity::index). Of several arguments that
    /// attain a maximum, a minimum or an absolute value, the first counts.
    pub slopes: Vec<BigRational>,
}

/// The value and the slopes where the quantities have these values; None without a value, or at the
/// root of 0, which has no slope.
pub(super) fn slopes(expr: &Expr, quantity: &dyn Fn(Quantity) -> BigRational) -> Option<Slopes> {
    let of = |expr: &Expr| slopes(expr, quantity);
    Some(match expr {
        Expr::Constant(number) => Slopes::constant(BigRational::constant(*number)),
        Expr::Quantity(own) => {
            let mut slopes = Slopes::constant(quantity(*own));
            slopes.slopes[own.index()] = BigRational::one();
            slopes
        }
        Expr::Sum(a, b) => of(a)?.combined(&BigRational::one(), &of(b)?, &BigRational::one()),
        Expr::Difference(a, b) => {
            of(a)?.combined(&BigRational::one(), &of(b)?, &-BigRational::one())
        }
        Expr::Product(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let value = &a.value * &b.value;
            Slopes { value, ..a.combined(&b.value, &b, &a.value) }
        }
        Expr::Quotient(a, divisor) => of(a)?.times(&reciprocal(&BigRational::constant(*divisor))?),
        Expr::Negation(a) => of(a)?.times(&-BigRational::one()),
        Expr::Max(all) => extreme(all.iter().map(of), |new, best| new > best)?,
        Expr::Min(all) => extreme(all.iter().map(of), |new, best| new < best)?,
        Expr::Abs(a) => {
            let a = of(a)?;
            if a.value.is_negative() { a.times(&-BigRational::one()) } else { a }
        }
        Expr::Sqrt(a) => {
            let value = near_value(expr, quantity)?;
            let slope = reciprocal(&(&value + &value))?;
            Slopes { value, ..of(a)?.times(&slope) }
        }
    })
}

impl Slopes {
    fn constant(value: BigRational) -> Slopes {
        Slopes { value, slopes: vec![BigRational::zero(); Quantity::ALL.len()] }
    }

    fn times(self, factor: &BigRational) -> Slopes {
        let slopes = self.slopes.iter().map(|slope| slope * factor).collect();
        Slopes { value: self.value * factor, slopes }
    }

    /// a · this + b · other
    fn combined(&self, a: &BigRational, other: &Slopes, b: &BigRational) -> Slopes {
        let both = self.slopes.iter().zip(&other.slopes);
        Slopes {
            value: &self.value * a + &other.value * b,
            slopes: both.map(|(x, y)| x * a + y * b).collect(),
        }
    }
}

/// The first that no other beats.
fn extreme(
    all: impl Iterator<Item = Option<Slopes>>,
    beats: fn(&BigRational, &BigRational) -> bool,
) -> Option<Slopes> {
    let mut best: Option<Slopes> = None;
    for new in all {
        let new = new?;
        if best.as_ref().is_none_or(|best| beats(&new.value, &best.value)) {
            best = Some(new);
        }
    }
    best
}

fn reciprocal(number: &BigRational) -> Option<BigRational> {
    (!number.is_zero()).then(|| number.recip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_small_changes() {
        let rational = |n: i64, d: i64| BigRational::new(n.into(), d.into());
        let texts = [
            "3*ece - stepce/2 + 1",
            "ece*stepce*(T - 2*m)",
            "max(ece, stepce*2) - min(T, m, ones)",
            "abs(ece - 3*stepce)",
            "sqrt(var)*ece - sqrt(T + ece)",
        ];
        let value = |quantity: Quantity| rational(3 + quantity.index() as i64, 2);
        let small = rational(1, 1 << 30);
        for text in texts {
            let expr: Expr = text.parse().expect("an expression");
            let near = slopes(&expr, &value).expect("a value");
            assert_eq!(near.value, near_value(&expr, &value).expect("a value"));
            for own in Quantity::ALL {
                let moved = |other: Quantity| match other == own {
                    true => value(other) + &small,
                    false => value(other),
                };
                let change = (near_value(&expr, &moved).expect("a value") - &near.value) / &small;
                let error = change - &near.slopes[own.index()];
                assert!(error < rational(1, 1000) && -error < rational(1, 1000), "{text} in {own}");
            }
        }
    }
}
