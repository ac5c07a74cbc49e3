//! The smooth ECE of Błasiok and Nakkiran, with its error.
//!
//! # What is computed
//!
//! Each level has the weight w_j = b_j/T, its bias per round. Smoothed with the Gaussian kernel of
//! standard deviation σ, reflected at 0 and 1, the weights become a function r on [0, 1], and f(σ)
//! = ∫ |r(t)| dt. As σ grows f does not rise, because smoothing further is an average; f(0) is E =
//! Σ |w_j|. So there is one σ* with f(σ*) = σ*: the value. From f(σ) at any σ follows that σ* lies
//! between σ and f(σ).
//!
//! The cosines cos(πkt) are the eigenfunctions of the kernel, with eigenvalues exp(-(πkσ)²/2). With
//! a_k = Σ_j w_j cos(πk p_j), r(t) = a_0 + 2 Σ_k exp(-(πkσ)²/2) a_k cos(πkt).
//!
//! # The error
//!
//! *Weights are moved to a grid* of spacing h = 1/M: each is divided among the four nodes around it
//! (reflected at the ends, as the kernel is) such that cubic polynomials are integrated exactly.
//! For a smooth g, what this does to g(p) is ∫ B(s) g''''(s) ds, where B has one sign and integral
//! at most (9/16) h⁴/24. With g the kernel as a function of p, integrated over t, and ∫ |φ''''| <=
//! √24/σ⁴ for the normal density φ (its fourth Hermite polynomial has variance 24), r changes by at
//! most E (9/16) √24/24 (h/σ)⁴ in the mean.
//!
//! *The integral.* r and its derivative are found at the points i δ, δ = 1/n, and between them
//! |r| is integrated as if r were the cubic H with these values and derivatives. In the mean r - H
//! is at most δ⁴/384 ∫ |r''''|, hence at most √24/384 (δ/σ)⁴ times the sum of the weights on the
//! grid without signs. The integral of |H| lies between |m| and m', m the mean of its four
//! Bernstein coefficients and m' that of their absolute values; where these differ H is halved,
//! again and again, and what is left of the difference counts as error.
//!
//! *Rounding.* Relative to E, a weight errs by 4u and a position by 3u, which changes r by 3u
//! √(2/π)/σ in the mean; four factors for the nodes by 30u, and at most m numbers are added at one
//! node. The transforms err in the Euclidean norm as said at [`Fourier`]; mean absolute values are
//! at most root mean squares. With x the numbers at the nodes and X the 2n numbers from which r and
//! σ r' are made at once as real and imaginary part, this is 2 √M ε ‖x‖ and 3 ε ‖X‖. Eigenvalues
//! err by a relative 400u where they are not below exp(-84), and nothing of weight follows after
//! that.
//!
//! With M >= 128/σ and n >= 64/σ all of this is about 1e-9 E. M and n end at 2^20: below σ = 1e-4
//! the error begins to grow with 1/σ⁴, and no σ below 8/2^20 is tried. If σ* is smaller (which
//! takes over 10^13 rounds, or an error as small), it still lies between f there and E.
#![expect(clippy::float_arithmetic, reason = "a real number, with a stated error")]

use std::f64::consts::PI;

use crate::levels::Table;
use crate::measures;

use super::fourier::{Complex, Fourier};
use super::real::{ROUNDING, Real};

/// The smooth ECE of Błasiok and Nakkiran (2024), per round: the σ at which the bias, smoothed by a
/// Gaussian of standard deviation σ that is reflected at 0 and 1, has the mean absolute value σ.
///
/// The package relplot finds σ on a grid of 2^-10. It cuts the kernel off at a distance of 1/2,
/// which shows where σ is larger than about 0.2, and counts predictions of 0 and 1 by half. Not to
/// be confused with the measure [`SmCe`](crate::Measure::SmCe), which is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmEce {
    /// The value; 0 without rounds. It is also the bandwidth.
    pub value: f64,
    /// The true number differs from it by this at most.
    pub error: f64,
}

