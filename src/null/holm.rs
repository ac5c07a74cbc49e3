//! Several hypotheses at once: Holm's adjusted p-values.

use num_rational::BigRational;
use num_traits::One;

use super::p_value::PValue;
use crate::number::Number;

/// What [`holm`] asks of a p-value. Exact rationals have it and [`PValue`]s, into which rationals
/// and doubles can be converted where there are several kinds.
pub trait Adjustable: Clone + Ord {
    /// So many times this, and at most 1.
    fn times_at_most_one(&self, count: u64) -> Self;
}

impl Adjustable for BigRational {
    /// Exact.
    fn times_at_most_one(&self, count: u64) -> Self {
        (self * BigRational::from_count(count)).min(BigRational::one())
    }
}

impl Adjustable for PValue {
    /// Rounded to 64 bits.
    fn times_at_most_one(&self, count: u64) -> Self {
        PValue::times_at_most_one(*self, count)
    }
}

/// Holm's step-down adjusted p-values of m hypotheses, in the order of the p-values given.
///
/// With p_(1) <= … <= p_(m) the adjusted one of p_(k) is the largest of (m + 1 - j) p_(j) over j <=
/// k, and at most 1. Whoever rejects what has an adjusted p-value of at most α rejects a true
/// hypothesis with a probability of at most α, however the p-values depend on each other (Holm
/// 1979). As powerful as Bonferroni's at least, which takes m p.
///
/// Cost: a sort.
///
/// ```
/// use truecal::{null::holm, rational::ratio};
/// let p_values = [ratio(1, 100), ratio(4, 100), ratio(3, 100), ratio(1, 200)];
/// // In order 1/200, 1/100, 3/100, 4/100, times 4, 3, 2, 1; and 4/100 is not below its neighbour.
/// let adjusted = [ratio(3, 100), ratio(6, 100), ratio(6, 100), ratio(2, 100)];
/// assert_eq!(holm(&p_values), adjusted);
/// ```
pub fn holm<P: Adjustable>(p_values: &[P]) -> Vec<P> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].cmp(&p_values[b]));
    let mut adjusted = p_values.to_vec();
    let mut largest: Option<P> = None;
    for (&index, left) in order.iter().zip((1..=p_values.len() as u64).rev()) {
        let own = p_values[index].times_at_most_one(left);
        let value = largest.map_or(own.clone(), |largest| largest.max(own));
        adjusted[index] = value.clone();
        largest = Some(value);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::ratio;
    use proptest::prelude::*;

    /// Word for word: the largest of (m + 1 - j) p_(j) over j up to its place.
    fn literal(p_values: &[BigRational]) -> Vec<BigRational> {
        let m = p_values.len() as u64;
        let mut sorted = p_values.to_vec();
        sorted.sort();
        let adjusted = |p: &BigRational| {
            let upto = sorted.iter().zip(1..).filter(|(other, _)| *other <= p);
            let products = upto.map(|(p, j)| p * BigRational::from_count(m + 1 - j));
            products.max().expect("its own").min(BigRational::one())
        };
        p_values.iter().map(adjusted).collect()
    }

    #[test]
    fn examples_by_hand() {
        assert_eq!(holm::<BigRational>(&[]), []);
        assert_eq!(holm(&[ratio(3, 10)]), [ratio(3, 10)]);
        // Ties stay ties; nothing exceeds 1.
        assert_eq!(holm(&[ratio(1, 4), ratio(1, 4)]), [ratio(1, 2), ratio(1, 2)]);
        assert_eq!(holm(&[ratio(9, 10), ratio(2, 5)]), [ratio(9, 10), ratio(4, 5)]);
        assert_eq!(holm(&[ratio(9, 10), ratio(3, 5)]), [ratio(1, 1), ratio(1, 1)]);
        // Holm's steps, not Bonferroni's: the last is multiplied by 1.
        let p_values = [ratio(1, 100), ratio(1, 50), ratio(1, 25)];
        assert_eq!(holm(&p_values), [ratio(3, 100), ratio(1, 25), ratio(1, 25)]);
    }

    /// Where doubles are 0, hypotheses still have an order.
    #[test]
    fn tiny_p_values_are_told_apart() {
        let tiny =
            |exponent: i32| PValue::try_from(&ratio(1, 10).pow(exponent)).expect("in [0, 1]");
        let adjusted = holm(&[tiny(500), PValue::ONE, tiny(400), PValue::LEAST]);
        let shown: Vec<String> = adjusted.iter().map(PValue::to_string).collect();
        assert_eq!(shown, ["3.00e-500", "1", "2.00e-400", "<1e-2000000000000000000"]);
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(
            parts in prop::collection::vec(0..=40_i64, 0..12),
        ) {
            let p_values: Vec<BigRational> = parts.iter().map(|part| ratio(*part, 40)).collect();
            let adjusted = holm(&p_values);
            prop_assert_eq!(&adjusted, &literal(&p_values));
            // In PValues the same but for rounding; where nothing is rounded, the same.
            let fine: Vec<BigRational> = parts.iter().map(|part| ratio(*part, 64)).collect();
            let rounded = |p: &BigRational| PValue::try_from(p).expect("in [0, 1]");
            let values: Vec<PValue> = fine.iter().map(rounded).collect();
            let expected: Vec<PValue> = holm(&fine).iter().map(rounded).collect();
            prop_assert_eq!(holm(&values), expected);
            // Bonferroni's are no smaller, and the order is kept.
            let m = parts.len() as u64;
            for (p, adjusted) in p_values.iter().zip(&adjusted) {
                prop_assert!(adjusted <= &p.times_at_most_one(m) && adjusted >= p);
            }
            for (a, b) in p_values.iter().zip(&adjusted) {
                for (c, d) in p_values.iter().zip(&adjusted) {
                    prop_assert!(a > c || b <= d);
                }
            }
        }
    }
}
