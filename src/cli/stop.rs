//! When a long search has to end: at a deadline, or when somebody presses Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// A deadline and an ear for Ctrl-C. A second Ctrl-C ends the process at once.
pub(super) struct Stop {
    asked: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    pub fn new(seconds: Option<u64>) -> Result<Self, String> {
        let asked = Arc::new(AtomicBool::new(false));
        // In this order: the first Ctrl-C finds the flag unset, sets it, and the second ends the process.
        flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&asked))
            .and_then(|_| flag::register(SIGINT, Arc::clone(&asked)))
            .map_err(|error| format!("cannot listen for Ctrl-C: {error}"))?;
        let deadline = seconds.and_then(|s| Instant::now().checked_add(Duration::from_secs(s)));
        Ok(Stop { asked, deadline })
    }

    pub fn go_on(&self) -> bool {
        !self.interrupted() && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Whether Ctrl-C was pressed.
    pub fn interrupted(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
