//! What a summary alone says about a measure.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::Signed;

use super::averages::Averages;
use super::certain::Bounds;
use super::select::Walk;
use super::stretches::{Cells, Keyed, Stretch, Stretches};
use super::{Keys, Summary, at_width};
use crate::any_levels::AnyLevels;
use crate::levels::{Level, Levels};
use crate::measure::Measure;
use crate::measures::{Amount, Corner, Rounds, UScan, cdl_between, sm_ce};
use crate::number::Number;
use crate::ties::Ties;

impl<K: Keys> Summary<K> {
    /// Certain bounds on a measure, from the summary alone; `None` for the subsampled measures.
    ///
    /// They are equal if no bucket has more than one level, and close if the measure is large
    /// compared with the rounds of a bucket.
    pub fn bounds(&self, measure: Measure) -> Option<Bounds> {
        let scale = self.scale();
        measure.subsampled_from().is_none().then(|| {
            at_width!(self.rounds, &K::unit(scale), N => {
                Stretches::<N, Keyed<K>>::new(self, &self.cells(), scale).bounds(measure)
            })
        })
    }
}

impl<N: Number, C: Cells<N>> Stretches<N, C> {
    /// Certain bounds on a measure.
    pub(crate) fn bounds(&self, measure: Measure) -> Bounds {
        let rational = |number: &N| number.to_rational() / self.unit.to_rational();
        let both =
            |(lower, upper): (N, N)| Bounds { lower: rational(&lower), upper: rational(&upper) };
        match measure {
            Measure::StepCe => both(self.walk_bounds(Walk::Step)),
            Measure::SignCe => both(self.walk_bounds(Walk::Sign)),
            Measure::IntervalCe => both(self.walk_bounds(Walk::Interval)),
            Measure::Ece => both(self.ece_bounds()),
            Measure::VCal => both(self.v_cal_bounds()),
            Measure::UCal => self.u_cal_bounds(),
            Measure::SmCe => self.smooth_bounds(),
            Measure::Cdl => self.cdl_bounds(),
            Measure::StepCeSub => Averages::over(self).step_ce(self.bounds(Measure::StepCe)),
            Measure::VCalSub => {
                let interval_ce = self.bounds(Measure::IntervalCe);
                Averages::over(self).v_cal(self.bounds(Measure::VCal), interval_ce)
            }
            Measure::UCalSub => {
                let v_cal_sub = self.bounds(Measure::VCalSub);
                Averages::over(self).u_cal(self.bounds(Measure::UCal), v_cal_sub)
            }
            Measure::Ssce => Averages::over(self).smooth(self.bounds(Measure::SmCe)),
        }
    }

    /// Levels put together can only cancel; and no more than all that rises and all that falls.
    fn ece_bounds(&self) -> (N, N) {
        let (mut lower, mut upper) = (N::zero(), N::zero());
        for piece in self.pieces() {
            lower += &piece.bias.clone().max(-piece.most()).max(N::zero());
            upper += &piece.mass(&self.unit);
        }
        (lower, upper)
    }

    fn v_cal_bounds(&self) -> (N, N) {
        let mut lower = N::zero();
        self.certain_corners(|corner| lower = lower.clone().max(corner.height));
        let buckets = self.ceilings().filter(|(piece, _)| piece.closed);
        let upper =
            buckets.fold(lower.clone(), |upper, (_, ceiling)| upper.max(ceiling.largest().clone()));
        (lower.clone() + &lower, upper.clone() + &upper)
    }

    fn u_cal_bounds(&self) -> Bounds {
        let value = |u_cal: crate::measures::UCal<N>| {
            u_cal.numerator.to_rational()
                / (u_cal.denominator.to_rational() * self.unit.to_rational())
        };
        let mut hull = Vec::new();
        let mut scan = UScan::new(self.sides(), &self.unit, &mut hull);
        for (piece, ceiling) in self.ceilings() {
            let corner = |alpha: &N, [below, above]: [N; 2]| Corner {
                alpha: alpha.clone(),
                height: below.max(above),
                ties: Ties::Below,
            };
            match piece.closed {
                false => scan.take(&piece.to_level()),
                true => {
                    scan.corner(corner(&piece.low, ceiling.low));
                    scan.corner(corner(&piece.high, ceiling.high));
                    scan.sides.pass_rounds(piece.count, piece.ones, &self.unit);
                }
            }
        }
        Bounds { lower: value(self.majorant()), upper: value(scan.into_result()) }
    }

    fn cdl_bounds(&self) -> Bounds {
        let rounds = |Stretch { low, high, count, ones, closed, .. }| Rounds {
            low,
            high,
            count,
            ones,
            level: !closed,
        };
        let all: Vec<Rounds<N>> = self.pieces().map(rounds).collect();
        let [lower, upper] = cdl_between(&all, &self.unit)
            .map(|cdl| Amount::<N>::Ratio(cdl.numerator, cdl.denominator).to_rational(&self.unit));
        Bounds { lower, upper }
    }

    /// The predictions of each bucket moved to one near their mean. A round then changes Σ f(p)(x -
    /// p) by at most |x - p| times the width of its bucket, as f is 1-Lipschitz, and the bias of a
    /// bucket by what rounding the mean does, and by what the mean is not known, which f weighs by
    /// at most 1.
    fn smooth_bounds(&self) -> Bounds {
        let integer = |number: &N| number.to_rational().to_integer();
        let unit = integer(&self.unit);
        let nothing = <BigRational as Number>::zero();
        let mut slack = nothing.clone(); // in units
        let row = |piece: Stretch<N>| {
            let biases = [integer(&piece.bias), integer(&piece.most())];
            let [most, least] = biases.each_ref().map(|bias| &unit * piece.ones - bias);
            let value = (most + least).div_floor(&(BigInt::from(piece.count) * 2));
            let level = Level { value, count: piece.count, ones: piece.ones };
            if piece.closed {
                let width = integer(&(piece.high.clone() - &piece.low));
                let moved =
                    BigRational::new(width * integer(&piece.mass(&self.unit)), unit.clone());
                let bias = level.bias(&unit);
                let off = biases.map(|end| (end - &bias).abs()).into_iter().max();
                slack = &slack + moved + BigRational::from(off.expect("two ends"));
            }
            level
        };
        let rows: Vec<Level<BigInt>> = self.pieces().map(row).collect();
        let levels = Levels::new(unit.clone(), rows).expect("means of different buckets ascend");
        let narrow = AnyLevels::from(levels).with_spare_bits(0);
        let value = crate::any_levels::at_any_width!(&narrow.0, levels => {
            sm_ce(levels.table()).value.to_rational() / levels.table().unit().to_rational().pow(2)
        });
        let slack = slack / BigRational::from(unit);
        let lower = (&value - &slack).max(nothing);
        Bounds { lower, upper: value + slack }
    }
}

impl<N: Number> Stretch<N> {
    /// Σ |x - p| of a bucket at most; for a level its own |bias|, beyond which it cannot count.
    fn mass(&self, unit: &N) -> N {
        match self.closed {
            false => self.bias.magnitude(),
            true => self.both(unit),
        }
    }
}
