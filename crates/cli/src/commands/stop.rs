//! When a long search has to end: at a deadline, or when somebody presses Ctrl-C. `signal-hook`
//! sets a flag that searches look at, without unsafe code here.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// A deadline and an ear for Ctrl-C, or for every signal that asks to end. The second one ends the
/// process at once.
pub(super) struct Stop {
    asked: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    pub fn new(seconds: Option<u64>) -> Result<Self, String> {
        let deadline = seconds.and_then(|s| Instant::now().checked_add(Duration::from_secs(s)));
        Ok(Stop { asked: listening(&[SIGINT])?, deadline })
    }

    /// Without a deadline, but also if the process is told to terminate or its terminal is gone:
    /// for work that must be kept, and that ends promptly.
    pub fn whatever_asks() -> Result<Self, String> {
        Ok(Stop { asked: listening(&[SIGINT, SIGTERM, SIGHUP])?, deadline: None })
    }

    pub fn go_on(&self) -> bool {
        !self.interrupted() && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Whether Ctrl-C was pressed.
    pub fn interrupted(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}

/// A flag that any of these signals sets.
fn listening(signals: &[i32]) -> Result<Arc<AtomicBool>, String> {
    let asked = Arc::new(AtomicBool::new(false));
    let listen = |signal: i32| -> io::Result<()> {
        // In this order: the first signal finds the flag unset, sets it, and the second ends the
        // process.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&asked))?;
        flag::register(signal, Arc::clone(&asked)).map(drop)
    };
    signals
        .iter()
        .try_for_each(|signal| listen(*signal))
        .map_err(|error| format!("cannot listen for Ctrl-C: {error}"))?;
    Ok(asked)
}
