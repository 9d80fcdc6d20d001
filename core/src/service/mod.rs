//! The service of the page, the npm package and the Python package: it answers questions, and
//! searches for the orders of all tabs. Nothing here knows how messages travel. The server of `hex
//! web` uses HTTP and a socket, the page without a server messages to a worker; both find what a
//! request asks in one table ([`routes`]).
//!
//! The [`Service`] has no threads of its own. A caller's thread takes a [`Round`] of the next
//! search, runs it, and puts it back. There may be many threads with a lock around the service, or
//! a single one that reads messages between rounds.
//!
//! Searches wait in one queue. The clients take turns in it, and each client's tabs, because a
//! search that is not finished after a round goes to the queue's end. A search that wants several
//! threads gets, for one round, the idle threads that no other search waits for.

pub mod problem;
pub mod view;
pub mod variations;
pub mod questions;
pub mod routes;
pub mod messages;
pub mod turns;
pub mod engine_cache;
pub mod job;
pub mod orders;

use self::engine_cache::{CacheLimits, CachedEngine, EngineCache, Evicted, TabId};
use self::job::{Job, News, SearchRequest, State};
use self::messages::ServerMessage;
use self::turns::{ClientId, Turns};
use crate::engine::{Engine, Networks, StopSign};
use std::collections::{BTreeMap, VecDeque};
use std::mem::take;
use std::time::Duration;

/// The limits of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceLimits {
    /// The threads that search, for all tabs together.
    pub threads: usize,
    /// The most tabs that may be open at the same time.
    pub tabs: usize,
    /// The most tabs of one client.
    pub tabs_of_a_client: usize,
    /// The engines and their memory.
    pub cache: CacheLimits,
}

/// Why a tab cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooManyTabs {
    /// All clients together have as many as there may be.
    #[error("{0} tabs are open already; close some")]
    OfAll(usize),
    /// The client has as many as it may have.
    #[error("{0} tabs of this machine are open already; close some")]
    OfClient(usize),
}

/// The service. A search is either in its queue or in one [`Round`]. Each tab has at most one
/// search in the queue.
pub struct Service {
    limits: ServiceLimits,
    queue: VecDeque<Job>,
    turns: Turns,
    /// The number of threads without a round.
    idle_threads: usize,
    cache: EngineCache,
    tabs: BTreeMap<TabId, TabSearches>,
    last_tab: u64,
}

/// The searches of a tab, numbered from 1.
struct TabSearches {
    client: ClientId,
    sign: StopSign,
    last: u64,
}

impl TabSearches {
    fn stop(&self) {
        self.sign.stop_up_to(self.last);
    }
}

impl Service {
    /// A service without tabs. Its random numbers depend on `seed`. Its engines play with
    /// `networks`.
    pub fn new(limits: ServiceLimits, seed: u64, networks: Networks) -> Service {
        Service {
            limits,
            queue: VecDeque::new(),
            turns: Turns::default(),
            idle_threads: limits.threads,
            cache: EngineCache::new(limits.cache, seed, networks),
            tabs: BTreeMap::new(),
            last_tab: 0,
        }
    }

    /// Opens a tab of a client.
    ///
    /// # Errors
    /// If too many are open.
    pub fn open_tab(&mut self, client: ClientId) -> Result<TabId, TooManyTabs> {
        let ServiceLimits {
            tabs,
            tabs_of_a_client,
            ..
        } = self.limits;
        if self.tabs.len() >= tabs {
            return Err(TooManyTabs::OfAll(tabs));
        }
        if self.tabs_of(client) >= tabs_of_a_client {
            return Err(TooManyTabs::OfClient(tabs_of_a_client));
        }
        self.last_tab += 1;
        let tab = TabId(self.last_tab);
        let searches = TabSearches {
            client,
            sign: StopSign::default(),
            last: 0,
        };
        self.tabs.insert(tab, searches);
        self.turns.enter(client);
        Ok(tab)
    }

    fn tabs_of(&self, client: ClientId) -> usize {
        let its = self.tabs.values().filter(|tab| tab.client == client);
        its.count()
    }

