//! The rows of the registry, their laws and their certificates, one binary.

mod certificates;
mod rows;
mod universal;
