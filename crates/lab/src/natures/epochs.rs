//! The lower bound for stepCE in smoothed settings (prop:soundlowerbound, L1170): a nature in
//! epochs, and who games it.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::{around, p};
use crate::chance::Chance;
use crate::forecaster::{Forecaster, Rule};
use crate::nature::{Memory, Nature, Outcomes};
use truecal::Prediction;
use truecal::rational::int;

/// k epochs of n rounds in which p* is within c/2 of w_i, a binary search: w_1 = 1/2, and w_(i+1) =
/// w_i ± 2^-(i+3) as the mean outcome of epoch i is at least w_i or not. Then 2kn rounds with p* in
/// [0, c] and 2kn in [1 - c, 1]. T = 5kn, and c = 2^-(k+3), the largest for k epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epochs {
    epochs: u32,
    length: u64,
}

impl Epochs {
    /// k epochs, from 1 to 40, of at least one round and at most 2^56.
    pub fn new(epochs: u32, length: u64) -> Option<Self> {
        let fits = (1..=40).contains(&epochs) && (1..=1 << 56).contains(&length);
        fits.then_some(Epochs { epochs, length })
    }

    /// Four epochs; T must be a multiple of 20.
    pub fn usual(rounds: u64) -> Option<Self> {
        rounds.is_multiple_of(20).then(|| Epochs::new(4, rounds / 20)).flatten()
    }

    /// k
    pub fn epochs(&self) -> u32 {
        self.epochs
    }

    /// 2^-(k+3)
    pub fn c(&self) -> BigRational {
        BigRational::new(BigInt::one(), BigInt::one() << (self.epochs + 3))
    }

    /// T/5: the rounds of the search.
    pub fn fifth(&self) -> u64 {
        u64::from(self.epochs) * self.length
    }

    /// w in units of 2^-(k+3)
    fn place(&self, units: i64) -> BigRational {
        BigRational::new(units.into(), BigInt::one() << (self.epochs + 3))
    }
}

impl Nature for Epochs {
    fn rounds(&self) -> u64 {
        5 * self.fifth()
    }

    /// w_i in units, and the ones of this epoch so far; nothing once the search is over.
    fn start(&self) -> Memory {
        vec![1 << (self.epochs + 2), 0]
    }

    fn chance(&self, round: u64, memory: &[i64]) -> Chance {
        let half_width = self.c() / int(2);
        let centre = match memory.first() {
            Some(&units) => self.place(units),
            None if round < 3 * self.fifth() => half_width.clone(),
            None => BigRational::one() - &half_width,
        };
        around(&centre, &half_width)
    }

    fn steady(&self, round: u64, _memory: &[i64]) -> u64 {
        let fifth = self.fifth();
        match round {
            _ if round < fifth => self.length - round % self.length,
            _ if round < 3 * fifth => 3 * fifth - round,
            _ => 5 * fifth - round,
        }
    }

    fn remember(&self, round: u64, mut memory: Memory, outcomes: Outcomes) -> Memory {
        let Some(&units) = memory.first() else { return memory };
        memory[1] += outcomes.ones.cast_signed();
        let done = round + outcomes.rounds;
        if done.is_multiple_of(self.length) {
            let epoch = done / self.length; // i, from 1 on
            let mean = BigRational::new(memory[1].into(), self.length.into());
            let step = 1_i64 << (u64::from(self.epochs) - epoch);
            let up = mean >= self.place(units);
            memory = vec![if up { units + step } else { units - step }, 0];
        }
        if done == self.fifth() { vec![] } else { memory }
    }
}

/// The dishonest forecaster of the paper, with the stopping time that the errata correct (E11).
///
/// It predicts 1/2 during the search. If ones are then missing, it predicts c/2 in the next 2T/5
/// rounds and afterwards 1/2 until the bias there is 0, then 1 - c/2. If there are too many ones,
/// it predicts 1/2 in the next rounds until the bias is 0 and c/2 after that, and 1 - c/2 in the
/// last 2T/5.
#[derive(Clone, Debug)]
pub struct Strategist {
    fifth: u64,
    low: Prediction,
    high: Prediction,
}

