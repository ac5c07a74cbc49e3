//! The prover: finds certificates, and where there is none a table that shows why. Nothing here need be believed.

mod bounds;
mod joint;
mod print;
mod refutation;
mod simplex;

use std::fmt::Write;

use rayon::prelude::*;

use self::bounds::{Choice, choices};
use self::joint::joint;
use self::simplex::{Answer, combine, sparse};
use super::aggregated::Aggregated;
use super::checker::{Pattern, Poly, Ring, VERSION, shows};
use super::statement::{Case, Statement};
use crate::law::Law;

pub use refutation::Refutation;
pub(crate) use refutation::{inwards, spread};
pub use simplex::Point;

/// Why there is no certificate.
#[derive(Debug)]
pub enum Failure {
    /// The law is false: here.
    Refuted(Box<Refutation>),
    /// No certificate was found, and no table where the law fails.
    NotFound {
        /// The case that resists.
        case: String,
    },
    /// The law is of a shape that has no certificates.
    Unsupported,
    /// The search was stopped.
    Stopped,
}

/// A certificate of the law for so many rounds.
pub fn prove(law: &Law, rounds: u32, progress: &(impl Fn(u64) + Sync)) -> Result<String, Failure> {
    prove_while(law, rounds, progress, &|| true)
}

/// The same, for as long as `go_on` says so. It is asked before every row.
pub fn prove_while(
    law: &Law,
    rounds: u32,
    progress: &(impl Fn(u64) + Sync),
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<String, Failure> {
    let mut patterns = vec![];
    let gathered: Result<(), Failure> = Pattern::default().each(rounds, &mut |pattern| {
        let statement = Statement::of(law, pattern).ok_or(Failure::Unsupported)?;
        if !statement.forms.is_empty() {
            patterns.push(pattern.clone());
        }
        Ok(())
    });
    gathered?;
    // The length of a run does not depend on the number of threads, so that the text does not either.
    let prove = |patterns: &[Pattern]| -> Result<String, Failure> {
        let mut writer = Writer::new(go_on);
        let mut failure = None;
        for pattern in patterns {
            if !go_on() {
                return Err(Failure::Stopped);
            }
            match writer.prove_pattern(law, pattern) {
                Err(refuted @ Failure::Refuted(_)) => return Err(refuted),
                other => failure = failure.or(other.err()),
            }
            progress(1);
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

/// How many patterns are proved one after the other, each with the rows of the one before as a first guess.
const RUN: usize = 64;

/// The lines of some patterns.
struct Writer<'a> {
    go_on: &'a dyn Fn() -> bool,
    text: String,
    /// The rows of the pattern before, and those of this one.
    before: Vec<String>,
    rows: Vec<String>,
    /// How many rows up to here are as they were in the pattern before, and are not written yet.
    repeated: usize,
}

impl<'a> Writer<'a> {
    fn new(go_on: &'a dyn Fn() -> bool) -> Self {
        Writer { go_on, text: String::new(), before: vec![], rows: vec![], repeated: 0 }
    }

    fn prove_pattern(&mut self, law: &Law, pattern: &Pattern) -> Result<(), Failure> {
        let Statement { zero, forms } = Statement::of(law, pattern).ok_or(Failure::Unsupported)?;
        self.before = std::mem::take(&mut self.rows);
        let _ = writeln!(self.text, "{pattern}");
        for form in &forms {
            let case = Case::new(form, zero, pattern).map_err(|_| Failure::Unsupported)?;
            let order = pattern.levels.len() + 1;
            let Err(point) = self.prove_case(&case, order, choices(&case)) else { continue };
            if !(self.go_on)() {
                return Err(Failure::Stopped);
            }
            if let Some(refutation) = Refutation::search(law, pattern, point.as_ref()) {
                return Err(Failure::Refuted(Box::new(refutation)));
            }
            // What no simple choice of bounds shows may be shown by bounds that are chosen together.
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
                        let _ = writeln!(self.text, "bound {}", bound.print(&case.names));
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
            if !(self.go_on)() {
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

/// A line of multipliers for one goal, where the first facts are called o0, o1, … and the others f1, f2, …. Err: there is none, or
/// the numbers are too large; with a functional that is >= 0 on the facts and < 0 on the goal, if the search ended at one.
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
        if products != Products::None && (goal.degree() < 2 || too_many) {
            break;
        }
        let mut all = columns.clone();
        for ((i, j), product) in products.of(facts, order) {
            all.push((format!("{}*{}", name(i), name(j)), product));
        }
        // So that few facts are used, and those that are shortest to read.
        let cost = |poly: &Poly| if poly.is_variable() { 2 } else { 3 };
        let costed: Vec<_> = all.iter().map(|(_, poly)| (sparse(poly), cost(poly))).collect();
        match combine(&costed, &sparse(goal)) {
            None => return Err(None),
            Some(Answer::Separation(point)) => separation = separation.or(Some(point)),
            Some(Answer::Combination { denominator, multipliers }) => {
                return Ok(print_row(denominator, &multipliers, &all));
            }
        }
    }
    Err(separation)
}

/// Of more facts than these not all products are tried: a tableau of thousands of columns takes minutes.
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
                    Products::WithVariables => i < order && j >= order && other.is_variable(),
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

/// A certificate of what an argument for every T reduces its law to.
pub fn prove_aggregated(claim: &Aggregated) -> Result<String, Failure> {
    let mut text = format!("{VERSION}\nclaim {}\nrounds all\n", claim.claim);
    for case in claim.cases {
        let _ = writeln!(text, "case {}\nvariables {}", case.name, case.variables);
        let names = case.names();
        let parse = |poly: &str| Poly::parse(poly, &names).map_err(|_| Failure::Unsupported);
        let facts = case.facts.iter().map(|fact| parse(fact)).collect::<Result<Vec<_>, _>>()?;
        for fact in case.facts {
            let _ = writeln!(text, "fact {fact}");
        }
        for goal in case.goals {
            let not_found = |_| Failure::NotFound { case: format!("{}: {goal}", case.name) };
            let row = row(&facts, 0, &parse(goal)?).map_err(not_found)?;
            let _ = writeln!(text, "goal {goal}\n{row}");
        }
    }
    Ok(text + "end\n")
}
