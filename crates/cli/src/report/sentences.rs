//! Witnesses as sentences that a person can act on.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::rounding::three_digits_of;
use super::{Source, class_count};
use truecal::rational::int;
use truecal::{Approach, Evaluation, Lipschitz, Measure, ScoringRule, Witness};

/// A number for people.
pub(super) type Number<'a> = &'a dyn Fn(&BigRational) -> String;

/// Where a value comes from.
pub(super) fn sentence(found: &Evaluation, source: &Source<'_>, number: Number<'_>) -> String {
    let total = |amount: &BigRational| number(&source.total(amount));
    match &found.witness {
        Witness::Signs { under, over } => {
            format!(
                "values that were too low by {}, others too high by {}",
                total(under),
                total(over)
            )
        }
        Witness::Threshold { alpha, bias } => {
            let which = format!("forecasts up to {}", number(alpha));
            missed(&which, bias, source.between(&int(0), alpha), source, number)
        }
        Witness::Interval { low, high, bias } => {
            let which = match low == high {
                true => format!("forecasts of {}", number(low)),
                false => format!("forecasts from {} to {}", number(low), number(high)),
            };
            missed(&which, bias, source.between(low, high), source, number)
        }
        Witness::Sign { alpha, sum } => extremity(alpha, &source.total(sum), number),
        Witness::Limit { alpha, approach } => threshold(alpha, approach, source, number),
        Witness::Rule { rule, .. } => scored(found, rule, source, number),
        Witness::Lipschitz(lipschitz) => weighted(lipschitz, number),
        Witness::Subsets { classes } => {
            let (rounds, classes) = (source.rounds(), class_count(*classes));
            format!("average over 2^{rounds} subsets in {classes} classes")
        }
    }
}

/// `forecasts up to 0.75 were too low by 11.9 points on average over 9 rounds`
fn missed(
    which: &str,
    bias: &BigRational,
    rounds: Option<u64>,
    source: &Source<'_>,
    number: Number<'_>,
) -> String {
    let side = if bias.is_negative() { "high" } else { "low" };
    if bias.is_zero() {
        return "right on average wherever forecasts are added up".to_owned();
    }
    match rounds.filter(|rounds| *rounds > 0) {
        Some(count) => {
            let points = three_digits_of(&(bias.abs() * int(100) / int(count)));
            let over = match (source.is_weighted(), count) {
                (true, _) => format!("a weight of {}", number(&source.total(&int(count)))),
                (false, 1) => "1 round".to_owned(),
                (false, _) => format!("{count} rounds"),
            };
            format!("{which} were too {side} by {points} points on average over {over}")
        }
        None => {
            format!("{which} were too {side}, by {} in all", number(&source.total(&bias.abs())))
        }
    }
}

/// What the sign variant says: forecasts too near to 0 and 1, or too far from them.
fn extremity(alpha: &BigRational, sum: &BigRational, number: Number<'_>) -> String {
    let amount = number(&sum.abs());
    let (name, below, above) = match sum {
        sum if sum.is_zero() => {
            return "forecasts below and above any threshold balance".to_owned();
        }
        sum if sum.is_positive() => ("over-confident", "low", "high"),
        _ => ("under-confident", "high", "low"),
    };
    format!(
        "{name} around {}: below it too {below}, above it too {above}, by {amount} together",
        number(alpha)
    )
}

/// The regret of a decision maker with a threshold.
fn threshold(
    alpha: &BigRational,
    approach: &Approach,
    source: &Source<'_>,
    number: Number<'_>,
) -> String {
    let side = match approach {
        Approach::At => {
            return "whoever acts above a threshold does no worse than by always doing the same"
                .to_owned();
        }
        Approach::FromAbove => "just above",
        Approach::FromBelow => "just below",
    };
    // Acting pays if the event is more probable than the threshold.
    let rate = source.per_round(&int(source.ones()));
    let acts = match approach {
        Approach::FromBelow => rate >= *alpha,
        Approach::At | Approach::FromAbove => rate > *alpha,
    };
    let constant = if acts { "always acting" } else { "never acting" };
    format!("whoever acts above a threshold {side} {} does worse than {constant}", number(alpha))
}

/// The scoring rule on which a constant forecast, or one that is corrected, would do better.
fn scored(
    found: &Evaluation,
    rule: &ScoringRule,
    source: &Source<'_>,
    number: Number<'_>,
) -> String {
    let constant = found.measure == Measure::UCal;
    if found.value.is_zero() {
        return match constant {
            true => "no user would do better with one constant forecast (which is not the same as \
                being calibrated)"
                .to_owned(),
            false => "no user would do better by correcting the forecasts".to_owned(),
        };
    }
    let part =
        |part: &truecal::VShape| format!("{} x V at {}", number(&part.weight), number(&part.alpha));
    let rule = rule.parts.iter().map(part).collect::<Vec<_>>().join(" + ");
    match constant {
        true => {
            let rate = source.per_round(&int(source.ones()));
            format!("always forecasting {} would score better under {rule}", number(&rate))
        }
        false => format!("correcting each forecast would score better under {rule}"),
    }
}

/// The function that gathers most bias.
fn weighted(lipschitz: &Lipschitz, number: Number<'_>) -> String {
    let at = |(prediction, value): &(_, _)| {
        let [value, place] = [value, prediction].map(|amount| lipschitz.rational(amount));
        format!("{} at {}", number(&value), number(&place))
    };
    match lipschitz.function.as_slice() {
        [] => "any weights".to_owned(),
        [only] => format!("biases weighted by {}", at(only)),
        [first, .., last] => format!("biases weighted from {} to {}", at(first), at(last)),
    }
}
