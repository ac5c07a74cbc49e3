//! Checks of the nature that sets p* by binary search (L508-660), outcome by outcome.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::claims::appendix::thresholds::Rounds;
use crate::claims::tools::{int, listed, outcomes, r, table_of, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal_verify::registry::Evidence;

/// One run of the binary search.
pub(super) struct Run {
    pub(super) outcomes: Vec<bool>,
    /// (p*_t - 1/2) / eps for t = 1, …, T + 1, in multiples of 2^-T: the same for every eps.
    offsets: Vec<i64>,
}

/// Every run of T rounds.
pub(super) fn runs(rounds: u32) -> impl Iterator<Item = Run> {
    outcomes(rounds as usize).map(move |outcomes| {
        let mut offsets = vec![0];
        for (t, &one) in (1..).zip(&outcomes) {
            let (last, step) = (offsets[offsets.len() - 1], 1 << (rounds - t));
            offsets.push(if one { last + step } else { last - step });
        }
        Run { outcomes, offsets }
    })
}

impl Run {
    /// p*_1, …, p*_{T+1}
    pub(super) fn predictions(&self, eps: &BigRational) -> Vec<BigRational> {
        let scale = eps / int(1_i64 << self.outcomes.len());
        self.offsets.iter().map(|&offset| r(1, 2) + &scale * int(offset)).collect()
    }

    /// The probability of these outcomes, and p*_1, …, p*_{T+1}.
    pub(super) fn probability(&self, eps: &BigRational) -> (BigRational, Vec<BigRational>) {
        let predictions = self.predictions(eps);
        let factors = self.outcomes.iter().zip(&predictions);
        let chance = |(&one, p): (&bool, &BigRational)| {
            if one { p.clone() } else { BigRational::one() - p }
        };
        (factors.map(chance).product(), predictions)
    }

    /// The table of the rounds in a set (bit t - 1 for round t) with truthful forecasts.
    pub(super) fn truthful(&self, predictions: &[BigRational], set: u64) -> AnyLevels {
        let rounds = self.outcomes.iter().zip(predictions).enumerate();
        let kept = rounds.filter(|(t, _)| set >> t & 1 == 1);
        table_of(kept.map(|(_, (&one, p))| (p.clone(), 1, one.into())))
    }

    /// The table of the rounds in a set when 1/2 is forecast.
    pub(super) fn half(&self, set: u64) -> AnyLevels {
        let rounds = self.outcomes.iter().enumerate();
        let ones = rounds.filter(|(t, one)| set >> t & 1 == 1 && **one).count();
        table_of([(r(1, 2), set.count_ones().into(), ones as u64)])
    }

    pub(super) fn all(&self) -> u64 {
        (1 << self.outcomes.len()) - 1
    }
}

/// The values of eps that are tried.
pub(super) fn tried_eps() -> [BigRational; 3] {
    [r(1, 4), r(1, 8), r(1, 64)]
}

/// eps (T - 2 + 2^(1-T)): the sum of the bounds of `binsearch-range`.
pub(super) fn total_offset(rounds: u32, eps: &BigRational) -> BigRational {
    eps * (int(rounds) - int(2) + r(2, 1 << rounds))
}

/// VCal and UCal at both sequences of prop-disc: for T <= 12 and eps in multiples of 1/24, and for
/// every even T and eps.
///
/// All counts are T/2 times those at T = 2, and with them g, VCal = 2 sup g and UCal = 4 ghat(1/2)
/// (`prop:altform`, `UCAL-FORMULA`): T = 2 decides. There the two sides of g, counted by
/// [`sides_next_to_half`], are (0, 2 alpha - 1) below both predictions, (1 - alpha, alpha) between
/// them and (1 - 2 alpha, 0) above, whatever eps is, and at a prediction no larger than next to
/// it. So the limits of g at the ends of these intervals are its largest, maxima of functions that
/// are affine in eps; none exceeds 1/2 + eps, as is seen at eps = 0 and eps = 1/2, and next to both
/// predictions it is attained. So sup g = 1/2 + eps; the constant 1/2 + eps is over g and the chord
/// between the two predictions, which are on either side of 1/2, is as high: ghat(1/2) = sup g.
pub(super) fn jump(evidence: &mut Evidence) {
    for eps in [int(0), r(1, 2)] {
        let (low, high) = (r(1, 2) - &eps, r(1, 2) + &eps);
        let (one, two) = (int(1), int(2));
        let outer = [&two * &low - &one, int(0), &one - &two * &high];
        let inner = [[&one - &low, low], [&one - &high, high.clone()]];
        let bounded = outer.iter().chain(inner.as_flattened()).all(|limit| *limit <= high);
        let attained = inner.iter().all(|sides| sides.contains(&high));
        evidence.case(bounded && attained, || format!("T = 2, eps = {eps}: {outer:?}, {inner:?}"));
    }
    for (half, k) in (1..=6).flat_map(|half| (1..12).map(move |k| (half, k))) {
        sides_next_to_half(evidence, k);
        let (rounds, eps) = (2 * half, r(k, 24));
        let apart = table_of([(r(1, 2) - &eps, half, half), (r(1, 2) + &eps, half, 0)]);
        let (v, u) = (value(&apart, Measure::VCal), value(&apart, Measure::UCal));
        let zero = value(&table_of([(r(1, 2), rounds, half)]), Measure::UCal);
        let expected = (r(1, 2) + &eps) * int(rounds);
        let words = || {
            format!(
                "T = {rounds}, eps = {eps}\nVCal(x, p) = {v}, (1/2 + eps) T = {expected}\n\
                 UCal(x, p) = {u}\nUCal(x, 1/2) = {zero}"
            )
        };
        evidence.case(v == expected && u == int(2) * &expected && zero.is_zero(), words);
        evidence.mistake("UCal = (1 + eps) T", u == (int(1) + &eps) * int(rounds), words);
        evidence.mistake("VCal = T/2, the bound at alpha = 1/2", v == r(1, 2) * int(rounds), words);
    }
}

/// Both sides of g for x = (1, 0), p = 1/2 -+ k/24, in units: at two thresholds of each interval,
/// which tell an affine function, at its ends, and at the predictions.
fn sides_next_to_half(evidence: &mut Evidence, k: i64) {
    let counted = Rounds::new(24, &[(true, 12 - k), (false, 12 + k)]);
    let (unit, low, high) = (counted.unit, counted.rounds[0].1, counted.rounds[1].1);
    let stated = |alpha: i64| match (alpha.cmp(&low), alpha.cmp(&high)) {
        (Ordering::Less, _) => [0, 2 * alpha - unit],
        (Ordering::Equal, _) => [0, alpha],
        (_, Ordering::Less) => [unit - alpha, alpha],
        (_, Ordering::Equal) => [unit - alpha, 0],
        (_, Ordering::Greater) => [unit - 2 * alpha, 0],
    };
    for alpha in [0, 1, low - 1, low, low + 1, high - 1, high, high + 1, unit - 1, unit] {
        let sides = [counted.under(alpha), counted.over(alpha)];
        let words = || {
            let [alpha, below, above] = [alpha, sides[0], sides[1]].map(|number| r(number, unit));
            format!("T = 2, eps = {k}/24, alpha = {alpha}\nsides of g: {below} and {above}")
        };
        evidence.case(sides == stated(alpha), words);
        evidence.mistake("the sides of g exchanged", [sides[1], sides[0]] == stated(alpha), words);
    }
}

/// |p*_t - 1/2| <= eps (1 - 2^(1-t)), in multiples of eps/2^T, for T <= 10; and by induction for
/// every t: at t = 1 both sides are 0, and the bound at t and the step eps/2^t add up to the bound
/// at t + 1, linear equations in 2^-t.
pub(super) fn range(evidence: &mut Evidence) {
    for power in [int(0), int(1)] {
        let next = int(1) - int(2) * &power + &power;
        evidence.case(next == int(1) - &power, || format!("2^-t = {power}: {next}"));
    }
    for rounds in 1..=10 {
        for run in runs(rounds) {
            for (t, offset) in (1..).zip(&run.offsets) {
                let room = |shift: u32| (1_i64 << rounds) - (1 << (rounds + shift)) / (1 << t);
                let words = || {
                    format!(
                        "x = ({}), t = {t}\n|p*_t - 1/2| = {}/{} eps",
                        listed(&run.outcomes),
                        offset.abs(),
                        1 << rounds
                    )
                };
                let inside = offset.abs() < 1 << rounds;
                evidence.case(offset.abs() <= room(1) && inside, words);
                let half_way = t == 1 || offset.abs() <= room(2);
                evidence.mistake("1 - 2^(2-t) for 1 - 2^(1-t) from t = 2 on", half_way, words);
            }
        }
    }
}

/// alpha* = p*_{T+1} separates the ones from the zeros, by at least eps/2^T, for T <= 10; and by
/// induction for every T: alpha* is next to p*_T at distance eps/2^T, on the side that x_T tells,
/// and for earlier t it moves by eps/2^T while it was at least eps/2^(T-1) away, which leaves
/// eps/2^T: a linear equation in 2^-T.
pub(super) fn separation(evidence: &mut Evidence) {
    for power in [int(0), int(1)] {
        let left = int(2) * &power - &power;
        evidence.case(left == power, || format!("2^-T = {power}: {left}"));
    }
    for rounds in 1..=10 {
        for run in runs(rounds) {
            let threshold = run.offsets[run.outcomes.len()];
            for (t, (&one, offset)) in (1..).zip(run.outcomes.iter().zip(&run.offsets)) {
                let gap = threshold - offset;
                let words = || {
                    let (x, scale) = (listed(&run.outcomes), 1 << rounds);
                    format!("x = ({x}), t = {t}\nalpha* - p*_t = {gap}/{scale} eps")
                };
                evidence.case(gap.abs() >= 1 && one == (gap > 0), words);
                evidence.mistake("more than eps/2^T apart", gap.abs() > 1, words);
                evidence.mistake("p*_t < alpha* implies x_t = 0", one == (gap < 0), words);
            }
        }
    }
}

/// The two sides of alpha*: counts, ones and the bounds, for T <= 8.
///
/// For every T: the counts follow from the separation. The average of (1 - alpha) N_- and alpha N_+
/// with weights alpha and 1 - alpha is alpha (1 - alpha)(N_- + N_+), an identity of degree 2 in
/// alpha and 1 in the others; 1 - alpha and alpha are at least 1/4, and alpha (1 - alpha) at least
/// 3/16, at both ends of [1/4, 3/4] and so, being concave, between them.
pub(super) fn sides(evidence: &mut Evidence) {
    for alpha in [r(1, 4), r(1, 2), r(3, 4)] {
        let other = int(1) - &alpha;
        for (below, above) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let average = &alpha * (&other * int(below)) + &other * (&alpha * int(above));
            let product = &alpha * &other * int(below + above);
            let bounds = alpha >= r(1, 4) && other >= r(1, 4) && &alpha * &other >= r(3, 16);
            evidence.case(average == product && bounds, || {
                format!("alpha = {alpha}, N_- = {below}, N_+ = {above}: {average}")
            });
        }
    }
    for rounds in 1..=8 {
        for eps in tried_eps() {
            for run in runs(rounds) {
                let predictions = run.predictions(&eps);
                let alpha = &predictions[run.outcomes.len()];
                let on_side = |below: bool| -> (i64, i64) {
                    let rounds = run.outcomes.iter().zip(&predictions);
                    let side = rounds.filter(|(_, p)| if below { *p < alpha } else { *p > alpha });
                    side.fold((0, 0), |(n, ones), (&one, _)| (n + 1, ones + i64::from(one)))
                };
                let ((n_below, x_below), (n_above, x_above)) = (on_side(true), on_side(false));
                let below = int(x_below) - alpha * int(n_below);
                let above = alpha * int(n_above) - int(x_above);
                let larger = (&below).max(&above);
                let words = || {
                    let x = listed(&run.outcomes);
                    format!(
                        "x = ({x}), eps = {eps}, alpha* = {alpha}\n\
                         N_- = {n_below}, X_- = {x_below}, N_+ = {n_above}, X_+ = {x_above}\n\
                         X_- - alpha N_- = {below}\nalpha N_+ - X_+ = {above}"
                    )
                };
                let counts = x_below == n_below && x_above == 0;
                let each = below >= r(n_below, 4) && above >= r(n_above, 4);
                let total = alpha * (BigRational::one() - alpha) * int(rounds);
                let least = r(3 * i64::from(rounds), 16);
                evidence.case(counts && each && *larger >= total && *larger >= least, words);
                evidence.mistake("T/5 for 3T/16", *larger >= r(rounds.into(), 5), words);
                evidence.mistake("X_+ = N_+", x_above == n_above, words);
            }
        }
    }
}

/// VCal >= 3|S|/8 on every subset of every run for T <= 6, hence 3T/16 on average.
///
/// For every T: alpha* separates the ones from the zeros of S as well, so that the argument of
/// [`sides`] applies with
/// |S| for T; and VCal is at least twice g(alpha*).
pub(super) fn subsets(evidence: &mut Evidence) {
    for rounds in 1..=6 {
        for run in runs(rounds) {
            let predictions = run.predictions(&r(1, 4));
            let mut total = BigRational::zero();
            for set in 0..=run.all() {
                let size = i64::from(set.count_ones());
                let v = value(&run.truthful(&predictions, set), Measure::VCal);
                let words = || {
                    let x = listed(&run.outcomes);
                    format!("x = ({x}), eps = 1/4, S = {set:b} (round 1 last)\nVCal = {v}")
                };
                evidence.case(v >= r(3 * size, 8), words);
                evidence.mistake("2|S|/5 for 3|S|/8", v >= r(2 * size, 5), words);
                total += v;
            }
            let average = total / int(1_i64 << rounds);
            evidence.case(average >= r(3 * i64::from(rounds), 16), || {
                format!("x = ({})\nVCal^sub = {average}", listed(&run.outcomes))
            });
        }
    }
}
