//! Hedge and the bound that follows from it.

use num_rational::BigRational;
use num_traits::{Pow, Zero};

use super::game::horizon_buckets;
use super::weights::loss_and_cost;
use crate::claims::tools::{int, outcomes, r};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// Hedge with N experts against every sequence of costs in {0,1}.
struct Experts<'a> {
    /// exp(-eta)
    factor: &'a BigRational,
    /// The longest sequence.
    most: usize,
    /// ln(N)/eta and T eta/8 from below, for T = 0, 1, …
    bounds: &'a [(BigRational, BigRational)],
}

/// f(s) = ln(1 - m + m e^s) - ms is at most s²/8 for all real s and m in [0, 1]. For X in [a, a+1]
/// with mean 0 let m = -a and Y = X - a, which is in [0, 1] with mean m; as exp is convex, e^(sY)
/// <= 1 - Y + Y e^s, and so E e^(sX) <= e^(-ms) (1 - m + m e^s) = e^(f(s)).
///
/// f(0) = 0, f' = u - m with u = N/D, N = m e^s, D = 1 - m + m e^s, so that f'(0) = 0. As N' = D' =
/// N, f'' = u' = (ND - NN)/D² = u(1-u) = 1/4 - (u - 1/2)² <= 1/4, and Taylor's formula gives f(s)
/// <= (1/4) s²/2. The two identities are checked at points (u takes every value between 0 and 1), f
/// itself is tried.
///
/// A sum S of T such variables, independent or given those before them, has E e^(sS) <= e^(T s²/8),
/// one factor after the other; so P(S >= x) <= e^(T s²/8 - sx), which is e^(-2x²/T) at s = 4x/T: T
/// (4x/T)²/8 - (4x/T) x = -2x²/T, checked at points besides.
pub(super) fn exponential_moment(evidence: &mut Evidence) {
    for (m, e) in (0..=4).flat_map(|m| [r(1, 3), int(1), int(2), int(5)].map(|e| (r(m, 4), e))) {
        let numerator = &m * &e;
        let whole = int(1) - &m + &numerator;
        let u = &numerator / &whole;
        let second = (&numerator * &whole - &numerator * &numerator) / (&whole * &whole);
        let shown = || format!("m = {m}, e^s = {e}: u = {u}, f'' = {second}");
        let away = &u - r(1, 2);
        evidence.case(second == &u * (int(1) - &u) && second == r(1, 4) - &away * &away, shown);
        evidence.mistake("f'' <= 1/5", second <= r(1, 5), shown);
    }
    for (m, s) in (0..=8).flat_map(|m| [-16, -4, -1, 1, 4, 16].map(|s| (r(m, 8), r(s, 4)))) {
        let power = Enclosure::exact(&s).exp();
        let inside = Enclosure::exact(&(int(1) - &m)) + Enclosure::exact(&m) * power;
        let f = inside.ln() - Enclosure::exact(&(&m * &s));
        let square = Enclosure::exact(&(&s * &s));
        let most = |eighths: i64| &square * Enclosure::ratio(eighths, 64);
        let shown = || format!("m = {m}, s = {s}: f = {f:.6}, s^2/8 = {:.6}", most(8));
        evidence.case(f.at_most(&most(8)) == Some(true), shown);
        evidence.mistake("7/64 for 1/8", f.at_most(&most(7)) == Some(true), shown);
    }
    for (rounds, x) in [(1, 1), (3, 2), (7, 5)].map(|(rounds, x)| (int(rounds), int(x))) {
        let s = int(4) * &x / &rounds;
        let exponent = &rounds * &s * &s / int(8) - &s * &x;
        let shown = || format!("T = {rounds}, x = {x}: exponent {exponent}");
        evidence.case(exponent == int(-2) * &x * &x / &rounds, shown);
    }
}

/// Regret at most ln(N)/eta + T eta/8, for every N, T and eta > 0. Let W_t be the sum over the
/// experts of exp(-eta times their costs before round t), so that W_1 = N. W_(t+1)/W_t is the mean
/// of exp(-eta cost) under the weights of round t, and by hoeffding-lemma, since the costs are in
/// an interval of length 1, at most exp(-eta (what Hedge pays) + eta²/8): so ln W_(T+1) <= ln N -
/// eta (what Hedge pays in all) + T eta²/8. But W_(T+1) is at least the term of the best expert,
/// exp(-eta (its cost)). Divide by eta. Nothing is said of where the costs of a round come from, so
/// they may depend on the weights.
///
/// Of a/eta + b eta the least value is at eta² = a/b, where its square is 4ab: at a = ln N, b = T/8
/// that is T ln(N)/2. With eta = z and a = b z² it is 2bz, an identity in b and z.
///
/// Tried with eta = ln 4, ln 2 and ln(4/3), at which all weights are rational.
pub(super) fn regret(evidence: &mut Evidence) {
    for (b, z) in [(1, 1), (2, 1), (1, 3), (5, 2)].map(|(b, z)| (int(b), int(z))) {
        let a = &b * &z * &z;
        let least = &a / &z + &b * &z;
        let shown = || format!("a = {a}, b = {b}, eta = {z}: {least}");
        evidence.case(&least * &least == int(4) * &a * &b, shown);
    }
    loss_and_cost(evidence);
    for factor in [r(1, 2), r(1, 4), r(3, 4)] {
        for (experts, most) in [(2, 5), (3, 3), (4, 2)] {
            let eta = Enclosure::exact(&factor.recip()).ln();
            let first = (Enclosure::from(experts).ln() / &eta).low();
            let second = |rounds: i64| (&eta * Enclosure::ratio(rounds, 8)).low();
            let bounds: Vec<_> = (0..=most).map(|rounds| (first.clone(), second(rounds))).collect();
            let experts = usize::try_from(experts).expect("a few experts");
            let game = Experts { factor: &factor, most: bounds.len() - 1, bounds: &bounds };
            game.explore(evidence, &mut vec![vec![false; experts]], &BigRational::zero());
        }
    }
}

