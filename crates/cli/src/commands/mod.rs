//! The command line. Exit codes: 0 done, 1 a check failed, 2 bad input or misuse.

mod certify;
mod check;
mod claims;
mod collecting;
mod forecast;
mod gap;
mod gathering;
mod measure;
mod measures;
mod merge;
mod nature;
mod opt;
mod progress;
mod properties;
mod reading;
mod refute;
mod replacement;
mod spool;
mod stop;
mod stream;
mod tight;
mod verify;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Exact calibration measures, each with the evidence for its value.
#[derive(Parser)]
#[command(name = "truecal", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Measure(Box<measure::Arguments>),
    Verify(verify::Arguments),
    Claims(claims::Arguments),
    Merge(merge::Arguments),
    Certify(certify::Arguments),
    Check(check::Arguments),
    Refute(refute::Arguments),
    Tight(tight::Arguments),
    Gap(gap::Arguments),
    Properties(properties::Arguments),
    Forecast(forecast::Arguments),
    Opt(opt::Arguments),
}

/// What a command has to say once it is done.
struct Outcome {
    output: String,
    code: u8,
}

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Measure(arguments) => measure::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Claims(arguments) => claims::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Refute(arguments) => refute::run(&arguments),
        Command::Tight(arguments) => tight::run(&arguments),
        Command::Gap(arguments) => gap::run(&arguments),
        Command::Properties(arguments) => properties::run(&arguments),
        Command::Forecast(arguments) => forecast::run(&arguments),
        Command::Opt(arguments) => opt::run(&arguments),
    };
    let Outcome { output, code } = match outcome {
        Ok(outcome) => outcome,
        Err(problem) => {
            complain(&problem);
            return ExitCode::from(2);
        }
    };
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(output.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::from(code),
        // Whoever reads the output has had enough of it, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(code),
        Err(error) => {
            complain(&format!("cannot write the output: {error}"));
            ExitCode::from(2)
        }
    }
}

fn complain(problem: &str) {
    // With nobody to hear it, the exit code still tells.
    let _ = writeln!(std::io::stderr(), "error: {problem}");
}

/// `1000` or `1e5`
fn whole(text: &str) -> Option<u64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    if !digits(mantissa) || !digits(exponent) {
        return None;
    }
    let power = 10_u64.checked_pow(exponent.parse().ok()?)?;
    mantissa.parse::<u64>().ok()?.checked_mul(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_an_exponent() {
        let read = ["1000", "1e5", "25E2", "0e9", "007"].map(whole);
        assert_eq!(read, [Some(1000), Some(100_000), Some(2500), Some(0), Some(7)]);
        for text in ["", "e5", "1e", "1.5e3", "-1", "+1", "1e-2", "1e20", "1e99999999999", " 1"] {
            assert_eq!(whole(text), None, "{text:?}");
        }
    }
}
