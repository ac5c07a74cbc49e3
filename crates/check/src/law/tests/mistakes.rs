//! Every mistake, at its place.

use super::*;

fn symbol(found: &'static str, hint: &'static str) -> Mistake {
    Mistake::Symbol { found, hint }
}

fn operand(found: &str) -> Mistake {
    Mistake::Operand { found: found.to_owned() }
}

fn unknown(name: &str, nearest: Option<&'static str>) -> Mistake {
    Mistake::UnknownName { name: name.to_owned(), nearest }
}

#[test]
fn each_is_named_where_it_is() {
    let powers = "write powers as products, like `T*T`";
    let cases = [
        ("", 1, Mistake::Empty),
        (" \n", 1, Mistake::Empty),
        ("T < 1 ; m", 7, Mistake::Character(';')),
        ("≤≤ T", 1, operand("found `<=`")),
        ("T ≥ 2 $", 7, Mistake::Character('$')),
        ("T = 2", 3, symbol("=", "write `==` to claim an equality")),
        ("T =< 2", 3, symbol("=<", "write `<=`")),
        ("T > 2 -> m > 2", 7, symbol("->", "write `=>`")),
        ("T² > 2", 2, symbol("²", powers)),
        ("T**2 > 2", 2, symbol("**", powers)),
        (".5 < T", 1, Mistake::Number),
        ("T > 5.", 5, Mistake::Number),
        ("T > 1e-5", 5, Mistake::Number),
        ("T > 1_000", 5, Mistake::Number),
        ("T > 1.2.3", 5, Mistake::Number),
        ("T > 9223372036854775808", 5, Mistake::NumberTooLarge),
        ("T > 0.0000000000000000001", 5, Mistake::NumberTooLarge),
        ("T > 9223372036854775807 + 1", 25, Mistake::NumberTooLarge),
        ("T > -9223372036854775807 - 1", 26, Mistake::NumberTooLarge),
        ("T > stepc", 5, unknown("stepc", Some("stepce"))),
        ("Variance > 0", 1, unknown("Variance", Some("var"))),
        ("sqr(T) > 0", 1, unknown("sqr", Some("sqrt"))),
        ("n > 0", 1, unknown("n", None)),
        ("T > x1y_2", 5, unknown("x1y_2", None)),
        ("_x > 0", 1, unknown("_x", None)),
        ("T > é", 5, unknown("é", None)),
        ("entropy > 0", 1, unknown("entropy", None)),
        ("T >", 4, operand("the law ends here")),
        ("T > * 2", 5, operand("found `*`")),
        ("T > ()", 6, operand("found `)`")),
        ("2 T > 1", 3, Mistake::MissingOperator),
        ("T > 2(m)", 6, Mistake::MissingOperator),
        ("T > (2)m", 8, Mistake::MissingOperator),
        ("(2 m) > 1", 4, Mistake::MissingOperator),
        ("sqrt T > 1", 6, Mistake::FunctionWithoutArgument("sqrt")),
        ("abs(T, m) > 1", 6, Mistake::Arguments("abs")),
        ("(T, m) > 1", 3, Mistake::Comma),
        ("T > 0,25", 6, Mistake::Comma),
        ("T > (1 + (2)", 5, Mistake::Unclosed),
        ("max(T, m > 1", 10, Mistake::ComparisonInParentheses),
        ("max(T, m", 4, Mistake::Unclosed),
        ("T > 1)", 6, Mistake::Unopened),
        ("T + 1", 6, Mistake::NoComparison),
        ("T => m > 1", 3, Mistake::NoComparison),
        ("(T > 1) => m > 1", 4, Mistake::ComparisonInParentheses),
        ("0 < T < 1", 7, Mistake::Chained),
        ("T > 1 => T > 1 => T > 1", 16, Mistake::SecondImplication),
        ("ece/stepce <= m", 5, Mistake::Divisor),
        ("T/(1 - 2/2) <= m", 3, Mistake::DivisionByZero),
        ("sqrt(1 + sqrt(T)) > 1", 10, Mistake::NestedRoot),
        (
            "sqrt(T) > sqrt(m) + sqrt(T) + sqrt(ones)",
            31,
            Mistake::TooManyRadicands { known: "`T` and `m`".to_owned() },
        ),
    ];
    for (text, column, mistake) in cases {
        let error = text.parse::<Law>().expect_err(text);
        assert_eq!((error.column(), error.mistake()), (column, &mistake), "{text}");
        assert_eq!(error.text(), text);
    }
}

#[test]
fn each_comparison_has_its_own_radicands() {
    law("sqrt(T) + sqrt(ones) > 1 => sqrt(m) + sqrt(var) + sqrt(m) > 1");
}

