//! Numbers and series in the proof of lemma:staepcalibepoch (L1438-1448, 1614-1698), with eps* =
//! c^2, m = floor(log2 T).

use num_rational::BigRational;
use num_traits::Pow;

use super::tools::r;
use super::{Claim, Evidence, Kind, MAIN, at_most, different, equal};
use super::{exhaustion, int, ln4, proof, root, term_by_term, too_small};
use truecal_lab::enclosure::Enclosure;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "params",
        kind: Kind::Definition,
        lines: "1438-1441, 1617",
        reading: "eps* = c^2 and m = floor(log2 T) is at least 1 for T >= 2, with 2^m <= T < \
            2^(m+1).",
        checks: &[exhaustion!("both ends of each range of T", "2 <= T < 2^60", params)],
        ..MAIN
    },
    Claim {
        id: "lemma:staepcalibepoch",
        kind: Kind::Expectation,
        lines: "1443-1449, 1615-1710",
        reading: "For T >= 2, c in (0,1] and every epoch k: E[sup_alpha |M_T(alpha,y,k)| given \
            tau_(k-1) finite] <= 8 sqrt(2^k ln(1/c)) + 17 sqrt(2^k) + 16 log2(T) log2(T/c) + 15.",
        departs: "With the absolute value and T that the paper's display omits (E33), and the last \
            term of eq:divide restricted to I_k (E23).",
        uses: &[
            "eq:divide",
            "lemma:prefix_bound",
            "lemma:segment_bound",
            "lemma:suffix_bound",
            "chernoff-lemma",
            "series-1",
            "series-2",
            "series-3",
        ],
        see: &["params", "final-ineq-1", "E05", "E23", "E33", "suffix-conditioning"],
        tight: "The three bounds give 6.83 for 8, 14.85 for 17, 2 + 9 ln 2 and 14 ln 2 for the two \
            16 (of L^2 and LD), and 9 + 7 ln 2 for 15.",
        checks: &[proof!(
            "the sum of the three bounds, term by term",
            "all T, c and k",
            epoch_lemma,
        )],
        ..MAIN
    },
    Claim {
        id: "eq:tt1",
        kind: Kind::Numeric,
        lines: "1618-1627",
        reading: "The bound of lemma:prefix_bound at eps* = c^2 is at most 2 sqrt(2^k ln(1/c)) + 3 \
            sqrt(2^k) + 4 ln(1/c) + 5.",
        tight: "sqrt(2 ln 4) + sqrt(pi/2) = 2.9184… for 3, 2 ln 4 + 2 = 4.7725… for 5.",
        checks: &[proof!("term by term, and at points", "all k, c in (0,1]", prefix_numbers)],
        ..MAIN
    },
    Claim {
        id: "eq:tt2",
        kind: Kind::Numeric,
        lines: "1628-1637",
        reading: "2Tc/2^m + 3(ln(2^(m+1)/c^2) + 1) <= 4c + 3 ln(2T/c^2) + 3 <= 10 + 6 ln(T/c).",
        see: &["params"],
        tight: "4c + 3 ln 2 + 3 = 9.0794… at c = 1, for 10.",
        checks: &[proof!("term by term, and at points", "all T >= 2, c in (0,1]", suffix_numbers)],
        ..MAIN
    },
    Claim {
        id: "eq:tt3",
        kind: Kind::Identity,
        lines: "1638-1645",
        reading: "At eps* = c^2 the bound of lemma:segment_bound is sqrt(2^(k-i+1) \
            ln(2^(i+2)/c^2)) + sqrt(2^(k-i-1) pi) + 2 ln(2^(i+2)/c^2) + 2.",
        checks: &[proof!("substitution", "all k, i, c", segment_numbers)],
        ..MAIN
    },
    Claim {
        id: "series-1",
        kind: Kind::Numeric,
        lines: "1646-1655",
        reading: "The sum of sqrt(2^(1-n)) over n >= 1 is 2 + sqrt 2; that of sqrt(2^(1-n) ln 2^n) \
            is 4.88…, less than 5.",
        tight: "4.8804168…",
        checks: &[proof!("remainders of partial sums", "both series", first_series)],
        ..MAIN
    },
    Claim {
        id: "series-2",
        kind: Kind::Numeric,
        lines: "1656-1660",
        reading: "For all m the sum of sqrt(2^(k-i-1) pi) over i = 1..m is at most (1 + 1/sqrt 2) \
            sqrt(pi 2^k).",
        tight: "The limit for large m.",
        checks: &[proof!("remainders of partial sums", "all m", second_series)],
        ..MAIN
    },
    Claim {
        id: "series-3",
        kind: Kind::Identity,
        lines: "1661-1666",
        reading: "The sum of 2 ln(2^(i+2)/c^2) over i = 1..m is 2m ln(4/c^2) + m(m+1) ln 2.",
        checks: &[proof!("the multiple of ln 2", "all m, c", third_series)],
        ..MAIN
    },
    Claim {
        id: "eq:tt4",
        kind: Kind::Numeric,
        lines: "1667-1675",
        reading: "(2 + sqrt 2) sqrt(2^k ln(4/c^2)) + (5 + (1 + 1/sqrt 2) sqrt(pi)) sqrt(2^k) + 2m \
            ln(4/c^2) + m(m+1) ln 2 + 2m <= 4 sqrt(2^k ln(4/c^2)) + 9 sqrt(2^k) + 2m ln(4/c^2) + \
            4m^2 for m >= 1.",
        tight: "5 + (1 + 1/sqrt 2) sqrt(pi) = 8.0257… for 9; 2 + 2 ln 2 = 3.386… for 4 at m = 1.",
        checks: &[proof!("term by term", "all k, m >= 1, c in (0,1]", segments_total)],
        ..MAIN
    },
    Claim {
        id: "sum-step",
        kind: Kind::Numeric,
        lines: "1677-1698",
        reading: "The sum of the bounds of eq:tt1, eq:tt4 and eq:tt2 is at most 8 sqrt(2^k \
            ln(1/c)) + 17 sqrt(2^k) + 8m^2 + 4m ln(1/c) + 6 ln(T/c) + 4 ln(1/c) + 15.",
        uses: &["eq:tt1", "eq:tt2", "eq:tt4"],
        see: &["suffix-conditioning"],
        tight: "2 + 4 sqrt 2 = 7.6568… for 8; 12 + 4 sqrt(ln 4) = 16.7096… for 17.",
        checks: &[proof!("term by term", "all k, m >= 1, c in (0,1]", sum_step)],
        ..MAIN
    },
];

