//! Known digits, laws on random rationals, and what must be excluded.

use num_bigint::BigInt;
use num_traits::{One, Pow, Signed, Zero};
use proptest::prelude::*;
use truecal::rational::int;
use truecal::rational::ratio as rational;

use super::*;

fn integer(value: i64) -> Enclosure {
    Enclosure::from(value)
}

fn power_of_two(exponent: i32) -> BigRational {
    int(2).pow(exponent)
}

/// Digits of a positive number, cut off: the rationals between which it is.
fn bracket(digits: &str, places: usize) -> (BigRational, BigRational) {
    let (whole, decimals) = digits.split_once('.').expect("a decimal point");
    let cut: BigInt = format!("{whole}{}", &decimals[..places]).parse().expect("digits");
    let scale = BigInt::from(10).pow(places);
    (BigRational::new(cut.clone(), scale.clone()), BigRational::new(cut + 1, scale))
}

/// The enclosure has the first 30 places right, and contains the number itself, known to 60 places.
fn assert_digits(enclosure: &Enclosure, digits: &str) {
    let (least, greatest) = bracket(digits, 30);
    assert!(least <= enclosure.low() && enclosure.high() <= greatest, "{digits}: {enclosure:?}");
    let (least, greatest) = bracket(digits, 60);
    assert!(enclosure.low() <= least && greatest <= enclosure.high(), "{digits}: {enclosure:?}");
}

#[test]
fn known_digits() {
    let [ln_2, ln_3, ln_10, pi, root, e, log] = [
        "0.693147180559945309417232121458176568075500134360255254120680009493",
        "1.098612288668109691395245236922525704647490557822749451734694333637",
        "2.302585092994045684017991454684364207601101488628772976033327900967",
        "3.141592653589793238462643383279502884197169399375105820974944592307",
        "1.414213562373095048801688724209698078569671875376948073176679737990",
        "2.718281828459045235360287471352662497757247093699959574966967627724",
        "3.321928094887362347870319429489390175864831393024580612054756395815",
    ];
    assert_digits(&Enclosure::ln2(), ln_2);
    assert_digits(&integer(2).ln(), ln_2);
    assert_digits(&integer(3).ln(), ln_3);
    assert_digits(&-Enclosure::ratio(1, 3).ln(), ln_3);
    assert_digits(&integer(10).ln(), ln_10);
    assert_digits(&Enclosure::pi(), pi);
    assert_digits(&integer(2).sqrt(), root);
    assert_digits(&integer(1).exp(), e);
    assert_digits(&(integer(1) / integer(-1).exp()), e);
    assert_digits(&integer(10).log2(), log);
}

#[test]
fn exact_values_stay_exact() {
    assert_eq!(integer(1).ln(), integer(0));
    assert_eq!(integer(0).exp(), integer(1));
    assert_eq!(integer(1024).log2(), integer(10));
    assert_eq!(Enclosure::ratio(1, 8).log2(), integer(-3));
    assert_eq!(Enclosure::ratio(49, 64).sqrt(), Enclosure::ratio(7, 8));
    assert_eq!(integer(0).sqrt(), integer(0));
    assert_eq!(integer(6) / integer(-3), integer(-2));
    assert_eq!(integer(-3).pow(5), integer(-243));
    assert_eq!(integer(0).pow(0), integer(1));
    assert_eq!(Enclosure::ratio(3, -6), -Enclosure::ratio(1, 2));
}

#[test]
fn neighbours_are_excluded() {
    let ln_2 = Enclosure::ln2();
    assert!(!ln_2.contains(&rational(693_148, 1_000_000)));
    assert!(!ln_2.contains(&rational(693_146, 1_000_000)));
    assert_eq!(ln_2.below(&Enclosure::ratio(693_148, 1_000_000)), Some(true));
    assert_eq!(ln_2.at_most(&Enclosure::ratio(693_146, 1_000_000)), Some(false));
}

#[test]
fn comparisons_answer_only_what_the_ends_tell() {
    let [low, wide, high] =
        [(0, 1), (1, 3), (3, 4)].map(|(a, b)| Enclosure::between(&rational(b, 1), &rational(a, 1)));
    assert_eq!((low.at_most(&wide), low.below(&wide)), (Some(true), None));
    assert_eq!((wide.at_most(&low), wide.below(&low)), (None, Some(false)));
    assert_eq!((low.at_most(&high), low.below(&high)), (Some(true), Some(true)));
    assert_eq!((high.at_most(&low), high.below(&low)), (Some(false), Some(false)));
    assert_eq!((wide.at_most(&wide), wide.below(&wide)), (None, None));
    assert_eq!(
        (integer(1).at_most(&integer(1)), integer(1).below(&integer(1))),
        (Some(true), Some(false))
    );
}

