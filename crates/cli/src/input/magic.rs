//! What a file is, by its first bytes.

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Compressed; what is in it has first bytes of its own.
    Gzip,
    /// Compressed; what is in it has first bytes of its own.
    Zstd,
    /// A Parquet file.
    Parquet,
    /// An Arrow file, which Feather version 2 is.
    ArrowFile,
    /// An Arrow stream.
    ArrowStream,
    /// An array of numpy.
    Npy,
    /// A zip archive of arrays of numpy.
    Npz,
    /// Text whose first character, but for white space, is that of a JSON object.
    JsonObject,
    /// Text whose first character, but for white space, is that of a JSON array.
    JsonArray,
    /// Nothing known, so it is read as text.
    Text,
    /// A format that is not read.
    Foreign(Foreign),
}

/// A format that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// What the file is, with its article.
    pub name: &'static str,
    /// What to do with it.
    pub remedy: &'static str,
}

/// The bytes that [`recognise`] can use.
pub(crate) const START: usize = 512;

const FRAME: &str = "read it where it was written and save it as CSV or Parquet";
const IN_R: &str = "save the data frame in R: write.csv(frame, \"file.csv\")";
const UNPACK: &str = "unpack it, or compress it with gzip or zstd instead";
const UTF8: &str = "convert it to UTF-8: iconv -f UTF-16 -t UTF-8 FILE";
const UTF32: &str = "convert it to UTF-8: iconv -f UTF-32 -t UTF-8 FILE";

/// Files that are read, by what stands where in them.
const READ: [(usize, &[u8], Kind); 7] = [
    (0, b"\x1f\x8b", Kind::Gzip),
    (0, b"\x28\xb5\x2f\xfd", Kind::Zstd),
    (0, b"PAR1", Kind::Parquet),
    (0, b"ARROW1\0\0", Kind::ArrowFile),
    (0, b"\xff\xff\xff\xff", Kind::ArrowStream),
    (0, b"\x93NUMPY", Kind::Npy),
    // An archive that is written to a pipe may begin with a mark of its parts.
    (0, b"PK00PK\x03\x04", Kind::Npz),
];

