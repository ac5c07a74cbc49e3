//! Level tables at the narrowest width that is safe for them.

use std::fmt;

use ethnum::I256;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use thiserror::Error;

use crate::dyadic::Dyadic;
use crate::levels::{Level, Levels, Table, fits};
use crate::number::Number;
use crate::prediction::Prediction;
use crate::scale::{decimal_unit, scale_decimals};
use crate::tally::Entry;

/// The longest common denominator of the predictions, in bits: about 19 700 decimal digits.
/// Predictions with unrelated denominators can make one of any length.
pub const MAX_UNIT_BITS: u64 = 1 << 16;

/// The most bits that the values of a table may take in all, if each takes more than 256.
pub const MAX_TABLE_BITS: u64 = 1 << 28;

/// A level table in the narrowest number type whose bound (see [`Levels`]) it meets.
///
/// Which one that is shows in its [`width`](AnyLevels::width) alone; every question can be asked of
/// all of them.
#[derive(Clone, PartialEq, Eq)]
pub struct AnyLevels(pub(crate) Width);

impl fmt::Debug for AnyLevels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A level table with its width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// 32 bits.
    I32(Levels<i32>),
    /// 64 bits.
    I64(Levels<i64>),
    /// 128 bits.
    I128(Levels<i128>),
    /// 256 bits.
    I256(Levels<I256>),
    /// As many bits as it takes.
    Big(Levels<BigInt>),
}

/// Evaluates an expression generic in the number type on whichever table is there.
macro_rules! at_any_width {
    ($any:expr, $levels:ident => $body:expr) => {
        match $any {
            $crate::any_levels::Width::I32($levels) => $body,
            $crate::any_levels::Width::I64($levels) => $body,
            $crate::any_levels::Width::I128($levels) => $body,
            $crate::any_levels::Width::I256($levels) => $body,
            $crate::any_levels::Width::Big($levels) => $body,
        }
    };
}
pub(crate) use at_any_width;

/// The table at the first width that fits, by an expression generic in the number type.
macro_rules! narrowest {
    ($rounds:expr, $unit:expr, $spare:expr, $number:ident => $table:expr) => {
        narrowest!(@at $rounds, $unit, $spare, $number => $table,
            I32: i32, I64: i64, I128: i128, I256: I256, Big: BigInt)
    };
    (@at $rounds:expr, $unit:expr, $spare:expr, $number:ident => $table:expr,
        $variant:ident: $type:ty $(, $others:ident: $other_types:ty)+) => {
        if fits::<$type>($rounds, $unit, $spare) {
            narrowest!(@at $rounds, $unit, $spare, $number => $table, $variant: $type)
        } else {
            narrowest!(@at $rounds, $unit, $spare, $number => $table $(, $others: $other_types)+)
        }
    };
    (@at $rounds:expr, $unit:expr, $spare:expr, $number:ident => $table:expr,
        $variant:ident: $type:ty) => {{
        type $number = $type;
        AnyLevels(Width::$variant($table))
    }};
}

/// The common denominator of the predictions is too long.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the {levels} distinct predictions have no common denominator of a reasonable size (at most \
        {MAX_UNIT_BITS} bits, and {MAX_TABLE_BITS} bits for all of them); write them as decimals \
        of similar length"
)]
#[non_exhaustive]
pub struct TableTooLarge {
    /// The number of distinct predictions.
    pub levels: usize,
}

/// A level in lowest terms: the prediction, its count and its ones.
pub(crate) type Tallied = (Prediction, u64, u64);

impl AnyLevels {
    /// The table of distinct predictions, with counts whose sum is `rounds`: decimals in ascending
    /// order, others in any.
    pub(crate) fn from_tally(
        decimals: impl Iterator<Item = Entry> + Clone,
        others: &[Tallied],
        rounds: u64,
    ) -> Result<Self, TableTooLarge> {
        let levels = decimals.clone().count() + others.len();
        let decimal = decimal_unit(decimals.clone().map(|entry| entry.key));
        let unit = common_denominator(decimal, others, levels)?;
        Ok(narrowest!(rounds, &unit, 0, N => {
            let mut rows = Vec::<Level<N>>::with_capacity(levels);
            scale_decimals(decimals, &unit, &mut rows);
            scale_others(others, &unit, &mut rows);
            if others.is_empty() { checked(&unit, rows) } else { assemble(&unit, rows) }
        }))
    }