#[test]
fn increasing_functions_on_wide_ranges() {
    let range = Enclosure::between(&rational(1, 4), &rational(9, 1));
    let ends = |function: fn(&Enclosure) -> Enclosure| {
        let (least, greatest) = (function(&Enclosure::ratio(1, 4)), function(&integer(9)));
        Enclosure { low: least.low, high: greatest.high }
    };
    for function in
        [Enclosure::sqrt, Enclosure::ln, Enclosure::log2, Enclosure::exp, Enclosure::square]
    {
        assert_eq!(function(&range), ends(function));
    }
    assert_eq!(range.sqrt(), Enclosure::between(&rational(1, 2), &rational(3, 1)));
}

#[test]
fn even_powers_and_magnitudes_are_not_negative() {
    let range = Enclosure::between(&rational(-3, 1), &rational(2, 1));
    let upto = |high| Enclosure::between(&BigRational::zero(), &rational(high, 1));
    assert_eq!((range.square(), range.abs(), range.pow(4)), (upto(9), upto(3), upto(81)));
    assert_eq!(range.pow(3), Enclosure::between(&rational(-27, 1), &rational(8, 1)));
    assert_eq!((-&range).abs(), upto(3));
    assert_eq!(range.max(&integer(0)), upto(2));
    assert_eq!(range.min(&integer(0)), Enclosure::between(&rational(-3, 1), &BigRational::zero()));
}

#[test]
fn logarithms_of_tiny_and_huge_numbers() {
    for exponent in [-300, 300, -60_000, 60_000] {
        let number = Enclosure::exact(&power_of_two(exponent));
        let expected = Enclosure::ln2() * integer(exponent.into());
        let ln = number.ln();
        assert!(ln.low() <= expected.high() && expected.low() <= ln.high());
        assert!(ln.width() < power_of_two(-100));
        assert_eq!(number.log2(), integer(exponent.into()));
    }
    let third = Enclosure::exact(&(power_of_two(-300) / BigInt::from(3)));
    assert!(third.ln().width() < power_of_two(-100));
}

#[test]
fn exponentials_that_vanish() {
    for exponent in [-50_000, -1_000_000, i64::MIN] {
        let vanishing = integer(exponent).exp();
        assert!(vanishing.low().is_zero());
        assert_eq!(vanishing.high(), power_of_two(-65_536));
    }
    // Products of what is as small, of either sign, keep zero and the number itself.
    let tiny = Enclosure::exact(&power_of_two(-40_000));
    assert!((&tiny * &tiny).contains(&power_of_two(-80_000)));
    assert!((-&tiny * &tiny).contains(&-power_of_two(-80_000)));
}

#[test]
fn a_divisor_that_may_be_zero() {
    for (low, high) in [(-1, 1), (0, 1), (-1, 0), (0, 0)] {
        let divisor = Enclosure::between(&rational(low, 1), &rational(high, 1));
        assert_eq!(integer(1).checked_div(&divisor), None);
    }
}

#[test]
#[should_panic(
    expected = "the square root of [-1.000000000000, 4.000000000000], which may be negative"
)]
fn the_root_of_what_may_be_negative() {
    Enclosure::between(&rational(-1, 1), &rational(4, 1)).sqrt();
}

#[test]
#[should_panic(expected = "the logarithm of 0, which may not be positive")]
fn the_logarithm_of_zero() {
    integer(0).ln();
}

#[test]
#[should_panic(expected = "a magnitude of 2^65536 or more has no enclosure")]
fn the_exponential_of_much() {
    integer(45_427).exp();
}

#[test]
fn print() {
    let shown = |enclosure: Enclosure| enclosure.to_string();
    assert_eq!(shown(integer(120)), "120");
    assert_eq!(format!("{:.0}", integer(120)), "120");
    assert_eq!(shown(integer(0)), "0");
    assert_eq!(shown(Enclosure::ratio(-1, 8)), "-0.125");
    assert_eq!(format!("{:.2}", Enclosure::ratio(-1, 8)), "-0.12…");
    assert_eq!(shown(Enclosure::ratio(1, 3)), "0.333333333333…");
    assert_eq!(format!("{:.4}", -Enclosure::ln2()), "-0.6931…");
    assert_eq!(format!("{:.0}", Enclosure::pi()), "3…");
    assert_eq!(shown(Enclosure::ratio(1, 1000) * Enclosure::pi()), "0.003141592653…");
    let between = |low, high| Enclosure::between(&rational(low, 100_000), &rational(high, 100_000));
    assert_eq!(shown(between(12_345, 12_349)), "0.1234…");
    assert_eq!(format!("{:.3}", between(99_999, 100_001)), "[0.999, 1.001]");
    assert_eq!(format!("{:.3}", between(-2, 3)), "[-0.001, 0.001]");
    assert_eq!(format!("{:.0}", between(99_999, 100_001)), "[0, 2]");
}

