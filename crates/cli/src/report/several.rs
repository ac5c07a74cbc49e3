//! Several models, classes or groups side by side.

use num_rational::BigRational;

use super::gaps::{Gaps, gaps_line};
use super::rounding::short_decimal;
use super::significance::{LEVEL, adjust};
use super::terminal::{long_name, seconds_line, skipped_line};
use super::{Entry, Report, columns};
use crate::input::printable;
use truecal::Measure;
use truecal::null::{PValue, holm};
use truecal::paired::Paired;
use truecal::rational::int;

/// Reports on parts of one file.
#[derive(Debug)]
pub(crate) struct Several<'a> {
    /// The models or classes, by their columns; empty if there is one that needs no name.
    pub series: Vec<String>,
    /// The columns by which rows are told apart.
    pub by: Vec<String>,
    pub members: Vec<Member<'a>>,
    /// Differences between models.
    pub comparisons: Vec<Comparison>,
    /// Rows in which the probabilities of classes miss 1, if there are classes.
    pub gaps: Option<Gaps>,
    /// Rows that were left out, as something was missing.
    pub skipped: u64,
    /// Groups that were left out, as all their weights are 0.
    pub weightless: usize,
}

/// One model or class, in one group.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    /// Its place among the models or classes.
    pub series: usize,
    /// The values of the columns of `--by`.
    pub group: Vec<String>,
    pub report: Report<'a>,
    /// Whether there are too few rounds for a p-value in the limit, and it is by draws.
    pub small: bool,
}

/// Two models on the same rounds.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// Their places.
    pub models: [usize; 2],
    pub results: Vec<Paired>,
}

const FEW: &str = "\n* outcomes that follow these forecasts vary too little for a p-value in the \
    limit of many rounds:\nit is by 1000 draws\n";

