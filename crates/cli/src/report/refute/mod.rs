//! What `truecal refute` and `truecal tight` say.

mod constants;

pub use constants::Constants;

use std::fmt::Write;

use num_rational::BigRational;

use super::claims::{counted, wrapped};
use super::{Limits, Report};
use truecal::Measure;
use truecal_check::law::{Law, Quantity};
use truecal_verify::enumeration::in_order;
use truecal_verify::evidence::law_lines;
use truecal_verify::laws::{Verdict, has_root, near_value, sides, value_of};
use truecal_verify::refute::{Budget, FailingTable, Instance, SearchResult, Stage};

/// A law at one table.
pub struct Judged<'a> {
    /// The law.
    pub law: &'a Law,
    /// The table.
    pub instance: &'a Instance,
}

impl Judged<'_> {
    /// The values of both sides.
    pub fn sides(&self) -> (String, String) {
        let levels = self.instance.levels();
        sides(&self.law.conclusion, &|quantity| value_of(&levels, quantity))
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let verdict = match self.instance.judge(self.law) {
            Verdict::Fails => "FAILS",
            Verdict::Holds { equality: true } => "HOLDS with equality",
            Verdict::Holds { equality: false } => "HOLDS",
            Verdict::Inapplicable => "SAYS NOTHING (its hypothesis does not hold)",
        };
        format!("{verdict}: {}\n\n{}", self.law, self.details())
    }

    /// The sequence, both sides, witnesses, and the arithmetic.
    fn details(&self) -> String {
        let (outcomes, predictions) = self.instance.columns();
        let (left, right) = self.sides();
        let conclusion = &self.law.conclusion;
        let mut text = format!("  x = ({outcomes})\n  p = ({predictions})\n\n");
        let width = [&conclusion.left, &conclusion.right].map(|side| side.to_string().len());
        let width = width.into_iter().max().unwrap_or(0);
        let _ = writeln!(text, "  left   {:<width$} = {left}", conclusion.left.to_string());
        let _ = writeln!(text, "  right  {:<width$} = {right}\n", conclusion.right.to_string());
        let levels = self.instance.levels();
        let measures: Vec<Measure> =
            self.law.quantities().into_iter().filter_map(measure).collect();
        if !measures.is_empty() {
            let report = Report::of_levels(&levels, measures, &Limits::default());
            // The rounds are shown above.
            for line in report.to_table(true).lines().skip(3) {
                text += format!("  {line}").trim_end();
                text.push('\n');
            }
            text.push('\n');
        }
        for line in law_lines(self.law, &levels) {
            text += format!("  {line}").trim_end();
            text.push('\n');
        }
        text
    }
}

/// What became of a conjecture.
pub struct Refuted<'a> {
    /// The conjecture.
    pub law: &'a Law,
    /// How far it was to be tried.
    pub budget: &'a Budget,
    /// What was found.
    pub answer: &'a SearchResult,
    /// Why the search ended early: `cases`, `seconds` or `interrupted`.
    pub stopped: Option<Ended>,
}

