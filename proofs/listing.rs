//! The lists of all harnesses: `README.md` for people, `harnesses.tsv` for `proofs/run` and for the registry.
//!
//! `TRUECAL_WRITE_LISTS=1 cargo test --lib proofs::listing` writes them anew.

use std::fmt::Write;

use super::symbolic::Harness;
use super::{doubles, every_t, numbering, prefix, regret, rows, subsets};
use crate::claims;

/// The files with what they are about.
const TOPICS: [(&str, &str, &[Harness]); 7] = [
    ("prefix.rs", "Prefix sums", prefix::HARNESSES),
    ("regret.rs", "Regret, VCal and UCal", regret::HARNESSES),
    ("subsets.rs", "Subsets of the rounds", subsets::HARNESSES),
    ("every_t.rs", "Every T", every_t::HARNESSES),
    ("numbering.rs", "Tables, widths and numbers", numbering::HARNESSES),
    ("doubles.rs", "Bits of doubles", doubles::HARNESSES),
    ("rows.rs", "Rows of certificates", rows::HARNESSES),
];

/// How many times its budget a harness may take: machines differ.
const PATIENCE: u32 = 3;

impl Harness {
    /// The path by which Kani knows a function next to the harness.
    fn path(&self, name: &str) -> String {
        let file = self.module.split_once("::").map_or(self.module, |(_, path)| path);
        format!("{file}::{name}")
    }

    /// What it shows, in one line.
    fn prose(&self) -> String {
        self.shows.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// When `proofs/run` runs it.
    fn set(&self) -> &'static str {
        if self.slow { "slow" } else { "default" }
    }
}

fn all() -> impl Iterator<Item = &'static Harness> {
    TOPICS.iter().flat_map(|(_, _, harnesses)| *harnesses)
}

fn tsv() -> String {
    let mut text = "# harness\ttwin\tclaims\tset\tseconds\n".to_owned();
    for harness in all() {
        let (path, twin) = (harness.path(harness.name), harness.path(harness.twin));
        let (claims, set) = (harness.claims.join(" "), harness.set());
        let _ = writeln!(text, "{path}\t{twin}\t{claims}\t{set}\t{}", PATIENCE * harness.seconds);
    }
    text
}

fn readme() -> String {
    let mut text = include_str!("README.head.md").to_owned();
    for (file, title, harnesses) in TOPICS {
        let _ = write!(text, "\n### {title} ([{file}]({file}))\n\n");
        text += "| harness | shows | domain | cases | seeded fault | claims |\n|---|---|---|---|---|---|\n";
        for harness in harnesses {
            let slow = if harness.slow { " (slow)" } else { "" };
            let ids: Vec<_> = harness.claims.iter().map(|id| format!("`{id}`")).collect();
            let _ = writeln!(
                text,
                "| `{}`{slow} | {} | {} | {} | {} | {} |",
                harness.name,
                harness.prose().replace('|', "\\|"),
                harness.domain.replace('|', "\\|"),
                harness.cases,
                harness.fault.replace('|', "\\|"),
                ids.join(" ")
            );
        }
    }
    text
}

#[test]
fn the_lists_are_those_of_the_harnesses() {
    for (file, text) in [("README.md", readme()), ("harnesses.tsv", tsv())] {
        let path = format!("{}/proofs/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("TRUECAL_WRITE_LISTS").is_some() {
            std::fs::write(&path, &text).expect("the list can be written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == text, "proofs/{file} is not what the harnesses say; write it anew");
    }
}

#[test]
fn every_harness_names_claims() {
    let mut names = std::collections::HashSet::new();
    for harness in all() {
        for id in harness.claims {
            let claim = claims::find(id);
            assert!(claim.is_some_and(|claim| claim.id == *id), "{}: no claim {id}", harness.name);
            let mut known = claims::harnesses(id);
            assert!(known.any(|name| name == harness.path(harness.name)), "{id} does not know it");
        }
        for name in [harness.name, harness.twin] {
            assert!(names.insert(harness.path(name)), "{name} occurs twice");
        }
        assert!(!harness.claims.is_empty() && !harness.domain.is_empty(), "{}", harness.name);
    }
}

/// Ten seconds at most for each of the default set, a minute for five.
#[test]
fn the_default_set_is_within_its_budget() {
    let seconds: Vec<u32> = all().filter(|harness| !harness.slow).map(|h| h.seconds).collect();
    let long = seconds.iter().filter(|&&seconds| seconds > 10).count();
    assert!(long <= 5 && seconds.iter().all(|&seconds| seconds <= 60), "{seconds:?}");
}

/// Every file of harnesses is listed.
#[test]
fn every_file_is_a_topic() {
    for entry in
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/proofs")).expect("a folder")
    {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() || !name.ends_with(".rs") || name == "symbolic.rs" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let listed = TOPICS.iter().any(|(file, ..)| *file == name);
        assert_eq!(text.lines().any(|line| line == "harnesses! {"), listed, "{name}");
    }
}
