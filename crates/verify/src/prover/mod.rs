//! The prover: finds certificates, and where there is none a table that shows why. Untrusted: the
//! checker judges what it finds.
//!
//! Neighbouring patterns have the same rows for long stretches. A certificate may say `=n`, that
//! the next n rows are those of the case before; and the prover tries these rows first, which makes
//! it several times faster.

mod bounds;
mod joint;
mod print;
mod refutation;

use std::collections::BTreeMap;
use std::fmt::Write;

use num_rational::BigRational;
use rayon::prelude::*;
use thiserror::Error;
use truecal::Watch;

use self::bounds::{Choice, choices};
use self::joint::joint;
use truecal_check::law::Law;
use truecal_check::polynomial::{Poly, Ring, shows};
use truecal_check::statement::{Case, Statement};
use truecal_check::{Pattern, VERSION};
use truecal_lab::programme::{Combined, Sparse, combine};

pub use refutation::RefutingTable;
pub(crate) use refutation::{inwards, spread};

/// A linear functional on polynomials, by its value at each monomial.
pub type Point = BTreeMap<[u16; 4], BigRational>;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Failure {
    /// The law is false: here.
    #[error("refuted at {0}")]
    Refuted(Box<RefutingTable>),
    /// No certificate was found, and no table where the law fails.
    #[error("no certificate was found, nor a counterexample: {case}")]
    NotFound {
        /// The case that resists.
        case: String,
    },
    /// The law is of a shape that has no certificates.
    #[error(
        "no certificate can prove a law of this shape, or with numbers beyond 62 bits (see \
         proofs/CERTIFICATES.md)"
    )]
    Unsupported,
    /// The search was stopped.
    #[error("stopped")]
    Stopped,
}

/// A certificate of the law for so many rounds. The watch is told of order patterns, and asked
/// before every row whether to go on.
pub fn prove(law: &Law, rounds: u32, watch: &Watch<'_>) -> Result<String, Failure> {
    let mut patterns = vec![];
    let gathered: Result<(), Failure> = Pattern::default().each(rounds, &mut |pattern| {
        let statement = Statement::of(law, pattern).ok_or(Failure::Unsupported)?;
        if !statement.forms.is_empty() {
            patterns.push(pattern.clone());
        }
        Ok(())
    });
    gathered?;
    // The length of a run does not depend on the number of threads, so that the text does not
    // either.
    let prove = |patterns: &[Pattern]| -> Result<String, Failure> {
        let mut writer = Writer::new(watch);
        let mut failure = None;
        for pattern in patterns {
            if !watch.go_on() {
                return Err(Failure::Stopped);
            }
            match writer.prove_pattern(law, pattern) {
                Err(refuted @ Failure::Refuted(_)) => return Err(refuted),
                other => failure = failure.or(other.err()),
            }
            watch.done(1);
        }
        failure.map_or(Ok(writer.text), Err)
    };
    let cases: Vec<Result<String, Failure>> = patterns.par_chunks(RUN).map(prove).collect();
    let mut text = format!("{VERSION}\nclaim {law}\nrounds {rounds}\n");
    let mut failure: Option<Failure> = None;
    for case in cases {
        match (case, &failure) {
            (Ok(lines), _) => text += &lines,
            // A counterexample says more than a case that resists.
            (Err(refuted @ Failure::Refuted(_)), _) => return Err(refuted),
            (Err(Failure::Stopped), _) => failure = Some(Failure::Stopped),
            (Err(other), None) => failure = Some(other),
            (Err(_), Some(_)) => {}
        }
    }
    failure.map_or(Ok(text + "end\n"), Err)
}

/// How many order patterns so many rounds have, at most 2^64 - 1.
pub fn patterns(rounds: u32) -> u64 {
    // The last level has n rounds, with 0 to n ones.
    let mut counts = vec![1_u64];
    for rounds in 1..=u64::from(rounds) {
        let last = |n: u64| counts[(rounds - n) as usize].saturating_mul(n + 1);
        counts.push((1..=rounds).map(last).fold(0, u64::saturating_add));
    }
    counts[rounds as usize]
}

/// How many patterns are proved one after the other, each with the rows of the one before as a
/// first guess.
const RUN: usize = 64;

/// The lines of some patterns.
struct Writer<'a> {
    watch: &'a Watch<'a>,
    text: String,
    /// The rows of the pattern before, and those of this one.
    before: Vec<String>,
    rows: Vec<String>,
    /// How many rows up to here are as they were in the pattern before, and are not written yet.
    repeated: usize,
}

impl<'a> Writer<'a> {
    fn new(watch: &'a Watch<'a>) -> Self {
        Writer { watch, text: String::new(), before: vec![], rows: vec![], repeated: 0 }
    }

    fn prove_pattern(&mut self, law: &Law, pattern: &Pattern) -> Result<(), Failure> {
        let Statement { zero, forms } = Statement::of(law, pattern).ok_or(Failure::Unsupported)?;
        self.before = std::mem::take(&mut self.rows);
        let _ = writeln!(self.text, "{pattern}");
        for form in &forms {
            let case = Case::of(form, zero, pattern).map_err(|_| Failure::Unsupported)?;
            let order = pattern.levels.len() + 1;
            let Err(point) = self.prove_case(&case, order, choices(&case)) else { continue };
            if !self.watch.go_on() {
                return Err(Failure::Stopped);
            }
            if let Some(refutation) = RefutingTable::search(law, pattern, point.as_ref()) {
                return Err(Failure::Refuted(Box::new(refutation)));
            }
            // What no simple choice of bounds shows may be shown by bounds that are chosen
            // together.
            self.prove_case(&case, order, joint(&case, order))
                .map_err(|_| Failure::NotFound { case: pattern.to_string() })?;
        }
        self.write_repeated();
        Ok(())
    }

