//! Many tasks at once: on all threads of the current rayon pool with the feature `rayon`, otherwise
//! one after the other. Results come in the order of the tasks, so they do not depend on it.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// How many threads there are to share the work.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// What the work makes of each task.
pub(crate) fn map<I: Send, T: Send>(tasks: Vec<I>, work: impl Fn(I) -> T + Sync + Send) -> Vec<T> {
    #[cfg(feature = "rayon")]
    return tasks.into_par_iter().map(work).collect();
    #[cfg(not(feature = "rayon"))]
    tasks.into_iter().map(work).collect()
}

/// What the work makes of 0, 1, …, `count` - 1, each time in a room that is made once and used
/// again.
pub(crate) fn map_in<R, T: Send>(
    count: u64,
    room: impl Fn() -> R + Sync + Send,
    work: impl Fn(&mut R, u64) -> T + Sync + Send,
) -> Vec<T> {
    #[cfg(feature = "rayon")]
    return (0..count).into_par_iter().map_init(room, work).collect();
    #[cfg(not(feature = "rayon"))]
    {
        let mut room = room();
        (0..count).map(|number| work(&mut room, number)).collect()
    }
}

/// Does the work with so many threads, where there can be several.
#[cfg(test)]
pub(crate) fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(work)
    }
    #[cfg(not(feature = "rayon"))]
    {
        assert!(threads > 0);
        work()
    }
}
