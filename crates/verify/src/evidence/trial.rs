//! A law of the registry on trial: on every table of a grid, and on sampled sequences.
//!
//! What holds instead where the claim is false goes through the same tables. A wrong variant of the
//! law has to fail as well: it is [refuted](crate::refute) with as many rounds and denominators at
//! most as large.

use std::collections::HashMap;
use truecal::Watch;

use super::instance;
use super::options::Options;
use crate::committed;
use crate::enumeration::{Sampler, TableNumber, Tally, exhaust, is_apart};
use crate::laws::{Verdict, affordable, judge, value_of};
use crate::refute;
use crate::registry::Extent;
use crate::registry::{Control, Correction, Counterexample, Finding, LawCheck, Scope};
use truecal::AnyLevels;
use truecal::grid::Grid;
use truecal_check::law::{Law, Quantity};

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
    /// As far as the effort allows for what the laws speak of. Three of the averages over subsets
    /// are computed anew for each table and get a smaller domain.
    fn of(quantities: &[Quantity], options: &Options) -> Domain {
        let apart = |q: &Quantity| matches!(q, Quantity::Measure(measure) if is_apart(*measure));
        let costly = quantities.iter().any(apart);
        let (rounds, denominator) = match (costly, options.effort) {
            (false, Extent::Quick) => (5, 12),
            (false, Extent::Usual) => (6, 12),
            (false, Extent::Full) => (10, 12),
            (true, Extent::Quick | Extent::Usual) => (5, 6),
            (true, Extent::Full) => (6, 12),
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
            None => crate::laws::tightened(&claimed),
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
        let mut frame = Finding::new(self.check.law, Scope::Cases, covers);
        let control = |law: &Law| Control { mistake: law.to_string(), caught: None };
        frame.controls = self.mistake_law().map(control).into_iter().collect();
        frame.correction = self.correction.as_ref().map(|(law, _)| Correction {
            statement: law.to_string(),
            cases: 0,
            holds: true,
        });
        frame.prove(committed::proof_of_law(self.law()));
        frame
    }

    /// What came out of it.
    pub fn finding(self, options: &Options) -> Finding {
        let denominator = self.domain.denominator;
        let counterexample = |law: &Law, place: Option<TableNumber>| {
            let TableNumber { rounds, index, .. } = place?;
            let table = Grid { rounds, denominator }.nth(index).expect("a number of this grid");
            Some(instance::counterexample(law, &AnyLevels::from(table)))
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
            for (control, law) in finding.controls.iter_mut().zip(&self.mistake) {
                let Domain { rounds, denominator } = self.domain;
                let found = refute::on_grids(law, rounds, denominator);
                control.caught = found.map(|found| instance::counterexample(law, &found.levels()));
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
pub(super) fn exhaust_all(trials: &mut [Trial], options: &Options, watch: &Watch<'_>) {
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
            watch.begin(&title, numbers.end - numbers.start);
            let tallies = exhaust(grid, numbers, &laws, watch);
            for ((_, tally), place) in active.iter_mut().zip(places) {
                *tally = std::mem::take(tally).merge(tallies[place].clone());
            }
        }
    }
}

/// The largest number of rounds of a sample.
const SAMPLED_ROUNDS: u64 = 200;

/// Tries the claimed laws on sampled sequences. One that needs an average over too many subsets
/// passes a sequence by.
pub(super) fn sample_all(trials: &mut [Trial], options: &Options, watch: &Watch<'_>) {
    let count = match options.effort {
        Extent::Quick => 30,
        Extent::Usual => 200,
        Extent::Full => 2000,
    };
    if trials.is_empty() {
        return;
    }
    watch.begin("laws on sampled sequences", count);
    for number in 0..count {
        if options.shard.has(number as usize) {
            let seed = options.seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(number);
            let forecasts = Sampler::new(seed).forecasts(SAMPLED_ROUNDS);
            try_sample(trials, &forecasts.levels().expect("small denominators"));
        }
        watch.done(1);
    }
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
        let verdict = judge(law, &value).expect("rationals do not overflow");
        trial.sampled += u64::from(verdict != Verdict::Inapplicable);
        if verdict == Verdict::Fails {
            let found = instance::counterexample(law, levels);
            trial.sampled_failure =
                Counterexample::smaller(trial.sampled_failure.take(), Some(found));
        }
    }
}
