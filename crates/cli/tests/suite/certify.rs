//! `truecal certify` and `truecal check` as people run them.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use crate::command::{assert_snapshot, complaint, stdout, truecal};

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// The certificates of one claim for up to three rounds.
fn certified() -> TempDir {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("new/certificates");
    stdout(&["certify", "fact:equivfactor", "--max-rounds", "3", "--out", path(&out)], "");
    directory
}

#[test]
fn certificates_are_written_and_accepted() {
    let directory = certified();
    let out = directory.path().join("new/certificates");
    let mut names: Vec<_> = fs::read_dir(&out)
        .expect("made")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("plain"))
        .collect();
    names.sort();
    let expected = [
        "signce-le-3-stepce.T1.txt",
        "signce-le-3-stepce.T2.txt",
        "signce-le-3-stepce.T3.txt",
        "stepce-le-signce.T1.txt",
        "stepce-le-signce.T2.txt",
        "stepce-le-signce.T3.txt",
    ];
    assert_eq!(names, expected);
    let text = stdout(&["check", path(&out)], "");
    assert!(text.ends_with(
        "proved for every real prediction:\n  \
         signce <= 3*stepce: T <= 3\n  \
         stepce <= signce: T <= 3\n\
         6 of 6 certificates accepted\n"
    ));
    // Files can be named one by one.
    let one = out.join("signce-le-3-stepce.T2.txt");
    assert_snapshot!("certificate", fs::read_to_string(&one).expect("text"));
    let text = stdout(&["check", path(&one)], "");
    assert!(
        text.contains("accepted, 44 goals in 7 cases")
            && text.contains("signce <= 3*stepce: T = 2\n")
    );
}

#[test]
fn what_was_found_is_said() {
    let laws =
        ["signce <= 3*stepce", "signce <= 299/100*stepce", "ucal <= T", "ece < T", "var <= T/4"];
    let mut arguments = vec!["certify", "--max-rounds", "2"];
    arguments.extend(laws.iter().flat_map(|law| ["--law", *law]));
    assert_snapshot!("certify", stdout(&arguments, ""));
}

#[test]
fn the_book_shows_what_certify_prints() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("certificates");
    let laws = ["--law", "signce <= 3*stepce", "--law", "signce <= 2.99*stepce"];
    let rest = ["--max-rounds", "2", "--out", path(&out)];
    let printed = stdout(&[&["certify"], &laws[..], &rest[..]].concat(), "");
    let shown = format!(
        "$ truecal certify --law 'signce <= 3*stepce' --law 'signce <= 2.99*stepce' --max-rounds 2 \
         --out certificates\n{printed}$ truecal check certificates"
    );
    let page = include_str!("../../../../docs/src/certificates.md");
    assert!(page.contains(&shown), "docs/src/certificates.md should show\n{shown}");
}

/// A certificate may come through a pipe, which can be read only once.
#[cfg(unix)]
#[test]
fn a_pipe_is_read_once() {
    let certificate = include_bytes!("../../../../proofs/certificates/signce-le-3-stepce.T2.txt");
    let output = truecal(&["check", "/dev/stdin"], certificate);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A case that resists does not end the search, a refutation does; and a law may begin with a
/// minus.
#[test]
fn the_search_goes_on_until_the_law_is_refuted() {
    let text = stdout(&["certify", "--law", "var <= 1/2", "--law", "-ece <= 0"], "");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[2].contains("T = 2: no certificate was found"), "{text}");
    let refuted = lines.iter().position(|line| line.contains("refuted")).expect("at T = 3");
    assert_eq!(lines[refuted + 1], "-ece <= 0");
    assert!(text.ends_with(" bytes\n") && text.contains("T = 4: certified"), "{text}");
}

#[test]
fn a_rejected_certificate_is_exit_code_1() {
    let directory = certified();
    let out = directory.path().join("new/certificates");
    let one = out.join("signce-le-3-stepce.T2.txt");
    let text = fs::read_to_string(&one).expect("text");
    fs::write(&one, text.replacen("f1 ", "f2 ", 1)).expect("written");
    let output = truecal(&["check", path(&out)], b"");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(
        said.contains("T2.txt: REJECTED, line 5: the combination of facts is not the goal"),
        "{said}"
    );
    assert!(said.ends_with("5 of 6 certificates accepted\n"));
    assert!(said.contains("signce <= 3*stepce: T = 1, 3\n"));
}

#[test]
fn what_cannot_be_read_is_exit_code_2() {
    let directory = tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    assert!(complaint(&["check", path(&at("missing"))]).contains("missing: cannot be read"));
    fs::create_dir(at("empty")).expect("made");
    fs::write(at("empty/notes.md"), "nothing").expect("written");
    assert!(complaint(&["check", path(&at("empty"))]).contains("no certificate is in it"));
    for (text, words) in [
        (&b""[..], "the first line is not"),
        (b"truecal certificate 9\n", "the first line is not"),
        (b"truecal certificate 1\n", "no line `claim "),
        (b"truecal certificate 1\nclaim stepce <= ece\n", "no line `rounds "),
        (b"truecal certificate 1\nclaim stepc <= ece\nrounds 1\n", "did you mean `stepce`?"),
        (b"truecal certificate 1\nclaim stepce <= ece\nrounds 0\n", "a number from 1 to 12"),
        (
            b"truecal certificate 1\nclaim stepce <= ece\nrounds 99999999999\n",
            "a number from 1 to 12",
        ),
        (b"truecal certificate 1\nclaim stepce <= ece\nrounds all\n", "a number from 1 to 12"),
        (b"truecal certificate 1\r\nclaim stepce <= ece\r\nrounds 1\r\n", "carriage returns"),
        (b"\xff\xfe", "cannot be read"),
        (b"truecal certificate 1\nclaim stepce <= ece\nrounds 1\n\xff\n", "line 4: "),
    ] {
        fs::write(at("one.txt"), text).expect("written");
        let complaint = complaint(&["check", path(&at("one.txt"))]);
        assert!(complaint.contains("one.txt") && complaint.contains(words), "{complaint}");
    }
    // What is no file is passed by; a directory of nothing else has no certificate.
    fs::create_dir(at("empty/directory.txt")).expect("made");
    assert!(complaint(&["check", path(&at("empty"))]).contains("no certificate is in it"));
    assert!(complaint(&["check"]).contains("required"));
    assert!(complaint(&["certify", "fact:equivfacto"]).contains("did you mean fact:equivfactor?"));
    assert!(complaint(&["certify", "E05"]).contains("no law"));
    assert!(complaint(&["certify", "--law", "stepce <= eze"]).contains("did you mean `ece`?"));
    assert!(complaint(&["certify", "--max-rounds", "13"]).contains("13"));
    assert!(complaint(&["certify", "--max-rounds", "0"]).contains('0'));
    fs::write(at("file"), "in the way").expect("written");
    let out = at("file");
    assert!(
        complaint(&["certify", "fact:equivfactor", "--out", path(&out)]).contains("cannot be made")
    );
}
