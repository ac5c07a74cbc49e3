//! The text of polynomials, and what the prover asks about them.

use std::fmt::Write;

use crate::certificate::checker::Poly;

impl Poly {
    /// The text that parses to it.
    pub fn print(&self, names: &[String]) -> String {
        let mut text = String::new();
        for (monomial, coefficient) in self.terms() {
            let sign = match (text.is_empty(), *coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let variables = monomial.iter().filter(|variable| **variable > 0);
            let mut factors: Vec<_> =
                variables.map(|v| names[usize::from(*v) - 1].clone()).collect();
            if coefficient.abs() != 1 || factors.is_empty() {
                factors.insert(0, coefficient.abs().to_string());
            }
            let _ = write!(text, "{sign}{}", factors.join("*"));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// The largest number of variables in a monomial.
    pub(super) fn degree(&self) -> usize {
        let degree =
            |monomial: &[u16; 4]| monomial.iter().filter(|variable| **variable > 0).count();
        self.terms().map(|(monomial, _)| degree(monomial)).max().unwrap_or(0)
    }

    /// Whether it is a variable and nothing else.
    pub(super) fn is_variable(&self) -> bool {
        self.terms().count() == 1 && self.degree() == 1 && self.terms().all(|(_, n)| *n == 1)
    }
}
