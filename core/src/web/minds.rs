//! The engines of all tabs, so that a thought can begin with what was found out before. An engine
//! holds a tree of positions, so only as many are kept as memory allows.

use super::messages::Purpose;
use crate::engine::{engine, searched_side, Engine};
use crate::record::Side;
use hexbot::cell::Color;
use hexbot::params::Params;

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
    /// The owner of thoughts for this purpose.
    pub fn new(tab: TabId, to_move: Color, purpose: Purpose) -> Owner {
        let player = match purpose {
            Purpose::Move(_) => Some(to_move),
            Purpose::Pondering => Some(to_move.opponent()),
            Purpose::Analysis => None,
        };
        Owner { tab, player }
    }
}

/// Memory that idle engines may hold together, in bytes.
const MEMORY: usize = 1 << 30;

/// What an engine's tree takes for each cell of each of its positions, in bytes.
const BYTES_A_MOVE: usize = 32;

/// The most memory that the tree of an engine of this side takes.
fn memory(side: Side) -> usize {
    Params::default().max_nodes * searched_side(side).pow(2) * BYTES_A_MOVE
}

/// An engine that waits for its owner's next position.
struct Idle<E> {
    owner: Owner,
    side: Side,
    engine: E,
}

/// Engines that nobody needs any more. To drop one gives hundreds of megabytes back, which takes a
/// while: the caller does it where nobody waits.
pub type LetGo<E = Engine> = Vec<E>;

/// What was found of an owner.
pub struct Found<E> {
    /// The owner's engine for boards of that side.
    pub engine: Option<E>,
    /// Those that nobody needs any more.
    pub let_go: LetGo<E>,
}

/// The idle engines.
pub struct Minds<E = Engine> {
    /// Those used last come last.
    idle: Vec<Idle<E>>,
    seed: u64,
}

impl<E> Minds<E> {
    /// None yet; `seed` is where the seeds of new engines begin.
    pub fn new(seed: u64) -> Minds<E> {
        Minds {
            idle: Vec::new(),
            seed,
        }
    }

    /// The owner's engine, if it has one for boards of this side. One for another side is let go.
    #[must_use]
    pub fn take(&mut self, owner: Owner, side: Side) -> Found<E> {
        let at = self.idle.iter().position(|idle| idle.owner == owner);
        let found = at.map(|at| self.idle.remove(at));
        let (fits, others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|found| found.side == side);
        Found {
            engine: engines(fits).pop(),
            let_go: engines(others),
        }
    }

    /// A seed for another engine, never the same.
    pub fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(1);
        self.seed
    }

    /// Keeps an engine for its owner. Those that were not used for the longest time go when there
    /// is no room.
    #[must_use]
    pub fn keep(&mut self, owner: Owner, side: Side, engine: E) -> LetGo<E> {
        let is_older = |idle: &mut Idle<E>| idle.owner == owner;
        let mut let_go: Vec<Idle<E>> = self.idle.extract_if(.., is_older).collect();
        self.idle.push(Idle {
            owner,
            side,
            engine,
        });
        while self.held() > MEMORY {
            let_go.push(self.idle.remove(0));
        }
        engines(let_go)
    }

    /// The most memory that the idle engines take.
    fn held(&self) -> usize {
        self.idle.iter().map(|idle| memory(idle.side)).sum()
    }

    /// Takes away what belongs to a tab.
    #[must_use]
    pub fn forget(&mut self, tab: TabId) -> LetGo<E> {
        let is_its = |idle: &mut Idle<E>| idle.owner.tab == tab;
        engines(self.idle.extract_if(.., is_its))
    }
}

fn engines<E>(idle: impl IntoIterator<Item = Idle<E>>) -> LetGo<E> {
    idle.into_iter().map(|idle| idle.engine).collect()
}

/// A new engine.
pub fn new_engine(side: Side, seed: u64) -> Engine {
    engine(side, &Params::default(), seed)
        .expect("the page offers only sides that the engine plays")
}
