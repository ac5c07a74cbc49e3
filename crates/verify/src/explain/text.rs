//! Text that stays within the page, however long an enumeration gets.

use num_rational::BigRational;
use num_traits::Signed;

/// No line is longer than this.
pub(super) const COLUMNS: usize = 92;

/// No enumeration shows more than this.
pub(super) const SHOWN: usize = 20;

/// What continues a line starts with this.
pub(super) const INDENT: &str = "    ";

/// A space at which a line is not broken if it can be helped.
const BOUND: char = '\u{a0}';

/// What an enumeration shows.
enum Shown {
    /// The item with this index.
    Item(usize),
    /// An ellipsis for this many.
    More(usize),
}

/// All of few items; of many the first, an ellipsis and the decisive one.
fn shown(count: usize, decisive: Option<usize>) -> Vec<Shown> {
    if count <= SHOWN {
        return (0..count).map(Shown::Item).collect();
    }
    let first = SHOWN - 2;
    let decisive = decisive.filter(|index| *index >= first);
    let mut shown: Vec<Shown> = (0..first).map(Shown::Item).collect();
    shown.push(Shown::More(count - first - usize::from(decisive.is_some())));
    shown.extend(decisive.map(Shown::Item));
    shown
}

/// Columns under a header, a line for each item. Where that would be too wide, the cells of an item
/// follow each other, each after its header.
pub(super) fn columns(
    header: &[&str],
    count: usize,
    decisive: Option<usize>,
    cells: impl Fn(usize) -> Vec<String>,
) -> Vec<String> {
    if count == 0 {
        return vec![];
    }
    let rows: Vec<Result<Vec<String>, usize>> = shown(count, decisive)
        .into_iter()
        .map(|shown| match shown {
            Shown::Item(index) => Ok(cells(index)),
            Shown::More(more) => Err(more),
        })
        .collect();
    let length = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let cells = rows.iter().flatten().map(|row| length(&row[column]));
            cells.chain([length(header[column])]).max().unwrap_or_default()
        })
        .collect();
    let aligned = widths.iter().sum::<usize>() + 2 * (widths.len() - 1) <= COLUMNS;

    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let names: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
    let mut lines = if aligned { vec![line(&names)] } else { vec![] };
    for row in rows {
        match row {
            Err(more) => lines.push(format!("… {more} more")),
            Ok(cells) if aligned => lines.push(line(&cells)),
            Ok(cells) => {
                let named = names.iter().zip(&cells).filter(|(_, cell)| !cell.is_empty());
                let named: Vec<String> =
                    named.map(|(name, cell)| format!("{name}: {cell}")).collect();
                lines.extend(wrap(&named.join("; ")));
            }
        }
    }
    lines
}

/// Items in one text, such as the terms of a sum.
pub(super) fn joined(
    count: usize,
    separator: &str,
    decisive: Option<usize>,
    item: impl Fn(usize) -> String,
) -> String {
    let bound = |text: &str| text.replace(' ', &BOUND.to_string());
    let texts = shown(count, decisive).into_iter().map(|shown| match shown {
        Shown::Item(index) => bound(&item(index)),
        Shown::More(more) => bound(&format!("… ({more} more)")),
    });
    // Where a line is broken, it is after the separator.
    texts.collect::<Vec<_>>().join(&format!("{} ", bound(separator.trim_end())))
}

/// `head = terms = total`, without saying the same twice.
pub(super) fn equation(head: &str, terms: &str, total: &BigRational) -> Vec<String> {
    let total = total.to_string();
    if terms.is_empty() || terms == total {
        wrap(&format!("{head} = {total}"))
    } else {
        wrap(&format!("{head} = {terms} = {total}"))
    }
}

/// Breaks a line at spaces, and a number that is longer than a line anywhere.
pub(crate) fn wrap(text: &str) -> Vec<String> {
    let text: Vec<char> = text.chars().collect();
    let (mut rest, mut indent) = (text.as_slice(), "");
    let mut lines = vec![];
    loop {
        let room = COLUMNS - indent.len();
        let line = |part: &[char]| {
            let text = part.iter().map(|&c| if c == BOUND { ' ' } else { c });
            indent.chars().chain(text).collect::<String>()
        };
        if rest.len() <= room {
            lines.push(line(rest));
            return lines;
        }
        let last = |space: char| rest[..=room].iter().rposition(|&c| c == space);
        let space = [' ', BOUND].into_iter().filter_map(last).find(|&at| at > 0);
        let cut = space.unwrap_or(room);
        lines.push(line(&rest[..cut]));
        rest = &rest[cut + usize::from(space.is_some())..];
        indent = INDENT;
    }
}

/// A number that follows a sign: a negative one in parentheses.
pub(super) fn operand(number: &BigRational) -> String {
    if number.is_negative() { format!("({number})") } else { number.to_string() }
}

/// A number that is divided or squared: in parentheses unless it is a plain integer.
pub(super) fn base(number: &BigRational) -> String {
    if number.is_integer() { operand(number) } else { format!("({number})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_the_first_and_the_decisive_are_shown() {
        let numbers = |count, decisive| {
            wrap(&joined(count, " ", decisive, |index| index.to_string())).join(" ")
        };
        let first = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17";
        assert_eq!(numbers(20, Some(3)), format!("{first} 18 19"));
        assert_eq!(numbers(21, Some(3)), format!("{first} … (3 more)"));
        assert_eq!(numbers(21, None), numbers(21, Some(17)));
        assert_eq!(numbers(21, Some(18)), format!("{first} … (2 more) 18"));
        let lines = columns(&["n"], 21, Some(20), |n| vec![n.to_string()]);
        assert_eq!(lines[18..], ["17", "… 2 more", "20"]);
    }

    #[test]
    fn lines_break_at_spaces_where_they_can() {
        let word = "123456789";
        let lines = wrap(&vec![word; 30].join(" "));
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [89, 83, 83, 53]);
        assert_eq!(lines.join(" ").split_whitespace().count(), 30);
        let lines = wrap(&joined(12, " + ", None, |_| "12 · 345678".to_owned()));
        assert_eq!(
            lines[1],
            "    12 · 345678 + 12 · 345678 + 12 · 345678 + 12 · 345678 + 12 · 345678 + 12 · 345678"
        );
        let lines = wrap(&"1".repeat(250));
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [92, 92, 74]);
        assert_eq!(wrap(""), [""]);
    }

    #[test]
    fn a_wide_table_becomes_sentences() {
        let long = "9".repeat(50);
        let cells = |_| vec![long.clone(), String::new(), long.clone()];
        let lines = columns(&["a", "b", "c"], 1, None, cells);
        assert_eq!(lines, [format!("a: {long}; c:"), format!("    {long}")]);
    }
}
