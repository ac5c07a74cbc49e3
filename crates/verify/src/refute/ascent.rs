//! From a table uphill within its order pattern, by linear programmes in exact arithmetic.
//!
//! A step replaces what is to be large by its slopes, and what is to be small, if it is a maximum
//! of affine functions, by a variable above all of them: so a law between such maxima takes one
//! programme for each piece of the larger one, and the result is the best of the whole pattern. For
//! UCal, smCE and anything that is not linear in the quantities, the steps are local and shrink
//! until they help. The start is feasible, so the programmes need no first phase. Ratios are
//! climbed by raising the rate: gain - rate · cost.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use truecal::Watch;

use super::cell::{Affine, Cell};
use super::slopes::slopes;
use crate::laws::{near_sides, near_value};
use truecal::Measure;
use truecal::rational::{common_denominator, int};
use truecal_check::law::{Comparison, Expr, Law, Quantity, Relation};
use truecal_lab::programme::{PivotRule, Programme};

/// What a search makes large: gain - rate · cost, where the hypothesis holds.
#[derive(Clone)]
pub(super) struct Aim<'a> {
    pub gain: &'a Expr,
    pub cost: &'a Expr,
    pub rate: BigRational,
    pub hypothesis: Option<&'a Comparison>,
}

/// Where a search has come to.
#[derive(Clone, Debug)]
pub(super) struct Summit {
    /// The predictions of the levels; they may touch.
    pub at: Vec<BigRational>,
    pub gain: BigRational,
    pub cost: BigRational,
}

impl Summit {
    /// gain / cost, if the cost is positive.
    pub fn ratio(&self) -> Option<BigRational> {
        self.cost.is_positive().then(|| &self.gain / &self.cost)
    }
}

const MOST_STEPS: usize = 40;

/// Numbers with longer denominators, in bits, are rounded between steps.
const LONGEST: u64 = 48;

/// 2^-step
pub(super) fn small(step: u32) -> BigRational {
    BigRational::new(BigInt::one(), BigInt::one() << step)
}

