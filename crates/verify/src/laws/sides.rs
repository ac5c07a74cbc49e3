//! The sides of a law as searches and reports need them: as rationals near them, and scaled.

use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};

use super::judge::terms;
use truecal_check::law::{Comparison, Expr, Law, Quantity, Relation};

/// The value, with every root replaced by a rational below it, by less than 2^-64; exact without
/// roots. None without a value.
pub fn near_value(expr: &Expr, quantity: &dyn Fn(Quantity) -> BigRational) -> Option<BigRational> {
    let root = |radicand: &BigRational| {
        let scaled: BigInt = (radicand.numer() << 128_u32) / radicand.denom();
        BigRational::new(scaled.sqrt(), BigInt::from(1) << 64_u32)
    };
    let terms = terms(expr, quantity)?;
    let term = |(coefficient, radicands): (BigRational, Vec<BigRational>)| {
        radicands.iter().fold(coefficient, |product, radicand| product * root(radicand))
    };
    Some(terms.into_iter().map(term).sum())
}

/// The [near values](near_value) of the two sides.
pub fn near_sides(
    comparison: &Comparison,
    quantity: &dyn Fn(Quantity) -> BigRational,
) -> Option<(BigRational, BigRational)> {
    Some((near_value(&comparison.left, quantity)?, near_value(&comparison.right, quantity)?))
}

/// Whether a square root occurs in it.
pub fn has_root(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Quantity(_) => false,
        Expr::Sum(a, b) | Expr::Difference(a, b) | Expr::Product(a, b) => {
            has_root(a) || has_root(b)
        }
        Expr::Quotient(a, _) | Expr::Negation(a) | Expr::Abs(a) => has_root(a),
        Expr::Max(all) | Expr::Min(all) => all.iter().any(has_root),
        Expr::Sqrt(_) => true,
    }
}

/// The law with 99/100 of the side that is claimed to be the larger: a slightly stronger claim
/// where that side is positive. If the law is tight, this one can be refuted.
///
/// None for `==`, which has no larger side, and for a number of which 99/100 does not fit 64 bits.
///
/// ```
/// use truecal_verify::laws::tightened;
/// let text = |law: &str| law.parse().map(|law| tightened(&law).map(|law| law.to_string()));
/// assert_eq!(
///     text("ece <= (2*m - 1)*stepce")?.as_deref(),
///     Some("ece <= 99/100*((2*m - 1)*stepce)")
/// );
/// assert_eq!(text("stepce >= ucal/8")?.as_deref(), Some("99/100*stepce >= ucal/8"));
/// assert_eq!(text("ece == ece")?, None);
/// # Ok::<(), truecal_check::law::LawError>(())
/// ```
pub fn tightened(law: &Law) -> Option<Law> {
    with_larger_side_times(law, Ratio::new(99, 100))
}

/// The law with a multiple of the side that is claimed to be the larger. None as for [`tightened`].
pub fn with_larger_side_times(law: &Law, factor: Ratio<i64>) -> Option<Law> {
    let mut law = law.clone();
    let Comparison { left, relation, right } = &mut law.conclusion;
    let larger = match relation {
        Relation::AtMost | Relation::Below => right,
        Relation::AtLeast | Relation::Above => left,
        Relation::Equal => return None,
    };
    if factor != Ratio::from(1) {
        // Reading carries out the arithmetic on numbers.
        *larger = format!("({factor})*({larger})").parse().ok()?;
    }
    Some(law)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{Verdict, judge};

    fn law(text: &str) -> Law {
        text.parse().expect("a law")
    }

    fn whole(number: i64) -> BigRational {
        BigRational::from_integer(number.into())
    }

    #[test]
    fn near_sides_are_near() {
        let sides = law("sqrt(T)*sqrt(3) - 1 <= sqrt(3)/2 - 2*sqrt(T)").conclusion;
        let near = near_sides(&sides, &|_| whole(5)).expect("values");
        let expected = [(287_298, 287_299), (-360_612, -360_611)];
        for (value, (low, high)) in [near.0, near.1].iter().zip(expected) {
            let bound = |n: i64| BigRational::new(n.into(), 100_000.into());
            assert!(bound(low) < *value && *value < bound(high), "{value}");
        }
        assert_eq!(near_value(&sides.left, &|_| whole(-1)), None);
        let exact: Expr = "T/3 + max(T, 7)".parse().expect("a side");
        assert_eq!(near_value(&exact, &|_| whole(2)), Some(BigRational::new(23.into(), 3.into())));
    }

    #[test]
    fn a_root_is_found_wherever_it_is() {
        for text in
            ["sqrt(T)", "1 - sqrt(T)", "abs(T + sqrt(2))", "max(T, -sqrt(T)/2)", "2*sqrt(2)"]
        {
            assert!(has_root(&text.parse().expect("a side")), "{text}");
        }
        assert!(!has_root(&"T*m - max(T, abs(bias)) + -T/2".parse().expect("a side")));
    }

    #[test]
    fn a_tight_law_is_refuted_when_tightened() {
        for text in ["T <= 2 + sqrt(T)", "2 + sqrt(T) >= T", "T == 4 => T <= 4"] {
            let judged = |law: &Law| judge(law, &|_| whole(4));
            assert_eq!(judged(&law(text)), Some(Verdict::Holds { equality: true }));
            let tightened = tightened(&law(text)).expect("an inequality");
            assert_eq!(judged(&tightened), Some(Verdict::Fails), "{tightened}");
        }
        assert_eq!(tightened(&law("T < 5")), Some(law("T < 99/20")));
        assert_eq!(tightened(&law("T > 5*m")), Some(law("0.99*T > 5*m")));
        assert_eq!(tightened(&law("T == 4")), None);
        assert_eq!(tightened(&law("T < 9223372036854775807")), None);
    }
}
