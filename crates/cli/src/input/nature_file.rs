//! Natures from small TOML files.
//!
//! Independent rounds, one after the other or in blocks, or a probability after each history of
//! outcomes:
//!
//! ```toml
//! probabilities = ["1/4", "0.5"]
//! ```
//!
//! ```toml
//! [[block]]
//! rounds = 10
//! p = "1/3"
//!
//! [[block]]
//! rounds = 5
//! uniform = ["1/4", "3/4"]
//!
//! [[block]]
//! pieces = [
//!     { from = "0", to = "1/8", mass = "1/2" },
//!     { from = "7/8", to = "1", mass = "1/2" },
//! ]
//! ```
//!
//! ```toml
//! [after]
//! "" = "1/2"
//! "0" = "1/4"
//! "1" = "3/4"
//! ```
//!
//! Numbers are texts, and so exact: a TOML float would be a binary fraction.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use num_rational::BigRational;
use num_traits::One;
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use truecal::Prediction;
use truecal_lab::natures::MOST_ROUNDS;
use truecal_lab::{Adaptive, Blocks, Chance, Nature, Piece, Spread};

/// Why a file is not a nature: the line, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct NatureFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// What a file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    probabilities: Option<Vec<Number>>,
    block: Option<Vec<Spanned<Block>>>,
    after: Option<Spanned<After>>,
}

/// A number as text.
type Number = Spanned<String>;

/// Numbers by histories of outcomes.
type After = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    rounds: Option<Spanned<i64>>,
    p: Option<Number>,
    uniform: Option<Spanned<[Number; 2]>>,
    pieces: Option<Spanned<Vec<Part>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    from: Number,
    to: Number,
    mass: Number,
}

/// A nature that was read from a file.
pub enum NatureFile {
    /// Independent rounds.
    Blocks(Blocks),
    /// A probability after each history of outcomes.
    Tree(Box<dyn Nature>),
}

impl NatureFile {
    /// The nature.
    pub fn into_nature(self) -> Box<dyn Nature> {
        match self {
            NatureFile::Blocks(blocks) => Box::new(blocks),
            NatureFile::Tree(tree) => tree,
        }
    }

