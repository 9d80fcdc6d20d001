//! The state that all requests share, and the threads for slow work: reading and writing records.
//! These are others than those that answer requests, so that the latter stay free.
//!
//! A thread cannot be stopped from outside, so the work is limited. A body is no longer than its
//! question may be, the time is proportional to its length, and at most `AT_ONCE` records are
//! processed at a time. If a request's time is over while it waits for its turn, its work never
//! begins.

use super::body::BodyRoom;
use super::opened::Opened;
use super::prover::Prover;
use super::refusal::Refusal;
use super::search_threads::SearchThreads;
use hex_common::system::MachineError;
use std::sync::Arc;
use tokio::sync::{watch, Semaphore};
use tokio::task::spawn_blocking;

/// The state of the server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Server {
    /// The record on the command line, if there is one.
    pub(crate) opened: Option<Arc<Opened>>,
    /// The threads that search.
    pub(crate) threads: Arc<SearchThreads>,
    /// The thread that proves.
    pub(crate) prover: Arc<Prover>,
    /// The queue for work on records.
    pub(crate) records: RecordQueue,
    /// The memory for the bodies of requests.
    pub(crate) room: BodyRoom,
    /// The handle that closes the server, and waits for that.
    pub(crate) closing: Closing,
}

impl Server {
    /// A server with these threads that search.
    ///
    /// # Errors
    /// If the thread that proves cannot be started.
    pub(crate) fn new(
        opened: Option<Opened>,
        threads: SearchThreads,
    ) -> Result<Server, MachineError> {
        Ok(Server {
            opened: opened.map(Arc::new),
            threads: Arc::new(threads),
            prover: Arc::new(Prover::start()?),
            records: RecordQueue::default(),
            room: BodyRoom::default(),
            closing: Closing::default(),
        })
    }
}

/// Whether the server closes.
#[derive(Clone)]
pub(crate) struct Closing(Arc<watch::Sender<bool>>);

impl Default for Closing {
    fn default() -> Self {
        Closing(Arc::new(watch::Sender::new(false)))
    }
}

impl Closing {
    /// Closes the server.
    pub(crate) fn close(&self) {
        self.0.send_replace(true);
    }

    /// Makes [`Closing::left`] wait until the returned value is dropped.
    pub(crate) fn hold(&self) -> impl Sized + Send {
        self.0.subscribe()
    }

    /// Waits until all values of [`Closing::hold`] are dropped.
    pub(crate) async fn left(&self) {
        self.0.closed().await;
    }

    /// Waits until the server closes.
    pub(crate) async fn closed(&self) {
        let mut closed = self.0.subscribe();
        // It fails only if the sender is dropped, but `self` holds the sender.
        let _ = closed.wait_for(|&closed| closed).await;
    }
}

/// The most records that are read or written at a time, for all tabs together.
const AT_ONCE: usize = 2;

/// The queue for work on records. Cheap to clone.
#[derive(Clone)]
pub(crate) struct RecordQueue(Arc<Semaphore>);

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
    pub(crate) async fn run<T: Send + 'static>(
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
pub(crate) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(work).await?
}
