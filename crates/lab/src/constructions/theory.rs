//! What the paper and the catalogue say of the penalties, with explicit constants.

use num_rational::BigRational;
use num_traits::{One, Pow, Zero};

use super::{Bound, Side};
use crate::enclosure::Enclosure;
use crate::nature::Blocks;
use crate::natures::{self, Epochs, r};
use truecal::Measure;
use truecal::rational::int;

type Bounds = [Option<Bound>; 2];

const NONE: Bounds = [None, None];

fn at_least(value: Enclosure, formula: &'static str) -> Option<Bound> {
    Some(Bound { side: Side::AtLeast, value, formula })
}

fn at_most(value: Enclosure, formula: &'static str) -> Option<Bound> {
    Some(Bound { side: Side::AtMost, value, formula })
}

fn equal(value: &BigRational, formula: &'static str) -> Option<Bound> {
    Some(Bound { side: Side::Equal, value: Enclosure::exact(value), formula })
}

fn signed(rounds: u64) -> i64 {
    i64::try_from(rounds).expect("at most a million rounds")
}

/// T
fn whole(rounds: u64) -> Enclosure {
    Enclosure::from(signed(rounds))
}

/// a/b · √T
fn root(rounds: u64, a: i64, b: i64) -> Enclosure {
    Enclosure::ratio(a, b) * whole(rounds).sqrt()
}

/// e^(-T/b)
fn decay(rounds: u64, b: i64) -> Enclosure {
    Enclosure::ratio(-signed(rounds), b).exp()
}

/// The truthful penalty is 2 E|X - T/4| >= √T/2. The other one is at most 6/5 unless there are
/// fewer than T/8 or more than 5T/16 ones.
pub(super) fn patch_up(rounds: u64, measure: Measure) -> Bounds {
    let two_t = Enclosure::from(2) * whole(rounds);
    let rare = two_t * (decay(rounds, 16) + decay(rounds, 64));
    match measure {
        Measure::UCal => [
            at_least(root(rounds, 1, 2), "sqrt(T)/2"),
            at_most(Enclosure::ratio(6, 5) + rare, "6/5 + 2T (e^(-T/16) + e^(-T/64))"),
        ],
        _ => NONE,
    }
}

/// At eps = 1/8.
pub(super) fn discontinuity(rounds: u64, measure: Measure) -> Bounds {
    let t = r(signed(rounds), 1);
    let zero = equal(&BigRational::zero(), "0");
    match measure {
        Measure::UCal => [equal(&(t * r(5, 4)), "(1 + 2 eps) T"), zero],
        Measure::VCal => [equal(&(t * r(5, 8)), "(1/2 + eps) T"), zero],
        Measure::SmCe => [equal(&(t * r(5, 64)), "eps (1/2 + eps) T"), zero],
        _ => NONE,
    }
}

/// With eps <= 1/(8 √T).
pub(super) fn binary_search(rounds: u64, measure: Measure) -> Bounds {
    let t = |denominator: i64| Enclosure::ratio(signed(rounds), denominator);
    match measure {
        Measure::VCal => [at_least(t(4), "T/4"), at_most(root(rounds, 5, 4), "5 sqrt(T)/4")],
        Measure::UCal => [at_least(t(4), "T/4"), at_most(root(rounds, 5, 2), "5 sqrt(T)/2")],
        Measure::VCalSub => [at_least(t(8), "T/8"), at_most(root(rounds, 5, 4), "5 sqrt(T)/4")],
        Measure::UCalSub => [at_least(t(8), "T/8"), at_most(root(rounds, 5, 2), "5 sqrt(T)/2")],
        _ => NONE,
    }
}

