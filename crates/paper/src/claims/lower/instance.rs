//! The nature of the lower bound and the forecasters on it, exactly.

use num_rational::BigRational;
use num_traits::{Pow, Signed, Zero};

use super::truthful::positive_part;
use crate::claims::tools::{binomial_law, int, r};

/// The nature of the construction: `epochs` epochs of `length` rounds, then the last one.
pub(in crate::claims) struct Instance {
    pub epochs: u32,
    pub length: u32,
    pub c: BigRational,
}

impl Instance {
    /// T
    pub fn rounds(&self) -> u32 {
        5 * self.epochs * self.length
    }

    /// Follows the search from w in epoch i (from 1 on): `add` hears of each w and of the
    /// probability to come there.
    fn follow(
        &self,
        i: u32,
        w: &BigRational,
        reached: &BigRational,
        add: &mut impl FnMut(&BigRational, &BigRational),
    ) {
        if i > self.epochs {
            return;
        }
        add(w, reached);
        let up = self.at_least_mean(w);
        let step = Pow::pow(&r(1, 2), i + 3);
        self.follow(i + 1, &(w + &step), &(reached * &up), add);
        self.follow(i + 1, &(w - &step), &(reached * (int(1) - up)), add);
    }

    /// P(X >= n w) for X ~ Bin(n, w)
    fn at_least_mean(&self, w: &BigRational) -> BigRational {
        let mean = int(self.length) * w;
        let law = (0..).zip(binomial_law(self.length, w));
        law.filter(|(k, _)| int(*k) >= mean).map(|(_, weight)| weight).sum()
    }

    /// A lower bound of the expected stepCE^sub of the truthful forecaster: half of what the rounds
    /// below α* add, exactly. stepCE is at least twice that.
    pub fn truthful_at_least(&self) -> BigRational {
        let mut total = BigRational::zero();
        self.follow(1, &r(1, 2), &int(1), &mut |w, reached| {
            let factor = int(1) - &self.c * &self.c / (int(12) * w * (int(1) - w));
            total += reached * factor * positive_part(self.length, w) / int(2);
        });
        total
    }

    /// P(so many ones in the first T/5 rounds), from none on.
    pub fn ones_of_search(&self) -> Vec<BigRational> {
        self.ones_from(1, &r(1, 2))
    }

    fn ones_from(&self, i: u32, w: &BigRational) -> Vec<BigRational> {
        if i > self.epochs {
            return vec![int(1)];
        }
        let step = Pow::pow(&r(1, 2), i + 3);
        let (above, below) =
            (self.ones_from(i + 1, &(w + &step)), self.ones_from(i + 1, &(w - &step)));
        let mean = int(self.length) * w;
        let mut law = vec![BigRational::zero(); above.len() + self.length as usize];
        for (ones, weight) in (0..).zip(binomial_law(self.length, w)) {
            let rest = if int(ones) >= mean { &above } else { &below };
            for (more, probability) in rest.iter().enumerate() {
                law[ones as usize + more] += &weight * probability;
            }
        }
        law
    }
}

/// What the strategic forecaster pays on average: stepCE, the three terms that bound it, and how
/// often the bias at 1/2 is not brought back to 0.
#[derive(Default)]
pub(in crate::claims) struct Payment {
    pub step: BigRational,
    pub near_zero: BigRational,
    pub at_half: BigRational,
    pub near_one: BigRational,
    pub missed: BigRational,
}

/// The rounds of the block in which the bias is brought back to 0: how far x is from its mean in
/// those after that, the bias that is left at 1/2, and the probability.
type Block = Vec<(BigRational, BigRational, BigRational)>;

