//! The strategic forecaster: its stopping time, and what it pays.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::instance::{Bridge, Instance, Payment};
use crate::claims::tools::{binomial_law, int, listed, outcomes, r};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// |Δ| <= T/10: with n = T/5 rounds Δ is the number of ones minus n/2, linear in the ones, so the
/// ends 0 and n suffice; both give n/2 = T/10 for every T. Every number of ones is tried for T <=
/// 200.
pub(super) fn deviation(evidence: &mut Evidence) {
    for fifth in 1..=40_i64 {
        let rounds = 5 * fifth;
        for ones in 0..=fifth {
            let delta = int(ones) - r(rounds, 10);
            let text = || format!("T = {rounds}, {ones} ones: Delta = {delta}");
            evidence.case(delta.abs() <= r(rounds, 10), text);
            evidence.mistake("a strict inequality", delta.abs() < r(rounds, 10), text);
        }
    }
}

/// 2(x_t - 1/2), with t from 1 on.
fn turn(x: &[bool], t: usize) -> i64 {
    if x[t - 1] { 1 } else { -1 }
}

/// 2Δ
fn doubled_deviation(x: &[bool]) -> i64 {
    (1..=x.len() / 5).map(|t| turn(x, t)).sum()
}

/// 2(Δ + Σ_{τ=first}^{last} (x_{τ-shift} - 1/2))
fn doubled_bias(x: &[bool], first: usize, last: usize, shift: usize) -> i64 {
    doubled_deviation(x) + (first..=last).map(|t| turn(x, t - shift)).sum::<i64>()
}

/// The paper's T' for Δ < 0: the last t with Δ + Σ_{τ=3T/5+1}^{t-1} (x_{τ-shift} - 1/2) < 0. The
/// shift is 1 in print.
fn last_negative(x: &[bool], shift: usize) -> usize {
    let start = 3 * x.len() / 5 + 1;
    (1..=x.len()).rfind(|&t| doubled_bias(x, start, t - 1, shift) < 0).expect("Δ < 0 at t = 1")
}

/// The corrected T': the first t >= 3T/5 with Δ + Σ_{τ=3T/5+1}^{t} (x_τ - 1/2) >= 0, and T if there
/// is none.
fn first_reached(x: &[bool]) -> usize {
    let start = 3 * x.len() / 5;
    (start..=x.len()).find(|&t| doubled_bias(x, start + 1, t, 0) >= 0).unwrap_or(x.len())
}

/// Twice the bias at 1/2, if it is predicted up to T/5 and from 3T/5 + 1 to `stop`.
fn bias_at_half(x: &[bool], stop: usize) -> i64 {
    doubled_bias(x, 3 * x.len() / 5 + 1, stop, 0)
}

/// Every outcome vector with Δ < 0 and T = 5, 10 or 15.
fn lacking_ones() -> impl Iterator<Item = Vec<bool>> {
    [5, 10, 15].into_iter().flat_map(outcomes).filter(|x| doubled_deviation(x) < 0)
}

/// Δ + Σ_{t=3T/5+1}^{T} (x_{t-shift} - 1/2) <= 1/2, with shift 1 in print.
fn printed_case(evidence: &mut Evidence, x: &[bool], shift: usize) {
    let start = 3 * x.len() / 5 + 1;
    let doubled = doubled_bias(x, start, x.len(), shift);
    evidence.case(doubled <= 1, || {
        let index = if shift == 0 { "t" } else { "t-1" };
        format!(
            "T = {}, x = ({}): Delta = {}\nDelta + sum_(t={start})^T (x_({index}) - 1/2) = {} > \
                1/2",
            x.len(),
            listed(x),
            r(doubled_deviation(x), 2),
            r(doubled, 2)
        )
    });
    stopped_bias(evidence, x);
}

/// What holds instead, for the corrected T'.
fn stopped_bias(evidence: &mut Evidence, x: &[bool]) {
    let (start, stop) = (3 * x.len() / 5 + 1, first_reached(x));
    let left = bias_at_half(x, stop);
    let reached = (start..=x.len()).any(|t| bias_at_half(x, t) >= 0);
    evidence.corrected(
        "the bias at the first t where it is not negative is exactly 0",
        if reached { left == 0 } else { stop == x.len() && left < 0 },
    );
}

/// The bias that is left at 1/2 if it is predicted up to the paper's T': at most 1/2?
fn left_case(evidence: &mut Evidence, x: &[bool]) {
    let stop = last_negative(x, 1);
    let left = bias_at_half(x, stop);
    evidence.case(left <= 1, || {
        format!(
            "T = {}, x = ({}): Delta = {}, T' = {stop}\n\
             the bias at 1/2 is Delta + sum_(t={})^{stop} (x_t - 1/2) = {} > 1/2",
            x.len(),
            listed(x),
            r(doubled_deviation(x), 2),
            3 * x.len() / 5 + 1,
            r(left, 2)
        )
    });
    stopped_bias(evidence, x);
}

