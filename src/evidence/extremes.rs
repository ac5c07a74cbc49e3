//! Where on a grid a law comes closest to failing, or a ratio is largest: for each order pattern apart.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use ethnum::I256;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::exhaust::{Place, Prepared, Tally, sweep};
use super::grid::Grid;
use super::walk::Walk;
use crate::law::{Comparison, Expr, Fraction, Law, Quantity, Relation, Verdict};

/// What makes a table extreme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The law is nearly false there: its slack, in proportion to the two sides, is small.
    Slack,
    /// The side that the law claims to be the smaller is large in proportion to the other, whether the law holds or not.
    Ratio,
}

/// What is known of a law after some tables of a grid.
#[derive(Clone, Debug, Default)]
pub struct Extremes {
    /// As in [`exhaust`](super::exhaust()). For ratios the law counts as failing only where the side below the line is negative.
    pub tally: Tally,
    /// The best table of each order pattern; patterns are numbered as a [walk](Walk::pattern) does.
    pub best: HashMap<u64, Best>,
}

/// A table and how extreme it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// More is more extreme.
    pub score: Score,
    /// The table.
    pub place: Place,
    /// The denominator of the grid that numbers it.
    pub grid: u32,
}

impl Best {
    /// The more extreme of two, or else the smaller.
    #[must_use]
    pub fn or(self, other: Best) -> Best {
        let order = self.score.cmp(&other.score).then(other.place.cmp(&self.place));
        if order.is_lt() { other } else { self }
    }
}

/// A fraction; a positive number over 0 exceeds all others.
#[derive(Clone, Copy, Debug)]
pub struct Score {
    numerator: i128,
    /// Not negative.
    denominator: i128,
}

