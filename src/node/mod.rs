//! A node of the search tree: what was learnt of each move, the formulas that choose among moves,
//! and proven results. It knows cells, colours and numbers, but no rules.
//!
//! A move with the position behind it is an edge of the tree. A node keeps for each edge, always as
//! its own mover sees it: n visits and a value q, the value of the node behind it at the last
//! visit.
//!
//! # The score of a move where the network has evaluated the position
//! With the network's prior p of each move, and N visits of all moves together,
//!
//! ```text
//! score = q + c·p·√(N + 1) / (1 + n)                     c = Params::c_puct
//! ```
//!
//! This is PUCT (Rosin 2011) as AlphaGo Zero uses it. A move without a visit counts as q the raw
//! value of the position less `Params::fpu_reduction`.
//!
//! # The score of a move where playouts evaluate
//! Playouts tell more than results: all moves of a playout count as if they had been the first
//! (AMAF). So there are m, the visits of the node whose playouts gave the cell to the mover, and a,
//! the share of those that the mover won. With
//!
//! ```text
//! β     = m / (m + n + b·n·m)                            b = Params::amaf_bias
//! score = (1 - β)·q + β·a
//! ```
//!
//! β is the schedule of Gelly and Silver (*Monte-Carlo tree search and rapid action value
//! estimation in computer Go*, 2011, with b = 4·bias²): AMAF rules while visits are few and fades
//! as they come in. A move without any statistics counts as `Params::first_play_urgency`.
//!
//! # The value of a node
//! It is the mean of its own evaluation, which counts once, and of the values of its edges, which
//! count n times each. If only one order of moves leads to each position, that is the mean of all
//! evaluations behind the node. Else (*Monte-Carlo graph search*: Czech, Korus and Kersting 2021) a
//! node may have more visits than an edge to it: the edge is stale. It is then visited without
//! going further and takes over the node's value, until it has as many visits; this rule is
//! KataGo's.
//!
//! # Proofs
//! A move that is proven to lose is pruned: it is never chosen again. A node with a winning move,
//! or with every move pruned, is proven itself (Winands' MCTS-Solver, 2008). A proof also says how
//! many plies it takes, so that a win is played out the short way and a loss the long way.

#[cfg(feature = "network")]
use crate::bias::{BiasTable, ErrorSum, Pattern};
use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::evaluation::{of_opponent, Amaf, Evaluation, MoveStats};
use crate::grid::{index_of_max, Grid};
use crate::params::{Params, Selection, FPU_VISITS};
#[cfg(feature = "network")]
use crate::params::{LCB_MIN_VARIANCE, LCB_MIN_VISIT_SHARE};
use crate::position_key::PositionKey;
use std::num::NonZeroU32;

/// A node's place in the tree; it holds until the tree frees the node.
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

/// A result known for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub winner: Color,
    /// The most plies, moves of both sides together, until the win is on the board, as far as
    /// known.
    pub plies: u16,
}

/// A position in the tree with the statistics of its moves. Probabilities are the mover's, 0 to 1.
///
/// The prior of a cell is also its flag: `PRUNED` stands for an occupied cell and for a move that
/// is proven to lose, even where priors are not used.
pub struct Node<const N: usize> {
    mover: Color,
    /// How many moves are not proven to lose.
    unpruned: u16,
    proof: Option<Proof>,
    /// The best move proven so far: the one that wins soonest, or else loses latest.
    proven_move: Option<(Cell<N>, Proof)>,
    /// The evaluation of this position alone; the network's is corrected by its bucket's error.
    own_value: f32,
    #[cfg(feature = "network")]
    network: NetworkEval<N>,
    /// The sums of `edge_visits` and of `edge_visits` times `edge_value`; an f32 counts to 2^24.
    total_visits: f64,
    total_value: f64,
    /// A whole number for each move, up to 2^24; further visits only refresh the value.
    edge_visits: Grid<f32, N>,
    edge_value: Grid<f32, N>,
    /// `None` where no playout has evaluated.
    amaf: Option<Box<Amaf<N>>>,
    prior: Grid<f32, N>,
    child: Grid<Option<NodeId>, N>,
}

