//! Laws at one sequence, with the arithmetic that shows what becomes of them.

use num_rational::Ratio;
use thiserror::Error;

use crate::explain::{quantity_lines, table_lines};
use crate::laws::{Verdict, judge_at, sides, value_of};
use crate::registry::{
    Control, Correction, Counterexample, Example, Finding, Refutation, Scope, Sequence,
};
use truecal::{AnyLevels, TableTooLarge};
use truecal::{Forecasts, ForecastsError};
use truecal::{Prediction, PredictionError};
use truecal_check::law::{Comparison, Expr, Law, Relation};

/// A law of the registry.
pub(super) fn law(text: &str) -> Law {
    text.parse()
        .unwrap_or_else(|error| panic!("the registry has a law that does not parse:\n{error}"))
}

/// Why two texts are not a sequence. Rounds are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SequenceError {
    /// The two texts have different lengths.
    #[error(
        "{outcomes} outcomes but {predictions} predictions; there must be one of each per round"
    )]
    Lengths {
        /// The number of outcomes.
        outcomes: usize,
        /// The number of predictions.
        predictions: usize,
    },
    /// An outcome that is none.
    #[error("round {round}: the outcome {text:?} is neither 0 nor 1")]
    Outcome {
        /// Where.
        round: usize,
        /// What stands there.
        text: String,
    },
    /// A prediction that is none.
    #[error("round {round}: the prediction {text:?}: {problem}")]
    Prediction {
        /// Where.
        round: usize,
        /// What stands there.
        text: String,
        /// What is wrong with it.
        problem: PredictionError,
    },
    /// The rounds cannot be gathered.
    #[error(transparent)]
    Forecasts(#[from] ForecastsError),
    /// The table would take too much memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
}

/// The table of a sequence as text: `1,0` and `1/2,1`. Otherwise what is wrong with which round.
pub fn levels(outcomes: &str, predictions: &str) -> Result<AnyLevels, SequenceError> {
    let (outcomes, predictions): (Vec<_>, Vec<_>) = (
        outcomes.split(',').map(str::trim).collect(),
        predictions.split(',').map(str::trim).collect(),
    );
    if outcomes.len() != predictions.len() {
        let (outcomes, predictions) = (outcomes.len(), predictions.len());
        return Err(SequenceError::Lengths { outcomes, predictions });
    }
    let mut forecasts = Forecasts::new();
    for (round, (outcome, prediction)) in (1..).zip(outcomes.iter().zip(&predictions)) {
        let outcome = match *outcome {
            "0" => false,
            "1" => true,
            other => return Err(SequenceError::Outcome { round, text: other.to_owned() }),
        };
        let text = || (*prediction).to_owned();
        let parsed: Prediction = prediction
            .parse()
            .map_err(|problem| SequenceError::Prediction { round, text: text(), problem })?;
        forecasts.push(outcome, parsed)?;
    }
    Ok(forecasts.levels()?)
}

/// A sequence of the registry.
fn registered((outcomes, predictions): Sequence) -> AnyLevels {
    levels(outcomes, predictions)
        .unwrap_or_else(|error| panic!("the registry has a sequence that is none: {error}"))
}

/// What becomes of the law there, line by line.
pub fn law_lines(law: &Law, levels: &AnyLevels) -> Vec<String> {
    let rational = levels.to_rational();
    let mut lines = table_lines(&rational);
    for quantity in law.quantities() {
        lines.push(String::new());
        lines.extend(quantity_lines(&rational, quantity));
    }
    let value = |quantity| value_of(levels, quantity);
    lines.push(String::new());
    for (comparison, role) in
        law.hypothesis.iter().map(|h| (h, "hypothesis")).chain([(&law.conclusion, "claim")])
    {
        let (left, right) = sides(comparison, &value);
        let alone = Law { hypothesis: None, conclusion: comparison.clone() };
        let held = if judge_at(&alone, levels) == Verdict::Fails { "fails" } else { "holds" };
        lines.push(format!("{role}: {comparison}"));
        lines.push(format!("{held}: {left} against {right}"));
    }
    lines
}

/// How the law fails there.
pub(super) fn counterexample(law: &Law, levels: &AnyLevels) -> Counterexample {
    let rounds = levels.to_rational().to_rounds();
    let join = |words: Vec<String>| words.join(",");
    let sequence = (
        join(rounds.iter().map(|(x, _)| u8::from(*x).to_string()).collect()),
        join(rounds.iter().map(|(_, p)| p.to_string()).collect()),
    );
    Counterexample { sequence: Some(sequence), arithmetic: law_lines(law, levels) }
}

