//! How far a reading reaches, how far a check does, and whether the one covers the other.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How far a reading or a check reaches.
///
/// A reading says for what its statement is made; a check, for what it shows it. Cases and samples
/// are no scope of a reading: nobody states a theorem for the grid on which it was tried.
// Exhaustive on purpose: whoever judges scopes must judge a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Every T, and all real values of everything else that the reading leaves free.
    All,
    /// At most so many rounds, and all real values of everything else.
    Rounds(u32),
    /// What is written out: sequences, natures, numbers.
    Instance,
    /// All large T, with constants that are not named.
    Asymptotic,
    /// Every case of a domain that is less than the reading speaks of: a grid, a range of T.
    Cases,
    /// Some cases, drawn at random.
    Samples,
}

impl Scope {
    /// Whether a check of this scope shows all that a reading of the other one says.
    ///
    /// ```
    /// use truecal_verify::registry::Scope;
    /// assert!(Scope::All.covers(Scope::Rounds(4)) && Scope::All.covers(Scope::Asymptotic));
    /// assert!(Scope::Rounds(4).covers(Scope::Rounds(3)));
    /// assert!(!Scope::Rounds(4).covers(Scope::All) && !Scope::Cases.covers(Scope::Instance));
    /// ```
    pub fn covers(self, reading: Scope) -> bool {
        match (self, reading) {
            (Scope::Cases | Scope::Samples, _) | (_, Scope::Cases | Scope::Samples) => false,
            (Scope::All, _) => true,
            (Scope::Rounds(shown), Scope::Rounds(said)) => said <= shown,
            (shown, said) => shown == said,
        }
    }
}

/// In words, which are also the text in JSON.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::All => f.write_str("all T, every real p"),
            Scope::Rounds(rounds) => write!(f, "T <= {rounds}, every real p"),
            Scope::Instance => f.write_str("the instance"),
            Scope::Asymptotic => f.write_str("as T grows"),
            Scope::Cases => f.write_str("cases"),
            Scope::Samples => f.write_str("samples"),
        }
    }
}

/// A text is not a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "not a scope; one is `{}`, others `{}` and `{}`",
    Scope::All,
    Scope::Rounds(4),
    Scope::Cases
)]
#[non_exhaustive]
pub struct ScopeError;

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Scope, ScopeError> {
        let plain = [Scope::All, Scope::Instance, Scope::Asymptotic, Scope::Cases, Scope::Samples];
        let rounds = || {
            let number = text.strip_prefix("T <= ")?.strip_suffix(", every real p")?;
            let scope = Scope::Rounds(number.parse().ok()?);
            (scope.to_string() == text).then_some(scope)
        };
        plain.into_iter().find(|scope| scope.to_string() == text).or_else(rounds).ok_or(ScopeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Scope; 8] = [
        Scope::All,
        Scope::Rounds(0),
        Scope::Rounds(4),
        Scope::Rounds(5),
        Scope::Instance,
        Scope::Asymptotic,
        Scope::Cases,
        Scope::Samples,
    ];

    /// What covers something covers itself and whatever that covers; what was tried covers nothing.
    #[test]
    fn covering_is_an_order() {
        for one in ALL {
            let tried = matches!(one, Scope::Cases | Scope::Samples);
            assert_eq!(one.covers(one), !tried, "{one}");
            assert_eq!(Scope::All.covers(one), !tried, "{one}");
            assert_eq!(one.covers(Scope::All), one == Scope::All, "{one}");
            for other in ALL {
                assert!(!(one.covers(other) && other.covers(one)) || one == other);
                for third in ALL {
                    let chain = one.covers(other) && other.covers(third);
                    assert!(!chain || one.covers(third), "{one}, {other}, {third}");
                }
            }
        }
        assert!(Scope::Rounds(5).covers(Scope::Rounds(4)));
        assert!(!Scope::Rounds(4).covers(Scope::Rounds(5)));
        // Few rounds say nothing of large T, nor does one sequence.
        assert!(!Scope::Rounds(5).covers(Scope::Asymptotic));
        assert!(!Scope::Instance.covers(Scope::Asymptotic));
    }

    #[test]
    fn scopes_are_read_as_they_are_written() {
        for scope in ALL {
            assert_eq!(scope.to_string().parse(), Ok(scope));
        }
        for text in ["", "all", "T <= 4", "T <= +4, every real p", "T <= 04, every real p"] {
            assert_eq!(text.parse::<Scope>(), Err(ScopeError), "{text}");
        }
    }
}
