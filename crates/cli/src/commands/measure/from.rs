//! What is to be read, from the arguments.

use std::path::PathBuf;

use super::{Arguments, Missing};
use crate::commands::reading::{From, Job};
use crate::input::{Columns, CsvOptions, Grammar, InputError, Meaning, TOP_LABEL, parts, quoted};
use truecal::Measure;

/// What clap cannot see in the arguments.
pub(super) fn check(arguments: &Arguments) -> Result<(), String> {
    let Arguments { levels, buckets, compare, p_file, positive, .. } = arguments;
    let (p, by, classes) = (arguments.models(), arguments.groups(), arguments.all_classes());
    let several = p.len() > 1 || p_file.len() > 1;
    let counted = *levels || *buckets;
    let ends = [&arguments.min, &arguments.max, &arguments.sum];
    let averages = |measure: &Measure| measure.subsampled_from().is_some();
    let problem = if by.len() > 2 {
        "--by takes one column or two"
    } else if *compare && !several {
        "--compare needs several models: --p A,B"
    } else if *levels && p.len() > 1 {
        "--levels has one column of predictions; give one name to --p"
    } else if !counted && (arguments.count.is_some() || arguments.ones.is_some()) {
        "--count and --ones go with --levels or --buckets"
    } else if !buckets && ends.into_iter().any(Option::is_some) {
        "--min, --max and --sum go with --buckets"
    } else if arguments.csv && (arguments.full_witness || arguments.timing) {
        "--full-witness and --timing do not go with --csv; use --json"
    } else if *compare && arguments.measures().iter().all(averages) {
        "--compare does not take averages over subsets; name other measures with --only"
    } else if counted && positive.is_some() {
        "--positive is for outcomes; with --levels and --buckets they are counted"
    } else if classes.len() == 1 {
        "--classes takes two classes or more"
    } else if !p_file.is_empty() && names_columns(arguments) {
        "--y-file and --p-file are all columns there are; leave out the options that name others, \
            --format and --delimiter"
    } else if let Some(name) = repeated(p.iter().chain(&by)) {
        return Err(format!(
            "column {} is named twice by --p and --by; once is enough",
            quoted(name)
        ));
    } else if let Some(name) = repeated(classes.iter().map(|class| &class.name)) {
        return Err(format!("class {} is named twice by --classes; once is enough", quoted(name)));
    } else if classes.iter().any(|class| class.name == TOP_LABEL) {
        "\"top label\" is what the most probable class is called; call the class otherwise"
    } else if positive
        .as_ref()
        .is_some_and(|name| !classes.is_empty() && !classes.iter().any(|class| class.name == *name))
    {
        "--positive must be one of --classes"
    } else if positive.as_ref().is_some_and(|name| name.trim().is_empty()) {
        "--positive needs a name"
    } else {
        return Ok(());
    };
    Err(problem.to_owned())
}

/// Whether columns are named that files of one column each do not have.
fn names_columns(arguments: &Arguments) -> bool {
    let Arguments { y, p, by, weight, classes, levels, buckets, format, delimiter, .. } = arguments;
    let names = !(p.is_empty() && by.is_empty() && classes.is_empty());
    let one = y.is_some() || weight.is_some() || *levels || *buckets;
    names || one || format.is_some() || delimiter.is_some()
}

fn repeated<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let names: Vec<&String> = names.collect();
    let again = |&(place, name): &(usize, &&String)| names[..place].contains(name);
    names.iter().enumerate().find(again).map(|(_, name)| *name)
}

/// What is to be read, and how.
pub(super) fn job(arguments: &Arguments) -> Result<Job, InputError> {
    let columns = Columns {
        rows: meaning(arguments),
        by: arguments.groups(),
        weight: arguments.weight.clone(),
    };
    let grammar = Grammar {
        decimal_comma: arguments.decimal == ',',
        percent: arguments.percent,
        positive: arguments.positive.clone().filter(|_| arguments.classes.is_empty()),
        skip_missing: Some(arguments.missing == Missing::Skip),
    };
    let options =
        CsvOptions { name: String::new(), columns, grammar, delimiter: arguments.delimiter };
    Ok(Job { from: from(arguments)?, format: arguments.format, options })
}

fn from(arguments: &Arguments) -> Result<From, InputError> {
    let Some(y_file) = &arguments.y_file else { return From::files(&arguments.files) };
    let one = |name: String, path: &PathBuf| match parts(std::slice::from_ref(path))?.as_slice() {
        [part] => Ok((name, part.clone())),
        _ => Err(InputError::of_file(&path.display().to_string(), "several files; give one")),
    };
    let mut columns = vec![one(OUTCOMES.to_owned(), y_file)?];
    for path in &arguments.p_file {
        columns.push(one(path.display().to_string(), path)?);
    }
    Ok(From::Columns(columns))
}

/// The name of the column of outcomes, if it is a file of its own.
const OUTCOMES: &str = "y";

fn meaning(arguments: &Arguments) -> Meaning {
    let Arguments { y, count, ones, min, max, sum, .. } = arguments;
    let p = arguments.models();
    let (count, ones) = (count.clone(), ones.clone());
    if arguments.levels {
        return Meaning::Levels { prediction: p.first().cloned(), count, ones };
    }
    if arguments.buckets {
        let (min, max, sum) = (min.clone(), max.clone(), sum.clone());
        return Meaning::Buckets { min, max, count, ones, sum };
    }
    if !arguments.classes.is_empty() {
        return Meaning::Classes { label: y.clone(), classes: arguments.all_classes() };
    }
    if !arguments.p_file.is_empty() {
        let predictions = arguments.p_file.iter().map(|path| path.display().to_string()).collect();
        return Meaning::Rounds { outcome: Some(OUTCOMES.to_owned()), predictions };
    }
    Meaning::Rounds { outcome: y.clone(), predictions: p }
}

impl Arguments {
    /// Whether all rows are the rounds of one forecaster, which need not be told apart.
    pub(super) fn is_whole(&self) -> bool {
        let one = self.models().len() < 2 && self.p_file.len() < 2;
        one && self.by.is_empty()
            && self.weight.is_none()
            && self.classes.is_empty()
            && !self.buckets
    }
}
