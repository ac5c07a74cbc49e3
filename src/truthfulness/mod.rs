//! Which measures can a forecaster game?

pub mod hedge;
pub mod optimum;
