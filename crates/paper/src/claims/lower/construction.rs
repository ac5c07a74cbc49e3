//! The binary search that the nature performs: w_1 = 1/2, and w_(i+1) = w_i ± 2^-(i+3) as the mean
//! outcome of epoch i is at least w_i or not.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, Zero};

use crate::claims::tools::{int, listed, outcomes, r, uniform_moment};
use truecal_verify::registry::Evidence;

/// The longest search that is exhausted.
const MOST_EPOCHS: usize = 10;

/// 2^-(k+3), which is the largest c with this k, in units of [`search`].
const LARGEST_C: i64 = 4;

/// w_1, …, w_(k+1) in units of 2^-(k+5) for the decisions of epochs 1, …, k.
fn search(decisions: &[bool]) -> Vec<i64> {
    let mut step = 1_i64 << decisions.len(); // 2^-5 in units
    let mut places = vec![16 * step];
    step *= 2; // 2^-4 = 2^-(i+3) for i = 1
    for &up in decisions {
        let last = places[places.len() - 1];
        places.push(if up { last + step } else { last - step });
        step /= 2;
    }
    places
}

/// Every search with at most [`MOST_EPOCHS`] epochs, shortest first.
fn searches() -> impl Iterator<Item = (Vec<bool>, Vec<i64>)> {
    (1..=MOST_EPOCHS).flat_map(outcomes).map(|decisions| {
        let places = search(&decisions);
        (decisions, places)
    })
}

/// A number in units of [`search`].
fn in_units(number: i64, epochs: usize) -> BigRational {
    r(number, 1 << (epochs + 5))
}

/// "k = 2, decisions 0,1: w = 1/2, 7/16, 15/32"
fn shown(decisions: &[bool], places: &[i64]) -> String {
    let places: Vec<_> = places.iter().map(|&w| in_units(w, decisions.len()).to_string()).collect();
    format!("k = {}, decisions {}: w = {}", decisions.len(), listed(decisions), places.join(", "))
}

/// 1/2 + 1/4 + … + 2^-n = 1 - 2^-n, by induction on n: 1 - z + z/2 = 1 - z/2 for z = 2^-n, linear
/// in z. So after a step of length s any number of halved ones add up to less than s.
fn halves(evidence: &mut Evidence) {
    evidence.case(r(1, 2) == int(1) - r(1, 2), || "n = 1".to_owned());
    for z in [int(0), int(1)] {
        let next = int(1) - &z + &z / int(2);
        evidence.case(next == int(1) - &z / int(2), || format!("z = {z}: {next}"));
    }
}

/// |w_i - w_j| >= 2^-(k+3) for all k and i < j <= k + 1: the step away from w_i is 2^-(i+3), and
/// those up to w_j take back at most 2^-(i+4) + … + 2^-(j+2) = 2^-(i+3) - 2^-(j+2) (see
/// [`halves`]), which leaves 2^-(j+2) >= 2^-(k+3). And 2^-(k+3) >= c, as 2^k 8c <= 1 by the choice
/// of k. All searches with k <= 10 are tried.
pub(super) fn separation(evidence: &mut Evidence) {
    halves(evidence);
    for (decisions, places) in searches() {
        let mut sorted = places.clone();
        sorted.sort_unstable();
        let least = sorted.windows(2).map(|pair| pair[1] - pair[0]).min().expect("two places");
        let text = || {
            let least = in_units(least, decisions.len());
            format!("{}\nsmallest distance {least}", shown(&decisions, &places))
        };
        evidence.case(least >= LARGEST_C, text);
        evidence.mistake("a strict inequality", least > LARGEST_C, text);
    }
}

/// p*_t in [1/4, 3/4] for every t, with the largest c, for which the intervals are longest. The
/// epochs of the search pass, even with (3/8, 5/8); those of the last 4T/5 rounds do not.
pub(super) fn every_probability(evidence: &mut Evidence) {
    for (decisions, places) in searches() {
        let epochs = decisions.len();
        let c = in_units(LARGEST_C, epochs);
        for (i, &w) in places[..epochs].iter().enumerate() {
            let (low, high) = (w - LARGEST_C / 2, w + LARGEST_C / 2);
            let (low, high) = (in_units(low, epochs), in_units(high, epochs));
            let text = || {
                format!("{}\np* in [{low}, {high}] in epoch {}", shown(&decisions, &places), i + 1)
            };
            evidence.case(r(1, 4) <= low && high <= r(3, 4), text);
            evidence
                .corrected("p*_t in (3/8, 5/8) in epochs 1 to k", r(3, 8) < low && high < r(5, 8));
        }
        evidence.case(c >= r(1, 4), || {
            format!(
                "k = {epochs}, c = {c}: p*_t is in [0, {c}] for T/5 < t <= 3T/5, so it is below 1/4"
            )
        });
    }
}

