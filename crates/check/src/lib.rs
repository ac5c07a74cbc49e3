//! The trusted base of every proof, and nothing else: the language of [laws](law) about calibration
//! measures, what a law [states](statement) at an order pattern, and the [checker] of certificates.
//!
//! A law such as `signce <= 3*stepce` is true or false of all tables with T rounds, whatever real
//! numbers were predicted. There are finitely many *order patterns* (how many rounds and ones each
//! level has), and within one of them every measure is a maximum, or a sum of maxima, of
//! polynomials in the predictions ([`statement`]); UCal and smCE are bounded by lines and flows. So
//! the law becomes goals: polynomials that must be >= 0 wherever some facts are, such as v_1 <= v_2
//! or stepCE >= B_1. A certificate writes each goal as a sum of products of facts with nonnegative
//! multipliers. Whoever found the multipliers is untrusted; the [`checker`] goes through all
//! patterns itself and compares polynomials.
//!
//! What holds for every T is not for certificates to show: that is done in Coq (`proofs/coq`).
//!
//! How much there is to read, in lines of code without comments and tests, 2000 in all:
//!
//! | module | lines | |
//! |---|---|---|
//! | `checker` | 115 | reads a certificate and goes through all cases |
//! | `format` | 3 | the first line of a certificate, and how large it may be |
//! | `pattern` | 40 | all order patterns |
//! | `polynomial` | 220 | polynomials, how a row of multipliers is read, and whether it shows one |
//! | `statement` | 490 | facts and goals of a law at a pattern |
//! | `rejection` | 80 | the answers |
//! | `subject` | 60 | what a certificate says that it is about |
//! | `law` | 990 | the language: reading and printing laws, and which of them say the same |
//!
//! Of the crate `truecal` it uses the names of the measures, which of them are averages over
//! subsets of which other, and a helper that guesses what a misspelt name was meant to be.
//! `mutants.md` lists the changes of this code that no test can notice, because they change
//! nothing; every other one that `cargo mutants -p truecal-check` makes is noticed by the tests of
//! this crate.
//!
//! ```
//! use truecal_check::{Subject, checker};
//! let head = "truecal certificate 1\nclaim stepce <= ece\nrounds 1\n";
//! let text = &format!("{head}case 0/1\nf2\nf3\ncase 1/1\nf2\nf3\nend\n");
//! let law = "stepce <= ece".parse()?;
//! assert_eq!(checker::check(&law, 1, text.as_bytes())?.cases, 2);
//!
//! // A multiplier that is not there proves nothing.
//! let tampered = text.replacen("f3", "f2", 1);
//! assert_eq!(checker::check(&law, 1, tampered.as_bytes()).unwrap_err().line, 6);
//! assert_eq!(Subject::read(text)?.law, law);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod checker;
mod format;
pub mod law;
mod pattern;
pub mod polynomial;
mod rejection;
pub mod statement;
mod subject;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

#[cfg(any(kani, test))]
#[path = "../../../proofs/check.rs"]
mod proofs;

pub use format::{MOST_ROUNDS, VERSION};
pub use pattern::Pattern;
pub use rejection::{Accepted, Fault, Rejected, Rejection};
pub use subject::{Subject, SubjectError};
