//! What is rational.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

use super::*;
use crate::classical::{BinnedEce, Binning, Brier, MAX_BINS};
use crate::rational::{int, ratio};

/// The bin whose upper edge, a share of the whole, is the first that is not below.
fn first_bin(at: &BigRational, whole: &BigRational, bins: usize) -> usize {
    let edge = |k: usize| whole * ratio(k as i64 + 1, bins as i64);
    (0..bins).find(|k| *at <= edge(*k)).expect("the last edge is the whole")
}

/// The bin of each round, by the definition.
fn bins_of(rounds: &[(bool, BigRational)], binning: Binning, bins: usize) -> Vec<usize> {
    let all = int(rounds.len() as u64);
    let bin = |(_, p): &(bool, BigRational)| match binning {
        Binning::EqualWidth => first_bin(p, &int(1), bins),
        Binning::EqualMass => {
            // The mean of the middles t + 1/2 of the tied rounds.
            let below = rounds.iter().filter(|(_, other)| other < p).count();
            let tied = rounds.iter().filter(|(_, other)| other == p).count();
            let middles = (below..below + tied).map(|t| ratio(2 * t as i64 + 1, 2));
            first_bin(&(middles.sum::<BigRational>() / int(tied as u64)), &all, bins)
        }
    };
    rounds.iter().map(bin).collect()
}

/// Compares with the definition, bin by bin.
fn check_binned(ece: &BinnedEce, rounds: &[(bool, BigRational)]) {
    let places = bins_of(rounds, ece.binning, ece.number);
    let (mut total, mut filled) = (BigRational::zero(), ece.bins.iter());
    for k in 0..ece.number {
        let members = || rounds.iter().zip(&places).filter(move |(_, bin)| **bin == k);
        let predictions = || members().map(|((_, p), _)| p);
        let (Some(first), Some(last)) = (predictions().min(), predictions().max()) else {
            continue;
        };
        let bin = filled.next().expect("a bin with rounds");
        let ones = members().filter(|((x, _), _)| *x).count() as u64;
        let sum = predictions().sum::<BigRational>();
        assert_eq!((bin.index, &bin.first, &bin.last), (k, first, last));
        assert_eq!((bin.count, bin.ones, &bin.sum), (members().count() as u64, ones, &sum));
        assert_eq!(bin.mean() * int(bin.count), sum);
        assert_eq!(bin.frequency() * int(bin.count), int(ones));
        total += (int(ones) - sum).abs();
    }
    assert_eq!(filled.next(), None);
    assert_eq!(ece.value, if rounds.is_empty() { total } else { total / int(rounds.len() as u64) });
}

const BINNINGS: [Binning; 2] = [Binning::EqualWidth, Binning::EqualMass];

fn check_all(levels: &AnyLevels) {
    let rounds = rounds_of(levels);
    for (binning, bins) in BINNINGS.iter().flat_map(|b| [1, 2, 3, 7, 10, 12].map(|n| (*b, n))) {
        check_binned(&levels.binned_ece(binning, bins).expect("few bins"), &rounds);
    }
    check_brier(&levels.brier(), levels, &rounds);
}

/// The least score of any f that does not fall: all ways to divide the levels into blocks with
/// their mean, of which those that fall do not count.
fn least_score(levels: &AnyLevels) -> BigRational {
    let rational = levels.to_rational();
    let rows = rational.table().rows();
    let mut least = None;
    for cuts in 0..1_u32 << rows.len().saturating_sub(1) {
        let (mut sum, mut last, mut block) = (int(0), int(-1), (0, 0));
        let mut monotone = true;
        for (place, row) in rows.iter().enumerate() {
            block = (block.0 + row.count, block.1 + row.ones);
            if place + 1 == rows.len() || cuts >> place & 1 == 1 {
                let mean = int(block.1) / int(block.0);
                let wrong = int(1) - &mean;
                sum += int(block.1) * &wrong * &wrong + int(block.0 - block.1) * &mean * &mean;
                monotone &= mean >= last;
                (last, block) = (mean, (0, 0));
            }
        }
        if monotone && least.as_ref().is_none_or(|least| sum < *least) {
            least = Some(sum);
        }
    }
    least.expect("one block does not fall") / int(levels.rounds().max(1))
}

