//! Standard input that does not fit in memory, kept in temporary files so that it can be gone over
//! again.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use truecal::Rounds;
use truecal::summary::{Keys, Weighted};

/// The rounds that are read at a time.
const BLOCK: usize = 1 << 16;

/// Rounds of one kind, eight bytes each, and levels, twenty-four bytes each. The files have no name
/// and are gone with the program.
pub(super) struct Spool<K> {
    rounds: BufWriter<File>,
    levels: BufWriter<File>,
    /// The rounds and the levels, counted together.
    rows: u64,
    keys: std::marker::PhantomData<K>,
}

impl<K: Keys> Spool<K> {
    pub fn new() -> io::Result<Self> {
        let file = || Ok::<_, io::Error>(BufWriter::with_capacity(1 << 18, tempfile::tempfile()?));
        Ok(Spool { rounds: file()?, levels: file()?, rows: 0, keys: std::marker::PhantomData })
    }

    /// Adds rounds.
    pub fn write(&mut self, rounds: &Rounds<K>) -> io::Result<()> {
        self.rows += rounds.rounds();
        rounds.words().try_for_each(|word| self.rounds.write_all(&word.to_le_bytes()))
    }

    /// How many rounds and levels there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Adds levels.
    pub fn write_levels(&mut self, levels: &[Weighted<K>]) -> io::Result<()> {
        self.rows += levels.len() as u64;
        for &(prediction, count, ones) in levels {
            let key = K::key(prediction).ok_or_else(|| io::Error::other("not a prediction"))?;
            for word in [key, count, ones] {
                self.levels.write_all(&word.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Hands everything over, block by block.
    pub fn read<E: From<io::Error>>(
        &mut self,
        mut take: impl FnMut(&Rounds<K>, &[Weighted<K>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rounds = again(&mut self.rounds)?;
        while let Some(words) = block(&mut rounds)? {
            take(&Rounds::from_words(words).ok_or_else(damaged)?, &[])?;
        }
        let mut levels = again(&mut self.levels)?;
        while let Some(words) = block(&mut levels)? {
            let level = |record: &[u64]| match K::is_key(record[0]) {
                true => Ok((K::input(record[0]), record[1], record[2])),
                false => Err(damaged()),
            };
            let levels: io::Result<Vec<Weighted<K>>> = words.chunks_exact(3).map(level).collect();
            take(&Rounds::new(), &levels?)?;
        }
        Ok(())
    }
}

fn damaged() -> io::Error {
    io::Error::other("a temporary file was damaged")
}

/// The file from its start.
fn again(file: &mut BufWriter<File>) -> io::Result<BufReader<&File>> {
    file.flush()?;
    file.get_mut().seek(SeekFrom::Start(0))?;
    Ok(BufReader::with_capacity(1 << 18, file.get_ref()))
}

/// The next words, a multiple of three, or what is left.
fn block(source: &mut impl Read) -> io::Result<Option<Vec<u64>>> {
    let mut bytes = vec![];
    source.by_ref().take(3 * 8 * (BLOCK as u64 / 3)).read_to_end(&mut bytes)?;
    let words =
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
    Ok(Some(words.collect::<Vec<u64>>()).filter(|words| !words.is_empty()))
}