impl Aim<'_> {
    /// What the aim and its hypothesis speak of, and what stands in for it.
    pub fn quantities(law: &Law) -> Vec<Quantity> {
        let mut quantities = law.quantities();
        if let Some(measure) = law.hypothesis.as_ref().and_then(vanishing) {
            quantities.push(Quantity::Measure(measure));
        }
        quantities
    }

    /// Gain and cost; None where the hypothesis does not hold or a side has no value.
    pub fn at(&self, cell: &Cell, at: &[BigRational]) -> Option<Summit> {
        let value = |quantity| cell.value(quantity, at);
        if let Some(hypothesis) = self.hypothesis {
            let (left, right) = near_sides(hypothesis, &value)?;
            if !hypothesis.relation.admits(left.cmp(&right)) {
                return None;
            }
        }
        Some(Summit {
            at: at.to_vec(),
            gain: near_value(self.gain, &value)?,
            cost: near_value(self.cost, &value)?,
        })
    }

    fn height(&self, summit: &Summit) -> BigRational {
        &summit.gain - &self.rate * &summit.cost
    }

    /// Uphill from predictions that satisfy the hypothesis. With `ratio`, the rate becomes the
    /// ratio of gain and cost whenever that is larger, so that the summit is one of the ratio.
    pub fn ascend(
        &mut self,
        cell: &Cell,
        from: &[BigRational],
        ratio: bool,
        watch: &Watch<'_>,
    ) -> Option<Summit> {
        let mut best = self.at(cell, from)?;
        let mut radius = BigRational::one();
        for _ in 0..MOST_STEPS {
            if ratio && !self.height(&best).is_negative() {
                match best.ratio() {
                    Some(ratio) => self.rate = ratio,
                    None => return Some(best), // without bound
                }
            }
            if radius < small(12) || !watch.go_on() {
                break;
            }
            let Some(next) = self.step(cell, &best.at, &radius) else { break };
            let next = self.at(cell, &shortened(next));
            let rise = next.as_ref().map(|next| self.height(next) - self.height(&best));
            match (next, rise) {
                (Some(next), Some(rise)) if rise.is_positive() => {
                    best = next;
                    if rise < small(30) {
                        break;
                    }
                }
                _ => radius /= int(4),
            }
        }
        Some(self.settled(cell, best))
    }

    /// Simple predictions near the summit, where neighbours may touch, if they are as high: steps
    /// only come ever closer to what is curved.
    fn settled(&self, cell: &Cell, summit: Summit) -> Summit {
        for distance in [4, 6, 8, 11] {
            let near = |value| simplest_within(value, &small(distance));
            let at: Vec<_> = summit.at.iter().map(near).collect();
            let Some(simple) = self.at(cell, &at) else { continue };
            let unbounded = simple.cost.is_zero() && simple.gain.is_positive();
            let vanishes = simple.cost.is_zero() && simple.gain.is_zero();
            if unbounded || (!vanishes && self.height(&simple) >= self.height(&summit)) {
                return simple;
            }
        }
        summit
    }

    /// How the aim changes with each quantity.
    fn slopes(&self, cell: &Cell, at: &[BigRational]) -> Option<Vec<BigRational>> {
        let value = |quantity| cell.value(quantity, at);
        let (gain, cost) = (slopes(self.gain, &value)?, slopes(self.cost, &value)?);
        Some(gain.slopes.iter().zip(&cost.slopes).map(|(g, c)| g - &self.rate * c).collect())
    }

    /// The predictions that a linear programme promises to be the best within this distance; None
    /// if it promises nothing.
    fn step(
        &self,
        cell: &Cell,
        at: &[BigRational],
        radius: &BigRational,
    ) -> Option<Vec<BigRational>> {
        let slopes = self.slopes(cell, at)?;
        let mut best: Option<(BigRational, Vec<BigRational>)> = None;
        for (piece, offset) in pieces(cell, at, &slopes) {
            let mut step = Step::new(cell, at, radius);
            step.hold(self.hypothesis)?;
            let objective = step.form(&slopes, piece);
            let (promise, point) = step.solve(&objective);
            let promise = promise + offset;
            if promise.is_positive() && best.as_ref().is_none_or(|(known, _)| promise > *known) {
                best = Some((promise, point));
            }
        }
        best.map(|(_, point)| point)
    }

    /// Predictions as far apart as possible at which the aim is no lower than here, where it is 0.
    pub fn apart(&self, cell: &Cell, at: &[BigRational]) -> Option<Vec<BigRational>> {
        let slopes = self.slopes(cell, at)?;
        let mut step = Step::new(cell, at, &BigRational::one());
        step.hold(self.hypothesis)?;
        let height = step.form(&slopes, None);
        step.rows.push((negated(&height), BigRational::zero()));
        let gap = step.variable();
        for j in 1..at.len() {
            let mut row = step.change(&unit(j - 1, at.len()), &BigRational::one());
            row.extend(step.change(&unit(j, at.len()), &-BigRational::one()));
            row.push((gap, BigRational::one()));
            step.rows.push((row, &at[j] - &at[j - 1]));
        }
        step.rows.push((vec![(gap, BigRational::one())], BigRational::one()));
        Some(step.solve(&[(gap, BigRational::one())]).1)
    }
}

/// Every piece of the first quantity that is to be large, if it is a single maximum, and how far
/// each is below it now; otherwise the quantities as they are.
fn pieces<'a>(
    cell: &'a Cell,
    at: &[BigRational],
    slopes: &[BigRational],
) -> Vec<(Option<(Quantity, &'a Affine)>, BigRational)> {
    for quantity in Quantity::ALL {
        let slope = &slopes[quantity.index()];
        if !slope.is_positive() || cell.is_constant(quantity) {
            continue;
        }
        if let Some([(weight, pieces)]) = cell.maxima(quantity).map(Vec::as_slice) {
            let now = cell.value(quantity, at);
            let below = |piece: &Affine| slope * (piece.value(at) * weight - &now);
            return pieces.iter().map(|p| (Some((quantity, p)), below(p))).collect();
        }
    }
    vec![(None, BigRational::zero())]
}

/// The measure that vanishes by hypothesis, and with it all pieces of the one returned, which is a
/// sum of maxima.
fn vanishing(hypothesis: &Comparison) -> Option<Measure> {
    let zero = Expr::Constant(0.into());
    let Comparison { left, relation: Relation::Equal, right } = hypothesis else { return None };
    let (Expr::Quantity(Quantity::Measure(measure)), other) =
        (if *left == zero { (right, left) } else { (left, right) })
    else {
        return None;
    };
    if *other != zero {
        return None;
    }
    match measure {
        Measure::UCal => Some(Measure::VCal),
        Measure::UCalSub => Some(Measure::VCalSub),
        Measure::SmCe | Measure::Cdl => Some(Measure::Ece),
        Measure::Ssce => None,
        Measure::Ece
        | Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::VCal
        | Measure::StepCeSub
        | Measure::VCalSub => Some(*measure),
    }
}

/// Σ coefficient · variable
type Form = Vec<(usize, BigRational)>;

/// A linear programme for the change of the predictions, up and down, and of what must stay above
/// some functions. No change at all is feasible.
struct Step<'a> {
    cell: &'a Cell,
    at: &'a [BigRational],
    rows: Vec<(Form, BigRational)>,
    variables: usize,
    /// The variable that stays above each maximum of a quantity.
    above: Vec<(Quantity, Vec<usize>)>,
}