/// The inequality that the paper draws from its T', for all outcomes.
pub(super) fn printed(evidence: &mut Evidence) {
    lacking_ones().for_each(|x| printed_case(evidence, &x, 1));
}

/// The bias that is left at 1/2, for all outcomes.
pub(super) fn left(evidence: &mut Evidence) {
    lacking_ones().for_each(|x| left_case(evidence, &x));
}

/// Whether t <= T' is decided by x_1, …, x_(t-1), as it has to be if it is to say what is predicted
/// at t: the outcomes from t on are replaced by zeros.
fn causal_case(evidence: &mut Evidence, x: &[bool]) {
    for t in 3 * x.len() / 5 + 1..=x.len() {
        let mut other = x.to_vec();
        other[t - 1..].fill(false);
        let (one, two) = (last_negative(x, 0), last_negative(&other, 0));
        evidence.case((t <= one) == (t <= two), || {
            format!(
                "T = {}, at t = {t}\n\
                 T' = {one} for x = ({})\n\
                 T' = {two} for x = ({})\n\
                 these agree before t, yet only one has t <= T'",
                x.len(),
                listed(x),
                listed(&other)
            )
        });
        evidence.corrected(
            "the first t where the bias is not negative is a stopping time",
            (t <= first_reached(x)) == (t <= first_reached(&other)),
        );
    }
}

/// See [`causal_case`]; with x_τ for the paper's x_(τ-1).
pub(super) fn causal(evidence: &mut Evidence) {
    lacking_ones().for_each(|x| causal_case(evidence, &x));
}

/// Outcomes from text such as `0011`.
fn parsed(text: &str) -> Vec<bool> {
    text.chars().map(|digit| digit == '1').collect()
}

/// The erratum's witness (a): the shifted index stops too late.
pub(super) fn left_witness(evidence: &mut Evidence) {
    left_case(evidence, &parsed("0000001111"));
}

/// The erratum's witness (c): also with x_t the sum has to end at T', not at T.
pub(super) fn printed_witness(evidence: &mut Evidence) {
    printed_case(evidence, &parsed("0000001111"), 0);
}

/// The erratum's witness (b).
pub(super) fn causal_witness(evidence: &mut Evidence) {
    causal_case(evidence, &parsed("0000001110"));
}

/// The erratum's witness (d): for Δ >= 0 the paper's T' is the last t <= 3T/5 with Δ +
/// Σ_{τ=T/5+1}^{t-1} (…) < 0. With Δ = 1 and zeros from then on (x_τ for x_(τ-1)), 1/2 is predicted
/// far beyond the place where the bias is 0.
pub(super) fn mirrored_witness(evidence: &mut Evidence) {
    let x = parsed("1100001111");
    let bias = |t: usize| doubled_bias(&x, 3, t, 0);
    let last = (1..=6).rfind(|&t| bias(t - 1) < 0).unwrap_or(2);
    evidence.case(bias(last).abs() <= 1, || {
        format!(
            "T = 10, x = ({}): Delta = {}\n\
             Delta + sum_(tau=3)^(t-1) (x_tau - 1/2) < 0 last at t = {last} = T'\n\
             the bias at 1/2 is Delta + sum_(tau=3)^{last} (x_tau - 1/2) = {} after T'",
            listed(&x),
            r(doubled_deviation(&x), 2),
            r(bias(last), 2)
        )
    });
    let first = (2..=6).find(|&t| bias(t) <= 0).expect("after two zeros");
    evidence.corrected("the first t >= T/5 where the bias is at most 0 leaves 0", bias(first) == 0);
}

/// The zeros among the rounds from 3T/5 + 1 to 9T/10 if the bias is not brought back to 0 there: at
/// least T/10 in the paper, more than T/20 indeed. For Δ >= 0 exchange zeros and ones.
fn zeros_case(evidence: &mut Evidence, rounds: usize, deficit: i64, window: &[bool]) {
    let mut bias = -deficit;
    let reached = window.iter().any(|&one| {
        bias += if one { 1 } else { -1 };
        bias >= 0
    });
    if reached {
        return evidence.inapplicable();
    }
    let zeros = window.iter().filter(|one| !**one).count();
    evidence.case(10 * zeros >= rounds, || {
        format!(
            "T = {rounds}, Delta = {}, rounds {} to {}: x = ({})\n\
             the bias at 1/2 stays negative, but T/10 = {} exceeds the number of zeros, {zeros}",
            r(-deficit, 2),
            3 * rounds / 5 + 1,
            9 * rounds / 10,
            listed(window),
            r(rounds as i64, 10)
        )
    });
    evidence.corrected("more than T/20 zeros", 20 * zeros > rounds);
}