    /// The table of doubles in [0, 1] by their bits, strictly ascending, with counts whose sum is
    /// `rounds`, and ones.
    pub(crate) fn from_bits(
        doubles: impl Iterator<Item = (u64, u64, u64)> + Clone,
        rounds: u64,
    ) -> Self {
        let dyadic = |bits| Dyadic::from_bits(bits).expect("the bits of a probability");
        let (mut levels, mut shift) = (0, 0);
        for (bits, ..) in doubles.clone() {
            levels += 1;
            shift = shift.max(dyadic(bits).shift);
        }
        let unit = BigInt::from(1) << shift;
        narrowest!(rounds, &unit, 0, N => {
            let mut rows = Vec::<Level<N>>::with_capacity(levels);
            rows.extend(doubles.map(|(bits, count, ones)| {
                let Dyadic { odd, shift: own } = dyadic(bits);
                Level { value: N::shifted(odd.into(), shift - own), count, ones }
            }));
            checked(&unit, rows)
        })
    }

    /// The same table where 2^`spare` times the bound fits, as sums over subsets need.
    pub(crate) fn with_spare_bits(&self, spare: u64) -> Self {
        let (unit, rows) = at_any_width!(&self.0, levels => in_bigint(levels));
        narrowest!(self.rounds(), &unit, spare, N => {
            checked(&unit, rows.iter().map(narrowed::<N>).collect())
        })
    }

    /// The table in rationals, with unit 1.
    pub fn to_rational(&self) -> Levels<BigRational> {
        at_any_width!(&self.0, levels => levels.to_rational())
    }

    /// The number of rounds T.
    pub fn rounds(&self) -> u64 {
        at_any_width!(&self.0, levels => levels.rounds())
    }

    /// The number of rounds in which the event happened.
    pub fn ones(&self) -> u64 {
        at_any_width!(&self.0, levels => levels.ones())
    }

    /// The number of distinct predictions m.
    pub fn len(&self) -> usize {
        at_any_width!(&self.0, levels => levels.table().rows().len())
    }

    /// Whether there are no rounds.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of the predictions, which is the number of ones that they promise.
    pub fn forecast(&self) -> BigRational {
        at_any_width!(&self.0, levels => {
            let ones = BigRational::from_count(levels.ones());
            let biases = levels.table().biases();
            let bias: BigRational = biases.map(|bias| levels.table().rational(&bias)).sum();
            ones - bias
        })
    }

    /// The rounds with predictions from `low` to `high`, ends included, and those among them in
    /// which the event happened.
    ///
    /// ```
    /// use truecal::{Forecasts, rational::ratio};
    /// let rounds = [(true, "0.2"), (false, "0.3"), (true, "0.7")];
    /// let levels = Forecasts::from_pairs(rounds)?.levels()?;
    /// assert_eq!(levels.between(&ratio(3, 10), &ratio(7, 10)), (2, 1));
    /// assert_eq!(levels.between(&ratio(31, 100), &ratio(2, 3)), (0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn between(&self, low: &BigRational, high: &BigRational) -> (u64, u64) {
        at_any_width!(&self.0, levels => counts_between(levels.table(), low, high))
    }

    /// Whether its numbers take more than 256 bits.
    pub(crate) fn is_long(&self) -> bool {
        matches!(self.0, Width::Big(_))
    }

    /// The name of the number type.
    pub fn width(&self) -> &'static str {
        match self.0 {
            Width::I32(_) => "i32",
            Width::I64(_) => "i64",
            Width::I128(_) => "i128",
            Width::I256(_) => "i256",
            Width::Big(_) => "bigint",
        }
    }
}

macro_rules! from_levels {
    ($($variant:ident: $number:ty),*) => {$(
        impl From<Levels<$number>> for AnyLevels {
            /// The same table at the same width.
            fn from(levels: Levels<$number>) -> Self {
                AnyLevels(Width::$variant(levels))
            }
        }
    )*};
}

from_levels!(I32: i32, I64: i64, I128: i128, I256: I256, Big: BigInt);

/// The most memory that a level takes in the table of so many rounds with this unit, in bytes. A
/// number of any length has its digits elsewhere, in words, of which an addition or a product
/// allots one or two more than are needed, beside what the allocator keeps for itself.
pub(crate) fn level_bytes(rounds: u64, unit: &BigInt) -> u64 {
    let sizes = [
        (fits::<i32>(rounds, unit, 0), size_of::<Level<i32>>()),
        (fits::<i64>(rounds, unit, 0), size_of::<Level<i64>>()),
        (fits::<i128>(rounds, unit, 0), size_of::<Level<i128>>()),
        (fits::<I256>(rounds, unit, 0), size_of::<Level<I256>>()),
    ];
    let long = size_of::<Level<BigInt>>() as u64 + 8 * (unit.bits().div_ceil(64) + 2) + 16;
    sizes.into_iter().find(|(fits, _)| *fits).map_or(long, |(_, size)| size as u64)
}

