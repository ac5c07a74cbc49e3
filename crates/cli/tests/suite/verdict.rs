//! P-values, what they say together, and that table, JSON and CSV say the same.

use num_rational::BigRational;
use num_traits::{One, Signed};
use serde_json::Value;
use truecal::nearest_f64;

use crate::command::assert_snapshot;
use crate::measuring::{PENGUINS, json, parts, printed};
use crate::rational;

const MODELS: [&str; 5] = ["-", "--y", "female", "--p", "logreg,bayes"];

/// Levels of these counts, as a file.
fn levels(rows: &[(&str, u64, u64)]) -> String {
    let row = |(p, count, ones): &(&str, u64, u64)| format!("{p},{count},{ones}\n");
    format!("p,count,ones\n{}", rows.iter().map(row).collect::<String>())
}

/// Holm's adjusted p-values by their definition: of m, the largest of (m + 1 - j) p_(j) among those
/// that are not larger, and at most 1.
fn holm(p_values: &[BigRational]) -> Vec<BigRational> {
    let adjusted = |p: &BigRational| {
        let mut below: Vec<&BigRational> = p_values.iter().filter(|other| *other <= p).collect();
        below.sort();
        let scaled = below
            .iter()
            .enumerate()
            .map(|(before, p)| BigRational::from_integer((p_values.len() - before).into()) * *p);
        scaled.max().expect("itself").min(BigRational::one())
    };
    p_values.iter().map(adjusted).collect()
}

/// The tests of a report: p-values and adjusted ones as printed.
fn tests(report: &Value) -> Vec<&Value> {
    let entries = report["measures"].as_object().expect("measures").values();
    entries.filter_map(|entry| entry.get("test")).collect()
}

fn number(value: &Value) -> BigRational {
    BigRational::from_float(value.as_f64().expect("a number")).expect("finite")
}

/// Whether two numbers are the same but for so small a part of the second.
fn are_near(one: &BigRational, other: &BigRational, part: &str) -> bool {
    (one - other).abs() <= rational(part) * other
}

/// Of replicates, in rationals; in the limit, from the doubles that are printed.
#[test]
fn p_values_are_adjusted_by_holms_method() {
    let input = levels(&[("0.2", 30, 11), ("0.5", 40, 25), ("0.7", 30, 20)]);
    let plain = "ece,smce,stepce,signce,intervalce,vcal,ucal,cdl";
    let drawn = json(&["-", "--levels", "--null", "199", "--only", plain], &input);
    let at_least = |entry: &Value| entry["null"]["at_least"].as_u64();
    let entries = drawn["measures"].as_object().expect("measures");
    let counts: Vec<u64> = entries.values().filter_map(at_least).collect();
    assert!(counts.len() >= 8, "{counts:?}");
    let p_values: Vec<BigRational> =
        counts.iter().map(|count| BigRational::new((count + 1).into(), 200.into())).collect();
    let found = tests(&drawn);
    assert_eq!(found.len(), p_values.len());
    for ((test, p), adjusted) in found.iter().zip(&p_values).zip(holm(&p_values)) {
        assert_eq!(
            (test["method"].as_str(), test["p_value"].as_f64()),
            (Some("replicates"), Some(nearest_f64(p)))
        );
        assert_eq!(test["adjusted_p_value"].as_f64(), Some(nearest_f64(&adjusted)));
    }
    agrees(&drawn);

    let limit = json(&["-", "--levels", "--subsamples", "64"], &input);
    let found = tests(&limit);
    assert_eq!(found.len(), 2, "stepCE and intervalCE");
    let p_values: Vec<BigRational> = found.iter().map(|test| number(&test["p_value"])).collect();
    for (test, adjusted) in found.iter().zip(holm(&p_values)) {
        assert_eq!(test["method"], "limit");
        assert!(are_near(&number(&test["adjusted_p_value"]), &adjusted, "1/1000000000000000"));
    }
    agrees(&limit);
}

