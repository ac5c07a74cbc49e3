//! Lower bounds of E|S| from the second and fourth moments, and what they say of truthful forecasts
//! of the smoothed nature (L879-956), for every T.

use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

use super::noise::{conditional_mean, threshold};
use super::{binomial::Binomial, noise};
use crate::claims::tools::{int, r};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// A law of mean 0 on two values: high > 0 with probability low/(high + low), -low otherwise.
type TwoValues = (i64, i64);

/// E|S| >= sqrt(V/k) if E S^2 = V and E S^4 <= k V^2; and the fourth moment of a sum.
///
/// For u = |S|/b and any b > 0: u - u^2 (3 - u^2)/2 = u (u - 1)^2 (u + 2)/2 >= 0, an identity of
/// degree 4, seen at more than five points. So |S| >= S^2 (3 - S^2/b^2)/(2b), hence E|S| >= (3V -
/// k V^2/b^2)/(2b), which for b^2 = kV is V/b = sqrt(V/k).
///
/// The sum of independent y_t of mean 0 to the power 4 has a term y_t^4 for each t, 6 y_s^2 y_t^2
/// for each two, and terms with some y_t to the power 1, whose mean is 0. That is the sum of E
/// y_t^4 and of 3 V^2 - 3 times the sum of (E y_t^2)^2, which is at most 3 V^2. Each term has at
/// most four different y_t, so that four of them show all the terms there are. For y_t = +-a_t what
/// is left is 3 V^2 less twice the sum of a_t^4, so that k = 3 will do.
pub(super) fn fourth(evidence: &mut Evidence) {
    for u in (0..=8).map(|k| r(k, 3)) {
        let left = &u - &u * &u * (int(3) - &u * &u) / int(2);
        let right = &u * Pow::pow(&u - int(1), 2) * (&u + int(2)) / int(2);
        let words = || format!("u = {u}: {left} and {right}");
        evidence.case(left == right && !left.is_negative(), words);
        evidence.mistake("u >= u^2", u >= &u * &u, words);
    }
    let laws: [TwoValues; 5] = [(1, 1), (2, 2), (1, 3), (4, 1), (2, 5)];
    for code in 0..5_usize.pow(4) {
        let sum = [0, 1, 2, 3].map(|place| laws[code / 5_usize.pow(place) % 5]);
        fourth_of_sum(evidence, &sum);
    }
}

/// E y^power
fn moment((high, low): TwoValues, power: u32) -> BigRational {
    r(high.pow(power) * low + (-low).pow(power) * high, high + low)
}

/// The moments of a sum of four, term by term and by the formula.
fn fourth_of_sum(evidence: &mut Evidence, sum: &[TwoValues; 4]) {
    let mut means = [(); 3].map(|()| BigRational::zero());
    for choice in 0..16 {
        let (mut chance, mut s) = (int(1), 0);
        for (place, (high, low)) in sum.iter().enumerate() {
            let up = choice >> place & 1 == 1;
            chance *= r(if up { *low } else { *high }, high + low);
            s += if up { *high } else { -low };
        }
        for (mean, power) in means.iter_mut().zip([s.abs(), s.pow(2), s.pow(4)]) {
            *mean += &chance * int(power);
        }
    }
    let [absolute, square, fourth] = means;
    let of_squares: BigRational =
        sum.iter().map(|&law| Pow::pow(moment(law, 2), 2)).sum::<BigRational>();
    let of_fourths: BigRational = sum.iter().map(|&law| moment(law, 4)).sum();
    let three = int(3) * &square * &square;
    let formula = &of_fourths + &three - int(3) * of_squares;
    // E|S|^2 >= V/k for the least k.
    let enough = &absolute * &absolute * &fourth >= Pow::pow(&square, 3);
    let signs = sum.iter().all(|(high, low)| high == low);
    let words = || format!("values {sum:?}: E|S| = {absolute}, V = {square}, E S^4 = {fourth}");
    let small = fourth <= &of_fourths + &three && (!signs || fourth <= three);
    evidence.case(fourth == formula && small && enough, words);
    evidence.mistake("k = 3 for all", fourth <= three, words);
    evidence.mistake("k = 2 for signs", !signs || int(3) * &fourth <= int(2) * &three, words);
}

