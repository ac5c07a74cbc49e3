//! The algorithm read again, twice: all sums anew in doubles, and in rigorous enclosures.

#![expect(clippy::float_arithmetic, reason = "the plain reading is in doubles")]

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::One;
use truecal::rational::int;

use super::mixture::{Mixture, PROBABILITY_BITS};
use super::tree::{Tree, scale};
use crate::enclosure::Enclosure;

/// What is predicted: buckets, from 0 on, with their probabilities.
pub type PredictionLaw = Vec<(usize, BigRational)>;

/// The prediction for these (k-1)L_1, …, (k-1)L_k in a run of T rounds, from all sums in doubles.
pub fn plain_law(biases: &[i64], rounds: u64) -> PredictionLaw {
    let exact = |q: f64| BigRational::from_float(q).expect("a probability is finite");
    let law = Plain::new(biases, scale(rounds, biases.len())).law();
    law.into_iter().map(|(bucket, q)| (bucket, exact(q))).collect()
}

/// What a tree predicts.
pub(super) fn tree_law(tree: &Tree) -> PredictionLaw {
    let whole = int(1_u64 << PROBABILITY_BITS);
    let share = |weight: u64| int(weight) / &whole;
    tree.mixture().weights().map(|(bucket, weight)| (bucket, share(weight))).collect()
}

/// The neighbours where C changes its sign, by bisection of a power of two.
fn bisect<E>(
    buckets: usize,
    mut positive: impl FnMut(usize) -> Result<bool, E>,
) -> Result<usize, E> {
    let (mut low, mut length) = (0, buckets.next_power_of_two());
    while length > 1 {
        length /= 2;
        let middle = low + length;
        if middle < buckets && positive(middle)? {
            low = middle;
        }
    }
    Ok(low)
}

/// All sums in doubles, over the largest of the weights.
pub(super) struct Plain {
    /// C_1, …, C_k over the sum of all weights.
    pub signs: Vec<f64>,
    last: i64,
}

impl Plain {
    /// Cost: O(k).
    pub fn new(biases: &[i64], scale: f64) -> Self {
        let largest = biases.iter().map(|bias| bias.unsigned_abs()).max().expect("two buckets");
        let most = scale * largest as f64;
        let (mut signs, mut total, mut sum) = (vec![0.0; biases.len()], 0.0, 0.0);
        for (sign, &bias) in signs.iter_mut().zip(biases).rev() {
            let exponent = scale * bias as f64;
            let (up, down) = (libm::exp(exponent - most), libm::exp(-exponent - most));
            sum += up - down;
            total += up + down;
            *sign = sum;
        }
        signs.iter_mut().for_each(|sign| *sign /= total);
        Plain { signs, last: biases[biases.len() - 1] }
    }

    pub fn law(&self) -> Vec<(usize, f64)> {
        let last = self.signs.len() - 1;
        if self.last >= 0 {
            return vec![(last, 1.0)];
        }
        if self.signs[0] <= 0.0 {
            return vec![(0, 1.0)];
        }
        let positive = |bucket: usize| Ok::<_, ()>(self.signs[bucket] > 0.0);
        let low = bisect(self.signs.len(), positive).expect("every sign is known");
        let (first, second) = (self.signs[low], self.signs[low + 1]);
        let q = -second / (first - second);
        vec![(low, q), (low + 1, 1.0 - q)]
    }

    pub fn mixture(&self) -> Mixture {
        let law = self.law();
        let (low, q) = law[0];
        let weight = libm::rint(q * (1_u64 << PROBABILITY_BITS) as f64) as u64;
        Mixture::pair(self.signs.len(), low, weight)
    }
}

/// All sums in enclosures.
pub struct Exact<'a> {
    biases: &'a [i64],
    /// C_1, …, C_k
    signs: Vec<Enclosure>,
    total: Enclosure,
}

/// A sign that 128 digits do not tell.
#[derive(Debug)]
pub struct Undecided;

impl<'a> Exact<'a> {
    /// For these (k-1)L_1, …, (k-1)L_k in a run of T rounds, with eta multiplied by a factor, which
    /// is 1.
    pub fn new(biases: &'a [i64], rounds: u64, factor: &Enclosure) -> Self {
        let buckets = Enclosure::from(biases.len() as i64);
        let rounds = Enclosure::exact(&int(rounds));
        let two = Enclosure::from(2);
        let eta = (Enclosure::from(8) * (&two * &buckets).ln() / rounds).sqrt() * factor;
        let scale = eta / (two * (buckets - Enclosure::from(1)));
        let (mut sum, mut total) = (Enclosure::from(0), Enclosure::from(0));
        let mut signs: Vec<Enclosure> = biases
            .iter()
            .rev()
            .map(|&bias| {
                let up = (&scale * Enclosure::from(bias)).exp();
                let down = Enclosure::from(1) / &up;
                total = &total + &up + &down;
                sum = &sum + up - down;
                sum.clone()
            })
            .collect();
        signs.reverse();
        Exact { biases, signs, total }
    }

