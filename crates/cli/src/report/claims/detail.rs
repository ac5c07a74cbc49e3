//! All of one claim: what it says, what was found, and how to find it again.

use std::fmt::Write;

use super::errata::is_erratum;
use super::table::counted;
use super::{command_line, wrapped};
use truecal_paper::claims;
use truecal_verify::committed::Proof;
use truecal_verify::evidence::{Options, Row};
use truecal_verify::kernel::{self, Theorem};
use truecal_verify::registry::{
    Check, Claim, Control, Counterexample, Defect, Finding, FiniteCheck, Scope,
};

/// The text of `truecal claims ID`.
pub fn detail(row: &Row, options: &Options) -> String {
    let claim = row.claim;
    let mut text = format!("{}\n", claim.id);
    let mut field = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(text, "  {name:<9} {}", wrapped(value, 12));
        }
    };
    field("section", &format!("{}; {}", claim.section.title, claim.kind.key()));
    field(
        "lines",
        &if claim.lines.is_empty() { String::new() } else { format!("L{}", claim.lines) },
    );
    field("reading", claim.reading);
    field("scope", &claim.scope.to_string());
    field("departs", claim.departs);
    field("parts", &claim.parts.join(", "));
    field("uses", &claim.uses.join(", "));
    field("see", &related(claim).join(", "));
    field("tight", claim.tight);
    match claim.defect {
        Some(Defect { severity, repair }) => {
            field("defect", severity.key());
            field("repair", repair);
        }
        None if is_erratum(claim) => field("defect", "none: withdrawn on a second reading"),
        None => {}
    }
    for (place, (known, paths)) in bounded_proofs(claim).iter().enumerate() {
        let name = if place == 0 { "kani" } else { "" };
        field(name, &format!("{known}: {}", paths.join(", ")));
    }
    match row.status() {
        Some(status) => field("status", &format!("{} ({})", status.word(), status.detail())),
        None => field("status", "PARTIAL (some checks are left to other shards)"),
    }
    text += &theorems(claim);
    for (check, finding) in claim.checks.iter().zip(&row.findings) {
        let _ = writeln!(text, "\n  {}", kind(check));
        if let Some(place) = argument(check) {
            let _ = writeln!(text, "    the argument stands at {place}");
        }
        if let Some(finding) = finding {
            text.push_str(&evidence(finding));
        }
        let _ = writeln!(text, "    again: truecal verify {}{}", claim.id, command_line(options));
    }
    text
}

/// What Coq has checked for a claim, as Coq says it, to be compared with the reading: the theorems
/// that name the claim, and those that prove one of its checks.
fn theorems(claim: &Claim) -> String {
    let record = kernel::record();
    let proves = |check: &Check, theorem: &Theorem| match check {
        Check::Finite(evidence) => evidence.proofs.contains(&theorem.name),
        Check::Law(check) => {
            let law = check.law.parse().ok().and_then(|law| record.of_law(&law));
            law.is_some_and(|known| known.name == theorem.name)
        }
        Check::Example(_) | Check::Refutation(_) => false,
    };
    let shown = |theorem: &&Theorem| {
        theorem.claims.contains(&claim.id)
            || claim.checks.iter().any(|check| proves(check, theorem))
    };
    let mut text = String::new();
    for theorem in record.theorems.iter().filter(shown) {
        let _ = writeln!(text, "\n  Coq, {} (proofs/coq/{})", theorem.name, theorem.file);
        for line in &theorem.statement {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// The harnesses of a claim, by what is known of them.
fn bounded_proofs(claim: &Claim) -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<_>)> = vec![];
    for harness in claims::harnesses(claim.id) {
        let known = harness.to_string();
        match groups.iter_mut().find(|(words, _)| *words == known) {
            Some((_, paths)) => paths.push(harness.path),
            None => groups.push((known, vec![harness.path])),
        }
    }
    groups
}

/// The claims to read with this one, in both directions.
fn related(claim: &Claim) -> Vec<&'static str> {
    let mut ids: Vec<_> = claim.see.to_vec();
    for other in claims::all().filter(|other| other.see.contains(&claim.id)) {
        if !ids.contains(&other.id) {
            ids.push(other.id);
        }
    }
    ids
}

fn kind(check: &Check) -> String {
    match check {
        Check::Law(check) => format!("law on every table: {}", check.law),
        Check::Example(example) => format!("example: {}", example.facts.join("; ")),
        Check::Refutation(refutation) => format!("refutation of: {}", refutation.law),
        Check::Finite(evidence) => format!("computation: {}", evidence.title),
    }
}

/// Where a check says why finitely many cases are enough for everything.
fn argument(check: &Check) -> Option<&'static str> {
    match check {
        Check::Finite(FiniteCheck { scope: Scope::All | Scope::Asymptotic, place, .. })
            if !place.is_empty() =>
        {
            Some(place)
        }
        _ => None,
    }
}

fn evidence(finding: &Finding) -> String {
    let cases = |number| counted(number, "case");
    let mut lines = vec![prose(&format!("covers {}: {}", finding.covers, cases(finding.cases)))];
    let mut say = |words: String| lines.push(prose(&words));
    if finding.applicable < finding.cases {
        say(format!("the hypothesis holds in {}", cases(finding.applicable)));
    }
    if finding.equalities > 0 {
        say(format!("the two sides are equal in {}", cases(finding.equalities)));
    }
    if finding.sampled > 0 {
        say(format!("and {} of up to 200 rounds", counted(finding.sampled, "sampled sequence")));
    }
    if let Some(proof @ Proof { scope, source, .. }) = &finding.proof {
        let by = if proof.is_kernel() { "Coq" } else { "certificate" };
        say(format!("PROVED for {scope} by {by}: {source}"));
        finding.stale().iter().for_each(|stale| say(format!("STALE: {stale}")));
    }
    finding.tight.iter().for_each(|tight| say(format!("tight at {tight}")));
    finding.defects.iter().for_each(|defect| say(format!("DEFECT: {defect}")));
    match &finding.counterexample {
        Some(found) => {
            say(format!("fails at {found}"));
            lines.extend(steps(found));
        }
        None => say("no counterexample".to_owned()),
    }
    if let Some(correction) = &finding.correction {
        let held = if correction.holds { "holds" } else { "FAILS" };
        let tried = cases(correction.cases);
        lines.push(prose(&format!("instead: {}: {held} in {tried}", correction.statement)));
    }
    for Control { mistake, caught } in &finding.controls {
        match caught {
            Some(found) => {
                lines.push(prose(&format!("can fail: {mistake}: refuted at {found}")));
                lines.extend(steps(found));
            }
            None => lines.push(prose(&format!("DEFECT: not noticed: {mistake}"))),
        }
    }
    lines.concat()
}

fn prose(words: &str) -> String {
    format!("    {}\n", wrapped(words, 8))
}

fn steps(found: &Counterexample) -> impl Iterator<Item = String> {
    found.arithmetic.iter().map(|step| format!("        {step}").trim_end().to_owned() + "\n")
}
