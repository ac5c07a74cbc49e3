//! What laws speak of.

use truecal::Measure;

/// A number that a level table determines, by the name that laws use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantity {
    /// A measure, by its [key](Measure::key).
    Measure(Measure),
    /// `T`: the number of rounds.
    Rounds,
    /// `m`: the number of distinct predictions.
    Levels,
    /// `ones`: the rounds in which the event happened.
    Ones,
    /// `bias`: Σ (x_t - p_t).
    Bias,
    /// `var`: Σ p_t (1 - p_t).
    Variance,
    /// `squares`: Σ (x_t - p_t)².
    Squares,
}

impl Quantity {
    /// What is no measure.
    const SUMS: [Quantity; 6] = [
        Quantity::Rounds,
        Quantity::Levels,
        Quantity::Ones,
        Quantity::Bias,
        Quantity::Variance,
        Quantity::Squares,
    ];

    /// All of them, ascending: the measures, then the others.
    pub const ALL: [Quantity; Measure::ALL.len() + Quantity::SUMS.len()] = {
        let mut all = [Quantity::Rounds; Measure::ALL.len() + Quantity::SUMS.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = match place < Measure::ALL.len() {
                true => Quantity::Measure(Measure::ALL[place]),
                false => Quantity::SUMS[place - Measure::ALL.len()],
            };
            place += 1;
        }
        all
    };

    /// The name in laws.
    pub fn key(self) -> &'static str {
        match self {
            Quantity::Measure(measure) => measure.key(),
            Quantity::Rounds => "T",
            Quantity::Levels => "m",
            Quantity::Ones => "ones",
            Quantity::Bias => "bias",
            Quantity::Variance => "var",
            Quantity::Squares => "squares",
        }
    }

    /// Whether it is an average over all subsets of the rounds, which can take long.
    pub fn is_average(self) -> bool {
        matches!(self, Quantity::Measure(measure) if measure.subsampled_from().is_some())
    }

    /// The position in [`Quantity::ALL`]: for tables of values by quantity.
    pub fn index(self) -> usize {
        match self {
            Quantity::Measure(measure) => measure as usize,
            Quantity::Rounds => Measure::ALL.len(),
            Quantity::Levels => Measure::ALL.len() + 1,
            Quantity::Ones => Measure::ALL.len() + 2,
            Quantity::Bias => Measure::ALL.len() + 3,
            Quantity::Variance => Measure::ALL.len() + 4,
            Quantity::Squares => Measure::ALL.len() + 5,
        }
    }
}
