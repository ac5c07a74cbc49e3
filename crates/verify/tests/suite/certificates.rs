//! The certificates that are committed, and where the prover finds that there can be none.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use truecal::AnyLevels;
use truecal::definitions;
use truecal::grid::grid_tables;
use truecal::rational::ratio;
use truecal_check::Subject;
use truecal_check::law::Law;
use truecal_verify::committed::{COMMITTED_ROUNDS, committed, file_name};
use truecal_verify::kernel;
use truecal_verify::laws::{Verdict, judge_at};
use truecal_verify::prover::{self, Failure};

fn law(text: &str) -> Law {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn prove(law: &Law, rounds: u32) -> Result<String, Failure> {
    prover::prove(law, rounds, &truecal::Watch::silent())
}

#[test]
fn the_directory_is_built_in() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/certificates");
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(directory).expect("the directory") {
        let entry = entry.expect("an entry");
        let text = fs::read_to_string(entry.path()).expect("text");
        files.insert((entry.file_name().into_string().expect("a plain name"), text));
    }
    let known: BTreeSet<_> = committed().map(|c| (c.name.to_owned(), c.text.to_owned())).collect();
    assert_eq!(files, known, "proofs/certificates and the list in committed.rs differ");
    let whole: usize = known.iter().map(|(_, text)| text.len()).sum();
    assert!(whole < 1 << 20, "{whole} bytes of certificates are too many to commit");
}

/// That they are accepted is for the crate of the checker to test.
#[test]
fn every_committed_certificate_is_named_after_what_it_proves() {
    for committed in committed() {
        let subject = Subject::read(committed.text).expect("a certificate");
        assert_eq!(file_name(&subject, false), committed.name);
    }
}

#[test]
fn the_refuting_vertex_is_exact() {
    // 3 is attained at x = (1,0), p = (1/2,1).
    let Err(Failure::Refuted(found)) = prove(&law("signce <= 299/100*stepce"), 2) else {
        panic!("not refuted")
    };
    let rounds: Vec<_> = found.outcomes.iter().copied().zip(found.predictions.clone()).collect();
    let [sign, step] = [definitions::sign_ce(&rounds), definitions::step_ce(&rounds)];
    assert!(sign > ratio(299, 100) * step);
    // It is found anew for each number of rounds, by one thread or by many.
    let texts = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let laws = ["signce <= 299/100*stepce", "signce <= 3*stepce", "ucal <= 7*stepce"];
        pool.install(|| laws.map(|text| format!("{:?}", prove(&law(text), 5))))
    };
    assert_eq!(texts(1), texts(3));
}

/// That a theorem states a law is said by hand, in a comment. A law that no theorem could state
/// would fail at some table.
#[test]
fn laws_of_theorems_hold_on_tables() {
    let tables = (1..=3).flat_map(|rounds| grid_tables(rounds, 4)).map(AnyLevels::from);
    let tables: Vec<_> = tables.collect();
    let verdicts =
        |law: &Law| -> Vec<Verdict> { tables.iter().map(|levels| judge_at(law, levels)).collect() };
    let mut laws = 0;
    for law in kernel::record().theorems.iter().flat_map(|theorem| &theorem.laws) {
        let found = verdicts(law);
        assert!(!found.contains(&Verdict::Fails), "{law} fails");
        assert!(
            found.iter().any(|verdict| *verdict != Verdict::Inapplicable),
            "{law} never applies"
        );
        laws += 1;
    }
    assert!(laws > 50);
    for wrong in ["signce <= 2*stepce", "ucal <= vcal", "stepce_sub <= stepce/2", "ssce == 0"] {
        assert!(verdicts(&law(wrong)).contains(&Verdict::Fails), "{wrong}");
    }
}

/// The book's table of what the committed certificates prove, and what Coq does.
#[test]
fn the_book_lists_what_is_proved() {
    let list = |laws: Vec<&Law>| {
        let quoted: BTreeSet<_> = laws.iter().map(|law| format!("`{law}`")).collect();
        quoted.into_iter().collect::<Vec<_>>().join(", ")
    };
    let record = kernel::record();
    let every = record.theorems.iter().flat_map(|theorem| &theorem.laws).collect();
    let subjects = committed().map(|c| Subject::read(c.text).expect("a certificate"));
    let laws: Vec<_> = subjects.map(|subject| subject.law).collect();
    let few = laws.iter().filter(|law| record.of_law(law).is_none()).collect();
    let table = format!(
        "| rounds | proved for every real prediction |\n|---|---|\n| every T, by Coq | {} |\n| T \
            <= {COMMITTED_ROUNDS}, by certificates alone | {} |\n",
        list(every),
        list(few)
    );
    let page = include_str!("../../../../docs/src/certificates.md");
    assert!(page.contains(&table), "docs/src/certificates.md should show\n{table}");
}
