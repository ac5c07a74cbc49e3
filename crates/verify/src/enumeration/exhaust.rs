//! Laws on every table of a grid, in parallel, with the same result for any number of threads.

use std::ops::Range;

use num_rational::BigRational;
use rayon::prelude::*;
use truecal::Watch;

use super::domain::TableNumber;
use super::walk::{GridWalk, is_apart};
use crate::laws::{LinearJudge, Verdict, judge};
use truecal::grid::Grid;
use truecal_check::law::{Law, Quantity};

/// What is known of a law after some tables. Tallies of disjoint sets of tables
/// [merge](Tally::merge).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The tables.
    pub cases: u64,
    /// Those in which the hypothesis holds.
    pub applicable: u64,
    /// Those in which the two sides of the conclusion are equal.
    pub equalities: u64,
    /// The smallest table in which the law fails.
    pub failure: Option<TableNumber>,
}

impl Tally {
    /// The tally of both sets of tables.
    #[must_use]
    pub fn merge(self, other: Tally) -> Tally {
        Tally {
            cases: self.cases + other.cases,
            applicable: self.applicable + other.applicable,
            equalities: self.equalities + other.equalities,
            failure: self.failure.into_iter().chain(other.failure).min(),
        }
    }

    pub(super) fn count(&mut self, verdict: Verdict, place: impl FnOnce() -> TableNumber) {
        self.cases += 1;
        match verdict {
            Verdict::Inapplicable => {}
            Verdict::Holds { equality } => {
                self.applicable += 1;
                self.equalities += u64::from(equality);
            }
            Verdict::Fails => {
                self.applicable += 1;
                let place = place();
                self.failure = Some(self.failure.map_or(place, |found| found.min(place)));
            }
        }
    }
}

/// How many tables a thread takes at a time: enough to make starting a walk cheap, few enough to
/// share out evenly and to stop soon.
const CHUNK: u64 = 1 << 11;

/// Visits the tables of the grid with these numbers, several at a time, and merges what was
/// gathered. The watch is told of tables done. The result does not depend on the number of threads
/// if `merge` does not depend on the order.
pub(super) fn sweep<G: Send>(
    grid: Grid,
    numbers: Range<u64>,
    quantities: &[Quantity],
    empty: &(impl Fn() -> G + Sync),
    visit: &(impl Fn(&mut G, &GridWalk, u64) + Sync),
    merge: &(impl Fn(G, G) -> G + Sync),
    watch: &Watch<'_>,
) -> G {
    let chunks = numbers.end.saturating_sub(numbers.start).div_ceil(CHUNK);
    let gather = |chunk: u64| {
        let from = numbers.start + chunk * CHUNK;
        let to = (from + CHUNK).min(numbers.end);
        let mut gathered = empty();
        if let Some(mut walk) = GridWalk::new(grid, from, quantities) {
            for index in from..to {
                visit(&mut gathered, &walk, index);
                walk.step();
            }
        }
        watch.done(to - from);
        gathered
    };
    (0..chunks).into_par_iter().map(gather).reduce(empty, merge)
}

/// Judges the laws on the tables of the grid with these numbers. The watch is told of tables done.
pub fn exhaust(grid: Grid, numbers: Range<u64>, laws: &[&Law], watch: &Watch<'_>) -> Vec<Tally> {
    let mut quantities: Vec<_> = laws.iter().flat_map(|law| law.quantities()).collect();
    quantities.sort_unstable();
    quantities.dedup();
    let prepared: Vec<Prepared> = laws.iter().map(|law| Prepared::new(law)).collect();
    sweep(
        grid,
        numbers,
        &quantities,
        &|| vec![Tally::default(); laws.len()],
        &|tallies: &mut Vec<Tally>, walk, index| {
            for (law, tally) in prepared.iter().zip(tallies) {
                tally.count(law.judge(walk), || walk.place(index));
            }
        },
        // Sums and minima do not depend on the order.
        &|left, right| left.into_iter().zip(right).map(|(l, r)| l.merge(r)).collect(),
        watch,
    )
}

/// A law in the form that is judged fastest.
pub(super) enum Prepared<'a> {
    Linear(LinearJudge),
    General(&'a Law),
}

