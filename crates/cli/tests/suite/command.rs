//! `truecal` as people run it: its output, its exit codes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use num_rational::BigRational;
use serde_json::Value;
use truecal::Measure;
use truecal::nearest_f64;
use truecal::rational::int;
use truecal_cli::report::SUBSET_BUDGET;

/// Runs truecal with standard input.
pub fn truecal(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_truecal"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("truecal starts");
    // A command that refuses its arguments does not read its input.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("truecal ends")
}

/// Standard output of a run that must succeed.
pub fn stdout(arguments: &[&str], input: &str) -> String {
    let output = truecal(arguments, input.as_bytes());
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), complaint.as_str()), (Some(0), ""));
    String::from_utf8(output.stdout).expect("text")
}

/// What the command complains about, with exit code 2 and nothing on standard output.
pub fn complaint(arguments: &[&str]) -> String {
    let output = truecal(arguments, b"");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("text")
}

const WEATHER: &str = include_str!("../../../../testdata/weather.csv");

/// Snapshots stand at the top of the repository, named by hand.
macro_rules! assert_snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!(
            {
                snapshot_path => "../../../../snapshots",
                prepend_module_to_snapshot => false,
                omit_expression => true,
            },
            { insta::assert_snapshot!($name, $text) }
        )
    };
}
pub(crate) use assert_snapshot;

#[test]
fn the_table() {
    assert_snapshot!("measure-table", stdout(&["measure", "--y", "rain", "-"], WEATHER));
}

#[test]
fn the_table_in_fractions() {
    assert_snapshot!("measure-exact", stdout(&["measure", "--exact", "--y", "rain", "-"], WEATHER));
}

#[test]
fn the_json() {
    assert_snapshot!("measure-json", stdout(&["measure", "--json", "--y", "rain", "-"], WEATHER));
}

/// Sixty rounds with distinct predictions.
fn sixty() -> String {
    let rows: String = (0..60).map(|i| format!("{},{}/61\n", i % 2, i)).collect();
    format!("y,p\n{rows}")
}

#[test]
fn what_a_truthful_forecaster_would_get() {
    let arguments = ["measure", "--y", "rain", "--null", "1000", "--seed", "1", "-"];
    let text = stdout(&arguments, WEATHER);
    assert_snapshot!("measure-null", text);
    // The values are the same without it, and so is what is said of them.
    let rows = |text: &str| -> Vec<Vec<String>> {
        let columns = |line: &str| {
            let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            cells.map(str::to_owned).collect::<Vec<_>>()
        };
        text.lines().skip(4).take(Measure::ALL.len()).map(columns).collect()
    };
    for (drawn, plain) in
        rows(&text).iter().zip(rows(&stdout(&["measure", "--y", "rain", "-"], WEATHER)))
    {
        assert_eq!((&drawn[..3], drawn.last()), (&plain[..3], plain.last()));
    }
    let on = |jobs: &str| {
        let null = ["--only", "stepce,ucal,stepce_sub", "--null", "50", "--jobs", jobs];
        stdout(&[&["measure", "--y", "rain", "-"][..], &null].concat(), WEATHER)
    };
    assert_eq!([on("1"), on("1")], [on("2"), on("5")]);

    let json = |input: &str, more: &[&str]| -> Value {
        let arguments = [&["measure", "--json", "-"], more].concat();
        serde_json::from_str(&stdout(&arguments, input)).expect("JSON")
    };
    let measures =
        |json: &Value, key: &str, field: &str| json["measures"][key]["null"][field].clone();
    let weather =
        json(&WEATHER.replacen("rain", "y", 1), &["--null", "1000", "--only", "ucal,stepce"]);
    let at_least = measures(&weather, "stepce", "at_least").as_u64().expect("a count");
    let p = nearest_f64(&BigRational::new((at_least + 1).into(), 1001.into()));
    assert_eq!(measures(&weather, "stepce", "p_value").as_f64(), Some(p));
    assert!(text.contains(&format!("{p:.3} ± 0.015       0.772")), "{p}");
    assert_eq!(measures(&weather, "ucal", "asymptotic_p_value"), Value::Null);
    assert!(weather["measures"]["ucal"]["null"].get("asymptotic_p_value").is_none());
    let fields = weather["measures"]["stepce"]["null"].as_object().expect("an object");
    assert!(fields["mean"].as_f64() < fields["percentile_95"].as_f64());
    assert_eq!((&fields["replicates"], &fields["seed"]), (&1000.into(), &1.into()));

    // Nothing changes without it; the budget is for all replicates together; no variance, no limit.
    assert!(json("y,p\n1,0.5\n", &[])["measures"]["stepce"].get("null").is_none());
    let tight = json("y,p\n1,0.5\n0,0.2\n", &["--null", "10", "--subset-budget", "39"]);
    assert_eq!(tight["measures"]["ssce"]["method"], "exact");
    assert_eq!(measures(&tight, "ssce", "p_value"), Value::Null);
    assert_eq!(measures(&tight, "ssce", "option"), "--subset-budget 40");
    let certain = json("y,p\n1,1\n0,0\n", &["--null", "10"]);
    assert_eq!(measures(&certain, "stepce", "p_value"), 1.0);
    assert_eq!(measures(&certain, "stepce", "asymptotic_p_value"), Value::Null);
    assert!(measures(&certain, "stepce", "reason").as_str().expect("text").contains("no variance"));
}

