//! Upper bounds for truthful forecasts: walks, nets and chaining.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::claims::tools::{
    ascending, binomial, binomial_law, commas, in_words, int, levels_of, outcomes, r, tables,
    unit_grid, value,
};
use truecal::Measure;
use truecal::definitions::Round;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// The nondecreasing sequences of so many multiples of 1/D.
fn nondecreasing(length: usize, denominator: i64) -> impl Iterator<Item = Vec<BigRational>> {
    let sequences = ascending(length, 0, denominator).into_iter();
    sequences.map(move |p| p.into_iter().map(|k| r(k, denominator)).collect())
}

/// The largest |Σ_{i <= t} (x_i - p_i)|.
fn largest_deviation(rounds: &[Round]) -> BigRational {
    let mut sum = BigRational::zero();
    let walk = rounds.iter().map(|(x, p)| {
        sum += int(u8::from(*x)) - p;
        sum.abs()
    });
    walk.max().unwrap_or_default()
}

/// For p in order and x_t ~ Bern(p_t) independent: stepCE <= max_t |X_t| on every path, P(max >= τ)
/// <= T/(4τ²) at every value τ of the maximum, and E max <= √T, which is the integral of
/// min(T/(4τ²), 1).
pub(super) fn product_walk(evidence: &mut Evidence) {
    for rounds in 1..=5 {
        for p in nondecreasing(rounds, 4) {
            let t = int(rounds);
            let mut below = true;
            let mut law: BTreeMap<BigRational, BigRational> = BTreeMap::new();
            for x in outcomes(rounds) {
                let path: Vec<Round> = x.into_iter().zip(p.iter().cloned()).collect();
                let chance: BigRational =
                    path.iter().map(|(x, p)| if *x { p.clone() } else { int(1) - p }).product();
                let largest = largest_deviation(&path);
                below &= value(&levels_of(&path), Measure::StepCe) <= largest;
                *law.entry(largest).or_default() += chance;
            }
            let mean: BigRational = law.iter().map(|(tau, chance)| tau * chance).sum();
            let tail = |factor: BigRational| {
                let beyond =
                    |tau: &BigRational| law.range(tau..).map(|(_, p)| p).sum::<BigRational>();
                law.keys().all(|tau| &factor * tau * tau * beyond(tau) <= t)
            };
            let show = || {
                let bounded = tail(int(4));
                format!("p = ({})\nE max = {mean}\ntail <= T/(4 tau^2): {bounded}", commas(&p))
            };
            let square = &mean * &mean;
            evidence.case(below && tail(int(4)) && square <= t, show);
            evidence.mistake("99/100 of T/(4 tau^2)", tail(r(400, 99)), show);
            evidence.mistake("E max <= sqrt(T)/2", int(4) * &square <= t, show);
        }
    }
}

/// stepCE = max_t |X_t| for p in order: fails if predictions are tied. Halves come first, to show
/// it with small numbers.
pub(super) fn ties(evidence: &mut Evidence) {
    for (rounds, denominator) in [2, 4].into_iter().flat_map(|d| (1..=4).map(move |t| (t, d))) {
        for p in nondecreasing(rounds, denominator) {
            let strict = p.windows(2).all(|pair| pair[0] < pair[1]);
            for x in outcomes(rounds) {
                let path: Vec<Round> = x.into_iter().zip(p.iter().cloned()).collect();
                let (largest, step) =
                    (largest_deviation(&path), value(&levels_of(&path), Measure::StepCe));
                evidence.case(step == largest, || {
                    format!("{}\nstepCE = {step}\nmax_t |X_t| = {largest}", in_words(&path))
                });
                evidence.corrected(
                    "stepCE <= max_t |X_t|, with equality for p_1 < ... < p_T",
                    step <= largest && (!strict || step == largest),
                );
            }
        }
    }
}

