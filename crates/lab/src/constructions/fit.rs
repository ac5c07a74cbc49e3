//! How penalties grow or fall with T.

#![expect(clippy::float_arithmetic, reason = "fitted curves are descriptions, not claims")]

/// A curve that describes some points.
// Exhaustive on purpose: whoever draws a curve must know its formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fit {
    /// factor · T^exponent
    Power {
        /// The factor.
        factor: f64,
        /// The exponent.
        exponent: f64,
    },
    /// factor · e^(-rate T)
    Decay {
        /// The factor.
        factor: f64,
        /// The rate.
        rate: f64,
    },
}

impl Fit {
    /// The value of the curve.
    pub fn at(&self, rounds: f64) -> f64 {
        match self {
            Fit::Power { factor, exponent } => factor * libm::pow(rounds, *exponent),
            Fit::Decay { factor, rate } => factor * libm::exp(-rate * rounds),
        }
    }
}

/// The better of a power and an exponential decay, by least squares of logarithms; none for fewer
/// than three positive values.
///
/// ```
/// use truecal_lab::constructions::{Fit, fit};
/// let points: Vec<(f64, f64)> = (1..6).map(|t| (f64::from(t), 3.0 * f64::from(t * t))).collect();
/// let Some(Fit::Power { factor, exponent }) = fit(&points) else { panic!("a square") };
/// assert!((factor - 3.0).abs() < 1e-9 && (exponent - 2.0).abs() < 1e-9);
/// ```
pub fn fit(points: &[(f64, f64)]) -> Option<Fit> {
    let positive: Vec<_> = points.iter().filter(|(_, value)| *value > 0.0).collect();
    if positive.len() < 3 {
        return None;
    }
    let by = |place: fn(f64) -> f64| {
        line(&positive.iter().map(|(t, value)| (place(*t), libm::log(*value))).collect::<Vec<_>>())
    };
    let (power, decay) = (by(libm::log)?, by(|t| t)?);
    Some(if decay.slope < 0.0 && decay.error < power.error {
        Fit::Decay { factor: libm::exp(decay.height), rate: -decay.slope }
    } else {
        Fit::Power { factor: libm::exp(power.height), exponent: power.slope }
    })
}

/// height + slope · x, and the sum of squared errors.
struct Line {
    height: f64,
    slope: f64,
    error: f64,
}

/// None if all x are the same.
fn line(points: &[(f64, f64)]) -> Option<Line> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    if spread == 0.0 {
        return None;
    }
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    let height = y - slope * x;
    let error = points.iter().map(|point| (point.1 - height - slope * point.0).powi(2)).sum();
    Some(Line { height, slope, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_and_decays_are_told_apart() {
        let points = |of: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
            [10.0, 20.0, 40.0, 80.0].map(|t| (t, of(t))).to_vec()
        };
        let Some(Fit::Power { exponent, .. }) = fit(&points(&|t| 2.0 * t.sqrt())) else { panic!() };
        assert!((exponent - 0.5).abs() < 1e-9);
        let fitted = fit(&points(&|t| 7.0 * (-t / 30.0).exp())).expect("four points");
        let Fit::Decay { factor, rate } = fitted else { panic!("{fitted:?}") };
        assert!((factor - 7.0).abs() < 1e-9 && (rate - 1.0 / 30.0).abs() < 1e-9);
        assert!((fitted.at(30.0) - 7.0 / std::f64::consts::E).abs() < 1e-9);
        // A power that falls is no decay.
        assert!(matches!(fit(&points(&|t| 1.0 / t)), Some(Fit::Power { .. })));
        assert_eq!(Fit::Power { factor: 3.0, exponent: 2.0 }.at(5.0), 75.0);
        assert_eq!(fit(&points(&|_| 0.0)), None);
        assert_eq!(fit(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    }
}
