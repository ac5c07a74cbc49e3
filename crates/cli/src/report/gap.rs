//! What `truecal gap` says: as a table, as CSV, as a picture.

#![expect(
    clippy::float_arithmetic,
    reason = "ratios and coordinates for people, of values that are given exactly"
)]

use std::fmt::Write;

use super::claims::wrapped;
use super::columns;
use super::plot::{Curve, Plot, Style};
use super::rounding::{short_decimal, two_digits};
use num_rational::BigRational;
use truecal::Measure;
use truecal::nearest_f64;
use truecal_lab::constructions::{Bound, Construction, Duel, FEWEST_RUNS, Fit, Side, fit};
use truecal_lab::enclosure::Enclosure;
use truecal_lab::penalty::{Effort, Penalty, SampledPenalty};

/// Comparisons of the two forecasters of a construction.
pub struct Gap<'a> {
    /// The construction.
    pub construction: &'a Construction,
    /// The comparisons, by measure and then by ascending rounds.
    pub duels: &'a [Duel],
    /// How they were made.
    pub effort: Effort,
    /// Whether there should have been more.
    pub interrupted: bool,
}

impl Gap<'_> {
    /// Whether everything agrees with the theory.
    pub fn holds(&self) -> bool {
        self.duels.iter().all(Duel::holds)
    }

    /// The measures, each once.
    pub fn measures(&self) -> Vec<Measure> {
        let mut all: Vec<Measure> = self.duels.iter().map(|duel| duel.measure).collect();
        all.dedup();
        all
    }

    fn of(&self, measure: Measure) -> impl Iterator<Item = &Duel> {
        self.duels.iter().filter(move |duel| duel.measure == measure)
    }

    /// The penalties of a contestant, 0 or 1, over the rounds.
    pub fn points(&self, measure: Measure, contestant: usize) -> Vec<(f64, f64)> {
        let point = |duel: &Duel| (duel.rounds as f64, duel.penalties[contestant].to_f64());
        self.of(measure).map(point).collect()
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let Construction { name, title, about, contestants, claims, .. } = self.construction;
        let mut text = format!("{name}: {title}\n\n{}\n", wrapped(about, 0));
        for measure in self.measures() {
            let [one, other] = contestants.map(str::to_owned);
            let known =
                |contestant: usize| self.of(measure).any(|duel| duel.bounds[contestant].is_some());
            let head = |contestant: usize| if known(contestant) { "theory" } else { "" }.to_owned();
            let mut rows = vec![["T".to_owned(), one, head(0), other, head(1), "ratio".to_owned()]];
            rows.extend(self.of(measure).map(row));
            let _ = write!(text, "\n{measure}\n{}", columns(&rows, 0));
            text += &self.formulas(measure);
            text += &self.fits(measure);
        }
        text.push('\n');
        for note in self.notes() {
            let _ = writeln!(text, "{}", wrapped(&note, 2));
        }
        let _ = writeln!(text, "registry: {}", claims.join(", "));
        text
    }

    /// `theory: truthful >= T/4; always 1/2 <= 5 sqrt(T)/4`
    fn formulas(&self, measure: Measure) -> String {
        let Some(last) = self.of(measure).last() else { return String::new() };
        let names = self.construction.contestants;
        let formula = |(name, bound): (&str, &Option<Bound>)| {
            let Bound { side, formula, .. } = bound.as_ref()?;
            Some(format!("{name} {} {formula}", side.symbol()))
        };
        let all: Vec<_> = names.into_iter().zip(&last.bounds).filter_map(formula).collect();
        if all.is_empty() { String::new() } else { format!("theory: {}\n", all.join("; ")) }
    }

    fn fits(&self, measure: Measure) -> String {
        let fitted = |contestant: usize| {
            let name = self.construction.contestants[contestant];
            let fit = fit(&self.points(measure, contestant))?;
            Some(format!("{name} about {}", in_words(&fit)))
        };
        let all: Vec<_> = [0, 1].into_iter().filter_map(fitted).collect();
        if all.is_empty() { String::new() } else { format!("fitted: {}\n", all.join("; ")) }
    }

    fn notes(&self) -> Vec<String> {
        let penalties = || self.duels.iter().flat_map(|duel| &duel.penalties);
        let mut notes = vec![];
        if penalties().any(|penalty| matches!(penalty, Penalty::Sampled(_))) {
            notes.push(sampled_note(&self.effort));
        }
        let known = self.duels.iter().any(|duel| duel.bounds.iter().any(Option::is_some));
        if !self.holds() {
            let wrong = self.duels.iter().filter(|duel| !duel.holds());
            let places: Vec<_> =
                wrong.map(|duel| format!("{} at T = {}", duel.measure, duel.rounds)).collect();
            notes.push(format!("NOT as the theory says: {}", places.join(", ")));
        } else if known {
            notes.push("everything is as the theory says".to_owned());
        }
        if self.interrupted {
            notes.push("interrupted: there should be more".to_owned());
        }
        notes
    }

    /// For spreadsheets: a line for each penalty.
    pub fn to_csv(&self) -> String {
        let mut text =
            "construction,measure,rounds,forecaster,penalty,standard_error,exact,side,theory\n"
                .to_owned();
        for duel in self.duels {
            for (i, penalty) in duel.penalties.iter().enumerate() {
                let (side, bound) =
                    duel.bounds[i].as_ref().map_or_else(Default::default, |bound| {
                        (bound.side.symbol(), middle(&bound.value).to_string())
                    });
                let _ = writeln!(
                    text,
                    "{},{},{},{},{},{side},{bound}",
                    self.construction.name,
                    duel.measure.key(),
                    duel.rounds,
                    self.construction.contestants[i],
                    cells(penalty)
                );
            }
        }
        text
    }

    /// A picture of the first measure. Decay is a straight line over T, growth over log T.
    pub fn to_plot(&self) -> Plot {
        let Some(measure) = self.measures().into_iter().next() else {
            return Plot {
                title: self.construction.title.to_owned(),
                x_label: "T".to_owned(),
                y_label: String::new(),
                log_x: false,
                log_y: false,
                curves: vec![],
            };
        };
        let mut curves = vec![];
        let mut decays = false;
        for (i, name) in self.construction.contestants.into_iter().enumerate() {
            let points = self.points(measure, i);
            decays |= matches!(fit(&points), Some(Fit::Decay { .. }));
            curves.push(Curve { name: name.to_owned(), points, style: Style::Points });
            let bounds: Vec<(f64, f64, &Bound)> = self
                .of(measure)
                .filter_map(|duel| {
                    let bound = duel.bounds[i].as_ref()?;
                    Some((duel.rounds as f64, middle(&bound.value), bound))
                })
                .collect();
            if let Some((.., bound)) =
                bounds.first().filter(|(.., bound)| bound.side != Side::Equal)
            {
                let name = format!("{name} {} {}", bound.side.symbol(), bound.formula);
                let points = bounds.iter().map(|(t, value, _)| (*t, *value)).collect();
                curves.push(Curve { name, points, style: Style::Dashed });
            }
        }
        // A penalty of 0 has its place on an axis that is not logarithmic only.
        let positive = curves.iter().flat_map(|curve| &curve.points).all(|(_, value)| *value > 0.0);
        Plot {
            title: self.construction.title.to_owned(),
            x_label: "rounds T".to_owned(),
            y_label: format!("expected {measure}"),
            log_x: !decays,
            log_y: positive,
            curves,
        }
    }
}

