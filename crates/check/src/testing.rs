//! What tests of this crate share: small tables, and what quantities are there.

use num_rational::BigRational;
use num_traits::{One, Zero};
use truecal::AnyLevels;

use crate::law::{Law, Quantity};
use crate::polynomial::Poly;

/// A quantity, by the formulas and by sums over rounds.
pub(crate) fn value_of(levels: &AnyLevels, quantity: Quantity) -> BigRational {
    let rounds = levels.to_rational().to_rounds();
    let outcome = |x: bool| if x { BigRational::one() } else { BigRational::zero() };
    let sum = |term: &dyn Fn(BigRational, &BigRational) -> BigRational| {
        rounds.iter().map(|(x, p)| term(outcome(*x), p)).sum()
    };
    match quantity {
        Quantity::Measure(measure) => levels.evaluate(measure).value,
        Quantity::Rounds => BigRational::from_integer(levels.rounds().into()),
        Quantity::Levels => BigRational::from_integer(levels.len().into()),
        Quantity::Ones => BigRational::from_integer(levels.ones().into()),
        Quantity::Bias => sum(&|x, p| x - p),
        Quantity::Variance => sum(&|_, p| p * (BigRational::one() - p)),
        Quantity::Squares => sum(&|x, p| (&x - p) * (&x - p)),
    }
}

/// A polynomial at a point.
pub(crate) fn at(poly: &Poly, at: &[BigRational]) -> BigRational {
    poly.terms().fold(BigRational::zero(), |sum, (monomial, coefficient)| {
        let number = BigRational::from_integer((*coefficient).into());
        let variables = monomial.iter().filter(|variable| **variable > 0);
        sum + variables.fold(number, |product, variable| product * &at[usize::from(*variable) - 1])
    })
}

/// The text of a certificate that is committed.
pub(crate) fn certificate(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs/certificates/");
    std::fs::read_to_string(format!("{folder}{name}")).expect("a committed certificate")
}

/// The names of all certificates that are committed, ascending.
pub(crate) fn certificate_names() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs/certificates");
    let names = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut names: Vec<String> =
        names.map(|entry| entry.file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

/// The laws of all committed certificates, and some of other shapes.
pub(crate) fn committed_laws() -> Vec<Law> {
    let law = |name: &String| {
        let text = certificate(name);
        let claim = text.lines().nth(1).and_then(|line| line.strip_prefix("claim "));
        claim.expect("a claim").parse().expect("a law")
    };
    let mut laws: Vec<Law> =
        certificate_names().iter().filter(|name| name.ends_with(".T1.txt")).map(law).collect();
    laws.extend(
        ["signce == 0 => stepce == 0", "bias == 0 => ece >= bias", "2*ece - ece/3 >= stepce + var"]
            .map(|law| law.parse().expect("a law")),
    );
    laws
}
