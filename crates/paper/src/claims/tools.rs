//! What the checks of several sections compute with.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};
pub(super) use truecal::rational::{int, ratio as r};
pub(super) use truecal_lab::optimum::outcomes;

use truecal::AnyLevels;
use truecal::Forecasts;
use truecal::Measure;
use truecal::definitions::Round;
use truecal::grid::grid_tables;
use truecal::{Level, Levels, Table};
use truecal_verify::registry::{Defect, Severity};

/// A check by a computation of its own: its title, scope and cases, and the function. The argument
/// for which the cases are enough stands there, so that it is named in what is printed.
macro_rules! finite {
    ($title:expr, $scope:expr, $covers:expr, $run:expr $(,)?) => {
        $crate::claims::Check::Finite($crate::claims::FiniteCheck {
            title: $title,
            scope: $scope,
            covers: $covers,
            run: $run,
            place: concat!(module_path!(), "::", stringify!($run)),
            proofs: &[],
        })
    };
}
pub(super) use finite;

/// Something false that has to be changed; what to write instead.
pub(super) const fn consequence(repair: &'static str) -> Option<Defect> {
    Some(Defect { severity: Severity::Consequence, repair })
}

/// A false step of a proof; what takes its place.
pub(super) const fn step(repair: &'static str) -> Option<Defect> {
    Some(Defect { severity: Severity::Step, repair })
}

/// What fails at an end of a range only; how to say it.
pub(super) const fn boundary(repair: &'static str) -> Option<Defect> {
    Some(Defect { severity: Severity::Boundary, repair })
}

/// A slip of the pen; what is meant.
pub(super) const fn slip(repair: &'static str) -> Option<Defect> {
    Some(Defect { severity: Severity::Slip, repair })
}

/// 0, 1/D, …, 1
pub(super) fn unit_grid(denominator: i64) -> impl Iterator<Item = BigRational> + Clone {
    (0..=denominator).map(move |numerator| r(numerator, denominator))
}

/// The number of ways to choose k of n.
pub(super) fn binomial(n: u64, k: u64) -> BigInt {
    num_integer::binomial(BigInt::from(n), BigInt::from(k))
}

/// All of them for one n: C(n, 0), …, C(n, n).
pub(super) fn binomials(n: impl Into<u64>) -> Vec<BigInt> {
    let n = n.into();
    (0..=n).map(|k| binomial(n, k)).collect()
}

/// P(X = 0), …, P(X = n) for X ~ Bin(n, p).
pub(super) fn binomial_law(n: impl Into<u64>, p: &BigRational) -> Vec<BigRational> {
    let mut law = vec![BigRational::one()];
    for _ in 0..n.into() {
        let mut next = vec![BigRational::zero(); law.len() + 1];
        for (k, mass) in law.iter().enumerate() {
            let up = mass * p;
            next[k] += mass - &up;
            next[k + 1] += up;
        }
        law = next;
    }
    law
}

/// E p^power for p uniform on [low, high], or at the point low = high.
pub(super) fn uniform_moment(low: &BigRational, high: &BigRational, power: u32) -> BigRational {
    let width = high - low;
    if width.is_zero() {
        return Pow::pow(low, power);
    }
    let antiderivative = |p: &BigRational| Pow::pow(p, power + 1) / BigInt::from(power + 1);
    (antiderivative(high) - antiderivative(low)) / width
}

/// Every nondecreasing sequence of so many numbers between two ends, in lexicographic order.
pub(super) fn ascending(length: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    let Some(rest) = length.checked_sub(1) else { return vec![vec![]] };
    let with_first = |first: i64| {
        ascending(rest, first, high).into_iter().map(move |mut sequence| {
            sequence.insert(0, first);
            sequence
        })
    };
    (low..=high).flat_map(with_first).collect()
}

/// Every way to write a total as an ordered sum of so many terms >= 0, at least one, in
/// lexicographic order.
pub(super) fn compositions(total: i64, terms: usize) -> Vec<Vec<i64>> {
    if terms == 1 {
        return vec![vec![total]];
    }
    let with_first = |first: i64| {
        let rest = compositions(total - first, terms - 1).into_iter();
        rest.map(move |rest| [&[first], &rest[..]].concat())
    };
    (0..=total).flat_map(with_first).collect()
}

/// `1/2,1`
pub(super) fn commas(items: impl IntoIterator<Item = impl ToString>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

/// Outcomes as text: `0,1,1`.
pub(super) fn listed(outcomes: &[bool]) -> String {
    commas(outcomes.iter().map(|x| u8::from(*x)))
}

/// `x=(0,1) p=(1/2,1)`
pub(super) fn in_words(rounds: &[Round]) -> String {
    let outcomes: Vec<_> = rounds.iter().map(|(x, _)| *x).collect();
    format!("x=({}) p=({})", listed(&outcomes), commas(rounds.iter().map(|(_, p)| p)))
}

/// `ones: 1 of 2 at 3/8, 0 of 1 at 1/2`: the ones among the rounds at each prediction.
pub(super) fn levels_in_words(levels: &AnyLevels) -> String {
    let rational = levels.to_rational();
    let rows = rational.table().rows().iter();
    let words = rows.map(|level| format!("{} of {} at {}", level.ones, level.count, level.value));
    format!("ones: {}", words.collect::<Vec<_>>().join(", "))
}

/// Every table with 1 to so many rounds on the grid, fewest rounds first.
pub(super) fn tables(rounds: u32, grid: u32) -> impl Iterator<Item = Levels<i64>> {
    (1..=rounds).flat_map(move |rounds| grid_tables(rounds, grid))
}

/// x_t - p_t for each round of a table, by ascending p_t.
pub(super) fn differences(table: Table<'_, i64>) -> Vec<BigRational> {
    let unit = *table.unit();
    let of_level = |level: &Level<i64>| {
        let (count, ones, value) = (level.count, level.ones, level.value);
        (0..count).map(move |t| r(i64::from(t < ones) * unit - value, unit))
    };
    table.rows().iter().flat_map(of_level).collect()
}

/// The table with these levels: the prediction, its count and its ones; a count of 0 adds nothing.
pub(super) fn table_of(rows: impl IntoIterator<Item = (BigRational, u64, u64)>) -> AnyLevels {
    let mut forecasts = Forecasts::new();
    for (value, count, ones) in rows {
        let prediction = value.try_into().expect("a probability");
        forecasts.push_level(prediction, count, ones).expect("few rounds");
    }
    forecasts.levels().expect("small denominators")
}

/// The table of a sequence.
pub(super) fn levels_of(rounds: &[Round]) -> AnyLevels {
    table_of(rounds.iter().map(|(x, p)| (p.clone(), 1, u64::from(*x))))
}

/// The value of a measure by its formula.
pub(super) fn value(levels: &AnyLevels, measure: Measure) -> BigRational {
    levels.evaluate(measure).value
}
