//! The lower bound for every forecaster, step by step.
//!
//! Up to some round, A is the sum of (x_s - p_s)² and V that of p*_s(1 - p*_s); r = √(25/144 + A).
//! The number 25/144 is chosen so that all constants are rational: r starts at 5/12, and the root
//! of 25/144 + 1 is 13/12.

use num_rational::BigRational;
use num_traits::Pow;

use crate::claims::tools::{commas, int, outcomes, r, unit_grid};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

fn square(number: &BigRational) -> BigRational {
    number * number
}

/// Φ = (18/5) r - V/r does not fall in expectation, whatever the forecast.
///
/// Let a = (x - p)², in [0, 1], and s = √(r² + a). Then s² <= r² + 1 <= (13/5)² r², since r² >=
/// 25/144: linear in r², at two points. So a = (s - r)(s + r) <= (s - r)(1 + 13/5) r, that is,
/// a/r <= (18/5)(s - r). In the mean over x ~ Bern(q), a is q(1-q) + (q-p)² >= q(1-q) =: v, an
/// identity of degree 2 in q and in p, at three points each. So (18/5) E s - (18/5) r >= v/r. And
/// since s >= r, (V+v)/s <= (V+v)/r = V/r + v/r: hence E Φ after the round is at least Φ. Some
/// rounds are computed as well.
pub(super) fn submartingale(evidence: &mut Evidence) {
    for (q, p) in (0..3).flat_map(|q| (0..3).map(move |p| (int(q), int(p)))) {
        let mean = &q * square(&(int(1) - &p)) + (int(1) - &q) * square(&p);
        let parts = &q * (int(1) - &q) + square(&(&q - &p));
        evidence.case(mean == parts, || format!("q = {q}, p = {p}: E (x-p)^2 = {mean}"));
    }
    for more in (0..2).map(int) {
        let root_squared = r(25, 144) + &more;
        let slack = r(169, 25) * &root_squared - (&root_squared + int(1));
        evidence.case(slack == r(144, 25) * &more, || format!("A = {more}: slack {slack}"));
    }
    let truths = [r(1, 1000), r(1, 4), r(1, 2), r(3, 4)];
    for before in [int(0), r(1, 4), int(1), int(9)] {
        for variance in [int(0), r(1, 2), int(3)] {
            for (truth, p) in truths.iter().flat_map(|q| unit_grid(4).map(move |p| (q, p))) {
                let grows = |factor: &BigRational| {
                    one_round(factor, [&before, &variance, truth, &p]) == Some(true)
                };
                let shown = || format!("A = {before}, V = {variance}, p* = {truth}, p = {p}");
                evidence.case(grows(&r(18, 5)), shown);
                evidence.mistake("359/100 for 18/5", grows(&r(359, 100)), shown);
            }
        }
    }
}

/// Whether factor r - V/r does not fall in expectation in one round.
fn one_round(factor: &BigRational, [a, variance, truth, p]: [&BigRational; 4]) -> Option<bool> {
    let phi = |a: &BigRational, variance: &BigRational| {
        let root = Enclosure::exact(&(r(25, 144) + a)).sqrt();
        Enclosure::exact(factor) * &root - Enclosure::exact(variance) / root
    };
    let against = int(1) - truth;
    let more = variance + truth * &against;
    let after = |x: i64| phi(&(a + square(&(int(x) - p))), &more);
    let mean = Enclosure::exact(truth) * after(1) + Enclosure::exact(&against) * after(0);
    phi(a, variance).at_most(&mean)
}

