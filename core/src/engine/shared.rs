//! One search that several threads work on: what they do while they hold the lock. [`threads`] has
//! the lock and the threads.
//!
//! A simulation has two locked parts. [`SharedSearch::next_leaf`] selects a leaf, and
//! [`SharedSearch::absorb`] adds its evaluation to the tree. Both are the bot's own steps
//! ([`hexbot::search`]). In between, the thread evaluates the leaf without the lock: the leaf is
//! *pending*. Two rules keep the threads apart:
//!
//! - *Virtual losses*: when a move is selected, every pending leaf counts as a lost visit of each
//!   move on its path. Virtual losses are kept here, not in the tree. So values of nodes, stale
//!   edges, bias correction and proofs are the same as if one thread had evaluated the same leaves,
//!   and no virtual loss is left when the search ends.
//! - *No position twice*: a position is pending in at most one thread, even if several paths lead
//!   to it, so that no two threads evaluate or add it. A thread that arrives at a pending position
//!   has missed. It counts its path as one more virtual loss and selects again. After several
//!   misses in a row it waits until another thread has stored a result.
//!
//! Changes on the path of a pending leaf do no harm. A full tree that makes room keeps the nodes of
//! such paths. A proof that arrives twice changes nothing the second time. A visit that arrives
//! after a proof counts like those before it.
//!
//! [`threads`]: super::threads

use hexbot::board::Board;
use hexbot::cell::Cell;
use hexbot::evaluation::{Evaluation, Evaluator};
use hexbot::node::{NodeId, Proof};
use hexbot::position_key::PositionKey;
use hexbot::search::{Path, Search};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

/// A leaf that a thread evaluates.
pub struct Leaf<const N: usize> {
    path: Path<N>,
    board: Board<N>,
}

impl<const N: usize> Leaf<N> {
    /// The position.
    #[inline(always)]
    pub fn board(&self) -> &Board<N> {
        &self.board
    }

    /// How many moves lead to it from the root.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.path.len()
    }
}

/// What a thread shall do next.
#[allow(clippy::large_enum_variant)] // There is one a thread, and leaves are the rule.
pub enum NextLeaf<const N: usize> {
    /// Evaluate this leaf and pass the result to [`SharedSearch::absorb`].
    Leaf(Leaf<N>),
    /// Call again, so that other threads get the lock in between.
    Again,
    /// Wait until another thread has stored a result, and call again.
    Missed,
    /// Stop: nothing is left to do.
    Done,
}

/// What a search of several threads has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulationTally {
    /// Simulations.
    pub simulations: u64,
    /// Those of them that evaluated a leaf; the others reused the value of a node.
    pub leaves: u64,
}

/// A search and its pending leaves.
pub struct SharedSearch<'a, const N: usize, E> {
    search: &'a mut Search<N, E>,
    board: &'a Board<N>,
    root: NodeId,
    /// The most simulations.
    limit: u64,
    losses: VirtualLosses<N>,
    pending: HashSet<PositionKey<N>>,
    tally: SimulationTally,
}

impl<'a, const N: usize, E: Evaluator<N>> SharedSearch<'a, N, E> {
    /// The most simulations without an evaluation before others get the lock.
    const MOST_REUSED: usize = 16;
    /// A thread waits after this number of misses in a row.
    const MOST_MISSES: usize = 4;

    /// At most `limit` simulations of `board`, the position that `search` searched last. `None` if
    /// it has not searched any.
    pub fn new(search: &'a mut Search<N, E>, board: &'a Board<N>, limit: u64) -> Option<Self> {
        Some(SharedSearch {
            root: search.root_id()?,
            search,
            board,
            limit,
            losses: VirtualLosses::default(),
            pending: HashSet::new(),
            tally: SimulationTally::default(),
        })
    }

    /// Selects what a thread shall do next. Runs simulations that need no evaluation itself.
    #[inline(always)]
    pub fn next_leaf(&mut self) -> NextLeaf<N> {
        for _ in 0..Self::MOST_REUSED {
            if self.tally.simulations >= self.limit || !self.search.needs_simulations(self.root) {
                return NextLeaf::Done;
            }
            // The nodes on the paths to pending leaves are needed to store their results.
            self.search
                .make_room(|id| id == self.root || self.losses.has(id));
            let Some((leaf, known)) = self.select() else {
                return NextLeaf::Missed;
            };
            self.tally.simulations += 1;
            match known {
                Some(id) => {
                    let found = self.search.reuse_transposition(id);
                    self.search.absorb(&leaf.path, &leaf.board, found);
                }
                None => {
                    self.tally.leaves += 1;
                    self.pending.insert(leaf.board.position());
                    self.losses.add(&leaf.path);
                    return NextLeaf::Leaf(leaf);
                }
            }
        }
        NextLeaf::Again
    }

    /// A leaf that no other thread evaluates, or a path to a node whose value is reused. `None`
    /// after [`Self::MOST_MISSES`].
    #[inline(always)]
    fn select(&mut self) -> Option<(Leaf<N>, Option<NodeId>)> {
        let mut missed: SmallVec<[Path<N>; 1]> = SmallVec::new();
        let mut found = None;
        while found.is_none() && missed.len() < Self::MOST_MISSES {
            let (mut board, losses) = (self.board.clone(), &self.losses);
            let (path, known) = self
                .search
                .select(&mut board, self.root, |node, id, params| {
                    node.select_with_losses(losses.of(id), params)
                });
            if known.is_some() || !self.pending.contains(&board.position()) {
                found = Some((Leaf { path, board }, known));
            } else {
                self.losses.add(&path);
                missed.push(path);
            }
        }
        missed.iter().for_each(|path| self.losses.remove(path));
        found
    }

    /// Adds the result of [`Search::evaluate_leaf`] for a leaf to the tree.
    #[inline(always)]
    pub fn absorb(&mut self, leaf: &Leaf<N>, found: (Evaluation<N>, Option<Proof>)) {
        self.pending.remove(&leaf.board.position());
        self.losses.remove(&leaf.path);
        self.search.absorb(&leaf.path, &leaf.board, found);
    }

    /// The counts so far.
    pub fn tally(&self) -> SimulationTally {
        self.tally
    }
}

/// The moves on the paths to pending leaves, each as often as it occurs on such paths.
#[derive(Default)]
struct VirtualLosses<const N: usize>(HashMap<NodeId, SmallVec<[Cell<N>; 4]>>);

impl<const N: usize> VirtualLosses<N> {
    fn add(&mut self, path: &Path<N>) {
        for &(id, cell) in path {
            self.0.entry(id).or_default().push(cell);
        }
    }

    /// Removes what [`VirtualLosses::add`] added for this path.
    fn remove(&mut self, path: &Path<N>) {
        for &(id, cell) in path {
            let Some(lost) = self.0.get_mut(&id) else {
                continue;
            };
            if let Some(at) = lost.iter().position(|&other| other == cell) {
                lost.swap_remove(at);
            }
            if lost.is_empty() {
                self.0.remove(&id);
            }
        }
    }

    /// Returns true if the node is on the path to a pending leaf.
    fn has(&self, id: NodeId) -> bool {
        self.0.contains_key(&id)
    }

    /// The lost moves of a node.
    #[inline(always)]
    fn of(&self, id: NodeId) -> &[Cell<N>] {
        self.0.get(&id).map_or(&[], |lost| lost)
    }
}