/// The truth is 0 and 1, so that every measure is 0.
pub(super) fn hidden_bias(rounds: u64, measure: Measure) -> Bounds {
    let zero = || equal(&BigRational::zero(), "0");
    let n = best_zeros(rounds);
    let harmonic: BigRational = (n + 1..=rounds).map(|j| r(signed(n), signed(j))).sum();
    match measure {
        Measure::UCal | Measure::VCal => [zero(), zero()],
        Measure::StepCe => [zero(), equal(&harmonic, "n (H_T - H_n), the best n")],
        Measure::Ece
        | Measure::SmCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::Cdl
        | Measure::StepCeSub
        | Measure::VCalSub
        | Measure::UCalSub
        | Measure::Ssce => [zero(), None],
    }
}

/// MAD(Bin(n, 1/5)) >= (2048/3125) √(n/5), and the three inequalities of L741.
pub(super) fn hedging(rounds: u64, measure: Measure) -> Bounds {
    let two = Enclosure::from(2);
    let failure = &two * decay(rounds, 25) + &two * decay(rounds, 50);
    let deviation = Enclosure::ratio(2048, 3125) * Enclosure::ratio(signed(rounds), 10).sqrt();
    let t = |a: i64| Enclosure::ratio(a * signed(rounds), 5);
    match measure {
        Measure::VCal => [
            at_least(deviation, "0.293 sqrt(T/2)"),
            at_most(t(4) * failure, "(8T/5)(e^(-T/25) + e^(-T/50))"),
        ],
        Measure::UCal => [
            at_least(deviation, "0.293 sqrt(T/2)"),
            at_most(t(7) * failure, "(14T/5)(e^(-T/25) + e^(-T/50))"),
        ],
        Measure::VCalSub => {
            let half = i32::try_from(rounds / 2).expect("a small T");
            let powers = Pow::pow(r(951, 1000), half) + Pow::pow(r(977, 1000), half);
            [
                at_least(deviation * Enclosure::ratio(1, 2), "0.293 sqrt(T/2)/2"),
                at_most(t(8) * Enclosure::exact(&powers), "(8T/5)(0.951^(T/2) + 0.977^(T/2))"),
            ]
        }
        _ => NONE,
    }
}

/// The hedging forecaster pays as without noise, since it does not look at p*. The constants 0.17
/// and 0.11 belong to noise of 1/20, and are checked for even T from 8 to 512 (`smooth-constants`),
/// not proved for every T.
pub(super) fn smoothed_hedging(rounds: u64, measure: Measure) -> Bounds {
    let [_, hedged] = hedging(rounds, measure);
    let cube_root = (whole(rounds).ln() * Enclosure::ratio(1, 3)).exp();
    let truthful = match measure {
        Measure::VCal | Measure::UCal => {
            at_least(Enclosure::ratio(17, 100) * cube_root, "0.17 T^(1/3)")
        }
        Measure::VCalSub | Measure::UCalSub => {
            at_least(Enclosure::ratio(11, 100) * cube_root, "0.11 T^(1/3)")
        }
        Measure::Ece
        | Measure::SmCe
        | Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::Cdl
        | Measure::StepCeSub
        | Measure::Ssce => {
            let (a, b) = natures::USUAL_NOISE;
            let nature = natures::smoothed_hedging(rounds, &r(a, b));
            main_theorem(&nature, rounds, &r(2 * a, b), measure)
        }
    };
    [truthful, hedged]
}

