//! The arithmetic of a value, line by line, so that a reader can redo it with pencil and paper.
//!
//! What is shown is also what is calculated here: values come from the level table by the plain
//! formulas, not from [`measures`](truecal::measures), except for the function and the flow of
//! smCE, which the lines show to be admissible and optimal. No line is longer than 92 columns,
//! which leaves room to indent them; of long enumerations the first items and the decisive one are
//! shown.

mod prefix;
mod smooth;
mod subsets;
mod swap;
mod text;
mod v_shaped;

use num_rational::BigRational;
use num_traits::One;
use truecal::rational::int;

pub(crate) use text::wrap;
use text::{SHOWN, base, columns, equation, joined};
use truecal::Measure;
use truecal::{Level, Levels, Table};
use truecal_check::law::Quantity;

/// The rounds in the order of their predictions, and the level table with its running sums.
///
/// ```
/// use truecal::Forecasts;
/// use truecal_verify::explain::table_lines;
/// let levels = Forecasts::from_pairs([(true, "1/2"), (false, "1")])?.levels()?;
/// assert_eq!(table_lines(&levels.to_rational()), [
///     "x = (1, 0), p = (1/2, 1)",
///     "j  v_j  n_j  k_j  b_j = k_j - n_j v_j  B_j = b_1 + … + b_j",
///     "1  1/2  1    1    1/2                  1/2",
///     "2  1    1    0    -1                   -1/2",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn table_lines(levels: &Levels<BigRational>) -> Vec<String> {
    let ledger = Ledger::new(levels.table());
    let (x, p) = rounds(&ledger.levels);
    let mut lines = wrap(&format!("x = {x}, p = {p}"));
    let header = ["j", "v_j", "n_j", "k_j", "b_j = k_j - n_j v_j", "B_j = b_1 + … + b_j"];
    // The last level is the decisive one: there the sums end.
    lines.extend(columns(&header, ledger.len(), ledger.len().checked_sub(1), |j| {
        let Level { value, count, ones } = &ledger.levels[j];
        vec![
            (j + 1).to_string(),
            value.to_string(),
            count.to_string(),
            ones.to_string(),
            ledger.biases[j].to_string(),
            ledger.prefixes[j + 1].to_string(),
        ]
    }));
    lines
}

/// How a quantity comes about from the level table; the last line ends with the value.
///
/// The subsampled measures are written out for at most 12 rounds; beyond, a line says that they are
/// not.
///
/// ```
/// use truecal::{Forecasts, Measure};
/// use truecal_check::law::Quantity;
/// use truecal_verify::explain::quantity_lines;
/// let levels = Forecasts::from_pairs([(true, "1/2"), (false, "1")])?.levels()?;
/// assert_eq!(quantity_lines(&levels.to_rational(), Quantity::Measure(Measure::StepCe)), [
///     "|B_1| = |1/2| = 1/2, |B_2| = |-1/2| = 1/2",
///     "stepCE = max |B_j| = 1/2",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn quantity_lines(levels: &Levels<BigRational>, quantity: Quantity) -> Vec<String> {
    let ledger = Ledger::new(levels.table());
    match quantity {
        Quantity::Measure(measure) => measure_lines(&ledger, measure),
        sum => sum_lines(&ledger, sum),
    }
}

fn measure_lines(ledger: &Ledger, measure: Measure) -> Vec<String> {
    match measure {
        Measure::Ece => prefix::ece_lines(ledger),
        Measure::SmCe => smooth::sm_ce_lines(ledger),
        Measure::StepCe => prefix::step_ce_lines(ledger),
        Measure::SignCe => prefix::sign_ce_lines(ledger),
        Measure::IntervalCe => prefix::interval_ce_lines(ledger),
        Measure::VCal => v_shaped::v_cal_lines(ledger),
        Measure::UCal => v_shaped::u_cal_lines(ledger),
        Measure::Cdl => swap::cdl_lines(ledger),
        Measure::StepCeSub => subsets::lines(ledger, measure, Measure::StepCe, prefix::step_ce),
        Measure::VCalSub => subsets::lines(ledger, measure, Measure::VCal, v_shaped::v_cal),
        Measure::UCalSub => subsets::lines(ledger, measure, Measure::UCal, v_shaped::u_cal),
        Measure::Ssce => subsets::lines(ledger, measure, Measure::SmCe, smooth::sm_ce),
    }
}

