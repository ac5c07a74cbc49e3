//! Laws at random.

use super::*;

/// Expressions as parsing makes them, with these leaves and numbers.
fn exprs(leaf: BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    let branch = |inner: BoxedStrategy<Expr>| {
        let two = (inner.clone(), inner.clone());
        let several = proptest::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            two.clone().prop_filter_map("fits", |(a, b)| Expr::sum(a, b)),
            two.clone().prop_filter_map("fits", |(a, b)| Expr::difference(a, b)),
            two.prop_filter_map("fits", |(a, b)| Expr::product(a, b)),
            (inner.clone(), number())
                .prop_filter("nonzero", |(_, divisor)| *divisor.numer() != 0)
                .prop_filter_map("fits", |(a, divisor)| Expr::quotient(a, divisor)),
            inner.clone().prop_map(Expr::negation),
            inner.prop_map(Expr::abs),
            several.clone().prop_map(Expr::max),
            several.prop_map(Expr::min),
        ]
    };
    leaf.prop_recursive(4, 24, 3, move |inner| branch(inner.boxed())).boxed()
}

fn number() -> impl Strategy<Value = Ratio<i64>> + Clone {
    let small = (-9_i64..10, 1_i64..10);
    let large = (-i64::MAX..=i64::MAX, 1..=i64::MAX);
    prop_oneof![9 => small, 1 => large].prop_map(|(above, below)| Ratio::new(above, below))
}

fn rational_leaf() -> BoxedStrategy<Expr> {
    let quantity = proptest::sample::select(Quantity::ALL.to_vec()).prop_map(Expr::Quantity);
    prop_oneof![quantity, number().prop_map(Expr::Constant)].boxed()
}

fn relation() -> impl Strategy<Value = Relation> {
    use Relation::{Above, AtLeast, AtMost, Below, Equal};
    proptest::sample::select(vec![AtMost, AtLeast, Below, Above, Equal])
}

fn comparisons() -> impl Strategy<Value = Comparison> {
    let sides = (exprs(rational_leaf()), exprs(rational_leaf())).prop_flat_map(|(a, b)| {
        let (root, other) = (Just(Expr::Sqrt(a.into())), Just(Expr::Sqrt(b.into())));
        let side = exprs(prop_oneof![4 => rational_leaf(), 1 => root, 1 => other].boxed());
        (side.clone(), side)
    });
    (sides, relation()).prop_map(|((left, right), relation)| Comparison { left, relation, right })
}

/// Without roots, and often about `ones` and `bias`.
fn rational_laws() -> impl Strategy<Value = Law> {
    let roots = [Quantity::Ones, Quantity::Bias].map(Expr::Quantity);
    let side =
        exprs(prop_oneof![rational_leaf(), proptest::sample::select(roots.to_vec())].boxed());
    (side.clone(), relation(), side).prop_map(|(left, relation, right)| Law {
        hypothesis: None,
        conclusion: Comparison { left, relation, right },
    })
}

fn laws() -> impl Strategy<Value = Law> {
    (proptest::option::of(comparisons()), comparisons())
        .prop_map(|(hypothesis, conclusion)| Law { hypothesis, conclusion })
}

proptest! {
    #[test]
    fn what_is_printed_parses_to_the_same(law in laws()) {
        prop_assert_eq!(law.to_string().parse(), Ok(law));
    }

    #[test]
    fn fractions_agree_with_rationals(
        law in laws(),
        values in proptest::collection::vec((-20_i128..20, 1_i128..7), Quantity::ALL.len()),
    ) {
        let fast = law.judge(&|quantity| {
            let (numerator, denominator) = values[quantity.index()];
            Fraction { numerator, denominator }
        });
        let exact = law.judge(&|quantity| {
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
        prop_assert_eq!(with_root.judge(&value), plain.judge(&value), "{}", with_root);
    }

    #[test]
    fn no_text_is_a_surprise(text in ".{0,60}") {
        let _ = text.parse::<Law>().map_err(|error| error.to_string());
    }

    /// The same with words of the language, which get further.
    #[test]
    fn no_words_are_a_surprise(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "T", "m", "ucal", "nonsense", "2", "0.5", "0", "9223372036854775807", "+", "-",
                "*", "/", "(", ")", ",", "sqrt(", "abs(", "max(", "min", "<=", "==", ">", "=>",
                "=", "≥", " ", "é",
            ]),
            0..25,
        ),
    ) {
        match words.concat().parse::<Law>() {
            Ok(law) => prop_assert_eq!(law.to_string().parse(), Ok(law)),
            Err(error) => prop_assert!(error.column() <= words.concat().chars().count() + 1),
        }
    }
}
