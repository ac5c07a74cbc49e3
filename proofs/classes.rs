//! Enumeration: every class of subsets of a level counts once.

use truecal::Level;

use super::symbolic::between;
use crate::enumeration::restrict;

harnesses! {
    /// The classes of subsets of a level are visited once each: every number of zeros with every
    /// number of ones, in the order of a table, with the bias of what is kept and a product of
    /// binomial coefficients as weight; the weights add up to 2^n.
    classes_of_a_level / classes_of_a_level_without_the_empty_one {
        claims: ["eq:subsampled", "reading:stepce_sub"],
        domain: "a level of 0, 1 or 4 zeros and 0, 1 or 4 ones, every prediction with D = 16",
        cases: "17",
        unwind: 11,
        seconds: 20,
        proof: every_class_counts_once(0),
        fault: "the weights add up to 2^n - 1" => every_class_counts_once(1),
    }
}

const BINOMIALS: [[i64; 5]; 5] =
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]];

fn every_class_counts_once(missing: i64) {
    let value = i64::from(between(0_u8, 16));
    // Sizes are numbers that the solver knows.
    let sizes = [0, 1, 4];
    let mut pair = 0;
    while pair < 9 {
        classes_are_complete(sizes[pair / 3], sizes[pair % 3], value, missing);
        pair += 1;
    }
    cover!(value == 16);
}

fn classes_are_complete(zeros: usize, ones: usize, value: i64, missing: i64) {
    let level = Level { value, count: (zeros + ones) as u64, ones: ones as u64 };
    let (mut zeros_kept, mut ones_kept, mut sum) = (0, 0, 0);
    restrict(16, &level, |ways, bias| {
        let (ways, bias) = result!("restrict", (ways, bias));
        assert!(zeros_kept <= zeros);
        assert!(ways == BINOMIALS[zeros][zeros_kept] * BINOMIALS[ones][ones_kept]);
        let naive = (16 - value) * ones_kept as i64 - value * zeros_kept as i64;
        assert!(bias == naive);
        sum += ways;
        ones_kept += 1;
        if ones_kept > ones {
            (zeros_kept, ones_kept) = (zeros_kept + 1, 0);
        }
    });
    assert!((zeros_kept, ones_kept) == (zeros + 1, 0));
    assert!(sum == (1 << (zeros + ones)) - missing);
}
