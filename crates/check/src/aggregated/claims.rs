//! The claims themselves.

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
        rests_on: &[],
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
            (2b-1)/(b-a) times the V-shaped rule with kink a plus (1-2a)/(b-a) times that with \
            kink b, where a prediction at a kink counts to the side on which it is while the kink \
            is approached; both are proper (case rule). The values are in [-1, 1] (case mixture), \
            and the regret is 4 times the chord at 1/2, since the mean is best against both. If \
            the majorant is g's own value or limit at 1/2, twice the V-shaped rule with kink 1/2 \
            does the same.",
        cases: &[
            RULE,
            STEP_BELOW,
            STEP_ABOVE,
            RANGE,
            AggregatedCase {
                name: "mixture",
                setting: "a <= 1/2 <= b: the kinks of two V-shaped rules; b - a times their \
                    weights c = (2b-1)/(b-a), d = (1-2a)/(b-a). The goals: weights >= 0, and the \
                    identities c a + d b = 1, c + d = 2 in both directions.",
                variables: "a b",
                facts: &["a", "1 - 2*a", "2*b - 1", "1 - b"],
                goals: &[
                    "2*b - 1",
                    "1 - 2*a",
                    "2*b*a - a + b - 2*a*b - b + a",
                    "-2*b*a + a - b + 2*a*b + b - a",
                    "2*b - 1 + 1 - 2*a - 2*b + 2*a",
                    "-2*b + 1 - 1 + 2*a + 2*b - 2*a",
                ],
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
        argument: "The bias is that of the predictions at 0, between 0 and 1, and at 1 together, \
            and the case is about its absolute value.",
        cases: &[ENDS],
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
        name: "bias-step",
        claim: "stepce >= abs(bias)",
        rests_on: &[],
        argument: "The bias is the prefix sum of all levels.",
        cases: &[AggregatedCase {
            name: "all",
            setting: "B: the bias of all rounds; S = stepCE, at least the absolute value of every \
                prefix sum.",
            variables: "B S",
            facts: &["S - B", "S + B"],
            goals: &["S - B", "S + B"],
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
            from which a is approached: the bias below a is a prefix sum and at least X_< - a N_<; \
            minus the bias above it is the difference of two prefix sums, at least a N_> - X_>, \
            and at most twice the larger of their absolute values.",
        cases: &[
            AggregatedCase {
                name: "below",
                setting: "N, X, P: rounds, ones and the sum of predictions below a; S = stepCE.",
                variables: "a N X P S",
                facts: &["a*N - P", "S - X + P"],
                goals: &["S - X + P", "X - P - X + a*N", "S - X + a*N"],
            },
            AggregatedCase {
                name: "above",
                setting: "N, X, P: rounds, ones and the sum of predictions above a; C: the bias of \
                    all rounds; M: the larger of |C| \
                    and |C - X + P|, which are absolute values of prefix sums; S = stepCE.",
                variables: "a N X P C M S",
                facts: &["P - a*N", "M - C", "M + C", "M - C + X - P", "M + C - X + P", "S - M"],
                goals: &["P - X - a*N + X", "2*M + X - a*N", "2*S + X - a*N"],
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
        argument: "The level line at height u = w = VCal/2 is over g (altform). A line over g \
            bounds UCal by 2 (u + w) (ucal-majorant), here 2 VCal.",
        cases: &[AggregatedCase {
            name: "line",
            setting: "g: a one-sided value of g at a prediction; V = VCal, at least twice that. \
                The goal is twice the height of the line over g.",
            variables: "g V",
            facts: &["V - 2*g", "V"],
            goals: &["V - 2*g"],
        }],
    },
    Aggregated {
        name: "vcal-ucal",
        claim: "vcal <= ucal",
        rests_on: &[],
        argument: "A V-shaped rule is proper and has values in [-1, 1] (the case), so UCal is a \
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
        argument: "The first level's bias is a prefix sum, that of each other one the difference \
            of two. Add up over the m levels.",
        cases: &[
            AggregatedCase {
                name: "first",
                setting: "b: the bias of the first level; S = stepCE.",
                variables: "b S",
                facts: &["S - b", "S + b"],
                goals: &["S - b", "S + b"],
            },
            AggregatedCase {
                name: "other",
                setting: "B, C: the prefix sums before and after a level; S = stepCE.",
                variables: "B C S",
                facts: &["S - B", "S + B", "S - C", "S + C"],
                goals: &["2*S - C + B", "2*S + C - B"],
            },
        ],
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
        argument: "Predictions up to a threshold are those in an interval that begins at 0.",
        cases: &[AggregatedCase {
            name: "prefix",
            setting: "C: a prefix sum; I: the interval error, at least the absolute value of the \
                bias in every interval.",
            variables: "C I",
            facts: &["I - C", "I + C"],
            goals: &["I - C", "I + C"],
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

const RULE: AggregatedCase = AggregatedCase {
    name: "rule",
    setting: "a: the kink of a V-shaped rule; d: how far the true probability is from it. The \
        values are a and -a for x = 0, a - 1 and 1 - a for x = 1, which the first two goals put in \
        [-1, 1]; the expected loss of a prediction on the right side is -d, of one on the wrong \
        side d, and 0 if it counts to neither.",
    variables: "a d",
    facts: &["a", "1 - a", "d"],
    goals: &["1 - a", "a", "2*d", "d"],
};

const ENDS: AggregatedCase = AggregatedCase {
    name: "ends",
    setting: "b, R, c: the biases at prediction 0, between 0 and 1, and at 1; b counts ones, and c \
        is minus a count of zeros. The signed sum is b + R at the threshold 1 and -(R + c) at 0; G \
        = signCE, at least the absolute value of both. The last two goals: the sum at 1 is at \
        least the bias, and that at 0 at least minus the bias.",
    variables: "b R c G",
    facts: &["b", "-c", "G - R - c", "G + R + c", "G - b - R", "G + b + R"],
    goals: &["G - b - R - c", "G + b + R + c", "b + R - b - R - c", "-R - c + b + R + c"],
};

const NEXT: AggregatedCase = AggregatedCase {
    name: "next",
    setting: "g = v_j - v_1, d = v_(j+1) - v_j, F = f_(j+1) - f_j, B = B_j, W = W_j, S = stepCE.",
    variables: "g d F B W S",
    facts: &["d - F", "d + F", "S - B", "S + B", "S*g - W"],
    goals: &["S*g + S*d - W + F*B"],
};

const END: AggregatedCase = AggregatedCase {
    name: "end",
    setting: "g = v_m - v_1, f = f_m, B = B_m, W = W_m, S = stepCE.",
    variables: "g f B W S",
    facts: &["1 - g", "1 - f", "1 + f", "S - B", "S + B", "S*g - W", "S"],
    goals: &["2*S - f*B - W"],
};

const STEP_BELOW: AggregatedCase = AggregatedCase {
    name: "step-below",
    setting: "q < r: neighbours among the predictions and the mean, up to the mean; D = S(0,r) - \
        S(0,q), E = S(1,q) - S(1,r), for a proper rule S; N, X: rounds and ones up to q; u, w: the \
        heights at 0 and 1 of a line over g. The goal is r - q times w D + u E - (X E - (N - X) \
        D).",
    variables: "q r D E N X u w",
    facts: &[
        "D - q*D - q*E",
        "r*E - D + r*D",
        "u - u*q + w*q - X + N*q",
        "u - u*r + w*r - X + N*r",
    ],
    goals: &["r*w*D + r*u*E - r*X*E + r*N*D - r*X*D - q*w*D - q*u*E + q*X*E - q*N*D + q*X*D"],
};

const STEP_ABOVE: AggregatedCase = AggregatedCase {
    name: "step-above",
    setting: "The same from the mean on; N, X: rounds and ones from r on. The goal is r - q times \
        w D + u E - ((N - X) D - X E).",
    variables: "q r D E N X u w",
    facts: &[
        "D - q*D - q*E",
        "r*E - D + r*D",
        "u - u*q + w*q + X - N*q",
        "u - u*r + w*r + X - N*r",
    ],
    goals: &["r*w*D + r*u*E + r*X*E - r*N*D + r*X*D - q*w*D - q*u*E - q*X*E + q*N*D - q*X*D"],
};

const RANGE: AggregatedCase = AggregatedCase {
    name: "range",
    setting: "D, E: their sums over all steps, at most 2; u, w: the heights of the line, at least \
        g(0) >= 0 and g(1) >= 0.",
    variables: "D E u w",
    facts: &["u", "w", "2 - D", "2 - E"],
    goals: &["2*u + 2*w - w*D - u*E"],
};
