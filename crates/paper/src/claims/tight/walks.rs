//! How much random subsets add to stepCE/2: the maximum of a walk.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::claims::appendix::error_vectors;
use crate::claims::tools::{binomials, int, levels_in_words, r, table_of, tables, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// The longest walk that is counted exactly: 120 · 2^120 < 2^128.
const LONGEST: usize = 120;

/// For T = 0, …, `longest`: how many of the 2^T walks of T steps, with `steps(t)` the two choices
/// at step t = 0, 1, …, stay within ±a.
fn staying(a: i32, longest: usize, steps: impl Fn(usize) -> [i32; 2]) -> Vec<u128> {
    let mut ways = vec![0_u128; usize::try_from(2 * a + 1).expect("a is not negative")];
    let index = |place: i32| usize::try_from(place + a).ok();
    ways[index(0).expect("0 is within")] = 1;
    let mut counts = vec![1];
    for t in 0..longest {
        let mut next = vec![0; ways.len()];
        for (place, count) in (-a..=a).zip(&ways) {
            for there in steps(t).map(|step| index(place + step)).into_iter().flatten() {
                if let Some(entry) = next.get_mut(there) {
                    *entry += count;
                }
            }
        }
        ways = next;
        counts.push(ways.iter().sum());
    }
    counts
}

/// E max_{t <= T} |walk at t| for T = 0, …, LONGEST: the sum over a >= 0 of the chance not to stay
/// within ±a.
fn expected_maxima(steps: impl Fn(usize) -> [i32; 2] + Copy) -> Vec<BigRational> {
    let mut leaving = vec![0_u128; LONGEST + 1];
    for a in 0..i32::try_from(LONGEST).expect("small") {
        for (rounds, stay) in staying(a, LONGEST, steps).into_iter().enumerate() {
            leaving[rounds] += (1 << rounds) - stay;
        }
    }
    let over =
        |(rounds, count): (usize, u128)| BigRational::new(count.into(), BigInt::one() << rounds);
    leaving.into_iter().enumerate().map(over).collect()
}

/// R_T for T = 0, …, LONGEST: the expected maximum of |S_t|, t <= T, for the simple walk.
fn simple_maxima() -> Vec<BigRational> {
    expected_maxima(|_| [-1, 1])
}

/// The partial sums of the errors with the signs of a choice.
fn partial_sums(errors: &[i64], choice: u32) -> impl Iterator<Item = i64> {
    let mut sum = 0;
    errors.iter().enumerate().map(move |(t, error)| {
        sum += if choice >> t & 1 == 1 { *error } else { -error };
        sum
    })
}

/// E max_t |ε_1 a_1 + … + ε_t a_t| over all signs.
fn signed_maximum(errors: &[i64]) -> BigRational {
    let largest = |choice| partial_sums(errors, choice).map(i64::abs).max().unwrap_or(0);
    let total: i64 = (0..1 << errors.len()).map(largest).sum();
    r(total, 1 << errors.len())
}

/// R_1, …, R_6 as stated; and R_T by counting walks that stay within bounds = R_T by all 2^T walks,
/// for T <= 12.
pub(super) fn first_maxima(evidence: &mut Evidence) {
    let maxima = simple_maxima();
    let stated = [r(1, 1), r(3, 2), r(7, 4), r(17, 8), r(19, 8), r(85, 32)];
    for (rounds, counted) in maxima.iter().enumerate().take(13).skip(1) {
        let literal = signed_maximum(&vec![1; rounds]);
        let end: i64 = (0..1_u32 << rounds)
            .map(|choice| partial_sums(&vec![1; rounds], choice).last().unwrap_or(0).abs())
            .sum();
        let end = r(end, 1 << rounds);
        let arithmetic = || {
            format!("T = {rounds}\nby counting: {counted}\nby all walks: {literal}\nE|S_T| = {end}")
        };
        let as_stated = stated.get(rounds - 1).is_none_or(|value| value == counted);
        evidence.case(*counted == literal && as_stated, arithmetic);
        evidence.mistake("the end of the walk", end == literal, arithmetic);
    }
}

/// R_T < √(πT/2); Lévy's R_T <= 2 E|S_T|; and E|S_T| <= √(2(T+1)/π).
pub(super) fn maxima_bounds(evidence: &mut Evidence) {
    let maxima = simple_maxima();
    for (rounds, maximum) in maxima.iter().enumerate().skip(1) {
        let steps = i64::try_from(rounds).expect("small");
        let row = binomials(u32::try_from(rounds).expect("small"));
        let ways: BigInt = (0..).zip(row).map(|(up, ways)| ways * i64::abs(2 * up - steps)).sum();
        let end = BigRational::new(ways, BigInt::one() << rounds);
        let square = |value: &BigRational| Enclosure::exact(&(value * value));
        let limit = Enclosure::pi() * Enclosure::ratio(steps, 2);
        let end_bound = Enclosure::from(2 * (steps + 1)) / Enclosure::pi();
        let below =
            |value: &BigRational, bound: &Enclosure| square(value).below(bound) == Some(true);
        let arithmetic = || {
            format!(
                "T = {rounds}\nR_T = {:.9}, sqrt(pi T/2) = {:.9}\nE|S_T| = {:.9}, sqrt(2(T+1)/pi) \
                    = {:.9}",
                Enclosure::exact(maximum),
                limit.sqrt(),
                Enclosure::exact(&end),
                end_bound.sqrt()
            )
        };
        let levy = *maximum <= &end * r(2, 1);
        evidence.case(below(maximum, &limit) && levy && below(&end, &end_bound), arithmetic);
        let closer =
            |percent: i64, bound: &Enclosure| bound * Enclosure::ratio(percent * percent, 10_000);
        let mistaken = below(maximum, &closer(96, &limit));
        evidence.mistake("96/100 of sqrt(pi/2)", mistaken, arithmetic);
        evidence.mistake("3/2 E|S_T|", *maximum <= &end * r(3, 2), arithmetic);
        let mistaken = below(&end, &closer(99, &end_bound));
        evidence.mistake("99/100 of sqrt(2(T+1)/pi)", mistaken, arithmetic);
    }
}

/// E max_t |Σ_{i <= t} ε_i a_i| <= R_T for a in [0, 1]^T. (It is even and convex in each a_i, so
/// that it is largest where all a_i = 1; the cases here show it on a grid.)
pub(super) fn largest_at_full_errors(evidence: &mut Evidence) {
    let maxima = simple_maxima();
    for errors in error_vectors(4) {
        let (maximum, bound) = (signed_maximum(&errors), &maxima[errors.len()] * r(4, 1));
        let arithmetic = || {
            format!("a = {errors:?}/4\nE max = {}\nR_T = {}", &maximum / r(4, 1), &bound / r(4, 1))
        };
        evidence.case(maximum <= bound, arithmetic);
        evidence.mistake("99/100 of R_T", maximum <= &bound * r(99, 100), arithmetic);
    }
}

/// stepCE^sub - stepCE/2.
fn excess(levels: &AnyLevels) -> BigRational {
    let [sub, step] = [Measure::StepCeSub, Measure::StepCe].map(|measure| value(levels, measure));
    sub - step / int(2)
}

/// stepCE^sub - stepCE/2 <= R_T/2.
pub(super) fn excess_at_most_half(evidence: &mut Evidence) {
    let maxima = simple_maxima();
    for levels in tables(4, 6) {
        let levels = AnyLevels::from(levels);
        let rounds = usize::try_from(levels.rounds()).expect("small");
        let (excess, bound) = (excess(&levels), &maxima[rounds] / r(2, 1));
        let arithmetic =
            || format!("{}\nexcess {excess}\nR_T/2 = {bound}", levels_in_words(&levels));
        evidence.case(excess <= bound, arithmetic);
        evidence.mistake("57/100 of it", excess <= &bound * r(57, 100), arithmetic);
    }
}

/// M ones predicted 0 and 2M zeros predicted 1: stepCE^sub = E max(J, |J - K|) with J ~ Bin(M, 1/2)
/// and K ~ Bin(2M, 1/2), and stepCE = M. The excess over √(3M) increases from M = 2 on, below its
/// limit 1/(2 √π).
pub(super) fn blocks(evidence: &mut Evidence) {
    let limit = Enclosure::ratio(1, 4) / Enclosure::pi(); // its square
    let mut before: Option<Enclosure> = None;
    for m in 1..=40_u32 {
        let levels = table_of([(r(0, 1), m.into(), m.into()), (r(1, 1), 2 * u64::from(m), 0)]);
        let mut total = BigInt::zero();
        for (j, ways) in (0..).zip(binomials(m)) {
            for (k, others) in (0_i64..).zip(binomials(2 * m)) {
                total += &ways * others * i64::max(j, (j - k).abs());
            }
        }
        let expected = BigRational::new(total, BigInt::one() << (3 * m));
        let excess = excess(&levels);
        let square = Enclosure::exact(&(&excess * &excess / r(3 * i64::from(m), 1)));
        let arithmetic = || {
            format!(
                "M = {m}\nexcess {excess}\nover sqrt(3M): {:.9}\nlimit {:.9}",
                square.sqrt(),
                limit.sqrt()
            )
        };
        let formula = excess == expected - r(m.into(), 2);
        let grows = before.as_ref().is_none_or(|before| before.below(&square) == Some(true));
        let placed = square.below(&limit) == Some(m > 1);
        evidence.case(formula && (m == 2 || grows) && placed, arithmetic);
        let within = square.below(&(&limit * Enclosure::ratio(99, 100))) == Some(true);
        evidence.mistake("99/100 of the limit", within || m == 1, arithmetic);
        evidence.mistake("decreasing", before.is_none() || !grows, arithmetic);
        before = Some(square);
    }
}

/// Subsets of x = (1, 0, 1, 0, …) at one prediction 1/2, in units of 1/2: the limit of distinct
/// predictions at 1/2.
fn alternating(t: usize) -> [i32; 2] {
    [0, if t.is_multiple_of(2) { 1 } else { -1 }]
}

/// The excess of T alternating outcomes whose distinct ascending predictions tend to 1/2 is (E
/// max - 1/2)/2, and over √T below √(π/32). It is the limit: predictions 1/2 + d_t change it by at
/// most Σ |d_t|, which is tried.
pub(super) fn alternating_family(evidence: &mut Evidence) {
    let maxima = expected_maxima(alternating);
    let limit = Enclosure::pi() / Enclosure::from(32); // its square
    for (rounds, maximum) in maxima.iter().enumerate().skip(1) {
        let steps = i64::try_from(rounds).expect("small");
        let excess = (maximum - r(1, 2)) / r(2, 1);
        let square = Enclosure::exact(&(&excess * &excess / r(steps, 1)));
        let mut holds = square.below(&limit) == Some(true) && !excess.is_negative();
        if rounds <= 8 {
            holds &= near_half(steps, &excess);
        }
        let arithmetic = || {
            format!(
                "T = {rounds}\nexcess over sqrt(T): {:.9}\nlimit {:.9}",
                square.sqrt(),
                limit.sqrt()
            )
        };
        evidence.case(holds, arithmetic);
        let less = square.below(&(&limit * Enclosure::ratio(79, 100))) == Some(true);
        evidence.mistake("79/100 of pi/32", less, arithmetic);
        let doubled = rounds > 8 || near_half(steps, &(&excess * r(2, 1)));
        evidence.mistake("twice the excess", doubled, arithmetic);
    }
}

/// Whether the excess of alternating outcomes at 1/2 + t/n is within Σ t/n of this one, for n = 100
/// and 10000.
fn near_half(rounds: i64, limit: &BigRational) -> bool {
    let sequence: Vec<_> = (1..=rounds).map(|t| (1, t % 2)).collect();
    [100, 10_000].into_iter().all(|n| {
        let (levels, moved) = beside_half(&sequence, n);
        (excess(&levels) - limit).abs() <= moved
    })
}

/// The table of a sequence of (twice the prediction, outcome), where the predictions 1/2 are moved
/// up by 1/n, 2/n, … in turn; and by how much in all.
fn beside_half(sequence: &[(i64, i64)], n: i64) -> (AnyLevels, BigRational) {
    let mut halves = 0;
    let mut moved = BigRational::zero();
    let row = |&(twice, outcome): &(i64, i64)| {
        let mut prediction = r(twice, 2);
        if twice == 1 {
            halves += 1;
            prediction += r(halves, n);
            moved += r(halves, n);
        }
        (prediction, 1, outcome.unsigned_abs())
    };
    (table_of(sequence.iter().map(row)), moved)
}

/// The excess of sequences of (twice the prediction, outcome) as distinct predictions, in this
/// order, tend to these, is as stated; predictions 1/2 + d_t change it by at most Σ |d_t|, which is
/// tried. In the limit every round at 1/2 is a level; those at 0 and 1 may count as such too, for
/// with all outcomes wrong the sum does not turn within them.
pub(super) fn limits_near_half(evidence: &mut Evidence) {
    let [one, zero, up, down] = [(0, 1), (2, 0), (1, 1), (1, 0)];
    let stated = [
        (vec![one, down, up, zero, zero], r(5, 8)),
        (vec![one, down, up, down, up, zero, zero], r(23, 32)),
        (vec![one, one, down, up, zero, zero, zero, zero], r(203, 256)),
    ];
    for (sequence, limit) in stated {
        let largest = |subset: u32| {
            let kept = sequence.iter().enumerate().filter(|(t, _)| subset >> t & 1 == 1);
            let mut sum: i64 = 0;
            let walk = kept.map(|(_, (twice, outcome))| {
                sum += 2 * outcome - twice;
                sum.abs()
            });
            walk.max().unwrap_or(0)
        };
        let subsets = 1_u32 << sequence.len();
        let mean = r((0..subsets).map(largest).sum(), 2 * i64::from(subsets));
        let found = mean - r(largest(subsets - 1), 4);
        let (levels, moved) = beside_half(&sequence, 1000);
        let near = excess(&levels);
        let arithmetic = || {
            let words = levels_in_words(&levels);
            format!("{words}\nexcess {near}, in the limit {found}\nmoved by {moved} in all")
        };
        let holds = |limit: &BigRational| found == *limit && (&near - limit).abs() <= moved;
        evidence.case(holds(&limit), arithmetic);
        let tied = table_of(sequence.iter().map(|(p, x)| (r(*p, 2), 1, x.unsigned_abs())));
        evidence.mistake("ties at 1/2", holds(&excess(&tied)), arithmetic);
    }
}

/// A lower bound for T = 1000: chances to stay within ±a, a < 100, in units of 2^-100 and rounded
/// up at every step.
pub(super) fn long_alternation(evidence: &mut Evidence) {
    const ROUNDS: usize = 1000;
    let one = 1_u128 << 100;
    let leaving = |a: i32| one - chance_to_stay(a, ROUNDS, one).min(one);
    let maximum: u128 = (0..100).map(leaving).sum();
    let excess = (BigRational::new(maximum.into(), one.into()) - r(1, 2)) / r(2, 1);
    let square = Enclosure::exact(&(&excess * &excess / r(1000, 1))).sqrt();
    let arithmetic = || format!("T = {ROUNDS}\nthe excess over sqrt(T) is at least {square:.6}");
    let at_least = |bound: Enclosure| bound.at_most(&square) == Some(true);
    evidence.case(at_least(Enclosure::ratio(3015, 10_000)), arithmetic);
    let more = at_least(Enclosure::ratio(3016, 10_000));
    evidence.mistake("0.3016", more, arithmetic);
}

/// An upper bound on the chance that the alternating walk stays within ±a.
fn chance_to_stay(a: i32, rounds: usize, one: u128) -> u128 {
    let mut chances = vec![0_u128; usize::try_from(2 * a + 1).expect("not negative")];
    let middle = chances.len() / 2;
    chances[middle] = one;
    for t in 0..rounds {
        let from = |place: usize| {
            if alternating(t)[1] > 0 { place.checked_sub(1) } else { Some(place + 1) }
        };
        let come = |place: usize| from(place).and_then(|from| chances.get(from)).copied();
        let next = |place: usize| (chances[place] + come(place).unwrap_or(0)).div_ceil(2);
        chances = (0..chances.len()).map(next).collect();
    }
    chances.iter().sum()
}
