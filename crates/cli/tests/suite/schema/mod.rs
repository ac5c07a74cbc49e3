//! The documented schema of what commands print as JSON: made from the structs that are printed,
//! and held against real output.

mod validator;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use truecal_cli::json;

use crate::command::{stdout, truecal};
use validator::problem;

/// Where the schemas are documented.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/schema")
}

fn schemas() -> Vec<(&'static str, Value)> {
    json::schemas().into_iter().map(|(name, schema)| (name, schema.into())).collect()
}

/// Written anew with `TRUECAL_WRITE_SCHEMA=1 cargo test -p truecal-cli --test suite schema`.
#[test]
fn the_documented_schemas_are_those_of_the_structs() {
    let write = std::env::var_os("TRUECAL_WRITE_SCHEMA").is_some();
    let mut files = BTreeSet::from(["README.md".to_owned()]);
    for (name, schema) in schemas() {
        let file = format!("{name}.json");
        let (path, text) = (folder().join(&file), json::text(&schema));
        if write {
            fs::write(&path, &text).expect("written");
        }
        let documented = fs::read_to_string(&path).unwrap_or_default();
        assert!(documented == text, "{file} is out of date: set TRUECAL_WRITE_SCHEMA=1");
        files.insert(file);
    }
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
    let found = fs::read_dir(folder()).expect("a folder").map(|entry| name(entry.expect("a file")));
    assert_eq!(found.collect::<BTreeSet<_>>(), files);
}

#[test]
fn every_field_is_described() {
    fn walk(schema: &Value, path: &str) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let described = field["description"].is_string() || field["const"].is_string();
            assert!(described, "{path}/{name}: {field}");
        }
        match schema {
            Value::Object(parts) => {
                parts.iter().for_each(|(name, part)| walk(part, &format!("{path}/{name}")));
            }
            Value::Array(parts) => parts.iter().for_each(|part| walk(part, path)),
            _ => {}
        }
    }
    schemas().iter().for_each(|(name, schema)| walk(schema, name));
}

const SIX: &str = "y,p\n1,0.5\n0,0.2\n1,0.9\n0,0.4\n1,1\n0,0\n";

const TWO: &str = "y,p,q,g\n1,0.5,0.25,a\n0,0.2,0.75,b\n1,0.9,1,a\n0,0.4,0.5,b\n";

/// Commands with `--json`, and what they read: every shape of everything that is printed.
const RUNS: [(&str, &str); 41] = [
    ("measure - --null 10", SIX),
    ("measure - --null 1 --timing", "y,p\n1,1\n0,0\n"),
    ("measure - --null 10 --subset-budget 39 --subsamples 0", SIX),
    ("measure - --subset-budget 1 --subsamples 64 --precision 0.5", SIX),
    ("measure - --only stepce,ssce --bins 3 --missing skip", "y,p\n1,0.5\n,0.2\n1,\n"),
    ("measure - --only stepce,ssce --weight w", "y,p,w\n1,0.5,1/2\n0,0.2,3\n"),
    ("measure - --buckets", "min,max,n,k,sum_p\n0,0.5,4,1,1\n1,1,2,2,2\n"),
    ("measure - --by g --missing skip", "y,p,g\n1,0.5,a\n0,0.2,b\n1,,a\n"),
    ("measure - --p p,q --compare --null 9 --only ece,stepce --timing", TWO),
    ("measure - --p p,q --by g", TWO),
    ("measure - --classes a,b --bins 2", "y,a,b\na,0.5,0.5\nb,1/3,1/3\n"),
    ("verify fact:equivfactor E03 --quick", ""),
    ("verify fact:equivfactor E03 --quick --shard 2/3", ""),
    ("claims", ""),
    ("claims E03", ""),
    ("refute stepce>=5/13*signce", ""),
    ("refute stepce>=signce/3 --max-rounds 2 --grid 4", ""),
    ("refute ece<=8*stepce --cases 50", ""),
    ("refute m==1=>ece<=sqrt(T) --max-rounds 2 --grid 2", ""),
    ("refute signce<=3*stepce --at 1,0 1/2,1", ""),
    ("tight stepce ucal --max-rounds 2 --grid 3", ""),
    ("tight smce ece --max-rounds 2 --grid 3", ""),
    ("tight ucal-ucal ece --max-rounds 1 --grid 2", ""),
    ("tight 1 abs(bias) --given ucal==0 --max-rounds 2 --grid 2", ""),
    ("gap hedging --rounds 2,4,6", ""),
    ("gap hidden-bias --rounds 4,8,16 --steps 0 --runs 20", ""),
    ("gap --nature fair:20000 --forecaster constant:1/3 --measure ece", ""),
    ("gap --nature 1/4,1/2 --forecaster truthful,constant:1/2", ""),
    ("properties --measure ece", ""),
    ("forecast --rounds 12 --buckets 5", "1\n0\n"),
    ("forecast", ""),
    ("forecast --against greedy --rounds 20", ""),
    ("forecast --from -", SIX),
    ("forecast --from - --groups distinct", "y,p\n1,0.5\n,0.2\n"),
    ("opt --nature 1/4,1/2", ""),
    ("opt --nature 1/2;1/4,3/4 --measure ucal --grid 2", ""),
    ("opt --nature 1/2,0,1 --measure stepce --grid 2", ""),
    ("opt --nature 1/2,1/2,1/2,1/2 --grid 2", ""),
    ("opt --nature 1/2,1/3,1/4,1/5,1/6,1/7", ""),
    ("opt --nature 1/2,1/3,1/4,1/5,1/6,1/7 --measure ece", ""),
    ("opt --nature fair:40 --runs 2 --measure stepce_sub,stepce", ""),
];

