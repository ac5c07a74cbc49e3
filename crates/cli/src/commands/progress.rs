//! A line on standard error for work that takes a while, if a person is watching.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

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
    pub fn new(text: impl Fn() -> String + Send + 'static) -> Self {
        let mut progress = Line::new();
        if !progress.watched {
            return Clock { over: None, thread: None };
        }
        let (over, told) = channel();
        let thread = std::thread::spawn(move || {
            while told.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
                let seconds = progress.started.elapsed().as_secs();
                progress.show(|| format!("{}, {seconds} s", text()));
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
    pub fn new(name: &'static str, whole: u64) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&done);
        let text = move || format!("{} {name}", bar(shown.load(Ordering::Relaxed), whole));
        Count { done, _clock: Clock::new(text) }
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

/// A line with how many there are of something that has no known end.
pub(super) struct Tallied {
    name: String,
    state: Mutex<(Line, u64)>,
}

impl Tallied {
    pub fn new(name: String) -> Self {
        Tallied { name, state: Mutex::new((Line::new(), 0)) }
    }

    /// Counts what is done.
    pub fn tell(&self, news: Progress<'_>) {
        let Progress::Done(more) = news else { return };
        // A thread that panicked while it held the lock takes the run down anyway.
        let Ok(mut state) = self.state.lock() else { return };
        let (line, count) = &mut *state;
        *count += more;
        line.show(|| format!("{count} {}", self.name));
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

/// `[######····] 60 %` of a known whole.
pub(super) fn bar(part: u64, whole: u64) -> String {
    const WIDTH: u64 = 30;
    let share = |of: u64| u128::from(part.min(whole)) * u128::from(of) / u128::from(whole.max(1));
    let filled = share(WIDTH) as usize;
    format!("[{}{}] {} %", "#".repeat(filled), "·".repeat(WIDTH as usize - filled), share(100))
}
