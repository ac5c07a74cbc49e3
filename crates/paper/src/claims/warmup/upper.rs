//! The upper bound for the truthful forecaster in a smoothed setting, by exponential moments.
//!
//! Throughout a = 13/36.

use num_rational::BigRational;
use num_traits::Pow;

use super::bounds::mean_variance;
use crate::claims::tools::{int, r};
use truecal::Measure;
use truecal_lab::Truthful;
use truecal_lab::enclosure::Enclosure;
use truecal_lab::natures;
use truecal_lab::penalty::exact;
use truecal_verify::registry::Evidence;

fn number(value: i64) -> Enclosure {
    Enclosure::from(value)
}

fn below(left: &Enclosure, right: &Enclosure) -> bool {
    left.at_most(right) == Some(true)
}

/// z = b y (x - p) is in [-1, 1], so that z^j <= z² for j >= 2 and e^(λz) <= 1 + λz + λ²z² Σ_{j>=2}
/// 1/j!. That series is at most 1/2 + (1/6)(1 + 1/4 + 1/16 + …) = 13/18, since j! >= 6 * 4^(j-3)
/// for j >= 3: equality at 3, and j + 1 >= 4. E z = 0, and E z² <= p(1-p)/2, a polynomial of degree
/// 3 at four points. (And 1 + w <= e^w.) Some moments are computed as well.
pub(super) fn moment(evidence: &mut Evidence) {
    let series = r(1, 2) + r(1, 6) / (int(1) - r(1, 4));
    evidence.case(series == r(13, 18), || format!("1/2 + (1/6)/(1 - 1/4) = {series}"));
    for p in (0..4).map(|i| r(i, 3)) {
        let not_p = int(1) - &p;
        let (mean, square) = (&p * &not_p - &not_p * &p, &p * &not_p * &not_p + &not_p * &p * &p);
        let holds = mean == int(0) && square == &p * &not_p;
        evidence.case(holds, || format!("p = {p}: E(x-p) = {mean}, E(x-p)^2 = {square}"));
    }
    for (i, j) in (1..=8).flat_map(|i| (1..8).map(move |j| (i, j))) {
        let (lambda, p, not_p) = (r(i, 8), r(j, 8), r(8 - j, 8));
        let power = |x: BigRational| Enclosure::exact(&(&lambda * (x - &p))).exp();
        let kept = Enclosure::exact(&p) * power(int(1)) + Enclosure::exact(&not_p) * power(int(0));
        let mean = (number(1) + kept) / number(2);
        let square = &lambda * &lambda * &p * &not_p;
        let within =
            |factor: BigRational| below(&mean, &Enclosure::exact(&(int(1) + factor * &square)));
        let shown = || format!("lambda = {lambda}, p = {p}: E e^(lambda y (x-p)) = {mean:.9}");
        evidence.case(within(r(13, 36)), shown);
        evidence.mistake("5/16 for 13/36", within(r(5, 16)), shown);
    }
}

/// If aV <= l then λ = 1 will do: aV <= √(aVl). Otherwise the best λ, √(l/(aV)), is below 1, and
/// some λ = 2^-k with k >= 0 is u times as large with u in [1/√2, √2]. Then aλV + l/λ = (u + 1/u)
/// √(aVl), and u + 1/u <= 3/√2, as with u = √2 t the difference, times u, is 2(t - 1/2)(1 - t) =
/// 3t - 2t² - 1. This k is in the range: 4^k <= 2aV/l <= aT/(2 ln 2) < T. And m + 1 <= 2^m <= √T
/// for m = floor(log2(T)/2).
pub(super) fn ladder(evidence: &mut Evidence) {
    for t in (0..3).map(int) {
        let product = int(2) * (&t - r(1, 2)) * (int(1) - &t);
        let expanded = int(3) * &t - int(2) * &t * &t - int(1);
        evidence.case(product == expanded, || format!("t = {t}: {product} = {expanded}"));
    }
    let range = Enclosure::ratio(13, 36) / (number(2) * Enclosure::ln2());
    evidence.case(range.below(&number(1)) == Some(true), || format!("a/(2 ln 2) = {range:.6}"));
    // m + 1 <= 2^m at m = 0; and m + 2 <= 2 (m + 1), which differ by m: linear, at two points
    for m in [0_i64, 1] {
        evidence.case(2 * (m + 1) - (m + 2) == m, || format!("m = {m}: 2 (m + 1) - (m + 2)"));
    }
    for horizon in [1_i64, 2, 3, 4, 5, 16, 100, 1000, 1 << 20] {
        for (numerator, denominator) in [(1, 64), (1, 16), (1, 8), (1, 5), (1, 4)] {
            let variance = Enclosure::ratio(numerator * horizon, denominator);
            ladder_case(evidence, horizon, &variance, &Enclosure::ln2());
            ladder_case(evidence, horizon, &variance, &log_of_net(horizon, 1));
        }
    }
    // The best λ is close to the middle between two powers of 2.
    ladder_case(evidence, 1 << 20, &number(251_590), &Enclosure::ln2());
}

