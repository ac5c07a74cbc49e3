//! Forecasts from `.npy` files, as `numpy.save` writes them: an array of shape (n, 2), outcome and
//! prediction of each round.
//!
//! Doubles are the exact dyadics that they are, and so are 32-bit floats. The array is read in
//! blocks from any source, a pipe included. In Fortran order all outcomes come before the first
//! prediction; they are kept as bits meanwhile, a hundredth of the file.

use std::io::{ErrorKind, Read};

use super::error::InputError;
use super::npy_header::{Header, Order, Pairs};
use truecal::dyadic::Dyadic;
use truecal::summary::Doubles;
use truecal::{Forecasts, PredictionError, Rounds};

/// The rows of a block.
const BLOCK: usize = 1 << 14;

/// Reads rounds from an `.npy` file, all of them.
///
/// `progress` is called now and then with the rows and bytes read so far. Memory grows with the
/// distinct predictions.
///
/// ```
/// use truecal_cli::input::read_npy;
/// let mut file = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
/// let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
/// file.extend(format!("{header:<69}\n").bytes());
/// file.extend([1.0_f64, 0.25].map(f64::to_le_bytes).concat());
/// let forecasts = read_npy(file.as_slice(), "one.npy", |_, _| ())?;
/// assert_eq!((forecasts.rounds(), forecasts.ones()), (1, 1));
/// # Ok::<(), truecal_cli::input::InputError>(())
/// ```
pub fn read_npy(
    source: impl Read,
    name: &str,
    mut progress: impl FnMut(u64, u64),
) -> Result<Forecasts, InputError> {
    let mut reader = NpyReader::open(source, name)?;
    let (mut outcomes, mut predictions) = (Vec::new(), Vec::new());
    let mut forecasts = Forecasts::new();
    while reader.read(&mut outcomes, &mut predictions)? {
        for (&outcome, &prediction) in outcomes.iter().zip(&predictions) {
            let pushed = forecasts.push_f64(outcome, prediction);
            pushed.map_err(|error| InputError::of_file(name, error.to_string()))?;
        }
        progress(reader.rows(), reader.bytes());
    }
    forecasts.settle();
    Ok(forecasts)
}

/// An `.npy` file that is read block by block, every round of it checked.
///
/// ```no_run
/// use truecal_cli::input::NpyReader;
/// let mut reader = NpyReader::open(std::fs::File::open("forecasts.npy")?, "forecasts.npy")?;
/// let (mut outcomes, mut predictions) = (vec![], vec![]);
/// while reader.read(&mut outcomes, &mut predictions)? {
///     println!("{} rounds more", outcomes.len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NpyReader<R> {
    source: R,
    name: String,
    header: Pairs,
    /// The outcomes of the whole array, 64 to a word; only in Fortran order.
    outcomes: Vec<u64>,
    rows: u64,
    bytes: u64,
    block: Vec<u8>,
}

impl<R: Read> NpyReader<R> {
    /// Reads the header, and in Fortran order the outcomes. `name` is for messages.
    pub fn open(mut source: R, name: &str) -> Result<Self, InputError> {
        let (header, bytes) = Header::read(&mut source)
            .and_then(|(header, bytes)| Ok((header.pairs()?, bytes)))
            .map_err(|problem| InputError::of_file(name, problem.to_string()))?;
        let name = name.to_owned();
        let mut reader =
            NpyReader { source, name, header, outcomes: vec![], rows: 0, bytes, block: vec![] };
        if reader.header.order == Order::Columns {
            reader.read_outcomes()?;
        }
        Ok(reader)
    }

    /// Puts the next rounds in place of what the vectors hold; `false` at the end. What is wrong
    /// with the file is found before the last call has returned `false`.
    pub fn read(
        &mut self,
        outcomes: &mut Vec<bool>,
        predictions: &mut Vec<f64>,
    ) -> Result<bool, InputError> {
        outcomes.clear();
        predictions.clear();
        let rows = (self.header.rows - self.rows).min(BLOCK as u64);
        if rows == 0 {
            self.expect_end()?;
            return Ok(false);
        }
        let (size, first) = (self.header.float.size(), self.rows);
        match self.header.order {
            Order::Rows => {
                let whole = self.fill(2 * size * rows as usize)? / (2 * size);
                for (row, pair) in
                    (first..).zip(self.block[..2 * size * whole].chunks_exact(2 * size))
                {
                    let (outcome, prediction) = pair.split_at(size);
                    outcomes.push(self.outcome(row, self.header.float.value(outcome))?);
                    predictions.push(self.prediction(row, self.header.float.value(prediction))?);
                }
                self.complete(first + whole as u64, first + rows)?;
            }
            Order::Columns => {
                let whole = self.fill(size * rows as usize)? / size;
                for (row, cell) in (first..).zip(self.block[..size * whole].chunks_exact(size)) {
                    outcomes.push(self.outcomes[(row / 64) as usize] >> (row % 64) & 1 == 1);
                    predictions.push(self.prediction(row, self.header.float.value(cell))?);
                }
                self.complete(first + whole as u64, first + rows)?;
            }
        }
        self.rows += rows;
        Ok(true)
    }

