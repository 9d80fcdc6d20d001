//! The [`Service`] of a page that has no server: one tab, and one thread that searches for a moment
//! at a time, so that it can listen between.

use hex_core::engine::Networks;
use hex_core::service::engine_cache::{CacheLimits, TabId};
use hex_core::service::messages::ServerMessage;
use hex_core::service::orders::{Accepted, ThreadLimit};
use hex_core::service::turns::ClientId;
use hex_core::service::{Service, ServiceLimits};
use std::collections::VecDeque;
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a position is searched before the page can say something else. Numbers of simulations
/// are run at once.
const ROUND: Duration = Duration::from_millis(100);

/// What an engine's tree may take, in bytes. Memory that a page has once had it keeps.
const TREE: usize = 32 << 20;

/// Two engines: a bot's and the analysis', or two bots'.
const LIMITS: ServiceLimits = ServiceLimits {
    threads: 1,
    tabs: 1,
    tabs_of_a_client: 1,
    cache: CacheLimits {
        engines: 2,
        memory: 2 * TREE,
        tree: TREE,
    },
};

const THREADS: ThreadLimit = ThreadLimit {
    most: LIMITS.threads,
    advice: "a page without a server has one",
};

/// What is still to be said to the page.
#[derive(Clone, Default)]
struct Outbox(Arc<Mutex<VecDeque<ServerMessage>>>);

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, VecDeque<ServerMessage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, message: ServerMessage) {
        self.lock().push_back(message);
    }
}

/// The service, and what it has to say to the page.
pub struct PageWorker {
    service: Service,
    tab: TabId,
    outbox: Outbox,
}

impl PageWorker {
    /// A worker whose random numbers begin at `seed`.
    pub fn new(seed: u64) -> Self {
        let mut service = Service::new(LIMITS, seed, Networks::Shipped);
        let tab = service.open_tab(ClientId::ONLY).expect("it is the first");
        PageWorker {
            service,
            tab,
            outbox: Outbox::default(),
        }
    }

    /// Takes an order. Replies to it are in [`PageWorker::messages`], some only after searching; a
    /// proof is searched for before this returns.
    pub fn order(&mut self, text: &str) {
        match Accepted::read(text, THREADS) {
            Ok(Accepted::Stop) => self.service.stop(self.tab),
            Ok(Accepted::Answered(reply)) => {
                self.service.stop(self.tab);
                self.outbox.push(reply);
            }
            Ok(Accepted::Search(search)) => {
                let outbox = self.outbox.clone();
                let send = move |reply| outbox.push(reply);
                self.service.begin(self.tab, search, send);
            }
            Ok(Accepted::Proof(proof)) => {
                if let Some(reply) = proof.reply(|| false) {
                    self.outbox.push(reply);
                }
            }
            Err(refusal) => self.outbox.push(refusal),
        }
    }

    /// Searches for a moment. Returns true if there is more to search.
    pub fn search(&mut self) -> bool {
        let Some(mut round) = self.service.next_round() else {
            return false;
        };
        round.run(ROUND);
        drop(self.service.put_back(round));
        self.service.has_searches()
    }

    /// What is to be said to the page, in order. It is said once.
    pub fn messages(&mut self) -> impl Iterator<Item = ServerMessage> {
        take(&mut *self.outbox.lock()).into_iter()
    }
}
