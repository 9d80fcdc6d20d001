//! A fixed number of threads that search for all tabs. They take rounds from the [`Service`], which
//! distributes them among the searches. So the other cores stay free for requests, independent of
//! the number of tabs.

use hex_common::system::{return_memory, MachineError};
use hex_common::workers::beside;
use hex_core::engine::threads::THREADS;
use hex_core::engine::Networks;
use hex_core::service::engine_cache::{CacheLimits, Evicted, TabId};
use hex_core::service::job::SearchRequest;
use hex_core::service::messages::ServerMessage;
use hex_core::service::turns::ClientId;
use hex_core::service::{Round, Service, ServiceLimits, TooManyTabs};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

/// The length of a round, after which a waiting search gets its turn.
const ROUND: Duration = Duration::from_millis(500);

/// The most open tabs.
const MAX_TABS: usize = 64;

/// The most open tabs of one client, so that none keeps out the others.
const MAX_TABS_OF_A_CLIENT: usize = MAX_TABS / 2;

/// The limits of engines: any number of them that fits the memory, with trees as large as the
/// bot's. The engines at work count.
const CACHE: CacheLimits = CacheLimits {
    engines: usize::MAX,
    memory: 1 << 30,
    tree: 1 << 30,
};

/// The advice to a user after a failure of the engine.
const ADVICE: &str = "the server's terminal shows the reason";

/// The threads. Dropping them ends all searches and waits for it.
pub(crate) struct SearchThreads {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    count: usize,
}

struct Shared {
    state: Mutex<SharedState>,
    /// Notified when a search waits, a thread or an engine becomes free, or the server closes.
    changed: Condvar,
}

struct SharedState {
    service: Service,
    is_closed: bool,
}

impl SearchThreads {
    /// Starts `threads` threads. The seeds of their engines count up from `seed`; they play with
    /// `networks`.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(crate) fn new(
        threads: usize,
        seed: u64,
        networks: Networks,
    ) -> Result<SearchThreads, MachineError> {
        let limits = ServiceLimits {
            threads,
            tabs: MAX_TABS,
            tabs_of_a_client: MAX_TABS_OF_A_CLIENT,
            cache: CACHE,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(SharedState {
                service: Service::new(limits, seed, networks),
                is_closed: false,
            }),
            changed: Condvar::new(),
        });
        let mut started = SearchThreads {
            threads: Vec::new(),
            shared,
            count: threads,
        };
        for _ in 0..threads {
            let shared = started.shared.clone();
            started.threads.push(beside(move || shared.work())?);
        }
        Ok(started)
    }

    /// The most threads of one search: all of them, up to the number that can share a tree.
    pub(crate) fn most_for_a_search(&self) -> usize {
        self.count.min(*THREADS.end())
    }

    /// Opens a tab of a client.
    ///
    /// # Errors
    /// If too many are open.
    pub(crate) fn open_tab(&self, client: ClientId) -> Result<TabId, TooManyTabs> {
        self.shared.lock().service.open_tab(client)
    }

    /// Closes a tab: stops its search, and drops its engines.
    pub(crate) fn close_tab(&self, tab: TabId) {
        let evicted = self.shared.lock().service.close_tab(tab);
        free(evicted);
    }

    /// Stops a tab's search.
    pub(crate) fn stop(&self, tab: TabId) {
        self.shared.lock().service.stop(tab);
    }

    /// Replaces the tab's search by a new one.
    pub(crate) fn begin(
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
            // The message of a panic is on standard error already.
            let _ = thread.join();
        }
    }
}

/// Frees engines. It takes a while, so call it without the lock.
fn free(evicted: Evicted) {
    if !evicted.is_empty() {
        drop(evicted);
        return_memory();
    }
}

impl Shared {
    /// The state. It is consistent even after a panic, because no change of it has several steps.
    fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// A thread's loop.
    fn work(&self) {
        while let Some(mut round) = self.next() {
            if catch_unwind(AssertUnwindSafe(|| round.run(ROUND))).is_err() {
                round.fail(ADVICE);
            }
            let evicted = self.lock().service.put_back(round);
            self.changed.notify_all();
            free(evicted);
        }
    }

    /// Waits for the next round. `None` when the server closes.
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
