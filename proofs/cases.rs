//! The cases of a harness, one after the other, where there is no Kani.

#![allow(clippy::float_arithmetic, reason = "sizes of domains are estimated")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use super::Harness;

/// A domain with more cases is sampled.
const MOST_CASES: u128 = 10_000_000;
/// How many samples are drawn then.
const SAMPLES: u64 = 500_000;
/// Where samples start from, unless the environment has another `TRUECAL_PROOF_SEED`.
const SEED: u64 = 1;

/// An integer type with values to choose from.
pub trait Choice: Copy {
    /// `high` - `low`
    fn distance(low: Self, high: Self) -> u128;
    /// `low` + `offset`
    fn above(low: Self, offset: u128) -> Self;
}

macro_rules! choice {
    ($($integer:ty as $unsigned:ty),+) => {$(
        impl Choice for $integer {
            fn distance(low: Self, high: Self) -> u128 {
                assert!(low <= high, "no value between {low} and {high}");
                u128::from(high.wrapping_sub(low) as $unsigned)
            }

            fn above(low: Self, offset: u128) -> Self {
                low.wrapping_add(offset as $integer)
            }
        }
    )+};
}

choice!(
    u8 as u8,
    i8 as u8,
    i16 as u16,
    u32 as u32,
    i32 as u32,
    u64 as u64,
    i64 as u64,
    u128 as u128,
    i128 as u128
);

impl Choice for usize {
    fn distance(low: Self, high: Self) -> u128 {
        assert!(low <= high, "no value between {low} and {high}");
        (high - low) as u128
    }

    fn above(low: Self, offset: u128) -> Self {
        low + offset as usize
    }
}

/// A value that was chosen: so far above the low end, which is so far below the high one.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    offset: u128,
    last: u128,
}

/// The case under way, and what was seen so far.
#[derive(Default)]
struct Run {
    chosen: Vec<Chosen>,
    /// How many choices of this case are made.
    position: usize,
    /// Draws further values; without it they start from the lowest.
    sampler: Option<Sampler>,
    rejected: bool,
    /// The covers by line, and whether they were reached.
    covers: BTreeMap<u32, bool>,
}

thread_local! {
    static RUN: RefCell<Run> = RefCell::default();
}

/// The choices of one case.
#[derive(Clone)]
pub struct Case(Vec<Chosen>);

/// Any integer from `low` to `high`, both included.
pub fn between<N: Choice>(low: N, high: N) -> N {
    near(low, high, &[])
}

/// The same; samples look near these places, too.
pub fn near<N: Choice>(low: N, high: N, places: &[N]) -> N {
    let last = N::distance(low, high);
    RUN.with_borrow_mut(|run| {
        if run.position == run.chosen.len() {
            let offset = run.sampler.as_mut().map_or(0, |sampler| match sampler.one_of(places) {
                Some(place) => sampler.around(N::distance(low, place), last),
                None => sampler.draw(last),
            });
            run.chosen.push(Chosen { offset, last });
        }
        run.position += 1;
        // A body that was handed a wrong result may choose from less.
        N::above(low, run.chosen[run.position - 1].offset.min(last))
    })
}

/// The case is outside the domain.
pub fn reject() {
    RUN.with_borrow_mut(|run| run.rejected = true);
}

/// A condition that has to hold in some case.
pub fn cover(line: u32, condition: bool) {
    RUN.with_borrow_mut(|run| *run.covers.entry(line).or_default() |= condition);
}

/// Whether a body holds in a case, and what the panic said if not; `None` outside the domain.
fn attempt(body: impl Fn()) -> Option<Result<(), String>> {
    let outcome = quietly(body);
    let rejected = RUN.with_borrow_mut(|run| {
        run.position = 0;
        std::mem::take(&mut run.rejected)
    });
    (!rejected || outcome.is_err()).then_some(outcome)
}

/// Runs a body that may panic, without a word on the screen.
fn quietly(body: impl Fn()) -> Result<(), String> {
    static HOOK: Once = Once::new();
    thread_local! {
        static QUIET: Cell<bool> = const { Cell::new(false) };
    }
    HOOK.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(body));
    QUIET.set(before);
    outcome.map_err(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        words.or_else(|| panic.downcast_ref().map(|&text: &&str| text.into())).unwrap_or_default()
    })
}

/// Some cases in which a body holds, drawn evenly and otherwise.
pub fn some_cases(body: fn(), number: u64) -> Vec<Case> {
    RUN.set(Run { sampler: Some(Sampler { state: SEED, even: true }), ..Run::default() });
    let mut cases = vec![];
    for case in 0..number {
        let held = attempt(body) == Some(Ok(()));
        RUN.with_borrow_mut(|run| {
            let chosen = std::mem::take(&mut run.chosen);
            cases.extend(held.then_some(Case(chosen)));
            run.sampler.as_mut().expect("there are samples").even = case % 2 == 1;
        });
    }
    cases
}

