//! What the measures are: complete, sound, decision-theoretic, truthful (L314-376), with numbers
//! for each answer.
//!
//! No measure can be complete, decision-theoretic and truthful on every nature
//! (prop:completedecisionlowerbound, L627). Each answer here is a computation that would come out
//! differently if the measure were different; that it stands for all T is left to the rows of the
//! registry. The lines between yes and no (growth by 15 %, measure/UCal of 1/20) and the numbers of
//! rounds were chosen when the numbers were known: this illustrates, and proves nothing.

use num_rational::BigRational;
use num_traits::{One, Zero};
use truecal::rational::{int, ratio as r};

use truecal::AnyLevels;
use truecal::Forecasts;
use truecal::Measure;
use truecal::Prediction;
use truecal::grid::grid_tables;
use truecal_lab::Constant;
use truecal_lab::constructions::Construction;
use truecal_lab::natures::{fair, p};
use truecal_lab::penalty::{Effort, penalty};

/// What is asked of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Property {
    /// 0 for certain and right forecasts, at most √T for calibrated ones, and o(T) for coins that
    /// are predicted 1/2.
    Complete,
    /// Ω(T) for forecasts that are certain and wrong, and for coins that are predicted 1/4.
    Sound,
    /// At least a constant times UCal.
    DecisionTheoretic,
    /// On independent rounds, honesty is the best policy up to a constant factor.
    TruthfulOnProducts,
    /// The same on every nature.
    Truthful,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 5] = [
        Property::Complete,
        Property::Sound,
        Property::DecisionTheoretic,
        Property::TruthfulOnProducts,
        Property::Truthful,
    ];

    /// The name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Property::Complete => "complete",
            Property::Sound => "sound",
            Property::DecisionTheoretic => "decision-theoretic",
            Property::TruthfulOnProducts => "truthful on products",
            Property::Truthful => "truthful",
        }
    }
}

/// An answer, and the number that it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyAnswer {
    /// Whether the measure has the property, as far as this shows.
    pub yes: bool,
    /// The number.
    pub number: BigRational,
    /// What it is.
    pub what: &'static str,
}

/// The answer for a measure. None if something is not computed exactly, which does not happen.
pub fn answer(measure: Measure, property: Property) -> Option<PropertyAnswer> {
    match property {
        Property::Complete => complete(measure),
        Property::Sound => sound(measure),
        Property::DecisionTheoretic => Some(decision_theoretic(measure)),
        Property::TruthfulOnProducts => {
            let growth = [("patch-up", 16, 64), ("hedging", 6, 18)]
                .map(|(name, few, many)| growth(name, measure, few, many));
            let [one, other] = growth;
            Some(by_growth(
                one?.max(other?),
                "growth of truthful/strategic: patch-up from T = 16 to 64, hedging from 6 to 18",
            ))
        }
        Property::Truthful => {
            let on_products = answer(measure, Property::TruthfulOnProducts)?;
            let search = by_growth(
                growth("binary-search", measure, 2, 8)?,
                "growth of truthful/strategic: binary search from T = 2 to 8",
            );
            Some(if on_products.yes { search } else { on_products })
        }
    }
}

/// The value at levels of (prediction, rounds, ones).
fn value(measure: Measure, levels: &[(Prediction, u64, u64)]) -> BigRational {
    let mut forecasts = Forecasts::new();
    for (prediction, count, ones) in levels {
        forecasts.push_level(prediction.clone(), *count, *ones).expect("few rounds");
    }
    forecasts.levels().expect("small denominators").evaluate(measure).value
}

/// E measure of T fair coins that are predicted alike.
fn coins(measure: Measure, count: u64, prediction: Prediction) -> Option<BigRational> {
    penalty(&fair(count), &Constant(prediction), measure, &Effort::default()).ok()?.exact().cloned()
}

/// The number is E measure of 64 fair coins over that of 16: 2 for √T, 4 for T.
fn complete(measure: Measure) -> Option<PropertyAnswer> {
    let right = (0..=6_u64).all(|ones| {
        let levels = [(Prediction::ZERO, 6 - ones, 0), (Prediction::ONE, ones, ones)];
        value(measure, &levels).is_zero()
    });
    let calibrated = (1..=4).all(|count| {
        grid_tables(count, 4).filter(|table| table.table().biases().all(|bias| bias == 0)).all(
            |table| {
                let value = AnyLevels::from(table).evaluate(measure).value;
                &value * &value <= int(count)
            },
        )
    });
    let number = coins(measure, 64, p(1, 2))? / coins(measure, 16, p(1, 2))?;
    Some(PropertyAnswer {
        yes: right && calibrated && number < r(3, 1),
        number,
        what: "64 fair coins predicted 1/2, against 16",
    })
}

/// The number is the least measure of wrong certainties, over T, for T = 12.
fn sound(measure: Measure) -> Option<PropertyAnswer> {
    let wrong = |ones: u64| {
        let levels = [(Prediction::ZERO, ones, ones), (Prediction::ONE, 12 - ones, 0)];
        value(measure, &levels) / int(12)
    };
    let number = (0..=12).map(wrong).min()?;
    let biased = coins(measure, 64, p(1, 4))? / coins(measure, 16, p(1, 4))?;
    Some(PropertyAnswer {
        yes: number >= r(1, 12) && biased > r(3, 1),
        number,
        what: "least measure of wrong certainties over T, T = 12",
    })
}

/// The number is the least measure/UCal: of all tables of up to three rounds on eighths, and of 128
/// ones at 1/2 - 1/64 with 128 zeros at 1/2 + 1/64.
fn decision_theoretic(measure: Measure) -> PropertyAnswer {
    let ratio = |levels: &AnyLevels| {
        let u_cal = levels.evaluate(Measure::UCal).value;
        (!u_cal.is_zero()).then(|| levels.evaluate(measure).value / u_cal)
    };
    let tables = (1..=3).flat_map(|count| grid_tables(count, 8)).map(AnyLevels::from);
    let least = tables.filter_map(|levels| ratio(&levels)).min();
    let near_half = [(p(31, 64), 128, 128), (p(33, 64), 128, 0)];
    let jump = value(measure, &near_half) / value(Measure::UCal, &near_half);
    let number = least.map_or_else(|| jump.clone(), |least| least.min(jump.clone()));
    PropertyAnswer { yes: number > r(1, 20), number, what: "least measure/UCal" }
}

/// (truthful/strategic with many rounds) / (the same with few)
fn growth(name: &str, measure: Measure, few: u64, many: u64) -> Option<BigRational> {
    let construction = Construction::named(name).expect("one of the list");
    let ratio = |count: u64| {
        let duel =
            construction.compare(count, measure, &Effort::default(), &truecal::Watch::silent());
        let [one, other] = duel.penalties;
        Some(one.exact()? / other.exact()?)
    };
    Some(ratio(many)? / ratio(few)?)
}

/// Constant factors do not grow with T.
fn by_growth(number: BigRational, what: &'static str) -> PropertyAnswer {
    PropertyAnswer { yes: number < BigRational::one() + r(3, 20), number, what }
}
