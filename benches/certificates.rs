//! The prover and the checker of certificates, in one run: order patterns per second.
//!
//! `cargo bench --bench certificates` prints a table in Markdown. The baseline is the exact simplex
//! method of `definitions`, which solves one linear programme in rationals for each goal, as a
//! prover without a tableau of its own would.

#![allow(clippy::float_arithmetic, reason = "ratios of times")]

mod headlines;

use std::hint::black_box;
use std::time::Instant;

use headlines::HEADLINES;
use num_rational::BigRational;
use truecal::definitions::LinearProgramme;
use truecal::rational::int;
use truecal_check::Pattern;
use truecal_check::checker;
use truecal_check::law::Law;
use truecal_check::polynomial::Poly;
use truecal_check::statement::{Case, Statement};
use truecal_verify::prover;

fn main() {
    let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    println!("T = 6, one thread; patterns per second:\n");
    println!("| law | bytes | prover | checker | checker / prover | prover / rational programme |");
    println!("|---|---:|---:|---:|---:|---:|");
    for text in HEADLINES {
        let law: Law = text.parse().expect("a law");
        let mut certificate = String::new();
        let prover = single.install(|| {
            rate(|| {
                certificate =
                    prover::prove(&law, 6, &truecal::Watch::silent()).expect("a true law");
                prover::patterns(6)
            })
        });
        let checker = rate(|| {
            let accepted = checker::check(&law, 6, certificate.as_bytes()).expect("accepted");
            black_box(accepted.cases)
        });
        let baseline =
            rational(&law).map_or("-".to_owned(), |slow| format!("{:.0}", prover / slow));
        println!(
            "| `{text}` | {} | {prover:.0} | {checker:.0} | {:.1} | {baseline} |",
            certificate.len(),
            checker / prover
        );
    }
}

/// What is done per second, over at least a second.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let (started, mut done) = (Instant::now(), 0);
    while started.elapsed().as_secs_f64() < 1.0 {
        done += work();
    }
    done as f64 / started.elapsed().as_secs_f64()
}

/// Patterns per second if each goal without bounds is minimised over the facts by a linear
/// programme in rationals: the multipliers are those of its dual. Every 16th pattern; `None` for
/// laws that need bounds.
fn rational(law: &Law) -> Option<f64> {
    let mut patterns = vec![];
    let all: Result<(), ()> = Pattern::default().each(6, &mut |pattern| {
        patterns.push(pattern.clone());
        Ok(())
    });
    all.ok()?;
    let started = Instant::now();
    let mut done = 0;
    for pattern in patterns.iter().step_by(16) {
        let Statement { zero, forms } = Statement::of(law, pattern)?;
        for form in &forms {
            let case = Case::of(form, zero, pattern).ok()?;
            if case.bounds() > 0 {
                return None;
            }
            for goal in case.goals(1, &[]).ok()? {
                black_box(minimise(&case, &goal));
            }
        }
        done += 1;
    }
    Some(f64::from(done) / started.elapsed().as_secs_f64())
}

/// The least value of a goal, where each y is written as a large number minus a variable so that 0
/// is feasible.
fn minimise(case: &Case, goal: &Poly) -> BigRational {
    let predictions = case.names.iter().filter(|name| name.starts_with('v')).count();
    let far = 1000;
    let substituted = |poly: &Poly| {
        let (mut constant, mut terms) = (0, vec![]);
        for (monomial, coefficient) in poly.terms() {
            match usize::from(monomial[3]) {
                0 => constant += coefficient,
                v if v <= predictions => terms.push((v - 1, int(*coefficient))),
                y => {
                    constant += far * coefficient;
                    terms.push((y - 1, int(-coefficient)));
                }
            }
        }
        (constant, terms)
    };
    let mut programme = LinearProgramme::new(case.names.len());
    for fact in &case.facts {
        let (constant, terms) = substituted(fact);
        let row: Vec<_> = terms.into_iter().map(|(variable, n)| (variable, -n)).collect();
        programme.at_most(&row, int(constant));
    }
    let (constant, terms) = substituted(goal);
    for (variable, coefficient) in terms {
        programme.gain(variable, &-coefficient);
    }
    int(constant) - programme.maximise().value
}
