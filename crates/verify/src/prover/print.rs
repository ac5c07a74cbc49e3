//! The text of polynomials, and what the prover asks about them.

use std::fmt::Write;

use truecal_check::polynomial::Poly;

/// The text that parses to a polynomial.
pub fn print(poly: &Poly, names: &[String]) -> String {
    let mut text = String::new();
    for (monomial, coefficient) in poly.terms() {
        let sign = match (text.is_empty(), *coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let variables = monomial.iter().filter(|variable| **variable > 0);
        let mut factors: Vec<_> = variables.map(|v| names[usize::from(*v) - 1].clone()).collect();
        if coefficient.abs() != 1 || factors.is_empty() {
            factors.insert(0, coefficient.abs().to_string());
        }
        let _ = write!(text, "{sign}{}", factors.join("*"));
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// The largest number of variables in a monomial.
pub(super) fn degree(poly: &Poly) -> usize {
    let degree = |monomial: &[u16; 4]| monomial.iter().filter(|variable| **variable > 0).count();
    poly.terms().map(|(monomial, _)| degree(monomial)).max().unwrap_or(0)
}

/// Whether it is a variable and nothing else.
pub(super) fn is_variable(poly: &Poly) -> bool {
    poly.terms().count() == 1 && degree(poly) == 1 && poly.terms().all(|(_, n)| *n == 1)
}
