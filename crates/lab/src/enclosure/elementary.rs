//! Square root, logarithm, exponential and π.
//!
//! Series are summed in integers that count *ulps* of 2^-[`WORKING`]. Next to each sum stands the
//! bound on what the roundings and the omitted terms can add up to.

use std::sync::LazyLock;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::Enclosure;
use super::dyadic::Toward::{Above, Below};
use super::dyadic::{Dyadic, PRECISION, REACH};

impl Enclosure {
    /// The square root. Exact for squares of short dyadics.
    ///
    /// # Panics
    ///
    /// If the number may be negative.
    pub fn sqrt(&self) -> Enclosure {
        assert!(!self.low.is_negative(), "the square root of {self}, which may be negative");
        Enclosure { low: self.low.sqrt(Below), high: self.high.sqrt(Above) }
    }

    /// The natural logarithm.
    ///
    /// # Panics
    ///
    /// If the number may be zero or negative.
    pub fn ln(&self) -> Enclosure {
        self.assert_positive();
        self.increasing(|end| {
            let (ln_near_one, power) = reduced_ln(end);
            LN_2.times(power).plus(&ln_near_one).to_enclosure()
        })
    }

    /// The logarithm to base 2. Exact for powers of two.
    ///
    /// # Panics
    ///
    /// If the number may be zero or negative.
    pub fn log2(&self) -> Enclosure {
        self.assert_positive();
        self.increasing(|end| {
            let (ln_near_one, power) = reduced_ln(end);
            Enclosure::from(power) + ln_near_one.to_enclosure() / Enclosure::ln2()
        })
    }

    /// The exponential.
    ///
    /// # Panics
    ///
    /// If the exponential may be 2^65536 or more, which it is from about 45426 on.
    pub fn exp(&self) -> Enclosure {
        self.increasing(exp)
    }

    /// The logarithm of 2.
    pub fn ln2() -> Enclosure {
        LN_2.to_enclosure()
    }

    /// π, by Machin's formula: 16 arctan(1/5) - 4 arctan(1/239).
    pub fn pi() -> Enclosure {
        static PI: LazyLock<Enclosure> = LazyLock::new(|| {
            let (fifth, small) = (arctan_of_reciprocal(5), arctan_of_reciprocal(239));
            fifth.times(16).plus(&small.times(-4)).to_enclosure()
        });
        PI.clone()
    }

    fn assert_positive(&self) {
        assert!(self.low.is_positive(), "the logarithm of {self}, which may not be positive");
    }
}

/// An ulp is 2^-WORKING. The excess over the precision swallows the bounds below, and factors of up
/// to 2·REACH.
const WORKING: u64 = PRECISION + 64;

/// A number between two counts of ulps.
struct Ulps {
    low: BigInt,
    high: BigInt,
}

impl Ulps {
    fn times(&self, factor: i64) -> Ulps {
        let (low, high) = (&self.low * factor, &self.high * factor);
        if factor < 0 { Ulps { low: high, high: low } } else { Ulps { low, high } }
    }