/// k epochs, c = 2^-(k+3). The strategist is left with two binomial deviations of at most √(cT/5)
/// each, unless the bias is not brought back: e^(-T/100) for the probability of that is checked
/// (E26), not proved for every T.
pub(super) fn epochs(rounds: u64, measure: Measure) -> Bounds {
    let epochs = Epochs::usual(rounds).expect("a multiple of 20");
    let k = i64::from(epochs.epochs());
    let constant = r(575, 576) * r(81, 512);
    let truthful = Enclosure::exact(&constant) * Enclosure::ratio(k * signed(rounds), 5).sqrt();
    let spread = Enclosure::exact(&(epochs.c() * r(signed(rounds), 5))).sqrt();
    let rare = Enclosure::ratio(3 * signed(rounds), 10) * decay(rounds, 100);
    let strategic = Enclosure::from(2) * spread + rare;
    match measure {
        Measure::StepCe => [
            at_least(truthful, "0.157 sqrt(Tk/5)"),
            at_most(strategic, "2 sqrt(cT/5) + (3T/10) e^(-T/100)"),
        ],
        Measure::StepCeSub => [
            at_least(truthful * Enclosure::ratio(1, 2), "0.157 sqrt(Tk/5)/2"),
            at_most(
                strategic * Enclosure::ratio(1, 2) + whole(rounds).sqrt(),
                "sqrt(cT/5) + (3T/20) e^(-T/100) + sqrt(T)",
            ),
        ],
        _ => NONE,
    }
}

/// Σ 2p(1-p) for the truth; √(T/4) for the deviation of the number of ones, whose mean is T/2.
pub(super) fn distinct(rounds: u64, measure: Measure) -> Bounds {
    let t = signed(rounds);
    let distances: BigRational = (1..=t).map(|j| r(2 * j * (t + 1 - j), (t + 1).pow(2))).sum();
    match measure {
        Measure::Ece => {
            [equal(&distances, "T(T+2)/(3(T+1))"), at_most(root(rounds, 1, 2), "sqrt(T)/2")]
        }
        _ => NONE,
    }
}

pub(super) fn uniform(rounds: u64, measure: Measure) -> Bounds {
    [main_theorem(&natures::uniform(rounds), rounds, &r(1, 1), measure), None]
}

pub(super) fn edges(rounds: u64, measure: Measure) -> Bounds {
    let (a, b) = natures::USUAL_C;
    let c = r(a, b);
    [main_theorem(&natures::edges(rounds, &c), rounds, &c, measure), None]
}

/// The explicit bound of thm:strongupperbound, with √(E Var), which is at least E √Var. It says
/// nothing of a single round.
fn main_theorem(nature: &Blocks, rounds: u64, c: &BigRational, measure: Measure) -> Option<Bound> {
    if measure != Measure::StepCeSub || rounds < 2 {
        return None;
    }
    let value = strong_upper_bound(rounds, c, &Enclosure::exact(&nature.variance()).sqrt());
    at_most(value, "(547 sqrt(ln(1/c)) + 1161) sqrt(Var) + ...")
}

/// (547 √ln(1/c) + 1161) E√Var + (L+3)(16 L log2(T/c) + 15) + 8 √(2 ln(1/c)) + 17 √2 with L = log2
/// T.
pub fn strong_upper_bound(rounds: u64, c: &BigRational, deviation: &Enclosure) -> Enclosure {
    let log_c = match *c == r(1, 1) {
        true => Enclosure::from(0),
        false => Enclosure::exact(&c.recip()).ln(),
    };
    let levels = whole(rounds).log2();
    let fineness = Enclosure::exact(&(r(signed(rounds), 1) / c)).log2();
    let two = Enclosure::from(2);
    let main = (Enclosure::from(547) * log_c.sqrt() + Enclosure::from(1161)) * deviation;
    let epochs = (&levels + Enclosure::from(3))
        * (Enclosure::from(16) * &levels * fineness + Enclosure::from(15));
    let rest = Enclosure::from(8) * (&two * log_c).sqrt() + Enclosure::from(17) * two.sqrt();
    main + epochs + rest
}

/// The n with the largest n (H_T - H_n); the first of several.
pub(super) fn best_zeros(rounds: u64) -> u64 {
    let mut tail = BigRational::zero(); // H_T - H_n
    let mut best = (BigRational::zero(), rounds);
    for n in (1..=rounds).rev() {
        let bias = &tail * int(n);
        if bias >= best.0 {
            best = (bias, n);
        }
        tail += BigRational::new(One::one(), n.into());
    }
    best.1
}
