//! A thread that proves moves of endgames for all tabs, with the exact solver. It runs at the
//! lowest priority and apart from the threads that think and those that answer, so that it takes
//! only what nobody else wants.

use super::minds::TabId;
use super::proofs::ProofQuestion;
use hex_core::record::Game;
use hex_core::solver::Appraisal;
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// Takes what is found out; it is dropped without a word if the question is not tried or taken
/// back.
pub type AppraisalListener = Box<dyn FnOnce(Appraisal) + Send>;

/// A question of a tab.
struct ProofTask {
    tab: TabId,
    question: ProofQuestion,
    listener: AppraisalListener,
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
    desk: Mutex<ProverDesk>,
    /// Something waits, or the desk closes.
    changed: Condvar,
}

/// Of each tab one question waits at most or is at work.
#[derive(Default)]
struct ProverDesk {
    waiting: VecDeque<ProofTask>,
    /// Whose question is at work, and what ends it.
    at_work: Option<(TabId, Arc<AtomicBool>)>,
    closed: bool,
}

impl ProverDesk {
    /// Takes back what a tab has asked.
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

    /// Asks for proofs in place of what the tab has asked before. Positions of which the swap would
    /// be a part, and those with too many empty cells, are not tried.
    pub fn prove(&self, tab: TabId, game: &Game, listener: AppraisalListener) {
        let mut desk = self.shared.desk();
        desk.forget(tab);
        let Some(question) = ProofQuestion::of(game) else {
            return;
        };
        desk.waiting.push_back(ProofTask {
            tab,
            question,
            listener,
            stop: Arc::default(),
        });
        self.shared.changed.notify_one();
    }

    /// Takes back what the tab has asked.
    pub fn forget(&self, tab: TabId) {
        self.shared.desk().forget(tab);
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        let mut desk = self.shared.desk();
        desk.closed = true;
        if let Some((_, stop)) = &desk.at_work {
            stop.store(true, Ordering::Relaxed);
        }
        drop(desk);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // What a panic said is on standard error already.
            let _ = thread.join();
        }
    }
}

impl ProverState {
    /// The desk. Whoever panicked with it in hand left it whole: nothing is done to it in steps.
    fn desk(&self) -> MutexGuard<'_, ProverDesk> {
        self.desk.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// The thread's life.
    fn work(&self) {
        yield_to_all();
        while let Some(task) = self.next() {
            let stop = task.stop.clone();
            let sign = stop.clone();
            let stopped = move || sign.load(Ordering::Relaxed);
            let found = catch_unwind(AssertUnwindSafe(|| task.question.appraise(stopped)));
            self.desk().at_work = None;
            if let (Ok(Some(found)), false) = (found, stop.load(Ordering::Relaxed)) {
                (task.listener)(found);
            }
        }
    }

    /// The next question; waits for it. `None` when the desk closes.
    fn next(&self) -> Option<ProofTask> {
        let mut desk = self.desk();
        loop {
            if desk.closed {
                return None;
            }
            if let Some(task) = desk.waiting.pop_front() {
                desk.at_work = Some((task.tab, task.stop.clone()));
                return Some(task);
            }
            let woken = self.changed.wait(desk);
            desk = woken.unwrap_or_else(|error| error.into_inner());
        }
    }
}

/// Gives this thread the lowest priority, where a thread can have one of its own.
fn yield_to_all() {
    #[cfg(target_os = "linux")]
    // `None` is the calling thread, and 19 the lowest. With any other it only disturbs more.
    let _ = rustix::process::setpriority_process(None, 19);
}
