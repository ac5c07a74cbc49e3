//! One step of the algorithm, for all weights on a grid.

use crate::claims::surd::Surd;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, Zero};

use crate::claims::tools::{compositions, in_words, int, r, tables};
use truecal::definitions;
use truecal_lab::hedge::{Forecast, forecasts, signs};
use truecal_verify::registry::Evidence;

/// Weights in units of 1/`total` with their C, all those of a grid.
struct Weights {
    buckets: usize,
    plus: Vec<i64>,
    minus: Vec<i64>,
    total: i64,
    signs: Vec<Ratio<i64>>,
}

impl Weights {
    fn new(parts: &[i64], total: i64) -> Self {
        let (plus, minus) = parts.split_at(parts.len() / 2);
        let ratios =
            |parts: &[i64]| parts.iter().map(|&w| Ratio::new(w, total)).collect::<Vec<_>>();
        let signs = signs(&ratios(plus), &ratios(minus));
        Weights { buckets: plus.len(), plus: plus.into(), minus: minus.into(), total, signs }
    }

    /// p of a bucket
    fn point(&self, bucket: usize) -> Ratio<i64> {
        Ratio::new(bucket as i64, self.buckets as i64 - 1)
    }

    /// E_p E_w ℓ(x, p) = E_p C_p (x - p)
    fn loss(&self, forecast: &[(usize, Ratio<i64>)], x: i64) -> Ratio<i64> {
        let at =
            |(j, q): &(usize, Ratio<i64>)| q * self.signs[*j] * (Ratio::from(x) - self.point(*j));
        forecast.iter().map(at).sum()
    }

    /// max_x E_p E_w ℓ(x, p), times k - 1
    fn scaled_loss(&self, forecast: &[(usize, Ratio<i64>)]) -> Ratio<i64> {
        self.loss(forecast, 0).max(self.loss(forecast, 1)) * (self.buckets as i64 - 1)
    }

    /// E_w ℓ(x, p) literally: over all signs and buckets.
    fn literal_loss(&self, point: Ratio<i64>, x: i64) -> Ratio<i64> {
        let of = |i: usize| {
            let weight = Ratio::new(self.plus[i] - self.minus[i], self.total);
            if point <= self.point(i) { weight * (Ratio::from(x) - point) } else { Ratio::zero() }
        };
        (0..self.buckets).map(of).sum()
    }

    fn text(&self) -> String {
        format!(
            "k = {}, weights in units of 1/{}: w(+,.) = {:?}, w(-,.) = {:?}",
            self.buckets, self.total, self.plus, self.minus
        )
    }
}

/// All weights on grids of 24ths, 10ths and 6ths for 2, 3 and 4 buckets.
fn weights() -> impl Iterator<Item = Weights> {
    [(2, 24), (3, 10), (4, 6)].into_iter().flat_map(|(buckets, total)| {
        compositions(total, 2 * buckets).into_iter().map(move |parts| Weights::new(&parts, total))
    })
}

/// v <= 3 - 2 sqrt(2), that is (3 - v)² >= 8, for v below 3.
fn at_most_best(v: Ratio<i64>) -> bool {
    let left = Ratio::from(3) - v;
    left.is_positive() && left * left >= Ratio::from(8)
}

/// At most two neighbouring points with probabilities that add up to 1.
pub(super) fn two_points(evidence: &mut Evidence) {
    for weights in weights() {
        for forecast in forecasts(&weights.signs) {
            let total: Ratio<i64> = forecast.iter().map(|(_, q)| *q).sum();
            let fair = forecast.iter().all(|(_, q)| !q.is_negative()) && total == Ratio::one();
            let near =
                forecast.len() == 1 || forecast.len() == 2 && forecast[0].0 + 1 == forecast[1].0;
            evidence.case(fair && near, || weights.text());
        }
        let single = |j: usize| weights.scaled_loss(&[(j, Ratio::one())]);
        let best = (0..weights.buckets).map(single).min().expect("two buckets");
        evidence.mistake("one point is as good: (3 - 2 sqrt(2))/(k-1)", at_most_best(best), || {
            format!("{}\nbest single point: {best}/(k-1)", weights.text())
        });
    }
}

