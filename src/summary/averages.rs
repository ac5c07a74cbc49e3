//! Bounds on the averages over random subsets, from bounds on what is averaged.
//!
//! Each measure M here is, of the rounds that a vector s in {0, 1}^T picks, the largest of some
//! sums Σ s_t φ_t over a family of φ in R^T that does not depend on s:
//!
//! - stepCE: φ_t = ±(x_t - p_t) 1{p_t <= α}, for all α (L963);
//! - VCal: φ_t = S_α(x_t, p_t) - S_α(x_t, β), for all α and β (eq:V-calibration);
//! - UCal: φ_t = S(x_t, p_t) - S(x_t, β), for all β and all proper S into [-1, 1]
//!   (eq:U-calibration);
//! - smCE: φ_t = f(p_t) (x_t - p_t), for all 1-Lipschitz f into [-1, 1] (L385).
//!
//! So M is convex in s, and M(c s) = c M(s) for c >= 0. A random subset has E s_t = 1/2.
//!
//! **From below.** By Jensen's inequality E M(s) >= M(E s) = M/2.
//!
//! **From above.** With s_t = 1/2 + ε_t/2 for independent signs ε_t, M(s) is at most M/2 + M(ε)/2,
//! where M(ε) is the largest Σ ε_t φ_t. What is said of it below comes from Lévy's inequalities:
//! partial sums S_j of ε_t a_t in any fixed order have P(max S_j >= λ) <= 2 P(S_T >= λ), and the
//! same for absolute values. So the square of max(0, max S_j) is Σ a_t² on average at most, and
//! that of max |S_j| is 2 Σ a_t². Also, no sum over rounds is more than that of the absolute
//! values.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::certain::Bounds;
use super::stretches::{Cells, Stretches};
use crate::number::Number;
use crate::rational::int;

/// Bounds on one of the averages.
pub(super) struct Averages {
    /// The rounds, and the ones among them.
    pub rounds: u64,
    pub ones: u64,
    /// Σ |x - p|, at most.
    pub distances: BigRational,
    /// Σ (x - p)², at most.
    pub squares: BigRational,
}

impl Averages {
    pub fn over<N: Number, C: Cells<N>>(cells: &Stretches<N, C>) -> Self {
        let unit = &cells.unit;
        let (mut distances, mut squares) = (N::zero(), N::zero().widen());
        for piece in cells.pieces() {
            distances += &piece.both(unit);
            // With the event |x - p| is at most 1 - low, without it at most high.
            squares += &(unit.clone() - &piece.low).times(&piece.rise(unit));
            squares += &piece.high.times(&piece.fall(unit));
        }
        let unit = unit.to_rational();
        Averages {
            rounds: cells.rounds,
            ones: cells.ones,
            distances: distances.to_rational() / &unit,
            squares: squares.to_rational() / (&unit * &unit),
        }
    }

    /// stepCE^sub. M(ε) is a largest absolute partial sum in the order of the predictions, so that
    /// E M(ε) <= (2 Σ (x - p)²)^(1/2); in all, as in the paper, at most stepCE/2 + (T/2)^(1/2).
    pub fn step_ce(&self, step_ce: Bounds) -> Bounds {
        let spread = root_above(&halved(self.squares.clone()));
        self.between(&step_ce, spread, halved(self.distances.clone()))
    }

    /// VCal^sub. A sum Σ ε_t φ_t is, or lies between, some 2 Σ ε_t (x_t - α) over the p_t below α
    /// and 2 Σ ε_t (α - x_t) over those above. The ones in such a sum are weighted by 1 - α, the
    /// zeros by α: it is at most twice the largest of four partial sums, from below and from above,
    /// of ones and of zeros, the squares of which are 2T on average at most in all. So E M(ε) <= 2
    /// (2T)^(1/2).
    ///
    /// Also, x - α <= x - p below α and α - x <= p - x above it: VCal is at most twice the largest
    /// of the prefix sums and the negated suffix sums of s_t (x_t - p_t). That is convex in s, too,
    /// and of all rounds intervalCE at most. So VCal^sub <= intervalCE + (2 Σ (x - p)²)^(1/2).
    pub fn v_cal(&self, v_cal: Bounds, interval_ce: Bounds) -> Bounds {
        let by_walk = interval_ce.upper + root_above(&(&self.squares * int(2)));
        let spread = root_above(&(int(self.rounds) * int(2)));
        self.between(&v_cal, spread, self.distances.clone().min(by_walk))
    }

    /// UCal^sub. A proper rule is, but for what cancels, a mixture of rules S_α with ∫(1-α) dμ <= 1
    /// and ∫α dμ <= 1 (see [`u_cal`](crate::measures::u_cal)). With a and b the largest partial
    /// sums of ones and of zeros as for VCal^sub, M(ε) <= ∫ 2 ((1-α) a + α b) dμ <= 2 (a + b), and
    /// the squares of a and b are 2k and 2(T - k) on average at most.
    ///
    /// UCal is at most twice VCal, and scores in [-1, 1] differ by 2 in each of T/2 rounds.
    pub fn u_cal(&self, u_cal: Bounds, v_cal_sub: Bounds) -> Bounds {
        let root = |rounds: u64| root_above(&(int(rounds) * int(2)));
        let spread = root(self.ones) + root(self.rounds - self.ones);
        self.between(&u_cal, spread, (v_cal_sub.upper * int(2)).min(int(self.rounds)))
    }

    /// SSCE. With S(u) the sum of ε_t (x_t - p_t) over p_t <= u, Σ ε_t φ_t = f(1) S(1) - ∫ f'(u)
    /// S(u) du, at most |S(1)| + ∫ |S(u)| du. Each E |S(u)| is at most (Σ (x - p)²)^(1/2).
    pub fn smooth(&self, sm_ce: Bounds) -> Bounds {
        self.between(&sm_ce, root_above(&self.squares), halved(self.distances.clone()))
    }

    /// Half of what is averaged, more by `spread` at most, and not beyond `most`.
    fn between(&self, plain: &Bounds, spread: BigRational, most: BigRational) -> Bounds {
        let upper = (halved(plain.upper.clone()) + spread).min(most);
        Bounds { lower: halved(plain.lower.clone()), upper }
    }
}

fn halved(number: BigRational) -> BigRational {
    number / int(2)
}

/// A rational that is not less than the square root, by at most 2^-32.
fn root_above(square: &BigRational) -> BigRational {
    const BITS: u32 = 32;
    let scaled = (square * int(BigInt::from(1) << (2 * BITS))).ceil().to_integer();
    let root = scaled.sqrt();
    let up = BigInt::from(u8::from(&root * &root < scaled));
    BigRational::new(root + up, BigInt::from(1) << BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::ratio;

    #[test]
    fn roots_are_never_too_small() {
        let tiny = BigRational::new(1.into(), BigInt::from(1) << 1074);
        let squares = [ratio(0, 1), ratio(1, 3), int(2), int(u64::MAX), tiny];
        for square in squares {
            let root = root_above(&square);
            let below = &root - BigRational::new(1.into(), BigInt::from(1) << 32);
            assert!(&root * &root >= square, "{square}");
            assert!(below < int(0) || &below * &below <= square, "{square}");
        }
        assert_eq!(root_above(&ratio(9, 4)), ratio(3, 2));
    }
}
