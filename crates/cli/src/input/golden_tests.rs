//! Files that other programs wrote: what is read from each is what was given to them.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use super::InputError;
use super::arrow::Arrow;
use super::json_lines::JsonLines;
use super::magic::{Foreign, Kind, recognise};
use super::npy_columns::NpyArrays;
use super::npz::Npz;
use super::parquet::Parquet;
use super::table::Table;
use super::transposed::shown::columns;

/// The bytes of a file that is kept with the tests.
pub(super) fn file(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    fs::read(folder.join(name)).expect("a file of tests")
}

/// All files that are kept.
pub(super) const FILES: [&str; 32] = [
    "big_f4.npy",
    "bool.npy",
    "bytes.npy",
    "duckdb.json",
    "duckdb.parquet",
    "duckdb_array.json",
    "f2.npy",
    "i2.npy",
    "object.npy",
    "pandas.feather",
    "pandas.jsonl",
    "pandas.parquet",
    "pandas_columns.json",
    "pandas_records.json",
    "polars.arrow",
    "polars.arrows",
    "polars.ndjson",
    "polars.parquet",
    "pyarrow.arrows",
    "pyarrow_gzip.parquet",
    "pyarrow_lz4.parquet",
    "pyarrow_none.parquet",
    "pyarrow_snappy.parquet",
    "pyarrow_types.arrow",
    "pyarrow_types.parquet",
    "pyarrow_v2.parquet",
    "pyarrow_zstd.arrow",
    "pyarrow_zstd.parquet",
    "savez.npz",
    "savez_compressed.npz",
    "text.npy",
    "u8.npy",
];

/// The table in some bytes, by what they start with.
pub(super) fn open(bytes: Vec<u8>, name: &str) -> Result<Box<dyn Table>, InputError> {
    let kind = recognise(&bytes[..bytes.len().min(512)]);
    open_as(kind, bytes, name)
}

pub(super) fn open_as(
    kind: Kind,
    bytes: Vec<u8>,
    name: &str,
) -> Result<Box<dyn Table>, InputError> {
    let source = Cursor::new(bytes.clone());
    Ok(match kind {
        Kind::Parquet => Box::new(Parquet::open(bytes::Bytes::from(bytes), name)?),
        Kind::ArrowFile => Box::new(Arrow::open_file(source, name)?),
        Kind::ArrowStream => Box::new(Arrow::open_stream(source, name)?),
        Kind::Npy => Box::new(NpyArrays::open(vec![(source, name, "p")])?),
        Kind::Npz => Box::new(Npz::open(source, name)?),
        Kind::JsonObject | Kind::JsonArray | Kind::Text => Box::new(JsonLines::open(source, name)?),
        Kind::Foreign(Foreign { name: what, remedy }) => {
            return Err(InputError::of_file(name, format!("{what}; {remedy}")));
        }
        Kind::Gzip | Kind::Zstd => return Err(InputError::of_file(name, "compressed")),
    })
}

fn read(name: &str, names: &[&str]) -> Result<Vec<String>, String> {
    let mut table = open(file(name), name).map_err(|error| error.to_string())?;
    columns(&mut *table, names)
}

#[test]
fn parquet_of_all_writers() {
    let rows =
        ["true 0.1f 'a' '0.37'", "false 0.25f 'b é' '-0.05'", "- - - -", "true 1.0f 'a' '1.00'"];
    for codec in ["none", "snappy", "gzip", "lz4", "zstd"] {
        let name = format!("pyarrow_{codec}.parquet");
        assert_eq!(read(&name, &["y", "p", "label", "d"]).expect("read"), rows, "{name}");
    }
    assert_eq!(read("pyarrow_v2.parquet", &["y", "p", "label", "d"]).expect("read"), rows);
    let rows = ["1 0.1f 'x' 'a'", "0 0.25f 'y' 'b é'", "1 - 'x' 'c'"];
    assert_eq!(read("pandas.parquet", &["y", "p", "c", "label"]).expect("read"), rows);
    let rows = [
        "true 0.1f 'a long text that is not inlined' '0.37' 'x'",
        "false 0.25f 'b é' '-0.05' 'y'",
        "- 1.0f - - 'x'",
    ];
    assert_eq!(read("polars.parquet", &["y", "p", "label", "d", "c"]).expect("read"), rows);
    let rows = ["true '0.37' 0.1f 'a' 1", "false '-0.05' 0.25f 'b é' 255", "- - - - -"];
    assert_eq!(read("duckdb.parquet", &["y", "d", "p", "label", "u"]).expect("read"), rows);
}

#[test]
fn all_types_of_parquet_and_arrow() {
    let names = ["n", "u", "w", "s", "h", "d", "e", "label"];
    let rows = [
        "1 0 0 0.5f 0.5f '0.37' '0.37' 'a'",
        "-2 1 1 0.10000000149011612f 0.0999755859375f '-0.05' '-0.05' 'b é'",
        "3 255 18446744073709551615 0.0f - - - -",
        "1099511627776 7 7 - 1.0f '1.00' '1.00' 'a'",
    ];
    for name in ["pyarrow_types.parquet", "pyarrow_types.arrow"] {
        assert_eq!(read(name, &names).expect("read"), rows, "{name}");
        // A column in another place, and twice.
        let twice = read(name, &["p", "n", "p"]).expect("read");
        assert_eq!(twice[..2], ["0.1f 1 0.1f", "0.25f -2 0.25f"], "{name}");
    }
    for (name, column, words) in [
        ("pyarrow_types.parquet", "t", "column \"t\": of type INT32 that stands for Date; give"),
        ("pyarrow_types.parquet", "l.list.element", "a list in every row"),
        ("pyarrow_types.arrow", "t", "column \"t\": of type Date32; give"),
        ("pyarrow_types.arrow", "l", "column \"l\": of type List("),
    ] {
        let error = read(name, &[column]).expect_err("refused");
        assert!(error.starts_with(name) && error.contains(words), "{error}");
    }
}

