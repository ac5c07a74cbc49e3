//! Where forecasts come from: formats, compression, parts. The same numbers from each.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::assert_snapshot;
use crate::measuring::{json, printed, refused};

/// Doubles, in decimal with all their digits, and outcomes.
const ROUNDS: [(bool, f64, &str); 6] = [
    (true, 0.5, "0.5"),
    (false, 0.1, "0.1000000000000000055511151231257827021181583404541015625"),
    (true, 1.0, "1"),
    (false, 0.0, "0"),
    (true, 0.3, "0.299999999999999988897769753748434595763683319091796875"),
    (false, 0.5, "0.5"),
];

/// Some files in a folder of their own.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        path
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).expect("in memory")
}

/// An `.npy` file of version 1.0.
fn npy(descr: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{dictionary:<117}\n");
    [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), bytes].concat()
}

/// A zip archive of stored entries.
fn npz(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut file, mut directory) = (vec![], vec![]);
    for (name, content) in entries {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let size = (content.len() as u32).to_le_bytes();
        let length = (name.len() as u16).to_le_bytes();
        let fields =
            [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc.sum().to_le_bytes(), &size, &size, &length]
                .concat();
        let start = (file.len() as u32).to_le_bytes();
        file.extend([b"PK\x03\x04", &fields[..], &[0, 0], name.as_bytes(), content].concat());
        let entry = [b"PK\x01\x02\x14\0", &fields[..], &[0; 12], &start, name.as_bytes()].concat();
        directory.extend(entry);
    }
    let ends = [directory.len() as u32, file.len() as u32].map(u32::to_le_bytes).concat();
    let count = (entries.len() as u16).to_le_bytes();
    let end = [b"PK\x05\x06", &[0; 4][..], &count, &count, &ends, &[0, 0]].concat();
    [file, directory, end].concat()
}

fn doubles(of: impl Fn(&(bool, f64, &str)) -> Vec<f64>) -> Vec<u8> {
    ROUNDS.iter().flat_map(of).flat_map(f64::to_le_bytes).collect()
}

/// The rounds in every format that can be written here.
fn every_format() -> Vec<(&'static str, Vec<u8>)> {
    let lines = |start: &str, row: &dyn Fn(&(bool, f64, &str)) -> String, end: &str| {
        let rows: Vec<String> = ROUNDS.iter().map(row).collect();
        format!("{start}{}{end}", rows.join(if start == "[" { "," } else { "" })).into_bytes()
    };
    let object = |(y, _, p): &(bool, f64, &str)| format!("{{\"p\": {p}, \"y\": {y}}}\n");
    let bytes = |of: &dyn Fn(bool) -> u8| ROUNDS.iter().map(|(y, ..)| of(*y)).collect::<Vec<u8>>();
    let p = npy("<f8", "(6,)", &doubles(|(_, p, _)| vec![*p]));
    let y = npy("|b1", "(6,)", &bytes(&u8::from));
    vec![
        ("csv", lines("y,p\n", &|(y, _, p)| format!("{},{p}\n", u8::from(*y)), "")),
        ("tsv", lines("p\tnote\ty\r\n", &|(y, _, p)| format!("{p}\t\"a\tb\"\t{y}\r\n"), "")),
        ("jsonl", lines("", &object, "")),
        ("json", lines("[", &object, "]")),
        ("npy", npy("<f8", "(6, 2)", &doubles(|(y, p, _)| vec![f64::from(u8::from(*y)), *p]))),
        ("npz", npz(&[("p.npy", p), ("y.npy", y)])),
    ]
}