impl Refuted<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        match &self.answer.counterexample {
            Some(counterexample) => self.refuted(counterexample),
            None => self.stands(),
        }
    }

    fn refuted(&self, FailingTable { instance, smallest }: &FailingTable) -> String {
        let judged = Judged { law: self.law, instance };
        let mut text = format!("REFUTED: {}\n\n{}\n", self.law, judged.details());
        let mut say = |words: String| text += &format!("{}\n", wrapped(&words, 2));
        let rounds = instance.outcomes.len();
        let stages = &self.answer.stages;
        let before = &stages[..stages.len().min(rounds - 1)];
        if !before.is_empty() && before.iter().all(|stage| stage.proved.is_some()) {
            let up_to = up_to(before.len() as u32);
            say(format!("with {up_to} there is none: PROVED for every real p"));
        } else if !before.is_empty() {
            say(format!("with fewer rounds none was found: {}", covered(before)));
        }
        match (stages.get(rounds - 1), smallest) {
            (Some(stage), true) => say(format!(
                "with T = {rounds} none has a smaller common denominator: {} tried",
                counted(stage.cases, "table")
            )),
            (Some(stage), false) => say(format!(
                "with T = {rounds} none has a common denominator up to {}: {} tried; this one was \
                    found otherwise and rounded, and there may be one with smaller denominators",
                stage.complete,
                counted(stage.cases, "table")
            )),
            (None, _) => {
                let found = "this one was found among longer sequences, and shortened";
                let shortest =
                    before.len() == rounds - 1 && before.iter().all(|stage| stage.proved.is_some());
                let or = match (shortest, smallest) {
                    (true, true) => "none of its length has a smaller common denominator",
                    (true, false) => "there may be one with smaller denominators",
                    (false, _) => "there may be a shorter one",
                };
                say(format!("{found}; {or}"));
            }
        }
        let (outcomes, predictions) = instance.columns();
        text += &format!("\nagain: truecal refute '{}' --at {outcomes} {predictions}\n", self.law);
        text
    }

    fn stands(&self) -> String {
        let SearchResult { proof, stages, closest, .. } = self.answer;
        let mut text = String::new();
        let mut say = |words: String| text += &format!("{}\n", wrapped(&words, 2));
        let proved = self.answer.proved_rounds();
        match proof {
            Some(proof) => {
                say(format!("PROVED: {} ({})", self.law, proof.scope));
                say(format!("by Coq: {}", proof.source));
            }
            None if proved > 0 => {
                say(format!("PROVED for {}, every real p: {}", up_to(proved), self.law));
            }
            None => say(format!("STANDS: {}", self.law)),
        }
        text.push('\n');
        let mut say = |words: String| text += &format!("{}\n", wrapped(&words, 2));
        say(format!("no counterexample: {}", covered(stages)));
        if self.answer.sampled > 0 {
            let sequences = counted(self.answer.sampled, "sampled sequence");
            say(format!("nor among {sequences} of up to 200 rounds"));
        }
        let sum = |part: fn(&Stage) -> u64| stages.iter().map(part).sum::<u64>();
        let (applicable, equalities) = (sum(|s| s.applicable), sum(|s| s.equalities));
        if self.law.hypothesis.is_some() {
            say(format!("its hypothesis holds in {}", counted(applicable, "table")));
        }
        say(format!("the two sides are equal in {}", counted(equalities, "table")));
        if let Some(instance) = closest {
            let (left, right) = Judged { law: self.law, instance }.sides();
            let slack = self.slack(instance).map(|slack| format!(", slack {slack}"));
            say(format!(
                "closest: {instance}: {left} against {right}{}",
                slack.unwrap_or_default()
            ));
        }
        let undecided = stages.iter().filter(|stage| stage.patterns.1 > 0);
        let climbs: Vec<_> = undecided
            .map(|stage| {
                let (climbed, all) = stage.patterns;
                format!("{climbed} of {all} at T = {}", stage.rounds)
            })
            .collect();
        if !climbs.is_empty() {
            say(format!(
                "between the grids it is not decided; linear programmes climbed in order patterns: \
                    {}",
                climbs.join(", ")
            ));
        }
        match self.stopped {
            Some(reason) => say(early(reason)),
            None if proof.is_none() => say(format!(
                "not covered: T > {}; --max-rounds, --grid and --seconds go further",
                self.budget.max_rounds
            )),
            None => {}
        }
        text
    }

    /// The larger side minus the smaller, if both are rational.
    pub fn slack(&self, instance: &Instance) -> Option<BigRational> {
        let (less, more) = in_order(&self.law.conclusion)?;
        if has_root(less) || has_root(more) {
            return None;
        }
        let levels = instance.levels();
        let value = |quantity| value_of(&levels, quantity);
        Some(near_value(more, &value)? - near_value(less, &value)?)
    }
}

/// The measure that a quantity is, if it is one.
fn measure(quantity: Quantity) -> Option<Measure> {
    match quantity {
        Quantity::Measure(measure) => Some(measure),
        _ => None,
    }
}

/// Why a search ended, in words.
fn early(ended: Ended) -> String {
    let words = match ended {
        Ended::Cases => "stopped by --cases",
        Ended::Seconds => "stopped by --seconds",
        Ended::Interrupted => "interrupted",
    };
    words.to_owned()
}

/// Why a search ended before it was through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// As many tables were tried as were allowed.
    Cases,
    /// The time was up.
    Seconds,
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

/// `T = 1` or `T <= 3`
fn up_to(rounds: u32) -> String {
    if rounds == 1 { "T = 1".to_owned() } else { format!("T <= {rounds}") }
}

/// Which tables were tried.
fn covered(stages: &[Stage]) -> String {
    let cases: u64 = stages.iter().map(|stage| stage.cases).sum();
    let mut parts: Vec<(u32, u32)> = vec![];
    for stage in stages.iter().filter(|stage| stage.complete > 0) {
        match parts.last_mut() {
            Some((rounds, complete)) if *complete == stage.complete => *rounds = stage.rounds,
            _ => parts.push((stage.rounds, stage.complete)),
        }
    }
    let mut words: Vec<_> = parts
        .iter()
        .map(|(rounds, complete)| format!("{}, D <= {complete}", up_to(*rounds)))
        .collect();
    for stage in stages {
        if let Some((done, of)) = stage.partial {
            let (rounds, next) = (stage.rounds, stage.complete + 1);
            words.push(format!("{done} of {of} numbers at T = {rounds}, D = {next}"));
        }
    }
    format!("{}: {}", counted(cases, "table"), words.join("; "))
}
