//! A walk through the tables of a grid that shares between neighbours what they have in common.
//!
//! In the order of the grid two consecutive tables differ only in their last pairs, mostly in the
//! very last one. The walk keeps, for every prefix of the current sequence of pairs, the sums over
//! its levels; a step recomputes those of the prefixes that changed. All sums are 64-bit integers
//! in units of 1/D. Measures of prefix sums are then O(1) for a table, because T is known from the
//! start; stepCE^sub keeps the classes of subsets of the prefix; UCal reads the rows with the
//! ordinary formula. Three averages (VCal^sub, UCal^sub, SSCE) are computed anew for each table.
//!
//! **The bound.** T <= 32 and D <= 60. A sum is at most 2^T · 4 · T · D, below 2^46. Over the
//! common denominator, at most 2^T · D^3 < 2^50, no quantity exceeds 2 T < 2^7, so that its
//! numerator is below 2^57. The denominators of the measures that are kept apart divide 2^(T+1) · D
//! · lcm(1, …, D), which is below 2^123.

use num_bigint::BigInt;

use crate::laws::Fraction;
use truecal::AnyLevels;
use truecal::Measure;
use truecal::measures::{Corner, SmoothScan, u_cal_in};
use truecal::{Level, Slate};
use truecal_check::law::Quantity;

use super::domain::{MAX_DENOMINATOR, MAX_ROUNDS, TableNumber};
use truecal::grid::{Grid, Pair};

/// A walk, and the quantities of the current table.
pub(super) struct GridWalk {
    grid: Grid,
    unit: i64,
    wants: Wants,
    sequence: Vec<Pair>,
    /// The state after each prefix of the sequence, from the empty one on.
    prefixes: Vec<Prefix>,
    /// The levels of the current table, and room for it as a table.
    levels: Vec<Level<i64>>,
    slate: Slate<i64>,
    hull: Vec<Corner<i64>>,
    smooth: SmoothScan<i64>,
    /// What is not kept over the common denominator.
    apart: Vec<(Measure, Fraction)>,
    /// The other quantities over the common denominator.
    numerators: [i64; Quantity::ALL.len()],
    denominator: i64,
}

/// The costly quantities that are computed only if a law speaks of them.
struct Wants {
    smooth: bool,
    u_cal: bool,
    step_sub: bool,
    /// The measures that are computed anew for each table.
    apart: Vec<Measure>,
}

/// The level that a prefix of the sequence ends in, and what is known of the levels up to it.
#[derive(Clone)]
struct Prefix {
    /// The length of the prefix without this level.
    before: usize,
    level: Level<i64>,
    /// PrefixSums over all levels, this one included; made when the first pair of a higher level
    /// follows.
    closed: Option<PrefixSums>,
    smooth: SmoothScan<i64>,
    subsets: Vec<Subset>,
}

/// PrefixSums over the levels 1..j, in units; see the formulas in [`measures`](truecal::measures).
#[derive(Clone, Copy)]
struct PrefixSums {
    levels: i64,
    /// N_j and K_j.
    rounds: i64,
    ones: i64,
    /// B_j, and the range of B_0, …, B_j.
    bias: i64,
    low: i64,
    high: i64,
    ece: i64,
    /// The range of B_{i-1} + B_i (a threshold at a level) and of 2 B_i for i < j (in a gap).
    twice_low: i64,
    twice_high: i64,
    lowest: i64,
    /// The largest K_i - v_i N_i, and the largest v_i (T - N_{i-1}) + K_{i-1}.
    below: i64,
    above: i64,
    /// PrefixSums of p(1-p) and of (x-p)^2, in squared units.
    variance: i64,
    squares: i64,
}

/// Subsets of the rounds that keep the same of each level: how many, B of what is kept, and
/// max |B|.
#[derive(Clone, Copy)]
struct Subset {
    ways: i64,
    bias: i64,
    largest: i64,
}

impl GridWalk {
    /// A walk that starts at the table with this number; `None` beyond the last.
    pub fn new(grid: Grid, index: u64, quantities: &[Quantity]) -> Option<GridWalk> {
        assert!(grid.rounds <= MAX_ROUNDS && grid.denominator <= MAX_DENOMINATOR);
        let sequence = grid.nth_sequence(index)?;
        let wants = |measure| quantities.contains(&Quantity::Measure(measure));
        let mut walk = GridWalk {
            grid,
            unit: grid.denominator.into(),
            wants: Wants {
                smooth: wants(Measure::SmCe),
                u_cal: wants(Measure::UCal),
                step_sub: wants(Measure::StepCeSub),
                apart: Measure::ALL.into_iter().filter(|m| is_apart(*m) && wants(*m)).collect(),
            },
            sequence,
            prefixes: vec![Prefix::empty(); grid.rounds as usize + 1],
            levels: Vec::new(),
            slate: Slate::new(grid.denominator.into(), grid.rounds.into())
                .expect("4 T D is far below 2^63"),
            hull: Vec::new(),
            smooth: SmoothScan::new(),
            apart: Vec::new(),
            numerators: [0; Quantity::ALL.len()],
            denominator: 1,
        };
        walk.extend(0);
        Some(walk)
    }

