//! A law of the registry on trial: on every table of a grid, and on sampled sequences.
//!
//! What holds instead where the claim is false goes through the same tables. A wrong variant of the law has to fail as
//! well: it is [refuted](crate::refute) with as many rounds and denominators at most as large.

use std::collections::HashMap;

use super::exhaust::{Place, Tally, exhaust};
use super::grid::Grid;
use super::run::{Options, Progress};
use super::walk::Walk;
use super::{Effort, Sampler, instance, value_of};
use crate::any_levels::AnyLevels;
use crate::certificate;
use crate::claims::{Correction, Counterexample, Finding, LawCheck, Strength, Tooth};
use crate::law::{Law, Quantity, Verdict};
use crate::measures::subset_cost;
use crate::refute;

/// One law check under way.
pub(super) struct Trial {
    check: LawCheck,
    domain: Domain,
    claimed: (Law, Tally),
    mistake: Option<Law>,
    correction: Option<(Law, Tally)>,
    /// The sampled sequences to which the law applies.
    sampled: u64,
    sampled_failure: Option<Counterexample>,
}

/// Every table with at most so many rounds and predictions in multiples of 1/denominator.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Domain {
    rounds: u32,
    denominator: u32,
}

impl Domain {
    /// As far as the effort allows for what the laws speak of. Three of the averages over subsets are computed anew
    /// for each table and get a smaller domain.
    fn of(quantities: &[Quantity], options: &Options) -> Domain {
        let costly = Walk::APART.map(Quantity::Measure).iter().any(|q| quantities.contains(q));
        let (rounds, denominator) = match (costly, options.effort) {
            (false, Effort::Quick) => (5, 12),
            (false, Effort::Usual) => (6, 12),
            (false, Effort::Full) => (10, 12),
            (true, Effort::Quick | Effort::Usual) => (5, 6),
            (true, Effort::Full) => (6, 12),
        };
        Domain {
            rounds: options.max_rounds.unwrap_or(rounds),
            denominator: options.denominator.unwrap_or(denominator),
        }
    }
}

impl Trial {
    pub fn new(check: &LawCheck, options: &Options) -> Trial {
        let claimed = instance::law(check.law);
        let mistake = match check.mistake {
            Some(text) => Some(instance::law(text)),
            None => claimed.tightened(),
        };
        let correction = check.correction.map(instance::law);
        let all = [Some(&claimed), mistake.as_ref(), correction.as_ref()];
        let quantities: Vec<_> = all.into_iter().flatten().flat_map(Law::quantities).collect();
        let on_trial = |law| (law, Tally::default());
        Trial {
            check: *check,
            domain: Domain::of(&quantities, options),
            claimed: on_trial(claimed),
            mistake,
            correction: correction.map(on_trial),
            sampled: 0,
            sampled_failure: None,
        }
    }

    /// The laws that go through the tables.
    fn laws(&mut self) -> impl Iterator<Item = &mut (Law, Tally)> {
        [&mut self.claimed].into_iter().chain(&mut self.correction)
    }

    /// The law that is claimed.
    pub fn law(&self) -> &Law {
        &self.claimed.0
    }

    /// The wrong variant, if there is one.
    pub fn mistake_law(&self) -> Option<&Law> {
        self.mistake.as_ref()
    }

    /// How many tables the shard has.
    pub fn tables(&self, options: &Options) -> u64 {
        let Domain { rounds, denominator } = self.domain;
        let share = |rounds| {
            let size = Grid { rounds, denominator }.size().expect("the options were checked");
            let numbers = options.shard.range(size);
            numbers.end - numbers.start
        };
        (1..=rounds).map(share).sum()
    }

    /// The finding as it is before anything is found.
    pub fn frame(&self) -> Finding {
        let Domain { rounds, denominator } = self.domain;
        let covers = format!("T <= {rounds}, D = {denominator}");
        let mut frame = Finding::new(self.check.law, Strength::Exhausted, covers);
        let tooth = |law: &Law| Tooth { mistake: law.to_string(), bite: None };
        frame.teeth = self.mistake_law().map(tooth).into_iter().collect();
        frame.correction = self.correction.as_ref().map(|(law, _)| Correction {
            statement: law.to_string(),
            cases: 0,
            holds: true,
        });
        frame.prove(certificate::proof_of_law(self.law()));
        frame
    }

