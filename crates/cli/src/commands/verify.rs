//! `truecal verify`: what is true in the paper, on what evidence, and what is not.

use std::collections::HashSet;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::Outcome;
use super::measures;
use super::progress::Meter;
use super::replacement::Replacement;
use crate::json::{self, Record};
use crate::report::claims::{Colour, Difference, Expectation, defects, table, totals};
use truecal::Measure;
use truecal::Watch;
use truecal_paper::claims::{self, EXPECTED};
use truecal_verify::enumeration::{MAX_DENOMINATOR, MAX_ROUNDS, is_apart};
use truecal_verify::evidence::{self, Options, Row, Shard};
use truecal_verify::registry::{Claim, Extent, Status};

/// The measures that take longer on each table.
fn apart() -> impl Iterator<Item = Measure> {
    Measure::ALL.into_iter().filter(|measure| is_apart(*measure))
}

/// Check every statement of the paper
///
/// Runs the checks of the claims registry and prints one line for each claim with its status, which
/// follows from what the checks found and from what the claim rests on: PROVED (for all that it
/// says), CONDITIONAL (it follows from what is named and not proved), EXHAUSTED (every case of a
/// smaller domain), SAMPLED, REFUTED (with the smallest counterexample) or STATED (nothing to
/// compute, with the reason). A check that cannot fail makes its claim VACUOUS, and a theorem whose
/// Coq sources have changed since Coq checked them makes it STALE; both are errors.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal verify
  truecal verify fact:equivfactor E01 --json
  truecal verify --full --shard 3/16 --json > part-3.json     (then: truecal merge part-*.json)

Exit codes: 0 the statuses are the expected ones, 1 some are not, 2 misuse.")]
pub(super) struct Arguments {
    /// Only these claims and what they rest on; `truecal claims` lists them [default: all]
    ids: Vec<String>,

    /// Smaller domains: a few seconds
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// Larger domains, up to T = 10, D = 12: hours; see --shard
    #[arg(long)]
    full: bool,

    /// The largest number of rounds for laws
    #[arg(
        long,
        help = format!(
            "The largest number of rounds for laws [default: 6; 5 with {}]",
            measures::in_words(apart(), "or")
        ),
        value_name = "T",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ROUNDS))
    )]
    max_rounds: Option<u32>,

    /// The denominator of the predictions for laws
    #[arg(
        long,
        help = format!(
            "The denominator of the predictions for laws [default: 12; 6 with {}]",
            measures::in_words(apart(), "or")
        ),
        value_name = "D",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DENOMINATOR))
    )]
    grid: Option<u32>,

    /// The seed of the sampled sequences
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Only the I-th of N equal shares of the work; the shares' JSON is put together by `truecal
    /// merge`
    #[arg(
        long,
        value_name = "I/N",
        requires = "json",
        conflicts_with_all = ["expect", "write_expectation"]
    )]
    shard: Option<Shard>,

    #[command(flatten)]
    verdict: Verdict,
}

/// How the result is shown and judged.
#[derive(Args)]
pub(super) struct Verdict {
    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Compare with this expectation [default: the committed one]
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,

    /// Write the statuses to this file as the new expectation, instead of comparing them
    #[arg(long, value_name = "FILE", conflicts_with = "expect")]
    write_expectation: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let named = chosen(&arguments.ids)?;
    let claims = claims::with_foundations(&named);
    let options = Options {
        effort: match (arguments.quick, arguments.full) {
            (true, _) => Extent::Quick,
            (_, true) => Extent::Full,
            _ => Extent::Usual,
        },
        max_rounds: arguments.max_rounds,
        denominator: arguments.grid,
        seed: arguments.seed,
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
    };
    options.check().map_err(|error| error.to_string())?;
    // What the verdict needs is fetched before the work, not after it.
    let judge = arguments.verdict.judge(named.len(), &options)?.of(&named);
    let started = Instant::now();
    let rows = in_pool(arguments.jobs, || {
        let meter = Meter::new();
        evidence::run(&claims, &options, &Watch::new(&|| true, &|news| meter.tell(news)))
    })?;
    judge.conclude(&rows, &options, started.elapsed().as_secs_f64())
}

/// The claims with these ids, in the order of the registry; without ids, all.
pub(super) fn chosen(ids: &[String]) -> Result<Vec<&'static Claim>, String> {
    let mut chosen = HashSet::new();
    for id in ids {
        chosen.insert(claims::find(id).ok_or_else(|| unknown(id))?.id);
    }
    Ok(claims::all().filter(|claim| ids.is_empty() || chosen.contains(claim.id)).collect())
}

