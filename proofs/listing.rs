//! The lists of all harnesses: `README.md` for people, `harnesses.tsv` for `proofs/run` and for the
//! registry.
//!
//! Each package with proofs keeps its own part of both. `TRUECAL_WRITE_LISTS=1 cargo test --lib
//! proofs::listing` writes them anew.

use std::fmt::Write;

use super::TOPICS;
use super::symbolic::Harness;

/// A package, and its files of harnesses, each with a title.
pub type Topics = (&'static str, &'static [(&'static str, &'static str, &'static [Harness])]);

/// The packages in the order of the lists.
const PACKAGES: [&str; 3] = ["truecal", "truecal-check", "truecal-verify"];

/// The folder of all proofs, from that of any package.
fn folder() -> &'static str {
    match TOPICS.0 {
        "truecal" => concat!(env!("CARGO_MANIFEST_DIR"), "/proofs"),
        _ => concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs"),
    }
}

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
    TOPICS.1.iter().flat_map(|(_, _, harnesses)| *harnesses)
}

/// The table with the lines of this package made anew.
fn tsv(committed: &str) -> String {
    let mut text = "# harness\ttwin\tclaims\tset\tseconds\tpackage\n".to_owned();
    for package in PACKAGES {
        if package == TOPICS.0 {
            for harness in all() {
                let (path, twin) = (harness.path(harness.name), harness.path(harness.twin));
                let (claims, set) = (harness.claims.join(" "), harness.set());
                let seconds = PATIENCE * harness.seconds;
                let _ = writeln!(text, "{path}\t{twin}\t{claims}\t{set}\t{seconds}\t{package}");
            }
        } else {
            let end = format!("\t{package}");
            let others = committed.lines().filter(|line| line.ends_with(&end));
            others.for_each(|line| text += &format!("{line}\n"));
        }
    }
    text
}

/// The page with the sections of this package made anew.
fn readme(committed: &str) -> String {
    let mut text = include_str!("README.head.md").to_owned();
    for package in PACKAGES {
        let begin = format!("\n<!-- {package} -->\n");
        let end = format!("<!-- end of {package} -->\n");
        let own = match package == TOPICS.0 {
            true => sections(),
            false => {
                let part = committed.split_once(&begin).and_then(|(_, rest)| rest.split_once(&end));
                part.map(|(part, _)| part.to_owned()).unwrap_or_default()
            }
        };
        text += &format!("{begin}{own}{end}");
    }
    text
}

fn sections() -> String {
    let mut text = String::new();
    for (file, title, harnesses) in TOPICS.1 {
        let _ = write!(text, "\n### {title} ([{file}]({file}))\n\n");
        text += "| harness | shows | domain | cases | seeded fault | claims \
            |\n|---|---|---|---|---|---|\n";
        for harness in *harnesses {
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
    text + "\n"
}

#[test]
fn the_lists_are_those_of_the_harnesses() {
    type Maker = fn(&str) -> String;
    let lists: [(&str, Maker); 2] = [("README.md", readme), ("harnesses.tsv", tsv)];
    for (file, made) in lists {
        let path = format!("{}/{file}", folder());
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let text = made(&committed);
        if std::env::var_os("TRUECAL_WRITE_LISTS").is_some() {
            std::fs::write(&path, &text).expect("the list can be written");
            continue;
        }
        assert!(committed == text, "proofs/{file} is not what the harnesses say; write it anew");
    }
}

#[test]
fn every_harness_has_a_name_and_a_domain() {
    let mut names = std::collections::HashSet::new();
    for harness in all() {
        for name in [harness.name, harness.twin] {
            assert!(names.insert(harness.path(name)), "{name} occurs twice");
        }
        assert!(!harness.claims.is_empty() && !harness.domain.is_empty(), "{}", harness.name);
    }
}

/// Ten seconds at most for each of the default set, a minute for five of all packages.
#[test]
fn the_default_set_is_within_its_budget() {
    let seconds: Vec<u32> = all().filter(|harness| !harness.slow).map(|h| h.seconds).collect();
    let long = seconds.iter().filter(|&&seconds| seconds > 10).count();
    assert!(long <= 5 && seconds.iter().all(|&seconds| seconds <= 60), "{seconds:?}");
}

/// Every file of harnesses is listed by exactly one package.
#[test]
fn every_file_is_a_topic() {
    let list = std::fs::read_to_string(format!("{}/README.md", folder())).expect("the list");
    for entry in std::fs::read_dir(folder()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() || !name.ends_with(".rs") || name == "symbolic.rs" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let harnesses = text.lines().any(|line| line == "harnesses! {");
        let listed = list.matches(&format!("([{name}]({name}))\n")).count();
        assert_eq!(listed, usize::from(harnesses), "{name}");
    }
}
