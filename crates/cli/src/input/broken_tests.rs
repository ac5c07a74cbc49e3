//! Files that are cut or changed anywhere: a table or one error, and nothing worse.

use proptest::prelude::*;

use super::golden_tests::{FILES, file, open_as};
use super::magic::recognise;
use super::transposed::shown::rows;

/// Reads each column, as what the file was before it was broken.
fn read_all(name: &str, whole: &[u8], broken: &[u8]) -> Result<(), String> {
    let open = || open_as(recognise(whole), broken.to_vec(), name).map_err(|e| e.to_string());
    let columns = open()?.names().len();
    // Longer than any file of tests: a column more is not read in another way.
    for column in 0..columns.min(20) {
        rows(&mut *open()?, &[column])?;
    }
    Ok(())
}

#[test]
fn files_that_are_cut() {
    for name in FILES {
        let whole = file(name);
        // Everywhere in what is at the end, which tells most; elsewhere here and there.
        let late = whole.len().saturating_sub(100);
        for length in (0..late).step_by(7).chain(late..whole.len()) {
            let read = read_all(name, &whole, &whole[..length]);
            // Lines may end after a row, and a stream between two messages.
            let may_end = ["json", "jsonl", "ndjson", "arrows"];
            let may_end = may_end.iter().any(|ending| name.ends_with(&format!(".{ending}")));
            match read {
                Ok(()) => assert!(may_end, "{name} cut to {length} bytes"),
                Err(error) => assert!(error.starts_with(name) && error.len() < 1000, "{error}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn files_that_are_changed(
        name in prop::sample::select(FILES.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        flip: bool,
    ) {
        let whole = file(name);
        let mut broken = whole.clone();
        for (at, byte) in changes {
            let at = at.index(broken.len());
            broken[at] = if flip { broken[at] ^ 1 << (byte % 8) } else { byte };
        }
        if let Err(error) = read_all(name, &whole, &broken) {
            prop_assert!(error.starts_with(name), "{error}");
        }
    }
}

/// Flips of one bit all over every file, the same in every run. All of them would take minutes.
#[test]
fn bits_of_every_file() {
    const STEP: usize = 13;
    for (place, name) in FILES.iter().enumerate() {
        let whole = file(name);
        for bit in (place % STEP..8 * whole.len()).step_by(STEP) {
            let mut broken = whole.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            if let Err(error) = read_all(name, &whole, &broken) {
                assert!(error.starts_with(name), "{name}, bit {bit}: {error}");
            }
        }
    }
}
