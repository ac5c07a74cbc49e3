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

/// Fixed k, with (3 - 2 sqrt(2)) T/(k-1).
pub(super) fn fixed_buckets(evidence: &mut Evidence) {
    for buckets in 2..=4 {
        for rounds in 1..=6 {
            let mistake = ("0.49 of the regret of Hedge", 49);
            play(evidence, buckets, rounds, &best(), mistake);
        }
    }
}
