//! What laws speak of.

use crate::measure::Measure;

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
    /// All of them, ascending.
    pub const ALL: [Quantity; 17] = [
        Quantity::Measure(Measure::Ece),
        Quantity::Measure(Measure::SmCe),
        Quantity::Measure(Measure::StepCe),
        Quantity::Measure(Measure::SignCe),
        Quantity::Measure(Measure::IntervalCe),
        Quantity::Measure(Measure::VCal),
        Quantity::Measure(Measure::UCal),
        Quantity::Measure(Measure::StepCeSub),
        Quantity::Measure(Measure::VCalSub),
        Quantity::Measure(Measure::UCalSub),
        Quantity::Measure(Measure::Ssce),
        Quantity::Rounds,
        Quantity::Levels,
        Quantity::Ones,
        Quantity::Bias,
        Quantity::Variance,
        Quantity::Squares,
    ];

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
            Quantity::Rounds => 11,
            Quantity::Levels => 12,
            Quantity::Ones => 13,
            Quantity::Bias => 14,
            Quantity::Variance => 15,
            Quantity::Squares => 16,
        }
    }
}
