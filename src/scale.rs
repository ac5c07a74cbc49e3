//! Short decimals in units.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

use crate::levels::Level;
use crate::number::Number;
use crate::prediction::Decimal;
use crate::tally::Entry;

/// The least common denominator of decimals.
pub(crate) fn decimal_unit(decimals: &[Entry]) -> BigInt {
    // 2^twos 5^fives
    let (mut twos, mut fives) = (0, 0);
    for entry in decimals {
        let (mut digits, places) = Decimal::from_word(entry.key).parts();
        twos = twos.max(places.saturating_sub(digits.trailing_zeros()));
        // Only a prediction with more places can ask for more.
        let mut own = places;
        while own > fives && digits.is_multiple_of(5) {
            digits /= 5;
            own -= 1;
        }
        fives = fives.max(own);
    }
    BigInt::from(5).pow(fives) << twos
}

/// The levels of decimals, ascending, where `unit` is a multiple of their common denominator that
/// fits the number type.
pub(crate) fn scale_decimals<N: Number>(
    decimals: &[Entry],
    unit: &BigInt,
    rows: &mut Vec<Level<N>>,
) {
    let parts = |entry: &Entry| Decimal::from_word(entry.key).parts();
    // In order, decimals with as many places stand together.
    for group in decimals.chunk_by(|a, b| parts(a).1 == parts(b).1) {
        let power = BigInt::from(10).pow(parts(&group[0]).1);
        // digits · unit / power, with what unit and power share cancelled: what is left of the
        // power divides the digits.
        let common = unit.gcd(&power);
        let below = (power / &common).to_u64().expect("it divides a number below 10^17");
        let above = N::from_bigint(&(unit / common)).expect("at most the unit, which fits");
        rows.extend(group.iter().map(|entry| {
            let (digits, _) = parts(entry);
            let digits = if below == 1 { digits } else { digits / below };
            let value = N::from_count(digits) * &above;
            Level { value, count: entry.count, ones: entry.ones }
        }));
    }
}