/// With ρ = 12r/5 >= 1 the claim is γ(V) <= V/ρ + (7/8)√(ρ²-1) - (5/8)(ρ-1).
///
/// For ρ <= 2, γ(V) - V/ρ <= 1 - 1/ρ: for V <= 1 since it is at most V(1 - 1/ρ); for V = w² >= 1
/// since ρ times the difference is (w-1)(w+1-ρ). And (1 - 1/ρ) + (5/8)(ρ-1) <= (7/8)√(ρ²-1): times
/// 8ρ and squared, over ρ - 1, it is (ρ-1)(5ρ+8)² <= 49ρ²(ρ+1), and with ρ = 1 + e the difference
/// is 98 + 76e + 66e² + 24e³. For ρ >= 2, √V - V/ρ = ρ/4 - (√V - ρ/2)²/ρ <= ρ/4, and 7ρ - 5 <=
/// 7√(ρ²-1), since the squares differ by 70ρ - 74. The identities are polynomial, of degree at most
/// 3 in each variable, and stand at the four points of each.
///
/// Besides, the claim itself where all is rational: ρ = (u + 1/u)/2, √(ρ²-1) = (u - 1/u)/2, V = w².
pub(super) fn pointwise(evidence: &mut Evidence) {
    pointwise_identities(evidence);
    for u in [r(1, 1), r(9, 8), r(5, 4), r(3, 2), int(2), int(3), int(10), int(1000)] {
        let rho = (&u + u.recip()) / int(2);
        let root = (&u - u.recip()) / int(2);
        for w in [r(1, 4), r(1, 2), int(1), r(3, 2), int(4), &rho / int(2)] {
            let variance = square(&w);
            let gamma = variance.clone().min(w.clone());
            let within = |slope: BigRational, factor: BigRational| {
                let drift = r(5, 8) * (&rho - int(1));
                gamma <= slope * &variance / &rho + factor * &root * r(5, 12) - drift
            };
            let shown = || format!("r = (5/12) {rho}, sqrt(A) = (5/12) {root}, V = {variance}");
            evidence.case(within(int(1), r(21, 10)), shown);
            evidence.mistake("209/100 for 21/10", within(int(1), r(209, 100)), shown);
            evidence.mistake("2/5 for 5/12", within(r(24, 25), r(21, 10)), shown);
        }
    }
}

fn pointwise_identities(evidence: &mut Evidence) {
    for e in (0..4).map(int) {
        let rho = int(1) + &e;
        let goal =
            int(49) * square(&rho) * (&rho + int(1)) - &e * square(&(int(5) * &rho + int(8)));
        let expanded =
            int(98) + int(76) * &e + int(66) * square(&e) + int(24) * Pow::pow(&e, 3_u32);
        let late = int(49) * (square(&rho) - int(1)) - square(&(int(7) * &rho - int(5)));
        let holds = goal == expanded && late == int(70) * &rho - int(74);
        evidence.case(holds, || format!("rho = {rho}: {goal} = {expanded}, {late} = 70 rho - 74"));
        for w in (0..4).map(int) {
            let difference = (&rho - int(1)) - (&w * &rho - square(&w));
            let product = (&w - int(1)) * (&w + int(1) - &rho);
            let excess = square(&rho) / int(4) - square(&(&w - &rho / int(2)));
            let holds = difference == product && &w * &rho - square(&w) == excess;
            evidence.case(holds, || format!("rho = {rho}, w = {w}: {difference} = {product}"));
        }
    }
}

/// Every vector of up to four numbers among -2, -1, 1 and 2.
fn vectors() -> impl Iterator<Item = Vec<BigRational>> {
    let digits = |length: u32, code: i64| -> Vec<BigRational> {
        (0..length).map(|place| int([-2, -1, 1, 2][(code >> (2 * place) & 3) as usize])).collect()
    };
    (1..=4_u32).flat_map(move |length| (0..1_i64 << (2 * length)).map(move |c| digits(length, c)))
}

/// Σ ±a_t
fn signed_sum(terms: &[BigRational], signs: &[bool]) -> BigRational {
    terms.iter().zip(signs).map(|(a, plus)| if *plus { a.clone() } else { -a }).sum()
}

/// The mean of a function of Σ ±a_t over all signs.
fn over_signs(terms: &[BigRational], f: impl Fn(BigRational) -> BigRational) -> BigRational {
    let values = outcomes(terms.len()).map(|signs| f(signed_sum(terms, &signs)));
    values.sum::<BigRational>() / int(1 << terms.len())
}

fn absolute(number: BigRational) -> BigRational {
    num_traits::Signed::abs(&number)
}

fn squares(terms: &[BigRational]) -> BigRational {
    terms.iter().map(square).sum()
}

