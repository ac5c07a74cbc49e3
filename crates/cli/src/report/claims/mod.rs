//! What a run of the registry's checks says: a line for each claim, all of one claim, and the
//! comparison with the committed expectation.

mod detail;
mod errata;
mod expectation;
mod table;

pub(crate) use detail::detail;
pub use errata::errata;
pub(crate) use errata::is_erratum;
pub use expectation::{Difference, Expectation, ExpectationError};
pub(super) use table::counted;
pub(crate) use table::points;
pub use table::{Colour, defects, table, totals};

use truecal_verify::evidence::{Options, Shard};
use truecal_verify::registry::Extent;

/// The options of `truecal verify` that lead to these.
fn command_line(options: &Options) -> String {
    let mut text = match options.effort {
        Extent::Quick => " --quick".to_owned(),
        Extent::Usual => String::new(),
        Extent::Full => " --full".to_owned(),
    };
    if let Some(rounds) = options.max_rounds {
        text += &format!(" --max-rounds {rounds}");
    }
    if let Some(denominator) = options.denominator {
        text += &format!(" --grid {denominator}");
    }
    if options.seed != Options::default().seed {
        text += &format!(" --seed {}", options.seed);
    }
    if options.shard != Shard::WHOLE {
        text += &format!(" --shard {}", options.shard);
    }
    text
}

/// Broken into lines of at most 100 columns, with the later ones indented.
pub fn wrapped(text: &str, indent: usize) -> String {
    let (mut lines, mut width) = (String::new(), indent);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > indent && width + 1 + length > 100 {
            lines += &format!("\n{}", " ".repeat(indent));
            width = indent;
        } else if width > indent {
            lines.push(' ');
            width += 1;
        }
        lines += word;
        width += length;
    }
    lines
}
