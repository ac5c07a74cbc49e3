//! The isotonic fit: observed frequencies that never fall as predictions rise.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::levels::Table;
use crate::number::Number;

/// Neighbouring levels to which the isotonic fit gives the same probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitBlock {
    /// The smallest prediction in it.
    pub first: BigRational,
    /// The largest prediction in it.
    pub last: BigRational,
    /// Its rounds.
    pub count: u64,
    /// The rounds among them in which the event happened.
    pub ones: u64,
}

impl FitBlock {
    /// The probability that the fit gives to its rounds: the observed frequency.
    pub fn probability(&self) -> BigRational {
        BigRational::new(BigInt::from(self.ones), BigInt::from(self.count))
    }
}

/// A block by the numbers of its levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub first: usize,
    pub last: usize,
    pub count: u64,
    pub ones: u64,
}

impl Block {
    /// Whether the event was at least as frequent here as in the other block.
    fn at_least(&self, other: &Block) -> bool {
        let product = |ones, count| u128::from(ones) * u128::from(count);
        product(self.ones, other.count) >= product(other.ones, self.count)
    }

    fn pooled(self, next: Block) -> Block {
        Block {
            first: self.first,
            last: next.last,
            count: self.count + next.count,
            ones: self.ones + next.ones,
        }
    }
}

/// The blocks of the fit that minimises Σ n_j (k_j/n_j - f_j)² over all f_1 <= … <= f_m, by pooling
/// adjacent violators. Frequencies strictly increase from block to block. Cost: O(m).
pub(super) fn pooled<N: Number>(levels: Table<'_, N>) -> Vec<Block> {
    let mut blocks = Vec::<Block>::new();
    for (place, level) in levels.rows().iter().enumerate() {
        let (count, ones) = (level.count, level.ones);
        let mut block = Block { first: place, last: place, count, ones };
        while let Some(before) = blocks.pop_if(|before| before.at_least(&block)) {
            block = before.pooled(block);
        }
        blocks.push(block);
    }
    blocks
}

/// The blocks with their predictions.
pub(super) fn fit<N: Number>(levels: Table<'_, N>) -> Vec<FitBlock> {
    let prediction = |place: usize| levels.rational(&levels.rows()[place].value);
    let block = |block: Block| FitBlock {
        first: prediction(block.first),
        last: prediction(block.last),
        count: block.count,
        ones: block.ones,
    };
    pooled(levels).into_iter().map(block).collect()
}
