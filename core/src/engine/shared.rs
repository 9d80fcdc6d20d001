//! One search that several threads work on. Here is what they do with the lock in hand; [`threads`]
//! has the lock and the threads.
//!
//! A simulation is cut in two. [`SharedSearch::next_leaf`] selects a leaf; its thread evaluates
//! that without the lock; [`SharedSearch::absorb`] takes what was found into the tree. Both are the
//! bot's own steps ([`hexbot::search`]). In between the leaf is in hand, and two rules keep the
//! threads apart:
//!
//! - *Virtual losses*: where moves are chosen, every leaf in hand counts as a visit of each move on
//!   its path that was lost. They are kept here, beside the tree, and go into a node only while a
//!   move is chosen in it. So the tree never holds any: the values of nodes, stale edges, bias
//!   correction and proofs are what one thread would have made of the same leaves, and nothing is
//!   left of virtual losses when the search ends.
//! - *No position twice*: a position is in one hand at a time, whichever way leads to it, so that
//!   no two threads evaluate it or add it. A thread that comes to one in another hand has missed.
//!   It counts the path it went as one more virtual loss and selects again; after some misses it
//!   waits until another thread has brought something.
//!
//! What happens to a leaf's path while it is in hand does no harm: a full tree that makes room
//! keeps the nodes of such paths, a proof that comes twice changes nothing the second time, and a
//! visit that comes after a proof counts as those before it.
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

/// A leaf in the hand of a thread.
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

/// What a thread is to do.
#[allow(clippy::large_enum_variant)] // There is one a thread, and leaves are the rule.
pub enum NextLeaf<const N: usize> {
    /// Evaluate this leaf and bring what was found.
    Leaf(Leaf<N>),
    /// Ask again, so that others get the lock meanwhile.
    Again,
    /// Wait until another thread has brought something, and ask again.
    Missed,
    /// Stop: nothing is left to do.
    Done,
}

/// What a search of several threads has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulationTally {
    /// Simulations.
    pub simulations: u64,
    /// Those of them that evaluated a leaf; the others took over the value of a node.
    pub leaves: u64,
    /// How often a thread came to a position that was in another hand.
    pub misses: u64,
}

/// A search, and which of its leaves are in hand.
pub struct SharedSearch<'a, const N: usize, E> {
    search: &'a mut Search<N, E>,
    board: &'a Board<N>,
    root: NodeId,
    /// The most simulations.
    limit: u64,
    losses: VirtualLosses<N>,
    in_hand: HashSet<PositionKey<N>>,
    tally: SimulationTally,
}

impl<'a, const N: usize, E: Evaluator<N>> SharedSearch<'a, N, E> {
    /// The most simulations without an evaluation before others get the lock.
    const MOST_REUSED: usize = 16;
    /// So many misses, one after the other, and the thread waits.
    const MOST_MISSES: usize = 4;

    /// At most `limit` simulations of `board`, which `search` has thought about last. `None` if it
    /// has not thought about anything.
    pub fn new(search: &'a mut Search<N, E>, board: &'a Board<N>, limit: u64) -> Option<Self> {
        Some(SharedSearch {
            root: search.root_id()?,
            search,
            board,
            limit,
            losses: VirtualLosses::default(),
            in_hand: HashSet::new(),
            tally: SimulationTally::default(),
        })
    }

    /// What a thread is to do next. Simulations that need no evaluation are run here.
    #[inline(always)]
    pub fn next_leaf(&mut self) -> NextLeaf<N> {
        for _ in 0..Self::MOST_REUSED {
            if self.tally.simulations >= self.limit || !self.search.needs_simulations(self.root) {
                return NextLeaf::Done;
            }
            // Nodes on the paths to leaves in hand are needed when what was found is brought.
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
                    self.in_hand.insert(leaf.board.position());
                    self.losses.add(&leaf.path);
                    return NextLeaf::Leaf(leaf);
                }
            }
        }
        NextLeaf::Again
    }

    /// A leaf that is in no other hand, or a path to a node whose value is to be taken over. `None`
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
            if known.is_some() || !self.in_hand.contains(&board.position()) {
                found = Some((Leaf { path, board }, known));
            } else {
                self.losses.add(&path);
                missed.push(path);
            }
        }
        self.tally.misses += missed.len() as u64;
        missed.iter().for_each(|path| self.losses.remove(path));
        found
    }

    /// Takes into the tree what [`Search::evaluate_leaf`] found out of a leaf.
    #[inline(always)]
    pub fn absorb(&mut self, leaf: &Leaf<N>, found: (Evaluation<N>, Option<Proof>)) {
        self.in_hand.remove(&leaf.board.position());
        self.losses.remove(&leaf.path);
        self.search.absorb(&leaf.path, &leaf.board, found);
    }

    /// What has been done so far.
    pub fn tally(&self) -> SimulationTally {
        self.tally
    }
}

/// The moves on the paths to leaves in hand, each as often as such a path has it.
#[derive(Default)]
struct VirtualLosses<const N: usize>(HashMap<NodeId, SmallVec<[Cell<N>; 4]>>);

impl<const N: usize> VirtualLosses<N> {
    fn add(&mut self, path: &Path<N>) {
        for &(id, cell) in path {
            self.0.entry(id).or_default().push(cell);
        }
    }

    /// Takes away what was added with this path.
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

    /// Returns true if a leaf in hand lies behind the node.
    fn has(&self, id: NodeId) -> bool {
        self.0.contains_key(&id)
    }

    /// The lost moves of a node.
    #[inline(always)]
    fn of(&self, id: NodeId) -> &[Cell<N>] {
        self.0.get(&id).map_or(&[], |lost| lost)
    }
}
