//! What has to be shown at one order pattern, as polynomials: facts that are known to be >= 0 and
//! goals that must be.
//!
//! A maximum on the larger side of a law becomes a variable with facts; on the smaller side, one
//! goal for each piece. Sums of maxima get bounds from the certificate, UCal a line, smCE a flow.
//! Goals are combinations of products of facts, which are needed where a bound is multiplied by a
//! gap (smCE) and in UCal's duality.

use super::table::Table;
use super::{Atom, Bounded, Form};
use crate::pattern::Pattern;
use crate::polynomial::{Poly, Ring, sum};
use crate::rejection::Fault;

/// One case: wherever every fact is >= 0, every goal must be.
#[derive(Debug)]
pub struct Case {
    /// The variables, numbered from 1: the predictions v1, …, vm, then y1, … for what stands on the
    /// larger side.
    pub names: Vec<String>,
    /// First 0 <= v1, v1 <= v2, …, vm <= 1, then what is known of each y, then what is known by
    /// hypothesis.
    pub facts: Vec<Poly>,
    /// How many of the variables are predictions.
    predictions: usize,
    /// What stands on the smaller side, with the weight of each.
    pub bounded: Vec<(i128, Bounded)>,
    /// The larger side.
    pub larger: Poly,
}

impl Case {
    /// The case of a form at a pattern, where `zero` is 0.
    pub fn of(form: &Form, zero: Option<Atom>, pattern: &Pattern) -> Result<Case, Fault> {
        let m = pattern.levels.len();
        let values = (1..=m).map(Poly::variable).collect::<Result<Vec<_>, _>>()?;
        let table = Table { levels: pattern.levels.clone(), values: &values };
        let ends = [vec![Poly::default()], values.clone(), vec![Poly::constant(1)]].concat();
        let gaps = ends.windows(2).map(|pair| pair[1].clone().plus(-1, &pair[0]));
        let mut case = Case {
            names: (1..=m).map(|j| format!("v{j}")).collect(),
            facts: gaps.collect::<Result<_, _>>()?,
            predictions: m,
            bounded: vec![],
            larger: Poly::default(),
        };
        // Averages on the smaller side are taken subset by subset, everything times 2^T; and then
        // those on the larger side too. Otherwise these are at least the average of any one piece,
        // which is half the piece of the whole.
        let average = |atom| matches!(atom, Atom::Measure(m) if m.subsampled_from().is_some());
        let apart = form.terms.iter().any(|(atom, factor)| average(*atom) && factor.is_negative());
        let scale = if apart { 1_i128 << pattern.rounds() } else { 1 };
        case.larger = case.larger.plus(scale, &Poly::constant(form.constant))?;
        for &(atom, factor) in &form.terms {
            let exact = table.polynomial(atom)?;
            let subsets = match apart && average(atom) {
                true => table.subsets(),
                false => vec![(scale, Table { levels: pattern.levels.clone(), values: &values })],
            };
            for (weight, part) in subsets {
                let weight = factor.checked_mul(weight).ok_or(Fault::TooLarge)?;
                if let Some(exact) = &exact {
                    case.larger = case.larger.plus(weight, exact)?;
                } else if factor.is_negative() {
                    let bounded = part.bounded(atom)?;
                    case.bounded.extend(bounded.into_iter().map(|bounded| (-weight, bounded)));
                } else {
                    let times = if average(atom) && !apart { 2 } else { 1 };
                    for pieces in part.maxima(atom)? {
                        case.add_maximum(weight, times, &pieces)?;
                    }
                }
            }
        }
        for pieces in zero.map_or(Ok(vec![]), |atom| table.maxima(atom))? {
            for piece in pieces {
                case.facts.push(sum([(-1, &piece)])?);
            }
        }
        Ok(case)
    }

    /// A new variable y on the larger side: y >= 0, and `times` y is at least each piece.
    fn add_maximum(&mut self, weight: i128, times: i128, pieces: &[Poly]) -> Result<(), Fault> {
        let y = Poly::variable(self.names.len() + 1)?;
        self.names.push(format!("y{}", self.names.len() + 1 - self.predictions));
        self.facts.push(y.clone());
        for piece in pieces {
            self.facts.push(sum([(times, &y), (-1, piece)])?);
        }
        self.larger = std::mem::take(&mut self.larger).plus(weight, &y)?;
        Ok(())
    }

    /// How many bounds the certificate has to choose. A single maximum is bounded by the whole
    /// larger side.
    pub fn bounds(&self) -> usize {
        match &self.bounded[..] {
            [(_, Bounded::Maximum(_))] => 0,
            bounded => bounded.iter().map(|(_, bounded)| bounded.bounds()).sum(),
        }
    }

    /// What has to be >= 0 if the bounds are these polynomials over a common denominator.
    pub fn goals(&self, denominator: i128, bounds: &[Poly]) -> Result<Vec<Poly>, Fault> {
        if let [(weight, Bounded::Maximum(pieces))] = &self.bounded[..] {
            let below = |piece| self.larger.clone().plus(-weight, piece);
            return pieces.iter().map(below).collect();
        }
        let (mut goals, mut bounds) = (vec![], bounds);
        let mut rest = sum([(denominator, &self.larger)])?;
        for (weight, bounded) in &self.bounded {
            let own;
            (own, bounds) = bounds.split_at_checked(bounded.bounds()).ok_or(Fault::Malformed)?;
            rest = rest.plus(-weight, &bounded.bound(denominator, own, &mut goals)?)?;
        }
        goals.push(rest);
        Ok(goals)
    }
}
