//! The bits of a double: exact conversion in, correct rounding out. Integers only.
//!
//! A double is (-1)^s · f · 2^e; of its 64 bits the first is s, the next 11 say e, the last 52 are
//! f without its first bit. Bounded proofs (`proofs/doubles.rs`) cover every function here, most of
//! them for every input.

use thiserror::Error;

/// The bits of f, its first one included.
pub const SIGNIFICAND_BITS: u32 = 53;
/// The lowest e: every finite double is a multiple of 2^-1074.
pub const LOWEST_EXPONENT: i32 = -1074;
/// The highest e.
pub const HIGHEST_EXPONENT: i32 = 971;

const SIGN: u64 = 1 << 63;
const HIDDEN: u64 = 1 << (SIGNIFICAND_BITS - 1);
const ONE: u64 = 1023 << (SIGNIFICAND_BITS - 1);
const INFINITE: u64 = 2047 << (SIGNIFICAND_BITS - 1);

/// Why a double is not a probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotAProbability {
    /// `NaN`.
    #[error("not a number (NaN)")]
    Nan,
    /// An infinity.
    #[error("infinite")]
    Infinite,
    /// Below zero.
    #[error("less than 0")]
    Negative,
    /// Above one, by however little.
    #[error("greater than 1")]
    AboveOne,
}

/// The number `odd` / 2^`shift` in [0, 1], in lowest terms: `odd` is odd, or 0 with shift 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dyadic {
    /// The numerator, below 2^53.
    pub odd: u64,
    /// The exponent of the denominator, at most 1074.
    pub shift: u32,
}

impl Dyadic {
    /// The exact value of the double with these bits, if it is a probability.
    ///
    /// ```
    /// use truecal::dyadic::Dyadic;
    /// assert_eq!(Dyadic::from_bits(0.375_f64.to_bits()), Ok(Dyadic { odd: 3, shift: 3 }));
    /// assert_eq!(Dyadic::from_bits((-0.0_f64).to_bits()), Ok(Dyadic { odd: 0, shift: 0 }));
    /// assert!(Dyadic::from_bits(1.0_f64.next_up().to_bits()).is_err());
    /// ```
    pub fn from_bits(bits: u64) -> Result<Dyadic, NotAProbability> {
        let magnitude = bits & !SIGN;
        if magnitude > INFINITE {
            return Err(NotAProbability::Nan);
        }
        if magnitude == INFINITE {
            return Err(NotAProbability::Infinite);
        }
        if magnitude == 0 {
            return Ok(Dyadic { odd: 0, shift: 0 }); // -0.0 is 0
        }
        if bits != magnitude {
            return Err(NotAProbability::Negative);
        }
        if magnitude > ONE {
            return Err(NotAProbability::AboveOne);
        }
        let (biased, fraction) = (bits >> (SIGNIFICAND_BITS - 1), bits & (HIDDEN - 1));
        // Subnormals have no hidden bit.
        let (significand, shift) = match biased {
            0 => (fraction, 1074),
            _ => (fraction | HIDDEN, 1075 - biased as u32),
        };
        let zeros = significand.trailing_zeros();
        Ok(Dyadic { odd: significand >> zeros, shift: shift - zeros })
    }

    /// The bits of the double that is this number.
    pub fn to_bits(self) -> u64 {
        nearest(self.odd.into(), -(self.shift as i32)) // exact: `odd` has at most 53 bits
    }

    /// The number in fixed point, as a multiple of 2^-`shift`; `None` if it is not one, or if
    /// `shift` exceeds 127.
    ///
    /// ```
    /// use truecal::dyadic::Dyadic;
    /// let half = Dyadic { odd: 1, shift: 1 };
    /// assert_eq!((half.fixed(10), half.fixed(0), half.fixed(128)), (Some(512), None, None));
    /// ```
    pub fn fixed(self, shift: u32) -> Option<u128> {
        // At most 1, hence at most 2^shift, which fits.
        let up = shift.checked_sub(self.shift).filter(|_| shift < u128::BITS)?;
        Some(u128::from(self.odd) << up)
    }
}

