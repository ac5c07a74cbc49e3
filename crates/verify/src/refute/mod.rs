//! Conjectures put to the test: the smallest counterexample, or how far a law stands; and the best
//! constant of an inequality.
//!
//! ```
//! use truecal::Watch;
//! use truecal_verify::refute::{Budget, refute};
//! let law = "stepce >= ucal/7".parse()?;
//! let answer = refute(&law, &Budget::usual(&law), &Watch::silent());
//! let found = answer.counterexample.expect("the best constant is 1/8");
//! assert_eq!(found.instance.to_string(), "x=(1,0,0) p=(3/8,3/8,1/2)");
//! // There is none with fewer rounds, on any grid or off it.
//! assert!(answer.stages[..2].iter().all(|stage| stage.proved.is_some()));
//! # Ok::<(), truecal_check::law::LawError>(())
//! ```
//!
//! For each number of rounds, fewest first:
//!
//! 1. every level table with predictions in multiples of 1/D, for D = 1, 2, …: the first that fails
//!    is the smallest counterexample with so many rounds, by its common denominator and then in
//!    lexicographic order;
//! 2. if there is none, the [`prover`] looks for a certificate for all real predictions, which
//!    settles this number of rounds, and often finds a table off the grid instead;
//! 3. if it does neither, linear programmes climb from the tables that came closest, pattern by
//!    pattern;
//! 4. what was found off the grid is rounded to the simplest fractions that still refute, and the
//!    grids between are searched as well.
//!
//! A law that stands is tried on some hundred longer sequences as well, unless it is proved for
//! every T.

mod ascent;
mod cell;
mod climb;
mod family;
mod grids;
mod instance;
mod samples;
mod simplest;
mod slopes;
mod tight;

pub use family::Family;
pub use grids::{Budget, Stage, Stopped};
pub use instance::Instance;
pub use tight::{Supremum, Tight, TightError, TightRow, tight};

use self::climb::climb;
use self::grids::Grids;
use self::simplest::{common_denominator, simplest};
use crate::committed::Proof;
use crate::enumeration::{Best, Extreme, MAX_DENOMINATOR};
use crate::kernel;
use crate::laws::Verdict;
use crate::prover::{self, Failure, RefutingTable};
use truecal::Watch;
use truecal_check::checker;
use truecal_check::law::Law;

/// What became of a conjecture.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// A table where it fails.
    pub counterexample: Option<FailingTable>,
    /// What proves it for every number of rounds.
    pub proof: Option<Proof>,
    /// What was done for each number of rounds, from 1.
    pub stages: Vec<Stage>,
    /// The table where it holds with the least slack in proportion to its sides; the smallest of
    /// those.
    pub closest: Option<Instance>,
    /// How many longer sequences were tried.
    pub sampled: u64,
    /// Why the search ended before its budget.
    pub stopped: Option<Stopped>,
}

/// A table where a law fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingTable {
    /// The table.
    pub instance: Instance,
    /// Whether every table with as many rounds and a smaller common denominator was tried.
    pub smallest: bool,
}

impl SearchResult {
    /// Up to which number of rounds it is proved for all real predictions; 0 if not even for one.
    pub fn proved_rounds(&self) -> u32 {
        let proved = self.stages.iter().take_while(|stage| stage.proved.is_some());
        proved.count() as u32
    }
}