/// 2 E max{X_- - alpha N_-, 0} >= (3/20) w for truthful forecasts of the smoothed nature, where v =
/// (4/5)(1/5 - c), w = (v^2 T)^(1/3) >= 2 and gamma = v/w; and the same on a random subset.
///
/// For every even T and 0 < c < 1/5: let y_t be x_t - q if round t of the first half counts and is
/// below alpha, otherwise 0, and Y their sum. These are independent of mean 0
/// (`smooth-alpha-prob`); with s the probability to count and be below, gamma or gamma/2, E y^2 = s
/// q (1 - q) and E y^4 = s q (1 - q)(1 - 3 q (1 - q)) <= E y^2. By `fourth-moment` E Y^4 <= V + 3
/// V^2 <= 4 V^2 if V >= 1, and E|Y| >= sqrt(V)/2. Now X_- - alpha N_- = Y - gamma c N_-, as alpha -
/// q = gamma c, so that E max{X_- - alpha N_-, 0} >= E max{Y, 0} - gamma c E N_- >= sqrt(V)/4 -
/// gamma c s T/2. With q (1 - q) >= v (`smooth-variance`), T = w^3/v^2 and gamma = v/w < 1 we have
/// V >= s v T/2, which is w^2/2 or w^2/4 and at least 1; and gamma c s T/2 is c w/2 or c w/4, with
/// c <= 1/5. So twice the mean is at least 2 w (1/sqrt(32) - 1/10) >= 2 w (7/40 - 1/10) or 2 w
/// (1/8 - 1/20): (3/20) w. These are identities of monomials in v, w and c, seen at several values;
/// that of E y^4 has degree 5 in q. VCal is at least twice g(alpha) (`prop:altform`).
pub(super) fn every_t(evidence: &mut Evidence) {
    for q in (0..=6).map(|k| r(k, 6)) {
        let (other, spread) = (int(1) - &q, &q * (int(1) - &q));
        let fourth = &q * Pow::pow(&other, 4) + &other * Pow::pow(&q, 4);
        let words = || format!("q = {q}: E y^4 = {fourth} s, E y^2 = {spread} s");
        evidence.case(fourth == &spread * (int(1) - int(3) * &spread) && fourth <= spread, words);
        evidence.mistake(
            "E y^4 <= 3 (E y^2)^2 at s = 1",
            fourth <= int(3) * &spread * &spread,
            words,
        );
    }
    for (v, w) in [1, 2, 3].into_iter().flat_map(|v| [2, 3, 5].map(|w| (r(v, 20), int(w)))) {
        let (t, gamma) = (Pow::pow(&w, 3) / (&v * &v), &v / &w);
        for (share, least, lost) in [(int(1), r(7, 40), r(1, 2)), (r(1, 2), r(1, 8), r(1, 4))] {
            let s = &gamma * &share;
            let (variance, loss) = (&s * &v * &t / int(2), &gamma * &s * &t / int(2));
            let words = || {
                format!("v = {v}, w = {w}, T = {t}, share {share}\nV >= {variance}, loss {loss} c")
            };
            let stated = variance == &share * &w * &w / int(2) && loss == &lost * &w;
            // sqrt(V)/4 >= least w
            let root = &variance / int(16) >= &least * &least * &w * &w;
            let rest = int(2) * (&least - &lost / int(5)) >= r(3, 20);
            let range = gamma < int(1) && variance >= int(1);
            evidence.case(stated && root && rest && range, words);
            let more = &least * r(11, 10);
            let root = &variance / int(16) >= &more * &more * &w * &w;
            evidence.mistake("11/10 of sqrt(V)/4", root, words);
        }
    }
    for (c, rounds, gamma) in EXACT {
        let (c, gamma) = (r(c.0, c.1), r(1, gamma));
        let table = excesses(&c, &gamma, rounds);
        let [all, sub] = [gamma.clone(), &gamma / int(2)].map(|s| doubled(&table, rounds, &s));
        let words = || format!("T = {rounds}, c = {c}, w = 2\n2 E max = {all:.6}, {sub:.6}");
        let reached = |value: &Enclosure, bound: BigRational| {
            Enclosure::exact(&bound).at_most(value) == Some(true)
        };
        evidence.case(reached(&all, r(3, 10)) && reached(&sub, r(3, 10)), words);
        evidence.mistake("w for (3/20) w", reached(&all, int(2)), words);
    }
}

