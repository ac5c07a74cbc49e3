//! Cases that stand in several claims, or that are long.

use super::AggregatedCase;

pub(super) const RULE: AggregatedCase = AggregatedCase {
    name: "rule",
    setting: "a: the kink of a V-shaped rule; s: the side on which it counts a prediction, from -1 \
        to 1; q: the true probability, and d = |a - q|. The values are s a for x = 0 and -s (1 - \
        a) for x = 1, which the first four goals put in [-1, 1]. The expected loss is s (a - q), \
        and -d on the right side: the last goal is how much more it is.",
    variables: "a s q d",
    facts: &["a", "1 - a", "1 - s", "1 + s", "d - a + q", "d + a - q"],
    goals: &["1 - s*a", "1 + s*a", "1 - s + s*a", "1 + s - s*a", "d + s*a - s*q"],
};

pub(super) const END_ROUND: AggregatedCase = AggregatedCase {
    name: "round",
    setting: "b, c: the biases at predictions 0 and 1 so far; x: the outcome of another round, \
        which adds x to b at 0, or x - 1 to c at 1.",
    variables: "b c x",
    facts: &["b", "-c", "x", "1 - x"],
    goals: &["b + x", "1 - c - x"],
};

pub(super) const ENDS: AggregatedCase = AggregatedCase {
    name: "ends",
    setting: "b, R, c: the biases at prediction 0, between 0 and 1, and at 1. The signed sum is b \
        + R at the threshold 1 and -(R + c) at 0; G = signCE, at least the absolute value of both.",
    variables: "b R c G",
    facts: &["b", "-c", "G - R - c", "G + R + c", "G - b - R", "G + b + R"],
    goals: &["G - b - R - c", "G + b + R + c"],
};

pub(super) const NEXT: AggregatedCase = AggregatedCase {
    name: "next",
    setting: "g = v_j - v_1, d = v_(j+1) - v_j, F = f_(j+1) - f_j, B = B_j, W = W_j, S = stepCE.",
    variables: "g d F B W S",
    facts: &["d - F", "d + F", "S - B", "S + B", "S*g - W"],
    goals: &["S*g + S*d - W + F*B"],
};

pub(super) const END: AggregatedCase = AggregatedCase {
    name: "end",
    setting: "g = v_m - v_1, f = f_m, B = B_m, W = W_m, S = stepCE.",
    variables: "g f B W S",
    facts: &["1 - g", "1 - f", "1 + f", "S - B", "S + B", "S*g - W", "S"],
    goals: &["2*S - f*B - W"],
};

pub(super) const STEP_BELOW: AggregatedCase = AggregatedCase {
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

pub(super) const STEP_ABOVE: AggregatedCase = AggregatedCase {
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

pub(super) const RANGE: AggregatedCase = AggregatedCase {
    name: "range",
    setting: "D, E: their sums over all steps, at most 2; u, w: the heights of the line, at least \
        g(0) >= 0 and g(1) >= 0.",
    variables: "D E u w",
    facts: &["u", "w", "2 - D", "2 - E"],
    goals: &["2*u + 2*w - w*D - u*E"],
};
