use std::collections::BTreeSet;
use std::path::Path;

use super::*;

const TEXT: &str = "truecal kernel record 1
version Coq 8.16.1
source A.v HASH-A
source B.v HASH-B
theorem A.v one
claim some-claim
claim another
law signce <= 3*stepce
assumes nothing
| forall x,
|   x = x
theorem B.v two
assumes nothing
| True
";

/// What was checked.
const A_AND_B: [(&str, &str); 2] = [("A.v", "b"), ("B.v", "ba")];

fn read(text: &str, sources: &[(&'static str, &'static str)]) -> Result<Record, RecordError> {
    let text = text.replace("HASH-A", &sha256("b")).replace("HASH-B", &sha256("ba"));
    Record::read(text.leak(), sources)
}

#[test]
fn a_record_says_what_was_checked() {
    let record = read(TEXT, &A_AND_B).expect("a record");
    assert_eq!((record.stale.len(), record.versions.as_slice()), (0, &["Coq 8.16.1"][..]));
    let one = record.named("one").expect("a theorem");
    assert_eq!((one.name, one.file), ("one", "A.v"));
    assert_eq!(one.claims, ["some-claim", "another"]);
    assert_eq!(one.statement, ["forall x,", "  x = x"]);
    let law = |text: &str| text.parse::<Law>().expect("a law");
    // The law is known however it is written; no other one is.
    for same in ["signce <= 3*stepce", "3*stepce >= signce", "signce/3 <= stepce"] {
        assert_eq!(record.of_law(&law(same)).map(|theorem| theorem.name), Some("one"), "{same}");
    }
    assert!(record.of_law(&law("signce <= 299/100*stepce")).is_none());
    let names = |id| record.of_claim(id).map(|theorem| theorem.name).collect::<Vec<_>>();
    assert_eq!((names("another"), names("no-claim")), (vec!["one"], vec![]));
    assert!(record.named("three").is_none());
}

/// Any change of a source, a new one, and one that is gone.
#[test]
fn other_sources_are_stale() {
    type Sources<'a> = &'a [(&'static str, &'static str)];
    let stale = |sources: Sources<'_>| read(TEXT, sources).expect("a record").stale;
    assert_eq!(stale(&A_AND_B), [""; 0]);
    assert_eq!(stale(&[("A.v", "b"), ("B.v", "ba ")]), ["B.v"]);
    assert_eq!(stale(&[("A.v", "ba"), ("B.v", "b")]), ["A.v", "B.v"]);
    assert_eq!(stale(&[("A.v", "b"), ("B.v", "ba"), ("C.v", "")]), ["C.v"]);
    assert_eq!(stale(&[("A.v", "b")]), ["B.v"]);
}

#[test]
fn what_is_no_record_is_refused() {
    let error = |from: &str, to: &str| read(&TEXT.replacen(from, to, 1), &A_AND_B).err();
    assert_eq!(error("record 1", "record 2"), Some(RecordError::Version));
    let line = |line| Some(RecordError::Line { line });
    assert_eq!(error("version ", "versions "), line(2));
    assert_eq!(error("theorem A.v one\n", ""), line(5));
    assert_eq!(error("theorem A.v one", "theorem one"), line(5));
    assert_eq!(error("| forall", "forall"), line(10));
    let axiom = Some(RecordError::Assumes { line: 9 });
    assert_eq!(error("assumes nothing", "assumes classic"), axiom);
    assert!(matches!(error("signce <=", "sign <="), Some(RecordError::Law { line: 8, .. })));
}

/// What is built in are the files of the folder, in the order in which Coq takes them, and they are
/// what Coq has checked.
#[test]
fn the_folder_is_built_in_and_was_checked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/coq");
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).expect("the folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        if name.ends_with(".v") {
            files.insert(name);
        }
    }
    let known: BTreeSet<String> =
        sources().filter(|name| name.ends_with(".v")).map(str::to_owned).collect();
    assert_eq!(known, files, "proofs/coq and the list in kernel.rs differ");
    let project = std::fs::read_to_string(folder.join("_CoqProject")).expect("a file");
    let compiled: BTreeSet<String> =
        project.lines().filter(|line| line.ends_with(".v")).map(str::to_owned).collect();
    assert_eq!(compiled, files, "proofs/coq and its _CoqProject differ");
    assert_eq!(record().stale, [""; 0], "proofs/coq/check --write has to be run");
    assert!(!record().versions.is_empty());
    let mut names = BTreeSet::new();
    for theorem in &record().theorems {
        assert!(names.insert(theorem.name), "two theorems are named {}", theorem.name);
        assert!(!theorem.statement.is_empty(), "{}", theorem.name);
    }
}

/// The README has a row for every file, with its number of lines.
#[test]
fn each_file_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/coq");
    let page = std::fs::read_to_string(folder.join("README.md")).expect("a file");
    for name in sources().filter(|name| name.ends_with(".v")) {
        let start = format!("| [{name}]({name}) |");
        let row = page.lines().find_map(|line| line.strip_prefix(start.as_str()));
        let listed = row.and_then(|row| row.split('|').nth(1)).map(str::trim);
        let text = std::fs::read_to_string(folder.join(name)).expect("a file");
        let lines = text.lines().count().to_string();
        assert_eq!(listed, Some(lines.as_str()), "the lines of {name} in proofs/coq/README.md");
    }
}

/// The README compares every definition and every theorem with the paper, each in one row.
#[test]
fn each_statement_is_compared_with_the_paper() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/coq");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let (page, definitions) = (read("README.md"), read("Definitions.v"));
    let (_, compared) = page.split_once("## Compared with the paper").expect("the tables");
    let mut rows = BTreeSet::new();
    for row in compared.lines().filter_map(|line| line.strip_prefix("| `")) {
        let (name, _) = row.split_once('`').expect("a name");
        assert!(rows.insert(name), "{name} has two rows");
    }
    let names = definitions.lines().filter_map(|line| line.strip_prefix("Definition "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let stated: BTreeSet<&str> =
        names.chain(record().theorems.iter().map(|theorem| theorem.name)).collect();
    assert_eq!(rows, stated, "the tables in proofs/coq/README.md are not those of the statements");
}