/// Puts a law to the test.
pub fn refute(law: &Law, budget: &Budget, watch: &Watch<'_>) -> SearchResult {
    let proof = proof_for_every_t(law);
    let mut grids = Grids::new(law, Extreme::Slack, budget, watch);
    let mut answer = SearchResult {
        counterexample: None,
        proof,
        stages: vec![],
        closest: None,
        sampled: 0,
        stopped: None,
    };
    let mut closest: Option<Best> = None;
    // A law that has no certificate for some number of rounds seldom has one for more, and the
    // search takes ever longer.
    let mut provable = true;
    for rounds in 1..=budget.max_rounds {
        let mut stage = Stage::new(rounds);
        let found = grids.search(&mut stage, 1..=budget.grid);
        closest = stage.best.values().copied().chain(closest).reduce(Best::or);
        if let Some(instance) = found {
            answer.counterexample = Some(FailingTable { instance, smallest: true });
        } else if stage.is_complete(budget.grid) {
            answer.counterexample = off_grid(law, &mut stage, &mut provable, watch)
                .map(|instance| simplified(law, instance, &mut stage, &mut grids));
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
    if answer.counterexample.is_none() && answer.proof.is_none() && answer.stopped.is_none() {
        let (found, sampled) = samples::sampled(law, watch);
        answer.sampled = sampled;
        answer.counterexample = found.map(|instance| {
            let rounds = instance.outcomes.len();
            let mut beyond = Stage::new(rounds as u32);
            let stage = answer.stages.get_mut(rounds - 1).unwrap_or(&mut beyond);
            simplified(law, instance, stage, &mut grids)
        });
        answer.stopped = grids.stopped().filter(|_| answer.counterexample.is_none());
    }
    answer.closest = closest.map(|best| grids::table(&best));
    answer
}

/// The smallest table with at most so many rounds and a common denominator at most this where the
/// law fails: the first part of [`refute`], for claims whose wrong variants have to fail.
pub fn on_grids(law: &Law, max_rounds: u32, grid: u32) -> Option<Instance> {
    let watch = Watch::silent();
    let budget = Budget { max_rounds, grid, cases: None };
    let mut grids = Grids::new(law, Extreme::Slack, &budget, &watch);
    (1..=max_rounds).find_map(|rounds| grids.search(&mut Stage::new(rounds), 1..=grid))
}

/// A table of this many rounds where the law fails, with any real predictions, unless there is a
/// proof that there is none.
fn off_grid(
    law: &Law,
    stage: &mut Stage,
    provable: &mut bool,
    watch: &Watch<'_>,
) -> Option<Instance> {
    if *provable {
        match prove(law, stage, watch) {
            Proving::Settled => return None,
            Proving::Refuted(instance) => return Some(instance),
            Proving::Open => *provable = false,
        }
    }
    climb(law, stage, watch)
}

/// What the search for a certificate came to.
enum Proving {
    /// There is one, or the search was stopped: the stage knows.
    Settled,
    /// The law is false, here.
    Refuted(Instance),
    /// Neither.
    Open,
}

/// Looks for a certificate for all real predictions.
fn prove(law: &Law, stage: &mut Stage, watch: &Watch<'_>) -> Proving {
    if proof_for_every_t(law).is_some() {
        stage.proved = Some("the theorem for every T".to_owned());
        return Proving::Settled;
    }
    if stage.rounds > most_proved_rounds(law) {
        return Proving::Open;
    }
    let title = format!("every real prediction, T = {}", stage.rounds);
    watch.begin(&title, prover::patterns(stage.rounds));
    match prover::prove(law, stage.rounds, watch) {
        Ok(certificate) => match checker::check(law, stage.rounds, certificate.as_bytes()) {
            Ok(accepted) => {
                stage.proved = Some(accepted.to_string());
                Proving::Settled
            }
            Err(_) => Proving::Open,
        },
        Err(Failure::Refuted(refutation)) => Proving::Refuted(Instance::from(&*refutation)),
        Err(Failure::Stopped) => {
            stage.interrupted = true;
            Proving::Settled
        }
        Err(Failure::NotFound { .. } | Failure::Unsupported) => Proving::Open,
    }
}

/// What Coq has shown of the law for every number of rounds.
fn proof_for_every_t(law: &Law) -> Option<Proof> {
    let proof = Proof::of_theorems(&[kernel::record().of_law(law)?]);
    proof.stale.is_empty().then_some(proof)
}

/// The number of rounds up to which a certificate is looked for. Averages on the smaller side of a
/// law need bounds for every subset, which takes minutes beyond.
fn most_proved_rounds(law: &Law) -> u32 {
    match law.quantities().iter().any(|quantity| quantity.is_average()) {
        true => 4,
        false => 6,
    }
}

/// The table with the simplest predictions near those of a refutation that refutes the law as well.
pub fn simplest_refutation(law: &Law, refutation: &RefutingTable) -> Instance {
    let instance = Instance::from(refutation);
    let (pattern, values) = instance.pattern();
    let refutes = |instance: &Instance| instance.judge(law) == Verdict::Fails;
    simplest(&pattern, &values, 1, &refutes, &Watch::silent()).unwrap_or(instance)
}

/// The simplest table that refutes the law as this one does, or simpler.
fn simplified(
    law: &Law,
    instance: Instance,
    stage: &mut Stage,
    grids: &mut Grids<'_>,
) -> FailingTable {
    let watch = grids.watch();
    let (pattern, values) = instance.pattern();
    let refutes = |instance: &Instance| instance.judge(law) == Verdict::Fails;
    let known = stage.complete;
    let near = simplest(&pattern, &values, known + 1, &refutes, &watch);
    let instance = near.unwrap_or(instance);
    let denominator = common_denominator(&instance).filter(|d| *d <= MAX_DENOMINATOR);
    let between = denominator.map(|denominator| known + 1..=denominator);
    let affordable = between.filter(|between| grids.affordable(stage.rounds, between.clone()));
    match affordable.and_then(|between| grids.search(stage, between)) {
        Some(instance) => FailingTable { instance, smallest: true },
        None => FailingTable { instance, smallest: false },
    }
}

#[cfg(test)]
mod tests;
