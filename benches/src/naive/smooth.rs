//! The smooth calibration error by two stacks of kinks, in doubles.

use super::Level;

/// Where the slope of the best sum falls, and by how much.
struct Kink {
    /// Its distance from 0, counted outwards on its side, is `kept` plus the current prediction:
    /// kinks move outwards as predictions grow.
    kept: f64,
    fall: f64,
}

/// The largest Σ f(v_j) b_j over 1-Lipschitz f into [-1, 1].
///
/// Let F_j(y) be the best sum over the levels up to j with f(v_j) = y: concave, with kinks on
/// either side of its maximum (nearest last). A level of bias b adds b·y: the maximum goes outwards
/// past kinks whose falls add up to |b|, and past the end of [-1, 1] if there are not enough.
pub(super) fn largest_sum(levels: &[Level]) -> f64 {
    let (mut upper, mut lower): (Vec<Kink>, Vec<Kink>) = (vec![], vec![]);
    let mut maximum = 0.0;
    for level in levels {
        let now = level.value;
        let (ahead, behind) = match level.bias > 0.0 {
            true => (&mut upper, &mut lower),
            false => (&mut lower, &mut upper),
        };
        let mut needed = level.bias.abs();
        let mut gain = 0.0;
        while needed > 0.0 {
            let (place, kept, fall) = match ahead.last_mut() {
                Some(kink) if kink.kept + now < 1.0 => {
                    let (place, kept) = (kink.kept + now, -(kink.kept + 2.0 * now));
                    let fall = kink.fall.min(needed);
                    kink.fall -= fall;
                    if kink.fall == 0.0 {
                        ahead.pop();
                    }
                    (place, kept, fall)
                }
                _ => (1.0, -(1.0 + now), needed),
            };
            needed -= fall;
            gain += fall * place;
            // Rounding must not bring the stack out of order.
            let nearest = behind.last().map_or(f64::INFINITY, |kink| kink.kept);
            behind.push(Kink { kept: kept.min(nearest), fall });
        }
        maximum += gain;
    }
    maximum
}
