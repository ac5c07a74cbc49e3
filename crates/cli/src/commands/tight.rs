//! `truecal tight`: the best constant of an inequality.

use clap::Args;

use super::Outcome;
use super::refute::{Reach, in_words};
use crate::json::{self, Tight};
use crate::report::refute::Constants;
use truecal::Watch;
use truecal_check::law::{Comparison, Expr, Law, Relation};
use truecal_verify::refute::{Budget, TightError, tight};

/// The best constant: the smallest c with MORE <= c*LESS, for each number of rounds
///
/// Looks for the largest ratio MORE/LESS: on grids, by linear programmes in the order patterns that
/// come closest, and off the grid where a certificate fails. Prints for each number of rounds the
/// ratio as a fraction, the smallest table found that attains it or the family of tables along
/// which it is approached, and whether a certificate shows that there is no more, whatever real
/// numbers are predicted.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  truecal tight stepce ucal                               4, 6 (approached), 8, 8
  truecal tight stepce signce
  truecal tight 1 'abs(bias)' --given 'ucal == 0'         the largest bias that UCal does not see
  truecal tight 1 'stepce_sub - stepce/2' --max-rounds 3
  truecal tight stepce ece --given 'm == 2'

The expressions are those of `truecal refute`, without roots.
Ctrl-C ends the search and prints what was found so far; a second Ctrl-C ends it at once.
Exit codes: 0 done, 2 misuse.")]
pub(super) struct Arguments {
    /// The side below the line, nowhere negative
    #[arg(value_name = "LESS", allow_hyphen_values = true)]
    less: String,

    /// The side above the line
    #[arg(value_name = "MORE", allow_hyphen_values = true)]
    more: String,

    /// Only tables where this holds, like 'ucal == 0'
    #[arg(long, value_name = "COMPARISON", allow_hyphen_values = true)]
    given: Option<String>,

    #[command(flatten)]
    reach: Reach,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is wrong, in the terms of this command.
fn with_remedy(error: &TightError) -> String {
    match error {
        TightError::Negative(side, instance) => format!(
            "`{side}` is negative at {instance}: a ratio needs it to be at least 0; use abs(…), or \
             exclude it with --given"
        ),
        _ => error.to_string(),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let side = |text: &String| text.parse::<Expr>().map_err(|error| in_words(&error));
    let (less, more) = (side(&arguments.less)?, side(&arguments.more)?);
    let given: Option<Comparison> =
        arguments.given.as_ref().map(|text| text.parse()).transpose().map_err(|e| in_words(&e))?;
    let (left, right) = (more.clone(), less.clone());
    let conclusion = Comparison { left, relation: Relation::AtMost, right };
    let law = Law { hypothesis: given.clone(), conclusion };
    let usual = Budget { max_rounds: 4, ..Budget::usual(&law) };
    let budget = arguments.reach.budget(&usual)?;
    let search = |watch: &Watch<'_>| tight(&less, &more, given.as_ref(), &budget, watch);
    let (result, stopped) =
        arguments.reach.search(search, |result| result.as_ref().ok().and_then(|t| t.stopped))?;
    let tight = result.map_err(|error| with_remedy(&error))?;
    let constants = Constants {
        less: &less,
        more: &more,
        given: given.as_ref(),
        budget: &budget,
        tight: &tight,
        stopped,
    };
    let output = match arguments.json {
        true => json::text(&Tight::from(&constants)),
        false => constants.to_text(),
    };
    Ok(Outcome { output, code: 0 })
}
