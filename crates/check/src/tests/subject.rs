//! What certificates say that they are about.

use crate::format::MOST_ROUNDS;
use crate::law::Mistake;
use crate::rejection::Rejection;
use crate::testing::certificate;
use crate::{Subject, SubjectError};

fn read(text: &str) -> Result<Subject, SubjectError> {
    Subject::read(text)
}

#[test]
fn the_first_three_lines_say_it() {
    let head = |claim: &str, rounds: &str| {
        read(&format!("truecal certificate 1\nclaim {claim}\nrounds {rounds}\n"))
    };
    for rounds in [1, 7, MOST_ROUNDS] {
        let found = head("ECE<=T", &rounds.to_string())
            .unwrap_or_else(|no| panic!("{rounds} rounds: {no}"));
        assert_eq!((found.law.to_string(), found.rounds), ("ece <= T".to_owned(), rounds));
    }
    for rounds in ["0", "13", "-1", "", "1 ", "all", "4294967297"] {
        let error = head("ece <= T", rounds).expect_err("no number of rounds");
        assert_eq!(error, SubjectError::Rounds(rounds.to_owned()));
    }
    let long = head("ece <= T", &"9".repeat(100)).expect_err("no number of rounds");
    assert_eq!(long, SubjectError::Rounds("9".repeat(20)));
    let Err(SubjectError::Law(error)) = head("ece <", "1") else { panic!("a law") };
    assert_eq!(error.mistake(), &Mistake::Operand { found: "the law ends here".to_owned() });
}

#[test]
fn what_is_missing_is_named() {
    let error = |text: &str| read(text).expect_err("no certificate");
    assert_eq!(error(""), SubjectError::Version);
    assert_eq!(error("truecal certificate 2\n"), SubjectError::Version);
    assert_eq!(error("truecal certificate 1\n"), SubjectError::Field("claim "));
    let rounds_first = "truecal certificate 1\nrounds 1\nclaim ece <= T\n";
    assert_eq!(error(rounds_first), SubjectError::Field("claim "));
    assert_eq!(error("truecal certificate 1\nclaim ece <= T\n"), SubjectError::Field("rounds "));
    assert_eq!(error("truecal certificate 1\r\n"), SubjectError::CarriageReturns);
}

/// It is checked as what it says, whichever text it is given.
#[test]
fn it_is_checked_as_what_it_says() {
    let text = certificate("stepce-le-ece.T2.txt");
    let subject = read(&text).expect("a certificate");
    assert!(subject.check(text.as_bytes()).is_ok());
    let other = certificate("ece-le-T.T1.txt");
    let rejected = subject.check(other.as_bytes()).expect_err("another");
    let expected = Rejection::Statement("claim stepce <= ece".to_owned());
    assert_eq!((rejected.line, rejected.reason), (2, expected));
}
