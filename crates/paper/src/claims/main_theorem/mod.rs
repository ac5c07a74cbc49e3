//! The main theorem (L1276-1710): in a c-smoothed setting truthful forecasts have a small
//! subsampled step error.
//!
//! Throughout T >= 2, c is in (0, 1], L = log2 T >= 1, m = floor(L) >= 1, D = log2(1/c) >= 0 and
//! eps* = c^2. So ln(1/c) = D ln 2 and ln(T/c) = (L + D) ln 2, and an inequality for all T and c is
//! one between polynomials in L and D, which follows if it holds for each coefficient ("term by
//! term").
//!
//! Freedman's martingale inequality and Chernoff's bound are proved in `tails`. Both are applied
//! given the past up to tau_(k-1). What epoch k adds starts from 0 there, and afterwards the
//! conditional means, variances and densities obey the same bounds as before: so the bounds hold
//! given that tau_(k-1) is finite.

mod chaining;
mod epochs;
mod last_steps;
mod numbers;
mod statement;
mod suffix;
mod summands;
mod tails;
mod variance;

use std::fmt::Display;

use super::{Claim, Evidence, Kind, ROW, Scope, sections, tools};
use truecal_lab::enclosure::Enclosure;

/// The rows, in the order of the paper.
pub(super) const CLAIMS: [&[Claim]; 9] = [
    statement::CLAIMS,
    epochs::CLAIMS,
    variance::CLAIMS,
    chaining::CLAIMS,
    tails::CLAIMS,
    summands::CLAIMS,
    suffix::CLAIMS,
    numbers::CLAIMS,
    last_steps::CLAIMS,
];

/// A row of this section to start from.
const MAIN: Claim = Claim { section: sections::MAIN_THEOREM, ..ROW };

/// A computation that settles everything that it covers.
macro_rules! proof {
    ($title:expr, $covers:expr, $run:expr $(,)?) => {
        $crate::claims::tools::finite!($title, $crate::claims::Scope::All, $covers, $run)
    };
}

/// A computation about what is written out.
macro_rules! instance {
    ($title:expr, $covers:expr, $run:expr $(,)?) => {
        $crate::claims::tools::finite!($title, $crate::claims::Scope::Instance, $covers, $run)
    };
}

/// A computation that goes through every case of a finite domain.
macro_rules! exhaustion {
    ($title:expr, $covers:expr, $run:expr $(,)?) => {
        $crate::claims::tools::finite!($title, $crate::claims::Scope::Cases, $covers, $run)
    };
}

use {exhaustion, instance, proof};

fn int(value: i64) -> Enclosure {
    Enclosure::from(value)
}

fn root(value: i64) -> Enclosure {
    int(value).sqrt()
}

/// ln 4.
fn ln4() -> Enclosure {
    int(2) * Enclosure::ln2()
}

/// A case of the claim: left <= right for certain.
fn at_most(evidence: &mut Evidence, what: &str, left: &Enclosure, right: &Enclosure) {
    evidence.case(left.at_most(right) == Some(true), || sides(what, left, right));
}

/// A wrong variant, noticed when left > right for certain.
fn too_small(evidence: &mut Evidence, mistake: &str, left: &Enclosure, right: &Enclosure) {
    too_small_at(evidence, mistake, "", left, right);
}

/// The same for one of several cases, which is named on lines of its own.
fn too_small_at(
    evidence: &mut Evidence,
    mistake: &str,
    case: &str,
    left: &Enclosure,
    right: &Enclosure,
) {
    evidence.mistake(mistake, left.at_most(right) != Some(false), || {
        format!("{case}{left:.6} > {right:.6}")
    });
}

/// A case of the claim: the two sides are the same number.
fn equal<V: PartialEq + Display>(evidence: &mut Evidence, what: &str, left: &V, right: &V) {
    evidence.case(left == right, || sides(what, left, right));
}

/// A wrong variant, noticed when the two sides differ.
fn different<V: PartialEq + Display>(evidence: &mut Evidence, mistake: &str, left: &V, right: &V) {
    evidence.mistake(mistake, left == right, || format!("{left} is not {right}"));
}

fn sides(what: &str, left: &impl Display, right: &impl Display) -> String {
    format!("{what}\nleft side = {left}\nright side = {right}")
}

/// A case for each term of two polynomials in quantities that are never negative: its coefficient
/// on the left is at most the one on the right.
fn term_by_term(evidence: &mut Evidence, terms: &[(&str, Enclosure, Enclosure)]) {
    for (term, left, right) in terms {
        at_most(evidence, &format!("coefficient of {term}"), left, right);
    }
}
