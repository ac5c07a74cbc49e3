//! The values of the measures on the subsets drawn, as integers.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::levels::{Level, Table};
use crate::measure::Measure;
use crate::measures::{Corner, SmoothWalk, Walk, sm_ce_value, step_ce, u_cal_with, v_cal};
use crate::number::Number;

/// The bits by which UCal is scaled up before it is rounded down. It is a fraction of at least 1 in squared units, so these are significant bits.
const EXTRA_BITS: u32 = 64;

/// Room for one subset after the other.
pub(super) struct Rooms<N: Number> {
    pub kept: Vec<Level<N>>,
    pub rest: Vec<Level<N>>,
    hull: Vec<Corner<N>>,
    smooth: SmoothWalk<N>,
}

impl<N: Number> Rooms<N> {
    pub fn new() -> Self {
        Rooms { kept: Vec::new(), rest: Vec::new(), hull: Vec::new(), smooth: SmoothWalk::new() }
    }

    /// The measure of the subset drawn, in [`scale`]s.
    pub fn of_kept(&mut self, measure: Measure, unit: &N) -> BigInt {
        value(measure, Table::assume_valid(unit, &self.kept), &mut self.hull, &mut self.smooth)
    }

    /// The measure of its complement.
    pub fn of_rest(&mut self, measure: Measure, unit: &N) -> BigInt {
        value(measure, Table::assume_valid(unit, &self.rest), &mut self.hull, &mut self.smooth)
    }
}

/// What an integer value of a subsampled measure stands for.
pub(super) fn scale(measure: Measure, unit: &BigRational) -> BigRational {
    match measure {
        Measure::Ssce => unit.pow(-2),
        Measure::UCalSub => {
            (unit * unit * BigRational::from(BigInt::from(1) << EXTRA_BITS)).recip()
        }
        _ => unit.recip(),
    }
}

fn value<N: Number>(
    measure: Measure,
    levels: Table<'_, N>,
    hull: &mut Vec<Corner<N>>,
    smooth: &mut SmoothWalk<N>,
) -> BigInt {
    match measure {
        Measure::VCalSub => integer(&v_cal(levels).value),
        Measure::UCalSub => {
            let u_cal = u_cal_with(levels, hull);
            let above = (integer(&u_cal.numerator) * integer(levels.unit())) << EXTRA_BITS;
            above / integer(&u_cal.denominator)
        }
        Measure::Ssce => integer(&sm_ce_value(levels, smooth)),
        _ => integer(&step_ce(levels).value),
    }
}

fn integer<N: Number>(number: &N) -> BigInt {
    number.to_rational().to_integer()
}
