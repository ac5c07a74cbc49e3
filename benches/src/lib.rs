//! What the benchmarks run on, and what they compare the library with.

pub mod data;
pub mod naive;

/// The most memory that some work takes beyond what was held before, in bytes, where the system
/// tells (Linux). To be called before anything else has left room behind.
pub fn memory(work: impl FnOnce()) -> Option<u64> {
    let kibibytes = |field: &str| -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    };
    std::fs::write("/proc/self/clear_refs", "5").ok()?; // the peak is counted from here
    let before = kibibytes("VmRSS")?;
    work();
    Some(1024 * kibibytes("VmHWM")?.saturating_sub(before))
}
