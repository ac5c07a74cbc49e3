//! The rows of the lower bound.

use super::{construction, strategic, truthful};
use crate::claims::sections;
use crate::claims::tools::finite;
use truecal_verify::registry::Strength::{Exhausted, Proved};
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
            has E stepCE <= 2 sqrt(cT/5) + (3T/10) P, with P the probability that its bias at 1/2 \
            is not brought back to 0, and E stepCE^sub <= half of that + sqrt(T).",
        departs: "Explicit constants, after the repairs E06, E09, E10, E11, E18, E25, E26 and E36; \
            the range of c is [2^-Theta(T), 1/16]. For other c take the next larger 2^-(k+3), for \
            which the nature is c-smoothed as well. That P is exponentially small is in \
            strategic-event-E and E26.",
        uses: &[
            "k-vs-log",
            "w-order",
            "fix-alpha",
            "binomial-positive-part",
            "sum-epochs",
            "last-epoch-zero",
            "strategic-chain",
            "strategic-sub",
        ],
        see: &["E06", "E09", "E10", "E11", "E18", "E25", "E26", "E36"],
        checks: &[finite(
            "both forecasters, exactly",
            Exhausted,
            "all (k, T) with T <= 20",
            strategic::gap,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "wlog-c-T",
        kind: Kind::Prose,
        lines: "1176",
        reading: "For every T and c in [2^-T, 1/16] it may be assumed that T is a multiple of 5k, \
            k = floor(log2(1/(8c))); in particular 5k <= T.",
        departs: "c <= 1/16 is a restriction, not an assumption without loss: a prior for a \
            smaller c is not one for a larger.",
        see: &["E36", "prop:soundlowerbound"],
        checks: &[finite(
            "5k against T",
            Exhausted,
            "T <= 40, c = 2^-4, ..., 2^-T",
            construction::divisibility,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "E36",
        kind: Kind::Prose,
        lines: "1176",
        reading: "At T = 10, c = 2^-10 it may be assumed that T is a multiple of 5k.",
        see: &["wlog-c-T"],
        checks: &[finite("5k = 35", Exhausted, "T = 10", construction::divisibility_witness)],
        ..LOWER_BOUND
    },
    Claim {
        id: "k-vs-log",
        kind: Kind::Numeric,
        lines: "1236",
        reading: "For all c in (0, 1/16]: floor(log2(1/(8c))) >= log2(1/c)/5.",
        departs: "Left implicit in the paper.",
        tight: "1/5, approached as c decreases to 1/32 and not attained.",
        checks: &[finite(
            "a linear function of floor(log2(1/c))",
            Proved,
            "all c in (0, 1/16]",
            construction::epochs_and_logarithm,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "w-separation",
        kind: Kind::Inequality,
        lines: "1189",
        reading: "In the search w_1 = 1/2, w_(i+1) = w_i +- 2^-(i+3): |w_i - w_j| >= 2^-(k+3) >= c \
            for all i != j up to k + 1.",
        tight: "Attained by every search, at w_k and w_(k+1); equal to c if c = 2^-(k+3).",
        checks: &[finite(
            "the smallest distance of each search",
            Exhausted,
            "k <= 10, all decisions",
            construction::separation,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "pstar-range",
        kind: Kind::Construction,
        lines: "1189",
        reading: "Every p*_t, t = 1, ..., T, lies in [1/4, 3/4].",
        see: &["E25", "prop:soundlowerbound"],
        tight: "In epochs 1 to k, p*_t is within 1/8 - 3*2^-(k+4) of 1/2: in (3/8, 5/8).",
        checks: &[finite(
            "the interval of each epoch, c = 2^-(k+3)",
            Exhausted,
            "k <= 10, all decisions",
            construction::every_probability,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "E25",
        kind: Kind::Construction,
        lines: "1189",
        reading: "At c = 1/16 and t = 3T/5, p*_t lies in [1/4, 3/4].",
        see: &["pstar-range"],
        checks: &[finite(
            "the interval of that round",
            Proved,
            "c = 1/16",
            construction::last_epoch_probability,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "w-notin-closed-interval",
        kind: Kind::Inequality,
        lines: "1190, 1212",
        reading: "For i <= k: w_i is not in the closed interval [alpha* - c, alpha* + c], alpha* = \
            w_(k+1).",
        uses: &["w-separation"],
        see: &["E06", "replace-pstar-by-w", "prop:soundlowerbound"],
        checks: &[finite(
            "distances to alpha*, c = 1 and 3/4 of 2^-(k+3)",
            Exhausted,
            "k <= 10, all decisions",
            construction::closed_interval,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "E06",
        kind: Kind::Inequality,
        lines: "1190, 1212",
        reading: "At c = 1/16, k = 1, alpha* = 9/16: w_1 = 1/2 is not in [alpha* - c, alpha* + c].",
        see: &["w-notin-closed-interval"],
        checks: &[finite(
            "the distance is c itself",
            Proved,
            "c = 1/16, k = 1",
            construction::closed_interval_witness,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "w-order",
        kind: Kind::Construction,
        lines: "1190",
        reading: "For i <= k: w_i < alpha* exactly if the mean outcome of epoch i is at least w_i, \
            and w_i > alpha* otherwise.",
        checks: &[finite(
            "the order of w_i and alpha* in each search",
            Exhausted,
            "k <= 10, all decisions",
            construction::order,
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
        reading: "Given the past of epoch i: (1/2) E sum_(t in T_i) (x_t - p*_t) 1{p*_t <= alpha*} \
            = (1/2) E sum_(t in T_i) (x_t - w_i) 1{w_i <= alpha*}.",
        departs: "Both indicators are 1{mean outcome >= w_i} (w-order), which is correlated with \
            p*_t through x_t.",
        uses: &["w-order"],
        see: &["E09", "prop:soundlowerbound"],
        checks: &[finite(
            "both sides over all outcomes",
            Exhausted,
            "|T_i| <= 6, w = j/16, three c",
            truthful::replacement,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "E09",
        kind: Kind::Expectation,
        lines: "1206-1207",
        reading: "The two sides agree at T = 5, k = 1, c = 1/16, where epoch 1 is a single round \
            with w = 1/2.",
        see: &["replace-pstar-by-w"],
        checks: &[finite(
            "767/6144 against 768/6144",
            Proved,
            "T = 5, c = 1/16",
            truthful::replacement_witness,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "binomial-positive-part",
        kind: Kind::Expectation,
        lines: "1209-1210",
        reading: "For n rounds with x_t ~ Bern(w) independent: E sum_t (x_t - w) 1{sum_t x_t >= \
            nw} = E max(X - \
                  nw, 0), X ~ Bin(n,w), which is at least its minimum over w in [1/4, 3/4].",
        checks: &[finite(
            "sums over outcomes and over counts",
            Exhausted,
            "n <= 8, w = j/16",
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
        checks: &[finite("as a product", Proved, "all p in [1/4, 3/4]", construction::variance)],
        ..LOWER_BOUND
    },
    Claim {
        id: "berry-esseen-step",
        kind: Kind::Numeric,
        lines: "1214-1221",
        reading: "For some K > 0, all n >= 1, p in [1/4, 3/4], X ~ Bin(n,p) and sigma^2 = np(1-p): \
            E max(X - np, 0) >= sigma P(X - np >= sigma) >= K sigma.",
        departs: "The conclusion, E max(X - np, 0) >= K sqrt(n), is true: the correction has the \
            best K.",
        see: &["E18", "prop:soundlowerbound"],
        tight: "K = 81/512 in the corrected form, at n = 4 and p = 1/4 or 3/4.",
        checks: &[finite(
            "one standard deviation, and E max itself",
            Exhausted,
            "n <= 8, p = j/16 (corrected: all n)",
            truthful::one_deviation_bound,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "E18",
        kind: Kind::Numeric,
        lines: "1214, 1218",
        reading: "At p = 3/4 and n = 1, and n = 2, X ~ Bin(n,p) exceeds its mean by a standard \
            deviation with positive probability.",
        see: &["berry-esseen-step"],
        checks: &[finite(
            "the largest X",
            Proved,
            "n <= 2, p = 3/4",
            truthful::one_deviation_witness,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "sum-epochs",
        kind: Kind::Identity,
        lines: "1223-1226",
        reading: "For k epochs of |T_i| = T/(5k) rounds: sum_i sqrt(|T_i|) = sqrt(Tk/5).",
        checks: &[finite("the squares", Proved, "all k and T", construction::sum_of_roots)],
        ..LOWER_BOUND
    },
    Claim {
        id: "last-epoch-zero",
        kind: Kind::Expectation,
        lines: "1227-1233",
        reading: "c < alpha* < 1 - c, so that of the last 4T/5 rounds the first half is below the \
            threshold and the second above; and E sum_t (x_t - p*_t) = E sum_t (x_t - c/2) = 0 \
            over the first half.",
        checks: &[finite(
            "alpha* of each search, and the mean outcome",
            Exhausted,
            "k <= 10, all decisions",
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
        checks: &[finite(
            "every number of ones",
            Exhausted,
            "T = 5, 10, ..., 200",
            strategic::deviation,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "strategic-Tprime",
        kind: Kind::Construction,
        lines: "1241-1243, 1256",
        reading: "For Delta < 0 and T' = max{t <= T: Delta + sum_(tau=3T/5+1)^(t-1) (x_(tau-1) - \
            1/2) < 0}: (1) Delta + sum_(t=3T/5+1)^T (x_(t-1) - 1/2) <= 1/2; (2) the bias left at \
            1/2 is at most 1/2; (3) a forecaster can predict 1/2 up to T', that is t <= T' depends \
            on x_1, ..., x_(t-1) only.",
        departs: "For (3) we read x_tau for x_(tau-1): the shifted index is a slip by itself.",
        see: &["E11", "strategic-chain"],
        checks: &[
            finite("(1)", Exhausted, "T = 5, 10, 15, all outcomes", strategic::printed),
            finite("(2)", Exhausted, "T = 5, 10, 15, all outcomes", strategic::left),
            finite("(3)", Exhausted, "T = 5, 10, 15, all outcomes", strategic::causal),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "E11",
        kind: Kind::Construction,
        lines: "1241, 1243, 1256",
        reading: "The definition of T' serves its purpose at T = 10. For x = \
            (0,0,0,0,0,0,1,1,1,1): (a) the bias left at 1/2 is at most 1/2, and (c) with x_t for \
            x_(t-1) so is the sum to T; (b) t = 9 <= T' is known after (0,0,0,0,0,0,1,1); (d) in \
            the mirrored case the bias left is within 1/2 of 0 for x = (1,1,0,0,0,0,1,1,1,1).",
        see: &["strategic-Tprime"],
        checks: &[
            finite("(a)", Exhausted, "T = 10, one x", strategic::left_witness),
            finite("(c)", Exhausted, "T = 10, one x", strategic::printed_witness),
            finite("(b)", Exhausted, "T = 10, one x", strategic::causal_witness),
            finite("(d)", Exhausted, "T = 10, one x", strategic::mirrored_witness),
        ],
        ..LOWER_BOUND
    },
    Claim {
        id: "strategic-event-E",
        kind: Kind::Construction,
        lines: "1244, 1257",
        reading: "If the bias at 1/2 is not brought back to 0 by round 9T/10, at least T/10 of the \
            rounds from \
                  3T/5 + 1 to 9T/10 have x_t = 0 (for Delta >= 0: rounds T/5 + 1 to T/2 and ones).",
        departs: "With the corrected T'.",
        see: &["E10", "E26", "E11", "strategic-chain"],
        tight: "T/20 + 1 zeros are needed and suffice for T a multiple of 20.",
        checks: &[finite(
            "every Delta and every window",
            Exhausted,
            "T = 5, 10, ..., 40",
            strategic::zeros,
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "E10",
        kind: Kind::Construction,
        lines: "1244, 1257",
        reading: "At T = 15, Delta = -3/2 with one zero in rounds 10 to 13, and at T = 40, Delta = \
            -4 with three \
                  zeros in rounds 25 to 36, the bias is brought back to 0 in these rounds.",
        see: &["strategic-event-E"],
        checks: &[finite("both walks", Exhausted, "T = 15, T = 40", strategic::zeros_witness)],
        ..LOWER_BOUND
    },
    Claim {
        id: "E26",
        kind: Kind::Expectation,
        lines: "1244, 1257",
        reading: "The event {T' <= 9T/10 and Delta < 0} has a probability that tends to 1: here, \
            it exceeds 1/2.",
        departs: "The paper has 1 - exp(-Omega(T)); more than 1/2 is the least that follows for \
            large T.",
        see: &["strategic-event-E"],
        checks: &[finite(
            "the event for k = 1, c = 1/16",
            Exhausted,
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
        checks: &[finite(
            "all terms, exactly",
            Exhausted,
            "all (k, T) with T <= 20",
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
        uses: &["lemma:stepCE-vs-stepCEsub"],
        see: &["TIGHT-c6", "TIGHT-sub-excess"],
        checks: &[Check::Law(
            law("stepce_sub <= stepce/2 + sqrt(T)")
                .mistake("stepce_sub <= stepce/2 + 0.2858*sqrt(T)"),
        )],
        ..LOWER_BOUND
    },
    Claim {
        id: "duplicate-err",
        kind: Kind::Prose,
        lines: "1273",
        reading: "The truthful penalties for stepCE and for stepCE^sub are both at least K sqrt(T \
            log(1/c)); the sentence names that for stepCE twice.",
        see: &["E28", "E45", "prop:soundlowerbound"],
        stated: "a slip of the pen: nothing to compute",
        ..LOWER_BOUND
    },
    Claim {
        id: "E28",
        kind: Kind::Prose,
        lines: "1273",
        reading: "The second of two equal names should be the penalty for stepCE^sub.",
        see: &["duplicate-err"],
        stated: "a slip of the pen: nothing to compute",
        ..LOWER_BOUND
    },
    Claim {
        id: "E45",
        kind: Kind::Prose,
        lines: "1242",
        reading: "In the rounds after 3T/5, p*_t equals 1 - c/2.",
        see: &["duplicate-err", "strategic-Tprime"],
        checks: &[finite(
            "mean and variance of p* on [1-c, 1]",
            Proved,
            "all c in (0, 1/16]",
            construction::near_one,
        )],
        ..LOWER_BOUND
    },
];

/// A row of this section to start from.
const LOWER_BOUND: Claim = Claim { section: sections::LOWER_BOUND, ..ROW };