impl<'a> Step<'a> {
    fn new(cell: &'a Cell, at: &'a [BigRational], radius: &BigRational) -> Step<'a> {
        let m = at.len();
        let mut step = Step { cell, at, rows: vec![], variables: 2 * m, above: vec![] };
        for j in 0..m {
            for (variable, room) in
                [(2 * j, BigRational::one() - &at[j]), (2 * j + 1, at[j].clone())]
            {
                step.rows.push((vec![(variable, BigRational::one())], room.min(radius.clone())));
            }
            if j > 0 {
                let mut row = step.change(&unit(j - 1, m), &BigRational::one());
                row.extend(step.change(&unit(j, m), &-BigRational::one()));
                step.rows.push((row, &at[j] - &at[j - 1]));
            }
        }
        step
    }

    /// factor · Σ slope · change
    fn change(&self, slopes: &[BigRational], factor: &BigRational) -> Form {
        let mut form = vec![];
        for (j, slope) in slopes.iter().enumerate().filter(|(_, slope)| !slope.is_zero()) {
            form.extend([(2 * j, slope * factor), (2 * j + 1, -(slope * factor))]);
        }
        form
    }

    fn variable(&mut self) -> usize {
        self.variables += 1;
        self.variables - 1
    }

    /// The change of Σ slope · quantity, at least; with one piece instead of a quantity.
    fn form(&mut self, slopes: &[BigRational], piece: Option<(Quantity, &Affine)>) -> Form {
        let mut form = vec![];
        for quantity in Quantity::ALL {
            let slope = &slopes[quantity.index()];
            if slope.is_zero() || self.cell.is_constant(quantity) {
                continue;
            }
            if let Some((_, piece)) = piece.filter(|(own, _)| *own == quantity) {
                let weight =
                    self.cell.maxima(quantity).map_or_else(BigRational::one, |m| m[0].0.clone());
                form.extend(self.change(&piece.slopes, &(slope * weight)));
            } else if slope.is_negative() && self.cell.maxima(quantity).is_some() {
                form.extend(self.stay_above(quantity, slope));
            } else {
                let (_, own) = self.cell.value_and_slopes(quantity, self.at);
                form.extend(self.change(&own, slope));
            }
        }
        form
    }

    /// slope · the change of a sum of maxima, which gets a variable for each.
    fn stay_above(&mut self, quantity: Quantity, slope: &BigRational) -> Form {
        let cell = self.cell;
        let maxima = cell.maxima(quantity).expect("a sum of maxima");
        if !self.above.iter().any(|(known, _)| *known == quantity) {
            let mut variables = vec![];
            for (_, pieces) in maxima {
                // It may rise or fall: the second variable is how far it falls.
                let (rise, fall) = (self.variable(), self.variable());
                variables.push(rise);
                let values: Vec<_> = pieces.iter().map(|piece| piece.value(self.at)).collect();
                let Some(now) = values.iter().max().cloned() else { continue };
                for (piece, value) in pieces.iter().zip(values) {
                    let mut row = self.change(&piece.slopes, &BigRational::one());
                    row.extend([(rise, -BigRational::one()), (fall, BigRational::one())]);
                    self.rows.push((row, &now - value));
                }
            }
            self.above.push((quantity, variables));
        }
        let (_, variables) =
            self.above.iter().find(|(known, _)| *known == quantity).expect("made above");
        let terms = maxima.iter().zip(variables).flat_map(|((weight, _), rise)| {
            [(*rise, slope * weight), (*rise + 1, -(slope * weight))]
        });
        terms.collect()
    }

    /// Keeps the hypothesis, which holds without a change. None if it does not.
    fn hold(&mut self, hypothesis: Option<&Comparison>) -> Option<()> {
        let Some(hypothesis) = hypothesis else { return Some(()) };
        if let Some(measure) = vanishing(hypothesis) {
            for (_, pieces) in self.cell.maxima(Quantity::Measure(measure))? {
                for piece in pieces {
                    let room = -piece.value(self.at);
                    if room.is_negative() {
                        return None;
                    }
                    let row = self.change(&piece.slopes, &BigRational::one());
                    self.rows.push((row, room));
                }
            }
            return Some(());
        }
        let (cell, at) = (self.cell, self.at);
        let value = |quantity| cell.value(quantity, at);
        let (left, right) = (slopes(&hypothesis.left, &value)?, slopes(&hypothesis.right, &value)?);
        let room = &right.value - &left.value;
        let mut signs = vec![];
        if !matches!(hypothesis.relation, Relation::AtLeast | Relation::Above) {
            signs.push(BigRational::one());
        }
        if !matches!(hypothesis.relation, Relation::AtMost | Relation::Below) {
            signs.push(-BigRational::one());
        }
        for sign in signs {
            // sign · (right - left) stays >= 0
            let both = right.slopes.iter().zip(&left.slopes);
            let slopes: Vec<_> = both.map(|(r, l)| (r - l) * &sign).collect();
            let room = &room * &sign;
            if room.is_negative() {
                return None;
            }
            let form = self.form(&slopes, None);
            self.rows.push((negated(&form), room));
        }
        Some(())
    }

    /// The largest value of a form, and the predictions there.
    fn solve(&self, objective: &[(usize, BigRational)]) -> (BigRational, Vec<BigRational>) {
        let rows = self.rows.iter().map(|(form, bound)| self.integral(form, bound)).collect();
        let programme = Programme { gains: self.dense(objective), rows };
        // Where several points are best, the rule decides from which one the search goes on.
        let optimum = programme.maximise(PivotRule::Lowest).expect("all changes are bounded");
        let moved = |(j, value): (usize, &BigRational)| {
            value + &optimum.point[2 * j] - &optimum.point[2 * j + 1]
        };
        (optimum.value, self.at.iter().enumerate().map(moved).collect())
    }

    /// The coefficient of each variable.
    fn dense(&self, form: &[(usize, BigRational)]) -> Vec<BigRational> {
        let mut dense = vec![BigRational::zero(); self.variables];
        form.iter().for_each(|(variable, number)| dense[*variable] += number);
        dense
    }

    /// A row, multiplied so that its coefficients are integers.
    fn integral(
        &self,
        form: &[(usize, BigRational)],
        bound: &BigRational,
    ) -> (Vec<BigInt>, BigRational) {
        let row = self.dense(form);
        let scale = common_denominator(&row);
        let entries = row.iter().map(|number| number.numer() * (&scale / number.denom()));
        (entries.collect(), bound * &scale)
    }
}

fn unit(place: usize, length: usize) -> Vec<BigRational> {
    let one = |j| if j == place { BigRational::one() } else { BigRational::zero() };
    (0..length).map(one).collect()
}

fn negated(form: &[(usize, BigRational)]) -> Form {
    form.iter().map(|(variable, number)| (*variable, -number)).collect()
}

/// The fraction with the smallest denominator at most this far away.
pub(super) fn simplest_within(value: &BigRational, distance: &BigRational) -> BigRational {
    let near = |denominator: u32| {
        let whole = int(denominator);
        (value * &whole).round() / whole
    };
    let close = |near: &BigRational| (near - value).abs() <= *distance;
    (1..=1 << 12).map(near).find(close).unwrap_or_else(|| value.clone())
}

/// Long numbers, rounded down to multiples of 2^-24, which keeps their order.
fn shortened(at: Vec<BigRational>) -> Vec<BigRational> {
    if at.iter().all(|value| value.denom().bits() <= LONGEST) {
        return at;
    }
    let fine = BigInt::one() << 24_u32;
    let round = |value: BigRational| {
        let floor = (value * int(fine.clone())).floor().to_integer();
        BigRational::new(floor, fine.clone())
    };
    at.into_iter().map(round).collect()
}
