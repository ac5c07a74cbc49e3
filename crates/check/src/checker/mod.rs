//! The checker of certificates: trusted code.
//!
//! It reads a law and a certificate, goes through all cases itself, and in each of them compares
//! polynomials. It uses no code of the prover, no floating point, no threads; it holds one case at
//! a time. `proofs/CERTIFICATES.md` describes the format and what a certificate proves.

use std::io::{BufRead, Read};

use crate::format::{LONGEST_LINE, MOST_ROUNDS, VERSION};
use crate::law::Law;
use crate::pattern::Pattern;
use crate::polynomial::{Poly, natural, positive, shows};
use crate::rejection::{Accepted, Rejected, Rejection};
use crate::statement::{Case, Statement};

/// Accepts a certificate of a law for so many rounds and every real prediction.
pub fn check(law: &Law, rounds: u32, text: impl BufRead) -> Result<Accepted, Rejected> {
    check_aloud(law, rounds, text, &mut |_| {})
}

/// What is shown of one form of the law at a pattern.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Its variables and facts.
    pub case: &'a Case,
    /// What is >= 0 wherever the facts are.
    pub goals: &'a [Poly],
    /// The row of each goal, repetitions written out.
    pub rows: &'a [String],
}

/// The same, and tells what it has found to be shown, piece by piece: all of it only if the whole
/// is accepted.
pub fn check_aloud(
    law: &Law,
    rounds: u32,
    text: impl BufRead,
    tell: &mut dyn FnMut(Shown<'_>),
) -> Result<Accepted, Rejected> {
    Lines::check(text, |lines| {
        lines.header(&law.to_string(), &rounds.to_string())?;
        if !(1..=MOST_ROUNDS).contains(&rounds) {
            return Err(Rejection::Rounds);
        }
        Pattern::default().each(rounds, &mut |pattern| lines.pattern(law, pattern, tell))
    })
}

/// A certificate that is being read.
struct Lines<R> {
    text: R,
    number: u64,
    accepted: Accepted,
    /// The rows of the case before, those of this one so far, and how many more are as they were
    /// there.
    before: Vec<String>,
    rows: Vec<String>,
    repeat: i128,
}

impl<R: BufRead> Lines<R> {
    fn check(
        text: R,
        body: impl FnOnce(&mut Self) -> Result<(), Rejection>,
    ) -> Result<Accepted, Rejected> {
        let (accepted, before, rows) = (Accepted::default(), vec![], vec![]);
        let mut lines = Lines { text, number: 0, accepted, before, rows, repeat: 0 };
        let result = body(&mut lines).and_then(|()| lines.begin("end"));
        let result = result.and_then(|()| match lines.line() {
            Ok(None) => Ok(lines.accepted),
            _ => Err(Rejection::Trailing),
        });
        result.map_err(|reason| Rejected { line: lines.number, reason })
    }

    /// The next line, if there is one.
    fn line(&mut self) -> Result<Option<String>, Rejection> {
        self.number += 1;
        let mut line = String::new();
        let read = (&mut self.text).take(LONGEST_LINE).read_line(&mut line);
        match read.map_err(|error| Rejection::Unreadable(error.to_string()))? as u64 {
            0 => Ok(None),
            LONGEST_LINE => Err(Rejection::TooLarge),
            _ => Ok(Some(line.strip_suffix('\n').ok_or(Rejection::Truncated)?.to_owned())),
        }
    }

    fn next(&mut self) -> Result<String, Rejection> {
        self.line()?.ok_or(Rejection::Truncated)
    }

    fn demand(&mut self, text: &str, or: fn(String) -> Rejection) -> Result<(), Rejection> {
        if self.next()? == text { Ok(()) } else { Err(or(text.to_owned())) }
    }

    /// The first line of the next case, or the last of all.
    fn begin(&mut self, line: &str) -> Result<(), Rejection> {
        self.before = std::mem::take(&mut self.rows);
        if self.repeat == 0 {
            self.demand(line, Rejection::Case)
        } else {
            Err(Rejection::Malformed)
        }
    }

    fn header(&mut self, claim: &str, rounds: &str) -> Result<(), Rejection> {
        self.demand(VERSION, |_| Rejection::Version)?;
        self.demand(&format!("claim {claim}"), Rejection::Statement)?;
        self.demand(&format!("rounds {rounds}"), Rejection::Statement)
    }

    /// All that the law says at a pattern.
    fn pattern(
        &mut self,
        law: &Law,
        pattern: &Pattern,
        tell: &mut dyn FnMut(Shown<'_>),
    ) -> Result<(), Rejection> {
        let Statement { zero, forms } =
            Statement::of(law, pattern).ok_or(Rejection::Unsupported)?;
        if forms.is_empty() {
            return Ok(());
        }
        self.begin(&pattern.to_string())?;
        for form in &forms {
            let case = Case::of(form, zero, pattern)?;
            let (mut denominator, mut bounds) = (1, vec![]);
            if case.bounds() > 0 {
                denominator = positive(self.field("over ")?.as_bytes())?;
                for _ in 0..case.bounds() {
                    bounds.push(Poly::parse(&self.field("bound ")?, &case.names)?);
                }
            }
            let (goals, first) = (case.goals(denominator, &bounds)?, self.rows.len());
            for goal in &goals {
                self.row(&case.facts, pattern.levels.len() + 1, goal)?;
            }
            let rows = &self.rows[first..];
            tell(Shown { pattern, case: &case, goals: &goals, rows });
        }
        self.accepted.cases += 1;
        Ok(())
    }

    fn field(&mut self, name: &str) -> Result<String, Rejection> {
        Ok(self.next()?.strip_prefix(name).ok_or(Rejection::Malformed)?.to_owned())
    }

    /// A line of multipliers, or `=2`: this row and the next are as in the case before.
    fn row(&mut self, facts: &[Poly], order: usize, goal: &Poly) -> Result<(), Rejection> {
        let mut row = String::new();
        if self.repeat == 0 {
            row = self.next()?;
            self.repeat = row.strip_prefix('=').map_or(Ok(0), |rows| natural(rows.as_bytes()))?;
        }
        if self.repeat > 0 {
            self.repeat -= 1;
            row = self.before.get(self.rows.len()).ok_or(Rejection::Malformed)?.clone();
        }
        self.accepted.goals += 1;
        shows(row.as_bytes(), facts, order, goal)?;
        self.rows.push(row);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
