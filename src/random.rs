//! Random bits that are the same for the same seed, in as many independent streams as there are
//! tasks.

/// A stream of random bits: Blackman and Vigna's xoshiro256++, whose state is filled by SplitMix64
/// from the seed and the number of the stream. Tasks that each have a stream of their own get the
/// same bits whatever thread runs them.
///
/// ```
/// use truecal::Random;
/// let first = |seed, number| Random::new(seed, number).next();
/// assert_eq!(first(1, 0), first(1, 0));
/// assert_ne!(first(1, 0), first(1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// Stream `number` of a seed.
    pub fn new(seed: u64, number: u64) -> Self {
        // Two rounds of mixing, so that neither neighbouring seeds nor neighbouring numbers have
        // related states.
        let mut mixer = mix(seed) ^ number.wrapping_mul(0xD134_2543_DE82_EF95);
        let mut word = || {
            mixer = mixer.wrapping_add(0x9E37_79B9_7F4A_7C15);
            mix(mixer)
        };
        Random { state: [word(), word(), word(), word()] } // never all 0: the four differ
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "a stream without an end needs no `Some`")]
    pub fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }
}

/// The finisher of SplitMix64, a bijection.
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs from the state 1, 2, 3, 4, as the authors' reference gives them.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut random = Random { state: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..4).map(|_| random.next()).collect();
        assert_eq!(first, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    #[test]
    fn streams_differ() {
        let first = |seed, number| Random::new(seed, number).next();
        let all: std::collections::HashSet<u64> =
            (0..100).flat_map(|seed| (0..100).map(move |number| first(seed, number))).collect();
        assert_eq!(all.len(), 10_000);
        assert_eq!(first(1, 2), first(1, 2));
    }
}
