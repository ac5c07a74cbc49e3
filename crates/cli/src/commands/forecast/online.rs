//! Outcomes from standard input, predictions to standard output, line by line.

use std::fs;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::super::replacement::Replacement;
use super::super::stop::Stop;
use super::{Arguments, Outcome, number};
use crate::input::SavedRun;
use crate::json::{self, Forecast};
use crate::report::forecast::Said;
use truecal::Random;
use truecal_lab::hedge::HedgeForecaster;

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let stop = Stop::whatever_asks()?;
    let state = arguments.state.as_deref();
    let before = state.map(contents).transpose()?.flatten();
    let mut run = begin(arguments, before.as_deref())?;
    if let Some(path) = state {
        Replacement::prepare(path)?; // or else nothing is said
    }
    let mut ended = converse(&mut run, arguments, &stop);
    if let Some(path) = state {
        let kept = keep(&run, path, before.as_deref())?;
        if let Err(problem) = &mut ended {
            *problem += &format!("; what came before it is kept in {}", kept.display());
        } else if kept != path {
            ended = Err(format!(
                "{}: it has changed meanwhile, as by another run; this one is kept in {}",
                path.display(),
                kept.display()
            ));
        }
    }
    ended?;
    let said = Said { forecaster: &run.forecaster, seed: run.seed };
    let report = match arguments.json {
        true => json::text(&Forecast::from(&said)),
        false => said.to_text(),
    };
    // With nobody to read it, the predictions still stand.
    let _ = io::stderr().write_all(report.as_bytes());
    Ok(Outcome { output: String::new(), code: 0 })
}

/// What is in a file; None if there is no such file.
fn contents(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: cannot be read: {error}", path.display())),
    }
}

/// Writes the run to its file, or, if that is no longer what it was before the run, to another one
/// beside it. Returns which.
fn keep(run: &SavedRun, path: &Path, before: Option<&[u8]>) -> Result<PathBuf, String> {
    let target = if contents(path).is_ok_and(|now| now.as_deref() == before) {
        path.to_owned()
    } else {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}", std::process::id()));
        beside.into()
    };
    Replacement::prepare(&target)?.write(&run.to_text())?;
    Ok(target)
}

/// A run from the file of the state, if there is one, or from the beginning.
fn begin(arguments: &Arguments, saved: Option<&[u8]>) -> Result<SavedRun, String> {
    let (Some(path), Some(saved)) = (&arguments.state, saved) else {
        return Ok(SavedRun { forecaster: arguments.forecaster()?, seed: arguments.seed() });
    };
    let text = str::from_utf8(saved).map_err(|_| "damaged: not UTF-8 text".to_owned());
    let run = text.and_then(|text| SavedRun::read(text).map_err(|error| error.to_string()));
    let run = run.map_err(|problem| {
        let path = path.display();
        format!("{path}: {problem}; restore the file, or name another with --state to begin anew")
    })?;
    agree(arguments, &run, path)?;
    Ok(run)
}

/// What is asked for must be what the file goes on with.
fn agree(arguments: &Arguments, run: &SavedRun, path: &Path) -> Result<(), String> {
    let contradiction = |option: &str, saved: String| {
        format!(
            "{}: the run in it has {saved}; leave out {option}, or name another file with --state \
                to begin anew",
            path.display()
        )
    };
    let horizon = run.forecaster.horizon();
    if arguments.rounds.is_some() && arguments.rounds != horizon {
        let saved = horizon.map_or("no number of rounds".to_owned(), |n| format!("{n} rounds"));
        return Err(contradiction("--rounds", saved));
    }
    let fixed = run.forecaster.fixed_buckets();
    if arguments.buckets.is_some() && arguments.buckets != fixed {
        let saved = fixed.map_or("buckets by restart".to_owned(), |k| format!("{k} buckets"));
        return Err(contradiction("--buckets", saved));
    }
    if arguments.seed.is_some_and(|seed| seed != run.seed) {
        return Err(contradiction("--seed", format!("seed {}", run.seed)));
    }
    Ok(())
}

/// Speaks and listens until the input ends, nobody listens any more, or Ctrl-C is pressed.
fn converse(run: &mut SavedRun, arguments: &Arguments, stop: &Stop) -> Result<(), String> {
    let lines = listen();
    for number in 1_u64.. {
        if !run.forecaster.is_over() && !say(run, arguments)? {
            return Ok(());
        }
        let Some(line) = next(&lines, stop) else { return Ok(()) };
        let line = line.map_err(|error| format!("standard input cannot be read: {error}"))?;
        let outcome = outcome(&line).map_err(|problem| {
            let value: String = String::from_utf8_lossy(&line).chars().take(60).collect();
            format!("standard input, line {number}, value {:?}: {problem}", value.trim_end())
        })?;
        if run.forecaster.is_over() {
            return Err(format!(
                "standard input, line {number}: all {} rounds are over; ask for more with \
                    --rounds, or leave it out for any number",
                run.forecaster.rounds()
            ));
        }
        run.forecaster.observe(outcome).expect("a prediction was drawn, and rounds are left");
    }
    Ok(())
}

/// Draws a prediction, by the stream with the number of the round, and writes it. Returns whether
/// anybody listens.
fn say(run: &mut SavedRun, arguments: &Arguments) -> Result<bool, String> {
    let mut random = Random::new(run.seed, run.forecaster.rounds());
    run.forecaster.sample(&mut random);
    let line = words(&run.forecaster, arguments) + "\n";
    let mut stdout = io::stdout().lock();
    match stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(format!("cannot write the prediction: {error}")),
    }
}

/// `0.5`, and what it was drawn from, `0.5 0.9 0.6 0.1`.
fn words(forecaster: &HedgeForecaster, arguments: &Arguments) -> String {
    let number = |value: &num_rational::BigRational| number(value, arguments.exact);
    let drawn = forecaster.drawn().expect("a prediction was drawn");
    let mut words = vec![number(&forecaster.point(drawn).to_rational())];
    if arguments.mixture {
        for (point, probability) in forecaster.predict().points() {
            words.extend([number(&point.to_rational()), number(&probability)]);
        }
    }
    words.join(" ")
}

/// Longer lines are no outcomes; nobody need hold them in memory.
const LONGEST: usize = 1000;

/// The lines of standard input. They are read in a thread of their own, so that waiting for one
/// does not keep Ctrl-C waiting.
fn listen() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(1024);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = stdin.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line);
            let message = match read {
                Ok(0) => return,
                Ok(_) => Ok(line),
                Err(error) => Err(error),
            };
            let last = message.is_err();
            if sender.send(message).is_err() || last {
                return;
            }
        }
    });
    receiver
}

/// The next line, unless the input has ended or Ctrl-C was pressed.
fn next(lines: &Receiver<io::Result<Vec<u8>>>, stop: &Stop) -> Option<io::Result<Vec<u8>>> {
    while stop.go_on() {
        match lines.recv_timeout(Duration::from_millis(20)) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    None
}

fn outcome(line: &[u8]) -> Result<bool, &'static str> {
    if line.len() > LONGEST {
        return Err("the line goes on for more than 1000 bytes; write 0 or 1 on each line");
    }
    match line.trim_ascii() {
        b"0" => Ok(false),
        b"1" => Ok(true),
        b"" => Err("the line is empty; write what happened, 0 or 1, on each line"),
        word if word.eq_ignore_ascii_case(b"false") => Ok(false),
        word if word.eq_ignore_ascii_case(b"true") => Ok(true),
        _ => Err("not an outcome; write 0 or 1, or false or true, one on each line"),
    }
}
