//! The martingale and the division of time into epochs (L1289-1315).
//!
//! Epochs depend on p* through the variances p*(1 - p*) only.

use super::tools::r;
use super::{Claim, Evidence, Kind, MAIN, exhaustion, instance, proof};
use crate::claims::tools::{slip, step};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "martingale",
        kind: Kind::Identity,
        lines: "1289-1299",
        reading: "Given the past, E[y_s 1{p*_s <= alpha} (x_s - p*_s)] = 0 for every s, alpha and \
            y.",
        checks: &[proof!("given p*_s already", "all p, alpha, y", martingale)],
        ..MAIN
    },
    Claim {
        id: "epoch-def",
        kind: Kind::Definition,
        lines: "1306-1310",
        reading: "tau_0 = 0 and tau_k is the first t in (tau_(k-1), T] at which the sum of p*_s(1 \
            - p*_s) + c over s in (tau_(k-1), t] reaches 2^(k-1), or infinity without such a t. \
            I_k holds the steps from tau_(k-1) + 1 to min(T, tau_k); these sets partition [T].",
        see: &["E44"],
        checks: &[exhaustion!(
            "worked examples; partition",
            "T <= 6 on grids; constant p*, T <= 64",
            epoch_definition
        )],
        ..MAIN
    },
    Claim {
        id: "E44",
        kind: Kind::Prose,
        lines: "1308",
        reading: "tau_k is written as the union of min A and {infinity}; meant is the minimum of \
            the union of A and {infinity}.",
        see: &["epoch-def"],
        defect: slip("min(A with infinity) for min A with infinity."),
        stated: "a slip of the pen: parentheses",
        ..MAIN
    },
    Claim {
        id: "epoch-variance",
        kind: Kind::Inequality,
        lines: "1313",
        reading: "For k >= 1 the sum of p*_t(1 - p*_t) over I_k is less than 2^(k-1) + 1/4, which \
            is at most 2^k.",
        uses: &["epoch-def"],
        tight: "1/4 is approached as c decreases to 0.",
        checks: &[proof!("the last step; every epoch", GRIDS, epoch_variance)],
        ..MAIN
    },
    Claim {
        id: "epoch-complete",
        kind: Kind::Inequality,
        lines: "1313",
        reading: "If tau_k is finite then Var_T + cT >= 2^(k-1).",
        uses: &["epoch-def"],
        tight: "Even 2^k - 1, the sum over the epochs: equality for c = 1, p* = 0, T = 2^k - 1.",
        checks: &[exhaustion!(
            "both bounds for every complete epoch",
            "T <= 6 on grids; constant p*, T <= 64",
            epoch_complete
        )],
        ..MAIN
    },
    Claim {
        id: "epoch-count",
        kind: Kind::Inequality,
        lines: "1314",
        reading: "Var_T + cT <= 5T/4 < 2T; hence tau_k is infinite for k = ceil(log2 T) + 2.",
        uses: &["epoch-complete"],
        tight: "For T >= 2 also for k = ceil(log2 T) + 1, since 2^k - 1 >= 2T - 1 > 5T/4; not for \
            ceil(log2 T).",
        checks: &[proof!("the number of complete epochs", GRIDS, epoch_count)],
        ..MAIN
    },
    Claim {
        id: "epoch-measurable",
        kind: Kind::Prose,
        lines: "1315, 1521",
        reading: "Whether t is in I_k is determined by x_1, ..., x_(t-1).",
        parts: &["E12"],
        see: &["thm:strongupperbound"],
        ..MAIN
    },
    Claim {
        id: "E12",
        kind: Kind::Prose,
        lines: "1315, 1521",
        reading: "Whether t is in I_k is determined by x_1, …, x_(t-1).",
        see: &["thm:strongupperbound", "epoch-measurable"],
        defect: step(
            "It is determined by x and p* up to t-1. The martingale argument goes through with \
                that filtration.",
        ),
        checks: &[
            exhaustion!(
                "runs with the same outcomes",
                "T = 2 (corrected: T <= 4), on grids",
                measurable,
            ),
            instance!("p*_1 = 1/2 and p*_1 = 1/20", "the instance", e12),
        ],
        ..MAIN
    },
    Claim {
        id: "epoch-length",
        kind: Kind::Inequality,
        lines: "1315",
        reading: "Epoch k has at most ceil(2^(k-1)/c) steps.",
        uses: &["epoch-def"],
        tight: "Attained for p* = 0.",
        checks: &[exhaustion!(
            "the length of every epoch",
            "T <= 6 on grids; constant p*, T <= 64",
            epoch_length
        )],
        ..MAIN
    },
];