/// m = floor(log2 T) is the integer with m <= log2 T < m + 1, that is 2^m <= T < 2^(m+1), and at
/// least 1 for T >= 2 = 2^1. The logarithm of the machine is tried at both ends of [2^m, 2^(m+1)).
fn params(evidence: &mut Evidence) {
    for m in 1..60_u32 {
        let (first, last) = (1_u64 << m, (1_u64 << (m + 1)) - 1);
        for horizon in [first, last] {
            let log = horizon.ilog2();
            let inside = 1_u64 << log <= horizon && horizon < 1_u64 << (log + 1);
            evidence.case(log == m && inside, || format!("T = {horizon}, floor(log2 T) = {log}"));
            evidence.mistake("T <= 2^m", horizon <= 1_u64 << log, || {
                format!("T = {horizon} > 2^{log}")
            });
        }
    }
}

/// 2^power.
fn two_to(power: i32) -> Enclosure {
    Enclosure::exact(&r(2, 1).pow(power))
}

/// A choice of k, T and c = 2^-D.
struct Point {
    k: i32,
    horizon: i64,
    smoothness: BigRational,
}

impl Point {
    fn all() -> impl Iterator<Item = Point> {
        let logs = [r(0, 1), r(1, 2), r(1, 1), r(5, 1), r(40, 1)];
        logs.into_iter().flat_map(|smoothness| {
            [2, 3, 4, 7, 1000, 1024].into_iter().flat_map(move |horizon| {
                let smoothness = smoothness.clone();
                [1, 2, 8].map(|k| Point { k, horizon, smoothness: smoothness.clone() })
            })
        })
    }

    fn m(&self) -> i32 {
        self.horizon.ilog2().cast_signed()
    }

    /// ln(1/c) = D ln 2.
    fn log_c(&self) -> Enclosure {
        Enclosure::exact(&self.smoothness) * Enclosure::ln2()
    }

