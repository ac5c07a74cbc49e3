//! Sums, products, quotients and powers: each end rounded outward.

use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Enclosure;
use super::dyadic::Dyadic;
use super::dyadic::Toward::{Above, Below};

impl Enclosure {
    /// The quotient, or `None` if the divisor may be zero.
    pub fn checked_div(&self, divisor: &Enclosure) -> Option<Enclosure> {
        if divisor.high.is_negative() {
            return (-self).checked_div(&-divisor);
        }
        if !divisor.low.is_positive() {
            return None;
        }
        // The divisor is positive: a nonnegative end is least over the greatest divisor, a negative
        // one over the least.
        let under_low = if self.low.is_negative() { &divisor.low } else { &divisor.high };
        let under_high = if self.high.is_negative() { &divisor.high } else { &divisor.low };
        Some(Enclosure {
            low: self.low.over(under_low, Below),
            high: self.high.over(under_high, Above),
        })
    }

    /// The square: never negative, unlike the product of an enclosure of zero with itself.
    pub fn square(&self) -> Enclosure {
        self.pow(2)
    }

    /// The power with a natural exponent; 1 for exponent 0.
    pub fn pow(&self, exponent: u32) -> Enclosure {
        // On what is left the power increases: x^n for odd n, |x|^n for even n.
        let base = if exponent.is_multiple_of(2) { self.abs() } else { self.clone() };
        base.increasing(|end| product_of_copies(Enclosure::point(end.clone()), exponent))
    }

    /// The absolute value.
    pub fn abs(&self) -> Enclosure {
        if self.high.is_negative() {
            return -self;
        }
        if !self.low.is_negative() {
            return self.clone();
        }
        Enclosure { low: Dyadic::zero(), high: self.low.negated().max(self.high.clone()) }
    }

    /// The greater of two numbers.
    pub fn max(&self, other: &Enclosure) -> Enclosure {
        Enclosure {
            low: (&self.low).max(&other.low).clone(),
            high: (&self.high).max(&other.high).clone(),
        }
    }

    /// The lesser of two numbers.
    pub fn min(&self, other: &Enclosure) -> Enclosure {
        Enclosure {
            low: (&self.low).min(&other.low).clone(),
            high: (&self.high).min(&other.high).clone(),
        }
    }
}

/// base^exponent by squaring. Tight only if the base is a point: ends of a product forget where
/// they came from.
fn product_of_copies(base: Enclosure, exponent: u32) -> Enclosure {
    let (mut result, mut square, mut left) = (Enclosure::from(1), base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = &result * &square;
        }
        left /= 2;
        if left > 0 {
            square = &square * &square;
        }
    }
    result
}

fn sum(a: &Enclosure, b: &Enclosure) -> Enclosure {
    Enclosure { low: a.low.plus(&b.low, Below), high: a.high.plus(&b.high, Above) }
}

fn difference(a: &Enclosure, b: &Enclosure) -> Enclosure {
    sum(a, &-b)
}

fn product(a: &Enclosure, b: &Enclosure) -> Enclosure {
    if !a.low.is_negative() && !b.low.is_negative() {
        return Enclosure { low: a.low.times(&b.low, Below), high: a.high.times(&b.high, Above) };
    }
    // A bilinear function on a rectangle is least and greatest at corners; rounding preserves
    // order.
    let corners = [(&a.low, &b.low), (&a.low, &b.high), (&a.high, &b.low), (&a.high, &b.high)];
    let at = |toward| corners.map(|(x, y)| x.times(y, toward));
    let low = at(Below).into_iter().min().expect("four corners");
    let high = at(Above).into_iter().max().expect("four corners");
    Enclosure { low, high }
}

fn quotient(a: &Enclosure, b: &Enclosure) -> Enclosure {
    a.checked_div(b).expect("a divisor that cannot be zero")
}

impl Neg for &Enclosure {
    type Output = Enclosure;

    fn neg(self) -> Enclosure {
        Enclosure { low: self.high.negated(), high: self.low.negated() }
    }
}

impl Neg for Enclosure {
    type Output = Enclosure;

    fn neg(self) -> Enclosure {
        -&self
    }
}

impl Sum for Enclosure {
    fn sum<I: Iterator<Item = Enclosure>>(terms: I) -> Enclosure {
        terms.fold(Enclosure::from(0), |total, term| total + term)
    }
}

macro_rules! operator {
    ($(#[$doc:meta])* $operator:ident, $method:ident, $function:ident) => {
        operator!(@ $(#[$doc])* $operator, $method, $function, &Enclosure, &Enclosure);
        operator!(@ $(#[$doc])* $operator, $method, $function, &Enclosure, Enclosure);
        operator!(@ $(#[$doc])* $operator, $method, $function, Enclosure, &Enclosure);
        operator!(@ $(#[$doc])* $operator, $method, $function, Enclosure, Enclosure);
    };
    (@ $(#[$doc:meta])* $operator:ident, $method:ident, $function:ident, $left:ty, $right:ty) => {
        $(#[$doc])*
        impl $operator<$right> for $left {
            type Output = Enclosure;

            fn $method(self, other: $right) -> Enclosure {
                use std::borrow::Borrow;
                $function(self.borrow(), other.borrow())
            }
        }
    };
}

operator!(Add, add, sum);
operator!(Sub, sub, difference);
operator!(Mul, mul, product);
operator!(
    /// Panics if the divisor may be zero; [`checked_div`](Enclosure::checked_div) does not.
    Div, div, quotient
);
