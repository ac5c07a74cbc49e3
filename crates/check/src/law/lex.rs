//! The words of a law.

use num_rational::Ratio;

use super::expr::fitting;
use super::function::Function;
use super::{Mistake, Quantity, Relation};

/// A word, and the column where it begins.
pub(super) type Placed = (Token, usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(Ratio<i64>),
    Quantity(Quantity),
    Function(Function),
    Relation(Relation),
    Implies,
    Plus,
    Minus,
    Times,
    Over,
    Open,
    Close,
    Comma,
    /// Reported only when parsing comes to it, so that the first mistake is named first.
    Wrong(Mistake),
    End,
}

/// The symbols, those first that begin with another.
const SYMBOLS: [(&str, Token); 15] = [
    ("=>", Token::Implies),
    ("<=", Token::Relation(Relation::AtMost)),
    ("≤", Token::Relation(Relation::AtMost)),
    (">=", Token::Relation(Relation::AtLeast)),
    ("≥", Token::Relation(Relation::AtLeast)),
    ("==", Token::Relation(Relation::Equal)),
    ("<", Token::Relation(Relation::Below)),
    (">", Token::Relation(Relation::Above)),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Times),
    ("/", Token::Over),
    ("(", Token::Open),
    (")", Token::Close),
    (",", Token::Comma),
];

/// What other notations write, and what to write here. None of them can begin what a law may
/// contain.
const FOREIGN: [(&str, &str); 22] = [
    ("==>", "write `=>`"),
    ("<=>", "write `==` for equality; equivalence takes two laws"),
    ("->", "write `=>`"),
    ("⇒", "write `=>`"),
    ("→", "write `=>`"),
    ("=<", "write `<=`"),
    ("<>", "laws state <= >= < > =="),
    ("!=", "laws state <= >= < > =="),
    ("≠", "laws state <= >= < > =="),
    ("**", "write powers as products, like `T*T`"),
    ("^", "write powers as products, like `T*T`, and stepCE^sub as `stepce_sub`"),
    ("²", "write powers as products, like `T*T`"),
    ("×", "write `*`"),
    ("·", "write `*`"),
    ("÷", "write `/`"),
    ("−", "write `-`"),
    ("–", "write `-`"),
    ("√", "write `sqrt(…)`"),
    ("|", "write `abs(…)`"),
    ("%", "write percentages as fractions, like 5/100"),
    ("&", "a law has one hypothesis"),
    ("[", "use ( and )"),
];

/// How a symbol is written; None for other words.
pub(super) fn symbol(token: &Token) -> Option<&'static str> {
    SYMBOLS.into_iter().find(|(_, other)| other == token).map(|(symbol, _)| symbol)
}

/// The words up to the first that is none, and the end.
pub(super) fn tokens(text: &str) -> Vec<Placed> {
    let mut tokens = vec![];
    let (mut rest, mut column) = (text, 1);
    loop {
        let trimmed = rest.trim_start();
        column += rest[..rest.len() - trimmed.len()].chars().count();
        let Some(first) = trimmed.chars().next() else {
            tokens.push((Token::End, column));
            return tokens;
        };
        let (token, length) = next(trimmed, first);
        let is_wrong = matches!(token, Token::Wrong(_));
        tokens.push((token, column));
        if is_wrong {
            return tokens;
        }
        column += trimmed[..length].chars().count();
        rest = &trimmed[length..];
    }
}

/// The word that a text begins with, and its length in bytes.
fn next(text: &str, first: char) -> (Token, usize) {
    if first.is_ascii_digit() || first == '.' {
        return number(text);
    }
    if first.is_alphabetic() || first == '_' {
        let is_part = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_';
        let name = text.split(|c| !is_part(c)).next().unwrap_or(text);
        return (named(name), name.len());
    }
    if let Some((found, hint)) = FOREIGN.into_iter().find(|(symbol, _)| text.starts_with(symbol)) {
        return (Token::Wrong(Mistake::Symbol { found, hint }), found.len());
    }
    if let Some((symbol, token)) = SYMBOLS.into_iter().find(|(symbol, _)| text.starts_with(symbol))
    {
        return (token, symbol.len());
    }
    let mistake = match first {
        '=' => Mistake::Symbol { found: "=", hint: "write `==` to claim an equality" },
        _ => Mistake::Character(first),
    };
    (Token::Wrong(mistake), first.len_utf8())
}

fn named(name: &str) -> Token {
    let quantity = Quantity::ALL.into_iter().find(|q| q.key().eq_ignore_ascii_case(name));
    let function = Function::ALL.into_iter().find(|f| f.key().eq_ignore_ascii_case(name));
    match (quantity, function) {
        (Some(quantity), _) => Token::Quantity(quantity),
        (_, Some(function)) => Token::Function(function),
        _ => Token::Wrong(Mistake::unknown_name(name)),
    }
}

/// `digits[.digits]`.
fn number(text: &str) -> (Token, usize) {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(text);
    let part = text[whole..].strip_prefix('.').map(digits);
    let length = whole + part.map_or(0, |part| 1 + part);
    if whole == 0 || part == Some(0) || continues(&text[length..]) {
        return (Token::Wrong(Mistake::Number), length);
    }
    let part = &text[length - part.unwrap_or(0)..length];
    let number = decimal(&text[..whole], part.trim_end_matches('0'));
    (number.map_or(Token::Wrong(Mistake::NumberTooLarge), Token::Number), length)
}

/// Whether what follows a number was meant to belong to it: 1.2.3, 1_000, 1e5.
fn continues(rest: &str) -> bool {
    let is_exponent = |rest: &str| {
        rest.strip_prefix(['+', '-']).unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
    };
    rest.starts_with(['.', '_']) || rest.strip_prefix(['e', 'E']).is_some_and(is_exponent)
}

fn decimal(whole: &str, part: &str) -> Option<Ratio<i64>> {
    let places = u32::try_from(part.len()).ok()?;
    let mut digits = whole.bytes().chain(part.bytes()).map(|digit| i128::from(digit - b'0'));
    let digits = digits.try_fold(0_i128, |n, digit| n.checked_mul(10)?.checked_add(digit))?;
    fitting(&Ratio::new(digits, 10_i128.checked_pow(places)?))
}
