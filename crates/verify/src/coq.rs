//! Certificates as Coq scripts.
//!
//! A script states, for every order pattern, what the certificate shows there, as inequalities in
//! named variables, and gives Coq the same rows. That sums of products of facts show goals is a
//! theorem (`proofs/coq/Certificate.v`), and that these sums are the goals is computed by Coq's
//! kernel: neither the checker nor this module need be believed. What has to be read is what is
//! stated: that the lemmas are those of the law, pattern by pattern.

use std::fmt::Write;

use truecal_check::checker::{Shown, check_aloud};
use truecal_check::polynomial::Poly;
use truecal_check::{Rejected, Subject};

/// The widest line of a script, in characters.
const WIDTH: usize = 100;

/// The script of a certificate, if it is one of what it is said to be.
pub fn script(subject: &Subject, certificate: &str) -> Result<String, Rejected> {
    let Subject { law, rounds } = subject;
    let mut lemmas = String::new();
    let mut count = 0;
    check_aloud(law, *rounds, certificate.as_bytes(), &mut |shown| {
        count += 1;
        lemma(&mut lemmas, count, &shown);
    })?;
    let words = format!(
        "(* {law}, for T = {rounds} and all real predictions: what a certificate of truecal shows, \
            for Coq to check. At each order pattern (ones/rounds of the levels) v1 <= v2 <= ... \
            are the predictions of the levels, and y1, y2, ... are at least the terms of the \
            measures on the larger side; bounds of sums of maxima are written out. In truecal's \
            folder: proofs/coq/check --scripts FOLDER. *)"
    );
    let mut text = String::new();
    wrap(&mut text, &[words], 0, 3);
    text += "From mathcomp Require Import all_ssreflect all_algebra.\n\
        From Truecal Require Import Certificate.\n\
        \n\
        Section Patterns.\n\
        Variable R : realFieldType.\n";
    Ok(text + &lemmas + "End Patterns.\n")
}

/// What a script is called: a name that Coq takes for a module.
pub fn file_name(certificate: &str) -> String {
    let stem = certificate.strip_suffix(".txt").unwrap_or(certificate);
    let plain: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("law_{plain}.v")
}

/// One lemma: the facts imply the goals.
fn lemma(text: &mut String, number: usize, shown: &Shown<'_>) {
    let Shown { pattern, case, goals, rows } = shown;
    let levels = pattern.levels.len();
    let inequality = |poly: &Poly| inequality(poly, &case.names, levels);
    let facts = case.facts.iter().map(inequality).collect();
    let goals = goals.iter().map(inequality).collect();
    let rows = rows.iter().map(|row| coq_row(row, levels + 1)).collect();
    let _ = writeln!(text, "\n(* {pattern} *)");
    wrap(text, &[format!("Lemma pattern_{number} ({} : R) : (", case.names.join(" "))], 0, 2);
    wrap(text, &ended(facts, " ->", " ->"), 2, 4);
    wrap(text, &ended(goals, " /\\", ")%R."), 2, 4);
    text.push_str("Proof.\n");
    wrap(text, &[format!("certificate [:: {}] [::", case.names.join("; "))], 0, 2);
    wrap(text, &ended(rows, ";", "]."), 2, 4);
    text.push_str("Qed.\n");
}

/// A polynomial that is >= 0, as an inequality: what has a variable of the larger side stands on
/// the right, the rest on the left; without such variables, what is added stands on the right.
fn inequality(poly: &Poly, names: &[String], levels: usize) -> String {
    let has_larger = |monomial: &[u16; 4]| monomial.iter().any(|v| usize::from(*v) > levels);
    let any_larger = poly.terms().any(|(monomial, _)| has_larger(monomial));
    let is_right = |monomial: &[u16; 4], coefficient: i128| match any_larger {
        true => has_larger(monomial),
        false => coefficient > 0,
    };
    let terms = poly.terms().map(|(monomial, coefficient)| (monomial, *coefficient));
    let (right, left): (Vec<_>, Vec<_>) = terms.partition(|(m, c)| is_right(m, *c));
    let left: Vec<_> = left.into_iter().map(|(monomial, c)| (monomial, -c)).collect();
    // Without a variable, Coq has to be told of what numbers.
    let variable = poly.terms().any(|(monomial, _)| *monomial != [0; 4]);
    let of = if variable { "" } else { " :> R" };
    format!("{} <= {}{of}", sum(&left, names), sum(&right, names))
}

/// `2%:R * v1 * v1 - y1`
fn sum(terms: &[(&[u16; 4], i128)], names: &[String]) -> String {
    let mut text = String::new();
    for (monomial, coefficient) in terms {
        text += match (text.is_empty(), *coefficient < 0) {
            (true, false) => "",
            (true, true) => "- ",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let variables = monomial.iter().filter(|variable| **variable > 0);
        let mut factors: Vec<_> = variables.map(|v| names[usize::from(*v) - 1].clone()).collect();
        let size = coefficient.unsigned_abs();
        if size != 1 || factors.is_empty() {
            factors.insert(0, number(size));
        }
        text += &factors.join(" * ");
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// A number of which no part is large, because Coq counts up to each.
fn number(n: u128) -> String {
    match (n / 1000, n % 1000) {
        (0, 0 | 1) => n.to_string(),
        (0, _) => format!("{n}%:R"),
        (high, low) => format!("({} * 1000%:R + {})", number(high), number(low)),
    }
}

/// `2: f1*o1 3` as Coq's data, where facts are numbered from 0, those of the order first.
fn coq_row(row: &str, order: usize) -> String {
    let (multiple, terms) = row.split_once(": ").unwrap_or(("1", row));
    let place = |fact: &str| {
        let digits: usize = fact[1..].parse().expect("the checker has read it");
        if fact.starts_with('o') { digits } else { order + digits - 1 }
    };
    let term = |term: &str| {
        let mut factors: Vec<_> = term.split('*').collect();
        let multiplier = match factors[0].starts_with(|c: char| c.is_ascii_digit()) {
            true => factors.remove(0),
            false => "1",
        };
        let places: Vec<_> = factors.into_iter().map(|fact| place(fact).to_string()).collect();
        match places.is_empty() {
            true => format!("Term {multiplier} [::]"),
            false => format!("Term {multiplier} [:: {}]", places.join("; ")),
        }
    };
    let terms: Vec<_> = terms.split(' ').filter(|text| *text != "0").map(term).collect();
    match terms.is_empty() {
        true => format!("Row {multiple} [::]"),
        false => format!("Row {multiple} [:: {}]", terms.join("; ")),
    }
}

/// Items on lines that are not too long, the first after so many blanks, the others after so many.
/// An item is broken only if no line is long enough for it.
fn wrap(text: &mut String, items: &[String], first: usize, others: usize) {
    let words = items.iter().flat_map(|item| match item.len() + others > WIDTH {
        true => item.split(' ').collect(),
        false => vec![item.as_str()],
    });
    let (mut line, mut empty) = (" ".repeat(first), true);
    for word in words {
        if !empty && line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(text, "{line}");
            (line, empty) = (" ".repeat(others), true);
        }
        line += if empty { "" } else { " " };
        line += word;
        empty = false;
    }
    let _ = writeln!(text, "{line}");
}

/// Items with something behind each of them, and something else behind the last.
fn ended(items: Vec<String>, between: &str, end: &str) -> Vec<String> {
    let last = items.len().saturating_sub(1);
    let ended = |(i, item)| format!("{item}{}", if i < last { between } else { end });
    items.into_iter().enumerate().map(ended).collect()
}

#[cfg(test)]
mod tests;
