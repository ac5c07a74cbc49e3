//! The levels, cut into blocks that are looked at in 64 replicates at once.
//!
//! Every measure that is found in this way is the extreme of K_j - c_j over the levels j, or is
//! made of such numbers, where K_j counts ones, which differ between replicates, and c_j is a
//! multiple of predictions, which do not. Within a *run* of some 16 rounds, K_j is at most its
//! value at the end and at least that at the start; so with the extreme of c_j over the run, found
//! once for all, the ones at the ends of runs bound what happens at every level. A *block* is
//! several runs: for each replicate the largest of their bounds is kept, and only blocks whose
//! bound can reach the extreme are gone through level by level.
//!
//! Bounds are in sixty-fourths, and relative to the start of the block they fit 16 bits. A level of
//! many rounds is a block of its own, whose ones are drawn as a number in each replicate.

use std::ops::Range;

use super::lanes::ONE;
use super::outcomes::Outcomes;
use crate::levels::{Level, Table};
use crate::number::Number;

/// The rounds of a run, unless it is one level.
const RUN: u64 = 16;
/// The rounds of a block, unless it is one level: 64 times as much must fit 16 bits twice.
const BLOCK: u64 = 256;
/// A level of more rounds is a block of its own. Up to there, drawing each round in 64 replicates
/// at once is faster.
const LIGHT: u64 = 64;
/// With so many rounds bounds fit 64 bits, and estimates 128.
pub(super) const MOST_ROUNDS: u64 = 1 << 56;
/// From 2^-64 to sixty-fourths.
pub(super) const FINER: u32 = 58;
/// The bounds that are kept by run: of the walk, from above and from below; and of the two sides of
/// a threshold.
pub(super) const BOUNDS: usize = 4;
pub(super) const RISE: usize = 0;
pub(super) const FALL: usize = 1;
pub(super) const BELOW: usize = 2;
pub(super) const ABOVE: usize = 3;

/// Some neighbouring levels.
pub(super) struct Block {
    pub levels: Range<usize>,
    /// The rounds below the block.
    pub rounds: u64,
    /// The sum of their predictions, from the first 64 digits of each, in 2^-64.
    pub expected: u128,
    /// Whether it is one level whose ones are drawn as a number.
    pub heavy: bool,
    /// Where its rounds are, if it is not.
    pub words: Range<usize>,
    pub runs: Range<usize>,
    /// The largest constants of its runs, in sixty-fourths.
    pub most: [i64; BOUNDS],
}

/// A part of a block.
pub(super) struct Run {
    /// So many rounds.
    pub words: usize,
    /// How much less its constants are than the largest of the block, in sixty-fourths; or less
    /// than that, where it does not fit: bounds are too high then.
    pub less: [i16; BOUNDS],
}

/// Which bounds are wanted: none of a table with more than [`MOST_ROUNDS`] rounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Of the walk of prefix sums.
    pub walk: bool,
    /// Of the two sides of a threshold.
    pub sides: bool,
}

/// A table cut into blocks.
pub(super) struct Blocks<'a, N> {
    pub table: Table<'a, N>,
    pub outcomes: &'a Outcomes,
    pub wanted: Wanted,
    /// The rounds of the table.
    pub rounds: u64,
    pub blocks: Vec<Block>,
    pub runs: Vec<Run>,
    /// The sum of all predictions, from the first 64 digits of each, in 2^-64.
    pub expected_in_all: u128,
    /// The sum of the predictions up to each level, in units, if the walk is wanted.
    pub expected: Vec<N>,
}

/// A level with what is below it in one replicate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub index: usize,
    /// The rounds of lower levels and of this one.
    pub rounds: (u64, u64),
    /// The ones of lower levels, and up to this one.
    pub ones: (u64, u64),
    /// The sum of the predictions up to this level, from the first 64 digits of each, in 2^-64.
    pub expected: u128,
}

impl<'a, N: Number> Blocks<'a, N> {
    pub fn new(table: Table<'a, N>, outcomes: &'a Outcomes, wanted: Wanted) -> Self {
        let mut cutter = Cutter {
            bounded: wanted.walk || wanted.sides,
            rounds_in_all: table.rounds(),
            rounds: 0,
            expected: 0,
            blocks: Vec::new(),
            runs: Vec::new(),
            constants: Vec::new(),
        };
        for (index, level) in table.rows().iter().enumerate() {
            cutter.level(index, level.count, outcomes.digits(index));
        }
        let (rounds, expected_in_all) = (cutter.rounds_in_all, cutter.expected);
        let (blocks, runs) = cutter.finish();
        let expected = if wanted.walk { expected(table) } else { Vec::new() };
        Blocks { table, outcomes, wanted, rounds, blocks, runs, expected_in_all, expected }
    }

