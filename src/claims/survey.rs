//! What a computation of its own reports to: cases, mistakes that it must notice, a correction.

use super::SurveyCheck;
use super::status::{Correction, Counterexample, Finding, Tooth};
use crate::certificate::{self, aggregated};
use crate::evidence::Effort;

/// Gathers the cases of one check.
///
/// A survey that can be believed does three things: it puts every case of the claim to [`case`](Survey::case);
/// it shows by [`mistake`](Survey::mistake) that a wrong variant of the claim is noticed on the same cases; and,
/// where the claim is expected to fail, it puts what holds instead to [`corrected`](Survey::corrected).
#[derive(Debug)]
pub struct Survey {
    effort: Effort,
    finding: Finding,
}

impl Survey {
    /// Runs the computation.
    pub fn run(check: &SurveyCheck, effort: Effort) -> Finding {
        let mut survey = Survey { effort, finding: Survey::frame(check) };
        (check.run)(&mut survey);
        survey.finding
    }

    /// The finding before anything is found.
    pub(crate) fn frame(check: &SurveyCheck) -> Finding {
        let mut frame = Finding::new(check.title, check.strength, check.covers.to_owned());
        let claim = check.proof.map(|name| {
            aggregated::named(name).unwrap_or_else(|| panic!("no aggregated claim is named {name}"))
        });
        frame.prove(claim.and_then(certificate::proof_of_claim));
        frame
    }

    /// How much to do.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// One case of the claim. Put the smallest first: `arithmetic` is asked, one step on each line, for the first
    /// that fails.
    pub fn case(&mut self, holds: bool, arithmetic: impl FnOnce() -> String) {
        if self.counts_as_first(holds) {
            self.refute(&arithmetic());
        }
    }

    /// Counts a case; whether it is the first to fail. (The generic functions around this and what follows
    /// are compiled for each of hundreds of closures, so there is nothing else in them.)
    fn counts_as_first(&mut self, holds: bool) -> bool {
        self.finding.cases += 1;
        self.finding.applicable += 1;
        !holds && self.finding.counterexample.is_none()
    }

    fn refute(&mut self, lines: &str) {
        self.finding.counterexample = Some(Counterexample::of_lines(lines));
    }

    /// A case in which the claim's hypothesis does not hold, so that it says nothing.
    pub fn inapplicable(&mut self) {
        self.finding.cases += 1;
    }

    /// Whether a case has failed.
    pub fn refuted(&self) -> bool {
        self.finding.counterexample.is_some()
    }

    /// A wrong variant of the claim at this case. It has to fail at least once; `arithmetic` is asked there.
    pub fn mistake(&mut self, mistake: &str, holds: bool, arithmetic: impl FnOnce() -> String) {
        if let Some(index) = self.tooth_that_bites(mistake, holds) {
            self.bite(index, &arithmetic());
        }
    }

    /// The tooth of this mistake, if it bites here for the first time.
    fn tooth_that_bites(&mut self, mistake: &str, holds: bool) -> Option<usize> {
        let teeth = &mut self.finding.teeth;
        let index = teeth.iter().position(|tooth| tooth.mistake == mistake).unwrap_or_else(|| {
            teeth.push(Tooth { mistake: mistake.to_owned(), bite: None });
            teeth.len() - 1
        });
        (!holds && teeth[index].bite.is_none()).then_some(index)
    }

    fn bite(&mut self, index: usize, lines: &str) {
        self.finding.teeth[index].bite = Some(Counterexample::of_lines(lines));
    }

    /// What holds instead of a false claim, at this case. It must hold in every one.
    pub fn corrected(&mut self, statement: &str, holds: bool) {
        let correction = self.finding.correction.get_or_insert_with(|| Correction {
            statement: statement.to_owned(),
            cases: 0,
            holds: true,
        });
        if !correction.statement.contains(statement) {
            correction.statement += &format!("; {statement}");
        }
        correction.cases += 1;
        correction.holds &= holds;
    }
}
