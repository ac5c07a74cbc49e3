//! The lists of all harnesses: `README.md` for people, `harnesses.tsv` for `proofs/run` and for the
//! registry.
//!
//! Each package with proofs keeps its own part of both. `TRUECAL_WRITE_LISTS=1 cargo test --lib
//! proofs::listing` writes them anew. The last columns of the table are a record of what Kani said,
//! which `proofs/run --record` keeps.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use super::TOPICS;
use super::sources::Sources;
use super::symbolic::Harness;
use super::symbolic::wrong::{Noticed, noticed};

/// A package, and its files of harnesses, each with a title.
pub type Topics = (&'static str, &'static [(&'static str, &'static str, &'static [Harness])]);

/// The packages in the order of the lists, with their folders and those of the packages below whose
/// code they prove.
const PACKAGES: [(&str, &[&str]); 3] = [
    ("truecal", &["src"]),
    ("truecal-check", &["crates/check/src"]),
    ("truecal-verify", &["crates/verify/src", "src"]),
];

/// What every harness may use.
const SHARED: [&str; 2] = ["symbolic.rs", "tables.rs"];

/// The columns of the table; what a run of Kani recorded comes last.
const HEAD: &str = "# harness\ttwin\tclaims\tset\tpackage\ttests\tseconds\tsource\t\
    verified\tkani\tdate\ttook\ttwin took";
/// How many of them are the record.
const RECORDED: usize = 5;

/// Parts of results of which another value may be as right: another place where a supremum is
/// attained.
const WITNESSES: [(&str, &str); 6] = [
    ("interval_ce", "levels"),
    ("interval_ce", "levels.0"),
    ("interval_ce", "levels.1"),
    ("sign_ce", "place"),
    ("step_ce", "level"),
    ("v_cal", "limit.0"),
];

/// The folder of the whole repository, from that of any package.
fn root() -> PathBuf {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    match TOPICS.0 {
        "truecal" => own,
        _ => own.join("../.."),
    }
}

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

/// The sources of this package and of its proofs.
fn sources() -> Sources {
    let below = PACKAGES.iter().find(|(package, _)| *package == TOPICS.0).expect("a package").1;
    let folders: Vec<_> = below.iter().map(|folder| root().join(folder)).collect();
    let files = TOPICS.1.iter().map(|(file, _, _)| *file).chain(SHARED);
    let files: Vec<_> = files.map(|file| root().join("proofs").join(file)).collect();
    // The module that puts them together, and the flags that `proofs/run` sets.
    let text =
        |file: &str| std::fs::read_to_string(root().join("proofs").join(file)).expect("a source");
    let module = match TOPICS.0 {
        "truecal" => "mod.rs",
        package => &format!("{}.rs", package.trim_start_matches("truecal-")),
    };
    let modules = text(module);
    let modules = modules.lines().filter(|line| line.contains("mod ") || line.contains("path"));
    let run = text("run");
    let flags = run.lines().filter(|line| line.contains("flags") || line.contains("PROFILE"));
    let flags = flags.filter(|line| !line.trim_start().starts_with('#'));
    let wiring: Vec<_> = modules.chain(flags).map(str::trim).collect();
    Sources::read(&folders, &files, wiring.join("\n"))
}

/// The table with the lines of this package made anew, but for what was recorded.
fn tsv(committed: &str) -> String {
    let mut text = format!("{HEAD}\n");
    for (package, _) in PACKAGES {
        if package != TOPICS.0 {
            let others = committed.lines().filter(|line| line.split('\t').nth(4) == Some(package));
            others.for_each(|line| text += &format!("{line}\n"));
            continue;
        }
        let sources = sources();
        for harness in all() {
            let path = harness.path(harness.name);
            let tests = if harness.is_enumerated() { "enumerated" } else { "sampled" };
            let columns = [
                path.clone(),
                harness.path(harness.twin),
                harness.claims.join(" "),
                harness.set().to_owned(),
                package.to_owned(),
                tests.to_owned(),
                harness.seconds.to_string(),
                sources.fingerprint(harness.name),
                recorded(committed, &path).unwrap_or_else(|| ["-"; RECORDED].join("\t")),
            ];
            text += &format!("{}\n", columns.join("\t"));
        }
    }
    text
}

/// What was recorded of a harness.
fn recorded(committed: &str, path: &str) -> Option<String> {
    let line = committed.lines().find(|line| line.split('\t').next() == Some(path))?;
    let columns: Vec<_> = line.split('\t').collect();
    (columns.len() == HEAD.split('\t').count())
        .then(|| columns[columns.len() - RECORDED..].join("\t"))
}

/// The page with the sections of this package made anew.
fn readme(committed: &str) -> String {
    let mut text = include_str!("README.head.md").to_owned();
    for (package, _) in PACKAGES {
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
    text + &wrong_results() + "\n"
}

/// The parts of the results of code under proof, each with the harnesses that notice if it is
/// wrong.
fn by_part() -> BTreeMap<(&'static str, String), Vec<(&'static str, Noticed)>> {
    let mut parts = BTreeMap::<_, Vec<_>>::new();
    for harness in all() {
        for (part, noticed) in noticed(harness) {
            parts.entry(part).or_default().push((harness.name, noticed));
        }
    }
    parts
}

/// Which harness notices that which result is wrong.
fn wrong_results() -> String {
    let mut text =
        "\n### Wrong results\n\n| result of | part | noticed in every case by | in some \
        cases by |\n|---|---|---|---|\n"
            .to_owned();
    for ((function, part), found) in by_part() {
        let names = |wanted: fn(&Noticed) -> bool| {
            let names = found.iter().filter(|(_, noticed)| wanted(noticed));
            names.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(" ")
        };
        let always = names(|noticed| noticed.noticed == noticed.wrong);
        let sometimes = names(|noticed| (1..noticed.wrong).contains(&noticed.noticed));
        let part = if part.is_empty() { "all".to_owned() } else { format!("`{part}`") };
        let _ = writeln!(text, "| `{function}` | {part} | {always} | {sometimes} |");
    }
    text
}

/// Whatever part of a result is wrong, by whichever bit, some harness notices in every case; where
/// another value may be as right, it notices in most.
#[test]
fn every_wrong_result_is_noticed() {
    let parts = by_part();
    assert!(!parts.is_empty());
    for ((function, part), found) in parts {
        let is_witness = WITNESSES.contains(&(function, &*part));
        let pinned = |(_, noticed): &(&str, Noticed)| match is_witness {
            true => noticed.noticed * 100 > noticed.wrong * 98,
            false => noticed.noticed == noticed.wrong,
        };
        assert!(found.iter().any(pinned), "{function}: {part}: {found:?}");
    }
}

#[test]
fn the_lists_are_those_of_the_harnesses() {
    type Maker = fn(&str) -> String;
    let lists: [(&str, Maker); 2] = [("README.md", readme), ("harnesses.tsv", tsv)];
    for (file, made) in lists {
        let path = root().join("proofs").join(file);
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

/// Every file of harnesses is listed by exactly one package.
#[test]
fn every_file_is_a_topic() {
    let list = std::fs::read_to_string(root().join("proofs/README.md")).expect("the list");
    for entry in std::fs::read_dir(root().join("proofs")).expect("a folder") {
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
