//! Binomial laws in integers, so that several hundred trials are no trouble (as they are for
//! [`binomial_law`](crate::claims::tools::binomial_law)).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, Zero};

use crate::claims::tools::int;
use truecal_lab::enclosure::Enclosure;

/// The law of a number of successes, exactly.
pub(super) struct Binomial {
    /// Of 0, 1, …, n successes; their sum is `total`.
    weights: Vec<BigInt>,
    total: BigInt,
    p: BigRational,
    mean: BigRational,
}

impl Binomial {
    /// n independent trials that succeed with probability p each, 0 < p < 1.
    pub(super) fn new(n: u64, p: &BigRational) -> Self {
        let (success, failure) = (p.numer(), p.denom() - p.numer());
        let mut weights: Vec<BigInt> = vec![Pow::pow(&failure, n)];
        for k in 0..n {
            // C(n, k + 1) s^(k+1) f^(n-k-1): the division leaves no remainder.
            let next = weights.last().expect("the first weight") * success * (n - k);
            weights.push(next / (&failure * (k + 1)));
        }
        Binomial { weights, total: Pow::pow(p.denom(), n), p: p.clone(), mean: p * int(n) }
    }

    /// P(K = k), for all k in order.
    pub(super) fn probabilities(&self) -> impl Iterator<Item = (u64, BigRational)> {
        (0..).zip(&self.weights).map(|(k, w)| (k, BigRational::new(w.clone(), self.total.clone())))
    }

    /// P(K = k)
    pub(super) fn probability(&self, k: u64) -> BigRational {
        let weight = usize::try_from(k).ok().and_then(|k| self.weights.get(k));
        BigRational::new(weight.cloned().unwrap_or_default(), self.total.clone())
    }

    /// E f(K)
    pub(super) fn expectation(&self, f: impl Fn(u64) -> BigRational) -> BigRational {
        let sum: BigRational = (0..).zip(&self.weights).map(|(k, w)| f(k) * w).sum();
        sum / &self.total
    }

    /// E |K - E K|, which is 2 E max{K - E K, 0}.
    pub(super) fn mean_deviation(&self) -> BigRational {
        let (sum, total) = self.excess(&self.mean);
        BigRational::new(sum * 2, total)
    }

    /// The same by de Moivre's formula: 2 (1 - p) k P(K = k) for the least k > np.
    ///
    /// For u_k = (1 - p) k P(K = k), u_(k+1) = p (n - k) P(K = k), so that (k - np) P(K = k) =
    /// u_k - u_(k+1); these add up to the first u_k.
    pub(super) fn de_moivre(&self) -> BigRational {
        let k = self.mean.to_integer() + 1_u32;
        let at_k = self.probability(u64::try_from(&k).expect("a number of trials"));
        (BigRational::one() - &self.p) * at_k * k * BigInt::from(2)
    }

    /// E max{K - m, 0}, rigorously enclosed.
    pub(super) fn mean_excess(&self, m: &BigRational) -> Enclosure {
        let (sum, total) = self.excess(m);
        enclosed(sum, total)
    }

    /// P(K = k) for all k in order, rigorously enclosed.
    pub(super) fn enclosures(&self) -> impl Iterator<Item = (u64, Enclosure)> {
        (0..).zip(&self.weights).map(|(k, w)| (k, enclosed(w.clone(), self.total.clone())))
    }

    /// E max{K - m, 0} as numerator and denominator.
    fn excess(&self, m: &BigRational) -> (BigInt, BigInt) {
        let excess = |k: u64| m.denom() * k - m.numer();
        let terms = (0..).zip(&self.weights).map(|(k, w)| (excess(k), w));
        let positive = terms.filter(|(excess, _)| excess.is_positive());
        (positive.map(|(excess, w)| excess * w).sum(), &self.total * m.denom())
    }

    /// P(K > bound)
    pub(super) fn above(&self, bound: i64) -> BigRational {
        let first = usize::try_from(bound + 1).unwrap_or(0);
        BigRational::new(self.weights.iter().skip(first).sum(), self.total.clone())
    }

    /// P(K + L > bound) for an independent L.
    pub(super) fn sum_above(&self, other: &Binomial, bound: i64) -> BigRational {
        // tail[l] is the weight of L >= l; the last one is 0.
        let mut tail = vec![BigInt::zero()];
        for weight in other.weights.iter().rev() {
            tail.push(tail.last().expect("the empty tail") + weight);
        }
        tail.reverse();
        let weight_from = |l: i64| tail.get(usize::try_from(l).unwrap_or(0));
        let terms = (0_i64..).zip(&self.weights);
        let sum: BigInt = terms.filter_map(|(k, w)| Some(w * weight_from(bound + 1 - k)?)).sum();
        BigRational::new(sum, &self.total * &other.total)
    }
}

/// A quotient that need not be in lowest terms, which an enclosure does not ask for.
fn enclosed(numerator: BigInt, denominator: BigInt) -> Enclosure {
    Enclosure::exact(&BigRational::new_raw(numerator, denominator))
}

/// 1 - P, for tails on the other side.
pub(super) fn complement(probability: &BigRational) -> BigRational {
    BigRational::one() - probability
}
