//! The best constant of an inequality: the smallest c with more <= c · less, for each number of
//! rounds.
//!
//! The best ratio of a pattern may lie where predictions touch (UCal/stepCE = 6 at T = 2) or where
//! both sides vanish (smCE/stepCE = 2 at T = 2). Patterns are therefore closed, with limits as
//! values; then a second programme looks for a table with the same ratio, and otherwise a family is
//! named. That there is no more is left to certificates.

use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, ToPrimitive, Zero};
use rayon::prelude::*;
use thiserror::Error;
use truecal::Watch;
use truecal::rational::int;

use super::ascent::{Aim, Summit, small};
use super::cell::Cell;
use super::climb::{Start, feasible_starts, starts};
use super::family::Family;
use super::grids::{Budget, Grids, Stage, Stopped, table};
use super::instance::Instance;
use super::simplest::simplest;
use super::{Proving, prove};
use crate::enumeration::{Best, Extreme, in_order};
use crate::laws::Verdict;
use crate::laws::{has_root, near_sides, value_of, with_larger_side_times};
use crate::prover;
use truecal_check::Pattern;
use truecal_check::law::{Comparison, Expr, Law, Relation};

/// The best constants by the number of rounds.
#[derive(Clone, Debug)]
pub struct Tight {
    /// From one round on.
    pub rows: Vec<TightRow>,
    /// Why the search ended before its budget.
    pub stopped: Option<Stopped>,
}

/// The best constant for one number of rounds.
#[derive(Clone, Debug)]
pub struct TightRow {
    /// What was done.
    pub stage: Stage,
    /// The largest ratio found.
    pub supremum: Supremum,
}

/// The largest ratio.
// Exhaustive on purpose: whoever shows a constant must say what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supremum {
    /// No table has one: the hypothesis is never met, or both sides are always 0.
    Nothing,
    /// It is attained at a table.
    Attained(BigRational, Instance),
    /// Tables come as close as one likes, and none was found that attains it.
    Approached(BigRational, Family),
    /// There is a table with 0 below the line, and more above.
    Infinite(Instance),
    /// It grows without bound.
    Unbounded(Family),
}

impl Supremum {
    /// The ratio, if it is a number.
    pub fn value(&self) -> Option<&BigRational> {
        match self {
            Supremum::Attained(value, _) | Supremum::Approached(value, _) => Some(value),
            _ => None,
        }
    }
}

/// Why there is no best constant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TightError {
    /// A side with a root.
    #[error(
        "`{0}` has a square root; ratios are compared without: square both sides, or use `refute` \
         with a constant"
    )]
    Root(Expr),
    /// The side below the line is negative somewhere.
    #[error(
        "`{0}` is negative at {1}: a ratio needs it to be at least 0; use abs(…), or exclude it by \
         a hypothesis"
    )]
    Negative(Expr, Instance),
}

/// The finest grid on which a ratio that is approached is looked for.
const FINEST: u32 = 24;

/// How often a better ratio is looked for after a proof has failed.
const MOST_ATTEMPTS: usize = 12;

/// The smallest c with `more <= c*less` wherever the hypothesis holds, for each number of rounds.
///
/// ```
/// use truecal::Watch;
/// use truecal_verify::refute::{Budget, Supremum, tight};
/// let (less, more) = ("stepce".parse()?, "signce".parse()?);
/// let budget = Budget { max_rounds: 2, grid: 4, cases: None };
/// let tight = tight(&less, &more, None, &budget, &Watch::silent())?;
/// let best: Vec<_> = tight.rows.iter().map(|row| row.supremum.value().cloned()).collect();
/// assert_eq!(best, [Some("1".parse()?), Some("3".parse()?)]);
/// assert!(matches!(tight.rows[1].supremum, Supremum::Attained(..)));
/// assert!(tight.rows[1].stage.proved.is_some()); // there is no larger one at any real predictions
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tight(
    less: &Expr,
    more: &Expr,
    given: Option<&Comparison>,
    budget: &Budget,
    watch: &Watch<'_>,
) -> Result<Tight, TightError> {
    if let Some(side) = [less, more].into_iter().find(|side| has_root(side)) {
        return Err(TightError::Root(side.clone()));
    }
    let (left, right) = (more.clone(), less.clone());
    let conclusion = Comparison { left, relation: Relation::AtMost, right };
    let law = Law { hypothesis: given.cloned(), conclusion };
    let mut grids = Grids::new(&law, Extreme::Ratio, budget, watch);
    let mut tight = Tight { rows: vec![], stopped: None };
    for rounds in 1..=budget.max_rounds {
        let mut stage = Stage::new(rounds);
        if let Some(instance) = grids.search(&mut stage, 1..=budget.grid) {
            return Err(TightError::Negative(less.clone(), instance));
        }
        let complete = stage.is_complete(budget.grid);
        let search = Search { law: &law, watch };
        let supremum = search.supremum(&mut stage, complete);
        let supremum = search.attained(supremum, &mut stage, &mut grids);
        let finished = complete && !stage.interrupted;
        tight.rows.push(TightRow { stage, supremum });
        if !finished {
            break;
        }
    }
    tight.stopped = grids.stopped();
    Ok(tight)
}

