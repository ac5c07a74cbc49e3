//! What outsiders read is true: examples are what truecal prints, links and paths lead somewhere,
//! and the pages that should be short are.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// A model that says 0.9 and 0.1 in turn, where 0.6 and 0.4 would be right.
#[test]
fn the_model_that_is_shown_gets_better() {
    let row = |t: u32| match t % 2 {
        1 => format!("0.9,{}\n", u8::from(t * 7 % 10 < 6)),
        _ => format!("0.1,{}\n", u8::from(t * 7 % 10 >= 6)),
    };
    let model = format!("p,y\n{}", (0..2000).map(row).collect::<String>());
    let output = truecal(&["forecast", "--from", "-", "--rounds", "1000"], model.as_bytes());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let (written, report) = (text(output.stdout), text(output.stderr));
    let (page, command) = ("docs/src/forecasting.md", "--rounds 1000 --out recalibrated.csv");
    shows(page, &format!("$ truecal forecast --from model.csv {command}\n{report}"));
    let lines: Vec<&str> = written.lines().collect();
    let last = lines[lines.len() - 2..].join("\n");
    shows(page, &format!("$ tail -n 2 recalibrated.csv\n{last}\n```"));
}

/// The lines of a page that run the command, each with what the page shows of its output.
fn runs(page: &str) -> Vec<(String, String)> {
    let text = read(page);
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let runs = blocks.filter_map(|block| block.strip_prefix("$ ")?.split_once('\n'));
    let measured = runs.filter(|(line, _)| line.contains("truecal measure "));
    measured.map(|(line, shown)| (line.to_owned(), shown.to_owned())).collect()
}

