//! CDL: from h(α), the sum of |k_j - α n_j| over the levels whose prediction and frequency lie on
//! different sides of α.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use truecal::rational::int;

use super::Ledger;
use super::text::{columns, joined, wrap};
use super::v_shaped::{GraphPoint, majorant_lines};

pub(super) fn cdl_lines(ledger: &Ledger) -> Vec<String> {
    let heights = heights(ledger);
    let mut lines =
        vec!["h(alpha) = sum |k_j - alpha n_j|, alpha between v_j and k_j / n_j".to_owned()];
    lines.extend(columns(&["v_i", "larger limit of h there"], ledger.len(), None, |i| {
        let parts = parts(ledger, i);
        let terms = joined(parts.len(), " + ", None, |j| parts[j].to_string());
        vec![ledger.levels[i].value.to_string(), format!("{terms} = {}", heights[i])]
    }));
    let half = majorant_lines(&corners(ledger, heights), "ĥ", &mut lines);
    lines.extend(wrap(&format!("CDL = 2 ĥ(1/2) = 2 · {half} = {}", int(2) * &half)));
    lines
}

/// What each level adds to h at the prediction of level i, each on the side on which it is.
fn parts(ledger: &Ledger, i: usize) -> Vec<BigRational> {
    let alpha = &ledger.levels[i].value;
    let part = |(j, level): (usize, &truecal::Level<BigRational>)| {
        let above = int(level.ones) - int(level.count) * alpha;
        match j.cmp(&i) {
            std::cmp::Ordering::Less => above.max(BigRational::zero()),
            std::cmp::Ordering::Equal => above.abs(),
            std::cmp::Ordering::Greater => (-above).max(BigRational::zero()),
        }
    };
    ledger.levels.iter().enumerate().map(part).collect()
}

/// The sum of the parts at each level.
fn heights(ledger: &Ledger) -> Vec<BigRational> {
    let one = BigRational::one();
    let levels =
        || ledger.levels.iter().map(|level| (level.value.clone(), level.count, level.ones));
    let turned = levels().rev().map(|(value, count, ones)| (&one - value, count, count - ones));
    let above = excesses(turned);
    let sides = excesses(levels()).into_iter().zip(above.into_iter().rev());
    sides.zip(&ledger.biases).map(|((below, above), bias)| below + above + bias.abs()).collect()
}

/// At the prediction of each level, the sum of (k_j - alpha n_j)+ over the levels before it.
fn excesses(levels: impl Iterator<Item = (BigRational, u64, u64)>) -> Vec<BigRational> {
    // The levels before with k_j > alpha n_j, by frequency: as alpha grows, the first fall out.
    let mut active: BTreeMap<BigRational, (u64, u64)> = BTreeMap::new();
    let (mut rounds, mut ones) = (0, 0);
    levels
        .map(|(alpha, n, k)| {
            while let Some(first) = active.first_entry()
                && *first.key() <= alpha
            {
                let (n, k) = first.remove();
                (rounds, ones) = (rounds - n, ones - k);
            }
            let excess = int(ones) - alpha * int(rounds);
            let same = active.entry(int(k) / int(n)).or_default();
            *same = (same.0 + n, same.1 + k);
            (rounds, ones) = (rounds + n, ones + k);
            excess
        })
        .collect()
}

/// The corners at 0, the levels and 1.
fn corners(ledger: &Ledger, heights: Vec<BigRational>) -> Vec<GraphPoint> {
    let (zero, one) = (BigRational::zero(), BigRational::one());
    let mut corners = vec![];
    if ledger.levels.first().is_none_or(|level| level.value > zero) {
        corners.push(GraphPoint::at(zero.clone(), zero.clone()));
    }
    let levels = ledger.levels.iter().zip(heights);
    corners.extend(levels.map(|(level, height)| GraphPoint::at(level.value.clone(), height)));
    if ledger.levels.last().is_none_or(|level| level.value < one) {
        corners.push(GraphPoint::at(one, zero));
    }
    corners
}