/// All deviations and all outcomes of the window.
pub(super) fn zeros(evidence: &mut Evidence) {
    for fifth in 1..=8_usize {
        let rounds = 5 * fifth;
        let window = 9 * rounds / 10 - 3 * rounds / 5;
        for ones in (0..fifth).filter(|ones| 2 * ones < fifth) {
            let deficit = (fifth - 2 * ones) as i64;
            for outcome in outcomes(window) {
                zeros_case(evidence, rounds, deficit, &outcome);
            }
        }
    }
}

/// The erratum's own witnesses: T = 15 and T = 40.
pub(super) fn zeros_witness(evidence: &mut Evidence) {
    zeros_case(evidence, 15, 3, &parsed("0111"));
    zeros_case(evidence, 40, 8, &parsed("000111111111"));
}

/// P(T' <= 9T/10 given Δ < 0) for one epoch and c = 1/16: at least 1 - exp(-T/100), as Hoeffding's
/// inequality gives for T/20 zeros: here exactly. Together with Δ < 0 it is at most 1/2, since x_1,
/// …, x_(T/5) are fair coins.
pub(super) fn event(evidence: &mut Evidence) {
    let away = r(1, 32);
    for fifth in 1..=12_u32 {
        let rounds = 5 * fifth;
        let steps = 9 * rounds / 10 - 3 * rounds / 5;
        let (mut bridge, mut lacking) = (Bridge::new(steps.max(fifth)), BigRational::zero());
        for (ones, weight) in (0..).zip(binomial_law(fifth, &r(1, 2))) {
            if 2 * ones < fifth {
                lacking += &weight;
                bridge.walk((fifth - 2 * ones) as usize, &away, weight);
            }
        }
        let event: BigRational = bridge.stopped.iter().take(steps as usize + 1).sum();
        let show = || {
            format!(
                "T = {rounds}, k = 1, c = 1/16: P(Delta < 0) = {lacking}\n\
                 P(Delta < 0, T' <= 9T/10) = {event}"
            )
        };
        let missed = Enclosure::exact(&(int(1) - &event / &lacking));
        let small = |over: i64| Enclosure::ratio(-i64::from(rounds), over).exp();
        evidence.case(missed.at_most(&small(100)) == Some(true), show);
        evidence.mistake("exp(-T)", missed.at_most(&small(1)) == Some(true), show);
        evidence.mistake("without the condition", event > r(1, 2), show);
    }
}

/// All instances with c = 2^-(k+3) and T <= 20: (k, rounds in an epoch).
const INSTANCES: [(u32, u32); 8] = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (4, 1)];

fn instances() -> impl Iterator<Item = Instance> {
    INSTANCES.into_iter().map(|(epochs, length)| {
        let c = r(1, 1 << (epochs + 3));
        Instance { epochs, length, c }
    })
}

/// E stepCE is at most the sum of three absolute biases, of which those near 0 and 1 are at most
/// sqrt(cT/5) and that at 1/2 at most 3T/10 if it is not brought back to 0: for all k, c and T.
///
/// The predictions are c/2, 1/2 and 1 - c/2, so each Σ_t (x_t - p_t) 1{p_t <= α} is a sum of some
/// of the three biases. The forecaster decides by earlier outcomes in which of the 2T/5 rounds with
/// p* in [0, c] it predicts c/2, which is the conditional mean of x_t there: the bias at c/2 is a
/// martingale, whose square has a mean of at most (2T/5)(c/2)(1 - c/2) <= cT/5, and E|Z| <= sqrt(E
/// Z²). Likewise at 1 - c/2. At 1/2 there are the T/5 rounds of the search, which leave |Δ| <= T/10
/// (strategic-Delta), and at most 2T/5 others with |x_t - 1/2| = 1/2: T/10 + T/5 = 3T/10 in all.
/// The bias moves by 1/2 on multiples of 1/2, so that it is 0 when it is brought back, and the
/// forecaster stops there.
///
/// The terms themselves are tried, exactly, for T <= 20.
pub(super) fn chain(evidence: &mut Evidence) {
    // Multiples of T, and of cT: linear in c/2 after the factor 1 - c/2 <= 1.
    evidence.case(r(1, 10) + r(2, 5) * r(1, 2) == r(3, 10), || "T/10 + T/5".to_owned());
    evidence.case(r(2, 5) * r(1, 2) == r(1, 5), || "(2T/5)(c/2)".to_owned());
    for instance in instances() {
        let Payment { step, near_zero, at_half, near_one, missed } = instance.strategic();
        let rounds = int(instance.rounds());
        let variance = &instance.c * &rounds / int(5);
        let text = || {
            let decimals = |value: &BigRational| format!("{:.6}", Enclosure::exact(value));
            format!(
                "T = {rounds}, k = {}, c = {}: E stepCE = {}\n\
                 E|bias near 0| = {}, near 1 {}, at 1/2 {}\n\
                 cT/5 = {variance}, P(bias at 1/2 is not 0) = {}",
                instance.epochs,
                instance.c,
                decimals(&step),
                decimals(&near_zero),
                decimals(&near_one),
                decimals(&at_half),
                decimals(&missed)
            )
        };
        let split = step <= &near_zero + &at_half + &near_one;
        let roots = &near_zero * &near_zero <= variance && &near_one * &near_one <= variance;
        evidence.case(split && roots && at_half <= &rounds * r(3, 10) * &missed, text);
        let shorter = &variance * r(4, 9);
        evidence.mistake("2/3 of sqrt(cT/5)", &near_zero * &near_zero <= shorter, text);
        let nearer = &rounds * r(1, 10) * &missed;
        evidence.mistake("T/10, the most of |Delta|, for 3T/10", at_half <= nearer, text);
    }
}