#[test]
fn nulls_that_are_not_computed_say_so() {
    let rows: String = (0..30).map(|i| format!("{},{}/31\n", i % 2, i)).collect();
    assert_snapshot!(
        "measure-null-too-costly",
        stdout(
            &["measure", "--null", "100", "--subset-budget", "4000000", "-"],
            &format!("y,p\n{rows}")
        )
    );
    assert_snapshot!(
        "measure-null-certain",
        stdout(&["measure", "--null", "1", "-"], "y,p\n1,1\n1,0\n")
    );
    assert!(complaint(&["measure", "--null", "0", "-"]).contains("0 is not in 1..=10000000"));
    assert!(complaint(&["measure", "--null", "many", "-"]).contains("invalid value 'many'"));
}

#[test]
fn costly_measures_say_so() {
    let off = |more: &[&str]| {
        stdout(&[&["measure", "--subsamples", "0"], more, &["-"]].concat(), &sixty())
    };
    assert_snapshot!("measure-too-costly", off(&[]));
    let json: Value = serde_json::from_str(&off(&["--json"])).expect("JSON");
    let entry = &json["measures"]["ssce"];
    assert_eq!((&entry["method"], &entry["exact"]), (&"none".into(), &Value::Null));
    assert_eq!(entry["option"], format!("--subset-budget {} or --subsamples 1000", 4_u64 << 60));

    // With the budget that it names, it computes; one below, it does not.
    let small = "y,p\n1,0.1\n0,0.2\n1,0.3\n";
    let with_budget = |measure: &str, budget: &str| {
        let arguments =
            ["measure", "--only", measure, "--subset-budget", budget, "--subsamples", "0", "-"];
        stdout(&arguments, small)
    };
    for (measure, enough, too_little) in
        [("ssce", "8", "7"), ("stepce_sub", "5", "4"), ("vcal_sub", "8", "7")]
    {
        assert!(with_budget(measure, enough).contains("in 8 classes"));
        let option = format!("--subset-budget {enough}");
        assert!(with_budget(measure, too_little).contains(&option));
    }
}