    /// Goes to the next table; false after the last.
    pub fn step(&mut self) -> bool {
        let Some(position) = self.grid.advance(&mut self.sequence) else { return false };
        self.extend(position);
        true
    }

    /// The value of a quantity at the current table.
    pub fn value(&self, quantity: Quantity) -> Fraction {
        let average = self.apart.iter().find(|(m, _)| Quantity::Measure(*m) == quantity);
        average.map_or_else(
            || Fraction {
                numerator: self.numerators[quantity.index()].into(),
                denominator: self.denominator.into(),
            },
            |(_, average)| *average,
        )
    }

    /// All quantities over one common denominator, except those that are [apart](is_apart).
    #[inline]
    pub fn values(&self) -> (&[i64; Quantity::ALL.len()], i64) {
        (&self.numerators, self.denominator)
    }

    /// The current table by its size and its number, which is `index`.
    pub fn place(&self, index: u64) -> TableNumber {
        let values = self.sequence.iter().map(|pair| pair / 2);
        let common = values.fold(self.grid.denominator, num_integer::gcd);
        let Grid { rounds, denominator } = self.grid;
        TableNumber { rounds, denominator: denominator / common, index }
    }

    /// The order pattern of the current table as a number: for each round whether it begins a
    /// level, and its outcome.
    pub fn pattern(&self) -> u64 {
        let mut last = None;
        self.sequence.iter().fold(0, |code, pair| {
            let begins = last.replace(pair / 2) != Some(pair / 2);
            code << 2 | u64::from(begins) << 1 | u64::from(pair % 2)
        })
    }

    /// Takes in the pairs from `position` on.
    fn extend(&mut self, position: usize) {
        for length in position..self.sequence.len() {
            let pair = self.sequence[length];
            let (value, one) = (i64::from(pair / 2), u64::from(pair % 2));
            let current = &self.prefixes[length];
            let (before, level) = if length > 0 && current.level.value == value {
                let Level { count, ones, .. } = current.level;
                (current.before, Level { value, count: count + 1, ones: ones + one })
            } else {
                self.close(length);
                (length, Level { value, count: 1, ones: one })
            };
            let next = &mut self.prefixes[length + 1];
            (next.before, next.level, next.closed) = (before, level, None);
        }
        self.evaluate();
    }

    /// Adds the level that the prefix of this length ends in to its sums, unless that is done.
    fn close(&mut self, length: usize) {
        if self.prefixes[length].closed.is_some() {
            return;
        }
        let (lower, rest) = self.prefixes.split_at_mut(length);
        let prefix = &mut rest[0];
        let before = &lower[prefix.before];
        prefix.closed = Some(before.sums().add(&prefix.level, self.unit, self.grid.rounds.into()));
        if self.wants.smooth {
            prefix.smooth.clone_from(&before.smooth);
            prefix.smooth.take(&self.unit, &prefix.level);
        }
        if self.wants.step_sub {
            prefix.subsets.clear();
            let subsets = &mut prefix.subsets;
            restrict(self.unit, &prefix.level, |ways, bias| {
                subsets.extend(before.subsets.iter().map(|subset| subset.with(ways, bias)));
            });
        }
    }
}

