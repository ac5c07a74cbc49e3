//! Every law of the registry on long sequences of awkward shapes, under proptest and under
//! quickcheck.

use std::cell::RefCell;

use num_rational::{BigRational, Ratio};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use quickcheck::{Arbitrary, Gen, QuickCheck};
use truecal::measures::subset_cost;
use truecal::{AnyLevels, Forecasts, Prediction};
use truecal_check::law::{Law, Quantity};
use truecal_paper::claims;
use truecal_verify::laws::{Verdict, judge, value_of};
use truecal_verify::registry::Check;

/// The laws that hold according to the registry: those that are claimed, or what is true instead.
/// With the claims.
fn laws() -> Vec<(&'static str, Law)> {
    let check = |check: &Check| match check {
        Check::Law(check) => Some(check.correction.unwrap_or(check.law)),
        _ => None,
    };
    let of = |claim: &'static truecal_verify::registry::Claim| {
        claim.checks.iter().filter_map(check).map(|law| (claim.id, law.parse().expect("a law")))
    };
    claims::all().flat_map(of).collect()
}

/// Averages over more classes of subsets than this are passed by.
const SUBSETS: u128 = 1 << 12;

/// The first law that fails, in words, with the rows cut down to what it takes: the generators
/// shrink numbers well, but leave rows behind that have become idle.
fn complaint(laws: &[(&'static str, Law)], rows: &Rows) -> Option<String> {
    let (id, law) = broken(laws, &table(rows))?;
    let fails = |rows: &Rows| broken(&[(id, law.clone())], &table(rows)).is_some();
    // A round at a time, and where none can go alone, two at once.
    let mut rows = rows.clone();
    'smaller: loop {
        for first in 0..rows.len() {
            let without = without_round(&rows, first);
            if fails(&without) {
                rows = without;
                continue 'smaller;
            }
        }
        for first in 0..rows.len() {
            let without = without_round(&rows, first);
            for second in first.min(without.len())..without.len() {
                let without = without_round(&without, second);
                if fails(&without) {
                    rows = without;
                    continue 'smaller;
                }
            }
        }
        break;
    }
    Some(format!("{id}: {law} fails at {rows:?}"))
}

/// The rows with one round fewer in one of them.
fn without_round(rows: &Rows, index: usize) -> Rows {
    let mut shorter = rows.clone();
    let row = &mut shorter[index];
    if row.1 > 1 {
        (row.1, row.2) = (row.1 - 1, row.2.min(row.1 - 1));
    } else {
        shorter.remove(index);
    }
    shorter
}

/// The first law that fails.
fn broken(laws: &[(&'static str, Law)], levels: &AnyLevels) -> Option<(&'static str, Law)> {
    let affordable = subset_cost(levels).is_some_and(|cost| cost <= SUBSETS);
    let mut known: Vec<Option<BigRational>> = vec![None; Quantity::ALL.len()];
    for (id, law) in laws {
        let quantities = law.quantities();
        if !affordable && quantities.iter().any(|quantity| quantity.is_average()) {
            continue;
        }
        for quantity in quantities {
            known[quantity.index()].get_or_insert_with(|| value_of(levels, quantity));
        }
        let value = |quantity: Quantity| known[quantity.index()].clone().expect("computed");
        if judge(law, &value) == Some(Verdict::Fails) {
            return Some((id, law.clone()));
        }
    }
    None
}

/// Rounds that share a prediction: numerator, denominator, count, ones. Shrinks to few rounds of
/// small fractions.
type Rows = Vec<Row>;

type Row = ((u32, u32), u8, u8);

fn table(rows: &Rows) -> AnyLevels {
    let mut forecasts = Forecasts::new();
    for &((numerator, denominator), count, ones) in rows {
        let p = Ratio::new(numerator.min(denominator), denominator);
        let prediction = Prediction::try_from(p).expect("in [0, 1]");
        forecasts.push_level(prediction, count.into(), ones.min(count).into()).expect("few rounds");
    }
    forecasts.levels().expect("small denominators")
}

/// Shapes in which formulas go wrong, with up to 200 rounds.
fn shapes() -> impl Strategy<Value = Rows> {
    let single = |p: BoxedStrategy<(u32, u32)>, most: usize| {
        prop::collection::vec((p, Just(1_u8), 0..=1_u8), 1..=most)
    };
    let mixed = (0..60_u32, 1..60_u32).boxed();
    let ties = (0..=4_u32, Just(4_u32)).boxed();
    let near_ties = (499_990..=500_010_u32, Just(1_000_000_u32)).boxed();
    let ends = (0..=1_u32, Just(1_u32)).boxed();
    let alternating = (1..=200_u32)
        .prop_map(|rounds| (0..rounds).map(|t| ((t + 1, rounds + 1), 1, (t % 2) as u8)).collect());
    let heavy =
        ((0..12_u32, 1..12_u32), 1..=190_u8, 0..=190_u8, single((0..12_u32, 1..12_u32).boxed(), 4))
            .prop_map(|(p, count, ones, mut rest)| {
                rest.push((p, count, ones));
                rest
            });
    prop_oneof![
        single(mixed, 200),
        single(ties, 200),
        single(near_ties, 200),
        single(ends, 200),
        alternating,
        heavy,
        prop::collection::vec(((0..12_u32, 1..12_u32), 1..=4_u8, 0..=4_u8), 1..=4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn laws_hold_under_proptest(rows in shapes()) {
        prop_assert_eq!(complaint(&laws(), &rows), None);
    }
}

#[derive(Clone, Debug)]
struct Long(Rows);

impl Arbitrary for Long {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut below = |bound: u32| u32::arbitrary(g) % bound;
        let rounds = 1 + below(200);
        let shape = below(6);
        let fine = 2 + below(1000);
        let row = |t: u32| {
            let p = match shape {
                0 => (below(60), 1 + below(60)),
                1 => (below(7), 6),
                2 => (500_000 + below(5) - 2, 1_000_000),
                3 => (below(2), 1),
                4 => (t, rounds),
                _ => (below(fine), fine),
            };
            (p, 1, if shape == 4 { (t % 2) as u8 } else { below(2) as u8 })
        };
        let mut rows: Rows = (0..rounds).map(row).collect();
        if below(4) == 0 {
            rows.truncate(3);
            rows.push(((below(13), 12), 1 + below(190) as u8, below(190) as u8));
        }
        Long(rows)
    }

    /// Half of the rows, a quarter, …, one fewer; then simpler rows. (The usual way makes numbers
    /// smaller by as little as 1 at a time, which may take minutes from 500 001/1 000 000 on.)
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let rows = self.0.clone();
        let sizes = std::iter::successors(Some(rows.len() / 2), |size| Some(size / 2));
        let length = rows.len();
        let cuts = sizes
            .take_while(|size| *size > 0)
            .flat_map(move |size| (0..length).step_by(size).map(move |start| (start, size)));
        let shorter = cuts.map(move |(start, size)| {
            let end = (start + size).min(rows.len());
            Long([&rows[..start], &rows[end..]].concat())
        });
        let rows = self.0.clone();
        let simpler = (0..length).flat_map(move |index| {
            let rows = rows.clone();
            simpler(rows[index]).into_iter().map(move |row| {
                let mut simpler = rows.clone();
                simpler[index] = row;
                Long(simpler)
            })
        });
        Box::new(shorter.chain(simpler))
    }
}

/// Rows that are simpler than this one: a fraction with a smaller denominator, or half as many
/// rounds.
fn simpler(((numerator, denominator), count, ones): Row) -> Vec<Row> {
    let fractions = [(0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (1, 4), (3, 4)];
    let fractions = fractions.into_iter().filter(|(_, d)| *d < denominator);
    let mut rows: Vec<Row> = fractions.map(|p| (p, count, ones)).collect();
    if count > 1 {
        rows.push(((numerator, denominator), count / 2, ones / 2));
    }
    rows
}

#[test]
fn laws_hold_under_quickcheck() {
    fn hold(long: Long) -> Result<(), String> {
        thread_local!(static LAWS: Vec<(&'static str, Law)> = laws());
        LAWS.with(|laws| complaint(laws, &long.0)).map_or(Ok(()), Err)
    }
    QuickCheck::new().tests(96).quickcheck(hold as fn(Long) -> Result<(), String>);
}

/// A false law is found out by both, and the case is one to read: a zero too high after a one too
/// low.
#[test]
fn a_false_law_comes_down_to_a_readable_case() {
    fn complaint_about(rows: &Rows) -> Result<(), String> {
        let law = vec![("false", "signce <= 2*stepce".parse::<Law>().expect("a law"))];
        complaint(&law, rows).map_or(Ok(()), Err)
    }
    let readable = |words: &str| {
        let rows = words.split_once(" fails at ").map(|(_, rows)| rows.matches("((").count());
        assert!(words.contains("false: signce <= 2*stepce") && rows <= Some(3), "{words}");
    };
    let found = TestRunner::deterministic()
        .run(&shapes(), |rows| complaint_about(&rows).map_err(TestCaseError::fail));
    readable(&found.expect_err("a false law").to_string());

    // Cutting rows down at every step of the shrinking could take for ever: only the last case,
    // which is small already, is.
    thread_local!(static LAST: RefCell<Rows> = const { RefCell::new(vec![]) });
    fn holds(long: Long) -> bool {
        let law = [("false", "signce <= 2*stepce".parse::<Law>().expect("a law"))];
        let holds = broken(&law, &table(&long.0)).is_none();
        if !holds {
            LAST.set(long.0);
        }
        holds
    }
    let found = QuickCheck::new().tests(2000).quicktest(holds as fn(Long) -> bool);
    assert!(found.is_err(), "a false law");
    readable(&complaint_about(&LAST.take()).expect_err("a false law"));
}
