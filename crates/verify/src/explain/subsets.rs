//! The subsampled measures: an average over all subsets of the rounds.

use std::collections::BTreeMap;
use truecal::rational::int;

use num_rational::BigRational;

use super::text::{base, columns, equation, joined, wrap};
use super::{Ledger, rounds};
use truecal::Level;
use truecal::Measure;

/// Beyond this many rounds the subsets are not written out.
const MAX_ROUNDS: u64 = 12;

/// The subsets by what they keep, with the value of `whole` on each, and the average.
pub(super) fn lines(
    ledger: &Ledger,
    measure: Measure,
    whole: Measure,
    value: fn(&Ledger) -> BigRational,
) -> Vec<String> {
    let t = ledger.total_rounds();
    if t > MAX_ROUNDS {
        return vec![format!("{measure} is an average over 2^{t} subsets: too many to write out")];
    }
    let classes: Vec<(Class, BigRational)> = classes(&ledger.levels)
        .into_iter()
        .map(|class| {
            let value = value(&Ledger::of(class.kept.clone()));
            (class, value)
        })
        .collect();
    let subsets = 1_u64 << t;
    let mut lines =
        vec![format!("the 2^{t} = {subsets} subsets of the rounds, by what they keep:")];
    let name = whole.to_string();
    lines.extend(columns(&["subsets", "x", "p", &name], classes.len(), None, |index| {
        let (class, value) = &classes[index];
        let (x, p) = rounds(&class.kept);
        vec![class.subsets.to_string(), x, p, value.to_string()]
    }));

    let mut tally: BTreeMap<&BigRational, u64> = BTreeMap::new();
    for (class, value) in &classes {
        *tally.entry(value).or_default() += class.subsets;
    }
    let tally: Vec<(&BigRational, u64)> = tally.into_iter().collect();
    let products = joined(tally.len(), " + ", None, |index| {
        let (value, subsets) = &tally[index];
        format!("{subsets} · {value}")
    });
    let sum: BigRational = tally.iter().map(|(value, subsets)| int(*subsets) * *value).sum();
    lines.extend(equation("sum over the subsets", &products, &sum));
    let average = &sum / int(subsets);
    lines.extend(wrap(&format!("{measure} = {} / 2^{t} = {average}", base(&sum))));
    lines
}

/// The subsets that keep as many zeros and ones of each level.
#[derive(Clone)]
struct Class {
    kept: Vec<Level<BigRational>>,
    subsets: u64,
}

fn classes(levels: &[Level<BigRational>]) -> Vec<Class> {
    let mut classes = vec![Class { kept: vec![], subsets: 1 }];
    for level in levels {
        let mut longer = vec![];
        for class in &classes {
            for zeros in 0..=level.count - level.ones {
                for ones in 0..=level.ones {
                    let ways = ways(level.count - level.ones, zeros) * ways(level.ones, ones);
                    let mut class = class.clone();
                    class.subsets *= ways;
                    if zeros + ones > 0 {
                        let value = level.value.clone();
                        class.kept.push(Level { value, count: zeros + ones, ones });
                    }
                    longer.push(class);
                }
            }
        }
        classes = longer;
    }
    classes
}

/// The binomial coefficient of n and k.
fn ways(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}