    /// ln(2^i/c^2).
    fn log_net(&self, i: i32) -> Enclosure {
        int(i.into()) * Enclosure::ln2() + int(2) * self.log_c()
    }

    /// lemma:prefix_bound with i = 0, lemma:segment_bound with i >= 1: b = 2^(k-i), nets of
    /// 2^(i+2)/c^2.
    fn martingales(&self, i: i32) -> Enclosure {
        let log = self.log_net(i + 2);
        let (first, second) =
            (two_to(self.k - i + 1) * &log, two_to(self.k - i - 1) * Enclosure::pi());
        first.sqrt() + second.sqrt() + int(2) * log + int(2)
    }

    /// lemma:suffix_bound.
    fn suffix(&self) -> Enclosure {
        let c = (-self.log_c()).exp();
        int(2 * self.horizon) * c / two_to(self.m())
            + int(3) * (self.log_net(self.m() + 1) + int(1))
    }

    fn describe(&self) -> String {
        format!("k = {}, T = {}, log2(1/c) = {}", self.k, self.horizon, self.smoothness)
    }
}

/// The factors of sqrt(2^k ln(1/c)) and of sqrt(2^k) in the sum of the three bounds, when the root
/// of ln(4/c^2) = ln 4 + 2 ln(1/c) is split by sqrt(a + b) <= sqrt a + sqrt b. The first: 2 from
/// the prefix, sqrt 2 (2 + sqrt 2) from the segments. The second: the two roots of eq:tt1, then
/// (2 + sqrt 2) sqrt(ln 4), 4.8805 and (1 + 1/sqrt 2) sqrt(pi).
pub(super) fn per_epoch() -> (Enclosure, Enclosure) {
    let series = int(2) + root(2);
    let level = (int(2) * ln4()).sqrt()
        + (Enclosure::pi() / int(2)).sqrt()
        + &series * ln4().sqrt()
        + Enclosure::ratio(48805, 10000)
        + (int(1) + int(1) / root(2)) * Enclosure::pi().sqrt();
    (int(2) + root(2) * series, level)
}

/// eq:divide, whose last term counts steps in I_k only; given the past up to tau_(k-1) these are at
/// most T steps with the same bound on their conditional probabilities, so that the proof of
/// lemma:suffix_bound goes through.
///
/// What is left after [`per_epoch`]: m^2 ln 2 + (2 + 5 ln 2) m + 4 ln 2 mD from the segments, 4 ln
/// 2 D + 4 ln 2 + 2 from the prefix, 3 ln 2 L + 6 ln 2 D + 3 ln 2 + 7 from the suffix (with c <= 1
/// and 2^m <= T < 2^(m+1)). As m <= L and 1 <= L, m and L are at most L^2, mD and D at most LD:
/// together (2 + 9 ln 2) L^2 + 14 ln 2 LD + 9 + 7 ln 2. Some points are computed directly as well.
fn epoch_lemma(evidence: &mut Evidence) {
    let ln2 = Enclosure::ln2();
    let (slope, level) = per_epoch();
    let product = int(2) + int(9) * &ln2;
    too_small(evidence, "59/4 sqrt(2^k)", &level, &Enclosure::ratio(59, 4));
    too_small(evidence, "131/16 log2(T) log2(T/c)", &product, &Enclosure::ratio(131, 16));
    term_by_term(
        evidence,
        &[
            ("sqrt(2^k ln(1/c))", slope, int(8)),
            ("sqrt(2^k)", level, int(17)),
            ("L^2", product, int(16)),
            ("LD", int(14) * &ln2, int(16)),
            ("1", int(9) + int(7) * ln2, int(15)),
        ],
    );
    for point in Point::all() {
        let bounds =
            (0..=point.m()).map(|i| point.martingales(i)).sum::<Enclosure>() + point.suffix();
        let log = int(point.horizon).log2();
        let product = &log * (&log + Enclosure::exact(&point.smoothness));
        let power = two_to(point.k);
        let total = int(8) * (&power * point.log_c()).sqrt()
            + int(17) * power.sqrt()
            + int(16) * product
            + int(15);
        at_most(evidence, &point.describe(), &bounds, &total);
    }
}