    /// Closes a tab: stops its search, and returns its engines to be dropped.
    #[must_use]
    pub fn close_tab(&mut self, tab: TabId) -> Evicted {
        self.stop(tab);
        if let Some(TabSearches { client, .. }) = self.tabs.remove(&tab) {
            if self.tabs_of(client) == 0 {
                self.turns.leave(client);
            }
        }
        self.cache.forget(tab)
    }

    /// Stops a tab's search. A round at work still reports its last result.
    pub fn stop(&mut self, tab: TabId) {
        self.tabs.get(&tab).inspect(|searches| searches.stop());
        self.queue.retain(|job| job.owner.tab != tab);
    }

    /// Replaces the tab's search by a new one. All replies go to `send`.
    pub fn begin(
        &mut self,
        tab: TabId,
        search: SearchRequest,
        send: impl FnMut(ServerMessage) + Send + 'static,
    ) {
        self.stop(tab);
        let Some(searches) = self.tabs.get_mut(&tab) else {
            return;
        };
        searches.last += 1;
        let stop = searches.sign.for_task(searches.last);
        let seed = self.cache.next_seed();
        self.queue
            .push_back(Job::new(tab, search, seed, stop, send));
    }

    /// Takes a round of the next search whose engine is not at work, with one or more idle threads.
    /// `None` if there is no such search, no idle thread, or no room for its engine: then no other
    /// search goes before it, so that it has room at last.
    pub fn next_round(&mut self) -> Option<Round> {
        let for_others = self.queue.len().checked_sub(1)?;
        let spare = (self.idle_threads.checked_sub(1)?).saturating_sub(for_others);
        let waiting = self.queue.iter().enumerate().filter_map(|(at, job)| {
            let client = self.tabs.get(&job.owner.tab)?.client;
            (!self.cache.is_busy(job.owner)).then_some((client, (at, client)))
        });
        let (at, client) = self.turns.next(waiting)?;
        let (owner, side) = (self.queue[at].owner, self.queue[at].side());
        let (engine, evicted) = self.cache.take(owner, side)?;
        let job = self.queue.remove(at)?;
        self.turns.take(client);
        let threads = job.threads.min(1 + spare);
        self.idle_threads -= threads;
        Some(Round {
            job,
            threads,
            engine: Some(engine),
            evicted,
            result: None,
        })
    }

    /// Puts back a round that was run or has failed. Returns engines to be dropped.
    #[must_use]
    pub fn put_back(&mut self, round: Round) -> Evicted {
        let Round { job, result, .. } = round;
        self.idle_threads += round.threads;
        self.cache.release(job.owner);
        let Some((engine, state)) = result else {
            return Evicted::new();
        };
        if !self.tabs.contains_key(&job.owner.tab) {
            return vec![engine];
        }
        let evicted = self.cache.keep(job.owner, job.side(), engine);
        // A stopped search may have been replaced by another one, which is in the queue already.
        if state == State::Unfinished && !job.stop.is_set() {
            self.queue.push_back(job);
        }
        evicted
    }

    /// Returns true if a search waits for its next round.
    pub fn has_searches(&self) -> bool {
        !self.queue.is_empty()
    }
}

/// A part of a search. It contains all that it needs, so it runs without the service.
pub struct Round {
    job: Job,
    threads: usize,
    /// The engine; `None` once the round has begun.
    engine: Option<CachedEngine>,
    evicted: Evicted,
    /// The engine, and whether the search continues; `None` before the end of the round.
    result: Option<(Engine, State)>,
}

impl Round {
    /// The tab whose search it is.
    pub fn tab(&self) -> TabId {
        self.job.owner.tab
    }

    /// Searches for at most `limit` and reports what was found. Runs once.
    ///
    /// # Panics
    /// If the engine panics. The engine is then dropped, because it may be half changed; call
    /// [`Round::fail`].
    pub fn run(&mut self, limit: Duration) {
        drop(take(&mut self.evicted));
        let Some(engine) = self.engine.take() else {
            return;
        };
        let mut engine = engine.engine();
        let state = self.job.round(&mut engine, limit, self.threads);
        self.result = Some((engine, state));
    }

    /// Reports that the engine has failed, with `advice` on how to find out why.
    pub fn fail(&mut self, advice: &str) {
        (self.job.listener)(News::Failure(advice));
    }
}
