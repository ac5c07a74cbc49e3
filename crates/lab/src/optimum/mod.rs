//! The best forecaster of a nature, and how much less than the truth it pays.
//!
//! A nature that is not smoothed is a tree ([`OutcomeTree`]): the probability of an event after
//! each past. So is a forecaster who knows it. [`exact()`] finds the least expected measure over
//! all real predictions, for three rounds or fewer, with a certificate that [`check`] holds against
//! the definitions; [`on_grid`] the least over a grid of predictions, for every measure and some
//! more rounds; and [`variance_bound`] bounds it from below for any number of independent rounds.

mod bound;
mod certificate;
mod contribution;
mod envelope;
mod exact;
mod grid;
mod order;
pub(super) mod pieces;
mod tree;

pub use bound::{bound_from, kappa};
pub use bound::{lower_bound, variance_bound};
pub use certificate::{
    CaseBound, Certificate, Line, Optimum, OptimumCase, OptimumRejection, OrderRow, Selection,
    check,
};
pub use exact::{exact, has_exact_optimum};
pub use grid::{GRID_BUDGET, GridOptimum, MAX_GRID_DENOMINATOR, grid_cost, on_grid};
pub use order::{Order, all_orders, neighbours};
pub use tree::{
    MAX_FORECAST_BITS, MAX_NATURE_BITS, MAX_TREE_ROUNDS, OutcomeTree, TreeError, TreeForecaster,
};
pub use tree::{digits, outcomes};

use thiserror::Error;

use truecal::Measure;

/// The most rounds for which the optimum over all real predictions is computed.
pub const MAX_EXACT_ROUNDS: usize = 3;

/// Why there is no optimum.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptimumError {
    /// Too many rounds.
    #[error(
        "the optimum over all real predictions is for at most {MAX_EXACT_ROUNDS} rounds, not \
            {rounds}; on a grid of predictions there may be more"
    )]
    Rounds {
        /// How many there are.
        rounds: usize,
    },
    /// The measure is not a sum of maxima of affine functions.
    #[error(
        "{measure} is not piecewise affine in the predictions, so that its optimum over all real \
            predictions is not computed; on a grid of predictions it is"
    )]
    NotPiecewiseAffine {
        /// Which.
        measure: Measure,
    },
    /// The grid is too fine for so many rounds.
    #[error(
        "the best forecaster on the grid of 1/{denominator} takes about {cost} steps, and the \
            budget is {budget}; a coarser grid or fewer rounds would do"
    )]
    TooCostly {
        /// Of the grid.
        denominator: u32,
        /// The steps.
        cost: u128,
        /// How many are allowed.
        budget: u128,
    },
    /// The watch asked for it.
    #[error("stopped before the optimum was found")]
    Stopped,
}

#[cfg(test)]
mod tests;