/// 2^(k+1) ln(4/c^2) = 2 ln 4 * 2^k + 4 * 2^k ln(1/c), and the root of a sum is at most the sum of
/// the roots.
fn prefix_numbers(evidence: &mut Evidence) {
    let level = (int(2) * ln4()).sqrt() + (Enclosure::pi() / int(2)).sqrt();
    let rest = int(2) * ln4() + int(2);
    too_small(evidence, "93/32 sqrt(2^k)", &level, &Enclosure::ratio(93, 32));
    too_small(evidence, "19/4 in place of 5", &rest, &Enclosure::ratio(19, 4));
    term_by_term(
        evidence,
        &[
            ("sqrt(2^k ln(1/c))", root(4), int(2)),
            ("sqrt(2^k)", level, int(3)),
            ("ln(1/c)", int(2 * 2), int(4)),
            ("1", rest, int(5)),
        ],
    );
    for point in Point::all() {
        let power = two_to(point.k);
        let bound = int(2) * (&power * point.log_c()).sqrt()
            + int(3) * power.sqrt()
            + int(4) * point.log_c()
            + int(5);
        at_most(evidence, &point.describe(), &point.martingales(0), &bound);
    }
}

/// T < 2^(m+1) gives 2Tc/2^m <= 4c, 2^m <= T the logarithm; ln(2T/c^2) = ln 2 + ln T + 2 ln(1/c),
/// and c <= 1.
fn suffix_numbers(evidence: &mut Evidence) {
    let constant = int(4) + int(3) * Enclosure::ln2() + int(3);
    too_small(evidence, "9 in place of 10", &constant, &int(9));
    term_by_term(
        evidence,
        &[("1", constant, int(10)), ("ln T", int(3), int(6)), ("ln(1/c)", int(3 * 2), int(6))],
    );
    for point in Point::all() {
        let (log, log_c) = (int(point.horizon).ln(), point.log_c());
        let middle = int(4) * (-&log_c).exp()
            + int(3) * (Enclosure::ln2() + &log + int(2) * &log_c)
            + int(3);
        at_most(evidence, &point.describe(), &point.suffix(), &middle);
        at_most(evidence, &point.describe(), &middle, &(int(10) + int(6) * (log + log_c)));
    }
}

/// The powers of c cancel: eps* 2^(k-i+1)/c^2 = 2^(k-i+1), eps* 2^(k-i-1)/c^2 = 2^(k-i-1), for c of
/// two values.
fn segment_numbers(evidence: &mut Evidence) {
    for c in [r(1, 2), r(2, 3)] {
        for (k, i) in (1..=3).flat_map(|k| (1..=3).map(move |i| (k, i))) {
            for shift in [1, -1] {
                let power = r(2, 1).pow(k - i + shift);
                let bound = &c * &c * &power / (&c * &c);
                equal(evidence, &format!("k = {k}, i = {i}, c = {c}"), &bound, &power);
                different(evidence, "eps* = c", &(&c * &power / (&c * &c)), &power);
            }
        }
    }
}

/// The sum of 2^((start - n)/2) over n = 1..2N for odd start, as a + b sqrt 2.
fn half_powers(start: i32, pairs: i32) -> (BigRational, BigRational) {
    let mut sum = (r(0, 1), r(0, 1));
    for n in 1..=2 * pairs {
        let exponent = start - n;
        let power = r(2, 1).pow(exponent.div_euclid(2));
        if exponent % 2 == 0 {
            sum.0 += power;
        } else {
            sum.1 += power;
        }
    }
    sum
}

/// Puts it to the check that the sum up to 2N is limit (1 - 2^-N), for N = 1 and, since going from
/// N to N + 1 adds half of what is added to it before, for all N.
fn geometric(evidence: &mut Evidence, start: i32, limit: &(BigRational, BigRational)) {
    for pairs in 1..=40 {
        let sum = half_powers(start, pairs);
        let part = r(1, 1) - r(2, 1).pow(-pairs);
        let text = || format!("{} terms: {} + {} sqrt 2", 2 * pairs, sum.0, sum.1);
        evidence.case(sum == (&limit.0 * &part, &limit.1 * &part), text);
        evidence.mistake("99/100 of the limit", part <= r(99, 100), text);
    }
}