#[test]
fn costly_measures_are_sampled() {
    assert_snapshot!("measure-sampled", stdout(&["measure", "-"], &sixty()));
    let json = |more: &[&str]| -> Value {
        let arguments = [&["measure", "--json", "--only", "ssce"], more, &["-"]].concat();
        serde_json::from_str(&stdout(&arguments, &sixty())).expect("JSON")
    };
    let report = json(&["--seed", "7", "--subsamples", "200"]);
    let entry = &report["measures"]["ssce"];
    assert_eq!((&entry["method"], &entry["exact"]), (&"sampled".into(), &Value::Null));
    let sample = &entry["sample"];
    assert_eq!((&sample["subsets"], &sample["seed"]), (&200.into(), &7.into()));
    assert_eq!((&sample["pairs"], &sample["precision_reached"]), (&false.into(), &Value::Null));
    let number = |value: &Value| value.as_f64().expect("a number");
    assert!(number(&sample["low"]) < number(&entry["value"]));
    assert!(number(&entry["value"]) < number(&sample["high"]));
    assert!(number(&sample["standard_error"]) > 0.0);

    // The same whatever the threads, and another with another seed.
    for jobs in ["1", "3"] {
        assert_eq!(json(&["--seed", "7", "--subsamples", "200", "--jobs", jobs]), report);
    }
    assert_ne!(
        json(&["--seed", "8", "--subsamples", "200"])["measures"]["ssce"]["value"],
        entry["value"]
    );

    // It stops when it is precise, or says that it is not.
    let precise = &json(&["--precision", "0.1"])["measures"]["ssce"]["sample"];
    assert_eq!(precise["precision_reached"], true);
    assert!(precise["subsets"].as_u64() < Some(1000));
    let missed = json(&["--precision", "0.0001", "--subsamples", "64"]);
    assert_eq!(missed["measures"]["ssce"]["sample"]["precision_reached"], false);
    let arguments =
        ["measure", "--only", "ssce", "--precision", "0.0001", "--subsamples", "64", "-"];
    assert!(stdout(&arguments, &sixty()).contains("the precision was not reached"));
}

/// Forty rounds with distinct predictions of two digits: VCal^sub by meeting in the middle, with a
/// budget for more than that alone.
#[test]
fn the_default_budget_reaches_as_far_as_it_says() {
    let levels = |rounds: u64| {
        let rows = (0..rounds).map(|t| (t % 2 == 0, num_rational::Ratio::new(t, 64)));
        truecal::Forecasts::from_pairs(rows).expect("valid").levels().expect("small")
    };
    for (measure, most) in [
        (Measure::Ssce, 24),
        (Measure::UCalSub, 24),
        (Measure::VCalSub, 40),
        (Measure::StepCeSub, 46),
    ] {
        let cost = |rounds| levels(rounds).cost(measure).expect("few rounds");
        assert!(cost(most) <= SUBSET_BUDGET && cost(most + 1) > SUBSET_BUDGET, "{measure}");
    }
}

#[test]
fn json_numbers_are_the_exact_ones_rounded() {
    let json: Value =
        serde_json::from_str(&stdout(&["measure", "--json", "--y", "rain", "-"], WEATHER))
            .expect("JSON");
    let rounds = json["rounds"].as_u64().expect("a number");
    for measure in Measure::ALL {
        let entry = &json["measures"][measure.key()];
        let exact: BigRational =
            entry["exact"].as_str().expect("text").parse().expect("a fraction");
        assert_eq!(entry["value"].as_f64(), Some(nearest_f64(&exact)), "{measure}");
        let mean = exact / int(rounds);
        assert_eq!(entry["per_round"].as_f64(), Some(nearest_f64(&mean)), "{measure}");
        assert_eq!(entry["method"], "exact");
    }
    let keys: Vec<&String> = json["measures"].as_object().expect("an object").keys().collect();
    assert_eq!(keys, Measure::ALL.map(Measure::key));
}

#[test]
fn timing_has_every_step() {
    let output =
        stdout(&["measure", "--json", "--timing", "--only", "ucal", "--y", "rain", "-"], WEATHER);
    let json: Value = serde_json::from_str(&output).expect("JSON");
    let steps: Vec<&String> = json["seconds"].as_object().expect("an object").keys().collect();
    assert_eq!(steps, ["read", "levels", "ucal"]);
    assert!(
        stdout(&["measure", "--timing", "--y", "rain", "-"], WEATHER)
            .contains("\nseconds: read 0.")
    );
}

