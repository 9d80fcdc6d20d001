//! Counts shortest paths: the sets of N empty cells that join a player's edges once they are
//! filled, with N as small as possible.
//!
//! The player's own stones cost nothing, so the graph has only empty cells. Two empty cells are
//! *linked* if they touch each other or touch the same group of own stones. A cell is linked to an
//! edge if it lies on the edge or touches a group on the edge. Then a smallest set is a shortest
//! path from edge to edge in the graph of links. Along a shortest path the distance from the start
//! edge increases by one at each step, so a set's cells have only one order. Therefore counting
//! shortest paths layer by layer, as in any graph, counts each set once.
//!
//! A graph *with* the stones would give too large a number, because a path can often cross a group
//! in several ways.

use hexbot::board::Board;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use hexbot::grid::Grid;
use hexbot::groups::Edges;
use std::fmt;

/// A number of paths, exact below 2¹²⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCount {
    /// This number.
    Exactly(u128),
    /// 2¹²⁸ or more.
    TooMany,
}

impl PathCount {
    fn plus(self, other: PathCount) -> PathCount {
        match (self, other) {
            (PathCount::Exactly(a), PathCount::Exactly(b)) => a
                .checked_add(b)
                .map_or(PathCount::TooMany, PathCount::Exactly),
            _ => PathCount::TooMany,
        }
    }
}

impl fmt::Display for PathCount {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PathCount::Exactly(count) => write!(f, "{count}"),
            PathCount::TooMany => write!(f, "more than {}", u128::MAX),
        }
    }
}

/// Counts `color`'s shortest paths in a position that `color` has not won. The result is 0 if and
/// only if the opponent has won. The cost is O(N⁴) at most.
///
/// ```
/// use hex_contests::analyze::count::{paths, PathCount};
/// use hexbot::board::Board;
/// use hexbot::cell::Color;
/// // Red joins top and bottom: a1 a2, b1 b2 or b1 a2, but not a1 b2, which do not touch.
/// assert_eq!(paths(&Board::<2>::new(), Color::Red), PathCount::Exactly(3));
/// ```
pub fn paths<const N: usize>(board: &Board<N>, color: Color) -> PathCount {
    let links = CellLinks::new(board, color);
    let mut counts = Grid::filled(PathCount::Exactly(0));
    let mut layer = links.start;
    let mut seen = layer;
    layer
        .iter()
        .for_each(|cell| counts[cell] = PathCount::Exactly(1));
    while !layer.is_empty() {
        let last = layer & links.end;
        if !last.is_empty() {
            return last
                .iter()
                .fold(PathCount::Exactly(0), |sum, cell| sum.plus(counts[cell]));
        }
        let mut next = CellSet::EMPTY;
        for cell in layer.iter() {
            let further = links.linked[cell] - seen;
            further
                .iter()
                .for_each(|far| counts[far] = counts[far].plus(counts[cell]));
            next |= further;
        }
        seen |= next;
        layer = next;
    }
    PathCount::Exactly(0)
}

/// The links between empty cells for one player.
struct CellLinks<const N: usize> {
    color: Color,
    /// For each empty cell, its linked empty cells. The cell itself may be one of them.
    linked: Grid<CellSet<N>, N>,
    /// The empty cells linked to the start edge.
    start: CellSet<N>,
    /// The empty cells linked to the end edge.
    end: CellSet<N>,
}

impl<const N: usize> CellLinks<N> {
    fn new(board: &Board<N>, color: Color) -> Self {
        let empty = board.empty_cells();
        let mut links = CellLinks {
            color,
            linked: Grid::filled(CellSet::EMPTY),
            start: CellSet::EMPTY,
            end: CellSet::EMPTY,
        };
        for cell in empty.iter() {
            links.linked[cell] = touching(cell, empty);
            links.link_to_edges(CellSet::from_iter([cell]), Edges::of(cell, N));
        }
        let mut groups = board.groups();
        let mut surroundings = Grid::filled(CellSet::EMPTY);
        for stone in board.stones(color).iter() {
            surroundings[groups.find(stone)] |= touching(stone, empty);
        }
        for root in board.stones(color).iter() {
            let around = surroundings[root];
            around.iter().for_each(|cell| links.linked[cell] |= around);
            links.link_to_edges(around, groups.edges(root));
        }
        links
    }

    fn link_to_edges(&mut self, cells: CellSet<N>, edges: Edges) {
        if edges.include(Edges::start(self.color)) {
            self.start |= cells;
        }
        if edges.include(Edges::end(self.color)) {
            self.end |= cells;
        }
    }
}

/// The cells of `among` that touch `cell`.
fn touching<const N: usize>(cell: Cell<N>, among: CellSet<N>) -> CellSet<N> {
    cell.neighbors()
        .iter()
        .copied()
        .filter(|&neighbor| among.contains(neighbor))
        .collect()
}
