//! Short decimals in units.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

use crate::levels::Level;
use crate::number::Number;
use crate::prediction::Decimal;
use crate::tally::Entry;

/// The least common denominator of decimals, which come by their words.
pub(crate) fn decimal_unit(decimals: impl Iterator<Item = u64>) -> BigInt {
    // 2^twos 5^fives
    let (mut twos, mut fives) = (0, 0);
    for word in decimals {
        let (mut digits, places) = Decimal::from_word(word).parts();
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

/// The levels of decimals, where `unit` is a multiple of their common denominator that fits the
/// number type.
pub(crate) fn scale_decimals<N: Number>(
    decimals: impl Iterator<Item = Entry>,
    unit: &BigInt,
    rows: &mut Vec<Level<N>>,
) {
    // In order, decimals with as many places stand together.
    let mut scale: Option<(u32, u64, N)> = None;
    rows.extend(decimals.map(|Entry { key, count, ones }| {
        let (digits, places) = Decimal::from_word(key).parts();
        if scale.as_ref().is_none_or(|(known, ..)| *known != places) {
            let (below, above) = of_places(places, unit);
            scale = Some((places, below, above));
        }
        let (_, below, above) = scale.as_ref().expect("it was just made");
        let digits = if *below == 1 { digits } else { digits / below };
        Level { value: N::from_count(digits) * above, count, ones }
    }));
}

/// What digits with so many places are divided by and multiplied with: unit / 10^places with what
/// both share cancelled, as what is left of the power divides the digits.
fn of_places<N: Number>(places: u32, unit: &BigInt) -> (u64, N) {
    let power = BigInt::from(10).pow(places);
    let common = unit.gcd(&power);
    let below = (power / &common).to_u64().expect("it divides a number below 10^17");
    (below, N::from_bigint(&(unit / common)).expect("at most the unit, which fits"))
}
