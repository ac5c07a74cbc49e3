//! The lower bound for every forecaster: on one and two rounds, and a family of natures that limits
//! its constant.

use num_rational::BigRational;

use crate::claims::tools::{int, outcomes, r, unit_grid};
use truecal::definitions::LinearProgramme;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// The nature of two rounds: P(x_1 = 1), and P(x_2 = 1) after each x_1.
type Nature = (BigRational, [BigRational; 2]);

/// The least E|Σ y_t (x_t - p_t)| over all forecasters of T <= 2 rounds, a linear programme, is at
/// least 2/5 of E Var_T, where Var_T <= 1/2 so that γ(Var_T) = Var_T. For one round it is min(p*,
/// 1-p*) / 2, at least half. With two rounds and P(x_1 = 1) = p it is p/2 if x_2 = 0 after a zero
/// and a fair bit after a one, against p(5/4 - p).
pub(super) fn every_forecaster(evidence: &mut Evidence) {
    let chances = |denominator| [r(1, 100)].into_iter().chain(unit_grid(denominator));
    for p in chances(12) {
        let variance = &p * (int(1) - &p);
        let least = least_error(&(p.clone(), [int(0), int(0)]), 1);
        let closed = p.clone().min(int(1) - &p) / int(2);
        let show = || format!("T = 1, p* = {p}\nleast error {least}\nVar = {variance}");
        evidence.case(least == closed && int(2) * &least >= variance, show);
        evidence.mistake("kappa = 51/100, one round", least >= r(51, 100) * &variance, show);
    }
    for first in chances(4) {
        for after_zero in unit_grid(4) {
            for after_one in unit_grid(4) {
                let nature = (first.clone(), [after_zero.clone(), after_one]);
                let spread = |p: &BigRational| p * (int(1) - p);
                let [zero, one] = &nature.1;
                let variance =
                    spread(&first) + (int(1) - &first) * spread(zero) + &first * spread(one);
                let least = least_error(&nature, 2);
                let show = || {
                    format!(
                        "T = 2, P(x_1 = 1) = {first}, then {zero} or {one}\n\
                         least error {least}\n\
                         E Var = {variance}"
                    )
                };
                evidence.case(least >= r(2, 5) * &variance, show);
                evidence.mistake("kappa = 101/250", least >= r(101, 250) * &variance, show);
            }
        }
    }
}

/// The programme: variables p_1, p_2 after 0, p_2 after 1 in [0, 1], and T - e for the absolute
/// value e of each path and each y; the largest Σ chance (T - e) with e >= ± Σ y_t (x_t - p_t).
fn least_error(nature: &Nature, rounds: usize) -> BigRational {
    let paths: Vec<Vec<bool>> = outcomes(rounds).collect();
    let mut programme = LinearProgramme::new(3 + paths.len() * paths.len());
    for p in 0..3 {
        programme.at_most(&[(p, int(1))], int(1));
    }
    let t = int(rounds);
    let mut next = 3;
    for x in &paths {
        let chance = path_chance(nature, x) / int(paths.len());
        for y in &paths {
            let ones = int(x.iter().zip(y).filter(|(x, y)| **x && **y).count());
            let node = |round: usize| if round == 0 { 0 } else { 1 + usize::from(x[0]) };
            let chosen = (0..rounds).filter(|round| y[*round]);
            let (mut up, mut down) = (vec![(next, int(1))], vec![(next, int(1))]);
            for round in chosen {
                up.push((node(round), int(-1)));
                down.push((node(round), int(1)));
            }
            programme.at_most(&up, &t - &ones);
            programme.at_most(&down, &t + &ones);
            programme.gain(next, &chance);
            next += 1;
        }
    }
    t - programme.maximise().value
}

fn path_chance(nature: &Nature, x: &[bool]) -> BigRational {
    let chance = |p: &BigRational, x: bool| if x { p.clone() } else { int(1) - p };
    let second = x.get(1).map_or_else(|| r(1, 1), |&x_2| chance(&nature.1[usize::from(x[0])], x_2));
    chance(&nature.0, x[0]) * second
}

/// x_1 = 1 with probability p. After a zero, in any round, all is 0; after ones, the next bit is 1
/// with probability b, N times at most. The forecaster predicts 0, then 1 until a zero, then 0. Its
/// Σ y_t (x_t - p_t) is y_1 after x_1 = 1, less y_t if x_t is the later zero: of mean 1/2 either
/// way, so that the error is p/2. After x_1 = 1 and k more rounds Var_T is p(1-p) + k b(1-b). So κ
/// <= (p/2) / E γ(Var_T): below 1/3 with five rounds, and at most 0.283.
pub(super) fn rare_then_ones(evidence: &mut Evidence) {
    let families = [
        (r(1, 100), r(2, 3), 4_u32, r(33, 100)),
        (r(1, 1000), r(9, 10), 40, r(29, 100)),
        (r(1, 10_000), r(99, 100), 600, r(283, 1000)),
    ];
    for (p, b, rounds, kappa) in families {
        let (start, step) = (&p * (int(1) - &p), &b * (int(1) - &b));
        let mut expected = Enclosure::exact(&((int(1) - &p) * &start));
        let mut reached = p.clone();
        for k in 1..=rounds {
            let ends = if k < rounds { &reached * (int(1) - &b) } else { reached.clone() };
            expected = expected + Enclosure::exact(&ends) * gamma(&(&start + int(k) * &step));
            reached *= &b;
        }
        let error = Enclosure::exact(&(&p / int(2)));
        let show = || {
            format!(
                "P(x_1 = 1) = {p}, then 1 with probability {b} until a zero, {rounds} times at \
                    most\n\
                 error p/2, E gamma(Var) = {expected:.6}"
            )
        };
        let within = |kappa: &BigRational| {
            error.at_most(&(Enclosure::exact(kappa) * &expected)) == Some(true)
        };
        evidence.case(within(&kappa), show);
        evidence.mistake("1/100 less", within(&(&kappa * r(99, 100))), show);
    }
}

/// γ(v) = min(v, √v)
fn gamma(v: &BigRational) -> Enclosure {
    let exact = Enclosure::exact(v);
    if *v <= int(1) { exact } else { exact.sqrt() }
}
