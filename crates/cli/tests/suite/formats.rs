//! Formats other than CSV, through the command: the same numbers, and one message for every bad
//! file.

use std::fs;

use crate::command::{stdout, truecal};

/// What truecal says to bad input; it must say nothing else.
fn complaint(arguments: &[&str], input: &[u8]) -> String {
    let output = truecal(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(output.stdout, b"", "{arguments:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

/// An `.npy` file of version 1.0.
fn npy(descr: &str, shape: &str, values: &[f64]) -> Vec<u8> {
    let dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(format!("{dictionary:<117}\n").bytes());
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    file
}

/// Doubles in an array and the same numbers as fractions in CSV have the same measures, to the last
/// digit.
#[test]
fn an_array_and_a_table_of_fractions_agree() {
    let rounds: Vec<(u8, u64)> =
        (0..60_u64).map(|i| ((i % 3 == 1).into(), i.pow(5) * 11_400_714_819 % (1 << 40))).collect();
    let mut csv = String::from("y,p\n");
    let mut values = vec![];
    for &(outcome, above) in &rounds {
        csv.push_str(&format!("{outcome},{above}/{}\n", 1_u64 << 40));
        // above / 2^40: the exponent is a matter of bits.
        let whole = above as f64;
        let bits = if above == 0 { 0 } else { whole.to_bits() - (40 << 52) };
        values.extend([f64::from(outcome), f64::from_bits(bits)]);
    }
    let array = npy("<f8", "(60, 2)", &values);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ROUNDS.NPY");
    fs::write(&path, &array).expect("written");
    let exact = ["--exact", "--only", "ece,smce,stepce,signce,intervalce,vcal,ucal"];
    let expected = stdout(&[&["measure", "-"][..], &exact].concat(), &csv);
    let path = path.display().to_string();
    assert_eq!(stdout(&[&["measure", &path][..], &exact].concat(), ""), expected);
    let piped = truecal(&[&["measure", "-", "--format", "npy"][..], &exact].concat(), &array);
    assert_eq!(String::from_utf8_lossy(&piped.stdout), expected);
    // The extension is a default, no more.
    fs::write(&path, csv).expect("written");
    assert_eq!(
        stdout(&[&["measure", &path, "--format", "csv"][..], &exact].concat(), ""),
        expected
    );
}

#[test]
fn every_bad_array_has_its_message() {
    let good = npy("<f8", "(2, 2)", &[1.0, 0.5, 0.0, 0.25]);
    let mut newer = good.clone();
    newer[6] = 4;
    for (input, words) in [
        (vec![], "standard input: the file is empty"),
        (
            b"y,p\n1,0.5\n".to_vec(),
            "standard input: not an .npy file: it does not start with \\x93NUMPY",
        ),
        (b"PK\x03\x04 and so on".to_vec(), "a zip archive of arrays (.npz)"),
        (good[..5].to_vec(), "ends within the header"),
        (good[..70].to_vec(), "ends within the header"),
        (newer, "version 4.0 of the .npy format"),
        (npy("<i8", "(2, 2)", &[]), "the array has dtype '<i8'; save it as float64"),
        (npy("<f8", "(4,)", &[]), "the array has shape (4,); it must be (n, 2)"),
        (npy("<f8", "(2, 3)", &[]), "the array has shape (2, 3); it must be (n, 2)"),
        (npy("<f8", "(0, 2)", &[]), "the array has no rows"),
        (good[..good.len() - 1].to_vec(), "the file ends within row 2 of 2"),
        ([&good[..], b"\0"].concat(), "there are bytes after the 2 rows"),
        (
            npy("<f8", "(2, 2)", &[1.0, 0.5, 0.5, 0.5]),
            "standard input, row 2, column \"outcome\", value \"0.5\": not an outcome",
        ),
        (
            npy("<f8", "(1, 2)", &[f64::NAN, 0.5]),
            "row 1, column \"outcome\", value \"NaN\": not an outcome",
        ),
        (
            npy("<f8", "(2, 2)", &[1.0, 0.5, 0.0, f64::NAN]),
            "row 2, column \"prediction\", value \"NaN\": not a number (NaN)",
        ),
        (
            npy("<f8", "(1, 2)", &[0.0, 1.0000000000000002]),
            "row 1, column \"prediction\", value \"1.0000000000000002\": greater than 1",
        ),
        (npy("<f8", "(1, 2)", &[0.0, -5e-324]), "column \"prediction\", value \"-0.0000"),
        (npy("<f8", "(1, 2)", &[0.0, f64::INFINITY]), "value \"inf\": infinite"),
    ] {
        let message = complaint(&["measure", "--format", "npy", "-"], &input);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn options_for_csv_are_refused_elsewhere() {
    for format in ["npy", "parquet", "arrow", "json", "npz"] {
        let message = complaint(&["measure", "-", "--format", format, "--delimiter", ";"], b"");
        assert!(message.contains("--delimiter is for CSV"), "{message}");
    }
    for option in [&["--levels"][..], &["--p", "q"]] {
        let message = complaint(&[&["measure", "-", "--format", "npy"], option].concat(), b"");
        assert!(message.contains("leave out the options that name columns"), "{message}");
    }
    let folder = tempfile::tempdir().expect("a folder").path().display().to_string();
    let message = complaint(&["measure", &format!("{folder}/missing.npy")], b"");
    assert!(message.contains("missing.npy: there is no such file"), "{message}");
    let message = complaint(&["measure", &format!("{folder}/missing.parquet")], b"");
    assert!(message.contains("missing.parquet: there is no such file"), "{message}");
}

#[test]
fn what_is_not_parquet_is_refused() {
    let message = complaint(&["measure", "-", "--format", "parquet"], b"PAR1");
    assert!(message.contains("not a Parquet file that can be read"), "{message}");
}
