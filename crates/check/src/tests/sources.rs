//! The sources themselves: how much there is to trust, and what it may use.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The most lines of code in all.
const ALL: usize = 2030;
/// The most lines of code without the language of laws.
const JUDGES: usize = 1040;
/// By how many lines the table in `lib.rs` may be off.
const ROUGHLY: usize = 20;

/// The code of a file, without comments and blank lines.
fn code(text: &str) -> Vec<String> {
    let text = text.replace("#[cfg(test)]\nmod tests;\n", "");
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines
        .filter_map(|line| line.split(" // ").next())
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Every file that is not for tests, by its path below `src`, with its code.
fn sources() -> BTreeMap<String, String> {
    fn visit(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("text").to_owned();
            if path.is_dir() {
                if name != "tests" {
                    visit(&path, &format!("{prefix}{name}/"), found);
                }
            } else if name != "tests.rs" && name != "testing.rs" {
                let text = fs::read_to_string(&path).expect("text");
                found.insert(format!("{prefix}{name}"), code(&text).join("\n"));
            }
        }
    }
    let mut found = BTreeMap::new();
    visit(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut found);
    found
}

/// What trusted code must not use, as it stands there.
fn forbidden(code: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = code.split(|c| !is_word(c));
    let threads = |word: &&str| {
        ["rayon", "thread", "thread_local", "spawn", "f32", "f64", "unsafe"].contains(word)
    };
    let mut found: Vec<String> = words.filter(threads).map(str::to_owned).collect();
    let panics = ["expect(", "unwrap(", "panic!", "unreachable!", "todo!"];
    found.extend(panics.into_iter().filter(|call| code.contains(call)).map(str::to_owned));
    for (place, name) in code.match_indices("truecal") {
        let (before, after) = (&code[..place], &code[place + name.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        let path = after.strip_prefix("::");
        let item = path.map(|path| path.split(|c| !is_word(c)).next().unwrap_or_default());
        let imported = before.ends_with("use ") || before.ends_with("crate ");
        match item {
            Some("Measure" | "suggest") => {}
            Some(item) => found.push(format!("truecal::{item}")),
            None if imported => found.push("all of truecal".to_owned()),
            None => {}
        }
    }
    found
}

#[test]
fn only_what_is_trusted_is_used() {
    for (path, code) in sources() {
        assert_eq!(forbidden(&code), [""; 0], "{path}");
        // So that counting and reading files apart from their tests is easy.
        assert!(!code.contains("#[test]"), "{path}: tests stand in files of their own");
    }
}

#[test]
fn what_must_not_be_used_would_be_found() {
    let bad = [
        ("use rayon::prelude::*;", "rayon"),
        ("std::thread::scope(f)", "thread"),
        ("let x: f64 = y;", "f64"),
        ("x.unwrap()", "unwrap("),
        ("x.expect(\"why\")", "expect("),
        ("use truecal::AnyLevels;", "truecal::AnyLevels"),
        ("use truecal::{AnyLevels, Measure};", "truecal::"),
        ("use truecal as other;", "all of truecal"),
        ("extern crate truecal;", "all of truecal"),
    ];
    for (code, found) in bad {
        assert_eq!(forbidden(code), [found], "{code}");
    }
    for fine in [
        "use truecal::Measure;",
        "use truecal::suggest::nearest;",
        "x.unwrap_or(y)",
        "\"truecal certificate 1\"",
        "truecal_check::law",
    ] {
        assert_eq!(forbidden(fine), [""; 0], "{fine}");
    }
    let text = "//! a\n\n/// b\nlet x = 1; // c\n    // d\ny\n#[cfg(test)]\nmod tests;\n";
    assert_eq!(code(text), ["let x = 1;", "y"]);
}

/// The table in `lib.rs` says roughly how much there is to read.
#[test]
fn there_is_little_to_trust() {
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    let sources = sources();
    for (path, code) in &sources {
        let module = path.split(['/', '.']).next().unwrap_or_default();
        *lines.entry(module).or_default() += code.lines().count();
    }
    let all: usize = lines.values().sum();
    assert!(all < ALL, "{all}: {lines:?}");
    let judges = all - lines["law"];
    assert!(judges < JUDGES, "{judges}: {lines:?}");
    let docs = include_str!("../lib.rs");
    lines.remove("lib");
    for (module, lines) in lines {
        let row = docs.lines().find(|line| line.starts_with(&format!("//! | `{module}`")));
        let row = row.unwrap_or_else(|| panic!("`lib.rs` has no row for {module}"));
        let stated = row.split('|').nth(2).and_then(|number| number.trim().parse::<usize>().ok());
        let stated = stated.expect("a number of lines");
        assert!(stated.abs_diff(lines) <= ROUGHLY, "{module}: {stated} stated, {lines} found");
    }
}

/// Every change that mutation testing leaves out has its reason in `mutants.md`.
#[test]
fn what_is_not_changed_by_mutation_testing_has_its_reason() {
    let settings = include_str!("../../../../.cargo/mutants.toml");
    let reasons = include_str!("../../mutants.md");
    let (_, excluded) = settings.split_once("exclude_re = [").expect("a list");
    let excluded = excluded.lines().map(str::trim).filter(|line| line.starts_with('\''));
    let rows = reasons.lines().filter(|line| line.starts_with("| `"));
    let plain = |text: &str| text.replace('\\', "");
    let (excluded, rows): (Vec<_>, Vec<_>) = (excluded.map(plain).collect(), rows.collect());
    assert_eq!(excluded.len(), rows.len());
    for (excluded, row) in excluded.iter().zip(rows) {
        let mut cells = row.split('`').skip(1).step_by(2);
        let (file, function) = (cells.next().expect("a file"), cells.next().expect("a function"));
        assert!(excluded.contains(file) && excluded.contains(&format!(" in {function}")), "{row}");
    }
}
