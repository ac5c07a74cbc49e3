//! What one epoch of the search adds to the bias of the truthful forecaster: the statements that
//! take the place of two steps of the paper.

use num_traits::Zero;

use super::truthful::{
    FEW, both_sides, places, positive_part, positive_part_is_large,
    positive_part_is_large_for_large, stirling,
};
use crate::claims::sections;
use crate::claims::tools::{finite, int, r, uniform_moment};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Scope::All;
use truecal_verify::registry::{Claim, Evidence, Kind, ROW};

/// The rows.
pub(in crate::claims) const CLAIMS: &[Claim] = &[
    Claim {
        id: "binomial-mad",
        section: sections::LOWER_BOUND,
        kind: Kind::Expectation,
        lines: "1214-1221",
        reading: "For all n >= 1, p in [1/4, 3/4] and X ~ Bin(n,p): E max(X - np, 0) >= (81/512) \
            sqrt(n).",
        departs: "In place of berry-esseen-step, whose first inequality fails for small n.",
        see: &["berry-esseen-step", "E18"],
        tight: "81/512, at n = 4 and p = 1/4 or 3/4.",
        checks: &[finite!(
            "turning points, and Stirling's formula",
            All,
            "all n and p in [1/4, 3/4]",
            mean_deviation,
        )],
        ..ROW
    },
    Claim {
        id: "epoch-bias",
        section: sections::LOWER_BOUND,
        kind: Kind::Expectation,
        lines: "1206-1210",
        reading: "Given the past of an epoch of n rounds around w_i = w, with c = 2^-(k+3): E \
            sum_(t in T_i) (x_t - p*_t) 1{p*_t <= alpha*} = (1 - c^2/(12 w (1-w))) E max(X - nw, \
            0), X ~ Bin(n,w), which is at least (575/576)(81/512) sqrt(n).",
        departs: "In place of replace-pstar-by-w, which lacks the factor.",
        uses: &[
            "w-separation",
            "w-order",
            "variance-3-16",
            "binomial-positive-part",
            "binomial-mad",
        ],
        see: &["replace-pstar-by-w", "E09"],
        checks: &[finite!(
            "p* given x; sums over outcomes",
            All,
            "all k, n, w; tried for n <= 6",
            bias_of_epoch,
        )],
        ..ROW
    },
];

/// E max(X - np, 0) >= (81/512) sqrt(n): for n below [`FEW`] at every turning point
/// ([`positive_part_is_large`]), from there on by [`positive_part_is_large_for_large`], whose two
/// monotone sequences are tried here.
fn mean_deviation(evidence: &mut Evidence) {
    for n in 1..FEW {
        evidence.case(positive_part_is_large(n), || format!("n = {n}"));
    }
    evidence.case(positive_part_is_large_for_large(), || format!("n >= {FEW}"));
    for n in 1..=19_i64 {
        let (now, next) = (stirling(n), stirling(n + 1));
        let falls = next.at_most(&now) == Some(true);
        let twelfth = Enclosure::ratio(1, 12 * n * (n + 1));
        let slowly = (&now - &next).at_most(&twelfth) == Some(true);
        evidence.case(falls && slowly && (2 * n + 1).pow(2) - 1 == 4 * n * (n + 1), || {
            format!("d_{n} = {now:.6}, then {next:.6}")
        });
    }
    for n in 1..=8 {
        let part = positive_part(n, &r(1, 4));
        evidence.mistake(
            "101/100 of 81/512",
            &part * &part >= r(8181, 51200).pow(2) * int(n),
            || format!("n = {n}, p = 1/4: E max(X - np, 0) = {part}"),
        );
    }
}

/// For p*_t in the epoch, |p*_t - w| <= c/2, while |w - α*| >= 2^-(k+3) = c (w-separation): so p*_t
/// <= α* exactly if w < α*, that is if X >= nw (w-order), an event that x decides.
///
/// With m = E p*² = w² + c²/12, E (x - p*) x = w - m and E (x - p*)(1 - x) = -(w - m). So E[x - p*;
/// x] is (w - m)/w at x = 1 and -(w - m)/(1-w) at x = 0: both are f (x - w) with f = (w -
/// m)/(w(1-w)) = 1 - c²/(12 w(1-w)), identities of degree 2 in w and in c, on three values of each.
/// The rounds are independent, so that the mean of Σ (x_t - p*_t) given x is f (X - nw): for every
/// n. f is least at c = 1/16, w(1-w) = 3/16 (variance-3-16), where it is 575/576;
/// binomial-positive-part and binomial-mad do the rest, as w is within 1/16 + 1/32 + … < 1/8 of
/// 1/2. All outcomes of n <= 6 rounds are tried.
fn bias_of_epoch(evidence: &mut Evidence) {
    let least = int(1) - r(1, 256) / (int(12) * r(3, 16));
    evidence.case(least == r(575, 576), || format!("1 - c^2/(12 w (1-w)) >= {least}"));
    for w in places() {
        for c in [r(1, 16), r(1, 32), r(1, 64)] {
            let half = &c / int(2);
            let second = uniform_moment(&(&w - &half), &(&w + &half), 2);
            let spread = &w * (int(1) - &w);
            let factor = int(1) - &c * &c / (int(12) * &spread);
            let text = || format!("w = {w}, c = {c}: E p*^2 = {second}");
            evidence.case(&w - &second == &factor * &spread && factor >= least, text);
            for n in 1..=6 {
                let (bias, centred) = both_sides(n, &w, &c);
                let text = || format!("n = {n}, w = {w}, c = {c}: {bias} and {centred}");
                let positive = positive_part(n, &w);
                evidence.case(bias == &factor * &positive && !positive.is_zero(), text);
                evidence.mistake("without the factor", bias == positive, text);
            }
        }
    }
}
