//! `truecal verify`, `truecal claims` and `truecal merge` as people run them.

use std::fs;

use serde_json::{Value, json};
use tempfile::tempdir;
use truecal_cli::json::{self, Record};
use truecal_paper::claims::EXPECTED;
use truecal_verify::evidence::Options;

use crate::command::{assert_snapshot, complaint, stdout, truecal};
use crate::registry::DEFAULT;

#[test]
fn one_claim_in_full() {
    // What Kani verified, and when, is a record that changes without the claim.
    let text = stdout(&["claims", "fact:equivfactor"], "");
    let (before, rest) = text.split_once("  kani      ").expect("harnesses");
    let (kani, after) = rest.split_once("  status    ").expect("a status");
    assert!(kani.contains("verified by Kani") && kani.contains("proofs::prefix::sign_variant"));
    assert_snapshot!("claims-one", format!("{before}  kani      …\n  status    {after}"));
}

#[test]
fn claims_are_listed_and_filtered() {
    let all = stdout(&["claims"], "");
    let step = stdout(&["claims", "--section", "step"], "");
    assert!(all.contains("fact:equivfactor") && all.contains("E05"));
    assert!(step.contains("fact:equivfactor") && !step.contains("E05"));
    assert!(all.lines().all(|line| line.chars().count() <= 100));
    let refuted = stdout(&["claims", "--status", "refuted"], "");
    let rows = refuted.lines().filter(|line| line.starts_with("  "));
    assert!(rows.clone().count() > 10 && rows.clone().all(|row| row.starts_with("  REFUTED")));
    let json: Value = serde_json::from_str(&stdout(&["claims", "--json"], "")).expect("JSON");
    let ids = json["claims"].as_array().expect("a list").len();
    assert!(all.ends_with(&format!("\n{ids} claims; `truecal claims ID` shows all of one\n")));
}

#[test]
fn json_has_the_documented_fields() {
    let text = stdout(&["verify", "overview-minimax", "e03", "E03", "--quick", "--json"], "");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["schema"], 4);
    // In the order of the registry, each once, and what they rest on.
    let [refuted, held, used] = &json["claims"].as_array().expect("a list")[..] else {
        panic!("three claims")
    };
    assert_eq!((&refuted["id"], &held["id"]), (&"E03".into(), &"overview-minimax".into()));
    assert_eq!((&used["id"], &used["given"]), (&"hoeffding-lemma".into(), &json!([])));
    assert_eq!((&refuted["status"], &used["status"]), (&"REFUTED".into(), &"PROVED".into()));
    for claim in [held, refuted] {
        for field in ["id", "section", "kind", "status", "scope"] {
            assert!(claim[field].is_string(), "{field}: {claim}");
        }
        assert!(claim["cases"].as_u64() > Some(0));
        assert!(claim["evidence"].as_array().is_some_and(|evidence| !evidence.is_empty()));
        assert_eq!(claim["status"] == "REFUTED", claim["witness"].is_object());
    }
    assert_eq!(json["totals"]["claims"], 3);
    assert_eq!(json["totals"]["defects"]["false with consequence"], 1);
    assert!(json["seconds"].is_number());
}

#[test]
fn unknown_names_get_a_suggestion() {
    assert!(complaint(&["verify", "fact:equivfacto"]).contains("did you mean fact:equivfactor?"));
    assert!(complaint(&["claims", "fact:equivfactors"]).contains("did you mean fact:equivfactor?"));
    assert!(
        complaint(&["claims", "--section", "steps"]).contains("the sections are introduction, ")
    );
    assert!(complaint(&["claims", "--status", "true"]).contains("the statuses are PROVED, "));
}

