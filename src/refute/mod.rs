//! Conjectures put to the test: the smallest counterexample, or how far a law stands; and the best constant of an
//! inequality.
//!
//! ```
//! use truecal::refute::{Budget, Watch, refute};
//! let law = "stepce >= ucal/7".parse()?;
//! let answer = refute(&law, &Budget::usual(&law), &Watch::silent());
//! let found = answer.counterexample.expect("the best constant is 1/8");
//! assert_eq!(found.instance.to_string(), "x=(1,0,0) p=(3/8,3/8,1/2)");
//! // There is none with fewer rounds, on any grid or off it.
//! assert!(answer.stages[..2].iter().all(|stage| stage.proved.is_some()));
//! # Ok::<(), truecal::law::LawError>(())
//! ```
//!
//! For each number of rounds, fewest first:
//!
//! 1. every level table with predictions in multiples of 1/D, for D = 1, 2, …: the first that fails is the smallest
//!    counterexample with so many rounds, by its common denominator and then in lexicographic order;
//! 2. if there is none, the [prover](crate::certificate::prover) looks for a certificate for all real predictions, which
//!    settles this number of rounds, and often finds a table off the grid instead;
//! 3. if it does neither, linear programmes climb from the tables that came closest, pattern by pattern;
//! 4. what was found off the grid is rounded to the simplest fractions that still refute, and the grids between are searched
//!    as well.

mod ascent;
mod cell;
mod family;
mod grids;
mod instance;
mod simplest;
mod tight;

pub use family::Family;
pub use grids::{Budget, Stage, Stopped, Watch};
pub use instance::Instance;
pub use tight::{Supremum, Tight, TightError, TightRow, tight};

use num_rational::BigRational;
use num_traits::One;
use rayon::prelude::*;

use self::ascent::Aim;
use self::cell::Cell;
use self::grids::{Grids, decoded};
use self::simplest::{common_denominator, simplest};
use crate::certificate::checker::{self, Pattern};
use crate::certificate::prover::{self, Failure};
use crate::certificate::{aggregated, proof_of_law};
use crate::claims::Proof;
use crate::evidence::{Best, Extreme, Grid, MAX_DENOMINATOR, Progress, in_order};
use crate::law::{Comparison, Law, Relation, Verdict};

/// What became of a conjecture.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A table where it fails.
    pub counterexample: Option<Counterexample>,
    /// What proves it for every number of rounds.
    pub proof: Option<Proof>,
    /// What was done for each number of rounds, from 1.
    pub stages: Vec<Stage>,
    /// The table where it holds with the least slack in proportion to its sides; the smallest of those.
    pub closest: Option<Instance>,
    /// Why the search ended before its budget.
    pub stopped: Option<Stopped>,
}

/// A table where a law fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The table.
    pub instance: Instance,
    /// Whether every table with as many rounds and a smaller common denominator was tried.
    pub smallest: bool,
}

impl Answer {
    /// Up to which number of rounds it is proved for all real predictions; 0 if not even for one.
    pub fn proved_rounds(&self) -> u32 {
        let proved = self.stages.iter().take_while(|stage| stage.proved.is_some());
        proved.count() as u32
    }
}

/// How many order patterns are climbed in for each number of rounds.
const MOST_PATTERNS: usize = 64;

/// How many tables may be tried to find one with a smaller denominator than the one at hand.
const REFINEMENT: u64 = 1 << 24;

/// Puts a law to the test.
pub fn refute(law: &Law, budget: &Budget, watch: &Watch<'_>) -> Answer {
    let proof = aggregated::of_law(law).and_then(|_| proof_of_law(law)).and_then(Result::ok);
    let mut grids = Grids::new(law, Extreme::Slack, budget, watch);
    let mut answer =
        Answer { counterexample: None, proof, stages: vec![], closest: None, stopped: None };
    let mut closest: Option<Best> = None;
    for rounds in 1..=budget.max_rounds {
        let mut stage = Stage::new(rounds);
        let found = grids.search(&mut stage, 1..=budget.grid);
        closest = stage.best.values().copied().chain(closest).reduce(Best::or);
        if let Some(instance) = found {
            answer.counterexample = Some(Counterexample { instance, smallest: true });
        } else if stage.is_complete(budget.grid) {
            let off_grid = off_grid(law, &mut stage, answer.proof.is_some(), watch);
            answer.counterexample =
                off_grid.map(|instance| simplified(law, instance, &mut stage, &mut grids));
        }
        let finished = stage.is_complete(budget.grid) && !stage.interrupted;
        answer.stages.push(stage);
        if answer.counterexample.is_some() || !finished {
            break;
        }
    }
    if answer.counterexample.is_none() {
        answer.stopped = grids.stopped();
    }
    answer.closest = closest.map(|best| grids::table(&best));
    answer
}

/// A table of this many rounds where the law fails, with any real predictions. `proved`: it is known that there is none.
fn off_grid(law: &Law, stage: &mut Stage, proved: bool, watch: &Watch<'_>) -> Option<Instance> {
    if proved {
        stage.proved = Some("the certificate for every T".to_owned());
        return None;
    }
    if stage.rounds <= most_proved_rounds(law) {
        let title = format!("every real prediction, T = {}", stage.rounds);
        (watch.progress)(Progress::Begin(&title, prover::patterns(stage.rounds)));
        let done = |patterns| (watch.progress)(Progress::Done(patterns));
        match prover::prove_while(law, stage.rounds, &done, watch.go_on) {
            Ok(certificate) => {
                let accepted = checker::check(law, stage.rounds, certificate.as_bytes());
                stage.proved = accepted.ok().map(|accepted| accepted.to_string());
            }
            Err(Failure::Refuted(refutation)) => return Some(Instance::from(&*refutation)),
            Err(Failure::Stopped) => stage.interrupted = true,
            Err(Failure::NotFound { .. } | Failure::Unsupported) => {}
        }
        if stage.proved.is_some() || stage.interrupted {
            return None;
        }
    }
    climb(law, stage, watch)
}