/// σ 1{p <= (i-1)/(k-1)} (x - p) for bucket i - 1 of k
fn loss(sign: i64, bucket: i64, x: i64, p: &BigRational, buckets: i64) -> BigRational {
    if *p > r(bucket, buckets - 1) { BigRational::zero() } else { int(sign) * (int(x) - p) }
}

/// Calls with every loss for up to 6 buckets, and its text.
fn each_loss(mut visit: impl FnMut(BigRational, &dyn Fn() -> String)) {
    for buckets in 2..=6 {
        for x in [1, 0] {
            for point in 0..buckets {
                let p = r(point, buckets - 1);
                for (sign, bucket) in (0..buckets).flat_map(|i| [(-1, i), (1, i)]) {
                    let text = || {
                        format!(
                            "k = {buckets}, x = {x}, p = {p}, sigma = {sign}, i = {}",
                            bucket + 1
                        )
                    };
                    visit(loss(sign, bucket, x, &p, buckets), &text);
                }
            }
        }
    }
}

/// -1 <= ℓ <= 1
pub(super) fn loss_range(evidence: &mut Evidence) {
    each_loss(|loss, text| {
        let shown = || format!("{}: ell = {loss}", text());
        evidence.case(int(-1) <= loss && loss <= int(1), shown);
        evidence.mistake("losses in [-1, 1)", loss < int(1), shown);
        evidence.mistake("losses in (-1, 1]", loss > int(-1), shown);
    });
}

/// stepCE by definition and the largest sum of losses.
pub(super) fn step_as_largest_loss(evidence: &mut Evidence) {
    for buckets in 2..=4_u32 {
        for levels in tables(4, buckets - 1) {
            let rounds = levels.to_rational().to_rounds();
            let sum = |sign: i64, bucket: i64| -> BigRational {
                let losses = rounds.iter();
                losses.map(|(x, p)| loss(sign, bucket, i64::from(*x), p, buckets.into())).sum()
            };
            let largest = |sign: i64| (0..buckets.into()).map(|i| sum(sign, i)).max();
            let (up, down) = (largest(1).expect("a bucket"), largest(-1).expect("a bucket"));
            let step = definitions::step_ce(&rounds);
            let shown = || {
                format!(
                    "k = {buckets}, {}\nstepCE = {step}, largest sums: {up} for sigma = 1, {down} \
                        for -1",
                    in_words(&rounds)
                )
            };
            evidence.case(step == up.clone().max(down.clone()), shown);
            evidence.mistake("without sigma = -1", step == up, shown);
        }
    }
}

/// 1 - ℓ/2 in [0, 1]
pub(super) fn cost_range(evidence: &mut Evidence) {
    each_loss(|loss, text| cost_case(evidence, &loss, text));
}

fn cost_case(evidence: &mut Evidence, loss: &BigRational, text: &dyn Fn() -> String) {
    let cost = int(1) - loss / int(2);
    evidence.case(!cost.is_negative() && cost <= int(1), || {
        format!("{}: ell = {loss}, 1 - ell/2 = {cost}", text())
    });
    let shifted = r(1, 2) - loss / int(2);
    evidence.corrected(
        "1 - ell/2 is in [1/2, 3/2], and 1/2 - ell/2 in [0, 1]",
        r(1, 2) <= cost && cost <= r(3, 2) && !shifted.is_negative() && shifted <= int(1),
    );
}

/// The erratum's own witness.
pub(super) fn cost_witness(evidence: &mut Evidence) {
    let text = || "k = 2, x = 1, p = 0, sigma = -1, i = 1".to_owned();
    cost_case(evidence, &loss(-1, 0, 1, &BigRational::zero(), 2), &text);
}

