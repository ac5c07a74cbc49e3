//! Wrong results: does a harness notice, in each case, that the code under proof is off?
//!
//! A seeded fault changes a claim. That an assertion also holds the code to its word is another
//! question: here one part of one result is changed, one bit at a time, in a case in which all was
//! well, and the body must panic. `README.md` lists the parts of all results with the harnesses
//! that notice.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Harness;
use super::cases::{Case, fails, some_cases};

/// In how many cases of a harness wrong results are tried, at most.
const CASES: u64 = 300;
/// After so many wrong results a harness has been tried enough.
const ENOUGH: u64 = 30_000;

/// A result that can be made wrong.
pub trait Wrong: Sized {
    /// In how many ways.
    const WAYS: usize;
    /// Some value.
    fn example() -> Self;
    /// Another value that differs in one part, with the name of this part; `None` if there is none
    /// for this way.
    fn other(&self, way: usize) -> Option<(String, Self)>;
}

/// One bit is turned.
macro_rules! wrong_integers {
    ($($integer:ty)+) => {$(
        impl Wrong for $integer {
            const WAYS: usize = <$integer>::BITS as usize;

            fn example() -> Self {
                0
            }

            fn other(&self, way: usize) -> Option<(String, Self)> {
                Some((String::new(), self ^ 1 << way))
            }
        }
    )+};
}

wrong_integers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize);

impl Wrong for () {
    const WAYS: usize = 0;

    fn example() -> Self {}

    fn other(&self, _way: usize) -> Option<(String, Self)> {
        None
    }
}

impl Wrong for bool {
    const WAYS: usize = 1;

    fn example() -> Self {
        false
    }

    fn other(&self, _way: usize) -> Option<(String, Self)> {
        Some((String::new(), !self))
    }
}

impl<T: Wrong> Wrong for Option<T> {
    const WAYS: usize = 1 + T::WAYS;

    fn example() -> Self {
        None
    }

    fn other(&self, way: usize) -> Option<(String, Self)> {
        match (self, way) {
            (Some(_), 0) => Some((String::new(), None)),
            (None, 0) => Some((String::new(), Some(T::example()))),
            (Some(value), _) => value.other(way - 1).map(|(part, other)| (part, Some(other))),
            (None, _) => None,
        }
    }
}

impl<T: Wrong, E: Wrong> Wrong for Result<T, E> {
    const WAYS: usize = 1 + T::WAYS + E::WAYS;

    fn example() -> Self {
        Err(E::example())
    }

    fn other(&self, way: usize) -> Option<(String, Self)> {
        match (self, way) {
            (Ok(_), 0) => Some(("error".into(), Err(E::example()))),
            (Err(_), 0) => Some(("error".into(), Ok(T::example()))),
            (Ok(value), _) if way <= T::WAYS => {
                value.other(way - 1).map(|(part, other)| (part, Ok(other)))
            }
            (Err(error), _) if way > T::WAYS => {
                error.other(way - 1 - T::WAYS).map(|(_, other)| ("error".into(), Err(other)))
            }
            _ => None,
        }
    }
}

impl<T: Wrong + Clone, const N: usize> Wrong for [T; N] {
    const WAYS: usize = N * T::WAYS;

    fn example() -> Self {
        std::array::from_fn(|_| T::example())
    }

    fn other(&self, way: usize) -> Option<(String, Self)> {
        let place = way / T::WAYS;
        let (part, changed) = self[place].other(way % T::WAYS)?;
        let mut other = self.clone();
        other[place] = changed;
        Some((part, other))
    }
}

impl<A: Wrong + Clone, B: Wrong + Clone> Wrong for (A, B) {
    const WAYS: usize = A::WAYS + B::WAYS;

    fn example() -> Self {
        (A::example(), B::example())
    }

    fn other(&self, way: usize) -> Option<(String, Self)> {
        let (a, b) = self;
        match way.checked_sub(A::WAYS) {
            None => a.other(way).map(|(part, a)| (within("0", &part), (a, b.clone()))),
            Some(way) => b.other(way).map(|(part, b)| (within("1", &part), (a.clone(), b))),
        }
    }
}

/// The name of a part within a part.
pub fn within(field: &str, part: &str) -> String {
    if part.is_empty() { field.to_owned() } else { format!("{field}.{part}") }
}

/// Structures are wrong in one field.
macro_rules! wrong_fields {
    ($($name:ident $(<$number:ident>)? { $($field:ident: $kind:ty),+ })+) => {$(
        impl$(<$number: crate::proofs::symbolic::wrong::Wrong + Clone>)?
            crate::proofs::symbolic::wrong::Wrong for $name$(<$number>)?
        {
            const WAYS: usize = 0 $(+ <$kind as crate::proofs::symbolic::wrong::Wrong>::WAYS)+;

            fn example() -> Self {
                Self { $($field: crate::proofs::symbolic::wrong::Wrong::example()),+ }
            }

            #[allow(unused_assignments, reason = "there is nothing after the last field")]
            fn other(&self, mut way: usize) -> Option<(String, Self)> {
                use crate::proofs::symbolic::wrong::{Wrong, within};
                $(
                    if way < <$kind as Wrong>::WAYS {
                        let (part, $field) = self.$field.other(way)?;
                        let other = Self { $field, ..self.clone() };
                        return Some((within(stringify!($field), &part), other));
                    }
                    way -= <$kind as Wrong>::WAYS;
                )+
                None
            }
        }
    )+};
}

