//! What every certificate has in common (`proofs/CERTIFICATES.md`).

/// The first line of every certificate.
pub const VERSION: &str = "truecal certificate 1";
/// The most rounds of a certificate.
pub const MOST_ROUNDS: u32 = 12;
/// The most bytes in a line.
pub(crate) const LONGEST_LINE: u64 = 1 << 16;
