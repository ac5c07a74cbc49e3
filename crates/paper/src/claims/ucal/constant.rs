//! Checks of constant forecasts 1/2 against the binary-search nature (L575-660).

use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

use super::binomial::Binomial;
use super::search::{Run, runs, total_offset, tried_eps};
use crate::claims::appendix::thresholds::Rounds;
use crate::claims::tools::{int, listed, r, table_of, value};
use truecal::Measure;
use truecal_verify::registry::Evidence;

/// Every run with its probability.
fn weighted(rounds: u32, eps: &BigRational) -> Vec<(BigRational, Run)> {
    runs(rounds).map(|run| (run.probability(eps).0, run)).collect()
}

/// E f(run) under the nature.
fn expected(runs: &[(BigRational, Run)], f: impl Fn(&Run) -> BigRational) -> BigRational {
    runs.iter().map(|(probability, run)| probability * f(run)).sum()
}

/// z <= sqrt(radicand), for a radicand that is not negative.
fn at_most_root(z: &BigRational, radicand: &BigRational) -> bool {
    !z.is_positive() || z * z <= *radicand
}

/// Both sides of g, counted, at thresholds k/12, and VCal and UCal, for constant 1/2 and T <= 20.
///
/// For every T: all rounds are below a threshold beyond 1/2 and above one before it, which gives
/// the two equations, linear in (T, X) and affine in alpha, so that the cases here imply them. By
/// `prop:altform` and `UCAL-FORMULA` VCal and UCal are suprema of functions that are linear in
/// (T, X): 2 g(alpha), and 4 times the chords of g over 1/2. So they are convex and homogeneous,
/// and on each of the cones X >= T/2 and X <= T/2 no larger than the linear functions 2 |X - T/2|
/// and 4 |X - T/2| if they are not on its two rays, through (2, 1) and (1, 1) or (1, 0), all of
/// which are among the cases. They are no smaller either: X - T/2 and T/2 - X are the limits of g
/// at 1/2 from above and from below.
pub(super) fn half_identity(evidence: &mut Evidence) {
    for rounds in 1..=20_i64 {
        for ones in 0..=rounds {
            let distance = (int(ones) - r(rounds, 2)).abs();
            let table = table_of([(r(1, 2), rounds.unsigned_abs(), ones.unsigned_abs())]);
            let (v, u) = (value(&table, Measure::VCal), value(&table, Measure::UCal));
            let words = || {
                format!("T = {rounds}, X = {ones}\n|X - T/2| = {distance}\nVCal = {v}, UCal = {u}")
            };
            evidence.case(v == int(2) * &distance && u == int(4) * &distance, words);
            evidence.mistake(
                "X - T/2 without its absolute value",
                v == int(2 * ones - rounds),
                words,
            );
            let outcomes: Vec<_> = (0..rounds).map(|t| (t < ones, 1)).collect();
            half_thresholds(evidence, ones, &Rounds::new(2, &outcomes));
        }
    }
}

/// The two equations and the bound, all numbers in units.
fn half_thresholds(evidence: &mut Evidence, ones: i64, counted: &Rounds) {
    let (unit, rounds) = (counted.unit, counted.unit / 12);
    for k in 0..=12 {
        let alpha = k * rounds;
        let excess = ones * unit - alpha * rounds;
        let (below, above) = (counted.under(alpha), counted.over(alpha));
        let words = || {
            let [below, above] = [below, above].map(|side| r(side, unit));
            format!(
                "T = {rounds}, X = {ones}, alpha = {}\nX_- - alpha N_- = {below}\nalpha N_+ - X_+ \
                    = {above}",
                r(k, 12)
            )
        };
        let equal = |over: bool, under: bool| {
            below == i64::from(over) * excess && above == -i64::from(under) * excess
        };
        let small = 2 * below.max(above) <= (2 * ones - rounds).abs() * unit;
        evidence.case(equal(k > 6, k < 6) && small, words);
        evidence.mistake("1{alpha >= 1/2} for 1{alpha > 1/2}", equal(k >= 6, k < 6), words);
    }
}

