//! The measures of two slices.

use super::ece::{Counts, by_groups};
use crate::any_levels::AnyLevels;
use crate::forecasts::ForecastsError;
use crate::measure::Measure;
use crate::parallel;
use crate::rounding::nearest_f64;
use crate::summary::{Doubles, Outcome, Slices, evaluate_parts, first_bad, same_length};
use crate::tally::mostly_tied;
use crate::witness::Evaluation;

/// An exact value, rounded once.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounded {
    /// The double nearest to the exact value, ties to even.
    pub value: f64,
    /// The exact value and what shows it.
    pub evaluation: Evaluation,
}

impl From<Evaluation> for Rounded {
    fn from(evaluation: Evaluation) -> Self {
        Rounded { value: nearest_f64(&evaluation.value), evaluation }
    }
}

/// From so many rounds on a summary is faster than sorting: it goes through all its buckets several
/// times.
const SUMMARISED: usize = 1 << 17;

/// From so many rounds on hash partitioning is faster than sorting.
const PARTITIONED: usize = 1 << 14;

/// Rounds for which another thread is worth its while.
const SHARE: usize = 1 << 17;

macro_rules! measure_of_slices {
    ($($(#[$doc:meta])* $name:ident = $measure:ident by $way:ident from $many:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// Fails if the slices differ in length, or if a prediction is not in [0, 1] or an outcome
        /// neither 0 nor 1.
        pub fn $name<O: Outcome>(
            outcomes: &[O],
            predictions: &[f64],
        ) -> Result<Rounded, ForecastsError> {
            let way = if outcomes.len() < $many { by_levels } else { $way };
            Ok(way(Measure::$measure, outcomes, predictions)?.into())
        }
    )*
        /// Any measure that has a function of its own here; `None` for the averages over subsets,
        /// which doubles have no faster way to than [`AnyLevels`].
        ///
        /// ```
        /// use truecal::{Measure, float};
        /// let (outcomes, predictions) = ([true, false], [0.5, 1.0]);
        /// let step = float::measure(Measure::StepCe, &outcomes, &predictions);
        /// assert_eq!(step, Some(float::step_ce(&outcomes, &predictions)));
        /// assert_eq!(float::measure(Measure::Ssce, &outcomes, &predictions), None);
        /// ```
        pub fn measure<O: Outcome>(
            measure: Measure,
            outcomes: &[O],
            predictions: &[f64],
        ) -> Option<Result<Rounded, ForecastsError>> {
            match measure {
                $(Measure::$measure => Some($name(outcomes, predictions)),)*
                Measure::StepCeSub | Measure::VCalSub | Measure::UCalSub | Measure::Ssce => None,
            }
        }
    };
}

measure_of_slices! {
    /// The expected calibration error of the distinct predictions
    /// ([`measures::ece`](crate::measures::ece())).
    ece = Ece by without_order from PARTITIONED;
    /// The smooth calibration error ([`measures::sm_ce`](crate::measures::sm_ce)).
    sm_ce = SmCe by by_levels from usize::MAX;
    /// The step calibration error ([`measures::step_ce`](crate::measures::step_ce)).
    step_ce = StepCe by by_summary from SUMMARISED;
    /// The sign variant of the step calibration error
    /// ([`measures::sign_ce`](crate::measures::sign_ce)).
    sign_ce = SignCe by by_summary from SUMMARISED;
    /// The interval calibration error ([`measures::interval_ce`](crate::measures::interval_ce)).
    interval_ce = IntervalCe by by_summary from SUMMARISED;
    /// The V-calibration error ([`measures::v_cal`](crate::measures::v_cal)).
    v_cal = VCal by by_summary from SUMMARISED;
    /// The U-calibration error ([`measures::u_cal`](crate::measures::u_cal)).
    u_cal = UCal by by_summary from SUMMARISED;
    /// The calibration decision loss ([`measures::cdl`](crate::measures::cdl)).
    cdl = Cdl by by_levels from usize::MAX;
}

/// By the table of all levels.
pub(super) fn by_levels<O: Outcome>(
    measure: Measure,
    outcomes: &[O],
    predictions: &[f64],
) -> Result<Evaluation, ForecastsError> {
    Ok(AnyLevels::from_doubles(outcomes, predictions)?.evaluate(measure))
}

/// By a summary, and a look into the buckets that can matter.
pub(super) fn by_summary<O: Outcome>(
    measure: Measure,
    outcomes: &[O],
    predictions: &[f64],
) -> Result<Evaluation, ForecastsError> {
    same_length(outcomes, predictions)?;
    let length = outcomes.len().div_ceil(parallel::threads()).max(SHARE);
    let parts = outcomes.chunks(length).zip(predictions.chunks(length));
    let parts: Vec<_> =
        parts.map(|(outcomes, predictions)| Slices { outcomes, predictions }).collect();
    let evaluations = evaluate_parts::<Doubles, _>(&parts, &[measure])
        .unwrap_or_else(|| Err(first_bad::<Doubles, O>(outcomes, predictions).1))?;
    Ok(evaluations.into_iter().next().expect("one of those that are refined"))
}

/// By telling levels apart without putting them in order; but if many rounds are tied, sorting is
/// faster.
fn without_order<O: Outcome>(
    measure: Measure,
    outcomes: &[O],
    predictions: &[f64],
) -> Result<Evaluation, ForecastsError> {
    let tied = mostly_tied(predictions, |prediction| prediction.to_bits());
    let way = if tied { by_levels } else { by_partition };
    way(measure, outcomes, predictions)
}

/// By hash partitioning.
pub(super) fn by_partition<O: Outcome>(
    measure: Measure,
    outcomes: &[O],
    predictions: &[f64],
) -> Result<Evaluation, ForecastsError> {
    let parts = in_parts(outcomes, predictions, |outcomes, predictions| {
        let mut part = Counts::new();
        match part.update(outcomes, predictions) {
            true => Ok(part),
            false => Err(first_bad::<Doubles, O>(outcomes, predictions).1),
        }
    })?;
    let mut counts = Counts::new();
    parts.iter().for_each(|part| counts.merge(part));
    let (value, witness) = by_groups(&counts, outcomes, predictions);
    Ok(Evaluation { measure, value, witness })
}

/// Does the work on consecutive parts of the slices, each on a thread if there are many rounds; the
/// first error counts.
fn in_parts<O: Outcome, T: Send>(
    outcomes: &[O],
    predictions: &[f64],
    work: impl Fn(&[O], &[f64]) -> Result<T, ForecastsError> + Sync,
) -> Result<Vec<T>, ForecastsError> {
    same_length(outcomes, predictions)?;
    let length = outcomes.len().div_ceil(parallel::threads()).max(SHARE);
    if outcomes.len() <= length {
        return Ok(vec![work(outcomes, predictions)?]);
    }
    let parts = outcomes.chunks(length).zip(predictions.chunks(length)).enumerate().collect();
    let results = parallel::map(parts, |(index, (outcomes, predictions))| {
        work(outcomes, predictions).map_err(|error| error.in_whole(index * length))
    });
    results.into_iter().collect()
}