/// Enumerations without fields are wrong in being another variant.
#[allow(unused_macros, reason = "not every package has such results")]
macro_rules! wrong_variants {
    ($($name:ident { $($variant:ident),+ })+) => {$(
        impl crate::proofs::symbolic::wrong::Wrong for $name {
            const WAYS: usize = [$($name::$variant),+].len();

            fn example() -> Self {
                [$($name::$variant),+][0]
            }

            fn other(&self, way: usize) -> Option<(String, Self)> {
                let other = [$($name::$variant),+][way];
                (other != *self).then(|| (String::new(), other))
            }
        }
    )+};
}

/// The results of a case, and which of them is to be wrong.
#[derive(Default)]
struct Results {
    /// How often a result passed by.
    count: usize,
    /// The number of the result to change, and the way.
    target: Option<(usize, usize)>,
    /// In how many ways the one with that number can be wrong.
    ways: usize,
    /// What was changed: the function and the part of its result.
    changed: Option<(&'static str, String)>,
}

thread_local! {
    static RESULTS: RefCell<Results> = RefCell::default();
}

/// The result, or a wrong one.
pub fn result<R: Wrong>(function: &'static str, result: R) -> R {
    let way = RESULTS.with_borrow_mut(|results| {
        results.count += 1;
        let (number, way) = results.target?;
        (number == results.count - 1).then(|| {
            results.ways = R::WAYS;
            way
        })
    });
    let Some((part, other)) = way.and_then(|way| result.other(way)) else { return result };
    RESULTS.with_borrow_mut(|results| results.changed = Some((function, part)));
    other
}

/// How often a wrong result was handed on, and how often that was noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// How often it was noticed.
    pub noticed: u64,
    /// How often it was wrong.
    pub wrong: u64,
}

/// By function and part, which wrong results a harness notices.
pub fn noticed(harness: &Harness) -> BTreeMap<(&'static str, String), Noticed> {
    let mut found = BTreeMap::<_, Noticed>::new();
    for case in some_cases(harness.proof, CASES) {
        if found.values().map(|noticed| noticed.wrong).sum::<u64>() > ENOUGH {
            break;
        }
        let mut number = 0;
        while let Some(ways) = attempt(harness, &case, (number, 0), &mut found) {
            for way in 1..ways {
                attempt(harness, &case, (number, way), &mut found);
            }
            number += 1;
        }
    }
    found
}

/// Makes one result wrong in one way. Returns in how many ways it can be; `None` if there are not
/// so many results.
fn attempt(
    harness: &Harness,
    case: &Case,
    target: (usize, usize),
    found: &mut BTreeMap<(&'static str, String), Noticed>,
) -> Option<usize> {
    RESULTS.set(Results { target: Some(target), ..Results::default() });
    let failed = fails(harness.proof, case);
    let Results { count, ways, changed, .. } = RESULTS.take();
    if let Some(part) = changed {
        let entry = found.entry(part).or_default();
        entry.wrong += 1;
        entry.noticed += u64::from(failed);
    }
    (count > target.0).then_some(ways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proofs::symbolic::{between, cases};

    /// A pair under proof.
    #[derive(Clone, Debug, PartialEq)]
    struct Pair {
        low: u8,
        high: Option<u8>,
    }

    wrong_fields!(Pair { low: u8, high: Option<u8> });

    /// Looks at all of `low`, at `high` only where it is large.
    fn weak() {
        let number = between(0_u8, 255);
        let pair = result!("halves", Pair { low: number & 15, high: Some(number >> 4) });
        assert!(pair.low == number & 15);
        assert!(number < 128 || pair.high == Some(number >> 4));
    }

    #[test]
    fn weak_assertions_show() {
        let harness = Harness {
            module: "",
            name: "weak",
            twin: "none",
            shows: "",
            claims: &[],
            domain: "",
            cases: "256",
            slow: false,
            seconds: 1,
            fault: "",
            proof: weak,
            broken: weak,
        };
        assert!(harness.is_enumerated());
        let found = noticed(&harness);
        let part = |name: &str| found[&("halves", name.to_owned())];
        let cases = cases::some_cases(weak, CASES).len() as u64;
        assert_eq!(part("low"), Noticed { noticed: 8 * cases, wrong: 8 * cases });
        let high = part("high");
        assert!(high.wrong == 9 * cases && 0 < high.noticed && high.noticed < high.wrong);
        assert_eq!(found.len(), 2);
        // Nothing is wrong outside of a trial.
        weak();
    }

    #[test]
    fn every_part_can_be_wrong() {
        let right: Result<Pair, bool> = Ok(Pair { low: 1, high: None });
        let others = (0..<Result<Pair, bool>>::WAYS).filter_map(|way| right.other(way));
        let parts: Vec<String> = others
            .map(|(part, other)| {
                assert_ne!(other, right);
                part
            })
            .collect();
        assert_eq!(parts.len(), 1 + 8 + 1);
        assert_eq!((&*parts[0], &*parts[1], &*parts[9]), ("error", "low", "high"));
        assert_eq!([1_u8, 2].other(8), Some((String::new(), [1, 3])));
        assert_eq!(<Result<u8, bool>>::example(), Err(false));
        assert_eq!(Err::<u8, bool>(false).other(9), Some(("error".into(), Err(true))));
        assert_eq!(Err::<u8, bool>(false).other(0), Some(("error".into(), Ok(0))));
    }
}
