//! Abstract and introduction (L177-294): announcements of what later sections state.

use crate::claims::tools::slip;
use num_rational::BigRational;

use super::tools::{finite, int, r, table_of, value};
use super::{Check, Claim, Evidence, Example, Kind, ROW, Scope, law, sections};
use truecal::AnyLevels;
use truecal::Measure;

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "abstract-claims",
        kind: Kind::Prose,
        lines: "178-180",
        reading: "stepCE^sub is decision-theoretic, truthful up to O(1) on product distributions \
            and up to O(sqrt(log(1/c))) in c-smoothed settings, where earlier decision-theoretic \
            measures have gaps exp(-Omega(T))-Omega(sqrt(T)) and exp(-Omega(T))-Omega(T^(1/3)). A \
            complete decision-theoretic measure is neither continuous nor truthful without \
            smoothing.",
        scope: Scope::Asymptotic,
        departs: "In c-smoothed settings there is an additive polylog(T/c), and at c near 1 the \
            factor must be 1 + sqrt(log(1/c)).",
        parts: &[
            "informal-inheritance",
            "prop:stepCEsub-truthful-product",
            "main-truthfulness",
            "prop:simplesubsamptruth",
            "prop:subsampsmooth",
            "claim-no-continuous-CM",
            "prop:completedecisionlowerbound",
        ],
        see: &["E15"],
        ..INTRODUCTION
    },
    Claim {
        id: "informal-UCal-gaps",
        kind: Kind::Prose,
        lines: "235-237",
        reading: "UCal and UCal^sub have an O(sqrt(T))-Omega(T) gap from discontinuity and an \
            exp(-Omega(T))-Omega(poly(T)) gap from hedging.",
        scope: Scope::Asymptotic,
        parts: &["prop:subsamptruth", "prop:simplesubsamptruth", "prop:subsampsmooth"],
        ..INTRODUCTION
    },
    Claim {
        id: "informal-impossibility",
        kind: Kind::Prose,
        lines: "240-247",
        reading: "A calibration measure has E CM(x, (1/2) 1) not O(sqrt(T)) on fair bits, or CM >= \
            kappa UCal for no kappa > 0, or an O(sqrt(T))-Omega(T) gap.",
        scope: Scope::Asymptotic,
        parts: &["prop:completedecisionlowerbound"],
        see: &["E03"],
        ..INTRODUCTION
    },
    Claim {
        id: "informal-stepCE",
        kind: Kind::Inequality,
        lines: "250-260",
        reading: "For all T, x, p: stepCE >= UCal/8 (decision-theoretic), stepCE <= ECE, so that \
            it is 0 if all b_j = 0 (complete), and stepCE >= T/3 at p = 1 - x (sound). For T >= 2 \
            some forecaster has E stepCE = O(sqrt(T log T)) against every adaptive adversary.",
        departs: "T >= 2: at T = 1 the logarithm is 0 and the value of the game is 1/2.",
        parts: &["stepCE-vs-UCal", "stepCE-vs-ECE", "completeness", "soundness", "thm:alg"],
        see: &["overview-minimax"],
        ..INTRODUCTION
    },
    Claim {
        id: "informal-smoothed",
        kind: Kind::Expectation,
        lines: "273-275",
        reading: "stepCE^sub is truthful up to a factor of the order sqrt(log(1/c)) and an \
            additive polylog(T/c) in c-smoothed settings.",
        scope: Scope::Asymptotic,
        parts: &["E15"],
        see: &["main-truthfulness", "thm:strongupperbound"],
        ..INTRODUCTION
    },
    Claim {
        id: "informal-inheritance",
        kind: Kind::Inequality,
        lines: "277-281",
        reading: "For all T, x, p: stepCE/2 <= stepCE^sub <= stepCE/2 + sqrt(T), so stepCE^sub >= \
            UCal/16, \
            it is sound and complete, and a forecaster with small stepCE has small stepCE^sub.",
        parts: &["lemma:stepCE-vs-stepCEsub", "prop:stepCE-complete-sound-decision-theoretic"],
        tight: "1/16 is best but not attained: x = (0,1,0), p = (3/8,3/8,1/2), each round N times, \
            has stepCE^sub / UCal -> 1/16.",
        checks: &[
            Check::Law(law("stepce_sub >= stepce/2").attained(&[("1", "0")])),
            Check::Law(law("stepce_sub >= ucal/16").mistake("stepce_sub >= 10/91*ucal")),
            Check::Law(
                law("stepce_sub <= stepce/2 + sqrt(T)")
                    .mistake("stepce_sub <= stepce/2 + 2/7*sqrt(T)"),
            ),
            Check::Example(Example {
                sequence: ("0,1,0", "3/8,3/8,1/2"),
                facts: &["stepce == 1/4", "stepce_sub == 7/16", "ucal == 2"],
            }),
            finite!(
                "the witness with every round N times",
                Scope::Cases,
                "N = 1, 2, 4, ..., 32",
                repeated_witness,
            ),
            finite!(
                "no constant above 1/16",
                Scope::Cases,
                "T = 9 k^2, k = 1, 10, ..., 10000",
                no_larger_constant,
            )
            .proved_by(&["UCal_16stepCE_sub_best"]),
        ],
        ..INTRODUCTION
    },
    Claim {
        id: "related-work-rates",
        kind: Kind::Cited,
        lines: "283",
        reading: "Against an adversary the least ECE is O(T^(2/3 - eps)) for some eps > 0 \
            (O(T^(2/3)) before) and Omega(T^0.54389) (Omega(T^0.528) before).",
        scope: Scope::Asymptotic,
        stated: "results of other papers",
        ..INTRODUCTION
    },
    Claim {
        id: "E35",
        kind: Kind::Prose,
        lines: "224, 271",
        reading: "The gap is said to be defined by the equation that defines (alpha, \
            beta)-truthfulness, \
            and that notion is called an (alpha, beta)-truthful gap; one word is doubled.",
        see: &["eq:gap", "def-truthful"],
        defect: slip(
            "eq:gap defines (alpha, beta)-truthfulness, the sentence after it the gap; and one \
                `and`.",
        ),
        stated: "slips of the pen: eq:gap defines (alpha, beta)-truthfulness, the sentence after \
            it the gap",
        ..INTRODUCTION
    },
];

