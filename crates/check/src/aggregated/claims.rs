//! The claims themselves.

use super::cases::{END, END_ROUND, ENDS, NEXT, RANGE, RULE, STEP_ABOVE, STEP_BELOW};
use super::{Aggregated, AggregatedCase};

/// Every claim that has a certificate for every T.
pub const ALL: &[Aggregated] = &[
    Aggregated {
        name: "altform",
        claim: "VCal = 2 sup g",
        rests_on: &[],
        argument: "VCal is the supremum over thresholds a and over the sign s of b - a of the \
            regret of the V-shaped rule with kink a against the constant b. Away from predictions \
            the two regrets with s = 1 and s = -1 are 2 (X_< - a N_<) and 2 (a N_> - X_>), so \
            their maximum is 2 g(a). At a prediction each of them is the average of its limits \
            from both sides, and the regret with s = 0 is the average of the other two, so no \
            value there exceeds the limits. A limit at a prediction of 0 or 1 that would be taken \
            from outside [0, 1] is at most 0, as are the regrets whose sign cannot occur there; \
            and both suprema are at least 0. g at a prediction is at most its limits.",
        cases: &[AggregatedCase {
            name: "threshold",
            setting: "N, X: rounds and ones below the threshold a; M, Z: at it; K, Y: above it. F, \
                G, H: the regrets with s = 1, -1, 0; C, D: 2 (X_< - a N_<) just below and just \
                above a; P, Q: 2 (a N_> - X_>) likewise.",
            variables: "a N X M Z K Y F G H C D P Q",
            facts: &[
                "F - a*K + Y + a*N - X + a*N + a*M + a*K - X - Z - Y",
                "-F + a*K - Y - a*N + X - a*N - a*M - a*K + X + Z + Y",
                "G - a*K + Y + a*N - X - a*N - a*M - a*K + X + Z + Y",
                "-G + a*K - Y - a*N + X + a*N + a*M + a*K - X - Z - Y",
                "H - a*K + Y + a*N - X",
                "-H + a*K - Y - a*N + X",
                "C - 2*X + 2*a*N",
                "-C + 2*X - 2*a*N",
                "D - 2*X - 2*Z + 2*a*N + 2*a*M",
                "-D + 2*X + 2*Z - 2*a*N - 2*a*M",
                "P - 2*a*K - 2*a*M + 2*Y + 2*Z",
                "-P + 2*a*K + 2*a*M - 2*Y - 2*Z",
                "Q - 2*a*K + 2*Y",
                "-Q + 2*a*K - 2*Y",
            ],
            goals: &[
                "2*F - C - D",
                "C + D - 2*F",
                "2*G - P - Q",
                "P + Q - 2*G",
                "2*H - F - G",
                "F + G - 2*H",
            ],
        }],
    },
    Aggregated {
        name: "ucal-majorant",
        claim: "UCal = 4 times the least concave majorant of g at 1/2",
        rests_on: &["altform"],
        argument: "Against a proper rule the mean is the best constant prediction, so regret is \
            against the mean. At most: let a line with heights u at 0 and w at 1 be over g, and S \
            a proper rule into [-1, 1]. Go through the predictions and the mean in order. Each \
            step from q to r adds D to S(0, .) and takes E from S(1, .); a step below the mean \
            adds X E - (N - X) D to the regret, where N and X count what is up to q, and a step \
            above (N - X) D - X E, where they count what is from r on. By the cases step-below and \
            step-above, divided by r - q > 0, that is at most w D + u E; the steps add up to at \
            most 2 in either value, so the regret is at most 2 (u + w) (case range). The least 2 \
            (u + w) is 4 times the majorant. At least: let a < 1/2 < b be the ends of the \
            majorant's chord over 1/2, where it is a value or a one-sided limit of g. Take \
            c = (2b-1)/(b-a) times the V-shaped rule with kink a plus d = (1-2a)/(b-a) times that \
            with kink b, where a prediction at a kink counts to the side on which it is while the \
            kink is approached; both are proper (case rule). Then c a + d b = 1, c + d = 2 and so \
            c (1-a) + d (1-b) = 1, with c, d >= 0 (case weights). The values are c a s + d b t for \
            x = 0 and minus c (1-a) s + d (1-b) t for x = 1, with s and t in [-1, 1], hence in \
            [-1, 1] (case mixture); \
            and the regret is 4 times the chord at 1/2, since the mean is best against both, whose \
            regrets are twice the values of g (altform). If \
            the majorant is g's own value or limit at 1/2, twice the V-shaped rule with kink 1/2 \
            does the same.",
        cases: &[
            RULE,
            STEP_BELOW,
            STEP_ABOVE,
            RANGE,
            AggregatedCase {
                name: "weights",
                setting: "0 <= a <= 1/2 <= b <= 1: the kinks of two V-shaped rules; c, d: their \
                    weights, given by (b-a) c = 2b-1 and (b-a) d = 1-2a. The goals, each b - a \
                    times what is said: c >= 0, d >= 0, c a + d b = 1 and c + d = 2 in both \
                    directions.",
                variables: "a b c d",
                facts: &[
                    "a",
                    "b",
                    "1 - 2*a",
                    "2*b - 1",
                    "b*c - a*c - 2*b + 1",
                    "2*b - 1 - b*c + a*c",
                    "b*d - a*d - 1 + 2*a",
                    "1 - 2*a - b*d + a*d",
                ],
                goals: &[
                    "b*c - a*c",
                    "b*d - a*d",
                    "a*b*c - a*a*c + b*b*d - a*b*d - b + a",
                    "b - a - a*b*c + a*a*c - b*b*d + a*b*d",
                    "b*c - a*c + b*d - a*d - 2*b + 2*a",
                    "2*b - 2*a - b*c + a*c - b*d + a*d",
                ],
            },
            AggregatedCase {
                name: "mixture",
                setting: "A, B: the shares of two rules in a value, with A + B = 1; s, t: the side \
                    on which each of them counts the prediction.",
                variables: "A B s t",
                facts: &["A", "B", "A + B - 1", "1 - A - B", "1 - s", "1 + s", "1 - t", "1 + t"],
                goals: &["1 - A*s - B*t", "1 + A*s + B*t"],
            },
        ],
    },
    Aggregated {
        name: "sign-step",
        claim: "signce <= 3*stepce",
        rests_on: &[],
        argument: "Every value of the signed sum is L - H for some threshold, at a prediction or \
            between two.",
        cases: &[AggregatedCase {
            name: "threshold",
            setting: "L, M, H: the biases below, at and above a threshold; S = stepCE, at least \
                the absolute value of L, L + M and L + M + H, which are prefix sums.",
            variables: "L M H S",
            facts: &["S - L", "S + L", "S - L - M", "S + L + M", "S - L - M - H", "S + L + M + H"],
            goals: &["3*S - L + H", "3*S + L - H"],
        }],
    },
    Aggregated {
        name: "bias-sign",
        claim: "abs(bias) <= signce",
        rests_on: &[],
        argument: "The bias is that of the predictions at 0, between 0 and 1, and at 1 together. \
            At 0 it only grows with each round, at 1 it only falls (case round), so it is b >= 0 \
            and c <= 0 there: the signed sum at the threshold 1 exceeds the bias by -c, and that \
            at 0 exceeds minus the bias by b. Case ends is about the absolute value of the bias.",
        cases: &[END_ROUND, ENDS],
    },
    Aggregated {
        name: "step-sign",
        claim: "stepce <= signce",
        rests_on: &["bias-sign"],
        argument: "A prefix of some but not all levels is L for a threshold between two levels; \
            that of all levels is the bias, which is at most signCE (bias-sign); the last two \
            facts of the case are that too.",
        cases: &[AggregatedCase {
            name: "prefix",
            setting: "L, H: the biases below and above a threshold between two levels, so that L + \
                H is the bias of all rounds; G = signCE.",
            variables: "L H G",
            facts: &["G - L + H", "G + L - H", "G - L - H", "G + L + H"],
            goals: &["G - L", "G + L"],
        }],
    },
    Aggregated {
        name: "vcal-step",
        claim: "vcal <= 4*stepce",
        rests_on: &["altform"],
        argument: "VCal is 0 or twice a limit of g at a prediction a (altform): from above, of X_< \
            - a N_<, with the levels up to a; from \
            below, of a N_> - X_>, with the levels from a on.",
        cases: &[
            AggregatedCase {
                name: "below",
                setting: "N, X, P: rounds, ones and the sum of predictions over the levels up to \
                    a; S = stepCE.",
                variables: "a N X P S",
                facts: &["a*N - P", "S - X + P", "S"],
                goals: &["4*S - 2*X + 2*a*N"],
            },
            AggregatedCase {
                name: "above",
                setting: "N, X, P: rounds, ones and the sum of predictions over the levels from a \
                    on; C: the bias of all \
                    rounds, so that C - X + P is the prefix sum below a; S = stepCE.",
                variables: "a N X P C S",
                facts: &["P - a*N", "S - C", "S + C", "S - C + X - P", "S + C - X + P"],
                goals: &["4*S + 2*X - 2*a*N"],
            },
        ],
    },
    Aggregated {
        name: "sides-step",
        claim: "X_< - a N_< <= stepCE and a N_> - X_> <= 2 stepCE",
        rests_on: &[],
        argument: "The chain of inequalities at a threshold a, at a prediction or not, or at one \
            from which a is approached. Round by round (the first two cases), the predictions \
            below a add up to at most a N_<, those above it to at least a N_>. So the bias below \
            a, which is a prefix sum, is at least X_< - a N_<; and minus the bias above it, which \
            is the difference of two prefix sums, is at least a N_> - X_>, and at most twice the \
            larger of their absolute values (the other two cases).",
        cases: &[
            AggregatedCase {
                name: "round-below",
                setting: "N, P: rounds and the sum of predictions below a so far; p: another one.",
                variables: "a N P p",
                facts: &["a*N - P", "a - p"],
                goals: &["a*N + a - P - p"],
            },
            AggregatedCase {
                name: "round-above",
                setting: "The same above a.",
                variables: "a N P p",
                facts: &["P - a*N", "p - a"],
                goals: &["P + p - a*N - a"],
            },
            AggregatedCase {
                name: "below",
                setting: "N, X, P: rounds, ones and the sum of predictions below a; S = stepCE.",
                variables: "a N X P S",
                facts: &["a*N - P", "S - X + P"],
                goals: &["S - X + a*N"],
            },
            AggregatedCase {
                name: "above",
                setting: "N, X, P: rounds, ones and the sum of predictions above a; C: the bias of \
                    all rounds; M: the larger of |C| \
                    and |C - X + P|, which are absolute values of prefix sums; S = stepCE.",
                variables: "a N X P C M S",
                facts: &["P - a*N", "M - C", "M + C", "M - C + X - P", "M + C - X + P", "S - M"],
                goals: &["2*M + X - a*N", "2*S + X - a*N"],
            },
        ],
    },
    Aggregated {
        name: "ucal-step",
        claim: "ucal <= 8*stepce",
        rests_on: &["ucal-majorant"],
        argument: "The level line at height u = w = 2 stepCE is over g at every prediction from \
            both sides (cases below and above), hence everywhere, since between predictions g is \
            the larger of two affine functions, and at 0 and 1 it is 0. A line over g bounds UCal \
            by 2 (u + w) (ucal-majorant), here 8 stepCE.",
        cases: &[
            AggregatedCase {
                name: "below",
                setting: "N, X, P: rounds, ones and the sum of predictions over the levels up to \
                    a, with that of a or without; S = stepCE.",
                variables: "a N X P S",
                facts: &["a*N - P", "S - X + P", "S"],
                goals: &["2*S - X + a*N"],
            },
            AggregatedCase {
                name: "above",
                setting: "N, X, P: the same over the levels from a on, with that of a or without; \
                    C: the bias of all rounds, so that C - X + P is a prefix sum; S = stepCE.",
                variables: "a N X P C S",
                facts: &["P - a*N", "S - C", "S + C", "S - C + X - P", "S + C - X + P"],
                goals: &["2*S + X - a*N"],
            },
        ],
    },
    Aggregated {
        name: "ucal-vcal",
        claim: "ucal <= 2*vcal",
        rests_on: &["altform", "ucal-majorant"],
        argument: "UCal is 4 times the least concave majorant of g at 1/2 (ucal-majorant), which \
            is g's own value or limit there, at most VCal/2 (altform), or lies on a chord between \
            two values or limits of g at a < 1/2 < b (the case).",
        cases: &[AggregatedCase {
            name: "chord",
            setting: "a < 1/2 < b: the ends of the chord; g, h: g there, at most VCal/2; U = UCal, \
                4 times the chord at 1/2, so that (b-a) U = 2 ((2b-1) g + (1-2a) h); V = VCal. The \
                goal is b - a times 2 VCal - UCal.",
            variables: "a b g h U V",
            facts: &[
                "1 - 2*a",
                "2*b - 1",
                "V - 2*g",
                "V - 2*h",
                "4*b*g - 2*g + 2*h - 4*a*h - b*U + a*U",
            ],
            goals: &["2*b*V - 2*a*V - b*U + a*U"],
        }],
    },
    Aggregated {
        name: "vcal-ucal",
        claim: "vcal <= ucal",
        rests_on: &[],
        argument: "A V-shaped rule is proper and has values in [-1, 1] (case rule), so UCal is a \
            supremum over more rules.",
        cases: &[RULE],
    },
    Aggregated {
        name: "step-sub",
        claim: "stepce <= 2*stepce_sub",
        rests_on: &[],
        argument: "Average the case over all subsets: a subset and its complement are equally \
            likely, so y and z both average to \
            stepCE^sub, and a + c is the prefix sum of all rounds, whichever the subset.",
        cases: &[AggregatedCase {
            name: "complement",
            setting: "a, c: a prefix sum over a subset of the rounds, and over its complement; y, \
                z: their stepCE.",
            variables: "a c y z",
            facts: &["y - a", "y + a", "z - c", "z + c"],
            goals: &["y + z - a - c", "y + z + a + c"],
        }],
    },
    Aggregated {
        name: "sub-step",
        claim: "stepce_sub <= stepce/2 + sqrt(T)",
        rests_on: &[],
        argument: "Order the rounds by their predictions and keep each with probability 1/2. A \
            prefix sum over the rounds that are kept is A/2 + X, where A is that over all rounds, \
            and X the sum of y_i - 1/2 times x_i - p_i: fair steps h = +-(x_i - p_i)/2. So its \
            stepCE is at most stepCE/2 + M, where M is the largest |X| so far (case kept). With s \
            = |X|, let G add up M times the change of s, step by step. Then 2 G <= 2 M s - M^2 \
            always: at first all are 0, a step without a new maximum changes both sides alike, and \
            one with a new maximum is case maximum. At the end M^2 + 4 G <= 4 s^2 (the cases end). \
            G does not fall in the mean, as s does not (case fair) and M >= 0 is known before the \
            step; and 4 X^2 is at most T in the \
            mean (case square). Hence M^2 has a mean of at most T, and M one of at most sqrt(T).",
        cases: &[
            AggregatedCase {
                name: "kept",
                setting: "A, X: a prefix sum over all rounds, and the deviation of that over the \
                    rounds that are kept from half of it; S = stepCE, M: the largest |X|.",
                variables: "A X S M",
                facts: &["S - A", "S + A", "M - X", "M + X"],
                goals: &["S + 2*M - A - 2*X", "S + 2*M + A + 2*X"],
            },
            AggregatedCase {
                name: "maximum",
                setting: "G, M, s before a step, and t >= M after it. The goal is 2 M s - M^2 - 2 \
                    G after it.",
                variables: "G M s t",
                facts: &["2*M*s - M*M - 2*G", "t - M"],
                goals: &["t*t - 2*G - 2*M*t + 2*M*s"],
            },
            AggregatedCase {
                name: "end-near",
                setting: "G, M, s at the end, if M <= 2 s.",
                variables: "G M s",
                facts: &["2*M*s - M*M - 2*G", "2*s - M"],
                goals: &["4*s*s - M*M - 4*G"],
            },
            AggregatedCase {
                name: "end-far",
                setting: "The same if M >= 2 s.",
                variables: "G M s",
                facts: &["2*M*s - M*M - 2*G", "M - 2*s"],
                goals: &["4*s*s - M*M - 4*G"],
            },
            AggregatedCase {
                name: "fair",
                setting: "X: the sum before a step of h or -h; u, v: its absolute value after it. \
                    The goals: their mean is at least |X|.",
                variables: "X h u v",
                facts: &["u - X - h", "u + X + h", "v - X + h", "v + X - h"],
                goals: &["u + v - 2*X", "u + v + 2*X"],
            },
            AggregatedCase {
                name: "square",
                setting: "Q: the mean of X^2 after N rounds; a = x - p in the next round, which \
                    adds a^2/4 to it. The goal: 4 times the mean is still at most the number of \
                    rounds.",
                variables: "Q N a",
                facts: &["N - 4*Q", "1 - a", "1 + a"],
                goals: &["N + 1 - 4*Q - a*a"],
            },
        ],
    },
    Aggregated {
        name: "ucal-sub",
        claim: "stepce_sub >= ucal/16",
        rests_on: &["ucal-step", "step-sub"],
        argument: "From ucal-step and step-sub.",
        cases: &[AggregatedCase {
            name: "chain",
            setting: "U = UCal, S = stepCE, Y = stepCE^sub.",
            variables: "U S Y",
            facts: &["8*S - U", "2*Y - S"],
            goals: &["16*Y - U"],
        }],
    },
    Aggregated {
        name: "step-ece",
        claim: "stepce <= ece",
        rests_on: &[],
        argument: "By induction over the levels, |B_j| <= |b_1| + … + |b_j|; the right side only \
            grows, up to ECE.",
        cases: &[AggregatedCase {
            name: "level",
            setting: "B, E: the bias of the levels so far, and the sum of its absolute values by \
                level; b, e: the bias of the next level and its absolute value.",
            variables: "B E b e",
            facts: &["E - B", "E + B", "e - b", "e + b"],
            goals: &["E + e - B - b", "E + e + B + b"],
        }],
    },
    Aggregated {
        name: "ece-step",
        claim: "ece <= (2*m - 1)*stepce",
        rests_on: &[],
        argument: "The first level's bias is a prefix sum, so at most stepCE in absolute value; \
            that of each other one is the difference of two (the case). Add up over the m levels.",
        cases: &[AggregatedCase {
            name: "other",
            setting: "B, C: the prefix sums before and after a level; S = stepCE.",
            variables: "B C S",
            facts: &["S - B", "S + B", "S - C", "S + C"],
            goals: &["2*S - C + B", "2*S + C - B"],
        }],
    },
    Aggregated {
        name: "interval-step",
        claim: "intervalce <= 2*stepce",
        rests_on: &[],
        argument: "The bias of the predictions in an interval is the difference of two prefix \
            sums.",
        cases: &[AggregatedCase {
            name: "interval",
            setting: "B, C: the prefix sums below an interval and up to its end; S = stepCE.",
            variables: "B C S",
            facts: &["S - B", "S + B", "S - C", "S + C"],
            goals: &["2*S - C + B", "2*S + C - B"],
        }],
    },
    Aggregated {
        name: "step-interval",
        claim: "stepce <= intervalce",
        rests_on: &[],
        argument: "The bias of the predictions in an interval is the difference of two prefix \
            sums, 0 among them; so intervalCE is the highest minus the lowest of them.",
        cases: &[AggregatedCase {
            name: "prefix",
            setting: "C: a prefix sum; H, L: the highest and the lowest of all and 0.",
            variables: "C H L",
            facts: &["H", "H - C", "-L", "C - L"],
            goals: &["H - L - C", "H - L + C"],
        }],
    },
    Aggregated {
        name: "smooth-step",
        claim: "smce <= 2*stepce",
        rests_on: &[],
        argument: "For a function f with values in [-1, 1] that is 1-Lipschitz, let W_j = f_1 b_1 \
            + … + f_j b_j - f_j B_j. Then W_1 = 0 and W_(j+1) = W_j - (f_(j+1) - f_j) B_j, so W_j \
            <= stepCE (v_j - v_1) by induction (case next), and the sum of all f_j b_j, which is \
            f_m B_m + W_m, is at most 2 stepCE (case end).",
        cases: &[NEXT, END],
    },
    Aggregated {
        name: "ssce-sub",
        claim: "ssce <= 2*stepce_sub",
        rests_on: &["smooth-step"],
        argument: "smCE <= 2 stepCE (smooth-step) on every subset of the rounds, averaged over the \
            subsets.",
        cases: &[NEXT, END],
    },
];