impl Instance {
    /// The forecaster of the paper with the corrected stopping time, by the laws of its three
    /// counts. It predicts 1/2 until T/5. If ones are then missing, it predicts c/2 for 2T/5
    /// rounds, and then 1/2 until the bias there is 0 and 1 - c/2 after that; otherwise the same
    /// with the two blocks exchanged.
    pub fn strategic(&self) -> Payment {
        let block = 2 * self.epochs * self.length;
        let rate = &self.c / int(2);
        let full = deviations(block, &rate);
        let mut payment = Payment::default();
        let (mut lacking, mut exceeding) = (Bridge::new(block), Bridge::new(block));
        for (ones, probability) in (0..).zip(self.ones_of_search()) {
            let doubled = 2 * ones - i64::from(self.epochs * self.length); // 2 Δ
            let side = if doubled < 0 { &mut lacking } else { &mut exceeding };
            side.walk(doubled.unsigned_abs() as usize, &rate, probability);
        }
        for (ones_lack, bridge) in [(true, lacking), (false, exceeding)] {
            payment.missed += bridge.left.iter().sum::<BigRational>();
            for (deviation, gap, weight) in bridge.block(block, &rate) {
                for (other, chance) in &full {
                    payment.add(ones_lack, (&deviation, &gap, other), &(&weight * chance));
                }
            }
        }
        payment
    }
}

impl Payment {
    /// Zeros that are ones near 0 add to the bias, ones that are zeros near 1 take away from it.
    fn add(
        &mut self,
        ones_lack: bool,
        (deviation, gap, other): (&BigRational, &BigRational, &BigRational),
        weight: &BigRational,
    ) {
        let (low, middle, high) = if ones_lack {
            (other.clone(), -gap, -deviation)
        } else {
            (deviation.clone(), gap.clone(), -other)
        };
        let (first, second) = (low.abs(), (&low + &middle).abs());
        let step = first.max(second).max((&low + &middle + &high).abs());
        self.step += step * weight;
        self.near_zero += low.abs() * weight;
        self.at_half += middle.abs() * weight;
        self.near_one += high.abs() * weight;
    }
}

/// Z - n rate for Z ~ Bin(n, rate), with probabilities.
fn deviations(n: u32, rate: &BigRational) -> Vec<(BigRational, BigRational)> {
    let mean = int(n) * rate;
    (0..).zip(binomial_law(n, rate)).map(|(z, weight)| (int(z) - &mean, weight)).collect()
}

/// The walk of the doubled bias at 1/2 back to 0: a step towards it, or with probability c/2 away
/// from it.
pub(super) struct Bridge {
    /// P(0 is reached after s steps)
    pub stopped: Vec<BigRational>,
    /// P(the walk is at distance d after all steps)
    pub left: Vec<BigRational>,
}

impl Bridge {
    pub fn new(steps: u32) -> Self {
        let steps = steps as usize;
        Bridge {
            stopped: vec![BigRational::zero(); steps + 1],
            left: vec![BigRational::zero(); 2 * steps + 1],
        }
    }

    /// Adds a walk from this distance.
    pub fn walk(&mut self, distance: usize, away: &BigRational, probability: BigRational) {
        let mut at = vec![BigRational::zero(); self.left.len() + 1];
        at[distance] = probability;
        self.stopped[0] += std::mem::take(&mut at[0]);
        for step in 1..self.stopped.len() {
            let mut next = vec![BigRational::zero(); at.len()];
            for (d, weight) in at.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
                next[d + 1] += weight * away;
                next[d - 1] += weight * (int(1) - away);
            }
            self.stopped[step] += std::mem::take(&mut next[0]);
            at = next;
        }
        for (left, weight) in self.left.iter_mut().zip(at) {
            *left += weight;
        }
    }

    fn block(&self, steps: u32, rate: &BigRational) -> Block {
        let mut block = vec![];
        for (rest, weight) in (0..=steps).rev().zip(&self.stopped) {
            for (deviation, chance) in deviations(rest, rate) {
                block.push((deviation, BigRational::zero(), weight * chance));
            }
        }
        for (distance, weight) in (0..).zip(&self.left) {
            block.push((BigRational::zero(), r(distance, 2), weight.clone()));
        }
        block.retain(|(_, _, weight)| !weight.is_zero());
        block
    }
}