/// The finest grids have 2^20 steps.
const MOST: u32 = 20;
/// The first grid of weights has 2^14.
const FIRST: u32 = 14;

/// The value. Cost: O(m), and some transforms of length O(1/σ*).
pub(super) fn sm_ece<N: Real>(levels: Table<'_, N>) -> SmEce {
    let ece = measures::ece(levels).value;
    if ece == N::zero() {
        return SmEce { value: 0.0, error: 0.0 };
    }
    let whole = (N::from_count(levels.rounds()) * levels.unit()).scaled();
    let ece = (ece.scaled().over(whole).to_f64() * (1.0 + 8.0 * ROUNDING)).next_up().min(1.0);
    let mut bracket = Bracket { low: 0.0, high: ece };
    let mut log = FIRST;
    loop {
        let weights = Weights::new(levels, log, ece);
        bracket.narrow(&mut Smoothing::new(&weights));
        // The next grid is as fine as it needs to be.
        let needed = 128.0 / bracket.middle();
        let enough = (log..MOST).find(|log| f64::from(1_u32 << log) >= needed).unwrap_or(MOST);
        if enough == log || bracket.width() <= CLOSE {
            break;
        }
        log = enough;
    }
    let (value, half) = (bracket.middle(), bracket.width() / 2.0);
    SmEce { value, error: half + 4.0 * ROUNDING * value }
}

/// A bracket that need not be narrower.
const CLOSE: f64 = 4e-10;

/// Between which numbers σ* lies.
struct Bracket {
    low: f64,
    high: f64,
}

impl Bracket {
    fn middle(&self) -> f64 {
        (self.low + self.high) / 2.0
    }

    fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Narrows the bracket as far as f is known.
    fn narrow(&mut self, smoothing: &mut Smoothing<'_>) {
        let mut last = None;
        let mut sigma = self.middle();
        for trial in 1..=60 {
            let at = sigma.max(smoothing.finest());
            let f = smoothing.integral(at);
            // If f(σ) > σ, then σ < σ* = f(σ*) <= f(σ), and the other way round.
            self.low = self.low.max(f.low.min(at));
            self.high = self.high.min(f.high.max(at));
            let undecided = f.low <= at && at <= f.high;
            if undecided || self.width() <= CLOSE || self.high <= smoothing.finest() {
                return;
            }
            // Secants converge fast, and halving now and then makes certain that they do.
            let gap = f.middle() - at;
            sigma = match last {
                Some((before, gap_before)) if trial % 4 != 0 => {
                    at - gap * (at - before) / (gap - gap_before)
                }
                _ => self.middle(),
            };
            if !(self.low < sigma && sigma < self.high) {
                sigma = self.middle();
            }
            last = Some((at, gap));
        }
    }
}

/// The weights on a grid, as the a_k.
struct Weights {
    log: u32,
    /// a_0, …, a_M.
    cosines: Vec<f64>,
    /// E, rounded up.
    ece: f64,
    /// The sum of all numbers at the nodes, without signs.
    mass: f64,
    /// What rounding does to r in the mean, for any σ.
    rounding: f64,
}

impl Weights {
    fn new<N: Real>(levels: Table<'_, N>, log: u32, ece: f64) -> Self {
        let steps = 1_usize << log;
        let nodes = nodes(levels, steps);
        let fourier = Fourier::new(log + 1);
        let mut numbers = vec![[0.0, 0.0]; 2 * steps];
        let (mut mass, mut squares) = (0.0, 0.0);
        for (node, weight) in nodes.iter().enumerate() {
            mass += weight.abs();
            squares += weight * weight;
            // Both of a node and its reflection, half each.
            numbers[node][0] += weight / 2.0;
            numbers[(2 * steps - node) % (2 * steps)][0] += weight / 2.0;
        }
        fourier.transform(&mut numbers);
        numbers.truncate(steps + 1);
        let sums = (levels.rows().len() as f64 + 40.0) * ROUNDING;
        let transform = 2.0 * (steps as f64 * squares).sqrt() * fourier.error();
        Weights {
            log,
            cosines: numbers.into_iter().map(|[cosine, _]| cosine).collect(),
            ece,
            mass: mass * (1.0 + 2.0 * steps as f64 * ROUNDING),
            rounding: 2.0 * sums * ece + transform,
        }
    }
}