/// The chains of the paper that this is for.
#[test]
fn chains() {
    let sum = (integer(2) * integer(4).ln()).sqrt() + (Enclosure::pi() / integer(2)).sqrt();
    assert_eq!(sum.at_most(&integer(3)), Some(true));
    let quotient = integer(1) + integer(16) * integer(2).sqrt() / integer(7).sqrt();
    assert_eq!(quotient.at_most(&integer(10)), Some(true));
    assert_eq!(quotient.at_most(&Enclosure::ratio(95, 10)), Some(false));

    // Terms √(2^(1-n) n ln 2): the ratio of one to the one before is √((n + 1) / 2n), which
    // decreases.
    let term = |n: i64| (Enclosure::ratio(2, 1 << n) * integer(n) * Enclosure::ln2()).sqrt();
    let ratio = Enclosure::ratio(61, 120).sqrt();
    let rest = term(61) / (integer(1) - ratio);
    let sum: Enclosure = (1..=60).map(term).sum();
    let whole = sum + Enclosure::between(&BigRational::zero(), &rest.high());
    assert_eq!(format!("{whole:.7}"), "4.8804168…");
    assert_eq!(whole.below(&integer(5)), Some(true));
}

#[test]
fn subdivision_proves_refutes_and_gives_up() {
    let unit = [(BigRational::zero(), BigRational::one())];
    let below = |bound: Enclosure, depth| {
        on_box(&unit, depth, &|at| (&at[0] * (integer(1) - &at[0])).at_most(&bound))
    };
    let slack = Enclosure::ratio(1, 4) + Enclosure::ratio(1, 1000);
    assert!(matches!(below(slack.clone(), 12), Subdivision::Holds { boxes } if boxes > 10));
    assert!(matches!(below(slack, 2), Subdivision::Undecided { .. }));

    let Subdivision::Fails { at } = below(Enclosure::ratio(1, 5), 12) else { panic!("it fails") };
    assert!(&at[0] * (BigRational::one() - &at[0]) > rational(1, 5));

    let Subdivision::Undecided { at } = below(Enclosure::ratio(1, 4), 12) else {
        panic!("no depth is enough at 1/2")
    };
    assert_eq!(&at[0].1 - &at[0].0, power_of_two(-12));
}

#[test]
fn subdivision_of_points() {
    let point = [(rational(1, 3), rational(1, 3))];
    let is_third = on_box(&point, 5, &|at| at[0].at_most(&Enclosure::ratio(1, 3)));
    assert_eq!(is_third, Subdivision::Undecided { at: point.to_vec() });
    assert_eq!(on_box(&[], 5, &|_| Some(true)), Subdivision::Holds { boxes: 1 });
    assert_eq!(on_box(&[], 5, &|_| None), Subdivision::Undecided { at: vec![] });
    // The longest side is cut: eight pieces across, none along the shorter side.
    let flat = [(rational(0, 1), rational(1, 1)), (rational(0, 1), rational(8, 1))];
    let one = integer(1);
    let halves =
        on_box(&flat, 9, &|at| (Enclosure::exact(&at[1].width()).at_most(&one)?).then_some(true));
    assert_eq!(halves, Subdivision::Holds { boxes: 8 });
}

/// e^x by its series in rationals, for x in [0, 16): an enclosure far narrower than those of 128
/// bits.
fn series(x: &BigRational) -> (BigRational, BigRational) {
    const TERMS: u32 = 120;
    // 1 + x/1 (1 + x/2 (1 + x/3 (…))), without reducing fractions on the way.
    let (mut numerator, mut denominator) = (BigInt::one(), BigInt::one());
    for n in (1..TERMS).rev() {
        denominator = denominator * x.denom() * n;
        numerator = numerator * x.numer() + &denominator;
    }
    // Omitted terms are at most 16^n/n!, and each less than half of the one before.
    let rest = (1..=TERMS).fold(int(2), |term, n| term * rational(16, n.into()));
    let low = BigRational::new(numerator, denominator);
    (low.clone(), low + rest)
}

/// A range and a rational in it.
fn member() -> impl Strategy<Value = (Enclosure, BigRational)> {
    (-3000_i64..3000, 1_i64..1000, 0_i64..3000, 0_i64..=16).prop_map(|(n, d, width, at)| {
        let (low, width) = (rational(n, d), rational(width, d));
        (Enclosure::between(&low, &(&low + &width)), low + width * rational(at, 16))
    })
}