/// The verdict is what its tests say.
fn agrees(report: &Value) {
    let verdict = &report["verdict"];
    let smallest = tests(report).iter().map(|test| number(&test["adjusted_p_value"])).min();
    assert_eq!(verdict["tests"], tests(report).len());
    assert_eq!(verdict["level"], 0.05);
    assert_eq!(smallest, verdict.get("smallest_adjusted_p_value").map(number));
    let bad = smallest.map(|smallest| smallest < rational("1/20"));
    assert_eq!(verdict["miscalibrated"], bad.map_or(Value::Null, Value::Bool));
    let Some(measure) = verdict.get("measure") else { return };
    let own = &report["measures"][measure.as_str().expect("a key")]["test"];
    assert_eq!(own["adjusted_p_value"], verdict["smallest_adjusted_p_value"]);
}

/// Those of all parts are adjusted for each other.
#[test]
fn parts_are_adjusted_together() {
    let by = ["-", "--y", "female", "--p", "bayes", "--by", "species,year"];
    for arguments in [&[&MODELS[..], &["--subsamples", "0"]].concat()[..], &by] {
        let report = json(arguments, PENGUINS);
        let all: Vec<&Value> =
            parts(&report).iter().flat_map(|part| tests(&part["report"])).collect();
        assert!(all.len() > 1);
        let p_values: Vec<BigRational> = all.iter().map(|test| number(&test["p_value"])).collect();
        for (test, adjusted) in all.iter().zip(holm(&p_values)) {
            let own = number(&test["adjusted_p_value"]);
            assert!(are_near(&own, &adjusted, "1/1000000000000000"), "{test}");
        }
        let words = report["verdict"].as_str().expect("words");
        assert!(words.contains(&format!("{} adjusted p-values", all.len())), "{words}");
        let bad = |part: &&Value| part["report"]["verdict"]["miscalibrated"] == true;
        let bad = parts(&report).iter().filter(bad).count();
        let tested =
            parts(&report).iter().filter(|part| !tests(&part["report"]).is_empty()).count();
        let expected = match bad {
            0 => "no evidence of miscalibration".to_owned(),
            bad => format!("miscalibrated: {bad} of {tested} "),
        };
        assert!(words.starts_with(&expected), "{words}");
    }
}

/// Where a double would be 0, there are still digits. With all predictions at 1/2 the p-value of
/// stepCE is near 4 (1 - Φ(z)), and that near 4 exp(-z²/2) / (z sqrt(2π)), with z = bias/sqrt(T/4).
#[test]
fn tiny_p_values_have_their_digits() {
    for (ones, text, five) in [
        // z = 200: 10^(-20000/ln 10) is 1.2902e-8686, times 4/(200 sqrt(2π)) = 0.0079788.
        (600_000, "1.03e-8688", "1.0287"),
        // z = 42.95
        (521_475, "", ""),
    ] {
        let input = levels(&[("0.5", 1_000_000, ones)]);
        let arguments = ["-", "--levels", "--only", "stepce"];
        let report = json(&arguments, &input);
        let test = &report["measures"]["stepce"]["test"];
        let shown = test["p_value_text"].as_str().expect("text");
        let (_, exponent) = shown.split_once("e-").expect("an exponent");
        assert!(
            shown.contains(text) && exponent.parse::<u32>().expect("a number") > 390,
            "{shown}"
        );
        assert_eq!(
            (&test["p_value"], &report["verdict"]["miscalibrated"]),
            (&0.0.into(), &true.into())
        );
        let table = printed(&arguments, input.as_bytes());
        let first =
            format!("1000000 rounds: miscalibrated (p-value {shown}, of stepCE): forecasts ");
        assert!(table.starts_with(&first), "{table}");
        let csv = printed(&[&arguments[..], &["--csv"]].concat(), input.as_bytes());
        let row = csv.lines().nth(1).expect("a row");
        let p = row.split(',').nth(9).expect("a p-value");
        assert!(p.starts_with(five) && p.ends_with(&format!("e-{exponent}")), "{row}");
        assert_eq!(row.split(',').nth(10), Some(p));
        // In passes over the rounds the same.
        let models = levels(&[("0.5", 1_000_000, ones), ("1", 1, 1)]);
        assert!(printed(&arguments, models.as_bytes()).contains(shown));
    }
}

