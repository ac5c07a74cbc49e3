//! What a computation of its own reports to: cases, mistakes that it must notice, a correction.

use super::finding::{Control, Correction, Counterexample, Finding};
use super::{Extent, FiniteCheck};
use crate::committed::Proof;
use crate::kernel;

/// Gathers the cases of one check.
///
/// A finite check does three things: it puts every case of the claim to [`case`](Evidence::case);
/// it shows by negative controls ([`mistake`](Evidence::mistake)) that a wrong variant of the claim
/// is noticed on the same cases; and, where the claim is expected to fail, it puts what holds
/// instead to [`corrected`](Evidence::corrected).
#[derive(Debug)]
pub struct Evidence {
    extent: Extent,
    finding: Finding,
}

impl Evidence {
    /// Runs the computation.
    pub fn run(check: &FiniteCheck, extent: Extent) -> Finding {
        let mut evidence = Evidence { extent, finding: Evidence::frame(check) };
        (check.run)(&mut evidence);
        evidence.finding
    }

    /// The finding before anything is found.
    pub(crate) fn frame(check: &FiniteCheck) -> Finding {
        let mut frame = Finding::new(check.title, check.scope, check.covers.to_owned());
        let theorem = |name: &&str| {
            kernel::record().named(name).unwrap_or_else(|| panic!("no theorem is named {name}"))
        };
        if !check.proofs.is_empty() {
            let theorems: Vec<_> = check.proofs.iter().map(theorem).collect();
            frame.proof = Some(Proof::of_theorems(&theorems));
        }
        frame
    }

    /// How much to do.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// One case of the claim. Put the smallest first: `arithmetic` is asked, one step on each line,
    /// for the first that fails.
    pub fn case(&mut self, holds: bool, arithmetic: impl FnOnce() -> String) {
        if self.counts_as_first(holds) {
            self.refute(&arithmetic());
        }
    }

    /// Counts a case; whether it is the first to fail. (The generic functions around this and what
    /// follows are compiled for each of hundreds of closures, so there is nothing else in them.)
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

    /// A wrong variant of the claim at this case. It has to fail at least once; `arithmetic` is
    /// asked there.
    pub fn mistake(&mut self, mistake: &str, holds: bool, arithmetic: impl FnOnce() -> String) {
        if let Some(index) = self.first_failure_of(mistake, holds) {
            self.caught(index, &arithmetic());
        }
    }

    /// The control of this mistake, if it fails here for the first time.
    fn first_failure_of(&mut self, mistake: &str, holds: bool) -> Option<usize> {
        let controls = &mut self.finding.controls;
        let index =
            controls.iter().position(|control| control.mistake == mistake).unwrap_or_else(|| {
                controls.push(Control { mistake: mistake.to_owned(), caught: None });
                controls.len() - 1
            });
        (!holds && controls[index].caught.is_none()).then_some(index)
    }

    fn caught(&mut self, index: usize, lines: &str) {
        self.finding.controls[index].caught = Some(Counterexample::of_lines(lines));
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
