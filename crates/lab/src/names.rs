//! What goes by a name, and what to say of a name that nothing has.

use thiserror::Error;

use truecal::suggest;

/// Nothing of this kind has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no {kind} is called {name:?}{}\nknown {kind}s: {}",
    near.map(|near| format!("; did you mean {near}?")).unwrap_or_default(),
    known.join(" ")
)]
#[non_exhaustive]
pub struct UnknownName {
    /// What was looked for: `nature`, `forecaster` or `construction`.
    pub kind: &'static str,
    /// What was given.
    pub name: String,
    /// The name that is most like it, if one is like it at all.
    pub near: Option<&'static str>,
    /// All names, those with a parameter as `hedge:K`.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    pub(crate) fn new(
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Self {
        let known: Vec<_> = known.collect();
        let near = suggest::nearest(name, known.iter().copied().map(bare));
        UnknownName { kind, name: name.to_owned(), near, known }
    }
}

/// A name without its parameter.
pub(crate) fn bare(name: &'static str) -> &'static str {
    name.split(':').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_comes_with_those_that_are_known() {
        let known = || ["hedge:K", "truthful"].into_iter();
        let slip = UnknownName::new("forecaster", "hegde", known());
        assert_eq!(slip.near, Some("hedge"));
        assert_eq!(
            slip.to_string(),
            "no forecaster is called \"hegde\"; did you mean hedge?\n\
             known forecasters: hedge:K truthful"
        );
        let nonsense = UnknownName::new("forecaster", "xyzzy", known());
        assert_eq!(nonsense.near, None);
        assert!(nonsense.to_string().starts_with("no forecaster is called \"xyzzy\"\nknown"));
    }
}
