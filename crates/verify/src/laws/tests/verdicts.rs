//! Laws at numbers that can be checked by hand.

use super::{LOOSE, TIGHT, judged, law};
use crate::laws::{Fraction, LinearJudge, Value, Verdict, judge, rational_value, sides, terms};
use num_rational::BigRational;
use std::cmp::Ordering;
use truecal_check::law::{Comparison, Expr, Law, Quantity, Relation};

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
        ("T/2 + T/2 == T", TIGHT),
        ("T/2 - 1/2 < T/2", LOOSE),
        ("T/3 < T/2", LOOSE),
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
        ("1 + sqrt(T) > 0", 1, LOOSE),
        ("-1 - sqrt(T) < 0", 1, LOOSE),
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
    let claim = law("sqrt(T)*sqrt(3) - 1 <= sqrt(3)/2 - 2*sqrt(T)").conclusion;
    let (left, right) = sides(&claim, &|_| BigRational::from_integer(5.into()));
    assert_eq!(left, "-1 + sqrt(5)·sqrt(3)");
    assert_eq!(right, "-2·sqrt(5) + 1/2·sqrt(3)");
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
        let verdict = judge(&law, &|_| Fraction { numerator: 1, denominator: 1 });
        assert_eq!(verdict, Some(Verdict::Fails), "{law}");
    }
}

/// Each step that can overflow: a sum, a difference, a product, a denominator, a comparison, a
/// negation.
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
        assert_eq!(judge(&law, &|_| Fraction { numerator, denominator }), None, "{text}");
        let exact = || BigRational::new(numerator.into(), denominator.into());
        let expected = if text == "T < 7/3" { Verdict::Fails } else { LOOSE };
        assert_eq!(judge(&law, &|_| exact()), Some(expected), "{text}");
    }
}

/// Integer forms judge as the laws do, on numerators over one denominator.
#[test]
fn linear_laws_are_judged_on_numerators() {
    let laws = [
        "T <= 3",
        "T >= 3",
        "T < 3",
        "T > 3",
        "T == 3",
        "2*T - m/3 >= 1/2",
        "m == 2 => T <= 3",
        "m > 2 => T - ones/2 >= -(m - 1)",
        "3/4*T == 2*(m + 1/4)*1",
        "T/2 + T/3 - T >= -m/6",
    ];
    for text in laws {
        let law = law(text);
        let linear = LinearJudge::of(&law).expect("linear");
        for (rounds, levels, ones) in
            [(3, 2, 1), (6, 4, 2), (5, 1, 3), (7, 9, 0), (-4, 0, 1), (9, 6, 6), (1, 1, 1)]
        {
            for denominator in [1, 2, 3] {
                let mut numerators = [0; Quantity::ALL.len()];
                let known = [Quantity::Rounds, Quantity::Levels, Quantity::Ones];
                for (quantity, value) in known.into_iter().zip([rounds, levels, ones]) {
                    numerators[quantity.index()] = value;
                }
                let value = |quantity: Quantity| {
                    BigRational::new(numerators[quantity.index()].into(), denominator.into())
                };
                let verdict = linear.judge(&numerators, denominator);
                assert_eq!(Some(verdict), judge(&law, &value), "{text} {rounds} {levels} {ones}");
            }
        }
    }
}

#[test]
fn sides_have_exact_values() {
    let expr = |text: &str| text.parse::<Expr>().expect("a side");
    let at = |n: i128, d: i128| move |_: Quantity| Fraction { numerator: n, denominator: d };
    let value = rational_value(&expr("T/2 - max(1, T)"), &at(3, 1)).expect("a value");
    assert_eq!(value.compare(&Fraction { numerator: -3, denominator: 2 }), Some(Ordering::Equal));
    assert!(rational_value(&expr("1 + sqrt(T)"), &at(4, 1)).is_none());
    assert!(rational_value(&expr("T*T"), &at(i128::MAX, 1)).is_none());

    let whole = |n: i64| BigRational::from_integer(n.into());
    let terms = |text: &str| terms(&expr(text), &|_| whole(5));
    assert_eq!(terms("T - 7"), Some(vec![(whole(-2), vec![])]));
    assert_eq!(terms("T - 5"), Some(vec![]));
    assert_eq!(
        terms("3*sqrt(T)*sqrt(2) - sqrt(2) + 1"),
        Some(vec![
            (whole(1), vec![]),
            (whole(-1), vec![whole(2)]),
            (whole(3), vec![whole(5), whole(2)]),
        ])
    );
    assert_eq!(terms("sqrt(-T)"), None);

    let sides = |text: &str| sides(&law(text).conclusion, &|_| whole(5));
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(sides("T - 5 <= 1/2"), pair("0", "1/2"));
    assert_eq!(sides("-sqrt(T) <= sqrt(T)/-2 - 1/3"), pair("-sqrt(5)", "-1/3 - 1/2·sqrt(5)"));
    assert_eq!(sides("sqrt(-T) <= 1"), pair("undefined", "1"));
}
