//! Laws at random.

use num_rational::BigRational;
use proptest::prelude::*;
use truecal_check::law::{Law, Quantity};

use crate::laws::{Fraction, judge};

fn number() -> impl Strategy<Value = String> {
    let small = (0_i64..10, 1_i64..10);
    let large = (0..=i64::MAX, 1..=i64::MAX);
    prop_oneof![9 => small, 1 => large].prop_map(|(above, below)| format!("{above}/{below}"))
}

fn quantity() -> impl Strategy<Value = String> {
    proptest::sample::select(Quantity::ALL.to_vec()).prop_map(|quantity| quantity.to_string())
}

/// The text of an expression with these leaves.
fn exprs(leaf: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let branch = |inner: BoxedStrategy<String>| {
        let two = (inner.clone(), inner.clone());
        let several = || proptest::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
            two.clone().prop_map(|(a, b)| format!("({a} - {b})")),
            two.prop_map(|(a, b)| format!("({a})*({b})")),
            (inner.clone(), number()).prop_map(|(a, divisor)| format!("({a})/({divisor})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("abs({a})")),
            several().prop_map(|all| format!("max({})", all.join(", "))),
            several().prop_map(|all| format!("min({})", all.join(", "))),
        ]
    };
    leaf.prop_recursive(4, 24, 3, move |inner| branch(inner.boxed())).boxed()
}

fn leaf() -> BoxedStrategy<String> {
    prop_oneof![quantity(), number()].boxed()
}

fn comparisons(sides: impl Strategy<Value = (String, String)>) -> impl Strategy<Value = String> {
    let relation = proptest::sample::select(vec!["<=", ">=", "<", ">", "=="]);
    (sides, relation).prop_map(|((left, right), relation)| format!("{left} {relation} {right}"))
}

/// With the roots of up to two expressions.
fn with_roots() -> impl Strategy<Value = String> {
    let sides = (exprs(leaf()), exprs(leaf())).prop_flat_map(|(a, b)| {
        let (root, other) = (Just(format!("sqrt({a})")), Just(format!("sqrt({b})")));
        let side = exprs(prop_oneof![4 => leaf(), 1 => root, 1 => other].boxed());
        (side.clone(), side)
    });
    comparisons(sides)
}

/// Those that parse: no number is too large, no divisor 0.
fn parsed(texts: impl Strategy<Value = String>) -> impl Strategy<Value = Law> {
    texts.prop_filter_map("fits", |text| text.parse().ok())
}

fn laws() -> impl Strategy<Value = Law> {
    let texts = (proptest::option::of(with_roots()), with_roots());
    parsed(texts.prop_map(|(hypothesis, conclusion)| match hypothesis {
        Some(hypothesis) => format!("{hypothesis} => {conclusion}"),
        None => conclusion,
    }))
}

/// Without roots, and often about `ones` and `bias`.
fn rational_laws() -> impl Strategy<Value = Law> {
    let roots = proptest::sample::select(vec!["ones".to_owned(), "bias".to_owned()]);
    let side = exprs(prop_oneof![leaf(), roots].boxed());
    parsed(comparisons((side.clone(), side)))
}

proptest! {
    #[test]
    fn fractions_agree_with_rationals(
        law in laws(),
        values in proptest::collection::vec((-20_i128..20, 1_i128..7), Quantity::ALL.len()),
    ) {
        let fast = judge(&law, &|quantity| {
            let (numerator, denominator) = values[quantity.index()];
            Fraction { numerator, denominator }
        });
        let exact = judge(&law, &|quantity| {
            let (numerator, denominator) = values[quantity.index()];
            BigRational::new(numerator.into(), denominator.into())
        });
        prop_assert!(exact.is_some());
        prop_assert!(fast.is_none() || fast == exact, "{} is {:?}, not {:?}", law, fast, exact);
    }

    /// The root of a square is rational: with T = ones² and var = bias², √T can be written as
    /// `ones` and √var as `bias`, and what is judged by squaring must be what is judged without.
    #[test]
    fn roots_of_squares_are_rational(
        plain in rational_laws(),
        root in 0_i64..20,
        below in 1_i64..5,
        other in 0_i64..20,
        values in proptest::collection::vec(-9_i64..10, Quantity::ALL.len()),
    ) {
        let with_roots = plain.to_string().replace("ones", "sqrt(T)").replace("bias", "sqrt(var)");
        let with_root: Law = with_roots.parse().expect("one atom for another");
        let root = BigRational::new(root.into(), below.into());
        let other_root = BigRational::new(other.into(), 3.into());
        let value = |quantity: Quantity| match quantity {
            Quantity::Rounds => root.pow(2),
            Quantity::Ones => root.clone(),
            Quantity::Variance => other_root.pow(2),
            Quantity::Bias => other_root.clone(),
            other => BigRational::from_integer(values[other.index()].into()),
        };
        prop_assert_eq!(judge(&with_root, &value), judge(&plain, &value), "{}", with_root);
    }
}