/// What the network's evaluation of a node's position was, and what searching has added to it.
#[cfg(feature = "network")]
#[derive(Default)]
struct NetworkEval<const N: usize> {
    /// The mover's win probability as the network gave it; `None` without an evaluation by it.
    raw_value: Option<f32>,
    /// Which bucket of [`crate::bias`] the node is in, and its part of the error there.
    pattern: Option<Pattern<N>>,
    contribution: ErrorSum,
}

/// The prior of an occupied cell or a lost move, and its score: below all others. Not a tunable.
const PRUNED: f32 = -1e30;

impl<const N: usize> Node<N> {
    /// A node of a position without an evaluation: even chances, the same prior for all moves.
    pub fn new(position: &PositionKey<N>) -> Self {
        let moves = position.empty_cells();
        let mut prior = Grid::filled(PRUNED);
        let uniform = 1.0 / moves.len() as f32;
        moves.iter().for_each(|cell| prior[cell] = uniform);
        Node {
            mover: position.to_move,
            unpruned: moves.len() as u16,
            proof: None,
            proven_move: None,
            own_value: 0.5,
            #[cfg(feature = "network")]
            network: NetworkEval::default(),
            total_visits: 0.0,
            total_value: 0.0,
            edge_visits: Grid::filled(0.0),
            edge_value: Grid::filled(0.0),
            amaf: None,
            prior,
            child: Grid::filled(None),
        }
    }

    /// The move with the best score among those not pruned, the first in the order of cells among
    /// equals. O(N²).
    #[inline(always)]
    pub fn select(&self, params: &Params) -> Cell<N> {
        let scores = match params.selection {
            #[cfg(feature = "network")]
            _ if self.has_network_eval() => self.puct_scores(params),
            Selection::Amaf => self.amaf_scores(params),
            Selection::Uct => self.uct_scores(params),
        };
        Cell::from_index(index_of_max(scores.values()))
    }

    /// [`Node::select`] as if each of the moves `lost` had been visited once more and lost: virtual
    /// losses (Chaslot et al. 2008). The node stays as it is, to the last bit. For engines with
    /// several threads; the uploads leave it out.
    #[inline(always)]
    pub fn select_with_losses(&mut self, lost: &[Cell<N>], params: &Params) -> Cell<N> {
        let (total, mut before) = (self.total_visits, Vec::new());
        for &cell in lost {
            let (n, q) = (self.edge_visits[cell], self.edge_value[cell]);
            before.push((cell, n, q));
            self.edge_visits[cell] = n + 1.0;
            self.edge_value[cell] = q * n / (n + 1.0);
            self.total_visits += 1.0;
        }
        let chosen = self.select(params);
        for (cell, n, q) in before.into_iter().rev() {
            (self.edge_visits[cell], self.edge_value[cell]) = (n, q);
        }
        self.total_visits = total;
        chosen
    }

    /// The scores of the head of this file for positions that playouts have evaluated.
    #[inline(always)]
    fn amaf_scores(&self, params: &Params) -> Grid<f32, N> {
        let urgency = FPU_VISITS * params.first_play_urgency;
        let amaf = self.amaf.as_deref().unwrap_or(&Amaf::NOTHING);
        let mut scores: Grid<f32, N> = Grid::filled(0.0);
        let moves = scores.values_mut().iter_mut();
        let moves = moves
            .zip(self.edge_visits.values())
            .zip(self.edge_value.values());
        let moves = moves.zip(amaf.owned.values()).zip(amaf.won.values());
        for (((((score, &n), &q), &owned), &won), &prior) in moves.zip(self.prior.values()) {
            let m = owned + FPU_VISITS;
            // β·(a − q) with one division instead of two: β = m / sum and a = (won + urgency) / m.
            let sum = m + n + params.amaf_bias * n * m;
            let known = q + (won + urgency - m * q) / sum;
            *score = if prior == PRUNED { PRUNED } else { known };
        }
        scores
    }

