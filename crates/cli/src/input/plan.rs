//! What is read from each row of a file, whatever its format: which columns, and what their cells
//! mean together.

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::columns::{Class, Columns, CsvOptions, Meaning};
use super::error::InputError;
use super::grammar::{Grammar, is_missing, names, shown};
use super::table::{At, Cell};
use truecal::Prediction;

/// The columns that are read, found in a header.
pub(super) struct Plan<'a> {
    /// Their positions in the file.
    pub wanted: Vec<usize>,
    names: Vec<String>,
    columns: &'a Columns,
    grammar: &'a Grammar,
    file: &'a str,
}

/// What a row says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// Something is missing in it, and it is left out.
    Skipped,
    /// A round, or several with one prediction.
    Rounds(Rounds),
    /// Neighbouring predictions.
    Bucket(Bucket),
}

/// A round, or several with one prediction, of one model or more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rounds {
    /// The group that it belongs to, by the columns of `--by`.
    pub group: Vec<String>,
    /// What it counts for.
    pub weight: Option<BigRational>,
    /// By model or class: a prediction, its rounds, and the ones among them.
    pub levels: Vec<(Prediction, u64, u64)>,
    /// By how much the probabilities of all classes miss 1 together.
    pub gap: Option<BigRational>,
}

/// Neighbouring predictions: what is known of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bucket {
    /// Where the file has it.
    pub at: At,
    pub min: Prediction,
    pub max: Prediction,
    pub count: u64,
    pub ones: u64,
    /// The sum of the predictions as it was printed, probably rounded.
    pub sum: BigRational,
    /// Whether it may be of numbers with 32 bits.
    pub single: bool,
}

/// A cell that is wrong: which of the wanted ones, and why.
type Refused = (usize, String);

impl<'a> Plan<'a> {
    pub fn find(header: &[&str], options: &'a CsvOptions) -> Result<Self, String> {
        let CsvOptions { columns, grammar, name, .. } = options;
        let wanted = columns.find(header)?;
        let names = wanted.iter().map(|&position| header[position].trim().to_owned()).collect();
        Ok(Plan { wanted, names, columns, grammar, file: name })
    }

    /// Whether a row is a round with one prediction, and nothing else.
    pub fn is_plain(&self) -> bool {
        let Columns { rows, by, weight } = self.columns;
        matches!(rows, Meaning::Rounds { .. })
            && self.wanted.len() == 2
            && by.is_empty()
            && weight.is_none()
    }

    /// Whether doubles and outcomes of 0 and 1 mean what they are.
    pub fn takes_doubles(&self) -> bool {
        self.grammar.is_usual()
    }

