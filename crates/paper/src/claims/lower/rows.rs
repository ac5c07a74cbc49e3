//! The rows of the lower bound.

use super::{construction, strategic, truthful};
use crate::claims::sections;
use crate::claims::tools::finite;
use crate::claims::tools::{boundary, slip, step};
use truecal_verify::registry::Scope::{All, Cases, Instance};
use truecal_verify::registry::{Check, Claim, Kind, ROW, law};

/// The rows.
pub(in crate::claims) const CLAIMS: &[Claim] = &[
    Claim {
        id: "prop:soundlowerbound",
        kind: Kind::Construction,
        lines: "1170-1274",
        reading: "For c = 2^-(k+3), k >= 1, and T a multiple of 5k there is a c-smoothed nature on \
            which the truthful forecaster has E stepCE^sub >= K sqrt(Tk/5) >= 0.0157 sqrt(T \
            log2(1/c)), K = (575/1152)(81/512), and twice that E stepCE, while another forecaster \
            has E stepCE <= 2 sqrt(cT/5) + (3T/10) e^(-T/27), and E stepCE^sub <= half of that + \
            sqrt(T).",
        departs: "Explicit constants, after the repairs E06, E09, E10, E11, E18, E25, E26 and E36; \
            the range of c is [2^-Theta(T), 1/16]. For other c take the next larger 2^-(k+3), for \
            which the nature is c-smoothed as well.",
        uses: &[
            "k-vs-log",
            "fix-alpha",
            "epoch-bias",
            "sum-epochs",
            "last-epoch-zero",
            "strategic-chain",
            "strategic-sub",
            "hoeffding-lemma",
        ],
        see: &["E06", "E09", "E10", "E11", "E18", "E25", "E26", "E36"],
        checks: &[finite!(
            "the sum over epochs; both forecasters",
            All,
            "all k and T; tried exactly for T <= 20",
            strategic::gap,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "wlog-c-T",
        kind: Kind::Prose,
        lines: "1176",
        reading: "T may be assumed to be a multiple of 5 floor(log2(1/(8c))), and c to be at most \
            1/16.",
        parts: &["E36"],
        see: &["prop:soundlowerbound"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E36",
        kind: Kind::Prose,
        lines: "1176",
        reading: "For every T and c in [2^-T, 1/16] it may be assumed that T is a multiple of 5k, \
            k = floor(log2(1/(8c))); in particular 5k <= T.",
        departs: "For c = 2^-T it fails at every T >= 4: k = T - 3, and 5k > T. And c <= 1/16 is a \
            restriction, not an assumption without loss: a prior for a smaller c is not one for a \
            larger.",
        see: &["prop:soundlowerbound", "wlog-c-T"],
        defect: step(
            "c <= 1/16 is a restriction. For smaller c and T >= 5 take c' = max(c, \
                2^-(floor(T/5)+3)): then 5k' <= T, and k' is still of the order log(1/c); the \
                fewer than 5k' rounds that are left over go to the last epoch. The proposition \
                stands.",
        ),
        checks: &[
            finite!(
                "5k against T",
                Cases,
                "T <= 40, c = 2^-4, ..., 2^-T",
                construction::divisibility,
            ),
            finite!("5k = 35", Instance, "T = 10", construction::divisibility_witness),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "k-vs-log",
        kind: Kind::Numeric,
        lines: "1236",
        reading: "For all c in (0, 1/16]: floor(log2(1/(8c))) >= log2(1/c)/5.",
        departs: "Left implicit in the paper.",
        tight: "1/5, approached as c decreases to 1/32 and not attained.",
        checks: &[finite!(
            "a linear function of floor(log2(1/c))",
            All,
            "all c in (0, 1/16]",
            construction::epochs_and_logarithm,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "w-separation",
        kind: Kind::Inequality,
        lines: "1189",
        reading: "In the search w_1 = 1/2, w_(i+1) = w_i +- 2^-(i+3), with k = floor(log2(1/(8c))) \
            >= 1: |w_i - w_j| >= 2^-(k+3) >= c for all i != j up to k + 1.",
        tight: "Attained by every search, at w_k and w_(k+1); equal to c if c = 2^-(k+3).",
        checks: &[finite!(
            "what later steps take back; each search",
            All,
            "all k and decisions; tried for k <= 10",
            construction::separation,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "pstar-range",
        kind: Kind::Construction,
        lines: "1189",
        reading: "Every p*_t lies in [1/4, 3/4].",
        parts: &["E25"],
        see: &["prop:soundlowerbound"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E25",
        kind: Kind::Construction,
        lines: "1189",
        reading: "Every p*_t, t = 1, ..., T, lies in [1/4, 3/4].",
        see: &["prop:soundlowerbound", "pstar-range"],
        tight: "In epochs 1 to k, p*_t is within 1/8 - 3*2^-(k+4) of 1/2: in (3/8, 5/8).",
        defect: slip("It is said of epochs 1 to k, where p*_t is in (3/8, 5/8)."),
        checks: &[
            finite!(
                "the interval of each epoch, c = 2^-(k+3)",
                Cases,
                "k <= 10, all decisions",
                construction::every_probability,
            ),
            finite!(
                "the interval of that round",
                Instance,
                "c = 1/16",
                construction::last_epoch_probability,
            ),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "w-notin-closed-interval",
        kind: Kind::Inequality,
        lines: "1190, 1212",
        reading: "w_i is not in [alpha* - c, alpha* + c].",
        parts: &["E06"],
        see: &["replace-pstar-by-w", "prop:soundlowerbound"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E06",
        kind: Kind::Inequality,
        lines: "1190, 1212",
        reading: "For i <= k: w_i is not in the closed interval [alpha* - c, alpha* + c], alpha* = \
            w_(k+1).",
        see: &["replace-pstar-by-w", "prop:soundlowerbound", "w-notin-closed-interval"],
        defect: boundary(
            "w_i is outside the open interval; |w_i - alpha*| > c/2 is all that is used.",
        ),
        checks: &[
            finite!(
                "distances to alpha*, c = 1 and 3/4 of 2^-(k+3)",
                Cases,
                "k <= 10, all decisions",
                construction::closed_interval,
            ),
            finite!(
                "the distance is c itself",
                Instance,
                "c = 1/16, k = 1",
                construction::closed_interval_witness,
            ),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "w-order",
        kind: Kind::Construction,
        lines: "1190",
        reading: "For i <= k: w_i < alpha* exactly if the mean outcome of epoch i is at least w_i, \
            and w_i > alpha* otherwise.",
        uses: &["w-separation"],
        checks: &[finite!(
            "the order of w_i and alpha* in each search",
            All,
            "all k and decisions; tried for k <= 10",
            construction::order
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "fix-alpha",
        kind: Kind::Inequality,
        lines: "1197-1202",
        reading: "For all x, p and every alpha, also one that depends on x and p: stepCE^sub >= \
            (1/2) sum_t (x_t \
                  - p_t) 1{p_t <= alpha}. Over all alpha that is stepCE^sub >= stepCE/2.",
        see: &["lemma:stepCE-vs-stepCEsub"],
        tight: "Attained at T = 1.",
        checks: &[Check::Law(
            law("stepce_sub >= stepce/2").attained(&[("1", "0"), ("1,1", "0,0")]),
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "replace-pstar-by-w",
        kind: Kind::Expectation,
        lines: "1206-1207",
        reading: "p*_t may be replaced by w_i in the expected sum of epoch i.",
        parts: &["E09"],
        see: &["prop:soundlowerbound"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E09",
        kind: Kind::Expectation,
        lines: "1206-1207",
        reading: "Given the past of epoch i: (1/2) E sum_(t in T_i) (x_t - p*_t) 1{p*_t <= alpha*} \
            = (1/2) E sum_(t in T_i) (x_t - w_i) 1{w_i <= alpha*}.",
        departs: "Both indicators are 1{mean outcome >= w_i} (w-order), which is correlated with \
            p*_t through x_t.",
        see: &["prop:soundlowerbound", "replace-pstar-by-w"],
        defect: step(
            "The left side is 1 - c^2/(12 w (1-w)) times the right one, at least 575/576 of it. \
                Only the constant of the proposition changes.",
        ),
        checks: &[
            finite!(
                "both sides over all outcomes",
                Cases,
                "|T_i| <= 6, w = j/16, three c",
                truthful::replacement,
            ),
            finite!(
                "767/6144 against 768/6144",
                Instance,
                "T = 5, c = 1/16",
                truthful::replacement_witness,
            ),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "binomial-positive-part",
        kind: Kind::Expectation,
        lines: "1209-1210",
        reading: "For n rounds with x_t ~ Bern(w) independent, w in [1/4, 3/4]: E sum_t (x_t - w) \
            1{sum_t x_t >= nw} = E max(X - nw, 0), X ~ Bin(n,w), which is at least its minimum \
            over w in [1/4, 3/4].",
        see: &["binomial-mad"],
        checks: &[finite!(
            "sums over outcomes and over counts",
            All,
            "all n and w; tried for n <= 8, w = j/16",
            truthful::positive_parts,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "variance-3-16",
        kind: Kind::Numeric,
        lines: "1213",
        reading: "For all p in [1/4, 3/4]: p(1-p) >= 3/16.",
        tight: "At p = 1/4 and p = 3/4.",
        checks: &[finite!("as a product", All, "all p in [1/4, 3/4]", construction::variance)],
        ..LOWER_BOUND
    },
    Claim {
        id: "berry-esseen-step",
        kind: Kind::Numeric,
        lines: "1214-1221",
        reading: "E max(X - np, 0) >= sigma P(X - np >= sigma), which is of the order sigma.",
        parts: &["E18"],
        see: &["prop:soundlowerbound"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E18",
        kind: Kind::Numeric,
        lines: "1214, 1218",
        reading: "For some K > 0, all n >= 1, p in [1/4, 3/4], X ~ Bin(n,p) and sigma^2 = np(1-p): \
            E max(X - np, 0) >= sigma P(X - np >= sigma) >= K sigma.",
        departs: "The conclusion, E max(X - np, 0) >= K sqrt(n), is true: the correction has the \
            best K. Small n matter, as n = |T_i| = T/(5k) is bounded where c is near 2^-T.",
        see: &["prop:soundlowerbound", "berry-esseen-step"],
        tight: "K = 81/512 in the corrected form, at n = 4 and p = 1/4 or 3/4.",
        defect: step(
            "E max(X - np, 0) is half of the mean deviation, at least (81/512) sqrt(n) for p in \
                [1/4, 3/4] and every n. So the conclusion stands, and short epochs are covered.",
        ),
        checks: &[
            finite!(
                "one standard deviation, and E max itself",
                Cases,
                "n <= 8, p = j/16 (corrected: all n)",
                truthful::one_deviation_bound,
            ),
            finite!("the largest X", Instance, "n <= 2, p = 3/4", truthful::one_deviation_witness),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "sum-epochs",
        kind: Kind::Identity,
        lines: "1223-1226",
        reading: "For k epochs of |T_i| = T/(5k) rounds: sum_i sqrt(|T_i|) = sqrt(Tk/5).",
        checks: &[finite!("the squares", All, "all k and T", construction::sum_of_roots)],
        ..LOWER_BOUND
    },
    Claim {
        id: "last-epoch-zero",
        kind: Kind::Expectation,
        lines: "1227-1233",
        reading: "c < alpha* < 1 - c, so that of the last 4T/5 rounds the first half is below the \
            threshold and the second above; and E sum_t (x_t - p*_t) = E sum_t (x_t - c/2) = 0 \
            over the first half.",
        checks: &[finite!(
            "alpha* of each search, and the mean outcome",
            All,
            "all k, T and decisions; tried for k <= 10",
            construction::last_epoch,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "strategic-Delta",
        kind: Kind::Inequality,
        lines: "1241",
        reading: "Delta = sum_(t <= T/5) x_t - T/10 has |Delta| <= T/10.",
        tight: "All zeros or all ones.",
        checks: &[finite!(
            "the ends; every number of ones",
            All,
            "all T; tried for T <= 200",
            strategic::deviation,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "strategic-Tprime",
        kind: Kind::Construction,
        lines: "1241-1243, 1256",
        reading: "The definition of T' leaves a bias of at most 1/2 at 1/2, and a forecaster can \
            follow it.",
        parts: &["E11"],
        see: &["strategic-chain"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E11",
        kind: Kind::Construction,
        lines: "1241, 1243, 1256",
        reading: "For Delta < 0 and T' = max{t <= T: Delta + sum_(tau=3T/5+1)^(t-1) (x_(tau-1) - \
            1/2) < 0}: (1) Delta + sum_(t=3T/5+1)^T (x_(t-1) - 1/2) <= 1/2; (2) the bias left at \
            1/2 is at most 1/2; (3) a forecaster can predict 1/2 up to T', that is t <= T' depends \
            on x_1, ..., x_(t-1) only.",
        departs: "For (3) we read x_tau for x_(tau-1): the shifted index is a slip by itself. For \
            Delta >= 0 (L1256) the sign of the condition has to be reversed as well.",
        see: &["strategic-chain", "strategic-Tprime"],
        defect: step(
            "Let T' be the first t >= 3T/5 at which Delta + sum_(tau=3T/5+1)^t (x_tau - 1/2) is \
                not negative (mirrored: the first t >= T/5 at which it is not positive). That is a \
                stopping time, and the bias left at 1/2 is exactly 0. The proposition stands.",
        ),
        checks: &[
            finite!("(1)", Cases, "T = 5, 10, 15, all outcomes", strategic::printed),
            finite!("(2)", Cases, "T = 5, 10, 15, all outcomes", strategic::left),
            finite!("(3)", Cases, "T = 5, 10, 15, all outcomes", strategic::causal),
            finite!("(a)", Instance, "T = 10, one x", strategic::left_witness),
            finite!("(c)", Instance, "T = 10, one x", strategic::printed_witness),
            finite!("(b)", Instance, "T = 10, one x", strategic::causal_witness),
            finite!("(d)", Instance, "T = 10, one x", strategic::mirrored_witness),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "strategic-event-E",
        kind: Kind::Construction,
        lines: "1244, 1257",
        reading: "A bias that is not brought back to 0 in time takes T/10 zeros.",
        parts: &["E10"],
        see: &["E26", "E11", "strategic-chain"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E10",
        kind: Kind::Construction,
        lines: "1244, 1257",
        reading: "If the bias at 1/2 is not brought back to 0 by round 9T/10, at least T/10 of the \
            rounds from \
                  3T/5 + 1 to 9T/10 have x_t = 0 (for Delta >= 0: rounds T/5 + 1 to T/2 and ones).",
        departs: "With the corrected T'.",
        see: &["E26", "E11", "strategic-chain", "strategic-event-E"],
        tight: "T/20 + 1 zeros are needed and suffice for T a multiple of 20.",
        defect: step(
            "At least T/20 zeros are needed, which is as unlikely: the event still has a \
                probability exponentially near to 1.",
        ),
        checks: &[
            finite!("every Delta and every window", Cases, "T = 5, 10, ..., 40", strategic::zeros),
            finite!("both walks", Instance, "T = 15, T = 40", strategic::zeros_witness),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "E26",
        kind: Kind::Expectation,
        lines: "1244, 1257",
        reading: "Given Delta < 0, T' <= 9T/10 has a probability of at least 1 - exp(-T/100).",
        departs: "The paper's words name the event that T' <= 9T/10 and Delta < 0, which has a \
            probability of at most 1/2; its display conditions on Delta < 0, as here. The constant \
            is ours.",
        see: &["strategic-event-E", "strategic-chain"],
        defect: slip("Given Delta < 0, the event T' <= 9T/10 has probability 1 - exp(-Omega(T))."),
        checks: &[finite!(
            "the event for k = 1, c = 1/16",
            Cases,
            "T = 5, 10, ..., 60",
            strategic::event,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "strategic-chain",
        kind: Kind::Expectation,
        lines: "1246-1252",
        reading: "With the corrected T': E stepCE <= E|bias at c/2| + E|bias at 1 - c/2| + E|bias \
            at 1/2|, of which the first two are at most sqrt(cT/5) each and the last is at most \
            3T/10 times the probability that it is not 0.",
        departs: "The paper conditions on E, has 1/2 for the bias at 1/2, which is 0, and \
            O(sqrt(cT) + 1) for the sum.",
        uses: &["strategic-Delta"],
        see: &["strategic-Tprime", "strategic-event-E", "E10", "E11", "E26"],
        checks: &[finite!(
            "the three biases",
            All,
            "all k and T; tried exactly for T <= 20",
            strategic::chain,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "strategic-sub",
        kind: Kind::Inequality,
        lines: "1268-1271",
        reading: "For all T, x, p: stepCE^sub <= stepCE/2 + sqrt(T); so OPT of stepCE^sub <= OPT \
            of stepCE / 2 + sqrt(T).",
        parts: &["lemma:stepCE-vs-stepCEsub"],
        see: &["TIGHT-c6", "TIGHT-sub-excess"],
        ..LOWER_BOUND
    },
    Claim {
        id: "duplicate-err",
        kind: Kind::Prose,
        lines: "1273",
        reading: "The truthful penalties for stepCE and for stepCE^sub are both at least K sqrt(T \
            log(1/c)); the sentence names that for stepCE twice.",
        parts: &["E28"],
        see: &["E28", "E45", "prop:soundlowerbound"],
        ..LOWER_BOUND
    },
    Claim {
        id: "E28",
        kind: Kind::Prose,
        lines: "1273",
        reading: "The second of two equal names should be the penalty for stepCE^sub.",
        see: &["duplicate-err"],
        defect: slip("stepCE^sub for the second stepCE."),
        stated: "a slip of the pen: nothing to compute",
        ..LOWER_BOUND
    },
    Claim {
        id: "E45",
        kind: Kind::Expectation,
        lines: "1242",
        reading: "In the rounds after 3T/5, p*_t has the mean 1 - c/2 and the variance c^2/12.",
        departs: "The paper says that p*_t is 1 - c/2.",
        see: &["strategic-Tprime"],
        defect: slip("1 - c/2 is the mean of p*_t."),
        checks: &[finite!(
            "mean and variance of p* on [1-c, 1]",
            All,
            "all c in (0, 1/16]",
            construction::near_one,
        )],
        ..LOWER_BOUND
    },
];

/// A row of this section to start from.
const LOWER_BOUND: Claim = Claim { section: sections::LOWER_BOUND, ..ROW };