/// c, T and 1/gamma where w = 2: T = 8/v^2, gamma = v/2 for v = 1/8, 1/10, 2/25.
const EXACT: [((i64, i64), u64, i64); 3] =
    [((7, 160), 512, 16), ((3, 40), 800, 20), ((1, 10), 1250, 25)];

/// E max{X_- - alpha N_-, 0} given N_- = n, for n <= 2 gamma T.
fn excesses(c: &BigRational, gamma: &BigRational, rounds: u64) -> Vec<Enclosure> {
    let (q, alpha) = (conditional_mean(c, gamma), threshold(c, gamma));
    let most = noise::integer(&(int(2 * rounds) * gamma)).unsigned_abs();
    (0..=most).map(|n| Binomial::new(n, &q).mean_excess(&(&alpha * int(n)))).collect()
}

/// 2 E max{X_- - alpha N_-, 0} for N_- ~ Bin(T/2, s); from below, as what is beyond the table,
/// which is not negative, is left out.
fn doubled(table: &[Enclosure], rounds: u64, s: &BigRational) -> Enclosure {
    let law = Binomial::new(rounds / 2, s);
    let terms = law.enclosures().zip(table).map(|((_, weight), excess)| weight * excess);
    terms.sum::<Enclosure>() * Enclosure::from(2)
}

/// c, and kappa and kappa' in hundredths.
const CONSTANTS: [((i64, i64), i64, i64); 5] =
    [((1, 100), 21, 13), ((1, 20), 17, 11), ((1, 10), 12, 9), ((3, 20), 6, 5), ((19, 100), 3, 3)];

/// The same with gamma = 1/floor(T^(1/3)) against kappa T^(1/3), for even T from 8 to 512.
pub(super) fn constants(evidence: &mut Evidence) {
    for (c, kappa, kappa_sub) in CONSTANTS {
        let c = r(c.0, c.1);
        for root in 2..=8_i64 {
            let gamma = r(1, root);
            let last = ((root + 1).pow(3) - 1).min(512).unsigned_abs();
            let table = excesses(&c, &gamma, last);
            for rounds in (root.pow(3).unsigned_abs()..=last).filter(|t| t % 2 == 0) {
                let [all, sub] =
                    [gamma.clone(), &gamma / int(2)].map(|s| doubled(&table, rounds, &s));
                let words =
                    || format!("T = {rounds}, c = {c}\n2 E max = {all:.6}, on a subset {sub:.6}");
                // The cube of a value against that of kappa T^(1/3).
                let reaches = |value: &Enclosure, kappa: i64| {
                    let bound = Pow::pow(r(kappa, 100), 3) * int(rounds);
                    Enclosure::exact(&bound).at_most(&value.pow(3)) == Some(true)
                };
                evidence.case(reaches(&all, kappa) && reaches(&sub, kappa_sub), words);
                evidence.mistake("5/4 of kappa", reaches(&all, 5 * kappa / 4), words);
                evidence.mistake("0.04 for each", reaches(&sub, 4), words);
            }
        }
    }
}
