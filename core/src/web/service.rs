//! All that a page needs: answers to its questions, and searches for the orders of all tabs. It
//! takes no time and no threads of its own. Whoever has threads takes a [`Round`] of the search
//! whose turn it is, runs it, and puts it back: many threads with a lock around the service, or one
//! that listens between rounds.
//!
//! Searches wait in one queue. A search that is not finished after a round goes to its end. So
//! every tab gets its share, however many there are. A search may ask for several threads. It then
//! gets, for a round, as many of the idle ones as no other search waits for.

use super::engine_cache::{CacheLimits, CachedEngine, EngineCache, Evicted, Owner, TabId};
use super::job::{Job, News, State};
use super::messages::ServerMessage;
use super::problem::Problem;
use super::questions::{PageAnswer, PageQuestion};
use super::replies::{job, SearchRequest};
use crate::engine::{Engine, StopSign};
use hexbot::network::Network;
use std::collections::{BTreeMap, VecDeque};
use std::mem::take;
use std::sync::Arc;
use std::time::Duration;

/// How much a service may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceLimits {
    /// Threads that search, for all tabs together.
    pub threads: usize,
    /// Tabs that may be open at a time.
    pub tabs: usize,
    /// Memory.
    pub cache: CacheLimits,
}

/// The service. A search is either in its queue or in one [`Round`], and of each tab one waits at
/// most.
pub struct Service {
    limits: ServiceLimits,
    queue: VecDeque<Job>,
    /// Whose engines are at work.
    busy: Vec<Owner>,
    /// How many threads have no round.
    idle_threads: usize,
    cache: EngineCache,
    tabs: BTreeMap<TabId, TabSearches>,
    last_tab: u64,
}

/// The searches of a tab, numbered from 1.
#[derive(Default)]
struct TabSearches {
    sign: StopSign,
    last: u64,
}

impl TabSearches {
    fn stop(&self) {
        self.sign.stop_up_to(self.last);
    }
}

impl Service {
    /// A service without tabs, whose random numbers begin at `seed` and whose engines play with
    /// `network`, or with playouts alone.
    pub fn new(limits: ServiceLimits, seed: u64, network: Option<Arc<Network>>) -> Service {
        Service {
            limits,
            queue: VecDeque::new(),
            busy: Vec::new(),
            idle_threads: limits.threads,
            cache: EngineCache::new(limits.cache, seed, network),
            tabs: BTreeMap::new(),
            last_tab: 0,
        }
    }

    /// Answers a question. It needs nothing that the service keeps, so nobody waits for others.
    ///
    /// # Errors
    /// If the question cannot be answered.
    pub fn answer(question: PageQuestion) -> Result<PageAnswer, Problem> {
        question.answer()
    }

    /// Opens a tab. `None` if too many are open.
    pub fn open_tab(&mut self) -> Option<TabId> {
        if self.tabs.len() >= self.limits.tabs {
            return None;
        }
        self.last_tab += 1;
        let tab = TabId(self.last_tab);
        self.tabs.insert(tab, TabSearches::default());
        Some(tab)
    }

    /// Ends a tab's search, and returns its engines, which nobody needs any more.
    #[must_use]
    pub fn close_tab(&mut self, tab: TabId) -> Evicted {
        self.stop(tab);
        self.tabs.remove(&tab);
        self.cache.forget(tab)
    }

    /// Ends a tab's search. What it still reports goes nowhere if the tab has let go of `send`.
    pub fn stop(&mut self, tab: TabId) {
        self.tabs.get(&tab).inspect(|searches| searches.stop());
        self.queue.retain(|job| job.owner.tab != tab);
    }

    /// Begins a search in place of the tab's last one. All replies go to `send`.
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
        self.queue.push_back(job(tab, search, seed, stop, send));
    }

    /// Takes a round of the first search whose engine is free, and with it some of the idle
    /// threads. `None` if there is no such search, or no thread.
    pub fn next_round(&mut self) -> Option<Round> {
        let is_free = |job: &Job| !self.busy.contains(&job.owner);
        let at = self.queue.iter().position(is_free)?;
        let for_others = self.queue.len() - 1;
        let spare = (self.idle_threads.checked_sub(1)?).saturating_sub(for_others);
        let job = self.queue.remove(at)?;
        let threads = job.threads.min(1 + spare);
        self.idle_threads -= threads;
        self.busy.push(job.owner);
        let (engine, evicted) = self.cache.take(job.owner, job.side());
        Some(Round {
            job,
            threads,
            engine: Some(engine),
            evicted,
            result: None,
        })
    }

    /// Puts back a round that was run, or that has failed. Returns engines that nobody needs any
    /// more.
    #[must_use]
    pub fn put_back(&mut self, round: Round) -> Evicted {
        let Round { job, result, .. } = round;
        self.idle_threads += round.threads;
        self.busy.retain(|owner| *owner != job.owner);
        let Some((engine, state)) = result else {
            return Evicted::new();
        };
        if !self.tabs.contains_key(&job.owner.tab) {
            return vec![engine];
        }
        let evicted = self.cache.keep(job.owner, job.side(), engine);
        // A search that was stopped has perhaps been followed by another, which waits already.
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

/// A part of a search, with all that it needs: to run it, nobody has to ask the service.
pub struct Round {
    job: Job,
    threads: usize,
    /// What to search with; none once it has begun.
    engine: Option<CachedEngine>,
    evicted: Evicted,
    /// The engine, and whether there is more to do; none before the end.
    result: Option<(Engine, State)>,
}

impl Round {
    /// Searches for at most `limit` and reports what was found. Runs once.
    ///
    /// # Panics
    /// If the engine does. It is then lost, as it may be half changed; call [`Round::fail`].
    pub fn run(&mut self, limit: Duration) {
        drop(take(&mut self.evicted));
        let Some(engine) = self.engine.take() else {
            return;
        };
        let mut engine = engine.engine();
        let state = self.job.round(&mut engine, limit, self.threads);
        self.result = Some((engine, state));
    }

    /// Reports that the engine has failed; `advice` says what helps to find out why.
    pub fn fail(&mut self, advice: &str) {
        (self.job.listener)(News::Failure(advice));
    }
}
