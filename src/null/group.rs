//! The outcomes of 64 replicates, and bounds on what happens in each block of levels.

use super::blocks::{ABOVE, BELOW, BOUNDS, Block, Blocks, FALL, Place, RISE};
use super::curves::Curve;
use super::lanes::{Lanes, ONE, add_ones, raise, raise_below};
use super::outcomes::{Bits, LANES};
use crate::number::Number;

/// The outcomes of 64 replicates. It can be drawn again and again, in the same room.
#[derive(Default)]
pub(super) struct Group {
    /// The rounds of light levels: those of each level one after the other, a bit for each lane.
    words: Vec<u64>,
    /// The ones below each block; at the end all ones.
    starts: Vec<[u64; LANES]>,
    /// The largest bounds of the runs of each block, relative to the ones below it and to the
    /// constants of the block, in sixty-fourths. Nothing is said of heavy levels.
    best: Vec<[Lanes; BOUNDS]>,
}

impl Group {
    /// Draws all rounds, in the order of the levels: those of a light level one by one in all
    /// lanes, those of a heavy level lane by lane.
    pub fn draw<N: Number>(&mut self, blocks: &Blocks<'_, N>, bits: &mut impl Bits) {
        self.words.clear();
        self.words.reserve(blocks.words());
        self.starts.clear();
        self.best.clear();
        let mut ones = [0; LANES];
        for block in &blocks.blocks {
            self.starts.push(ones);
            self.best.push([[i16::MIN; LANES]; BOUNDS]);
            match block.heavy {
                true => draw_heavy(blocks, block, &mut ones, bits),
                false => self.draw_light(blocks, block, &mut ones, bits),
            }
        }
        self.starts.push(ones);
    }

    /// Draws a block of light levels, and finds its bounds.
    fn draw_light<N: Number>(
        &mut self,
        blocks: &Blocks<'_, N>,
        block: &Block,
        ones: &mut [u64; LANES],
        bits: &mut impl Bits,
    ) {
        for index in block.levels.clone() {
            let level = &blocks.table.rows()[index];
            for _ in 0..level.count {
                self.words.push(blocks.outcomes.round(index, level, blocks.table.unit(), bits));
            }
        }

        let mut words = &self.words[block.words.clone()];
        let best = self.best.last_mut().expect("that of this block");
        let mut sums: Lanes = [0; LANES];
        for run in &blocks.runs[block.runs.clone()] {
            let (now, later) = words.split_at(run.words);
            words = later;
            if blocks.wanted.walk {
                raise_below(&mut best[FALL], &sums, run.less[FALL]);
            }
            add_ones(&mut sums, now);
            if blocks.wanted.walk {
                raise(&mut best[RISE], &sums, run.less[RISE]);
            }
            if blocks.wanted.sides {
                raise(&mut best[BELOW], &sums, run.less[BELOW]);
                raise(&mut best[ABOVE], &sums, run.less[ABOVE]);
            }
        }
        for (ones, sum) in ones.iter_mut().zip(&sums) {
            *ones += (sum / ONE).unsigned_abs() as u64;
        }
    }

    /// All ones of a lane.
    pub fn ones(&self, lane: usize) -> u64 {
        self.starts.last().map_or(0, |ones| ones[lane])
    }

    /// The places of a block in one lane.
    #[inline]
    pub fn look<N: Number>(
        &self,
        blocks: &Blocks<'_, N>,
        number: usize,
        lane: usize,
        mut see: impl FnMut(&Place),
    ) {
        let block = &blocks.blocks[number];
        let ones = self.starts[number][lane];
        let mut place = Place {
            index: block.levels.start,
            rounds: (block.rounds, block.rounds),
            ones: (ones, ones),
            expected: block.expected,
        };
        let mut words = &self.words[block.words.clone()];
        for index in block.levels.clone() {
            let count = blocks.table.rows()[index].count;
            place.index = index;
            place.rounds = (place.rounds.1, place.rounds.1 + count);
            place.ones.0 = place.ones.1;
            place.expected += u128::from(blocks.outcomes.digits(index)) * u128::from(count);
            if block.heavy {
                place.ones.1 = self.starts[number + 1][lane];
            } else {
                let (now, later) = words.split_at(count as usize);
                words = later;
                place.ones.1 += now.iter().map(|word| word >> lane & 1).sum::<u64>();
            }
            see(&place);
        }
    }

    /// An upper bound of a curve at the levels of a block in one lane, in sixty-fourths; `None` if
    /// the block is one level, which may as well be looked at.
    #[inline]
    pub fn bound<N: Number>(
        &self,
        blocks: &Blocks<'_, N>,
        curve: Curve,
        number: usize,
        lane: usize,
    ) -> Option<i64> {
        let block = &blocks.blocks[number];
        let (best, below) = (&self.best[number], self.starts[number][lane].cast_signed());
        let one = i64::from(ONE);
        let bound =
            |bound: usize, ones: i64| block.most[bound] + one * ones + i64::from(best[bound][lane]);
        (!block.heavy).then(|| match curve {
            Curve::Rise => bound(RISE, below),
            Curve::Fall => bound(FALL, -below),
            Curve::Height => {
                let above = self.ones(lane).cast_signed() - below;
                bound(BELOW, below).max(bound(ABOVE, -above))
            }
        })
    }

    /// An upper bound of a curve at the levels of a block in one lane, in 2^-64; `None` as above.
    /// Takes longer than [`bound`](Self::bound), and is better where little happens.
    pub fn fine_bound<N: Number>(
        &self,
        blocks: &Blocks<'_, N>,
        curve: Curve,
        number: usize,
        lane: usize,
    ) -> Option<i128> {
        let between = (self.starts[number][lane], self.starts[number + 1][lane]);
        let bound = || blocks.fine_bound(curve, number, between, self.ones(lane));
        (!blocks.blocks[number].heavy).then(bound)
    }
}

/// Draws a heavy level.
fn draw_heavy<N: Number>(
    blocks: &Blocks<'_, N>,
    block: &Block,
    ones: &mut [u64; LANES],
    bits: &mut impl Bits,
) {
    let index = block.levels.start;
    let level = &blocks.table.rows()[index];
    for ones in ones {
        *ones += blocks.outcomes.ones(index, level, blocks.table.unit(), bits);
    }
}
