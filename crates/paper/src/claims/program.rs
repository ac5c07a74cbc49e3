//! What the program itself must get right, whatever is claimed of the measures. Bounded proofs
//! (`proofs/`) go further.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;

use super::tools::{commas, finite, in_words, int, tables};
use super::{Claim, Evidence, Kind, ROW, Scope, sections};
use truecal::Forecasts;
use truecal::definitions::Round;
use truecal::dyadic::{Dyadic, LOWEST_EXPONENT, nearest};
use truecal::grid::{Grid, grid_tables};
use truecal::measures;
use truecal::{Level, Levels, LevelsError};
use truecal_check::polynomial::{Poly, Ring, shows};

/// The rows.
pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "core:levels",
        reading: "A level table does not depend on the order of its rounds, nor on how they were \
            put into parts that were merged.",
        checks: &[finite!(
            "tables from rounds in another order, and from two parts",
            Scope::Cases,
            "T <= 4, D = 4",
            any_order,
        )],
        ..PROGRAM
    },
    Claim {
        id: "core:width",
        reading: "If 4 T D is at most the largest value of a number type, no formula overflows in \
            it. A table beyond \
            the bound is refused. The values alone need half of it: VCal is up to 2 T D.",
        checks: &[finite!(
            "tables at the bound, in 8 bits",
            Scope::Cases,
            "every T, D with T D <= 127, one or two levels of extreme bias",
            bound_of_the_width,
        )],
        ..PROGRAM
    },
    Claim {
        id: "core:grid",
        reading: "The tables of a grid are numbered from 0 without gaps: number and table \
            determine each other.",
        checks: &[finite!(
            "from numbers to tables and back",
            Scope::Cases,
            "T <= 4, D <= 4",
            numbers_and_tables,
        )],
        ..PROGRAM
    },
    Claim {
        id: "core:doubles",
        reading: "A double in [0, 1] is read as the dyadic fraction that its bits stand for, in \
            lowest terms; any other is refused.",
        checks: &[finite!(
            "bits against sign, exponent and fraction",
            Scope::Cases,
            "every exponent, with fractions of few bits",
            bits_of_doubles,
        )],
        ..PROGRAM
    },
    Claim {
        id: "core:rounding",
        reading: "An exact result becomes the nearest double, the even one of two that are as \
            near.",
        checks: &[finite!(
            "no neighbour is nearer",
            Scope::Cases,
            "integers next to 2^52 to 2^56, over powers of two down to 2^-1140",
            nearest_doubles,
        )],
        ..PROGRAM
    },
    Claim {
        id: "core:checker",
        reading: "A row of a certificate is accepted only if it writes the goal as a nonnegative \
            combination of products of facts: where these are at least 0, so is the goal.",
        checks: &[finite!(
            "short rows for several goals",
            Scope::Cases,
            "every row of 1 to 4 characters out of 10",
            short_rows,
        )],
        ..PROGRAM
    },
];

/// A row of this file to start from.
const PROGRAM: Claim = Claim { section: sections::PROGRAM, kind: Kind::Algorithm, ..ROW };

/// Rounds in the opposite order, and first and other rounds apart and merged.
fn any_order(evidence: &mut Evidence) {
    let built = |rounds: &[Round]| {
        let pairs = rounds.iter().map(|(x, p)| (*x, p.clone()));
        Forecasts::from_pairs(pairs).expect("in [0, 1]").levels().expect("small")
    };
    for levels in tables(4, 4) {
        let mut rounds = levels.to_rational().to_rounds();
        let table = built(&rounds);
        let half = rounds.len() / 2;
        let parts = built(&rounds[half..]).merge(&built(&rounds[..half])).expect("small");
        rounds.reverse();
        let words = || format!("{}\n{table:?}\nin two parts {parts:?}", in_words(&rounds));
        evidence.case(built(&rounds) == table && parts == table, words);
        let apart = table.len() == rounds.len();
        evidence.mistake("each round has a level of its own", apart, words);
    }
}

