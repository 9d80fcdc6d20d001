//! A thread that proves moves of endgames for all tabs, with the exact solver. It has the lowest
//! priority, and is not one of the threads that search or answer, so that it uses only idle
//! processor time.

use hex_common::system::{yield_to_all, MachineError};
use hex_common::workers::beside;
use hex_core::service::engine_cache::TabId;
use hex_core::service::messages::ServerMessage;
use hex_core::service::orders::ProofRequest;
use hex_core::service::turns::{ClientId, Turns};
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// Receives the reply. It is not called if the position is not tried or the order is cancelled.
pub(crate) type ProofListener = Box<dyn FnOnce(ServerMessage) + Send>;

/// A proof that a tab has ordered.
struct ProofTask {
    client: ClientId,
    tab: TabId,
    request: ProofRequest,
    listener: ProofListener,
    /// Set when the order is cancelled.
    stop: Arc<AtomicBool>,
}

/// The thread. Dropping it cancels the proof at work and waits for the thread.
pub(crate) struct Prover {
    shared: Arc<ProverState>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct ProverState {
    queue: Mutex<ProofQueue>,
    /// Notified when an order arrives or the queue is closed.
    changed: Condvar,
}

/// The orders. Each tab has at most one, waiting or at work. Clients take turns.
#[derive(Default)]
struct ProofQueue {
    waiting: VecDeque<ProofTask>,
    turns: Turns,
    /// The tab of the order at work, and the flag that cancels it.
    at_work: Option<(TabId, Arc<AtomicBool>)>,
    is_closed: bool,
}

impl ProofQueue {
    /// The next order to carry out.
    fn next(&mut self) -> Option<ProofTask> {
        let waiting = self.waiting.iter().enumerate();
        let at = self.turns.next(waiting.map(|(at, task)| (task.client, at)));
        let Some(at) = at else {
            // Clients that have left are forgotten.
            self.turns = Turns::default();
            return None;
        };
        let task = self.waiting.remove(at)?;
        self.turns.take(task.client);
        self.at_work = Some((task.tab, task.stop.clone()));
        Some(task)
    }

    /// Cancels a tab's order.
    fn forget(&mut self, tab: TabId) {
        self.waiting.retain(|task| task.tab != tab);
        if let Some((_, stop)) = self.at_work.as_ref().filter(|(owner, _)| *owner == tab) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Prover {
    /// Starts the thread.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn start() -> Result<Prover, MachineError> {
        let shared = Arc::new(ProverState::default());
        let work = shared.clone();
        let thread = beside(move || work.work())?;
        Ok(Prover {
            shared,
            thread: Some(thread),
        })
    }

    /// Replaces the order of a client's tab by this one.
    pub(crate) fn prove(
        &self,
        client: ClientId,
        tab: TabId,
        request: ProofRequest,
        listener: ProofListener,
    ) {
        let mut queue = self.shared.queue();
        queue.forget(tab);
        queue.turns.enter(client);
        queue.waiting.push_back(ProofTask {
            client,
            tab,
            request,
            listener,
            stop: Arc::default(),
        });
        self.shared.changed.notify_one();
    }

    /// Cancels the tab's order.
    pub(crate) fn forget(&self, tab: TabId) {
        self.shared.queue().forget(tab);
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.is_closed = true;
        if let Some((_, stop)) = &queue.at_work {
            stop.store(true, Ordering::Relaxed);
        }
        drop(queue);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // The message of a panic is on standard error already.
            let _ = thread.join();
        }
    }
}

impl ProverState {
    /// The queue. It is consistent even after a panic, because no change of it has several steps.
    fn queue(&self) -> MutexGuard<'_, ProofQueue> {
        self.queue.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// The thread's loop.
    fn work(&self) {
        yield_to_all();
        while let Some(task) = self.next() {
            let stop = task.stop.clone();
            let sign = stop.clone();
            let stopped = move || sign.load(Ordering::Relaxed);
            let reply = catch_unwind(AssertUnwindSafe(|| task.request.reply(stopped)));
            self.queue().at_work = None;
            if let (Ok(Some(reply)), false) = (reply, stop.load(Ordering::Relaxed)) {
                (task.listener)(reply);
            }
        }
    }

    /// Waits for the next order. `None` when the queue is closed.
    fn next(&self) -> Option<ProofTask> {
        let mut queue = self.queue();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(task) = queue.next() {
                return Some(task);
            }
            let woken = self.changed.wait(queue);
            queue = woken.unwrap_or_else(|error| error.into_inner());
        }
    }
}
