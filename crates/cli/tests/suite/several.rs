//! Several models, groups and classes: each is what it is alone, computed here literally.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;
use serde_json::{Value, json as value};
use truecal::nearest_f64;

use crate::command::assert_snapshot;
use crate::measuring::{
    PENGUINS, PLAIN, Sheet, alone, csv, exact, fraction, json, parts, printed, refused,
};
use crate::rational;

const MODELS: [&str; 4] = ["logreg", "forest", "boosting", "bayes"];
const SPECIES: [&str; 3] = ["Adelie", "Chinstrap", "Gentoo"];

#[test]
fn each_model_is_what_it_is_alone() {
    let all = ["-", "--y", "female", "--subsamples", "64"];
    let together = json(&[&all[..], &["--p", &MODELS.join(",")]].concat(), PENGUINS);
    assert_eq!(parts(&together).len(), MODELS.len());
    for (model, part) in MODELS.iter().zip(parts(&together)) {
        assert_eq!((&part["model"], &part["group"]), (&value!(model), &value!({})));
        let own = json(&[&all[..], &["--p", model]].concat(), PENGUINS);
        assert_eq!(alone(&part["report"]), alone(&own), "{model}");
        assert_eq!(own["measures"].as_object().map(serde_json::Map::len), Some(12));
        assert!(own["classical"].is_object());
    }
}

#[test]
fn what_people_see() {
    let models = ["-", "--y", "female", "--p", "logreg,bayes", "--subsamples", "0"];
    assert_snapshot!("measure-models", printed(&models, PENGUINS.as_bytes()));
    let compared = ["--compare", "--only", "stepce,ece,ucal"];
    let compared = printed(&[&models[..], &compared].concat(), PENGUINS.as_bytes());
    assert_snapshot!("measure-compare", compared);
    let groups = ["-", "--y", "female", "--p", "logreg", "--by", "species,year"];
    assert_snapshot!("measure-groups", printed(&groups, PENGUINS.as_bytes()));
    let classes = ["-", "--y", "species", "--classes", "Adelie,Chinstrap,Gentoo", "--only", PLAIN];
    assert_snapshot!("measure-classes", printed(&classes, PENGUINS.as_bytes()));
}

/// Groups are those of the cells, and each is the file of its rows.
#[test]
fn each_group_is_the_file_of_its_rows() {
    let sheet = Sheet::of(PENGUINS);
    for by in [&["species"][..], &["island", "year"], &["sex", "species"]] {
        let places: Vec<usize> = by.iter().map(|column| sheet.place(column)).collect();
        let group = |row: &[String]| places.iter().map(|&at| row[at].clone()).collect::<Vec<_>>();
        let mut counts = BTreeMap::<Vec<String>, u64>::new();
        sheet.rows.iter().for_each(|row| *counts.entry(group(row)).or_default() += 1);
        let arguments = ["-", "--y", "female", "--p", "bayes", "--only", PLAIN];
        let report = json(&[&arguments[..], &["--by", &by.join(",")]].concat(), PENGUINS);
        let mut seen = vec![];
        for part in parts(&report) {
            let own: Vec<String> = by
                .iter()
                .map(|column| part["group"][column].as_str().expect("a name").to_owned())
                .collect();
            assert_eq!(part["report"]["rounds"], counts[&own]);
            let file = json(&arguments, sheet.only(|row| group(row) == own));
            let plain = alone(&file);
            // The classical numbers are not shown by groups unless asked for.
            assert_eq!(alone(&part["report"])["measures"], plain["measures"], "{own:?}");
            seen.push(own);
        }
        seen.sort();
        assert_eq!(seen, counts.into_keys().collect::<Vec<_>>());
        the_worst_is_first(parts(&report));
    }
}

/// First those with p-values, by the smallest adjusted one, then by the value of the first measure.
fn the_worst_is_first(parts: &[Value]) {
    let key = |part: &Value| {
        let smallest = part["report"]["verdict"]["smallest_adjusted_p_value"].as_f64();
        smallest.unwrap_or(1.0)
    };
    for two in parts.windows(2) {
        let (first, second) = (key(&two[0]), key(&two[1]));
        assert!(first <= second, "{first:?} {second:?}");
        let per_round = |part: &Value| part["report"]["measures"]["ece"]["per_round"].as_f64();
        assert!(first < second || per_round(&two[0]) >= per_round(&two[1]));
    }
}

