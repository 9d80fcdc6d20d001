//! The engines, each kept for its owner's next position, so that a search can continue with the
//! tree of the last one. Trees are large, so memory limits how many engines there are, idle and at
//! work.

use super::messages::Purpose;
use crate::engine::{engine_with, node_bytes, Engine, Networks};
use crate::record::Side;
use hexbot::cell::Color;
use hexbot::params::Params;

/// An open tab of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TabId(pub u64);

/// The owner of an engine. Each player and the analysis have their own, so that one's search does
/// not make another stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The tab.
    pub tab: TabId,
    /// The player in the tab's game; `None` for the analysis.
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

/// How many engines there may be, and how much memory they may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLimits {
    /// The most engines, at least 1.
    pub engines: usize,
    /// The most memory for all trees together, in bytes. A single engine may exceed it.
    pub memory: usize,
    /// The most memory for one tree, in bytes. A tree also never has more nodes than the bot's
    /// default.
    pub tree: usize,
}

impl CacheLimits {
    /// The parameters of engines for boards of `side`, with as large a tree as the limits allow.
    fn params(&self, side: Side) -> Params {
        let usual = Params::default();
        let most = self.tree / node_bytes(side);
        Params {
            max_nodes: usual.max_nodes.min(most),
            ..usual
        }
    }

    /// The memory of an engine's tree on boards of `side`, in bytes.
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

/// Engines that are no longer needed. Dropping one frees hundreds of megabytes, which takes a
/// while, so the caller drops them where no lock is held.
pub type Evicted<E = Engine> = Vec<E>;

/// An engine from the cache, or the recipe for a new one. Making one takes a while, so the caller
/// does it without holding the cache's lock.
pub enum CachedEngine<E = Engine> {
    /// The owner's engine, with the tree of its last search.
    Kept(E),
    /// A new engine, still to be made.
    New(NewEngine),
}

/// The recipe for an engine.
#[derive(Clone)]
pub struct NewEngine {
    side: Side,
    params: Params,
    seed: u64,
    networks: Networks,
}

impl CachedEngine {
    /// The engine; a new one is made now.
    pub fn engine(self) -> Engine {
        match self {
            CachedEngine::Kept(engine) => engine,
            CachedEngine::New(new) => {
                let network = new.networks.on(new.side);
                engine_with(new.side, &new.params, new.seed, network)
                    .expect("the page offers only sides that the engine plays")
            }
        }
    }
}

/// The idle engines, and who has the others.
pub struct EngineCache<E = Engine> {
    /// The most recently used come last.
    idle: Vec<Idle<E>>,
    /// The owners of the engines at work, and their boards.
    busy: Vec<(Owner, Side)>,
    limits: CacheLimits,
    seed: u64,
    networks: Networks,
}

impl<E> EngineCache<E> {
    /// An empty cache. The seeds of new engines count up from `seed`; they play with `networks`.
    pub fn new(limits: CacheLimits, seed: u64, networks: Networks) -> EngineCache<E> {
        EngineCache {
            idle: Vec::new(),
            busy: Vec::new(),
            limits,
            seed,
            networks,
        }
    }

    /// Whether the owner's engine is at work.
    pub fn is_busy(&self, owner: Owner) -> bool {
        self.busy.iter().any(|(other, _)| *other == owner)
    }

    /// The owner's engine for boards of this side, which is at work from now on; a new one if it
    /// has none. Evicts its engine for another side and, to make room for a new one, the least
    /// recently used engines. Drop these before making the new one. `None` if the engines at work
    /// leave no room: wait until one of them is put back.
    #[must_use]
    pub fn take(&mut self, owner: Owner, side: Side) -> Option<(CachedEngine<E>, Evicted<E>)> {
        let is_its = |idle: &Idle<E>| idle.owner == owner && idle.side == side;
        if let Some(at) = self.idle.iter().position(is_its) {
            self.busy.push((owner, side));
            let engine = self.idle.remove(at).engine;
            return Some((CachedEngine::Kept(engine), Evicted::new()));
        }
        if !self.busy.is_empty() && !self.has_room(&[], side) {
            return None;
        }
        let mut evicted = self.evict(|idle| idle.owner == owner);
        evicted.extend(self.make_room(side));
        self.busy.push((owner, side));
        let new = NewEngine {
            side,
            params: self.limits.params(side),
            seed: self.next_seed(),
            networks: self.networks.clone(),
        };
        Some((CachedEngine::New(new), evicted))
    }

    /// The next seed; no two are equal.
    pub(crate) fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(1);
        self.seed
    }

    /// The owner's engine is no longer at work: it is put back by [`EngineCache::keep`], or
    /// dropped.
    pub fn release(&mut self, owner: Owner) {
        self.busy.retain(|(other, _)| *other != owner);
    }

    /// Keeps an engine for its owner. Evicts the least recently used engines if there is no room.
    #[must_use]
    pub fn keep(&mut self, owner: Owner, side: Side, engine: E) -> Evicted<E> {
        self.release(owner);
        let mut evicted = self.evict(|idle| idle.owner == owner);
        evicted.extend(self.make_room(side));
        self.idle.push(Idle {
            owner,
            side,
            engine,
        });
        evicted
    }

    /// Evicts the least recently used engines until another one for boards of `side` fits, or none
    /// is left.
    fn make_room(&mut self, side: Side) -> Evicted<E> {
        let mut evicted = Evicted::new();
        while !self.idle.is_empty() && !self.has_room(&self.idle, side) {
            evicted.push(self.idle.remove(0).engine);
        }
        evicted
    }

    /// Whether another engine for boards of `side` fits beside those at work and those in `idle`.
    fn has_room(&self, idle: &[Idle<E>], side: Side) -> bool {
        let busy = self.busy.iter().map(|(_, side)| *side);
        let sides = idle.iter().map(|idle| idle.side).chain(busy).chain([side]);
        let bytes = sides.map(|side| self.limits.tree_bytes(side));
        let bytes = bytes.fold(0, usize::saturating_add);
        idle.len() + self.busy.len() < self.limits.engines && bytes <= self.limits.memory
    }

    /// Evicts all engines of a tab.
    #[must_use]
    pub fn forget(&mut self, tab: TabId) -> Evicted<E> {
        self.evict(|idle| idle.owner.tab == tab)
    }

    fn evict(&mut self, is_evicted: impl Fn(&Idle<E>) -> bool) -> Evicted<E> {
        let evicted = self.idle.extract_if(.., |idle| is_evicted(idle));
        evicted.map(|idle| idle.engine).collect()
    }
}
