//! Sixty-four small sums side by side, in plain loops that compilers turn into vectors. (Checks for
//! overflow would be in the way; [`blocks`](super::blocks) says why there is none.)

use super::outcomes::LANES;

/// A number for each lane, in sixty-fourths.
pub(super) type Lanes = [i16; LANES];

/// A one is so many sixty-fourths.
pub(super) const ONE: i16 = 64;

/// So many words are counted at once.
const CHUNK: usize = 16;

/// Adds the ones of each lane among the words, of which there are at most 256 until the lanes begin
/// again at 0.
#[inline]
pub(super) fn add_ones(lanes: &mut Lanes, words: &[u64]) {
    for chunk in words.chunks(CHUNK) {
        spread(lanes, &counted(chunk));
    }
}

/// The binary digits of the number of ones in each lane, lowest first, of up to 16 words.
#[inline]
fn counted(words: &[u64]) -> [u64; 5] {
    let mut digits = [0; 5];
    for pair in words.chunks(2) {
        let (a, b) = (pair[0], pair.get(1).copied().unwrap_or(0));
        let either = digits[0] ^ a;
        let mut carry = (digits[0] & a) | (either & b);
        digits[0] = either ^ b;
        for digit in &mut digits[1..] {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }
    digits
}

/// Adds a number to each lane whose binary digits stand in the bits of the lane.
#[inline]
fn spread(lanes: &mut Lanes, digits: &[u64; 5]) {
    for (part, lanes) in lanes.chunks_exact_mut(8).enumerate() {
        for (place, digit) in digits.iter().enumerate() {
            let byte = (digit >> (8 * part)) as u8;
            for (bit, lane) in lanes.iter_mut().enumerate() {
                let more = if byte & (1 << bit) != 0 { ONE << place } else { 0 };
                *lane = lane.wrapping_add(more);
            }
        }
    }
}

/// Raises each lane of `best` to `sums` - `less`.
#[inline]
pub(super) fn raise(best: &mut Lanes, sums: &Lanes, less: i16) {
    for (best, sum) in best.iter_mut().zip(sums) {
        *best = (*best).max(sum.wrapping_sub(less));
    }
}

/// Raises each lane of `best` to -`sums` - `less`.
#[inline]
pub(super) fn raise_below(best: &mut Lanes, sums: &Lanes, less: i16) {
    for (best, sum) in best.iter_mut().zip(sums) {
        *best = (*best).max(less.wrapping_add(*sum).wrapping_neg());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn every_lane_has_its_own_sum() {
        let mut random = Random::new(4, 0);
        for count in (0..40).chain([255, 256]) {
            // Words of all kinds: some lanes have all ones, some none.
            let words: Vec<u64> =
                (0..count).map(|_| random.next() & random.next() | 1 << 17 | 1 << 63).collect();
            let mut lanes = [0; LANES];
            add_ones(&mut lanes, &words);
            let (mut highest, mut lowest) = ([i16::MIN; LANES], [-5; LANES]);
            raise(&mut highest, &lanes, 7);
            raise_below(&mut lowest, &lanes, 7);
            for lane in 0..LANES {
                let ones: i16 = words.iter().map(|word| (word >> lane & 1) as i16).sum();
                assert_eq!(lanes[lane], 64 * ones);
                assert_eq!((highest[lane], lowest[lane]), (64 * ones - 7, -5.max(-64 * ones - 7)));
            }
        }
    }
}
