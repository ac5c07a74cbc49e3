//! A family of natures that limits the constant of the lower bound for every forecaster.

use num_rational::BigRational;

use crate::claims::tools::{int, r};
use truecal_lab::enclosure::Enclosure;
use truecal_verify::registry::Evidence;

/// x_1 = 1 with probability p. After a zero, in any round, all is 0; after ones, the next bit is 1
/// with probability b, N times at most. The forecaster predicts 0, then 1 until a zero, then 0. Its
/// Σ y_t (x_t - p_t) is y_1 after x_1 = 1, less y_t if x_t is the later zero: of mean 1/2 either
/// way, so that the error is p/2. After x_1 = 1 and k more rounds Var_T is p(1-p) + k b(1-b). So κ
/// <= (p/2) / E γ(Var_T): below 1/3 with five rounds, and at most 0.283.
pub(super) fn rare_then_ones(evidence: &mut Evidence) {
    let families = [
        (r(1, 100), r(2, 3), 4_u32, r(33, 100)),
        (r(1, 1000), r(9, 10), 40, r(29, 100)),
        (r(1, 10_000), r(99, 100), 600, r(283, 1000)),
    ];
    for (p, b, rounds, kappa) in families {
        let (start, step) = (&p * (int(1) - &p), &b * (int(1) - &b));
        let mut expected = Enclosure::exact(&((int(1) - &p) * &start));
        let mut reached = p.clone();
        for k in 1..=rounds {
            let ends = if k < rounds { &reached * (int(1) - &b) } else { reached.clone() };
            expected = expected + Enclosure::exact(&ends) * gamma(&(&start + int(k) * &step));
            reached *= &b;
        }
        let error = Enclosure::exact(&(&p / int(2)));
        let show = || {
            format!(
                "P(x_1 = 1) = {p}, then 1 with probability {b} until a zero, {rounds} times at \
                    most\n\
                 error p/2, E gamma(Var) = {expected:.6}"
            )
        };
        let within = |kappa: &BigRational| {
            error.at_most(&(Enclosure::exact(kappa) * &expected)) == Some(true)
        };
        evidence.case(within(&kappa), show);
        evidence.mistake("1/100 less", within(&(&kappa * r(99, 100))), show);
    }
}

/// γ(v) = min(v, √v)
fn gamma(v: &BigRational) -> Enclosure {
    let exact = Enclosure::exact(v);
    if *v <= int(1) { exact } else { exact.sqrt() }
}