#[test]
fn only_some_measures() {
    let output = stdout(&["measure", "--only", "stepce,ece", "--y", "rain", "-"], WEATHER);
    let rows = output.lines().skip(4).take_while(|line| !line.is_empty());
    let names: Vec<&str> = rows.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["ECE", "stepCE"]);
}

/// The same forecasts however they are written: delimiter, spelling, order, names, or grouped.
#[test]
fn the_same_forecasts_give_the_same_report() {
    let plain = stdout(&["measure", "--exact", "-"], "y,p\n1,0.5\n0,0.3\n0,0.5\n");
    for (arguments, input) in [
        (vec![], "y_true\ty_prob\n1\t1/2\n0\t3e-1\n0\t.50\n"),
        (vec![], "Label;note;Forecast\ntrue;a;0.5\nFALSE;b,c;0.30\n0.0;;0.500\n"),
        (vec![], "\u{feff}p,x\r\n0.5,1\r\n0.3,0\r\n0.5,0\r\n"),
        (vec![], "\"y\",\"p\"\n\"1\",\"0.5\"\n\n 0 , 0.3 \n0,5e-1\n\n"),
        (vec!["--y", "rain", "--p", "x"], "x,rain,y,p\n0.5,1,7,8\n0.3,0,7,8\n0.5,0,7,8\n"),
        (vec!["--delimiter", "|"], "y|p\n1|0.5\n0|0.3\n0|0.5\n"),
        (vec!["--levels"], "p,count,ones\n0.5,2,1\n0.3,1,0\n"),
        (vec!["--levels"], "ones;n;prediction\n0;1;1/2\n1.0;1.0;0.5\n0;1;0.3\n"),
        (vec!["--levels", "--p", "f", "--count", "c", "--ones", "o"], "o,c,f\n1,2,1/2\n0,1,3/10\n"),
    ] {
        let arguments = [vec!["measure", "--exact"], arguments, vec!["-"]].concat();
        assert_eq!(stdout(&arguments, input), plain, "{input:?}");
    }
}

/// The biases alternate, so that the best function turns at every level.
#[test]
fn long_witnesses_are_left_out_unless_asked_for() {
    let row = |i: usize| format!("{},{}/1000000\n", i % 2, 500_000 + 2 * i - 1001);
    let input = format!("y,p\n{}", (0..1002).map(row).collect::<String>());
    let arguments = ["measure", "--json", "--only", "ucal,smce", "-"];
    let json: Value = serde_json::from_str(&stdout(&arguments, &input)).expect("JSON");
    let omitted = serde_json::json!({"omitted": 1002, "option": "--full-witness"});
    assert_eq!(json["measures"]["ucal"]["witness"]["table"], omitted);
    assert_eq!(json["measures"]["smce"]["witness"]["function"], omitted);
    assert_eq!(json["measures"]["smce"]["witness"]["residuals"], serde_json::json!([]));
    let arguments = ["measure", "--json", "--full-witness", "--only", "ucal,smce", "-"];
    let json: Value = serde_json::from_str(&stdout(&arguments, &input)).expect("JSON");
    let length = |value: &Value| value.as_array().map(Vec::len);
    assert_eq!(length(&json["measures"]["ucal"]["witness"]["table"]), Some(1002));
    assert_eq!(length(&json["measures"]["smce"]["witness"]["function"]), Some(1002));
}

#[test]
fn help_tells_what_there_is() {
    assert_snapshot!("help", stdout(&["--help"], ""));
    assert_snapshot!("help-measure", stdout(&["measure", "--help"], ""));
    assert_snapshot!("help-verify", stdout(&["verify", "--help"], ""));
    assert_snapshot!("help-claims", stdout(&["claims", "--help"], ""));
    assert_snapshot!("help-merge", stdout(&["merge", "--help"], ""));
}
