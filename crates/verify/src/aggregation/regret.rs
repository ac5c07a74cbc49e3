//! Instances that are about regret: of V-shaped rules at a threshold, and of the best rule step by
//! step.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::instances::{Values, int, thresholds_of};
use super::table::Sums;
use truecal::Measure;
use truecal::Witness;

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

/// a, N, P, p before each level that is below a threshold or, if `above`, beyond it: round by round
/// they are all alike, so the first, the second and the last of a level are enough.
fn round_by_round(sums: &Sums<'_>, above: bool) -> Values {
    let mut values = vec![];
    for (below, up_to, a) in thresholds_of(sums) {
        let levels = if above { up_to..sums.len() } else { 0..below };
        let (mut rounds, mut total) = (int(0), int(0));
        for j in levels {
            let (count, p) = (&sums.rounds[j + 1] - &sums.rounds[j], &sums.values[j]);
            for before in [int(0), int(1), &count - int(1)] {
                if !before.is_negative() && before < count {
                    let (n, sum) = (&rounds + &before, &total + &before * p);
                    values.push(vec![a.clone(), n, sum, p.clone()]);
                }
            }
            total += &count * p;
            rounds += count;
        }
    }
    values
}

pub(super) fn rounds_below(sums: &Sums<'_>) -> Values {
    round_by_round(sums, false)
}

pub(super) fn rounds_above(sums: &Sums<'_>) -> Values {
    round_by_round(sums, true)
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

/// a, b, g, h, U, V for the chord over 1/2, where UCal's line touches g.
pub(super) fn chords(sums: &Sums<'_>) -> Values {
    let [u, w] = line(sums);
    let height = |alpha: &BigRational| &u + (&w - &u) * alpha;
    let of_measures = [Measure::UCal, Measure::VCal].map(|measure| sums.measure(measure));
    let chord = |at: Vec<BigRational>| {
        let heights = vec![height(&at[0]), height(&at[1])];
        [at[..2].to_vec(), heights, of_measures.to_vec()].concat()
    };
    weights(sums).into_iter().map(chord).collect()
}

/// Where there is no chord, UCal is 4 g(1/2), and so at most 2 VCal at once.
pub(super) fn chords_are_u_cal(sums: &Sums<'_>) -> bool {
    let [u_cal, v_cal] = [Measure::UCal, Measure::VCal].map(|measure| sums.measure(measure));
    let chord = !chords(sums).is_empty();
    let peak = || rule_of(sums).iter().all(|(alpha, _)| *alpha == int(1) / int(2));
    steps_are_u_cal(sums) && (chord || peak()) && u_cal <= int(2) * v_cal
}

pub(super) fn level_line_is_over_g(sums: &Sums<'_>) -> bool {
    let height = int(2) * sums.measure(Measure::StepCe);
    values_of_g(sums).iter().all(|g| *g <= height) && steps_are_u_cal(sums)
}

/// a, s, q, d for every kink and truth among the predictions.
pub(super) fn rules(sums: &Sums<'_>) -> Values {
    let mut values = vec![];
    for kink in &sums.values {
        for truth in &sums.values {
            let at = |side| vec![kink.clone(), int(side), truth.clone(), (truth - kink).abs()];
            values.extend([-1, 0, 1].map(at));
        }
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

/// The kinks of UCal's best rule, ascending, with their weights.
fn rule_of(sums: &Sums<'_>) -> Vec<(BigRational, BigRational)> {
    let Witness::Rule { rule, .. } = sums.levels.evaluate(Measure::UCal).witness else {
        return vec![];
    };
    let parts = rule.parts.iter().map(|part| (part.alpha.clone(), part.weight.clone()));
    let mut parts: Vec<_> = parts.collect();
    parts.sort();
    parts
}

/// a, b, c, d of UCal's best rule, if it has two kinks.
pub(super) fn weights(sums: &Sums<'_>) -> Values {
    match &rule_of(sums)[..] {
        [(a, c), (b, d)] => vec![vec![a.clone(), b.clone(), c.clone(), d.clone()]],
        _ => vec![],
    }
}

/// A, B, s, t for the values of that rule at either outcome.
pub(super) fn mixtures(sums: &Sums<'_>) -> Values {
    let mut values = vec![];
    for at in weights(sums) {
        let [a, b, c, d] = [&at[0], &at[1], &at[2], &at[3]];
        for (share, other) in [(c * a, d * b), (c * (int(1) - a), d * (int(1) - b))] {
            for (s, t) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                values.push(vec![share.clone(), other.clone(), int(s), int(t)]);
            }
        }
    }
    values
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

/// VCal is the regret of one V-shaped rule, or a limit of such; UCal is at least that.
pub(super) fn more_rules_regret_more(sums: &Sums<'_>) -> bool {
    limits_are_v_cal(sums) && sums.measure(Measure::VCal) <= sums.measure(Measure::UCal)
}