fn unknown(id: &str) -> String {
    let near = claims::nearest(id).map(|near| format!("did you mean {near}? "));
    let id: String = id.chars().take(60).collect();
    format!("there is no claim {id:?}; {}`truecal claims` lists them", near.unwrap_or_default())
}

/// Does the work with so many threads, or one for each processor.
pub(super) fn in_pool<T: Send>(
    jobs: Option<u16>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, String> {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.map_or_else(processors, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool =
        pool.map_err(|error| format!("cannot start {jobs} threads: {error}; try --jobs 1"))?;
    Ok(pool.install(work))
}

impl Verdict {
    /// Gets ready to judge a run of so many claims.
    pub(super) fn judge(&self, claims: usize, options: &Options) -> Result<Judge, String> {
        let whole = claims == claims::all().count();
        if self.write_expectation.is_some() && !(whole && options.is_usual()) {
            return Err("only a default run of all claims can be the expectation; leave out the \
                ids, --quick, --full, --max-rounds and --grid"
                .to_owned());
        }
        let expectation = match &self.expect {
            None => EXPECTED.parse().expect("the committed expectation parses: a test reads it"),
            Some(path) => {
                read(path)?.parse().map_err(|error| format!("{}: {error}", path.display()))?
            }
        };
        let replacement =
            self.write_expectation.as_deref().map(Replacement::prepare).transpose()?;
        Ok(Judge { json: self.json, whole, expectation, replacement, named: None })
    }
}

/// What a run is held against.
pub(super) struct Judge {
    json: bool,
    whole: bool,
    expectation: Expectation,
    replacement: Option<Replacement>,
    /// The claims that are compared with the expectation; all, if none are named.
    named: Option<HashSet<&'static str>>,
}

impl Judge {
    /// Compares these claims only: what they rest on is run with them, and not asked for.
    fn of(self, named: &[&'static Claim]) -> Self {
        Judge { named: Some(named.iter().map(|claim| claim.id).collect()), ..self }
    }

    fn compares(&self, row: &Row) -> bool {
        self.named.as_ref().is_none_or(|named| named.contains(row.claim.id))
    }

    /// What to print about the rows, and the exit code.
    pub(super) fn conclude(
        self,
        rows: &[Row],
        options: &Options,
        seconds: f64,
    ) -> Result<Outcome, String> {
        let partial = options.shard != Shard::WHOLE;
        let differences = match self.replacement.is_some() || partial {
            true => vec![],
            false => {
                let rows: Vec<Row> =
                    rows.iter().filter(|row| self.compares(row)).cloned().collect();
                self.expectation.differences(&rows, options.is_usual(), self.whole)
            }
        };
        let wrong = |row: &&Row| row.status().is_some_and(Status::is_error);
        let wrong = rows.iter().filter(wrong).count();
        let failed = !differences.is_empty() || wrong > 0;
        let output = match self.json {
            true => {
                let record = Record::new(rows, options, seconds);
                json::text(&record.with_differences(differences))
            }
            false => {
                let cases: u64 = rows.iter().map(Row::cases).sum();
                let seed = options.seed;
                let mut output = table(rows, colour());
                output +=
                    &format!("\n{}; {cases} cases in {seconds:.1} s, seed {seed}\n", totals(rows));
                output += &defects(rows);
                if self.replacement.is_none() {
                    output += &compared(&differences);
                }
                output
            }
        };
        match self.replacement {
            Some(_) if wrong > 0 => {
                Err(format!("{wrong} claims are STALE or VACUOUS: not an expectation to be had"))
            }
            Some(replacement) => {
                replacement.write(&Expectation::write(rows))?;
                Ok(Outcome { output, code: 0 })
            }
            None => Ok(Outcome { output, code: u8::from(failed) }),
        }
    }
}

fn compared(differences: &[Difference]) -> String {
    let mut text = match differences.len() {
        0 => "every status is as expected\n".to_owned(),
        1 => "1 status is not as expected:\n".to_owned(),
        more => format!("{more} statuses are not as expected:\n"),
    };
    for difference in differences {
        text += &format!("{difference}\n");
    }
    text
}

fn colour() -> Colour {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb {
        true => Colour::Always,
        false => Colour::Never,
    }
}

/// The largest file that is read whole.
const LARGEST: u64 = 1 << 28;

pub(super) fn read(path: &Path) -> Result<String, String> {
    let problem = |problem: String| format!("{}: cannot be read: {problem}", path.display());
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| problem(error.to_string()))?;
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|error| problem(error.to_string()))?;
    if text.len() as u64 > LARGEST {
        return Err(problem(format!("more than {LARGEST} bytes")));
    }
    Ok(text)
}