/// Outcomes vary by less than 5 in all: no p-value in the limit, but one by draws.
#[test]
fn small_groups_are_drawn() {
    let row = |group: &str, p: &str, t: usize| format!("{},{p},{group}\n", t % 2);
    let rows =
        |group: &str, p: &str, count| (0..count).map(|t| row(group, p, t)).collect::<String>();
    // 20/4 is 5, 19/4 is not.
    let file = format!("y,p,g\n{}{}", rows("enough", "1/2", 20), rows("few", "1/2", 19));
    let report = json(&["-", "--by", "g"], &file);
    let small = |report: &Value| {
        let of = |part: &Value| (part["group"]["g"].clone(), part["small"].clone());
        parts(report).iter().map(of).collect::<Vec<_>>()
    };
    let mut found = small(&report);
    found.sort_by_key(|(group, _)| group.to_string());
    assert_eq!(found, [("enough".into(), false.into()), ("few".into(), true.into())]);
    let method = |part: &Value| part["report"]["measures"]["stepce"]["test"]["method"].clone();
    let drawn = |part: &Value| (method(part) == "replicates") == (part["small"] == true);
    assert!(parts(&report).iter().all(drawn));
    let table = printed(&["-", "--by", "g"], file.as_bytes());
    assert!(table.contains("19*") && table.contains("it is by 1000 draws"), "{table}");
    let drawn = json(&["-", "--by", "g", "--null", "99"], &file);
    assert!(parts(&drawn).iter().all(|part| method(part) == "replicates"));
    assert!(!printed(&["-", "--by", "g", "--null", "99"], file.as_bytes()).contains('*'));
}

/// Of very many rounds nothing is drawn, however little they vary, and nothing says so.
#[test]
fn large_groups_that_hardly_vary_are_not_drawn() {
    let levels = "p,count,ones,g\n0.0000001,2000000,0,rare\n0.5,40,20,usual\n";
    let report = json(&["-", "--levels", "--by", "g"], levels);
    assert!(parts(&report).iter().all(|part| part["small"] == false));
    let table = printed(&["-", "--levels", "--by", "g"], levels.as_bytes());
    assert!(!table.contains("1000 draws") && !table.contains("2000000*"), "{table}");
}

/// The share of ones and the mean prediction, literally.
#[test]
fn rates_of_groups() {
    let report = json(&["-", "--by", "g"], "y,p,g\n1,0.5,a\n0,0.25,a\n1,1/3,a\n0,0.125,b\n");
    let of = |group: &str| {
        let part = parts(&report).iter().find(|part| part["group"]["g"] == group);
        let part = part.expect("a group");
        (part["event_rate"].as_f64(), part["mean_prediction"].as_f64())
    };
    let nearest = |share: &str| Some(nearest_f64(&rational(share)));
    // (1/2 + 1/4 + 1/3)/3
    assert_eq!(of("a"), (nearest("2/3"), nearest("13/36")));
    assert_eq!(of("b"), (nearest("0"), nearest("1/8")));
}