    /// The scores of plain UCT, see [`Selection::Uct`].
    fn uct_scores(&self, params: &Params) -> Grid<f32, N> {
        let mut scores: Grid<f32, N> = Grid::filled(PRUNED);
        for (index, score) in scores.values_mut().iter_mut().enumerate() {
            let n = self.edge_visits.values()[index];
            if self.prior.values()[index] != PRUNED {
                let bonus = params.c_puct * (self.total_visits().ln() / n).sqrt();
                *score = if n == 0.0 {
                    -PRUNED
                } else {
                    self.edge_value.values()[index] + bonus
                };
            }
        }
        scores
    }

    /// Who moves here.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// The result, if it is known for certain.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// Returns true if all moves but one are proven to lose.
    #[inline(always)]
    pub fn is_forced(&self) -> bool {
        self.unpruned == 1
    }

    /// The node behind `cell`, if the edge has been linked to one.
    #[inline(always)]
    pub fn child(&self, cell: Cell<N>) -> Option<NodeId> {
        self.child[cell]
    }

    /// Links the edge of `cell` to `child`, the node of the position behind it.
    #[inline(always)]
    pub fn set_child(&mut self, cell: Cell<N>, child: NodeId) {
        self.child[cell] = Some(child);
    }

    /// Unlinks the edges to nodes that `keep` does not name; their visits and values stay.
    pub fn retain_children(&mut self, keep: impl Fn(&NodeId) -> bool) {
        for child in self.child.values_mut() {
            *child = child.filter(&keep);
        }
    }

    /// How often `cell` was chosen: a whole number, 0 or more.
    #[inline(always)]
    pub fn edge_visits(&self, cell: Cell<N>) -> f32 {
        self.edge_visits[cell]
    }

    /// The value of the edge of `cell`: the probability that the mover wins after it, 0 to 1; 0
    /// without visits.
    pub fn edge_value(&self, cell: Cell<N>) -> f32 {
        self.edge_value[cell]
    }

    /// The prior of `cell`, 0 to 1: how likely it is the move to play before any search, the same
    /// for all moves if there are no priors. `None` if the cell is occupied or the move proven to
    /// lose.
    pub fn prior(&self, cell: Cell<N>) -> Option<f32> {
        (self.prior[cell] != PRUNED).then_some(self.prior[cell])
    }

    /// The visits of all moves together.
    pub fn total_visits(&self) -> f32 {
        self.total_visits as f32
    }

    /// The move to play: the proven one if the result is known. Else that one of those not proven
    /// to lose which has most visits, or, where the network has evaluated the position, the highest
    /// lower confidence bound. `None` if there are several such moves and none was visited. O(N²).
    #[cfg_attr(not(feature = "network"), allow(unused_variables))]
    pub fn best_move(&self, params: &Params) -> Option<Cell<N>> {
        if self.proof.is_some() {
            return self.proven_move.map(|(cell, _)| cell);
        }
        let unpruned = |&cell: &Cell<N>| self.prior[cell] != PRUNED;
        let known = |&cell: &Cell<N>| self.edge_visits[cell] > 0.0 || self.is_forced();
        let moves = || Cell::all().filter(unpruned).filter(known);
        #[cfg(feature = "network")]
        let most_visits = moves()
            .map(|cell| self.edge_visits[cell])
            .fold(0.0, f32::max);
        let standing = |&cell: &Cell<N>| {
            #[cfg(feature = "network")]
            if self.has_network_eval() {
                return self.lower_confidence_bound(cell, most_visits, params);
            }
            (self.edge_visits[cell], self.edge_value[cell])
        };
        moves().max_by(|a, b| {
            let order = standing(a).partial_cmp(&standing(b));
            order.unwrap_or(std::cmp::Ordering::Equal)
        })
    }