/// Whether the body panics in this case, which it does if it notices what was changed.
pub fn fails(body: fn(), case: &Case) -> bool {
    RUN.set(Run { chosen: case.0.clone(), ..Run::default() });
    attempt(body).is_some_and(|outcome| outcome.is_err())
}

/// What the cases of a domain showed.
struct Tally {
    cases: u128,
    accepted: u128,
    covers: BTreeMap<u32, bool>,
    /// The choices and the message of the first case that failed.
    failure: Option<(Vec<u128>, String)>,
    /// The mean of the product of all numbers of choices, which is the size of the domain.
    size: f64,
}

/// Runs a body on every case, or on samples of them, until one fails.
fn run(body: fn(), samples: Option<u64>, seed: u64) -> Tally {
    let mut tally =
        Tally { cases: 0, accepted: 0, covers: BTreeMap::new(), failure: None, size: 0.0 };
    let sampler = samples.map(|_| Sampler { state: seed, even: true });
    RUN.set(Run { sampler, ..Run::default() });
    let (mut sizes, mut even_cases) = (0.0, 0.0);
    loop {
        let outcome = attempt(body);
        let chosen = RUN.with_borrow_mut(|run| std::mem::take(&mut run.chosen));
        let rejected = outcome.is_none();
        tally.cases += 1;
        tally.accepted += u128::from(!rejected);
        if let Some(Err(words)) = outcome {
            let offsets = chosen.iter().map(|chosen| chosen.offset).collect();
            tally.failure = Some((offsets, words));
            break;
        }
        match samples {
            None => {
                let Some(next) = successor(chosen) else { break };
                RUN.with_borrow_mut(|run| run.chosen = next);
            }
            Some(samples) => {
                if tally.cases % 2 == 1 {
                    let leaves =
                        |product: f64, chosen: &Chosen| product * (chosen.last as f64 + 1.0);
                    sizes += if rejected { 0.0 } else { chosen.iter().fold(1.0, leaves) };
                    even_cases += 1.0;
                }
                if tally.cases == u128::from(samples) {
                    break;
                }
                // Every other case is drawn evenly, for the size of the domain.
                let even = tally.cases.is_multiple_of(2);
                RUN.with_borrow_mut(|run| {
                    run.sampler.as_mut().expect("there are samples").even = even;
                });
            }
        }
    }
    tally.size = if samples.is_some() { sizes / even_cases } else { tally.accepted as f64 };
    tally.covers = RUN.take().covers;
    tally
}

/// The choices of the next case, the last choice growing first.
fn successor(mut chosen: Vec<Chosen>) -> Option<Vec<Chosen>> {
    while chosen.last().is_some_and(|last| last.offset == last.last) {
        chosen.pop();
    }
    chosen.last_mut()?.offset += 1;
    Some(chosen)
}

impl Harness {
    /// Whether tests go through every case of the domain.
    pub fn is_enumerated(&self) -> bool {
        matches!(Size::of(self), Size::Exactly(cases) if cases <= MOST_CASES)
    }
}

/// The body holds in every case and reaches its covers; the twin fails in some.
pub fn exercise(harness: &Harness) {
    let seed = std::env::var("TRUECAL_PROOF_SEED").map_or(SEED, |seed| {
        seed.parse().expect("TRUECAL_PROOF_SEED is an integer from 0 to 2^64 - 1")
    });
    let name = harness.name;
    let declared = Size::of(harness);
    let samples = if harness.is_enumerated() { None } else { Some(SAMPLES) };
    let how = if samples.is_some() { format!(" (seed {seed})") } else { String::new() };

    let tally = run(harness.proof, samples, seed);
    println!("{name}: {} cases, {} in the domain{how}", tally.cases, tally.accepted);
    if let Some((choices, words)) = &tally.failure {
        panic!("{name} fails at choices {choices:?}{how}: {words}");
    }
    assert!(tally.accepted > 0, "{name}: the assumptions reject everything");
    assert!(!tally.covers.is_empty(), "{name} covers nothing");
    for (line, reached) in &tally.covers {
        assert!(reached, "{name}: the cover in line {line} was never reached{how}");
    }
    declared.compare(name, &tally);

    let failure = run(harness.broken, samples, seed).failure;
    assert!(failure.is_some(), "{}: {} goes unnoticed{how}", harness.twin, harness.fault);
}

/// The size of a domain, as the harness says.
enum Size {
    Exactly(u128),
    /// 2 to this power, roughly.
    Power(f64),
}

impl Size {
    fn of(harness: &Harness) -> Size {
        let plain: String = harness.cases.chars().filter(|c| *c != ' ').collect();
        match plain.strip_prefix("2^") {
            Some(power) => Size::Power(power.parse().expect("a power of two")),
            None => Size::Exactly(plain.parse().expect("a number of cases")),
        }
    }

