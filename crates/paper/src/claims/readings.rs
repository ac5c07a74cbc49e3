//! The two readings of every measure: the definition, taken literally, and the formula with its
//! witness.

use std::collections::HashMap;

use num_rational::BigRational;

use super::mistakes::mistaken;
use super::tools::{finite, in_words, r, tables};
use super::{Claim, Evidence, Kind, ROW, Scope, sections};
use truecal::AnyLevels;
use truecal::Measure;
use truecal::check;
use truecal::definitions::{self, Round};
use truecal_verify::registry::Extent;

/// The row of a measure.
macro_rules! reading {
    ($id:literal, $measure:expr, $lines:literal, $reading:literal) => {
        Claim {
            id: $id,
            lines: $lines,
            reading: $reading,
            checks: &[finite!(
                "definition = formula, and the witness shows it",
                Scope::Cases,
                "T <= 4 (quick: 3), D = 4",
                |evidence| both_readings(evidence, $measure),
            )],
            ..READING
        }
    };
}

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    reading!(
        "reading:ece",
        Measure::Ece,
        "1058-1061",
        "For all x, p: the sum over predicted values of |sum (x_t - p_t)| is the sum of |b_j| over \
            levels; the two signs apart show it."
    ),
    reading!(
        "reading:smce",
        Measure::SmCe,
        "385",
        "For all x, p: the linear programme over 1-Lipschitz f into [-1,1] has the value of the \
            walk over levels; a function and a flow show it from both sides."
    ),
    reading!(
        "reading:stepce",
        Measure::StepCe,
        "251-254, 963-966",
        "For all x, p: sup over alpha of |sum (x_t - p_t) 1{p_t <= alpha}|, limits included, is \
            the largest |B_j|; a threshold shows it."
    ),
    reading!(
        "reading:signce",
        Measure::SignCe,
        "976-980",
        "For all x, p: sup over alpha of |sum (x_t - p_t) sgn(alpha - p_t)| is the largest sum at \
            a level, in a gap or at an end; a threshold shows it."
    ),
    reading!(
        "reading:intervalce",
        Measure::IntervalCe,
        "969",
        "For all x, p: the largest |sum (x_t - p_t)| over predictions in an interval is max B_j - \
            min B_j with B_0 = 0; an interval shows it."
    ),
    reading!(
        "reading:vcal",
        Measure::VCal,
        "347-351, 357-364",
        "For all x, p: sup over alpha and beta of the regret of S_alpha, limits included, is 2 sup \
            g; a kink and the side from which it is approached show it."
    ),
    reading!(
        "reading:ucal",
        Measure::UCal,
        "332-335",
        "For all x, p: the linear programme over proper scoring rules into [-1,1] has the value 4 \
            ghat(1/2); a rule and a line show it from both sides."
    ),
    Claim {
        section: sections::TIGHT,
        ..reading!(
            "reading:cdl",
            Measure::Cdl,
            "",
            "For all x, p: the linear programme over proper scoring rules into [0,1], against the \
            frequency at each prediction, has the value 2 hhat(1/2), with h(alpha) the sum of \
            |k - alpha n| over predictions that alpha parts from their frequency k/n; a rule and \
            a line show it from both sides."
        )
    },
    reading!(
        "reading:stepce_sub",
        Measure::StepCeSub,
        "266-268",
        "For all x, p: the average of stepCE over all 2^T subsets of the rounds is the sum over \
            classes of subsets, weighted by binomials."
    ),
    reading!(
        "reading:vcal_sub",
        Measure::VCalSub,
        "533",
        "For all x, p: the average of VCal over all 2^T subsets of the rounds is the sum over \
            classes of subsets, weighted by binomials."
    ),
    reading!(
        "reading:ucal_sub",
        Measure::UCalSub,
        "524-527",
        "For all x, p: the average of UCal over all 2^T subsets of the rounds is the sum over \
            classes of subsets, weighted by binomials."
    ),
    reading!(
        "reading:ssce",
        Measure::Ssce,
        "388-392",
        "For all x, p: the average of smCE over all 2^T subsets of the rounds is the sum over \
            classes of subsets, weighted by binomials."
    ),
];

/// A row of this file to start from.
const READING: Claim = Claim { section: sections::PRELIMINARIES, kind: Kind::Identity, ..ROW };

/// Every table: the definition gives the value of the formula, and `check` accepts its witness. The
/// average over subsets has no shorter witness than its definition, which has just visited them
/// all.
fn both_readings(evidence: &mut Evidence, measure: Measure) {
    let rounds = if evidence.extent() == Extent::Quick { 3 } else { 4 };
    let mut known: HashMap<Vec<Round>, BigRational> = HashMap::new();
    let (mut noticed, mut rejected) = (false, false); // once is enough
    for levels in tables(rounds, 4) {
        let rational = levels.to_rational();
        let rounds = rational.to_rounds();
        let literal = match measure.subsampled_from() {
            None => measure.define(&rounds),
            // Subsets of a table are tables met before.
            Some(base) => definitions::subsampled(&rounds, |subset| {
                let defined = known.entry(subset.to_vec());
                defined.or_insert_with(|| base.define(subset)).clone()
            }),
        };
        let mut evaluation = AnyLevels::from(levels).evaluate(measure);
        let computed = evaluation.value.clone();
        let shown = match measure.subsampled_from() {
            None => check(&rational, &evaluation),
            Some(_) => Ok(()),
        };
        evidence.case(literal == computed && shown.is_ok(), || {
            format!(
                "{}\ndefined as {literal}\ncomputed as {computed}\nwitness: {shown:?}",
                in_words(&rounds)
            )
        });
        if !noticed {
            let (mistake, wrong) = mistaken(measure, &rounds);
            noticed = wrong != literal;
            evidence.mistake(mistake, !noticed, || {
                format!("{}\ndefined as {literal}\nwith the mistake {wrong}", in_words(&rounds))
            });
        }
        if measure.subsampled_from().is_none() && !rejected {
            evaluation.value += r(1, 1000);
            let rejection = check(&rational, &evaluation);
            rejected = rejection.is_err();
            evidence.mistake("a value 1/1000 larger", !rejected, || {
                format!("{}: {rejection:?}", in_words(&rounds))
            });
        }
    }
}