/// The fullest bin has M >= 1 points, and E M = 1 + Σ_{m >= 1} P(M > m). If M > m then some m+1 of
/// the T points, in rounds t_0 < … < t_m, share a bin. For one bin B: given everything before
/// round t_m, the last of them is in B with probability at most 1/T², whatever the earlier ones
/// did; so P(all of them in B) <= T^(-2) P(all but the last in B) <= … <= T^(-2m) P(the first in
/// B), by induction on m, for adaptive natures as for independent points. The bins are disjoint, so
/// that P(the first in B) adds up to at most 1 over B, and there are C(T, m+1) such sets of rounds.
/// So E M is at most 1 + Σ_{m >= 1} C(T, m+1) T^(-2m). (For independent points in T² equally likely
/// bins the bound on P(M > m) is compared with the exact one.)
///
/// The sum is at most 3/2 by evaluation for T <= 60. Beyond, and for every T: the first term is
/// 1/2 - 1/(2T), the others are at most T^(1-m) / (m+1)! <= (1/T) 4^(2-m) / 6 for m >= 2, since
/// T^(2-m) <= 1 and (m+1)! >= 6 4^(m-2); these add up to (2/9)/T.
pub(super) fn bin_counts(evidence: &mut Evidence) {
    for rounds in 1..=60_u64 {
        let bound = |m: u64| {
            let cells = BigInt::from(rounds).pow((2 * m).try_into().expect("small"));
            BigRational::new(binomial(rounds, m + 1), cells)
        };
        let terms: Vec<_> = (1..rounds).map(bound).collect();
        let expected: BigRational = terms.iter().sum::<BigRational>() + int(1);
        let t = int(rounds);
        let (first, rest): (BigRational, BigRational) =
            (terms.iter().take(1).sum(), terms.iter().skip(1).sum());
        let closed = first == r(1, 2) - r(1, 2) / &t && rest <= r(2, 9) / &t;
        let show = || format!("T = {rounds}\nE max bin count <= {expected}");
        evidence.case(expected <= r(3, 2) && closed, show);
        evidence.mistake("149/100", expected <= r(149, 100), show);
        evidence.mistake("C(T, 2) T^(-2) alone", rest.is_zero(), show);
    }
    for (rounds, sizes) in [(2_u32, 4_usize), (3, 9), (4, 16)] {
        let mut beyond = vec![0_u64; rounds as usize];
        for code in 0..sizes.pow(rounds) {
            let mut counts = vec![0; sizes];
            (0..rounds).for_each(|t| counts[code / sizes.pow(t) % sizes] += 1);
            let fullest: usize = *counts.iter().max().expect("bins");
            beyond[..fullest].iter_mut().for_each(|count| *count += 1);
        }
        let t = u64::from(rounds);
        // C(T, m+1) T^(-2m) of the T^(2T) ways, against those with M > m.
        let bound = |m: u32| binomial(t, u64::from(m) + 1) * BigInt::from(t).pow(2 * (rounds - m));
        let within = (1..rounds).all(|m| BigInt::from(beyond[m as usize]) <= bound(m));
        let show = || format!("T = {t}: {beyond:?} of T^(2T) ways have M > 0, 1, ...");
        evidence.case(within, show);
        let one_less = (1..rounds).all(|m| BigInt::from(beyond[m as usize]) * t <= bound(m));
        evidence.mistake("T^(-2m-1)", one_less, show);
    }
}

/// α < β: the step functions 1{p <= α} and 1{p <= β} differ by 1 at p = β, and nowhere by more.
/// They are constant on [0, α], (α, β] and (β, 1], and only the order of p, α and β matters: a few
/// numbers stand for all. A function whose value at p = β is v is at a distance of at least
/// max(|v|, |1 - v|) = 1/2 + |v - 1/2| from one of the two: affine pieces that meet at 0, 1/2 and
/// 1, seen at several points of each. So each of finitely many functions is within less than 1/2 of
/// one step function at most, and there are infinitely many of these. 1/2 itself is within 1/2 of
/// all of them.
pub(super) fn cover(evidence: &mut Evidence) {
    let step = |alpha: &BigRational, p: &BigRational| int(u8::from(p <= alpha));
    for (alpha, beta) in unit_grid(6).flat_map(|a| unit_grid(6).map(move |b| (a.clone(), b))) {
        if alpha >= beta {
            continue;
        }
        let differences = |apart: bool| {
            let points = unit_grid(12).filter(|p| (&alpha < p && p <= &beta) == apart);
            points.map(|p| (step(&alpha, &p) - step(&beta, &p)).abs()).max()
        };
        let (between, elsewhere) = (differences(true), differences(false));
        let show = || format!("alpha = {alpha}, beta = {beta}: distance {between:?}");
        evidence.case(between == Some(int(1)) && elsewhere.is_none_or(|d| d.is_zero()), show);
        let near = &beta - &alpha;
        evidence.mistake("distance beta - alpha", between == Some(near), show);
    }
    for v in unit_grid(12).flat_map(|v| [-&v, v.clone(), &v + int(1)]) {
        let farther = v.abs().max((int(1) - &v).abs());
        let closed = r(1, 2) + (&v - r(1, 2)).abs();
        let show = || format!("v = {v}: {farther} from 0 or 1");
        evidence.case(farther >= r(1, 2) && farther == closed, show);
        evidence.mistake("more than 1/2", farther > r(1, 2), show);
    }
}