/// What is argued at each check, and what [`runs`] tries.
const GRIDS: &str = "all T, p* and c; tried for T <= 6 on grids, constant p* T <= 64";

/// A run as far as epochs are concerned: the variance of each step and c, in units of 1/unit.
pub(super) struct Run {
    pub(super) unit: i64,
    pub(super) smoothness: i64,
    pub(super) variances: Vec<i64>,
}

impl Run {
    /// The finite ones among tau_1, tau_2, …
    pub(super) fn ends(&self) -> Vec<usize> {
        self.ends_where(|sum, goal| sum >= goal)
    }

    fn ends_where(&self, reached: impl Fn(i64, i64) -> bool) -> Vec<usize> {
        let mut ends = vec![];
        let (mut sum, mut goal) = (0, self.unit);
        for (t, variance) in self.variances.iter().enumerate() {
            sum += variance + self.smoothness;
            if reached(sum, goal) {
                ends.push(t + 1);
                (sum, goal) = (0, 2 * goal);
            }
        }
        ends
    }

    /// I_1, I_2, … as ranges of indices from 0, up to the one that is not complete, which may be
    /// empty.
    fn epochs(&self) -> Vec<std::ops::Range<usize>> {
        let mut starts = vec![0];
        starts.extend(self.ends());
        let horizon = self.variances.len();
        let ends = starts[1..].iter().copied().chain([horizon]);
        starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
    }

    /// Which epoch step t (from 1) is in.
    fn epoch_of(&self, step: usize) -> usize {
        1 + self.ends().iter().filter(|&&end| end < step).count()
    }

    /// Var_T + cT, in units.
    pub(super) fn total(&self) -> i64 {
        self.variances.iter().map(|variance| variance + self.smoothness).sum()
    }

    pub(super) fn describe(&self) -> String {
        let variances: Vec<_> =
            self.variances.iter().map(|&v| r(v, self.unit).to_string()).collect();
        let c = r(self.smoothness, self.unit);
        format!("c = {c}, variances p*(1-p*) = {}", abbreviated(&variances))
    }
}

fn abbreviated(items: &[String]) -> String {
    match items {
        [first, .., last] if items.len() > 8 => format!("{first}, …, {last} ({})", items.len()),
        _ => items.join(", "),
    }
}

/// p* among multiples of 1/8 and c among 1/320, 1/16, 1/8, 1/4, 1/2, 3/4, 9/10, 1, in units of
/// 1/320: all sequences of at most 6 steps, and constant ones of at most 64.
pub(super) fn runs() -> impl Iterator<Item = Run> {
    let short = (1..=6).flat_map(|horizon| {
        (0..5_usize.pow(horizon)).map(move |code| {
            (0..horizon).map(|t| VARIANCES[code / 5_usize.pow(t) % 5]).collect::<Vec<_>>()
        })
    });
    let constant = (7..=64).flat_map(|horizon| VARIANCES.map(|variance| vec![variance; horizon]));
    short.chain(constant).flat_map(|variances| {
        SMOOTHNESS.map(|smoothness| Run { unit: 320, smoothness, variances: variances.clone() })
    })
}

const VARIANCES: [i64; 5] = [0, 35, 60, 75, 80];
const SMOOTHNESS: [i64; 8] = [1, 20, 40, 80, 160, 240, 288, 320];

/// Given p, the factor y 1{p <= alpha} is fixed and E(x - p) = p(1-p) + (1-p)(0-p): a polynomial of
/// degree 2 in p, which vanishes everywhere if it does at three points.
fn martingale(evidence: &mut Evidence) {
    for p in [r(0, 1), r(1, 2), r(1, 1)] {
        let mean = |centre: &num_rational::BigRational| {
            &p * (r(1, 1) - centre) + (r(1, 1) - &p) * (r(0, 1) - centre)
        };
        evidence.case(mean(&p) == r(0, 1), || format!("p = {p}\nE(x - p) = {}", mean(&p)));
        let centre = r(1, 2);
        evidence.mistake("x centred at the mean of P", mean(&centre) == r(0, 1), || {
            format!("p = {p}, P of mean 1/2\nE(x - 1/2) = {}", mean(&centre))
        });
    }
}

