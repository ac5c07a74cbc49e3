//! Checks of the conditions on a random subset under which the hedged forecasts have VCal = 0
//! (L798-873).

use num_rational::BigRational;
use num_traits::Zero;

use super::binomial::{Binomial, complement};
use super::halves::{Forecast, table};
use crate::claims::tools::{int, r, value};
use truecal::Measure;
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// How many rounds of each half are sampled, and how many of them are ones.
#[derive(Clone, Copy)]
struct Sample {
    n1: u64,
    n2: u64,
    x1: u64,
    x2: u64,
}

/// Every sample of T rounds that meets the conditions with the paper's eps = 1/40, in lexicographic
/// order.
fn samples(rounds: u64) -> impl Iterator<Item = Sample> {
    let counts = move || (0..=rounds / 2).filter(move |n| near_quarter(*n, rounds, 40));
    let pairs = counts().flat_map(move |n1| counts().map(move |n2| (n1, n2)));
    let all = pairs.flat_map(|(n1, n2)| {
        (0..=n1).flat_map(move |x1| (0..=n2).map(move |x2| Sample { n1, n2, x1, x2 }))
    });
    all.filter(move |sample| sample.meets(rounds, 40))
}

/// |number - T/4| <= T/e
fn near_quarter(number: u64, rounds: u64, e: u64) -> bool {
    (4 * e * number).abs_diff(e * rounds) <= 4 * rounds
}

impl Sample {
    /// The conditions of L801-806 with eps = 1/e.
    fn meets(self, rounds: u64, e: u64) -> bool {
        [self.n1, self.n2, self.x1 + self.x2].into_iter().all(|n| near_quarter(n, rounds, e))
            && 20 * e * self.x1 <= e * rounds + 20 * rounds
            && 5 * e * self.x2 + 5 * rounds >= e * rounds
    }

    fn v_cal(self) -> BigRational {
        let table = table(Forecast::Hedged, (self.n1, self.x1), (self.n2, self.x2));
        value(&table, Measure::VCal)
    }
}

/// eps of the paper.
fn paper_eps() -> BigRational {
    r(1, 40)
}

/// One displayed bound: the quantity at its worst threshold, the expression after the conditions
/// are put in, and what the paper makes of that. The quantity is linear in the counts and ones, so
/// that it is largest where these are at the ends that the conditions leave; the other two are
/// affine in T and eps T, and agree if they do at (1, 0) and (1, 1).
struct Bound {
    name: &'static str,
    quantity: fn(&Sample) -> BigRational,
    substituted: fn(&BigRational) -> BigRational,
    stated: fn(&BigRational) -> BigRational,
    /// Where the bound reaches 0.
    critical: BigRational,
}

impl Bound {
    fn check(&self, evidence: &mut Evidence) {
        for eps in [int(0), int(1), paper_eps()] {
            let (substituted, stated) = ((self.substituted)(&eps), (self.stated)(&eps));
            evidence.case(substituted == stated, || {
                format!("{}, T = 1, eps = {eps}\n{substituted} against {stated}", self.name)
            });
        }
        let negative = |eps: &BigRational| (self.stated)(eps) < int(0);
        let words = || format!("{}, T = 1: {}", self.name, (self.stated)(&self.critical));
        evidence.case(negative(&paper_eps()), || self.name.to_owned());
        let mistake = format!("eps = {} as well", self.critical);
        evidence.mistake(&mistake, negative(&self.critical), words);
        for rounds in (2..=80).step_by(2) {
            for sample in samples(rounds) {
                let quantity = (self.quantity)(&sample);
                evidence.case(quantity <= (self.stated)(&paper_eps()) * int(rounds), || {
                    let Sample { n1, n2, x1, x2 } = sample;
                    let name = self.name;
                    format!("{name}, T = {rounds}\nN = {n1}, {n2}, X = {x1}, {x2}: {quantity}")
                });
            }
        }
    }
}

/// alpha in [0, 2/5): worst as alpha -> 2/5.
pub(super) fn below_two_fifths(evidence: &mut Evidence) {
    let bound = Bound {
        name: "2/5 (N_1 + N_2) - (X_1 + X_2)",
        quantity: |s| r(2, 5) * int(s.n1 + s.n2) - int(s.x1 + s.x2),
        substituted: |eps| r(2, 5) * (r(1, 2) + int(2) * eps) - (r(1, 4) - eps),
        stated: |eps| r(-1, 20) + r(9, 5) * eps,
        critical: r(1, 36),
    };
    bound.check(evidence);
}

/// alpha = 2/5
pub(super) fn at_two_fifths(evidence: &mut Evidence) {
    let bound = Bound {
        name: "2/5 N_2 - X_2",
        quantity: |s| r(2, 5) * int(s.n2) - int(s.x2),
        substituted: |eps| r(2, 5) * (r(1, 4) + eps) - (r(1, 5) - eps),
        stated: |eps| r(-1, 10) + r(7, 5) * eps,
        critical: r(1, 14),
    };
    bound.check(evidence);
}

