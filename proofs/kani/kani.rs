//! What the harnesses use of Kani's library, for the type checker alone: nothing here runs.
//!
//! `cargo test` cannot count on Kani being there, and code under `cfg(kani)` is seen by no other
//! build. So a test (crates/cli/tests/suite/kani.rs) checks the crate under `cfg(kani)` against
//! this stand-in: a harness that does not compile never lands. It offers no more than Kani does, so
//! that what passes here passes there. The attributes are in kani_macros.rs, since a crate of
//! attributes can hold nothing else.

pub use kani_macros::{proof, should_panic, solver, unwind};

/// A type that has a symbolic value.
pub trait Arbitrary: Sized {
    /// Any value of the type.
    fn any() -> Self {
        unreachable!("only Kani has symbolic values")
    }
}

macro_rules! arbitrary {
    ($($kind:ty)*) => { $(impl Arbitrary for $kind {})* };
}

arbitrary!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool f64);

impl<T: Arbitrary, const N: usize> Arbitrary for [T; N] {}

/// Any value of a type.
pub fn any<T: Arbitrary>() -> T {
    T::any()
}

/// Leaves only the executions that fulfil the condition.
pub const fn assume(_condition: bool) {}

/// Asks whether some execution fulfils the condition: see the macro of the same name.
pub const fn cover(_condition: bool, _message: &'static str) {}

/// Asks whether some execution comes here, or fulfils a condition here.
///
/// Like Kani's it says `kani::` and not `$crate::`: a module of that name in the crate would be in
/// its way too.
#[macro_export]
macro_rules! cover {
    () => {
        kani::cover(true, "here")
    };
    ($condition:expr $(,)?) => {
        kani::cover($condition, stringify!($condition))
    };
    ($condition:expr, $message:literal) => {
        kani::cover($condition, $message)
    };
}
