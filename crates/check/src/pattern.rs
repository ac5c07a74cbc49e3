//! Order patterns: how a table can look, up to the predictions themselves.

use std::fmt;

/// Levels v_1 < … < v_m, each with so many ones among so many rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// (ones, rounds) of each level.
    pub levels: Vec<(u32, u32)>,
}

impl Pattern {
    /// T
    pub fn rounds(&self) -> u32 {
        self.levels.iter().map(|(_, rounds)| rounds).sum()
    }

    /// Σ x_t
    pub fn ones(&self) -> u32 {
        self.levels.iter().map(|(ones, _)| ones).sum()
    }

    /// Visits every pattern that goes on from this one with so many rounds, each once: the next
    /// level has 1, 2, … rounds with 0, 1, … ones, then the one after it.
    pub fn each<E>(
        &mut self,
        rest: u32,
        visit: &mut impl FnMut(&Pattern) -> Result<(), E>,
    ) -> Result<(), E> {
        if rest == 0 {
            visit(self)?;
        }
        for rounds in 1..=rest {
            for ones in 0..=rounds {
                self.levels.push((ones, rounds));
                self.each(rest - rounds, visit)?;
                self.levels.pop();
            }
        }
        Ok(())
    }
}

/// `case 1/2 0/1`: the ones and the rounds of each level.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("case")?;
        self.levels.iter().try_for_each(|(ones, rounds)| write!(f, " {ones}/{rounds}"))
    }
}