/// As few as 1 of N + 1 is the least that N replicates can say.
#[test]
fn no_replicate_reaches_the_value() {
    let input = levels(&[("0.25", 200, 150)]);
    let arguments = ["-", "--levels", "--only", "stepce,ece", "--null", "1000"];
    let table = printed(&arguments, input.as_bytes());
    let row = table.lines().find(|line| line.starts_with("stepCE")).expect("a row");
    assert!(row.contains("  < 1/1001  "), "{table}");
    // Two of them, each 1/1001.
    let p = nearest_f64(&rational("2/1001"));
    let report = json(&arguments, &input);
    assert_eq!(report["verdict"]["smallest_adjusted_p_value"].as_f64(), Some(p));
    assert!(table.starts_with(&format!(
        "200 rounds: miscalibrated (smallest of 2 adjusted p-values: {p:.5}, of "
    )));
    let csv = printed(&[&arguments[..], &["--csv"]].concat(), input.as_bytes());
    assert!(csv.lines().skip(1).all(|row| row.ends_with(",0.000999001,0.00199800,0")), "{csv}");
    // The same of several models, and of groups.
    let two = format!("y,p,q,g\n{}", "1,0.25,0.9,a\n".repeat(60));
    for more in [&["--p", "p,q"][..], &["--p", "p", "--by", "g"]] {
        let more = [&["-", "--only", "stepce", "--null", "99"], more].concat();
        assert!(printed(&more, two.as_bytes()).contains("< 1/100"), "{more:?}");
    }
}

#[test]
fn why_there_is_no_p_value() {
    let rounds = "y,p\n1,1\n0,0\n1,1\n";
    let half = "y,p,w\n1,0.5,0.5\n0,0.25,1\n";
    for (arguments, input, words) in [
        (&["-"][..], rounds, "3 rounds: no p-value: all predictions are 0 or 1, so that outcomes"),
        (&["-", "--only", "ucal"], "y,p\n1,0.5\n", "1 round: no p-value: of these measures only"),
        (&["-", "--weight", "w"], half, "a weight of 1.5: no p-value: with fractional weights"),
        (
            &["-", "--buckets"],
            "min,max,n,k,sum_p\n0,0.5,2,1,0.5\n",
            "2 rounds: no p-value: buckets give bounds only",
        ),
    ] {
        let table = printed(arguments, input.as_bytes());
        assert!(table.starts_with(words), "{table}");
        let report = json(arguments, input);
        agrees(&report);
        let reason = report["verdict"]["reason"].as_str().expect("words");
        assert!(table.contains(reason) && tests(&report).is_empty());
    }
}

