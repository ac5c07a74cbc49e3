//! Numbers, polynomials and rows at their limits.

use super::*;

fn names() -> Vec<String> {
    ["x", "y", "10x"].map(str::to_owned).to_vec()
}

fn poly(text: &str) -> Poly {
    Poly::parse(text, &names()).expect("a polynomial")
}

/// Its terms: coefficients by monomial.
fn terms(poly: &Poly) -> Vec<([u16; 4], i128)> {
    poly.terms().map(|(monomial, coefficient)| (*monomial, *coefficient)).collect()
}

#[test]
fn numbers_are_digits_that_fit_127_bits() {
    assert_eq!(natural(b"0"), Ok(0));
    assert_eq!(natural(b"0907"), Ok(907));
    assert_eq!(natural(i128::MAX.to_string().as_bytes()), Ok(i128::MAX));
    assert_eq!(natural(b"170141183460469231731687303715884105728"), Err(Fault::TooLarge));
    assert_eq!(natural(b"-1"), Err(Fault::Negative));
    for malformed in ["", "+1", " 1", "1 ", "1-", "x", "1a", "\u{663}"] {
        assert_eq!(natural(malformed.as_bytes()), Err(Fault::Malformed), "{malformed:?}");
    }
}

#[test]
fn polynomials_are_sums_of_products() {
    assert_eq!(
        terms(&poly("2*x*y - y*x - 3 + 4*y + x*x*x*x")),
        [([0, 0, 0, 0], -3), ([0, 0, 0, 2], 4), ([0, 0, 1, 2], 1), ([1, 1, 1, 1], 1)]
    );
    assert_eq!(poly("x*2*y*3"), poly("6*y*x"));
    assert_eq!(poly("-x + 1"), poly("1 - x"));
    // A name may look like a number; names come first.
    assert_eq!(terms(&poly("10x")), [([0, 0, 0, 3], 1)]);
    assert_eq!(terms(&poly("x - x")), []);
    assert_eq!(terms(&poly("0")), []);
    assert_eq!(poly("0*x + y"), poly("y"));
    for malformed in [
        "", " ", "x ", " x", "x  + y", "x +", "x + ", "x y", "x +y", "x * y", "x**y", "*x", "x*",
        "(x)", "z", "+x", "x + + y", "x = y", "x ++ y", "X",
    ] {
        assert_eq!(Poly::parse(malformed, &names()), Err(Fault::Malformed), "{malformed:?}");
    }
    for negative in ["--x", "x + -1", "x*-1", "- x"] {
        let fault = Poly::parse(negative, &names()).expect_err("not a polynomial");
        assert!(matches!(fault, Fault::Negative | Fault::Malformed), "{negative:?}");
    }
}

#[test]
fn what_is_too_large_is_an_error() {
    let of = |text: &str| Poly::parse(text, &names());
    let most = i128::MAX;
    assert_eq!(of("x*x*y*y*x"), Err(Fault::TooLarge));
    assert_eq!(of(&format!("{most}*x")).map(|poly| terms(&poly)), Ok(vec![([0, 0, 0, 1], most)]));
    assert_eq!(of(&format!("{most}*x + x")), Err(Fault::TooLarge));
    assert_eq!(of(&format!("-{most}*x - 2*x")), Err(Fault::TooLarge));
    assert_eq!(of(&format!("{most}*2")), Err(Fault::TooLarge));
    assert_eq!(of(&format!("{most}*x + y - {most}*x")), Ok(poly("y")));
    assert_eq!(poly("x").plus(most, &poly("2*y")), Err(Fault::TooLarge));
    assert_eq!(poly("x*y*x").times(&poly("x*y")), Err(Fault::TooLarge));
    assert_eq!(poly("x*y").times(&poly("x*y")), Ok(poly("x*x*y*y")));
    assert_eq!(poly(&most.to_string()).times(&poly("2 + x")), Err(Fault::TooLarge));
    assert!(Poly::variable(usize::from(u16::MAX)).is_ok());
    assert_eq!(Poly::variable(usize::from(u16::MAX) + 1), Err(Fault::TooLarge));
}

#[test]
fn arithmetic_is_that_of_polynomials() {
    assert_eq!(poly("x + 1").times(&poly("x - 1")), Ok(poly("x*x - 1")));
    assert_eq!(poly("x + y").times(&poly("x + y")), Ok(poly("x*x + 2*x*y + y*y")));
    assert_eq!(poly("x + y").plus(-2, &poly("x - 3")), Ok(poly("-x + y + 6")));
    assert_eq!(poly("x").plus(0, &poly("y")), Ok(poly("x")));
    assert_eq!(poly("x").times(&Poly::default()), Ok(Poly::default()));
    assert!(Poly::constant(0).is_zero() && poly("x - x").is_zero());
    assert!(!Poly::constant(1).is_zero() && !poly("x").is_zero());
}

