//! prop:altform on the tables of the laws: three readings of VCal in scaled integers.

use crate::claims::appendix::thresholds::Rounds;
use crate::claims::tools::tables;
use truecal::measures;
use truecal_verify::registry::Evidence;
use truecal_verify::registry::Extent;

/// The supremum of the regret f of V-shaped rules, twice the supremum of g, both literally as sums
/// over the rounds with their one-sided limits, and the formula that the program uses.
pub(super) fn on_every_table(evidence: &mut Evidence) {
    let most = if evidence.extent() == Extent::Quick { 4 } else { 6 };
    for table in tables(most, 12) {
        let rounds = Rounds::of(&table);
        let regret = rounds.sup(|alpha| rounds.f(alpha));
        let twice_g = 2 * rounds.sup(|alpha| rounds.g(alpha));
        let formula = measures::v_cal(table.table()).value * (rounds.unit / table.table().unit());
        let show = |other: i64| {
            let [f, g, formula, other] =
                [regret, twice_g, formula, other].map(|number| rounds.ratio(number));
            format!("{rounds}\nsup f = {f}\n2 sup g = {g}\nformula: {formula}\nbut: {other}")
        };
        evidence.case(regret == twice_g && twice_g == formula, || show(formula));
        let places = rounds.breakpoints();
        let values = 2 * places.iter().map(|alpha| rounds.g(*alpha)).max().unwrap_or(0);
        evidence.mistake("values of g without limits", values == regret, || show(values));
        let under = 2 * rounds.sup(|alpha| rounds.under(alpha)).max(0);
        evidence.mistake("only the predictions below", under == regret, || show(under));
        let almost = regret - regret / 100;
        evidence.mistake("99/100 of it", twice_g <= almost, || show(almost));
    }
}
