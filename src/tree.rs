//! The search tree: all nodes, and the backing up of values and proofs. A position has one node,
//! even if several orders of moves lead to it, so the tree is really a graph.

use crate::cell::Cell;
use crate::evaluation::Evaluation;
use crate::node::{Node, NodeId, Proof, SharedStatistics};
use crate::params::Params;
use crate::position_key::PositionKey;
use std::collections::HashMap;

/// All nodes of a search, up to a maximum.
pub struct Tree<const N: usize> {
    nodes: Vec<Node<N>>,
    free: Vec<NodeId>,
    transpositions: HashMap<PositionKey<N>, NodeId>,
    max_nodes: usize,
    shared: SharedStatistics<N>,
}

impl<const N: usize> Tree<N> {
    /// An empty tree for at most [`Params::max_nodes`] nodes. Reserves their memory, but uses that
    /// of a node only when it is added.
    pub fn new(params: &Params) -> Self {
        Tree {
            nodes: Vec::with_capacity(params.max_nodes),
            free: Vec::new(),
            transpositions: HashMap::with_capacity(params.max_nodes),
            max_nodes: params.max_nodes,
            shared: SharedStatistics::new(params),
        }
    }

    /// Adds a node for a position that has none. `None` if and only if the tree is full.
    pub fn add(&mut self, position: PositionKey<N>) -> Option<NodeId> {
        if self.is_full() {
            return None;
        }
        let node = Node::new(&position);
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id.index()] = node;
                id
            }
            None => {
                self.nodes.push(node);
                NodeId::new(self.nodes.len() - 1)
            }
        };
        self.transpositions.insert(position, id);
        Some(id)
    }

    /// The node of a position; `None` if it has none.
    #[inline(always)]
    pub fn find(&self, position: &PositionKey<N>) -> Option<NodeId> {
        self.transpositions.get(position).copied()
    }

    /// The node after `cell`, whose position is `position`. If another order of moves has led
    /// there, links the edge to that node (a transposition). `None` if the position has no node.
    #[inline(always)]
    pub fn child_or_transposition(
        &mut self,
        parent: NodeId,
        cell: Cell<N>,
        position: PositionKey<N>,
    ) -> Option<NodeId> {
        if let Some(child) = self.node(parent).child(cell) {
            return Some(child);
        }
        let child = self.find(&position)?;
        self.node_mut(parent).set_child(cell, child);
        Some(child)
    }

    /// Returns true if `child`, the node after `cell`, has more visits than the edge to it, or a
    /// proof. Then the edge should take over its value without a deeper search.
    #[inline(always)]
    pub fn edge_is_stale(&self, parent: NodeId, cell: Cell<N>, child: NodeId) -> bool {
        let visits = self.node(parent).edge_visits(cell);
        self.node(child).can_refresh_edge(visits)
    }

    /// Access to a node.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node<N> {
        &self.nodes[id.index()]
    }

    /// Mutable access to a node.
    #[inline(always)]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<N> {
        &mut self.nodes[id.index()]
    }

    /// Counts a visit of every move on the path to an evaluated position. The path has the moves
    /// from the root on, each with the node in which it was chosen.
    #[inline(always)]
    pub fn back_up(&mut self, path: &[(NodeId, Cell<N>)], evaluation: &Evaluation<N>) {
        for &(id, cell) in path.iter().rev() {
            let node = self.node(id);
            let child = node.child(cell).map(|child| self.node(child));
            #[cfg(feature = "long-search")]
            // When a visit of the edge ends in the child, that is proven or has more visits than
            // the edge, unless it was freed and made again, or late ([`Params::expand_at_visit`]).
            let child = child.filter(|child| {
                child.proof().is_some() || 1.0 + child.total_visits() > node.edge_visits(cell)
            });
            let value = child.map(Node::value);
            let node = &mut self.nodes[id.index()];
            node.add_visit(cell, value, evaluation);
            node.correct(&mut self.shared);
        }
    }

    /// Notes `position`, in which `last` was the last move, for its node, which has just been
    /// evaluated. The node's value is corrected from now on, if the evaluator does so.
    #[inline(always)]
    pub fn join(&mut self, id: NodeId, position: &PositionKey<N>, last: Cell<N>) {
        let node = &mut self.nodes[id.index()];
        node.statistics.join(position, last);
        node.correct(&mut self.shared);
    }

    /// Applies a proven result of the position at the end of the path to all nodes that it decides.
    pub fn back_up_proof(&mut self, path: &[(NodeId, Cell<N>)], mut proof: Proof) {
        for &(id, cell) in path.iter().rev() {
            let node = self.node_mut(id);
            node.apply_proof(cell, proof);
            match node.proof() {
                Some(decided) => proof = decided,
                None => return,
            }
        }
    }

    /// Frees the nodes of all positions that cannot follow this one. O(nodes).
    pub fn retain_reachable_from(&mut self, position: &PositionKey<N>) {
        // No kept node links to a freed one, because what follows a kept position is kept too.
        self.retain(|later, _| position.may_become(later));
    }

    /// Frees all nodes, and empties all bias buckets. O(nodes).
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    /// Frees at least half of the nodes of a full tree, those with the fewest visits, except those
    /// that are `kept`. The moves that lead to freed nodes keep their visits and values. O(nodes ·
    /// N²).
    ///
    /// # Panics
    /// If there is no node.
    pub fn free_least_visited(&mut self, kept: impl Fn(NodeId) -> bool) {
        let mut visits: Vec<f32> = self.nodes.iter().map(Node::total_visits).collect();
        visits.sort_unstable_by(f32::total_cmp);
        // All nodes with equal visits share one fate, because their order differs from run to run.
        let median = visits[(visits.len() - 1) / 2];
        let ids = (0..visits.len()).map(NodeId::new);
        let stays = |id| self.node(id).total_visits() > median || kept(id);
        let stays: Vec<bool> = ids.map(stays).collect();
        self.retain(|_, id| stays[id.index()]);
        for node in &mut self.nodes {
            node.retain_children(|child| stays[child.index()]);
        }
    }

    /// Frees all nodes for which `keep` returns false.
    fn retain(&mut self, keep: impl Fn(&PositionKey<N>, NodeId) -> bool) {
        self.transpositions.retain(|position, id| {
            let keep = keep(position, *id);
            if !keep {
                self.nodes[id.index()].statistics.leave(&mut self.shared);
                self.free.push(*id);
            }
            keep
        });
    }

    /// Returns true if there is no room for another node.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.nodes_in_use() >= self.max_nodes
    }

    /// How many nodes are in use.
    pub fn nodes_in_use(&self) -> usize {
        self.nodes.len() - self.free.len()
    }
}