    /// The value of the position: the probability that its mover wins, 0 to 1; exactly 0 or 1 if
    /// the result is proven.
    #[inline(always)]
    pub fn value(&self) -> f32 {
        match self.proof {
            Some(proof) => (proof.winner == self.mover) as u8 as f32,
            None => (self.own_value + self.total_value as f32) / (1.0 + self.total_visits()),
        }
    }

    /// Returns true if an edge with `edge_visits` can take over this node's value instead of
    /// searching deeper. Without an evaluation by the network only a proof can be taken over: each
    /// playout tells something new, and costs little.
    #[cfg_attr(not(feature = "network"), allow(unused_variables))]
    #[inline(always)]
    pub fn can_refresh_edge(&self, edge_visits: f32) -> bool {
        #[cfg(feature = "network")]
        if self.has_network_eval() && 1.0 + self.total_visits() > edge_visits {
            return true;
        }
        self.proof.is_some()
    }

    /// Sets the node's own value and the priors, or adds the AMAF statistics, of an evaluation of
    /// its position.
    #[inline(always)]
    pub fn set_evaluation(&mut self, evaluation: &Evaluation<N>) {
        self.own_value = evaluation.wins(self.mover);
        self.add_amaf(evaluation);
        #[cfg(feature = "network")]
        if let MoveStats::Priors(priors) = &evaluation.move_stats {
            self.network.raw_value = Some(self.own_value);
            let priors = self.prior.values_mut().iter_mut().zip(priors.values());
            priors
                .filter(|(prior, _)| **prior != PRUNED)
                .for_each(|(prior, new)| *prior = *new);
        }
    }

    /// Mixes noise into the priors: takes `share`, 0 to 1, of each of them and deals it out evenly
    /// among `moves`. For self-play alone; it is here because only a node writes its priors, and
    /// the uploads leave it out.
    pub fn add_noise(&mut self, moves: CellSet<N>, share: f32) {
        let each = share / moves.len() as f32;
        let unpruned = |prior: &&mut f32| **prior != PRUNED;
        let priors = self.prior.values_mut().iter_mut();
        priors
            .filter(unpruned)
            .for_each(|prior| *prior *= 1.0 - share);
        for cell in moves.iter() {
            if self.prior[cell] != PRUNED {
                self.prior[cell] += each;
            }
        }
    }

    /// Counts a visit of `cell` that ended in `evaluation`. The edge gets the value of the node
    /// behind it, `value` as the opponent sees it; if there is no such node, or one that knows less
    /// than the edge, the mean of its evaluations.
    #[inline(always)]
    pub fn add_visit(&mut self, cell: Cell<N>, value: Option<f32>, evaluation: &Evaluation<N>) {
        let (n, q) = (self.edge_visits[cell], self.edge_value[cell]);
        let visits = n + 1.0;
        let mean = q + (evaluation.wins(self.mover) - q) / visits;
        let edge_value = value.map_or(mean, of_opponent);
        self.total_visits += (visits - n) as f64;
        // A product leaves as it came in, at the next visit, and its rounding with it.
        self.total_value += (visits * edge_value - n * q) as f64;
        self.edge_visits[cell] = visits;
        self.edge_value[cell] = edge_value;
        self.add_amaf(evaluation);
    }

