//! Polynomials of degree at most 4 with integer coefficients, their text, and rows that combine
//! them.

pub(crate) mod row;

use std::collections::BTreeMap;

use crate::rejection::Fault;

pub(crate) use row::positive;
pub use row::{Ring, natural, shows};

/// The variables of a monomial, ascending, after zeros: variables count from 1.
type Monomial = [u16; 4];

/// A polynomial; no coefficient is zero. Whatever exceeds degree 4 or 127 bits is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poly(BTreeMap<Monomial, i128>);

impl Poly {
    /// The variable with this number.
    pub fn variable(number: usize) -> Result<Poly, Fault> {
        let number = u16::try_from(number).map_err(|_| Fault::TooLarge)?;
        Ok(Poly([([0, 0, 0, number], 1)].into()))
    }

    /// Its monomials with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &i128)> {
        self.0.iter()
    }

    /// Reads `2*v1 - S*L + 3`: terms without brackets, ` + ` or ` - ` between them, perhaps `-`
    /// before the first.
    pub fn parse(text: &str, names: &[String]) -> Result<Poly, Fault> {
        let mut sum = Poly::default();
        let (mut sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let mut words = text.split(' ');
        while let Some(term) = words.next() {
            let mut product = Poly::constant(sign);
            for factor in term.split('*') {
                let variable = names.iter().position(|name| name == factor);
                product = product.times(&match variable {
                    Some(place) => Poly::variable(place + 1)?,
                    None => Poly::constant(natural(factor.as_bytes())?),
                })?;
            }
            sum = sum.plus(1, &product)?;
            sign = match words.next() {
                Some("+") => 1,
                Some("-") => -1,
                None => return Ok(sum),
                Some(_) => break,
            };
        }
        Err(Fault::Malformed)
    }
}

/// Σ coefficient · polynomial
pub(crate) fn sum<'a>(terms: impl IntoIterator<Item = (i128, &'a Poly)>) -> Result<Poly, Fault> {
    terms.into_iter().try_fold(Poly::default(), |sum, (factor, poly)| sum.plus(factor, poly))
}

impl Ring for Poly {
    fn constant(number: i128) -> Poly {
        Poly([([0; 4], number)].into_iter().filter(|(_, number)| *number != 0).collect())
    }

    fn plus(mut self, factor: i128, other: &Poly) -> Result<Poly, Fault> {
        for (monomial, coefficient) in &other.0 {
            let entry = self.0.entry(*monomial).or_insert(0);
            let product = coefficient.checked_mul(factor);
            *entry = product.and_then(|p| entry.checked_add(p)).ok_or(Fault::TooLarge)?;
            if *entry == 0 {
                self.0.remove(monomial);
            }
        }
        Ok(self)
    }

    fn times(&self, other: &Poly) -> Result<Poly, Fault> {
        let mut product = Poly::default();
        for (a, c) in &self.0 {
            for (b, d) in &other.0 {
                let mut variables = [a.as_slice(), b.as_slice()].concat();
                variables.sort_unstable();
                let (none, monomial) = variables.split_at(4);
                let monomial = monomial.try_into().map_err(|_| Fault::TooLarge)?;
                let number = c.checked_mul(*d).filter(|_| none == [0; 4]);
                let term = Poly([(monomial, number.ok_or(Fault::TooLarge)?)].into());
                product = product.plus(1, &term)?;
            }
        }
        Ok(product)
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests;