/// The search for the largest ratio of the two sides of a law.
struct Search<'a> {
    law: &'a Law,
    watch: &'a Watch<'a>,
}

impl Search<'_> {
    /// From what the grids have found; `further`: beyond it.
    fn supremum(&self, stage: &mut Stage, further: bool) -> Supremum {
        let best = stage.best.values().copied().reduce(Best::or).map(|best| table(&best));
        if let Some(instance) = best.as_ref().filter(|instance| self.is_infinite(instance)) {
            return Supremum::Infinite(instance.clone());
        }
        if !further {
            let ratio = best.as_ref().and_then(|instance| self.ratio(instance));
            stage.interrupted = true;
            return ratio.zip(best).map_or(Supremum::Nothing, |(r, i)| Supremum::Attained(r, i));
        }
        let mut starts = self.starts(stage);
        // Off the grids, if they have no table with a ratio.
        let off_grid = || starts.iter().filter_map(|(p, v)| Instance::of_pattern(p, v));
        let first = best.into_iter().chain(off_grid()).find_map(|i| Some((self.ratio(&i)?, i)));
        let Some((ratio, instance)) = first else { return Supremum::Nothing };
        let mut best = Supremum::Attained(ratio, instance);
        stage.patterns = (starts.len() as u64, prover::patterns(stage.rounds));
        for _ in 0..MOST_ATTEMPTS {
            if !self.watch.go_on() {
                stage.interrupted = true;
                break;
            }
            best = self.climb(stage.rounds, &starts, best);
            match self.prove(stage, &best) {
                Some(better) => {
                    // A table off the grid that the prover found: with nothing below the line, or
                    // with more above it.
                    starts = vec![better.pattern()];
                    match self.ratio(&better) {
                        Some(ratio) => best = Supremum::Attained(ratio, better),
                        None if self.is_infinite(&better) => return Supremum::Infinite(better),
                        None => break,
                    }
                }
                None => break,
            }
        }
        self.simplified(best)
    }

    /// What is only approached, as far as is known, may be attained at a table of a finer grid.
    fn attained(&self, supremum: Supremum, stage: &mut Stage, grids: &mut Grids<'_>) -> Supremum {
        let Supremum::Approached(value, _) = &supremum else { return supremum };
        let finer = |most: &u32| grids.affordable(stage.rounds, stage.complete + 1..=*most);
        let Some(most) = (stage.complete + 1..=FINEST).rev().find(finer) else { return supremum };
        grids.search(stage, stage.complete + 1..=most);
        let best = stage.best.values().copied().reduce(Best::or).map(|best| table(&best));
        let ratio = best.as_ref().and_then(|instance| self.ratio(instance));
        match (ratio, best) {
            (Some(ratio), Some(instance)) if ratio >= *value => Supremum::Attained(ratio, instance),
            _ => supremum,
        }
    }

    /// The sides at a table; None where the hypothesis does not hold.
    fn sides(&self, instance: &Instance) -> Option<(BigRational, BigRational)> {
        let levels = instance.levels();
        let applies = instance.judge(self.law) != Verdict::Inapplicable;
        let sides = || near_sides(&self.law.conclusion, &|quantity| value_of(&levels, quantity));
        applies.then(sides).flatten()
    }

    /// The ratio at a table; None where the hypothesis does not hold or the side below the line is
    /// not positive.
    fn ratio(&self, instance: &Instance) -> Option<BigRational> {
        let (gain, cost) = self.sides(instance)?;
        cost.is_positive().then(|| gain / cost)
    }

    /// Whether there is something over 0.
    fn is_infinite(&self, instance: &Instance) -> bool {
        self.sides(instance).is_some_and(|(gain, cost)| cost.is_zero() && gain.is_positive())
    }

    /// Where to climb from: where the hypothesis holds.
    fn starts(&self, stage: &Stage) -> Vec<Start> {
        feasible_starts(self.law, starts(self.law, stage), self.watch)
    }

    /// The best that climbing in these patterns leads to, if it is better.
    fn climb(&self, rounds: u32, starts: &[Start], best: Supremum) -> Supremum {
        let Some(rate) = best.value().cloned() else { return best };
        let title = format!("order patterns, T = {rounds}");
        self.watch.begin(&title, starts.len() as u64);
        let climbed: Vec<Option<Supremum>> = starts
            .par_iter()
            .map(|(pattern, values)| {
                let found = self.climb_in(pattern, values, &rate);
                self.watch.done(1);
                found
            })
            .collect();
        climbed.into_iter().flatten().fold(best, better)
    }

    fn climb_in(
        &self,
        pattern: &Pattern,
        values: &[BigRational],
        rate: &BigRational,
    ) -> Option<Supremum> {
        let cell = Cell::new(pattern, &Aim::quantities(self.law))?;
        let (gain, cost) = in_order(&self.law.conclusion)?;
        let hypothesis = self.law.hypothesis.as_ref();
        let mut aim = Aim { gain, cost, rate: rate.clone(), hypothesis };
        let summit = aim.ascend(&cell, values, true, self.watch)?;
        let Some(ratio) = summit.ratio() else {
            let family = Family::between(&cell, &summit.at, values)?;
            return self.grows(&family).then_some(Supremum::Unbounded(family));
        };
        let mut found = self.classified(&cell, &aim, &summit, ratio, values);
        let vanishing = match Family::vanishing(&cell, &aim, &summit.at) {
            Some((Some(limit), family)) if self.approaches(&family, &limit) => {
                Some(Supremum::Approached(limit, family))
            }
            Some((None, family)) if self.grows(&family) => Some(Supremum::Unbounded(family)),
            _ => None,
        };
        found = found.into_iter().chain(vanishing).reduce(better);
        found.filter(|found| found.value().is_none_or(|value| value >= rate))
    }

    /// Whether a summit is a table, stands for one, or is only approached.
    fn classified(
        &self,
        cell: &Cell,
        aim: &Aim<'_>,
        summit: &Summit,
        ratio: BigRational,
        from: &[BigRational],
    ) -> Option<Supremum> {
        let attains = |at: &[BigRational]| {
            let instance = cell.instance(at)?;
            (self.ratio(&instance)? >= ratio).then_some(instance)
        };
        let apart = || Aim { rate: ratio.clone(), ..aim.clone() }.apart(cell, &summit.at);
        let table = attains(&summit.at).or_else(|| attains(&apart()?));
        match table {
            Some(instance) => Some(Supremum::Attained(self.ratio(&instance)?, instance)),
            None => {
                let family = Family::touching(cell, aim, &summit.at, from)?;
                self.approaches(&family, &ratio).then_some(Supremum::Approached(ratio, family))
            }
        }
    }

    /// The ratios at two tables of a family, the second closer to its limit.
    fn far_and_near(&self, family: &Family) -> Option<[BigRational; 2]> {
        let ratio = |step| self.ratio(&family.at(&small(step))?);
        Some([ratio(20)?, ratio(30)?])
    }

    /// Whether the tables of a family do come close to the ratio that was calculated for their
    /// limit.
    fn approaches(&self, family: &Family, limit: &BigRational) -> bool {
        self.far_and_near(family).is_some_and(|ratios| {
            let [far, near] = ratios.map(|ratio| (limit - ratio).abs());
            near <= far && near < small(20) * (limit.abs() + BigRational::one())
        })
    }

    /// Whether their ratios grow as the limit is approached, by far.
    fn grows(&self, family: &Family) -> bool {
        let grows = |[far, near]: [BigRational; 2]| near > far * int(2);
        self.far_and_near(family).is_some_and(grows)
    }

    /// Looks for a certificate that no table has more. Returns a table that has, if there is one.
    fn prove(&self, stage: &mut Stage, best: &Supremum) -> Option<Instance> {
        let value = best.value()?;
        let factor = Ratio::new(value.numer().to_i64()?, value.denom().to_i64()?);
        let law = with_larger_side_times(self.law, factor)?;
        match prove(&law, stage, self.watch) {
            Proving::Refuted(instance) => Some(instance),
            Proving::Settled | Proving::Open => None,
        }
    }

    /// With the simplest predictions that attain the same.
    fn simplified(&self, supremum: Supremum) -> Supremum {
        let Supremum::Attained(value, instance) = supremum else { return supremum };
        let (pattern, values) = instance.pattern();
        let good = |other: &Instance| self.ratio(other).as_ref() == Some(&value);
        let simple = simplest(&pattern, &values, 1, &good, self.watch);
        Supremum::Attained(value, simple.unwrap_or(instance))
    }
}

/// The larger supremum; of equal ones one that is attained, and of those the first.
fn better(one: Supremum, other: Supremum) -> Supremum {
    let attained = |supremum: &Supremum| matches!(supremum, Supremum::Attained(..));
    match (one.value(), other.value()) {
        (None, _) => one,
        (_, None) => other,
        (Some(a), Some(b)) if b > a || (a == b && attained(&other) && !attained(&one)) => other,
        _ => one,
    }
}