/// With o0 = x, o1 = y, f1 = x y + 1.
#[test]
fn rows_are_combinations_of_facts() {
    let facts = [poly("x"), poly("y"), poly("x*y + 1")];
    let shown = |row: &str, goal: &str| shows(row.as_bytes(), &facts, 2, &poly(goal));
    let cases = [
        ("o0", "x", Ok(())),
        ("o0 o1", "x + y", Ok(())),
        ("o0*o1 f1", "2*x*y + 1", Ok(())),
        ("2: o0 3*o0", "2*x", Ok(())),
        ("3*o0*o0*f1", "3*x*x*x*y + 3*x*x", Ok(())),
        ("5", "5", Ok(())),
        ("5 o0", "x + 5", Ok(())),
        ("02: 04*o1", "2*y", Ok(())),
        ("0", "x - x", Ok(())),
        ("0", "x", Err(Fault::Goal)),
        ("o0", "y", Err(Fault::Goal)),
        ("o0", "x + 1", Err(Fault::Goal)),
        ("2: o0", "2*x", Err(Fault::Goal)),
        // Only a row that is nothing but 0 has no terms.
        ("00", "x - x", Err(Fault::Zero)),
        ("1: 0", "x - x", Err(Fault::Zero)),
        ("0 o0", "x", Err(Fault::Zero)),
        ("0*o0", "x - x", Err(Fault::Zero)),
        ("0: o0", "x", Err(Fault::Zero)),
        ("-1*o0", "x", Err(Fault::Negative)),
        ("o-1", "x", Err(Fault::Negative)),
        ("f-1", "x", Err(Fault::Negative)),
        ("-1: o0", "x", Err(Fault::Negative)),
        ("o2", "x", Err(Fault::Fact)),
        ("f0", "x", Err(Fault::Fact)),
        ("f2", "x", Err(Fault::Fact)),
        ("o36893488147419103232", "x", Err(Fault::Fact)),
        ("o36893488147419103233", "y", Err(Fault::Fact)),
        ("f36893488147419103233", "x*y + 1", Err(Fault::Fact)),
        ("o0*2", "2*x", Err(Fault::Malformed)),
        ("2*3*o0", "6*x", Err(Fault::Malformed)),
        ("1:o0", "x", Err(Fault::Malformed)),
        (": o0", "x", Err(Fault::Malformed)),
        ("1:  o0", "x", Err(Fault::Malformed)),
        ("1: 1: o0", "x", Err(Fault::Malformed)),
        ("1:", "x", Err(Fault::Malformed)),
        ("", "x", Err(Fault::Malformed)),
        ("o0 ", "x", Err(Fault::Malformed)),
        ("o0*", "x", Err(Fault::Malformed)),
        ("o0*f1*f1", "x", Err(Fault::TooLarge)),
        ("170141183460469231731687303715884105727: o0", "2*x", Err(Fault::TooLarge)),
        ("170141183460469231731687303715884105727*o0 2*o0", "x", Err(Fault::Goal)),
        ("170141183460469231731687303715884105727*o0 3*o0", "x", Err(Fault::TooLarge)),
    ];
    for (row, goal, verdict) in cases {
        assert_eq!(shown(row, goal), verdict, "{row:?} for {goal}");
    }
    // All facts are facts of the case, none of them of the order.
    assert_eq!(shows(b"f3", &facts, 0, &poly("x*y + 1")), Ok(()));
    assert_eq!(shows(b"o0", &facts, 0, &poly("x")), Err(Fault::Fact));
}

/// A row, read by its definition: first whole, then by its terms, then by their factors.
fn shows_by_definition(row: &[u8], facts: &[Poly], order: usize, goal: &Poly) -> Option<()> {
    let (denominator, terms) = match row.iter().position(|byte| *byte == b':') {
        Some(end) => (&row[..end], row[end + 1..].strip_prefix(b" ")?),
        None => (b"1".as_slice(), row),
    };
    let mut sum = Poly::default();
    for term in terms.split(|byte| *byte == b' ').filter(|_| row != b"0") {
        let mut product = Poly::constant(1);
        for (place, factor) in term.split(|byte| *byte == b'*').enumerate() {
            let number = |digits| natural(digits).ok();
            let constant;
            let factor = match factor {
                [b'o', digits @ ..] => facts[..order].get(number(digits)? as usize)?,
                [b'f', digits @ ..] => {
                    facts[order..].get(number(digits)?.checked_sub(1)? as usize)?
                }
                _ if place > 0 => return None,
                _ => {
                    constant = Poly::constant(positive(factor).ok()?);
                    &constant
                }
            };
            product = product.times(factor).ok()?;
        }
        sum = sum.plus(1, &product).ok()?;
    }
    let multiple = Poly::default().plus(positive(denominator).ok()?, goal).ok()?;
    (sum == multiple).then_some(())
}

/// Both readings accept the same of all rows of up to five characters, whatever is to be shown.
#[test]
fn short_rows_mean_what_they_say() {
    const CHARACTERS: &[u8; 12] = b"012-:* of+9x";
    let facts = [poly("x"), poly("y")];
    let goals = ["x", "y", "2*y", "x*y", "x + y", "0", "1", "-y"].map(poly);
    let mut accepted = [0; 8];
    for length in 0..=5 {
        for number in 0..12_usize.pow(length) {
            let digit = |place: u32| CHARACTERS[number / 12_usize.pow(place) % 12];
            let row: Vec<u8> = (0..length).map(digit).collect();
            for (goal, accepted) in goals.iter().zip(&mut accepted) {
                let shown = shows(&row, &facts, 1, goal).is_ok();
                let expected = shows_by_definition(&row, &facts, 1, goal).is_some();
                assert_eq!(shown, expected, "{:?}", String::from_utf8_lossy(&row));
                *accepted += usize::from(shown);
            }
        }
    }
    // Every goal but the negative one has rows that show it.
    assert!(accepted[..7].iter().all(|count| *count > 0) && accepted[7] == 0, "{accepted:?}");
}
