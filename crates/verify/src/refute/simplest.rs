//! The simplest predictions near given ones.

use num_bigint::BigInt;
use num_rational::BigRational;
use truecal::Watch;
use truecal::rational;
use truecal::rational::int;

use super::instance::Instance;
use truecal_check::Pattern;

/// How many tables are tried before the predictions are left as they are.
const MOST_TRIES: u32 = 20_000;
/// Levels beyond these are rounded to the nearest fraction only.
const BOTH_WAYS: usize = 6;

/// The table with the smallest common denominator, from `smallest` on, whose predictions are next
/// to these, above or below, and which is good: the first in lexicographic order. None after many
/// tries, or when `go_on` says so.
pub(super) fn simplest(
    pattern: &Pattern,
    values: &[BigRational],
    smallest: u32,
    good: &dyn Fn(&Instance) -> bool,
    watch: &Watch<'_>,
) -> Option<Instance> {
    let mut tries = 0;
    for denominator in smallest.max(1)..u32::MAX {
        // The multiples of 1/denominator next to each value, ascending.
        let next_to = |(j, value): (usize, &BigRational)| {
            let scaled = value * int(denominator);
            let mut near = vec![scaled.floor().to_integer(), scaled.ceil().to_integer()];
            near.dedup();
            if j >= BOTH_WAYS {
                near = vec![scaled.round().to_integer()];
            }
            near
        };
        let mut rounded: Vec<Vec<BigRational>> = vec![vec![]];
        for near in values.iter().enumerate().map(next_to) {
            let longer = |chosen: &Vec<BigRational>| {
                let fraction = |n: &BigInt| BigRational::new(n.clone(), denominator.into());
                near.iter().map(|n| [&chosen[..], &[fraction(n)]].concat()).collect::<Vec<_>>()
            };
            rounded = rounded.iter().flat_map(longer).collect();
        }
        for values in rounded {
            tries += 1;
            if tries > MOST_TRIES || !watch.go_on() {
                return None;
            }
            if let Some(found) = Instance::of_pattern(pattern, &values).filter(|i| good(i)) {
                return Some(found);
            }
        }
    }
    None
}

/// The smallest common denominator of the predictions, if it has 32 bits.
pub(super) fn common_denominator(instance: &Instance) -> Option<u32> {
    u32::try_from(rational::common_denominator(&instance.predictions)).ok()
}
