//! The aggregation lemma of each claim for every T, put to the test at a table: the sums that the
//! table gives satisfy the facts, and the goals at these sums are the claim.
//!
//! The arguments in [`aggregated`](truecal_check::aggregated) say so in words. Nothing here is part
//! of a proof: it would find a mistake in the words.

mod instances;
mod kept;
mod regret;
mod subsets;
mod table;

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use thiserror::Error;
use truecal::rational::int;
use truecal_check::Rejection;
use truecal_check::aggregated::Aggregated;
use truecal_check::polynomial::Poly;

use self::instances as at;
pub use table::Sums;

/// All values of the variables of a case that a table gives.
type Instances = fn(&Sums<'_>) -> Vec<Vec<BigRational>>;

/// How a table gives the sums of a claim.
struct Link {
    claim: &'static str,
    /// For each case.
    instances: &'static [Instances],
    /// Whether the goals, at the instances of a table, are the claim there.
    covers: fn(&Sums<'_>) -> bool,
}

const LINKS: &[Link] = &[
    Link { claim: "altform", instances: &[regret::regrets], covers: regret::regrets_are_v_cal },
    Link {
        claim: "ucal-majorant",
        instances: &[
            regret::rules,
            regret::steps_below,
            regret::steps_above,
            regret::all_steps,
            regret::weights,
            regret::mixtures,
        ],
        covers: regret::steps_are_u_cal,
    },
    Link { claim: "sign-step", instances: &[at::thresholds], covers: at::thresholds_are_sign_ce },
    Link {
        claim: "bias-sign",
        instances: &[at::rounds_at_ends, at::ends],
        covers: at::ends_are_the_bias,
    },
    Link { claim: "step-sign", instances: &[at::prefixes], covers: at::prefixes_are_step_ce },
    Link {
        claim: "vcal-step",
        instances: &[regret::up_to, regret::from],
        covers: regret::limits_are_v_cal,
    },
    Link {
        claim: "sides-step",
        instances: &[
            regret::rounds_below,
            regret::rounds_above,
            regret::below_thresholds,
            regret::above_thresholds,
        ],
        covers: regret::limits_are_v_cal,
    },
    Link {
        claim: "ucal-step",
        instances: &[regret::up_to, regret::from],
        covers: regret::level_line_is_over_g,
    },
    Link { claim: "ucal-vcal", instances: &[regret::chords], covers: regret::chords_are_u_cal },
    Link {
        claim: "vcal-ucal",
        instances: &[regret::rules],
        covers: regret::more_rules_regret_more,
    },
    Link {
        claim: "step-sub",
        instances: &[subsets::complements],
        covers: subsets::complements_are_the_average,
    },
    Link {
        claim: "sub-step",
        instances: &[
            kept::prefixes,
            kept::maxima,
            kept::ends_near,
            kept::ends_far,
            kept::steps,
            kept::squares,
        ],
        covers: kept::the_mean_is_below,
    },
    Link { claim: "ucal-sub", instances: &[subsets::chain], covers: subsets::the_chain_holds },
    Link { claim: "step-ece", instances: &[at::next_levels], covers: at::levels_are_ece },
    Link { claim: "ece-step", instances: &[at::neighbours], covers: at::neighbours_are_ece },
    Link { claim: "interval-step", instances: &[at::pairs], covers: at::pairs_are_interval_ce },
    Link {
        claim: "step-interval",
        instances: &[at::highest_and_lowest],
        covers: at::the_range_is_interval_ce,
    },
    Link {
        claim: "smooth-step",
        instances: &[at::next_parts, at::last_part],
        covers: at::parts_are_sm_ce,
    },
    Link {
        claim: "ssce-sub",
        instances: &[at::next_parts, at::last_part],
        covers: at::parts_are_sm_ce,
    },
];

/// Why a table contradicts an argument.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unlinked {
    /// No link is known for the claim, or not one for each of its cases.
    #[error("no sums are known for the cases of {0}")]
    Missing(&'static str),
    /// A table gives another number of values than the case has variables.
    #[error("{case}: {values} values")]
    Values {
        /// The case.
        case: &'static str,
        /// How many.
        values: usize,
    },
    /// A fact of a case is no polynomial.
    #[error(transparent)]
    Fact(#[from] Rejection),
    /// A fact does not hold.
    #[error("{case}: {fact} < 0 at {at:?}")]
    False {
        /// The case.
        case: &'static str,
        /// The fact.
        fact: &'static str,
        /// The values of the variables.
        at: Vec<BigRational>,
    },
    /// The goals are not what is claimed.
    #[error("the goals are not the claim")]
    Goals,
}

/// The aggregation lemma at one table: every fact holds at every instance, and the goals are the
/// claim.
pub fn links(claim: &Aggregated, sums: &Sums<'_>) -> Result<(), Unlinked> {
    let link = LINKS.iter().find(|link| link.claim == claim.name);
    let link = link
        .filter(|link| link.instances.len() == claim.cases.len())
        .ok_or(Unlinked::Missing(claim.name))?;
    for (case, instances) in claim.cases.iter().zip(link.instances) {
        let names = case.names();
        let facts = case.facts.iter().map(|fact| Poly::parse(fact, &names));
        let facts = facts.collect::<Result<Vec<_>, _>>().map_err(Rejection::from)?;
        for values in instances(sums) {
            if values.len() != names.len() {
                return Err(Unlinked::Values { case: case.name, values: values.len() });
            }
            let negative = facts.iter().position(|fact| value(fact, &values).is_negative());
            if let Some(place) = negative {
                let fact = case.facts[place];
                return Err(Unlinked::False { case: case.name, fact, at: values });
            }
        }
    }
    if (link.covers)(sums) { Ok(()) } else { Err(Unlinked::Goals) }
}

/// A polynomial at a point.
fn value(poly: &Poly, at: &[BigRational]) -> BigRational {
    poly.terms().fold(BigRational::zero(), |sum, (monomial, coefficient)| {
        let number = int(*coefficient);
        let variables = monomial.iter().filter(|variable| **variable > 0);
        sum + variables.fold(number, |product, variable| product * &at[usize::from(*variable) - 1])
    })
}
