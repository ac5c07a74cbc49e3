//! Probabilities of classes that do not add up to 1.

use num_rational::BigRational;

use super::rounding::short_decimal;

/// Rows in which the probabilities of all classes do not add up to 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gaps {
    pub rows: u64,
    /// By how much at most.
    pub largest: BigRational,
}

/// That there are such rows, if there are.
pub(super) fn gaps_line(gaps: &Option<Gaps>) -> String {
    // Sums of rounded numbers are right to about as many digits as they have.
    let rounding = BigRational::new(1.into(), 1_000_000_000.into());
    match gaps {
        Some(Gaps { rows, largest }) if *rows > 0 => {
            let plural = if *rows == 1 { "" } else { "s" };
            let why = if *largest < rounding { ", as rounded numbers do" } else { "" };
            let largest = short_decimal(largest);
            format!(
                "in {rows} row{plural} the probabilities do not add up to 1, but miss it by up to \
                    {largest}{why}; they are measured as they are\n"
            )
        }
        _ => String::new(),
    }
}
