//! Certificates and claims for every T, one binary.

mod certificates;
