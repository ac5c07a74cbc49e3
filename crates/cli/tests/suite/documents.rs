//! What outsiders read is true: examples are what truecal prints, links and paths lead somewhere,
//! and the pages that should be short are.

use std::fs;
use std::path::{Path, PathBuf};

use truecal::{Description, Measure};

use crate::command::truecal;

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The pages of the book, but for its table of contents.
fn pages() -> Vec<String> {
    let mut pages = vec![];
    for folder in ["", "schema/"] {
        let entries = fs::read_dir(root().join("docs/src").join(folder)).expect("the book");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
        let names = names.map(|name| name.expect("a page with a plain name"));
        let names = names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md");
        pages.extend(names.map(|name| format!("{folder}{name}")));
    }
    pages
}

/// Everything whose links and paths are checked.
fn documents() -> Vec<String> {
    let at_the_top = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/src/SUMMARY.md",
        "proofs/README.md",
        "proofs/CERTIFICATES.md",
        "benches/README.md",
    ];
    let pages = pages().into_iter().map(|page| format!("docs/src/{page}"));
    at_the_top.map(str::to_owned).into_iter().chain(pages).collect()
}

/// Asserts that a page shows a text.
#[track_caller]
fn shows(page: &str, text: &str) {
    assert!(read(page).contains(text.trim_end()), "{page} should show\n{text}");
}

/// What a snapshot holds.
fn snapshot(name: &str) -> String {
    let text = read(&format!("snapshots/{name}.snap"));
    text.splitn(3, "---\n").nth(2).expect("a snapshot has a head").to_owned()
}

#[test]
fn examples_show_what_is_printed() {
    for (page, name) in [
        ("README.md", "measure-table"),
        ("docs/src/measuring.md", "measure-exact"),
        ("docs/src/lab.md", "gap-table"),
        ("docs/src/lab.md", "opt-three-rounds"),
        ("docs/src/lab.md", "properties"),
        ("docs/src/forecasting.md", "forecast-duel"),
    ] {
        shows(page, &snapshot(name));
    }
    let null = snapshot("measure-null");
    let (_, drawn) = null.split_once("\nif outcomes were").expect("a second table");
    shows("docs/src/null.md", drawn);
}

/// Tables and lists of measures follow from their descriptions.
#[test]
fn every_measure_is_described() {
    let mut table = String::new();
    for measure in Measure::ALL {
        let Description { key, aliases, words, witnessed_by, .. } = measure.description();
        let others = aliases.iter().map(|alias| format!("`{alias}`")).collect::<Vec<_>>();
        let others = others.join(", ");
        table += &format!("| {measure} | `{key}` | {others} | {words} | {witnessed_by} |\n");
    }
    shows("docs/src/measures.md", &table);
    let keys = Measure::ALL.map(Measure::key).join(" ");
    shows("docs/src/conjectures.md", &format!("| measures | `{keys}` |\n"));
    shows("docs/src/json.md", &format!("The keys are `{keys}`."));
    let json = read("docs/src/json.md");
    let (rust, readme) = (read("docs/src/measuring.md"), read("README.md"));
    for measure in Measure::ALL {
        let plain = measure.subsampled_from().is_none();
        let listed = json.contains(&format!("| `{}` |", measure.key()));
        assert_eq!(listed, plain, "docs/src/json.md: the witness of {measure}");
        let row = |start: &str| start == measure.to_string();
        let cells = readme.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        assert!(cells.flat_map(|cell| cell.split(", ")).any(row), "the README lacks {measure}");
    }
    let functions = include_str!("../../../../src/float/slices.rs");
    let functions = functions.lines().filter_map(|line| line.trim().split_once(" = "));
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let functions = functions.filter(|(name, rest)| plain(name) && rest.contains(" by "));
    let mut known = 0;
    for (name, _) in functions {
        assert!(rust.contains(&format!("`{name}`")), "docs/src/measuring.md lacks float::{name}");
        known += 1;
    }
    assert_eq!(known, Measure::ALL.iter().filter(|m| m.subsampled_from().is_none()).count());
}

#[test]
fn the_forecasts_that_are_shown_are_made() {
    let output = truecal(&["forecast", "--rounds", "100"], b"1\n0\n1\n1\n");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    shows("docs/src/forecasting.md", &(text(output.stdout) + &text(output.stderr)));
}

#[test]
fn the_readme_starts_with_what_to_run() {
    let first_screen: String = read("README.md").lines().take(25).collect();
    for command in ["cargo run --release -- verify", "cargo test"] {
        assert!(first_screen.contains(command), "the README does not start with {command}");
    }
}

#[test]
fn what_should_be_short_is() {
    for document in ["README.md", "ARCHITECTURE.md"] {
        let lines = read(document).lines().count();
        assert!(lines <= 150, "{document} has {lines} lines: move some to docs/");
    }
}

#[test]
fn the_table_of_contents_is_complete() {
    let contents = read("docs/src/SUMMARY.md");
    for page in pages() {
        assert!(contents.contains(&format!("({page})")), "SUMMARY.md does not list {page}");
    }
}

/// Code in Rust runs as a doctest, if `lib.rs` includes its page.
#[test]
fn rust_in_documents_is_run() {
    let included = read("crates/cli/src/lib.rs");
    let mut found = 0;
    for document in documents().into_iter().filter(|document| read(document).contains("```rust")) {
        let line = format!("#[doc = include_str!(\"../../../{document}\")]");
        assert!(included.contains(&line), "crates/cli/src/lib.rs should have {line}");
        found += 1;
    }
    assert!(found >= 3, "{found} documents with Rust");
}

/// A document without its blocks of code.
fn prose(document: &str) -> String {
    let text = read(document);
    text.split("\n```").step_by(2).collect()
}

/// What a link to a heading calls it: lower case, words joined by hyphens, no punctuation.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().replace(' ', "-")
}

#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for document in documents() {
        let text = prose(&document);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            links += 1;
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let here = root().join(&document);
            let file = match file {
                "" => here.clone(),
                file => here.parent().expect("a folder").join(file),
            };
            assert!(file.exists(), "{document} links to {link}");
            if !heading.is_empty() {
                let text = fs::read_to_string(&file).expect("a page");
                let mut headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
                assert!(headings.any(|known| known == heading), "{document} links to {link}");
            }
        }
    }
    assert!(links > 30, "only {links} links were found");
}

/// Paths in code font, from the top of the repository.
#[test]
fn paths_exist() {
    let folders = ["src/", "crates/", "proofs/", "benches/", "testdata/", "snapshots/", "docs/"];
    let mut paths = 0;
    for document in documents().into_iter().filter(|document| document != "CHANGELOG.md") {
        let text = prose(&document);
        for path in text.split('`').skip(1).step_by(2) {
            let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
            if folders.iter().any(|folder| path.starts_with(folder)) && path.chars().all(plain) {
                paths += 1;
                assert!(root().join(path).exists(), "{document} speaks of {path}");
            }
        }
    }
    assert!(paths > 30, "only {paths} paths were found");
}
