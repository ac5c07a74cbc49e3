//! Both readings of every measure, and every witness, on every level table of a grid.

use std::collections::HashMap;

use num_rational::BigRational;
use truecal::definitions::{self, Round};
use truecal::evidence::{grid_size, grid_tables};
use truecal::{AnyLevels, Measure, check};

const ROUNDS: u64 = 5;
const GRID: u32 = 6;

#[test]
fn definitions_equal_measures_on_every_small_table() {
    // A subset of the rounds of a table is a table of the grid: what is known of it is not computed again.
    let mut known: HashMap<(Measure, Vec<Round>), BigRational> = HashMap::new();
    let mut tables = 0;
    for rounds in 0..=ROUNDS {
        for levels in grid_tables(rounds, GRID) {
            let sequence = levels.to_rational().to_rounds();
            let levels = AnyLevels::I64(levels);
            for measure in Measure::ALL {
                let literal = match measure.subsampled_from() {
                    None => measure.define(&sequence),
                    Some(base) => definitions::subsampled(&sequence, |subset| {
                        known[&(base, subset.to_vec())].clone()
                    }),
                };
                let evaluation = levels.evaluate(measure);
                assert_eq!(evaluation.value, literal, "{measure} of {sequence:?}");
                if measure.subsampled_from().is_none() {
                    let rational = levels.to_rational();
                    assert_eq!(
                        check(&rational, &evaluation),
                        Ok(()),
                        "{evaluation:?} of {sequence:?}"
                    );
                    known.insert((measure, sequence.clone()), literal);
                }
            }
            tables += 1;
        }
    }
    let all = (0..=ROUNDS).map(|rounds| grid_size(rounds, GRID)).sum::<u64>();
    assert_eq!(tables, all);
}
