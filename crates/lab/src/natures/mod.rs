//! Natures by name: those of the paper, and the simplest others.

mod epochs;
mod search;

use num_rational::BigRational;
use num_traits::One;
use thiserror::Error;
pub(super) use truecal::rational::ratio as r;

use super::chance::{Chance, Piece, Spread};
use super::nature::{Blocks, Nature};
use crate::names::UnknownName;
use truecal::Prediction;
use truecal::rational::int;

pub use epochs::{Epochs, Strategist};
pub use search::BinarySearch;

/// numerator / denominator, a probability
pub fn p(numerator: u64, denominator: u64) -> Prediction {
    num_rational::Ratio::new(numerator, denominator).try_into().expect("a probability")
}

/// p* uniform within c of the centre.
pub(super) fn around(centre: &BigRational, c: &BigRational) -> Chance {
    Chance::Spread(Spread::uniform(centre - c, centre + c).expect("an interval within [0, 1]"))
}

/// T fair coins.
pub fn fair(rounds: u64) -> Blocks {
    Blocks::new([(rounds, Chance::Point(p(1, 2)))])
}

/// T/2 fair coins, then certain events (L398).
pub fn patch_up(rounds: u64) -> Blocks {
    let half = rounds / 2;
    Blocks::new([(half, Chance::Point(p(1, 2))), (rounds - half, Chance::Point(Prediction::ONE))])
}

/// T/2 rounds of probability 1/5, then as many of 4/5 (L701).
pub fn hedging(rounds: u64) -> Blocks {
    let half = rounds / 2;
    Blocks::new([(half, Chance::Point(p(1, 5))), (rounds - half, Chance::Point(p(4, 5)))])
}

/// The same with p* uniform within c of these, c < 1/5 (L879).
pub fn smoothed_hedging(rounds: u64, c: &BigRational) -> Blocks {
    let half = rounds / 2;
    Blocks::new([(half, around(&r(1, 5), c)), (rounds - half, around(&r(4, 5), c))])
}

/// p* uniform on [0, 1] in every round: the only 1-smoothed nature.
pub fn uniform(rounds: u64) -> Blocks {
    Blocks::new([(rounds, around(&r(1, 2), &r(1, 2)))])
}

/// p* uniform on [0, c/2] or on [1 - c/2, 1], either with probability 1/2: of all c-smoothed
/// natures the one with the least variance (L1110).
pub fn edges(rounds: u64, c: &BigRational) -> Blocks {
    let width = c / int(2);
    let piece = |low: BigRational, high: BigRational| Piece { low, high, mass: r(1, 2) };
    let pieces =
        vec![piece(r(0, 1), width.clone()), piece(BigRational::one() - &width, BigRational::one())];
    Blocks::new([(rounds, Chance::Spread(Spread::new(pieces).expect("two pieces at the ends")))])
}

/// The smoothness of `edges` by name.
pub const USUAL_C: (i64, i64) = (1, 16);

/// The half-width of `smoothed-hedging` by name, and of the construction.
pub const USUAL_NOISE: (i64, i64) = (1, 20);

/// A named family: its name, what it is, what T must be a multiple of and its largest value, and
/// the nature.
type Named = (&'static str, &'static str, u64, u64, fn(u64) -> Box<dyn Nature>);

/// All natures that have names.
pub const NAMED: [Named; 8] = [
    ("fair", "fair coins", 1, MOST_ROUNDS, |t| Box::new(fair(t))),
    ("uniform", "p* uniform on [0, 1]", 1, MOST_ROUNDS, |t| Box::new(uniform(t))),
    ("edges", "p* uniform on [0, 1/32] or [31/32, 1]", 1, MOST_ROUNDS, |t| {
        Box::new(edges(t, &r(USUAL_C.0, USUAL_C.1)))
    }),
    ("patch-up", "fair coins in the first half, then certain events", 2, MOST_ROUNDS, |t| {
        Box::new(patch_up(t))
    }),
    ("hedging", "probability 1/5 in the first half, then 4/5", 2, MOST_ROUNDS, |t| {
        Box::new(hedging(t))
    }),
    ("smoothed-hedging", "p* within 1/20 of 1/5, then of 4/5", 2, MOST_ROUNDS, |t| {
        Box::new(smoothed_hedging(t, &r(USUAL_NOISE.0, USUAL_NOISE.1)))
    }),
    ("binary-search", "p* near 1/2, moved by every outcome", 1, 2000, |t| {
        Box::new(BinarySearch::usual(t))
    }),
    ("epochs", "the lower bound for stepCE, with c = 1/128", 20, MOST_ROUNDS, |t| {
        Box::new(Epochs::usual(t).expect("T is a multiple of 20"))
    }),
];

