//! The repository's own rules (see ARCHITECTURE.md) that the compiler cannot see.

use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder with one of these endings, or the file itself.
pub(super) fn files(place: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = vec![];
    let mut open = vec![root().join(place)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                let entries = fs::read_dir(&path).expect("a folder");
                open.extend(entries.map(|entry| entry.expect("an entry").path()));
            }
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            let text = fs::read_to_string(&path).expect("text");
            found.push((path, text));
        }
    }
    assert!(!found.is_empty(), "nothing in {place}");
    found.sort();
    found
}

/// Where Rust is.
const SOURCES: [&str; 5] = ["src", "crates", "tests", "proofs", "benches"];

/// The code of a file: without its tests and without comments.
pub(super) fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_string_lossy().contains("tests"))
}

/// Asserts that no code in these places has one of the words.
fn never(places: &[&str], words: &[&str]) {
    for (path, text) in places.iter().flat_map(|place| files(place, &["rs"])) {
        if is_test(path.strip_prefix(root()).expect("below the root")) {
            continue;
        }
        let code = code(&text);
        for word in words {
            assert!(!code.contains(word), "{} uses {word}", path.display());
        }
    }
}

/// The crates, each with those of this workspace that it may use. (That there is no circle the
/// compiler sees.)
#[test]
fn layers_use_those_below() {
    let layers: [(&str, &[&str]); 7] = [
        (".", &[]),
        ("crates/check", &["truecal"]),
        ("crates/lab", &["truecal", "truecal-check"]),
        ("crates/verify", &["truecal", "truecal-check", "truecal-lab"]),
        ("crates/paper", &["truecal", "truecal-check", "truecal-lab", "truecal-verify"]),
        (
            "crates/cli",
            &["truecal", "truecal-check", "truecal-lab", "truecal-verify", "truecal-paper"],
        ),
        ("benches", &["truecal", "truecal-check", "truecal-lab", "truecal-verify"]),
    ];
    for (folder, below) in layers {
        let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("TOML");
        for section in ["dependencies", "dev-dependencies"] {
            let Some(used) = manifest.get(section).and_then(toml::Value::as_table) else {
                continue;
            };
            for name in used.keys().filter(|name| name.starts_with("truecal")) {
                assert!(below.contains(&name.as_str()), "{folder} uses {name}");
            }
            // What only a command needs stays in the command; tests of the library read TOML.
            let of_commands = ["clap", "signal-hook", "serde_json", "serde", "toml"];
            for name in of_commands.iter().filter(|name| used.contains_key(**name)) {
                let allowed =
                    section == "dev-dependencies" || ["crates/cli", "benches"].contains(&folder);
                assert!(allowed, "{folder} uses {name}");
            }
        }
    }
}

/// What the certificate of an optimum is held against uses nothing that searches.
#[test]
fn the_checker_of_optima_stands_alone() {
    let trusted = ["certificate.rs", "order.rs", "pieces.rs"]
        .map(|file| format!("crates/lab/src/optimum/{file}"));
    let search = ["contribution", "envelope", "exact", "grid", "programme", "rayon", "expect("];
    never(&trusted.each_ref().map(String::as_str), &search);
}

#[test]
fn exact_code_has_no_floats() {
    let exact = [
        "src/any_levels.rs",
        "src/check.rs",
        "src/classical/binned.rs",
        "src/classical/brier.rs",
        "src/classical/isotonic.rs",
        "src/definitions",
        "src/dyadic.rs",
        "src/grid.rs",
        "src/levels.rs",
        "src/measure.rs",
        "src/measures",
        "src/null/outcomes.rs",
        "src/null/replicates.rs",
        "src/number.rs",
        "src/paired/gap.rs",
        "src/paired/gather.rs",
        "src/paired/plan.rs",
        "src/paired/replicates.rs",
        "src/paired/tables.rs",
        "src/prediction/decimal",
        "src/rational.rs",
        "src/scale.rs",
        "src/tally.rs",
        "src/witness.rs",
        "crates/check/src",
        "crates/paper/src",
        "crates/verify/src",
        "crates/lab/src/chance.rs",
        "crates/lab/src/enclosure",
        "crates/lab/src/forecaster.rs",
        "crates/lab/src/forecasters.rs",
        "crates/lab/src/nature.rs",
        "crates/lab/src/natures",
        "crates/lab/src/optimum",
        "crates/lab/src/penalty/density.rs",
        "crates/lab/src/penalty/exact.rs",
        "crates/lab/src/penalty/simplex.rs",
        "crates/lab/src/penalty/sum.rs",
    ];
    never(&exact, &["f64", "f32"]);
}

#[test]
fn files_are_short_enough_to_read() {
    for (path, text) in SOURCES.iter().flat_map(|folder| files(folder, &["rs"])) {
        assert!(text.lines().count() <= 500, "{} is long", path.display());
    }
}

/// Rows of tables in documentation cannot be broken.
#[test]
fn lines_are_short_enough_to_read() {
    let places = SOURCES.into_iter().chain(["Cargo.toml", ".cargo"]);
    for (path, text) in places.flat_map(|place| files(place, &["rs", "toml", "py", "v"])) {
        for (number, line) in (1..).zip(text.lines()) {
            let row = ["//! | ", "/// | "].iter().any(|mark| line.trim_start().starts_with(mark));
            let short = row || line.chars().count() <= 100;
            assert!(short, "{}:{number} has more than 100 columns", path.display());
        }
    }
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [["TO", "DO"], ["FIX", "ME"], ["X", "XX"]].map(|halves| halves.concat());
    let macros = ["todo", "unimplemented"].map(|name| format!("{name}!("));
    for (path, text) in SOURCES.iter().flat_map(|folder| files(folder, &["rs"])) {
        for word in marks.iter().chain(&macros) {
            assert!(!text.contains(word.as_str()), "{} has {word}", path.display());
        }
    }
}

/// A snapshot that no test names is never compared with anything.
#[test]
fn every_snapshot_has_its_test() {
    let tests = files("crates/cli/tests", &["rs"]);
    let tests: String = tests.into_iter().map(|(_, text)| text).collect();
    for (path, _) in files("snapshots", &["snap", "new"]) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let name = name.strip_suffix(".snap").unwrap_or_else(|| panic!("{name} awaits review"));
        if name.starts_with("claim-") {
            continue; // named by the registry: see `counterexamples_are_reviewed`
        }
        assert!(tests.contains(&format!("\"{name}\"")), "no test names the snapshot {name}");
    }
}
