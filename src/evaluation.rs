//! Values with the evidence for them: the formulas' results, which are in units, as rationals and
//! witnesses.

use num_rational::BigRational;
use num_traits::One;

use crate::any_levels::{AnyLevels, at_any_width};
use crate::levels::{Levels, Table};
use crate::measure::Measure;
use crate::measures::{
    self, Cdl, Corner, Ece, IntervalCe, SignAt, SignCe, SmCe, StepCe, SubsetAverage, UCal, VCal,
};
use crate::number::Number;
use crate::ties::Ties;
use crate::witness::{Approach, Evaluation, Lipschitz, ScoringRule, VShape, Witness};

impl AnyLevels {
    /// The measure and its witness. The subsampled measures can take very long: ask
    /// [`cost`](Self::cost) first.
    ///
    /// ```
    /// use truecal::{Forecasts, Measure};
    /// let levels = Forecasts::from_pairs([(true, "1/2"), (false, "1")])?.levels()?;
    /// assert_eq!(levels.evaluate(Measure::StepCe).value, "1/2".parse()?);
    /// assert_eq!(levels.evaluate(Measure::SignCe).value, "3/2".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self, measure: Measure) -> Evaluation {
        let (value, witness) =
            at_any_width!(&self.0, levels => on_table(self, levels.table(), measure));
        Evaluation { measure, value, witness }
    }

    /// What [`evaluate`](Self::evaluate) costs for a subsampled measure, as classes of subsets and
    /// the width of their numbers ([`meeting_cost`](measures::meeting_cost),
    /// [`v_meeting_cost`](measures::v_meeting_cost), [`subset_cost`](measures::subset_cost)); 0 for
    /// the others, `None` beyond 128 bits.
    pub fn cost(&self, measure: Measure) -> Option<u128> {
        match measure {
            Measure::StepCeSub => measures::meeting_cost(self),
            Measure::VCalSub => measures::v_meeting_cost(self),
            Measure::UCalSub | Measure::Ssce => measures::subset_cost(self),
            Measure::Ece
            | Measure::SmCe
            | Measure::StepCe
            | Measure::SignCe
            | Measure::IntervalCe
            | Measure::VCal
            | Measure::UCal
            | Measure::Cdl => Some(0),
        }
    }
}

/// Value and witness; `levels` is the table of `any`, which the averages over subsets widen.
fn on_table<N: Number>(
    any: &AnyLevels,
    levels: Table<'_, N>,
    measure: Measure,
) -> (BigRational, Witness) {
    let rows = levels.rows();
    let scale =
        Scale { unit: levels.unit(), levels: rows.len(), value: |i: usize| rows[i].value.clone() };
    match measure {
        Measure::Ece => scale.ece(&measures::ece(levels)),
        Measure::StepCe => scale.step_ce(&measures::step_ce(levels)),
        Measure::SignCe => scale.sign_ce(&measures::sign_ce(levels)),
        Measure::IntervalCe => scale.interval_ce(&measures::interval_ce(levels)),
        Measure::VCal => scale.v_cal(&measures::v_cal(levels)),
        Measure::UCal => scale.u_cal(&measures::u_cal(levels)),
        Measure::Cdl => scale.cdl(&measures::cdl(levels)),
        Measure::SmCe => scale.sm_ce(&measures::sm_ce(levels)),
        Measure::StepCeSub => averaged(measures::step_ce_sub(any)),
        Measure::VCalSub => averaged(measures::v_cal_sub(any)),
        Measure::UCalSub => averaged(measures::u_cal_sub(any)),
        Measure::Ssce => averaged(measures::ssce(any)),
    }
}

fn averaged(average: SubsetAverage) -> (BigRational, Witness) {
    (average.value, Witness::Subsets { classes: average.classes })
}

/// Turns results in units into rationals and witnesses: the unit, the number of levels, and their
/// predictions.
pub(crate) struct Scale<'a, N, F: Fn(usize) -> N> {
    pub unit: &'a N,
    pub levels: usize,
    pub value: F,
}

