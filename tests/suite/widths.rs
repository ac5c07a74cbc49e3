//! One formula, many number types: they agree, and each is used only where it cannot overflow.

use ethnum::I256;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use proptest::prelude::*;
use truecal::grid::grid_tables;
use truecal::rational::int;
use truecal::{AnyLevels, Forecasts, Level, Levels, LevelsError, Measure, Number, measures};

/// All plain measures of a table, straight from the formulas.
fn plain_measures<N: Number>(levels: &Levels<N>) -> [BigRational; 7] {
    let table = levels.table();
    let unit = table.unit().to_rational();
    let u_cal = measures::u_cal(table);
    [
        table.rational(&measures::ece(table).value),
        table.rational(&measures::step_ce(table).value),
        table.rational(&measures::sign_ce(table).value),
        table.rational(&measures::interval_ce(table).value),
        table.rational(&measures::v_cal(table).value),
        u_cal.numerator.to_rational() / u_cal.denominator.to_rational() / &unit,
        measures::sm_ce(table).value.to_rational() / (&unit * &unit),
    ]
}

/// The same table in another number type, if it is wide enough.
fn convert<N: Number>(levels: &Levels<i64>) -> Result<Levels<N>, LevelsError> {
    let number = |n: i64| N::from_bigint(&n.into()).ok_or(LevelsError::Width);
    let table = levels.table();
    let row = |level: &Level<i64>| {
        Ok(Level { value: number(level.value)?, count: level.count, ones: level.ones })
    };
    let rows: Result<_, _> = table.rows().iter().map(row).collect();
    Levels::new(number(*table.unit())?, rows?)
}

#[test]
fn all_types_agree_on_every_small_table() {
    for rounds in 0..=3 {
        for levels in grid_tables(rounds, 12) {
            let reference = plain_measures(&levels.to_rational());
            assert_eq!(plain_measures(&levels), reference);
            assert_eq!(plain_measures(&convert::<i16>(&levels).expect("small")), reference);
            assert_eq!(plain_measures(&convert::<i32>(&levels).expect("small")), reference);
            assert_eq!(plain_measures(&convert::<i128>(&levels).expect("small")), reference);
            assert_eq!(plain_measures(&convert::<I256>(&levels).expect("small")), reference);
            assert_eq!(plain_measures(&convert::<BigInt>(&levels).expect("small")), reference);
        }
    }
}

/// Tables that fill 16 bits to the last: 4 T D <= 2^15 - 1 for T = 90, D = 91 and around.
fn nearly_full() -> impl Strategy<Value = Levels<i64>> {
    let shape = prop::collection::vec((0_i64..=91, 1_u64..40, 0_u64..40), 1..8);
    shape.prop_map(|mut shape| {
        shape.sort_unstable();
        shape.dedup_by_key(|level| level.0);
        let mut left = 90;
        let mut rows = vec![];
        for (value, count, ones) in shape {
            let count = count.min(left);
            left -= count;
            if count > 0 {
                rows.push(Level { value, count, ones: ones.min(count) });
            }
        }
        if let Some(last) = rows.last_mut() {
            last.count += left; // no round is wasted
        }
        Levels::new(91, rows).expect("valid")
    })
}

proptest! {
    /// Overflow checks are on in tests: a bound that is too generous would panic here.
    #[test]
    fn a_full_narrow_type_does_not_overflow(levels in nearly_full()) {
        let narrow = convert::<i16>(&levels).expect("4 * 90 * 91 = 32760 fits 16 bits");
        prop_assert_eq!(plain_measures(&narrow), plain_measures(&levels.to_rational()));
        let finer = Levels::new(92, levels.table().rows().to_vec()).expect("valid");
        prop_assert_eq!(convert::<i16>(&finer), Err(LevelsError::Width));
    }
}