/// ln(2T³/c) for c = 1/n.
fn log_of_net(horizon: i64, n: i64) -> Enclosure {
    (number(2) * number(horizon).pow(3) * number(n)).ln()
}

fn ladder_case(evidence: &mut Evidence, horizon: i64, variance: &Enclosure, l: &Enclosure) {
    let weighted = Enclosure::ratio(13, 36) * variance;
    let steps = horizon.ilog2() / 2;
    let some = |factor: &Enclosure| {
        let bound = factor * (&weighted * l).sqrt() + l;
        (0..=steps).any(|k| {
            let inverse = number(1 << k);
            below(&(&weighted / &inverse + l * &inverse), &bound)
        })
    };
    let shown = || format!("T = {horizon}, V = {variance:.6}, l = {l:.6}: none of {}", steps + 1);
    evidence.case(some(&(number(3) / number(2).sqrt())), shown);
    evidence.mistake("2 for 3/sqrt(2)", some(&number(2)), shown);
}

/// The bound by the root of the variance.
///
/// Thresholds: let α run through the multiples of c/T² in (0,1], at most T²/c of them. Between two
/// of them, below the first or beyond the last, |Σ y_t (x_t - p*_t) 1{p*_t <= α}| differs from its
/// value at the lower one (at 0: from 0, as p*_t > 0 almost surely) by no more than the number of
/// p*_t in that bin, whose maximum over the bins is 3/2 at most in expectation (`net-bin`).
///
/// For one α, a sign and a λ, λ times the signed sum up to t less aλ² Var_t, with y random as well,
/// is the exponent of a supermartingale that starts at 1: `upper-moment`, given p*_t, with b the
/// sign times 1{p*_t <= α}, and 1 + w <= e^w. Let R be the largest of these exponents at T over all
/// α, signs and λ of `upper-ladder`. Then E e^R is at most their number, 2 (T²/c) √T, and e^ℓ =
/// 2T³/c is √T times that. For the λ that suits Var_T, every signed sum is at most aλ Var_T + R/λ,
/// and R <= ℓ + (R-ℓ)^+, where z^+ <= e^(z-1): as 1/λ <= √T, the excess costs at most √T e^-1/√T.
/// So the rest is aλ Var_T + ℓ/λ <= (3/√2) √(a ℓ Var_T) + ℓ, as Var_T <= T/4 and ℓ >= ln 2; and
/// (9/2)(13/36) = 13/8.
///
/// Besides, the error itself for some natures, with E Var_T for E √Var_T, which is no less: Var_T
/// <= 1 for T <= 4.
pub(super) fn root_bound(evidence: &mut Evidence) {
    let factor = r(9, 2) * r(13, 36);
    evidence.case(factor == r(13, 8), || format!("(9/2)(13/36) = {factor}"));
    let rest = Enclosure::ratio(3, 2) + (-number(1)).exp();
    evidence.case(below(&rest, &Enclosure::ratio(19, 10)), || format!("3/2 + 1/e = {rest:.6}"));
    evidence.mistake("9/5 for 19/10", below(&rest, &Enclosure::ratio(9, 5)), || {
        format!("3/2 + 1/e = {rest:.6}")
    });
    for horizon in 1..=64_i64 {
        let (steps, power) = (horizon.ilog2() / 2 + 1, 1_i64 << (horizon.ilog2() / 2));
        // the number of λ and their largest 1/λ are at most √T
        let few = i64::from(steps * steps) <= horizon && power * power <= horizon;
        evidence.case(few, || format!("T = {horizon}: {steps} of lambda, down to 1/{power}"));
    }
    for Case { horizon, n, error, variance } in cases() {
        let bound = |log: Enclosure, rest: Enclosure| {
            let root = (Enclosure::ratio(13, 8) * &log).sqrt();
            root * Enclosure::exact(&variance) + log + rest
        };
        let error = Enclosure::exact(&error);
        let shown = || format!("T = {horizon}, c = 1/{n}: error {error:.6}, E Var = {variance}");
        let bounded = below(&error, &bound(log_of_net(horizon, n), Enclosure::ratio(19, 10)));
        evidence.case(bounded, shown);
        let plain = number(horizon * n).ln();
        let wrong = below(&error, &bound(plain, number(0)));
        evidence.mistake("l = ln(T/c), and no constant", wrong, shown);
    }
}

