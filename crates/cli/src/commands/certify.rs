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
use truecal_check::law::Law;
use truecal_verify::committed::{COMMITTED_ROUNDS, file_name};
use truecal_verify::coq;
use truecal_verify::prover::{self, Failure};
use truecal_verify::refute::simplest_refutation;
use truecal_verify::registry::{Check, Claim};

/// Prove the laws of claims for every real prediction
///
/// For each law of the claims and each number of rounds up to T, looks for a certificate:
/// multipliers that show the law for every order pattern of that many rounds and all real
/// predictions. Each certificate is checked, and then written at once. Where a law fails, prints an
/// exact counterexample instead.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal certify --out certificates                        (all claims, T <= 4)
  truecal certify fact:equivfactor --max-rounds 8 --out certificates
  truecal certify --law 'stepce <= 2*stepce_sub' --max-rounds 6
  truecal check certificates
  truecal certify fact:equivfactor --max-rounds 3 --out scripts --coq
  proofs/coq/check --scripts scripts                        (in truecal's folder, with Coq)

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

    /// Write each certificate as a Coq script as well: Coq's kernel checks it without truecal's
    /// checker
    #[arg(long, requires = "out")]
    coq: bool,

    /// The number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let laws = match arguments.laws.is_empty() {
        true => laws_of(&chosen(&arguments.ids)?),
        false => {
            let parse = |text: &String| text.parse::<Law>().map_err(|error| error.to_string());
            arguments.laws.iter().map(parse).collect::<Result<_, _>>()?
        }
    };
    if laws.is_empty() {
        return Err("these claims have no law; `truecal claims ID` shows what they have".to_owned());
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
        let coq = arguments.coq;
        let certifier = Certifier { out, coq, registered, watch: Watch::new(&|| true, &tell) };
        for law in &laws {
            output += &format!("{law}\n");
            let lines = certifier.law(law, arguments.max_rounds)?;
            lines.iter().for_each(|line| output += &format!("  {line}\n"));
        }
        Ok(())
    })??;
    Ok(Outcome { output, code: 0 })
}

/// The laws of some claims, each once.
fn laws_of(claims: &[&Claim]) -> Vec<Law> {
    let mut laws: Vec<Law> = vec![];
    for check in claims.iter().flat_map(|claim| claim.checks) {
        if let Check::Law(check) = check {
            let law: Law = check.law.parse().expect("a test parses every law of the registry");
            if !laws.contains(&law) {
                laws.push(law);
            }
        }
    }
    laws
}

/// Makes certificates, checks them, and keeps them.
struct Certifier<'a> {
    /// Where.
    out: Option<&'a Path>,
    /// Whether as Coq scripts too.
    coq: bool,
    /// Whether the laws are those of claims.
    registered: bool,
    watch: Watch<'a>,
}

impl Certifier<'_> {
    /// A line for each number of rounds, up to the first at which the law is refuted.
    fn law(&self, law: &Law, most: u32) -> Result<Vec<String>, String> {
        let mut results = vec![];
        for rounds in 1..=most {
            self.watch.begin(&format!("{law}, T = {rounds}"), prover::patterns(rounds));
            let proved = prover::prove(law, rounds, &self.watch);
            let refuted = matches!(proved, Err(Failure::Refuted(_)));
            results.push(match proved {
                Ok(text) => Ok(self.keep(&Subject { law: law.clone(), rounds }, &text)?),
                Err(failure) => Err(failure),
            });
            if refuted {
                break;
            }
        }
        if results.iter().all(|result| matches!(result, Err(Failure::Unsupported))) {
            return Ok(vec![Failure::Unsupported.to_string()]);
        }
        let line = |(rounds, result): (u32, &Result<String, Failure>)| match result {
            Ok(kept) => format!("T = {rounds}: {kept}"),
            Err(failure) => format!("T = {rounds}: {}", words(law, failure)),
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
            if self.coq {
                let script = coq::script(subject, text).expect("the checker has accepted it");
                Replacement::prepare(&directory.join(coq::file_name(&name)))?.write(&script)?;
            }
            Replacement::prepare(&directory.join(name))?.write(text)?;
        }
        Ok(format!("certified, {accepted}, {} bytes", text.len()))
    }
}

/// Why there is no certificate of this law.
fn words(law: &Law, failure: &Failure) -> String {
    match failure {
        Failure::Refuted(refutation) => {
            format!("refuted at {}", simplest_refutation(law, refutation))
        }
        _ => failure.to_string(),
    }
}
