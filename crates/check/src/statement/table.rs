//! The measures at one order pattern: maxima of polynomials in the predictions.

use num_integer::binomial;

use super::{Atom, Bounded};
use crate::polynomial::{Poly, Ring, sum};
use crate::rejection::Fault;
use truecal::Measure;

/// A level table whose predictions are polynomials.
pub struct Table<'a> {
    /// (ones, rounds) of each level.
    pub levels: Vec<(u32, u32)>,
    /// The prediction of each level.
    pub values: &'a [Poly],
}

impl Table<'_> {
    /// b_j = k_j - n_j v_j
    pub fn bias(&self, j: usize) -> Result<Poly, Fault> {
        let (ones, rounds) = self.levels[j];
        Poly::constant(ones.into()).plus(-i128::from(rounds), &self.values[j])
    }

    /// b_i + … + b_(j-1), counted from 0
    pub fn biases(&self, i: usize, j: usize) -> Result<Poly, Fault> {
        (i..j).try_fold(Poly::default(), |sum, j| sum.plus(1, &self.bias(j)?))
    }

    /// Σ c + d v_j + e v_j², with (c, d, e) from the ones and the rounds of each level
    pub fn quadratic(&self, part: fn(i128, i128) -> (i128, i128, i128)) -> Result<Poly, Fault> {
        let mut total = Poly::default();
        for ((ones, rounds), value) in self.levels.iter().zip(self.values) {
            let (c, d, e) = part((*ones).into(), (*rounds).into());
            total = total.plus(c, &Poly::constant(1))?.plus(d, value)?;
            total = total.plus(e, &value.times(value)?)?;
        }
        Ok(total)
    }

    /// A quantity that is one polynomial; None for the others.
    pub fn polynomial(&self, atom: Atom) -> Result<Option<Poly>, Fault> {
        Ok(match atom {
            Atom::Bias => Some(self.biases(0, self.levels.len())?),
            Atom::Variance => Some(self.quadratic(|_, rounds| (0, rounds, -rounds))?),
            Atom::Squares => Some(self.quadratic(|ones, rounds| (ones, -2 * ones, rounds))?),
            Atom::Measure(_) | Atom::AbsoluteBias => None,
        })
    }

    /// (ones - a · rounds) · sign among levels i, …, j-1, for a = v_at
    pub fn regret(&self, sign: i128, i: usize, j: usize, at: usize) -> Result<Poly, Fault> {
        let total = |part: fn(&(u32, u32)) -> u32| self.levels[i..j].iter().map(part).sum::<u32>();
        let (ones, rounds) = (total(|level| level.0), total(|level| level.1));
        Poly::constant(sign * i128::from(ones)).plus(-sign * i128::from(rounds), &self.values[at])
    }

    /// g at a prediction, from both sides: X_< - a N_< and a N_> - X_>, without the level and with
    /// it.
    pub fn sides(&self, at: usize) -> Result<[Poly; 4], Fault> {
        let m = self.levels.len();
        Ok([
            self.regret(1, 0, at, at)?,
            self.regret(1, 0, at + 1, at)?,
            self.regret(-1, at + 1, m, at)?,
            self.regret(-1, at, m, at)?,
        ])
    }

    /// Sums of maxima that a quantity is equal to, or at least (UCal by V-shaped rules, smCE by
    /// constant functions).
    pub fn maxima(&self, atom: Atom) -> Result<Vec<Vec<Poly>>, Fault> {
        let m = self.levels.len();
        let all = self.biases(0, m)?;
        let mut one = vec![];
        match atom {
            Atom::Measure(Measure::Ece) => {
                let signed = |j| Ok(vec![self.bias(j)?, sum([(-1, &self.bias(j)?)])?]);
                return (0..m).map(signed).collect();
            }
            Atom::Measure(Measure::StepCe | Measure::StepCeSub) => {
                one = (1..=m).map(|j| self.biases(0, j)).collect::<Result<_, _>>()?;
            }
            Atom::Measure(Measure::IntervalCe) => {
                for i in 0..m {
                    one.extend(
                        (i + 1..=m).map(|j| self.biases(i, j)).collect::<Result<Vec<_>, _>>()?,
                    );
                }
            }
            Atom::Measure(Measure::SignCe) => {
                // At a prediction, then just above it. If predictions begin at 0 and end at 1, no
                // threshold is above the last or below the first; but then |B_m| is at most |B_m -
                // b_1| or |B_m - b_m|, since b_1 >= 0 >= b_m.
                for j in 0..m {
                    one.push(self.biases(0, j)?.plus(-1, &self.biases(j + 1, m)?)?);
                    one.push(self.biases(0, j + 1)?.plus(-1, &self.biases(j + 1, m)?)?);
                }
            }
            Atom::Measure(Measure::VCal | Measure::VCalSub | Measure::UCal | Measure::UCalSub) => {
                // X_< - a N_< falls between predictions and a N_> - X_> rises, so their largest
                // values are the limits from above and from below with the level itself; and 0 is
                // the value at a = 0.
                one.push(Poly::default());
                for at in 0..m {
                    let [_, low, _, high] = self.sides(at)?;
                    one.extend([sum([(2, &low)])?, sum([(2, &high)])?]);
                }
                return Ok(vec![one]);
            }
            Atom::Measure(Measure::SmCe | Measure::Ssce) | Atom::AbsoluteBias | Atom::Bias => {
                one.push(all)
            }
            // Which levels a threshold parts from their frequencies depends on the predictions.
            Atom::Measure(Measure::Cdl) | Atom::Variance | Atom::Squares => {
                return Err(Fault::Unsupported);
            }
        }
        let negative = one.iter().map(|poly| sum([(-1, poly)])).collect::<Result<Vec<_>, _>>()?;
        Ok(vec![[one, negative].concat()])
    }

    /// The quantity as sums of what can be bounded.
    pub fn bounded(&self, atom: Atom) -> Result<Vec<Bounded>, Fault> {
        Ok(match atom {
            Atom::Measure(Measure::UCal | Measure::UCalSub) => {
                let sides =
                    (0..self.levels.len()).map(|at| Ok((self.values[at].clone(), self.sides(at)?)));
                vec![Bounded::Line(sides.collect::<Result<_, _>>()?)]
            }
            Atom::Measure(Measure::SmCe | Measure::Ssce) => {
                let biases =
                    (0..self.levels.len()).map(|j| self.bias(j)).collect::<Result<_, _>>()?;
                vec![Bounded::Flow(self.values.to_vec(), biases)]
            }
            // These are equal to their maxima.
            Atom::Measure(
                Measure::Ece
                | Measure::StepCe
                | Measure::SignCe
                | Measure::IntervalCe
                | Measure::VCal
                | Measure::StepCeSub
                | Measure::VCalSub,
            )
            | Atom::Bias
            | Atom::AbsoluteBias => self.maxima(atom)?.into_iter().map(Bounded::Maximum).collect(),
            Atom::Measure(Measure::Cdl) | Atom::Variance | Atom::Squares => {
                return Err(Fault::Unsupported);
            }
        })
    }

    /// Every choice of rounds to keep, as (in how many ways, the table).
    pub fn subsets(&self) -> Vec<(i128, Table<'_>)> {
        let mut found = vec![(1, vec![])];
        for (ones, rounds) in &self.levels {
            let zeros = rounds - ones;
            let choices = (0..=*ones).flat_map(|k| (0..=zeros).map(move |z| (k, z)));
            let extend = |(ways, levels): &(i128, Vec<(u32, u32)>)| {
                choices
                    .clone()
                    .map(move |(k, z)| {
                        let here = binomial(i128::from(*ones), i128::from(k))
                            * binomial(i128::from(zeros), i128::from(z));
                        (ways * here, [levels.clone(), vec![(k, k + z)]].concat())
                    })
                    .collect::<Vec<_>>()
            };
            found = found.iter().flat_map(extend).collect();
        }
        found
            .into_iter()
            .map(|(ways, levels)| (ways, Table { levels, values: self.values }))
            .collect()
    }
}