/// Let Z = Σ s_t a_t and σ = Σ a_t², so that E Z² = σ. `fourth-moment` has E Z⁴ <= 3σ² and E|Z| >=
/// √(σ/3). For subsets: y_t = (1 + s_t)/2, so that Σ y_t a_t is (B + Z)/2 with B = Σ a_t; Z and -Z
/// have the same law, and |B + Z| + |B - Z| >= 2|Z|: both sides are linear between the rays on
/// which B, Z, B + Z or B - Z changes its sign.
pub(super) fn khintchine_fourth(evidence: &mut Evidence) {
    for (b, z) in
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().flat_map(|(b, z)| [(b, z), (-b, -z)])
    {
        let (sum, twice) = (i64::abs(b + z) + i64::abs(b - z), 2 * i64::abs(z));
        evidence.case(sum >= twice, || format!("B = {b}, Z = {z}"));
    }
    for terms in vectors() {
        let (sigma, mean) = (squares(&terms), over_signs(&terms, absolute));
        let fourth = over_signs(&terms, |z| Pow::pow(z, 4_u32));
        let subsets = super::optimum::mean_absolute_sum(&terms);
        let shown = || {
            let list = commas(&terms);
            format!("a = ({list})\nE|Z| = {mean}, E Z^4 = {fourth}, over subsets {subsets}")
        };
        let moment = |factor: i64| fourth <= int(factor) * square(&sigma);
        let holds = moment(3) && int(3) * square(&mean) >= sigma && int(2) * &subsets >= mean;
        evidence.case(holds, shown);
        evidence.mistake("E Z^4 <= 2 (sum a^2)^2", moment(2), shown);
        evidence.mistake("no factor 1/2 for subsets", subsets >= mean, shown);
    }
}

/// f(s) = |Σ s_t a_t| on the cube {-1,1}^T, and Lf(s) = (1/2) Σ_t (f(s) - f(s with s_t reversed)).
///
/// Lf <= f: the T sums with one sign reversed add up to (T - 2) Σ s_t a_t, so that their absolute
/// values add up to at least (T - 2) f. And for w_S, the product of the s_t with t in S, L w_S =
/// |S| w_S: a reversal of s_t changes the sign of w_S if t is in S, and nothing otherwise; here for
/// all S and s with T <= 4. The w_S are an orthonormal basis; as f(-s) = f(s), f has coefficients
/// at even |S| only, and at S empty it is E f. So E f² >= E f Lf = Σ_S |S| f_S² >= 2 (E f² - (E
/// f)²), that is, (E f)² >= E f²/2, and E f² = Σ a_t². (The proof of Latała and Oleszkiewicz.)
pub(super) fn khintchine_best(evidence: &mut Evidence) {
    for rounds in 1..=4_usize {
        for (set, signs) in
            outcomes(rounds).flat_map(|s| outcomes(rounds).map(move |e| (s.clone(), e)))
        {
            let character = |signs: &[bool]| {
                let minus = signs.iter().zip(&set).filter(|(plus, within)| **within && !**plus);
                if minus.count().is_multiple_of(2) { 1_i64 } else { -1 }
            };
            let value = character(&signs);
            let twice = (0..rounds).map(|t| value - character(&reversed(&signs, t))).sum::<i64>();
            let size = set.iter().filter(|within| **within).count() as i64;
            let shown = || format!("T = {rounds}, |S| = {size}: 2 L w = {twice}, w = {value}");
            evidence.case(twice == 2 * size * value, shown);
            let gap = size == 0 || size >= 2;
            evidence.mistake("|S| >= 2 although f need not be even", gap, shown);
        }
    }
    for terms in vectors() {
        for signs in outcomes(terms.len()) {
            let f = |signs: &[bool]| absolute(signed_sum(&terms, signs));
            let twice: BigRational =
                (0..terms.len()).map(|t| f(&signs) - f(&reversed(&signs, t))).sum();
            evidence.case(twice <= int(2) * f(&signs), || {
                format!("a = ({}): 2 Lf = {twice}", commas(&terms))
            });
        }
        let (sigma, mean) = (squares(&terms), over_signs(&terms, absolute));
        let above = |factor: BigRational| square(&mean) >= factor * &sigma;
        let shown = || format!("a = ({})\nE|Z| = {mean}, sum a^2 = {sigma}", commas(&terms));
        evidence.case(above(r(1, 2)), shown);
        evidence.mistake("51/100 for 1/2", above(r(51, 100)), shown);
    }
}

fn reversed(signs: &[bool], place: usize) -> Vec<bool> {
    signs.iter().enumerate().map(|(t, plus)| *plus != (t == place)).collect()
}