#[test]
fn arrow_of_all_writers() {
    let rows = [
        "true 0.1f 'a' '0.37' 0",
        "false 0.25f 'b é' '-0.05' 1",
        "- - - - 18446744073709551615",
        "true 1.0f 'a' '1.00' 7",
    ];
    let names = ["y", "p", "label", "d", "w"];
    assert_eq!(read("pyarrow_zstd.arrow", &names).expect("read"), rows);
    let rows = ["1 0.1f 'x' 'a'", "0 0.25f 'y' 'b é'", "1 - 'x' 'c'"];
    assert_eq!(read("pandas.feather", &["y", "p", "c", "label"]).expect("read"), rows);
    let rows = [
        "true 0.1f 'a long text that is not inlined' '0.37' 'x'",
        "false 0.25f 'b é' '-0.05' 'y'",
        "- 1.0f - - 'x'",
    ];
    for name in ["polars.arrow", "polars.arrows"] {
        assert_eq!(read(name, &["y", "p", "label", "d", "c"]).expect("read"), rows, "{name}");
    }
    // Two batches, with large texts, views of texts, a dictionary, halves.
    let rows = [
        "true 'a' 'a' 'a' 0.5f 0.1f",
        "false 'b é' 'b é' 'b é' 0.0999755859375f 0.25f",
        "- - - - - -",
        "true 'a' 'a' 'a' 1.0f 1.0f",
    ];
    let rows = [&rows[..], &rows[..2]].concat();
    let names = ["y", "label", "v", "c", "h", "p"];
    assert_eq!(read("pyarrow.arrows", &names).expect("read"), rows);
}

#[test]
fn json_of_all_writers() {
    let rows = ["'1' '0.1' 'x' 'a'", "'0' '0.25' 'y' 'b é'", "'1' - 'x' 'c'"];
    for name in ["pandas.jsonl", "pandas_records.json"] {
        assert_eq!(read(name, &["y", "p", "c", "label"]).expect("read"), rows, "{name}");
    }
    let rows = ["true '0.1' 'a long text that is not inlined'", "false '0.25' 'b é'", "- '1.0' -"];
    assert_eq!(read("polars.ndjson", &["y", "p", "label"]).expect("read"), rows);
    let rows = ["true '0.37' '0.1' 'a' '1'", "false '-0.05' '0.25' 'b é' '255'", "- - - - -"];
    for name in ["duckdb.json", "duckdb_array.json"] {
        assert_eq!(read(name, &["y", "d", "p", "label", "u"]).expect("read"), rows, "{name}");
    }
    let error = read("pandas_columns.json", &["p"]).expect_err("column by column");
    let words = "pandas_columns.json, row 1 (line 1), column \"p\", value \"{\\\"0\\\":0.1";
    assert!(error.starts_with(words) && error.contains("orient=\"records\""), "{error}");
}

#[test]
fn arrays_of_numpy() {
    for (name, rows) in [
        ("bool.npy", ["true", "false", "true"]),
        ("f2.npy", ["0.0999755859375f", "0.5f", "1.0f"]),
        ("big_f4.npy", ["0.10000000149011612f", "0.5f", "1.0f"]),
        ("i2.npy", ["-2", "0", "300"]),
        ("u8.npy", ["0", "1", "18446744073709551615"]),
        ("text.npy", ["'a'", "'b é'", "''"]),
        ("bytes.npy", ["'a'", "'bc'", "''"]),
    ] {
        assert_eq!(read(name, &["p"]).expect("read"), rows, "{name}");
    }
    let error = read("object.npy", &["p"]).expect_err("a pickle");
    assert!(error.contains("column \"p\": of dtype '|O'; Python objects (pickle)"), "{error}");
    for name in ["savez.npz", "savez_compressed.npz"] {
        let rows = read(name, &["p", "y", "probs[:,1]"]).expect("read");
        assert_eq!(rows, ["0.1f 1 0.1f", "0.25f 0 0.25f", "1.0f 1 1.0f"], "{name}");
        assert_eq!(read(name, &["other"]).expect("read"), ["0", "1"], "{name}");
        let error = read(name, &["y", "other"]).expect_err("of different lengths");
        let words = "column \"other\": it has 2 rows but column \"y\" has 3; save";
        assert!(error.starts_with(name) && error.contains(words), "{error}");
        let error = read(name, &["scalar"]).expect_err("no rows");
        assert!(error.contains("column \"scalar\": of shape (); give"), "{error}");
    }
}

/// The list is that of the folder, and all are small.
#[test]
fn every_file_is_tried() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != "README.md");
    names.sort();
    assert_eq!(names, FILES);
    assert!(FILES.iter().all(|name| file(name).len() < 4096));
}
