//! Every table on grids of increasing fineness, within a budget.
//!
//! A conjecture on the command line and the wrong variant of a claim go through the same grids, T
//! by T and D by D, so that the first failure is the smallest. Tables of coarser grids are passed
//! by, so that each counts once.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use truecal::Watch;

use super::instance::Instance;
use crate::enumeration::{Best, DomainError, Extreme, Extremes, extremes, is_apart, tables};
use truecal::AnyLevels;
use truecal::grid::Grid;
use truecal_check::Pattern;
use truecal_check::law::{Law, Quantity};

/// How far to look. Must pass its [check](Budget::check).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The largest number of rounds.
    pub max_rounds: u32,
    /// The largest denominator of the grids.
    pub grid: u32,
    /// The most tables to visit on grids, where those of coarser grids are passed by again; None is
    /// no limit.
    pub cases: Option<u64>,
}

impl Budget {
    /// What takes some seconds.
    pub fn usual(law: &Law) -> Budget {
        match is_costly(law) {
            true => Budget { max_rounds: 4, grid: 8, cases: None },
            false => Budget { max_rounds: 6, grid: 12, cases: None },
        }
    }

    /// Whether its tables can be numbered; otherwise what to change.
    pub fn check(&self) -> Result<(), DomainError> {
        tables(self.max_rounds, self.grid).map(|_| ())
    }
}

/// Whether the law speaks of averages that are computed anew for each table.
fn is_costly(law: &Law) -> bool {
    law.quantities().iter().any(|quantity| match quantity {
        Quantity::Measure(measure) => quantity.is_average() && is_apart(*measure),
        _ => false,
    })
}

/// Why a search ended early.
// Exhaustive on purpose: whoever reports a search must say why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The budget of cases was used up.
    Cases,
    /// The watch asked for it.
    Asked,
}

/// What was done for one number of rounds.
#[derive(Clone, Debug)]
pub struct Stage {
    /// T.
    pub rounds: u32,
    /// Every table with this common denominator or a smaller one was tried.
    pub complete: u32,
    /// Of the grid after that, so many tables of so many.
    pub partial: Option<(u64, u64)>,
    /// The tables tried, each once.
    pub cases: u64,
    /// Those in which the hypothesis holds.
    pub applicable: u64,
    /// Those in which the two sides are equal.
    pub equalities: u64,
    /// What shows the law for all real predictions.
    pub proved: Option<String>,
    /// In how many order patterns linear programmes climbed, and how many there are.
    pub patterns: (u64, u64),
    /// Whether a proof or a climb was cut short.
    pub interrupted: bool,
    /// The most extreme table of each order pattern.
    pub(super) best: HashMap<u64, Best>,
}

impl Stage {
    pub(super) fn new(rounds: u32) -> Stage {
        Stage {
            rounds,
            complete: 0,
            partial: None,
            cases: 0,
            applicable: 0,
            equalities: 0,
            proved: None,
            patterns: (0, 0),
            interrupted: false,
            best: HashMap::new(),
        }
    }

    /// Whether every table with denominators up to this was tried.
    pub(super) fn is_complete(&self, denominator: u32) -> bool {
        self.complete >= denominator
    }
}

/// How many tables may be tried to find a smaller one than the one at hand: a few seconds.
const REFINEMENT: u64 = 1 << 24;

/// Of more order patterns than these only the most extreme are remembered.
const MOST_REMEMBERED: usize = 1 << 17;

/// A search through grids.
pub(super) struct Grids<'a> {
    law: &'a Law,
    extreme: Extreme,
    watch: Watch<'a>,
    /// How many more tables may be judged.
    left: Option<u64>,
    stopped: Option<Stopped>,
}

impl<'a> Grids<'a> {
    pub fn new(law: &'a Law, extreme: Extreme, budget: &Budget, watch: &Watch<'a>) -> Grids<'a> {
        Grids { law, extreme, watch: *watch, left: budget.cases, stopped: None }
    }

    pub fn watch(&self) -> Watch<'a> {
        self.watch
    }

    /// Why the search ended early, if it did.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped.or_else(|| (!self.watch.go_on()).then_some(Stopped::Asked))
    }

    /// How much longer a table takes than most.
    pub fn cost(&self) -> u64 {
        if is_costly(self.law) { 200 } else { 1 }
    }

    /// Whether these grids can be searched besides, for a smaller table than the one at hand.
    pub fn affordable(&self, rounds: u32, denominators: RangeInclusive<u32>) -> bool {
        let size = |denominator| Grid { rounds, denominator }.size().unwrap_or(u64::MAX);
        let tables = denominators.map(size).fold(0, u64::saturating_add);
        tables <= REFINEMENT / self.cost()
    }

    /// Goes through the grids with these denominators, and returns the first table that fails. The
    /// stage learns what was done.
    pub fn search(
        &mut self,
        stage: &mut Stage,
        denominators: RangeInclusive<u32>,
    ) -> Option<Instance> {
        // Small enough to stop soon.
        let block = (1_u64 << 18) / self.cost();
        for denominator in denominators {
            let grid = Grid { rounds: stage.rounds, denominator };
            let size = grid.size().expect("the budget was checked");
            let title = format!("T = {}, D = {denominator}", stage.rounds);
            self.watch.begin(&title, size);
            let mut from = 0;
            while from < size {
                let to = size.min(from + block.min(self.left.unwrap_or(block)));
                if to == from || !self.watch.go_on() {
                    let reason = if to == from { Stopped::Cases } else { Stopped::Asked };
                    self.stopped = Some(reason);
                    stage.partial = Some((from, size));
                    return None;
                }
                let found = extremes(grid, from..to, self.law, self.extreme, &self.watch);
                self.left = self.left.map(|left| left - (to - from));
                from = to;
                if let Some(instance) = self.note(stage, found, grid) {
                    return Some(instance);
                }
            }
            stage.complete = denominator;
        }
        None
    }

    fn note(&self, stage: &mut Stage, found: Extremes, grid: Grid) -> Option<Instance> {
        let Extremes { tally, best } = found;
        stage.cases += tally.cases;
        stage.applicable += tally.applicable;
        stage.equalities += tally.equalities;
        for (code, best) in best {
            stage.best.entry(code).and_modify(|known| *known = known.or(best)).or_insert(best);
        }
        if stage.best.len() > MOST_REMEMBERED {
            let mut all: Vec<_> = stage.best.drain().collect();
            all.sort_unstable_by_key(|(_, best)| (Reverse(best.score), best.place));
            all.truncate(MOST_REMEMBERED / 2);
            stage.best.extend(all);
        }
        let table = grid.nth(tally.failure?.index).expect("a number of this grid");
        Some(Instance::of_levels(&AnyLevels::from(table)))
    }
}

/// The table that a search called its best.
pub(super) fn table(best: &Best) -> Instance {
    let grid = Grid { rounds: best.place.rounds, denominator: best.grid };
    let table = grid.nth(best.place.index).expect("a number of this grid");
    Instance::of_levels(&AnyLevels::from(table))
}

/// The number of a pattern, as walks number them.
pub(super) fn encoded(pattern: &Pattern) -> u64 {
    let mut code = 0;
    for (ones, rounds) in &pattern.levels {
        for round in 0..*rounds {
            let outcome = round + ones >= *rounds;
            code = code << 2 | u64::from(round == 0) << 1 | u64::from(outcome);
        }
    }
    code
}
