//! Laws at numbers that can be checked by hand.

use super::*;

#[test]
fn relations_and_hypotheses() {
    let cases = [
        ("T <= 4", TIGHT),
        ("T <= 5", LOOSE),
        ("T <= 3", Verdict::Fails),
        ("T >= 4", TIGHT),
        ("T >= 3", LOOSE),
        ("T >= 5", Verdict::Fails),
        ("T < 4", Verdict::Fails),
        ("T < 5", LOOSE),
        ("T > 4", Verdict::Fails),
        ("T > 3", LOOSE),
        ("T == 4", TIGHT),
        ("T == 5", Verdict::Fails),
        ("T == 5 => T == 6", Verdict::Inapplicable),
        ("T == 4 => T == 6", Verdict::Fails),
        ("T == 4 => T/2 + 1/3 == 7/3", TIGHT),
        ("max(1, T, 3) - min(5, T, 7) == abs(T - 4)", TIGHT),
        ("abs(3 - T)*-T == -abs(-4)", TIGHT),
    ];
    for (text, verdict) in cases {
        assert_eq!(judged(text, 4), verdict, "{text}");
    }
}

#[test]
fn roots_are_decided_by_squaring() {
    let cases = [
        ("sqrt(4) == 2", 0, TIGHT),
        ("sqrt(2) == 2", 0, Verdict::Fails),
        ("3 <= 1 + sqrt(T)", 4, TIGHT),
        ("3 <= 1 + sqrt(T)", 5, LOOSE),
        ("3 <= 1 + sqrt(T)", 3, Verdict::Fails),
        // The convergents 7/5 and 17/12 of √2 lie on either side.
        ("7/5 < sqrt(T)", 2, LOOSE),
        ("17/12 < sqrt(T)", 2, Verdict::Fails),
        ("17/12 - sqrt(T) > 0", 2, LOOSE),
        ("7/5 - sqrt(T) < 0", 2, LOOSE),
        // Both terms of a + b√c negative, one of them zero, and a vanishing radicand.
        ("-1 - sqrt(T) < 0", 2, LOOSE),
        ("-sqrt(T) < 0", 2, LOOSE),
        ("0*sqrt(T) >= 0", 2, TIGHT),
        ("1 - 5*sqrt(T) > 0", 0, LOOSE),
        ("5*sqrt(T) == 0", 0, TIGHT),
        ("sqrt(T) - 2*sqrt(T) < -7/5", 2, LOOSE),
        ("sqrt(T)/2 == sqrt(T) - sqrt(T)/2", 3, TIGHT),
        // (1 + √2)(1 - √2) = -1 and (1 + √2)² = 3 + 2√2.
        ("(1 + sqrt(T))*(1 - sqrt(T)) == -1", 2, TIGHT),
        ("(1 + sqrt(T))*(1 + sqrt(T)) == 3 + 2*sqrt(T)", 2, TIGHT),
        ("(3 - 2*sqrt(T))*2 > 0", 2, LOOSE),
        ("abs(1 - sqrt(T)) == sqrt(T) - 1", 2, TIGHT),
        ("abs(sqrt(T)) == sqrt(T)", 2, TIGHT),
        ("max(1, sqrt(T), 7/5) == sqrt(T)", 2, TIGHT),
        ("min(3/2, sqrt(T), 17/12) == sqrt(T)", 2, TIGHT),
    ];
    for (text, rounds, verdict) in cases {
        assert_eq!(judged(text, rounds), verdict, "{text} at T = {rounds}");
    }
}