/// From n >= N on, each term of the second series is at most q = sqrt((N+1)/(2N)) times the one
/// before.
fn first_series(evidence: &mut Evidence) {
    geometric(evidence, 1, &(r(2, 1), r(1, 1)));
    let term = |n: i64| {
        let power = two_to(1 - i32::try_from(n).expect("a few terms"));
        (power * int(n) * Enclosure::ln2()).sqrt()
    };
    const TERMS: i64 = 100;
    let sum: Enclosure = (1..=TERMS).map(term).sum();
    let ratio = Enclosure::ratio(TERMS + 1, 2 * TERMS).sqrt();
    let most = &sum + term(TERMS + 1) / (int(1) - ratio);
    at_most(evidence, "sum of sqrt(2^(1-n) ln 2^n), at most", &most, &int(5));
    let digits = |last: i64| Enclosure::ratio(48_804_160 + last, 10_000_000);
    at_most(evidence, "its digits", &most, &digits(9));
    at_most(evidence, "its digits", &digits(8), &sum);
    too_small(evidence, "39/8 as an upper bound", &sum, &Enclosure::ratio(39, 8));
}

/// In units of sqrt(2^k pi): 2^(-(i+1)/2) summed is 1 + 1/sqrt 2 = 1 + (1/2) sqrt 2.
fn second_series(evidence: &mut Evidence) {
    geometric(evidence, -1, &(r(1, 1), r(1, 2)));
}

/// Both sides are 2m ln(4/c^2) plus a multiple of ln 2; from m-1 to m the multiples grow by 2m. So
/// m = 0 and the differences, linear in m, suffice; more are tried.
fn third_series(evidence: &mut Evidence) {
    let mut multiple = 0_i64;
    for m in 1..=50_i64 {
        multiple += 2 * m;
        equal(evidence, &format!("m = {m}"), &multiple, &(m * (m + 1)));
        different(evidence, "m^2 ln 2", &multiple, &(m * m));
    }
}

/// For m = 1 + n: 4m^2 - m(m+1) ln 2 - 2m = (2 - 2 ln 2) + (6 - 3 ln 2) n + (4 - ln 2) n^2.
fn segments_total(evidence: &mut Evidence) {
    let ln2 = Enclosure::ln2();
    let level = int(5) + (int(1) + int(1) / root(2)) * Enclosure::pi().sqrt();
    too_small(evidence, "8 sqrt(2^k)", &level, &int(8));
    too_small(evidence, "27/8 m^2", &(int(2) * &ln2 + int(2)), &Enclosure::ratio(27, 8));
    term_by_term(
        evidence,
        &[
            ("sqrt(2^k ln(4/c^2))", int(2) + root(2), int(4)),
            ("sqrt(2^k)", level, int(9)),
            ("1 (m = 1 + n)", int(2) * &ln2, int(2)),
            ("n", int(3) * &ln2, int(6)),
            ("n^2", ln2, int(4)),
        ],
    );
}

/// sqrt(2^k ln(4/c^2)) <= sqrt 2 sqrt(2^k ln(1/c)) + sqrt(ln 4) sqrt(2^k). For m = 1 + n the
/// difference 4m^2 - 4m ln 2 is (4 - 4 ln 2) + (8 - 4 ln 2) n + 4 n^2.
fn sum_step(evidence: &mut Evidence) {
    let ln2 = Enclosure::ln2();
    let slope = int(2) + int(4) * root(2);
    let level = int(3 + 9) + int(4) * ln4().sqrt();
    too_small(evidence, "61/8 sqrt(2^k ln(1/c))", &slope, &Enclosure::ratio(61, 8));
    too_small(evidence, "267/16 sqrt(2^k)", &level, &Enclosure::ratio(267, 16));
    term_by_term(
        evidence,
        &[
            ("sqrt(2^k ln(1/c))", slope, int(8)),
            ("sqrt(2^k)", level, int(17)),
            ("1 (in 4m ln 2 <= 4m^2, m = 1 + n)", int(4) * &ln2, int(4)),
            ("n", int(4) * ln2, int(8)),
            ("m ln(1/c)", int(2 * 2), int(4)),
            ("1", int(5 + 10), int(15)),
        ],
    );
}