/// The number of rounds up to which a certificate is looked for. Averages on the smaller side of a law need bounds for every
/// subset, which takes minutes beyond.
fn most_proved_rounds(law: &Law) -> u32 {
    match law.quantities().iter().any(|quantity| quantity.is_average()) {
        true => 4,
        false => 6,
    }
}

/// Climbs in the patterns that came closest.
fn climb(law: &Law, stage: &mut Stage, watch: &Watch<'_>) -> Option<Instance> {
    let starts = starts(law, stage);
    stage.patterns = (starts.len() as u64, prover::patterns(stage.rounds));
    let title = format!("order patterns, T = {}", stage.rounds);
    (watch.progress)(Progress::Begin(&title, stage.patterns.0));
    let directions = directions(&law.conclusion);
    let quantities = Aim::quantities(law);
    // In parallel, but the first in order counts.
    let found = starts.par_iter().find_map_first(|(pattern, values)| {
        let cell = Cell::new(pattern, &quantities)?;
        let found = directions.iter().find_map(|(gain, cost)| {
            let hypothesis = law.hypothesis.as_ref();
            let mut aim = Aim { gain, cost, rate: BigRational::one(), hypothesis };
            let summit = aim.ascend(&cell, values, false, &|| (watch.go_on)())?;
            inwards(&cell, &summit.at, values).find(|i| i.judge(law) == Verdict::Fails)
        });
        (watch.progress)(Progress::Done(1));
        found
    });
    stage.interrupted |= found.is_none() && !(watch.go_on)();
    found
}

/// Where to climb from: the best table of each pattern, best first; for an equality, predictions evenly spread.
fn starts(law: &Law, stage: &Stage) -> Vec<(Pattern, Vec<BigRational>)> {
    let mut starts = vec![];
    if in_order(&law.conclusion).is_some() {
        let mut best: Vec<_> = stage.best.iter().collect();
        best.sort_unstable_by_key(|(code, best)| (std::cmp::Reverse(best.score), best.place, **code));
        starts.extend(best.iter().map(|(code, best)| decoded(**code, best)));
    } else {
        let visited: Result<(), ()> = Pattern::default().each(stage.rounds, &mut |pattern| {
            let m = pattern.levels.len();
            let spread = |j: usize| BigRational::new(j.into(), (m + 1).into());
            starts.push((pattern.clone(), (1..=m).map(spread).collect()));
            Ok(())
        });
        debug_assert!(visited.is_ok());
    }
    starts.truncate(MOST_PATTERNS);
    starts
}

/// Which side is to exceed which.
fn directions(conclusion: &Comparison) -> Vec<(&crate::law::Expr, &crate::law::Expr)> {
    let Comparison { left, relation, right } = conclusion;
    match (relation, in_order(conclusion)) {
        (Relation::Equal, _) | (_, None) => vec![(left, right), (right, left)],
        (_, Some(sides)) => vec![sides],
    }
}

/// From a summit, where predictions may touch, back towards the table that the climb began at: the summit itself if it is a
/// table, then 1/2 of the way, 1/4, ….
fn inwards<'a>(
    cell: &'a Cell,
    summit: &'a [BigRational],
    from: &'a [BigRational],
) -> impl Iterator<Item = Instance> + 'a {
    (0..20).filter_map(move |step: u32| {
        let weight = match step {
            0 => BigRational::from_integer(0.into()),
            _ => BigRational::new(1.into(), (1_u64 << step).into()),
        };
        let between = summit.iter().zip(from).map(|(s, f)| s + (f - s) * &weight);
        cell.instance(&between.collect::<Vec<_>>())
    })
}

/// The simplest table that refutes the law as this one does, or simpler.
fn simplified(
    law: &Law,
    instance: Instance,
    stage: &mut Stage,
    grids: &mut Grids<'_>,
) -> Counterexample {
    let watch = grids.watch();
    let (pattern, values) = instance.pattern();
    let refutes = |instance: &Instance| instance.judge(law) == Verdict::Fails;
    let known = stage.complete;
    let near = simplest(&pattern, &values, known + 1, &refutes, &|| (watch.go_on)());
    let instance = near.unwrap_or(instance);
    let denominator = common_denominator(&instance).filter(|d| *d <= MAX_DENOMINATOR);
    let between = denominator.map(|denominator| known + 1..=denominator);
    let affordable = between.clone().filter(|between| {
        let sizes = between.clone().map(|denominator| {
            Grid { rounds: stage.rounds, denominator }.size().unwrap_or(u64::MAX)
        });
        sizes.fold(0, u64::saturating_add) <= REFINEMENT / grids.cost()
    });
    match affordable.and_then(|between| grids.search(stage, between)) {
        Some(instance) => Counterexample { instance, smallest: true },
        None => Counterexample { instance, smallest: false },
    }
}
