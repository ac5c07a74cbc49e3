//! Which bounded proofs support which claims, and whether Kani has verified them.

use std::fmt;

/// The list of all harnesses in `proofs/`, made from them (`proofs/listing.rs`), with what a run of
/// Kani recorded (`proofs/run --record`).
const LIST: &str = include_str!("../../../../proofs/harnesses.tsv");

/// A harness in `proofs/` that supports a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Harness {
    /// Its path, as Kani knows it.
    pub path: &'static str,
    /// Whether the tests go through every case of its domain, or through samples.
    pub enumerated: bool,
    /// The last run in which Kani verified it, if there was one.
    pub record: Option<KaniRecord>,
}

/// A run in which Kani verified a harness, reached its covers and noticed the fault of its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KaniRecord {
    /// The version of Kani.
    pub kani: &'static str,
    /// The day, as `2026-11-17`.
    pub date: &'static str,
    /// Whether the harness and the code under proof are still what they were.
    pub current: bool,
}

impl Harness {
    /// Whether Kani has verified it as it is now.
    pub fn is_verified(&self) -> bool {
        self.record.is_some_and(|record| record.current)
    }

    /// Reads a row of the list; `None` if it has not thirteen columns.
    ///
    /// ```
    /// use truecal_paper::claims::Harness;
    /// let words = |verified: &str, source: &str| {
    ///     let about = "proofs::a proofs::b id slow core sampled 9";
    ///     let row = format!("{about} {source} {verified} 0.67.0 2026-11-17 4.1 0.5");
    ///     let row = row.replace(' ', "\t");
    ///     Harness::of_row(row.leak()).expect("thirteen columns").to_string()
    /// };
    /// assert_eq!(words("a1", "a1"), "verified by Kani 0.67.0 on 2026-11-17");
    /// let changed = "sampled only, changed since verified by Kani 0.67.0 on 2026-11-17";
    /// assert_eq!(words("a1", "b2"), changed);
    /// assert_eq!(words("-", "b2"), "sampled only, not yet verified by Kani");
    /// ```
    pub fn of_row(row: &'static str) -> Option<Harness> {
        let columns: Vec<_> = row.split('\t').collect();
        let [path, _, _, _, _, tests, _, source, verified, kani, date, _, _] = *columns else {
            return None;
        };
        let current = verified == source;
        let record = (verified != "-").then_some(KaniRecord { kani, date, current });
        Some(Harness { path, enumerated: tests == "enumerated", record })
    }
}

/// `verified by Kani 0.67.0 on 2026-11-17`, or what there is instead: no more than is known.
impl fmt::Display for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tests = if self.enumerated { "enumerated" } else { "sampled" };
        match self.record {
            None => write!(f, "{tests} only, not yet verified by Kani"),
            Some(KaniRecord { kani, date, current: true }) => {
                write!(f, "verified by Kani {kani} on {date}")
            }
            Some(KaniRecord { kani, date, current: false }) => {
                write!(f, "{tests} only, changed since verified by Kani {kani} on {date}")
            }
        }
    }
}

/// The harnesses in `proofs/` that support a claim.
///
/// ```
/// let mut harnesses = truecal_paper::claims::harnesses("fact:equivfactor");
/// assert!(harnesses.any(|harness| harness.path == "proofs::prefix::sign_variant"));
/// ```
pub fn harnesses(id: &str) -> impl Iterator<Item = Harness> {
    let supports = move |row: &&str| {
        row.split('\t').nth(2).is_some_and(|claims| claims.split(' ').any(|claim| claim == id))
    };
    let rows = LIST.lines().filter(|row| !row.starts_with('#')).filter(supports);
    rows.map(|row| Harness::of_row(row).expect("the tests read every row"))
}