/// What a command prints with `--json`; a conversation is reported on standard error.
fn printed(arguments: &[&str], input: &str) -> Value {
    let output = truecal(&[arguments, &["--json"]].concat(), input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    let spoken = arguments[0] == "forecast" && !arguments.contains(&"--against");
    let text = if spoken { &output.stderr } else { &output.stdout };
    serde_json::from_slice(text).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// What all the runs print, by the command.
fn outputs() -> Vec<(String, Value)> {
    let words = |line: &'static str| line.split(' ').collect::<Vec<_>>();
    let run = |(line, input): (&'static str, &str)| {
        (words(line)[0].to_owned(), printed(&words(line), input))
    };
    let mut outputs: Vec<_> = RUNS.into_iter().map(run).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let [rounds, many, shard] = ["six.csv", "many.csv", "shard"]
        .map(|name| folder.path().join(name).to_str().expect("text").to_owned());
    fs::write(&rounds, SIX).expect("a file");
    outputs.push(("measure".to_owned(), printed(&["measure", &rounds, "--max-memory", "32M"], "")));
    let levels: String = (0..1001).map(|i| format!("{},{i}/1001\n", i % 2)).collect();
    fs::write(&many, format!("y,p\n{levels}")).expect("a file");
    outputs.push(("measure".to_owned(), printed(&["measure", &many, "--only", "ucal,smce"], "")));
    let verified = outputs.iter().find(|(command, _)| command == "verify");
    fs::write(&shard, verified.expect("a run").1.to_string()).expect("a file");
    outputs.push(("merge".to_owned(), printed(&["merge", &shard], "")));
    outputs
}

/// What is printed is as documented, and nothing is printed that is not.
#[test]
fn output_is_as_documented() {
    let schemas = schemas();
    let [mut seen, mut schemas_seen] = [(); 2].map(|()| BTreeSet::new());
    for (command, output) in outputs() {
        let name = match command.as_str() {
            "merge" => "verify",
            "measure" if output.get("parts").is_some() => "measure-several",
            other => other,
        };
        let (_, schema) = schemas.iter().find(|(other, _)| *other == name).expect("a schema");
        assert_eq!(problem(schema, &output), None, "{command}: {output:#}");
        // Whatever is wrong is noticed.
        assert!(problem(schema, &json!({})).is_some(), "{command}");
        for key in output.as_object().into_iter().flatten().map(|(key, _)| key) {
            for wrong in [json!({"surplus": [[[]]]}), json!([[[]]])] {
                let mut changed = output.clone();
                changed[key] = wrong;
                assert!(problem(schema, &changed).is_some(), "{command}: {key}");
            }
            let mut changed = output.clone();
            changed[format!("{key}s")] = json!(1);
            assert!(problem(schema, &changed).is_some(), "{command}: {key}s");
        }
        schemas_seen.insert(name.to_owned());
        seen.insert(command);
    }
    assert_eq!(seen, commands_with_json());
    assert!(schemas.iter().all(|(name, _)| schemas_seen.contains(*name)));
}

/// The commands that have the option, by their help.
fn commands_with_json() -> BTreeSet<String> {
    let help = stdout(&["--help"], "");
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let names = list.lines().map_while(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' ') && !line.starts_with("help "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let has_json = |name: &&str| stdout(&[name, "--help"], "").contains("--json");
    names.filter(has_json).map(str::to_owned).collect()
}
