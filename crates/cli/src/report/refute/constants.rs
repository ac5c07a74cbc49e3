//! Best constants by the number of rounds.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

use super::{Ended, early};
use crate::report::claims::{counted, wrapped};
use crate::report::rounding::short_decimal;
use truecal_check::law::{Comparison, Expr};
use truecal_verify::laws::{near_value, value_of};
use truecal_verify::refute::{Budget, Family, Supremum, Tight, TightRow};

/// The best constants of an inequality.
pub struct Constants<'a> {
    /// The side below the line.
    pub less: &'a Expr,
    /// The side above.
    pub more: &'a Expr,
    /// The hypothesis.
    pub given: Option<&'a Comparison>,
    /// How far the search was to go.
    pub budget: &'a Budget,
    /// What was found.
    pub tight: &'a Tight,
    /// Why the search ended early: `cases`, `seconds` or `interrupted`.
    pub stopped: Option<Ended>,
}

impl Constants<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let Constants { less, more, .. } = self;
        let given = self.given.map_or_else(String::new, |given| format!(" wherever {given}"));
        let product = match less.to_string() {
            one if one == "1" => "c".to_owned(),
            less if less.contains([' ', '/']) => format!("c*({less})"),
            less => format!("c*{less}"),
        };
        let mut text = format!("the smallest c with {more} <= {product}{given}\n\n");
        let mut rows = vec![["T", "c", "", "at", "no more"].map(str::to_owned)];
        rows.extend(self.tight.rows.iter().map(|row| self.row(row)));
        let width =
            |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let [first, second, third, fourth] = [0, 1, 2, 3].map(width);
        for [rounds, c, how, place, shown] in &rows {
            let line =
                format!("{rounds:>first$}  {c:>second$}  {how:<third$}  {place:<fourth$}  {shown}");
            text += line.trim_end();
            text.push('\n');
        }
        let mut notes = vec![];
        for row in &self.tight.rows {
            notes.extend(self.note(row));
        }
        notes.extend(self.stopped.map(early));
        if self.tight.rows.iter().any(|row| row.stage.proved.is_some()) {
            notes.push(
                "PROVED: a certificate shows that no table with so many rounds has more, whatever \
                    real numbers are predicted"
                    .to_owned(),
            );
        }
        let open = |row: &&TightRow| row.stage.proved.is_none() && row.supremum.value().is_some();
        if self.tight.rows.iter().any(|row| open(&row)) {
            let all: u64 = self.tight.rows.iter().map(|row| row.stage.cases).sum();
            let climbed = self.tight.rows.iter().any(|row| row.stage.patterns.0 > 0);
            let climbed = if climbed { ", and by linear programmes between the grids" } else { "" };
            notes.push(format!(
                "not known: the largest found in {}{climbed}",
                counted(all, "table")
            ));
        }
        text.push('\n');
        notes.iter().for_each(|note| text += &format!("{}\n", wrapped(note, 2)));
        text
    }

    fn row(&self, TightRow { stage, supremum }: &TightRow) -> [String; 5] {
        let (c, how, place) = match supremum {
            Supremum::Nothing => ("-".to_owned(), "", "no table with a ratio was found".to_owned()),
            Supremum::Attained(value, instance) => {
                (value.to_string(), "attained", instance.to_string())
            }
            Supremum::Approached(value, family) => {
                (value.to_string(), "approached", family.to_string())
            }
            Supremum::Infinite(instance) => ("none".to_owned(), "infinite", instance.to_string()),
            Supremum::Unbounded(family) => ("none".to_owned(), "unbounded", family.to_string()),
        };
        let shown = match (&stage.proved, supremum) {
            (Some(_), _) => "PROVED",
            (None, Supremum::Attained(..) | Supremum::Approached(..)) => "not known",
            _ => "",
        };
        let c = match (&stage.proved, supremum.value()) {
            (None, Some(_)) => format!(">= {c}"),
            _ => c,
        };
        [stage.rounds.to_string(), c, how.to_owned(), place, shown.to_owned()]
    }

    /// How fast a limit is approached.
    fn note(&self, row: &TightRow) -> Option<String> {
        let (Supremum::Approached(_, family) | Supremum::Unbounded(family)) = &row.supremum else {
            return None;
        };
        let at = self.samples(family);
        let at: Vec<_> =
            at.iter().map(|(e, ratio)| format!("{} at e = {e}", short_decimal(ratio))).collect();
        let limit = format!("T = {}, as e goes to 0: {}", row.stage.rounds, at.join(", "));
        Some(match &row.supremum {
            Supremum::Approached(..) => {
                format!("{limit}; no table was found that attains the limit")
            }
            _ => limit,
        })
    }

    /// The ratio for some small e.
    pub fn samples(&self, family: &Family) -> Vec<(BigRational, BigRational)> {
        let ratio = |e: &BigRational| {
            let levels = family.at(e)?.levels();
            let value = |quantity| value_of(&levels, quantity);
            let (above, below) = (near_value(self.more, &value)?, near_value(self.less, &value)?);
            (below != BigRational::default()).then(|| above / below)
        };
        let small = |digits: u32| BigRational::new(BigInt::one(), BigInt::from(10).pow(digits));
        let samples = [2, 4, 6].map(small).into_iter();
        samples.filter_map(|e| ratio(&e).map(|ratio| (e, ratio))).collect()
    }
}