    /// The lines of one case, or where it fails if that is known.
    fn prove_case(
        &mut self,
        case: &Case,
        order: usize,
        choices: impl Iterator<Item = Choice>,
    ) -> Result<(), Option<Point>> {
        if case.bounds() == 0 {
            let rows = self.prove_goals(case, order, 1, &[])?;
            rows.into_iter().for_each(|row| self.write_row(row));
            return Ok(());
        }
        let mut failure = None;
        for Choice { denominator, bounds } in choices {
            match self.prove_goals(case, order, denominator, &bounds) {
                Ok(rows) => {
                    self.write_repeated();
                    let _ = writeln!(self.text, "over {denominator}");
                    for bound in &bounds {
                        let _ = writeln!(self.text, "bound {}", print::print(bound, &case.names));
                    }
                    rows.into_iter().for_each(|row| self.write_row(row));
                    return Ok(());
                }
                Err(point) => failure = failure.or(point),
            }
        }
        Err(failure)
    }

    fn prove_goals(
        &self,
        case: &Case,
        order: usize,
        denominator: i128,
        bounds: &[Poly],
    ) -> Result<Vec<String>, Option<Point>> {
        let goals = case.goals(denominator, bounds).map_err(|_| None)?;
        let mut rows = vec![];
        for goal in &goals {
            if !self.watch.go_on() {
                return Err(None);
            }
            let before = self.before.get(self.rows.len() + rows.len());
            let again =
                before.filter(|row| shows(row.as_bytes(), &case.facts, order, goal).is_ok());
            rows.push(match again {
                Some(row) => row.clone(),
                None => row(&case.facts, order, goal)?,
            });
        }
        Ok(rows)
    }

    fn write_row(&mut self, row: String) {
        match self.before.get(self.rows.len()) == Some(&row) {
            true => self.repeated += 1,
            false => {
                self.write_repeated();
                self.text += &row;
                self.text.push('\n');
            }
        }
        self.rows.push(row);
    }

    fn write_repeated(&mut self) {
        if self.repeated > 0 {
            let _ = writeln!(self.text, "={}", self.repeated);
        }
        self.repeated = 0;
    }
}

/// A polynomial by its monomials.
fn sparse(poly: &Poly) -> Sparse<[u16; 4]> {
    poly.terms().map(|(monomial, coefficient)| (*monomial, *coefficient)).collect()
}

/// A line of multipliers for one goal, where the first facts are called o0, o1, … and the others
/// f1, f2, …. Err: there is none, or the numbers are too large; with a functional that is >= 0 on
/// the facts and < 0 on the goal, if the search ended at one.
pub fn row(facts: &[Poly], order: usize, goal: &Poly) -> Result<String, Option<Point>> {
    let name = |place: usize| match place.checked_sub(order) {
        None => format!("o{place}"),
        Some(place) => format!("f{}", place + 1),
    };
    let named = facts.iter().enumerate().map(|(place, fact)| (name(place), fact.clone()));
    let columns: Vec<_> = [("1".to_owned(), Poly::constant(1))].into_iter().chain(named).collect();
    let mut separation = None;
    for products in Products::MORE_AND_MORE {
        let too_many = products == Products::All && columns.len() > MOST_FACTORS;
        if products != Products::None && (print::degree(goal) < 2 || too_many) {
            break;
        }
        let mut all = columns.clone();
        for ((i, j), product) in products.of(facts, order) {
            all.push((format!("{}*{}", name(i), name(j)), product));
        }
        // So that few facts are used, and those that are shortest to read.
        let cost = |poly: &Poly| if print::is_variable(poly) { 2 } else { 3 };
        let costed: Vec<_> = all.iter().map(|(_, poly)| (sparse(poly), cost(poly))).collect();
        match combine(&costed, &sparse(goal)) {
            None => return Err(None),
            Some(Combined::Separation(point)) => separation = separation.or(Some(point)),
            Some(Combined::Combination { denominator, multipliers }) => {
                return Ok(print_row(denominator, &multipliers, &all));
            }
        }
    }
    Err(separation)
}

/// Of more facts than these not all products are tried: a tableau of thousands of columns takes
/// minutes.
const MOST_FACTORS: usize = 40;

/// Which products of two facts to use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Products {
    None,
    /// Of an order fact and a variable y.
    WithVariables,
    All,
}

impl Products {
    const MORE_AND_MORE: [Products; 3] = [Products::None, Products::WithVariables, Products::All];

    /// The products, and of which two facts; the first facts are the order facts.
    fn of(self, facts: &[Poly], order: usize) -> Vec<((usize, usize), Poly)> {
        let mut products = vec![];
        for (i, fact) in facts.iter().enumerate() {
            for (j, other) in facts.iter().enumerate().skip(i) {
                let wanted = match self {
                    Products::None => false,
                    Products::WithVariables => i < order && j >= order && print::is_variable(other),
                    Products::All => true,
                };
                let product = wanted.then(|| fact.times(other).ok()).flatten();
                products.extend(product.map(|product| ((i, j), product)));
            }
        }
        products
    }
}

fn print_row(
    denominator: i128,
    multipliers: &[(usize, i128)],
    columns: &[(String, Poly)],
) -> String {
    let term = |(column, multiplier): &(usize, i128)| match (&*columns[*column].0, multiplier) {
        ("1", number) => number.to_string(),
        (name, 1) => name.to_owned(),
        (name, number) => format!("{number}*{name}"),
    };
    let terms: Vec<_> = multipliers.iter().map(term).collect();
    let terms = if terms.is_empty() { "0".to_owned() } else { terms.join(" ") };
    if denominator == 1 { terms } else { format!("{denominator}: {terms}") }
}