    fn plus(&self, other: &Ulps) -> Ulps {
        Ulps { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    fn to_enclosure(&self) -> Enclosure {
        self.times_power_of_two(0)
    }

    fn times_power_of_two(&self, power: i64) -> Enclosure {
        let exponent = power - WORKING.cast_signed();
        Enclosure {
            low: Dyadic::rounded(self.low.clone(), exponent, Below),
            high: Dyadic::rounded(self.high.clone(), exponent, Above),
        }
    }
}

/// ln 2 = 2 artanh(1/3).
static LN_2: LazyLock<Ulps> = LazyLock::new(|| artanh(&BigInt::one(), &BigInt::from(3)).times(2));

/// (ln f, k) for a positive number f·2^k with f in [2/3, 4/3).
fn reduced_ln(number: &Dyadic) -> (Ulps, i64) {
    let (mantissa, scale, power) = number.near_one();
    let one = BigInt::one() << scale;
    // ln f = 2 artanh((f - 1) / (f + 1)), whose argument is in [-1/5, 1/7].
    let artanh = artanh(&(mantissa - &one).abs(), &(mantissa + &one));
    (artanh.times(if *mantissa < one { -2 } else { 2 }), power)
}

/// artanh z = z + z³/3 + z⁵/5 + … for z = numerator / denominator in [0, 1/3].
fn artanh(numerator: &BigInt, denominator: &BigInt) -> Ulps {
    if numerator.is_zero() {
        return Ulps { low: BigInt::zero(), high: BigInt::zero() };
    }
    // z' <= z < z' + ulp. As artanh' = 1/(1 - z²) <= 9/8 up to 1/3, and hardly more an ulp further,
    // artanh z < artanh z' + 2 ulp.
    let z: BigInt = (numerator << WORKING) / denominator;
    let square = (&z * &z) >> WORKING;
    let (mut power, mut sum, mut terms) = (z, BigInt::zero(), 0_u32);
    // `power` is at most the true odd power of z', and short of it by e < 2 ulp: 0 at first, and a
    // step turns e into at most e·z'² + power·(1 ulp in the square) + 1 ulp < 2/9 + 1/3 + 1 < 2.
    while !power.is_zero() {
        // A term is short by less than 2/3 + 1 ulp: 2 ulp over a divisor of at least 3 (the first
        // power is exact), and the rounding of the division.
        sum += &power / (2 * terms + 1);
        terms += 1;
        power = (power * &square) >> WORKING;
    }
    // The first omitted power is below 2 ulp, and so all omitted terms together are below 2·9/8 < 3
    // ulp.
    let high = &sum + (2 * terms + 3 + 2);
    Ulps { low: sum, high }
}

/// arctan(1/q) = 1/q - 1/(3q³) + 1/(5q⁵) - … for q >= 2.
fn arctan_of_reciprocal(q: u32) -> Ulps {
    // ⌊⌊x/a⌋/b⌋ = ⌊x/(ab)⌋: every term is short by less than 1 ulp, however it was divided.
    let mut power = (BigInt::one() << WORKING) / q;
    let (mut sum, mut terms) = (BigInt::zero(), 0_u32);
    while !power.is_zero() {
        let term = &power / (2 * terms + 1);
        sum += if terms.is_multiple_of(2) { term } else { -term };
        terms += 1;
        power /= q * q;
    }
    // Terms alternate and decrease: what is omitted is at most the first omitted term, which is
    // below 1 ulp.
    let error = terms + 1;
    Ulps { low: &sum - error, high: sum + error }
}

/// How often the argument of the exponential series is halved.
const HALVINGS: u64 = 8;

fn exp(number: &Dyadic) -> Enclosure {
    match number.top() {
        None => return Enclosure::from(1),
        Some(top) if top > 16 => {
            assert!(number.is_negative(), "the exponential of 2^16 or more has no enclosure");
            // e^-(2^16) < 2^-(2^16) = 2^-REACH.
            let tiny = Dyadic::rounded(BigInt::one(), -REACH, Above);
            return Enclosure { low: Dyadic::zero(), high: tiny };
        }
        Some(_) => {}
    }
    let (reduced, power) = reduced_argument(number);
    exp_reduced(&reduced).times_power_of_two(power)
}

/// (r, k) with number = r + k ln 2 and r in [0, 3/2), for a number below 2^16 in magnitude.
fn reduced_argument(number: &Dyadic) -> (Ulps, i64) {
    let low = number.scaled_by(WORKING.cast_signed());
    // One less than the quotient, so that r is in [ln 2, 2 ln 2) but for the width of ln 2, less
    // than 2^9 ulp, times
    // |k| < 2^17. That is far below 1/100, and r certainly in [0, 3/2).
    let power = low.div_floor(&LN_2.high) - 1_u8;
    let power = i64::try_from(power).expect("below 2^17 in magnitude");
    let high = &low + 1_u8;
    (Ulps { low, high }.plus(&LN_2.times(-power)), power)
}

/// e^r for r in [0, 3/2): the Taylor series at t = r / 2^HALVINGS, squared as often.
fn exp_reduced(r: &Ulps) -> Ulps {
    let t = &r.low >> HALVINGS;
    // t <= r / 2^HALVINGS <= t + spread < 2^-7, and as the derivative is below 2 there,
    // e^(t + spread) < e^t + 2·spread.
    let spread = (&r.high >> HALVINGS) + 1_u8 - &t;
    let mut term = BigInt::one() << WORKING;
    let (mut low, mut terms) = (BigInt::zero(), 0_u32);
    // A term is at most the true t^n/n!, and short of it by e < 2 ulp: a step turns e into at most
    // e·t/n + 1 ulp < 2/128 + 1 (the two divisions round as one).
    while !term.is_zero() {
        low += &term;
        terms += 1;
        term = ((term * &t) >> WORKING) / terms;
    }
    // The first term is exact, the others are short by less than 2 ulp each. So is the first that
    // is omitted, and those after it are together below 2/127 of an ulp.
    let mut high = &low + (2 * terms + 1) + 2_u8 * spread;
    for _ in 0..HALVINGS {
        low = (&low * &low) >> WORKING;
        high = ((&high * &high) >> WORKING) + 1_u8;
    }
    Ulps { low, high }
}

/// In ulps: once rounded to the precision of an end, nothing would show a bound that is too small.
#[cfg(test)]
mod tests {
    use num_rational::BigRational;
    use num_traits::Pow;
    use proptest::prelude::*;

    use super::*;
    use truecal::rational::int;

    /// Terms of the series in rationals, of which less than 2^-300 is omitted.
    const TERMS: u32 = 100;

    fn ulps(count: &BigInt) -> BigRational {
        BigRational::new(count.clone(), BigInt::one() << WORKING)
    }

    /// The sum of a series is in [low, low + rest], and so it is here, closely.
    fn assert_encloses(found: &Ulps, low: &BigRational, rest: BigRational) {
        assert!(ulps(&found.low) <= *low && low + rest <= ulps(&found.high));
        assert!(&found.high - &found.low < BigInt::one() << 20);
    }

    /// 1 + x/1 (1 + x/2 (1 + x/3 (…))), without reducing fractions on the way, and a bound on what
    /// is omitted for x < 3/2.
    fn exp_series(x: &BigRational) -> (BigRational, BigRational) {
        let (mut numerator, mut denominator) = (BigInt::one(), BigInt::one());
        for n in (1..TERMS).rev() {
            denominator = denominator * x.denom() * n;
            numerator = numerator * x.numer() + &denominator;
        }
        let two = int(2);
        (BigRational::new(numerator, denominator), two.pow(-300))
    }

    proptest! {
        /// Σ p^(2n+1) / (q^(2n+1) (2n+1)) for p/q <= 1/3.
        #[test]
        fn artanh_is_enclosed(q in 3_i64..100_000, p in 0_i64..100_000) {
            let (p, q) = (BigInt::from(p % (q / 3 + 1)), BigInt::from(q));
            let (p_square, q_square) = (&p * &p, &q * &q);
            let (mut numerator, mut denominator) = (BigInt::zero(), BigInt::one());
            for odd in (0..TERMS).rev().map(|n| 2 * n + 1) {
                numerator = &denominator * &q_square + numerator * &p_square * odd;
                denominator = denominator * &q_square * odd;
            }
            let sum = BigRational::new(numerator * &p, denominator * &q);
            let rest = BigRational::new(p.clone(), q.clone()).pow(2 * TERMS.cast_signed() + 1);
            assert_encloses(&artanh(&p, &q), &sum, rest);
        }

        #[test]
        fn exp_is_enclosed(n in 0_u32..1400, spread in 0_u32..1000) {
            let low = (BigInt::from(n) << WORKING) / 1000;
            let high = &low + spread;
            let (least, _) = exp_series(&ulps(&low));
            let (greatest, rest) = exp_series(&ulps(&high));
            let found = exp_reduced(&Ulps { low, high });
            assert_encloses(&found, &least, greatest - &least + rest);
        }

        #[test]
        fn arguments_are_reduced(mantissa: i64, exponent in -300_i64..=-47) {
            let number = Dyadic::rounded(mantissa.into(), exponent, Below);
            let (r, power) = reduced_argument(&number);
            prop_assert!(!r.low.is_negative() && r.high * 2 < BigInt::from(3) << WORKING);
            prop_assert!(power.abs() < 1 << 17);
        }
    }

    #[test]
    fn arctan_is_enclosed() {
        for q in [3, 5, 239] {
            let term = |n: u32| {
                BigRational::new(BigInt::one(), BigInt::from(q).pow(2 * n + 1) * (2 * n + 1))
            };
            // An even number of terms is too little, by at most the next.
            let pairs = (0..TERMS).step_by(2).map(|n| term(n) - term(n + 1));
            assert_encloses(&arctan_of_reciprocal(q), &pairs.sum(), term(TERMS));
        }
    }
}