/// 0 <= stepCE - (its maximum over multiples of ε) <= the most predictions in one (iε, (i+1)ε], in
/// units of 1/12.
pub(super) fn net(evidence: &mut Evidence) {
    for table in tables(3, 12) {
        let rows = table.table().rows();
        let sum_to = |alpha: i64| -> i64 {
            let chosen = rows.iter().filter(|level| level.value <= alpha);
            chosen.map(|level| level.bias(&12)).sum()
        };
        let step = (0..=12).map(|alpha| sum_to(alpha).abs()).max().expect("thresholds");
        for epsilon in [3, 4, 5, 6] {
            let points = (0..=12).step_by(epsilon);
            let on_net = points.map(|alpha| sum_to(alpha).abs()).max().expect("thresholds");
            let width = i64::try_from(epsilon).expect("small");
            let bin = |i: i64| -> u64 {
                let within = rows.iter().filter(|level| (level.value + width - 1) / width == i);
                within.map(|level| level.count).sum()
            };
            let fullest: u64 = (1..=12 / width + 1).map(bin).max().expect("bins");
            let lost = step - on_net;
            let show = || {
                let rounds = table.to_rational().to_rounds();
                format!(
                    "{}, epsilon = {epsilon}/12\n\
                     stepCE = {step}/12, on the net {on_net}/12\n\
                     fullest bin: {fullest}",
                    in_words(&rounds)
                )
            };
            let count = 12 * i64::try_from(fullest).expect("small");
            evidence.case((0..=count).contains(&lost), show);
            evidence.mistake("the net costs nothing", lost == 0, show);
            evidence.mistake("99/100 of the count", 100 * lost <= 99 * count, show);
        }
    }
}

/// {0, ε, 2ε, …, 1} contains 1 only if 1/ε is an integer.
pub(super) fn end_of_the_net(evidence: &mut Evidence) {
    for denominator in 1..=12_i64 {
        for numerator in 1..=denominator {
            let epsilon = r(numerator, denominator);
            let steps = int(denominator / numerator);
            let last = &steps * &epsilon;
            evidence.case(last.is_one(), || {
                format!(
                    "epsilon = {epsilon}\nthe last multiple that is <= 1: {steps} epsilon = {last}"
                )
            });
            let points = (0..=denominator).map(|k| int(k) * &epsilon).filter(|p| *p <= int(1));
            let size = int(points.count());
            evidence.corrected(
                "the last point is floor(1/eps) eps > 1 - eps, and there are floor(1/eps) + 1 \
                    points",
                &last + &epsilon > int(1) && size == steps + int(1),
            );
        }
    }
}

/// E max_{t <= T} |S_t| for the walk with fair steps ±1: the law of (position, largest so far), in
/// units of 2^-t.
fn expected_maximum(rounds: u32) -> BigRational {
    let mut law = BTreeMap::from([((0_i64, 0_i64), BigInt::one())]);
    for _ in 0..rounds {
        let mut next: BTreeMap<(i64, i64), BigInt> = BTreeMap::new();
        for ((at, largest), weight) in &law {
            for to in [at - 1, at + 1] {
                *next.entry((to, *largest.max(&to.abs()))).or_default() += weight;
            }
        }
        law = next;
    }
    let total: BigInt = law.iter().map(|((_, largest), weight)| weight * largest).sum();
    BigRational::new(total, BigInt::one() << rounds)
}

/// Y_i: the expected maximum of |S_n| over 2^i independent walks of n = T / 2^i steps.
fn block_maximum(length: u64, level: u32) -> BigRational {
    let mut law: BTreeMap<u64, BigRational> = BTreeMap::new();
    for (ups, mass) in (0_u64..).zip(binomial_law(length, &r(1, 2))) {
        *law.entry((2 * ups).abs_diff(length)).or_default() += mass;
    }
    let (mut below, mut mean, mut before) = (BigRational::zero(), BigRational::zero(), int(0));
    for (distance, mass) in law {
        below += mass;
        let all_below = (0..level).fold(below.clone(), |power, _| &power * &power);
        mean += int(distance) * (&all_below - before);
        before = all_below;
    }
    mean
}

/// √(factor n ln 2^exponent)
fn hoeffding(factor: &BigRational, length: u64, exponent: u32) -> Enclosure {
    let rational = factor * int(length) * int(exponent);
    (Enclosure::exact(&rational) * Enclosure::ln2()).sqrt()
}