/// The two sums of L597 for T <= 7: the drift on every run, the martingale in expectation.
///
/// For every T: VCal is 2 |X - T/2|, the drift is bounded by adding up `binsearch-range`, and the
/// differences of a martingale are uncorrelated, so that E (sum (x_t - p*_t))^2 = E sum p*_t (1 -
/// p*_t) <= T/4; by Jensen's inequality the mean absolute value is at most sqrt(T)/2.
pub(super) fn half_martingale(evidence: &mut Evidence) {
    for rounds in 1..=7 {
        for eps in tried_eps() {
            let [mut mean, mut square, mut variance] = [(); 3].map(|()| BigRational::zero());
            for run in runs(rounds) {
                let (probability, predictions) = run.probability(&eps);
                let rounds_of = || run.outcomes.iter().zip(&predictions);
                let drift: BigRational = rounds_of().map(|(_, p)| p - r(1, 2)).sum();
                let noise: BigRational = rounds_of().map(|(&one, p)| int(i64::from(one)) - p).sum();
                let v = value(&run.half(run.all()), Measure::VCal);
                let split = int(2) * (noise.abs() + drift.abs());
                let bounded = drift.abs() <= total_offset(rounds, &eps);
                evidence.case(v <= split && bounded, || {
                    let x = listed(&run.outcomes);
                    format!("x = ({x}), eps = {eps}\nVCal(x, 1/2) = {v}\ndrift {drift}")
                });
                let terms = rounds_of().map(|(_, p)| p * (int(1) - p));
                variance += &probability * terms.sum::<BigRational>();
                square += &probability * &noise * &noise;
                mean += probability * int(2) * noise.abs();
            }
            let words = || {
                format!(
                    "T = {rounds}, eps = {eps}\nE 2 |sum (x_t - p*_t)| = {mean}\n\
                     E (sum (x_t - p*_t))^2 = {square}, E sum p*_t (1 - p*_t) = {variance}"
                )
            };
            let uncorrelated = square == variance && variance <= r(rounds.into(), 4);
            evidence.case(uncorrelated && at_most_root(&mean, &int(rounds)), words);
            let more = r(100, 99) * &mean;
            evidence.mistake("99/100 sqrt(T)", at_most_root(&more, &int(rounds)), words);
        }
    }
}

/// E VCal(x|_S, 1/2) <= sqrt(|S|) + 2 eps |S| for every fixed S, for T <= 5; for every T by the
/// argument of [`half_martingale`], the sums being over S.
pub(super) fn half_subsets(evidence: &mut Evidence) {
    for rounds in 1..=5_u32 {
        for eps in tried_eps() {
            let runs = weighted(rounds, &eps);
            for set in 0..1_u64 << rounds {
                let size = int(set.count_ones());
                let mean = expected(&runs, |run| value(&run.half(set), Measure::VCal));
                let drift = int(2) * &eps * &size;
                let words = || {
                    format!(
                        "T = {rounds}, eps = {eps}, S = {set:b} (round 1 last)\n\
                         E VCal = {mean}\nsqrt(|S|) = sqrt({size}), 2 eps |S| = {drift}"
                    )
                };
                evidence.case(at_most_root(&(&mean - &drift), &size), words);
                evidence.mistake("sqrt(|S|) alone", at_most_root(&mean, &size), words);
            }
        }
    }
}

/// The four penalties of the proposition for T <= 8, with eps = 1/(8 k) for the least k >= sqrt(T).
///
/// For every T and eps <= 1/(8 sqrt(T)): VCal(x, p*) is at least 2 alpha (1 - alpha) T, and
/// |alpha - 1/2| <= eps; VCal^sub is at least T/8 by `binsearch-subsample`. With 1/2, E VCal <=
/// sqrt(T) + 2 eps T <= (5/4) sqrt(T), and E VCal^sub <= E sqrt(|S|) + 2 eps E |S| <= sqrt(T/2) +
/// sqrt(T)/8 <= sqrt(T); UCal is twice VCal there.
pub(super) fn gap(evidence: &mut Evidence) {
    for rounds in 1..=8_u32 {
        let root = (1..).find(|k| k * k >= i64::from(rounds)).expect("a square beyond T");
        let eps = r(1, 8 * root);
        let t = int(rounds);
        for run in runs(rounds) {
            let table = run.truthful(&run.predictions(&eps), run.all());
            let [v, sub] = [Measure::VCal, Measure::VCalSub].map(|m| value(&table, m));
            let words = || {
                let x = listed(&run.outcomes);
                format!("x = ({x}), eps = {eps}\nVCal(x, p*) = {v}, VCal^sub = {sub}")
            };
            let least = (r(1, 2) - int(2) * &eps * &eps) * &t;
            evidence.case(v >= least && least >= r(1, 4) * &t && sub >= r(1, 8) * &t, words);
            evidence.mistake("VCal >= (101/200) T", v >= r(101, 200) * &t, words);
        }
        let runs = weighted(rounds, &eps);
        let mean = |measure| expected(&runs, |run| value(&run.half(run.all()), measure));
        let [v, u] = [Measure::VCal, Measure::UCal].map(mean);
        let [v_sub, u_sub] = [Measure::VCalSub, Measure::UCalSub].map(mean);
        let words = || {
            format!(
                "T = {rounds}, eps = {eps}\nE VCal = {v}, E UCal = {u}\n\
                 E VCal^sub = {v_sub}, E UCal^sub = {u_sub}"
            )
        };
        let small = at_most_root(&v, &(r(25, 16) * &t)) && at_most_root(&u, &(r(25, 4) * &t));
        let small_sub = at_most_root(&v_sub, &t) && at_most_root(&u_sub, &(int(4) * &t));
        evidence.case(small && small_sub, words);
        let mistake = at_most_root(&(r(50, 99) * &u), &t);
        evidence.mistake("E UCal <= (99/50) sqrt(T)", mistake, words);
    }
}

