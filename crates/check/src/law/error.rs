//! What is wrong with a law, and where.

use thiserror::Error;

use super::function::Function;
use super::{MAX_LAW_BYTES, MAX_NESTING, MAX_RADICANDS, Quantity};
use truecal::suggest::nearest;

/// Why a text is not a law. Prints the mistake, then the text with a mark below the place.
///
/// ```
/// use truecal_check::law::Law;
/// let error = "stepce >= 8 ucal".parse::<Law>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "an operator is missing here; a product is written with `*`
///   stepce >= 8 ucal
///               ^"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{mistake}\n{}", picture(.text, *.column, .mistake))]
pub struct LawError {
    text: String,
    column: usize,
    mistake: Mistake,
}

impl LawError {
    pub(super) fn new(text: &str, column: usize, mistake: Mistake) -> Self {
        LawError { text: text.to_owned(), column, mistake }
    }

    /// The text; if it is too long, the beginning.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place of the mistake: a character of the text, from 1. The end of the text comes after
    /// the last.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong there.
    pub fn mistake(&self) -> &Mistake {
        &self.mistake
    }
}

/// What can be wrong with a law.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Mistake {
    /// The text is empty.
    #[error("the law is empty; write for example `stepce >= ucal/8`")]
    Empty,
    /// The text exceeds [`MAX_LAW_BYTES`].
    #[error("a law has at most {MAX_LAW_BYTES} bytes")]
    TooLong,
    /// The nesting exceeds [`MAX_NESTING`].
    #[error(
        "more than {MAX_NESTING} operations or parentheses enclose one another here (each \
            operation of a long sum encloses those before it)"
    )]
    TooDeep,
    /// A character that no law has.
    #[error("`{}` has no meaning in a law", .0.escape_debug())]
    Character(char),
    /// A symbol that is written otherwise here.
    #[error("`{found}` has no meaning in a law; {hint}")]
    Symbol {
        /// The symbol.
        found: &'static str,
        /// What to write.
        hint: &'static str,
    },
    /// A number that is not digits with an optional point between them.
    #[error("numbers are written in digits, like 12 or 0.25 (not .5 or 1e5 or 1_000)")]
    Number,
    /// A number, or a result of arithmetic on numbers, above 2^63 - 1 or with such a denominator.
    #[error(
        "this number does not fit 64 bits: {} is the largest, above and below the line",
        i64::MAX
    )]
    NumberTooLarge,
    /// A name that is neither a quantity nor a function.
    #[error("unknown name `{name}`{}", suggestion(.nearest))]
    UnknownName {
        /// The name, shortened if it is very long.
        name: String,
        /// A known name that looks like it.
        nearest: Option<&'static str>,
    },
    /// An operand was due.
    #[error("expected a number, a name or `(`, but {found}")]
    Operand {
        /// What came instead, as a clause.
        found: String,
    },
    /// Two operands without an operator between them.
    #[error("an operator is missing here; a product is written with `*`")]
    MissingOperator,
    /// A function without `(`.
    #[error("`{0}` needs its argument in parentheses: {0}(…)")]
    FunctionWithoutArgument(&'static str),
    /// More than one argument for a function of one.
    #[error("`{0}` takes one argument")]
    Arguments(&'static str),
    /// A comma outside of `max` and `min`.
    #[error(
        "a comma can only separate the arguments of `max` and `min` (decimals have a point: 0.25)"
    )]
    Comma,
    /// A `(` without its `)`.
    #[error("this parenthesis is never closed")]
    Unclosed,
    /// A `)` without its `(`.
    #[error("no parenthesis is open here")]
    Unopened,
    /// No relation.
    #[error("a law compares two sides: one of <= >= < > == is missing here")]
    NoComparison,
    /// A relation in parentheses.
    #[error("a comparison cannot stand in parentheses")]
    ComparisonInParentheses,
    /// `a <= b <= c`.
    #[error("only one comparison at a time: write two laws, `a <= b` and `b <= c`")]
    Chained,
    /// `a => b => c`.
    #[error("a law has only one `=>`")]
    SecondImplication,
    /// A divisor that is not a number.
    #[error("laws divide by numbers only: multiply both sides instead, as in `ece <= m*stepce`")]
    Divisor,
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A root in a root.
    #[error("a square root cannot stand in a square root")]
    NestedRoot,
    /// More than [`MAX_RADICANDS`] different radicands in one comparison.
    #[error(
        "one comparison can have the square roots of {MAX_RADICANDS} different expressions, here \
            {known}"
    )]
    TooManyRadicands {
        /// The expressions under the roots before.
        known: String,
    },
    /// An implication where a comparison was due.
    #[error("only a comparison can stand here, not an implication")]
    OneComparison,
    /// A comparison where one side was due.
    #[error("only one side of a comparison can stand here, like `ucal` or `stepce + T/2`")]
    OneSide,
}

impl Mistake {
    pub(super) fn unknown_name(name: &str) -> Self {
        let mut shown: String = name.chars().take(40).collect();
        if shown.len() < name.len() {
            shown.push('…');
        }
        Mistake::UnknownName { nearest: nearest(&shown, Mistake::known_names()), name: shown }
    }

    /// What laws can name: quantities, then functions.
    pub fn known_names() -> impl Iterator<Item = &'static str> {
        let functions = Function::ALL.into_iter().map(Function::key);
        Quantity::ALL.into_iter().map(Quantity::key).chain(functions)
    }
}

fn suggestion(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
}

/// Characters shown on each side of the mark.
const CONTEXT: usize = 50;

/// The text around the column, with a mark below it, and the known names where one was not known.
fn picture(text: &str, column: usize, mistake: &Mistake) -> String {
    let start = column.saturating_sub(CONTEXT + 1);
    // Whatever would move the cursor would separate the mark from its place.
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let window: String = text.chars().skip(start).take(2 * CONTEXT + 1).map(plain).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if text.chars().count() > start + 2 * CONTEXT + 1 { "…" } else { "" };
    let width = column - start + before.chars().count();
    let mut picture = format!("  {before}{window}{after}\n  {:>width$}", '^');
    if let Mistake::UnknownName { .. } = mistake {
        let names: Vec<_> = Mistake::known_names().collect();
        picture += &format!("\nknown names: {}", names.join(" "));
    }
    picture
}