    /// The next rounds as words; the room is used again and again.
    pub(crate) fn read_rounds(
        &mut self,
        (outcomes, predictions): &mut (Vec<bool>, Vec<f64>),
    ) -> Result<Option<Rounds<Doubles>>, InputError> {
        if !self.read(outcomes, predictions)? {
            return Ok(None);
        }
        let mut rounds = Rounds::with_room(outcomes.len());
        let pushed = rounds.push(outcomes, predictions);
        pushed.map_err(|error| InputError::of_file(&self.name, error.to_string()))?;
        Ok(Some(rounds))
    }

    /// The number of rounds in the array, as its header says.
    pub fn rounds(&self) -> u64 {
        self.header.rows
    }

    /// The rows read so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read_outcomes(&mut self) -> Result<(), InputError> {
        let size = self.header.float.size();
        let mut row = 0;
        while row < self.header.rows {
            let rows = (self.header.rows - row).min(BLOCK as u64);
            let whole = self.fill(size * rows as usize)? / size;
            let mut word = 0;
            for (index, cell) in self.block[..size * whole].chunks_exact(size).enumerate() {
                let outcome = self.outcome(row + index as u64, self.header.float.value(cell))?;
                word |= u64::from(outcome) << (index % 64);
                // A block is a multiple of 64 rows, but for the last.
                if index % 64 == 63 || index + 1 == whole {
                    self.outcomes.push(word);
                    word = 0;
                }
            }
            self.complete(row + whole as u64, row + rows)?;
            row += rows;
        }
        Ok(())
    }

    /// Reads so many bytes, or as many as there are.
    fn fill(&mut self, bytes: usize) -> Result<usize, InputError> {
        self.block.resize(bytes, 0);
        let mut filled = 0;
        while filled < bytes {
            match self.source.read(&mut self.block[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unreadable(&error)),
            }
        }
        self.bytes += filled as u64;
        Ok(filled)
    }

    fn complete(&self, found: u64, wanted: u64) -> Result<(), InputError> {
        if found == wanted {
            return Ok(());
        }
        Err(InputError::of_file(
            &self.name,
            format!(
                "the file ends within row {} of {}; it was cut off: save or copy it again",
                found + 1,
                self.header.rows
            ),
        ))
    }

    fn expect_end(&mut self) -> Result<(), InputError> {
        if self.fill(1)? == 0 {
            return Ok(());
        }
        let problem = format!(
            "there are bytes after the {} rows of the array; give a file with one array",
            self.header.rows
        );
        Err(InputError::of_file(&self.name, problem))
    }

    fn unreadable(&self, error: &std::io::Error) -> InputError {
        InputError::of_file(&self.name, format!("cannot be read: {error}"))
    }

    fn outcome(&self, row: u64, value: f64) -> Result<bool, InputError> {
        match value {
            0.0 => Ok(false), // -0.0, too
            1.0 => Ok(true),
            _ => Err(self.of_cell(
                row,
                "outcome",
                value,
                "not an outcome; outcomes are 0 or 1, and stand in the first column".to_owned(),
            )),
        }
    }

    fn prediction(&self, row: u64, value: f64) -> Result<f64, InputError> {
        match Dyadic::from_bits(value.to_bits()).map_err(PredictionError::from) {
            Ok(_) => Ok(value),
            Err(error) => Err(self.of_cell(row, "prediction", value, error.to_string())),
        }
    }

    #[cold]
    fn of_cell(&self, row: u64, column: &str, value: f64, problem: String) -> InputError {
        let cell = Some((column.to_owned(), value.to_string()));
        InputError::of_row(&self.name, (row + 1, None), cell, problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use truecal::AnyLevels;

    /// A file as numpy writes it, whatever its contents.
    fn file(version: u8, dictionary: &str, data: &[u8]) -> Vec<u8> {
        let mut header = dictionary.as_bytes().to_vec();
        let prefix = if version == 1 { 10 } else { 12 };
        while !(prefix + header.len() + 1).is_multiple_of(64) {
            header.push(b' ');
        }
        header.push(b'\n');
        let length = header.len() as u32;
        let length = length.to_le_bytes();
        let length = if version == 1 { &length[..2] } else { &length[..] };
        [b"\x93NUMPY", &[version, 0][..], length, &header, data].concat()
    }

    fn array(descr: &str, fortran: bool, rounds: &[(f64, f64)], version: u8) -> Vec<u8> {
        let cell = |value: f64| match descr {
            "<f8" => value.to_le_bytes().to_vec(),
            ">f8" => value.to_be_bytes().to_vec(),
            "<f4" => (value as f32).to_le_bytes().to_vec(),
            _ => (value as f32).to_be_bytes().to_vec(),
        };
        let values: Vec<f64> = match fortran {
            false => rounds.iter().flat_map(|(y, p)| [*y, *p]).collect(),
            true => rounds.iter().map(|r| r.0).chain(rounds.iter().map(|r| r.1)).collect(),
        };
        let fortran = if fortran { "True" } else { "False" };
        let shape = rounds.len();
        let dictionary =
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({shape}, 2), }}");
        file(version, &dictionary, &values.into_iter().flat_map(cell).collect::<Vec<_>>())
    }

    fn read(bytes: &[u8]) -> Result<Forecasts, String> {
        read_npy(bytes, "a.npy", |_, _| ()).map_err(|error| error.to_string())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Both orders, both ends first, three versions: the table of the doubles.
        #[test]
        fn every_layout_gives_the_same_table(
            rounds in prop::collection::vec((any::<bool>(), 0..=1.0_f64.to_bits()), 1..200),
            fortran: bool,
            version in 1..=3_u8,
            descr in prop::sample::select(vec!["<f8", ">f8", "<f4", ">f4"]),
        ) {
            let stored = |bits: u64| {
                let double = f64::from_bits(bits);
                if descr.ends_with('4') { f64::from(double as f32) } else { double }
            };
            let (outcomes, predictions): (Vec<bool>, Vec<f64>) =
                rounds.iter().map(|&(outcome, bits)| (outcome, stored(bits))).unzip();
            let numbers = outcomes.iter().map(|&outcome| f64::from(u8::from(outcome)));
            let pairs: Vec<_> = numbers.zip(predictions.clone()).collect();
            let forecasts = read(&array(descr, fortran, &pairs, version)).expect("valid");
            let expected = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
            prop_assert_eq!(forecasts.levels(), Ok(expected));
        }

        /// A file that is cut anywhere, or changed anywhere, is read or refused, never more.
        #[test]
        fn broken_files_do_no_harm(at in 0..200_usize, byte: u8, cut: bool, fortran: bool) {
            let mut bytes = array("<f8", fortran, &[(1.0, 0.5), (0.0, 0.25), (1.0, 1.0)], 1);
            let at = at.min(bytes.len() - 1);
            if cut {
                bytes.truncate(at);
                prop_assert!(read(&bytes).is_err());
            } else {
                bytes[at] = byte;
                let _ = read(&bytes);
            }
        }
    }

    /// More than one block in both orders.
    #[test]
    fn blocks_join() {
        let rounds: Vec<(f64, f64)> = (0..40_000_u32)
            .map(|i| (f64::from(i % 7 % 2), f64::from_bits(0.5_f64.to_bits() + u64::from(i % 999))))
            .collect();
        let rows = read(&array("<f8", false, &rounds, 1)).expect("valid");
        let columns = read(&array("<f8", true, &rounds, 2)).expect("valid");
        let outcomes: Vec<bool> = rounds.iter().map(|(y, _)| *y == 1.0).collect();
        let predictions: Vec<f64> = rounds.iter().map(|(_, p)| *p).collect();
        let expected = AnyLevels::from_doubles(&outcomes, &predictions).expect("valid");
        assert_eq!((rows.levels(), rows == columns), (Ok(expected), true));
        let mut cut = array("<f8", true, &rounds, 1);
        cut.pop();
        assert!(read(&cut).is_err_and(|e| e.contains("within row 40000 of 40000")));
        cut.truncate(8 * 30_000);
        assert!(read(&cut).is_err_and(|e| e.contains("of 40000; it was cut off")));
    }
}
