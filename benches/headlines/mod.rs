//! The headline claims of the paper.

/// Those that are linear in the measures, then the one that is not.
pub const HEADLINES: [&str; 9] = [
    "signce <= 3*stepce",
    "stepce <= signce",
    "ucal <= 8*stepce",
    "vcal <= 4*stepce",
    "smce <= 2*stepce",
    "stepce <= 2*stepce_sub",
    "intervalce <= 2*stepce",
    "stepce <= ece",
    "abs(bias) <= signce",
];