/// Files that are not read, by what stands where in them: the name, and the remedy.
#[rustfmt::skip]
const FOREIGN: [(usize, &[u8], &str, &str); 28] = [
    (0, b"SQLite format 3\0", "an SQLite database",
        "export a table: sqlite3 -csv -header FILE \"SELECT …\""),
    (8, b"DUCK", "a DuckDB database", "export a table: COPY (SELECT …) TO 'file.parquet'"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", "save the arrays with numpy.save, or as CSV"),
    (0, b"PARE", "an encrypted Parquet file", "save it without encryption"),
    (0, b"RDX2\n", "an R workspace (.RData)", IN_R),
    (0, b"RDX3\n", "an R workspace (.RData)", IN_R),
    (0, b"X\n\0\0\0", "an R object (.rds)", IN_R),
    (0, b"A\n2\n", "an R object (.rds)", IN_R),
    (0, b"A\n3\n", "an R object (.rds)", IN_R),
    (0, b"BZh", "a file compressed with bzip2", UNPACK),
    (0, b"\xfd7zXZ\0", "a file compressed with xz", UNPACK),
    (0, b"\x04\x22\x4d\x18", "a file compressed with lz4", UNPACK),
    (0, b"\xff\x06\0\0sNaPpY", "a file compressed with snappy", UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (257, b"ustar", "a tar archive", "unpack it, and give the file in it"),
    (0, b"ORC", "an ORC file", "save it as Parquet"),
    (0, b"Obj\x01", "an Avro file", "save it as Parquet, or as one JSON object per line"),
    (0, b"FEA1", "a Feather file of version 1", "save it as version 2: df.to_feather(FILE)"),
    (0, b"<stata_dta>", "a Stata file", "save it as CSV: export delimited using file.csv"),
    (0, b"$FL", "an SPSS file", FRAME),
    (0, b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60", "a SAS file", FRAME),
    (0, b"HEADER RECORD*******", "a SAS transport file", FRAME),
    (0, b"%PDF-", "a PDF document", "give the table as CSV"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (.xls)", "save it as CSV"),
    (0, b"\xff\xfe\0\0", "UTF-32 text", UTF32),
    (0, b"\0\0\xfe\xff", "UTF-32 text", UTF32),
    (0, b"\xff\xfe", "UTF-16 text", UTF8),
    (0, b"\xfe\xff", "UTF-16 text", UTF8),
];

/// What a file is that starts with these bytes: give [`START`] of them, or as many as there are.
pub(crate) fn recognise(start: &[u8]) -> Kind {
    let binary = is_binary(start);
    let has = |at: usize, word: &[u8]| {
        // A short word may also be how a text starts: the name of its first column.
        let telling = binary || word.len() > 4 || !word.iter().all(u8::is_ascii_graphic);
        telling && start.get(at..).is_some_and(|rest| rest.starts_with(word))
    };
    if let Some((.., kind)) = READ.iter().find(|(at, word, _)| has(*at, word)) {
        return *kind;
    }
    let foreign = |name, remedy| Kind::Foreign(Foreign { name, remedy });
    if let Some((.., name, remedy)) = FOREIGN.iter().find(|(at, word, ..)| has(*at, word)) {
        return foreign(name, remedy);
    }
    match start {
        [b'P', b'K', 3, 4, ..] => zip(start),
        [b'P', b'K', 5, 6, ..] => foreign("an empty zip archive", "give what numpy.savez writes"),
        // Protocols 2 to 5 begin with their number, and with a frame since 4.
        [0x80, 2 | 3, ..] | [0x80, 4 | 5, 0x95, ..] => foreign(
            "a Python pickle",
            "it may run any program when it is read; save the data as CSV, .npy or Parquet",
        ),
        // Versions 8 to 12 of Stata: the version, the byte order, and a one and a zero.
        [113..=115, 1 | 2, 1, 0, ..] => {
            foreign("a Stata file", "save it as CSV: export delimited using file.csv")
        }
        _ => text(start),
    }
}

/// Whether there is something among the first bytes that no text has.
fn is_binary(start: &[u8]) -> bool {
    let control = |byte: &u8| byte.is_ascii_control() && !b"\t\n\r\x0c".contains(byte);
    let not_text = std::str::from_utf8(start).is_err_and(|error| error.error_len().is_some());
    not_text || start.iter().any(control)
}

/// Which kind of zip archive.
fn zip(start: &[u8]) -> Kind {
    let names = || entries(start);
    let foreign = |name, remedy| Kind::Foreign(Foreign { name, remedy });
    let content = start.windows(SPREADSHEET.len()).any(|bytes| bytes == SPREADSHEET);
    if names().any(|name| name.ends_with(b".npy")) {
        Kind::Npz
    } else if content {
        foreign("an OpenDocument spreadsheet (.ods)", "save it as CSV")
    } else if names().any(|name| OFFICE.iter().any(|start| name.starts_with(start))) {
        foreign("an Excel workbook", "save it as CSV")
    } else {
        foreign("a zip archive", "unpack it, and give the file in it")
    }
}

/// How the entries of an Excel workbook begin.
const OFFICE: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/"];

/// What an OpenDocument spreadsheet says of itself in its first entry, which is not compressed.
const SPREADSHEET: &[u8] = b"application/vnd.oasis.opendocument.spreadsheet";

/// The names of the entries whose headers are among the first bytes.
fn entries(start: &[u8]) -> impl Iterator<Item = &[u8]> {
    let headers = (0..start.len()).filter(|&at| start[at..].starts_with(b"PK\x03\x04"));
    headers.filter_map(|at| {
        let length = start.get(at + 26..at + 28)?;
        let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
        start.get(at + 30..at + 30 + length)
    })
}

/// Which kind of text.
fn text(start: &[u8]) -> Kind {
    let foreign = |name, remedy| Kind::Foreign(Foreign { name, remedy });
    // Without a mark of the byte order, the characters of plain text are zeros but for one byte.
    let plain = |size: usize, place: usize| {
        let one = |unit: &[u8]| (0..size).all(|at| (unit[at] != 0) == (at == place));
        start.len() >= 8 && start.chunks_exact(size).take(8).all(one)
    };
    if plain(4, 0) || plain(4, 3) {
        return foreign("UTF-32 text", UTF32);
    }
    if plain(2, 0) || plain(2, 1) {
        return foreign("UTF-16 text", "convert it to UTF-8: iconv -f UTF-16LE -t UTF-8 FILE");
    }
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    // Columns of CSV may begin with a bracket as well: what follows tells.
    let (first, rest) = start.trim_ascii_start().split_at_checked(1).unwrap_or((b"", b""));
    match (first, rest.trim_ascii_start().first()) {
        (b"{", Some(b'"' | b'}') | None) => Kind::JsonObject,
        (b"[", Some(b'{' | b']') | None) => Kind::JsonArray,
        _ => Kind::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(start: &[u8]) -> &'static str {
        match recognise(start) {
            Kind::Foreign(Foreign { name, .. }) => name,
            other => panic!("{other:?}"),
        }
    }

    fn utf(text: &str, size: usize, big: bool) -> Vec<u8> {
        let unit = |c: char| {
            let bytes = u32::from(c).to_le_bytes()[..size].to_vec();
            if big { bytes.into_iter().rev().collect() } else { bytes }
        };
        text.chars().flat_map(unit).collect()
    }

    /// A zip archive that starts with entries of these names and contents.
    fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
        let entry = |(name, content): &(&str, &str)| {
            let header = [&b"PK\x03\x04"[..], &[0; 22], &[name.len() as u8, 0, 0, 0]].concat();
            [&header, name.as_bytes(), content.as_bytes()].concat()
        };
        entries.iter().flat_map(entry).collect()
    }

    #[test]
    fn what_is_read() {
        for (start, kind) in [
            (&b"\x1f\x8b\x08\0"[..], Kind::Gzip),
            (b"\x28\xb5\x2f\xfd\x04", Kind::Zstd),
            (b"PAR1\x15\x04\x15", Kind::Parquet),
            (b"ARROW1\0\0", Kind::ArrowFile),
            (b"\xff\xff\xff\xff\x10\x01\0\0", Kind::ArrowStream),
            (b"\x93NUMPY\x01\0", Kind::Npy),
            (b"{\"y\": 1}", Kind::JsonObject),
            (b"\xef\xbb\xbf \n[{\"y\": 1}]", Kind::JsonArray),
            (b"y,p\n1,0.5\n", Kind::Text),
            (b"", Kind::Text),
            // Columns whose names are words of other formats.
            (b"PAR1,ORC\n1,0.5\n", Kind::Text),
            (b"ORC,y\n0.5,1\n", Kind::Text),
            (b"BZh\ty\n", Kind::Text),
            ("é,ü\n1,0.5\n".as_bytes(), Kind::Text),
            (b"P", Kind::Text),
        ] {
            assert_eq!(recognise(start), kind, "{start:?}");
        }
        assert_eq!(recognise(&archive(&[("y.npy", "\u{93}NUMPY")])), Kind::Npz);
    }

    #[test]
    fn what_is_not_read_has_a_name() {
        for (start, expected) in [
            (&b"SQLite format 3\0\x10"[..], "an SQLite database"),
            (b"\x01\x02\x03\x04\x05\x06\x07\x08DUCK\x40", "a DuckDB database"),
            (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
            (b"\x80\x04\x95\x10", "a Python pickle"),
            (b"\x80\x02}q\0", "a Python pickle"),
            (b"RDX3\nX\n", "an R workspace (.RData)"),
            (b"X\n\0\0\0\x03", "an R object (.rds)"),
            (b"BZh91AY&SY\xab\xcd", "a file compressed with bzip2"),
            (b"\xfd7zXZ\0\0", "a file compressed with xz"),
            (b"\x04\x22\x4d\x18\x64", "a file compressed with lz4"),
            (b"\xff\x06\0\0sNaPpY", "a file compressed with snappy"),
            (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
            (b"ORC\x0a\x03", "an ORC file"),
            (b"Obj\x01\x04", "an Avro file"),
            (b"FEA1\0\0\0\0", "a Feather file of version 1"),
            (b"<stata_dta><header>", "a Stata file"),
            (b"\x73\x02\x01\0", "a Stata file"),
            (b"$FL2@(#) SPSS\0", "an SPSS file"),
            (b"%PDF-1.7\n", "a PDF document"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (.xls)"),
            (b"\xff\xfey\0,\0", "UTF-16 text"),
            (b"\xff\xfe\0\0y\0\0\0", "UTF-32 text"),
            (b"PK\x05\x06\0\0", "an empty zip archive"),
        ] {
            assert_eq!(name(start), expected);
        }
        for (size, expected) in [(2, "UTF-16 text"), (4, "UTF-32 text")] {
            for big in [false, true] {
                assert_eq!(name(&utf("y,p\n1,0.5\n", size, big)), expected);
            }
        }
        let tar = [&[b'a'; 100][..], &[0; 157], b"ustar\0"].concat();
        assert_eq!(name(&tar), "a tar archive");
        let book = archive(&[("[Content_Types].xml", "x"), ("xl/workbook.xml", "")]);
        assert_eq!(name(&book), "an Excel workbook");
        assert_eq!(name(&archive(&[("docProps/app.xml", "")])), "an Excel workbook");
        let kind = std::str::from_utf8(SPREADSHEET).expect("text");
        let sheet = archive(&[("mimetype", kind)]);
        assert_eq!(name(&sheet), "an OpenDocument spreadsheet (.ods)");
        assert_eq!(name(&archive(&[("a.csv", "y,p")])), "a zip archive");
    }

    /// Every row of the tables is reached, and names a remedy.
    #[test]
    fn no_row_hides_another() {
        let file = |at: usize, word: &[u8]| [&vec![1; at][..], word, &[1; 8]].concat();
        for (at, word, kind) in READ {
            assert_eq!(recognise(&file(at, word)), kind, "{word:?}");
        }
        for (at, word, name, remedy) in FOREIGN {
            let found = recognise(&file(at, word));
            assert_eq!(found, Kind::Foreign(Foreign { name, remedy }), "{word:?}");
            assert!(!remedy.is_empty());
        }
    }
}
