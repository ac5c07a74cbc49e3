//! Claims for every number of rounds that depend on a few sums only, whatever they are sums of.

use super::symbolic::between;

/// Sums up to this many units, in 32 bits: three of them, doubled, fit.
const LARGE: i32 = 1 << 26;

harnesses! {
    /// f(α) = 2 g(α) for every T, from the sums of x - α below and above α, where no round is at α:
    /// x - y + |x + y| = 2 max(x, -y). So are its limits, with the rounds at α counted on either
    /// side.
    regret_of_two_sums / regret_of_two_sums_without_factor {
        claims: ["typical-f-2g", "prop:altform"],
        domain: "every two sums up to 2^27, 32 bits",
        cases: "2^56",
        unwind: 2,
        seconds: 10,
        proof: two_sums_give_the_regret(2),
        fault: "the factor 2 is 1" => two_sums_give_the_regret(1),
    }

    /// With rounds at α f is the average of its limits, in which these count on one side or on the
    /// other.
    regret_of_three_sums / regret_of_three_sums_tied_below {
        claims: ["eq:f-average-of-two-limits", "prop:altform"],
        domain: "every three sums up to 2^26, 32 bits",
        cases: "2^81",
        unwind: 2,
        seconds: 10,
        proof: three_sums_give_the_average(false),
        fault: "f at α is its limit from above" => three_sums_give_the_average(true),
    }

    /// X - αN <= X - P <= S where every prediction of the sum P is below α, and αN - X <= P - X <=
    /// 2 S where every one is above: three sums on either side stand for any number of rounds. So g
    /// <= 2 stepCE, and VCal <= 4 stepCE.
    regret_of_sums / regret_of_sums_with_factor_one {
        claims: ["case1", "case2-ineq", "case2-half", "VCal-bound"],
        domain: "every six sums up to 2^26, 32 bits",
        cases: "2^154",
        unwind: 2,
        seconds: 10,
        proof: sums_bound_the_regret(2),
        fault: "the factor 2 is 1" => sums_bound_the_regret(1),
    }

    /// A subset and its complement have biases a and b up to a threshold, and stepCE of at
    /// least |a| and |b|; together at least |a + b|. Averaged over all subsets: 2 stepCE^sub >=
    /// stepCE for every T.
    complementary_subsets / complementary_subsets_with_factor_one {
        claims: ["lemma:stepCE-vs-stepCEsub", "TIGHT-sub-step"],
        domain: "every a, b up to 2^26 and what is at least their size, 32 bits",
        cases: "2^104",
        unwind: 2,
        seconds: 10,
        proof: complements_add_up(1),
        fault: "twice the sum" => complements_add_up(2),
    }

    /// Summation by parts, its product: if f moves by d, no farther than the prediction does,
    /// and |B| <= S, then |d B| <= S · distance.
    summation_by_parts / summation_by_parts_too_far {
        claims: ["TIGHT-smce-step"],
        domain: "distances up to D = 8, |B| <= S <= 24",
        cases: "50 625",
        unwind: 2,
        seconds: 10,
        proof: moving_costs_the_distance(0),
        fault: "f moves one unit farther" => moving_costs_the_distance(1),
    }

    /// Summation by parts, one level at a time: with A = sum f b - f B up to a level, the next
    /// level takes d B from A, where d is the change of f; so |A| stays below S · distance. At the
    /// end sum f b = A + f B <= 2 S, as |f| <= 1 and distances add up to at most 1: smCE <= 2
    /// stepCE for every T. Products stand as numbers of their own here, bounded by
    /// `summation_by_parts`.
    sum_of_parts / sum_of_parts_with_factor_one {
        claims: ["TIGHT-smce-step"],
        domain: "every A, products and bounds up to 2^26, 32 bits",
        cases: "2^152",
        unwind: 2,
        seconds: 10,
        proof: parts_add_up(2),
        fault: "the factor 2 is 1" => parts_add_up(1),
    }
}

fn two_sums_give_the_regret(factor: i32) {
    let (below, above) = (between(-2 * LARGE, 2 * LARGE), between(-2 * LARGE, 2 * LARGE));
    let f = below - above + (below + above).abs();
    assert!(f == factor * below.max(-above));
    cover!(f > 0 && below < 0);
}

fn three_sums_give_the_average(from_above: bool) {
    // Σ (x - α) over the rounds below, at and above α.
    let (below, at, above) =
        (between(-LARGE, LARGE), between(-LARGE, LARGE), between(-LARGE, LARGE));
    let f = |tie: i32| below - above + tie + (below + at + above).abs();
    assert!(f(-at) + f(at) == 2 * f(if from_above { at } else { 0 }));
    cover!(at != 0 && f(0) > 0);
}

fn sums_bound_the_regret(factor: i32) {
    // Ones, sum of predictions and α times the rounds: below the threshold, then above it.
    let (x, p) = (between(0, LARGE), between(0, LARGE));
    let alpha = between(p, LARGE);
    let (y, q) = (between(0, LARGE), between(0, LARGE));
    let beta = between(0, q);
    let (below, all) = (x - p, x - p + y - q);
    let step = below.abs().max(all.abs());
    let g = (x - alpha).max(beta - y);
    assert!(x - alpha <= step);
    assert!(g <= factor * step);
    cover!(step > 0 && beta - y == factor * step);
}

fn complements_add_up(factor: i32) {
    let (a, b) = (between(-LARGE, LARGE), between(-LARGE, LARGE));
    let (one, other) = (between(a.abs(), LARGE), between(b.abs(), LARGE));
    let whole = (a + b).abs();
    assert!(one + other >= factor * whole);
    cover!(whole > 0 && one + other == factor * whole);
}

fn moving_costs_the_distance(farther: i16) {
    let bound = between(0_i16, 24);
    let prefix = between(-bound, bound);
    let distance = between(0_i16, 8);
    let moved = between(-distance - farther, distance + farther);
    assert!((moved * prefix).abs() <= bound * distance);
    cover!(bound > 0 && distance > 0 && moved * prefix == bound * distance);
}

fn parts_add_up(factor: i32) {
    // S times the distance so far, S times that to the next level; together at most S, as distances
    // are at most 1.
    let bound = between(0, LARGE);
    let passed = between(0, bound);
    let gap = between(0, bound - passed);
    let parts = between(-passed, passed);
    // d B, and the next f times the prefix sum there.
    let (change, last) = (between(-gap, gap), between(-bound, bound));
    let after = parts - change;
    assert!(after.abs() <= passed + gap);
    assert!(after + last <= factor * bound);
    cover!(bound > 0 && after + last == factor * bound);
}