#[test]
fn misuse_is_explained() {
    for (arguments, words) in [
        (vec!["verify", "--quick", "--full"], "cannot be used with"),
        (vec!["verify", "--shard", "1/2"], "--json"),
        (vec!["verify", "--shard", "3/2", "--json"], "a shard is written 3/16"),
        (vec!["verify", "--max-rounds", "0"], "0"),
        (vec!["verify", "--grid", "61"], "61"),
        (vec!["verify", "--max-rounds", "32", "--grid", "60"], "more than 2^64 tables"),
        (vec!["verify", "--jobs", "0"], "0"),
        (vec!["verify", "--expect", "no-such-file"], "no-such-file: cannot be read"),
        (vec!["verify", "--max-rounds", "32"], "shards"),
        (vec!["verify", "--write-expectation", "no/such/folder"], "cannot be written"),
        (vec!["verify", "--write-expectation", "/dev/null"], "not a regular file"),
        (vec!["verify", "E01", "--write-expectation", "f"], "only a default run of all claims"),
        (vec!["verify", "--quick", "--write-expectation", "f"], "only a default run of all claims"),
        (vec!["claims", "E01", "--status", "proved"], "cannot be used with"),
        (vec!["merge"], "<FILES>"),
        (vec!["merge", "no-such-file"], "no-such-file: cannot be read"),
    ] {
        let complaint = complaint(&arguments);
        assert!(complaint.contains(words), "{arguments:?}: {complaint}");
    }
}

#[test]
fn a_status_that_is_not_expected_is_told() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("expected.txt");
    let file = path.to_str().expect("text");
    let verify = || truecal(&["verify", "fact:equivfactor", "--quick", "--expect", file], b"");
    fs::write(&path, "# step\nPROVED  fact:equivfactor  all T\n").expect("a file");
    assert_eq!(verify().status.code(), Some(0)); // the details are those of the default domains

    fs::write(&path, "REFUTED  fact:equivfactor  T <= 6, D = 12\n").expect("a file");
    let output = verify();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    let expected = "  fact:equivfactor\n    expected REFUTED (T <= 6, D = 12)\n";
    let difference = format!("{expected}    found    PROVED (Coq, all T");
    assert!(text.contains(&format!("1 status is not as expected:\n{difference}")), "{text}");
    let json = truecal(&["verify", "fact:equivfactor", "--quick", "--json", "--expect", file], b"");
    let json: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["differences"][0]["id"], "fact:equivfactor");

    for (bad, words) in [
        ("TRUE  fact:equivfactor\n", "line 1: the status is PROVED"),
        ("# fine\n\nPROVED\n", "line 3: not a status, two blanks and an id"),
        ("PROVED  a\nSTATED  a\n", "line 2: the claim occurs twice"),
        ("PROVED  \n", "line 1: the id of a claim follows the status"),
    ] {
        fs::write(&path, bad).expect("a file");
        let complaint = complaint(&["verify", "--expect", file]);
        assert!(complaint.contains(words), "{complaint}");
    }
}