/// As the fractions compare. Products of 127-bit numbers fit 256 bits.
impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |a: i128, b: i128| I256::from(a) * I256::from(b);
        product(self.numerator, other.denominator).cmp(&product(other.numerator, self.denominator))
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Score {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Score {}

impl Extremes {
    /// What is known after the tables of both.
    #[must_use]
    pub fn merge(mut self, other: Extremes) -> Extremes {
        self.tally = self.tally.merge(other.tally);
        for (pattern, best) in other.best {
            self.note(pattern, best);
        }
        self
    }

    fn note(&mut self, pattern: u64, best: Best) {
        self.best.entry(pattern).and_modify(|known| *known = known.or(best)).or_insert(best);
    }
}

/// Goes through the tables of the grid with these numbers, those that no coarser grid has. `progress` is told of tables done.
pub fn extremes(
    grid: Grid,
    numbers: Range<u64>,
    law: &Law,
    extreme: Extreme,
    progress: &(impl Fn(u64) + Sync),
) -> Extremes {
    let prepared = Prepared::new(law);
    let hypothesis = law
        .hypothesis
        .clone()
        .map(|comparison| Law { hypothesis: None, conclusion: comparison });
    let hypothesis = hypothesis.as_ref().map(Prepared::new);
    let sides = in_order(&law.conclusion);
    let visit = |found: &mut Extremes, walk: &Walk, index: u64| {
        let place = walk.place(index);
        if place.denominator < grid.denominator {
            return;
        }
        let verdict = match (extreme, &hypothesis) {
            (Extreme::Slack, _) => prepared.judge(walk),
            (Extreme::Ratio, Some(law)) if law.judge(walk) == Verdict::Fails => {
                Verdict::Inapplicable
            }
            (Extreme::Ratio, _) => Verdict::Holds { equality: false },
        };
        let mut score = None;
        if let (Verdict::Holds { .. }, Some((less, more))) = (verdict, sides) {
            score = Sides::at(walk, less, more).map(|sides| sides.score(extreme));
        }
        let verdict = match score {
            Some(Err(Negative)) => Verdict::Fails,
            _ => verdict,
        };
        found.tally.count(verdict, || place);
        if let Some(Ok(Some(score))) = score {
            found.note(walk.pattern(), Best { score, place, grid: grid.denominator });
        }
    };
    let quantities = law.quantities();
    let empty = Extremes::default;
    sweep(grid, numbers, &quantities, &empty, &visit, &Extremes::merge, progress)
}

/// The side that is claimed to be the smaller, and the other; None for `==`.
pub fn in_order(comparison: &Comparison) -> Option<(&Expr, &Expr)> {
    let Comparison { left, relation, right } = comparison;
    match relation {
        Relation::AtMost | Relation::Below => Some((left, right)),
        Relation::AtLeast | Relation::Above => Some((right, left)),
        Relation::Equal => None,
    }
}

/// The side below the line is negative.
struct Negative;

/// The sides of a law over one denominator, which does not matter.
struct Sides {
    less: i128,
    more: i128,
}

impl Sides {
    /// None if a side has no value.
    fn at(walk: &Walk, less: &Expr, more: &Expr) -> Option<Sides> {
        let value = |quantity: Quantity| walk.value(quantity);
        Sides::of_fractions(less.rational_value(&value), more.rational_value(&value)).or_else(
            || {
                let value = |quantity| {
                    let Fraction { numerator, denominator } = walk.value(quantity);
                    BigRational::new(numerator.into(), denominator.into())
                };
                Some(Sides::of_rationals(&less.near_value(&value)?, &more.near_value(&value)?))
            },
        )
    }

    /// None if they are no fractions of 128 bits, or a product does not fit the 126 bits that scores need.
    fn of_fractions(less: Option<Fraction>, more: Option<Fraction>) -> Option<Sides> {
        let (less, more) = (less?, more?);
        let product = |a: i128, b: i128| a.checked_mul(b).filter(|p| p.unsigned_abs() < 1 << 126);
        Some(Sides {
            less: product(less.numerator, more.denominator)?,
            more: product(more.numerator, less.denominator)?,
        })
    }

    /// As many leading bits as fit.
    fn of_rationals(less: &BigRational, more: &BigRational) -> Sides {
        let parts = [less.numer() * more.denom(), more.numer() * less.denom()];
        let bits = parts.iter().map(BigInt::bits).max().unwrap_or(0).saturating_sub(120);
        let [less, more] =
            parts.map(|part| i128::try_from(part >> bits).expect("at most 121 bits are left"));
        Sides { less, more }
    }

    /// None where both sides are 0, which says nothing.
    fn score(self, extreme: Extreme) -> Result<Option<Score>, Negative> {
        let Sides { less, more } = self;
        let score = match extreme {
            Extreme::Slack => {
                Score { numerator: less - more, denominator: less.abs() + more.abs() }
            }
            Extreme::Ratio if more.is_negative() => return Err(Negative),
            Extreme::Ratio => Score { numerator: less, denominator: more },
        };
        let nothing = score.denominator == 0 && score.numerator <= 0;
        Ok(Some(score).filter(|_| !nothing))
    }
}

impl Score {
    /// Whether it is a positive number over 0.
    pub fn is_infinite(self) -> bool {
        self.denominator.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use num_traits::Signed;

    use super::*;

    fn found(law: &str, extreme: Extreme, rounds: u32, denominator: u32) -> (Extremes, Grid) {
        let grid = Grid { rounds, denominator };
        let law: Law = law.parse().expect("a law");
        let size = grid.size().expect("small");
        (extremes(grid, 0..size, &law, extreme, &|_| ()), grid)
    }

    fn best(extremes: &Extremes) -> Best {
        extremes.best.values().copied().reduce(Best::or).expect("a table")
    }

    #[test]
    fn the_closest_table_is_the_smallest_of_those_with_equality() {
        let (extremes, grid) = found("stepce >= ucal/8", Extreme::Slack, 3, 8);
        let best = best(&extremes);
        assert_eq!(best.score, Score { numerator: 0, denominator: 1 });
        let rounds = grid.nth(best.place.index).expect("a table").to_rational().to_rounds();
        let text: Vec<_> = rounds.iter().map(|(x, p)| format!("{} {p}", u8::from(*x))).collect();
        assert_eq!(text, ["1 3/8", "0 3/8", "0 1/2"]);
        assert_eq!(extremes.tally.cases, grid.size().expect("small"));
        // All 24 patterns of three rounds have tables with sides other than 0, but none has more levels than the grid.
        assert_eq!(extremes.best.len(), 24);
    }

    #[test]
    fn ratios_are_the_largest() {
        let (extremes, _) = found("signce <= stepce", Extreme::Ratio, 2, 2);
        assert_eq!(best(&extremes).score, Score { numerator: 3, denominator: 1 });
        assert_eq!(extremes.tally.failure, None);
        let (extremes, _) = found("ece <= smce - ece", Extreme::Ratio, 1, 2);
        assert_eq!(extremes.tally.failure, None);
        let (extremes, _) = found("T <= bias", Extreme::Ratio, 1, 2);
        assert!(extremes.tally.failure.is_some(), "bias is negative somewhere");
        let (extremes, _) = found("m >= 2 => ece <= abs(bias)", Extreme::Ratio, 2, 2);
        assert!(best(&extremes).score.is_infinite());
        assert!(extremes.tally.applicable < extremes.tally.cases);
    }

    /// Against the definition, with sides that have roots and sides that do not fit 128 bits.
    #[test]
    fn scores_are_those_of_the_sides() {
        let laws = ["stepce <= 2*sqrt(T) + sqrt(var)", "stepce*stepce*stepce*stepce*ucal*ucal <= 300"];
        for text in laws {
            let law: Law = text.parse().expect("a law");
            let (extremes, grid) = found(text, Extreme::Slack, 2, 12);
            let slack = |index: u64| {
                let levels = crate::AnyLevels::I64(grid.nth(index).expect("a table"));
                let value = |quantity| super::super::value_of(&levels, quantity);
                let (less, more) = law.conclusion.near_sides(&value).expect("values");
                (&more - &less) / (more.abs() + less.abs())
            };
            let least = (0..grid.size().expect("small")).map(slack).min().expect("tables");
            assert_eq!(slack(best(&extremes).place.index), least);
        }
    }
}
