//! Monte Carlo tree search: simulations until the budget is spent, then the best move.
//!
//! One simulation has four phases.
//!
//! 1. *Select* walks down the tree by the scores of [`crate::node`] until it leaves the tree. It
//!    also ends at a stale edge, whose node has more visits from other orders of moves. Then the
//!    node's value is reused, and the next two phases are skipped.
//! 2. *Evaluate* finds the value of the position: by a proof if there is one (the game is over, or
//!    bridges win it, see [`crate::bridges`]), else by the [`Evaluator`].
//! 3. *Expand* adds a node for the position, once it has enough visits.
//! 4. *Back up* applies the evaluation to all nodes on the path, and a proof to those that it
//!    decides.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::budget::{Budget, Clock};
use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::evaluation::{Evaluation, Evaluator};
use crate::node::{Node, NodeId, Proof};
use crate::params::{BridgeUse, Params, TreeReuse, MAX_SLOW_EVALUATIONS, SLOW_EVALUATION};
use crate::shortest_path::{heuristic_move, Distances};
use crate::tree::Tree;
use smallvec::SmallVec;
use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

/// A search. It keeps its tree from one move to the next.
pub struct Search<const N: usize, E> {
    params: Params,
    evaluator: E,
    tree: Tree<N>,
    root: Option<(Board<N>, NodeId)>,
    /// Slow evaluations in a row.
    slow_evaluations: u32,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult<const N: usize> {
    /// The move to play.
    pub best: Cell<N>,
    /// The probability that the player to move wins, 0 to 1.
    pub win_probability: f32,
    /// The result, if it is known for certain.
    pub proof: Option<Proof>,
    /// How many simulations this search ran; 0 if the result was certain without any.
    pub simulations: u64,
    /// The time since the start of the budget.
    pub elapsed: Duration,
    /// The principal variation: the moves expected from here, the best first.
    pub principal_variation: Vec<Cell<N>>,
}

impl<const N: usize> SearchResult<N> {
    /// The proof, or the win probability and the number of simulations, in a few characters.
    pub fn summary(&self) -> String {
        match self.proof {
            Some(proof) => format!("{} wins in {}", proof.winner, proof.plies),
            None => format!("{:.0}% {}", self.win_probability * 100.0, self.simulations),
        }
    }
}

/// Result, simulations, time and the first moves of the best line, in at most 200 bytes.
impl<const N: usize> fmt::Display for SearchResult<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let milliseconds = self.elapsed.as_millis();
        write!(f, "{} simulations in {milliseconds} ms:", self.summary())?;
        self.principal_variation
            .iter()
            .take(12)
            .try_for_each(|cell| write!(f, " {cell}"))
    }
}

/// The moves chosen from the root to a leaf, each with the node it was chosen in.
pub type Path<const N: usize> = SmallVec<[(NodeId, Cell<N>); 64]>;

impl<const N: usize, E: Evaluator<N>> Search<N, E> {
    /// Whether the simulation is also compiled for AVX2 at this board size. Only contest sizes are,
    /// because each copy adds compile time.
    pub const HAS_SIMD_COPY: bool = N == 11 || N == 14;

    /// A search without a tree yet.
    pub fn new(params: Params, evaluator: E) -> Self {
        Search {
            tree: Tree::new(&params),
            slow_evaluations: 0,
            params,
            evaluator,
            root: None,
        }
    }

    /// Drops the tree, and keeps the evaluator.
    pub fn forget(&mut self) {
        self.tree = Tree::new(&self.params);
        self.root = None;
    }

    /// Finds a move in `board` within `budget`. Reuses the tree of earlier calls. `None` if and
    /// only if no cell is empty or a player has won.
    ///
    /// # Panics
    /// If [`Params::max_nodes`] is 0.
    pub fn think<C: Clock>(
        &mut self,
        board: &Board<N>,
        budget: &mut Budget<C>,
    ) -> Option<SearchResult<N>> {
        self.root = None;
        if board.winner().is_some() {
            return None;
        }
        if let Some((best, proof)) = self.winning_bridge_move(board) {
            return Some(SearchResult {
                best,
                win_probability: 1.0,
                proof: Some(proof),
                simulations: 0,
                elapsed: budget.elapsed(),
                principal_variation: vec![best],
            });
        }
        self.set_root(board, budget);
        self.go_on(budget)
    }