    #[inline(always)]
    fn add_amaf(&mut self, evaluation: &Evaluation<N>) {
        if let MoveStats::Amaf(amaf) = &evaluation.move_stats {
            let own = self.amaf.get_or_insert_with(|| Amaf::NOTHING.into());
            own.add(&amaf[self.mover.index()]);
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
        if !wins && self.prior[cell] != PRUNED {
            self.prior[cell] = PRUNED;
            self.unpruned -= 1;
        }
        if wins || self.unpruned == 0 {
            self.proof = self.proven_move.map(|(_, proof)| proof);
        }
    }
}

/// What nodes do whose positions the network has evaluated.
#[cfg(feature = "network")]
impl<const N: usize> Node<N> {
    /// The scores of PUCT, see the head of this file.
    #[inline(always)]
    fn puct_scores(&self, params: &Params) -> Grid<f32, N> {
        let unseen = (self.raw_value() - params.fpu_reduction).max(0.0);
        // The one is the visit that made the node: without it all moves would score alike at first.
        let c_puct = params.c_puct * (self.total_visits() + 1.0).sqrt();
        let mut scores: Grid<f32, N> = Grid::filled(0.0);
        let moves = scores.values_mut().iter_mut().zip(self.prior.values());
        let moves = moves
            .zip(self.edge_visits.values())
            .zip(self.edge_value.values());
        for (((score, &prior), &n), &q) in moves {
            let known = if n > 0.0 { q } else { unseen };
            let explored = known + c_puct * prior / (1.0 + n);
            *score = if prior == PRUNED { PRUNED } else { explored };
        }
        scores
    }

    /// The mover's win probability as the network gave it; 0 without an evaluation by it.
    #[inline(always)]
    fn raw_value(&self) -> f32 {
        self.network.raw_value.unwrap_or_default()
    }

    /// Returns true if the network has evaluated the position.
    pub fn has_network_eval(&self) -> bool {
        self.network.raw_value.is_some()
    }

    /// The lower confidence bound of a visited move, and its visits to decide between equals: its
    /// value less `Params::lcb_z` standard errors, as if evaluations were games won or lost. So a
    /// good move that was found late can overtake one with more visits. Moves with few visits come
    /// last.
    fn lower_confidence_bound(
        &self,
        cell: Cell<N>,
        most_visits: f32,
        params: &Params,
    ) -> (f32, f32) {
        let (n, q) = (self.edge_visits[cell], self.edge_value[cell]);
        if n < LCB_MIN_VISIT_SHARE * most_visits {
            return (f32::NEG_INFINITY, n);
        }
        let variance = q * (1.0 - q) + LCB_MIN_VARIANCE;
        (q - params.lcb_z * (variance / n.max(1.0)).sqrt(), n)
    }

    /// Puts the node into the bias bucket of `pattern`.
    #[inline(always)]
    pub fn join_bucket(&mut self, pattern: Pattern<N>, bias_table: &mut BiasTable<N>) {
        self.network.pattern = Some(pattern);
        self.update_bucket(bias_table);
    }

    /// Replaces the node's contribution to its bucket by its present error, and corrects its own
    /// value by the bucket's mean error. Nothing happens without a bucket or with a proof.
    #[inline(always)]
    pub fn update_bucket(&mut self, bias_table: &mut BiasTable<N>) {
        let Some(pattern) = self.network.pattern.filter(|_| self.proof.is_none()) else {
            return;
        };
        let now = self.error_sum();
        let bias = bias_table.update_bucket(pattern, self.network.contribution, now);
        self.network.contribution = now;
        self.own_value = (self.raw_value() + bias).clamp(0.0, 1.0);
    }

    /// By how much the edges have turned out better than the raw value, weighted by the visits to
    /// the power 3/4: two square roots, which round alike on every machine.
    #[inline(always)]
    fn error_sum(&self) -> ErrorSum {
        let n = self.total_visits();
        let mean = self.total_value as f32 / n.max(1.0);
        ErrorSum::new(mean - self.raw_value(), (n * n.sqrt()).sqrt())
    }

    /// Takes the node's contribution out of its bucket.
    pub fn leave_bucket(&mut self, bias_table: &mut BiasTable<N>) {
        if let Some(pattern) = self.network.pattern.take() {
            bias_table.leave_bucket(pattern, self.network.contribution);
        }
    }
}