/// How a sum comes about from the level table: one line, unless it is long.
fn sum_lines(ledger: &Ledger, sum: Quantity) -> Vec<String> {
    let one = BigRational::one();
    let terms = |term: &dyn Fn(&Level<BigRational>) -> String| {
        joined(ledger.len(), " + ", None, |j| term(&ledger.levels[j]))
    };
    match sum {
        Quantity::Measure(measure) => measure_lines(ledger, measure),
        Quantity::Rounds => {
            let counts = terms(&|level| level.count.to_string());
            equation("T = sum n_j", &counts, &int(ledger.total_rounds()))
        }
        Quantity::Levels => {
            equation("m = number of distinct predictions", "", &int(ledger.len() as u64))
        }
        Quantity::Ones => {
            let ones = terms(&|level| level.ones.to_string());
            equation("ones = sum k_j", &ones, &int(ledger.total_ones()))
        }
        Quantity::Bias => {
            let ones = int(ledger.total_ones());
            let forecast = &ones - ledger.total_bias();
            let difference = format!("{ones} - {forecast}");
            equation("bias = sum (x_t - p_t)", &difference, ledger.total_bias())
        }
        Quantity::Variance => {
            let products = terms(&|level| {
                format!("{} · {} · {}", level.count, level.value, &one - &level.value)
            });
            let variance = |level: &Level<BigRational>| {
                int(level.count) * &level.value * (&one - &level.value)
            };
            let total = ledger.levels.iter().map(variance).sum();
            equation("var = sum p_t (1 - p_t)", &products, &total)
        }
        Quantity::Squares => {
            // Zeros and ones at a level, each with their distance to the prediction.
            let mut errors: Vec<(u64, BigRational)> = vec![];
            for Level { value, count, ones } in &ledger.levels {
                errors.extend([(count - ones, value.clone()), (*ones, &one - value)]);
            }
            errors.retain(|(count, _)| *count > 0);
            let squares = joined(errors.len(), " + ", None, |index| {
                let (count, error) = &errors[index];
                format!("{count} · {}^2", base(error))
            });
            let total = errors.iter().map(|(count, error)| int(*count) * error.pow(2)).sum();
            equation("squares = sum (x_t - p_t)^2", &squares, &total)
        }
    }
}

/// The level table with all that is summed along it.
struct Ledger {
    /// The levels, with unit 1.
    levels: Vec<Level<BigRational>>,
    /// b_1, …, b_m
    biases: Vec<BigRational>,
    /// B_0, …, B_m
    prefixes: Vec<BigRational>,
    /// N_0, …, N_m: the rounds of that many levels.
    rounds: Vec<u64>,
    /// K_0, …, K_m: the ones among them.
    ones: Vec<u64>,
}

impl Ledger {
    fn new(table: Table<'_, BigRational>) -> Self {
        let level = |level: &Level<BigRational>| Level {
            value: table.rational(&level.value),
            count: level.count,
            ones: level.ones,
        };
        Ledger::of(table.rows().iter().map(level).collect())
    }

    fn of(levels: Vec<Level<BigRational>>) -> Self {
        let mut biases = vec![];
        let mut prefix = int(0);
        let (mut prefixes, mut rounds, mut ones) = (vec![prefix.clone()], vec![0], vec![0]);
        for level in &levels {
            let bias = int(level.ones) - int(level.count) * &level.value;
            prefix += &bias;
            biases.push(bias);
            prefixes.push(prefix.clone());
            rounds.push(rounds[rounds.len() - 1] + level.count);
            ones.push(ones[ones.len() - 1] + level.ones);
        }
        Ledger { levels, biases, prefixes, rounds, ones }
    }

    /// The number of levels m.
    fn len(&self) -> usize {
        self.levels.len()
    }

    /// T
    fn total_rounds(&self) -> u64 {
        self.rounds[self.len()]
    }

    /// K_m
    fn total_ones(&self) -> u64 {
        self.ones[self.len()]
    }

    /// B_m
    fn total_bias(&self) -> &BigRational {
        &self.prefixes[self.len()]
    }
}

/// The outcomes and the predictions of the rounds, ascending in the prediction.
fn rounds(levels: &[Level<BigRational>]) -> (String, String) {
    let total: u64 = levels.iter().map(|level| level.count).sum();
    let all = levels.iter().flat_map(|level| (0..level.count).map(move |t| (t, level)));
    let some: Vec<_> = all.take(SHOWN).collect();
    let more = total - some.len() as u64;
    let vector = |entry: fn(&(u64, &Level<BigRational>)) -> String| {
        let mut entries: Vec<String> = some.iter().map(entry).collect();
        if more > 0 {
            entries.push(format!("… ({more} more)"));
        }
        format!("({})", entries.join(", "))
    };
    let x = vector(|(t, level)| u8::from(*t < level.ones).to_string());
    (x, vector(|(_, level)| level.value.to_string()))
}

/// The index of the first of the largest; 0 if there is none.
fn first_largest<'a>(numbers: impl Iterator<Item = &'a BigRational>) -> usize {
    let larger = |best: (usize, &'a BigRational), next: (usize, &'a BigRational)| {
        if next.1 > best.1 { next } else { best }
    };
    numbers.enumerate().reduce(larger).map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests;
