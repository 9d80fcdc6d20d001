//! The search tree: what was learnt of each move, the formula that chooses among moves, and proven
//! results. It knows cells, colours and numbers, but no rules.
//!
//! # The score of a move, as coded
//! A node keeps for each move, always as its own mover sees it: n visits and the mean q of their
//! playouts; m, the visits of the node whose playouts gave the cell to the mover (AMAF), and a, the share of
//! those that the mover won. With
//!
//! ```text
//! β     = m / (m + n + b·n·m)                            b = Params::amaf_bias
//! known = (1 - β)·q + β·a
//! ```
//!
//! `known` is the score until the network has judged the position. β is the schedule of Gelly and
//! Silver (*Monte-Carlo tree search and rapid action value estimation in computer Go*, 2011, with
//! b = 4·bias²): AMAF rules while visits are few and fades as they come in. A move without any
//! statistics counts as `Params::first_play_urgency`.
//!
//! Once it is judged, the network's prior p of each move and its mean value v over the judged positions behind
//! the move come in. With N the visits of all moves,
//!
//! ```text
//! score = (1 - λ)·known + λ·v + c·p·√N / (1 + n)          λ = Params::network_weight
//!                                                         c = Params::exploration
//! ```
//!
//! The mixture is AlphaGo's (Silver et al. 2016), the last term PUCT (Rosin 2011) as AlphaGo Zero uses
//! it. Where no position behind a move is judged yet, v is the network's value of the node itself less
//! `Params::unseen_reduction`.
//!
//! # Proofs
//! A move that is proven to lose is closed and never chosen again; a node with a winning move, or
//! with every move closed, is proven itself (Winands' MCTS-Solver, 2008). A proof also says how many
//! plies it takes, so that a win is played out the short way and a loss the long way.

use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::evaluation::{Amaf, Evaluation, Judgement};
use crate::grid::Grid;
use crate::params::{Params, Selection};
use std::num::NonZeroU32;

/// A node's place in the tree; it holds until [`Tree::keep_only`] throws the node away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    fn new(index: usize) -> Self {
        NodeId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A result known for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub winner: Color,
    /// After at most how many moves of both sides together, as far as known.
    pub plies: u16,
}

/// The moves from one position.
pub struct Node<const N: usize> {
    mover: Color,
    /// Moves not proven to lose.
    open: u16,
    proof: Option<Proof>,
    /// The best of the moves proven so far: the one that wins soonest, or loses latest.
    proven_move: Option<(Cell<N>, Proof)>,
    total_visits: f32,
    visits: Grid<f32, N>,
    value: Grid<f32, N>,
    amaf: Amaf<N>,
    /// What the network says of the position; `None` if it was not asked.
    judged: Option<Judged>,
    /// Judged positions behind each move, and their mean value for the mover.
    judgements: Grid<f32, N>,
    judged_value: Grid<f32, N>,
    /// [`CLOSED`] for cells that are not to be chosen.
    prior: Grid<f32, N>,
    child: Grid<Option<NodeId>, N>,
}

/// The network's part in a node.
#[derive(Clone, Copy)]
struct Judged {
    /// The weight of judged values against playouts, 0 to 1.
    weight: f32,
    /// What a move counts as while nothing behind it is judged.
    unseen: f32,
}

/// The prior of an occupied cell or a lost move, and its score: below all others.
const CLOSED: f32 = -1e30;

/// The visits that the first-play urgency counts for: so few that one playout outweighs it.
const URGENCY_VISITS: f32 = 1e-3;

impl<const N: usize> Node<N> {
    fn new(mover: Color, moves: CellSet<N>) -> Self {
        let mut prior = Grid::filled(CLOSED);
        let uniform = 1.0 / moves.len() as f32;
        moves.iter().for_each(|cell| prior[cell] = uniform);
        Node {
            mover,
            open: moves.len() as u16,
            proof: None,
            proven_move: None,
            total_visits: 0.0,
            visits: Grid::filled(0.0),
            value: Grid::filled(0.0),
            amaf: Amaf::NOTHING,
            judged: None,
            judgements: Grid::filled(0.0),
            judged_value: Grid::filled(0.0),
            prior,
            child: Grid::filled(None),
        }
    }

    /// The open move with the best score.
    #[inline(always)]
    pub fn select(&self, params: &Params) -> Cell<N> {
        let scores = match params.selection {
            Selection::Amaf => self.amaf_scores(params),
            Selection::Uct => self.uct_scores(params),
        };
        Cell::from_index(index_of_max(scores.values()))
    }