/// A c-smoothed nature, c = 1/n: the truthful forecaster's E stepCE^sub and E Var_T.
struct Case {
    horizon: i64,
    n: i64,
    error: BigRational,
    variance: BigRational,
}

/// p* uniform on [0, 1] or, for smaller c, close to 0 and 1, with the least variance that there is;
/// T <= 3.
fn cases() -> Vec<Case> {
    let of = |horizon: i64, n: i64| {
        let c = r(1, n);
        let nature = natures::edges(horizon.cast_unsigned(), &c);
        let penalty = exact(&nature, &Truthful, Measure::StepCeSub, 1 << 22).expect("few states");
        let error = penalty.exact().expect("exact").clone();
        let variance = int(horizon) * mean_variance(&int(0), &(c / int(2)));
        Case { horizon, n, error, variance }
    };
    [1, 4, 16].into_iter().flat_map(|n| (1..=3).map(move |horizon| of(horizon, n))).collect()
}

/// With Λ = log2(2T/c) >= 1: 2T³/c <= (2T/c)³, so that ℓ <= 3 ln 2 Λ. By `upper-root` and
/// `sqrt-vs-gamma` the error is at most √((13/8) 3 ln 2) √Λ (E γ(Var_T) + 1/4) + 3 ln 2 Λ + 19/10,
/// and √Λ and 1 are at most Λ. For T >= 2, D = log2(T/c) >= 1 and Λ = D + 1 <= 2D; and 2√2 <= 9.
/// The same for natures as above, where γ(Var_T) = Var_T.
pub(super) fn with_gamma(evidence: &mut Evidence) {
    let logs = number(3) * Enclosure::ln2();
    let root = (Enclosure::ratio(13, 8) * &logs).sqrt();
    let rest = &root / number(4) + logs + Enclosure::ratio(19, 10);
    let shown = || format!("factors {root:.6} and {rest:.6}");
    evidence.case(below(&root, &number(2)) && below(&rest, &Enclosure::ratio(9, 2)), shown);
    evidence.mistake("4 for 9/2", below(&rest, &number(4)), shown);
    for Case { horizon, n, error, variance } in cases() {
        let (error, gamma) = (Enclosure::exact(&error), Enclosure::exact(&variance));
        let log = number(horizon * n).log2();
        let longer = &log + number(1);
        let bound = number(2) * &gamma * longer.sqrt() + Enclosure::ratio(9, 2) * longer;
        let paper = number(9) * (gamma * log.sqrt() + log.square());
        let shown = || {
            format!(
                "T = {horizon}, c = 1/{n}: log2(T/c) = {log:.6}\n\
                 E stepCE^sub = {error:.6}, E gamma(Var) = {variance}\n\
                 bound with log2(2T/c): {bound:.6}; 9 (E gamma sqrt(log) + log^2) = {paper:.6}"
            )
        };
        evidence.case(below(&error, &bound) && (horizon == 1 || below(&error, &paper)), shown);
        evidence.mistake("log(T/c) at T = 1, whatever K", below(&error, &paper), shown);
    }
}