fn check_brier(brier: &Brier, levels: &AnyLevels, rounds: &[(bool, BigRational)]) {
    let score = |p: &dyn Fn(&BigRational) -> BigRational| {
        let square = |(x, own): &(bool, BigRational)| {
            let wrong = int(u8::from(*x)) - p(own);
            &wrong * &wrong
        };
        rounds.iter().map(square).sum::<BigRational>() / int(rounds.len().max(1) as u64)
    };
    let mean = int(levels.ones()) / int(levels.rounds().max(1));
    assert_eq!(brier.score, score(&|p| p.clone()));
    assert_eq!(brier.uncertainty, score(&|_| mean.clone()));
    assert_eq!(brier.score, &brier.miscalibration - &brier.discrimination + &brier.uncertainty);
    assert_eq!(brier.error, int(0));
    let fit = levels.isotonic_fit();
    let fitted = score(&|p| {
        let block = fit.iter().find(|block| block.first <= *p && *p <= block.last);
        block.expect("every prediction lies in a block").probability()
    });
    assert_eq!(brier.miscalibration, &brier.score - &fitted);
    assert!(fit.windows(2).all(|pair| {
        pair[0].last < pair[1].first && pair[0].probability() < pair[1].probability()
    }));
    let total = fit.iter().map(|block| (block.count, block.ones));
    let total = total.fold((0, 0), |sum, block| (sum.0 + block.0, sum.1 + block.1));
    assert_eq!(total, (levels.rounds(), levels.ones()));
    if levels.len() <= 8 {
        assert_eq!(fitted, least_score(levels));
    }
    assert!(!brier.miscalibration.is_negative() && !brier.discrimination.is_negative());
}

#[test]
fn small_tables_agree_with_the_definitions() {
    for levels in small_tables(3, 2).iter().chain(&small_tables(1, 5)) {
        check_all(levels);
    }
}

proptest! {
    #[test]
    fn awkward_rounds_agree_with_the_definitions(rounds in some_rounds(24)) {
        check_all(&levels_of(&rounds));
    }

    /// The order of rows, the width and a factor of all counts change nothing.
    #[test]
    fn only_shares_matter(rounds in some_rounds(12), bins in 1..=20_usize, factor in 2..50_u64) {
        let levels = levels_of(&rounds);
        let reversed: Vec<_> = rounds.iter().rev().cloned().collect();
        let mut others = at_every_width(&levels);
        others.extend([levels_of(&reversed), scaled(&levels, factor), scaled(&levels, 1 << 59)]);
        for other in others {
            for binning in BINNINGS {
                let [one, other] = [&levels, &other].map(|l| l.binned_ece(binning, bins));
                let (one, other) = (one.expect("few"), other.expect("few"));
                prop_assert_eq!(&one.value, &other.value);
                let key = |ece: &BinnedEce| {
                    let bins = ece.bins.iter();
                    bins.map(|bin| (bin.index, bin.mean(), bin.frequency())).collect::<Vec<_>>()
                };
                prop_assert_eq!(key(&one), key(&other));
            }
            prop_assert_eq!(levels.brier(), other.brier());
        }
    }
}

#[test]
fn edges_by_hand() {
    let places = |texts: &[&str], binning, bins| {
        let rounds = texts.iter().map(|text| (true, text.parse().expect("a prediction")));
        let ece = levels_of(&rounds.collect::<Vec<_>>()).binned_ece(binning, bins);
        ece.expect("few").bins.iter().map(|bin| (bin.index, bin.count)).collect::<Vec<_>>()
    };
    let width = |texts, bins| places(texts, Binning::EqualWidth, bins);
    assert_eq!(
        width(&["0", "0.1", "0.3", "0.6", "0.7", "1"], 10),
        [(0, 2), (2, 1), (5, 1), (6, 1), (9, 1)]
    );
    // The double next to 0.3 is less than 3/10, and the one after it is more.
    let doubles = |double: f64| {
        let levels = levels_of(&[(true, Prediction::try_from(double).expect("valid"))]);
        levels.binned_ece(Binning::EqualWidth, 10).expect("few").bins[0].index
    };
    assert_eq!((doubles(0.3), doubles(0.3_f64.next_up())), (2, 3));
    assert_eq!((doubles(5e-324), doubles(1.0)), (0, 9));
    assert_eq!(width(&["0", "1"], 1), [(0, 2)]);
    let mass = |texts, bins| places(texts, Binning::EqualMass, bins);
    assert_eq!(mass(&["0.1", "0.2", "0.3", "0.4"], 2), [(0, 2), (1, 2)]);
    assert_eq!(mass(&["0.1", "0.2", "0.2", "0.2", "0.9"], 2), [(0, 4), (1, 1)]);
    assert_eq!(mass(&["0.1", "0.2", "0.3", "0.4", "0.5"], 2), [(0, 3), (1, 2)]);
    assert_eq!(mass(&["0.5", "0.5", "0.5"], 3), [(1, 3)]);
    assert_eq!(mass(&["0.1", "0.2"], MAX_BINS), [(16383, 1), (49151, 1)]);
}