/// The double nearest to the middle of an enclosure.
pub(crate) fn middle(enclosure: &Enclosure) -> f64 {
    nearest_f64(&((enclosure.low() + enclosure.high()) / BigRational::from_integer(2.into())))
}

fn row(duel: &Duel) -> [String; 6] {
    let [one, other] = &duel.penalties;
    let bound = |bound: &Option<Bound>| {
        bound.as_ref().map_or_else(String::new, |Bound { side, value, .. }| {
            let digits = format!("{:.4e}", middle(value)).parse().unwrap_or_default();
            format!("{} {}", side.symbol(), shown(digits))
        })
    };
    let ratio = match (one.to_f64(), other.to_f64()) {
        (a, b) if a > 0.0 && b > 0.0 => shown(a / b),
        _ => "-".to_owned(),
    };
    [
        duel.rounds.to_string(),
        number(one),
        bound(&duel.bounds[0]),
        number(other),
        bound(&duel.bounds[1]),
        ratio,
    ]
}

/// A penalty for people.
pub(super) fn number(penalty: &Penalty) -> String {
    match penalty {
        Penalty::Exact(value) => short_decimal(value),
        Penalty::Enclosed(enclosure) => short_decimal(&enclosure.low()),
        Penalty::Sampled(SampledPenalty { mean, standard_error, .. }) => {
            let error = BigRational::from_float(*standard_error).unwrap_or_default();
            format!("{} ± {}", shown(*mean), two_digits(&error))
        }
    }
}