/// The weight of each node: that of a level goes to the four nodes around it.
fn nodes<N: Real>(levels: Table<'_, N>, steps: usize) -> Vec<f64> {
    let unit = levels.unit().scaled();
    let whole = (N::from_count(levels.rounds()) * levels.unit()).scaled();
    // A node before 0 and one after 1, until they are reflected.
    let mut nodes = vec![0.0; steps + 3];
    for level in levels.rows() {
        let weight = level.bias(levels.unit()).scaled().over(whole).to_f64();
        let place = level.value.scaled().over(unit).to_f64() * steps as f64;
        let node = (place as usize).min(steps - 1);
        let t = place - node as f64;
        let (before, after, last) = (t + 1.0, 1.0 - t, 2.0 - t);
        nodes[node] -= weight * (t * after * last / 6.0);
        nodes[node + 1] += weight * (before * after * last / 2.0);
        nodes[node + 2] += weight * (before * t * last / 2.0);
        nodes[node + 3] -= weight * (before * t * after / 6.0);
    }
    nodes[2] += nodes[0];
    nodes[steps] += nodes[steps + 2];
    nodes[1..steps + 2].to_vec()
}

/// Between which numbers an integral lies.
struct Enclosure {
    low: f64,
    high: f64,
}

impl Enclosure {
    fn middle(&self) -> f64 {
        (self.low + self.high) / 2.0
    }
}

/// f at any σ.
struct Smoothing<'a> {
    weights: &'a Weights,
    /// Of the length that was needed last.
    fourier: Fourier,
    numbers: Vec<Complex>,
}

impl<'a> Smoothing<'a> {
    fn new(weights: &'a Weights) -> Self {
        Smoothing { weights, fourier: Fourier::new(1), numbers: vec![] }
    }

    /// The smallest σ for the grid.
    fn finest(&self) -> f64 {
        8.0 / f64::from(1_u32 << self.weights.log)
    }

    /// f(σ), where σ is at most 1 and not below the smallest.
    fn integral(&mut self, sigma: f64) -> Enclosure {
        let size = |log: &u32| f64::from(1_u32 << log);
        let log = (6..MOST).find(|log| size(log) * sigma >= 64.0).unwrap_or(MOST);
        if self.fourier.len() != 2 << log {
            self.fourier = Fourier::new(log + 1);
        }
        let norm = self.modes(sigma);
        self.fourier.transform(&mut self.numbers);
        let Weights { ece, mass, rounding, log: grid, .. } = *self.weights;
        let step = 1.0 / size(&log);
        let sums = integrate(&self.numbers[..=1 << log], step / (3.0 * sigma));
        let [low, high, unsigned] = sums.map(|sum| sum * step);
        let root = 24.0_f64.sqrt();
        let error = ece * (9.0 / 16.0) * root / 24.0 * (1.0 / (size(&grid) * sigma)).powi(4)
            + mass * root / 384.0 * (step / sigma).powi(4)
            + 3.0 * ROUNDING * ece / sigma
            + 2.0 * rounding
            + 3.0 * (self.fourier.error() + 500.0 * ROUNDING) * norm
            + (size(&log) + 200.0) * ROUNDING * unsigned
            + 1e-30;
        let error = 1.01 * error;
        Enclosure { low: low - error, high: high + error }
    }

