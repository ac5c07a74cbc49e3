//! Truthful forecasts of independent rounds.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::claims::tools::{
    ascending, binomial_law, commas, differences, int, listed, outcomes, r, tables, unit_grid,
};
use crate::claims::warmup::best_total_bias;
use truecal::AnyLevels;
use truecal::measures;
use truecal::{Level, Levels};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// E stepCE^sub(x, p*) for independent x_t ~ Bern(p*_t), with p* ascending in units of 1/`unit`:
/// over the ones of each level, which are independent binomials.
fn truthful_penalty(unit: i64, probabilities: &[i64]) -> BigRational {
    let levels: Vec<_> = probabilities.chunk_by(|a, b| a == b).collect();
    let mut tables = vec![(vec![], int(1))];
    for level in levels {
        let count = level.len() as u32;
        let law = binomial_law(count, &r(level[0], unit));
        let mut longer = vec![];
        for (rows, weight) in &tables {
            for (ones, chance) in (0..).zip(&law).filter(|(_, chance)| !chance.is_zero()) {
                let mut rows: Vec<Level<i64>> = rows.clone();
                rows.push(Level { value: level[0], count: count.into(), ones });
                longer.push((rows, weight * chance));
            }
        }
        tables = longer;
    }
    let penalty = |(rows, weight): (Vec<Level<i64>>, BigRational)| {
        let table = Levels::new(unit, rows).expect("ascending levels of a small table");
        measures::step_ce_sub(&AnyLevels::from(table)).value * weight
    };
    tables.into_iter().map(penalty).sum()
}

/// Σ p(1-p)
fn variance(unit: i64, probabilities: &[i64]) -> BigRational {
    probabilities.iter().map(|&p| r(p * (unit - p), unit * unit)).sum()
}

/// `1/6,1/2`
fn text(unit: i64, probabilities: &[i64]) -> String {
    commas(probabilities.iter().map(|&p| r(p, unit)))
}

/// E stepCE^sub <= Var where Var <= 1, and <= √(2 Var) beyond.
pub(super) fn truthful_penalties(evidence: &mut Evidence) {
    let sixths = (1..=5).flat_map(|rounds| ascending(rounds, 0, 6)).map(|p| (6, p));
    let near_half = ascending(5, 4, 8).into_iter().map(|p| (12, p));
    for (unit, p) in sixths.chain(near_half) {
        let (penalty, total) = (truthful_penalty(unit, &p), variance(unit, &p));
        let square = &penalty * &penalty;
        let shown = || {
            let approximate = Enclosure::exact(&penalty);
            let name = format!("p* = ({}), Var = {total}", text(unit, &p));
            format!("{name}\nE stepCE^sub = {penalty} = {approximate:.6}")
        };
        if total <= int(1) {
            evidence.case(penalty <= total, shown);
            evidence.mistake("99/100 of Var", penalty <= &total * r(99, 100), shown);
        } else {
            evidence.case(square <= int(2) * &total, shown);
            evidence.mistake("7/10 sqrt(Var)", square <= &total * r(49, 100), shown);
        }
    }
}

/// E stepCE^sub against the least E |Σ y_t (x_t - p_t)| of all forecasters, which is at most OPT.
pub(super) fn against_optimum(evidence: &mut Evidence) {
    let single = (0..=12).map(|p| vec![p]);
    let pairs = (0..=12).flat_map(|first| (0..=12).map(move |second| vec![first, second]));
    for mut p in single.chain(pairs) {
        let shown_as = text(12, &p);
        let at = |t: usize| r(p[t], 12);
        // p*_1, and p*_2 after either outcome
        let nature = if p.len() == 1 { vec![at(0)] } else { vec![at(0), at(1), at(1)] };
        let optimum = best_total_bias(&nature, p.len() as u32);
        p.sort_unstable(); // the truthful penalty does not depend on the order
        let penalty = truthful_penalty(12, &p);
        let shown = || format!("p* = ({shown_as})\nE stepCE^sub = {penalty}\nOPT >= {optimum}");
        evidence.case(penalty <= &optimum * int(2), shown);
        evidence.mistake("K = 91/50", penalty <= &optimum * r(91, 50), shown);
    }
}

/// stepCE^sub <= (1/2) Σ |x_t - p_t| on every level table.
pub(super) fn half_the_distances(evidence: &mut Evidence) {
    for levels in tables(4, 6) {
        let terms = differences(levels.table());
        let half = terms.iter().map(Signed::abs).sum::<BigRational>() / int(2);
        let step = measures::step_ce_sub(&AnyLevels::from(levels)).value;
        let shown = || {
            format!(
                "x_t - p_t by ascending p_t: {}\nstepCE^sub = {step}, half the sum = {half}",
                commas(&terms)
            )
        };
        evidence.case(step <= half, shown);
        evidence.mistake("99/100 of the sum", step <= &half * r(99, 100), shown);
    }
}