    /// What the wanted cells of a row say.
    pub fn read(&self, at: At, cells: &[Cell<'_>]) -> Result<Record, InputError> {
        if self.skips(cells) {
            return Ok(Record::Skipped);
        }
        self.record(at, cells).map_err(|(cell, problem)| self.refused(at, cells, cell, problem))
    }

    /// Whether a row is left out for what it lacks.
    fn skips(&self, cells: &[Cell<'_>]) -> bool {
        let lacks = |(place, cell): (usize, &Cell<'_>)| {
            is_missing(*cell) && !(place == 0 && self.is_expected(*cell))
        };
        self.grammar.skip_missing == Some(true) && cells.iter().enumerate().any(lacks)
    }

    /// Whether an outcome or a label has one of the names that were given: `none` may be one.
    fn is_expected(&self, cell: Cell<'_>) -> bool {
        match &self.columns.rows {
            Meaning::Rounds { .. } => {
                self.grammar.positive.as_ref().is_some_and(|positive| names(cell, positive))
            }
            Meaning::Classes { classes, .. } => self.class(cell, classes).is_some(),
            Meaning::Levels { .. } | Meaning::Buckets { .. } => false,
        }
    }

    /// The place of the class that a cell names.
    fn class(&self, cell: Cell<'_>, classes: &[Class]) -> Option<usize> {
        let label = Some(shown(cell)).filter(|_| cell != Cell::Missing)?;
        classes.iter().position(|class| class.name == label.trim())
    }

    /// The prediction of a round, and its outcome if that is known yet.
    pub fn round_to_come(
        &self,
        at: At,
        cells: &[Cell<'_>],
    ) -> Result<(Option<bool>, Prediction), InputError> {
        let outcome = match is_missing(cells[0]) {
            true => Ok(None),
            false => self.at(cells, 0, Grammar::outcome).map(Some),
        };
        outcome
            .and_then(|outcome| Ok((outcome, self.at(cells, 1, Grammar::prediction)?)))
            .map_err(|(cell, problem)| self.refused(at, cells, cell, problem))
    }

    /// What is said of one of the wanted cells.
    pub fn refused(&self, at: At, cells: &[Cell<'_>], cell: usize, problem: String) -> InputError {
        let found = Some((self.names[cell].clone(), shown(cells[cell])));
        InputError::of_row(self.file, (at.row, at.line), found, problem)
    }

    /// The place of the prediction among the wanted cells.
    pub fn prediction(&self) -> usize {
        match self.columns.rows {
            Meaning::Rounds { .. } | Meaning::Classes { .. } => 1,
            Meaning::Levels { .. } | Meaning::Buckets { .. } => 0,
        }
    }

    fn record(&self, at: At, cells: &[Cell<'_>]) -> Result<Record, Refused> {
        let Columns { rows, by, weight } = self.columns;
        let own = cells.len() - by.len() - usize::from(weight.is_some());
        let (own_cells, others) = cells.split_at(own);
        let mut rounds = match rows {
            Meaning::Rounds { .. } => self.round(own_cells)?,
            Meaning::Levels { .. } => self.level(own_cells)?,
            Meaning::Classes { classes, .. } => self.classes(own_cells, classes)?,
            Meaning::Buckets { .. } => return self.bucket(at, own_cells).map(Record::Bucket),
        };
        for (place, cell) in others.iter().enumerate().take(by.len()) {
            rounds.group.push(self.grammar.name(*cell, "group").map_err(|e| (own + place, e))?);
        }
        if weight.is_some() {
            let place = cells.len() - 1;
            rounds.weight = Some(self.at(cells, place, Grammar::weight)?);
        }
        Ok(Record::Rounds(rounds))
    }

    /// One of the cells, by a part of the grammar.
    fn at<'c, T>(
        &self,
        cells: &[Cell<'c>],
        place: usize,
        read: impl Fn(&Grammar, Cell<'c>) -> Result<T, String>,
    ) -> Result<T, Refused> {
        read(self.grammar, cells[place]).map_err(|problem| (place, problem))
    }

    fn round(&self, cells: &[Cell<'_>]) -> Result<Rounds, Refused> {
        let outcome = self.at(cells, 0, Grammar::outcome)?;
        let level =
            |place| Ok((self.at(cells, place, Grammar::prediction)?, 1, u64::from(outcome)));
        let levels = (1..cells.len()).map(level).collect::<Result<_, Refused>>()?;
        Ok(Rounds { levels, ..Rounds::default() })
    }

    fn counts(&self, cells: &[Cell<'_>], [count, ones]: [usize; 2]) -> Result<(u64, u64), Refused> {
        let rounds = match self.at(cells, count, Grammar::natural)? {
            0 => return Err((count, "a level of no rounds; remove the row".to_owned())),
            rounds => rounds,
        };
        match self.at(cells, ones, Grammar::natural)? {
            more if more > rounds => Err((
                ones,
                format!(
                    "more than the count of rounds, which is {rounds}; ones are counted among them"
                ),
            )),
            events => Ok((rounds, events)),
        }
    }

    fn level(&self, cells: &[Cell<'_>]) -> Result<Rounds, Refused> {
        let prediction = self.at(cells, 0, Grammar::prediction)?;
        let (count, ones) = self.counts(cells, [1, 2])?;
        Ok(Rounds { levels: vec![(prediction, count, ones)], ..Rounds::default() })
    }

    fn bucket(&self, at: At, cells: &[Cell<'_>]) -> Result<Bucket, Refused> {
        let (count, ones) = self.counts(cells, [2, 3])?;
        Ok(Bucket {
            at,
            min: self.at(cells, 0, Grammar::prediction)?,
            max: self.at(cells, 1, Grammar::prediction)?,
            count,
            ones,
            sum: self.at(cells, 4, Grammar::sum)?,
            single: matches!(cells[4], Cell::Double(sum) if f64::from(sum as f32) == sum),
        })
    }

    /// The class with the largest probability, then each class against the rest. Of classes that
    /// are equally probable the first is taken.
    fn classes(&self, cells: &[Cell<'_>], classes: &[Class]) -> Result<Rounds, Refused> {
        let Some(class) = self.class(cells[0], classes) else {
            self.grammar.name(cells[0], "label").map_err(|problem| (0, problem))?;
            let names: Vec<&str> = classes.iter().map(|class| class.name.as_str()).collect();
            let problem = format!(
                "none of the classes, which are {}; name all of them by --classes",
                names.join(", ")
            );
            return Err((0, problem));
        };
        let probability = |place| self.at(cells, place, Grammar::prediction);
        let all = (1..cells.len()).map(probability).collect::<Result<Vec<_>, _>>()?;
        let sum: BigRational = all.iter().map(Prediction::to_rational).sum();
        let mut top = 0;
        for (place, probability) in all.iter().enumerate() {
            if *probability > all[top] {
                top = place;
            }
        }
        let mut levels = vec![(all[top].clone(), 1, u64::from(top == class))];
        let against_rest = |(place, p): (usize, Prediction)| (p, 1, u64::from(place == class));
        levels.extend(all.into_iter().enumerate().map(against_rest));
        let gap = Some((sum - BigRational::one()).abs());
        Ok(Rounds { levels, gap, ..Rounds::default() })
    }
}

impl Rounds {
    /// Whether there is nothing but one prediction with its rounds.
    pub fn is_plain(&self) -> bool {
        let Rounds { group, weight, levels, gap } = self;
        levels.len() == 1 && group.is_empty() && weight.is_none() && gap.is_none()
    }
}
