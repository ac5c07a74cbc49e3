//! Discrete Fourier transforms of lengths that are powers of two.
#![expect(clippy::float_arithmetic, reason = "sums of sines and cosines, with a stated error")]

use std::f64::consts::PI;

use super::real::ROUNDING;

/// A complex number: real and imaginary part.
pub(super) type Complex = [f64; 2];

/// Σ_k x_k exp(2πi jk/N) for all j, in place.
///
/// *The error.* (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2.) If the
/// roots of unity are known within μ, the result errs in the Euclidean norm by at most a relative
/// log2(N) (μ + γ4 (√2 + μ)) to first order, where γ4 is about 4u. The angle is rounded twice, from
/// at most π, and sine and cosine once, to less than a unit in the last place: μ < 10u. So 20u
/// for each of the log2(N) steps is more than all of it.
///
/// Cost: O(N log N).
pub(super) struct Fourier {
    /// exp(2πi j/N) for j < N/2.
    roots: Vec<Complex>,
}

impl Fourier {
    /// Of length 2^`log`, where `log` is at least 1.
    pub fn new(log: u32) -> Self {
        let half = 1_usize << (log - 1);
        let root = |j: usize| {
            let (sine, cosine) = libm::sincos(PI * (j as f64 / half as f64));
            [cosine, sine]
        };
        Fourier { roots: (0..half).map(root).collect() }
    }

    /// The length N.
    pub fn len(&self) -> usize {
        2 * self.roots.len()
    }

    /// The relative error in the Euclidean norm.
    pub fn error(&self) -> f64 {
        20.0 * ROUNDING * f64::from(self.len().ilog2())
    }

    /// Transforms N numbers.
    pub fn transform(&self, numbers: &mut [Complex]) {
        assert_eq!(numbers.len(), self.len(), "as many numbers as the length says");
        permute(numbers);
        let mut half = 1;
        while half < numbers.len() {
            let step = self.roots.len() / half;
            for block in numbers.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                let roots = self.roots.iter().step_by(step);
                for ((low, high), root) in low.iter_mut().zip(high).zip(roots) {
                    let [a, b] = [
                        root[0] * high[0] - root[1] * high[1],
                        root[0] * high[1] + root[1] * high[0],
                    ];
                    *high = [low[0] - a, low[1] - b];
                    *low = [low[0] + a, low[1] + b];
                }
            }
            half *= 2;
        }
    }
}

/// Puts each number where its index points with its bits reversed.
fn permute(numbers: &mut [Complex]) {
    let unused = usize::BITS - numbers.len().ilog2();
    for index in 0..numbers.len() {
        let other = index.reverse_bits() >> unused;
        if index < other {
            numbers.swap(index, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Against the definition, within the stated error.
    #[test]
    fn transforms_are_sums() {
        for log in 1..=9 {
            let fourier = Fourier::new(log);
            let length = fourier.len();
            let mut random = Random::new(7, u64::from(log));
            let mut draw = || random.next() as f64 / u64::MAX as f64 - 0.5;
            let numbers: Vec<Complex> = (0..length).map(|_| [draw(), draw()]).collect();
            let mut fast = numbers.clone();
            fourier.transform(&mut fast);
            let (mut norm, mut far) = (0.0, 0.0);
            for (j, fast) in fast.iter().enumerate() {
                let mut sum = [0.0, 0.0];
                for (k, [a, b]) in numbers.iter().enumerate() {
                    let angle = 2.0 * PI * ((j * k % length) as f64) / length as f64;
                    let (sine, cosine) = libm::sincos(angle);
                    sum = [sum[0] + a * cosine - b * sine, sum[1] + a * sine + b * cosine];
                }
                norm += sum[0] * sum[0] + sum[1] * sum[1];
                far += (sum[0] - fast[0]).powi(2) + (sum[1] - fast[1]).powi(2);
            }
            // The plain sums err as well.
            let bound = fourier.error() + length as f64 * 4.0 * ROUNDING;
            assert!(far.sqrt() <= bound * norm.sqrt(), "{log}: {}", (far / norm).sqrt());
        }
    }
}
