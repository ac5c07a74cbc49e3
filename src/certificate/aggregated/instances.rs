//! The values that a table gives to the variables of the aggregated claims, and whether the goals there are the claim.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::table::Sums;
use crate::levels::{Level, Levels};
use crate::measure::Measure;
use crate::measures;
use crate::witness::Witness;

type Values = Vec<Vec<BigRational>>;

fn int(number: i64) -> BigRational {
    BigRational::from_integer(number.into())
}

/// Where a threshold can be: (levels below it, levels up to it), with the threshold, or two places in a gap.
fn thresholds_of(sums: &Sums<'_>) -> Vec<(usize, usize, BigRational)> {
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
    ends(sums).iter().all(|at| &at[0] + &at[1] + &at[2] == sums.total())
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

pub(super) fn all_rounds(sums: &Sums<'_>) -> Values {
    vec![vec![sums.total(), sums.measure(Measure::StepCe)]]
}

/// Σ n_i v_i over the first j levels: ones minus bias.
fn predictions(sums: &Sums<'_>, j: usize) -> BigRational {
    &sums.ones[j] - &sums.biases[j]
}

/// a, N, X, P, S for the levels up to a prediction, with it and without.
pub(super) fn up_to(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let mut values = vec![];
    for (at, value) in sums.values.iter().enumerate() {
        for j in [at, at + 1] {
            let (rounds, ones) = (sums.rounds[j].clone(), sums.ones[j].clone());
            values.push(vec![value.clone(), rounds, ones, predictions(sums, j), step.clone()]);
        }
    }
    values
}

/// a, N, X, P, C, S for the levels from a prediction on, with it and without.
pub(super) fn from(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let m = sums.len();
    let mut values = vec![];
    for (at, value) in sums.values.iter().enumerate() {
        for j in [at, at + 1] {
            values.push(vec![
                value.clone(),
                &sums.rounds[m] - &sums.rounds[j],
                &sums.ones[m] - &sums.ones[j],
                predictions(sums, m) - predictions(sums, j),
                sums.total(),
                step.clone(),
            ]);
        }
    }
    values
}

/// a, N, X, P, S below every kind of threshold, and as a prediction is approached from above.
pub(super) fn below_thresholds(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let at = |(i, _, a): (usize, usize, BigRational)| {
        let (rounds, ones) = (sums.rounds[i].clone(), sums.ones[i].clone());
        vec![a, rounds, ones, predictions(sums, i), step.clone()]
    };
    thresholds_of(sums).into_iter().map(at).chain(up_to(sums)).collect()
}

/// a, N, X, P, C, M, S above every kind of threshold, and as a prediction is approached from below.
pub(super) fn above_thresholds(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let m = sums.len();
    let at = |(j, a): (usize, BigRational)| {
        let larger = sums.total().abs().max(sums.biases[j].abs());
        vec![
            a,
            &sums.rounds[m] - &sums.rounds[j],
            &sums.ones[m] - &sums.ones[j],
            predictions(sums, m) - predictions(sums, j),
            sums.total(),
            larger,
            step.clone(),
        ]
    };
    let at_thresholds = thresholds_of(sums).into_iter().map(|(_, j, a)| (j, a));
    at_thresholds.chain(sums.values.iter().cloned().enumerate()).map(at).collect()
}

/// g at the predictions from both sides.
fn values_of_g(sums: &Sums<'_>) -> Vec<BigRational> {
    let below = up_to(sums).into_iter().map(|at| &at[2] - &at[0] * &at[1]);
    let above = from(sums).into_iter().map(|at| &at[0] * &at[1] - &at[2]);
    below.chain(above).collect()
}

pub(super) fn limits_are_v_cal(sums: &Sums<'_>) -> bool {
    let largest = values_of_g(sums).into_iter().fold(BigRational::zero(), BigRational::max);
    int(2) * largest == sums.measure(Measure::VCal)
}

pub(super) fn sides(sums: &Sums<'_>) -> Values {
    let v_cal = sums.measure(Measure::VCal);
    values_of_g(sums).into_iter().map(|g| vec![g, v_cal.clone()]).collect()
}

pub(super) fn level_line_is_over_g(sums: &Sums<'_>) -> bool {
    let height = int(2) * sums.measure(Measure::StepCe);
    values_of_g(sums).iter().all(|g| *g <= height) && steps_are_u_cal(sums)
}

pub(super) fn distances(sums: &Sums<'_>) -> Values {
    let mut values = vec![];
    for kink in &sums.values {
        values.extend(sums.values.iter().map(|other| vec![kink.clone(), (other - kink).abs()]));
    }
    values
}

/// a, N, X, M, Z, K, Y, F, G, H, C, D, P, Q at every kind of threshold.
pub(super) fn regrets(sums: &Sums<'_>) -> Values {
    let m = sums.len();
    let part =
        |i: usize, j: usize| (&sums.rounds[j] - &sums.rounds[i], &sums.ones[j] - &sums.ones[i]);
    let at = |(i, j, a): (usize, usize, BigRational)| {
        let [(n, x), (o, z), (k, y)] = [part(0, i), part(i, j), part(j, m)];
        let rule = &a * &k - &y - &a * &n + &x;
        let all = &a * (&n + &o + &k) - &x - &z - &y;
        let (f, g) = (&rule - &all, &rule + &all);
        let low = |n: &BigRational, x: &BigRational| int(2) * (x - &a * n);
        let limits =
            [low(&n, &x), low(&(&n + &o), &(&x + &z)), -low(&(&k + &o), &(&y + &z)), -low(&k, &y)];
        [vec![a.clone(), n, x, o, z, k, y, f, g, rule], limits.to_vec()].concat()
    };
    thresholds_of(sums).into_iter().map(at).collect()
}

/// VCal is the largest limit, and no regret exceeds it.
pub(super) fn regrets_are_v_cal(sums: &Sums<'_>) -> bool {
    let v_cal = sums.measure(Measure::VCal);
    let within = regrets(sums).iter().all(|at| at[7..10].iter().all(|regret| *regret <= v_cal));
    within && limits_are_v_cal(sums)
}

/// UCal's best rule as steps: neighbours q < r among the predictions and the mean, with D and E.
fn steps(sums: &Sums<'_>) -> Vec<[BigRational; 4]> {
    let Witness::Rule { rule, .. } = sums.levels.evaluate(Measure::UCal).witness else {
        return vec![];
    };
    let mut points = sums.values.clone();
    points.push(mean(sums));
    points.sort();
    points.dedup();
    let step = |pair: &[BigRational]| {
        let [q, r] = [&pair[0], &pair[1]];
        let zero = rule.loss(false, r) - rule.loss(false, q);
        let one = rule.loss(true, q) - rule.loss(true, r);
        [q.clone(), r.clone(), zero, one]
    };
    points.windows(2).map(step).collect()
}

fn mean(sums: &Sums<'_>) -> BigRational {
    &sums.ones[sums.len()] / &sums.rounds[sums.len()]
}

fn line(sums: &Sums<'_>) -> [BigRational; 2] {
    match sums.levels.evaluate(Measure::UCal).witness {
        Witness::Rule { line: (u, w), .. } => [u, w],
        _ => [BigRational::zero(), BigRational::zero()],
    }
}

fn count_up_to(sums: &Sums<'_>, q: &BigRational) -> usize {
    sums.values.iter().filter(|value| *value <= q).count()
}

pub(super) fn steps_below(sums: &Sums<'_>) -> Values {
    let line = line(sums);
    let below = steps(sums).into_iter().filter(|[_, r, ..]| *r <= mean(sums));
    let at = |step: [BigRational; 4]| {
        let j = count_up_to(sums, &step[0]);
        [step.to_vec(), vec![sums.rounds[j].clone(), sums.ones[j].clone()], line.to_vec()].concat()
    };
    below.map(at).collect()
}

pub(super) fn steps_above(sums: &Sums<'_>) -> Values {
    let (line, m) = (line(sums), sums.len());
    let above = steps(sums).into_iter().filter(|[_, r, ..]| *r > mean(sums));
    let at = |step: [BigRational; 4]| {
        let j = count_up_to(sums, &step[0]);
        let counts = vec![&sums.rounds[m] - &sums.rounds[j], &sums.ones[m] - &sums.ones[j]];
        [step.to_vec(), counts, line.to_vec()].concat()
    };
    above.map(at).collect()
}

pub(super) fn all_steps(sums: &Sums<'_>) -> Values {
    let steps = steps(sums);
    let total = |part: usize| steps.iter().map(|step| step[part].clone()).sum();
    let [u, w] = line(sums);
    vec![vec![total(2), total(3), u, w]]
}

/// The kinks of UCal's best rule, if it has two.
pub(super) fn kinks(sums: &Sums<'_>) -> Values {
    let Witness::Rule { rule, .. } = sums.levels.evaluate(Measure::UCal).witness else {
        return vec![];
    };
    let mut kinks: Vec<_> = rule.parts.iter().map(|part| part.alpha.clone()).collect();
    kinks.sort();
    if kinks.len() == 2 { vec![kinks] } else { vec![] }
}

/// The steps of the best rule add up to UCal, which is what the line bounds it by.
pub(super) fn steps_are_u_cal(sums: &Sums<'_>) -> bool {
    let regret = |sign: i64| {
        move |at: Vec<BigRational>| {
            let [zero, one, rounds, ones] = [&at[2], &at[3], &at[4], &at[5]];
            int(sign) * (ones * one - (rounds - ones) * zero)
        }
    };
    let below = steps_below(sums).into_iter().map(regret(1));
    let above = steps_above(sums).into_iter().map(regret(-1));
    let total: BigRational = below.chain(above).sum();
    let [u, w] = line(sums);
    let u_cal = sums.measure(Measure::UCal);
    total == u_cal && int(2) * (u + w) == u_cal
}

type Kept = Levels<BigRational>;

/// Tables of kept rounds, with how many subsets give them, and of those that are left.
fn subsets(sums: &Sums<'_>) -> Vec<(BigRational, Kept, Kept)> {
    let table = sums.levels.to_rational();
    let mut found = vec![(BigRational::one(), vec![], vec![])];
    for level in table.table().rows() {
        let mut extended = vec![];
        for (ways, kept, left) in found {
            for ones in 0..=level.ones {
                for zeros in 0..=level.count - level.ones {
                    let here = num_integer::binomial(level.ones, ones)
                        * num_integer::binomial(level.count - level.ones, zeros);
                    let ways: BigRational = &ways * BigRational::from_integer(here.into());
                    let with = |rows: &Vec<Level<BigRational>>, count: u64, ones: u64| {
                        let value = level.value.clone();
                        let row = (count > 0).then_some(Level { value, count, ones });
                        rows.iter().cloned().chain(row).collect::<Vec<_>>()
                    };
                    extended.push((
                        ways,
                        with(&kept, ones + zeros, ones),
                        with(&left, level.count - ones - zeros, level.ones - ones),
                    ));
                }
            }
        }
        found = extended;
    }
    let levels = |rows| Levels::new(BigRational::one(), rows).expect("rows of a table");
    found.into_iter().map(|(ways, kept, left)| (ways, levels(kept), levels(left))).collect()
}

fn step_ce(levels: &Kept) -> BigRational {
    measures::step_ce(levels.table()).value
}

/// The bias of the predictions up to a threshold.
fn prefix(levels: &Kept, threshold: &BigRational) -> BigRational {
    let rows = levels.table().rows().iter().filter(|row| row.value <= *threshold);
    rows.map(|row| row.bias(&BigRational::one())).sum()
}

/// More classes of subsets than this are not gone through.
const MOST_SUBSETS: u128 = 1 << 10;

fn few_subsets(sums: &Sums<'_>) -> bool {
    let table = sums.levels.to_rational();
    let classes =
        table.table().rows().iter().map(|row| {
            u128::from(row.ones + 1).saturating_mul(u128::from(row.count - row.ones + 1))
        });
    classes.fold(1, u128::saturating_mul) <= MOST_SUBSETS
}

pub(super) fn complements(sums: &Sums<'_>) -> Values {
    if !few_subsets(sums) {
        return vec![];
    }
    let mut values = vec![];
    for (_, kept, left) in subsets(sums) {
        let (y, z) = (step_ce(&kept), step_ce(&left));
        for value in &sums.values {
            values.push(vec![prefix(&kept, value), prefix(&left, value), y.clone(), z.clone()]);
        }
    }
    values
}

/// y and z average to stepCE^sub, and a + c is a prefix sum of all rounds.
pub(super) fn complements_are_the_average(sums: &Sums<'_>) -> bool {
    if !few_subsets(sums) {
        return true;
    }
    let (mut kept_sum, mut left_sum, mut all) = (int(0), int(0), int(0));
    for (ways, kept, left) in subsets(sums) {
        kept_sum += &ways * step_ce(&kept);
        left_sum += &ways * step_ce(&left);
        all += ways;
        for (value, bias) in sums.values.iter().zip(&sums.biases[1..]) {
            if prefix(&kept, value) + prefix(&left, value) != *bias {
                return false;
            }
        }
    }
    let average = sums.measure(Measure::StepCeSub);
    kept_sum / &all == average && left_sum / &all == average
}

pub(super) fn chain(sums: &Sums<'_>) -> Values {
    if !few_subsets(sums) {
        return vec![];
    }
    vec![[Measure::UCal, Measure::StepCe, Measure::StepCeSub].map(|m| sums.measure(m)).to_vec()]
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

pub(super) fn first_level(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    sums.biases.get(1).map(|bias| vec![bias.clone(), step]).into_iter().collect()
}

pub(super) fn neighbours(sums: &Sums<'_>) -> Values {
    let step = sums.measure(Measure::StepCe);
    let at = |pair: &[BigRational]| vec![pair[0].clone(), pair[1].clone(), step.clone()];
    sums.biases[1..].windows(2).map(at).collect()
}

pub(super) fn neighbours_are_ece(sums: &Sums<'_>) -> bool {
    let first = first_level(sums).into_iter().map(|at| at[0].abs());
    let others = neighbours(sums).into_iter().map(|at| (&at[1] - &at[0]).abs());
    first.chain(others).sum::<BigRational>() == sums.measure(Measure::Ece)
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

pub(super) fn intervals_from_0(sums: &Sums<'_>) -> Values {
    let interval = sums.measure(Measure::IntervalCe);
    sums.biases[1..].iter().map(|bias| vec![bias.clone(), interval.clone()]).collect()
}

/// f, W for each level, with the best function of smCE.
fn parts(sums: &Sums<'_>) -> Vec<(BigRational, BigRational)> {
    let Witness::Lipschitz(witness) = sums.levels.evaluate(Measure::SmCe).witness else {
        return vec![];
    };
    let mut sum = BigRational::zero();
    let mut parts = vec![];
    for (j, value) in witness.function.iter().enumerate() {
        let f = witness.rational(value);
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
