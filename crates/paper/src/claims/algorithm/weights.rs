//! One step of the algorithm, for all weights on a grid.

use crate::claims::surd::Surd;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Pow, Signed, Zero};

use crate::claims::tools::{commas, compositions, in_words, int, r, tables};
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

/// Calls with all weight on one expert, and each point, for up to 6 buckets.
fn each_corner(mut visit: impl FnMut(&Weights, usize)) {
    for buckets in 2..=6 {
        for expert in 0..2 * buckets {
            let mut parts = vec![0; 2 * buckets];
            parts[expert] = 1;
            let weights = Weights::new(&parts, 1);
            (0..buckets).for_each(|bucket| visit(&weights, bucket));
        }
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

/// The first two branches predict a single point. The third takes neighbours p1 < p2 with q and 1 -
/// q, where q is in [0, 1] (sign-change-exists): two points at most, whatever k and the weights
/// are. The weights of the grids are tried, with every choice that the algorithm has there.
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

/// ℓ is 0 or σ(x - p), which is linear in p: the ends p = 0 and p = 1 suffice for [-1, 1], whatever
/// k and i are.
///
/// stepCE is the largest |S(α)|, S(α) = Σ_t (x_t - p_t) 1{p_t <= α}, over α in [0, 1]. If all p_t
/// are multiples of 1/(k-1), then S(α) = S((i-1)/(k-1)) for α from (i-1)/(k-1) up to, but without,
/// i/(k-1): so stepCE is the largest of |S((i-1)/(k-1))|, i = 1, …, k, and |S| is the larger of S
/// and -S, which are the sums of ℓ_(+,i) and of ℓ_(-,i). Both statements are tried on grids.
pub(super) fn loss_range(evidence: &mut Evidence) {
    each_loss(|loss, text| {
        let shown = || format!("{}: ell = {loss}", text());
        evidence.case(int(-1) <= loss && loss <= int(1), shown);
        evidence.mistake("losses in [-1, 1)", loss < int(1), shown);
        evidence.mistake("losses in (-1, 1]", loss > int(-1), shown);
    });
    step_as_largest_loss(evidence);
}

/// stepCE by definition and the largest sum of losses.
fn step_as_largest_loss(evidence: &mut Evidence) {
    // In units of 1/(k-1), from (i-1)/(k-1) on: an alpha in [0,1) against p before, at and after 0.
    for (p, halves) in (-1..=1).flat_map(|p| (0..2).map(move |halves| (p, halves))) {
        evidence.case((2 * p <= halves) == (p <= 0), || format!("p = {p}, alpha = {halves}/2"));
    }
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

/// With cost = s - ℓ/2 the mean cost under weights that add up to 1 is s minus half of the mean of
/// ℓ, so the difference to any expert is -1/2 times that in ℓ: for all k, s, weights and losses.
/// Those of two buckets are tried.
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

/// E_p E_w ℓ(x, p) = x E C_p - E p C_p: both sides are linear in the weights and in the law of p,
/// so one expert and one point suffice, for every k. With all weight on (σ, i), C_p is σ 1{p <=
/// (i-1)/(k-1)} by definition, and C_p (x - p) is ℓ(x, p). Of the two values x = 0 and x = 1 the
/// larger one is max(E C_p, 0) - E p C_p. First these corners for k <= 6, then weights and laws on
/// grids are tried.
pub(super) fn identity(evidence: &mut Evidence) {
    each_corner(|weights, bucket| {
        for x in [0, 1] {
            let literal = weights.literal_loss(weights.point(bucket), x);
            let product = weights.signs[bucket] * (Ratio::from(x) - weights.point(bucket));
            evidence.case(literal == product, || format!("{}, x = {x}", weights.text()));
        }
    });
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

/// Predicting 1 loses max(C_1, 0) - 1 C_1 by per-step-identity, whatever C is at the other points:
/// 0 for C_1 >= 0, a ray on which it is linear. So for all k and weights; those of the grids are
/// tried.
pub(super) fn all_nonnegative(evidence: &mut Evidence) {
    one_sign(evidence, |c| !c.is_negative(), true, "predicting 0 instead");
}

/// Predicting 0 loses max(C_0, 0) - 0 C_0 by per-step-identity, whatever C is at the other points:
/// 0 for C_0 <= 0, a ray on which it is linear. So for all k and weights; those of the grids are
/// tried.
pub(super) fn all_nonpositive(evidence: &mut Evidence) {
    one_sign(evidence, |c| !c.is_positive(), false, "predicting 1 instead");
}

fn one_sign(evidence: &mut Evidence, sign: fn(&Ratio<i64>) -> bool, high: bool, mistake: &str) {
    for end in [0, 1] {
        let (c, p) = if high { (end, 1) } else { (-end, 0) };
        evidence.case(c.max(0) - p * c == 0, || format!("C = {c}, predicting {p}"));
    }
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

/// If no two neighbours have C_p1 C_p2 <= 0, each has the sign of the one before it, and so all
/// have that of the first: by induction on k, the step being one of the 9 pairs of signs. And if a
/// b <= 0, q = b/(b-a), or any q if a = b = 0, balances the two, as ba + (-a)b = 0; it is in [0,
/// 1], for |b - a| = |a| + |b| is at least |b|, and b - a has the sign of b unless b = 0. The pairs
/// are gone through with three proportions, then the weights of the grids are tried.
pub(super) fn sign_change(evidence: &mut Evidence) {
    pairs_of_signs(evidence);
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

/// The step of the induction, and q for each pair.
fn pairs_of_signs(evidence: &mut Evidence) {
    for (a, b) in (-1..=1).flat_map(|a| (-1..=1).map(move |b| (a, b))) {
        let text = || format!("C_p1 has the sign of {a}, C_p2 that of {b}");
        if a * b > 0 {
            evidence.case(a == b, text);
            continue;
        }
        for (a, b) in [(a, b), (2 * a, b), (a, 2 * b)] {
            let balance = |q: Ratio<i64>| q * a + (Ratio::one() - q) * b;
            let q = if a == b { Ratio::one() } else { Ratio::new(b, b - a) };
            let inside = !q.is_negative() && q <= Ratio::one();
            evidence.case(inside && balance(q).is_zero(), text);
        }
    }
}

/// The three branches, read literally, and what the lab takes for them. If both of the first two
/// apply, all C are 0 and every forecast loses nothing; otherwise exactly one applies, and the
/// third finds its pair and q by sign-change-exists: for all k and weights. The weights of the next
/// round are proportional to exp(-eta Σ cost), and the constant of the cost, 1 or 1/2, is a factor
/// common to all of them. For exp(eta/2) = b these are powers of b if k = 2: the corners are tried.
pub(super) fn branches(evidence: &mut Evidence) {
    pairs_of_signs(evidence);
    for weights in weights() {
        let signs = &weights.signs;
        let (up, down) =
            (signs.iter().all(|c| !c.is_negative()), signs.iter().all(|c| !c.is_positive()));
        let zero = signs.iter().all(Zero::is_zero);
        let last = weights.buckets - 1;
        let pairs: Vec<usize> =
            (0..last).filter(|&j| !(signs[j] * signs[j + 1]).is_positive()).collect();
        let meant = match (up, down) {
            (true, _) => vec![last],
            (false, true) => vec![0],
            (false, false) => pairs.clone(),
        };
        let found: Vec<usize> =
            forecasts(signs).iter().map(|forecast: &Forecast<i64>| forecast[0].0).collect();
        evidence.case((up && down) == zero && found == meant && !meant.is_empty(), || {
            format!("{}: branches {meant:?}, lab {found:?}", weights.text())
        });
        evidence.mistake("the third branch for all weights", found == pairs, || weights.text());
    }
    next_weights(evidence);
}

/// The weights after one round with cost s - ℓ/2, for s = 1/2 and s = 1.
fn next_weights(evidence: &mut Evidence) {
    let base = int(3); // exp(eta/2)
    for (x, point) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let experts = [(1, 0), (1, 1), (-1, 0), (-1, 1)];
        let after = |halves: i32, turn: i32| {
            // exp(-eta (halves/2 - ℓ/2)) = b^(ℓ - halves)
            let powers = experts.map(|(sign, bucket)| {
                let loss = loss(sign, bucket, x, &int(point), 2).to_integer();
                let loss = i32::try_from(loss).expect("-1, 0 or 1");
                Pow::pow(&base, turn * (loss - halves))
            });
            let total: BigRational = powers.iter().sum();
            powers.map(|power| power / &total)
        };
        let text = || format!("k = 2, x = {x}, p = {point}: {}", commas(after(2, 1)));
        evidence.case(after(1, 1) == after(2, 1), text);
        evidence.mistake(
            "exp(eta cost) in place of exp(-eta cost)",
            after(2, 1) == after(2, -1),
            text,
        );
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
