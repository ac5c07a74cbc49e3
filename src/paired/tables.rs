//! The tables of two forecasters after random swaps.

use super::plan::{Draw, Plan, Seat, Shared, Slot, Source};
use crate::levels::{Level, Table};
use crate::number::Number;
use crate::random::Random;
use crate::sampled::Coins;

impl Draw {
    /// Draws anew, in place of what was there: each coin, and as many coins as a larger group has
    /// rounds.
    pub fn draw(&mut self, plan: &Plan, mut random: Random) {
        self.coins.clear();
        self.coins.extend(plan.observed.coins.iter().map(|_| random.next()));
        let mut coins = Coins::new(random);
        self.numbers.clear();
        self.numbers.extend(plan.counts.iter().map(|&count| coins.heads(count)));
    }

    /// The coin of a group of one round.
    fn coin(&self, coin: usize) -> bool {
        self.coins[coin / 64] >> (coin % 64) & 1 == 1
    }
}

/// Room for the rows of both tables.
pub(super) struct Tables<N> {
    rows: [Vec<Level<N>>; 2],
}

impl<N: Number> Tables<N> {
    pub fn new() -> Self {
        Tables { rows: [Vec::new(), Vec::new()] }
    }

    /// Puts every round where the draw says. Levels without rounds are left out: no formula sees
    /// them. `levels` is the table of the plan.
    pub fn fill(&mut self, plan: &Plan, levels: Table<'_, N>, draw: &Draw) {
        for rows in &mut self.rows {
            rows.clear();
        }
        for (level, seat) in levels.rows().iter().zip(&plan.seats) {
            match *seat {
                // Chosen by an index: which of the two it is nobody could foresee.
                Seat::Alone { coin, high } => {
                    let second = draw.coin(coin) == high;
                    self.rows[usize::from(second)].push(level.clone());
                }
                Seat::Shared(index) => self.share(plan, &plan.shared[index], &level.value, draw),
            }
        }
    }

    /// Divides the rounds of a level.
    fn share(&mut self, plan: &Plan, shared: &Shared, value: &N, draw: &Draw) {
        // Rounds and ones of each.
        let mut both = [shared.fixed, shared.fixed];
        for &Slot { source, high, one } in &plan.slots[shared.slots.clone()] {
            let (count, first_low) = match source {
                Source::Coin(coin) => (1, draw.coin(coin).into()),
                Source::Number(place) => (plan.counts[place], draw.numbers[place]),
            };
            let first = if high { count - first_low } else { first_low };
            for (tally, rounds) in both.iter_mut().zip([first, count - first]) {
                tally.0 += rounds;
                tally.1 += if one { rounds } else { 0 };
            }
        }
        for (rows, (count, ones)) in self.rows.iter_mut().zip(both) {
            if count > 0 {
                rows.push(Level { value: value.clone(), count, ones });
            }
        }
    }

    /// Both tables. They satisfy the invariants of [`Levels`](crate::Levels): levels ascend as in
    /// the plan, none is empty, and either has all rounds, for which the width was chosen.
    pub fn both<'a>(&'a self, unit: &'a N) -> [Table<'a, N>; 2] {
        self.rows.each_ref().map(|rows| Table::assume_valid(unit, rows))
    }
}