/// The erratum's own witness: c = 1/16, round 3T/5.
pub(super) fn last_epoch_probability(evidence: &mut Evidence) {
    let c = r(1, 16);
    evidence.case(c >= r(1, 4), || {
        format!("c = {c}, t = 3T/5: p*_t is uniform on [0, {c}], which is below 1/4")
    });
    evidence.corrected("at k = 1, p*_t in [15/32, 17/32] for t <= T/5", {
        let w = search(&[true])[0];
        in_units(w - 2, 1) == r(15, 32) && in_units(w + 2, 1) == r(17, 32)
    });
}

/// w_i outside [α* - c, α* + c] for i <= k, for the largest c and for 3/4 of it.
pub(super) fn closed_interval(evidence: &mut Evidence) {
    for (decisions, places) in searches() {
        for c in [LARGEST_C, 3 * LARGEST_C / 4] {
            closed_interval_case(evidence, &decisions, &places, c);
        }
    }
}

fn closed_interval_case(evidence: &mut Evidence, decisions: &[bool], places: &[i64], c: i64) {
    let epochs = decisions.len();
    for (i, w) in places[..epochs].iter().enumerate() {
        let distance = (w - places[epochs]).abs();
        evidence.case(distance > c, || {
            let (distance, c) = (in_units(distance, epochs), in_units(c, epochs));
            format!("{}\nc = {c}\n|w_{} - alpha*| = {distance}", shown(decisions, places), i + 1)
        });
        evidence.corrected("w_i is outside the open interval", distance >= c && 2 * distance > c);
    }
}

/// The erratum's own witness: c = 1/16, α* = 9/16.
pub(super) fn closed_interval_witness(evidence: &mut Evidence) {
    closed_interval_case(evidence, &[true], &search(&[true]), LARGEST_C);
}

/// w_i < α* exactly if epoch i decided for up, that is if its mean outcome was at least w_i: for
/// all k, as the later steps do not take back the one away from w_i (w-separation, with its sign).
/// All searches with k <= 10 are tried.
pub(super) fn order(evidence: &mut Evidence) {
    halves(evidence);
    for (decisions, places) in searches() {
        let epochs = decisions.len();
        let agrees = |places: &[i64]| {
            (0..epochs).all(|i| {
                (places[i] < places[epochs]) == decisions[i] && places[i] != places[epochs]
            })
        };
        evidence.case(agrees(&places), || shown(&decisions, &places));
        let equal_steps = decisions.iter().fold(vec![0], |mut places, &up| {
            places.push(places[places.len() - 1] + if up { 1 } else { -1 });
            places
        });
        evidence
            .mistake("steps of equal length", agrees(&equal_steps), || shown(&decisions, &places));
    }
}

/// α* = w_(k+1) is above c and below 1 - c, so that the rounds of the last epoch up to 3T/5 are
/// below the threshold and the others above: for every k it is within 1/16 + 1/32 + … + 2^-(k+3) <
/// 1/8 of 1/2 (see [`halves`]), and c <= 1/16. In the first half p*_t is uniform on [0, c],
/// independently of α*, which the rounds before decide: so E x_t = E p*_t = c/2, a linear function
/// of c, whatever α* is. All searches with k <= 10 are tried.
pub(super) fn last_epoch(evidence: &mut Evidence) {
    halves(evidence);
    let nearest = r(1, 2) - r(1, 8);
    evidence.case(r(1, 16) < nearest, || format!("c = 1/16, alpha* > {nearest}"));
    for (decisions, places) in searches() {
        let epochs = decisions.len();
        let (c, alpha) = (in_units(LARGEST_C, epochs), in_units(places[epochs], epochs));
        let mean_outcome = uniform_moment(&BigRational::zero(), &c, 1);
        let bias = &mean_outcome - &c / int(2);
        let text = || format!("{}\nc = {c}, E (x_t - c/2) = {bias}", shown(&decisions, &places));
        evidence.case(c < alpha && alpha < int(1) - &c && bias.is_zero(), text);
        evidence.mistake("mean c instead of c/2", (&mean_outcome - &c).is_zero(), text);
    }
}

/// k = ⌊log2(1/(8c))⌋: the largest k with 2^k 8c <= 1.
pub(super) fn epochs_of(c: &BigRational) -> u32 {
    let room = (c * int(8)).recip();
    (0..).take_while(|&k| Pow::pow(&int(2), k) <= room).last().expect("c is at most 1/8")
}