/// alpha in (2/5, 3/5): worst as alpha -> 2/5 below, as alpha -> 3/5 above.
pub(super) fn between(evidence: &mut Evidence) {
    let below = Bound {
        name: "X_1 - 2/5 N_1",
        quantity: |s| int(s.x1) - r(2, 5) * int(s.n1),
        substituted: |eps| r(1, 20) + eps - r(2, 5) * (r(1, 4) - eps),
        stated: |eps| r(-1, 20) + r(7, 5) * eps,
        critical: r(1, 28),
    };
    let above = Bound {
        name: "3/5 N_2 - X_2",
        quantity: |s| r(3, 5) * int(s.n2) - int(s.x2),
        substituted: |eps| r(3, 5) * (r(1, 4) + eps) - (r(1, 5) - eps),
        stated: |eps| r(-1, 20) + r(8, 5) * eps,
        critical: r(1, 32),
    };
    below.check(evidence);
    above.check(evidence);
}

/// Every sample that meets the conditions with eps = 1/40 against VCal = 0; what holds instead is
/// tried on those that `kept` keeps.
fn zero_under(evidence: &mut Evidence, corrected: &str, kept: fn(u64, &Sample) -> bool) {
    for rounds in (2..=100).step_by(2) {
        for sample in samples(rounds) {
            let v = sample.v_cal();
            evidence.case(v.is_zero(), || refutation(rounds, &sample, &v));
            if kept(rounds, &sample) {
                evidence.corrected(corrected, v.is_zero());
            }
        }
    }
}

fn refutation(rounds: u64, sample: &Sample, v: &BigRational) -> String {
    let &Sample { n1, n2, x1, x2 } = sample;
    let t = int(rounds);
    let [low, high] = [&t / int(4) - &t / int(40), &t / int(4) + &t / int(40)];
    let [most, least] = [&t / int(20) + &t / int(40), &t / int(5) - &t / int(40)];
    let excess = int(x1 + x2) - r(3, 5) * int(n1 + n2);
    format!(
        "T = {rounds}, N_1 = {n1}, N_2 = {n2}, X_1 = {x1}, X_2 = {x2}\n\
         conditions: N_1, N_2, X_1 + X_2 in [{low}, {high}], X_1 <= {most}, X_2 >= {least}\n\
         alpha -> 3/5 from above: X_- - alpha N_- -> {} - 3/5 * {} = {excess}\nVCal = {v}",
        x1 + x2,
        n1 + n2
    )
}

/// VCal = 0 fails first at T = 40; with eps = 1/44 it holds.
pub(super) fn symmetry(evidence: &mut Evidence) {
    let corrected = "with eps = 1/44 in place of 1/40 the conditions imply VCal = 0";
    zero_under(evidence, corrected, |rounds, sample| sample.meets(rounds, 44));
}

/// The same, repaired by the condition that symmetry would need: the zeros, too, are T/4 up to eps
/// T.
pub(super) fn with_zeros(evidence: &mut Evidence) {
    let corrected = "if N_1 + N_2 - X_1 - X_2 is in [T/4 - T/40, T/4 + T/40] as well, VCal = 0";
    zero_under(evidence, corrected, |rounds, sample| {
        let zeros = int(40 * (sample.n1 + sample.n2 - sample.x1 - sample.x2));
        int(9 * rounds) <= zeros && zeros <= int(11 * rounds)
    });
}

/// The exact probability that each condition fails against its term of 6 e^(-4 eps^2 T) + 2 e^(-2
/// eps^2 T), for even T <= 400 and two more. For every T the terms are Hoeffding's: of T/2 or, for
/// the sum, T independent rounds.
pub(super) fn tails(evidence: &mut Evidence) {
    for t in (2..=400_i64).step_by(2).chain([800, 1600]) {
        let law = |p| Binomial::new(t.unsigned_abs() / 2, &p);
        let (count, ones1, ones2) = (law(r(1, 2)), law(r(1, 10)), law(r(2, 5)));
        // The last integers that meet the conditions: the ends are 9T/40, 11T/40, 3T/40, 7T/40.
        let [high, most] = [11, 3].map(|share| share * t / 40);
        let [low, least] = [9, 7].map(|share| (share * t + 39) / 40);
        let n = count.above(high) + complement(&count.above(low - 1));
        let x1 = ones1.above(most);
        let x2 = complement(&ones2.above(least - 1));
        let sum = ones1.sum_above(&ones2, high) + complement(&ones1.sum_above(&ones2, low - 1));
        let words = || {
            let [n, x1, x2, sum] = [&n, &x1, &x2, &sum].map(Enclosure::exact);
            format!(
                "T = {t}\nP(N_1) = {n:.6}, P(X_1) = {x1:.6}, P(X_2) = {x2:.6}, P(sum) = {sum:.6}"
            )
        };
        let within = |probability: &BigRational, factor: i64, per: i64| {
            let bound = Enclosure::from(factor) * Enclosure::ratio(-t, per).exp();
            Enclosure::exact(probability).at_most(&bound) == Some(true)
        };
        let single = within(&n, 2, 400) && within(&x1, 1, 400) && within(&x2, 1, 400);
        evidence.case(single && within(&sum, 2, 800), words);
        evidence.mistake("2 e^(-8 eps^2 T) for N_1", within(&n, 2, 200), words);
    }
}
