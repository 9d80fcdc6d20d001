//! Threads that work together. A thread that cannot be started is an error, never a panic.

use crate::progress::Progress;
use crate::system::MachineError;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Calls `work` with each of `workers`, each on a thread of its own, and `meanwhile` on this one.
/// Returns the results of both. Nothing begins before all threads have been started.
///
/// # Errors
/// If a thread cannot be started; nothing has begun then.
///
/// # Panics
/// If `work` or `meanwhile` panics.
pub fn at_the_same_time<W: Send, T: Send, R>(
    workers: Vec<W>,
    work: impl Fn(W) -> T + Sync,
    meanwhile: impl FnOnce() -> R,
) -> Result<(Vec<T>, R), MachineError> {
    // Closed while this thread holds it; then whether to begin.
    let gate = RwLock::new(false);
    thread::scope(|scope| {
        let mut begins = gate.write().unwrap_or_else(PoisonError::into_inner);
        let (gate, work) = (&gate, &work);
        let begin = move |worker| {
            let begins = *gate.read().unwrap_or_else(PoisonError::into_inner);
            begins.then(|| work(worker))
        };
        let start = |worker| thread::Builder::new().spawn_scoped(scope, move || begin(worker));
        let started: Result<Vec<_>, _> = workers.into_iter().map(start).collect();
        let threads = started.map_err(|error| no_thread(&error))?;
        *begins = true;
        drop(begins);
        let own = meanwhile();
        let results = threads.into_iter().map(|thread| thread.join());
        let results = results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)));
        Ok((results.flatten().collect(), own))
    })
}

/// Starts a thread that works beside the others.
///
/// # Errors
/// If it cannot be started.
pub fn beside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, MachineError> {
    let thread = thread::Builder::new().spawn(work);
    thread.map_err(|error| no_thread(&error))
}

/// A thread that works until it is ended.
pub struct Background<T> {
    end: Sender<()>,
    thread: JoinHandle<T>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts the thread. The argument of `work` sleeps for a time, and returns true once the
    /// thread is to end.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn start(
        work: impl FnOnce(&dyn Fn(Duration) -> bool) -> T + Send + 'static,
    ) -> Result<Background<T>, MachineError> {
        let (end, ends) = mpsc::channel::<()>();
        let is_over = move |time| ends.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
        let thread = beside(move || work(&is_over))?;
        Ok(Background { end, thread })
    }

    /// Ends the thread and returns its result.
    ///
    /// # Errors
    /// If it has panicked.
    pub fn finish(self) -> thread::Result<T> {
        drop(self.end);
        self.thread.join()
    }
}

/// Locks data that stay sound if a thread panics while it has them.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_thread(error: &std::io::Error) -> MachineError {
    MachineError::new("start a thread", error)
}

/// Calls `work` with each of `items`. Each of `workers` has a thread of its own, which takes the
/// next item as soon as it has finished one. `work` returns the message that `progress` shows for
/// the finished item.
///
/// # Errors
/// The first error of `work`; no thread begins another item after it. Or if a thread cannot be
/// started.
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
    at_the_same_time(workers, work_on, || {})?;
    progress.into_inner().expect("no panics").finish();
    failure.into_inner().expect("no panics").map_or(Ok(()), Err)
}