    /// What came out of it.
    pub fn finding(self, options: &Options) -> Finding {
        let denominator = self.domain.denominator;
        let counterexample = |law: &Law, place: Option<Place>| {
            let Place { rounds, index, .. } = place?;
            let table = Grid { rounds, denominator }.nth(index).expect("a number of this grid");
            Some(instance::counterexample(law, &AnyLevels::I64(table)))
        };
        let mut finding = self.frame();
        let (law, tally) = self.claimed;
        finding.cases = tally.cases;
        finding.applicable = tally.applicable;
        finding.equalities = tally.equalities;
        finding.sampled = self.sampled;
        finding.counterexample =
            Counterexample::smaller(counterexample(&law, tally.failure), self.sampled_failure);
        if let (Some(correction), Some((_, tally))) = (&mut finding.correction, self.correction) {
            (correction.cases, correction.holds) = (tally.applicable, tally.failure.is_none());
        }
        if options.shard.has(0) {
            for (tooth, law) in finding.teeth.iter_mut().zip(&self.mistake) {
                let Domain { rounds, denominator } = self.domain;
                let found = refute::on_grids(law, rounds, denominator);
                tooth.bite = found.map(|found| instance::counterexample(law, &found.levels()));
            }
            for sequence in self.check.attained {
                match instance::equality(&law, *sequence) {
                    Ok(tight) => finding.tight.push(tight),
                    Err(defect) => finding.defects.push(defect),
                }
            }
        }
        finding
    }
}

/// Takes every law through the shard's part of its domain, fewest rounds first.
pub(super) fn exhaust_all(
    trials: &mut [Trial],
    options: &Options,
    progress: &(impl Fn(Progress<'_>) + Sync),
) {
    let most = trials.iter().map(|trial| trial.domain.rounds).max().unwrap_or(0);
    let mut denominators: Vec<_> = trials.iter().map(|trial| trial.domain.denominator).collect();
    denominators.sort_unstable();
    denominators.dedup();
    for rounds in 1..=most {
        for &denominator in &denominators {
            let grid = Grid { rounds, denominator };
            let here = |trial: &&mut Trial| {
                trial.domain.denominator == denominator && rounds <= trial.domain.rounds
            };
            let mut active: Vec<_> = trials.iter_mut().filter(here).flat_map(Trial::laws).collect();
            if active.is_empty() {
                continue;
            }
            // Several claims rest on the same law, which is judged once.
            let mut laws: Vec<&Law> = vec![];
            let mut known: HashMap<&Law, usize> = HashMap::new();
            let mut places = vec![];
            for (law, _) in &active {
                let place = *known.entry(law).or_insert_with(|| {
                    laws.push(law);
                    laws.len() - 1
                });
                places.push(place);
            }
            let numbers = options.shard.range(grid.size().expect("the options were checked"));
            let title = format!("{} laws, T = {rounds}, D = {denominator}", laws.len());
            progress(Progress::Begin(&title, numbers.end - numbers.start));
            let tallies = exhaust(grid, numbers, &laws, &|tables| progress(Progress::Done(tables)));
            for ((_, tally), place) in active.iter_mut().zip(places) {
                *tally = std::mem::take(tally).merge(tallies[place].clone());
            }
        }
    }
}

/// The largest number of rounds of a sample.
const SAMPLED_ROUNDS: u64 = 200;
/// The classes of subsets, and what their numbers take, that are worth an average.
const SAMPLED_SUBSETS: u128 = 1 << 15;

/// Tries the claimed laws on sampled sequences. One that needs an average over too many subsets passes a sequence by.
pub(super) fn sample_all(
    trials: &mut [Trial],
    options: &Options,
    progress: &(impl Fn(Progress<'_>) + Sync),
) {
    let count = match options.effort {
        Effort::Quick => 30,
        Effort::Usual => 200,
        Effort::Full => 2000,
    };
    if trials.is_empty() {
        return;
    }
    progress(Progress::Begin("laws on sampled sequences", count));
    for number in 0..count {
        if options.shard.has(number as usize) {
            let seed = options.seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(number);
            let forecasts = Sampler::new(seed).forecasts(SAMPLED_ROUNDS);
            try_sample(trials, &forecasts.levels().expect("small denominators"));
        }
        progress(Progress::Done(1));
    }
}

/// Whether averages over the subsets of these rounds are worth their time.
pub fn affordable(levels: &AnyLevels) -> bool {
    subset_cost(levels).is_some_and(|cost| cost <= SAMPLED_SUBSETS)
}

fn try_sample(trials: &mut [Trial], levels: &AnyLevels) {
    let affordable = affordable(levels);
    let mut known = vec![None; Quantity::ALL.len()];
    for trial in trials {
        let law = &trial.claimed.0;
        let quantities = law.quantities();
        if !affordable && quantities.iter().any(|quantity| quantity.is_average()) {
            continue;
        }
        for quantity in quantities {
            known[quantity.index()].get_or_insert_with(|| value_of(levels, quantity));
        }
        let value = |quantity: Quantity| known[quantity.index()].clone().expect("just computed");
        let verdict = law.judge(&value).expect("rationals do not overflow");
        trial.sampled += u64::from(verdict != Verdict::Inapplicable);
        if verdict == Verdict::Fails {
            let found = instance::counterexample(law, levels);
            trial.sampled_failure =
                Counterexample::smaller(trial.sampled_failure.take(), Some(found));
        }
    }
}