/// Regret in cost 1 - ℓ/2 or 1/2 - ℓ/2 is -1/2 times that in ℓ, at every weight, outcome and
/// expert.
pub(super) fn loss_and_cost(evidence: &mut Evidence) {
    for parts in compositions(6, 4) {
        for (x, point) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let experts = [(1, 0), (1, 1), (-1, 0), (-1, 1)];
            let losses = experts.map(|(sign, bucket)| loss(sign, bucket, x, &int(point), 2));
            let mean = |values: &[BigRational]| -> BigRational {
                parts.iter().zip(values).map(|(&weight, value)| r(weight, 6) * value).sum()
            };
            for shift in [r(1, 2), int(1)] {
                let costs = losses.clone().map(|loss| &shift - loss / int(2));
                let regret = mean(&costs) - &costs[0];
                let gain = &losses[0] - mean(&losses);
                let shown = || {
                    format!(
                        "weights {parts:?}/6, x = {x}, p = {point}: costs {regret}, losses {gain}"
                    )
                };
                evidence.case(regret == &gain / int(2), shown);
                evidence.mistake("equal, not half", regret == gain, shown);
            }
        }
    }
}

/// E_p E_w ℓ(x, p) literally against x E C_p - E p C_p. Both are bilinear in the weights and the
/// law of p, and with all weight on (σ, i) and p fixed both are σ 1{p <= (i-1)/(k-1)} (x - p). The
/// maximum over x is then max(E C_p, 0) - E p C_p.
pub(super) fn identity(evidence: &mut Evidence) {
    for (buckets, total) in [(2, 6), (3, 4)] {
        for parts in compositions(total, 2 * buckets) {
            let weights = Weights::new(&parts, total);
            for law in compositions(4, buckets) {
                let mean = |of: &dyn Fn(usize) -> Ratio<i64>| -> Ratio<i64> {
                    (0..buckets).map(|j| Ratio::new(law[j], 4) * of(j)).sum()
                };
                let literal = |x: i64| mean(&|j| weights.literal_loss(weights.point(j), x));
                let left = literal(0).max(literal(1));
                let bias = mean(&|j| weights.signs[j]);
                let drift = mean(&|j| weights.point(j) * weights.signs[j]);
                let shown = || {
                    let (law, text) = (&law, weights.text());
                    format!("{text}\nlaw of p {law:?}/4: {left}, E C_p = {bias}, E p C_p = {drift}")
                };
                let each = literal(0) == -drift && literal(1) == bias - drift;
                evidence.case(each && left == bias.max(Ratio::zero()) - drift, shown);
                evidence.mistake("E C_p without max", left == bias - drift, shown);
            }
        }
    }
}

/// If all C >= 0, the forecast is 1 and loses nothing: C_1 (x - 1) is 0 at x = 1 and -C_1 <= 0 at x
/// = 0.
pub(super) fn all_nonnegative(evidence: &mut Evidence) {
    one_sign(evidence, |c| !c.is_negative(), true, "predicting 0 instead");
}

/// If all C <= 0, the forecast is 0 and loses nothing: C_0 x is 0 at x = 0 and C_0 <= 0 at x = 1.
pub(super) fn all_nonpositive(evidence: &mut Evidence) {
    one_sign(evidence, |c| !c.is_positive(), false, "predicting 1 instead");
}

fn one_sign(evidence: &mut Evidence, sign: fn(&Ratio<i64>) -> bool, high: bool, mistake: &str) {
    for weights in weights() {
        if !weights.signs.iter().all(sign) {
            evidence.inapplicable();
            continue;
        }
        let last = weights.buckets - 1;
        let (right, wrong) = if high { (last, 0) } else { (0, last) };
        let loses = |bucket: usize| weights.scaled_loss(&[(bucket, Ratio::one())]);
        evidence.case(loses(right).is_zero(), || weights.text());
        evidence.mistake(mistake, loses(wrong).is_zero(), || weights.text());
    }
}

