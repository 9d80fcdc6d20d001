//! The search tree: all nodes, and what is backed up from one to the other. A position has one
//! node, however many orders of moves lead to it; so the tree is in truth a graph.

#[cfg(feature = "network")]
use crate::bias::{BiasTable, Pattern};
use crate::cell::Cell;
use crate::evaluation::Evaluation;
use crate::node::{Node, NodeId, Proof};
use crate::params::Params;
use crate::position_key::PositionKey;
use std::collections::HashMap;

/// All nodes of a search. Their number is bounded when the tree is made.
pub struct Tree<const N: usize> {
    nodes: Vec<Node<N>>,
    free: Vec<NodeId>,
    transpositions: HashMap<PositionKey<N>, NodeId>,
    max_nodes: usize,
    #[cfg(feature = "network")]
    bias_table: BiasTable<N>,
}

impl<const N: usize> Tree<N> {
    /// An empty tree that will hold at most [`Params::max_nodes`]. The memory of a node is touched
    /// when it comes.
    pub fn new(params: &Params) -> Self {
        Tree {
            nodes: Vec::with_capacity(params.max_nodes),
            free: Vec::new(),
            transpositions: HashMap::with_capacity(params.max_nodes),
            max_nodes: params.max_nodes,
            #[cfg(feature = "network")]
            bias_table: BiasTable::new(params.bias_correction),
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

    /// The node behind `cell`, whose position is `position`. If another order of moves has led
    /// there, the edge is linked to that node (a transposition). `None` if the position has no
    /// node.
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

    /// Returns true if `child`, the node behind `cell`, has more visits than the edge to it, or a
    /// proof: then the edge is to take over its value without searching deeper.
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

    /// Counts a visit of every move on the path to an evaluated position: the moves from the root
    /// on, each with the node it was chosen in.
    #[inline(always)]
    pub fn back_up(&mut self, path: &[(NodeId, Cell<N>)], evaluation: &Evaluation<N>) {
        for &(id, cell) in path.iter().rev() {
            let node = self.node(id);
            let child = node.child(cell).map(|child| self.node(child));
            #[cfg(feature = "long-search")] // It knows less if it was made anew or late.
            let child = child.filter(|child| outweighs_edge(child, node.edge_visits(cell)));
            let value = child.map(Node::value);
            let node = &mut self.nodes[id.index()];
            node.add_visit(cell, value, evaluation);
            #[cfg(feature = "network")]
            node.update_bucket(&mut self.bias_table);
        }
    }

    /// Puts the node into the bias bucket of `pattern`.
    #[cfg(feature = "network")]
    #[inline(always)]
    pub fn join_bucket(&mut self, id: NodeId, pattern: Pattern<N>) {
        self.nodes[id.index()].join_bucket(pattern, &mut self.bias_table);
    }

    /// Takes a proven result of the position at the end of the path into all nodes that it decides.
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

    /// Frees the nodes of all positions that cannot come up after this one. O(nodes).
    pub fn retain_reachable_from(&mut self, position: &PositionKey<N>) {
        // No kept node links to a freed one: what follows a position that can come up can, too.
        self.retain(|later, _| position.may_become(later));
    }

    /// Frees all nodes, and empties all bias buckets. O(nodes).
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    /// Frees at least half of the nodes of a full tree, those with the fewest visits, but none that
    /// is to be `kept`. The moves that lead to them keep their visits and values. O(nodes · N²).
    ///
    /// # Panics
    /// If there is no node.
    pub fn free_least_visited(&mut self, kept: impl Fn(NodeId) -> bool) {
        let mut visits: Vec<f32> = self.nodes.iter().map(Node::total_visits).collect();
        visits.sort_unstable_by(f32::total_cmp);
        // Nodes with the same visits go alike: which of them lies where differs from run to run.
        let median = visits[(visits.len() - 1) / 2];
        let ids = (0..visits.len()).map(NodeId::new);
        let stays = |id| self.node(id).total_visits() > median || kept(id);
        let stays: Vec<bool> = ids.map(stays).collect();
        self.retain(|_, id| stays[id.index()]);
        for node in &mut self.nodes {
            node.retain_children(|child| stays[child.index()]);
        }
    }

    /// Frees all nodes but those that `keep` says of.
    fn retain(&mut self, keep: impl Fn(&PositionKey<N>, NodeId) -> bool) {
        self.transpositions.retain(|position, id| {
            let keep = keep(position, *id);
            if !keep {
                #[cfg(feature = "network")]
                self.nodes[id.index()].leave_bucket(&mut self.bias_table);
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

/// Returns true if the node is proven or rests on more visits than an edge to it that had
/// `edge_visits`. It always does when a visit of the edge ends in it, unless it was made anew, or
/// late ([`Params::expand_at_visit`]).
#[cfg(feature = "long-search")]
#[inline(always)]
fn outweighs_edge<const N: usize>(node: &Node<N>, edge_visits: f32) -> bool {
    node.proof().is_some() || 1.0 + node.total_visits() > edge_visits
}
