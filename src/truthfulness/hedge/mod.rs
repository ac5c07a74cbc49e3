//! The forecaster of thm:alg.
