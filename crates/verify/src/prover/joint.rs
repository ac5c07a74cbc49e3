//! Bounds that are chosen together: the coefficients of all of them, and the multipliers of all
//! goals, in one programme. For cases that no simple choice of bounds proves: the lines for UCal
//! may then move with the predictions.

use std::collections::BTreeSet;

use super::Products;
use super::bounds::Choice;
use truecal_check::polynomial::{Poly, Ring};
use truecal_check::statement::Case;
use truecal_lab::programme::{Combined, Sparse, combine};

/// A coefficient of a goal: which goal, and which monomial.
type Coefficient = (usize, [u16; 4]);

/// The largest programme that is tried, in entries of its tableau: less than a second.
const MOST_ENTRIES: usize = 1 << 17;

/// What stands behind a column of the programme.
enum Column {
    /// The coefficient of a variable, or of 1, in a bound: plus or minus.
    Coefficient(usize, Poly, i128),
    /// A fact in the combination for some goal.
    Fact,
}

/// Bounds that are affine in the variables and for which every goal is a combination of facts, and
/// of more and more products of two; none where there are none, or where the programme is too
/// large.
pub(super) fn joint(case: &Case, order: usize) -> impl Iterator<Item = Choice> {
    let tries = Products::MORE_AND_MORE.into_iter();
    tries.filter_map(move |products| choose(case, order, products))
}

fn choose(case: &Case, order: usize, products: Products) -> Option<Choice> {
    let bounds = case.bounds();
    let mut basis = vec![Poly::constant(1)];
    for variable in 1..=case.names.len() {
        basis.push(Poly::variable(variable).ok()?);
    }
    let none = vec![Poly::default(); bounds];
    let fixed = case.goals(1, &none).ok()?;
    // Goals are affine in the bounds: what each coefficient adds is the difference that it makes
    // alone.
    let mut columns: Vec<(Sparse<Coefficient>, Column)> = vec![];
    for bound in 0..bounds {
        for part in &basis {
            let mut alone = none.clone();
            alone[bound] = part.clone();
            let goals = case.goals(1, &alone).ok()?;
            for sign in [1, -1] {
                let mut vector = vec![];
                for (place, (goal, fixed)) in goals.iter().zip(&fixed).enumerate() {
                    let added = goal.clone().plus(-1, fixed).ok()?;
                    vector.extend(added.terms().map(|(m, number)| ((place, *m), -sign * number)));
                }
                columns.push((vector, Column::Coefficient(bound, part.clone(), sign)));
            }
        }
    }
    let all = products.of(&case.facts, order);
    let linear = |place: usize| {
        let degree = |monomial: &[u16; 4]| monomial.iter().filter(|v| **v > 0).count();
        let own =
            |((goal, monomial), _): &(Coefficient, i128)| *goal == place && degree(monomial) > 1;
        super::print::degree(&fixed[place]) < 2
            && !columns.iter().any(|(vector, _)| vector.iter().any(own))
    };
    let linear: Vec<bool> = (0..fixed.len()).map(linear).collect();
    if linear.iter().all(|linear| *linear) && products != Products::None {
        return None; // as before
    }
    let mut facts = vec![];
    for (place, linear) in linear.iter().enumerate() {
        let one = [Poly::constant(1)];
        let known =
            one.iter().chain(&case.facts).chain(all.iter().map(|(_, p)| p).filter(|_| !linear));
        for fact in known {
            let vector = fact.terms().map(|(m, number)| ((place, *m), *number)).collect();
            facts.push((vector, Column::Fact));
        }
    }
    columns.extend(facts);
    let goal: Sparse<Coefficient> = fixed
        .iter()
        .enumerate()
        .flat_map(|(place, goal)| goal.terms().map(move |(m, number)| ((place, *m), *number)))
        .collect();
    let rows: BTreeSet<Coefficient> =
        columns.iter().flat_map(|(vector, _)| vector).map(|(place, _)| *place).collect();
    if rows.len() * (columns.len() + rows.len()) > MOST_ENTRIES {
        return None;
    }
    let costed: Vec<_> = columns
        .iter()
        .map(|(vector, column)| (vector.clone(), u32::from(matches!(column, Column::Fact))))
        .collect();
    let Combined::Combination { denominator, multipliers } = combine(&costed, &goal)? else {
        return None;
    };
    let mut chosen = none;
    for (column, multiplier) in multipliers {
        if let Column::Coefficient(bound, part, sign) = &columns[column].1 {
            chosen[*bound] =
                std::mem::take(&mut chosen[*bound]).plus(sign * multiplier, part).ok()?;
        }
    }
    Some(Choice { denominator, bounds: chosen })
}
