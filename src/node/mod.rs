//! A node of the search tree: statistics of each move, the selection of a move, and proven results.
//! It knows cells, colours and numbers, but no rules.
//!
//! A move with the position after it is an edge of the tree. For each edge a node keeps n visits
//! and a value q, always from the view of its own mover: the value of the node after it at the last
//! visit. The selection of a move depends on the evaluator: see [`puct`] for the network and
//! [`amaf`] for playouts.
//!
//! # The value of a node
//! It is the weighted mean of its own evaluation, with weight 1, and of the values of its edges,
//! with weight n each. If only one order of moves leads to each position, this is the mean of all
//! evaluations at and after the node. Else (*Monte-Carlo graph search*: Czech, Korus and Kersting
//! 2021) a node may have more visits than an edge to it: the edge is stale. A visit of a stale edge
//! goes no deeper and takes over the node's value, until the edge has as many visits. This rule is
//! KataGo's.
//!
//! # Proofs
//! A move that is proven to lose is pruned: it is never selected again. A node with a winning move,
//! or with all moves pruned, is proven too (Winands' MCTS-Solver, 2008). A proof includes the
//! number of plies, so that the bot plays the shortest win and the longest loss.

// The moves: visits, values, priors.
pub mod edges;
// Nodes evaluated by playouts.
pub mod amaf;
// Nodes evaluated by the network.
#[cfg(feature = "network")]
pub mod puct;

use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::evaluation::{of_opponent, Evaluation};
use crate::grid::{index_of_max, Grid};
use crate::node::edges::{EdgeStats, PRUNED};
use crate::params::Params;
use crate::position_key::PositionKey;
use std::num::NonZeroU32;

/// What a node keeps for the evaluator.
#[cfg(feature = "network")]
pub type Statistics<const N: usize> = puct::NetworkStatistics<N>;
/// What all nodes of a tree share for the evaluator.
#[cfg(feature = "network")]
pub type SharedStatistics<const N: usize> = crate::bias::BiasTable<N>;
/// What a node keeps for the evaluator.
#[cfg(not(feature = "network"))]
pub type Statistics<const N: usize> = amaf::PlayoutsAlone<N>;
/// What all nodes of a tree share for the evaluator.
#[cfg(not(feature = "network"))]
pub type SharedStatistics<const N: usize> = amaf::NothingShared<N>;

/// A node's place in the tree, valid until the tree frees the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The place with this index, from 0.
    pub fn new(index: usize) -> Self {
        NodeId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// The index of the place, from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A proven result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub winner: Color,
    /// The most plies, moves of both sides together, until the win is on the board, as far as known
    /// yet.
    pub plies: u16,
}

/// A position in the tree with the statistics of its moves. Probabilities are the mover's, 0 to 1.
pub struct Node<const N: usize> {
    mover: Color,
    /// How many moves are not proven to lose.
    unpruned: u16,
    proof: Option<Proof>,
    /// The best move proven so far: the one that wins soonest, or else loses latest.
    proven_move: Option<(Cell<N>, Proof)>,
    /// The evaluation of this position alone; the network's is corrected by its bucket's error.
    own_value: f32,
    /// What the evaluator keeps here.
    pub statistics: Statistics<N>,
    edges: EdgeStats<N>,
    child: Grid<Option<NodeId>, N>,
}

impl<const N: usize> Node<N> {
    /// A node of a position without an evaluation: even chances, the same prior for all moves.
    pub fn new(position: &PositionKey<N>) -> Self {
        let moves = position.empty_cells();
        Node {
            mover: position.to_move,
            unpruned: moves.len() as u16,
            proof: None,
            proven_move: None,
            own_value: 0.5,
            statistics: Statistics::default(),
            edges: EdgeStats::new(moves),
            child: Grid::filled(None),
        }
    }

    /// The move with the best score among those not pruned; the first one in the order of cells if
    /// several are equal. O(N²).
    #[inline(always)]
    pub fn select(&self, params: &Params) -> Cell<N> {
        best_scored(&self.edges, &self.statistics, params)
    }

    /// [`Node::select`] as if each of the moves `lost` had been visited once more and lost: virtual
    /// losses (Chaslot et al. 2008). Afterwards the node is exactly as before. For engines with
    /// several threads; the uploads leave it out.
    #[inline(always)]
    pub fn select_with_losses(&mut self, lost: &[Cell<N>], params: &Params) -> Cell<N> {
        let choose = |edges: &EdgeStats<N>| best_scored(edges, &self.statistics, params);
        self.edges.with_losses(lost, choose)
    }

    /// The player to move.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// The result, if it is proven.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// Returns true if all moves but one are proven to lose.
    #[inline(always)]
    pub fn is_forced(&self) -> bool {
        self.unpruned == 1
    }

    /// The node after `cell`, if the edge is linked to one.
    #[inline(always)]
    pub fn child(&self, cell: Cell<N>) -> Option<NodeId> {
        self.child[cell]
    }

    /// Links the edge of `cell` to `child`, the node of the position after it.
    #[inline(always)]
    pub fn set_child(&mut self, cell: Cell<N>, child: NodeId) {
        self.child[cell] = Some(child);
    }

    /// Unlinks the edges to nodes for which `keep` returns false. Their visits and values stay.
    pub fn retain_children(&mut self, keep: impl Fn(&NodeId) -> bool) {
        for child in self.child.values_mut() {
            *child = child.filter(&keep);
        }
    }

    /// How often `cell` was chosen: a whole number, 0 or more.
    #[inline(always)]
    pub fn edge_visits(&self, cell: Cell<N>) -> f32 {
        self.edges.visits[cell]
    }

