//! Claims about averages over all subsets of the rounds, and the code that walks through subsets.

use super::symbolic::between;
use super::tables::levels;
use crate::levels::{Level, Table};
use crate::measures::{Fenwick, StepWalk, SubsetWalk, step_ce};

harnesses! {
    /// 2 stepCE^sub >= stepCE for three rounds with different predictions, as a sum over all eight
    /// subsets, each measured by the walk that the exact average takes through its lower levels.
    three_rounds / three_rounds_with_factor_one {
        claims: ["lemma:stepCE-vs-stepCEsub", "TIGHT-sub-step"],
        domain: "3 levels of 1 round, D = 16",
        cases: "5 440",
        unwind: 10,
        seconds: 10,
        proof: average_is_at_least_half(&levels::<3>(16, 1), 2),
        fault: "the factor 2 is 1" => average_is_at_least_half(&levels::<3>(16, 1), 1),
    }

    /// The same for four rounds.
    four_rounds / four_rounds_with_factor_one {
        claims: ["lemma:stepCE-vs-stepCEsub", "TIGHT-sub-step"],
        domain: "4 levels of 1 round, D = 16",
        cases: "38 080",
        slow: kani_slow,
        unwind: 18,
        seconds: 600,
        proof: average_is_at_least_half(&levels::<4>(16, 1), 2),
        fault: "the factor 2 is 1" => average_is_at_least_half(&levels::<4>(16, 1), 1),
    }

    /// The same for two predictions that were made twice each, over all sixteen subsets of the
    /// rounds.
    tied_rounds / tied_rounds_with_factor_one {
        claims: ["lemma:stepCE-vs-stepCEsub", "TIGHT-sub-step"],
        domain: "2 levels of 2 rounds, D = 8",
        cases: "324",
        unwind: 18,
        seconds: 10,
        proof: tied_average_is_at_least_half(2),
        fault: "the factor 2 is 1" => tied_average_is_at_least_half(1),
    }

    /// A Fenwick tree that was filled in any order has the naive sum before every place.
    fenwick_sums / fenwick_sums_off_by_one {
        claims: ["reading:stepce_sub"],
        domain: "7 places, 2 additions of -4 to 4 anywhere, 8 ends",
        cases: "31 752",
        unwind: 9,
        seconds: 10,
        proof: fenwick_is_the_naive_sum(0),
        fault: "one place too many" => fenwick_is_the_naive_sum(1),
    }
}

fn tied_average_is_at_least_half(factor: i16) {
    let rows = levels::<2>(8, 2);
    assume!(rows[0].count == 2 && rows[1].count == 2);
    let step = result!("step_ce", step_ce(Table::assume_valid(&8, &rows))).value;
    let (mut total, mut subset) = (0, 0_u64);
    while subset < 16 {
        let mut walk = StepWalk::new();
        // the lowest two bits keep the first and the second round of a level
        let mut rounds = subset;
        for row in &rows {
            let (first, second) = (rounds & 1, rounds >> 1 & 1);
            rounds >>= 2;
            let ones = if row.ones > 0 { first } else { 0 } + if row.ones > 1 { second } else { 0 };
            if first + second > 0 {
                walk.keep(&8, Level { value: row.value, count: first + second, ones });
            }
        }
        total += result!("StepWalk::value", walk.value(&8));
        subset += 1;
    }
    let (whole, step) = (i32::from(factor) * total, 16 * i32::from(step));
    assert!(whole >= step);
    cover!(step > 0 && whole == step);
}

fn average_is_at_least_half(rows: &[Level<i16>], factor: i16) {
    let step = result!("step_ce", step_ce(Table::assume_valid(&16, rows))).value;
    let (mut total, mut subset) = (0, 0_u32);
    let subsets = 1 << rows.len();
    while subset < subsets {
        let mut walk = StepWalk::new();
        for (place, row) in rows.iter().enumerate() {
            if subset >> place & 1 == 1 {
                walk.keep(&16, row.clone());
            }
        }
        total += result!("StepWalk::value", walk.value(&16));
        subset += 1;
    }
    let (whole, step) = (i32::from(factor) * total, (1 << rows.len()) * i32::from(step));
    assert!(whole >= step);
    cover!(step > 0 && whole == step);
}

fn fenwick_is_the_naive_sum(beyond: usize) {
    let (mut nodes, mut plain) = ([9_i16; 7], [0_i16; 7]); // what is in the nodes does not count
    let mut fenwick = Fenwick::new(&mut nodes);
    let mut additions = 0;
    while additions < 2 {
        let (place, amount) = (between(0, 6), between(-4, 4));
        fenwick.add(place, &amount);
        plain[place] += amount;
        additions += 1;
    }
    let end = between(0, 7);
    let (mut naive, mut place) = (0, 0);
    while place < 7 {
        if place < end + beyond {
            naive += plain[place];
        }
        place += 1;
    }
    assert!(result!("Fenwick::sum_before", fenwick.sum_before(end)) == naive);
    cover!(end == 7 && naive == 8);
}
