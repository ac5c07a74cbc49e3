//! The functions that laws may use.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Sqrt,
    Abs,
    Max,
    Min,
}

impl Function {
    pub(super) const ALL: [Function; 4] =
        [Function::Sqrt, Function::Abs, Function::Max, Function::Min];

    pub(super) fn key(self) -> &'static str {
        match self {
            Function::Sqrt => "sqrt",
            Function::Abs => "abs",
            Function::Max => "max",
            Function::Min => "min",
        }
    }
}
