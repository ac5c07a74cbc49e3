use super::*;
use crate::committed::committed;

/// A pattern, with what its lemma should say: facts and goals in the variables of the pattern, and
/// the row with facts numbered from 0, those of the order first.
#[test]
fn a_script_says_what_the_certificate_shows() {
    let text = "truecal certificate 1\nclaim stepce <= ece\nrounds 1\ncase 0/1\nf2\nf3\ncase 1/1\n\
        =2\nend\n";
    let subject = Subject::read(text).expect("a certificate");
    let script = script(&subject, text).expect("it is accepted");
    let (head, lemmas) = script.split_once("\n(* case").expect("a lemma");
    assert!(head.starts_with("(* stepce <= ece, for T = 1 and all real predictions:"), "{head}");
    let expected = " 0/1 *)
Lemma pattern_1 (v1 y1 : R) : (
  0 <= v1 -> v1 <= 1 -> 0 <= y1 -> - v1 <= y1 -> v1 <= y1 ->
  - v1 <= y1 /\\ v1 <= y1)%R.
Proof.
certificate [:: v1; y1] [::
  Row 1 [:: Term 1 [:: 3]]; Row 1 [:: Term 1 [:: 4]]].
Qed.

(* case 1/1 *)
Lemma pattern_2 (v1 y1 : R) : (
  0 <= v1 -> v1 <= 1 -> 0 <= y1 -> 1 - v1 <= y1 -> - 1 + v1 <= y1 ->
  1 - v1 <= y1 /\\ - 1 + v1 <= y1)%R.
Proof.
certificate [:: v1; y1] [::
  Row 1 [:: Term 1 [:: 3]]; Row 1 [:: Term 1 [:: 4]]].
Qed.
End Patterns.
";
    assert_eq!(lemmas, expected);
}

#[test]
fn what_is_no_certificate_has_no_script() {
    let text = "truecal certificate 1\nclaim stepce <= ece\nrounds 1\ncase 0/1\nf2\nf2\nend\n";
    let subject = Subject::read(text).expect("its head");
    assert_eq!(script(&subject, text).expect_err("a wrong row").line, 6);
}

#[test]
fn rows_and_numbers_are_written_for_coq() {
    for (row, expected) in [
        ("0", "Row 1 [::]"),
        ("f1", "Row 1 [:: Term 1 [:: 2]]"),
        ("3: 2*o1*f4 7 o0", "Row 3 [:: Term 2 [:: 1; 5]; Term 7 [::]; Term 1 [:: 0]]"),
    ] {
        assert_eq!(coq_row(row, 2), expected);
    }
    let numbers = [(0, "0"), (1, "1"), (2, "2%:R"), (999, "999%:R"), (1000, "(1 * 1000%:R + 0)")];
    for (n, expected) in numbers {
        assert_eq!(number(n), expected);
    }
    assert_eq!(number(2_034_567), "((2%:R * 1000%:R + 34%:R) * 1000%:R + 567%:R)");
}

/// A number is on the right side only if it belongs there, and Coq learns of what numbers it
/// speaks.
#[test]
fn inequalities_have_their_variables_apart() {
    let names = ["v1", "v2", "y1"].map(str::to_owned);
    for (poly, expected) in [
        ("v2 - v1", "v1 <= v2"),
        ("1 - v2", "v2 <= 1"),
        ("y1 - 1 + v1", "1 - v1 <= y1"),
        ("3*y1 - 2*v1*v2 - 1500", "1 * 1000%:R + 500%:R"),
        ("7", "0 <= 7%:R :> R"),
        ("0", "0 <= 0 :> R"),
        ("-v1", "v1 <= 0"),
    ] {
        let written = inequality(&Poly::parse(poly, &names).expect("a polynomial"), &names, 2);
        assert!(written == expected || written.contains(&format!("({expected})")), "{written}");
    }
}

/// Names are those of Coq's modules, lines are as wide as elsewhere, and every pattern has a lemma.
#[test]
fn every_committed_certificate_has_a_script() {
    let mut names = std::collections::BTreeSet::new();
    for certificate in committed().filter(|certificate| certificate.text.len() < 20_000) {
        let subject = Subject::read(certificate.text).expect("a certificate");
        let script = script(&subject, certificate.text).expect("it is accepted");
        assert!(script.lines().all(|line| line.len() <= WIDTH), "{}", certificate.name);
        let cases = certificate.text.lines().filter(|line| line.starts_with("case ")).count();
        assert!(script.matches("\nLemma pattern_").count() >= cases, "{}", certificate.name);
        let name = file_name(certificate.name);
        assert!(
            name.ends_with(".v") && !name.trim_end_matches(".v").contains(['.', '-']),
            "{name}"
        );
        assert!(names.insert(name), "{}", certificate.name);
    }
}