impl<N: Number, F: Fn(usize) -> N> Scale<'_, N, F> {
    fn rational(&self, number: &N) -> BigRational {
        number.to_rational() / self.unit.to_rational()
    }

    fn at(&self, index: usize) -> BigRational {
        self.rational(&(self.value)(index))
    }

    pub fn ece(&self, ece: &Ece<N>) -> (BigRational, Witness) {
        let (under, over) = (self.rational(&ece.under), self.rational(&ece.over));
        (self.rational(&ece.value), Witness::Signs { under, over })
    }

    pub fn step_ce(&self, step: &StepCe<N>) -> (BigRational, Witness) {
        let alpha = step.level.map_or_else(BigRational::zero, |index| self.at(index));
        let bias = self.rational(&step.bias);
        (self.rational(&step.value), Witness::Threshold { alpha, bias })
    }

    pub fn sign_ce(&self, sign: &SignCe<N>) -> (BigRational, Witness) {
        let alpha = match sign.place {
            SignAt::Level(index) => self.at(index),
            SignAt::Gap(0) => BigRational::zero(),
            SignAt::Gap(index) if index == self.levels => BigRational::one(),
            SignAt::Gap(index) => {
                (self.at(index - 1) + self.at(index)) / BigRational::from_count(2)
            }
        };
        (self.rational(&sign.value), Witness::Sign { alpha, sum: self.rational(&sign.sum) })
    }

    pub fn interval_ce(&self, interval: &IntervalCe<N>) -> (BigRational, Witness) {
        // Without bias in any interval, [0, 1] shows it as well as another.
        let whole = (BigRational::zero(), BigRational::one());
        let ends = |(first, last)| (self.at(first), self.at(last));
        let (low, high) = interval.levels.map_or(whole, ends);
        let bias = self.rational(&interval.bias);
        (self.rational(&interval.value), Witness::Interval { low, high, bias })
    }

    pub fn v_cal(&self, v_cal: &VCal<N>) -> (BigRational, Witness) {
        let (alpha, approach) = match v_cal.limit {
            None => (BigRational::zero(), Approach::At),
            Some((index, Ties::Below)) => (self.at(index), Approach::FromAbove),
            Some((index, Ties::Above)) => (self.at(index), Approach::FromBelow),
        };
        (self.rational(&v_cal.value), Witness::Limit { alpha, approach })
    }

    pub fn u_cal(&self, u_cal: &UCal<N>) -> (BigRational, Witness) {
        let scale = u_cal.denominator.to_rational() * self.unit.to_rational();
        let value = u_cal.numerator.to_rational() / scale;
        let (rule, line) = self.rule_and_line(&u_cal.left, &u_cal.right);
        (value, Witness::Rule { rule, line })
    }

    pub fn cdl(&self, cdl: &Cdl<N>) -> (BigRational, Witness) {
        let scale = cdl.denominator.to_rational() * self.unit.to_rational();
        let (rule, line) = self.rule_and_line(&cdl.left, &cdl.right);
        (cdl.numerator.to_rational() / scale, Witness::Rule { rule, line })
    }

    pub fn sm_ce(&self, smooth: &SmCe<N>) -> (BigRational, Witness) {
        let value = smooth.value.to_rational() / self.unit.to_rational().pow(2);
        let integer = |number: &N| number.to_rational().to_integer();
        let at_levels = |numbers: &[(usize, N)]| {
            let pair =
                |(index, number): &(usize, N)| (integer(&(self.value)(*index)), integer(number));
            numbers.iter().map(pair).collect()
        };
        let witness = Lipschitz {
            unit: integer(self.unit),
            function: at_levels(&smooth.function),
            residuals: at_levels(&smooth.residuals),
        };
        (value, Witness::Lipschitz(witness))
    }

    /// The mixture on the two ends of the edge over 1/2, with mass 2 and mean 1/2, and the edge's
    /// line.
    fn rule_and_line(
        &self,
        left: &Corner<N>,
        right: &Corner<N>,
    ) -> (ScoringRule, (BigRational, BigRational)) {
        let [a, b] = [left, right].map(|corner| self.rational(&corner.alpha));
        let [height_a, height_b] = [left, right].map(|corner| self.rational(&corner.height));
        let (one, two) = (BigRational::one(), BigRational::from_count(2));
        let width = &b - &a;
        let part = |alpha: &BigRational, weight: BigRational, ties| VShape {
            alpha: alpha.clone(),
            weight,
            ties,
        };
        let mut parts = vec![
            part(&a, (&two * &b - &one) / &width, left.ties),
            part(&b, (&one - &two * &a) / &width, right.ties),
        ];
        parts.retain(|part| part.weight != BigRational::zero());
        let slope = (&height_b - &height_a) / &width;
        let at_zero = &height_a - &slope * &a;
        let at_one = &at_zero + &slope;
        (ScoringRule { parts }, (at_zero, at_one))
    }
}

impl Lipschitz {
    /// The flow from each level to the next, of the table that this is the witness of.
    pub fn flow(&self, levels: &Levels<BigRational>) -> Vec<BigRational> {
        let mut residuals = self.residuals.iter().peekable();
        let mut flow = <BigRational as Number>::zero();
        let mut flows = vec![];
        for (level, bias) in levels.table().rows().iter().zip(levels.table().biases()) {
            flow += bias;
            if let Some((_, stays)) =
                residuals.next_if(|(place, _)| self.rational(place) == level.value)
            {
                flow -= self.rational(stays);
            }
            flows.push(flow.clone());
        }
        flows.pop(); // out of the last level
        flows
    }
}
