//! Climbing within order patterns: where to begin, and what becomes of it.

use std::cmp::Reverse;
use truecal::Watch;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rayon::prelude::*;

use super::ascent::Aim;
use super::cell::Cell;
use super::grids::{self, Stage, encoded};
use super::instance::Instance;
use crate::enumeration::in_order;
use crate::laws::Verdict;
use crate::laws::near_value;
use crate::prover;
use truecal_check::Pattern;
use truecal_check::law::{Comparison, Expr, Law, Relation};

/// In how many order patterns a search climbs for each number of rounds: fewer where averages over
/// subsets take their time.
fn most_patterns(law: &Law) -> usize {
    match law.quantities().iter().any(|quantity| quantity.is_average()) {
        true => 16,
        false => 64,
    }
}

/// An order pattern, and predictions to climb from.
pub(super) type Start = (Pattern, Vec<BigRational>);

/// Climbs in the patterns that came closest.
pub(super) fn climb(law: &Law, stage: &mut Stage, watch: &Watch<'_>) -> Option<Instance> {
    // The best table of a pattern may be where nothing has a slope, as at the root of 0.
    let best = starts(law, stage);
    let even = best
        .iter()
        .map(|(pattern, _)| (pattern.clone(), prover::spread(pattern.levels.len())))
        .collect();
    let starts = feasible_starts(law, best, watch);
    stage.patterns = (starts.len() as u64, prover::patterns(stage.rounds));
    let title = format!("order patterns, T = {}", stage.rounds);
    watch.begin(&title, stage.patterns.0);
    let found = climb_from(law, &starts, watch)
        .or_else(|| climb_from(law, &feasible_starts(law, even, watch), watch));
    stage.interrupted |= found.is_none() && !watch.go_on();
    found
}

/// In parallel, but the first in order counts.
fn climb_from(law: &Law, starts: &[Start], watch: &Watch<'_>) -> Option<Instance> {
    let directions = directions(&law.conclusion);
    let quantities = Aim::quantities(law);
    starts.par_iter().find_map_first(|(pattern, from)| {
        let cell = Cell::new(pattern, &quantities)?;
        let found = directions.iter().find_map(|(gain, cost)| {
            let hypothesis = law.hypothesis.as_ref();
            let mut aim = Aim { gain, cost, rate: BigRational::one(), hypothesis };
            let summit = aim.ascend(&cell, from, false, watch)?;
            inwards(&cell, &summit.at, from).find(|i| i.judge(law) == Verdict::Fails)
        });
        watch.done(1);
        found
    })
}

/// The starts at which the hypothesis holds, or others in the same patterns; without the patterns
/// in which none was found.
pub(super) fn feasible_starts(law: &Law, starts: Vec<Start>, watch: &Watch<'_>) -> Vec<Start> {
    let quantities = Aim::quantities(law);
    let feasible = |(pattern, values): &Start| {
        let cell = Cell::new(pattern, &quantities)?;
        Some((pattern.clone(), feasible(law, &cell, values, watch)?))
    };
    starts.par_iter().filter_map(feasible).collect()
}

/// Predictions in the pattern, these or others that a climb leads to, where the hypothesis holds.
fn feasible(
    law: &Law,
    cell: &Cell,
    values: &[BigRational],
    watch: &Watch<'_>,
) -> Option<Vec<BigRational>> {
    let applies = |instance: &Instance| instance.judge(law) != Verdict::Inapplicable;
    if applies(&cell.instance(values)?) {
        return Some(values.to_vec());
    }
    let hypothesis = law.hypothesis.as_ref()?;
    let climb = |gain, cost| {
        let mut aim = Aim { gain, cost, rate: BigRational::one(), hypothesis: None };
        Some(aim.ascend(cell, values, false, watch)?.at)
    };
    if let Some((less, more)) = in_order(hypothesis) {
        let summit = climb(more, less)?;
        // Rather not at the summit itself, where there may be nothing else.
        let mut inside = inwards(cell, &summit, values).filter(applies);
        let first = inside.next()?;
        return Some(inside.next().unwrap_or(first).pattern().1);
    }
    // An equality: somewhere between a place where one side is larger, and one where the other is.
    let Comparison { left, right, .. } = hypothesis;
    let difference = |at: &[BigRational]| {
        let value = |quantity| cell.value(quantity, at);
        Some(near_value(left, &value)? - near_value(right, &value)?)
    };
    // Not quite at the summit, so that predictions do not touch.
    let near = |summit: Vec<BigRational>| {
        let inside = inwards(cell, &summit, values).nth(12);
        inside.map(|instance| instance.pattern().1)
    };
    let (mut high, mut low) = (near(climb(left, right)?)?, near(climb(right, left)?)?);
    for _ in 0..MOST_SECANTS {
        let (above, below) = (difference(&high)?, difference(&low)?);
        if above.is_negative() || below.is_positive() || above == below {
            return None;
        }
        // Where the chord meets 0: exact once both ends are on the same affine piece.
        let share = &above / (&above - &below);
        let between = high.iter().zip(&low).map(|(h, l)| h + (l - h) * &share).collect::<Vec<_>>();
        if between.iter().any(|value| value.denom().bits() > LONGEST) {
            return None; // what is curved is met only in the limit
        }
        match difference(&between)? {
            zero if zero.is_zero() => {
                return cell.instance(&between).filter(applies).map(|_| between);
            }
            more if more.is_positive() => high = between,
            _ => low = between,
        }
    }
    None
}

/// How often a chord is drawn to meet an equality, and how long its numbers may get, in bits.
const MOST_SECANTS: usize = 24;
const LONGEST: u64 = 512;

/// Where to climb from: the best table of each order pattern, best first; then patterns that the
/// grids do not have, or that an equality has no best table of, with predictions evenly spread.
pub(super) fn starts(law: &Law, stage: &Stage) -> Vec<Start> {
    let most = most_patterns(law);
    let mut best: Vec<_> = stage.best.iter().collect();
    best.sort_unstable_by_key(|(code, best)| (Reverse(best.score), best.place, **code));
    let mut starts: Vec<_> =
        best.iter().take(most).map(|(_, best)| grids::table(best).pattern()).collect();
    // An error ends the visit.
    let _ = Pattern::default().each(stage.rounds, &mut |pattern| {
        if starts.len() >= most {
            return Err(());
        }
        if !stage.best.contains_key(&encoded(pattern)) {
            starts.push((pattern.clone(), prover::spread(pattern.levels.len())));
        }
        Ok(())
    });
    starts
}

/// Which side is to exceed which.
fn directions(conclusion: &Comparison) -> Vec<(&Expr, &Expr)> {
    let Comparison { left, relation, right } = conclusion;
    match (relation, in_order(conclusion)) {
        (Relation::Equal, _) | (_, None) => vec![(left, right), (right, left)],
        (_, Some(sides)) => vec![sides],
    }
}

/// The tables from a summit, where predictions may touch, back towards the one that the climb began
/// at.
fn inwards<'a>(
    cell: &'a Cell,
    summit: &'a [BigRational],
    from: &'a [BigRational],
) -> impl Iterator<Item = Instance> + 'a {
    prover::inwards(summit, from).filter_map(|values| cell.instance(&values))
}
