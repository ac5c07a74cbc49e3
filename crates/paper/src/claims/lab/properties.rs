//! The trichotomy, measure by measure.

use super::LAB;
use crate::claims::tools::finite;
use crate::properties::{Property, PropertyAnswer, answer};
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Extent;
use truecal_verify::registry::{Claim, Evidence, Kind, Scope};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "lab:trichotomy",
    kind: Kind::Construction,
    reading: "All measures are complete and sound. All but smCE and SSCE are decision-theoretic. \
        On independent rounds stepCE^sub and SSCE are truthful, the others are not; on every \
        nature only SSCE is. So none is complete, decision-theoretic and truthful.",
    departs: "The evidence is computed for some T; the rows for each property say more.",
    see: &[
        "prop:completedecisionlowerbound",
        "informal-impossibility",
        "claim-SSCE-not-decision-theoretic",
    ],
    checks: &[finite!(
        "all measures, 5 properties",
        Scope::Cases,
        "T <= 256, exact (quick: 5 measures)",
        table,
    )],
    ..LAB
}];

/// What the paper says of them.
fn expected(measure: Measure, property: Property) -> bool {
    let smooth = matches!(measure, Measure::SmCe | Measure::Ssce);
    match property {
        Property::Complete | Property::Sound => true,
        Property::DecisionTheoretic => !smooth,
        Property::TruthfulOnProducts => matches!(measure, Measure::StepCeSub | Measure::Ssce),
        Property::Truthful => measure == Measure::Ssce,
    }
}

fn table(evidence: &mut Evidence) {
    let few = [Measure::SmCe, Measure::StepCe, Measure::StepCeSub, Measure::VCalSub, Measure::Ssce];
    let measures = match evidence.extent() {
        Extent::Quick => &few[..],
        _ => &Measure::ALL,
    };
    for &measure in measures {
        let answers = Property::ALL.map(|property| answer(measure, property));
        let holds = |property: Property| {
            let index = Property::ALL.into_iter().position(|other| other == property);
            index.and_then(|index| answers[index].as_ref()).is_some_and(|answer| answer.yes)
        };
        for (property, found) in Property::ALL.into_iter().zip(&answers) {
            let text = || {
                let Some(PropertyAnswer { yes, number, what }) = found else {
                    return format!("{measure}: no answer");
                };
                let word = if *yes { "yes" } else { "no" };
                format!(
                    "{measure}, {}: {word}\n{what}: {:.4}",
                    property.title(),
                    Enclosure::exact(number)
                )
            };
            evidence.case(found.is_some() && holds(property) == expected(measure, property), text);
            let mistake = "subsampling makes VCal and UCal truthful on products";
            let believed = expected(measure, property)
                || property == Property::TruthfulOnProducts && measure.subsampled_from().is_some();
            evidence.mistake(mistake, holds(property) == believed, text);
            let mistake = "stepCE^sub is truthful on every nature";
            let believed = expected(measure, property)
                || property == Property::Truthful && measure == Measure::StepCeSub;
            evidence.mistake(mistake, holds(property) == believed, text);
        }
        let wonder = holds(Property::Complete)
            && holds(Property::DecisionTheoretic)
            && holds(Property::Truthful);
        evidence.case(!wonder, || format!("{measure} has all three"));
    }
}
