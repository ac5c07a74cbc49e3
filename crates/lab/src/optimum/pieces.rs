//! A measure along one path of a tree, as a sum of maxima of affine functions of the predictions.
//! Trusted; the pieces are those of [`PatternTable`], which is compared
//! with the literal definitions.

use std::collections::BTreeMap;

use super::order::{Order, path, values};
use truecal::Measure;
use truecal_check::polynomial::Poly;
use truecal_check::statement::{Atom, PatternTable};
use truecal_check::{Fault, Pattern};

/// constant + Σ slope · value of the level
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffinePiece {
    /// The constant.
    pub constant: i64,
    /// A slope for each level.
    pub slopes: Vec<i64>,
}

/// So many times the largest of some pieces.
#[derive(Clone, Debug)]
pub struct Maximum {
    /// How often it counts.
    pub weight: i64,
    /// Of what it is the largest.
    pub pieces: Vec<AffinePiece>,
}

/// A measure at every order pattern of so many rounds.
#[derive(Debug)]
pub struct Pieces {
    /// What the maxima at a pattern have to be divided by: the number of subsets, if the measure is
    /// an average over them.
    pub scale: i64,
    maxima: BTreeMap<Vec<(u32, u32)>, Vec<Maximum>>,
}

/// A measure along a path.
#[derive(Clone, Debug)]
pub struct Along<'a> {
    /// The first prediction that has the value of each level.
    pub predictions: Vec<usize>,
    /// The measure, times the scale.
    pub maxima: &'a [Maximum],
}

impl Pieces {
    /// Fails where numbers do not fit, which small patterns do not do.
    pub fn new(measure: Measure, rounds: usize) -> Result<Self, Fault> {
        let mut maxima = BTreeMap::new();
        let rounds = u32::try_from(rounds).map_err(|_| Fault::TooLarge)?;
        Pattern::default().each(rounds, &mut |pattern| {
            maxima.insert(pattern.levels.clone(), at_pattern(measure, pattern)?);
            Ok(())
        })?;
        let scale = if measure.subsampled_from().is_some() { 1 << rounds } else { 1 };
        Ok(Pieces { scale, maxima })
    }

    /// The measure if outcomes are these and the later predictions are in this order.
    pub fn along(&self, order: &Order, outcomes: &[bool]) -> Along<'_> {
        let nodes = path(&outcomes[1..]);
        let values = values(order, &nodes);
        let ones = |rounds: &Vec<usize>| rounds.iter().filter(|t| outcomes[**t]).count() as u32;
        let levels: Vec<_> =
            values.iter().map(|rounds| (ones(rounds), rounds.len() as u32)).collect();
        let first = |rounds: &Vec<usize>| rounds[0].checked_sub(1).map_or(0, |t| nodes[t] + 1);
        Along { predictions: values.iter().map(first).collect(), maxima: &self.maxima[&levels] }
    }
}

/// Whether a measure is a sum of maxima of affine functions within each order of the predictions,
/// or an average of such sums.
pub fn is_piecewise_affine(measure: Measure) -> bool {
    match measure {
        Measure::Ece
        | Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::VCal
        | Measure::StepCeSub
        | Measure::VCalSub => true,
        Measure::UCal | Measure::UCalSub | Measure::SmCe | Measure::Ssce | Measure::Cdl => false,
    }
}

/// A piecewise affine measure at an order pattern: what these maxima add up to, over the number of
/// subsets if it is an average over them.
pub fn at_pattern(measure: Measure, pattern: &Pattern) -> Result<Vec<Maximum>, Fault> {
    let m = pattern.levels.len();
    let values = (1..=m).map(Poly::variable).collect::<Result<Vec<_>, _>>()?;
    let table = PatternTable { levels: pattern.levels.clone(), values: &values };
    let tables = match measure.subsampled_from() {
        None => vec![(1, table)],
        Some(_) => table.subsets(),
    };
    let mut maxima = vec![];
    for (ways, table) in &tables {
        for polys in table.maxima(Atom::Measure(measure))? {
            let mut pieces: Vec<AffinePiece> = vec![];
            for poly in &polys {
                let piece = affine(poly, m)?;
                if !pieces.contains(&piece) {
                    pieces.push(piece);
                }
            }
            let weight = i64::try_from(*ways).map_err(|_| Fault::TooLarge)?;
            let nothing = AffinePiece { constant: 0, slopes: vec![0; m] };
            if pieces != [nothing] {
                maxima.push(Maximum { weight, pieces });
            }
        }
    }
    Ok(maxima)
}

fn affine(poly: &Poly, levels: usize) -> Result<AffinePiece, Fault> {
    let mut piece = AffinePiece { constant: 0, slopes: vec![0; levels] };
    for (monomial, coefficient) in poly.terms() {
        let number = i64::try_from(*coefficient).map_err(|_| Fault::TooLarge)?;
        match monomial {
            [0, 0, 0, 0] => piece.constant = number,
            [0, 0, 0, level] => piece.slopes[usize::from(*level) - 1] = number,
            _ => return Err(Fault::Unsupported),
        }
    }
    Ok(piece)
}
