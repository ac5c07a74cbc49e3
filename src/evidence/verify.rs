//! The checks of `truecal verify`: the two readings of every measure against each other, every witness
//! against its value, and the headline inequalities, on every level table of a grid.

use std::collections::HashMap;
use std::fmt;

use num_rational::BigRational;

use super::grid::grid_tables;
use super::mistakes::mistaken;
use crate::any_levels::AnyLevels;
use crate::check::check;
use crate::definitions::{self, Round};
use crate::levels::Levels;
use crate::measure::Measure;

/// All tables with at most this many rounds, predictions in multiples of 1/grid.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// The largest number of rounds.
    pub rounds: u64,
    /// The denominator of the predictions.
    pub grid: u32,
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was claimed.
    pub claim: String,
    /// On how many cases it was tried.
    pub cases: u64,
    /// The first case that fails, in words.
    pub failure: Option<String>,
    /// Something wrong that the check noticed, in words; `None` if nothing shows that it can fail.
    pub teeth: Option<String>,
}

impl Finding {
    /// Whether the claim held on at least one case and the check was seen to be able to fail.
    pub fn passed(&self) -> bool {
        self.cases > 0 && self.failure.is_none() && self.teeth.is_some()
    }
}

/// Runs every check. `progress` is told the name of the check under way.
pub fn verify(
    readings: Domain,
    inequalities: Domain,
    mut progress: impl FnMut(&str),
) -> Vec<Finding> {
    let mut findings = agreement(readings, &mut progress);
    for claim in HEADLINES {
        progress(&claim.to_string());
        findings.push(claim.check(inequalities));
    }
    findings
}

fn tables(domain: Domain) -> impl Iterator<Item = Levels<i64>> {
    (0..=domain.rounds).flat_map(move |rounds| grid_tables(rounds, domain.grid))
}

/// definitions = measures, and every witness shows its value. The teeth: a plausible mistake in each measure
/// is noticed, and a witness with its value moved by 1/1000 is rejected.
fn agreement(domain: Domain, progress: &mut impl FnMut(&str)) -> Vec<Finding> {
    let finding = |claim: String| Finding { claim, cases: 0, failure: None, teeth: None };
    let mut readings =
        Measure::ALL.map(|measure| finding(format!("{measure}: definition = formula")));
    let mut witnesses =
        Measure::ALL.map(|measure| finding(format!("{measure}: the witness shows the value")));
    let off = BigRational::new(1.into(), 1000.into());
    // Subsets of a table are tables met before.
    let mut known: HashMap<(Measure, Vec<Round>), BigRational> = HashMap::new();
    for levels in tables(domain) {
        let rational = levels.to_rational();
        let rounds = rational.to_rounds();
        progress(&format!("both readings of every measure, {} rounds", rounds.len()));
        let levels = AnyLevels::I64(levels);
        for (index, measure) in Measure::ALL.into_iter().enumerate() {
            let literal = match measure.subsampled_from() {
                None => measure.define(&rounds),
                Some(base) => definitions::subsampled(&rounds, |subset| {
                    known[&(base, subset.to_vec())].clone()
                }),
            };
            let mut evaluation = levels.evaluate(measure);
            let reading = &mut readings[index];
            reading.cases += 1;
            if evaluation.value != literal && reading.failure.is_none() {
                let values = format!("defined as {literal}, computed as {}", evaluation.value);
                reading.failure = Some(format!("{}: {values}", in_words(&rounds)));
            }
            if reading.teeth.is_none() {
                let (mistake, value) = mistaken(measure, &rounds);
                let noticed = format!("{mistake}: noticed at {}", in_words(&rounds));
                reading.teeth = (value != literal).then_some(noticed);
            }
            if measure.subsampled_from().is_some() {
                continue; // the reading above has just visited all subsets
            }
            known.insert((measure, rounds.clone()), literal);
            let witness = &mut witnesses[index];
            witness.cases += 1;
            if let (Err(rejection), None) = (check(&rational, &evaluation), &witness.failure) {
                witness.failure = Some(format!("{}: {rejection}", in_words(&rounds)));
            }
            if witness.teeth.is_none() {
                evaluation.value += &off;
                let rejection = check(&rational, &evaluation).err();
                witness.teeth = rejection.map(|reason| format!("value off by 1/1000: {reason}"));
            }
        }
    }
    let witnesses = witnesses.into_iter().filter(|witness| witness.cases > 0);
    readings.into_iter().chain(witnesses).collect()
}

/// left <= factor · right, for all tables.
struct Headline(Measure, u32, Measure);

const HEADLINES: &[Headline] = &[
    Headline(Measure::StepCe, 1, Measure::SignCe),
    Headline(Measure::SignCe, 3, Measure::StepCe),
    Headline(Measure::UCal, 8, Measure::StepCe),
    Headline(Measure::StepCe, 2, Measure::StepCeSub),
];

impl fmt::Display for Headline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Headline(left, 1, right) => write!(f, "{left} <= {right}"),
            Headline(left, factor, right) => write!(f, "{left} <= {factor} {right}"),
        }
    }
}

impl Headline {
    /// Tries every table. The teeth are the first table that refutes the claim with 99/100 of its factor.
    fn check(&self, domain: Domain) -> Finding {
        let Headline(left_measure, factor, right_measure) = *self;
        let factor = BigRational::from_integer(factor.into());
        let smaller = &factor * BigRational::new(99.into(), 100.into());
        let (mut cases, mut failure, mut teeth) = (0, None, None);
        for levels in tables(domain) {
            let levels = AnyLevels::I64(levels);
            let [left, right] = [left_measure, right_measure].map(|m| levels.evaluate(m).value);
            cases += 1;
            let refutation = || {
                let values = format!("{left_measure} = {left}, {right_measure} = {right}");
                format!("{}: {values}", in_words(&levels.to_rational().to_rounds()))
            };
            if failure.is_none() && left > &factor * &right {
                failure = Some(refutation());
            }
            if teeth.is_none() && left > &smaller * &right {
                teeth = Some(format!("with 99/100 of the factor, {}", refutation()));
            }
        }
        Finding { claim: self.to_string(), cases, failure, teeth }
    }
}

/// `x=(0,1) p=(1/2,1)`
fn in_words(rounds: &[Round]) -> String {
    let outcomes: Vec<_> = rounds.iter().map(|(x, _)| u8::from(*x).to_string()).collect();
    let predictions: Vec<_> = rounds.iter().map(|(_, p)| p.to_string()).collect();
    format!("x=({}) p=({})", outcomes.join(","), predictions.join(","))
}
