//! What `truecal forecast` says: of a run that has ended, and of a duel.

#![expect(clippy::float_arithmetic, reason = "rates of growth, to four digits")]

use num_rational::BigRational;

use super::Source;
use super::claims::counted;
use super::plot::{Curve, Plot, Style};
use super::rounding::{per_round, short_decimal};
use super::sentences::sentence;
use truecal::Measure;
use truecal::nearest_f64;
use truecal_lab::hedge::{Checkpoint, HedgeForecaster};

/// A run of the forecaster, when it ends.
#[derive(Debug)]
pub struct Said<'a> {
    /// The forecaster.
    pub forecaster: &'a HedgeForecaster,
    /// The seed of its predictions.
    pub seed: u64,
}

impl Said<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let forecaster = self.forecaster;
        let (rounds, levels) = (forecaster.rounds(), forecaster.levels());
        let planned = match forecaster.horizon() {
            Some(horizon) if horizon != rounds => format!(" of {horizon}"),
            Some(_) => String::new(),
            None => ", restarting after 1, 2, 4, … rounds".to_owned(),
        };
        let step = levels.evaluate(Measure::StepCe);
        format!(
            "{}{planned}, {} buckets, seed {}\nstepCE  {} in all, {} per round; {}\nbound   {} for \
                its expectation, \
             whatever happens\n",
            counted(rounds, "round"),
            forecaster.buckets(),
            self.seed,
            short_decimal(&step.value),
            short_decimal(&per_round(&step.value, rounds)),
            sentence(&step, &Source::of_levels(&levels), &short_decimal),
            short_decimal(&forecaster.bound()),
        )
    }
}

/// A duel, when it ends.
#[derive(Debug)]
pub struct Duelled<'a> {
    /// Who chose the outcomes.
    pub adversary: &'a str,
    /// How many rounds were planned.
    pub rounds: u64,
    /// How many buckets the forecaster had.
    pub buckets: usize,
    /// The seed of all that was drawn.
    pub seed: u64,
    /// Where it stood.
    pub checkpoints: &'a [Checkpoint],
}

impl Duelled<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let mut rows = vec![["t", "stepCE", "bound", "stepCE/sqrt(t ln t)"].map(str::to_owned)];
        for Checkpoint { round, step_ce, bound } in self.checkpoints {
            let ratio = over_rate(step_ce, *round).map_or("-".to_owned(), |r| format!("{r:.4}"));
            rows.push([round.to_string(), short_decimal(step_ce), short_decimal(bound), ratio]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3].map(width);
        let line = |row: &[String; 4]| {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}"));
            cells.collect::<Vec<_>>().join("  ") + "\n"
        };
        let table: String = rows.iter().map(line).collect();
        let stopped = match self.checkpoints.last() {
            Some(last) if last.round < self.rounds => {
                format!("\ninterrupted after {}\n", counted(last.round, "round"))
            }
            _ => String::new(),
        };
        format!(
            "{} against {}, {} buckets, seed {}\n\n{table}{stopped}",
            counted(self.rounds, "round"),
            self.adversary,
            self.buckets,
            self.seed,
        )
    }

    /// As a picture, on logarithmic axes.
    pub fn to_plot(&self) -> Plot {
        let curve = |name: &str, style, value: &dyn Fn(&Checkpoint) -> f64| Curve {
            name: name.to_owned(),
            points: self.checkpoints.iter().map(|at| (at.round as f64, value(at))).collect(),
            style,
        };
        Plot {
            title: format!("stepCE of the Hedge forecaster against {}", self.adversary),
            x_label: "rounds t".to_owned(),
            y_label: "stepCE".to_owned(),
            log_x: true,
            log_y: true,
            curves: vec![
                curve("stepCE", Style::Points, &|at| nearest_f64(&at.step_ce)),
                curve("bound", Style::Dashed, &|at| nearest_f64(&at.bound)),
                curve("sqrt(t ln t)", Style::Line, &|at| rate(at.round)),
            ],
        }
    }
}

/// √(t ln t)
fn rate(round: u64) -> f64 {
    libm::sqrt(round as f64 * libm::log(round as f64))
}

/// A value over √(t ln t), from two rounds on.
pub(crate) fn over_rate(value: &BigRational, round: u64) -> Option<f64> {
    (round > 1).then(|| nearest_f64(value) / rate(round))
}