impl GridWalk {
    /// Computes the quantities of the current table.
    fn evaluate(&mut self) {
        let (unit, rounds) = (self.unit, i64::from(self.grid.rounds));
        let last = &self.prefixes[self.sequence.len()];
        let before = &self.prefixes[last.before];
        let sums = match last.closed {
            Some(sums) => sums, // the table without rounds
            None => before.sums().add(&last.level, unit, rounds),
        };
        // Everything is put over the denominator D^2 · 2^T · u, with u the denominator that UCal
        // adds to 1/D.
        let mut u = 1;
        let subsets = if self.wants.step_sub { 1_i64 << rounds } else { 1 };
        if self.wants.u_cal {
            gather_levels(&self.prefixes, &mut self.levels);
            let table = self.slate.fill(self.levels.drain(..)).expect("a table of the grid");
            let u_cal = u_cal_in(table, &mut self.hull);
            u = u_cal.denominator;
            let numerator = i64::try_from(u_cal.numerator).expect("at most 16 T D^2");
            self.numerators[Quantity::Measure(Measure::UCal).index()] =
                numerator * (unit * subsets);
        }
        let mut set = |quantity: Quantity, numerator: i64, factor: i64| {
            self.numerators[quantity.index()] = numerator * factor;
        };
        let per_square = subsets * u;
        let per_unit = unit * per_square;
        self.denominator = unit * per_unit;
        set(Quantity::Rounds, rounds, self.denominator);
        set(Quantity::Levels, sums.levels, self.denominator);
        set(Quantity::Ones, sums.ones, self.denominator);
        set(Quantity::Bias, sums.bias, per_unit);
        set(Quantity::Variance, sums.variance, per_square);
        set(Quantity::Squares, sums.squares, per_square);
        set(Quantity::Measure(Measure::Ece), sums.ece, per_unit);
        set(Quantity::Measure(Measure::StepCe), sums.high.max(-sums.low), per_unit);
        set(Quantity::Measure(Measure::IntervalCe), sums.high - sums.low, per_unit);
        set(Quantity::Measure(Measure::SignCe), sums.sign(last.level.value, unit), per_unit);
        set(Quantity::Measure(Measure::VCal), 2 * sums.sup_g(unit), per_unit);
        if self.wants.step_sub {
            let mut total = 0;
            restrict(unit, &last.level, |ways, bias| {
                let largest = |subset: &Subset| ways * subset.ways * subset.with(1, bias).largest;
                total += before.subsets.iter().map(largest).sum::<i64>();
            });
            set(Quantity::Measure(Measure::StepCeSub), total, unit * u);
        }
        if self.wants.smooth {
            let smooth = &mut self.smooth;
            smooth.clone_from(&before.smooth);
            smooth.take(&unit, &last.level);
            let value = i64::try_from(smooth.value()).expect("at most T D^2");
            set(Quantity::Measure(Measure::SmCe), value, per_square);
        }
        if !self.wants.apart.is_empty() {
            let levels = AnyLevels::from(self.grid.table(&self.sequence));
            let average = |measure: &Measure| {
                let average = levels.evaluate(*measure).value;
                let number = |part: &BigInt| {
                    i128::try_from(part).expect("averages of small tables are small fractions")
                };
                let (numerator, denominator) = (number(average.numer()), number(average.denom()));
                (*measure, Fraction { numerator, denominator })
            };
            self.apart.clear();
            self.apart.extend(self.wants.apart.iter().map(average));
        }
    }
}

/// Whether a walk shares nothing of a measure between tables: it is computed anew for each, and has
/// a denominator of its own.
pub fn is_apart(measure: Measure) -> bool {
    match measure {
        Measure::Cdl | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => true,
        Measure::Ece
        | Measure::SmCe
        | Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::VCal
        | Measure::UCal
        | Measure::StepCeSub => false,
    }
}

/// The levels of the current table, ascending.
fn gather_levels(prefixes: &[Prefix], rows: &mut Vec<Level<i64>>) {
    rows.clear();
    let mut length = prefixes.len() - 1;
    while length > 0 {
        rows.push(prefixes[length].level.clone());
        length = prefixes[length].before;
    }
    rows.reverse();
}

impl Prefix {
    /// The prefix without pairs: no level, and one subset of no rounds.
    fn empty() -> Self {
        Prefix {
            before: 0,
            level: Level { value: 0, count: 0, ones: 0 },
            closed: Some(PrefixSums::EMPTY),
            smooth: SmoothScan::new(),
            subsets: vec![Subset { ways: 1, bias: 0, largest: 0 }],
        }
    }

    fn sums(&self) -> PrefixSums {
        self.closed.expect("closed before a higher level began")
    }
}

impl PrefixSums {
    /// Far below every sum, and its negative far above.
    const NONE: i64 = i64::MIN / 4;

    const EMPTY: PrefixSums = PrefixSums {
        levels: 0,
        rounds: 0,
        ones: 0,
        bias: 0,
        low: 0,
        high: 0,
        ece: 0,
        twice_low: -PrefixSums::NONE,
        twice_high: PrefixSums::NONE,
        lowest: 0,
        below: 0,
        above: PrefixSums::NONE,
        variance: 0,
        squares: 0,
    };

