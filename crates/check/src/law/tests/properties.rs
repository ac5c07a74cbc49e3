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