#[test]
fn parts_of_laws_stand_alone() {
    let comparison: Comparison = "ucal == 0".parse().expect("a comparison");
    assert_eq!(comparison, law("ucal == 0").conclusion);
    let side: Expr = "ucal - T/2".parse().expect("a side");
    assert_eq!(side, law("ucal - T/2 <= 1").conclusion.left);
    let cases = [("", 1, Mistake::Empty), ("T == 1 => m == 1", 8, Mistake::OneComparison)];
    for (text, column, mistake) in cases {
        let error = text.parse::<Comparison>().expect_err(text);
        assert_eq!((error.column(), error.mistake()), (column, &mistake), "{text}");
    }
    for (text, column, mistake) in [
        ("T <= 1", 3, Mistake::OneSide),
        ("T => 1", 3, Mistake::OneSide),
        ("T m", 3, Mistake::MissingOperator),
        ("T)", 2, Mistake::Unopened),
    ] {
        let error = text.parse::<Expr>().expect_err(text);
        assert_eq!((error.column(), error.mistake()), (column, &mistake), "{text}");
    }
}

#[test]
fn length_and_depth_are_limited() {
    let long = format!("T > 1{}", " ".repeat(MAX_LAW_BYTES));
    let error = long.parse::<Law>().expect_err("long");
    assert_eq!((error.column(), error.mistake()), (MAX_LAW_BYTES + 1, &Mistake::TooLong));
    // The limit falls between the two bytes of a letter.
    let error = format!("x{}", "é".repeat(MAX_LAW_BYTES)).parse::<Law>().expect_err("long");
    assert_eq!((error.text().len(), error.column()), (MAX_LAW_BYTES - 1, MAX_LAW_BYTES / 2 + 1));

    law(&format!("T > 1{}", " ".repeat(MAX_LAW_BYTES - 5)));

    let nested = |depth: usize| format!("{}T{} > 1", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(law(&nested(MAX_NESTING)), law("T > 1"));
    let sum = |terms: usize| format!("T{} > 1", " + T".repeat(terms));
    law(&sum(MAX_NESTING - 1));
    // Numbers are worked out, and parentheses one after the other enclose nothing.
    assert_eq!(law(&format!("T > 0{}", " + (1)".repeat(200))), law("T > 200"));
    assert_eq!(law(&format!("T > 0{}", " - -1".repeat(200))), law("T > 200"));
    let deep = [
        (nested(MAX_NESTING + 1), MAX_NESTING + 1),
        (nested(MAX_LAW_BYTES / 2 - 3), MAX_NESTING + 1),
        (format!("{}T > 1", "-".repeat(9000)), MAX_NESTING + 1),
        (format!("{}T > 1", "abs(".repeat(2000)), 4 * (MAX_NESTING + 1)),
        (sum(MAX_NESTING), 4 * MAX_NESTING - 1),
    ];
    for (text, column) in deep {
        let error = text.parse::<Law>().expect_err("deep");
        assert_eq!((error.mistake(), error.column()), (&Mistake::TooDeep, column));
    }
}

#[test]
fn they_print_with_their_place() {
    let printed = |text: &str| text.parse::<Law>().expect_err(text).to_string();
    assert_eq!(
        printed("ece <= stpce\t+ 1"),
        "unknown name `stpce`; did you mean `stepce`?
  ece <= stpce + 1
         ^
known names: ece smce stepce signce intervalce vcal ucal cdl stepce_sub vcal_sub ucal_sub ssce T m \
         ones bias var squares sqrt abs max min"
    );
    assert_eq!(
        printed(&format!("T ≤ {}2 T{}", "1 + ".repeat(20), " + 1".repeat(20))),
        format!(
            "an operator is missing here; a product is written with `*`\n  …{}2 T{} +…\n  {:>52}",
            "1 + ".repeat(12),
            " + 1".repeat(12),
            '^'
        )
    );
    // Up to 50 characters on each side are shown whole.
    for (blanks, after) in [(95, ""), (96, "…")] {
        let text = format!("2 T{} > 1", " ".repeat(blanks - 1));
        let shown: String = text.chars().take(101).collect();
        let place = format!("\n  {shown}{after}\n    ^");
        assert!(printed(&text).ends_with(&place), "{}", printed(&text));
    }
    for (blanks, before) in [(49, ""), (50, "…")] {
        let text = format!("T{}2 T > 1", " > ".to_owned() + &" ".repeat(blanks - 5));
        let shown: String = text.chars().skip(before.chars().count()).collect();
        let place = format!("\n  {before}{shown}\n  {}^", " ".repeat(blanks + 1));
        assert!(printed(&text).ends_with(&place), "{}", printed(&text));
    }
    assert!(printed(&format!("{} > 1", "x".repeat(50))).contains(&("x".repeat(40) + "…`\n")));
}
