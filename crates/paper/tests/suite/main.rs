//! The registry's laws, certificates and statements, one binary.

mod certificates;
mod universal;