/// A pair of neighbours exists, and for every pair a q in [0, 1] that balances it. If all products
/// were positive, all C would have the sign of the first. And if C_p1 C_p2 <= 0, then 0 is between
/// the two.
pub(super) fn sign_change(evidence: &mut Evidence) {
    for weights in weights() {
        let signs = &weights.signs;
        let both = signs.iter().any(Signed::is_positive) && signs.iter().any(Signed::is_negative);
        if !both {
            evidence.inapplicable();
            continue;
        }
        let forecasts = forecasts(signs);
        let balanced = |forecast: &Forecast<i64>| {
            let fair = forecast.iter().all(|(_, q)| !q.is_negative());
            fair && forecast.iter().map(|(j, q)| q * signs[*j]).sum::<Ratio<i64>>().is_zero()
        };
        evidence.case(!forecasts.is_empty() && forecasts.iter().all(balanced), || weights.text());
        let strictly = signs.windows(2).any(|pair| (pair[0] * pair[1]).is_negative());
        evidence.mistake("C_p1 C_p2 < 0", strictly, || weights.text());
    }
}

/// max_x E_p E_w ℓ <= (3 - 2 sqrt(2))/(k-1): see [`best_constant`]. Then every choice for the
/// weights of the grids; and for neighbours with C = a > 0 and C = -b < 0, a + 2b <= 1.
pub(super) fn step_bound(evidence: &mut Evidence) {
    best_constant(evidence);
    for weights in weights() {
        for pair in weights.signs.windows(2) {
            let (a, b) = (pair[0], -pair[1]);
            if a.is_positive() && b.is_positive() {
                evidence.case(a + b + b <= Ratio::one(), || weights.text());
            }
        }
        for forecast in forecasts(&weights.signs) {
            let loss = weights.scaled_loss(&forecast);
            let shown = || format!("{}\nmax_x loss = {loss}/(k-1)", weights.text());
            evidence.case(at_most_best(loss), shown);
            evidence.mistake("0.1715/(k-1)", loss <= Ratio::new(343, 2000), shown);
        }
    }
}

/// By per-step-identity the loss is 0 unless C changes its sign, and -E p C_p = -(1-q) C_p2/(k-1)
/// if it does, as q C_p1 + (1-q) C_p2 = 0. With C = a and C = -b at the chosen neighbours that is
/// ab/(a+b)/(k-1) if a, b > 0, and otherwise at most 0. The weight of (+,j) is at least a + b and
/// that of all (-,i), i > j, at least b, so that a + 2b <= 1. As ab/(a+b) increases in a, it is at
/// most (1-2b)b/(1-b); and (3 - 2 sqrt(2))(1-b) - (1-2b)b = 2(b - b*)² with b* = 1 - 1/sqrt(2): an
/// identity of degree 2 in b, which three rational points prove. At b*, a* = sqrt(2) - 1 it is
/// attained.
fn best_constant(evidence: &mut Evidence) {
    let best = Surd(int(3), int(-2));
    let root = Surd(int(1), r(-1, 2));
    for b in [int(0), r(1, 4), r(1, 2)] {
        let value = Surd::rational((int(1) - int(2) * &b) * &b);
        let left = best.times(&Surd::rational(int(1) - &b)).minus(&value);
        let distance = Surd::rational(b.clone()).minus(&root);
        let square = Surd::rational(int(2)).times(&distance.times(&distance));
        evidence.case(left == square, || format!("b = {b}: {left}, {square}"));
    }
    let (a, b) = (Surd(int(-1), int(1)), root);
    let sum = a.plus(&b);
    evidence.case(a.times(&b) == best.times(&sum), || "ab = (3 - 2 sqrt(2))(a+b)".to_owned());
    evidence.case(sum.plus(&b) == Surd::rational(int(1)), || "a + 2b = 1".to_owned());
    // 99/100 (3 - 2 sqrt(2)) (a+b) - ab, with a, b as above, is a negative number.
    let smaller = best.times(&Surd::rational(r(99, 100)));
    let left = smaller.times(&sum).minus(&a.times(&b));
    evidence.mistake("99/100 of the constant", !left.is_negative(), || {
        format!("a = sqrt(2) - 1, b = 1 - 1/sqrt(2): difference {left}")
    });
}
