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
    /// Whether something could not be written. Nobody knows how much of it was, so that nothing
    /// more is taken: what is tried again would count twice.
    broken: bool,
    keys: std::marker::PhantomData<K>,
}

impl<K: Keys> Spool<K> {
    pub fn new() -> io::Result<Self> {
        let file = || Ok::<_, io::Error>(BufWriter::with_capacity(1 << 18, tempfile::tempfile()?));
        Ok(Spool {
            rounds: file()?,
            levels: file()?,
            rows: 0,
            broken: false,
            keys: std::marker::PhantomData,
        })
    }

    /// Adds rounds.
    pub fn write(&mut self, rounds: &Rounds<K>) -> io::Result<()> {
        self.whole(|spool| {
            spool.rows += rounds.rounds();
            rounds.words().try_for_each(|word| spool.rounds.write_all(&word.to_le_bytes()))
        })
    }

    /// Adds levels.
    pub fn write_levels(&mut self, levels: &[Weighted<K>]) -> io::Result<()> {
        self.whole(|spool| {
            spool.rows += levels.len() as u64;
            for &(prediction, count, ones) in levels {
                let key = K::key(prediction).ok_or_else(|| io::Error::other("not a prediction"))?;
                for word in [key, count, ones] {
                    spool.levels.write_all(&word.to_le_bytes())?;
                }
            }
            Ok(())
        })
    }

    /// Writes as a whole, or never again.
    fn whole(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier part of it could not be written"));
        }
        let written = write(self);
        self.broken = written.is_err();
        written
    }

    /// How many rounds and levels there are.
    pub fn rows(&self) -> u64 {
        self.rows
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

#[cfg(test)]
mod tests {
    use super::*;
    use truecal::summary::Doubles;

    fn rounds() -> Rounds<Doubles> {
        let mut rounds = Rounds::new();
        rounds.push(&[true, false], &[0.25, 1.0]).expect("valid");
        rounds
    }

    #[test]
    fn what_is_written_is_read_again_and_again() {
        let mut spool = Spool::<Doubles>::new().expect("a temporary file");
        spool.write(&rounds()).expect("room");
        spool.write_levels(&[(0.5, 7, 3), (0.0, 2, 0)]).expect("room");
        assert_eq!(spool.rows(), 4);
        for _ in 0..2 {
            let (mut words, mut all) = (vec![], vec![]);
            let read = spool.read(|rounds, levels| {
                words.extend(rounds.words());
                all.extend_from_slice(levels);
                Ok::<_, io::Error>(())
            });
            read.expect("readable");
            assert_eq!(words, rounds().words().collect::<Vec<_>>());
            assert_eq!(all, [(0.5, 7, 3), (0.0, 2, 0)]);
        }
    }

    /// After a failure nothing is taken, even if there is room again.
    #[test]
    fn a_copy_that_failed_takes_no_more() {
        let mut spool = Spool::<Doubles>::new().expect("a temporary file");
        let readable = File::open("Cargo.toml").expect("the manifest of this crate");
        let unwritable = BufWriter::with_capacity(0, readable);
        let good = std::mem::replace(&mut spool.rounds, unwritable);
        assert!(spool.write(&rounds()).is_err());
        spool.rounds = good;
        assert!(spool.write(&rounds()).is_err());
        assert!(spool.write_levels(&[(0.5, 7, 3)]).is_err());
    }
}
