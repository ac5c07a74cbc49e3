//! Checks of the nature with T/2 rounds at 1/5 and T/2 at 4/5 (L701-796), by exact binomial sums.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow, Zero};

use super::binomial::{Binomial, complement};
use crate::claims::tools::{int, r, table_of, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// What is forecast in the two halves.
#[derive(Clone, Copy)]
pub(super) enum Forecast {
    /// 1/5 and 4/5, the true probabilities.
    Truthful,
    /// 2/5 and 3/5.
    Hedged,
}

/// Rounds and ones of one half.
pub(super) type Half = (u64, u64);

/// The level table of both halves.
pub(super) fn table(forecast: Forecast, low: Half, high: Half) -> AnyLevels {
    let shift = match forecast {
        Forecast::Truthful => 1,
        Forecast::Hedged => 2,
    };
    table_of([(r(shift, 5), low.0, low.1), (r(5 - shift, 5), high.0, high.1)])
}

/// The law of each half when all rounds count.
fn whole_halves(rounds: u64) -> [Vec<(Half, BigRational)>; 2] {
    let law = |p: &BigRational| {
        let binomial = Binomial::new(rounds / 2, p);
        binomial.probabilities().map(|(ones, weight)| ((rounds / 2, ones), weight)).collect()
    };
    [r(1, 5), r(4, 5)].map(|p| law(&p))
}

/// The law of each half of a random subset.
fn sampled_halves(rounds: u64) -> [Vec<(Half, BigRational)>; 2] {
    let law = |p: &BigRational| -> Vec<(Half, BigRational)> {
        let kept = Binomial::new(rounds / 2, &r(1, 2));
        let given = |(count, weight): (u64, BigRational)| {
            let ones = Binomial::new(count, p);
            let joint = ones.probabilities().map(|(ones, w)| ((count, ones), w * &weight));
            joint.collect::<Vec<_>>()
        };
        kept.probabilities().flat_map(given).collect()
    };
    [r(1, 5), r(4, 5)].map(|p| law(&p))
}

/// The expected measure of the forecast, over independent halves.
fn expected(
    [low, high]: &[Vec<(Half, BigRational)>; 2],
    forecast: Forecast,
    measure: Measure,
) -> BigRational {
    let given_low = |&(half, ref weight): &(Half, BigRational)| -> BigRational {
        let terms =
            high.iter().map(|(other, w)| value(&table(forecast, half, *other), measure) * w);
        terms.sum::<BigRational>() * weight
    };
    low.iter().map(given_low).sum()
}

/// z >= (2048/3125) sqrt(T/10) / divisor. At T = 10 this is E |X - 1| for X ~ Bin(5, 1/5).
pub(super) fn beyond_root(z: &BigRational, rounds: u64, divisor: i64) -> bool {
    let scaled = z * int(divisor);
    &scaled * &scaled >= r(2048, 3125) * r(2048, 3125) * int(rounds) / int(10)
}

/// 2 e^(-T/25) + 2 e^(-T/50), the bound on the failure probability.
pub(super) fn failure_bound(rounds: u64) -> Enclosure {
    let t = i64::try_from(rounds).expect("a small T");
    let two = Enclosure::from(2);
    &two * Enclosure::ratio(-t, 25).exp() + &two * Enclosure::ratio(-t, 50).exp()
}

fn at_most(number: &BigRational, bound: &Enclosure) -> bool {
    Enclosure::exact(number).at_most(bound) == Some(true)
}

/// The expected penalties of both forecasts for T <= 40. For every T: the truthful one is
/// `simple-truthful-lower`, and the hedged one is at most 4T/5 ([`largest`]) where one of the three
/// inequalities fails and 0 elsewhere ([`equivalence`], [`three_tails`]).
pub(super) fn gap(evidence: &mut Evidence) {
    for rounds in (2..=40_u64).step_by(2) {
        let halves = whole_halves(rounds);
        let [truthful, hedged] = [Forecast::Truthful, Forecast::Hedged]
            .map(|forecast| expected(&halves, forecast, Measure::VCal));
        let words = || {
            let [a, b] = [&truthful, &hedged].map(Enclosure::exact);
            format!("T = {rounds}\nE VCal: truthful {a:.6}, hedged {b:.6}")
        };
        let largest = Enclosure::exact(&(r(4, 5) * int(rounds)));
        let small = at_most(&hedged, &(largest * failure_bound(rounds)));
        evidence.case(beyond_root(&truthful, rounds, 1) && small, words);
        evidence.mistake("2 k sqrt(T)", beyond_root(&(&truthful / int(2)), rounds, 1), words);
        let sharper = Enclosure::ratio(-i64::try_from(rounds).expect("a small T"), 10).exp();
        evidence.mistake("hedged at most e^(-T/10)", at_most(&hedged, &sharper), words);
    }
}

/// The same for a random subset, T <= 14: at least half of the first bound, and at most
/// (8T/5)(0.951^(T/2) + 0.977^(T/2)). For every T: the first is `simple-truthful-sub`. As in
/// [`equivalence`], with N_1 and N_2 for T/2, VCal is 0 unless X_1 > 2 N_1/5 or X < 2 N/5 for N =
/// N_1 + N_2, X = X_1 + X_2, or the mirror image of either happens (see [`sampled_tails`]), and
/// never more than 4T/5.
pub(super) fn sampled_gap(evidence: &mut Evidence) {
    for rounds in (2..=14_u64).step_by(2) {
        let halves = sampled_halves(rounds);
        let [truthful, hedged] = [Forecast::Truthful, Forecast::Hedged]
            .map(|forecast| expected(&halves, forecast, Measure::VCal));
        let words = || {
            let [a, b] = [&truthful, &hedged].map(Enclosure::exact);
            format!("T = {rounds}\nE VCal^sub: truthful {a:.6}, hedged {b:.6}")
        };
        let half = i32::try_from(rounds / 2).expect("a small T");
        let powers: BigRational =
            SAMPLED_BASES.map(|base| Pow::pow(r(base, 1000), half)).iter().sum();
        let bound = r(8, 5) * int(rounds) * powers;
        evidence.case(beyond_root(&truthful, rounds, 2) && hedged <= bound, words);
        let mistake = beyond_root(&(&truthful / int(3)), rounds, 2);
        evidence.mistake("(3k/2) sqrt(T) for (k/2) sqrt(T)", mistake, words);
    }
}

/// P(X_1 > 2 N_1/5) <= 0.951^(T/2) and P(X < 2 N/5) <= 0.977^(T/2) on a random subset, in
/// thousandths.
const SAMPLED_BASES: [i64; 2] = [951, 977];

/// The two probabilities exactly for T <= 200.
///
/// For every T: by Markov's inequality, P(5 X_1 - 2 N_1 > 0) <= E (6/5)^(5 X_1 - 2 N_1) and P(2N -
/// 5X > 0) <= E (11/10)^(2N - 5X). A round counts with probability 1/2, so that these are products
/// of T/2 equal factors.
pub(super) fn sampled_tails(evidence: &mut Evidence) {
    // The mean of 1 for a round that does not count, u^one for a one (its probability is share/5),
    // u^zero for a zero.
    let factor = |u: BigRational, share: i64, one: i32, zero: i32| {
        let powers = int(share) * Pow::pow(&u, one) + int(5 - share) * Pow::pow(&u, zero);
        r(1, 2) + powers / int(10)
    };
    let rho = factor(r(6, 5), 1, 3, -2);
    let sigma = factor(r(11, 10), 1, -3, 2) * factor(r(11, 10), 4, -3, 2);
    let [first, both] = SAMPLED_BASES.map(|base| r(base, 1000));
    evidence.case(rho < first && sigma < both, || format!("{rho}\n{sigma}"));
    let mut walks = [HalvesWalk::new(), HalvesWalk::new()];
    for half in 1..=100_i32 {
        walks[0].step(1, 3, -2);
        walks[1].step(1, -3, 2);
        walks[1].step(4, -3, 2);
        let [one, two] = [&walks[0], &walks[1]].map(HalvesWalk::positive);
        let words = || {
            let [one, two] = [&one, &two].map(Enclosure::exact);
            let t = 2 * half;
            format!("T = {t}\nP(X_1 > 2 N_1/5) = {one:.8}, P(X < 2 N/5) = {two:.8}")
        };
        let within =
            |probability: &BigRational, base: i64| *probability <= Pow::pow(r(base, 1000), half);
        evidence.case(within(&one, SAMPLED_BASES[0]) && within(&two, SAMPLED_BASES[1]), words);
        evidence.mistake("0.928 for 0.951", within(&one, 928), words);
        evidence.mistake("0.957 for 0.977", within(&two, 957), words);
    }
}

/// The law of a sum of independent steps, as integer weights.
struct HalvesWalk {
    weights: BTreeMap<i64, BigInt>,
    total: BigInt,
}

impl HalvesWalk {
    fn new() -> Self {
        HalvesWalk { weights: BTreeMap::from([(0, BigInt::one())]), total: BigInt::one() }
    }

    /// One more round: none with probability 1/2, otherwise `one` with probability share/5 and
    /// `zero` in the other case.
    fn step(&mut self, share: i64, one: i64, zero: i64) {
        let mut next = BTreeMap::<i64, BigInt>::new();
        for (at, weight) in &self.weights {
            for (step, share) in [(0, 5), (one, share), (zero, 5 - share)] {
                *next.entry(at + step).or_default() += weight * share;
            }
        }
        self.weights = next;
        self.total *= 10;
    }

    /// P(sum > 0)
    fn positive(&self) -> BigRational {
        BigRational::new(
            self.weights.range(1..).map(|(_, weight)| weight).sum(),
            self.total.clone(),
        )
    }
}

/// The exact probability of each failure against its term of the bound, which for every T is
/// Hoeffding's: T/10 away from the mean, with T/2 independent rounds or, for the sum, T.
pub(super) fn three_tails(evidence: &mut Evidence) {
    for rounds in (2..=200_u64).step_by(2) {
        let t = i64::try_from(rounds).expect("a small T");
        let [low, high] = [r(1, 5), r(4, 5)].map(|p| Binomial::new(rounds / 2, &p));
        let first = low.above(t / 5);
        let second = complement(&high.above((3 * t + 9) / 10 - 1));
        let sum = low.sum_above(&high, 3 * t / 5)
            + complement(&low.sum_above(&high, (2 * t + 4) / 5 - 1));
        let words = || {
            let [a, b, c] = [&first, &second, &sum].map(Enclosure::exact);
            format!("T = {rounds}\nP(X_1 > T/5) = {a:.8}, P(X_2 < 3T/10) = {b:.8}\nP(sum) = {c:.8}")
        };
        let single = Enclosure::ratio(-t, 25).exp();
        let double = Enclosure::from(2) * Enclosure::ratio(-t, 50).exp();
        let each = at_most(&first, &single) && at_most(&second, &single) && at_most(&sum, &double);
        evidence.case(each && at_most(&(&first + &second + &sum), &failure_bound(rounds)), words);
        evidence.mistake(
            "e^(-T/15) for X_1",
            at_most(&first, &Enclosure::ratio(-t, 15).exp()),
            words,
        );
        let sharper = Enclosure::from(2) * Enclosure::ratio(-t, 24).exp();
        evidence.mistake("2 e^(-T/24) for the sum", at_most(&sum, &sharper), words);
    }
}

/// VCal = 2 max{0, A, B, C, D}, with A = X_1 - T/5, B = 3T/10 - X_2, C = 2T/5 - X_1 - X_2, D =
/// X_1 + X_2 - 3T/5, and so VCal = 0 exactly when the three inequalities hold.
///
/// For every T: g is a maximum of a falling and a rising function on each of the three intervals
/// without predictions, its limits there are A, B, C, D (and 0 at the ends of [0, 1]), and its
/// values at 2/5 and 3/5 are less than A or B, or 0.
pub(super) fn equivalence(evidence: &mut Evidence) {
    for rounds in (2..=40_u64).step_by(2) {
        for low in 0..=rounds / 2 {
            for high in 0..=rounds / 2 {
                let halves = ((rounds / 2, low), (rounds / 2, high));
                let v = value(&table(Forecast::Hedged, halves.0, halves.1), Measure::VCal);
                let (t, sum) = (int(rounds), int(low + high));
                let limits = [
                    int(low) - &t / int(5),
                    r(3, 10) * &t - int(high),
                    r(2, 5) * &t - &sum,
                    &sum - r(3, 5) * &t,
                ];
                let [outer, all] = [&limits[..2], &limits]
                    .map(|limits| limits.iter().all(|limit| *limit <= int(0)));
                let largest = limits.iter().fold(int(0), |most, limit| most.max(limit.clone()));
                let words = || format!("T = {rounds}, X_1 = {low}, X_2 = {high}\nVCal = {v}");
                evidence.case(v == int(2) * largest && v.is_zero() == all, words);
                evidence.mistake("without the third inequality", v.is_zero() == outer, words);
                let strict = all && limits[2..].iter().all(|limit| *limit < int(0));
                evidence.mistake("2T/5 < X_1 + X_2 < 3T/5", v.is_zero() == strict, words);
            }
        }
    }
}

/// The largest VCal and UCal of the hedged forecasts: 4T/5 and 7T/5, for T <= 30.
///
/// For every T: both are largest regrets, for fixed forecasts affine in (X_1, X_2) for each rule
/// and each constant forecast, and so convex. They are largest at a corner, where X_1 and X_2 are 0
/// or T/2, and there T/2 times as large as at T = 2.
pub(super) fn largest(evidence: &mut Evidence) {
    for rounds in (2..=30_u64).step_by(2) {
        let half = rounds / 2;
        let pairs = (0..=half).flat_map(|low| (0..=half).map(move |high| (low, high)));
        let tables: Vec<_> =
            pairs.map(|(low, high)| table(Forecast::Hedged, (half, low), (half, high))).collect();
        let [v, u] = [Measure::VCal, Measure::UCal].map(|measure| {
            tables.iter().map(|table| value(table, measure)).max().expect("some outcomes")
        });
        let words = || format!("T = {rounds}\nmax VCal = {v}, max UCal = {u}");
        let t = int(rounds);
        evidence.case(v == r(4, 5) * &t && u == r(7, 5) * &t, words);
        evidence.mistake("UCal <= T as well", u <= t, words);
        evidence.mistake("VCal <= 3T/5, between 2/5 and 3/5 only", v <= r(3, 5) * &t, words);
    }
}

/// The means of counts and ones in each half of a random subset. At T = 2 each half is one round,
/// and means add up: that case implies all others, of which some are summed as well.
pub(super) fn moments(evidence: &mut Evidence) {
    for rounds in (2..=14_u64).step_by(2) {
        let t = int(rounds);
        for (law, ones_mean) in sampled_halves(rounds).iter().zip([r(1, 20), r(1, 5)]) {
            let mean = |pick: fn(&Half) -> u64| -> BigRational {
                law.iter().map(|(half, weight)| int(pick(half)) * weight).sum()
            };
            let (count, ones) = (mean(|half| half.0), mean(|half| half.1));
            let words = || format!("T = {rounds}\nE N = {count}, E X = {ones}");
            evidence.case(count == &t / int(4) && ones == &ones_mean * &t, words);
            evidence.mistake("as without sampling", ones == int(2) * &ones_mean * &t, words);
        }
    }
}
