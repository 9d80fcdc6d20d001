//! Groups of connected stones: a disjoint-set forest (union-find) over the cells.
//!
//! Every tree of the forest is a set of connected cells. Its root also holds the edges of the board
//! that the set touches. So whether a group joins two edges is one lookup, without virtual edge
//! cells. Roots are found with path halving (van Leeuwen and van der Weide 1977). Merging does not
//! compare the sizes of trees, because at most 676 cells make short paths anyway. It does not look
//! at colours either: the caller decides what is connected.

use crate::cell::{Cell, Color};
use crate::grid::Grid;

/// A set of board edges, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges(u8);

impl Edges {
    /// Row 0, where Red starts.
    pub const TOP: Edges = Edges(1);
    /// The last row, where Red ends.
    pub const BOTTOM: Edges = Edges(2);
    /// Column 0, where Blue starts.
    pub const LEFT: Edges = Edges(4);
    /// The last column, where Blue ends.
    pub const RIGHT: Edges = Edges(8);

    /// The edges that `cell` lies on, on a board of `side`.
    pub const fn of<const N: usize>(cell: Cell<N>, side: usize) -> Edges {
        let (row, col) = (cell.row(), cell.col());
        let top = (row == 0) as u8 * Self::TOP.0;
        let bottom = (row == side - 1) as u8 * Self::BOTTOM.0;
        let left = (col == 0) as u8 * Self::LEFT.0;
        let right = (col == side - 1) as u8 * Self::RIGHT.0;
        Edges(top | bottom | left | right)
    }

    /// The edge where `color`'s connection starts (top or left).
    pub const fn start(color: Color) -> Edges {
        [Self::TOP, Self::LEFT][color.index()]
    }

    /// The edge where `color`'s connection ends (bottom or right).
    pub const fn end(color: Color) -> Edges {
        [Self::BOTTOM, Self::RIGHT][color.index()]
    }

    /// Returns true if all of `other` are among these.
    #[inline(always)]
    pub const fn include(self, other: Edges) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union of both sets.
    #[inline(always)]
    pub const fn union(self, other: Edges) -> Edges {
        Edges(self.0 | other.0)
    }

    /// Returns true if both of `color`'s edges are among these.
    #[inline(always)]
    pub const fn join(self, color: Color) -> bool {
        self.include(Self::start(color).union(Self::end(color)))
    }
}

/// The disjoint-set forest. Memory 3 N² bytes; copying it is a plain copy.
#[derive(Clone, Debug)]
pub struct Groups<const N: usize> {
    /// The cell's parent in its tree; a root is its own.
    parent: Grid<u16, N>,
    /// The edges that the group touches; valid only for roots.
    edges: Grid<Edges, N>,
}

impl<const N: usize> Groups<N> {
    /// Every cell in a group of its own.
    pub fn new() -> Self {
        let mut groups = Groups {
            parent: Grid::filled(0),
            edges: Grid::filled(Edges(0)),
        };
        for cell in Cell::<N>::all() {
            groups.parent[cell] = cell.index() as u16;
            groups.edges[cell] = Edges::of(cell, N);
        }
        groups
    }

    /// The root of `cell`'s group. It is the same for all members until the next merge.
    #[inline(always)]
    pub fn find(&mut self, cell: Cell<N>) -> Cell<N> {
        let parent = self.parent.values_mut();
        let mut at = cell.index();
        while parent[at] as usize != at {
            parent[at] = parent[parent[at] as usize];
            at = parent[at] as usize;
        }
        Cell::from_index(at)
    }

    /// Joins the groups of two cells and returns the edges that the joint group touches.
    #[inline(always)]
    pub fn merge(&mut self, a: Cell<N>, b: Cell<N>) -> Edges {
        let (a, b) = (self.find(a), self.find(b));
        let edges = self.edges[a].union(self.edges[b]);
        self.parent[b] = a.index() as u16;
        self.edges[a] = edges;
        edges
    }

    /// Makes `cell`'s group touch `edges` too. Returns all edges that it touches then.
    #[inline(always)]
    pub fn touch(&mut self, cell: Cell<N>, edges: Edges) -> Edges {
        let root = self.find(cell);
        self.edges[root] = self.edges[root].union(edges);
        self.edges[root]
    }

    /// The edges that `cell`'s group touches.
    #[inline(always)]
    pub fn edges(&mut self, cell: Cell<N>) -> Edges {
        let root = self.find(cell);
        self.edges[root]
    }
}

impl<const N: usize> Default for Groups<N> {
    fn default() -> Self {
        Self::new()
    }
}
