//! ECE, stepCE, its sign variant and the interval error: from the biases b_j and their sums B_j.

use num_rational::BigRational;
use num_traits::{One, Signed};
use truecal::rational::int;

use super::text::{columns, joined, operand, wrap};
use super::{Ledger, first_largest};

/// Σ |b_j|
pub(super) fn ece_lines(ledger: &Ledger) -> Vec<String> {
    let terms = joined(ledger.len(), " + ", None, |j| format!("|{}|", ledger.biases[j]));
    let mut lines = vec![];
    if !terms.is_empty() {
        lines.extend(wrap(&format!("sum |b_j| = {terms}")));
    }
    let value: BigRational = ledger.biases.iter().map(Signed::abs).sum();
    lines.extend(wrap(&format!("ECE = sum |b_j| = {value}")));
    lines
}

/// max |B_j|
pub(super) fn step_ce(ledger: &Ledger) -> BigRational {
    ledger.prefixes.iter().map(Signed::abs).max().unwrap_or_default()
}

pub(super) fn step_ce_lines(ledger: &Ledger) -> Vec<String> {
    let value = step_ce(ledger);
    let decisive = ledger.prefixes[1..].iter().position(|prefix| prefix.abs() == value);
    let sums = joined(ledger.len(), ", ", decisive, |j| {
        let prefix = &ledger.prefixes[j + 1];
        format!("|B_{}| = |{prefix}| = {}", j + 1, prefix.abs())
    });
    let mut lines = if sums.is_empty() { vec![] } else { wrap(&sums) };
    lines.extend(wrap(&format!("stepCE = max |B_j| = {value}")));
    lines
}

/// max B_j - min B_j, with B_0 = 0 among them
pub(super) fn interval_ce_lines(ledger: &Ledger) -> Vec<String> {
    let position = |wanted: &BigRational| ledger.prefixes.iter().position(|b| b == wanted);
    let highest = ledger.prefixes.iter().max().cloned().unwrap_or_default();
    let lowest = ledger.prefixes.iter().min().cloned().unwrap_or_default();
    let extreme = |name: &str, value: &BigRational| {
        let j = position(value).unwrap_or_default();
        wrap(&format!("{name} B_j = B_{j} = {value}"))
    };
    let mut lines = vec!["over j = 0, …, m, where B_0 = 0:".to_owned()];
    lines.extend(extreme("max", &highest));
    lines.extend(extreme("min", &lowest));
    let difference = format!("{highest} - {}", operand(&lowest));
    let value = &highest - &lowest;
    lines.extend(wrap(&format!("intervalCE = max B_j - min B_j = {difference} = {value}")));
    lines
}

/// Where a threshold lies.
enum PrefixEnd {
    /// Below all levels or above all of them, as far as [0, 1] goes on there.
    Outside,
    /// On the level with this index.
    At(usize),
    /// Between that level and the next.
    Above(usize),
}

/// max |Σ (x_t - p_t) sgn(α - p_t)|
pub(super) fn sign_ce_lines(ledger: &Ledger) -> Vec<String> {
    let m = ledger.len();
    let total = ledger.total_bias();
    let value = |j: usize| &ledger.levels[j].value;
    let room_below = m == 0 || value(0).is_positive();
    let room_above = m == 0 || !value(m - 1).is_one();
    let mut places = vec![];
    if room_below || room_above {
        places.push(PrefixEnd::Outside);
    }
    for j in 0..m {
        places.push(PrefixEnd::At(j));
        if j + 1 < m {
            places.push(PrefixEnd::Above(j));
        }
    }
    let size = |place: &PrefixEnd| match place {
        PrefixEnd::Outside => total.abs(),
        PrefixEnd::At(j) => (&ledger.prefixes[*j] + &ledger.prefixes[j + 1] - total).abs(),
        PrefixEnd::Above(j) => (&ledger.prefixes[j + 1] * int(2) - total).abs(),
    };
    let sizes: Vec<BigRational> = places.iter().map(size).collect();
    let decisive = first_largest(sizes.iter());

    let alpha = |place: &PrefixEnd| match place {
        PrefixEnd::Outside if m == 0 => "any".to_owned(),
        PrefixEnd::Outside if !room_above => format!("below {}", value(0)),
        PrefixEnd::Outside if !room_below => format!("above {}", value(m - 1)),
        PrefixEnd::Outside => format!("below {} or above {}", value(0), value(m - 1)),
        PrefixEnd::At(j) => value(*j).to_string(),
        PrefixEnd::Above(j) => format!("between {} and {}", value(*j), value(j + 1)),
    };
    let sum = |place: &PrefixEnd| match place {
        PrefixEnd::Outside => format!("|B_{m}| = |{total}|"),
        PrefixEnd::At(j) => {
            let [before, after, all] =
                [&ledger.prefixes[*j], &ledger.prefixes[j + 1], total].map(operand);
            format!("|B_{j} + B_{} - B_{m}| = |{before} + {after} - {all}|", j + 1)
        }
        PrefixEnd::Above(j) => {
            let [here, all] = [&ledger.prefixes[j + 1], total].map(operand);
            format!("|2 B_{} - B_{m}| = |2 · {here} - {all}|", j + 1)
        }
    };
    let header = ["alpha", "|sum (x_t - p_t) sgn(alpha - p_t)|"];
    let mut lines = columns(&header, places.len(), Some(decisive), |index| {
        let place = &places[index];
        vec![alpha(place), format!("{} = {}", sum(place), sizes[index])]
    });
    lines.extend(wrap(&format!("signCE = the largest of these = {}", sizes[decisive])));
    lines
}