/// What `truecal …`, or `printf '…' | truecal …`, prints at the top of the repository.
fn printed(line: &str) -> String {
    let (input, command) = line.split_once(" | ").unwrap_or(("", line));
    let input = input.trim_start_matches("printf '").trim_end_matches('\'').replace("\\n", "\n");
    let command = command.strip_prefix("truecal ").unwrap_or_else(|| panic!("{line}"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_truecal"))
        .args(command.split_whitespace())
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("truecal starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("a short input");
    let output = child.wait_with_output().expect("truecal ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    text(output.stdout) + &text(output.stderr)
}

/// Whether a text is what is shown, where a line `…` stands for any lines.
fn is_shown(shown: &str, text: &str) -> bool {
    let pieces: Vec<&str> = shown.split("…\n").collect();
    let [first, between @ .., last] = pieces.as_slice() else { return shown == text };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for piece in between {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn what_is_left_out_is_marked() {
    assert!(is_shown("a\nb\n", "a\nb\n") && is_shown("a\n…\nc\n", "a\nb\nc\n"));
    assert!(is_shown("…\nb\n…\n", "a\nb\nc\n"));
    for shown in ["a\n", "b\n…\n", "a\n…\nb\n", "a\n…\nd\n…\n", "…\nc\n…\nb\n…\n"] {
        assert!(!is_shown(shown, "a\nb\nc\n"), "{shown}");
    }
}

#[test]
fn measurements_that_are_shown_are_made() {
    for (page, number) in [
        ("docs/src/measuring.md", 6),
        ("docs/src/worked.md", 11),
        ("docs/src/input.md", 2),
        ("docs/src/null.md", 1),
    ] {
        let runs = runs(page);
        assert_eq!(runs.len(), number, "{page}");
        for (line, shown) in runs {
            let text = printed(&line);
            assert!(is_shown(&shown, &text), "{page} should show of {line}\n{text}");
        }
    }
}

/// The predictions and outcomes of the logistic regression.
fn penguins() -> Vec<(f64, u64)> {
    let text = read("testdata/penguins/penguins.csv");
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().expect("a header");
    let column = |name| head.iter().position(|cell| *cell == name).expect("a column");
    let (p, y) = (column("logreg"), column("female"));
    rows.map(|row| (row[p].parse().expect("a double"), row[y].parse().expect("0 or 1"))).collect()
}

/// The values per round in a table for people.
fn per_round(arguments: &[&str], input: &str) -> Vec<String> {
    let output = truecal(arguments, input.as_bytes());
    let text = String::from_utf8(output.stdout).expect("text");
    let rows = text.lines().skip_while(|line| !line.starts_with("measure")).skip(1);
    let rows = rows.take_while(|line| !line.is_empty());
    let number = |line: &str| {
        let mut words = line.split_whitespace();
        words.find(|word| word.parse::<f64>().is_ok()).expect("a number").to_owned()
    };
    rows.map(number).collect()
}

/// Twenty buckets of real predictions, as bounds and, wrongly, as levels.
#[test]
fn buckets_that_are_shown_are_made() {
    let rounds = penguins();
    let (mut buckets, mut averages) = ("min,max,count,ones,sum_p\n".to_owned(), String::new());
    averages.push_str("p,count,ones\n");
    for bucket in 0..20 {
        let some = rounds.iter().filter(|(p, _)| (p * 20.0).floor() == f64::from(bucket));
        let some: Vec<&(f64, u64)> = some.collect();
        let (low, high) = some
            .iter()
            .fold((1.0, 0.0), |(low, high): (f64, f64), (p, _)| (low.min(*p), high.max(*p)));
        let (count, ones) = (some.len(), some.iter().map(|(_, y)| y).sum::<u64>());
        let sum: f64 = some.iter().map(|(p, _)| p).sum();
        buckets += &format!("{low},{high},{count},{ones},{sum}\n");
        averages += &format!("{},{count},{ones}\n", sum / count as f64);
    }
    let bounds = truecal(&["measure", "--buckets", "-", "--only", "stepce"], buckets.as_bytes());
    let bounds = String::from_utf8(bounds.stdout).expect("text");
    let (_, table) = bounds.split_once("\n\n").expect("a table");
    let page = "docs/src/input.md";
    shows(page, &format!("```text\n{table}```"));
    let only = ["--only", "ece,stepce,ucal"];
    let wrong = per_round(&["measure", "--levels", "-", only[0], only[1]], &averages);
    let text: String = rounds.iter().map(|(p, y)| format!("{p},{y}\n")).collect();
    let right = per_round(&["measure", "-", only[0], only[1]], &format!("p,y\n{text}"));
    shows(
        page,
        &format!(
            "it gives a stepCE of {} per round instead of {}, an\nECE of {} instead of {}, and a \
                UCal of {} instead of {}.",
            wrong[1], right[1], wrong[0], right[0], wrong[2], right[2]
        ),
    );
}

/// The binned errors that the worked page names.
#[test]
fn binned_errors_that_are_named_are_right() {
    let file = root().join("testdata/penguins/penguins.csv");
    let file = file.to_str().expect("text");
    let all = ["measure", file, "--y", "female", "--p", "logreg", "--csv", "--bins", "10"];
    let by = ["--by", "species"];
    let error = |arguments: &[&str], species: &str| {
        let output = truecal(arguments, b"");
        let text = String::from_utf8(output.stdout).expect("text");
        let head = text.lines().next().expect("a header").split(',');
        let place = head.into_iter().position(|cell| cell == "per_round").expect("a column");
        let wanted = format!("{species}ece_10_equal_mass,");
        let row = text.lines().find(|line| line.starts_with(&wanted)).expect("a row");
        row.split(',').nth(place).expect("a value").parse::<f64>().expect("a number")
    };
    let of = |species| error(&[all.as_slice(), &by].concat(), species);
    let [adelie, gentoo, chinstrap] = ["Adelie,", "Gentoo,", "Chinstrap,"].map(of);
    let birds = error(&all, "");
    shows(
        "docs/src/worked.md",
        &format!(
            "{adelie:.3} for Adelie and {gentoo:.3} for Gentoo, against\n{chinstrap:.3} for \
                Chinstrap and {birds:.3} for all birds"
        ),
    );
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
