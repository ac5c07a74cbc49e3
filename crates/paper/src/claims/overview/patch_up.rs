//! T/2 fair bits, then T/2 ones, on a random subset of the rounds (L400).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed};

use crate::claims::preliminaries::{fair_bits_then_ones, patched};
use crate::claims::tools::{binomial, binomial_law, int, r, table_of, value};
use truecal::{AnyLevels, Measure};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// What is kept: zeros and ones among the bits, and certain events.
type Kept = [i64; 3];

/// The table of what is kept, for two predictions.
fn table([zeros, ones, certain]: Kept, [bits, events]: [BigRational; 2]) -> AnyLevels {
    let [zeros, ones, certain] = [zeros, ones, certain].map(i64::unsigned_abs);
    table_of([(bits, zeros + ones, ones), (events, certain, certain)])
}

/// 8 X_- - 8 alpha N_- or 8 alpha N_+ - 8 X_+ in the limits at 5/8 from below and above and at 7/8
/// from above, for predictions of 5/8 and 7/8. The other limits of g are not positive, so that VCal
/// is a quarter of the largest of these, or 0.
fn hedged_limits([zeros, ones, certain]: Kept) -> [i64; 3] {
    [5 * zeros - 3 * ones - 3 * certain, 3 * ones - 5 * zeros, ones - 7 * zeros + certain]
}

/// 4 VCal for 5/8 and 7/8.
fn hedged(kept: Kept) -> i64 {
    hedged_limits(kept).into_iter().fold(0, i64::max)
}

/// VCal for 1/2 and 1, the truth: twice the larger of the limits at 1/2.
fn truthful([zeros, ones, certain]: Kept) -> i64 {
    (ones - zeros).max(zeros - ones - certain).max(0)
}

/// The expectation over bits and subsets.
fn expected(half: u64, of: impl Fn(Kept) -> i64) -> BigRational {
    let [bits, events] =
        [(); 2].map(|()| (0..=half).map(|k| binomial(half, k)).collect::<Vec<_>>());
    let mut total = BigInt::from(0);
    for (kept, ways) in (0..=half).zip(&bits) {
        for ones in 0..=kept {
            let counts = [kept - ones, ones].map(u64::cast_signed);
            let terms =
                (0..).zip(&events).map(|(certain, w)| of([counts[0], counts[1], certain]) * w);
            // A bit that is not kept counts twice: it is 0 or 1.
            total += (ways * binomial(kept, ones) * terms.sum::<BigInt>()) << (half - kept);
        }
    }
    BigRational::new(total, BigInt::one() << (3 * half))
}

/// Three bases z > 1, for each of [`hedged_limits`] Z.
const BASES: [(i64, i64); 3] = [(11, 10), (16, 15), (9, 8)];

/// E z^Z for one bit and one certain event.
fn factor(place: usize) -> BigRational {
    let z = r(BASES[place].0, BASES[place].1);
    let power = |kept: Kept| {
        let exponent = i32::try_from(hedged_limits(kept)[place]).expect("at most 8");
        Pow::pow(&z, exponent)
    };
    let bit = r(1, 2) + (power([1, 0, 0]) + power([0, 1, 0])) / int(4);
    bit * (int(1) + power([0, 0, 1])) / int(2)
}

/// (33/4) 0.985^(T/2)
fn hedged_bound(rounds: u32) -> BigRational {
    r(33, 4) * Pow::pow(r(985, 1000), rounds / 2)
}

/// z >= sqrt(T/32)
fn beyond_root(z: &BigRational, rounds: u32) -> bool {
    int(32) * z * z >= int(rounds)
}

/// No kappa > 0 is such that, for large T, every forecaster pays at least kappa times the truth.
///
/// For every even T: VCal of 5/8 and 7/8 on a subset is 0 or a quarter of the largest limit Z in
/// [`hedged_limits`] (g is affine between predictions; seen below for few rounds, and linear in
/// what is kept). For an integer Z and z > 1, max{Z, 0} <= z^Z/(z - 1), by Bernoulli's inequality,
/// and E z^Z is the T/2-th power of [`factor`], at most 0.985; the 1/(z - 1) are 10, 15 and 8. So E
/// VCal^sub <= (33/4) 0.985^(T/2), and E UCal^sub is at most twice that. The truth has VCal >= ones
/// less zeros among the bits kept, whose mean positive part is half of E|X - T/2| for X ~ Bin(T,
/// 1/2), as a bit that may be dropped is half a sum of two fair signs; so by `half-rate` E
/// UCal^sub >= E VCal^sub >= sqrt(2T)/8 = sqrt(T/32). One bound falls and the other rises with T:
/// what holds at one T holds beyond, and 0.985^46 < 1/2, so that there is such a T for every kappa.
pub(super) fn gap_remains(evidence: &mut Evidence) {
    for (kappa, rounds) in [(r(1, 10), 500_u32), (r(1, 100), 1000), (r(1, 1000), 1300)] {
        let strategic = int(2) * hedged_bound(rounds);
        let within = beyond_root(&(&strategic / &kappa), rounds);
        evidence.case(within, || {
            format!(
                "kappa = {kappa}, every even T >= {rounds}: 5/8 for the bits, 7/8 for the ones\n\
                 its E UCal^sub <= (33/2) 0.985^(T/2) <= {:.6}\n\
                 the truth: kappa E UCal^sub >= kappa sqrt(T/32) >= {:.6}",
                Enclosure::exact(&strategic),
                Enclosure::ratio(rounds.into(), 32).sqrt() * Enclosure::exact(&kappa)
            )
        });
    }
    let statement = "E VCal^sub <= (33/4) 0.985^(T/2) for 5/8 and 7/8, >= sqrt(T/32) for the truth";
    let factors = (0..3).all(|place| factor(place) <= r(985, 1000));
    let total: BigRational = BASES.iter().map(|(a, b)| r(*b, 4 * (a - b))).sum();
    let halved = Pow::pow(r(985, 1000), 46_u32) < r(1, 2);
    evidence.corrected(statement, factors && total == r(33, 4) && halved);
    for code in 0..6_i64.pow(3) {
        let kept = [code % 6, code / 6 % 6, code / 36];
        let [lie, truth] = [[r(5, 8), r(7, 8)], [r(1, 2), int(1)]]
            .map(|predictions| value(&table(kept, predictions), Measure::VCal));
        evidence.corrected(statement, lie == r(hedged(kept), 4) && truth == int(truthful(kept)));
    }
    for rounds in [2_u32, 4, 10, 20, 40, 80, 160] {
        let half = u64::from(rounds / 2);
        let (lie, truth) = (expected(half, hedged) / int(4), expected(half, truthful));
        let excess = expected(half, |[zeros, ones, _]| (ones - zeros).max(0));
        let law = binomial_law(rounds, &r(1, 2));
        let distance = |k: i64| r((2 * k - i64::from(rounds)).abs(), 2);
        let deviation: BigRational = (0..).zip(&law).map(|(k, p)| distance(k) * p).sum();
        let walk = excess == deviation / int(2) && truth >= excess;
        let bounds = lie <= hedged_bound(rounds) && beyond_root(&truth, rounds);
        evidence.corrected(statement, walk && bounds);
    }
    let values = [(40, 54), (80, 35), (160, 16)].map(|(rounds, hundredths)| {
        let lie = expected(rounds / 2, hedged) / int(4);
        (lie - r(hundredths, 100)).abs() <= r(1, 200)
    });
    let statement = "E VCal^sub = 0.54, 0.35, 0.16 at T = 40, 80, 160 for 5/8 and 7/8";
    evidence.corrected(statement, values == [true; 3]);
}