/// k >= log2(1/c)/5. For log2(1/c) in [n, n+1), k = n - 3, and n - 3 >= (n+1)/5 is 4(n - 4) >= 0:
/// true for all n >= 4, and the linear function is checked at n = 4, 5, …, 40. The c in between are
/// those of the mistake.
pub(super) fn epochs_and_logarithm(evidence: &mut Evidence) {
    for n in 4..=40_i64 {
        let c = Pow::pow(&r(1, 2), n.unsigned_abs());
        let k = epochs_of(&c);
        let k = i64::from(k);
        evidence.case(k == n - 3 && 5 * k > n, || {
            format!("c = 2^-{n}: k = {k}, but log2(1/c) < {} nearby", n + 1)
        });
    }
    // A little above 1/32, where k = 1: k >= (a/b) log2(1/c) is 2^(kb) >= c^-a.
    let c = r(1025, 1 << 15);
    let k = epochs_of(&c);
    let at_least = |a: u32, b: u32| Pow::pow(&int(2), k * b) >= Pow::pow(c.recip(), a);
    evidence.case(at_least(1, 5), || format!("c = {c}: k = {k} < log2(1/c)/5"));
    evidence.mistake("101/100 of 1/5", at_least(101, 500), || {
        format!("c = {c}: k = {k}\n2^500 < (1/c)^101")
    });
}

/// "T is a multiple of 5k": impossible if 5k > T, as it is for c = 2^-T, T >= 4. With c' = max(c,
/// 2^-(⌊T/5⌋+3)), a prior of density at most 1/c' is one of density at most 1/c, 5k' <= T, more
/// than half of the rounds are used by the multiple of 5k' below T, and k' >= log2(1/c)/9 for all c
/// in [2^-T, 1/16].
fn divisibility_case(evidence: &mut Evidence, rounds: u32, bits: u32) {
    let c = Pow::pow(&r(1, 2), bits);
    let k = epochs_of(&c);
    evidence.case(5 * k <= rounds, || {
        format!("T = {rounds}, c = 2^-{bits}: k = {k}\nno multiple of 5k = {} is at most T", 5 * k)
    });
    if rounds >= 5 {
        let larger = c.clone().max(Pow::pow(&r(1, 2), rounds / 5 + 3));
        let fewer = epochs_of(&larger);
        let used = rounds - rounds % (5 * fewer);
        evidence.corrected(
            "for T >= 5 and c' = max(c, 2^-(floor(T/5)+3)): 5k' <= T, and k' >= log2(1/c)/9",
            larger >= c
                && fewer >= 1
                && 5 * fewer <= rounds
                && 2 * used > rounds
                && 9 * fewer >= bits,
        );
    }
}

/// See [`divisibility_case`].
pub(super) fn divisibility(evidence: &mut Evidence) {
    for rounds in 4..=40 {
        for bits in 4..=rounds {
            divisibility_case(evidence, rounds, bits);
        }
    }
}

/// The erratum's own witness: T = 10, c = 2^-10.
pub(super) fn divisibility_witness(evidence: &mut Evidence) {
    divisibility_case(evidence, 10, 10);
}

/// p(1-p) - 3/16 = (p - 1/4)(3/4 - p): an identity of degree 2, which 13 points prove, and a
/// product that is not negative on [1/4, 3/4].
pub(super) fn variance(evidence: &mut Evidence) {
    for p in (0..=12).map(|i| r(i, 12)) {
        let excess = &p * (int(1) - &p) - r(3, 16);
        let product = (&p - r(1, 4)) * (r(3, 4) - &p);
        let inside = r(1, 4) <= p && p <= r(3, 4);
        let text = || format!("p = {p}: p(1-p) - 3/16 = {excess}, (p-1/4)(3/4-p) = {product}");
        evidence.case(excess == product && (!inside || !excess.is_negative()), text);
        evidence.mistake("101/100 of 3/16", !inside || excess >= r(3, 1600), text);
    }
}

/// (k sqrt(n))² = k² n = Tk/5 for T = 5kn: an identity of degree 2 in k and 1 in n, proved by 12
/// times 12 points.
pub(super) fn sum_of_roots(evidence: &mut Evidence) {
    for k in 1..=12_i64 {
        for n in 1..=12_i64 {
            let rounds = 5 * k * n;
            let square = BigInt::from(k * k * n);
            let text = || format!("k = {k}, |T_i| = {n}, T = {rounds}: (k sqrt(n))^2 = {square}");
            evidence.case(&square * 5 == BigInt::from(rounds * k), text);
            evidence.mistake("sqrt(T/5)", &square * 5 == rounds * BigInt::one(), text);
        }
    }
}

/// The mean outcome of rounds with p* uniform on [1-c, 1] is 1 - c/2; p* itself varies by c²/12.
/// Polynomials of degree 2 in c.
pub(super) fn near_one(evidence: &mut Evidence) {
    for c in (1..=4).map(|i| r(i, 64)) {
        let (low, high) = (int(1) - &c, int(1));
        let mean = uniform_moment(&low, &high, 1);
        let spread = uniform_moment(&low, &high, 2) - &mean * &mean;
        let show =
            || format!("c = {c}, p* uniform on [{low}, 1]: E p* = {mean}, Var p* = {spread}");
        evidence.case(mean == int(1) - &c / int(2) && spread == &c * &c / int(12), show);
        evidence.mistake("p* is its mean", spread.is_zero(), show);
    }
}