/// No measure with 0 <= CM and kappa UCal <= CM is truthful on the binary-search nature.
///
/// For every T and 0 < eps <= 1/(4T): each factor p*_t or 1 - p*_t of the probability Q(x) is at
/// most 1/2 + eps (`binsearch-range`), that is (1 + 2 eps) times 1/2. So Q(x) <= (1 + 2 eps)^T 2^-T
/// for every x, and E_Q F <= (1 + 2 eps)^T times the mean of F for every F >= 0 of x: linear in F,
/// enough for the indicators of single x, which are compared here for T <= 8. With u = 2 eps, (1 +
/// u)^m (1 - mu) <= 1 by induction on m: at m = 0 it is an equality, and 1 - mu - (1 + u)(1 -
/// (m + 1) u) = (m + 1) u^2 >= 0, an identity of degree 1 in m and 2 in u. As Tu <= 1/2, (1 +
/// u)^T <= 2. On every run CM(x,p*) >= kappa UCal >= kappa VCal >= 2 kappa (3T/16), by
/// `binsearch-N-bounds` and `prop:altform` at alpha*, as eps <= 1/4.
pub(super) fn any_measure(evidence: &mut Evidence) {
    for (m, u) in (0..3).flat_map(|m| (0..4).map(move |u| (int(m), r(u, 4)))) {
        let after = (int(1) + &u) * (int(1) - (&m + int(1)) * &u);
        let lost = int(1) - &m * &u - after;
        let words = || format!("m = {m}, u = {u}: the step loses {lost}");
        evidence.case(lost == (&m + int(1)) * &u * &u, words);
        evidence.mistake("the step loses m u^2", lost == &m * &u * &u, words);
    }
    for rounds in 1..=8_u32 {
        let (t, least) = (int(rounds), r(1, 4 * i64::from(rounds)));
        for eps in [least.clone(), &least / int(3)] {
            let ratio = Pow::pow(int(1) + int(2) * &eps, rounds);
            evidence.case(ratio <= int(2), || format!("T = {rounds}, eps = {eps}: {ratio}"));
            for run in runs(rounds) {
                let (probability, predictions) = run.probability(&eps);
                let v = value(&run.truthful(&predictions, run.all()), Measure::VCal);
                let relative = probability * int(1_i64 << rounds);
                let words = || {
                    let x = listed(&run.outcomes);
                    format!("x = ({x}), eps = {eps}\nQ(x) = {relative} 2^-T, VCal(x,p*) = {v}")
                };
                evidence.case(relative <= ratio && v >= r(3, 8) * &t, words);
                evidence.mistake("Q(x) <= 2^-T", relative <= int(1), words);
                evidence.mistake("VCal >= (101/200) T", v >= r(101, 200) * &t, words);
            }
        }
        four_measures(evidence, rounds, &least);
    }
}

/// Both penalties of UCal, VCal, stepCE and ECE.
fn four_measures(evidence: &mut Evidence, rounds: u32, eps: &BigRational) {
    let measures = [
        (Measure::UCal, int(1)),
        (Measure::VCal, r(1, 2)),
        (Measure::StepCe, r(1, 8)),
        (Measure::Ece, r(1, 8)),
    ];
    let runs = weighted(rounds, eps);
    for (measure, kappa) in measures {
        let constant = |run: &Run| value(&run.half(run.all()), measure);
        let total: BigRational = runs.iter().map(|(_, run)| constant(run)).sum();
        let f = total / int(1_i64 << rounds);
        let hedged = expected(&runs, constant);
        let truthful =
            expected(&runs, |run| value(&run.truthful(&run.predictions(eps), run.all()), measure));
        let words = || {
            format!(
                "{measure}, T = {rounds}, f = {f}, eps = {eps}\n\
                 truthful: {truthful}\nconstant 1/2: {hedged}"
            )
        };
        let dear = truthful >= r(3, 8) * kappa * int(rounds);
        evidence.case(hedged <= int(2) * &f && dear, words);
        evidence.mistake("E CM <= f(T) under the nature", hedged <= f, words);
    }
}

