//! Claims about prefix sums: stepCE, its sign variant and the interval error.

use crate::levels::{Level, Table};
use crate::measures::{interval_ce, sign_ce, step_ce};

/// Three levels of up to three rounds, in 16 bits: 4 T D = 4 · 9 · 16 < 2^15.
type Case = [Level<i16>; 3];

const UNIT: i16 = 16;

/// fact:equivfactor (L985): stepCE <= sign variant <= `factor` · stepCE, with factor 3 in the paper.
///
/// Shows the claim for tables of exactly three levels on the grid of sixteenths; says nothing of other
/// tables. Tight where the sign variant is `factor` times stepCE and both are positive.
fn sign_variant_is_equivalent(case: &Case, factor: i16) -> bool {
    let table = Table::assume_valid(&UNIT, case);
    let (step, sign) = (step_ce(table).value, sign_ce(table).value);
    assert!(step <= sign);
    assert!(sign <= factor * step);
    step > 0 && sign == factor * step
}

/// stepCE <= interval error <= `factor` · stepCE, with factor 2 (the k = 1 case of L969).
///
/// Domain and meaning as above.
fn interval_error_is_equivalent(case: &Case, factor: i16) -> bool {
    let table = Table::assume_valid(&UNIT, case);
    let (step, interval) = (step_ce(table).value, interval_ce(table).value);
    assert!(step <= interval);
    assert!(interval <= factor * step);
    step > 0 && interval == factor * step
}

#[cfg(kani)]
mod kani_harnesses {
    use super::*;

    /// Every case of the domain: about 2^26.
    fn any_case() -> Case {
        let case =
            [0, 1, 2].map(|_| Level { value: kani::any(), count: kani::any(), ones: kani::any() });
        let mut previous = -1;
        for level in &case {
            kani::assume(previous < level.value && level.value <= UNIT);
            kani::assume(1 <= level.count && level.count <= 3 && level.ones <= level.count);
            previous = level.value;
        }
        case
    }

    #[kani::proof]
    #[kani::unwind(5)]
    fn sign_variant() {
        kani::cover!(sign_variant_is_equivalent(&any_case(), 3));
    }

    #[kani::proof]
    #[kani::unwind(5)]
    #[kani::should_panic]
    fn sign_variant_with_factor_two() {
        sign_variant_is_equivalent(&any_case(), 2);
    }

    #[kani::proof]
    #[kani::unwind(5)]
    fn interval_error() {
        kani::cover!(interval_error_is_equivalent(&any_case(), 2));
    }

    #[kani::proof]
    #[kani::unwind(5)]
    #[kani::should_panic]
    fn interval_error_with_factor_one() {
        interval_error_is_equivalent(&any_case(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three levels of one or two rounds at even sixteenths: C(9, 3) · 5^3 = 10 500 cases.
    fn cases() -> impl Iterator<Item = Case> {
        let shapes = [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)];
        let places = (0..=8_i16)
            .flat_map(|a| (a + 1..=8).flat_map(move |b| (b + 1..=8).map(move |c| [a, b, c])));
        places.flat_map(move |values| {
            (0..125).map(move |index| {
                let shape = [shapes[index % 5], shapes[index / 5 % 5], shapes[index / 25]];
                [0, 1, 2].map(|j| Level {
                    value: 2 * values[j],
                    count: shape[j].0,
                    ones: shape[j].1,
                })
            })
        })
    }

    /// Runs a body on every case: it must hold, be tight somewhere, and fail with a smaller factor.
    fn prove(body: fn(&Case, i16) -> bool, factor: i16) {
        assert_eq!(cases().count(), 10_500);
        assert!(
            cases().filter(|case| body(case, factor)).count() > 0,
            "the tight case was not reached"
        );
        let fails = |case: Case| std::panic::catch_unwind(move || body(&case, factor - 1)).is_err();
        assert!(cases().any(fails), "the smaller factor was not refuted");
    }

    #[test]
    fn sign_variant() {
        prove(sign_variant_is_equivalent, 3);
    }

    #[test]
    fn interval_error() {
        prove(interval_error_is_equivalent, 2);
    }
}