/// A row of this section to start from.
const INTRODUCTION: Claim = Claim { section: sections::INTRODUCTION, ..ROW };

/// x = (0,1,0), p = (3/8,3/8,1/2) with each round N times, and its UCal and stepCE.
fn copies_of_witness(copies: u64) -> (AnyLevels, BigRational, BigRational) {
    let table = table_of([(r(3, 8), 2 * copies, copies), (r(1, 2), copies, 0)]);
    let [u_cal, step] = [Measure::UCal, Measure::StepCe].map(|m| value(&table, m));
    (table, u_cal, step)
}

/// UCal = 2N, stepCE = N/4 and N/8 < stepCE^sub <= N/8 + √(3N). The ratio stepCE^sub / UCal falls
/// all the way.
fn repeated_witness(evidence: &mut Evidence) {
    let mut before: Option<BigRational> = None;
    for copies in [1, 2, 4, 8, 16, 32] {
        let n = int(copies);
        let (table, u_cal, step) = copies_of_witness(copies);
        let sampled = value(&table, Measure::StepCeSub);
        let beyond = &sampled - &n / int(8);
        let ratio = &sampled / &u_cal;
        let falls = before.as_ref().is_none_or(|before| ratio < *before);
        let holds = u_cal == &n * int(2)
            && step == &n / int(4)
            && beyond > int(0)
            && &beyond * &beyond <= &n * int(3);
        let show = || {
            format!(
                "N = {copies} copies of x = (0,1,0), p = (3/8,3/8,1/2)\n\
                 UCal = {u_cal}, stepCE = {step}\n\
                 stepCE^sub = {sampled}"
            )
        };
        evidence.case(holds && falls, show);
        evidence.mistake("stepCE^sub = UCal/16", &ratio * int(16) == int(1), show);
        evidence.mistake("stepCE^sub >= UCal/11", ratio >= r(1, 11), show);
        before = Some(ratio);
    }
}

/// T = 9 k² rounds: 3 k² copies. By stepCE^sub <= stepCE/2 + √T the ratio to UCal = 6 k² is at most
/// 1/16 + 1/(2k). (That nothing above 1/16 will do Coq proves by copies of another sequence.)
fn no_larger_constant(evidence: &mut Evidence) {
    for k in [1_u64, 10, 100, 1000, 10_000] {
        let (_, u_cal, step) = copies_of_witness(3 * k * k);
        let bound = (&step / int(2) + int(3 * k)) / &u_cal;
        let show = || {
            format!(
                "T = 9 * {k}^2: UCal = {u_cal}, stepCE = {step}\n\
                 (stepCE/2 + sqrt(T)) / UCal = {bound}"
            )
        };
        evidence.case(bound == r(1, 16) + int(1) / int(2 * k), show);
        evidence.mistake("stepCE^sub >= 101/1600 UCal", bound >= r(101, 1600), show);
    }
}