/// The counts of the levels from one value to another. Cost: two binary searches, and a sum.
fn counts_between<N: Number>(
    levels: Table<'_, N>,
    low: &BigRational,
    high: &BigRational,
) -> (u64, u64) {
    let at = |level: &Level<N>| levels.rational(&level.value);
    let rows = levels.rows();
    let start = rows.partition_point(|level| at(level) < *low);
    let rest = &rows[start..];
    let end = rest.partition_point(|level| at(level) <= *high);
    let inside = &rest[..end];
    (inside.iter().map(|level| level.count).sum(), inside.iter().map(|level| level.ones).sum())
}

/// The least common multiple of all denominators: that of the decimals, and those of the others.
fn common_denominator(
    decimal: BigInt,
    others: &[Tallied],
    levels: usize,
) -> Result<BigInt, TableTooLarge> {
    let bounded = |unit: BigInt| {
        let bits = unit.bits();
        let in_all = bits.saturating_mul(levels as u64);
        let large = bits > MAX_UNIT_BITS || bits > 256 && in_all > MAX_TABLE_BITS;
        if large { Err(TableTooLarge { levels }) } else { Ok(unit) }
    };
    let unit = bounded(decimal)?;
    let mut small = unit.to_u64().unwrap_or(1);
    let mut unit = Some(unit).filter(|unit| unit.bits() > 64); // once `small` would overflow
    for (prediction, ..) in others {
        if let (None, Some((_, denominator))) = (&unit, prediction.small()) {
            if small.is_multiple_of(denominator) {
                continue;
            }
            if let Some(lcm) = (small / small.gcd(&denominator)).checked_mul(denominator) {
                small = lcm;
                continue;
            }
        }
        let so_far = unit.take().unwrap_or_else(|| small.into());
        let rational = prediction.to_rational();
        // The remainder first: a gcd of two long numbers costs far more than a division.
        let remainder = &so_far % rational.denom();
        let grown = so_far * (rational.denom() / remainder.gcd(rational.denom()));
        unit = Some(bounded(grown)?);
    }
    Ok(unit.unwrap_or_else(|| small.into()))
}

/// The levels of predictions that are no short decimals, in units.
fn scale_others<N: Number>(others: &[Tallied], unit: &BigInt, rows: &mut Vec<Level<N>>) {
    let level = |value: N, count: &u64, ones: &u64| Level { value, count: *count, ones: *ones };
    match unit.to_u64() {
        Some(unit) => {
            let scale = |prediction: &Prediction| {
                let (above, below) = prediction.small().expect("denominators divide the unit");
                N::from_count(above * (unit / below))
            };
            rows.extend(others.iter().map(|(p, count, ones)| level(scale(p), count, ones)));
        }
        None => {
            let scale = |prediction: &Prediction| {
                let rational = prediction.to_rational();
                let value = rational.numer() * (unit / rational.denom());
                N::from_bigint(&value).expect("a value is at most the unit, which fits")
            };
            rows.extend(others.iter().map(|(p, count, ones)| level(scale(p), count, ones)));
        }
    }
}

fn narrowed<N: Number>(level: &Level<BigInt>) -> Level<N> {
    let value = N::from_bigint(&level.value).expect("a value is at most the unit, which fits");
    Level { value, count: level.count, ones: level.ones }
}

fn in_bigint<N: Number>(levels: &Levels<N>) -> (BigInt, Vec<Level<BigInt>>) {
    let integer = |number: &N| number.to_rational().to_integer();
    let table = levels.table();
    let row = |level: &Level<N>| Level {
        value: integer(&level.value),
        count: level.count,
        ones: level.ones,
    };
    (integer(table.unit()), table.rows().iter().map(row).collect())
}

/// Rows in any order as a table. Linear if they are in order.
fn assemble<N: Number>(unit: &BigInt, mut rows: Vec<Level<N>>) -> Levels<N> {
    // The stable sort, because it takes what is in order already as it is: one pass for one run, a
    // merge for two.
    rows.sort_by(|a, b| a.value.cmp(&b.value));
    checked(unit, rows)
}

/// Rows in order as a table.
fn checked<N: Number>(unit: &BigInt, rows: Vec<Level<N>>) -> Levels<N> {
    let unit = N::from_bigint(unit).expect("the unit meets the bound");
    Levels::new(unit, rows).expect("distinct valid predictions within the bound")
}