/// Labels, and the probabilities of three classes in sixteenths, which need not add up to 1.
fn labelled() -> impl Strategy<Value = Vec<(usize, [u32; 3])>> {
    prop::collection::vec((0..3_usize, [0..=16_u32, 0..=16_u32, 0..=16_u32]), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The most probable class, the first of several, and each class against the rest.
    #[test]
    fn classes_are_files_of_rounds(rows in labelled()) {
        const NAMES: [&str; 3] = ["b", "a", "c d"];
        let line = |(label, parts): &(usize, [u32; 3])| {
            format!("{},{}/16,{}/16,{}/16\n", NAMES[*label], parts[0], parts[1], parts[2])
        };
        let text = format!("label,b,pa,c d\n{}", rows.iter().map(line).collect::<String>());
        let arguments = ["-", "--classes", "b,a=pa,c d", "--only", PLAIN];
        let report = json(&arguments, &text);
        let top = |parts: &[u32; 3]| {
            let most = *parts.iter().max().expect("three");
            parts.iter().position(|part| *part == most).expect("one of them")
        };
        // The rounds of a class that may be another one in every row.
        let series = |class: &dyn Fn(&[u32; 3]) -> usize| {
            let round = |(label, parts): &(usize, [u32; 3])| {
                (*label == class(parts), format!("{}/16", parts[class(parts)]))
            };
            csv(&rows.iter().map(round).collect::<Vec<_>>())
        };
        let against = |class: usize| series(&|_| class);
        let tops = series(&top);
        for (place, file) in [tops, against(0), against(1), against(2)].iter().enumerate() {
            let own = json(&["-", "--only", PLAIN], file);
            let part = &parts(&report)[place];
            let name = if place == 0 { "top label" } else { NAMES[place - 1] };
            prop_assert_eq!(&part["model"], name);
            let (mut part, mut own) = (alone(&part["report"]), alone(&own));
            for report in [&mut part, &mut own] {
                for (_, entry) in report["measures"].as_object_mut().expect("measures") {
                    entry.as_object_mut().expect("an entry").remove("test");
                }
            }
            prop_assert_eq!(part, own, "{}", name);
        }
        let gap = |(_, parts): &(usize, [u32; 3])| {
            let sum = BigRational::new(parts.iter().sum::<u32>().into(), 16.into());
            (sum - BigRational::one()).abs()
        };
        let gaps: Vec<BigRational> = rows.iter().map(gap).filter(|gap| !gap.is_zero()).collect();
        prop_assert_eq!(&report["sums"]["rows"], gaps.len());
        let largest = gaps.into_iter().max().unwrap_or_default();
        prop_assert_eq!(fraction(&report["sums"]["largest"]), largest);

        // One of them alone, by name.
        let one = json(&[&arguments[..], &["--positive", "a"]].concat(), &text);
        prop_assert_eq!(&one["measures"], &json(&["-", "--only", PLAIN], against(1))["measures"]);
    }
}

/// Too little by 3/8 is more than too much by 1/4.
#[test]
fn probabilities_miss_one_on_either_side() {
    let rows = "y,a,b\na,1/4,3/8\nb,1/2,3/4\na,1/2,1/2\n";
    let sums = &json(&["-", "--classes", "a,b", "--only", "ece"], rows)["sums"];
    assert_eq!((&sums["rows"], fraction(&sums["largest"])), (&2.into(), rational("3/8")));
}

/// One class of three as the event of a file of outcomes and one prediction.
#[test]
fn a_class_of_several_is_an_event() {
    let sheet = Sheet::of(PENGUINS);
    let classes = ["-", "--y", "species", "--classes", &SPECIES.join(","), "--only", PLAIN];
    for species in SPECIES {
        let label = sheet.place("species");
        let own =
            sheet.rows.iter().map(|row| (row[label] == species, row[sheet.place(species)].clone()));
        let own = json(&["-", "--only", PLAIN], csv(&own.collect::<Vec<_>>()));
        let one = json(&[&classes[..], &["--positive", species]].concat(), PENGUINS);
        let event = ["-", "--y", "species", "--p", species, "--positive", species, "--only", PLAIN];
        assert_eq!((&one, &json(&event, PENGUINS)), (&own, &own), "{species}");
    }
}

/// Differences are those of the values; the p-value is that of all 2^T ways to swap.
#[test]
fn differences_are_tested_by_swapping() {
    let rounds = [(1, "1/2", "1/8"), (0, "1/4", "3/4"), (1, "1/8", "7/8"), (1, "1", "1/3")];
    let rows: String = rounds.iter().map(|(x, p, q)| format!("{x},{p},{q}\n")).collect();
    let file = format!("y,a,b\n{rows}");
    let arguments = ["-", "--p", "a,b", "--compare", "--null", "4000", "--only", "ece,stepce"];
    let report = json(&arguments, &file);
    let entries = report["comparisons"].as_array().expect("comparisons");
    assert_eq!(entries.len(), 2);
    let number = |text: &str| rational(text);
    let ece = |swapped: usize, model: usize| {
        let mut biases = BTreeMap::<BigRational, BigRational>::new();
        for (t, (x, p, q)) in rounds.iter().enumerate() {
            let own = if (swapped >> t & 1 == 1) == (model == 0) { *q } else { *p };
            *biases.entry(number(own)).or_default() += number(&x.to_string()) - number(own);
        }
        let step = biases.values().scan(BigRational::zero(), |sum, bias| {
            *sum += bias;
            Some(sum.abs())
        });
        let ece: BigRational = biases.values().map(Signed::abs).sum();
        [ece, step.max().unwrap_or_default()]
    };
    for (place, entry) in entries.iter().enumerate() {
        let difference = |swapped| ece(swapped, 0)[place].clone() - ece(swapped, 1)[place].clone();
        assert_eq!(fraction(&entry["exact"]), difference(0));
        let parts = parts(&report);
        let measure = ["ece", "stepce"][place];
        let apart = |part: usize| exact(&parts[part]["report"], measure);
        assert_eq!(apart(0) - apart(1), difference(0));
        let far =
            (0..16).filter(|&swapped| difference(swapped).abs() >= difference(0).abs()).count();
        let at_least = entry["at_least"].as_u64().expect("a count");
        // Six standard deviations of a binomial variable are at most 6 sqrt(4000)/2 < 190.
        assert!(at_least.abs_diff(250 * far as u64) < 190, "{at_least} {far}");
        let p = nearest_f64(&BigRational::new((at_least + 1).into(), 4001.into()));
        assert_eq!(entry["p_value"].as_f64(), Some(p));
    }
    // Two models that are the same do not differ.
    let same: String = rounds.iter().map(|(x, p, _)| format!("{x},{p},{p}\n")).collect();
    let same = format!("y,a,b\n{same}");
    for entry in json(&arguments, same)["comparisons"].as_array().expect("comparisons") {
        assert_eq!((&entry["exact"], &entry["p_value"]), (&value!("0"), &value!(1.0)));
    }
}

/// Every two of several models, adjusted for each other.
#[test]
fn every_two_models_are_compared() {
    let arguments = ["-", "--y", "female", "--p", &MODELS.join(","), "--compare", "--null", "99"];
    let report = json(&[&arguments[..], &["--only", "stepce"]].concat(), PENGUINS);
    let entries = report["comparisons"].as_array().expect("comparisons");
    let two = |entry: &Value| format!("{} {}", entry["first"], entry["second"]).replace('"', "");
    let expected = [
        "logreg forest",
        "logreg boosting",
        "logreg bayes",
        "forest boosting",
        "forest bayes",
        "boosting bayes",
    ];
    assert_eq!(entries.iter().map(two).collect::<Vec<_>>(), expected);
    let p = |entry: &Value| entry["at_least"].as_u64().expect("a count") + 1;
    let all: Vec<u64> = entries.iter().map(p).collect();
    for (entry, adjusted) in entries.iter().zip(holm(&all, 100)) {
        let shown = entry["adjusted_p_value"].as_f64().expect("a number");
        assert_eq!(shown, nearest_f64(&BigRational::new(adjusted.into(), 100.into())));
    }
}

/// Holm's adjustment of p-values in units of 1/`unit`: sorted, the k-th of m times m + 1 - k, and
/// never less than the one before.
fn holm(p_values: &[u64], unit: u64) -> Vec<u64> {
    let rank = |own: usize| {
        let before = |other: usize| (p_values[other], other) < (p_values[own], own);
        (0..p_values.len()).filter(|&other| before(other)).count()
    };
    let scaled = |own: usize| p_values[own] * (p_values.len() - rank(own)) as u64;
    let up_to = |own: usize| (0..p_values.len()).filter(move |&other| rank(other) <= rank(own));
    let largest = |own| up_to(own).map(scaled).max().expect("itself").min(unit);
    (0..p_values.len()).map(largest).collect()
}

#[test]
fn what_cannot_be_parted_is_refused() {
    let file = "y,p,q,g,h\n1,0.5,0.5,a,b\n0,0.25,0.5,a,b\n";
    let mut messages = String::new();
    for line in [
        "--compare",
        "--p p --compare",
        "--p p,q --compare --by g",
        "--p p,q --compare --only ssce",
        "--p p,p",
        "--p p,g --by g",
        "--by g,h,p",
        "--by g,g",
        "--by nobody",
        "--by y",
        "--p p,nobody",
        "--classes a",
        "--classes a,a",
        "--classes a,top=a",
        "--classes a,=b",
        "--classes p,q --y g",
        "--classes p,q --y y",
        "--classes p,nobody --y g",
        "--classes p,top=q --positive r",
        "--classes p,q --p p",
        "--classes p,q --levels",
        "--classes p,q --compare",
        "--levels --p p,q",
        "--csv --json",
        "--csv --exact",
        "--csv --timing",
        "--bins 0",
        "--bins ten",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        messages.push_str(&format!(
            "{line}\n  {}",
            first_words(&refused(&[&["-"], &words[..]].concat(), file))
        ));
    }
    assert_snapshot!("measure-refused-parts", messages);
}

/// Without what clap adds about usage.
fn first_words(message: &str) -> String {
    message.split("\n\nUsage:").next().unwrap_or_default().trim_end().to_owned() + "\n"
}

/// A column of names is not one of groups.
#[test]
fn too_many_groups_are_refused() {
    let rows: String = (0..10_001).map(|t| format!("1,0.5,{t}\n")).collect();
    let message = refused(&["-", "--by", "g"], format!("y,p,g\n{rows}"));
    assert!(message.contains("more than 10000 groups; name columns with fewer"), "{message}");
}

/// Parts are kept in memory, and say so if there is too little of it.
#[test]
fn parts_must_fit_in_memory() {
    let rows: String = (0..700_000).map(|t| format!("1,0.{t:07},0.5\n")).collect();
    let message = refused(&["-", "--p", "p,q", "--max-memory", "33M"], format!("y,p,q\n{rows}"));
    assert!(message.contains("do not fit in --max-memory; give more"), "{message}");
}