/// The bits of the double nearest to `significand` · 2^`exponent`, ties to even; infinite beyond
/// the largest.
///
/// ```
/// use truecal::dyadic::nearest;
/// assert_eq!(nearest(3, -2), 0.75_f64.to_bits());
/// assert_eq!(nearest((1 << 53) + 1, 0), (2.0_f64.powi(53)).to_bits()); // a tie
/// ```
pub fn nearest(significand: u128, exponent: i32) -> u64 {
    let size = u128::BITS - significand.leading_zeros();
    // What is dropped at the low end: bits beyond 53, and what is finer than the finest double.
    let fine = LOWEST_EXPONENT.saturating_sub(exponent).max(0).unsigned_abs();
    let drop = size.saturating_sub(SIGNIFICAND_BITS).max(fine);
    if drop > size {
        return 0; // less than half of the finest double
    }
    let (kept, up) = match drop {
        0 => (significand as u64, false),
        _ => {
            let last = drop - 1;
            let halves = significand >> last;
            let beyond_half = significand & ((1 << last) - 1) != 0;
            let kept = (halves >> 1) as u64;
            (kept, halves & 1 == 1 && (beyond_half || kept & 1 == 1))
        }
    };
    encode(kept + u64::from(up), exponent.saturating_add_unsigned(drop))
}

/// The bits of `significand` · 2^`exponent`, where `significand` is at most 2^53 and `exponent` at
/// least the lowest; infinite beyond the largest double.
fn encode(significand: u64, exponent: i32) -> u64 {
    if significand == 0 {
        return 0;
    }
    // To the usual place of the first bit, as far as there are exponents.
    let room = exponent.saturating_sub(LOWEST_EXPONENT).unsigned_abs();
    let up = significand.leading_zeros().saturating_sub(u64::BITS - SIGNIFICAND_BITS).min(room);
    let (significand, exponent) = (significand << up, exponent.saturating_sub_unsigned(up));
    if exponent > HIGHEST_EXPONENT {
        return INFINITE;
    }
    if significand < HIDDEN {
        return significand; // subnormal
    }
    // Doubles in order are their bit patterns in order: a significand of 2^53 carries into the
    // exponent by itself.
    let biased = u64::from(exponent.abs_diff(LOWEST_EXPONENT)) + 1;
    (biased << (SIGNIFICAND_BITS - 1)) + (significand - HIDDEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::Signed;
    use proptest::prelude::*;

    fn power(exponent: i32) -> BigRational {
        let power = BigRational::from(BigInt::from(1) << exponent.unsigned_abs());
        if exponent < 0 { power.recip() } else { power }
    }

    #[test]
    fn the_ends_of_the_range() {
        let last = |bits: u32| (1_u128 << bits) - 1;
        assert_eq!(nearest(0, 7), 0);
        assert_eq!(nearest(1, -1075), 0); // half of the finest: to even
        assert_eq!(nearest(3, -1076), 1); // three quarters
        assert_eq!(nearest(u128::MAX, -1074 - 128), 1);
        assert_eq!(nearest(u128::MAX, i32::MIN), 0);
        assert_eq!(nearest(1, i32::MAX), f64::INFINITY.to_bits());
        assert_eq!(nearest(last(53), 971), f64::MAX.to_bits());
        assert_eq!(nearest(last(54), 970), f64::INFINITY.to_bits());
        assert_eq!(nearest(last(54) - 1, 970), f64::MAX.to_bits());
        assert_eq!(nearest(u128::MAX, 0), 2.0_f64.powi(128).to_bits());
    }

    proptest! {
        /// A neighbour on either side is no nearer, and a tie has an even last bit.
        #[test]
        fn no_neighbour_is_nearer(
            significand: u128,
            down in 0..128_u32,
            exponent in -1250..890_i32,
        ) {
            let significand = significand >> down;
            let bits = nearest(significand, exponent);
            let exact = BigRational::from(BigInt::from(significand)) * power(exponent);
            let far = |bits: u64| {
                let double = BigRational::from_float(f64::from_bits(bits)).expect("finite");
                let gap = double - &exact;
                gap.abs()
            };
            for neighbour in [bits.saturating_sub(1), bits + 1] {
                if neighbour != bits {
                    prop_assert!(far(bits) <= far(neighbour));
                    prop_assert!(far(bits) < far(neighbour) || bits.is_multiple_of(2));
                }
            }
        }
    }
}