impl Several<'_> {
    /// Adjusts the p-values of all members for each other.
    pub fn adjust(&mut self) {
        let members = self.members.iter_mut();
        adjust(members.flat_map(|member| &mut member.report.significance.tests));
    }

    /// Puts the members with the smallest p-values first, and of those the ones with the largest
    /// values.
    pub fn worst_first(&mut self) {
        let key = |member: &Member<'_>| {
            let strongest = member.report.significance.strongest();
            let value = member
                .report
                .entries
                .first()
                .and_then(exact)
                .map(|found| member.report.source.per_round(found));
            (strongest.map_or(PValue::ONE, |test| test.adjusted), value.unwrap_or_default())
        };
        let mut keyed: Vec<_> =
            self.members.drain(..).map(|member| (key(&member), member)).collect();
        keyed.sort_by(|((p, value), _), ((q, other), _)| p.cmp(q).then_with(|| other.cmp(value)));
        self.members = keyed.into_iter().map(|(_, member)| member).collect();
    }

    /// Tables for people.
    pub fn to_table(&self, fractions: bool, seconds: Option<&[(String, f64)]>) -> String {
        let number = |rational: &BigRational| match fractions {
            true => rational.to_string(),
            false => short_decimal(rational),
        };
        let mut text = skipped_line(self.skipped);
        if self.weightless > 0 {
            let groups = self.weightless;
            text.push_str(&format!("groups without any weight, which are left out: {groups}\n"));
        }
        text.push_str(&gaps_line(&self.gaps));
        text.push_str(&self.verdict());
        text.push('\n');
        text.push_str(&match self.by.is_empty() {
            true => self.side_by_side(&number),
            false => self.by_groups(&number),
        });
        text.push_str(&self.comparison_table(&number));
        text + &seconds.map_or_else(String::new, seconds_line)
    }

    /// A model and a group, as people call them.
    pub fn name(&self, member: &Member<'_>) -> String {
        let series = self.series.get(member.series).map(|name| printable(name));
        let group = printable(&member.group.join(", "));
        match (series, group.is_empty()) {
            (Some(series), true) => series,
            (Some(series), false) => format!("{series}: {group}"),
            (None, _) => group,
        }
    }

    /// Which of them are miscalibrated.
    pub fn verdict(&self) -> String {
        let tested = self.members.iter().filter(|m| m.report.significance.verdict().is_some());
        let tests: usize = self.members.iter().map(|m| m.report.significance.tests.len()).sum();
        let of =
            |count: usize| format!("{count} adjusted p-value{}", if count == 1 { "" } else { "s" });
        let bad: Vec<&Member<'_>> = tested.clone().filter(|member| member.rejects()).collect();
        let tested = tested.count();
        let all = self.members.iter().filter_map(|m| m.report.significance.strongest());
        let Some(smallest) = all
            .map(|test| test.adjusted)
            .min()
            .or_else(|| (!bad.is_empty()).then_some(PValue::ONE))
        else {
            let why = self.members.iter().find_map(|member| member.report.significance.lacking);
            return why.map_or(String::new(), |why| format!("no p-value: {why}\n"));
        };
        if bad.is_empty() {
            let of = of(tests);
            return format!("no evidence of miscalibration (smallest of {of}: {smallest})\n");
        }
        let named = |member: &&Member<'_>| {
            let significance = &member.report.significance;
            let adjusted = || significance.strongest().map(|test| test.adjusted.to_string());
            let why = significance.impossible_in_words().or_else(adjusted);
            format!("{} ({})", self.name(member), why.unwrap_or_default())
        };
        const NAMED: usize = 5;
        let names: Vec<String> = bad.iter().take(NAMED).map(named).collect();
        let more = match bad.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = bad.len();
        let of = of(tests);
        format!(
            "miscalibrated: {count} of {tested} (of {of}, those below {LEVEL}): {}{more}\n",
            names.join("; ")
        )
    }

    /// A column for each model.
    fn side_by_side(&self, number: &dyn Fn(&BigRational) -> String) -> String {
        let mut head = vec!["per round".to_owned()];
        head.extend(self.members.iter().map(|member| self.name(member)));
        let mut rows = vec![head];
        let fact = |name: &str, of: &dyn Fn(&Member<'_>) -> String| {
            [name.to_owned()].into_iter().chain(self.members.iter().map(of)).collect::<Vec<_>>()
        };
        rows.push(fact("rounds", &|member| member.rounds()));
        rows.push(fact("events", &|member| number(&member.rate())));
        let count = self.members.first().map_or(0, |member| member.report.entries.len());
        for place in 0..count {
            let measure = self.members[0].report.entries[place].measure();
            let value = |member: &Member<'_>| member.value(place, number);
            rows.push(fact(&long_name(measure), &value));
            let tests = |member: &Member<'_>| member.p_value(measure);
            if self.members.iter().any(|member| tests(member) != "-") {
                rows.push(fact("  p-value", &tests));
            }
        }
        if self.members.iter().any(|member| member.report.classical.is_some()) {
            rows.extend(self.classical_rows(number));
        }
        columns(&rows, 1) + &self.notes()
    }

    fn classical_rows(&self, number: &dyn Fn(&BigRational) -> String) -> Vec<Vec<String>> {
        let row = |name: String, of: &dyn Fn(&truecal::classical::Classical) -> String| {
            let cell =
                |member: &Member<'_>| member.report.classical.as_ref().map_or_else(String::new, of);
            [name].into_iter().chain(self.members.iter().map(cell)).collect::<Vec<_>>()
        };
        let bins = self.members.iter().find_map(|member| member.report.classical.as_ref());
        let bins = bins.map_or(0, |classical| classical.equal_width.number);
        vec![
            row(format!("ECE, {bins} bins of equal width"), &|c| number(&c.equal_width.value)),
            row(format!("ECE, {bins} bins of equal mass"), &|c| number(&c.equal_mass.value)),
            row("smECE".to_owned(), &|c| super::rounding::measured(c.sm_ece.value, c.sm_ece.error)),
            row("Brier score".to_owned(), &|c| number(&c.brier.score)),
            row("  miscalibration".to_owned(), &|c| number(&c.brier.miscalibration)),
            row("  discrimination".to_owned(), &|c| number(&c.brier.discrimination)),
            row("log score".to_owned(), &|c| super::classical::log_in_words(&c.log_score)),
        ]
    }

    /// What is not known, and why, once for each measure.
    fn notes(&self) -> String {
        let mut lines = String::new();
        if self.members.iter().any(|member| member.small) {
            lines.push_str(FEW);
        }
        let Some(first) = self.members.first() else { return lines };
        for (place, entry) in first.report.entries.iter().enumerate() {
            let unknown =
                self.members.iter().find_map(|member| match &member.report.entries[place] {
                    Entry::TooCostly { reason, option, .. } => Some((reason, option)),
                    _ => None,
                });
            if let Some((reason, option)) = unknown {
                let option = match option.as_str() {
                    "" => String::new(),
                    option => format!("; option: {option}"),
                };
                lines.push_str(&format!("{}: not computed: {reason}{option}\n", entry.measure()));
            }
        }
        lines
    }

    /// A line for each group, for one measure after another.
    fn by_groups(&self, number: &dyn Fn(&BigRational) -> String) -> String {
        let mut tables = vec![];
        let count = self.members.first().map_or(0, |member| member.report.entries.len());
        for place in 0..count {
            let measure = self.members[0].report.entries[place].measure();
            let mut head = self.by.clone();
            if !self.series.is_empty() {
                head.insert(0, "model".to_owned());
            }
            let left = head.len();
            let facts = ["rounds", "events", "forecast", "per round", "p-value", "adjusted"];
            head.extend(facts.map(str::to_owned));
            let mut rows = vec![head];
            let mut places = vec!["where".to_owned()];
            for member in &self.members {
                let names = self.series.get(member.series).into_iter().chain(&member.group);
                let mut row: Vec<String> = names.map(|name| printable(name)).collect();
                let test = member.report.significance.of_measure(measure);
                row.extend([
                    member.rounds(),
                    number(&member.rate()),
                    number(&member.forecast()),
                    member.value(place, number),
                    member.p_value(measure),
                    test.map_or_else(|| "-".to_owned(), |test| test.adjusted.to_string()),
                ]);
                rows.push(row);
                places.push(member.place(place, number));
            }
            let lines = columns(&rows, left);
            let lines = lines.lines().zip(places).map(|(line, place)| format!("{line}  {place}\n"));
            tables.push(format!("{}\n\n{}", long_name(measure), lines.collect::<String>()));
        }
        tables.extend(self.classical_by_groups(number));
        tables.join("\n") + &self.notes()
    }

    /// The differences between models, with their p-values adjusted for each other.
    pub fn differences(&self) -> Vec<([usize; 2], &Paired, BigRational)> {
        let all = self.comparisons.iter();
        let all = all.flat_map(|c| c.results.iter().map(|paired| (c.models, paired)));
        let all: Vec<([usize; 2], &Paired)> = all.collect();
        let p_values: Vec<BigRational> = all.iter().map(|(_, paired)| paired.p_value()).collect();
        let adjusted = holm(&p_values).into_iter();
        all.into_iter().zip(adjusted).map(|((models, of), p)| (models, of, p)).collect()
    }

    /// The classical numbers of each group, if they were asked for.
    fn classical_by_groups(&self, number: &dyn Fn(&BigRational) -> String) -> Option<String> {
        let rows = self.classical_rows(number);
        self.members.first()?.report.classical.as_ref()?;
        let model = (!self.series.is_empty()).then(|| "model".to_owned());
        let mut head: Vec<String> = model.into_iter().chain(self.by.iter().cloned()).collect();
        let left = head.len();
        head.extend(rows.iter().map(|row| row[0].trim().to_owned()));
        let line = |(place, member): (usize, &Member<'_>)| {
            let names = self.series.get(member.series).into_iter().chain(&member.group);
            let names = names.map(|name| printable(name));
            names.chain(rows.iter().map(|row| row[place + 1].clone())).collect::<Vec<_>>()
        };
        let lines = self.members.iter().enumerate().map(line);
        let table: Vec<Vec<String>> = [head].into_iter().chain(lines).collect();
        Some(format!("classical numbers, per round\n\n{}", columns(&table, left)))
    }

    fn comparison_table(&self, number: &dyn Fn(&BigRational) -> String) -> String {
        let Some(first) = self.comparisons.first().and_then(|c| c.results.first()) else {
            return String::new();
        };
        let names = ["first", "second", "measure", "difference", "p-value", "adjusted"];
        let mut rows = vec![names.map(str::to_owned).to_vec()];
        let rounds = self.members.first().map_or(1, |member| member.report.source.rounds());
        for (models, paired, adjusted) in self.differences() {
            let p = match paired.at_least {
                0 => format!("< 1/{}", paired.replicates + 1),
                _ => shown(&paired.p_value()),
            };
            let difference = number(&super::per_round(&paired.difference, rounds));
            let [one, other] = models.map(|place| printable(&self.series[place]));
            rows.push(vec![
                one,
                other,
                paired.measure.to_string(),
                difference,
                p,
                shown(&adjusted),
            ]);
        }
        let replicates = first.replicates;
        format!(
            "\ndifferences per round, the first model less the second ({replicates} draws, seed \
                {}):\nif it did not matter which of two models makes which forecast, swapping the \
                two forecasts of\nany rounds would change nothing; the p-value is the share of \
                such swaps, by a fair coin for each\nround, after which the models differ as \
                much.\n\n{}",
            first.seed,
            columns(&rows, 3)
        )
    }
}