/// A single round at 1/D, where 4 D is the largest number of a type or just beyond.
#[test]
fn each_type_is_left_at_its_border() {
    for (bits, inside, outside) in
        [(31, "i32", "i64"), (63, "i64", "i128"), (127, "i128", "i256"), (255, "i256", "bigint")]
    {
        let beyond: BigInt = BigInt::one() << (bits - 2);
        for (unit, width) in [(&beyond - 1, inside), (beyond, outside)] {
            let p = BigRational::new(BigInt::one(), unit.clone());
            let levels =
                Forecasts::from_pairs([(true, &p)]).expect("valid").levels().expect("small");
            assert_eq!(levels.width(), width, "unit {unit}");
            let bias = BigRational::one() - p;
            assert_eq!(levels.evaluate(Measure::StepCe).value, bias);
            assert_eq!(levels.evaluate(Measure::SmCe).value, bias);
            // A constant prediction: 2 |X - pT| / max(p, 1 - p).
            assert_eq!(levels.evaluate(Measure::UCal).value, int(2));
            assert_eq!(levels.evaluate(Measure::Ssce).value, bias / BigInt::from(2));
        }
    }
}

/// Weights of 2^200 subsets, against a sum of binomials: constant 1/2, half of the rounds ones.
#[test]
fn weights_beyond_machine_words_are_exact() {
    let half = 100_u64;
    let mut forecasts = Forecasts::new();
    forecasts.push_level("1/2".parse().expect("valid"), 2 * half, half).expect("few");
    let levels = forecasts.levels().expect("small");
    assert_eq!(levels.width(), "i32");

    let mut binomials = vec![BigInt::one()];
    for k in 0..half {
        let next = &binomials[k as usize] * (half - k) / (k + 1);
        binomials.push(next);
    }
    let mut total = BigInt::from(0);
    for (ones, one_ways) in (0_i64..).zip(&binomials) {
        for (zeros, zero_ways) in (0_i64..).zip(&binomials) {
            total += one_ways * zero_ways * (ones - zeros).abs();
        }
    }
    let average = BigRational::new(total, BigInt::one() << (2 * half + 1));
    assert_eq!(levels.evaluate(Measure::StepCeSub).value, average);
    assert!(average.is_positive());
}

/// As many rounds as can be counted.
#[test]
fn the_largest_counts_are_ordinary() {
    let mut forecasts = Forecasts::new();
    forecasts.push_level("1/3".parse().expect("valid"), u64::MAX / 2, 7).expect("countable");
    forecasts
        .push_level("0".parse().expect("valid"), u64::MAX / 2 + 1, u64::MAX / 2 + 1)
        .expect("countable");
    let levels = forecasts.levels().expect("small");
    assert_eq!(levels.rounds(), u64::MAX);
    for measure in Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_none()) {
        let evaluation = levels.evaluate(measure);
        assert_eq!(truecal::check(&levels.to_rational(), &evaluation), Ok(()), "{measure}");
    }
    assert_eq!(measures::subset_cost(&levels), None);
}

#[test]
fn unrelated_denominators_are_refused_before_they_fill_the_memory() {
    let mut forecasts = Forecasts::new();
    // Denominators 2^k 3^(2000-k) + 1 and the like have a common denominator of millions of bits.
    for k in 0..1500_u32 {
        let denominator = (BigInt::from(2).pow(k) * BigInt::from(3).pow(2000 - k)) + 1;
        let prediction = BigRational::new(BigInt::one(), denominator);
        forecasts.push(true, prediction.try_into().expect("in range")).expect("few");
    }
    let error = forecasts.levels().expect_err("too large");
    assert!(error.to_string().contains("common denominator"), "{error}");
}

/// Even without rounds, twice the unit is computed: it must fit.
#[test]
fn the_unit_of_an_empty_table_is_bounded() {
    assert_eq!(Levels::<i32>::new(i32::MAX, vec![]), Err(LevelsError::Width));
    let largest = Levels::<i32>::new(i32::MAX / 4, vec![]).expect("within the bound");
    assert_eq!(measures::u_cal(largest.table()).numerator, 0);
    let wide = AnyLevels::from(Levels::new(1_i64 << 40, vec![]).expect("within the bound"));
    assert_eq!(wide.evaluate(Measure::Ssce).value, BigRational::zero());
}

/// Without rounds every measure is 0, and every witness still checks.
#[test]
fn nothing_measures_zero() {
    let levels = Forecasts::new().levels().expect("empty");
    for measure in Measure::ALL {
        let evaluation = levels.evaluate(measure);
        assert_eq!(evaluation.value, BigRational::zero(), "{measure}");
        assert_eq!(truecal::check(&levels.to_rational(), &evaluation), Ok(()), "{measure}");
    }
    assert_eq!((levels.rounds(), levels.len(), levels.is_empty()), (0, 0, true));
    assert_eq!(levels.width(), "i32");
}
