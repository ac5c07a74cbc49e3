//! The values that a table gives to the variables of the aggregated claims, and whether the goals
//! there are the claim.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
pub(super) use truecal::rational::int;

use super::table::Sums;
use crate::laws::value_of;
use truecal::Measure;
use truecal::Witness;
use truecal_check::law::Quantity;

pub(super) type Values = Vec<Vec<BigRational>>;

/// Where a threshold can be: (levels below it, levels up to it), with the threshold, or two places
/// in a gap.
pub(super) fn thresholds_of(sums: &Sums<'_>) -> Vec<(usize, usize, BigRational)> {
    let m = sums.len();
    let mut places = vec![];
    let ends = [vec![BigRational::zero()], sums.values.clone(), vec![BigRational::one()]].concat();
    for j in 0..=m {
        let (low, high) = (&ends[j], &ends[j + 1]);
        if low < high {
            let third = (high - low) / int(3);
            places.extend([low + &third, high - &third].map(|place| (j, j, place)));
            // The ends of [0, 1] can be thresholds although nothing was predicted there.
            if j == 0 {
                places.push((0, 0, low.clone()));
            }
            if j == m {
                places.push((m, m, high.clone()));
            }
        }
    }
    places.extend((0..m).map(|j| (j, j + 1, sums.values[j].clone())));
    places
}

pub(super) fn thresholds(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let biases = &sums.biases;
    let at = |(i, j, _): (usize, usize, _)| {
        vec![biases[i].clone(), &biases[j] - &biases[i], sums.total() - &biases[j], step.clone()]
    };
    thresholds_of(sums).into_iter().map(at).collect()
}

pub(super) fn thresholds_are_sign_ce(sums: &Sums<'_>) -> bool {
    let signed = thresholds(sums).into_iter().map(|at| &at[0] - &at[2]);
    Sums::largest(signed) == sums.measure(Measure::SignCe)
}

/// b, c, x before each round at 0 and at 1, ones first.
pub(super) fn rounds_at_ends(sums: &Sums<'_>) -> Values {
    let (mut at_0, mut at_1) = (int(0), int(0));
    let mut values = vec![];
    for (j, value) in sums.values.iter().enumerate() {
        let (mut ones, mut left) =
            (&sums.ones[j + 1] - &sums.ones[j], &sums.rounds[j + 1] - &sums.rounds[j]);
        while (value.is_zero() || value.is_one()) && left.is_positive() {
            let x = if ones.is_positive() { int(1) } else { int(0) };
            values.push(vec![at_0.clone(), at_1.clone(), x.clone()]);
            if value.is_zero() {
                at_0 += &x
            } else {
                at_1 += &x - int(1)
            }
            (ones, left) = (ones - x, left - int(1));
        }
    }
    values
}

pub(super) fn ends(sums: &Sums<'_>) -> Values {
    let biases = sums.biases.windows(2).map(|pair| &pair[1] - &pair[0]);
    let (mut at_0, mut between, mut at_1) = (int(0), int(0), int(0));
    for (value, bias) in sums.values.iter().zip(biases) {
        match (value.is_zero(), value.is_one()) {
            (true, _) => at_0 += bias,
            (_, true) => at_1 += bias,
            _ => between += bias,
        }
    }
    vec![vec![at_0, between, at_1, sums.measure(Measure::SignCe)]]
}

pub(super) fn ends_are_the_bias(sums: &Sums<'_>) -> bool {
    let total = value_of(sums.levels, Quantity::Bias);
    ends(sums).iter().all(|at| &at[0] + &at[1] + &at[2] == total) && total == sums.total()
}

pub(super) fn prefixes(sums: &Sums<'_>) -> Values {
    let sign = sums.measure(Measure::SignCe);
    let at = |j: usize| vec![sums.biases[j].clone(), sums.total() - &sums.biases[j], sign.clone()];
    (1..sums.len()).map(at).collect()
}

pub(super) fn prefixes_are_step_ce(sums: &Sums<'_>) -> bool {
    let prefixes = prefixes(sums).into_iter().map(|at| at[0].clone());
    let step = sums.measure(Measure::StepCe);
    ends_are_the_bias(sums) && Sums::largest(prefixes.chain([sums.total()])) == step
}

/// B, E, b, e before each level.
pub(super) fn next_levels(sums: &Sums<'_>) -> Values {
    let mut so_far = BigRational::zero();
    let mut values = vec![];
    for pair in sums.biases.windows(2) {
        let bias = &pair[1] - &pair[0];
        values.push(vec![pair[0].clone(), so_far.clone(), bias.clone(), bias.abs()]);
        so_far += bias.abs();
    }
    values
}