/// For all k and T = 5kn. By fix-alpha at α* = w_(k+1), stepCE^sub of the truth is at least half of
/// Σ_t (x_t - p*_t) 1{p*_t <= α*}, and stepCE at least all of it, by definition. Each of k epochs
/// adds (575/576)(81/512) sqrt(n) to its mean (epoch-bias), the rounds after them nothing
/// (last-epoch-zero: those up to 3T/5 are all below α*, with mean 0, the others above). k sqrt(n) =
/// sqrt(Tk/5) (sum-epochs): this is K sqrt(Tk/5) for K = (1/2)(575/576)(81/512), and as k >=
/// log2(1/c)/5 (k-vs-log) at least (K/5) sqrt(T log2(1/c)), K/5 >= 0.0157. The nature is
/// c-smoothed: each p*_t is uniform on an interval of length c in [0, 1]. The other forecaster:
/// strategic-chain, strategic-sub, and the probability that its bias at 1/2 is not brought back to
/// 0: |Δ| <= T/10, and z of the 2T/5 rounds that go the wrong way leave T/5 - z of the way back, so
/// that z > T/10. Given the past each does so with probability c/2 <= 1/32, T/80 in the mean; by
/// hoeffding-lemma the excess of 7T/80 has probability at most exp(-2 (7T/80)²/(2T/5)).
///
/// Both penalties, exactly (that of the truth from below), are tried for T <= 20.
pub(super) fn gap(evidence: &mut Evidence) {
    let excess = (r(1, 5) - r(1, 10)) - r(2, 5) * r(1, 32);
    let rate = int(2) * &excess * &excess / r(2, 5);
    let shown = || format!("excess {excess} T, rate {rate}");
    evidence.case(excess == r(7, 80) && rate >= r(1, 27), shown);
    evidence.mistake("exp(-T/26)", rate >= r(1, 26), shown);
    let constant = r(1, 2) * r(575, 576) * r(81, 512);
    evidence.case(&constant / int(5) >= r(157, 10_000), || format!("K/5 = {}", &constant / int(5)));
    for instance in instances() {
        let truthful = instance.truthful_at_least();
        let Payment { step: strategic, missed, .. } = instance.strategic();
        let (rounds, epochs) = (int(instance.rounds()), int(instance.epochs));
        let square = &constant * &constant * &rounds * &epochs / int(5);
        let text = || {
            format!(
                "T = {rounds}, k = {epochs}, c = {}\n\
                 truthful: stepCE >= {:.6}, stepCE^sub >= half of it\n\
                 strategic: stepCE = {:.6}",
                instance.c,
                Enclosure::exact(&(&truthful * int(2))),
                Enclosure::exact(&strategic)
            )
        };
        let small = Enclosure::ratio(-i64::from(instance.rounds()), 27).exp();
        evidence.case(Enclosure::exact(&missed).at_most(&small) == Some(true), || {
            format!("{}\nthe bias is not brought back with probability {missed}", text())
        });
        let rest = &strategic - &rounds * r(3, 10) * missed;
        let cheap = rest.is_negative() || &rest * &rest <= &instance.c * &rounds * r(4, 5);
        evidence.case(&truthful * &truthful >= square && cheap, text);
        evidence.mistake("9/8 of K", &truthful * &truthful >= &square * r(81, 64), text);
        evidence.mistake("no gap", &truthful * int(2) <= strategic, text);
    }
}
