//! The harnesses for Kani compile, and `proofs/run` believes no run that it should not: without
//! Kani itself.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Where Cargo lets tests write: a folder of its own in the target directory.
const SCRATCH: &str = env!("CARGO_TARGET_TMPDIR");

fn rustc() -> Command {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.arg("--edition=2024");
    rustc
}

/// What a command says, which must succeed.
fn said(command: &mut Command) -> Vec<u8> {
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A folder with the stand-in for Kani's library, compiled.
///
/// Its name comes from what is in it. So Cargo sees the same arguments in the next run, and checks
/// the crate again only if it has changed.
fn stand_in() -> PathBuf {
    let sources = ["kani_macros", "kani"].map(|name| format!("{ROOT}/proofs/kani/{name}.rs"));
    let mut hasher = DefaultHasher::new();
    said(rustc().arg("-vV")).hash(&mut hasher);
    for source in &sources {
        fs::read(source).expect("the stand-in").hash(&mut hasher);
    }
    let folder = Path::new(SCRATCH).join(format!("kani-{:016x}", hasher.finish()));
    if !folder.exists() {
        let new = tempfile::tempdir_in(SCRATCH).expect("a folder");
        let compile = || {
            let mut rustc = rustc();
            rustc.arg("-Dwarnings").arg("--out-dir").arg(new.path()).arg("-L").arg(new.path());
            rustc
        };
        said(compile().args(["--crate-type=proc-macro", &sources[0]]));
        said(compile().args([
            "--crate-type=rlib",
            "--emit=metadata",
            "--extern=kani_macros",
            &sources[1],
        ]));
        // Whoever else makes it makes the same: only one of them can rename.
        let renamed = fs::rename(new.path(), &folder);
        assert!(renamed.is_ok() || folder.exists(), "{renamed:?}");
    }
    folder
}

/// The arguments that put the stand-in in the place of Kani's library.
fn externs(folder: &Path) -> [String; 4] {
    let folder = folder.display();
    [
        "--extern".into(),
        format!("kani={folder}/libkani.rmeta"),
        "-L".into(),
        format!("dependency={folder}"),
    ]
}

/// Every package with its proofs, as Kani would compile it.
///
/// With the slow ones: that is the default set and a few functions more, which nothing calls.
#[test]
fn the_harnesses_compile() {
    let table = fs::read_to_string(format!("{ROOT}/proofs/harnesses.tsv")).expect("a table");
    let packages = table.lines().skip(1).filter_map(|line| line.split('\t').nth(5));
    let packages: BTreeSet<&str> = packages.collect();
    assert!(packages.len() > 1, "{packages:?}");
    for package in packages {
        // The target directory of these tests, whose lock Cargo does not hold while they run.
        let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .current_dir(ROOT)
            .args(["rustc", "--offline", "--quiet", "--lib", "--profile=check"])
            .args(["--package", package, "--target-dir"])
            .arg(Path::new(SCRATCH).parent().expect("the target directory"))
            .args(["--", "--cfg=kani", "--cfg=kani_slow"])
            .args(externs(&stand_in()))
            .output()
            .expect("cargo starts");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{package}: {complaint}");
    }
}

/// Nothing but whether a harness is there depends on `kani_slow`: so what compiles with it compiles
/// without.
#[test]
fn slow_is_said_of_harnesses_only() {
    for entry in fs::read_dir(format!("{ROOT}/proofs")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("source");
        for line in text.lines().map(str::trim).filter(|line| line.contains("kani_slow")) {
            let allowed = line == "slow: kani_slow," || line.starts_with("///");
            assert!(allowed, "{}: {line}", path.display());
        }
    }
}

/// Compiles a crate against the stand-in, and returns what the compiler has against it.
fn complaint(stand_in: &Path, source: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("harness.rs");
    fs::write(&file, source).expect("written");
    let output = rustc()
        .args(["--crate-type=rlib", "--emit=metadata", "--cap-lints=allow", "--out-dir"])
        .arg(folder.path())
        .args(externs(stand_in))
        .arg(&file)
        .output()
        .expect("rustc starts");
    let complaint = String::from_utf8(output.stderr).expect("text");
    (!output.status.success()).then_some(complaint)
}

#[test]
fn the_stand_in_takes_what_kani_takes() {
    let stand_in = stand_in();
    let sources = [
        "#[kani::proof] fn f() {}",
        "#[kani::proof] #[kani::unwind(5)] #[kani::should_panic] #[kani::solver(kissat)] fn f() {}",
        "#[kani::unwind(1_000)] /// Words.\n #[kani::proof] pub(crate) fn f() {}",
        "#[kani::proof] #[kani::solver(bin = \"glucose\")] fn f() {}",
        "macro_rules! harness { ($name:ident, $bound:tt, $body:expr) => {
            #[kani::proof] #[kani::unwind($bound)] fn $name() { $body; } } }
         harness!(f, 5, kani::cover!());",
        "fn f() -> ([i16; 3], bool, f64) { (kani::any(), kani::any(), kani::any()) }",
        "fn f() { kani::assume(true); kani::cover!(); kani::cover!(1 < 2,); kani::cover!(1 < 2, \
            \"why\") }",
    ];
    for source in sources {
        assert_eq!(complaint(&stand_in, source), None, "{source}");
    }
}

#[test]
fn the_stand_in_rejects_what_kani_rejects() {
    let stand_in = stand_in();
    let sources = [
        ("#[kani::proof(5)] fn f() {}", "takes no arguments"),
        ("#[kani::proof] #[kani::should_panic(expected = \"\")] fn f() {}", "takes no arguments"),
        ("#[kani::proof] fn f(x: u8) {}", "no parameters"),
        ("#[kani::proof] fn f<T>() {}", "not generic"),
        ("#[kani::proof] struct S;", "only a function"),
        ("#[kani::proof] mod m { fn f() {} }", "only a function"),
        ("struct S; impl S { #[kani::proof] fn f() {} }", "const"),
        ("trait T { #[kani::proof] fn f(); }", "only a function"),
        ("#[kani::proof] #[kani::unwind] fn f() {}", "one plain integer"),
        ("#[kani::proof] #[kani::unwind()] fn f() {}", "one plain integer"),
        ("#[kani::proof] #[kani::unwind(2 + 3)] fn f() {}", "one plain integer"),
        ("const N: u32 = 5; #[kani::proof] #[kani::unwind(N)] fn f() {}", "one plain integer"),
        ("#[kani::proof] #[kani::unwind(5, 6)] fn f() {}", "one plain integer"),
        ("#[kani::proof] #[kani::unwind(5.0)] fn f() {}", "one plain integer"),
        ("#[kani::proof] #[kani::unwind(4294967296)] fn f() {}", "one plain integer"),
        (
            "macro_rules! harness { ($bound:literal) => {
                #[kani::proof] #[kani::unwind($bound)] fn f() {} } }
             harness!(5);",
            "one plain integer",
        ),
        ("#[kani::proof] #[kani::unwind(5)] #[kani::unwind(6)] fn f() {}", "twice"),
        ("#[kani::unwind(5)] fn f() {}", "requires `#[kani::proof]`"),
        ("#[kani::should_panic] fn f() {}", "requires `#[kani::proof]`"),
        ("#[kani::solver(kissat)] fn f() {}", "requires `#[kani::proof]`"),
        ("#[kani::proof] #[kani::solver(nobody)] fn f() {}", "one solver"),
        ("fn f() -> String { kani::any() }", "Arbitrary"),
        ("fn f() { kani::cover!(1) }", "mismatched types"),
        ("fn f() { kani::cover!(1 < 2, \"a\", \"b\") }", "no rules expected"),
        ("fn f() { kani::assume(1, 2) }", "argument"),
    ];
    for (source, expected) in sources {
        let complaint = complaint(&stand_in, source);
        assert!(
            complaint.as_ref().is_some_and(|c| c.contains(expected)),
            "{source}: {complaint:?}"
        );
    }
}

const TABLE: &str = "# harness\ttwin\tclaims\tset\tseconds\tpackage
proofs::prefix::sign\tproofs::prefix::sign_fault\tfact:one lem:two\tdefault\t10\tcore
proofs::other::long\tproofs::other::long_fault\tlem:two\tdefault\t60\tcore
proofs::other::huge\tproofs::other::huge_fault\tlem:three\tslow\t600\tother
";

const PROVED: &str = "SUMMARY:
 ** 0 of 61 failed (3 unreachable)

 ** 1 of 1 cover properties satisfied


VERIFICATION:- SUCCESSFUL
Verification Time: 2.5043988s
";

const NOTICED: &str = "SUMMARY:
 ** 1 of 60 failed
Failed Checks: assertion failed: sign <= factor * step
 File: \"src/../proofs/prefix.rs\", line 22, in proofs::prefix::sign_variant_is_equivalent

VERIFICATION:- SUCCESSFUL (encountered one or more panics as expected)
Verification Time: 0.9s
";

/// The version of Kani that is asked for.
fn pinned() -> String {
    let version = fs::read_to_string(format!("{ROOT}/proofs/kani-version")).expect("a version");
    version.trim().to_owned()
}

/// What the fake Kani says of the harnesses for which it says something else.
type Said<'a> = &'a [(&'a str, &'a str)];

/// A folder with a fake `cargo kani`, a table of harnesses and what comes of a run.
struct Trial {
    folder: TempDir,
}

impl Trial {
    /// The fake prints Kani's words around the text for each harness that it is asked for, and
    /// exits as Kani does.
    fn new(table: &str, said: Said) -> Self {
        let trial = Self { folder: tempfile::tempdir().expect("a folder") };
        trial.write("harnesses.tsv", table);
        trial.write("version", &format!("cargo-kani {}\n", pinned()));
        for line in table.lines().skip(1) {
            let mut names = line.split('\t');
            for text in [PROVED, NOTICED] {
                let name = names.next().unwrap_or("none");
                let special = said.iter().find(|(harness, _)| name.ends_with(harness));
                trial.write(&format!("said-{name}"), special.map_or(text, |(_, text)| text));
            }
        }
        trial.script("cargo", "[ \"$1\" = kani ] && exec \"${0%/*}/cargo-kani\" \"$@\"");
        trial.script(
            "cargo-kani",
            r#"shift
            cd "${0%/*}" || exit 9
            [ "$1" = --version ] && exec cat version
            echo "${RUSTFLAGS-no flags}" "$@" >>calls
            printf 'Kani Rust Verifier (cargo plugin)\n   Compiling truecal v0.1.0\n'
            failed=0
            while [ $# -gt 0 ]; do
                if [ "$1" = --harness ]; then
                    printf 'Checking harness %s...\nCBMC 6.8.0\n\n' "$2"
                    printf 'RESULTS:\nCheck 1: assertion.1\n\n'
                    grep -q '^crash' "said-$2" && echo 'error: Kani crashed' >&2 && exit 101
                    printf '%s\n' "$(cat "said-$2")" ''
                    grep -q '^VERIFICATION:- FAILED' "said-$2" && failed=1
                fi
                shift
            done
            printf 'Manual Harness Summary:\nComplete - in this way.\n'
            exit $failed"#,
        );
        trial
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("written");
    }

    fn script(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/usr/bin/env bash\n{text}\n"));
        let path = self.folder.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect("written by the run")
    }

    /// `proofs/run` with the fake first among the programs, if they are not given.
    fn command(&self, arguments: &[&str], programs: Option<&str>) -> Output {
        let folder = self.folder.path();
        let path = env::var("PATH").expect("a path");
        let path = format!("{}:{path}", folder.display());
        Command::new("bash")
            .arg(format!("{ROOT}/proofs/run"))
            .arg("--harnesses")
            .arg(folder.join("harnesses.tsv"))
            .args(arguments)
            .env("PATH", programs.unwrap_or(&path))
            .env("CARGO_HOME", folder)
            .env("CARGO_TARGET_DIR", folder)
            .env_remove("RUSTFLAGS")
            .output()
            .expect("bash starts")
    }

    /// The exit code of a run, its table (with single spaces) and what it complains of.
    fn run(&self, arguments: &[&str]) -> (i32, Vec<String>, String) {
        let output = self.command(arguments, None);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let table = text(output.stdout).lines().map(words).collect();
        (output.status.code().expect("an exit code"), table, text(output.stderr))
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.read("kani.json")).expect("JSON")
    }
}

#[test]
fn a_run_in_which_all_is_well() {
    let trial = Trial::new(TABLE, &[]);
    let (code, table, complaint) = trial.run(&[]);
    assert_eq!(code, 0, "{complaint}");
    let expected = [
        "harness claim result covers seconds",
        "proofs::prefix::sign fact:one lem:two proved 1/1 2.50",
        "proofs::prefix::sign_fault fact:one lem:two fault noticed 0.90",
        "proofs::other::long lem:two proved 1/1 2.50",
        "proofs::other::long_fault lem:two fault noticed 0.90",
    ];
    assert_eq!(table, expected);
    assert!(!complaint.contains("warning"), "{complaint}");
    let json = trial.json();
    let proved = json!({
        "harness": "proofs::prefix::sign",
        "claims": ["fact:one", "lem:two"],
        "twin": false,
        "result": "proved",
        "covers_satisfied": 1,
        "covers": 1,
        "seconds": 2.5,
    });
    assert_eq!((&json["schema"], &json["failed"]), (&json!(1), &json!(0)));
    assert_eq!(json["harnesses"][0], proved);
    assert_eq!(json["harnesses"][1]["result"], "fault noticed");
    assert_eq!(json["harnesses"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["kani"], format!("cargo-kani {}", pinned()));
    // One run for each package and time limit, and no flag that would build the dependencies again.
    let common = "no flags --package core --lib -Z unstable-options --harness-timeout";
    let runs = format!(
        "{common} 10s --exact --harness proofs::prefix::sign --harness proofs::prefix::sign_fault\n\
         {common} 60s --exact --harness proofs::other::long --harness proofs::other::long_fault\n"
    );
    assert_eq!(trial.read("calls"), runs);
    assert!(trial.read("kani.log").contains("Checking harness proofs::other::long..."));
}

#[test]
fn a_run_of_some() {
    let trial = Trial::new(TABLE, &[]);
    assert_eq!(trial.run(&["sign"]).1.len(), 3, "the head, the proof, its twin");
    assert_eq!(trial.run(&["sign_fault", "proofs::other::long_fault"]).1.len(), 3, "two twins");
    assert_eq!(trial.run(&["--slow"]).1.len(), 7, "all");
    assert_eq!(trial.run(&["huge"]).1.len(), 3, "slow, but named");
    assert_eq!(trial.read("calls").matches("--cfg=kani_slow").count(), 4);
    let (code, table, complaint) = trial.run(&["sing"]);
    assert_eq!((code, table.as_slice()), (2, [].as_slice()));
    assert!(complaint.contains("no harness is called sing"), "{complaint}");
    assert!(complaint.contains("  proofs::prefix::sign\n"), "{complaint}");
    assert!(!complaint.contains("huge"), "{complaint}");
    assert_eq!(trial.run(&["--fast"]).0, 2);
    assert_eq!(trial.run(&["--json"]).0, 2);
    assert!(trial.command(&["--help"], None).stdout.starts_with(b"Usage: proofs/run"));
}

#[test]
fn a_run_in_which_something_is_wrong() {
    let failed = "SUMMARY:\n ** 1 of 61 failed\nFailed Checks: too small\n\n\
                  VERIFICATION:- FAILED\nVerification Time: 1s\n";
    let timed_out = "\nCBMC failed\nVERIFICATION:- \x1b[31mFAILED\x1b[0m\nCBMC timed out. You may \
        want to rerun\n";
    let no_panic = "SUMMARY:\n\nVERIFICATION:- FAILED (encountered no panics, but at least one was \
        expected)\n";
    let others =
        "VERIFICATION:- FAILED (encountered failures other than panics, which were unexpected)\n";
    let uncovered = PROVED.replace("1 of 1 cover", "0 of 1 cover");
    let no_cover = PROVED.replace(" ** 1 of 1 cover properties satisfied\n", "");
    let cases: [(&str, &str, &str, &str); 10] = [
        ("::sign", failed, "FAILED 0/0 1.00", "Failed Checks: too small"),
        ("::sign", timed_out, "TIMED OUT 0/0 10", "CBMC timed out"),
        ("::sign", &uncovered, "NOT COVERED 0/1 2.50", "0 of 1 cover properties"),
        ("::sign", &no_cover, "NOT COVERED 0/0 2.50", "0 of 61 failed"),
        ("::sign", "words", "NO RESULT 0/0", "words"),
        ("::sign", NOTICED, "FAILED 0/0 0.90", "one or more panics as expected"),
        ("::sign_fault", no_panic, "FAULT NOT NOTICED", "no panics"),
        ("::sign_fault", PROVED, "FAULT NOT NOTICED 1/1 2.50", "SUCCESSFUL"),
        ("::sign_fault", others, "FAILED", "other than panics"),
        ("::sign_fault", timed_out, "TIMED OUT 10", "CBMC timed out"),
    ];
    for (harness, said, expected, shown) in cases {
        let trial = Trial::new(TABLE, &[(harness, said)]);
        let (code, table, complaint) = trial.run(&["sign"]);
        assert_eq!(code, 1, "{expected}: {complaint}");
        let row = format!("proofs::prefix{harness} fact:one lem:two {expected}");
        assert!(table.contains(&row), "no {row} in {table:#?}");
        assert!(complaint.contains(shown) && complaint.contains("kani.log"), "{complaint}");
        assert_eq!(trial.json()["failed"], 1, "{expected}");
    }
}

#[test]
fn a_run_that_breaks_off() {
    let trial = Trial::new(TABLE, &[("::sign_fault", "crash")]);
    let (code, table, complaint) = trial.run(&[]);
    assert_eq!(code, 1);
    assert!(table.iter().any(|row| row.ends_with("sign fact:one lem:two proved 1/1 2.50")));
    assert!(table.iter().any(|row| row.ends_with("sign_fault fact:one lem:two NO RESULT")));
    assert!(complaint.contains("Kani crashed"), "{complaint}");
    assert_eq!(trial.json()["harnesses"][1]["seconds"], Value::Null);
    // Before it comes to a harness.
    let trial = Trial::new(TABLE, &[("::sign", "crash")]);
    let (code, table, complaint) = trial.run(&["sign"]);
    assert_eq!((code, &trial.json()["failed"]), (1, &json!(2)), "{table:#?}");
    assert!(complaint.contains("The last lines of cargo kani"), "{complaint}");
    // All harnesses are well, but Kani says that something was not.
    let wrong = format!("{PROVED}\nVERIFICATION:- FAILED\nVERIFICATION:- SUCCESSFUL\n");
    let trial = Trial::new(TABLE, &[("::sign", &wrong)]);
    let (code, _, complaint) = trial.run(&["sign"]);
    assert_eq!((code, &trial.json()["failed"]), (1, &json!(1)));
    assert!(complaint.contains("cargo kani failed although its harnesses did not"), "{complaint}");
}

#[test]
fn a_run_without_kani() {
    let trial = Trial::new(TABLE, &[]);
    let output = trial.command(&[], Some("/usr/bin:/bin"));
    let complaint = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(3), "{complaint}");
    let install = format!("cargo install --locked kani-verifier@{} && cargo kani setup", pinned());
    assert!(complaint.contains(&install), "{complaint}");
}

#[test]
fn another_kani_is_a_warning() {
    let trial = Trial::new(TABLE, &[]);
    trial.write("version", "cargo-kani 9.9.9\n");
    let (code, _, complaint) = trial.run(&["sign"]);
    assert_eq!(code, 0, "{complaint}");
    assert!(
        complaint.contains("warning: this is not Kani") && complaint.contains("9.9.9"),
        "{complaint}"
    );
}

#[test]
fn a_table_that_cannot_be_read() {
    let row = "proofs::a\tproofs::a_fault\tlem:one\tdefault\t10\tcore";
    let cases = [
        (row.to_owned(), ":1: the first line"),
        ("# head\n".to_owned(), "no harness"),
        ("# head\nproofs::a\tproofs::b\tdefault\t10\n".to_owned(), ":2: there are 4 columns"),
        (format!("# head\n{row}\n{row}\n"), ":3: proofs::a stands twice"),
        (format!("# head\n{}\n", row.replace("a_fault", "a fault")), ":2: not a harness"),
        (format!("# head\n{}\n", row.replace("lem:one", " ")), ":2: no claim"),
        (format!("# head\n{}\n", row.replace("default", "other")), ":2: not a set"),
        (format!("# head\n{}\n", row.replace("10", "0")), ":2: not a number of seconds"),
        (format!("# head\n{}\n", row.replace("core", "-p")), ":2: not a package"),
    ];
    for (table, expected) in cases {
        let (code, _, complaint) = Trial::new(&table, &[]).run(&[]);
        assert!(code == 2 && complaint.contains(expected), "{code}: {complaint}");
    }
    let trial = Trial::new(TABLE, &[]);
    fs::remove_file(trial.folder.path().join("harnesses.tsv")).expect("removed");
    assert_eq!(trial.run(&[]).0, 2);
}