/// The same whatever the file is called, in a file and in a pipe, packed once or twice or not.
#[test]
fn every_format_gives_the_same_numbers() {
    let files = Files::new();
    let formats = every_format();
    let (_, csv) = &formats[0];
    let plain = json(&["-"], csv);
    assert_eq!(plain["rounds"], 6);
    for (name, bytes) in &formats {
        for (ending, packed) in [
            ("", bytes.clone()),
            (".gz", gzip(bytes)),
            (".zst", zstd(bytes)),
            (".gz.zst", zstd(&gzip(bytes))),
        ] {
            let path = files.write(&format!("rounds.{name}{ending}"), &packed);
            assert_eq!(json(&[&path], ""), plain, "{name}{ending}");
            assert_eq!(json(&["-"], &packed), plain, "{name}{ending}");
            assert_eq!(json(&["-", "--format", format_of(name)], &packed), plain, "{name}{ending}");
            let path = files.write("without-a-name", &packed);
            assert_eq!(json(&[&path], ""), plain, "{name}{ending}");
            // Two streams of gzip or zstd one after another are one.
            if ending == ".gz" && *name == "csv" {
                let (start, end) = bytes.split_at(9);
                assert_eq!(json(&["-"], [gzip(start), gzip(end)].concat()), plain);
                assert_eq!(json(&["-"], [zstd(start), zstd(end)].concat()), plain);
            }
        }
    }
}

fn format_of(name: &str) -> &str {
    match name {
        "tsv" => "csv",
        "jsonl" => "json",
        other => other,
    }
}

