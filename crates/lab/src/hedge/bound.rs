//! What the theorem says of this forecaster, in numbers.

use num_rational::BigRational;
use truecal::rational::int;

use crate::enclosure::Enclosure;

/// E stepCE <= (3 - 2√2) T/(k-1) + √(2T ln(2k)) for T rounds and k buckets, whatever the adversary
/// does (thm:alg with the best constants).
///
/// Rigorous: the upper end of an enclosure. Panics unless T >= 1 and k >= 2.
///
/// ```
/// use truecal::nearest_f64;
/// use truecal_lab::hedge;
/// let bound = nearest_f64(&hedge::bound(10_000, 101));
/// assert!((bound - (17.157 + 325.830)).abs() < 0.001);
/// assert!(bound < nearest_f64(&hedge::paper_bound(10_000, 101)));
/// ```
pub fn bound(rounds: u64, buckets: usize) -> BigRational {
    bound_during(rounds, rounds, buckets).high()
}

/// The same with the constant of the paper: T/(k-1) + √(2T ln(2k)).
pub fn paper_bound(rounds: u64, buckets: usize) -> BigRational {
    (whole(rounds) / whole(buckets as u64 - 1) + regret(rounds, rounds, buckets)).high()
}

/// The bound after t of T rounds.
///
/// Hedge with N = 2k experts and costs in an interval of length 1 has regret at most ln(N)/eta + t
/// eta/8 after t rounds, twice that in losses; with eta = √(8 ln(N)/T) that is (1 + t/T) √(T
/// ln(N)/2). Each round adds a loss of at most (3 - 2√2)/(k-1).
pub(super) fn bound_during(done: u64, rounds: u64, buckets: usize) -> Enclosure {
    let per_step = Enclosure::from(3) - Enclosure::from(8).sqrt();
    let drift = per_step * whole(done) / whole(buckets as u64 - 1);
    drift + regret(done, rounds, buckets)
}

/// (1 + t/T) √(T ln(2k)/2)
fn regret(done: u64, rounds: u64, buckets: usize) -> Enclosure {
    let experts = whole(2 * buckets as u64);
    let root = (whole(rounds) * experts.ln() / Enclosure::from(2)).sqrt();
    root * (Enclosure::from(1) + whole(done) / whole(rounds))
}

fn whole(number: u64) -> Enclosure {
    Enclosure::exact(&int(number))
}