#[test]
fn two_roots_are_decided_by_squaring_twice() {
    let cases = [
        // √2 + √3 = 3.14626…, √2·√3 = √6 = 2.44948…
        ("sqrt(2) + sqrt(3) > 3.1462", 0, LOOSE),
        ("sqrt(2) + sqrt(3) < 3.1463", 0, LOOSE),
        ("sqrt(2) + sqrt(3) <= 3.1462", 0, Verdict::Fails),
        ("sqrt(3) - sqrt(2) < 0.3179", 0, LOOSE),
        ("sqrt(3) - sqrt(2) < 0.3178", 0, Verdict::Fails),
        ("sqrt(2)*sqrt(3) > 2.4494", 0, LOOSE),
        ("sqrt(2)*sqrt(3) > 2.4495", 0, Verdict::Fails),
        // (√3 - √2)(√3 + √2) = 1, (√2 + √3)² = 5 + 2√2√3
        ("(sqrt(3) - sqrt(2))*(sqrt(3) + sqrt(2)) == 1", 0, TIGHT),
        ("(sqrt(3) + sqrt(2))*(sqrt(3) + sqrt(2)) == 5 + 2*sqrt(2)*sqrt(3)", 0, TIGHT),
        ("sqrt(2) + sqrt(8) == 3*sqrt(2)", 0, TIGHT),
        ("sqrt(T) + sqrt(4*T) == 3*sqrt(T)", 7, TIGHT),
        ("sqrt(T) + sqrt(0*T) == sqrt(T)", 5, TIGHT),
        ("abs(sqrt(2) - sqrt(3)) == sqrt(3) - sqrt(2)", 0, TIGHT),
        ("max(sqrt(2), sqrt(3)) == sqrt(3)", 0, TIGHT),
        // Where the radicands are equal there is one root.
        ("sqrt(T) == sqrt(3)", 3, TIGHT),
    ];
    for (text, rounds, verdict) in cases {
        assert_eq!(judged(text, rounds), verdict, "{text} at T = {rounds}");
    }
    let sides = law("sqrt(T)*sqrt(3) - 1 <= sqrt(3)/2 - 2*sqrt(T)").conclusion;
    let (left, right) = sides.sides(&|_| BigRational::from_integer(5.into()));
    assert_eq!(left, "-1 + sqrt(5)·sqrt(3)");
    assert_eq!(right, "-2·sqrt(5) + 1/2·sqrt(3)");
    let near = sides.near_sides(&|_| BigRational::from_integer(5.into())).expect("values");
    let expected = [(287_298, 287_299), (-360_612, -360_611)];
    for (value, (low, high)) in [near.0, near.1].iter().zip(expected) {
        let bound = |n: i64| BigRational::new(n.into(), 100_000.into());
        assert!(bound(low) < *value && *value < bound(high), "{value}");
    }
}

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
        let near = expr.slopes(&value).expect("a value");
        assert_eq!(near.value, expr.near_value(&value).expect("a value"));
        for own in Quantity::ALL {
            let moved = |other: Quantity| match other == own {
                true => value(other) + &small,
                false => value(other),
            };
            let change = (expr.near_value(&moved).expect("a value") - &near.value) / &small;
            let error = change - &near.slopes[own.index()];
            assert!(error < rational(1, 1000) && -error < rational(1, 1000), "{text} in {own}");
        }
    }
}

#[test]
fn what_has_no_value_is_not_satisfied() {
    assert_eq!(judged("sqrt(T - 1) >= 0", 0), Verdict::Fails);
    assert_eq!(judged("max(5, sqrt(T - 1)) >= 0 => T > 1", 0), Verdict::Inapplicable);
    let rounds = || Box::new(Expr::Quantity(Quantity::Rounds));
    let root = |a: Expr| Expr::Sqrt(a.into());
    let number = |n: i64| Expr::Constant(n.into());
    let unparsable = [
        Expr::Quotient(rounds(), 0.into()),
        Expr::Max(vec![]),
        root(root(number(4))),
        Expr::Max([4, 9, 16].map(|n| root(number(n))).into()),
    ];
    for left in unparsable {
        let conclusion = Comparison { left, relation: Relation::AtLeast, right: number(-9) };
        let law = Law { hypothesis: None, conclusion };
        let verdict = law.judge(&|_| Fraction { numerator: 1, denominator: 1 });
        assert_eq!(verdict, Some(Verdict::Fails), "{law}");
    }
}

#[test]
fn a_tight_law_is_refuted_when_tightened() {
    for text in ["T <= 2 + sqrt(T)", "2 + sqrt(T) >= T", "T == 4 => T <= 4"] {
        assert_eq!(judged(text, 4), TIGHT);
        let tightened = law(text).tightened().expect("an inequality").to_string();
        assert_eq!(judged(&tightened, 4), Verdict::Fails, "{tightened}");
    }
    assert_eq!(law("T < 5").tightened(), Some(law("T < 99/20")));
    assert_eq!(law("T > 5*m").tightened(), Some(law("0.99*T > 5*m")));
    assert_eq!(law("T == 4").tightened(), None);
    assert_eq!(law("T < 9223372036854775807").tightened(), None);
}

/// Each step that can overflow: a sum, a difference, a product, a denominator, a comparison, a negation.
#[test]
fn overflow_is_noticed() {
    let cases = [
        ("T + T > T", i128::MAX, 1),
        ("-T - T < T", i128::MAX, 1),
        ("T*T > T", i128::MAX, 1),
        ("T + T*T > 0", 1, 1 << 64),
        ("T < 7/3", i128::MAX, 1),
        ("-T > 0", i128::MIN, 1),
        ("abs(T) > 0", i128::MIN, 1),
        ("T*sqrt(3) > 1", i128::MAX, 1),
    ];
    for (text, numerator, denominator) in cases {
        let law = law(text);
        assert_eq!(law.judge(&|_| Fraction { numerator, denominator }), None, "{text}");
        let exact = || BigRational::new(numerator.into(), denominator.into());
        let expected = if text == "T < 7/3" { Verdict::Fails } else { LOOSE };
        assert_eq!(law.judge(&|_| exact()), Some(expected), "{text}");
    }
}