    /// More simulations of the position that was searched last, and the result of all. Unlike
    /// [`Search::think`] it does not look for reachable nodes and bridges again. `None` if no
    /// position was searched, or its search ended with a win by bridges.
    pub fn go_on<C: Clock>(&mut self, budget: &mut Budget<C>) -> Option<SearchResult<N>> {
        self.simulate(budget);
        let simulations = budget.simulations_run();
        let (board, root) = self.root.as_ref()?;
        let root = self.tree.node(*root);
        let best = root.best_move(&self.params);
        let best = best.or_else(|| heuristic_move(board))?;
        let win_probability = if root.edge_visits(best) > 0.0 {
            root.edge_value(best)
        } else {
            root.value()
        };
        Some(SearchResult {
            best,
            win_probability,
            proof: root.proof(),
            simulations,
            elapsed: budget.elapsed(),
            principal_variation: self.principal_variation(),
        })
    }

    /// The node of the position that was searched last.
    pub fn root_node(&self) -> Option<&Node<N>> {
        self.root.as_ref().map(|(_, id)| self.tree.node(*id))
    }

    /// The id of [`Search::root_node`], for callers that run simulations on several threads with
    /// [`Search::select`], [`Search::evaluate_leaf`] and [`Search::absorb`], as `hex` does. The
    /// uploads leave it out.
    pub fn root_id(&self) -> Option<NodeId> {
        self.root.as_ref().map(|(_, id)| *id)
    }

    /// Adds noise to the priors of the position that was searched last, so that the next search of
    /// it also tries moves that seem bad. `share` of the priors, 0 to 1, is distributed evenly
    /// among `moves`, which must be empty cells.
    ///
    /// Only for self-play, which learns from it what the priors miss. It is here because the tree
    /// is private; the uploads leave it out.
    pub fn add_root_noise(&mut self, moves: CellSet<N>, share: f32) {
        if let Some((_, id)) = self.root {
            self.tree.node_mut(id).add_noise(moves, share);
        }
    }

