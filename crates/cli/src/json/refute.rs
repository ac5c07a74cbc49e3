//! `truecal refute`.

use schemars::JsonSchema;
use serde::Serialize;

use super::Fraction;
use crate::report::refute::{Ended, Judged, Refuted};
use truecal_verify::laws::Verdict;
use truecal_verify::refute::{self, Budget, FailingTable, Instance, SearchResult};

/// What `truecal refute --json` prints: what became of a conjecture, or, with `--at`, what it says
/// of one sequence.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "refute")]
pub(crate) enum Refute {
    /// Without `--at`.
    Search(Search),
    /// With `--at`.
    At(At),
}

/// What became of a conjecture.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Search {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// The conjecture.
    law: String,
    /// Whether there is a counterexample.
    refuted: bool,
    #[serde(flatten)]
    found: Found,
    /// How far the search went.
    searched: SearchedAndSampled,
}

/// What a search found.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Found {
    /// If the conjecture is refuted.
    Counterexample {
        /// A sequence where it fails.
        counterexample: Sequence,
        /// Whether none of the same length has predictions with a smaller common denominator.
        smallest_denominator: bool,
        /// The value of the left side.
        left: String,
        /// The value of the right side.
        right: String,
    },
    /// If it stands.
    Nothing {
        /// For what it is proved; null if for nothing.
        proved: Option<String>,
        /// The sequence where it holds most narrowly; null if there is none.
        closest: Option<Closest>,
    },
}

/// A sequence where a conjecture holds.
#[derive(Serialize, JsonSchema)]
struct Closest {
    #[serde(flatten)]
    sequence: Sequence,
    /// The value of the left side.
    left: String,
    /// The value of the right side.
    right: String,
    /// The larger side minus the smaller; null if a side is not rational.
    slack: Option<Fraction>,
}

/// What a law says of one sequence.
#[derive(Serialize, JsonSchema)]
pub(crate) struct At {
    /// The version of this format.
    #[schemars(extend("const" = 1))]
    schema: u32,
    /// The law.
    law: String,
    /// Whether its hypothesis holds.
    applies: bool,
    /// Whether it holds, which it does if it does not apply.
    holds: bool,
    /// The sequence, in ascending order of the predictions.
    sequence: Sequence,
    /// The value of the left side.
    left: String,
    /// The value of the right side.
    right: String,
}

/// Outcomes and predictions, round by round.
#[derive(Serialize, JsonSchema)]
pub(super) struct Sequence {
    /// What happened: 0 or 1.
    outcomes: Vec<u8>,
    /// What was predicted.
    predictions: Vec<Fraction>,
}

/// How far a search went, with what was sampled.
#[derive(Serialize, JsonSchema)]
struct SearchedAndSampled {
    #[serde(flatten)]
    searched: Searched,
    /// How many longer sequences were tried.
    sampled: u64,
}

/// How far a search went.
#[derive(Serialize, JsonSchema)]
pub(super) struct Searched {
    /// The largest number of rounds that it was to try.
    max_rounds: u32,
    /// The largest denominator of predictions that it was to try.
    grid: u32,
    /// The most tables that it was to try; null for no limit.
    cases: Option<u64>,
    /// How many tables were tried.
    tables: u64,
    /// What was done for each number of rounds.
    rounds: Vec<Stage>,
    /// Why the search ended early; null if it did not.
    stopped: Option<Stopped>,
}

/// As many tables were tried as `--cases` allows, the time of `--seconds` was up, or somebody
/// pressed Ctrl-C.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Stopped {
    Cases,
    Seconds,
    Interrupted,
}

impl From<Ended> for Stopped {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Cases => Stopped::Cases,
            Ended::Seconds => Stopped::Seconds,
            Ended::Interrupted => Stopped::Interrupted,
        }
    }
}

