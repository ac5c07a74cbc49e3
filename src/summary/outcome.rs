//! What may stand for an outcome.

/// An outcome: 0 or 1, in one of the types in which people have them.
pub trait Outcome: Copy + Send + Sync {
    /// Whether the event happened; `None` for a value that is neither 0 nor 1.
    fn happened(self) -> Option<bool>;

    /// The value, for messages.
    fn text(self) -> String;
}

impl Outcome for bool {
    #[inline(always)]
    fn happened(self) -> Option<bool> {
        Some(self)
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Outcome for u8 {
    #[inline(always)]
    fn happened(self) -> Option<bool> {
        (self <= 1).then_some(self == 1)
    }

    fn text(self) -> String {
        self.to_string()
    }
}

impl Outcome for f64 {
    #[inline(always)]
    fn happened(self) -> Option<bool> {
        let one = self == 1.0;
        (one || self == 0.0).then_some(one)
    }

    fn text(self) -> String {
        self.to_string()
    }
}
