//! Numbers a + b √2.

use std::fmt;

use num_traits::Num;

/// The rational part, and the multiple of √2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surd<N>(pub N, pub N);

impl<N: Num + Clone> Surd<N> {
    pub fn rational(number: N) -> Self {
        Surd(number, N::zero())
    }

    pub fn plus(&self, other: &Self) -> Self {
        Surd(self.0.clone() + other.0.clone(), self.1.clone() + other.1.clone())
    }

    pub fn minus(&self, other: &Self) -> Self {
        Surd(self.0.clone() - other.0.clone(), self.1.clone() - other.1.clone())
    }

    pub fn times(&self, other: &Self) -> Self {
        let (Surd(a, b), Surd(c, d)) = (self.clone(), other.clone());
        let two = N::one() + N::one();
        Surd(a.clone() * c.clone() + two * b.clone() * d.clone(), a * d + b * c)
    }

    /// Whether it is below 0: of two terms with different signs, the one with the larger square
    /// decides.
    pub fn is_negative(&self) -> bool
    where
        N: PartialOrd,
    {
        let Surd(a, b) = self;
        let (square, other) = (a.clone() * a.clone(), self.times(self).0 - a.clone() * a.clone());
        match (*a < N::zero(), *b < N::zero()) {
            (true, true) => true,
            (true, false) => square > other,
            (false, true) => other > square,
            (false, false) => false,
        }
    }
}

/// `3 - 2 sqrt(2)`
impl<N: Num + Clone + PartialOrd + fmt::Display> fmt::Display for Surd<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Surd(a, b) = self;
        match *b < N::zero() {
            true => write!(f, "{a} - {} sqrt(2)", N::zero() - b.clone()),
            false => write!(f, "{a} + {b} sqrt(2)"),
        }
    }
}
