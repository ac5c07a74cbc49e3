//! Unions of k intervals instead of prefixes.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::claims::appendix::thresholds::{Rounds, sweep};
use crate::claims::tools::{int, r, table_of, tables, value};
use truecal::AnyLevels;
use truecal::Measure;
use truecal_verify::registry::Evidence;

/// The largest |sum of the biases in U| over unions U of at most k runs of consecutive levels.
///
/// A dynamic programme: level by level, the best sum with so many runs begun, where the level is
/// outside or inside the last of them; once for each sign.
pub(super) fn best_union(biases: &[BigRational], k: usize) -> BigRational {
    let one_sided = |sign: i64| {
        let mut outside = vec![Some(BigRational::zero())];
        outside.resize(k + 1, None);
        let mut inside = vec![None; k + 1];
        for bias in biases {
            let gain = bias * int(sign);
            let before = (outside.clone(), inside.clone());
            for runs in 0..=k {
                outside[runs] = before.0[runs].clone().max(before.1[runs].clone());
                let begun = if runs > 0 { before.0[runs - 1].clone() } else { None };
                inside[runs] = before.1[runs].clone().max(begun).map(|best| best + &gain);
            }
        }
        outside.into_iter().chain(inside).flatten().max().unwrap_or_default()
    };
    one_sided(1).max(one_sided(-1))
}

/// The biases of the levels, ascending in the prediction.
fn biases(rounds: &Rounds) -> Vec<BigRational> {
    let bias = |q: i64| rounds.sum(|x, p| if p == q { x - q } else { 0 });
    rounds.levels().into_iter().map(|q| r(bias(q), rounds.unit)).collect()
}

/// The same over unions of k intervals [a, b] whose ends are predictions or halfway between two of
/// them, as sets of rounds.
fn best_literal_union(rounds: &Rounds, k: usize) -> BigRational {
    let levels = rounds.levels();
    let halfway = levels.windows(2).map(|pair| i64::midpoint(pair[0], pair[1]));
    let ends: Vec<i64> = levels.iter().copied().chain(halfway).collect();
    let held = |low: i64, high: i64| -> u32 {
        let inside = (0..).zip(&rounds.rounds).filter(|(_, (_, p))| (low..=high).contains(p));
        inside.map(|(t, _)| 1 << t).sum()
    };
    let intervals: BTreeSet<u32> =
        ends.iter().flat_map(|low| ends.iter().map(move |high| held(*low, *high))).collect();
    let mut unions = BTreeSet::from([0]);
    for _ in 0..k {
        let with = |union: u32| intervals.iter().map(move |interval| union | interval);
        unions = unions.into_iter().flat_map(with).collect();
    }
    let error = |union: u32| -> i64 {
        let kept = (0..).zip(&rounds.rounds).filter(|(t, _)| union >> t & 1 == 1);
        kept.map(|(_, (x, p))| x - p).sum::<i64>().abs()
    };
    r(unions.into_iter().map(error).max().unwrap_or(0), rounds.unit)
}

/// What unions of k intervals see, literally and as runs of levels.
pub(super) fn unions(evidence: &mut Evidence) {
    runs_are_intervals(evidence);
    at_most_2k(evidence);
}

/// k literal intervals can do what k runs of levels can, and no more. An interval with ends
/// elsewhere holds the same predictions as one of these, or none.
fn runs_are_intervals(evidence: &mut Evidence) {
    for levels in tables(5, 5) {
        let rounds = Rounds::of(&levels);
        let biases = biases(&rounds);
        for k in 1..=2 {
            let (runs, literal) = (best_union(&biases, k), best_literal_union(&rounds, k));
            let arithmetic = |runs: &BigRational| {
                format!("{rounds}, k = {k}\nin runs of levels: {runs}\nin intervals: {literal}")
            };
            evidence.case(runs == literal, || arithmetic(&runs));
            let more = best_union(&biases, k + 1);
            let mistake = if k == 1 { "2 runs for k = 1" } else { "3 runs for k = 2" };
            evidence.mistake(mistake, more == literal, || arithmetic(&more));
        }
    }
}

/// stepCE <= best union of k intervals <= 2k stepCE.
fn at_most_2k(evidence: &mut Evidence) {
    for rounds in sweep() {
        let step_ce = r(rounds.step_ce(), rounds.unit);
        let biases = biases(&rounds);
        for k in 1..=3_usize {
            let best = best_union(&biases, k);
            let bound = &step_ce * int(2 * k);
            let arithmetic =
                || format!("{rounds}, k = {k}\nstepCE = {step_ce}\nthe best union: {best}");
            evidence.case(step_ce <= best && best <= bound, arithmetic);
            evidence.mistake("99/100 of 2k", best <= bound * r(99, 100), arithmetic);
        }
    }
}

/// `count` levels whose prefix sums alternate between -M and M, with M = 1/(8 count): one round at
/// M, then for j = 1, 2, … j + 1 rounds with j ones, predicted 2M below or above j/(j+1) per round
/// in turn. They ascend because 2M (2j + 3) < 1.
pub(in crate::claims) fn alternating_levels(count: i64) -> (BigRational, AnyLevels) {
    let m = r(1, 8 * count);
    let level = |j: i64| {
        let bias = &m * int(if j % 2 == 1 { 2 } else { -2 });
        let [rounds, ones] = [j + 1, j].map(i64::unsigned_abs);
        ((int(j) - bias) / int(j + 1), rounds, ones)
    };
    let first = (m.clone(), 1, 0);
    let levels = table_of(std::iter::once(first).chain((1..count).map(level)));
    (m, levels)
}

/// The ratio 2k is attained for every k: at the smallest sequences known for k = 1 and 2, and by
/// alternating levels.
pub(in crate::claims) fn two_k_attained(evidence: &mut Evidence) {
    let first = table_of([(r(1, 2), 1, 1), (int(1), 1, 0)]);
    let second =
        table_of([(r(1, 20), 1, 0), (r(9, 20), 2, 1), (r(11, 20), 2, 1), (r(19, 30), 3, 2)]);
    let family = (1..=8).map(|k| (k, alternating_levels(2 * k).1));
    for (k, levels) in [(1, first), (2, second)].into_iter().chain(family) {
        let step_ce = value(&levels, Measure::StepCe);
        let rational = levels.to_rational();
        let biases: Vec<BigRational> = rational.table().biases().collect();
        let best = best_union(&biases, usize::try_from(k).expect("small"));
        let arithmetic = || {
            format!(
                "k = {k}, T = {}, {} levels\nstepCE = {step_ce}\nthe best union of k intervals: \
                    {best}",
                levels.rounds(),
                levels.len()
            )
        };
        let attained = best == &step_ce * int(2 * k) && best.is_positive();
        evidence.case(attained, arithmetic);
        let fewer = best_union(&biases, usize::try_from(k - 1).expect("small"));
        evidence.mistake("with k - 1 intervals", fewer == best, arithmetic);
    }
}
