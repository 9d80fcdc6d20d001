//! The engines that wait for their owners' next positions, so that a search can begin with what
//! was found out before. An engine holds a tree of positions, so only as many are kept as memory
//! allows.

use super::messages::Purpose;
use crate::engine::{engine_with, node_bytes, Engine};
use crate::record::Side;
use hexbot::cell::Color;
use hexbot::network::Network;
use hexbot::params::Params;
use std::sync::Arc;

/// A tab, as long as it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TabId(pub u64);

/// Whose engine it is. What an analysis found out must not make a bot stronger, nor one bot the
/// other, so each has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The tab.
    pub tab: TabId,
    /// The player in this tab's game; `None` for the analysis.
    pub player: Option<Color>,
}

impl Owner {
    /// The owner of searches for this purpose.
    pub fn new(tab: TabId, to_move: Color, purpose: Purpose) -> Owner {
        let player = match purpose {
            Purpose::Move(_) => Some(to_move),
            Purpose::Pondering => Some(to_move.opponent()),
            Purpose::Analysis => None,
        };
        Owner { tab, player }
    }
}

/// How much the engines may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLimits {
    /// The most engines, at least 1: those that are kept, and one at work.
    pub engines: usize,
    /// What their trees may take together, in bytes.
    pub memory: usize,
    /// What the tree of one may take, in bytes; it has no more nodes than the bot's either.
    pub tree: usize,
}

impl CacheLimits {
    /// The parameters of engines for boards of `side`: a tree as large as memory allows.
    fn params(&self, side: Side) -> Params {
        let usual = Params::default();
        let most = self.tree / node_bytes(side);
        Params {
            max_nodes: usual.max_nodes.min(most),
            ..usual
        }
    }

    /// What the tree of an engine for boards of `side` takes, in bytes.
    fn tree_bytes(&self, side: Side) -> usize {
        self.params(side).max_nodes * node_bytes(side)
    }
}

/// An engine that waits for its owner's next position.
struct Idle<E> {
    owner: Owner,
    side: Side,
    engine: E,
}

/// Engines that nobody needs any more. To drop one gives hundreds of megabytes back, which takes a
/// while: the caller does it where nobody waits.
pub type Evicted<E = Engine> = Vec<E>;

/// An engine from the cache, or what a new one is made of: that takes a while, and the cache must
/// not wait for it.
pub enum CachedEngine<E = Engine> {
    /// The engine that knows the game already.
    Kept(E),
    /// Another one, still to be made.
    New(NewEngine),
}

/// What an engine is made of.
#[derive(Clone)]
pub struct NewEngine {
    side: Side,
    params: Params,
    seed: u64,
    network: Option<Arc<Network>>,
}

impl CachedEngine {
    /// The engine; a new one is made now.
    pub fn engine(self) -> Engine {
        match self {
            CachedEngine::Kept(engine) => engine,
            CachedEngine::New(new) => engine_with(new.side, &new.params, new.seed, new.network)
                .expect("the page offers only sides that the engine plays"),
        }
    }
}

/// The idle engines.
pub struct EngineCache<E = Engine> {
    /// Those used last come last.
    idle: Vec<Idle<E>>,
    limits: CacheLimits,
    seed: u64,
    network: Option<Arc<Network>>,
}

impl<E> EngineCache<E> {
    /// None yet; `seed` is where the seeds of new engines begin, `network` what they play with.
    pub fn new(limits: CacheLimits, seed: u64, network: Option<Arc<Network>>) -> EngineCache<E> {
        EngineCache {
            idle: Vec::new(),
            limits,
            seed,
            network,
        }
    }

    /// The owner's engine for boards of this side; a new one if it has none. One for another side
    /// goes, and so do those not used for the longest time if there is no room for the new one:
    /// drop them before it is made.
    #[must_use]
    pub fn take(&mut self, owner: Owner, side: Side) -> (CachedEngine<E>, Evicted<E>) {
        let at = self.idle.iter().position(|idle| idle.owner == owner);
        let found = at.map(|at| self.idle.remove(at));
        let (fits, others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|found| found.side == side);
        if let Some(engine) = engines(fits).pop() {
            return (CachedEngine::Kept(engine), Evicted::new());
        }
        let mut evicted = engines(others);
        evicted.extend(self.make_room(side));
        let new = NewEngine {
            side,
            params: self.limits.params(side),
            seed: self.next_seed(),
            network: self.network.clone(),
        };
        (CachedEngine::New(new), evicted)
    }

    /// A seed for another engine, never the same.
    pub fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(1);
        self.seed
    }

    /// Keeps an engine for its owner. Those that were not used for the longest time go when there
    /// is no room.
    #[must_use]
    pub fn keep(&mut self, owner: Owner, side: Side, engine: E) -> Evicted<E> {
        let is_older = |idle: &mut Idle<E>| idle.owner == owner;
        let mut evicted = engines(self.idle.extract_if(.., is_older));
        evicted.extend(self.make_room(side));
        self.idle.push(Idle {
            owner,
            side,
            engine,
        });
        evicted
    }

    /// Makes room for another engine for boards of `side`, if need be by all others.
    fn make_room(&mut self, side: Side) -> Evicted<E> {
        let mut evicted = Evicted::new();
        while !self.idle.is_empty() && !self.has_room(side) {
            evicted.push(self.idle.remove(0).engine);
        }
        evicted
    }

    fn has_room(&self, side: Side) -> bool {
        let sides = self.idle.iter().map(|idle| idle.side).chain([side]);
        let bytes: usize = sides.map(|side| self.limits.tree_bytes(side)).sum();
        self.idle.len() < self.limits.engines && bytes <= self.limits.memory
    }

    /// Takes away what belongs to a tab.
    #[must_use]
    pub fn forget(&mut self, tab: TabId) -> Evicted<E> {
        let is_its = |idle: &mut Idle<E>| idle.owner.tab == tab;
        engines(self.idle.extract_if(.., is_its))
    }
}

fn engines<E>(idle: impl IntoIterator<Item = Idle<E>>) -> Evicted<E> {
    idle.into_iter().map(|idle| idle.engine).collect()
}
