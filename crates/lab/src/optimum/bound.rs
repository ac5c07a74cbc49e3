//! A lower bound of OPT that needs no search: from the variance of independent rounds.

use num_rational::BigRational;

use crate::enclosure::Enclosure;
use truecal::Measure;

/// (√(1/4 + κV) - 1/2)/(2√2) with κ = (√5 - 1)/2: for independent rounds with Σ p*_t (1 - p*_t) = V
/// no forecaster has a smaller expected stepCE^sub.
///
/// Let a_t = x_t - p_t and Q = Σ a_t². With the threshold 1 all rounds count, so stepCE^sub is at
/// least E_y |Σ y_t a_t| over y in {0,1}^T. For y_t = (1 + ε_t)/2 this is E |A + Σ ε_t a_t|/2 with
/// A = Σ a_t; as Σ ε_t a_t is symmetric, that is at least E |Σ ε_t a_t|/2, and by Khintchine's
/// inequality with Szarek's constant (cited) at least √Q/(2√2). All of this holds for each x.
///
/// Whatever is predicted, E √(1/4 + Q) >= √(1/4 + κV): one round after the other, from the last to
/// the first, a_t² is replaced by κ u_t with u_t = p*_t (1 - p*_t). What else is under the root is
/// some A >= 1/4 that the past determines. Given the past, D = a_t² is in [0, 1] and E D >= u_t, so
/// by concavity E √(A + D) >= √A + u_t (√(A + 1) - √A), while √(A + κ u_t) <= √A + κ u_t/(2√A); and
/// 2√A (√(A + 1) - √A) = 2/(1 + √(1 + 1/A)) increases in A, from κ at A = 1/4. Finally √Q >=
/// √(1/4 + Q) - 1/2.
///
/// Other numbers than 1/4 give other bounds; this one is nearly the best at V = 2, where the ratio
/// of min(V, √(2V)), which bounds the truth, to this bound is largest.
///
/// ```
/// use truecal_lab::optimum::variance_bound;
/// let bound = variance_bound(&"2".parse()?);
/// assert_eq!(format!("{bound:.6}"), "0.254220…");
/// # Ok::<(), num_rational::ParseRatioError>(())
/// ```
pub fn variance_bound(variance: &BigRational) -> Enclosure {
    bound_from(&Enclosure::exact(variance))
}

/// What the variance of independent rounds says of a measure: no forecaster has a smaller
/// expectation; `None` where nothing is known.
pub fn lower_bound(measure: Measure, variance: &BigRational) -> Option<Enclosure> {
    match measure {
        Measure::StepCeSub => Some(variance_bound(variance)),
        Measure::Ece
        | Measure::SmCe
        | Measure::StepCe
        | Measure::SignCe
        | Measure::IntervalCe
        | Measure::VCal
        | Measure::UCal
        | Measure::Cdl
        | Measure::VCalSub
        | Measure::UCalSub
        | Measure::Ssce => None,
    }
}

/// [`variance_bound`] for a variance that is known by an enclosure.
pub fn bound_from(variance: &Enclosure) -> Enclosure {
    let root = (Enclosure::ratio(1, 4) + kappa() * variance).sqrt();
    (root - Enclosure::ratio(1, 2)) / (Enclosure::from(2) * Enclosure::from(2).sqrt())
}

/// (√5 - 1)/2
pub fn kappa() -> Enclosure {
    (Enclosure::from(5).sqrt() - Enclosure::from(1)) / Enclosure::from(2)
}