/// One level of zeros predicted 1, or of ones predicted 0, and two levels, one of each.
fn bound_of_the_width(evidence: &mut Evidence) {
    let level = |value: i8, count: u64, one: bool| Level {
        value,
        count,
        ones: if one { count } else { 0 },
    };
    for (unit, rounds) in (1_i8..=127).flat_map(|unit| (1_u64..=127).map(move |t| (unit, t))) {
        let bound = 4 * i64::from(unit) * rounds.cast_signed();
        if bound > 4 * 127 {
            continue;
        }
        let few = rounds / 2;
        let mut shapes = vec![vec![level(unit, rounds, false)], vec![level(0, rounds, true)]];
        if few > 0 {
            shapes.push(vec![level(0, rounds - few, true), level(unit, few, false)]);
        }
        for rows in shapes {
            let wide = rows.iter().map(|row| Level {
                value: i64::from(row.value),
                count: row.count,
                ones: row.ones,
            });
            let wide = Levels::new(i64::from(unit), wide.collect()).expect("small");
            let sign = measures::sign_ce(wide.table()).value;
            let v_cal = measures::v_cal(wide.table()).value;
            let words = || {
                format!("D = {unit}, T = {rounds}, 4TD = {bound}\nsignCE = {sign}, VCal = {v_cal}")
            };
            match Levels::new(unit, rows) {
                Ok(narrow) => {
                    let table = narrow.table();
                    let same = i64::from(measures::sign_ce(table).value) == sign
                        && i64::from(measures::v_cal(table).value) == v_cal;
                    evidence.case(bound <= 127 && same && 2 * v_cal <= bound, words);
                }
                Err(error) => evidence.case(bound > 127 && error == LevelsError::Width, words),
            }
            evidence.mistake("T D <= 127 is enough", v_cal <= 127, words);
        }
    }
}

fn numbers_and_tables(evidence: &mut Evidence) {
    for (rounds, denominator) in (0..=4).flat_map(|t| (1..=4).map(move |d| (t, d))) {
        let grid = Grid { rounds, denominator };
        for (number, table) in (0..).zip(grid_tables(rounds, denominator)) {
            let words = || format!("T = {rounds}, D = {denominator}, number {number}: {table:?}");
            let found = grid.index_of(&table);
            evidence
                .case(found == Some(number) && grid.nth(number).as_ref() == Some(&table), words);
            evidence.mistake("numbers start from 1", found == Some(number + 1), words);
        }
        let tables = grid_tables(rounds, denominator).count() as u64;
        evidence.case(grid.size() == Some(tables) && grid.nth(tables).is_none(), || {
            format!("T = {rounds}, D = {denominator}: {tables} tables, size {:?}", grid.size())
        });
    }
}