    /// The positions of the tree in which at least `visits` simulations chose a move, from the root
    /// on. Empty before any search. O(nodes · N²).
    ///
    /// Only for self-play, which learns from these positions too. It is here because the tree is
    /// private; the uploads leave it out.
    pub fn positions(&self, visits: f32) -> Vec<(Board<N>, &Node<N>)> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut waiting: Vec<_> = self.root.iter().cloned().collect();
        while let Some((board, id)) = waiting.pop() {
            let node = self.tree.node(id);
            if node.total_visits() < visits || !seen.insert(id) {
                continue;
            }
            for cell in board.empty_cells().iter() {
                if let Some(child) = node.child(cell) {
                    let mut after = board.clone();
                    after.play_unchecked(cell);
                    waiting.push((after, child));
                }
            }
            found.push((board, node));
        }
        found
    }

    /// Makes `board` the root of the tree, and frees nodes that can no longer be reached.
    fn set_root<C: Clock>(&mut self, board: &Board<N>, budget: &mut Budget<C>) {
        match self.params.tree {
            TreeReuse::Kept => self.tree.retain_reachable_from(&board.position()),
            TreeReuse::Dropped => self.tree.clear(),
        }
        let known = self.tree.find(&board.position());
        let id = known.unwrap_or_else(|| self.new_root(board, budget));
        self.root = Some((board.clone(), id));
    }

    /// Frees nodes that can no longer be reached after `board`, so that the next search has less to
    /// free. Until then there is no root.
    pub fn retain_reachable_from(&mut self, board: &Board<N>) {
        self.tree.retain_reachable_from(&board.position());
        self.root = None;
    }

    /// Adds a node for `board`, which has none. If the tree is full, frees all of it.
    fn new_root<C: Clock>(&mut self, board: &Board<N>, budget: &mut Budget<C>) -> NodeId {
        let bridges = self.bridges(board, 0);
        let evaluation = self.evaluate(board, &bridges, budget);
        #[cfg(feature = "long-search")]
        self.make_room(|_| false);
        let id = self.tree.add(board.position()).or_else(|| {
            self.tree.clear();
            self.tree.add(board.position())
        });
        let id = id.expect("an empty tree has room for a node");
        self.tree.node_mut(id).set_evaluation(&evaluation);
        id
    }

    /// Runs simulations until the budget is spent, with SIMD instructions if the machine has them.
    /// The results do not differ, because the operations and their order are the same.
    fn simulate<C: Clock>(&mut self, budget: &mut Budget<C>) {
        #[cfg(target_arch = "x86_64")]
        if Self::HAS_SIMD_COPY && has_simd() {
            // SAFETY: the features have just been detected.
            return unsafe { self.simulate_avx2(budget) };
        }
        self.simulate_portably(budget);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt,bmi1")]
    fn simulate_avx2<C: Clock>(&mut self, budget: &mut Budget<C>) {
        self.simulate_portably(budget);
    }

    #[inline(always)]
    fn simulate_portably<C: Clock>(&mut self, budget: &mut Budget<C>) {
        let Some((start, root)) = self.root.clone() else {
            return;
        };
        while self.needs_simulations(root) && budget.allows_another() {
            #[cfg(feature = "long-search")]
            self.make_room(|id| id == root);
            let mut board = start.clone();
            let (path, known) =
                self.select(&mut board, root, |node, _, params| node.select(params));
            let found = match known {
                Some(id) => self.reuse_transposition(id),
                None => self.evaluate_leaf(&board, path.len(), budget),
            };
            self.absorb(&path, &board, found);
        }
    }

    /// Returns true while simulations are useful: the root's result is not proven, and there is a
    /// choice of moves, or the only one left has fewer than [`Params::forced_visits`].
    #[inline(always)]
    pub fn needs_simulations(&self, root: NodeId) -> bool {
        let node = self.tree.node(root);
        let is_known = |cell| node.edge_visits(cell) >= self.params.forced_visits;
        node.proof().is_none()
            && !(node.is_forced() && node.best_move(&self.params).is_some_and(is_known))
    }

    /// If the tree is full, frees at least half of it: the nodes with the fewest visits, except
    /// those that are `kept`. So the search can grow where most simulations go. The uploads leave
    /// it out, because the tree of the upload with a network never becomes full within the judge's
    /// time.
    ///
    /// With playouts a full tree stays full. Further playouts still improve the value of a leaf
    /// without a node. They are so cheap that the tree would become full often, and a pass over all
    /// nodes could make an answer late.
    #[inline(always)]
    pub fn make_room(&mut self, kept: impl Fn(NodeId) -> bool) {
        if self.tree.is_full() && self.evaluator.is_costly() {
            self.tree.free_least_visited(kept);
        }
    }

    /// The present value of a node as an evaluation, and its proof.
    #[inline(always)]
    pub fn reuse_transposition(&self, id: NodeId) -> (Evaluation<N>, Option<Proof>) {
        let node = self.tree.node(id);
        (Evaluation::of(node.value(), node.mover()), node.proof())
    }

    /// Evaluates `board`, a position outside the tree: by a proof if bridges win it, found in the
    /// order `order`, else by the evaluator. Does not use the tree, so that several threads can do
    /// this at the same time, each with an empty search of its own.
    #[inline(always)]
    pub fn evaluate_leaf<C: Clock>(
        &mut self,
        board: &Board<N>,
        order: usize,
        budget: &mut Budget<C>,
    ) -> (Evaluation<N>, Option<Proof>) {
        let bridges = self.bridges(board, order);
        match bridges.winner() {
            Some(winner) => {
                let plies = plies_to_win(board, winner);
                (Evaluation::of(1.0, winner), Some(Proof { winner, plies }))
            }
            None => (self.evaluate(board, &bridges, budget), None),
        }
    }

    /// Adds to the tree the evaluation of `board`, the position at the end of the path. Expands the
    /// position if it has no node and is not proven.
    #[inline(always)]
    pub fn absorb(
        &mut self,
        path: &Path<N>,
        board: &Board<N>,
        (evaluation, proof): (Evaluation<N>, Option<Proof>),
    ) {
        match proof {
            Some(proof) => self.tree.back_up_proof(path, proof),
            None => self.expand(path, board, &evaluation),
        }
        self.tree.back_up(path, &evaluation);
    }

    /// The bridges of `board`; none with [`BridgeUse::Ignored`].
    #[inline(always)]
    fn bridges(&self, board: &Board<N>, order: usize) -> Bridges<N> {
        match self.params.bridge_use {
            BridgeUse::Seen => Bridges::new(board, order),
            BridgeUse::Ignored => Bridges::none(board),
        }
    }

    /// Walks from the root, whose position is `board`, to a position outside the tree or over a
    /// stale edge, and plays the moves on `board`. `choose` selects the move in each node. Returns
    /// the path and, after a stale edge, the node after it.
    #[inline(always)]
    pub fn select(
        &mut self,
        board: &mut Board<N>,
        root: NodeId,
        choose: impl Fn(&mut Node<N>, NodeId, &Params) -> Cell<N>,
    ) -> (Path<N>, Option<NodeId>) {
        let mut path = Path::new();
        let mut id = root;
        loop {
            let cell = choose(self.tree.node_mut(id), id, &self.params);
            board.play_unchecked(cell);
            path.push((id, cell));
            match self.tree.child_or_transposition(id, cell, board.position()) {
                Some(child) if !self.tree.edge_is_stale(id, cell, child) => id = child,
                end => return (path, end),
            }
        }
    }

    /// Calls the evaluator. Degrades it if it is slow several times in a row and time is limited.
    #[inline(always)]
    fn evaluate<C: Clock>(
        &mut self,
        board: &Board<N>,
        bridges: &Bridges<N>,
        budget: &mut Budget<C>,
    ) -> Evaluation<N> {
        if !self.evaluator.is_costly() {
            return self.evaluator.evaluate(board, bridges);
        }
        let evaluation = self.evaluator.evaluate(board, bridges);
        self.slow_evaluations = if budget.read_clock() > SLOW_EVALUATION {
            self.slow_evaluations + 1
        } else {
            0
        };
        if budget.is_timed() && self.slow_evaluations >= MAX_SLOW_EVALUATIONS {
            self.evaluator.degrade();
        }
        evaluation
    }

    /// Adds a node for the position at the end of the path, if it has none, has enough visits, and
    /// the tree has room.
    #[inline(always)]
    fn expand(&mut self, path: &Path<N>, board: &Board<N>, evaluation: &Evaluation<N>) {
        let Some(&(parent, cell)) = path.last() else {
            return;
        };
        let node = self.tree.node(parent);
        if node.child(cell).is_some() || node.edge_visits(cell) + 1.0 < self.params.expand_at_visit
        {
            return;
        }
        if let Some(id) = self.tree.add(board.position()) {
            self.tree.node_mut(id).set_evaluation(evaluation);
            self.tree.node_mut(parent).set_child(cell, id);
            self.tree.join(id, &board.position(), cell);
        }
    }

    /// The move with the quickest win by bridges alone, with its proof, if there is one. O(N⁴).
    fn winning_bridge_move(&self, board: &Board<N>) -> Option<(Cell<N>, Proof)> {
        let winner = board.to_move();
        let wins = board.empty_cells().iter().filter_map(|cell| {
            let mut after = board.clone();
            after.play_unchecked(cell);
            let won = self.bridges(&after, 0).winner() == Some(winner);
            won.then(|| (plies_to_win(&after, winner) + 1, cell))
        });
        let (plies, best) = wins.min()?;
        Some((best, Proof { winner, plies }))
    }

    /// The principal variation: the best moves from the root to the end of the tree.
    fn principal_variation(&self) -> Vec<Cell<N>> {
        let mut principal_variation = Vec::new();
        let mut next = self.root.as_ref().map(|(_, id)| *id);
        while let Some(node) = next.map(|id| self.tree.node(id)) {
            let Some(best) = node.best_move(&self.params) else {
                break;
            };
            principal_variation.push(best);
            next = node.child(best);
        }
        principal_variation
    }
}

/// Returns true if this machine has the SIMD instructions that we use: AVX2, POPCNT and BMI1.
#[cfg(target_arch = "x86_64")]
pub fn has_simd() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("popcnt")
        && std::is_x86_feature_detected!("bmi1")
}

/// The most plies until a position that bridges win is won on the board, if the winner takes the
/// shortest path and the loser only answers.
fn plies_to_win<const N: usize>(board: &Board<N>, winner: Color) -> u16 {
    let moves = Distances::new(board, winner).moves_to_win().unwrap_or(0);
    if board.to_move() == winner {
        (2 * moves).saturating_sub(1)
    } else {
        2 * moves
    }
}