/// Each column an array of its own, of several types, and several models.
#[test]
fn columns_in_files_of_their_own() {
    let files = Files::new();
    let path = |name: &str, bytes: Vec<u8>| files.write(name, bytes);
    let ones = |byte: &dyn Fn(bool) -> Vec<u8>| ROUNDS.iter().flat_map(|r| byte(r.0)).collect();
    let integers: Vec<u8> = ones(&|y| i64::from(y).to_le_bytes().to_vec());
    let floats: Vec<u8> = ones(&|y| f32::from(u8::from(y)).to_le_bytes().to_vec());
    let outcomes = [
        path("b.npy", npy("|b1", "(6,)", &ones(&|y| vec![u8::from(y)]))),
        path("i.npy", npy("<i8", "(6, 1)", &integers)),
        path("f.npy.gz", gzip(&npy("<f4", "(6,)", &floats))),
    ];
    let bytes = npy("<f8", "(6,)", &doubles(|(_, p, _)| vec![*p]));
    let predictions = path("p.npy", bytes.clone());
    let plain = json(&["-"], &every_format()[0].1);
    for outcome in &outcomes {
        assert_eq!(json(&["--y-file", outcome, "--p-file", &predictions], ""), plain);
    }
    let halves = path("half.npy", npy("<f8", "(6,)", &doubles(|_| vec![0.5])));
    let two = format!("{predictions},{halves}");
    let report = json(&["--y-file", &outcomes[0], "--p-file", &two, "--only", "ece"], "");
    let rows: String =
        ROUNDS.iter().map(|(y, _, p)| format!("{},{p},1/2\n", u8::from(*y))).collect();
    let other = json(&["-", "--p", "a,b", "--only", "ece"], format!("y,a,b\n{rows}"));
    for (part, expected) in report["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .zip(other["parts"].as_array().expect("parts"))
    {
        assert_eq!(part["report"], expected["report"]);
    }
    // Percentages, as doubles.
    let percent = path("percent.npy", npy("<f8", "(6,)", &doubles(|_| vec![50.0])));
    let percent = json(&["--y-file", &outcomes[0], "--p-file", &percent, "--percent"], "");
    assert_eq!(percent, json(&["--y-file", &outcomes[0], "--p-file", &halves], ""));

    let short = path("short.npy", npy("<f8", "(5,)", &[0; 40]));
    let missing = files.path("missing.npy");
    let excel = path("table.xlsx", b"PK\x03\x04 and so on, [Content_Types].xml".to_vec());
    for (y, p, words) in [
        (&outcomes[0], &short, "it has 5 rows but column"),
        (&outcomes[0], &missing, "missing.npy: there is no such file; check the path"),
        (&outcomes[0], &excel, "table.xlsx: "),
        (&predictions, &outcomes[0], "column \"y\", value \"0.5\": not an outcome"),
    ] {
        let said = refused(&["--y-file", y, "--p-file", p], "");
        assert!(said.contains(words), "{said}");
    }
    for (arguments, words) in [
        (vec!["--y-file", &outcomes[0]], "--p-file"),
        (vec!["--p-file", &predictions], "--y-file"),
        (
            vec!["--y-file", &outcomes[0], "--p-file", &predictions, "--p", "x"],
            "leave out the options",
        ),
        (
            vec!["--y-file", &outcomes[0], "--p-file", &predictions, "--levels"],
            "leave out the options",
        ),
        (
            vec!["--y-file", &outcomes[0], "--p-file", &predictions, "--classes", "a,b"],
            "leave out the options",
        ),
        (vec!["-", "--y-file", &outcomes[0], "--p-file", &predictions], "cannot be used with"),
        (vec!["--y-file", &outcomes[0], "--p-file", &predictions, "--compare"], "several models"),
        (vec!["--y-file", "-", "--p-file", "-"], "standard input"),
    ] {
        let said = refused(&arguments, "");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

/// What other programs wrote, and the same as text. The doubles of 0.1 and of the decimal differ.
#[test]
fn files_of_other_programs() {
    const TENTH: &str = "0.1000000000000000055511151231257827021181583404541015625";
    let two = |tenth: &str| format!("1,{tenth}\n0,0.25\n");
    let three = |tenth: &str| two(tenth) + "1,1\n";
    let arrow = [three(TENTH), two(TENTH)].concat();
    for (names, rows, skipped) in [
        (
            &["none", "snappy", "gzip", "lz4", "zstd", "v2"]
                .map(|codec| format!("pyarrow_{codec}.parquet"))[..],
            three(TENTH),
            1,
        ),
        (&["pyarrow_zstd.arrow".to_owned()], three(TENTH), 1),
        (&["pyarrow.arrows".to_owned()], arrow, 1),
        (&["pandas.parquet", "pandas.feather"].map(str::to_owned), two(TENTH), 1),
        (&["polars.parquet", "polars.arrow", "polars.arrows"].map(str::to_owned), two(TENTH), 1),
        (&["duckdb.parquet".to_owned()], two(TENTH), 1),
        (&["savez.npz", "savez_compressed.npz"].map(str::to_owned), three(TENTH), 0),
        (&["pandas.jsonl", "pandas_records.json"].map(str::to_owned), two("0.1"), 1),
        (&["polars.ndjson", "duckdb.json", "duckdb_array.json"].map(str::to_owned), two("0.1"), 1),
    ] {
        let plain = json(&["-"], format!("y,p\n{rows}"));
        for name in names {
            let path = format!("{}/tests/files/{name}", env!("CARGO_MANIFEST_DIR"));
            let bytes = fs::read(&path).expect("a file of tests");
            for report in [
                json(&[&path, "--y", "y", "--p", "p", "--missing", "skip"], ""),
                json(&["-", "--y", "y", "--missing", "skip"], &bytes),
                json(&["-", "--y", "y", "--missing", "skip"], gzip(&bytes)),
            ] {
                let mut report = report;
                let noted = report.as_object_mut().expect("a report").remove("skipped_rows");
                assert_eq!(
                    noted,
                    Some(skipped).filter(|rows| *rows > 0).map(Value::from),
                    "{name}"
                );
                assert_eq!(report, plain, "{name}");
            }
            if skipped > 0 {
                let said = refused(&[&path, "--y", "y"], "");
                assert!(said.contains(name.as_str()) && said.contains("--missing skip"), "{said}");
            }
        }
    }
    // Words for outcomes in a column of texts.
    let path = format!("{}/tests/files/pandas.parquet", env!("CARGO_MANIFEST_DIR"));
    let words = json(&[&path, "--y", "label", "--positive", "b é", "--missing", "skip"], "");
    let plain = json(&["-"], format!("y,p\n0,{TENTH}\n1,0.25\n"));
    assert_eq!(words["measures"], plain["measures"]);
}

/// Rows in several files, in any order of columns, formats and packing, are those of one file.
#[test]
fn parts_are_one_file() {
    let files = Files::new();
    let one = json(
        &["-", "--by", "g", "--p", "p,q", "--only", "ece,stepce"],
        "y,p,q,g\n1,0.5,0.5,a\n0,0.25,0.5,b\n1,1/3,0.5,a\n0,0.75,0,b\n1,1,1,a\n",
    );
    let first = files.write("parts/part-0.csv", "y,p,q,g\n1,0.5,0.5,a\n0,0.25,0.5,b\n");
    let second = files.write("parts/part-1.csv.gz", gzip(b"g;q;p;y\na;0.5;1/3;true\n"));
    let object = "{\"y\": 0, \"g\": \"b\", \"p\": 0.75, \"q\": 0}\n{\"y\": 1, \"g\": \"a\", \
        \"p\": 1, \"q\": 1}\n";
    let third = files.write("parts/part-2.jsonl.zst", zstd(object.as_bytes()));
    files.write("parts/_SUCCESS", "");
    files.write("parts/.part-0.csv.crc", "crc");
    let options = ["--by", "g", "--p", "p,q", "--only", "ece,stepce"];
    let read = |paths: &[&str]| json(&[paths, &options[..]].concat(), "");
    assert_eq!(read(&[&first, &second, &third]), one);
    assert_eq!(read(&[&third, &first, &second])["parts"], one["parts"]);
    assert_eq!(read(&[&files.path("parts")]), one);
    assert_eq!(read(&[&files.path("parts/part-*")]), one);
    assert_eq!(read(&[&files.path("parts/part-[01].*"), &third]), one);
    assert_eq!(read(&[&first, &files.path("parts/part-[12]*")]), one);

    // As rounds that need not be told apart, and in little memory, too.
    let plain = |paths: &[&str], more: &[&str]| json(&[paths, &["--p", "p"], more].concat(), "");
    let all = plain(&[&files.path("parts")], &[]);
    assert_eq!(all["rounds"], 5);
    let rows = "y,p\n1,0.5\n0,0.25\n1,1/3\n0,0.75\n1,1\n";
    assert_eq!(all, json(&["-"], rows));
    // A file whose name is a pattern is itself.
    let odd = files.write("odd[1].csv", rows);
    assert_eq!(json(&[&odd], ""), all);
}

/// Each part is named where something is wrong with it, also with how many are read.
#[test]
fn parts_that_cannot_be_read_are_named() {
    let files = Files::new();
    let good = files.write("good.csv", "y,p\n1,0.5\n0,0.25\n");
    let bad = files.write("bad.csv", "y,p\n1,0.5\n0,7\n");
    let cut = gzip(b"y,p\n1,0.5\n0,0.25\n");
    let cut = files.write("cut.csv.gz", &cut[..cut.len() - 6]);
    let whole = zstd("y,p\n1,0.5\n".repeat(100).as_bytes());
    let short = files.write("cut.csv.zst", &whole[..whole.len() - 4]);
    let sheet =
        files.write("book.xlsx", b"PK\x03\x04aaaaaaaaaaaaaaaaaaaaaa\x13\0\0\0[Content_Types].xml");
    let other = files.write("other.csv", "when,p\n1,0.5\n");
    files.write("deep/er/a.csv", "y,p\n1,0.5\n");
    fs::create_dir_all(files.path("empty")).expect("made");
    for (paths, words) in [
        (vec![&good, &bad], "bad.csv, row 2 (line 3), column \"p\", value \"7\": greater than 1"),
        (vec![&good, &cut], "cut.csv.gz"),
        (vec![&good, &short], "cut.csv.zst"),
        (vec![&sheet], "book.xlsx: is an Excel workbook; save it as CSV"),
        (vec![&good, &other], "other.csv: no column has a usual name for the outcome"),
        (vec![&good, &files.path("none.csv")], "none.csv: there is no such file; check the path"),
        (vec![&files.path("none-*.csv")], "none-*.csv: no file matches this pattern; check the"),
        (vec![&files.path("empty")], "empty: is a folder without files; give a file"),
        (vec![&files.path("deep")], "deep: has a folder in it, "),
        (vec![&good, &"-".to_owned()], "standard input cannot be one of several files; give it"),
    ] {
        let paths: Vec<&str> = paths.into_iter().map(String::as_str).collect();
        let said = refused(&paths, "y,p\n1,0.5\n");
        assert!(said.contains(words), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// Nothing is lost where a packed file is damaged anywhere.
#[test]
fn damaged_packing_is_noticed() {
    let csv = format!("y,p\n{}", "1,0.5\n0,0.25\n1,0.125\n".repeat(40));
    let plain = json(&["-", "--only", "ece"], &csv);
    for (packed, least) in [(gzip(csv.as_bytes()), 10), (zstd(csv.as_bytes()), 4)] {
        assert_eq!(json(&["-", "--only", "ece"], &packed), plain);
        for end in (least..packed.len()).step_by(5) {
            let said = refused(&["-"], &packed[..end]);
            assert!(said.contains("standard input"), "{end}: {said}");
        }
    }
}

#[test]
fn what_is_not_read_has_a_name() {
    let tar = [&[b'a'; 100][..], &[0; 157], b"ustar\0"].concat();
    let zip = |name: &str| {
        let length = [name.len() as u8, 0, 0, 0];
        [&b"PK\x03\x04"[..], &[0; 22], &length, name.as_bytes(), b"\0"].concat()
    };
    let files: Vec<Vec<u8>> = vec![
        zip("xl/workbook.xml"),
        zip("table.csv"),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec(),
        b"SQLite format 3\0\x10".to_vec(),
        b"\0\0\0\0\0\0\0\0DUCK\x40".to_vec(),
        b"\x89HDF\r\n\x1a\n".to_vec(),
        b"\x80\x04\x95\x10".to_vec(),
        b"RDX3\nX\n".to_vec(),
        b"BZh91AY&SY\xab\xcd".to_vec(),
        b"\xfd7zXZ\0\0".to_vec(),
        b"ORC\x0a\x03".to_vec(),
        b"Obj\x01\x04".to_vec(),
        b"%PDF-1.7\n\0".to_vec(),
        b"\xff\xfey\0,\0p\0\n\0".to_vec(),
        tar,
    ];
    let mut messages = String::new();
    for bytes in &files {
        let said = refused(&["-"], bytes);
        for packed in [gzip(bytes), zstd(bytes)] {
            assert_eq!(refused(&["-"], packed), said);
        }
        messages.push_str(&said);
    }
    assert_snapshot!("measure-foreign", messages);
}

#[test]
fn options_that_a_format_has_no_use_for_are_refused() {
    let array = npy("<f8", "(1, 2)", &[0; 16]);
    let object = b"{\"y\": 1, \"p\": 0.5}\n".to_vec();
    for (bytes, option, words) in [
        (&array, &["--delimiter", ";"][..], "--delimiter is for CSV; leave it out"),
        (&array, &["--p", "q"], "columns of an .npy file have no names"),
        (&array, &["--by", "g"], "columns of an .npy file have no names"),
        (&array, &["--weight", "w"], "columns of an .npy file have no names"),
        (&array, &["--levels"], "columns of an .npy file have no names"),
        (&array, &["--percent"], "give its columns by --y-file and --p-file"),
        (&array, &["--positive", "1"], "give its columns by --y-file and --p-file"),
        (&array, &["--missing", "skip"], "give its columns by --y-file and --p-file"),
        (&object, &["--delimiter", ";"], "--delimiter is for CSV; leave it out"),
    ] {
        let said = refused(&[&["-"], option].concat(), bytes);
        assert!(said.contains(words), "{option:?}: {said}");
    }
}

/// A file of rows that do not fit in memory, in packed parts: read again from the start.
#[test]
fn packed_parts_are_read_in_passes() {
    let files = Files::new();
    let rows = |from: u32| (from..from + 60_000).map(|t| format!("{},0.{t:09}\n", t % 2));
    let text = |from| format!("y,p\n{}", rows(from).collect::<String>());
    let one = files.write("a.csv.gz", gzip(text(0).as_bytes()));
    let two = files.write("b.csv.zst", zstd(text(60_000).as_bytes()));
    let only = ["--only", "stepce,ece"];
    let whole = json(&[&[one.as_str(), &two], &only[..]].concat(), "");
    let least = ["--max-memory", "32M"];
    let passes = json(&[&[one.as_str(), &two], &only[..], &least].concat(), "");
    assert_eq!((&whole["rounds"], &passes["passes"]), (&120_000.into(), &2.into()));
    assert_eq!(passes["measures"]["stepce"]["exact"], whole["measures"]["stepce"]["exact"]);
    let gone = printed(&[&[one.as_str(), &two], &only[..], &least].concat(), b"");
    assert!(gone.contains("read in 2 passes\n"), "{gone}");
}