    /// The value of the edge of `cell`: the probability that the mover wins after it, 0 to 1; 0
    /// without visits.
    pub fn edge_value(&self, cell: Cell<N>) -> f32 {
        self.edges.value[cell]
    }

    /// The prior probability of `cell`, 0 to 1; equal for all moves if there are no priors. `None`
    /// if the cell is occupied or the move is proven to lose.
    pub fn prior(&self, cell: Cell<N>) -> Option<f32> {
        (!self.is_pruned(cell)).then_some(self.edges.prior[cell])
    }

    /// The visits of all moves together.
    pub fn total_visits(&self) -> f32 {
        self.edges.total_visits()
    }

    /// The move to play. If the result is proven, it is the proven move. Else it is the move with
    /// the most visits or, if the network has evaluated the position, with the highest lower
    /// confidence bound; moves that are proven to lose do not count. `None` if there are several
    /// moves and none has visits. O(N²).
    pub fn best_move(&self, params: &Params) -> Option<Cell<N>> {
        if self.proof.is_some() {
            return self.proven_move.map(|(cell, _)| cell);
        }
        let visits = |cell: Cell<N>| self.edges.visits[cell];
        let known = |&cell: &Cell<N>| visits(cell) > 0.0 || self.is_forced();
        let moves = || {
            Cell::all()
                .filter(|&cell| !self.is_pruned(cell))
                .filter(known)
        };
        let most_visits = moves().map(visits).fold(0.0, f32::max);
        moves().max_by(|&a, &b| {
            let standing = |cell| {
                let edges = &self.edges;
                self.statistics.standing(edges, cell, most_visits, params)
            };
            let order = standing(a).partial_cmp(&standing(b));
            order.unwrap_or(std::cmp::Ordering::Equal)
        })
    }

    /// Returns true if `cell` is occupied or the move proven to lose.
    fn is_pruned(&self, cell: Cell<N>) -> bool {
        self.edges.prior[cell] == PRUNED
    }

    /// The value of the position: the probability that its mover wins, 0 to 1; exactly 0 or 1 if
    /// the result is proven.
    #[inline(always)]
    pub fn value(&self) -> f32 {
        match self.proof {
            Some(proof) => (proof.winner == self.mover) as u8 as f32,
            None => (self.own_value + self.edges.total_value as f32) / (1.0 + self.total_visits()),
        }
    }

    /// Returns true if an edge with `edge_visits` can take over this node's value instead of
    /// searching deeper. Without an evaluation by the network only a proof is taken over, because
    /// each playout gives new information at little cost.
    #[inline(always)]
    pub fn can_refresh_edge(&self, edge_visits: f32) -> bool {
        self.proof.is_some()
            || self.statistics.has_lasting_value() && 1.0 + self.total_visits() > edge_visits
    }

    /// Sets the node's own value from an evaluation of its position, and sets the priors or adds
    /// the AMAF statistics.
    #[inline(always)]
    pub fn set_evaluation(&mut self, evaluation: &Evaluation<N>) {
        self.own_value = evaluation.wins(self.mover);
        self.statistics.set(evaluation, self.mover, &mut self.edges);
    }

    /// Mixes noise into the priors: takes `share`, 0 to 1, of each and distributes it evenly among
    /// `moves`. Only for self-play; it is here because only a node writes its priors. The uploads
    /// leave it out.
    pub fn add_noise(&mut self, moves: CellSet<N>, share: f32) {
        self.edges.add_noise(moves, share);
    }

    /// Counts a visit of `cell` that ended in `evaluation`. The edge takes over `value`, the value
    /// of the node after it from the opponent's view. Without such a node, or with one that has
    /// fewer visits than the edge, `value` is `None`, and the edge's value is the mean of its
    /// evaluations.
    #[inline(always)]
    pub fn add_visit(&mut self, cell: Cell<N>, value: Option<f32>, evaluation: &Evaluation<N>) {
        let wins = evaluation.wins(self.mover);
        self.edges.add_visit(cell, value.map(of_opponent), wins);
        self.statistics.add(evaluation, self.mover);
    }

    /// Corrects the node's own value by what the tree has shown since, and the other nodes' by what
    /// this one shows. Does nothing with a proof.
    #[inline(always)]
    pub fn correct(&mut self, shared: &mut SharedStatistics<N>) {
        if self.proof.is_none() {
            if let Some(value) = self.statistics.correct(&self.edges, shared) {
                self.own_value = value;
            }
        }
    }

    /// Applies a proof of the position after `cell`: prunes the move if it loses, and proves this
    /// node if the move wins or no other is left.
    pub fn apply_proof(&mut self, cell: Cell<N>, after: Proof) {
        let here = Proof {
            plies: after.plies + 1,
            ..after
        };
        let wins = here.winner == self.mover;
        let better = self.proven_move.is_none_or(|(_, known)| {
            let known_wins = known.winner == self.mover;
            (wins && !known_wins) || (wins == known_wins && (here.plies < known.plies) == wins)
        });
        if better {
            self.proven_move = Some((cell, here));
        }
        if !wins && !self.is_pruned(cell) {
            self.edges.prior[cell] = PRUNED;
            self.unpruned -= 1;
        }
        if wins || self.unpruned == 0 {
            self.proof = self.proven_move.map(|(_, proof)| proof);
        }
    }
}

/// The move with the best score among those not pruned.
#[inline(always)]
fn best_scored<const N: usize>(
    edges: &EdgeStats<N>,
    statistics: &Statistics<N>,
    params: &Params,
) -> Cell<N> {
    Cell::from_index(index_of_max(statistics.scores(edges, params).values()))
}