/// The strategist who predicts 5/8 until the bias is made good, on a random subset.
///
/// For every even T and all bits: let Z be the sum of x_t - 5/8 over the rounds at 5/8 that are
/// kept, of which there are at least T/2 before sampling, and b their bias without sampling. Z -
/// b/2 = W is half of a sum of fair signs times x_t - 5/8, so that W is symmetric and by
/// `fourth-moment` E|W| >= (1/2) sqrt((T/2) (3/8)^2/3) = (3/16) sqrt(T/6). The limits of g at 5/8
/// are Z from above and, if nothing is predicted 1, -Z from below. If b >= 0, VCal >= 2 max{Z,
/// 0} >= 2 max{W, 0}, whose mean is E|W|. Otherwise 5/8 is predicted to the end, VCal >= 2|Z|, and
/// E|Z| >= E|W|, since |W + b/2| + |-W + b/2| >= 2|W|. Either way VCal^sub >= E|W|.
///
/// The truth has VCal <= |ones less zeros among the bits kept| (`truthful` in this file, whose
/// limits of g are linear in what is kept), of mean square T/4: E VCal^sub <= sqrt(T)/2, and E
/// UCal^sub <= sqrt(T). The ratio is at most 16 sqrt(6)/3 < 14.
pub(super) fn patching_up(evidence: &mut Evidence) {
    let ratio = r(16, 3) * r(16, 3) * int(6);
    evidence.case(ratio < int(14 * 14), || format!("(16/3)^2 6 = {ratio}"));
    for rounds in (2..=24_u64).step_by(2) {
        let half = rounds / 2;
        for heads in 0..=half {
            let certain = patched(half, heads);
            let (zeros, ones) = (half - heads, heads + certain);
            let rows = [(r(5, 8), zeros + ones, ones), (int(1), half - certain, half - certain)];
            let sampled = value(&table_of(rows), Measure::VCalSub);
            let spread = mean_spread(zeros, ones);
            let words = || {
                format!(
                    "T = {rounds}, {heads} heads, 5/8 for {certain} ones\n\
                     VCal^sub = {sampled}, E|W| = {spread}"
                )
            };
            evidence.case(sampled >= spread && patching_root(&spread, rounds), words);
            evidence.mistake("11/10 of E|W|", sampled >= r(11, 10) * &spread, words);
        }
        let (truth, strategic) = fair_bits_then_ones(rounds, Measure::VCalSub);
        let words = || {
            let [a, b] = [&truth, &strategic].map(Enclosure::exact);
            format!("T = {rounds}\nE VCal^sub: truthful {a:.6}, patching up {b:.6}")
        };
        let square = int(4) * &truth * &truth;
        evidence.case(patching_root(&strategic, rounds) && square <= int(rounds), words);
        evidence.mistake("patching up is cheaper for every T", strategic < truth, words);
        let tenth = int(100) * &strategic * &strategic <= int(rounds);
        evidence.mistake("patching up costs at most sqrt(T)/10", tenth, words);
    }
}

/// E|W| for so many zeros and ones at 5/8.
fn mean_spread(zeros: u64, ones: u64) -> BigRational {
    let bias = 3 * ones.cast_signed() - 5 * zeros.cast_signed();
    let mut total = BigInt::from(0);
    for kept_zeros in 0..=zeros {
        for kept_ones in 0..=ones {
            let kept = 6 * kept_ones.cast_signed() - 10 * kept_zeros.cast_signed();
            total += binomial(zeros, kept_zeros) * binomial(ones, kept_ones) * (kept - bias).abs();
        }
    }
    BigRational::new(total, BigInt::from(16) << (zeros + ones))
}

/// z >= (3/16) sqrt(T/6)
fn patching_root(z: &BigRational, rounds: u64) -> bool {
    int(512) * z * z >= int(3 * rounds)
}
