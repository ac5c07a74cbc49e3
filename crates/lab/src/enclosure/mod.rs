//! Real numbers between rationals: for inequalities with roots and logarithms.

mod arithmetic;
mod display;
mod dyadic;
mod elementary;
mod subdivision;

use num_rational::BigRational;

use dyadic::Dyadic;
use dyadic::Toward::{Above, Below};
pub use subdivision::{Subdivision, on_box};

/// A real number, known to lie between two rationals (dyadic ones of 128 significant bits).
///
/// Every operation encloses all that its operands may be: for any a in A and b in B, a + b is in
/// A + B. So an answer of [`at_most`](Self::at_most) or [`below`](Self::below) is proved, whatever
/// was lost to rounding.
///
/// Operations on magnitudes of 2^65536 or more panic; magnitudes below 2^-65536 are enclosed
/// together with zero.
///
/// ```
/// use truecal_lab::enclosure::Enclosure;
/// // √(2 ln 4) + √(π/2) <= 3, by less than 0.09.
/// let two = Enclosure::from(2);
/// let sum = (&two * Enclosure::from(4).ln()).sqrt() + (Enclosure::pi() / &two).sqrt();
/// assert_eq!(format!("{sum:.6}"), "2.918423…");
/// assert_eq!(sum.at_most(&Enclosure::from(3)), Some(true));
/// assert_eq!(sum.at_most(&Enclosure::ratio(291, 100)), Some(false));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    low: Dyadic,
    high: Dyadic,
}

impl Enclosure {
    /// A rational: itself if it is dyadic and short, otherwise between its two neighbours.
    pub fn exact(value: &BigRational) -> Self {
        Self::between(value, value)
    }

    /// numerator / denominator. Panics if the denominator is zero.
    pub fn ratio(numerator: i64, denominator: i64) -> Self {
        Self::exact(&BigRational::new(numerator.into(), denominator.into()))
    }

    /// Any number between two rationals, whichever of them is less.
    pub fn between(one: &BigRational, other: &BigRational) -> Self {
        let (low, high) = if one <= other { (one, other) } else { (other, one) };
        Enclosure {
            low: Dyadic::from_rational(low, Below),
            high: Dyadic::from_rational(high, Above),
        }
    }

    /// The lower end.
    pub fn low(&self) -> BigRational {
        self.low.to_rational()
    }

    /// The upper end.
    pub fn high(&self) -> BigRational {
        self.high.to_rational()
    }

    /// The distance between the ends.
    pub fn width(&self) -> BigRational {
        self.high() - self.low()
    }

    /// Whether the number may be this rational.
    pub fn contains(&self, value: &BigRational) -> bool {
        self.low() <= *value && *value <= self.high()
    }

    /// Whether the number is at most the other: `Some(true)` if certainly, `Some(false)` if
    /// certainly not, `None` if the ends do not tell.
    pub fn at_most(&self, other: &Enclosure) -> Option<bool> {
        if self.high <= other.low {
            return Some(true);
        }
        (self.low > other.high).then_some(false)
    }

    /// Whether the number is less than the other: `Some(true)` if certainly, `Some(false)` if
    /// certainly not, `None` if the ends do not tell.
    pub fn below(&self, other: &Enclosure) -> Option<bool> {
        other.at_most(self).map(|reached| !reached)
    }

    fn point(end: Dyadic) -> Self {
        Enclosure { low: end.clone(), high: end }
    }

    /// An increasing function, given at single points: what is least is at the lower end.
    fn increasing(&self, function: impl Fn(&Dyadic) -> Enclosure) -> Enclosure {
        let at_low = function(&self.low);
        if self.low == self.high {
            return at_low;
        }
        Enclosure { low: at_low.low, high: function(&self.high).high }
    }
}

/// An integer of at most 64 bits, which is exact.
impl From<i64> for Enclosure {
    fn from(value: i64) -> Self {
        Self::point(Dyadic::rounded(value.into(), 0, Below))
    }
}

#[cfg(test)]
mod brownian_tests;
#[cfg(test)]
mod tests;