#[test]
fn shards_are_merged_or_refused() {
    let folder = tempdir().expect("a folder");
    let shard = |name: &str, arguments: &[&str]| {
        let arguments =
            [&["verify", "fact:equivfactor", "E03", "prop-disc", "--json"], arguments].concat();
        let path = folder.path().join(name);
        fs::write(&path, stdout(&arguments, "")).expect("a file");
        path.to_str().expect("text").to_owned()
    };
    let one = shard("one", &["--quick", "--shard", "1/2"]);
    let two = shard("two", &["--quick", "--shard", "2/2"]);
    let whole = stdout(&["verify", "fact:equivfactor", "E03", "prop-disc", "--quick"], "");
    let merged = stdout(&["merge", &two, &one], "");
    let table = |text: &str| text.split(" cases in").next().map(str::to_owned);
    assert_eq!(table(&merged), table(&whole));

    assert!(complaint(&["merge", &one]).contains("shard 2/2 is missing; make it with --shard 2/2"));
    assert!(complaint(&["merge", &one, &one, &two]).contains("are both shard 1/2"));
    let other = shard("other", &["--quick", "--seed", "5", "--shard", "2/2"]);
    assert!(complaint(&["merge", &one, &other]).contains("other options"));
    let broken = folder.path().join("broken");
    let broken = broken.to_str().expect("text");
    let text = fs::read_to_string(&one).expect("a file");
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    // The shard has half of the tables with T <= 5, D = 12.
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let mut claims = json["claims"].as_array().expect("a list").iter();
    let law = claims.find(|claim| claim["id"] == "fact:equivfactor").expect("it was run");
    let cases = format!("\"cases\": {},", law["evidence"][0]["cases"]);
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    for (bad, words) in [
        (half, "not the JSON of `truecal verify --json`"),
        ("[]".to_owned(), "not the JSON of `truecal verify --json`"),
        (changed("\"schema\": 4", "\"schema\": 7"), "schema 7"),
        (changed("\"truecal\": \"", "\"truecal\": \"9"), "not from this one"),
        (changed("\"registry\": \"", "\"registry\": \"f"), "not from this one"),
        (changed("\"id\": \"fact:equiv", "\"id\": \"fact:"), "not claims of the registry"),
        (changed("\"1/2\"", "\"2/1\""), "a shard is written 3/16"),
        (changed("\"max_rounds\": null", "\"max_rounds\": 77"), "impossible options"),
        (changed("\"seconds\": ", "\"seconds\": -1"), "impossible options"),
        (changed("T <= 5, D = 12", "T <= 9, D = 12"), "instead of"),
        (changed(&cases, "\"cases\": 18446744073709551615,"), "more than a run has"),
        (changed(&cases, "\"cases\": 9041149,"), "9041149 cases instead of"),
        (changed("99/100*(3*stepce)\"", "98/100*(3*stepce)\""), "other mistakes"),
        (
            changed("\"sequence\": [\n", "\"sequence\": [\n\"2,\"+").replace("\"+", "\", \"1\", "),
            "not the JSON",
        ),
        (changed("\"section\": \"step\"", "\"section\": \"tight\""), "changed by hand"),
        (changed("\"equalities\": ", "\"equalities\": 9999"), "more equalities"),
        (changed("stepCE = max", "\\u0007 = max"), "control characters"),
        (changed("stepCE = max", "stepCE = min"), "not refuted as it says"),
    ] {
        fs::write(broken, bad).expect("a file");
        let complaint = complaint(&["merge", broken, &two]);
        assert!(complaint.contains(words) && complaint.contains("broken"), "{words}: {complaint}");
    }
    // Statuses need what the claims rest on.
    let mut partial = json.clone();
    let claims = partial["claims"].as_array_mut().expect("a list");
    claims.retain(|claim| claim["id"] != "prop:altform");
    fs::write(broken, partial.to_string()).expect("a file");
    let complaint_of = |path: &str| complaint(&["merge", path, &two]);
    assert!(complaint_of(broken).contains("prop:altform is missing, on which others"));
    // A shard under another number has not the tables of that number.
    fs::write(broken, changed("\"1/2\"", "\"2/2\"")).expect("a file");
    assert!(complaint(&["merge", &one, broken]).contains("cases instead of"));
}

/// A file is replaced whole, through links, and nothing else is touched.
#[cfg(unix)]
#[test]
fn an_expectation_is_written_whole() {
    let folder = tempdir().expect("a folder");
    let [file, link, part, run] =
        ["file", "link", "file.part", "run"].map(|name| folder.path().join(name));
    let record = Record::new(&DEFAULT, &Options::default(), 0.0);
    fs::write(&run, json::text(&record)).expect("a file");
    fs::write(&file, "old").expect("a file");
    fs::write(&part, "mine").expect("a file");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let [run, to] = [&run, &link].map(|path| path.to_str().expect("text"));
    stdout(&["merge", run, "--write-expectation", to], "");
    assert_eq!(fs::read_to_string(&file).expect("written"), EXPECTED);
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&part).expect("still there"), "mine");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 4);
}

/// Edited evidence cannot make `merge` average over 2^60 subsets.
#[test]
fn a_counterexample_that_would_take_for_ever_is_refused() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("edited");
    let arguments = ["verify", "TIGHT-sub-step", "--quick", "--json"];
    let mut json: Value = serde_json::from_str(&stdout(&arguments, "")).expect("JSON");
    let predictions: Vec<String> = (1..=60).map(|n| format!("{n}/61")).collect();
    let sequence = serde_json::json!([vec!["1"; 60].join(","), predictions.join(",")]);
    let law = &mut json["claims"][0]["evidence"][0];
    assert!(law["check"].as_str().expect("a law").contains("stepce_sub"));
    law["controls"][0]["caught"]["sequence"] = sequence;
    fs::write(&path, json.to_string()).expect("a file");
    assert!(
        complaint(&["merge", path.to_str().expect("text")])
            .contains("too long to judge at 60 rounds")
    );
}

/// A domain on which a check cannot be seen to fail is reported as a defect, not as a success.
#[test]
fn checks_without_controls_are_noticed() {
    let output = truecal(&["verify", "fact:equivfactor", "--max-rounds", "1", "--grid", "1"], b"");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("! VACUOUS"), "{text}");
}