/// Without ties, bins of equal mass differ by one round at most.
#[test]
fn equal_mass_is_even() {
    for rounds in 1..=40_u64 {
        let rows: Vec<_> = (0..rounds).map(|k| (i128::from(k), 1, 0)).collect();
        let levels = table(40, &rows);
        for bins in 1..=rounds as usize {
            let ece = levels.binned_ece(Binning::EqualMass, bins).expect("few");
            assert_eq!(ece.bins.len(), bins);
            let counts = ece.bins.iter().map(|bin| bin.count);
            assert!(counts.clone().max() <= counts.min().map(|least| least + 1));
        }
    }
}

#[test]
fn the_number_of_bins_is_limited() {
    let levels = table(2, &[(1, 1, 1)]);
    for bins in [0, MAX_BINS + 1, usize::MAX] {
        assert_eq!(levels.binned_ece(Binning::EqualWidth, bins).expect_err("too many").bins, bins);
        assert!(levels.classical(bins).is_err());
    }
    let ece = levels.binned_ece(Binning::EqualWidth, MAX_BINS).expect("as many as there may be");
    assert_eq!(ece.bins[0].index, MAX_BINS / 2 - 1);
}

/// Tables at the very bound of their width: the largest sums there are.
#[test]
fn no_width_overflows() {
    fn at_the_bound<N: crate::Number>(rounds: u64)
    where
        AnyLevels: From<Levels<N>>,
    {
        let unit = (N::largest().expect("bounded") / rounds).div_floor(&4.into());
        let number = |integer: BigInt| N::from_bigint(&integer).expect("at most the unit");
        for (value, ones) in [(unit.clone(), 0), (unit.clone(), rounds), (0.into(), rounds)] {
            let row = Level { value: number(value.clone()), count: rounds, ones };
            let levels = Levels::new(number(unit.clone()), vec![row]).expect("at the bound");
            let levels = AnyLevels::from(levels);
            let wrong = (value == 0.into()) == (ones == rounds);
            assert_eq!(levels.brier().score, int(u8::from(wrong)));
            for binning in BINNINGS {
                assert_eq!(levels.binned_ece(binning, 3).expect("few").value, levels.brier().score);
            }
        }
    }
    for rounds in [1, 7, 1 << 14, 23_170] {
        at_the_bound::<i32>(rounds);
        at_the_bound::<i64>(rounds << 15);
        at_the_bound::<i128>(rounds << 45);
        at_the_bound::<ethnum::I256>(rounds << 48);
    }
}

/// Counts with no common multiple that could be written down: the fit's score, by a sum of its own
/// in fixed point, is within the stated error.
#[test]
fn counts_without_a_common_multiple() {
    // Frequencies about k/2000, so that every level is a block.
    let count = |k: u64| (1 << 52) + 2 * k * k + 1;
    let row = |k: u64| (i128::from(k), count(k), count(k) / 2000 * k);
    let rows: Vec<_> = (1..2000).map(row).collect();
    let levels = table(2000, &rows);
    let brier = levels.brier();
    assert_eq!(levels.isotonic_fit().len(), rows.len());
    assert!(brier.error.is_positive() && brier.error < ratio(1, 1 << 62).pow(3));
    assert_eq!(brier.score, &brier.miscalibration - &brier.discrimination + &brier.uncertainty);
    let mut low = BigInt::from(0);
    for (_, count, ones) in &rows {
        low += ((BigInt::from(*ones) * (count - ones)) << 400) / count;
    }
    let whole: BigInt = BigInt::from(levels.rounds()) << 400;
    let fitted = [low.clone(), low + rows.len()].map(|sum| BigRational::new(sum, whole.clone()));
    let [most, least] = fitted.map(|fitted| &brier.score - fitted);
    assert!(brier.miscalibration <= most && &brier.miscalibration + &brier.error >= least);
}
