//! What answers of the checker say.

use crate::SubjectError;
use crate::rejection::{Accepted, Fault, Rejected, Rejection};

#[test]
fn every_rejection_says_why() {
    let text = || "x".to_owned();
    let words = [
        (
            Rejection::Version,
            "not a certificate of this version; the first line should be `truecal certificate 1`",
        ),
        (Rejection::Statement(text()), "a certificate of something else; expected `x`"),
        (Rejection::Rounds, "not for 1 to 12 rounds"),
        (Rejection::Case(text()), "expected `x`: every case once, in order"),
        (Rejection::Negative, "a negative multiplier or denominator"),
        (Rejection::Zero, "a denominator or a multiplier of zero"),
        (Rejection::Fact, "a fact that this case does not have"),
        (Rejection::Goal, "the combination of facts is not the goal"),
        (Rejection::Malformed, "a line that does not belong here"),
        (Rejection::Truncated, "the certificate is cut off"),
        (Rejection::Trailing, "something follows the end"),
        (Rejection::TooLarge, "a number, a product or a line is too large"),
        (Rejection::Unsupported, "no certificate can prove a law of this shape"),
        (Rejection::Unreadable(text()), "cannot be read: x"),
    ];
    for (reason, said) in words {
        assert_eq!(reason.to_string(), said);
        assert_eq!(Rejected { line: 7, reason }.to_string(), format!("line 7: {said}"));
    }
}

#[test]
fn every_fault_is_the_rejection_of_its_name() {
    let pairs = [
        (Fault::Negative, Rejection::Negative),
        (Fault::Zero, Rejection::Zero),
        (Fault::Fact, Rejection::Fact),
        (Fault::Goal, Rejection::Goal),
        (Fault::Malformed, Rejection::Malformed),
        (Fault::TooLarge, Rejection::TooLarge),
        (Fault::Unsupported, Rejection::Unsupported),
    ];
    for (fault, rejection) in pairs {
        assert_eq!(fault.to_string(), rejection.to_string());
        assert_eq!(Rejection::from(fault), rejection);
    }
}

#[test]
fn what_is_accepted_is_counted_in_words() {
    let said = |cases, goals| Accepted { cases, goals }.to_string();
    assert_eq!(said(24, 104), "104 goals in 24 cases");
    assert_eq!(said(1, 1), "1 goal in 1 case");
    assert_eq!(said(0, 0), "0 goals in 0 cases");
    assert_eq!(said(1, 2), "2 goals in 1 case");
}

#[test]
fn a_text_without_a_subject_says_why() {
    let law = "ece <".parse::<crate::law::Law>().expect_err("half a law");
    let words = [
        (
            SubjectError::CarriageReturns,
            "its lines end with carriage returns; save it with line feeds alone".to_owned(),
        ),
        (SubjectError::Version, "the first line is not `truecal certificate 1`".to_owned()),
        (SubjectError::Field("claim "), "there is no line `claim …` where it should be".to_owned()),
        (
            SubjectError::Rounds("x".to_owned()),
            "\"x\" rounds; a number from 1 to 12 was expected".to_owned(),
        ),
        (SubjectError::Law(law.clone()), format!("its claim is not a law: {law}")),
    ];
    for (error, said) in words {
        assert_eq!(error.to_string(), said);
    }
}
