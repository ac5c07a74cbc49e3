//! A number that changes with a text.

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a). Each step is a bijection of the state, so any
/// one changed byte changes it.
pub fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
