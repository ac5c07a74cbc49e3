//! Hedge and the bound that follows from it.

use num_rational::BigRational;
use num_traits::{Pow, Zero};

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

/// Regret at most ln(N)/eta + T eta/8, for eta = ln 4, ln 2 and ln(4/3), at which all weights are
/// rational.
pub(super) fn regret(evidence: &mut Evidence) {
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

/// T/(T-1) + sqrt(2T ln(2T)) and sqrt(T ln T)
fn both_sides(rounds: i64) -> (Enclosure, Enclosure) {
    let t = Enclosure::from(rounds);
    let hedge = (Enclosure::from(2 * rounds) * Enclosure::from(2 * rounds).ln()).sqrt();
    (Enclosure::ratio(rounds, rounds - 1) + hedge, (&t * t.ln()).sqrt())
}

/// Whether T/(T-1) + sqrt(2T ln(2T)) <= constant sqrt(T ln T) for certain.
fn bounded(rounds: i64, constant: &Enclosure) -> bool {
    let (left, right) = both_sides(rounds);
    left.at_most(&(constant * right)) == Some(true)
}

/// The quotient of the two sides is T/(T-1)/sqrt(T ln T) + sqrt(2 + 2 ln(2)/ln(T)), where both
/// terms decrease in T, so that T = 2 is the worst case; T = 3, …, 64 are checked besides.
pub(super) fn explicit_bound(evidence: &mut Evidence) {
    for rounds in 2..=64 {
        let shown = || {
            let (left, right) = both_sides(rounds);
            format!("T = {rounds}: T/(T-1) + sqrt(2T ln 2T) = {left:.6}, sqrt(T ln T) = {right:.6}")
        };
        evidence.case(bounded(rounds, &Enclosure::ratio(37, 10)), shown);
        evidence.mistake("99/100 of 3.7", bounded(rounds, &Enclosure::ratio(3663, 1000)), shown);
    }
}

/// One round: k = T = 1 has no grid (k - 1 = 0), the bound K sqrt(1 log 1) is 0, and a forecast
/// with mean m has max_x E|x - p| = max(m, 1 - m) >= 1/2.
pub(super) fn single_round(evidence: &mut Evidence) {
    for mean in (0..=12).map(|i| r((i + 6) % 13, 12)) {
        let value = mean.clone().max(int(1) - &mean);
        evidence.case(value <= int(0), || {
            format!(
                "T = 1, any forecast with mean {mean}: max_x E|x - p| = {value}\nsqrt(T log T) = 0"
            )
        });
    }
    for rounds in 2..=10 {
        evidence
            .corrected("3.7 sqrt(T ln T) for T >= 2", bounded(rounds, &Enclosure::ratio(37, 10)));
    }
}