fn shown(p: &BigRational) -> String {
    PValue::try_from(p).map_or_else(|_| p.to_string(), |p| p.to_string())
}

fn exact(entry: &Entry) -> Option<&BigRational> {
    match entry {
        Entry::Exact(found) => Some(&found.value),
        _ => None,
    }
}

impl Member<'_> {
    fn rejects(&self) -> bool {
        self.report.significance.verdict() == Some(true)
    }

    fn rounds(&self) -> String {
        let few = if self.small { "*" } else { "" };
        short_decimal(&self.report.source.total(&int(self.report.source.rounds()))) + few
    }

    /// The p-value of a measure, or why it has none.
    fn p_value(&self, measure: Measure) -> String {
        match self.report.significance.of_measure(measure) {
            Some(test) => test.p_in_words(),
            None => "-".to_owned(),
        }
    }

    /// The share of rounds in which the event happened.
    pub fn rate(&self) -> BigRational {
        self.report.source.per_round(&int(self.report.source.ones()))
    }

    /// The mean forecast.
    pub fn forecast(&self) -> BigRational {
        self.report.source.per_round(&self.report.source.forecast())
    }

    fn value(&self, place: usize, number: &dyn Fn(&BigRational) -> String) -> String {
        match &self.report.entries[place] {
            Entry::Exact(found) => number(&self.report.source.per_round(&found.value)),
            Entry::Sampled(sampled) => {
                format!("~{}", short_decimal(&self.report.source.per_round(&sampled.mean)))
            }
            Entry::Bounds(..) | Entry::TooCostly { .. } => "-".to_owned(),
        }
    }

    fn place(&self, place: usize, number: &dyn Fn(&BigRational) -> String) -> String {
        match &self.report.entries[place] {
            Entry::Exact(found) => super::sentences::sentence(found, &self.report.source, number),
            _ => String::new(),
        }
    }
}