/// The cells of CSV by their names.
fn cells(csv: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = |record: csv::StringRecord| {
        header.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// A row of CSV and an entry of JSON say the same.
fn same(row: &std::collections::BTreeMap<String, String>, report: &Value) {
    let measure = row["measure"].as_str();
    let Some(entry) = report["measures"].get(measure) else {
        let classical = &report["classical"];
        let (value, exact) = match measure {
            "ece_10_equal_width" => (&classical["ece_equal_width"], true),
            "ece_10_equal_mass" => (&classical["ece_equal_mass"], true),
            "brier" => (&classical["brier"], true),
            "smece" | "log_score" => (&classical[measure], false),
            part => {
                let part = &classical["brier"][part.strip_prefix("brier_").expect("a part")];
                assert_eq!(row["per_round"].parse().ok(), part.as_f64());
                return;
            }
        };
        assert_eq!(row["per_round"].parse().ok(), value["value"].as_f64(), "{measure}");
        let fraction = if exact { value["exact"].as_str().expect("exact") } else { "" };
        assert_eq!(row["exact"], fraction);
        return;
    };
    assert_eq!(entry["method"], row["method"]);
    for (column, value) in [
        ("per_round", &entry["per_round"]),
        ("total", &entry["value"]),
        ("lower", &entry["sample"]["low"]),
        ("upper", &entry["sample"]["high"]),
    ] {
        assert_eq!(row[column].parse().ok(), value.as_f64(), "{measure} {column}");
    }
    assert_eq!(row["exact"], entry["exact"].as_str().unwrap_or_default());
    for column in ["p_value", "adjusted_p_value"] {
        match entry["test"].get(column) {
            None => assert_eq!(row[column], ""),
            Some(p) => {
                let shown = number(&row[column].parse::<f64>().expect("a number").into());
                assert!(are_near(&shown, &number(p), "1/100000"), "{measure} {column}");
            }
        }
    }
}

#[test]
fn csv_is_the_json_in_rows() {
    let single = ["-", "--y", "female", "--p", "logreg", "--subsamples", "64"];
    let table = printed(&[&single[..], &["--csv"]].concat(), PENGUINS.as_bytes());
    assert_snapshot!("measure-csv", table);
    let report = json(&single, PENGUINS);
    let rows = cells(&table);
    assert_eq!(rows.len(), 12 + 8);
    for row in &rows {
        assert_eq!((row["rounds"].as_str(), row["ones"].as_str()), ("333", "165"));
        same(row, &report);
    }
    for more in [&["--only", "stepce,ssce", "--by", "species"][..], &["--only", "ece,stepce"]] {
        let arguments = [&MODELS[..], &["--subsamples", "64"], more].concat();
        let report = json(&arguments, PENGUINS);
        let table = printed(&[&arguments[..], &["--csv"]].concat(), PENGUINS.as_bytes());
        let mut rows = cells(&table).into_iter();
        for part in parts(&report) {
            for _ in 0..2 {
                let row = rows.next().expect("a row");
                assert_eq!(part["model"], row["model"]);
                if let Some(species) = part["group"].get("species") {
                    assert_eq!(*species, row["species"]);
                }
                assert_eq!(row["rounds"].parse().ok(), part["report"]["rounds"].as_u64());
                same(&row, &part["report"]);
            }
        }
        assert!(rows.next().is_none());
    }
    // Names with what CSV itself uses, and what was left out.
    let odd = "y,p,\"a,\"\"b\"\n1,0.5,\"x\ny\"\n0,0.25,\"c,d\"\n,0.25,e\n";
    let arguments = ["-", "--by", "a,\"b", "--missing", "skip", "--csv", "--only", "ece"];
    let message = crate::measuring::refused(&arguments, odd);
    assert!(message.contains("there is no column \"a\""), "{message}");
    let odd = odd.replacen("\"a,\"\"b\"", "\"a\"\"b\"", 1);
    let rows =
        cells(&printed(&["-", "--by", "a\"b", "--missing", "skip", "--csv"], odd.as_bytes()));
    let mut names: Vec<(&str, &str)> =
        rows.iter().map(|row| (row["a\"b"].as_str(), row["skipped_rows"].as_str())).collect();
    names.sort_unstable();
    assert_eq!(names, [("c,d", "1"), ("x\ny", "1")]);
}

/// The p-values of the table are those of JSON.
#[test]
fn the_table_shows_the_p_values() {
    let arguments = ["-", "--y", "female", "--p", "bayes", "--subsamples", "64"];
    let report = json(&arguments, PENGUINS);
    let table = printed(&arguments, PENGUINS.as_bytes());
    for (measure, name) in [("stepce", "stepCE"), ("intervalce", "intervalCE")] {
        let p = report["measures"][measure]["test"]["p_value_text"].as_str().expect("text");
        let row = table.lines().find(|line| line.starts_with(name)).expect("a row");
        assert!(row.contains(&format!("  {p}  ")), "{row}");
    }
}

/// Classical numbers of very many distinct predictions take as long as much of the rest.
#[test]
fn classical_numbers_of_many_predictions_are_asked_for() {
    let rows: String = (0..1_100_000).map(|t| format!("{},0.{t:07}\n", t % 2)).collect();
    let file = format!("y,p\n{rows}");
    let table = printed(&["-"], file.as_bytes());
    assert!(table.contains("no classical numbers: with so many distinct predictions"), "{table}");
    let asked = printed(&["-", "--only", "stepce", "--bins", "7"], file.as_bytes());
    assert!(asked.contains("ECE, 7 bins of equal width"), "{asked}");
}
