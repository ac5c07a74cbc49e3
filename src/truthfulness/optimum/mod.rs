//! The best forecaster of a nature.
