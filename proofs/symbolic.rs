//! Symbolic input: under Kani arbitrary values, under test one case after the other.
//!
//! Every value comes from [`between`], with both ends given. So the domain of a harness is a tree
//! of choices, which the tests walk through completely if it has at most ten million leaves, and
//! sample otherwise: uniformly, and with values near the ends, in the middle and with long runs of
//! equal bits.

/// Goes on only where the condition holds. Use it in bodies, which return nothing.
macro_rules! assume {
    ($condition:expr) => {
        #[cfg(kani)]
        kani::assume($condition);
        #[cfg(not(kani))]
        if !$condition {
            crate::proofs::symbolic::cases::reject();
            return;
        }
    };
}

/// Asks that the condition hold in some case that passes all assertions before.
///
/// Under Kani each cover is a function of its own: an optimiser that copies the call into both
/// branches of the condition leaves two calls, but one cover.
macro_rules! cover {
    ($condition:expr) => {{
        #[cfg(kani)]
        {
            #[inline(never)]
            fn reached(condition: bool) {
                kani::cover(condition, concat!("cover condition: ", stringify!($condition)));
            }
            reached($condition);
        }
        #[cfg(not(kani))]
        crate::proofs::symbolic::cases::cover(line!(), $condition);
    }};
}

/// What the code under proof returned or left behind, by the name of the function, on its way to
/// the assertions. Tests put wrong ones in its place, to see whether the harness notices.
macro_rules! result {
    ($function:literal, $result:expr) => {{
        #[cfg(kani)]
        let result = $result;
        #[cfg(not(kani))]
        let result = crate::proofs::symbolic::wrong::result($function, $result);
        result
    }};
}

/// Harnesses: a proof for Kani, its twin, a test that runs both, and what they are about.
macro_rules! harnesses {
    ($(
        $(#[doc = $shows:literal])+
        $name:ident / $twin:ident {
            claims: [$($claim:literal),+],
            domain: $domain:literal,
            cases: $cases:literal,
            $(slow: $slow:ident,)?
            unwind: $unwind:tt,
            seconds: $seconds:literal,
            proof: $proof:expr,
            fault: $fault:literal => $broken:expr,
        }
    )+) => {
        $(
            $(#[doc = $shows])+
            #[cfg(kani)]
            $(#[cfg($slow)])?
            #[kani::proof]
            #[kani::unwind($unwind)]
            fn $name() {
                $proof
            }

            #[doc = concat!("The seeded fault: ", $fault, ".")]
            #[cfg(kani)]
            $(#[cfg($slow)])?
            #[kani::proof]
            #[kani::should_panic]
            #[kani::unwind($unwind)]
            fn $twin() {
                $broken
            }

            #[cfg(test)]
            #[test]
            fn $name() {
                let harness = HARNESSES.iter().find(|harness| harness.name == stringify!($name));
                crate::proofs::symbolic::cases::exercise(harness.expect("it is in the list"));
            }
        )+

        /// The harnesses of this file.
        #[cfg(test)]
        pub const HARNESSES: &[crate::proofs::symbolic::Harness] = &[$(
            crate::proofs::symbolic::Harness {
                module: module_path!(),
                name: stringify!($name),
                twin: stringify!($twin),
                shows: concat!($($shows, "\n"),+),
                claims: &[$($claim),+],
                domain: $domain,
                cases: $cases,
                slow: !<[&str]>::is_empty(&[$(stringify!($slow))?]),
                seconds: $seconds,
                fault: $fault,
                proof: || $proof,
                broken: || $broken,
            },
        )+];
    };
}

/// What there is to say of a harness.
#[cfg(test)]
pub struct Harness {
    /// The path of its file in the crate.
    pub module: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// The name of the harness with a seeded fault.
    pub twin: &'static str,
    /// What is proved, and what not.
    pub shows: &'static str,
    /// The claims of the registry that rest on it.
    pub claims: &'static [&'static str],
    /// Over which inputs.
    pub domain: &'static str,
    /// How many they are: a number, or about a power of two such as `2^64`.
    pub cases: &'static str,
    /// Whether it needs `--cfg kani_slow`.
    pub slow: bool,
    /// How long Kani should take for the proof, and no longer for the twin.
    pub seconds: u32,
    /// What is wrong in the twin.
    pub fault: &'static str,
    /// The body, for one case.
    pub proof: fn(),
    /// The body of the twin.
    pub broken: fn(),
}

/// An integer type with values to choose from.
#[cfg(kani)]
pub trait Choice: Copy + PartialOrd + kani::Arbitrary {}
#[cfg(kani)]
impl<N: Copy + PartialOrd + kani::Arbitrary> Choice for N {}

/// Any integer from `low` to `high`, both included.
#[cfg(kani)]
pub fn between<N: Choice>(low: N, high: N) -> N {
    let number = kani::any();
    kani::assume(low <= number && number <= high);
    number
}

#[cfg(not(kani))]
#[allow(unused_imports, reason = "not every package draws such values")]
pub use cases::{between, near};

/// Yes or no.
pub fn either() -> bool {
    between(0_u8, 1) == 1
}

/// The same as [`between`]. Samples look near the places given, too.
#[cfg(kani)]
pub fn near<N: Choice>(low: N, high: N, _places: &[N]) -> N {
    between(low, high)
}

#[cfg(not(kani))]
#[path = "cases.rs"]
pub mod cases;
#[cfg(not(kani))]
#[macro_use]
#[path = "wrong.rs"]
pub mod wrong;