    /// The sums with the next higher level; `total` is the number of rounds T of the whole table.
    #[inline]
    fn add(self, level: &Level<i64>, unit: i64, total: i64) -> PrefixSums {
        let (value, count, ones) =
            (level.value, level.count.cast_signed(), level.ones.cast_signed());
        let own = ones * unit - count * value;
        let bias = self.bias + own;
        let first = self.levels == 0;
        // A threshold in the gap below this level, unless it is the lowest: that gap is the sign
        // variant's last case.
        let (gap_low, gap_high) = if first {
            (-PrefixSums::NONE, PrefixSums::NONE)
        } else {
            (2 * self.bias, 2 * self.bias)
        };
        let at = self.bias + bias;
        let (rounds, all_ones) = (self.rounds + count, self.ones + ones);
        PrefixSums {
            levels: self.levels + 1,
            rounds,
            ones: all_ones,
            bias,
            low: self.low.min(bias),
            high: self.high.max(bias),
            ece: self.ece + own.abs(),
            twice_low: self.twice_low.min(at).min(gap_low),
            twice_high: self.twice_high.max(at).max(gap_high),
            lowest: if first { value } else { self.lowest },
            below: self.below.max(all_ones * unit - value * rounds),
            above: self.above.max(value * (total - self.rounds) + self.ones * unit),
            variance: self.variance + count * value * (unit - value),
            squares: self.squares
                + ones * (unit - value) * (unit - value)
                + (count - ones) * value * value,
        }
    }

    /// The sign variant, given the highest level.
    fn sign(&self, highest: i64, unit: i64) -> i64 {
        if self.levels == 0 {
            return 0;
        }
        let outside = if self.lowest > 0 || highest < unit { self.bias.abs() } else { 0 };
        outside.max(self.twice_high - self.bias).max(self.bias - self.twice_low)
    }

    /// sup g, which is at least g(0) = 0.
    fn sup_g(&self, unit: i64) -> i64 {
        self.below.max(self.above - self.ones * unit)
    }
}

impl Subset {
    /// After the next level, of which rounds with this bias are kept, in so many ways.
    #[inline]
    fn with(&self, ways: i64, bias: i64) -> Subset {
        let bias = self.bias + bias;
        Subset { ways: self.ways * ways, bias, largest: self.largest.max(bias.abs()) }
    }
}

/// Every way to keep some zeros and some ones of a level: how many subsets do, and their bias.
#[inline]
pub(crate) fn restrict(unit: i64, level: &Level<i64>, mut visit: impl FnMut(i64, i64)) {
    let (ones, zeros) = (level.ones.cast_signed(), (level.count - level.ones).cast_signed());
    let mut zero_ways = 1;
    for kept_zeros in 0..=zeros {
        let mut ways = zero_ways;
        for kept_ones in 0..=ones {
            visit(ways, kept_ones * unit - (kept_zeros + kept_ones) * level.value);
            ways = ways * (ones - kept_ones) / (kept_ones + 1);
        }
        zero_ways = zero_ways * (zeros - kept_zeros) / (kept_zeros + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Value;
    use num_rational::BigRational;

    fn rational(fraction: Fraction) -> BigRational {
        BigRational::new(fraction.numerator.into(), fraction.denominator.into())
    }

    /// Every quantity on every table, starting anywhere, against the formulas.
    #[test]
    fn a_walk_agrees_with_the_formulas() {
        for (rounds, denominator) in [(0, 3), (1, 12), (2, 6), (3, 5), (4, 4), (5, 2)] {
            let grid = Grid { rounds, denominator };
            let size = grid.size().expect("small");
            let start = size / 3;
            let mut walk = GridWalk::new(grid, start, &Quantity::ALL).expect("not beyond the last");
            for index in start..size {
                let table = grid.nth(index).expect("below the size");
                let any = AnyLevels::from(table.clone());
                for measure in Measure::ALL {
                    let value = rational(walk.value(Quantity::Measure(measure)));
                    assert_eq!(value, any.evaluate(measure).value, "{measure} at {table:?}");
                }
                assert_eq!(walk.step(), index + 1 < size);
            }
        }
    }

    #[test]
    fn the_other_quantities_are_sums_over_rounds() {
        let grid = Grid { rounds: 3, denominator: 4 };
        let mut walk = GridWalk::new(grid, 0, &[]).expect("a table");
        for index in 0..grid.size().expect("small") {
            let levels = grid.nth(index).expect("below the size").to_rational();
            for quantity in Quantity::ALL {
                if let Some(value) = crate::laws::sum_of(&levels, quantity) {
                    assert_eq!(rational(walk.value(quantity)), value, "{quantity}");
                }
            }
            walk.step();
        }
        assert_eq!(walk.value(Quantity::Rounds).sign(), std::cmp::Ordering::Greater);
    }

    #[test]
    fn the_denominator_is_the_smallest() {
        let grid = Grid { rounds: 2, denominator: 12 };
        let mut walk = GridWalk::new(grid, 0, &[]).expect("a table");
        for index in 0..grid.size().expect("small") {
            let values = grid.nth(index).expect("below the size").to_rational();
            let values = values.table().rows().iter().map(|level| &level.value);
            let common = truecal::rational::common_denominator(values);
            assert_eq!(num_bigint::BigInt::from(walk.place(0).denominator), common);
            walk.step();
        }
    }
}