/// E |x - p| = p(1-p) + (1-p)p, a polynomial of degree 2 like 2p(1-p): 13 points prove the
/// identity.
pub(super) fn mean_distance(evidence: &mut Evidence) {
    for p in unit_grid(12) {
        let law = binomial_law(1_u64, &p);
        let mean: BigRational =
            (0..).zip(&law).map(|(x, weight)| (int(x) - &p).abs() * weight).sum();
        let variance = &p * (int(1) - &p);
        let shown = || format!("p = {p}: E|x - p| = {mean}, p(1-p) = {variance}");
        evidence.case(mean == int(2) * &variance, shown);
        evidence.mistake("p(1-p)", mean == variance, shown);
    }
}

/// |Σ y_t (x_t - p_t) 1{p_t <= α}| over all α, of which multiples of 1/4 are enough, against the
/// sums over i <= t; equal if the p_t are distinct.
pub(super) fn largest_prefix(evidence: &mut Evidence) {
    for rounds in 1..=4 {
        for p in ascending(rounds, 0, 4) {
            let distinct = p.windows(2).all(|pair| pair[0] < pair[1]);
            for x in outcomes(rounds) {
                for y in outcomes(rounds) {
                    let term = |i: usize| i64::from(y[i]) * (4 * i64::from(x[i]) - p[i]);
                    let sum = |counted: &dyn Fn(usize) -> bool| -> i64 {
                        (0..rounds).filter(|&i| counted(i)).map(term).sum::<i64>().abs()
                    };
                    let step = (0..=4).map(|alpha| sum(&|i| p[i] <= alpha)).max().expect("five");
                    let largest = (0..rounds).map(|t| sum(&|i| i <= t)).max().expect("a round");
                    let shown = || {
                        let (p, x, y) = (text(4, &p), listed(&x), listed(&y));
                        let [step, largest] = [step, largest].map(|number| r(number, 4));
                        format!(
                            "p = ({p}), x = ({x}), y = ({y})\nsup over alpha {step}, max over t \
                                {largest}"
                        )
                    };
                    evidence.case(step <= largest && (!distinct || step == largest), shown);
                    evidence.mistake("equality also with ties", step == largest, shown);
                }
            }
        }
    }
}

/// Σ over y in {0,1} and x in {0,1}: polynomials of degree at most 3 in p, which 13 points
/// determine.
pub(super) fn step_variance(evidence: &mut Evidence) {
    for p in unit_grid(12) {
        let (up, down) = (int(1) - &p, -p.clone()); // x - p for x = 1 and x = 0
        let against = int(1) - &p;
        let mean = (&p * &up + &against * &down) / int(2);
        let second = (&p * &up * &up + &against * &down * &down) / int(2);
        let shown = || format!("p = {p}: mean {mean}, second moment {second}");
        evidence.case(mean.is_zero() && second == &p * &against / int(2), shown);
        evidence.mistake("p(1-p)", second == &p * &against, shown);
    }
}

/// P(max |X_t| >= τ) at every value τ > 0 of max |X_t|: between two of them the probability stays
/// and the bound falls.
pub(super) fn kolmogorov(evidence: &mut Evidence) {
    for rounds in 1..=4 {
        for p in ascending(rounds, 0, 6) {
            let mut reached = walk(&p, 0, 0);
            reached.sort_by_key(|(largest, _)| std::cmp::Reverse(*largest));
            let mut tail = BigRational::zero();
            let bound = variance(6, &p) / int(2);
            for group in reached.chunk_by(|a, b| a.0 == b.0).filter(|group| group[0].0 > 0) {
                tail += group.iter().map(|(_, weight)| weight).sum::<BigRational>();
                let tau = r(group[0].0, 6);
                let left = &tail * &tau * &tau;
                let shown =
                    || format!("p* = ({}), tau = {tau}: P = {tail}, Var/2 = {bound}", text(6, &p));
                evidence.case(left <= bound, shown);
                evidence.mistake("99/100 of Var/2", left <= &bound * r(99, 100), shown);
            }
        }
    }
}

/// The largest |X_t| in sixths from here on, and its probability, for every path of the walk.
fn walk(p: &[i64], at: i64, largest: i64) -> Vec<(i64, BigRational)> {
    let Some((&first, rest)) = p.split_first() else { return vec![(largest, int(1))] };
    let steps = [(0, r(1, 2)), (6 - first, r(first, 12)), (-first, r(6 - first, 12))];
    let mut all = vec![];
    for (step, weight) in steps.iter().filter(|(_, weight)| !weight.is_zero()) {
        let next = at + step;
        let paths = walk(rest, next, largest.max(next.abs()));
        all.extend(paths.into_iter().map(|(largest, chance)| (largest, weight * chance)));
    }
    all
}
