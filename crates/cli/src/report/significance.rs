//! Whether values are more than noise: p-values, adjusted for their number, and one verdict.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Entry, NullEntry, Nulls};
use truecal::Measure;
use truecal::null::{PValue, asymptotic, has_limit, holm};

/// From here on an adjusted p-value says that forecasts are miscalibrated.
pub(crate) const LEVEL: f64 = 0.05;

/// The tests of a report.
#[derive(Debug)]
pub(crate) struct Significance {
    pub tests: Vec<Test>,
    /// Why there are none, if there are none.
    pub lacking: Option<&'static str>,
    /// Rounds whose outcome was given the probability 0, which settles the matter.
    pub impossible: u64,
}

/// A measure as a test of the hypothesis that outcomes were drawn from the predictions.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub measure: Measure,
    pub how: How,
    pub p: PValue,
    /// Holm's adjusted p-value, among all tests of the report.
    pub adjusted: PValue,
}

/// How a p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// In the limit of many rounds.
    Limit,
    /// From so many replicates, none of which reached the value, if `floor`.
    Drawn { replicates: u64, floor: bool },
}

impl Significance {
    /// No tests, and nothing to say about that.
    pub fn none() -> Self {
        Significance { tests: vec![], lacking: None, impossible: 0 }
    }

    /// No tests, and why.
    pub fn lacking(why: &'static str) -> Self {
        Significance { lacking: Some(why), ..Significance::none() }
    }

    /// The tests of measures whose values are known: of all of them that replicates were drawn
    /// for, otherwise of those with a known limit, given the variance of the outcomes.
    pub fn of(entries: &[Entry], nulls: Option<&Nulls>, variance: &BigRational) -> Self {
        let drawn = nulls.iter().flat_map(|nulls| &nulls.entries).filter_map(drawn);
        let mut tests: Vec<Test> = drawn.collect();
        if tests.is_empty() {
            tests = entries.iter().filter_map(|entry| in_the_limit(entry, variance)).collect();
        }
        let lacking = tests.is_empty().then(|| lacking(entries));
        let mut significance = Significance { tests, lacking, impossible: 0 };
        adjust(significance.tests.iter_mut());
        significance
    }

    /// The tests of rounds of which nothing can be drawn.
    pub fn in_the_limit(entries: &[Entry], variance: &BigRational) -> Self {
        match is_small(variance) {
            true => Significance::lacking(
                "outcomes vary too little for one in the limit of many rounds; with more memory \
                    (--max-memory) they are drawn",
            ),
            false => Significance::of(entries, None, variance),
        }
    }

    /// Whether the forecasts are miscalibrated; `None` if there is nothing to tell it by.
    pub fn verdict(&self) -> Option<bool> {
        match (self.impossible, self.strongest()) {
            (0, strongest) => strongest.map(Test::rejects),
            _ => Some(true),
        }
    }

    /// What happened against all forecasts, in words.
    pub fn impossible_in_words(&self) -> Option<String> {
        let plural = if self.impossible == 1 { "" } else { "s" };
        let words = format!("in {} round{plural} what had probability 0 happened", self.impossible);
        Some(words).filter(|_| self.impossible > 0)
    }

    /// The test of a measure.
    pub fn of_measure(&self, measure: Measure) -> Option<&Test> {
        self.tests.iter().find(|test| test.measure == measure)
    }

    /// The test that says most.
    pub fn strongest(&self) -> Option<&Test> {
        self.tests.iter().min_by_key(|test| (test.adjusted, test.p))
    }
}

/// With a smaller variance, Σ p(1 - p), a p-value in the limit is not to be trusted: nearly all
/// outcomes are as they were forecast, or there are few.
const LEAST_VARIANCE: u32 = 5;

/// Whether a p-value in the limit is not to be trusted, where there is one.
pub(crate) fn is_small(variance: &BigRational) -> bool {
    *variance > BigRational::default()
        && *variance < BigRational::from(BigInt::from(LEAST_VARIANCE))
}

/// Why no measure has a test.
fn lacking(entries: &[Entry]) -> &'static str {
    match entries.iter().any(|entry| has_limit(entry.measure())) {
        true => "all predictions are 0 or 1, so that outcomes have no variance",
        false => "of these measures only replicates have one: --null 1000",
    }
}

/// Adjusts the p-values of tests for each other.
pub(crate) fn adjust<'a>(tests: impl Iterator<Item = &'a mut Test>) {
    let tests: Vec<&mut Test> = tests.collect();
    let p_values: Vec<PValue> = tests.iter().map(|test| test.p).collect();
    for (test, adjusted) in tests.into_iter().zip(holm(&p_values)) {
        test.adjusted = adjusted;
    }
}

fn drawn(entry: &NullEntry) -> Option<Test> {
    let NullEntry::Drawn(null) = entry else { return None };
    let p = PValue::try_from(&null.p_value()).expect("a share");
    let how = How::Drawn { replicates: null.replicates, floor: null.at_least == 0 };
    Some(Test { measure: null.measure, how, p, adjusted: p })
}

fn in_the_limit(entry: &Entry, variance: &BigRational) -> Option<Test> {
    let Entry::Exact(found) = entry else { return None };
    let p = asymptotic(found.measure, &found.value, variance)?;
    Some(Test { measure: found.measure, how: How::Limit, p, adjusted: p })
}

impl Test {
    /// The p-value in words.
    pub fn p_in_words(&self) -> String {
        match self.how {
            How::Drawn { replicates, floor: true } => format!("< 1/{}", replicates + 1),
            How::Limit | How::Drawn { .. } => self.p.to_string(),
        }
    }

    /// Whether it speaks against the forecasts.
    pub fn rejects(&self) -> bool {
        self.adjusted.to_f64() < LEVEL
    }
}
