//! A fixed number of threads that think for all tabs. Work waits in one queue; a thread takes the
//! first, thinks for a moment, and puts it at the end if it is not finished. So every tab gets its
//! share, requests always find the other cores free, and the number of tabs does not matter for
//! that.
//!
//! A job may ask for several threads. It then gets, for a moment, as many of those that are idle as
//! no other job waits for; the threads that think never are more than there are.

use super::job::{Job, News, State};
use super::minds::{new_engine, LetGo, Minds, Owner, TabId};
use hex_core::engine::Engine;
use std::collections::{BTreeSet, VecDeque};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a thread thinks about one position before it looks at the next that waits.
const ROUND: Duration = Duration::from_millis(500);

/// The threads. Dropping them ends all thinking and waits for it.
pub struct Thinkers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    count: usize,
}

struct Shared {
    desk: Mutex<Desk>,
    /// Something waits, or the desk closes.
    changed: Condvar,
}

/// What the threads share. A job is either here or with one thread, and of each tab one waits at
/// most.
struct Desk {
    waiting: VecDeque<Job>,
    /// Whose engines are in use.
    busy: Vec<Owner>,
    /// How many threads no job has.
    idle: usize,
    minds: Minds,
    tabs: BTreeSet<TabId>,
    next_tab: u64,
    closed: bool,
}

impl Desk {
    /// Takes the first job whose owner's engine is free, and with it some of the idle threads.
    fn take_job(&mut self) -> Option<Taken> {
        self.waiting.retain(|job| !job.stop.is_set());
        let is_free = |job: &Job| !self.busy.contains(&job.owner);
        let at = self.waiting.iter().position(is_free)?;
        let for_others = self.waiting.len() - 1;
        let spare = (self.idle.checked_sub(1)?).saturating_sub(for_others);
        let job = self.waiting.remove(at)?;
        let threads = job.threads.min(1 + spare);
        self.idle -= threads;
        self.busy.push(job.owner);
        let found = self.minds.take(job.owner, job.side());
        let mind = found.engine.map_or_else(|| self.new_mind(), Mind::Kept);
        Some(Taken {
            job,
            mind,
            threads,
            let_go: found.let_go,
        })
    }

    fn new_mind(&mut self) -> Mind {
        Mind::New {
            seed: self.minds.next_seed(),
        }
    }
}

/// A job that is to be worked at, with what.
struct Taken {
    job: Job,
    mind: Mind,
    threads: usize,
    /// What is dropped once nobody waits for the desk.
    let_go: LetGo,
}

/// What a thread thinks with.
enum Mind {
    /// The engine that knows the game already.
    Kept(Engine),
    /// Another one, still to be made: that takes a while, and the desk must not wait for it.
    New { seed: u64 },
}

impl Thinkers {
    /// `threads` threads; `seed` is where the seeds of their engines begin.
    pub fn new(threads: usize, seed: u64) -> Thinkers {
        let shared = Arc::new(Shared {
            desk: Mutex::new(Desk {
                waiting: VecDeque::new(),
                busy: Vec::new(),
                idle: threads,
                minds: Minds::new(seed),
                tabs: BTreeSet::new(),
                next_tab: 1,
                closed: false,
            }),
            changed: Condvar::new(),
        });
        let start = |_| {
            let shared = shared.clone();
            std::thread::spawn(move || shared.work())
        };
        Thinkers {
            threads: (0..threads).map(start).collect(),
            shared,
            count: threads,
        }
    }

    /// How many threads there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A tab has been opened. `None` if `most` are open.
    pub fn open_tab(&self, most: usize) -> Option<TabId> {
        let mut desk = self.shared.desk();
        if desk.tabs.len() >= most {
            return None;
        }
        let tab = TabId(desk.next_tab);
        desk.next_tab += 1;
        desk.tabs.insert(tab);
        Some(tab)
    }

    /// A tab has been closed: what waits for it and its engines are let go.
    pub fn close_tab(&self, tab: TabId) {
        let mut desk = self.shared.desk();
        desk.tabs.remove(&tab);
        desk.waiting.retain(|job| job.owner.tab != tab);
        let forgotten = desk.minds.forget(tab);
        // Nobody is to wait for the desk while their memory is given back.
        drop(desk);
        drop(forgotten);
    }

    /// Puts a job at the end of the queue, in place of what waits for the same tab.
    pub fn begin(&self, job: Job) {
        let mut desk = self.shared.desk();
        desk.waiting.retain(|old| old.owner.tab != job.owner.tab);
        desk.waiting.push_back(job);
        self.shared.changed.notify_one();
    }

    /// A seed that no engine has got.
    pub fn next_seed(&self) -> u64 {
        self.shared.desk().minds.next_seed()
    }
}

impl Drop for Thinkers {
    fn drop(&mut self) {
        self.shared.desk().closed = true;
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // What a panic said is on standard error already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// The desk. Whoever panicked with it in hand left it whole: nothing is done to it in steps.
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// A thread's life.
    fn work(&self) {
        while let Some(taken) = self.next() {
            let (mut job, threads) = (taken.job, taken.threads);
            drop(taken.let_go);
            let round = AssertUnwindSafe(|| {
                let mut mind = match taken.mind {
                    Mind::Kept(engine) => engine,
                    Mind::New { seed } => new_engine(job.side(), seed),
                };
                let state = job.round(&mut mind, ROUND, threads);
                (mind, state)
            });
            let thought = catch_unwind(round);
            if thought.is_err() {
                // The engine may be half changed, so it is not kept.
                (job.listener)(News::Failure);
            }
            self.put_back(job, thought.ok(), threads);
        }
    }

    /// The first job that somebody still wants; waits for it. `None` when the desk closes.
    fn next(&self) -> Option<Taken> {
        let mut desk = self.desk();
        loop {
            if desk.closed {
                return None;
            }
            if let Some(taken) = desk.take_job() {
                return Some(taken);
            }
            let woken = self.changed.wait(desk);
            desk = woken.unwrap_or_else(|error| error.into_inner());
        }
    }

    fn put_back(&self, job: Job, thought: Option<(Engine, State)>, threads: usize) {
        let mut desk = self.desk();
        desk.idle += threads;
        desk.busy.retain(|owner| *owner != job.owner);
        self.changed.notify_all();
        if !desk.tabs.contains(&job.owner.tab) {
            return;
        }
        let Some((mind, state)) = thought else { return };
        let let_go = desk.minds.keep(job.owner, job.side(), mind);
        // A job that was stopped has perhaps been followed by another, which waits already.
        if state == State::Unfinished && !job.stop.is_set() {
            desk.waiting.push_back(job);
        }
        drop(desk);
        drop(let_go);
    }
}