/// What the strategist remembers besides twice the bias at 1/2.
const SEARCHING: i64 = 0;
const ONES_LACK: i64 = -1;
const ONES_EXCEED: i64 = 1;

impl Strategist {
    /// For this nature.
    pub fn new(nature: &Epochs) -> Self {
        let low = nature.c() / int(2);
        let high = BigRational::one() - &low;
        let probability =
            |value: BigRational| value.try_into().expect("c/2 and 1 - c/2 are in [0, 1]");
        Strategist { fifth: nature.fifth(), low: probability(low), high: probability(high) }
    }

    /// Whether 1/2 is predicted.
    fn at_half(&self, round: u64, memory: &[i64]) -> bool {
        match memory {
            [SEARCHING, _] => true,
            [ONES_LACK, _] => round >= 3 * self.fifth,
            [ONES_EXCEED, _] => round < 3 * self.fifth,
            _ => false,
        }
    }

    /// The round after the last one of this part.
    fn end(&self, round: u64) -> u64 {
        let ends = [1, 3, 5].map(|fifths| fifths * self.fifth);
        ends.into_iter().find(|end| round < *end).unwrap_or(round + 1)
    }
}

impl Forecaster for Strategist {
    fn start(&self) -> Memory {
        vec![SEARCHING, 0]
    }

    fn rule(&self, round: u64, memory: &[i64]) -> Rule {
        Rule::Constant(match round {
            _ if self.at_half(round, memory) => p(1, 2),
            _ if round < 3 * self.fifth => self.low.clone(),
            _ => self.high.clone(),
        })
    }

    /// The way back to 0 has to be watched step by step.
    fn steady(&self, round: u64, memory: &[i64]) -> u64 {
        let watched = round >= self.fifth && self.at_half(round, memory);
        if watched { 1 } else { self.end(round) - round }
    }

    fn remember(
        &self,
        round: u64,
        memory: Memory,
        _said: &Prediction,
        outcomes: Outcomes,
    ) -> Memory {
        let [side, bias] = memory[..] else { return memory };
        let moved = match self.at_half(round, &memory) {
            true => bias + 2 * outcomes.ones.cast_signed() - outcomes.rounds.cast_signed(),
            false => bias,
        };
        let side = match side {
            SEARCHING if round + outcomes.rounds == self.fifth => {
                if moved < 0 {
                    ONES_LACK
                } else {
                    ONES_EXCEED
                }
            }
            side => side,
        };
        // Nothing to bring back any more, or the block in which it could be is over.
        let back = side == ONES_LACK && moved >= 0 || side == ONES_EXCEED && moved <= 0;
        let over = side == ONES_EXCEED && round + outcomes.rounds >= 3 * self.fifth;
        if back || over { vec![] } else { vec![side, moved] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epochs_have_rounds_and_are_few() {
        let sizes = [(0, 1), (41, 1), (1, 0), (40, u64::MAX / 8)];
        assert_eq!(sizes.map(|(k, length)| Epochs::new(k, length)), [None; 4]);
        assert!(Epochs::new(40, 1).is_some() && Epochs::usual(0).is_none());
        assert_eq!(Epochs::new(40, 1 << 56).map(|epochs| epochs.rounds()), Some(200 << 56));
    }

    /// Two epochs of four rounds, then two blocks of 16.
    #[test]
    fn laws_change_where_epochs_end() {
        let epochs = Epochs::new(2, 4).expect("two epochs");
        let steady = [0, 1, 3, 4, 5, 8, 9, 24, 39].map(|round| epochs.steady(round, &[]));
        assert_eq!(steady, [4, 3, 1, 4, 3, 16, 15, 16, 1]);
    }
}