/// tau_k is in (tau_(k-1), T] if it is finite, so the finite ones increase, and there are at most T
/// of them: 0 = tau_0 < tau_1 < … < tau_n <= T, and tau_(n+1) is infinite, as are all after it. So
/// I_1, …, I_n end where the next begins, I_(n+1) goes up to T, and the others are empty, since
/// they begin after infinity: for all T, p* and c. Examples by hand, and runs, are tried.
fn epoch_definition(evidence: &mut Evidence) {
    let run = |unit, smoothness, variance, horizon| Run {
        unit,
        smoothness,
        variances: vec![variance; horizon],
    };
    // p* = 1/2 and c = 1/2: 3/4 a step. p* = 0 and c = 1: 1 a step. p* = 1/2 and c = 1: 5/4 a step.
    for (run, ends) in [
        (run(4, 2, 1, 4), vec![2]),
        (run(4, 4, 0, 3), vec![1, 3]),
        (run(4, 4, 1, 7), vec![1, 3, 7]),
    ] {
        let text = |found: &[usize]| format!("{}\ntau = {found:?}", run.describe());
        evidence.case(run.ends() == ends, || text(&run.ends()));
        let strict = run.ends_where(|sum, goal| sum > goal);
        evidence.mistake("> in place of >=", strict == ends, || text(&strict));
    }
    for run in runs() {
        let steps: Vec<usize> = run.epochs().into_iter().flatten().collect();
        let partition = steps.into_iter().eq(0..run.variances.len());
        evidence.case(partition, || format!("{}: not a partition", run.describe()));
    }
}

/// Puts each epoch of each run to the check: k, the sum of 2^(k-1) in units, and the steps.
fn each_epoch(mut visit: impl FnMut(&Run, i64, std::ops::Range<usize>)) {
    for run in runs() {
        for (k, steps) in run.epochs().into_iter().enumerate() {
            visit(&run, run.unit << k, steps);
        }
    }
}

/// Before the last step of I_k the sum of p*(1 - p*) + c has not reached 2^(k-1), complete or not,
/// so that the variances alone are below it; the last step adds at most 1/4, as p(1-p) = 1/4 - (p -
/// 1/2)², an identity of degree 2. 2^(k-1) + 1/4 <= 2^k as 1/4 <= 2^(k-1), least at k = 1. All of
/// that for every T, p* and c; an empty I_k has no variance. Runs are tried.
fn epoch_variance(evidence: &mut Evidence) {
    quarter(evidence);
    evidence.case(r(1, 4) <= r(1, 1), || "1/4 <= 2^(k-1) at k = 1".to_owned());
    each_epoch(|run, goal, steps| {
        let variance: i64 = run.variances[steps.clone()].iter().sum();
        let text = || {
            let (variance, goal) = (r(variance, run.unit), r(goal, run.unit));
            format!("{}\nsteps {steps:?}: variance {variance}, 2^(k-1) = {goal}", run.describe())
        };
        let quarter = run.unit / 4;
        evidence.case(variance < goal + quarter && goal + quarter <= 2 * goal, text);
        let excess = 100 * (variance - goal);
        evidence.mistake("0.23 in place of 1/4", excess < 23 * run.unit, text);
    });
}

/// p(1-p) = 1/4 - (p - 1/2)² at three points.
fn quarter(evidence: &mut Evidence) {
    for p in [r(0, 1), r(1, 2), r(1, 1)] {
        let away = &p - r(1, 2);
        let variance = &p * (r(1, 1) - &p);
        evidence.case(variance == r(1, 4) - &away * &away, || format!("p = {p}: {variance}"));
    }
}

/// Var_T + cT is the sum of p*(1 - p*) + c over all steps: at least 2^(k-1) over epoch k, if it is
/// complete, since tau_k is where that is reached; so are the epochs before it, and no term is
/// negative: 1 + 2 + … + 2^(k-1) = 2^k - 1 at least, for all T, p* and c. Runs are tried.
fn epoch_complete(evidence: &mut Evidence) {
    for run in runs() {
        let complete = run.ends().len();
        let total = run.total();
        let text = || {
            let total = r(total, run.unit);
            format!("{}\ntau_{complete} is finite, Var_T + cT = {total}", run.describe())
        };
        if complete == 0 {
            evidence.inapplicable();
            continue;
        }
        let power = run.unit << complete;
        evidence.case(total >= power / 2 && total >= power - run.unit, text);
        let more = 100 * total >= 101 * (power - run.unit);
        evidence.mistake("1 % more than 2^k - 1", more, text);
    }
}