/// What was done for a number of rounds.
#[derive(Serialize, JsonSchema)]
struct Stage {
    /// The number of rounds.
    rounds: u32,
    /// Every table was tried whose predictions have this common denominator or a smaller one.
    grid: u32,
    /// How many tables were tried.
    tables: u64,
    /// In how many of them the hypothesis holds.
    applicable: u64,
    /// In how many the two sides are equal.
    equalities: u64,
    /// What proves the law for so many rounds and all real predictions; null if nothing does.
    proved: Option<String>,
    /// How many order patterns of the predictions were left open.
    patterns: u64,
    /// In how many of them linear programmes climbed.
    patterns_climbed: u64,
}

impl From<&Judged<'_>> for Refute {
    fn from(judged: &Judged<'_>) -> Self {
        let (left, right) = judged.sides();
        let verdict = judged.instance.judge(judged.law);
        Refute::At(At {
            schema: 1,
            law: judged.law.to_string(),
            applies: verdict != Verdict::Inapplicable,
            holds: verdict != Verdict::Fails,
            sequence: judged.instance.into(),
            left,
            right,
        })
    }
}

impl From<&Refuted<'_>> for Refute {
    fn from(refuted: &Refuted<'_>) -> Self {
        let SearchResult { counterexample, stages, sampled, .. } = refuted.answer;
        let searched = Searched::new(refuted.budget, stages.iter(), refuted.stopped);
        Refute::Search(Search {
            schema: 1,
            law: refuted.law.to_string(),
            refuted: counterexample.is_some(),
            found: match counterexample {
                Some(counterexample) => Found::counterexample(refuted, counterexample),
                None => Found::nothing(refuted),
            },
            searched: SearchedAndSampled { searched, sampled: *sampled },
        })
    }
}

impl Found {
    fn counterexample(
        refuted: &Refuted<'_>,
        FailingTable { instance, smallest }: &FailingTable,
    ) -> Self {
        let (left, right) = Judged { law: refuted.law, instance }.sides();
        Found::Counterexample {
            counterexample: instance.into(),
            smallest_denominator: *smallest,
            left,
            right,
        }
    }

    fn nothing(refuted: &Refuted<'_>) -> Self {
        let SearchResult { proof, closest, .. } = refuted.answer;
        let proved = match (proof, refuted.answer.proved_rounds()) {
            (Some(proof), _) => Some(proof.scope.to_string()),
            (None, 0) => None,
            (None, rounds) => Some(format!("T <= {rounds}, every real p")),
        };
        let closest = closest.as_ref().map(|instance| {
            let (left, right) = Judged { law: refuted.law, instance }.sides();
            let slack = refuted.slack(instance).as_ref().map(Fraction::from);
            Closest { sequence: instance.into(), left, right, slack }
        });
        Found::Nothing { proved, closest }
    }
}

impl From<&Instance> for Sequence {
    fn from(instance: &Instance) -> Self {
        Sequence {
            outcomes: instance.outcomes.iter().copied().map(u8::from).collect(),
            predictions: instance.predictions.iter().map(Fraction::from).collect(),
        }
    }
}

impl Searched {
    pub(super) fn new<'a>(
        budget: &Budget,
        stages: impl Iterator<Item = &'a refute::Stage>,
        stopped: Option<Ended>,
    ) -> Self {
        let rounds: Vec<Stage> = stages.map(Stage::from).collect();
        Searched {
            max_rounds: budget.max_rounds,
            grid: budget.grid,
            cases: budget.cases,
            tables: rounds.iter().map(|stage| stage.tables).sum(),
            rounds,
            stopped: stopped.map(Stopped::from),
        }
    }
}

impl From<&refute::Stage> for Stage {
    fn from(stage: &refute::Stage) -> Self {
        let (patterns_climbed, patterns) = stage.patterns;
        Stage {
            rounds: stage.rounds,
            grid: stage.complete,
            tables: stage.cases,
            applicable: stage.applicable,
            equalities: stage.equalities,
            proved: stage.proved.clone(),
            patterns,
            patterns_climbed,
        }
    }
}