impl Experts<'_> {
    /// Puts every continuation of these costs to the check. `paid` is what Hedge has paid; the
    /// first costs are all zero and do not count.
    fn explore(&self, evidence: &mut Evidence, costs: &mut Vec<Vec<bool>>, paid: &BigRational) {
        let experts = costs[0].len();
        let rounds = costs.len() - 1;
        let total = |expert: usize| costs.iter().filter(|costs| costs[expert]).count() as u32;
        let totals: Vec<u32> = (0..experts).map(total).collect();
        if rounds > 0 {
            let least = totals.iter().min().expect("an expert");
            let regret = paid - int(*least);
            let (first, second) = &self.bounds[rounds];
            let shown = || {
                let factor = self.factor;
                format!(
                    "N = {experts}, T = {rounds}, exp(-eta) = {factor}: regret {regret}\ncosts \
                        {:?}",
                    &costs[1..]
                )
            };
            evidence.case(regret <= first + second, shown);
            evidence.mistake("without T eta/8", regret <= *first, shown);
        }
        if rounds == self.most {
            return;
        }
        let weights: Vec<_> = totals.iter().map(|&total| Pow::pow(self.factor, total)).collect();
        let sum: BigRational = weights.iter().sum();
        for next in outcomes(experts) {
            let hit: BigRational = weights
                .iter()
                .zip(&next)
                .filter(|(_, cost)| **cost)
                .map(|(weight, _)| weight)
                .sum();
            costs.push(next);
            self.explore(evidence, costs, &(paid + hit / &sum));
            costs.pop();
        }
    }
}

/// A bound for T rounds: how many halves of T/(T-1) + sqrt(2T ln(2T)), and how often sqrt(T)
/// besides.
#[derive(Clone, Copy)]
struct Bound {
    halves: i64,
    roots: i64,
}

/// That of thm:alg.
const STEP: Bound = Bound { halves: 2, roots: 0 };

/// Half of it and sqrt(T).
const SUBSAMPLED: Bound = Bound { halves: 1, roots: 1 };

impl Bound {
    /// The bound, and sqrt(T ln T).
    fn both_sides(self, rounds: i64) -> (Enclosure, Enclosure) {
        let t = Enclosure::from(rounds);
        let hedge = (Enclosure::from(2 * rounds) * Enclosure::from(2 * rounds).ln()).sqrt();
        let step = Enclosure::ratio(rounds, rounds - 1) + hedge;
        let left = Enclosure::ratio(self.halves, 2) * step + Enclosure::from(self.roots) * t.sqrt();
        (left, (&t * t.ln()).sqrt())
    }

    /// Whether it is at most so many hundredths of sqrt(T ln T) for certain.
    fn within(self, rounds: i64, hundredths: i64) -> bool {
        let (left, right) = self.both_sides(rounds);
        left.at_most(&(Enclosure::ratio(hundredths, 100) * right)) == Some(true)
    }

    /// The quotient by sqrt(T ln T) is a sum of multiples of T/(T-1)/sqrt(T ln T), sqrt(2 + 2
    /// ln(2)/ln(T)) and 1/sqrt(ln T), each of which decreases in T: T = 2 is the worst case, and
    /// decides for all T >= 2. T = 3, …, 64 are tried besides.
    fn put(self, evidence: &mut Evidence, hundredths: i64, mistake: (&str, i64)) {
        for rounds in 2..=64 {
            let shown = || {
                let (left, right) = self.both_sides(rounds);
                format!("T = {rounds}: the bound is {left:.6}, sqrt(T ln T) = {right:.6}")
            };
            evidence.case(self.within(rounds, hundredths), shown);
            evidence.mistake(mistake.0, self.within(rounds, mistake.1), shown);
        }
    }
}

/// total at k = T: (3 - 2 sqrt(2)) T/(T-1) + sqrt(2T ln(2T)), where 3 - 2 sqrt(2) <= 1. Then the
/// number 3.7 (see [`Bound::put`]), and the games with k = T as a trial.
pub(super) fn theorem(evidence: &mut Evidence) {
    STEP.put(evidence, 370, ("3.69 sqrt(T ln T)", 369));
    let best = Enclosure::from(3) - Enclosure::from(8).sqrt();
    evidence.case(best.at_most(&Enclosure::from(1)) == Some(true), || format!("{best:.6}"));
    horizon_buckets(evidence);
}

/// stepCE^sub <= stepCE/2 + sqrt(T) for all sequences (lemma:stepCE-vs-stepCEsub), so E stepCE^sub
/// is at most half of the bound of thm:alg and sqrt(T). Then the number 3.06: see [`Bound::put`].
pub(super) fn subsampled(evidence: &mut Evidence) {
    SUBSAMPLED.put(evidence, 306, ("3.05 sqrt(T ln T)", 305));
}
