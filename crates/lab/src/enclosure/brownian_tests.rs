//! The limit distributions of stepCE and intervalCE, which the library computes in doubles, against
//! enclosures.

#![expect(clippy::float_arithmetic, reason = "what is compared is in doubles")]

use std::f64::consts::FRAC_1_SQRT_2;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use truecal::null::brownian::{maximum_above, maximum_at_most, range_above, range_at_most};

use super::Enclosure;

fn relative(a: f64, b: f64) -> f64 {
    (a / b - 1.0).abs()
}

fn exactly(x: f64) -> Enclosure {
    Enclosure::exact(&BigRational::from_float(x).expect("finite"))
}

/// Q(x) for certain, by the continued fraction Q(x) = φ(x)/(x + 1/(x + 2/(x + 3/(x + …)))), whose
/// rest after n terms is between 0 and n/x.
fn enclosed_normal(x: &Enclosure) -> Enclosure {
    const DEPTH: i64 = 400;
    let mut rest =
        Enclosure::between(&BigRational::default(), &(Enclosure::from(DEPTH) / x).high());
    for n in (1..DEPTH).rev() {
        rest = Enclosure::from(n) / (x + rest);
    }
    let density =
        (-(x.square() / Enclosure::from(2))).exp() / (Enclosure::from(2) * Enclosure::pi()).sqrt();
    density / (x + rest)
}

/// Σ (-1)^k terms whose size falls: what is left out lies between 0 and the next term.
fn enclosed_sum(terms: impl Fn(i64) -> Enclosure) -> Enclosure {
    const COUNT: i64 = 6;
    let mut sum = Enclosure::between(&BigRational::default(), &terms(COUNT).high());
    for k in (0..COUNT).rev() {
        sum = terms(k) - sum;
    }
    sum
}

/// Within this many units of 2^-53 of every number in the enclosure.
fn close(value: f64, certain: &Enclosure, units: f64) {
    let value = BigRational::from_float(value).expect("finite");
    let error =
        [certain.low(), certain.high()].map(|end| ((&value - &end) / end).to_f64().expect("small"));
    let worst = error[0].abs().max(error[1].abs()) * 2_f64.powi(53);
    assert!(worst <= units, "off by {worst} units");
}

/// The p-values, in rigorous arithmetic of 128 bits, down to 1e-300.
#[test]
fn tails_are_right_to_the_last_digits() {
    for x in [1.01, 1.1, 1.3, 1.5, 1.9, 2.6, 3.7, 5.3, 8.9, 13.1, 21.4, 30.3, 36.9] {
        let times = |k: i64| exactly(x) * Enclosure::from(k);
        let maximum = enclosed_sum(|k| Enclosure::from(4) * enclosed_normal(&times(2 * k + 1)));
        close(maximum_above(x), &maximum, 6.0);
        if x > 1.5 {
            let term = |k| Enclosure::from(8 * (k + 1)) * enclosed_normal(&times(k + 1));
            close(range_above(x), &enclosed_sum(term), 6.0);
        }
    }
    // Without what was rounded off the tail is wrong by more than this test allows.
    let naive = 2.0 * libm::erfc(36.9 * FRAC_1_SQRT_2);
    assert!(relative(naive, maximum_above(36.9)) > 6.0 / 2_f64.powi(53));
}

#[test]
fn heads_are_right_to_the_last_digits() {
    let odd = |k: i64| Enclosure::from(2 * k + 1);
    for x in [0.25, 0.4, 0.55, 0.7, 0.85, 1.0] {
        let root = |k| odd(k) * Enclosure::pi() / exactly(x);
        let maximum = enclosed_sum(|k| {
            let exponential = (-(root(k).square() / Enclosure::from(8))).exp();
            Enclosure::from(4) / Enclosure::pi() * exponential / odd(k)
        });
        close(maximum_at_most(x), &maximum, 60.0);
        close(maximum_above(x), &(Enclosure::from(1) - maximum), 3.0);
        // All terms have one sign here: six of them, and a rest below twice the seventh.
        let term = |k| {
            let weight = Enclosure::from(1) / (odd(k) * Enclosure::pi()).square()
                + Enclosure::from(1) / exactly(x).square();
            Enclosure::from(8) * weight * (-(root(k).square() / Enclosure::from(2))).exp()
        };
        let rest =
            Enclosure::between(&BigRational::default(), &(Enclosure::from(2) * term(6)).high());
        let range = (0..6).map(term).sum::<Enclosure>() + rest;
        close(range_at_most(x), &range, 200.0);
        close(range_above(x), &(Enclosure::from(1) - range), 3.0);
    }
}
