//! Progress reports and cancellation of long work.

use std::fmt;

/// A progress report. Ignore what you do not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// What is being done, and how many cases it has.
    Begin(&'a str, u64),
    /// So many more of them are done.
    Done(u64),
}

/// An observer of long work, who is told of its progress and may end it; called from any thread.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use truecal::{Forecasts, Measure, Progress, Watch, sampled::SampleOptions};
/// let levels = Forecasts::from_pairs([(true, "0.3"), (false, "0.6")])?.levels()?;
/// let drawn = AtomicU64::new(0);
/// let tell = |news: Progress<'_>| {
///     if let Progress::Done(subsets) = news {
///         drawn.fetch_add(subsets, Ordering::Relaxed);
///     }
/// };
/// let watch = Watch::new(&|| true, &tell);
/// levels.sample_with(Measure::StepCeSub, &SampleOptions::default(), &watch);
/// assert_eq!(drawn.into_inner(), 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    go_on: &'a (dyn Fn() -> bool + Sync),
    tell: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl<'a> Watch<'a> {
    /// Asks `go_on` often (false ends a search, and what was found so far is the answer) and tells
    /// what is being done.
    pub fn new(
        go_on: &'a (dyn Fn() -> bool + Sync),
        tell: &'a (dyn Fn(Progress<'_>) + Sync),
    ) -> Self {
        Watch { go_on, tell }
    }

    /// No observer: nothing is reported, and work goes on to its end.
    pub fn silent() -> Watch<'static> {
        Watch { go_on: &|| true, tell: &|_| () }
    }

    /// Whether to go on. Work that has no part to give as an answer does not ask.
    pub fn go_on(&self) -> bool {
        (self.go_on)()
    }

    /// Says what begins, and how many cases it has.
    pub fn begin(&self, what: &str, cases: u64) {
        (self.tell)(Progress::Begin(what, cases));
    }

    /// Says that so many more cases are done.
    pub fn done(&self, cases: u64) {
        (self.tell)(Progress::Done(cases));
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