    /// The sign of C at a bucket. It is 0 if every L from there on has its opposite; no other zero
    /// is known.
    fn sign(&self, bucket: usize) -> Result<Ordering, Undecided> {
        let mut biases = self.biases[bucket..].to_vec();
        biases.sort_unstable();
        if biases.iter().zip(biases.iter().rev()).all(|(low, high)| *low == -high) {
            return Ok(Ordering::Equal);
        }
        let zero = Enclosure::from(0);
        match (zero.below(&self.signs[bucket]), self.signs[bucket].below(&zero)) {
            (Some(true), _) => Ok(Ordering::Greater),
            (_, Some(true)) => Ok(Ordering::Less),
            _ => Err(Undecided),
        }
    }

    /// What is predicted.
    pub fn law(&self) -> Result<Vec<(usize, Enclosure)>, Undecided> {
        let one = || Enclosure::from(1);
        let last = self.signs.len() - 1;
        if self.sign(last)?.is_ge() {
            return Ok(vec![(last, one())]);
        }
        if self.sign(0)?.is_le() {
            return Ok(vec![(0, one())]);
        }
        let low = bisect(self.signs.len(), |bucket| self.sign(bucket).map(Ordering::is_gt))?;
        let (first, second) = (&self.signs[low], &self.signs[low + 1]);
        if self.sign(low + 1)?.is_eq() {
            return Ok(vec![(low + 1, one())]);
        }
        let q = -second / (first - second);
        Ok(vec![(low, q.clone()), (low + 1, one() - q)])
    }

    /// (k-1) max_x E_p E_w ℓ(x, p) for a law of p: what the step loses, in units of 1/(k-1).
    pub fn scaled_loss(&self, law: &[(usize, BigRational)]) -> Enclosure {
        let mean = |value: &dyn Fn(usize) -> Enclosure| -> Enclosure {
            let part = |(bucket, share): &(usize, BigRational)| {
                Enclosure::exact(share) * &self.signs[*bucket] * value(*bucket)
            };
            law.iter().map(part).sum()
        };
        let unit = Enclosure::from(self.signs.len() as i64 - 1);
        let bias = mean(&|_| unit.clone()).max(&Enclosure::from(0));
        (bias - mean(&|bucket| Enclosure::from(bucket as i64))) / &self.total
    }
}

/// At least the largest difference between the probabilities of a point.
pub fn distance(one: &[(usize, BigRational)], other: &[(usize, Enclosure)]) -> BigRational {
    let buckets = one.iter().map(|(bucket, _)| bucket).chain(other.iter().map(|(b, _)| b));
    let at = |bucket: usize| {
        let mut left = one.iter().filter(|(b, _)| *b == bucket).map(|(_, q)| Enclosure::exact(q));
        let mut right = other.iter().filter(|(b, _)| *b == bucket).map(|(_, q)| q.clone());
        let zero = || Enclosure::from(0);
        let difference = left.next().unwrap_or_else(zero) - right.next().unwrap_or_else(zero);
        difference.abs().high()
    };
    buckets.map(|&bucket| at(bucket)).max().unwrap_or_else(BigRational::one)
}

/// The integers (k-1)L_1, …, (k-1)L_k after every choice of so many points and outcomes, each once,
/// in order.
pub fn reachable(buckets: usize, rounds: u32) -> Vec<Vec<i64>> {
    let mut states = vec![vec![0; buckets]];
    for _ in 0..rounds {
        let mut next: Vec<Vec<i64>> = Vec::new();
        for state in &states {
            for (bucket, outcome) in (0..buckets).flat_map(|j| [(j, false), (j, true)]) {
                next.push(moved(state, bucket, outcome));
            }
        }
        next.sort();
        next.dedup();
        states = next;
    }
    states
}

/// These integers after one more round.
pub fn moved(biases: &[i64], bucket: usize, outcome: bool) -> Vec<i64> {
    let amount = super::change(biases.len(), bucket, outcome);
    let mut next = biases.to_vec();
    next[bucket..].iter_mut().for_each(|bias| *bias += amount);
    next
}