/// p*(1 - p*) <= 1/4 and c <= 1, so that 5T/4 < 2T <= 2^(ceil(log2 T) + 1), where T <= 2^ceil(log2
/// T) by definition: too little for k = ceil(log2 T) + 2 by epoch-complete, for all T >= 1. The
/// sharper form is likewise from 2^k - 1 >= 2T - 1, for T >= 2: 2T - 1 > 5T/4 is 3T > 4. Runs are
/// tried.
fn epoch_count(evidence: &mut Evidence) {
    quarter(evidence);
    let sum = r(1, 4) + r(1, 1);
    evidence.case(sum == r(5, 4) && sum < r(2, 1), || format!("{sum} a step at most"));
    for run in runs() {
        let horizon = run.variances.len();
        let complete = run.ends().len();
        let log = horizon.next_power_of_two().ilog2() as usize;
        let text = || format!("{}\nT = {horizon}, {complete} complete epochs", run.describe());
        let sums = 4 * run.total() <= 5 * run.unit * horizon as i64;
        evidence.case(sums && complete < log + 2, text);
        if horizon > 1 {
            evidence.case(complete < log + 1, text);
            evidence.mistake("tau_k infinite for k = ceil(log2 T)", complete < log, text);
        }
    }
}

/// Two first steps with different p*, from both of which x_1 = 0 is possible. What holds: whether t
/// is in I_k does not change when p*_t and what follows are replaced by 0.
fn measurable(evidence: &mut Evidence) {
    for smoothness in SMOOTHNESS {
        let epoch =
            |variance| Run { unit: 320, smoothness, variances: vec![variance, 0] }.epoch_of(2);
        // A variance of 1/4 is that of p* = 1/2 alone, which has no probability.
        for variance in VARIANCES.into_iter().filter(|variance| *variance < 80) {
            let (first, second) = (epoch(0), epoch(variance));
            evidence.case(first == second, || {
                let (c, v) = (r(smoothness, 320), r(variance, 320));
                format!(
                    "T = 2, c = {c}, x_1 = 0\n\
                     p*_1 = 0: 0 + {c} against 1, so that step 2 is in I_{first}\n\
                     p*_1(1 - p*_1) = {v}: {v} + {c} against 1, so that step 2 is in I_{second}"
                )
            });
        }
    }
    for run in runs().take_while(|run| run.variances.len() <= 4) {
        for step in 1..=run.variances.len() {
            let mut cut = run.variances.clone();
            cut[step - 1..].fill(0);
            let cut = Run { variances: cut, ..run };
            let same = run.epoch_of(step) == cut.epoch_of(step);
            evidence.corrected("it is determined by x and p* up to t-1", same);
        }
    }
}

fn e12(evidence: &mut Evidence) {
    let step_2 =
        |variance| Run { unit: 400, smoothness: 360, variances: vec![variance, 0] }.epoch_of(2);
    evidence.case(step_2(100) == step_2(19), || {
        format!(
            "T = 2, c = 9/10, P = U[0,1], x_1 = 0\n\
             p*_1 = 1/2: 1/4 + 9/10 = 23/20 >= 1, step 2 is in I_{}\n\
             p*_1 = 1/20: 19/400 + 9/10 = 379/400 < 1, step 2 is in I_{}",
            step_2(100),
            step_2(19)
        )
    });
    evidence.corrected("p*_1 determines it", step_2(100) == 2 && step_2(19) == 1);
}

/// If the first n = ceil(2^(k-1)/c) steps after tau_(k-1) exist, c alone has added up to nc >=
/// 2^(k-1), so that tau_k is one of them and I_k ends there; if they do not, I_k has fewer steps
/// than n: for all T, p* and c. Runs are tried.
fn epoch_length(evidence: &mut Evidence) {
    each_epoch(|run, goal, steps| {
        let most = (goal + run.smoothness - 1) / run.smoothness;
        let length = steps.len() as i64;
        let text = || {
            let goal = r(goal, run.unit);
            format!("{}\nsteps {steps:?}, 2^(k-1) = {goal}, ceil = {most}", run.describe())
        };
        evidence.case(length <= most, text);
        evidence.mistake("one step less", length < most, text);
    });
}