    /// The rounds that are drawn one by one.
    pub fn words(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.words.end)
    }
}

/// The sum of the predictions up to each level, in units.
fn expected<N: Number>(table: Table<'_, N>) -> Vec<N> {
    let mut sum = N::zero();
    let through = |level: &Level<N>| {
        sum += &(level.value.clone() * &N::from_count(level.count));
        sum.clone()
    };
    table.rows().iter().map(through).collect()
}

/// Goes through the levels and cuts them.
struct Cutter {
    /// Whether bounds are wanted.
    bounded: bool,
    rounds_in_all: u64,
    /// The rounds so far, and the sum of their predictions.
    rounds: u64,
    expected: u128,
    blocks: Vec<Block>,
    runs: Vec<Run>,
    /// The largest constants of each run.
    constants: Vec<[i64; BOUNDS]>,
}

impl Cutter {
    fn level(&mut self, index: usize, count: u64, digits: u64) {
        let heavy = count > LIGHT;
        let words = if heavy { 0 } else { count as usize };
        let room = |rounds: usize, most: u64| (rounds + words) as u64 <= most;
        let open = self
            .blocks
            .last()
            .is_some_and(|block| !heavy && !block.heavy && room(block.words.len(), BLOCK));
        if !open {
            self.begin(index, heavy);
        }
        let begun = self.runs.len() > self.blocks.last().map_or(0, |block| block.runs.start);
        if !begun || !room(self.runs[self.runs.len() - 1].words, RUN) {
            self.runs.push(Run { words: 0, less: [0; BOUNDS] });
            self.constants.push([i64::MIN; BOUNDS]);
        }
        self.take(index, count, words, digits);
    }

    /// Begins a block.
    fn begin(&mut self, index: usize, heavy: bool) {
        let word = self.blocks.last().map_or(0, |block| block.words.end);
        self.blocks.push(Block {
            levels: index..index,
            rounds: self.rounds,
            expected: self.expected,
            heavy,
            words: word..word,
            runs: self.runs.len()..self.runs.len(),
            most: [i64::MIN; BOUNDS],
        });
    }

    /// Adds a level to the last run.
    fn take(&mut self, index: usize, count: u64, words: usize, digits: u64) {
        let constants = self.pass(count, digits.into());
        let block = self.blocks.last_mut().expect("a block has begun");
        let run = self.runs.len() - 1;
        block.levels.end = index + 1;
        block.words.end += words;
        block.runs.end = run + 1;
        self.runs[run].words += words;
        for (bound, constant) in constants.into_iter().enumerate() {
            block.most[bound] = block.most[bound].max(constant);
            self.constants[run][bound] = self.constants[run][bound].max(constant);
        }
    }

    /// Moves past a level: an upper bound of the constant of each bound there, in sixty-fourths.
    fn pass(&mut self, count: u64, digits: u128) -> [i64; BOUNDS] {
        let below = u128::from(self.rounds);
        let above = u128::from(self.rounds_in_all) - below;
        self.rounds += count;
        self.expected += digits * u128::from(count);
        let mut constants = [0; BOUNDS];
        if self.bounded {
            let down = |number: u128| (number >> FINER) as i64;
            let up = |number: u128| down(number) + 1;
            constants[RISE] = -down(self.expected);
            constants[FALL] = up(self.expected + u128::from(self.rounds));
            constants[BELOW] = -down(digits * below);
            constants[ABOVE] = up((digits + 1) * above);
        }
        constants
    }

    /// Compares the runs with their blocks.
    fn finish(mut self) -> (Vec<Block>, Vec<Run>) {
        const MOST: i64 = (i16::MAX - BLOCK as i16 * ONE) as i64;
        for block in &self.blocks {
            for run in block.runs.clone() {
                for bound in 0..BOUNDS {
                    let less = block.most[bound] - self.constants[run][bound];
                    self.runs[run].less[bound] = less.min(MOST) as i16;
                }
            }
        }
        (self.blocks, self.runs)
    }
}
