//! A line on standard error for work that takes a while, if a person is watching.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::report::about_seconds;
use truecal::Progress;

/// Silent for a second, then a line that is rewritten in place, and nothing left at the end.
pub(super) struct Line {
    started: Instant,
    last: Option<Instant>,
    watched: bool,
}

impl Line {
    pub fn new() -> Self {
        Line { started: Instant::now(), last: None, watched: std::io::stderr().is_terminal() }
    }

    /// Shows the text, unless it is too early or another was shown just now.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        let due = match self.last {
            None => self.started.elapsed() > Duration::from_secs(1),
            Some(last) => last.elapsed() > Duration::from_millis(100),
        };
        if self.watched && due {
            self.last = Some(Instant::now());
            // A line that wraps could not be taken back: terminals have 80 columns or more.
            let line: String = text().chars().take(79).collect();
            self.write(&format!("\r\x1b[K{line}"));
        }
    }

    /// Shows how much is done of a known whole, and how long the rest takes if it goes on so.
    pub fn show_share(&mut self, part: u64, whole: u64, words: impl FnOnce() -> String) {
        let elapsed = self.started.elapsed();
        self.show(|| format!("{} {}{}", bar(part, whole), words(), left(elapsed, part, whole)));
    }

    fn write(&self, text: &str) {
        let mut stderr = std::io::stderr().lock();
        // A terminal that is gone is no reason to stop.
        let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.last.is_some() {
            self.write("\r\x1b[K");
        }
    }
}

/// A line that goes on by itself, with the seconds, while work at which nothing is reported takes
/// its time.
pub(super) struct Clock {
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Clock {
    /// Shows the text and the seconds.
    pub fn new(text: impl Fn() -> String + Send + 'static) -> Self {
        Clock::telling(move |elapsed| format!("{}, {} s", text(), elapsed.as_secs()))
    }

    /// Shows a bar for work that is expected to take so long; what takes longer has the seconds.
    pub fn expecting(name: String, whole: Duration) -> Self {
        Clock::telling(move |elapsed| match elapsed < whole {
            true => {
                let [part, whole] = [elapsed, whole].map(|time| time.as_millis() as u64);
                format!("{} {name}{}", bar(part, whole), left(elapsed, part, whole))
            }
            false => format!("{name}, {} s", elapsed.as_secs()),
        })
    }

    /// Shows what is to be said after some time.
    fn telling(text: impl Fn(Duration) -> String + Send + 'static) -> Self {
        let mut progress = Line::new();
        if !progress.watched {
            return Clock { over: None, thread: None };
        }
        let (over, told) = channel();
        let thread = std::thread::spawn(move || {
            while told.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
                let elapsed = progress.started.elapsed();
                progress.show(|| text(elapsed));
            }
        });
        Clock { over: Some(over), thread: Some(thread) }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        drop(self.over.take());
        // The line is gone when the thread is. If that failed, there is nothing to do about it.
        self.thread.take().map(JoinHandle::join);
    }
}

/// A bar for so many like tasks, which several threads report.
pub(super) struct Count {
    done: Arc<AtomicU64>,
    _clock: Clock,
}

impl Count {
    pub fn new(name: impl Into<String>, whole: u64) -> Self {
        let (name, done) = (name.into(), Arc::new(AtomicU64::new(0)));
        let shown = Arc::clone(&done);
        let text = move |elapsed| {
            let part = shown.load(Ordering::Relaxed);
            format!("{} {name}{}", bar(part, whole), left(elapsed, part, whole))
        };
        Count { done, _clock: Clock::telling(text) }
    }

    pub fn add(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
    }

    /// Counts what is done.
    pub fn tell(&self, news: Progress<'_>) {
        if let Progress::Done(more) = news {
            self.add(more);
        }
    }
}

/// A bar with cases per second for a run of checks, which reports from several threads.
pub(super) struct Meter {
    state: Mutex<(Line, Task)>,
}

/// What is being done.
struct Task {
    name: String,
    started: Instant,
    done: u64,
    whole: u64,
}

impl Meter {
    pub fn new() -> Self {
        let task = Task { name: String::new(), started: Instant::now(), done: 0, whole: 0 };
        Meter { state: Mutex::new((Line::new(), task)) }
    }

    pub fn tell(&self, news: Progress<'_>) {
        // A thread that panicked while it held the lock takes the run down anyway.
        let Ok(mut state) = self.state.lock() else { return };
        let (progress, task) = &mut *state;
        match news {
            Progress::Begin(name, whole) => {
                *task = Task { name: name.to_owned(), started: Instant::now(), done: 0, whole };
            }
            Progress::Done(more) => task.done += more,
            _ => {} // nothing that the line shows
        }
        progress.show(|| {
            let rate = u128::from(task.done) * 1000 / task.started.elapsed().as_millis().max(1);
            format!("{} {}: {rate} cases/s", bar(task.done, task.whole), task.name)
        });
    }
}

/// How long the rest of a whole takes if it goes on as before; nothing before it has begun.
fn left(elapsed: Duration, part: u64, whole: u64) -> String {
    if part == 0 {
        return String::new();
    }
    let rest = u128::from(whole.saturating_sub(part));
    let seconds = (elapsed.as_millis().saturating_mul(rest) / u128::from(part)).div_ceil(1000);
    format!(", {} left", about_seconds(u64::try_from(seconds).unwrap_or(u64::MAX)))
}

/// `[######····] 60 %` of a known whole.
pub(super) fn bar(part: u64, whole: u64) -> String {
    const WIDTH: u64 = 30;
    let share = |of: u64| u128::from(part.min(whole)) * u128::from(of) / u128::from(whole.max(1));
    let filled = share(WIDTH) as usize;
    format!("[{}{}] {} %", "#".repeat(filled), "·".repeat(WIDTH as usize - filled), share(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_what_was_done() {
        let seconds = Duration::from_secs;
        assert_eq!(left(seconds(5), 0, 10), "");
        assert_eq!(left(seconds(5), 1, 4), ", about 15 s left");
        assert_eq!(left(seconds(60), 1, 100), ", about 99 min left");
        assert_eq!(left(seconds(5), 4, 4), ", less than a second left");
        assert_eq!(left(seconds(5), 5, 4), ", less than a second left"); // more than was known of
        assert_eq!(left(Duration::MAX, 1, u64::MAX), format!(", {} left", about_seconds(u64::MAX)));
    }

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar(0, 0).matches('#').count(), 0);
        assert_eq!(bar(1, 2).matches('#').count(), 15);
        assert!(bar(1, 2).ends_with("] 50 %") && bar(9, 3).ends_with("] 100 %"));
    }
}