/// 2 to a power.
fn power(exponent: i32) -> BigRational {
    let power = int(BigInt::from(1) << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

/// Significand and exponent of a finite double >= 0 by the definition of the format.
fn fields(bits: u64) -> (u64, i32) {
    let (biased, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    let hidden = if biased == 0 { 0 } else { 1 << 52 };
    (fraction + hidden, i32::try_from(biased.max(1)).expect("11 bits") - 1075)
}

fn value(bits: u64) -> BigRational {
    let (significand, exponent) = fields(bits);
    int(significand) * power(exponent)
}

fn in_fields(bits: u64) -> String {
    let (significand, exponent) = fields(bits);
    format!("{significand} · 2^{exponent}")
}

fn bits_of_doubles(evidence: &mut Evidence) {
    let fractions = (0..52).map(|bit| 1_u64 << bit).chain([0, (1 << 52) - 1, 3, 5 << 49]);
    let fractions: Vec<u64> = fractions.collect();
    for exponent in 0..2048_u64 {
        // All fractions where something changes, few elsewhere.
        let near = exponent < 3 || (1020..1026).contains(&exponent) || exponent > 2044;
        for &fraction in &fractions[if near { 0 } else { fractions.len() - 4 }..] {
            for sign in [0, 1 << 63] {
                let bits = sign | exponent << 52 | fraction;
                let converted = Dyadic::from_bits(bits);
                let number =
                    |dyadic: &Dyadic| int(dyadic.odd) / int(BigInt::from(1) << dyadic.shift);
                let expected = (exponent < 2047).then(|| value(bits & !(1 << 63)));
                let expected = expected.filter(|value| *value <= int(1));
                let expected = expected.filter(|value| sign == 0 || *value == int(0));
                let found = converted.as_ref().ok().map(number);
                let lowest = converted.as_ref().is_ok_and(|d| d.odd % 2 == 1 || d.shift == 0);
                let words = || {
                    let by_fields = in_fields(bits & !(1 << 63));
                    format!("bits {bits:016x}: {by_fields}\nread as {converted:?}")
                };
                evidence.case(found == expected && (lowest || expected.is_none()), words);
                if sign == 0 && exponent == 0 {
                    let hidden = int(fraction + (1 << 52)) * power(LOWEST_EXPONENT);
                    let mistaken = found.as_ref() == Some(&hidden);
                    evidence.mistake("subnormals have a hidden bit", mistaken, words);
                }
            }
        }
    }
}

fn nearest_doubles(evidence: &mut Evidence) {
    let numbers = (52..=56).flat_map(|bit| (0..24).map(move |low| (1_u128 << bit) - 12 + low));
    for number in numbers.chain(0..8) {
        for exponent in
            [-1140, -1131, -1130, -1129, -1128, -1127, -1100, -1076, -1075, -1074, -60, 0]
        {
            let exact = int(number) * power(exponent);
            let bits = nearest(number, exponent);
            let far = |bits: u64| (value(bits) - &exact).abs();
            let lower = bits.checked_sub(1).map(far);
            let (here, higher) = (far(bits), far(bits + 1));
            let closest = lower.as_ref().is_none_or(|lower| here <= *lower) && here <= higher;
            let tie = here == higher || lower == Some(here);
            let words = || format!("{number} · 2^{exponent}\nrounded to {}", in_fields(bits));
            evidence.case(closest && (!tie || bits.is_multiple_of(2)), words);
            evidence.mistake("ties go away from 0", !tie || value(bits) > exact, words);
        }
    }
}

/// Rows for facts o0 = v1, f1 = v2 and goals of both signs. What is accepted must hold where both
/// are at least 0.
fn short_rows(evidence: &mut Evidence) {
    const CHARACTERS: &[u8; 10] = b"012-: *ofx";
    let names = ["v1".to_owned(), "v2".to_owned()];
    let poly = |text: &str| Poly::parse(text, &names).expect("a polynomial");
    let facts = [poly("v1"), poly("v2")];
    let texts = ["v1", "v2", "2*v2", "v1*v2", "v1 + v2", "0", "1", "-v2", "v1 - v2", "-1"];
    let goals = texts.map(|text| (text, poly(text)));
    let at = |goal: &Poly, point: [i128; 2]| -> i128 {
        let value = |number: u16| if number == 0 { 1 } else { point[usize::from(number) - 1] };
        goal.terms().map(|(vars, c)| c * vars.iter().map(|v| value(*v)).product::<i128>()).sum()
    };
    let nonnegative = |goal: &Poly| (0..9).all(|place| at(goal, [place / 3, place % 3]) >= 0);
    for length in 1..=4 {
        for number in 0..10_usize.pow(length) {
            let digit = |place: u32| CHARACTERS[number / 10_usize.pow(place) % 10];
            let row: Vec<u8> = (0..length).map(digit).collect();
            let unsigned: Vec<u8> = row.iter().copied().filter(|byte| *byte != b'-').collect();
            for (text, goal) in &goals {
                let accepted = shows(&row, &facts, 1, goal).is_ok();
                let words = || format!("row `{}`, goal {text}", String::from_utf8_lossy(&row));
                let holds = nonnegative(goal);
                evidence.case(!accepted || holds, words);
                if row.len() > unsigned.len() && !holds {
                    // A checker that reads over signs would take -1 times a fact for a proof of its
                    // negative.
                    let turned = Poly::default().plus(-1, goal).expect("small");
                    let mistaken = shows(&unsigned, &facts, 1, &turned).is_ok();
                    let points = commas([0, 1, 2]);
                    evidence.mistake("signs are read over", !mistaken, || {
                        format!("{}\nwhich is negative for some v1, v2 among {points}", words())
                    });
                }
            }
        }
    }
}
