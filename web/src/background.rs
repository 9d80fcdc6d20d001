//! Work of a request that takes a while: reading and writing records. It runs beside the threads
//! that answer requests, so that these are free for others.
//!
//! A thread that works cannot be stopped from outside. Instead the work is bounded: a body is no
//! longer than its question may be ([`crate::questions`]), the time is proportional to its length,
//! and `AT_ONCE` records are worked at together. A request that waits for its turn when its time
//! is over is never begun.

use super::refusal::Refusal;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Records that are read or written at a time, for all tabs together.
const AT_ONCE: usize = 2;

/// Turns to work at a record. Cheap to clone.
#[derive(Clone)]
pub struct RecordQueue(Arc<Semaphore>);

impl Default for RecordQueue {
    fn default() -> Self {
        RecordQueue(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl RecordQueue {
    /// Works at a record, once it is its turn.
    ///
    /// # Errors
    /// As `work`, or if that panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = self.0.clone().acquire_owned().await;
        let turn = turn.expect("nobody closes the queue");
        // The turn ends with the work, not with the request: what goes on unheard still counts.
        in_background(move || {
            let done = work();
            drop(turn);
            done
        })
        .await
    }
}

/// Does a little that may be held up, beside the threads that answer requests.
///
/// # Errors
/// As `work`, or if that panics.
pub async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(work).await?
}