/// R_T <= Σ Y_i and Y_i <= √(2 (T/2^i) ln 2^(i+1)), for T = 2^n.
pub(super) fn chaining(evidence: &mut Evidence) {
    for log in 0..=5_u32 {
        let rounds = 1_u64 << log;
        let blocks: Vec<_> = (0..=log).map(|i| block_maximum(rounds >> i, i)).collect();
        let (maximum, sum) = (expected_maximum(1 << log), blocks.iter().sum::<BigRational>());
        let bounded = |factor: BigRational| {
            let within = |(i, y): (u32, &BigRational)| {
                Enclosure::exact(y).at_most(&hoeffding(&factor, rounds >> i, i + 1)) == Some(true)
            };
            (0..).zip(&blocks).all(within)
        };
        let known = [r(1, 1), r(3, 2), r(17, 8), r(399, 128)];
        let as_known = known.get(log as usize).is_none_or(|known| *known == maximum);
        let show = || {
            let blocks: Vec<_> =
                blocks.iter().map(|y| format!("{:.4}", Enclosure::exact(y))).collect();
            format!(
                "T = {rounds}\nE max |S_t| = {:.4}\nY_i: {}",
                Enclosure::exact(&maximum),
                blocks.join(", ")
            )
        };
        evidence.case(as_known && maximum <= sum && bounded(int(2)), show);
        evidence.mistake("without the zeroth level", maximum <= &sum - &blocks[0], show);
        evidence.mistake("36/25 instead of 2 (1/ln 2 is enough here)", bounded(r(36, 25)), show);
    }
}

/// Σ_{i >= 0} √(2 · 2^-i ln 2^(i+1)) <= 7: forty terms, and after them each is at most 3/4 of the
/// one before, as (i+2) / (2(i+1)) <= 9/16 for i >= 7. So E max <= 7 √T.
pub(super) fn chaining_series(evidence: &mut Evidence) {
    let term = |i: u32| {
        let scale = BigRational::new(BigInt::from(i + 1), BigInt::one() << i);
        (Enclosure::from(2) * Enclosure::exact(&scale) * Enclosure::ln2()).sqrt()
    };
    let total = with_tail((0..40).map(term).collect());
    let show = || format!("sum over i of sqrt(2 2^-i ln 2^(i+1)) = {total:.4}");
    evidence.case(total.at_most(&Enclosure::from(7)) == Some(true), show);
    evidence.mistake("69/10", total.at_most(&Enclosure::ratio(69, 10)) == Some(true), show);
}

/// The sum of the terms and of a tail in which each is at most 3/4 of the one before: between 0 and
/// three times the last.
fn with_tail(terms: Vec<Enclosure>) -> Enclosure {
    let last = terms.last().expect("some terms").high();
    let tail = Enclosure::between(&int(0), &(int(3) * last));
    terms.into_iter().sum::<Enclosure>() + tail
}

/// Rounding p* to the nearest multiple k/√T in [0, 1] moves it by at most 1/√T. With a = p*² T, the
/// distance in units of 1/√T is |√a - k|, so that squares decide.
pub(super) fn rounding(evidence: &mut Evidence) {
    for rounds in (1..=40_u64).chain([3599]) {
        for p in unit_grid(30) {
            let a = &p * &p * int(rounds);
            // Half of the rounded-up 2√a is the nearest integer; no multiple exceeds √T.
            let nearest = ((int(4) * &a).to_integer().sqrt() + 1_u8) / 2_u8;
            let k = BigRational::from(nearest).min(int(rounds.isqrt()));
            let (above, below) = (&k + int(1), (&k - int(1)).max(int(0)));
            let show = || format!("T = {rounds}, p* = {p}\nrounded to {k}/sqrt(T)\np*^2 T = {a}");
            evidence.case(a <= &above * &above && a >= &below * &below, show);
            let (half, less) = (&k + r(1, 2), &k + r(99, 100));
            evidence.mistake("at most 1/(2 sqrt(T))", a <= half.pow(2), show);
            evidence.mistake("at most 99/100 of 1/sqrt(T)", a <= less.pow(2), show);
        }
    }
}

/// √T + √((T/2) ln(2(√T + 1))) <= (227/100) √(T ln T) for T >= 2: divided by √(T ln T), both terms
/// on the left fall as T grows, so that T = 2 decides; larger T are evaluated as well.
pub(super) fn minimax_bound(evidence: &mut Evidence) {
    for rounds in 2..=40_i64 {
        let t = Enclosure::from(rounds);
        let thresholds = t.sqrt() + Enclosure::from(1);
        let martingale = (&t / Enclosure::from(2) * (Enclosure::from(2) * thresholds).ln()).sqrt();
        let (left, right) = (t.sqrt() + martingale, (&t * t.ln()).sqrt());
        let within = |c: Enclosure| left.at_most(&(c * &right)) == Some(true);
        let show = || format!("T = {rounds}\nleft side {left:.4}\nsqrt(T ln T) = {right:.4}");
        evidence.case(within(Enclosure::ratio(227, 100)), show);
        evidence.mistake("226/100", within(Enclosure::ratio(226, 100)), show);
    }
}