    /// The size that was found is the one that was declared; for samples, about that.
    fn compare(&self, name: &str, tally: &Tally) {
        match *self {
            Size::Exactly(cases) if cases <= MOST_CASES => {
                assert_eq!(tally.accepted, cases, "{name}: the size of the domain");
            }
            Size::Exactly(cases) => {
                let ratio = tally.size / cases as f64;
                assert!((0.8..1.25).contains(&ratio), "{name}: about {:e} cases", tally.size);
            }
            Size::Power(power) => {
                let found = tally.size.log2();
                // A few cases in large subtrees make up for many in small ones: samples may miss
                // them.
                let about = power - 4.0..power + 1.0;
                assert!(about.contains(&found), "{name}: about 2^{found:.1} cases");
            }
        }
    }
}

/// SplitMix64, and values that are likely to matter.
struct Sampler {
    state: u64,
    even: bool,
}

impl Sampler {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Evenly from 0 to `last`, but for a bias that is far too small to see.
    fn evenly(&mut self, last: u128) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        last.checked_add(1).map_or(wide, |options| wide % options)
    }

    /// One of these places for every other value that is not drawn evenly.
    fn one_of<N: Choice>(&mut self, places: &[N]) -> Option<N> {
        if self.even || places.is_empty() || self.next().is_multiple_of(2) {
            return None;
        }
        places.get(self.next() as usize % places.len()).copied()
    }

    /// At most two steps away.
    fn around(&mut self, place: u128, last: u128) -> u128 {
        place.saturating_add(self.evenly(4)).saturating_sub(2).min(last)
    }

    fn draw(&mut self, last: u128) -> u128 {
        if self.even {
            return self.evenly(last);
        }
        let few = self.evenly(last.min(3));
        let wide = self.evenly(last);
        let low_bits = (1_u128 << (self.next() % 128)) - 1;
        match self.next() % 6 {
            0 => wide,
            1 => few,
            2 => last - few,
            3 => (last / 2 + few).min(last),
            4 => wide & low_bits,
            _ => (wide & !low_bits | if few == 0 { low_bits } else { few - 1 }).min(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proofs::symbolic::either;

    const TRIAL: Harness = Harness {
        module: "",
        name: "trial",
        twin: "trial_fault",
        shows: "",
        claims: &[],
        domain: "",
        cases: "6",
        slow: false,
        seconds: 10,
        fault: "a fault",
        proof: holds,
        broken: fails,
    };

    /// What a failing exercise says.
    fn complaint(cases: &'static str, proof: fn(), broken: fn()) -> String {
        let trial = || exercise(&Harness { cases, proof, broken, ..TRIAL });
        let panic = catch_unwind(AssertUnwindSafe(trial)).expect_err("a defect");
        panic.downcast_ref::<String>().expect("words").clone()
    }

    /// Pairs 0 <= a <= b <= 2.
    fn pair() -> (u8, u8) {
        let a = between(0, 2);
        (a, between(a, 2))
    }

    fn holds() {
        let (a, b) = pair();
        assert!(a <= b);
        cover!(a == 1 && b == 2);
    }

    fn fails() {
        let (a, b) = pair();
        assert!(a < b, "not below");
    }

    #[test]
    fn every_case_is_visited_once() {
        exercise(&TRIAL);
        thread_local! {
            static SEEN: RefCell<Vec<(bool, (u8, u8))>> = RefCell::default();
        }
        let tally = run(|| SEEN.with_borrow_mut(|seen| seen.push((either(), pair()))), None, 0);
        let mut seen = SEEN.take();
        assert_eq!((tally.cases, seen.len()), (12, 12));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 12);
    }

    #[test]
    fn defects_are_noticed() {
        assert!(complaint("6", fails, fails).contains("fails at choices [0, 0]: not below"));
        assert!(complaint("6", holds, holds).contains("a fault goes unnoticed"));
        assert!(complaint("7", holds, fails).contains("the size of the domain"));
        fn bare() {
            pair();
        }
        assert!(complaint("6", bare, fails).contains("covers nothing"));
        fn unreached() {
            let (a, b) = pair();
            cover!(a > b);
        }
        assert!(complaint("6", unreached, fails).contains("was never reached"));
        fn rejecting() {
            let (a, b) = pair();
            assume!(a > b);
            cover!(true);
        }
        assert!(complaint("6", rejecting, fails).contains("reject everything"));
        assert!(complaint("2^60", holds, fails).contains("about 2^2."));
    }

    #[test]
    fn samples_find_rare_cases_and_the_size() {
        fn wide() {
            let number = between(0, u128::MAX);
            assert!(number.count_ones() <= 128);
            cover!(number == u128::MAX);
            cover!(number == 0);
        }
        fn wrong() {
            assert!(between(0, u64::MAX) != u64::MAX);
        }
        exercise(&Harness { cases: "2^128", proof: wide, broken: wrong, ..TRIAL });
    }
}