    #[inline(always)]
    fn amaf_scores(&self, params: &Params) -> Grid<f32, N> {
        let urgency = URGENCY_VISITS * params.first_play_urgency;
        let mut scores: Grid<f32, N> = Grid::filled(0.0);
        let moves = scores.values_mut().iter_mut();
        let moves = moves.zip(self.visits.values()).zip(self.value.values());
        let moves = moves
            .zip(self.amaf.owned.values())
            .zip(self.amaf.won.values());
        for (((((score, &n), &q), &owned), &won), &prior) in moves.zip(self.prior.values()) {
            let m = owned + URGENCY_VISITS;
            // β·(a − q) with one division instead of two: β = m / sum and a = (won + urgency) / m.
            let sum = m + n + params.amaf_bias * n * m;
            let known = q + (won + urgency - m * q) / sum;
            *score = if prior == CLOSED { CLOSED } else { known };
        }
        if let Some(judged) = self.judged {
            self.add_judgements(&mut scores, judged, params);
        }
        scores
    }

    #[inline(always)]
    fn add_judgements(&self, scores: &mut Grid<f32, N>, judged: Judged, params: &Params) {
        let exploration = params.exploration * self.total_visits.sqrt();
        let moves = scores.values_mut().iter_mut();
        let moves = moves.zip(self.visits.values()).zip(self.prior.values());
        let judgements = self.judgements.values().iter();
        let judgements = judgements.zip(self.judged_value.values());
        for (((score, &n), &prior), (&count, &value)) in moves.zip(judgements) {
            let value = if count > 0.0 { value } else { judged.unseen };
            let known = *score + judged.weight * (value - *score);
            let explored = known + exploration * prior / (1.0 + n);
            *score = if prior == CLOSED { CLOSED } else { explored };
        }
    }

