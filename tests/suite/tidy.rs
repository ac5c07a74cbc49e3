//! The repository's own rules (see ARCHITECTURE.md), so that a change that breaks one is noticed.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with one of these endings.
fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = vec![];
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
                let text = fs::read_to_string(&path).expect("text");
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty(), "nothing in {folder}");
    found
}

/// The code of a file: without its tests and without comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Asserts that no file below `folder` (or the file itself) has one of the words in its code.
fn never(places: &[&str], words: &[&str]) {
    for place in places {
        let whole = root().join(place);
        let files = match whole.is_dir() {
            true => files(place, &["rs"]),
            false => vec![(whole.clone(), fs::read_to_string(&whole).expect("text"))],
        };
        for (path, text) in files {
            let code = code(&text);
            for word in words {
                assert!(!code.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn the_definitions_use_no_formula() {
    never(&["src/definitions"], &["measures", "levels", "Levels", "witness"]);
}

#[test]
fn the_checker_uses_no_formula() {
    never(&["src/check.rs"], &["measures", "number::", "any_levels"]);
}

/// What a certificate is held against uses neither what finds certificates nor what computes measures, and no threads.
#[test]
fn the_certificate_checker_stands_alone() {
    let trusted = [
        "src/certificate/checker",
        "src/certificate/rejection.rs",
        "src/certificate/statement/mod.rs",
        "src/certificate/statement/bounded.rs",
        "src/certificate/statement/table.rs",
        "src/certificate/statement/case.rs",
    ];
    never(&trusted, &["prover", "rayon", "thread", "measures", "evidence", "unwrap()", "expect("]);
}

#[test]
fn the_certificate_checker_can_be_read_in_one_sitting() {
    let lines: usize = files("src/certificate/checker", &["rs"])
        .iter()
        .map(|(_, text)| code(text).lines().filter(|line| !line.trim().is_empty()).count())
        .sum();
    assert!(lines < 300, "{lines} lines of code");
}

/// What the certificate of an optimum is held against uses nothing that searches.
#[test]
fn the_checker_of_optima_stands_alone() {
    let trusted = ["certificate.rs", "order.rs", "pieces.rs"]
        .map(|file| format!("src/truthfulness/optimum/{file}"));
    let search = ["contribution", "envelope", "exact", "grid", "programme", "rayon", "expect("];
    never(&trusted.each_ref().map(String::as_str), &search);
}

#[test]
fn formulas_read_levels_and_nothing_else() {
    never(
        &["src/measures"],
        &["definitions", "witness", "forecasts", "prediction", "report", "check::"],
    );
}

#[test]
fn exact_code_has_no_floats() {
    let exact = [
        "src/number.rs",
        "src/levels.rs",
        "src/any_levels.rs",
        "src/measure.rs",
        "src/witness.rs",
        "src/check.rs",
        "src/forecasts.rs",
        "src/definitions",
        "src/measures",
        "src/claims",
        "src/evidence",
        "src/law",
        "src/certificate",
        "src/refute",
        "src/truthfulness/chance.rs",
        "src/truthfulness/forecaster.rs",
        "src/truthfulness/forecasters.rs",
        "src/truthfulness/nature.rs",
        "src/truthfulness/natures",
        "src/truthfulness/optimum",
        "src/truthfulness/penalty/density.rs",
        "src/truthfulness/penalty/exact.rs",
        "src/truthfulness/penalty/simplex.rs",
        "src/truthfulness/penalty/sum.rs",
        "src/truthfulness/properties.rs",
        "src/float/bits.rs",
        "src/prediction/decimal.rs",
        "src/scale.rs",
        "src/tally.rs",
        "src/null/outcomes.rs",
        "src/null/replicates.rs",
    ];
    never(&exact, &["f64", "f32"]);
}

#[test]
fn files_are_short_enough_to_read() {
    for folder in ["src", "tests", "proofs", "benches"] {
        for (path, text) in files(folder, &["rs"]) {
            assert!(text.lines().count() <= 500, "{} is long", path.display());
        }
    }
}

#[test]
fn nothing_is_left_for_later() {
    let marks = ["TO", "FIX", "X"].map(|half| {
        half.to_owned()
            + match half {
                "TO" => "DO",
                "FIX" => "ME",
                _ => "XX",
            }
    });
    let macros = ["todo", "unimplemented"].map(|name| format!("{name}!("));
    for folder in ["src", "tests", "proofs", "benches"] {
        for (path, text) in files(folder, &["rs"]) {
            for word in marks.iter().chain(&macros) {
                assert!(!text.contains(word.as_str()), "{} has {word}", path.display());
            }
        }
    }
}

/// A snapshot that no test names is never compared with anything.
#[test]
fn every_snapshot_has_its_test() {
    let tests: String = files("tests", &["rs"]).into_iter().map(|(_, text)| text).collect();
    for (path, _) in files("snapshots", &["snap", "new"]) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let name = name.strip_suffix(".snap").unwrap_or_else(|| panic!("{name} awaits review"));
        if name.starts_with("claim-") {
            continue; // named by the registry: see `counterexamples_are_reviewed`
        }
        assert!(tests.contains(&format!("\"{name}\"")), "no test names the snapshot {name}");
    }
}

/// The blocks of the README that show what a command prints.
#[test]
fn the_readme_shows_what_is_printed() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let table =
        fs::read_to_string(root().join("snapshots/measure-table.snap")).expect("the snapshot");
    let printed = table.splitn(3, "---\n").nth(2).expect("a snapshot has a head").trim_end();
    assert!(
        readme.contains(printed),
        "the README's example is not what truecal prints:\n{printed}"
    );
    for name in ["gap-table", "opt-three-rounds", "properties", "forecast-duel"] {
        let file = root().join(format!("snapshots/{name}.snap"));
        let text = fs::read_to_string(file).expect("the snapshot");
        let printed = text.splitn(3, "---\n").nth(2).expect("a snapshot has a head").trim_end();
        assert!(readme.contains(printed), "the README should show {name}:\n{printed}");
    }
    let null =
        fs::read_to_string(root().join("snapshots/measure-null.snap")).expect("the snapshot");
    let (_, drawn) = null.split_once("\nif outcomes were").expect("a second table");
    assert!(
        readme.contains(drawn.trim_end()),
        "the README's example of --null is not what truecal prints:\n{drawn}"
    );
    let first_screen: String = readme.lines().take(25).collect();
    for command in ["cargo run --release -- verify", "cargo test"] {
        assert!(first_screen.contains(command), "the README does not start with {command}");
    }
}
