//! Where on a grid a law comes closest to failing, or a ratio is largest: for each order pattern
//! apart.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use ethnum::I256;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use truecal::Watch;

use super::domain::TableNumber;
use super::exhaust::{Prepared, Tally, sweep};
use super::walk::GridWalk;
use crate::laws::{Fraction, Verdict, near_value, rational_value};
use truecal::grid::Grid;
use truecal_check::law::{Comparison, Expr, Law, Quantity, Relation};

/// What makes a table extreme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The law is nearly false there: its slack, in proportion to the two sides, is small.
    Slack,
    /// The side that the law claims to be the smaller is large in proportion to the other, whether
    /// the law holds or not.
    Ratio,
}

/// What is known of a law after some tables of a grid.
#[derive(Clone, Debug, Default)]
pub struct Extremes {
    /// As in [`exhaust`](super::exhaust()). For ratios the law counts as failing only where the
    /// side below the line is negative.
    pub tally: Tally,
    /// The best table of each order pattern; for each round, a pattern's number has a bit that says
    /// whether it begins a level, and a bit for its outcome.
    pub best: HashMap<u64, Best>,
}

/// A table and how extreme it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// More is more extreme.
    pub score: Score,
    /// The table.
    pub place: TableNumber,
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

/// Goes through the tables of the grid with these numbers, those that no coarser grid has. The
/// watch is told of tables done.
pub fn extremes(
    grid: Grid,
    numbers: Range<u64>,
    law: &Law,
    extreme: Extreme,
    watch: &Watch<'_>,
) -> Extremes {
    let prepared = Prepared::new(law);
    let hypothesis =
        law.hypothesis.clone().map(|comparison| Law { hypothesis: None, conclusion: comparison });
    let hypothesis = hypothesis.as_ref().map(Prepared::new);
    let sides = in_order(&law.conclusion);
    let visit = |found: &mut Extremes, walk: &GridWalk, index: u64| {
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
            score = Sides::at(walk, less, more, extreme).map(|sides| sides.score(extreme));
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
    sweep(grid, numbers, &quantities, &empty, &visit, &Extremes::merge, watch)
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
    /// None if a side has no value. Exact if the sides are fractions of 128 bits; otherwise a slack
    /// is a little off, and a ratio has its leading bits.
    fn at(walk: &GridWalk, less: &Expr, more: &Expr, extreme: Extreme) -> Option<Sides> {
        let value = |quantity: Quantity| walk.value(quantity);
        let fractions =
            || Sides::of_fractions(rational_value(less, &value)?, rational_value(more, &value)?);
        let fixed = || match extreme {
            Extreme::Slack => {
                Some(Sides { less: fixed(less, &value)?, more: fixed(more, &value)? })
            }
            Extreme::Ratio => None,
        };
        let rationals = || {
            let value = |quantity| {
                let Fraction { numerator, denominator } = walk.value(quantity);
                BigRational::new(numerator.into(), denominator.into())
            };
            Some(Sides::of_rationals(&near_value(less, &value)?, &near_value(more, &value)?))
        };
        fractions().or_else(fixed).or_else(rationals)
    }

    /// None if a product does not fit the 126 bits that scores need.
    fn of_fractions(less: Fraction, more: Fraction) -> Option<Sides> {
        let product = |a: i128, b: i128| a.checked_mul(b).filter(|p| p.unsigned_abs() < 1 << 126);
        Some(Sides {
            less: product(less.numerator, more.denominator)?,
            more: product(more.numerator, less.denominator)?,
        })
    }

    /// As many leading bits as fit. What is not 0 stays so.
    fn of_rationals(less: &BigRational, more: &BigRational) -> Sides {
        let parts = [less.numer() * more.denom(), more.numer() * less.denom()];
        let bits = parts.iter().map(BigInt::bits).max().unwrap_or(0).saturating_sub(120);
        let [less, more] = parts.map(|part| {
            let sign = part.sign();
            let leading: i128 = (part >> bits).try_into().expect("at most 121 bits are left");
            match sign {
                Sign::Plus => leading.max(1),
                Sign::NoSign | Sign::Minus => leading,
            }
        });
        Sides { less, more }
    }

    /// None for a ratio where both sides are 0, or the one above the line is negative and the other
    /// 0.
    fn score(self, extreme: Extreme) -> Result<Option<Score>, Negative> {
        let Sides { less, more } = self;
        match extreme {
            // That 0 is not less than 0 says no more than that a side has the wrong sign.
            Extreme::Slack if less == 0 && more == 0 => {
                Ok(Some(Score { numerator: -1, denominator: 1 }))
            }
            Extreme::Slack => {
                Ok(Some(Score { numerator: less - more, denominator: less.abs() + more.abs() }))
            }
            Extreme::Ratio if more.is_negative() => Err(Negative),
            Extreme::Ratio if more == 0 && less <= 0 => Ok(None),
            Extreme::Ratio => Ok(Some(Score { numerator: less, denominator: more })),
        }
    }
}

/// The value in units of 2^-40, each step rounded down: for sides with roots, of which only the
/// order of magnitude of the slack matters. None if it has no value or does not fit.
fn fixed(expr: &Expr, value: &dyn Fn(Quantity) -> Fraction) -> Option<i128> {
    const BITS: u32 = 40;
    let of = |expr: &Expr| fixed(expr, value);
    let scaled = |numerator: i128, denominator: i128| {
        Some(numerator.checked_mul(1 << BITS)?.div_euclid(denominator))
    };
    let number = match expr {
        Expr::Constant(number) => scaled((*number.numer()).into(), (*number.denom()).into())?,
        Expr::Quantity(quantity) => {
            let Fraction { numerator, denominator } = value(*quantity);
            scaled(numerator, denominator)?
        }
        Expr::Sum(a, b) => of(a)? + of(b)?,
        Expr::Difference(a, b) => of(a)? - of(b)?,
        Expr::Product(a, b) => of(a)?.checked_mul(of(b)?)? >> BITS,
        Expr::Quotient(a, divisor) => {
            let (numerator, denominator) = (i128::from(*divisor.numer()), *divisor.denom());
            let product = of(a)?.checked_mul(denominator.into())?;
            product.checked_div_euclid(numerator)?
        }
        Expr::Negation(a) => -of(a)?,
        Expr::Abs(a) => of(a)?.abs(),
        Expr::Max(all) => extreme(all.iter().map(of), i128::max)?,
        Expr::Min(all) => extreme(all.iter().map(of), i128::min)?,
        Expr::Sqrt(a) => {
            let a = of(a)?.checked_mul(1 << BITS)?;
            if a < 0 {
                return None;
            }
            a.isqrt()
        }
    };
    // So that sums and scores fit.
    Some(number).filter(|number| number.unsigned_abs() < 1 << 120)
}

fn extreme(
    values: impl Iterator<Item = Option<i128>>,
    better: fn(i128, i128) -> i128,
) -> Option<i128> {
    values.reduce(|best, value| Some(better(best?, value?))).flatten()
}

#[cfg(test)]
mod tests {
    use num_traits::Signed;

    use super::*;

    /// On all grids up to this denominator.
    fn found(law: &str, extreme: Extreme, rounds: u32, denominator: u32) -> Extremes {
        let law: Law = law.parse().expect("a law");
        let on_grid = |denominator| {
            let grid = Grid { rounds, denominator };
            extremes(grid, 0..grid.size().expect("small"), &law, extreme, &Watch::silent())
        };
        (1..=denominator).map(on_grid).reduce(Extremes::merge).expect("a grid")
    }

    fn table(best: Best) -> truecal::Levels<i64> {
        let grid = Grid { rounds: best.place.rounds, denominator: best.grid };
        grid.nth(best.place.index).expect("a table")
    }

    fn best(extremes: &Extremes) -> Best {
        extremes.best.values().copied().reduce(Best::or).expect("a table")
    }

    #[test]
    fn the_closest_table_is_the_smallest_of_those_with_equality() {
        let extremes = found("stepce >= ucal/8", Extreme::Slack, 3, 8);
        let best = best(&extremes);
        assert_eq!(best.score, Score { numerator: 0, denominator: 1 });
        let rounds = table(best).to_rational().to_rounds();
        let text: Vec<_> = rounds.iter().map(|(x, p)| format!("{} {p}", u8::from(*x))).collect();
        assert_eq!(text, ["1 3/8", "0 3/8", "0 1/2"]);
        // Every table once: the fractions in [0, 1] with denominators up to 8 are 23, but few have
        // a common one.
        let size = |denominator| Grid { rounds: 3, denominator }.size().expect("small");
        assert!((size(8)..(1..=8).map(size).sum()).contains(&extremes.tally.cases));
        // All 24 patterns of three rounds have tables with sides other than 0.
        assert_eq!(extremes.best.len(), 24);
    }

    #[test]
    fn every_table_counts_once() {
        // Two rounds at 0, 1/2, 1/3, 2/3, 1, with a common denominator of at most 3: not 1/2
        // together with 1/3 or 2/3.
        let extremes = found("ece <= T", Extreme::Slack, 2, 3);
        assert_eq!(extremes.tally.cases, 10 * 11 / 2 - 2 * 4);
    }

    #[test]
    fn ratios_are_the_largest() {
        let extremes = found("signce <= stepce", Extreme::Ratio, 2, 2);
        assert_eq!(best(&extremes).score, Score { numerator: 3, denominator: 1 });
        assert_eq!(extremes.tally.failure, None);
        let extremes = found("T <= bias", Extreme::Ratio, 1, 2);
        assert!(extremes.tally.failure.is_some(), "bias is negative somewhere");
        let extremes = found("m >= 2 => ece <= abs(bias)", Extreme::Ratio, 2, 2);
        assert_eq!(best(&extremes).score, Score { numerator: 1, denominator: 0 });
        assert!(extremes.tally.applicable < extremes.tally.cases);
    }

    /// Against the definition, with sides that have roots and sides that do not fit 128 bits.
    #[test]
    fn scores_are_those_of_the_sides() {
        let laws =
            ["stepce <= 2*sqrt(T) + sqrt(var)", "stepce*stepce*stepce*stepce*ucal*ucal <= 300"];
        for text in laws {
            let law: Law = text.parse().expect("a law");
            let extremes = found(text, Extreme::Slack, 2, 12);
            let slack = |table: truecal::Levels<i64>| {
                let levels = truecal::AnyLevels::from(table);
                let value = |quantity| crate::laws::value_of(&levels, quantity);
                let (less, more) =
                    crate::laws::near_sides(&law.conclusion, &value).expect("values");
                (&more - &less) / (more.abs() + less.abs())
            };
            let tables =
                (1..=12).flat_map(|denominator| truecal::grid::grid_tables(2, denominator));
            let least = tables.map(slack).min().expect("tables");
            let rounding = BigRational::new(1.into(), (1_u64 << 35).into());
            assert!(slack(table(best(&extremes))) - least < rounding, "{text}");
        }
    }
}
