//! Distributes items of work of one kind over threads.

use crate::progress::Progress;
use std::sync::Mutex;

/// Calls `work` with each of `items`. Each of `workers` has a thread of its own, which takes the
/// next item as soon as it has finished one. `work` returns the message that `progress` shows for
/// the finished item.
///
/// # Errors
/// The first error of `work`; no thread begins another item after it.
pub fn share_out<T: Send, W: Send>(
    progress: Progress,
    items: impl Iterator<Item = T> + Send,
    workers: Vec<W>,
    work: impl Fn(&mut W, T) -> anyhow::Result<String> + Sync,
) -> anyhow::Result<()> {
    // The remaining items; `None` after a failure.
    let (items, failure) = (Mutex::new(Some(items)), Mutex::new(None));
    // Locked only while the iterator advances, so that the other threads can work.
    let next = || items.lock().expect("no panics").as_mut()?.next();
    let progress = Mutex::new(progress);
    let work_on = |mut worker: W| {
        while let Some(item) = next() {
            match work(&mut worker, item) {
                Ok(message) => progress.lock().expect("no panics").one_more(message),
                Err(error) => {
                    *items.lock().expect("no panics") = None;
                    failure.lock().expect("no panics").get_or_insert(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for worker in workers {
            let work_on = &work_on;
            scope.spawn(move || work_on(worker));
        }
    });
    progress.into_inner().expect("no panics").finish();
    failure.into_inner().expect("no panics").map_or(Ok(()), Err)
}
