//! Many tasks at once: on all threads of the current rayon pool with the feature `rayon`, otherwise
//! one after the other. Results come in the order of the tasks, so they do not depend on it.

use std::sync::Mutex;

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// How many threads there are to share the work.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Calls the work with 0, 1, …, `count` - 1. (All parallel work goes through here: rayon would be
/// compiled again for each closure and each width of numbers, which takes longer than all else.)
fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "rayon")]
    (0..count).into_par_iter().for_each(work);
    #[cfg(not(feature = "rayon"))]
    (0..count).for_each(work);
}

/// A task before it is begun, its result when it is done.
enum Slot<I, T> {
    Task(I),
    Begun,
    Done(T),
}

/// What the work makes of each task.
pub(crate) fn map<I: Send, T: Send>(tasks: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let slots: Vec<_> = tasks.into_iter().map(|task| Mutex::new(Slot::Task(task))).collect();
    for_each(slots.len(), &|index| {
        let lock = || slots[index].lock().expect("no work is done while it is locked");
        let task = std::mem::replace(&mut *lock(), Slot::Begun);
        if let Slot::Task(task) = task {
            let result = work(task);
            *lock() = Slot::Done(result);
        }
    });
    let results = slots.into_iter().map(|slot| match slot.into_inner() {
        Ok(Slot::Done(result)) => result,
        _ => unreachable!("each task is done once"),
    });
    results.collect()
}

/// What the work makes of 0, 1, …, `count` - 1, each time in a room that is made for many of them.
pub(crate) fn map_in<R, T: Send>(
    count: u64,
    room: impl Fn() -> R + Sync,
    work: impl Fn(&mut R, u64) -> T + Sync,
) -> Vec<T> {
    // Several parts for each thread, as some take longer than others.
    let parts = (4 * threads() as u64).min(count);
    let end = |part: u64| (u128::from(count) * u128::from(part) / u128::from(parts)) as u64;
    let done = map((0..parts).collect(), |part| {
        let mut room = room();
        (end(part)..end(part + 1)).map(|number| work(&mut room, number)).collect::<Vec<_>>()
    });
    done.into_iter().flatten().collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        for threads in [1, 3] {
            on(threads, || {
                for count in [0, 1, 7, 100] {
                    let squares: Vec<u64> = (0..count).map(|n| n * n).collect();
                    assert_eq!(map((0..count).collect(), |n| n * n), squares);
                    assert_eq!(map_in(count, || 0_u64, |_, n| n * n), squares);
                }
                // A room is used again, in the order of its numbers.
                let seen = map_in(100, Vec::new, |room: &mut Vec<u64>, n| {
                    let follows = room.last().is_none_or(|last| last + 1 == n);
                    room.push(n);
                    (follows, room.len())
                });
                assert!(seen.iter().all(|(follows, _)| *follows));
                assert!(seen.iter().any(|(_, length)| *length > 1));
            });
        }
    }
}