/// Var_T <= T/4, so that E √Var_T <= √T/2. If Λ <= T then Λ and 1 are at most √(TΛ), and
/// `upper-root` gives (√((13/8) 3 ln 2)/2 + 3 ln 2 + 19/10) √(TΛ). Otherwise stepCE^sub <= T/2 <=
/// √(TΛ)/2, each round being kept with probability 1/2. For T >= 2, Λ <= 2 log2(T/c).
pub(super) fn by_rounds(evidence: &mut Evidence) {
    let logs = number(3) * Enclosure::ln2();
    let factor =
        (Enclosure::ratio(13, 8) * &logs).sqrt() / number(2) + logs + Enclosure::ratio(19, 10);
    let shown = || format!("factor {factor:.6}");
    evidence.case(below(&factor, &number(5)), shown);
    evidence.mistake("24/5 for 5", below(&factor, &Enclosure::ratio(24, 5)), shown);
    let twice = number(5) * number(2).sqrt();
    evidence.case(below(&twice, &Enclosure::ratio(71, 10)), || format!("5 sqrt(2) = {twice:.6}"));
    for Case { horizon, n, error, .. } in cases() {
        let error = Enclosure::exact(&error);
        let log = number(horizon * n).log2();
        let root = |log: &Enclosure| (number(horizon) * log).sqrt();
        let shown = || format!("T = {horizon}, c = 1/{n}: log2(T/c) = {log:.6}, error {error:.6}");
        let holds = below(&error, &(number(5) * root(&(&log + number(1)))));
        evidence.case(holds, shown);
        let paper = below(&error, &(Enclosure::ratio(71, 10) * root(&log)));
        evidence.case(horizon == 1 || paper, shown);
        evidence.mistake("log(T/c) at T = 1, whatever K", paper, shown);
    }
}

/// The error is at most 2 √Λ E γ(Var_T) + (9/2) Λ, and E γ(Var_T) is at most 21√2/5 times OPT.
pub(super) fn truthful(evidence: &mut Evidence) {
    let factor = Enclosure::ratio(2 * 21, 5) * number(2).sqrt();
    let shown = || format!("2 * 21 sqrt(2)/5 = {factor:.6}");
    evidence.case(below(&factor, &number(12)), shown);
    evidence.mistake("59/5 for 12", below(&factor, &Enclosure::ratio(59, 5)), shown);
}

/// Given what came before, a round has p*(1 - p*) < 7c/64 with probability at most 1/4
/// (`smooth-interior`). So 3^B has a mean of at most (1 + 2/4)^T, B being the number of such
/// rounds, one round at a time, and P(B > T/2) <= (3/2)^T/3^(T/2), whose square is ((9/4)/3)^T. If
/// B <= T/2 then Var_T >= (T/2)(7c/64) = 7cT/128. γ increases, so that E γ(Var_T) >= P(…)
/// γ(7cT/128). If 7cT >= 128 then T >= 19, γ is the root, and (3/4)^(T/2), whose square is below
/// 1/100, is at most 1/10; `lower-total-bias` gives OPT.
///
/// Besides, the tail of Bin(T, 1/4), exactly.
pub(super) fn linear_variance(evidence: &mut Evidence) {
    let base = r(3, 2) * r(3, 2) / int(3);
    evidence.case(base == r(3, 4), || format!("(3/2)^2/3 = {base}"));
    for rounds in 1..=64_u32 {
        let law = crate::claims::tools::binomial_law(rounds, &r(1, 4));
        let tail: BigRational = law[rounds as usize / 2 + 1..].iter().sum();
        let within = |base: BigRational| &tail * &tail <= Pow::pow(&base, rounds);
        let shown =
            || format!("T = {rounds}: P(Bin(T,1/4) > T/2) = {:.9}", Enclosure::exact(&tail));
        evidence.case(within(r(3, 4)), shown);
        evidence.mistake("5/8 for 3/4", within(r(5, 8)), shown);
    }
    let small = Pow::pow(&r(3, 4), 19_u32) <= r(1, 100) && 7 * 18 < 128;
    evidence.case(small, || "(3/4)^19 against 1/100; 7 * 18 against 128".to_owned());
    // squares, over cT
    let bound = r(25, 21 * 21 * 2) * r(7, 128) * r(81, 100);
    let shown = || format!("OPT^2 >= {bound} cT");
    evidence.case(bound >= r(1, 29 * 29), shown);
    evidence.mistake("1/28 for 1/29", bound >= r(1, 28 * 28), shown);
}
