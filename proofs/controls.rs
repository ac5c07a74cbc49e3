//! Controls of the runner: harnesses that Kani finds nothing wrong with and that show nothing.
//! `proofs/run --controls` must find each of them wanting, in the words of `controls.tsv`. They are
//! no proofs, so they need `--cfg kani_controls` and stand in no list; `cases.rs` has the same for
//! the tests.

use super::symbolic::between;

/// The cover of the first cannot be reached; the second assumes what never holds; the twin of the
/// third has no fault.
macro_rules! controls {
    ($($name:ident / $twin:ident: $proof:expr, $broken:expr;)+) => {$(
        #[kani::proof]
        fn $name() {
            $proof
        }

        #[kani::proof]
        #[kani::should_panic]
        fn $twin() {
            $broken
        }
    )+};
}

controls! {
    cover_out_of_reach / cover_out_of_reach_fault: covers(4), fails();
    vacuous / vacuous_fault: assumes_too_much(), fails();
    without_a_fault / without_a_fault_twin: covers(3), covers(3);
}

fn covers(number: u8) {
    let small = between(0_u8, 3);
    assert!(small <= 3);
    cover!(small == number);
}

fn assumes_too_much() {
    let small = between(0_u8, 3);
    assume!(small > 3);
    assert!(small < 3);
    cover!(small <= 3);
}

fn fails() {
    assert!(between(0_u8, 3) < 3);
}
