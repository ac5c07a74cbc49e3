//! The quantities that laws speak of, on any table.

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::any_levels::AnyLevels;
use crate::law::Quantity;
use crate::levels::Levels;

/// The value of a quantity. The averages over subsets visit all their classes.
///
/// ```
/// use truecal::{Forecasts, evidence::value_of, law::Quantity};
/// let levels = Forecasts::from_pairs([(true, "1/2"), (false, "1")])?.levels()?;
/// assert_eq!(value_of(&levels, Quantity::Squares), "5/4".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn value_of(levels: &AnyLevels, quantity: Quantity) -> BigRational {
    match quantity {
        Quantity::Measure(measure) => levels.evaluate(measure).value,
        sum => sum_of(&levels.to_rational(), sum).expect("what is not a measure is a sum"),
    }
}

/// The quantities that are sums over rounds or levels; `None` for the measures.
pub(super) fn sum_of(levels: &Levels<BigRational>, quantity: Quantity) -> Option<BigRational> {
    let table = levels.table();
    let whole = |number: u64| BigRational::from_integer(number.into());
    let over_rounds = |term: &dyn Fn(&BigRational, &BigRational) -> BigRational| {
        table.rows().iter().fold(BigRational::zero(), |sum, level| {
            let ones = term(&BigRational::one(), &level.value) * whole(level.ones);
            let zeros = term(&BigRational::zero(), &level.value) * whole(level.count - level.ones);
            sum + ones + zeros
        })
    };
    match quantity {
        Quantity::Measure(_) => None,
        Quantity::Rounds => Some(whole(table.rounds())),
        Quantity::Levels => Some(whole(table.rows().len() as u64)),
        Quantity::Ones => Some(whole(table.ones())),
        Quantity::Bias => Some(over_rounds(&|x, p| x - p)),
        Quantity::Variance => Some(over_rounds(&|_, p| p * (BigRational::one() - p))),
        Quantity::Squares => Some(over_rounds(&|x, p| (x - p) * (x - p))),
    }
}
