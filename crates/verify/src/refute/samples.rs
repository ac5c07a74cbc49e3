//! Longer sequences, alternating ones and others chosen at random; and what is left of one that
//! refutes when all that is not needed is taken away.

use num_rational::BigRational;
use truecal::Watch;

use super::instance::Instance;
use super::simplest::simplest;
use crate::enumeration::Sampler;
use crate::laws::Verdict;
use crate::laws::affordable;
use truecal_check::law::Law;

/// How many sequences are tried, and how long they are at most.
const SEQUENCES: u64 = 300;
const LONGEST: u64 = 200;
/// The lengths of the alternating ones among them, which come first.
const ALTERNATING: [u32; 6] = [8, 12, 24, 48, 96, 200];

/// A sequence where the law fails, as short and simple as it can be made by leaving out rounds and
/// rounding predictions; and how many sequences were judged. Those with averages over too many
/// subsets are passed by.
pub(super) fn sampled(law: &Law, watch: &Watch<'_>) -> (Option<Instance>, u64) {
    let averages = law.quantities().iter().any(|quantity| quantity.is_average());
    let worth = |instance: &Instance| !averages || affordable(&instance.levels());
    let refutes = |instance: &Instance| worth(instance) && instance.judge(law) == Verdict::Fails;
    let mut judged = 0;
    watch.begin("longer sequences", SEQUENCES);
    for number in 0..SEQUENCES {
        if !watch.go_on() {
            return (None, judged);
        }
        let instance = match ALTERNATING.get(number as usize) {
            Some(rounds) => alternating(*rounds),
            None => {
                let forecasts = Sampler::new(number).forecasts(LONGEST);
                Instance::of_levels(&forecasts.levels().expect("small denominators"))
            }
        };
        judged += u64::from(worth(&instance));
        if refutes(&instance) {
            let short = shortened(instance, &refutes, watch);
            let (pattern, values) = short.pattern();
            let simple = simplest(&pattern, &values, 1, &refutes, watch);
            // Rounded, it may be shorter still.
            let found = simple.map_or(short, |simple| shortened(simple, &refutes, watch));
            return (Some(found), judged);
        }
        watch.done(1);
    }
    (None, judged)
}

/// Outcomes that alternate while the predictions rise a little, around 1/2: every level is wrong,
/// and neighbours cancel.
fn alternating(rounds: u32) -> Instance {
    let middle = rounds * (rounds - 1) / 2;
    let prediction = |t: u32| BigRational::new((middle + t).into(), (rounds * rounds).into());
    Instance {
        outcomes: (0..rounds).map(|t| t % 2 == 1).collect(),
        predictions: (0..rounds).map(prediction).collect(),
    }
}

/// Leaves out halves, quarters, … and single rounds, for as long as what is left refutes.
fn shortened(
    mut instance: Instance,
    refutes: &dyn Fn(&Instance) -> bool,
    watch: &Watch<'_>,
) -> Instance {
    let mut length = instance.outcomes.len() / 2;
    while length > 0 && watch.go_on() {
        let (mut from, mut changed) = (0, false);
        while from < instance.outcomes.len() {
            let mut shorter = instance.clone();
            let to = (from + length).min(shorter.outcomes.len());
            shorter.outcomes.drain(from..to);
            shorter.predictions.drain(from..to);
            if !shorter.outcomes.is_empty() && refutes(&shorter) {
                (instance, changed) = (shorter, true);
            } else {
                from += length;
            }
        }
        if !changed {
            length /= 2;
        }
    }
    instance
}