/// A rational in [1/1000, 1000].
fn moderate() -> impl Strategy<Value = BigRational> {
    (1_i64..=1_000_000, 1_i64..=1000)
        .prop_map(|(n, d)| rational(n, 1000 * d).max(rational(1, 1000)))
}

proptest! {
    #[test]
    fn members_stay_members((x, a) in member(), (y, b) in member()) {
        prop_assert!(x.contains(&a));
        prop_assert!((&x + &y).contains(&(&a + &b)));
        prop_assert!((&x - &y).contains(&(&a - &b)));
        prop_assert!((&x * &y).contains(&(&a * &b)));
        prop_assert!((-&x).contains(&-&a));
        prop_assert!(x.abs().contains(&a.abs()));
        prop_assert!(x.max(&y).contains((&a).max(&b)));
        prop_assert!(x.min(&y).contains((&a).min(&b)));
        for exponent in 0..6 {
            prop_assert!(x.pow(exponent).contains(&Pow::pow(a.clone(), exponent)));
        }
        match x.checked_div(&y) {
            Some(quotient) => prop_assert!(quotient.contains(&(&a / &b))),
            None => prop_assert!(y.contains(&BigRational::zero())),
        }
        if a <= b {
            prop_assert_ne!(x.at_most(&y), Some(false));
            prop_assert_ne!(y.below(&x), Some(true));
        }
    }

    #[test]
    fn the_rational_order_is_the_order_of_ends(a in member(), b in member()) {
        prop_assert_eq!(a.0.low.cmp(&b.0.low), a.0.low().cmp(&b.0.low()));
        prop_assert_eq!(a.0.high.cmp(&b.0.low), a.0.high().cmp(&b.0.low()));
    }

    #[test]
    fn roots_bracket(x in moderate()) {
        let root = Enclosure::exact(&x).sqrt();
        prop_assert!(root.low().pow(2) <= x && x <= root.high().pow(2));
        prop_assert!(root.square().contains(&x));
    }

    /// e^0 is left out: it is exact, so that nothing wider is within it.
    #[test]
    fn exponentials_bracket(n in 1_i64..16_000) {
        let x = rational(n, 1000);
        let (least, greatest) = series(&x);
        let exp = Enclosure::exact(&x).exp();
        prop_assert!(exp.low() <= least && greatest <= exp.high());
        let inverse = Enclosure::exact(&-x).exp();
        prop_assert!(inverse.low() * &greatest <= BigRational::one());
        prop_assert!(inverse.high() * &least >= BigRational::one());
    }

    /// e^low <= x <= e^high, with the exponential from its series in rationals.
    #[test]
    fn logarithms_bracket(x in moderate()) {
        let x = x.clone().max(x.recip());
        let ln = Enclosure::exact(&x).ln();
        prop_assert!(series(&ln.low()).0 <= x);
        prop_assert!(x <= series(&ln.high()).1);
    }

    #[test]
    fn logarithms_undo_exponentials(x in moderate(), negative: bool) {
        let x = if negative { -x } else { x };
        let back = Enclosure::exact(&x).exp().ln();
        prop_assert!(back.contains(&x));
        prop_assert!(back.width() < power_of_two(-100));
    }

    #[test]
    fn the_logarithm_of_a_product(x in moderate(), y in moderate()) {
        let (x, y) = (Enclosure::exact(&x), Enclosure::exact(&y));
        let (whole, parts) = ((&x * &y).ln(), x.ln() + y.ln());
        prop_assert_ne!(whole.below(&parts), Some(true));
        prop_assert_ne!(parts.below(&whole), Some(true));
    }

    #[test]
    fn enclosures_are_narrow(x in moderate(), y in moderate()) {
        let (x, y) = (Enclosure::exact(&x), Enclosure::exact(&y));
        let narrow = [&x + &y, &x - &y, &x * &y, &x / &y, x.sqrt(), x.ln(), x.log2(), (-&x).exp()];
        for enclosure in narrow {
            prop_assert!(enclosure.width() < power_of_two(-100), "{enclosure:?}");
        }
        let exp = x.exp();
        prop_assert!(exp.width() < exp.low() * power_of_two(-100));
    }

    /// A wider operand makes no result narrower.
    #[test]
    fn wider_operands_give_wider_results(x in moderate(), width in moderate()) {
        let (point, range) = (Enclosure::exact(&x), Enclosure::between(&x, &(&x + &width)));
        for function in [Enclosure::sqrt, Enclosure::ln, Enclosure::log2, Enclosure::exp] {
            let (point, range) = (function(&point), function(&range));
            prop_assert!(range.low <= point.low && point.high <= range.high);
        }
    }
}
