//! The quantities that laws speak of, on any table.

use num_rational::BigRational;
use num_traits::{One, Zero};

use truecal::AnyLevels;
use truecal::Levels;
use truecal::measures::subset_cost;
use truecal::rational::int;
use truecal_check::law::{Law, Quantity};

use super::judge::{Verdict, judge};

/// The value of a quantity. The averages over subsets visit all their classes.
///
/// ```
/// use truecal::Forecasts;
/// use truecal_check::law::Quantity;
/// use truecal_verify::laws::value_of;
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

/// What a law is worth at a table.
///
/// ```
/// use truecal::Forecasts;
/// use truecal_verify::laws::{Verdict, judge_at};
/// let levels = Forecasts::from_pairs([(true, "1/2"), (false, "1")])?.levels()?;
/// let tight = Verdict::Holds { equality: true };
/// assert_eq!(judge_at(&"signce <= 3*stepce".parse()?, &levels), tight);
/// assert_eq!(judge_at(&"signce <= 2*stepce".parse()?, &levels), Verdict::Fails);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge_at(law: &Law, levels: &AnyLevels) -> Verdict {
    judge(law, &|quantity| value_of(levels, quantity)).expect("rationals do not overflow")
}

/// The quantities that are sums over rounds or levels; `None` for the measures.
pub(crate) fn sum_of(levels: &Levels<BigRational>, quantity: Quantity) -> Option<BigRational> {
    let table = levels.table();
    let over_rounds = |term: &dyn Fn(&BigRational, &BigRational) -> BigRational| {
        table.rows().iter().fold(BigRational::zero(), |sum, level| {
            let ones = term(&BigRational::one(), &level.value) * int(level.ones);
            let zeros = term(&BigRational::zero(), &level.value) * int(level.count - level.ones);
            sum + ones + zeros
        })
    };
    match quantity {
        Quantity::Measure(_) => None,
        Quantity::Rounds => Some(int(table.rounds())),
        Quantity::Levels => Some(int(table.rows().len())),
        Quantity::Ones => Some(int(table.ones())),
        Quantity::Bias => Some(over_rounds(&|x, p| x - p)),
        Quantity::Variance => Some(over_rounds(&|_, p| p * (BigRational::one() - p))),
        Quantity::Squares => Some(over_rounds(&|x, p| (x - p) * (x - p))),
    }
}

/// The classes of subsets, and what their numbers take, that are worth an average.
const SAMPLED_SUBSETS: u128 = 1 << 15;

/// Whether averages over the subsets of these rounds are worth their time.
pub fn affordable(levels: &AnyLevels) -> bool {
    subset_cost(levels).is_some_and(|cost| cost <= SAMPLED_SUBSETS)
}
