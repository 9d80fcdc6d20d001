//! A fixed number of threads that search for all tabs. They take rounds from the [`Service`], which
//! shares them among the searches. So requests always find the other cores free, however many tabs
//! there are.

use super::engine_cache::{CacheLimits, TabId};
use super::messages::ServerMessage;
use super::replies::SearchRequest;
use super::service::{Round, Service, ServiceLimits};
use hex_core::engine::threads::THREADS;
use hexbot::network::Network;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a thread searches before it looks at what else waits.
const ROUND: Duration = Duration::from_millis(500);

/// Tabs that may be open at a time.
pub const MAX_TABS: usize = 64;

/// What engines may take: as many of them as have room in memory, with trees as large as the bot's.
const CACHE: CacheLimits = CacheLimits {
    engines: usize::MAX,
    memory: 1 << 30,
    tree: 1 << 30,
};

/// What helps whoever reads that the engine has failed.
const ADVICE: &str = "the server's terminal tells more";

/// The threads. Dropping them ends all searches and waits for it.
pub struct SearchThreads {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    count: usize,
}

struct Shared {
    state: Mutex<SharedState>,
    /// A search waits, a thread or an engine has become free, or the server closes.
    changed: Condvar,
}

struct SharedState {
    service: Service,
    is_closed: bool,
}

impl SearchThreads {
    /// `threads` threads; `seed` is where the seeds of their engines begin, `network` what these
    /// play with.
    pub fn new(threads: usize, seed: u64, network: Option<Arc<Network>>) -> SearchThreads {
        let limits = ServiceLimits {
            threads,
            tabs: MAX_TABS,
            cache: CACHE,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(SharedState {
                service: Service::new(limits, seed, network),
                is_closed: false,
            }),
            changed: Condvar::new(),
        });
        let start = |_| {
            let shared = shared.clone();
            std::thread::spawn(move || shared.work())
        };
        SearchThreads {
            threads: (0..threads).map(start).collect(),
            shared,
            count: threads,
        }
    }

    /// How many threads one search may have: those that there are, as far as they can share a tree.
    pub fn most_for_a_search(&self) -> usize {
        self.count.min(*THREADS.end())
    }

    /// A tab has been opened. `None` if [`MAX_TABS`] are open.
    pub fn open_tab(&self) -> Option<TabId> {
        self.shared.lock().service.open_tab()
    }

    /// A tab has been closed: its search ends, and its engines go.
    pub fn close_tab(&self, tab: TabId) {
        let evicted = self.shared.lock().service.close_tab(tab);
        // Nobody waits for the lock while their memory is given back.
        drop(evicted);
    }

    /// Ends a tab's search.
    pub fn stop(&self, tab: TabId) {
        self.shared.lock().service.stop(tab);
    }

    /// Begins a search in place of the tab's last one.
    pub fn begin(
        &self,
        tab: TabId,
        search: SearchRequest,
        send: impl FnMut(ServerMessage) + Send + 'static,
    ) {
        self.shared.lock().service.begin(tab, search, send);
        self.shared.changed.notify_one();
    }
}

impl Drop for SearchThreads {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // What a panic said is on standard error already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// The state. Whoever panicked with the lock in hand left it whole: nothing is done to it in
    /// steps.
    fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// A thread's life.
    fn work(&self) {
        while let Some(mut round) = self.next() {
            if catch_unwind(AssertUnwindSafe(|| round.run(ROUND))).is_err() {
                round.fail(ADVICE);
            }
            let evicted = self.lock().service.put_back(round);
            self.changed.notify_all();
            drop(evicted);
        }
    }

    /// The next round; waits for it. `None` when the server closes.
    fn next(&self) -> Option<Round> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(round) = state.service.next_round() {
                return Some(round);
            }
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(|error| error.into_inner());
        }
    }
}