impl<'a> Prepared<'a> {
    pub fn new(law: &'a Law) -> Self {
        let apart = |quantity: &Quantity| matches!(quantity, Quantity::Measure(m) if is_apart(*m));
        match LinearJudge::of(law) {
            Some(linear) if !law.quantities().iter().any(apart) => Prepared::Linear(linear),
            _ => Prepared::General(law),
        }
    }

    #[inline]
    pub fn judge(&self, walk: &GridWalk) -> Verdict {
        match self {
            Prepared::Linear(law) => {
                let (numerators, denominator) = walk.values();
                law.judge(numerators, denominator)
            }
            Prepared::General(law) => {
                judge(law, &|quantity| walk.value(quantity)).unwrap_or_else(|| {
                    // The fractions did not fit 128 bits.
                    let value = |quantity| {
                        let fraction = walk.value(quantity);
                        BigRational::new(fraction.numerator.into(), fraction.denominator.into())
                    };
                    judge(law, &value).expect("rationals do not overflow")
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::committed::committed;
    use crate::laws::tightened;
    use truecal::rational::ratio;
    use truecal_check::Subject;

    fn law(text: &str) -> Law {
        text.parse().expect("a law")
    }

    fn tallies(texts: &[&str], numbers: Range<u64>) -> Vec<Tally> {
        let laws: Vec<_> = texts.iter().map(|text| law(text)).collect();
        let grid = Grid { rounds: 4, denominator: 12 };
        exhaust(grid, numbers, &laws.iter().collect::<Vec<_>>(), &Watch::silent())
    }

    const TEXTS: [&str; 4] = [
        "signce <= 3*stepce",
        "signce <= 297/100*stepce",
        "ucal == 0 => abs(bias) <= T/4",
        "stepce_sub <= stepce",
    ];

    #[test]
    fn parts_merge_to_the_whole_for_any_number_of_threads() {
        let size = Grid { rounds: 4, denominator: 12 }.size().expect("small");
        let whole = tallies(&TEXTS, 0..size);
        let parts = [0..1, 1..9000, 9000..9000, 9000..size].map(|part| tallies(&TEXTS, part));
        let merged = parts
            .into_iter()
            .reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| a.merge(b)).collect());
        assert_eq!(merged.as_ref(), Some(&whole));
        for threads in [1, 3] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            assert_eq!(pool.install(|| tallies(&TEXTS, 0..size)), whole);
        }
        assert!(whole.iter().all(|tally| tally.cases == size));
        assert!(whole[2].applicable < size && whole[2].applicable > 0);
    }

    #[test]
    fn the_smallest_counterexample_is_found() {
        let grid = Grid { rounds: 2, denominator: 12 };
        let tally =
            &exhaust(grid, 0..grid.size().expect("small"), &[&law(TEXTS[1])], &Watch::silent())[0];
        let place = tally.failure.expect("refuted");
        assert_eq!((place.rounds, place.denominator), (2, 2));
        let table = grid.nth(place.index).expect("a table");
        let rounds = table.to_rational().to_rounds();
        let half = ratio(1, 2);
        assert_eq!(rounds[0].1, half);
    }

    /// Laws that have a linear form are judged by it as by the general rules: every law with
    /// committed certificates, and a wrong variant of each.
    #[test]
    fn linear_forms_judge_like_the_laws() {
        let subjects = committed().filter_map(|committed| match Subject::read(committed.text) {
            Ok(Subject { law, rounds: 1 }) => Some(law),
            _ => None,
        });
        let laws: Vec<Law> =
            subjects.flat_map(|law| tightened(&law).into_iter().chain([law])).collect();
        let mut linear = 0;
        for law in &laws {
            let prepared = Prepared::new(law);
            linear += u32::from(matches!(prepared, Prepared::Linear(_)));
            for rounds in 1..=3 {
                let grid = Grid { rounds, denominator: 4 };
                let mut walk = GridWalk::new(grid, 0, &law.quantities()).expect("a table");
                loop {
                    let general = Prepared::General(law).judge(&walk);
                    assert_eq!(prepared.judge(&walk), general, "{law}");
                    if !walk.step() {
                        break;
                    }
                }
            }
        }
        assert!(linear >= 20, "{linear}");
    }
}