    /// UCT without anything else; a move without a visit comes before all others.
    fn uct_scores(&self, params: &Params) -> Grid<f32, N> {
        let mut scores: Grid<f32, N> = Grid::filled(CLOSED);
        for (index, score) in scores.values_mut().iter_mut().enumerate() {
            let n = self.visits.values()[index];
            if self.prior.values()[index] != CLOSED {
                let bonus = params.exploration * (self.total_visits.ln() / n).sqrt();
                *score = if n == 0.0 {
                    -CLOSED
                } else {
                    self.value.values()[index] + bonus
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

    /// Is there only one move that is not known to lose?
    #[inline(always)]
    pub fn is_forced(&self) -> bool {
        self.open == 1
    }

    /// The node behind a move, if it has one.
    #[inline(always)]
    pub fn child(&self, cell: Cell<N>) -> Option<NodeId> {
        self.child[cell]
    }

    /// How often `cell` was chosen.
    #[inline(always)]
    pub fn visits(&self, cell: Cell<N>) -> f32 {
        self.visits[cell]
    }

    /// The probability that the mover wins by `cell` as playouts and network have it together, 0 to 1;
    /// 0 without visits.
    pub fn value(&self, cell: Cell<N>) -> f32 {
        match self.judged {
            Some(judged) if self.judgements[cell] > 0.0 => {
                self.value[cell] + judged.weight * (self.judged_value[cell] - self.value[cell])
            }
            _ => self.value[cell],
        }
    }

    /// Has the network been asked about the position?
    #[inline(always)]
    pub fn is_judged(&self) -> bool {
        self.judged.is_some()
    }

    /// How likely `cell` looked as the move to play before any search, 0 to 1, the same for all moves
    /// if the network was not asked; `None` if it is no move or proven to lose.
    pub fn prior(&self, cell: Cell<N>) -> Option<f32> {
        (self.prior[cell] != CLOSED).then_some(self.prior[cell])
    }

    /// Visits of all moves together.
    pub fn total_visits(&self) -> f32 {
        self.total_visits
    }

    /// The move to play: the proven one if the result is known, else the one with the most visits
    /// (with the better value among equals) that is not proven to lose; `None` if there are several
    /// and none was visited.
    pub fn best_move(&self) -> Option<Cell<N>> {
        if self.proof.is_some() {
            return self.proven_move.map(|(cell, _)| cell);
        }
        let standing = |cell: &Cell<N>| (self.visits[*cell], self.value(*cell));
        Cell::all()
            .filter(|&cell| self.prior[cell] != CLOSED)
            .filter(|&cell| self.visits[cell] > 0.0 || self.is_forced())
            .max_by(|a, b| {
                standing(a)
                    .partial_cmp(&standing(b))
                    .unwrap_or(std::cmp::Ordering::Equal)
            })
    }

    /// Takes a result that `cell` led to into the statistics.
    #[inline(always)]
    fn add_visit(&mut self, cell: Cell<N>, result: f32) {
        self.total_visits += 1.0;
        self.visits[cell] += 1.0;
        self.value[cell] += (result - self.value[cell]) / self.visits[cell];
    }

    /// Takes the network's value of a position behind `cell` into the statistics.
    fn add_judgement(&mut self, cell: Cell<N>, wins: f32) {
        self.judgements[cell] += 1.0;
        self.judged_value[cell] += (wins - self.judged_value[cell]) / self.judgements[cell];
    }

    /// Takes note that the position after `cell` is decided, and maybe this one with it.
    fn settle(&mut self, cell: Cell<N>, after: Proof) {
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
        if !wins && self.prior[cell] != CLOSED {
            self.prior[cell] = CLOSED;
            self.open -= 1;
        }
        if wins || self.open == 0 {
            self.proof = self.proven_move.map(|(_, proof)| proof);
        }
    }
}

/// The index of the largest score, the first one among equals. Eight running maxima let the compiler
/// use vector instructions, which keep no index.
#[inline(always)]
fn index_of_max(scores: &[f32]) -> usize {
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let mut maxima = [f32::NEG_INFINITY; 8];
    let chunks = scores.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (max, &score) in maxima.iter_mut().zip(chunk) {
            *max = larger(score, *max);
        }
    }
    let all = maxima.iter().chain(rest);
    let max = all.fold(f32::NEG_INFINITY, |max, &score| larger(score, max));
    scores.iter().position(|&score| score == max).unwrap_or(0)
}

/// All nodes of a search. Their number is bounded when the tree is made.
pub struct Tree<const N: usize> {
    nodes: Vec<Node<N>>,
    free: Vec<NodeId>,
    max_nodes: usize,
}

impl<const N: usize> Tree<N> {
    /// An empty tree that will hold at most `max_nodes`. Memory is taken as nodes come.
    pub fn new(max_nodes: usize) -> Self {
        Tree {
            nodes: Vec::with_capacity(max_nodes),
            free: Vec::new(),
            max_nodes,
        }
    }

    /// Adds a node without a parent; `None` if and only if the tree is full.
    pub fn add(&mut self, mover: Color, moves: CellSet<N>) -> Option<NodeId> {
        let node = Node::new(mover, moves);
        if let Some(id) = self.free.pop() {
            self.nodes[id.index()] = node;
            return Some(id);
        }
        if self.nodes.len() >= self.max_nodes {
            return None;
        }
        self.nodes.push(node);
        Some(NodeId::new(self.nodes.len() - 1))
    }

    /// Makes `child` the node behind `cell`.
    pub fn attach(&mut self, parent: NodeId, cell: Cell<N>, child: NodeId) {
        self.nodes[parent.index()].child[cell] = Some(child);
    }

    /// The node.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node<N> {
        &self.nodes[id.index()]
    }

    /// Adds playout statistics to a node without counting a visit.
    pub fn add_amaf(&mut self, id: NodeId, evaluation: &Evaluation<N>) {
        let node = &mut self.nodes[id.index()];
        node.amaf.add(&evaluation.amaf[node.mover.index()]);
    }

    /// Takes an evaluation into every node on the way to the evaluated position. The way is a list
    /// of moves with the nodes they were chosen in.
    #[inline(always)]
    pub fn back_up(&mut self, way: &[(NodeId, Cell<N>)], evaluation: &Evaluation<N>) {
        for &(id, cell) in way {
            let node = &mut self.nodes[id.index()];
            node.add_visit(cell, evaluation.wins(node.mover));
            node.amaf.add(&evaluation.amaf[node.mover.index()]);
        }
    }

    /// Takes the network's judgement into the node at the end of the way, and its value into all nodes
    /// on the way.
    pub fn judge(
        &mut self,
        way: &[(NodeId, Cell<N>)],
        id: NodeId,
        judgement: &Judgement<N>,
        params: &Params,
    ) {
        let node = &mut self.nodes[id.index()];
        let mover = node.mover;
        node.judged = Some(Judged {
            weight: params.network_weight,
            unseen: (judgement.wins - params.unseen_reduction).max(0.0),
        });
        let priors = judgement.priors.values();
        for (prior, &new) in node.prior.values_mut().iter_mut().zip(priors) {
            *prior = if *prior == CLOSED { CLOSED } else { new };
        }
        for &(id, cell) in way {
            let node = &mut self.nodes[id.index()];
            let same = node.mover == mover;
            node.add_judgement(
                cell,
                if same {
                    judgement.wins
                } else {
                    1.0 - judgement.wins
                },
            );
        }
    }

    /// Takes a proven result of the position at the end of the way into all nodes that it decides.
    pub fn back_up_proof(&mut self, way: &[(NodeId, Cell<N>)], mut proof: Proof) {
        for &(id, cell) in way.iter().rev() {
            let node = &mut self.nodes[id.index()];
            node.settle(cell, proof);
            match node.proof {
                Some(decided) => proof = decided,
                None => return,
            }
        }
    }

    /// Frees every node that cannot be reached from `root`; frees all without one. O(nodes).
    pub fn keep_only(&mut self, root: Option<NodeId>) {
        let mut reached = vec![false; self.nodes.len()];
        let mut waiting = Vec::from_iter(root);
        while let Some(id) = waiting.pop() {
            reached[id.index()] = true;
            waiting.extend(self.nodes[id.index()].child.values().iter().flatten());
        }
        self.free.clear();
        self.free.extend(
            (0..reached.len())
                .rev()
                .filter(|&i| !reached[i])
                .map(NodeId::new),
        );
    }

    /// How many nodes are in use.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Is no node in use?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
