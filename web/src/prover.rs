//! A thread that proves moves of endgames for all tabs, with the exact solver. It runs at the
//! lowest priority and apart from the threads that search and those that answer, so that it takes
//! only what nobody else wants.

use super::engine_cache::TabId;
use super::messages::ServerMessage;
use super::orders::ProofRequest;
use hex_common::system::yield_to_all;
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// Takes the reply; it is dropped without a call if the position is not tried or the order taken
/// back.
pub type ProofListener = Box<dyn FnOnce(ServerMessage) + Send>;

/// A proof that a tab has ordered.
struct ProofTask {
    tab: TabId,
    request: ProofRequest,
    listener: ProofListener,
    /// Nobody wants to know any more.
    stop: Arc<AtomicBool>,
}

/// The thread. Dropping it ends what it is at and waits for it.
pub struct Prover {
    shared: Arc<ProverState>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct ProverState {
    queue: Mutex<ProofQueue>,
    /// Something waits, or the queue is closed.
    changed: Condvar,
}

/// Of each tab one order waits at most or is at work.
#[derive(Default)]
struct ProofQueue {
    waiting: VecDeque<ProofTask>,
    /// Whose order is at work, and what ends it.
    at_work: Option<(TabId, Arc<AtomicBool>)>,
    is_closed: bool,
}

impl ProofQueue {
    /// Takes back what a tab has ordered.
    fn forget(&mut self, tab: TabId) {
        self.waiting.retain(|task| task.tab != tab);
        if let Some((_, stop)) = self.at_work.as_ref().filter(|(owner, _)| *owner == tab) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Prover {
    /// Starts the thread.
    pub fn start() -> Prover {
        let shared = Arc::new(ProverState::default());
        let work = shared.clone();
        Prover {
            shared,
            thread: Some(std::thread::spawn(move || work.work())),
        }
    }

    /// Searches for a proof in place of what the tab has ordered before.
    pub fn prove(&self, tab: TabId, request: ProofRequest, listener: ProofListener) {
        let mut queue = self.shared.queue();
        queue.forget(tab);
        queue.waiting.push_back(ProofTask {
            tab,
            request,
            listener,
            stop: Arc::default(),
        });
        self.shared.changed.notify_one();
    }

    /// Takes back what the tab has ordered.
    pub fn forget(&self, tab: TabId) {
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
            // What a panic said is on standard error already.
            let _ = thread.join();
        }
    }
}

impl ProverState {
    /// The queue. Whoever panicked with it in hand left it whole: nothing is done to it in steps.
    fn queue(&self) -> MutexGuard<'_, ProofQueue> {
        self.queue.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// The thread's life.
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

    /// The next order; waits for it. `None` when the queue is closed.
    fn next(&self) -> Option<ProofTask> {
        let mut queue = self.queue();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(task) = queue.waiting.pop_front() {
                queue.at_work = Some((task.tab, task.stop.clone()));
                return Some(task);
            }
            let woken = self.changed.wait(queue);
            queue = woken.unwrap_or_else(|error| error.into_inner());
        }
    }
}
