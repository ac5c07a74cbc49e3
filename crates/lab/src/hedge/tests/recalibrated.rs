//! Groups, and what holds of all of them together.

use std::num::NonZeroU32;

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

use crate::hedge::{Grouping, HedgeError, HedgeForecaster, Recalibrator};
use truecal::rational::int;
use truecal::{Forecasts, Measure, Prediction, Random};

fn equal_width(groups: u32) -> Grouping {
    Grouping::EqualWidth(NonZeroU32::new(groups).expect("not 0"))
}

fn prediction() -> impl Strategy<Value = Prediction> {
    let text = prop_oneof![
        4 => "0[.][0-9]{1,3}",
        2 => "0[.][0-9]{17,30}",
        1 => prop::sample::select(vec!["0", "1", "1/3", "5e-324", "1e-4000", "2/3", "0.3", "0.7"])
            .prop_map(str::to_owned),
    ];
    text.prop_map(|text| text.parse().expect("a prediction"))
}

/// The least end that is above the prediction belongs to its group.
fn literal_start(groups: u32, prediction: &Prediction) -> BigRational {
    let value = prediction.to_rational();
    let start = |index: u32| int(u64::from(index)) / int(u64::from(groups));
    let index = (0..groups).find(|index| value < start(index + 1)).unwrap_or(groups - 1);
    start(index)
}

proptest! {
    #[test]
    fn groups_start_where_they_should(groups in 1..60_u32, prediction in prediction()) {
        let start = equal_width(groups).start(&prediction);
        prop_assert_eq!(start.to_rational(), literal_start(groups, &prediction));
        prop_assert_eq!(Grouping::Distinct.start(&prediction), prediction);
    }

    /// Each group is forecast as if there were no other; and together they are no worse than the
    /// sum of all, in stepCE and in the ECE over the groups.
    #[test]
    fn groups_know_nothing_of_each_other(
        rounds in prop::collection::vec((prediction(), any::<bool>()), 1..60),
        groups in 1..5_u32,
        seed in 0..20_u64,
    ) {
        let grouping = if groups == 4 { Grouping::Distinct } else { equal_width(groups) };
        let fresh = HedgeForecaster::doubling(None).expect("valid");
        let mut recalibrator = Recalibrator::new(grouping, fresh.clone());
        let mut all = Forecasts::new();
        for (number, (model, outcome)) in (0..).zip(&rounds) {
            let mut alone = fresh.clone();
            for (earlier, (other, outcome)) in (0..number).zip(&rounds) {
                if grouping.start(other) == grouping.start(model) {
                    alone.sample(&mut Random::new(seed, earlier));
                    alone.observe(*outcome).expect("a round");
                }
            }
            let forecast = recalibrator.sample(model, &mut Random::new(seed, number));
            prop_assert_eq!(&forecast, &alone.sample(&mut Random::new(seed, number)));
            recalibrator.observe(model, *outcome).expect("a round");
            all.push(*outcome, forecast).expect("few rounds");
        }
        let whole = all.levels().expect("few bits").evaluate(Measure::StepCe).value;
        let parts: BigRational = recalibrator.groups().map(|(_, group)| group.step_ce()).sum();
        prop_assert!(whole <= parts);
        let mut biases = BigRational::zero();
        for (_, group) in recalibrator.groups() {
            let levels = group.levels().to_rational();
            let table = levels.table();
            let bias: BigRational = table.biases().sum();
            biases += table.rational(&bias).abs();
        }
        prop_assert!(biases <= parts);
        let bounds: BigRational = recalibrator.groups().map(|(_, group)| group.bound()).sum();
        prop_assert_eq!(recalibrator.bound(), bounds);
        let counted: u64 = recalibrator.groups().map(|(_, group)| group.rounds()).sum();
        prop_assert_eq!(counted, rounds.len() as u64);
    }
}

#[test]
fn what_was_not_drawn_is_not_observed() {
    let plan = HedgeForecaster::new(1, 2).expect("valid");
    let mut recalibrator = Recalibrator::new(equal_width(2), plan);
    let observe = |recalibrator: &mut Recalibrator, model| recalibrator.observe(model, true);
    let (low, high) = (&Prediction::ZERO, &Prediction::ONE);
    assert_eq!(observe(&mut recalibrator, low), Err(HedgeError::NothingDrawn));
    recalibrator.sample(low, &mut Random::new(1, 0));
    assert_eq!(observe(&mut recalibrator, high), Err(HedgeError::NothingDrawn));
    assert_eq!(observe(&mut recalibrator, low), Ok(()));
    assert_eq!(observe(&mut recalibrator, low), Err(HedgeError::NothingDrawn));
    recalibrator.sample(low, &mut Random::new(1, 1));
    assert_eq!(observe(&mut recalibrator, low), Err(HedgeError::Over(1)));
}

#[test]
#[should_panic(expected = "played already")]
fn groups_begin_at_the_beginning() {
    let mut played = HedgeForecaster::doubling(None).expect("valid");
    played.sample(&mut Random::new(1, 0));
    Recalibrator::new(Grouping::Distinct, played);
}
