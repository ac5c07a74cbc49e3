//! The harnesses for Kani compile, without Kani itself.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

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
/// With the slow ones and the controls: that is the default set and a few functions more, which
/// nothing calls.
#[test]
fn the_harnesses_compile() {
    let table = fs::read_to_string(format!("{ROOT}/proofs/harnesses.tsv")).expect("a table");
    let packages = table.lines().skip(1).filter_map(|line| line.split('\t').nth(4));
    let packages: BTreeSet<&str> = packages.collect();
    assert!(packages.len() > 1, "{packages:?}");
    for package in packages {
        // The target directory of these tests, whose lock Cargo does not hold while they run.
        let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .current_dir(ROOT)
            .args(["rustc", "--offline", "--quiet", "--lib", "--profile=check"])
            .args(["--package", package, "--target-dir"])
            .arg(Path::new(SCRATCH).parent().expect("the target directory"))
            .args(["--", "--cfg=kani", "--cfg=kani_slow", "--cfg=kani_controls"])
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