    /// Reads a file's text.
    ///
    /// ```
    /// use truecal_cli::input::NatureFile;
    /// let nature = NatureFile::read("probabilities = ['1/4', '0.5']")?.into_nature();
    /// assert_eq!(nature.rounds(), 2);
    /// let error = NatureFile::read("\nprobabilities = ['5/4']").err().expect("more than 1");
    /// assert!(error.to_string().starts_with("line 2: \"5/4\": greater than 1"));
    /// # Ok::<(), truecal_cli::input::NatureFileError>(())
    /// ```
    pub fn read(text: &str) -> Result<NatureFile, NatureFileError> {
        let reader = Reader { text };
        let parsed: Text = toml::from_str(text).map_err(|error| {
            let mut problem = error.message().trim().replace('\n', "; ");
            if problem.contains("expected a string") {
                problem += "; write numbers as texts, like \"0.25\" or \"1/3\", which are exact";
            }
            reader.at(&error.span().unwrap_or(0..0), problem)
        })?;
        let start = 0..0;
        match parsed {
            Text { probabilities: Some(list), block: None, after: None } => reader.product(&list),
            Text { probabilities: None, block: Some(blocks), after: None } => {
                reader.blocks(&blocks)
            }
            Text { probabilities: None, block: None, after: Some(after) } => reader.tree(&after),
            _ => Err(reader.at(
                &start,
                "give one of: probabilities = [...], [[block]] parts, or an [after] table"
                    .to_owned(),
            )),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn at(&self, span: &Range<usize>, problem: String) -> NatureFileError {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        NatureFileError { line, problem }
    }

    fn probability(&self, number: &Number) -> Result<Prediction, NatureFileError> {
        let text = number.get_ref();
        text.parse().map_err(|error| self.at(&number.span(), format!("{text:?}: {error}")))
    }

    fn product(&self, list: &[Number]) -> Result<NatureFile, NatureFileError> {
        if list.is_empty() {
            return Err(self.at(&(0..0), "no probabilities; give at least one".to_owned()));
        }
        if list.len() as u64 > MOST_ROUNDS {
            let problem = format!("more than {MOST_ROUNDS} rounds");
            return Err(self.at(&list[list.len() - 1].span(), problem));
        }
        let all: Result<Vec<_>, _> = list.iter().map(|number| self.probability(number)).collect();
        Ok(NatureFile::Blocks(Blocks::product(all?)))
    }

    fn blocks(&self, blocks: &[Spanned<Block>]) -> Result<NatureFile, NatureFileError> {
        let mut all = vec![];
        let mut total = 0;
        for block in blocks {
            let chance = self.chance(block)?;
            let rounds = match &block.get_ref().rounds {
                None => 1,
                Some(rounds) => {
                    let count = u64::try_from(*rounds.get_ref()).unwrap_or(0);
                    if count == 0 || count > MOST_ROUNDS {
                        let problem =
                            format!("rounds = {}: give 1 to {MOST_ROUNDS}", rounds.get_ref());
                        return Err(self.at(&rounds.span(), problem));
                    }
                    count
                }
            };
            total += rounds;
            if total > MOST_ROUNDS {
                let problem = format!("more than {MOST_ROUNDS} rounds in all");
                return Err(self.at(&block.span(), problem));
            }
            all.push((rounds, chance));
        }
        Ok(NatureFile::Blocks(Blocks::new(all)))
    }

    fn chance(&self, block: &Spanned<Block>) -> Result<Chance, NatureFileError> {
        let rational = |number: &Number| self.probability(number).map(|p| p.to_rational());
        let (pieces, span) = match block.get_ref() {
            Block { p: Some(p), uniform: None, pieces: None, .. } => {
                return self.probability(p).map(Chance::Point);
            }
            Block { p: None, uniform: Some(ends), pieces: None, .. } => {
                let [low, high] = ends.get_ref();
                let (low, high) = (rational(low)?, rational(high)?);
                (vec![Piece { low, high, mass: BigRational::one() }], ends.span())
            }
            Block { p: None, uniform: None, pieces: Some(parts), .. } => {
                let piece = |part: &Part| {
                    let (low, high) = (rational(&part.from)?, rational(&part.to)?);
                    Ok(Piece { low, high, mass: rational(&part.mass)? })
                };
                let pieces = parts.get_ref().iter().map(piece).collect::<Result<Vec<_>, _>>()?;
                (pieces, parts.span())
            }
            _ => {
                let problem = "a block has one of p, uniform and pieces".to_owned();
                return Err(self.at(&block.span(), problem));
            }
        };
        let spread = Spread::new(pieces).map_err(|error| self.at(&span, error.to_string()))?;
        Ok(Chance::Spread(spread))
    }

    /// A probability for every history of fewer than T outcomes, where the longest key has T - 1.
    fn tree(&self, after: &Spanned<After>) -> Result<NatureFile, NatureFileError> {
        let mut chances = HashMap::new();
        for (name, value) in after.get_ref() {
            let key = name.get_ref();
            if !key.bytes().all(|byte| byte == b'0' || byte == b'1') {
                let problem =
                    format!("{key:?}: a history of outcomes is written in 0 and 1, like \"01\"");
                return Err(self.at(&name.span(), problem));
            }
            let toml::Value::String(text) = value.get_ref() else {
                let problem = format!("{key:?}: write the probability as a text, like \"1/3\"");
                return Err(self.at(&value.span(), problem));
            };
            let chance: Prediction = text.parse().map_err(|error| {
                self.at(&value.span(), format!("after {key:?}: {text:?}: {error}"))
            })?;
            chances.insert(key.bytes().map(|byte| byte == b'1').collect::<Vec<_>>(), chance);
        }
        let longest = chances.keys().map(Vec::len).max();
        let rounds = longest.map_or(0, |longest| longest + 1);
        if rounds == 0 || rounds > 20 {
            let problem =
                "[after] needs every history of fewer than T outcomes, for a T up to 20".to_owned();
            return Err(self.at(&after.span(), problem));
        }
        for length in 0..rounds {
            for bits in 0..1_u32 << length {
                let past: Vec<bool> = (0..length).rev().map(|t| bits >> t & 1 == 1).collect();
                if !chances.contains_key(&past) {
                    let key: String = past.iter().map(|x| if *x { '1' } else { '0' }).collect();
                    let problem = format!(
                        "no probability after {key:?}; give one for every history up to the \
                            longest length: \"\", \"0\", \"1\", \"00\", …"
                    );
                    return Err(self.at(&after.span(), problem));
                }
            }
        }
        let law = move |past: &[bool]| Chance::Point(chances[past].clone());
        Ok(NatureFile::Tree(Box::new(Adaptive::new(rounds as u64, law))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecal::rational::ratio;

    fn read(text: &str) -> Box<dyn Nature> {
        NatureFile::read(text).expect("a nature").into_nature()
    }

    #[test]
    fn the_forms_of_a_file() {
        let product = read("probabilities = [\"1/4\", '0.5', '1']");
        assert_eq!(product.chance(1, &[]), Chance::Point("1/2".parse().expect("a half")));
        let blocks = read(
            "[[block]]\nrounds = 10\np = '1/3'\n[[block]]\nuniform = ['1/4', '3/4']\n\
             [[block]]\nrounds = 2\npieces = [{ from = '0', to = '1/8', mass = '1/2' }, \
             { from = '7/8', to = '1', mass = '1/2' }]\n",
        );
        assert_eq!(blocks.rounds(), 13);
        assert_eq!((blocks.steady(3, &[]), blocks.steady(10, &[])), (7, 1));
        assert_eq!(blocks.chance(10, &[]).smoothness(), ratio(1, 2));
        assert_eq!(blocks.chance(12, &[]).smoothness(), ratio(1, 4));
        let ends = ["1/8", "1/2"].map(|end| end.parse().expect("a rational"));
        let [low, high] = ends;
        let uniform = Chance::Spread(Spread::uniform(low, high).expect("an interval"));
        assert_eq!(read("[[block]]\nuniform = ['1/8', '1/2']").chance(0, &[]), uniform);
        let tree = read("[after]\n'' = '1/2'\n'0' = '1/4'\n'1' = '3/4'\n");
        assert_eq!(tree.rounds(), 2);
        assert_eq!(tree.chance(1, &[1]), Chance::Point("3/4".parse().expect("a probability")));
    }

    #[test]
    fn bad_files_name_the_line() {
        for (text, complaint) in [
            ("", "line 1: give one of"),
            ("probabilities = []", "line 1: no probabilities"),
            ("probabilities = [0.5]", "line 1: invalid type: floating point"),
            ("\n\nprobabilities = ['3/2']", "line 3: \"3/2\": greater than 1"),
            ("probabilities = ['1/2'", "line 1: "),
            ("p = '1/2'", "line 1: unknown field `p`"),
            ("probabilities = ['1']\n[[block]]\np = '1'", "line 1: give one of"),
            ("[[block]]\nrounds = 0\np = '1/2'", "line 2: rounds = 0: give 1 to"),
            ("[[block]]\nrounds = -3\np = '1/2'", "line 2: rounds = -3"),
            ("[[block]]\nrounds = 2", "line 1: a block has one of"),
            ("[[block]]\np = '1/2'\nuniform = ['0', '1']", "line 1: a block has one of"),
            ("[[block]]\nuniform = ['3/4', '1/4']", "line 2: [3/4, 1/4] is not an interval"),
            (
                "[[block]]\npieces = [{ from = '0', to = '1', mass = '1/2' }]",
                "line 2: the masses add up to 1/2",
            ),
            ("[after]\n\"\" = '1/2'\n\"0\" = '1/2'", "line 1: no probability after \"1\""),
            (
                "[after]\n\"\" = '1/2'\n\"0\" = '7'\n\"1\" = '0'",
                "line 3: after \"0\": \"7\": greater",
            ),
            ("[after]\n'' = '1/2'\n'0' = '1/10'\n'1' = '7'", "line 4: after \"1\": \"7\": greater"),
            (
                "# \"0\"\n[after]\n'' = '1'\n'0' = '2'\n'1' = '0'",
                "line 4: after \"0\": \"2\": greater",
            ),
            (
                "[after]\n\"\" = '1'\n\"0\" = '0'\n\"1\" = 0.5",
                "line 4: \"1\": write the probability",
            ),
            (
                "[[block]]\nrounds = 1.5\np = '1/2'",
                "line 2: invalid type: floating point `1.5`, expected i64",
            ),
            ("[after]\n\"x\" = '1/2'", "line 2: \"x\": a history of outcomes"),
            ("[after]\n\"\" = 1", "line 2: \"\": write the probability as a text"),
            ("[after]", "line 1: [after] needs"),
            ("[after]\n\"0\" = '1/2'\n\"1\" = '1/2'", "line 1: no probability after \"\""),
            (&format!("[after]\n{:019} = '1/2'", 0), "line 1: no probability after \"\""),
            (&format!("[after]\n{:020} = '1/2'", 0), "line 1: [after] needs"),
            (
                &"[[block]]\nrounds = 600000\np = '1'\n".repeat(2),
                "line 4: more than 1000000 rounds in all",
            ),
            ("[[block]]\np = '1'\nrounds = 1000001", "line 3: rounds = 1000001: give 1 to 1000000"),
            (
                &format!("probabilities = [{}]", "'1',\n".repeat(1_000_001)),
                "line 1000001: more than",
            ),
        ] {
            let error = NatureFile::read(text).err().expect("not a nature").to_string();
            let text: String = text.chars().take(200).collect();
            assert!(error.starts_with(complaint), "{text:?}\n  {error}\n  {complaint}");
        }
    }
}
