//! The state that all requests share.

use super::background::RecordQueue;
use super::opened::Opened;
use super::prover::Prover;
use super::room::BodyRoom;
use super::search_threads::SearchThreads;
use hex_common::system::MachineError;
use std::sync::Arc;
use tokio::sync::watch;

/// The state of the server. Cheap to clone.
#[derive(Clone)]
pub struct Server {
    opened: Option<Arc<Opened>>,
    threads: Arc<SearchThreads>,
    prover: Arc<Prover>,
    records: RecordQueue,
    room: BodyRoom,
    closing: Closing,
}

impl Server {
    /// A server with these threads that search.
    ///
    /// # Errors
    /// If the thread that proves cannot be started.
    pub fn new(opened: Option<Opened>, threads: SearchThreads) -> Result<Server, MachineError> {
        Ok(Server {
            opened: opened.map(Arc::new),
            threads: Arc::new(threads),
            prover: Arc::new(Prover::start()?),
            records: RecordQueue::default(),
            room: BodyRoom::default(),
            closing: Closing::default(),
        })
    }

    /// The record on the command line, if there is one.
    pub fn opened(&self) -> Option<&Opened> {
        self.opened.as_deref()
    }

    /// The threads that search.
    pub fn threads(&self) -> Arc<SearchThreads> {
        self.threads.clone()
    }

    /// The thread that proves.
    pub fn prover(&self) -> Arc<Prover> {
        self.prover.clone()
    }

    /// The queue for work on records.
    pub fn records(&self) -> &RecordQueue {
        &self.records
    }

    /// The memory for the bodies of requests.
    pub fn room(&self) -> &BodyRoom {
        &self.room
    }

    /// The handle that closes the server, and waits for that.
    pub fn closing(&self) -> Closing {
        self.closing.clone()
    }
}

/// Whether the server closes.
#[derive(Clone)]
pub struct Closing(Arc<watch::Sender<bool>>);

impl Default for Closing {
    fn default() -> Self {
        Closing(Arc::new(watch::Sender::new(false)))
    }
}

impl Closing {
    /// Closes the server.
    pub fn close(&self) {
        self.0.send_replace(true);
    }

    /// Makes [`Closing::left`] wait until the returned value is dropped.
    pub fn hold(&self) -> impl Sized + Send {
        self.0.subscribe()
    }

    /// Waits until all values of [`Closing::hold`] are dropped.
    pub async fn left(&self) {
        self.0.closed().await;
    }

    /// Waits until the server closes.
    pub async fn closed(&self) {
        let mut closed = self.0.subscribe();
        // It fails only if the sender is dropped, but `self` holds the sender.
        let _ = closed.wait_for(|&closed| closed).await;
    }
}
