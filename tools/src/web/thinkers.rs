//! A fixed number of threads that think for all tabs. Work waits in one queue; a thread takes the
//! first, thinks for a moment, and puts it at the end if it is not finished. So every tab gets its
//! share, requests always find the other cores free, and the number of tabs does not matter for
//! that.

use super::job::{Job, News, State};
use super::minds::{new_engine, Minds, TabId};
use crate::engine::Engine;
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
    minds: Minds,
    tabs: BTreeSet<TabId>,
    next_tab: u64,
    closed: bool,
}

impl Desk {
    fn new_mind(&mut self) -> Mind {
        Mind::New {
            seed: self.minds.next_seed(),
        }
    }
}

/// What a thread thinks with.
enum Mind {
    /// The engine that knows the game already.
    Kept(Box<dyn Engine>),
    /// Another one, still to be made: that takes a while, and the desk must not wait for it.
    New { seed: u64 },
}

impl Thinkers {
    /// `threads` threads; `seed` is where the seeds of their engines begin.
    pub fn new(threads: usize, seed: u64) -> Thinkers {
        let shared = Arc::new(Shared {
            desk: Mutex::new(Desk {
                waiting: VecDeque::new(),
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
        }
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
        while let Some((mut job, mind)) = self.next() {
            let mut mind = match mind {
                Mind::Kept(engine) => engine,
                Mind::New { seed } => new_engine(job.position.side(), seed),
            };
            let round = AssertUnwindSafe(|| job.round(mind.as_mut(), ROUND));
            let Ok(state) = catch_unwind(round) else {
                // The engine may be half changed, so it is not kept.
                (job.listener)(News::Failure);
                continue;
            };
            self.put_back(job, mind, state);
        }
    }

    /// The first job that somebody still wants, and with what mind; waits for it. `None` when the
    /// desk closes.
    fn next(&self) -> Option<(Job, Mind)> {
        let mut desk = self.desk();
        loop {
            if desk.closed {
                return None;
            }
            match desk.waiting.pop_front() {
                Some(job) if job.stop.is_set() => {}
                Some(job) => {
                    let kept = desk.minds.take(job.owner, job.position.side());
                    let mind = kept.map_or_else(|| desk.new_mind(), Mind::Kept);
                    return Some((job, mind));
                }
                None => {
                    let woken = self.changed.wait(desk);
                    desk = woken.unwrap_or_else(|error| error.into_inner());
                }
            }
        }
    }

    fn put_back(&self, job: Job, mind: Box<dyn Engine>, state: State) {
        let mut desk = self.desk();
        if !desk.tabs.contains(&job.owner.tab) {
            return;
        }
        desk.minds.keep(job.owner, job.position.side(), mind);
        // A job that was stopped has perhaps been followed by another, which waits already.
        if state == State::Unfinished && !job.stop.is_set() {
            desk.waiting.push_back(job);
        }
    }
}
