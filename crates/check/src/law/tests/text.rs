//! What laws say, and how they print.

use super::*;

#[test]
fn quantities_know_their_place() {
    for (index, quantity) in Quantity::ALL.into_iter().enumerate() {
        assert_eq!(quantity.index(), index);
        assert_eq!(law(&format!("{quantity} > 0")).quantities(), [quantity]);
    }
    assert!(Quantity::ALL.is_sorted());
    let several = law("ssce + ece > 0 => max(T, min(m, ece)) >= abs(bias) - sqrt(T/2)*ones");
    let keys: Vec<_> = several.quantities().into_iter().map(Quantity::key).collect();
    assert_eq!(keys, ["ece", "ssce", "T", "m", "ones", "bias"]);
}

#[test]
fn averages_are_known() {
    let averages = Quantity::ALL.into_iter().filter(|quantity| quantity.is_average());
    let keys: Vec<_> = averages.map(Quantity::key).collect();
    assert_eq!(keys, ["stepce_sub", "vcal_sub", "ucal_sub", "ssce"]);
}

#[test]
fn laws_that_say_the_same_are_recognised() {
    let same = |a: &str, b: &str| {
        assert_eq!(law(a).says_the_same_as(&law(b)), law(b).says_the_same_as(&law(a)));
        law(a).says_the_same_as(&law(b))
    };
    for (a, b) in [
        ("ece >= stepce", "stepce <= ece"),
        ("2*ece >= 2*stepce", "0 <= ece - stepce"),
        ("4*ece/6 > stepce - 1/3", "3*stepce < 2*ece + 1"),
        ("ece == 2*T", "ece/2 - T == 0"),
        ("ece == 2*T", "-ece == -2*T"),
        ("0 == 1", "2 == 0"),
        ("m == 1 => ece <= T", "2*m - 2 == 0 => T - ece >= 0"),
        ("ece*ece <= T", "T >= ece*ece"),
        ("ece <= max(T, m)", "ece <= max(T, m)"),
        ("-(ece - T) >= 0", "ece <= T"),
    ] {
        assert!(same(a, b), "{a}, {b}");
    }
    for (a, b) in [
        ("ece >= stepce", "ece > stepce"),
        ("ece >= stepce", "ece <= stepce"),
        ("ece >= stepce", "ece >= 2*stepce"),
        ("ece >= stepce", "ece >= stepce + 1"),
        ("ece >= stepce", "ece >= smce"),
        ("m == 1 => ece <= T", "ece <= T"),
        ("m == 1 => ece <= T", "m == 2 => ece <= T"),
        ("ece*ece <= T", "ece <= T"),
        ("0 == 1", "0 == 0"),
        // Not linear: only the sides can be exchanged.
        ("ece <= max(T, m)", "ece <= max(m, T)"),
    ] {
        assert!(!same(a, b), "{a}, {b}");
    }
}

/// Each prints as the second text: parentheses that matter stay, and numbers are worked out.
#[test]
fn precedence_is_the_usual_one() {
    let pairs = [
        ("1+T*m<=2", "1 + T*m <= 2"),
        ("(1+T)*m <= 2", "(1 + T)*m <= 2"),
        ("T-(m-ones) >= T-m-ones", "T - (m - ones) >= T - m - ones"),
        ("T - (m + ones) > (T - m) + ones", "T - (m + ones) > T - m + ones"),
        ("T*(m*ones) < (T*m)*ones", "T*(m*ones) < T*m*ones"),
        ("T/2*m == T*(m/2)", "T/2*m == T*(m/2)"),
        ("-T*m == -(T*m)", "-T*m == -(T*m)"),
        ("-(T + m) == --T - -m", "-(T + m) == --T - -m"),
        ("-2*T + 2*-3 == T*(3/-4)", "-2*T + -6 == T*(-3/4)"),
        ("T/(1/2) == T/-2", "T/(1/2) == T/-2"),
        ("2*3/4 - 1 < 0.250 + 007", "1/2 < 29/4"),
        ("MAX(t, M, 1) ≥ Min(StepCE)", "max(T, m, 1) >= min(stepce)"),
        ("max(1, 2) - min(1, 2) ≤ abs(-3)", "1 <= 3"),
    ];
    for (text, printed) in pairs {
        assert_eq!(law(text).to_string(), printed);
        assert_eq!(law(printed), law(text));
    }
    let text = "ucal == 0\n=>\tsqrt((T)) <= 2*(sqrt(T) + 1)";
    assert_eq!(law(text).to_string(), "ucal == 0 => sqrt(T) <= 2*(sqrt(T) + 1)");
}

#[test]
fn the_largest_numbers_are_read() {
    let text = "9223372036854775807 > -1/9223372036854775807";
    assert_eq!(law(text).to_string(), text);
    assert_eq!(law("0.50000000000000000000000000 > 0").to_string(), "1/2 > 0");
    assert_eq!(law("0.000000000000000001 > 0").to_string(), "1/1000000000000000000 > 0");
}

/// Products of quantities, and coefficients beyond 32 bits, have no linear form.
#[test]
fn linear_forms_are_small() {
    for text in [
        "T*T <= 1",
        "abs(T) <= 1",
        "max(T, m) <= 1",
        "min(T, m) <= 1",
        "sqrt(T) <= 1",
        "T*m == 0 => T <= 1",
        "2147483648*T <= 1",
        "T >= -2147483648",
        "T/2147483648 <= m",
        "T/65537 <= m/65539",
        "9223372036854775807*(2*T) <= 1",
        "T + 9223372036854775807 <= -9223372036854775807",
    ] {
        assert_eq!(LinearLaw::of(&law(text)), None, "{text}");
    }
    assert!(LinearLaw::of(&law("2147483647*T <= m/2147483647")).is_none());
    assert!(LinearLaw::of(&law("2147483647*T <= 2147483647")).is_some());
    assert!(LinearLaw::of(&law("T/2147483647 <= m")).is_some());
}
