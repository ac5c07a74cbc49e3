//! The algorithm against every adversary, exactly.

use crate::claims::tools::int;
use truecal_lab::enclosure::Enclosure;
use truecal_lab::hedge::Game;
use truecal_verify::registry::Evidence;

/// The value of the game for k buckets and T rounds against a constant times T/(k-1) plus sqrt(2T
/// ln(2k)), of which the mistake has so many hundredths only.
fn play(
    evidence: &mut Evidence,
    buckets: usize,
    rounds: u32,
    constant: &Enclosure,
    (mistake, hundredths): (&str, i64),
) {
    let scale = int(buckets as i64 - 1);
    let value = Game::of_every_choice(buckets, rounds).value(&vec![0; buckets], rounds) / &scale;
    let t = Enclosure::from(i64::from(rounds));
    let drift = constant * &t / Enclosure::exact(&scale);
    let hedge = (Enclosure::from(2) * &t * Enclosure::from(2 * buckets as i64).ln()).sqrt();
    let exact = Enclosure::exact(&value);
    let shown = || {
        format!(
            "k = {buckets}, T = {rounds}: E stepCE = {exact:.6}\n\
             T/(k-1) term = {drift:.6}, sqrt(2T ln 2k) = {hedge:.6}"
        )
    };
    evidence.case(exact.at_most(&(&drift + &hedge)) == Some(true), shown);
    let less = &drift + &hedge * Enclosure::ratio(hundredths, 100);
    evidence.mistake(mistake, exact.at_most(&less) == Some(true), shown);
}

/// 3 - 2 sqrt(2)
fn best() -> Enclosure {
    Enclosure::from(3) - Enclosure::from(8).sqrt()
}

/// k = T, with T/(k-1).
pub(super) fn horizon_buckets(evidence: &mut Evidence) {
    for rounds in 2..=6 {
        let mistake = ("0.15 of the regret of Hedge", 15);
        play(evidence, rounds as usize, rounds, &Enclosure::from(1), mistake);
    }
}

/// Fixed k, with (3 - 2 sqrt(2)) T/(k-1), for all k and T:
///
/// stepCE is the largest Σ_t ℓ_(σ,i)(x_t, p_t) (loss-range), and on every path at most Σ_t E_(w_t)
/// ℓ(x_t, p_t) plus Hedge's regret in ℓ. With N = 2k experts that is 2 sqrt(T ln(2k)/2) = sqrt(2T
/// ln(2k)) at the best eta (hedge-regret), whatever x_t and p_t are. Given the past the weights w_t
/// are fixed, and x_t, which is chosen before p_t is drawn, is independent of p_t: so the mean of
/// E_(w_t) ℓ(x_t, p_t) is at most max_x E_p E_w ℓ(x, p) <= (3 - 2 sqrt(2))/(k-1) (per-step-bound),
/// also if x_t is drawn at random. Add up T rounds.
///
/// The value of the game against every adversary, with eta rounded, is tried for k <= 4, T <= 6.
pub(super) fn fixed_buckets(evidence: &mut Evidence) {
    // the square of 2 sqrt(T ln(2k)/2), over T ln(2k)
    let square = Enclosure::from(4) / Enclosure::from(2);
    evidence.case(square.at_most(&Enclosure::from(2)) == Some(true), || format!("{square:.3}"));
    for buckets in 2..=4 {
        for rounds in 1..=6 {
            let mistake = ("0.49 of the regret of Hedge", 49);
            play(evidence, buckets, rounds, &best(), mistake);
        }
    }
}
