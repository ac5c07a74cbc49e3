//! The same kind of laws under a second, independent generator, which builds level tables rather
//! than rounds and shrinks in its own way.

use num_rational::{BigRational, Ratio};
use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use truecal::{AnyLevels, Forecasts, Measure, Prediction, check};

/// A few levels, each with a few rounds.
#[derive(Clone, Debug)]
struct SmallTable(Vec<(u8, u8, u8)>);

impl Arbitrary for SmallTable {
    fn arbitrary(g: &mut Gen) -> Self {
        let levels = usize::arbitrary(g) % 5;
        let level = |g: &mut Gen| {
            let count = u8::arbitrary(g) % 3 + 1;
            (u8::arbitrary(g) % 31, count, u8::arbitrary(g) % (count + 1))
        };
        SmallTable((0..levels).map(|_| level(g)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let valid = |level: &(u8, u8, u8)| level.0 <= 30 && level.1 >= 1 && level.2 <= level.1;
        Box::new(self.0.shrink().filter(move |levels| levels.iter().all(valid)).map(SmallTable))
    }
}

impl SmallTable {
    fn forecasts(&self) -> Forecasts {
        let mut forecasts = Forecasts::new();
        for &(value, count, ones) in &self.0 {
            let prediction =
                Prediction::try_from(Ratio::new(u32::from(value), 30)).expect("in [0, 1]");
            forecasts.push_level(prediction, count.into(), ones.into()).expect("few rounds");
        }
        forecasts
    }

    fn levels(&self) -> AnyLevels {
        self.forecasts().levels().expect("a small table")
    }
}

quickcheck! {
    fn definitions_equal_measures(table: SmallTable) -> TestResult {
        let levels = table.levels();
        if levels.rounds() > 7 {
            return TestResult::discard();
        }
        let rounds = levels.to_rational().to_rounds();
        let differs = |m: &Measure| levels.evaluate(*m).value != m.define(&rounds);
        let wrong = Measure::ALL.into_iter().find(differs);
        match wrong {
            None => TestResult::passed(),
            Some(measure) => TestResult::error(format!("{measure} of {rounds:?}")),
        }
    }

    fn witnesses_show_the_values(table: SmallTable) -> bool {
        let levels = table.levels();
        let rational = levels.to_rational();
        Measure::ALL.into_iter().all(|measure| {
            let beyond = measure.subsampled_from().is_some();
            beyond || check(&rational, &levels.evaluate(measure)) == Ok(())
        })
    }

    fn merging_in_any_order(tables: (SmallTable, SmallTable, SmallTable)) -> bool {
        let [a, b, c] = [tables.0, tables.1, tables.2].map(|table| table.levels().to_rational());
        let merge = |left: &_, right: &_| {
            truecal::Levels::<BigRational>::merge(left, right).expect("few rounds")
        };
        merge(&merge(&a, &b), &c) == merge(&a, &merge(&b, &c)) && merge(&a, &b) == merge(&b, &a)
    }

    /// Rounds that were forecast with certainty, and rightly, change no measure of the rest but
    /// UCal and VCal, which compare with the mean outcome, and CDL, which compares with the
    /// frequency at the level; these can only fall.
    fn certainty_costs_nothing(table: SmallTable, outcome: bool) -> bool {
        let before = table.levels();
        let mut forecasts = table.forecasts();
        let certain = if outcome { Prediction::ONE } else { Prediction::ZERO };
        forecasts.push(outcome, certain).expect("few rounds");
        let after = forecasts.levels().expect("small");
        Measure::ALL.into_iter().filter(|m| m.subsampled_from().is_none()).all(|measure| {
            let (before, after) = (before.evaluate(measure).value, after.evaluate(measure).value);
            match measure {
                Measure::VCal | Measure::UCal | Measure::Cdl => after <= before,
                Measure::SignCe => true, // a level at 0 or 1 takes a threshold away
                _ => after == before,
            }
        })
    }
}
