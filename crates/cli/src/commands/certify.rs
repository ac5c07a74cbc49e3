//! `truecal certify`: proofs for every real prediction, as files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Outcome;
use super::progress::Meter;
use super::replacement::Replacement;
use super::verify::{chosen, in_pool};
use truecal::{Progress, Watch};
use truecal_check::Subject;
use truecal_check::aggregated::{self, Aggregated};
use truecal_check::law::Law;
use truecal_verify::committed::{COMMITTED_ROUNDS, file_name};
use truecal_verify::prover::{self, Failure};
use truecal_verify::refute::simplest_refutation;
use truecal_verify::registry::{Check, Claim};

/// Prove the laws of claims for every real prediction
///
/// For each law of the claims and each number of rounds up to T, looks for a certificate:
/// multipliers that show the law for every order pattern of that many rounds and all real
/// predictions. Each certificate is checked, and then written at once. Where a law fails, prints an
/// exact counterexample instead. Claims that reduce to finitely many cases for every T get a
/// certificate of those as well.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal certify --out certificates                        (all claims, T <= 4)
  truecal certify fact:equivfactor --max-rounds 8 --out certificates
  truecal certify --law 'stepce <= 2*stepce_sub' --max-rounds 6
  truecal check certificates

Exit codes: 0 done, whatever was found; 2 misuse.")]
pub(super) struct Arguments {
    /// Only these claims; `truecal claims` lists them [default: all]
    ids: Vec<String>,

    /// This law, instead of those of claims; more than one can be given
    #[arg(long = "law", value_name = "LAW", conflicts_with = "ids", allow_hyphen_values = true)]
    laws: Vec<String>,

    /// The largest number of rounds, up to 12
    #[arg(
        long,
        value_name = "T",
        default_value_t = COMMITTED_ROUNDS,
        value_parser = clap::value_parser!(u32).range(1..=12)
    )]
    max_rounds: u32,

    /// Write the certificates to this directory, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let (laws, claims) = match arguments.laws.is_empty() {
        true => subjects(&chosen(&arguments.ids)?),
        false => {
            let parse = |text: &String| text.parse::<Law>().map_err(|error| error.to_string());
            let laws: Vec<Law> = arguments.laws.iter().map(parse).collect::<Result<_, _>>()?;
            let of_laws: Vec<_> = laws.iter().filter_map(aggregated::of_law).collect();
            let wanted = |claim: &&Aggregated| of_laws.iter().any(|of| of.name == claim.name);
            (laws, aggregated::ALL.iter().filter(wanted).collect())
        }
    };
    if laws.is_empty() && claims.is_empty() {
        return Err(
            "these claims have no law and no argument for every T; `truecal claims ID` shows what \
                    they have"
                .to_owned(),
        );
    }
    if let Some(out) = &arguments.out {
        let problem =
            |error| format!("{}: cannot be made: {error}; name a directory", out.display());
        fs::create_dir_all(out).map_err(problem)?;
    }
    let out = arguments.out.as_deref();
    let mut output = String::new();
    in_pool(arguments.jobs, || -> Result<(), String> {
        let meter = Meter::new();
        let tell = |news: Progress<'_>| meter.tell(news);
        let registered = arguments.laws.is_empty();
        let certifier = Certifier { out, registered, watch: Watch::new(&|| true, &tell) };
        let mut say = |claim: &str, lines: Vec<String>| {
            output += &format!("{claim}\n");
            lines.iter().for_each(|line| output += &format!("  {line}\n"));
        };
        for law in &laws {
            let own = claims.iter().filter(|claim| claim.claim == law.to_string());
            let own: Result<Vec<_>, _> = own.map(|claim| certifier.for_every_t(claim)).collect();
            say(&law.to_string(), [own?, certifier.law(law, arguments.max_rounds)?].concat());
        }
        // What is no law, or one that is written in another way.
        let laws: Vec<_> = laws.iter().map(ToString::to_string).collect();
        for claim in claims.iter().filter(|claim| !laws.contains(&claim.claim.to_owned())) {
            say(claim.claim, vec![certifier.for_every_t(claim)?]);
        }
        Ok(())
    })??;
    Ok(Outcome { output, code: 0 })
}

/// The laws of some claims, each once, and what they claim for every T.
fn subjects(claims: &[&Claim]) -> (Vec<Law>, Vec<&'static Aggregated>) {
    let mut laws: Vec<Law> = vec![];
    let mut names: Vec<&str> = vec![];
    for check in claims.iter().flat_map(|claim| claim.checks) {
        match check {
            Check::Law(check) => {
                let law: Law = check.law.parse().expect("a test parses every law of the registry");
                names.extend(aggregated::of_law(&law).map(|claim| claim.name));
                if !laws.contains(&law) {
                    laws.push(law);
                }
            }
            Check::Finite(evidence) => names.extend(evidence.proof),
            Check::Example(_) | Check::Refutation(_) => {}
        }
    }
    (laws, aggregated::ALL.iter().filter(|claim| names.contains(&claim.name)).collect())
}

/// Makes certificates, checks them, and keeps them.
struct Certifier<'a> {
    /// Where.
    out: Option<&'a Path>,
    /// Whether the laws are those of claims.
    registered: bool,
    watch: Watch<'a>,
}

impl Certifier<'_> {
    fn for_every_t(&self, claim: &'static Aggregated) -> Result<String, String> {
        match prover::prove_aggregated(claim) {
            Ok(text) => Ok(format!("every T: {}", self.keep(&Subject::Aggregated(claim), &text)?)),
            Err(failure) => Ok(format!("every T: {}", words(None, &failure))),
        }
    }

    /// A line for each number of rounds, up to the first at which the law is refuted.
    fn law(&self, law: &Law, most: u32) -> Result<Vec<String>, String> {
        let mut results = vec![];
        for rounds in 1..=most {
            self.watch.begin(&format!("{law}, T = {rounds}"), prover::patterns(rounds));
            let proved = prover::prove(law, rounds, &self.watch);
            let refuted = matches!(proved, Err(Failure::Refuted(_)));
            results.push(match proved {
                Ok(text) => Ok(self.keep(&Subject::Law(law.clone(), rounds), &text)?),
                Err(failure) => Err(failure),
            });
            if refuted {
                break;
            }
        }
        if results.iter().all(|result| matches!(result, Err(Failure::Unsupported))) {
            return Ok(vec![words(None, &Failure::Unsupported)]);
        }
        let line = |(rounds, result): (u32, &Result<String, Failure>)| match result {
            Ok(kept) => format!("T = {rounds}: {kept}"),
            Err(failure) => format!("T = {rounds}: {}", words(Some(law), failure)),
        };
        Ok((1..).zip(&results).map(line).collect())
    }

    /// Checks a certificate, and writes it if there is a place for it.
    fn keep(&self, subject: &Subject, text: &str) -> Result<String, String> {
        let name = file_name(subject, self.registered);
        let accepted = subject.check(text.as_bytes()).map_err(|rejected| {
            format!("the prover made a certificate that the checker rejects, {name}: {rejected}")
        })?;
        if let Some(directory) = self.out {
            Replacement::prepare(&directory.join(name))?.write(text)?;
        }
        Ok(format!("certified, {accepted}, {} bytes", text.len()))
    }
}

/// Why there is no certificate, of this law if it is one.
fn words(law: Option<&Law>, failure: &Failure) -> String {
    match (law, failure) {
        (Some(law), Failure::Refuted(refutation)) => {
            format!("refuted at {}", simplest_refutation(law, refutation))
        }
        _ => failure.to_string(),
    }
}