/// The longest nature by name, and a sensible limit for any that is written out.
pub const MOST_ROUNDS: u64 = 1_000_000;

/// Why a text does not name a nature.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NatureError {
    /// No nature has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// No number of rounds.
    #[error("{text:?}: give the number of rounds after a colon, like {name}:{example}")]
    NoRounds {
        /// What was given.
        text: String,
        /// The name in it.
        name: &'static str,
        /// A number of rounds that would do.
        example: u64,
    },
    /// No rounds, or too many.
    #[error("{text:?}: the number of rounds must be from 1 to {most}")]
    Rounds {
        /// What was given.
        text: String,
        /// The most rounds.
        most: u64,
    },
    /// It has parts that would not be equal.
    #[error("{text:?}: the number of rounds must be a multiple of {multiple}")]
    NotAMultiple {
        /// What was given.
        text: String,
        /// What the rounds must be a multiple of.
        multiple: u64,
    },
}

/// A nature by name and number of rounds, like `hedging:40`. The error says what names there are.
pub fn named(text: &str) -> Result<Box<dyn Nature>, NatureError> {
    let (name, rounds) = text.split_once(':').unwrap_or((text, ""));
    let names = || NAMED.iter().map(|(name, ..)| *name);
    let known = NAMED.iter().find(|(known, ..)| *known == name);
    let &(name, _, multiple, most, build) =
        known.ok_or_else(|| UnknownName::new("nature", name, names()))?;
    let text = || text.to_owned();
    match rounds.parse::<u64>() {
        Err(_) => Err(NatureError::NoRounds { text: text(), name, example: 2 * multiple }),
        Ok(count) if count == 0 || count > most => Err(NatureError::Rounds { text: text(), most }),
        Ok(count) if !count.is_multiple_of(multiple) => {
            Err(NatureError::NotAMultiple { text: text(), multiple })
        }
        Ok(count) => Ok(build(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nature::Memory;

    /// The laws along a run of ones.
    fn laws(nature: &dyn Nature) -> Vec<Chance> {
        let mut memory: Memory = nature.start();
        let mut laws = vec![];
        for round in 0..nature.rounds() {
            laws.push(nature.chance(round, &memory));
            let outcomes = super::super::nature::Outcomes { rounds: 1, ones: 1 };
            memory = nature.remember(round, memory, outcomes);
        }
        laws
    }

    #[test]
    fn names_lead_to_natures() {
        for (name, _, multiple, ..) in NAMED {
            let nature = named(&format!("{name}:{}", 2 * multiple)).expect("a nature");
            assert_eq!(nature.rounds(), 2 * multiple, "{name}");
            assert_eq!(laws(&*nature).len() as u64, 2 * multiple);
        }
        let smoothness = |text: &str| laws(&*named(text).expect("a nature"))[0].smoothness();
        assert_eq!(smoothness("uniform:1"), r(1, 1));
        assert_eq!(smoothness("edges:1"), r(1, 16));
        assert_eq!(smoothness("smoothed-hedging:2"), r(1, 10));
        assert_eq!(smoothness("epochs:20"), r(1, 128));
        assert_eq!(smoothness("fair:1"), r(0, 1));
        // Of all c-smoothed laws `edges` has the least variance, c/4 - c²/12.
        let edges = laws(&edges(1, &r(1, 16)))[0].variance();
        assert_eq!(edges, r(1, 64) - r(1, 12 * 256));
    }

    #[test]
    fn slips_in_names_are_explained() {
        let error = |text: &str| named(text).err().expect("no nature");
        let complaint = |text: &str| error(text).to_string();
        assert!(matches!(error("hedgin:4"), NatureError::Unknown(_)));
        assert!(matches!(error("fair:-1"), NatureError::NoRounds { name: "fair", .. }));
        assert!(matches!(error("binary-search:2001"), NatureError::Rounds { most: 2000, .. }));
        assert!(matches!(error("epochs:30"), NatureError::NotAMultiple { multiple: 20, .. }));
        assert!(complaint("hedgin:4").contains("did you mean hedging?"));
        assert!(complaint("xyzzy").contains("known natures: fair uniform"));
        assert!(complaint("hedging").contains("like hedging:4"));
        assert!(complaint("hedging:3").contains("a multiple of 2"));
        assert!(complaint("fair:0").contains("from 1 to"));
        assert!(complaint("fair:-1").contains("after a colon"));
        assert!(complaint("fair:1000001").contains("from 1 to 1000000"));
        assert!(named("fair:1000000").is_ok() && named("binary-search:2000").is_ok());
        assert!(complaint("binary-search:2001").contains("from 1 to 2000"));
    }
}