/// That both sides are equal there, in words; or that they are not.
pub(super) fn equality(law: &Law, sequence: Sequence) -> Result<String, String> {
    let (levels, place) = (registered(sequence), place(sequence));
    let (left, right) = sides(&law.conclusion, &|quantity| value_of(&levels, quantity));
    match judge_at(law, &levels) {
        Verdict::Holds { equality: true } => Ok(format!("{place}: both sides are {left}")),
        Verdict::Inapplicable => Err(format!("the hypothesis does not hold at {place}")),
        _ => Err(format!("not attained at {place}: {left} against {right}")),
    }
}

/// Each fact holds at the sequence, and its opposite does not.
pub(super) fn example(example: &Example) -> Finding {
    let levels = registered(example.sequence);
    let mut finding =
        Finding::new(&place(example.sequence), Scope::Instance, Scope::Instance.to_string());
    for fact in example.facts.iter().map(|fact| law(fact)) {
        finding.cases += 1;
        let verdict = judge_at(&fact, &levels);
        finding.applicable += u64::from(verdict != Verdict::Inapplicable);
        if verdict == Verdict::Fails && finding.counterexample.is_none() {
            finding.counterexample = Some(counterexample(&fact, &levels));
        }
        let opposite = opposite(&fact);
        let caught = (judge_at(&opposite, &levels) == Verdict::Fails)
            .then(|| counterexample(&opposite, &levels));
        finding.controls.push(Control { mistake: opposite.to_string(), caught });
    }
    finding
}

/// A fact that cannot hold together with this one.
fn opposite(fact: &Law) -> Law {
    let Comparison { left, relation, right } = fact.conclusion.clone();
    let (relation, right) = match relation {
        Relation::AtMost => (Relation::Above, right),
        Relation::AtLeast => (Relation::Below, right),
        Relation::Below => (Relation::AtLeast, right),
        Relation::Above => (Relation::AtMost, right),
        Relation::Equal => {
            (Relation::Equal, Expr::Sum(right.into(), Expr::Constant(Ratio::new(1, 100)).into()))
        }
    };
    Law { hypothesis: fact.hypothesis.clone(), conclusion: Comparison { left, relation, right } }
}

/// The law fails at the sequence, where the facts and the correction hold.
pub(super) fn refutation(refutation: &Refutation) -> Finding {
    let levels = registered(refutation.sequence);
    let place = place(refutation.sequence);
    let (claimed, correction) = (law(refutation.law), law(refutation.correction));
    let mut finding = Finding::new(refutation.law, Scope::Instance, Scope::Instance.to_string());
    (finding.cases, finding.applicable) = (1, 1);
    match judge_at(&claimed, &levels) {
        Verdict::Fails => finding.counterexample = Some(counterexample(&claimed, &levels)),
        _ => finding.defects.push(format!("it holds at {place}: the erratum is overturned")),
    }
    for fact in refutation.facts {
        if !matches!(judge_at(&law(fact), &levels), Verdict::Holds { .. }) {
            finding.defects.push(format!("{fact} does not hold at {place}"));
        }
    }
    finding.correction = Some(Correction {
        statement: refutation.correction.to_owned(),
        cases: 1,
        holds: matches!(judge_at(&correction, &levels), Verdict::Holds { .. }),
    });
    finding
}

fn place((outcomes, predictions): Sequence) -> String {
    format!("x=({outcomes}) p=({predictions})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_round_that_is_wrong_is_named() {
        assert_eq!(levels("1, 0", "1/2,1").map(|levels| levels.rounds()), Ok(2));
        let error = |outcomes, predictions| levels(outcomes, predictions).expect_err("no table");
        let lengths = SequenceError::Lengths { outcomes: 2, predictions: 1 };
        assert_eq!(error("1,0", "1/2"), lengths);
        assert!(lengths.to_string().contains("there must be one of each per round"));
        let outcome = error("1,2", "1/2,1");
        assert_eq!(outcome, SequenceError::Outcome { round: 2, text: "2".to_owned() });
        assert_eq!(outcome.to_string(), "round 2: the outcome \"2\" is neither 0 nor 1");
        let prediction = error("1,0", "1/2,3/2");
        assert!(matches!(prediction, SequenceError::Prediction { round: 2, .. }));
        let words = "round 2: the prediction \"3/2\": greater than 1";
        assert!(prediction.to_string().starts_with(words), "{prediction}");
        let long: Vec<_> = (0..40_u32).map(|n| format!("1/1{n:01000}")).collect();
        let table = error(&["1"; 40].join(","), &long.join(","));
        assert!(matches!(table, SequenceError::Table(_)), "{table}");
    }
}