/// Four digits.
fn shown(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if (1e-4..1e7).contains(&rounded.abs()) { rounded.to_string() } else { format!("{value:.3e}") }
}

fn in_words(fit: &Fit) -> String {
    match fit {
        Fit::Power { factor, exponent } => format!("{} T^{exponent:.3}", shown(*factor)),
        Fit::Decay { factor, rate } => format!("{} e^(-{} T)", shown(*factor), shown(*rate)),
    }
}

/// Forecasters on one nature.
pub struct Contest<'a> {
    /// The nature, as it was asked for.
    pub nature: &'a str,
    /// T
    pub rounds: u64,
    /// The names of the forecasters.
    pub forecasters: &'a [String],
    /// For each measure the penalty of each forecaster.
    pub penalties: &'a [(Measure, Vec<Penalty>)],
    /// How they were computed.
    pub effort: Effort,
    /// Whether some measures are missing.
    pub interrupted: bool,
}

impl Contest<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let titles = self.penalties.iter().map(|(measure, _)| measure.to_string());
        let mut rows: Vec<Vec<String>> =
            vec![std::iter::once("forecaster".to_owned()).chain(titles).collect()];
        for (index, name) in self.forecasters.iter().enumerate() {
            let numbers = self.penalties.iter().map(|(_, penalties)| number(&penalties[index]));
            rows.push(std::iter::once(name.clone()).chain(numbers).collect());
        }
        let plural = if self.rounds == 1 { "" } else { "s" };
        let mut text =
            format!("{}: {} round{plural}\n\n{}", self.nature, self.rounds, columns(&rows, 1));
        let mut all = self.penalties.iter().flat_map(|(_, penalties)| penalties);
        if all.any(|penalty| matches!(penalty, Penalty::Sampled(_))) {
            let _ = write!(text, "\n{}\n", wrapped(&sampled_note(&self.effort), 2));
        }
        if self.interrupted {
            text += "\ninterrupted: there should be more\n";
        }
        text
    }

    /// For spreadsheets: a line for each penalty.
    pub fn to_csv(&self) -> String {
        let mut text = "measure,forecaster,penalty,standard_error,exact\n".to_owned();
        for (measure, penalties) in self.penalties {
            for (name, penalty) in self.forecasters.iter().zip(penalties) {
                let _ = writeln!(text, "{},{name},{}", measure.key(), cells(penalty));
            }
        }
        text
    }
}

/// Penalty, standard error and exact value for a spreadsheet.
fn cells(penalty: &Penalty) -> String {
    let (error, exact) = match penalty {
        Penalty::Sampled(SampledPenalty { standard_error, .. }) => {
            (standard_error.to_string(), String::new())
        }
        Penalty::Enclosed(_) => ("0".to_owned(), String::new()),
        Penalty::Exact(value) => ("0".to_owned(), value.to_string()),
    };
    format!("{},{error},{exact}", penalty.to_f64())
}

fn sampled_note(Effort { runs, seed, .. }: &Effort) -> String {
    let few = if *runs < FEWEST_RUNS { "; too few to contradict a theory" } else { "" };
    format!(
        "with ±: the mean of {runs} random runs and its standard error (seed {seed}); \
         the others are exact{few}"
    )
}

/// The constructions, a line each.
pub fn list(all: &[Construction]) -> String {
    let row = |construction: &Construction| {
        let measures: Vec<_> = construction.measures.iter().map(|measure| measure.key()).collect();
        [construction.name.to_owned(), measures.join(","), construction.title.to_owned()]
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    columns(&rows, 3)
}
