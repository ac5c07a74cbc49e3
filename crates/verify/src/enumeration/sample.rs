//! Long sequences of awkward shapes, the same for the same seed.

use num_rational::Ratio;

use truecal::Forecasts;
use truecal::Prediction;

/// Makes sequences. The generator is Steele, Lea and Flood's SplitMix64: 64 bits of state, and
/// every seed is a good one.
///
/// ```
/// use truecal_verify::enumeration::Sampler;
/// let sequence = |seed| Sampler::new(seed).forecasts(200).rounds();
/// assert_eq!(sequence(1), sequence(1));
/// assert!((1..=200).contains(&sequence(2)));
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    state: u64,
}

impl Sampler {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Sampler { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is small: the bias of the remainder does not matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A sequence with 1 to `most` rounds, in one of the shapes in which formulas go wrong.
    pub fn forecasts(&mut self, most: u64) -> Forecasts {
        let rounds = 1 + self.below(most);
        let mut forecasts = Forecasts::new();
        let mut put = |(numerator, denominator): (u64, u64), count: u64, ones: u64| {
            let prediction = Prediction::try_from(Ratio::new(numerator, denominator))
                .expect("a numerator is at most its denominator");
            forecasts.push_level(prediction, count, ones).expect("a few hundred rounds");
        };
        match self.below(7) {
            // Any predictions with one denominator for each: hardly a tie.
            0 => (0..rounds).for_each(|_| put(self.fraction(40), 1, self.below(2))),
            // A coarse grid: ties everywhere, 0 and 1 among them.
            1 => {
                let denominator = 1 + self.below(6);
                (0..rounds).for_each(|_| {
                    put((self.below(denominator + 1), denominator), 1, self.below(2))
                });
            }
            // Near ties around one number, both sides.
            2 => {
                let (numerator, denominator) = self.fraction(8);
                let fine = denominator * 1_000_000;
                let centre = (numerator * 1_000_000).clamp(10, fine - 10);
                (0..rounds)
                    .for_each(|_| put((centre + self.below(21) - 10, fine), 1, self.below(2)));
            }
            // All at 0 and 1, but for one.
            3 => {
                (1..rounds).for_each(|_| put((self.below(2), 1), 1, self.below(2)));
                put(self.fraction(9), 1, self.below(2));
            }
            // Outcomes that alternate along the predictions.
            4 => (0..rounds).for_each(|t| put((t + 1, rounds + 1), 1, t % 2)),
            // One huge level, and few others.
            5 => {
                put(self.fraction(12), rounds, self.below(rounds + 1));
                (0..self.below(4)).for_each(|_| put(self.fraction(12), 1, self.below(2)));
            }
            // Two or three levels far out of balance: where best constants are attained.
            _ => (0..2 + self.below(2)).for_each(|_| {
                let count = 1 + self.below(rounds);
                put(self.fraction(12), count, if self.below(2) == 0 { 0 } else { count });
            }),
        }
        forecasts
    }

    /// A fraction in [0, 1] with a denominator of at most `most`.
    fn fraction(&mut self, most: u64) -> (u64, u64) {
        let denominator = 1 + self.below(most);
        (self.below(denominator + 1), denominator)
    }
}
