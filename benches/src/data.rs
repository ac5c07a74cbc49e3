//! Data sets for benches: calibrated forecasts, the same in every run.

#![expect(clippy::float_arithmetic, reason = "predictions are doubles here")]

/// Outcomes and predictions under a name.
pub struct Data {
    /// What they are like.
    pub name: &'static str,
    /// Whether the event happened, for each round.
    pub outcomes: Vec<bool>,
    /// As many.
    pub predictions: Vec<f64>,
}

/// The four that are timed: uniform, one decimal, heavy at 0 and 1, rounded to single precision.
pub fn usual(rounds: usize) -> Vec<Data> {
    let mut random = Random::default();
    vec![
        calibrated("uniform", rounds, &mut random, |part| part),
        calibrated("one decimal", rounds, &mut random, |part| (part * 10.0).round() / 10.0),
        calibrated("heavy at 0 and 1", rounds, &mut random, heavy_at_the_ends),
        calibrated("single precision", rounds, &mut random, |part| f64::from(part as f32)),
    ]
}

/// The first of them alone.
pub fn uniform(rounds: usize) -> Data {
    calibrated("uniform", rounds, &mut Random::default(), |part| part)
}

/// A third of the predictions is 0, a third 1, the rest near either end.
fn heavy_at_the_ends(part: f64) -> f64 {
    let thirds = part * 3.0;
    match thirds as u32 {
        0 => 0.0,
        1 => 1.0,
        _ if thirds < 2.5 => (thirds - 2.0).powi(8),
        _ => 1.0 - (3.0 - thirds).powi(8),
    }
}

/// Predictions from numbers in [0, 1), and outcomes as they forecast.
fn calibrated(
    name: &'static str,
    rounds: usize,
    random: &mut Random,
    prediction: impl Fn(f64) -> f64,
) -> Data {
    let predictions: Vec<f64> = (0..rounds).map(|_| prediction(random.part())).collect();
    let outcomes = predictions.iter().map(|p| random.part() < *p).collect();
    Data { name, outcomes, predictions }
}

/// Marsaglia's xorshift with 64 bits, from a state that is not 0.
pub struct Random(pub u64);

impl Default for Random {
    fn default() -> Self {
        Random(0x9e37_79b9_7f4a_7c15)
    }
}

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A multiple of 2^-53 in [0, 1).
    pub fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
