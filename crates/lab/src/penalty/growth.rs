//! A guess at how much there is to do.

#![expect(
    clippy::float_arithmetic,
    reason = "a guess at the effort, which decides between exact and sampled"
)]

/// How the number of states grows, round by round. What grows too fast is given up long before the
/// limit: a tree of fifty rounds is sampled at once and not after a million steps.
#[derive(Default)]
pub(super) struct Growth {
    last: usize,
    /// The rounds in which it has grown without a pause.
    rounds: u32,
}

impl Growth {
    /// Whether there would be too many states by far if they went on growing like the power of the
    /// number of rounds that fits best here. (A tree in which no states meet grows
    /// faster than every power.)
    pub fn is_hopeless(&mut self, states: usize, left: u64, steps: u64) -> bool {
        self.rounds = if states > self.last { self.rounds + 1 } else { 0 };
        let factor = states as f64 / self.last.max(1) as f64;
        self.last = states;
        if self.rounds < 4 || states < 256 {
            return false;
        }
        let grown = f64::from(self.rounds);
        let power = grown * (factor - 1.0);
        states as f64 * libm::pow(1.0 + left as f64 / grown, power) > 8.0 * steps as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The round at which layers of these sizes are given up.
    fn given_up(sizes: impl Iterator<Item = usize>, rounds: u64, steps: u64) -> Option<u64> {
        let mut growth = Growth::default();
        (0..rounds).zip(sizes).find_map(|(round, states)| {
            growth.is_hopeless(states, rounds - round, steps).then_some(round)
        })
    }

    #[test]
    fn trees_are_given_up_early_and_products_are_not() {
        let tree = || (0..).map(|t: u32| 1_usize << t.min(60));
        assert_eq!(given_up(tree(), 16, 1 << 20), None);
        assert!(given_up(tree(), 50, 1 << 20).is_some_and(|round| round <= 10));
        // Two levels of T/2 rounds: (T/2)² states.
        assert_eq!(given_up((0..).map(|t: usize| (t + 1).pow(2)), 900, 1 << 20), None);
        assert_eq!(given_up(std::iter::repeat(1000), 1_000_000, 1), None);
        assert!(given_up((1..1000_usize).map(|t| t.pow(4)), 1000, 1 << 20).is_some());
    }
}
