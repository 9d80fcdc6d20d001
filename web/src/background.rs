//! Slow work of requests: reading and writing records. It runs on other threads than those that
//! answer requests, so that these stay free.
//!
//! A thread cannot be stopped from outside, so the work is limited. A body is no longer than its
//! question may be ([`crate::questions`]), the time is proportional to its length, and at most
//! `AT_ONCE` records are processed at a time. If a request's time is over while it waits for its
//! turn, its work never begins.

use super::refusal::Refusal;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The most records that are read or written at a time, for all tabs together.
const AT_ONCE: usize = 2;

/// The queue for work on records. Cheap to clone.
#[derive(Clone)]
pub struct RecordQueue(Arc<Semaphore>);

impl Default for RecordQueue {
    fn default() -> Self {
        RecordQueue(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl RecordQueue {
    /// Waits for its turn, then does the work.
    ///
    /// # Errors
    /// As `work`, or if that panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = self.0.clone().acquire_owned().await;
        let turn = turn.expect("nobody closes the queue");
        // The turn ends with the work, not with the request: work for a closed request counts too.
        in_background(move || {
            let done = work();
            drop(turn);
            done
        })
        .await
    }
}

/// Does short work that may block, on another thread than those that answer requests.
///
/// # Errors
/// As `work`, or if that panics.
pub async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(work).await?
}