pub(super) fn levels_are_ece(sums: &Sums<'_>) -> bool {
    let levels = next_levels(sums);
    let last = levels.last().map_or_else(BigRational::zero, |at| &at[1] + &at[3]);
    let prefixes = levels.iter().map(|at| &at[0] + &at[2]);
    last == sums.measure(Measure::Ece) && Sums::largest(prefixes) == sums.measure(Measure::StepCe)
}

pub(super) fn neighbours(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let at = |pair: &[BigRational]| vec![pair[0].clone(), pair[1].clone(), step.clone()];
    sums.biases[1..].windows(2).map(at).collect()
}

pub(super) fn neighbours_are_ece(sums: &Sums<'_>) -> bool {
    // The first level's bias is a prefix sum.
    let first = sums.biases.get(1).map(|bias| bias.abs());
    let others = neighbours(sums).into_iter().map(|at| (&at[1] - &at[0]).abs());
    first.into_iter().chain(others).sum::<BigRational>() == sums.measure(Measure::Ece)
}

pub(super) fn pairs(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let mut values = vec![];
    for (i, low) in sums.biases.iter().enumerate() {
        let highs = sums.biases[i + 1..].iter();
        values.extend(highs.map(|high| vec![low.clone(), high.clone(), step.clone()]));
    }
    values
}

pub(super) fn pairs_are_interval_ce(sums: &Sums<'_>) -> bool {
    let differences = pairs(sums).into_iter().map(|at| &at[1] - &at[0]);
    Sums::largest(differences) == sums.measure(Measure::IntervalCe)
}

/// C, H, L for each prefix sum; the sum of no levels is 0.
pub(super) fn highest_and_lowest(sums: &Sums<'_>) -> Values {
    let highest = sums.biases.iter().max().cloned().unwrap_or_default();
    let lowest = sums.biases.iter().min().cloned().unwrap_or_default();
    let at = |bias: &BigRational| vec![bias.clone(), highest.clone(), lowest.clone()];
    sums.biases[1..].iter().map(at).collect()
}

/// f, W for each level, with the best function of smCE.
fn parts(sums: &Sums<'_>) -> Vec<(BigRational, BigRational)> {
    let Witness::Lipschitz(witness) = sums.levels.evaluate(Measure::SmCe).witness else {
        return vec![];
    };
    let mut sum = BigRational::zero();
    let mut parts = vec![];
    for (j, prediction) in sums.values.iter().enumerate() {
        let f = witness.at(prediction);
        sum += &f * (&sums.biases[j + 1] - &sums.biases[j]);
        parts.push((f.clone(), &sum - f * &sums.biases[j + 1]));
    }
    parts
}

pub(super) fn next_parts(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let mut values = vec![];
    for (j, pair) in parts(sums).windows(2).enumerate() {
        let (v, next) = (&sums.values[j], &sums.values[j + 1]);
        values.push(vec![
            v - &sums.values[0],
            next - v,
            &pair[1].0 - &pair[0].0,
            sums.biases[j + 1].clone(),
            pair[0].1.clone(),
            step.clone(),
        ]);
    }
    values
}

pub(super) fn last_part(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let m = sums.len();
    let end = |(f, w): &(BigRational, BigRational)| {
        vec![&sums.values[m - 1] - &sums.values[0], f.clone(), sums.total(), w.clone(), step]
    };
    parts(sums).last().map(end).into_iter().collect()
}

/// Each W follows from the one before as the case says, the first is 0, and the last gives smCE.
pub(super) fn parts_are_sm_ce(sums: &Sums<'_>) -> bool {
    let parts = parts(sums);
    let follows = next_parts(sums)
        .iter()
        .zip(parts.windows(2))
        .all(|(at, pair)| pair[1].1 == &at[4] - &at[2] * &at[3]);
    let first = parts.first().is_none_or(|(_, w)| w.is_zero());
    let last = parts.last().map_or_else(BigRational::zero, |(f, w)| f * sums.total() + w);
    follows && first && last == sums.measure(Measure::SmCe)
}

pub(super) fn the_range_is_interval_ce(sums: &Sums<'_>) -> bool {
    let instances = highest_and_lowest(sums);
    let prefixes = instances.iter().map(|at| at[0].clone());
    let interval = sums.measure(Measure::IntervalCe);
    Sums::largest(prefixes) == sums.measure(Measure::StepCe)
        && instances.iter().all(|at| &at[1] - &at[2] == interval)
}
