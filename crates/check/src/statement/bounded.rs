//! What stands on the smaller side of a law, and how a certificate bounds it.

use crate::polynomial::{Poly, Ring, sum};
use crate::rejection::Fault;

/// What is at most a bound of the certificate's choice.
#[derive(Debug)]
pub enum Bounded {
    /// The largest of some polynomials.
    Maximum(Vec<Poly>),
    /// UCal, as the predictions with the one-sided values of g there.
    Line(Vec<(Poly, [Poly; 4])>),
    /// smCE, as the predictions and the biases.
    Flow(Vec<Poly>, Vec<Poly>),
}

impl Bounded {
    /// How many polynomials make up its bound.
    pub fn bounds(&self) -> usize {
        match self {
            Bounded::Maximum(_) => 1,
            Bounded::Line(_) => 2,
            Bounded::Flow(values, _) => 3 * values.len() - 2,
        }
    }

    /// Its bound, over a denominator, and what has to be >= 0 for that. Panics unless there are as
    /// many polynomials as it [asks for](Bounded::bounds).
    pub fn bound(
        &self,
        denominator: i128,
        bounds: &[Poly],
        goals: &mut Vec<Poly>,
    ) -> Result<Poly, Fault> {
        match self {
            Bounded::Maximum(pieces) => {
                for piece in pieces {
                    goals.push(bounds[0].clone().plus(-denominator, piece)?);
                }
                Ok(bounds[0].clone())
            }
            // If the line from u at 0 to w at 1 is over g, no proper rule into [-1, 1] has a regret
            // above 2 (u + w) (`UCal_le_line` in `proofs/coq`).
            Bounded::Line(levels) => {
                let [u, w] = [&bounds[0], &bounds[1]];
                goals.extend([u.clone(), w.clone()]);
                for (value, sides) in levels {
                    let slope = w.clone().plus(-1, u)?;
                    let height = u.clone().plus(1, &slope.times(value)?)?;
                    for side in sides {
                        goals.push(height.clone().plus(-denominator, side)?);
                    }
                }
                sum([(2, u), (2, w)])
            }
            // With flows F_j from each level to the next, Σ f_j b_j = Σ f_j (b_j - F_j + F_(j-1)) +
            // Σ F_j (f_j - f_(j+1)), where |f| <= 1 and f is 1-Lipschitz. Given are F_j, at
            // least |b_j - F_j + F_(j-1)|, and at least |F_j|.
            Bounded::Flow(values, biases) => {
                let (mut before, mut total) = (Poly::default(), Poly::default());
                for (j, own) in bounds.chunks(3).enumerate() {
                    let none = Poly::default();
                    let (flow, left, cost) = match own {
                        [flow, left, cost] => (flow, left, cost),
                        own => (&none, &own[0], &none),
                    };
                    let rest = sum([(denominator, &biases[j]), (-1, flow), (1, &before)])?;
                    goals.extend([left.clone().plus(-1, &rest)?, left.clone().plus(1, &rest)?]);
                    total = total.plus(1, left)?;
                    if j + 1 < biases.len() {
                        goals.extend([cost.clone().plus(-1, flow)?, cost.clone().plus(1, flow)?]);
                        let gap = values[j + 1].clone().plus(-1, &values[j])?;
                        total = total.plus(1, &gap.times(cost)?)?;
                    }
                    before = flow.clone();
                }
                Ok(total)
            }
        }
    }
}