    /// Makes the numbers whose transform is r + i σ r', and returns their Euclidean norm. The k-th
    /// term of r is c cos(πkt), that of σ r' is d sin(πkt) with d = -πkσ c.
    fn modes(&mut self, sigma: f64) -> f64 {
        let length = self.fourier.len();
        self.numbers.clear();
        self.numbers.resize(length, [0.0, 0.0]);
        self.numbers[0][0] = self.weights.cosines[0];
        let mut squares = self.numbers[0][0].powi(2);
        // As M σ >= 8 and n σ >= 8, these are fewer than M and than n.
        let last = (13.0 / (PI * sigma)) as usize + 1;
        for (k, cosine) in self.weights.cosines.iter().enumerate().take(last + 1).skip(1) {
            let root = PI * k as f64 * sigma;
            let c = 2.0 * libm::exp(-root * root / 2.0) * cosine;
            let d = -root * c;
            self.numbers[k][0] = (c + d) / 2.0;
            self.numbers[length - k][0] = (c - d) / 2.0;
            squares += (c * c + d * d) / 2.0;
        }
        squares.sqrt()
    }
}

/// The integral of |H| in steps, from below and from above, and that of the Bernstein coefficients
/// without signs. `third` times σ r' is the difference to the next coefficient.
fn integrate(points: &[Complex], third: f64) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for pair in points.windows(2) {
        let [[a, from_a], [b, to_b]] = [pair[0], pair[1]];
        let cubic = [a, a + third * from_a, b - third * to_b, b];
        let unsigned = cubic.iter().map(|b| b.abs()).sum::<f64>() / 4.0;
        let [low, high] = without_sign(cubic, HALVINGS);
        sums = [sums[0] + low, sums[1] + high, sums[2] + unsigned];
    }
    sums
}

/// How often a step is halved around a change of sign: what is left is 4^-20 of it.
const HALVINGS: u32 = 20;

/// Bounds of ∫ |H| over [0, 1], from the Bernstein coefficients of H.
fn without_sign(cubic: [f64; 4], halvings: u32) -> [f64; 2] {
    let low = cubic.iter().sum::<f64>().abs() / 4.0;
    let one_sign = cubic.iter().all(|b| *b >= 0.0) || cubic.iter().all(|b| *b <= 0.0);
    if one_sign {
        return [low, low];
    }
    if halvings == 0 {
        return [low, cubic.iter().map(|b| b.abs()).sum::<f64>() / 4.0];
    }
    let [first, second] = halved(cubic).map(|half| without_sign(half, halvings - 1));
    [(first[0] + second[0]) / 2.0, (first[1] + second[1]) / 2.0]
}

/// The Bernstein coefficients on both halves (de Casteljau).
fn halved([a, b, c, d]: [f64; 4]) -> [[f64; 4]; 2] {
    let middle = |a: f64, b: f64| (a + b) / 2.0;
    let (ab, bc, cd) = (middle(a, b), middle(b, c), middle(c, d));
    let (abc, bcd) = (middle(ab, bc), middle(bc, cd));
    let all = middle(abc, bcd);
    [[a, ab, abc, all], [all, bcd, cd, d]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::{Level, Levels};

    /// Coarse grids, so that the error of moving weights shows: f is enclosed all the same, but not
    /// by its other errors alone.
    #[test]
    fn coarse_grids_enclose_what_fine_ones_find() {
        let (mut shown, unit) = (0, 1000);
        for (distance, log) in (1..12).flat_map(|k| [5, 6, 7].map(|log| (9 * k, log))) {
            let row = |value, ones| Level { value, count: 1000, ones };
            let rows = vec![row(450, 600), row(450 + distance, 300)];
            let levels = Levels::<i64>::new(unit, rows).expect("a table");
            let ece = measures::ece(levels.table()).value as f64 / (2000.0 * unit as f64);
            let f = |log: u32, sigma: f64| {
                Smoothing::new(&Weights::new(levels.table(), log, ece * 1.001)).integral(sigma)
            };
            let sigma = 8.0 / f64::from(1 << log);
            let (coarse, fine) = (f(log, sigma), f(14, sigma));
            assert!(coarse.low <= fine.low && fine.high <= coarse.high);
            assert!(fine.high - fine.low < 1e-7);
            shown += u32::from((coarse.middle() - fine.middle()).abs() > 1e-7);
        }
        assert!(shown > 10, "{shown}");
    }
}