fn square_at_least(z: &BigRational, bound: &BigRational) -> bool {
    z * z >= *bound
}

/// The nature's law and the uniform one, as (probability, 2^-T) for each outcome vector.
fn both_laws(rounds: u32, eps: &BigRational) -> Vec<(BigRational, BigRational)> {
    let uniform = r(1, 1 << rounds);
    runs(rounds).map(|run| (run.probability(eps).0, uniform.clone())).collect()
}

/// The total variation distance to the uniform law, exactly.
fn total_variation(laws: &[(BigRational, BigRational)]) -> BigRational {
    laws.iter().map(|(p, q)| (p - q).abs()).sum::<BigRational>() / int(2)
}

/// TV <= eps (T - 2 + 2^(1-T)) <= eps T, for T <= 8.
///
/// For every T: make the rounds fair one by one, the last one first. Making round t fair moves the
/// law by E |p*_t - 1/2|, and `binsearch-range` bounds the sum of these over t.
pub(super) fn variation(evidence: &mut Evidence) {
    for rounds in 1..=8 {
        for eps in tried_eps() {
            let distance = total_variation(&both_laws(rounds, &eps));
            let bound = total_offset(rounds, &eps);
            let words = || format!("T = {rounds}, eps = {eps}\nTV = {distance}, bound {bound}");
            evidence.case(distance <= bound && bound <= &eps * int(rounds), words);
            evidence.mistake("99/100 of the bound", distance <= r(99, 100) * &bound, words);
        }
    }
}

/// E_D F - E_U F <= B TV for F with values in [0, B]. Such an F is an average of B times indicators
/// of its level sets, so sets suffice, and of these the set where D exceeds U has the largest
/// excess: the sum of the positive differences, which is half of the sum of all, TV. All sets for T
/// <= 3; then three measures at constant 1/2.
pub(super) fn transfer(evidence: &mut Evidence) {
    for rounds in 1..=3 {
        for eps in tried_eps() {
            let laws = both_laws(rounds, &eps);
            let distance = total_variation(&laws);
            for set in 0..1_u64 << laws.len() {
                let inside = laws.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
                let excess: BigRational = inside.map(|(_, (p, q))| p - q).sum();
                let words = || {
                    format!(
                        "T = {rounds}, eps = {eps}, set {set:b} (00... last)\n\
                         D - U there: {excess}, TV = {distance}"
                    )
                };
                evidence.case(excess <= distance, words);
                evidence.mistake("99/100 of TV", excess <= r(99, 100) * &distance, words);
            }
        }
    }
    for rounds in 1..=8 {
        let courses_of = weighted(rounds, &r(1, 8));
        for (measure, range) in [(Measure::StepCe, 1), (Measure::Ece, 1), (Measure::UCal, 2)] {
            let constant = |run: &Run| value(&run.half(run.all()), measure);
            let uniform: BigRational = runs(rounds).map(|run| constant(&run)).sum();
            let excess = expected(&courses_of, constant) - uniform / int(1_i64 << rounds);
            let bound = r(range * i64::from(rounds * rounds), 8);
            evidence.case(excess <= bound, || format!("{measure}, T = {rounds}: {excess}"));
        }
    }
}

/// E 4 |X - T/2| >= sqrt(2 T) for fair bits, T <= 60: no rate f below kappa sqrt(2 T) is possible.
///
/// For every T: by de Moivre's formula ([`Binomial::de_moivre`]) the mean deviation M(T) is T C(T,
/// T/2)/2^(T+1) for even T, and M(T - 1) = M(T). So M(T + 2)/M(T) = (T + 1)/T, and (T + 1)^2/T^2 >=
/// (T + 2)/T, as (T + 1)^2 = T (T + 2) + 1: M(T)^2/T does not fall from T = 2 on along the even T,
/// where it is 1/8; for odd T - 1 it is larger.
pub(super) fn least_rate(evidence: &mut Evidence) {
    let deviation = |rounds: u32| Binomial::new(rounds.into(), &r(1, 2)).mean_deviation();
    for rounds in 1..=60_u32 {
        let mean = int(4) * deviation(rounds);
        let words = || format!("T = {rounds}\nE UCal(x, 1/2) = {mean}");
        let step = if rounds % 2 == 0 { int(1) + int(rounds).recip() } else { int(1) };
        let next = int(4) * deviation(rounds + 1 + (rounds + 1) % 2);
        let growth = next == &mean * step;
        evidence.case(growth && square_at_least(&mean, &int(2 * rounds)), words);
        evidence.mistake(
            "101/100 of it",
            square_at_least(&(r(100, 101) * &mean), &int(2 * rounds)),
            words,
        );
    }
}
