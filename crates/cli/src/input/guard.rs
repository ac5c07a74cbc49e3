//! Panics of decoders that others wrote, on damaged files, as errors.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a panic on this thread is caught here and need not be shown.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does something that might panic if a file is damaged. Whatever it has changed meanwhile must not
/// be used again after an error.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                usual(panic);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    done.map_err(|panic| format!("it is damaged ({}); write the file again", words(&*panic)))
}

/// The words of a panic, on one line.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    text.lines().next().unwrap_or_default().chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_errors() {
        assert_eq!(guarded(|| 1), Ok(1));
        let none: [u8; 0] = [];
        let error = guarded(|| none[none.len()]).expect_err("out of bounds");
        assert!(error.starts_with("it is damaged (index out of bounds: the len is 0"), "{error}");
        let error = guarded(|| -> u8 { panic!("two\nlines") }).expect_err("a panic");
        assert_eq!(error, "it is damaged (two); write the file again");
        assert!(!GUARDED.get());
        // Panics of other work on this thread are as ever.
        assert!(catch_unwind(|| panic!("seen")).is_err());
    }
}
