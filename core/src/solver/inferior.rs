//! Cells that a solver need not search: dead and captured ones.
//!
//! Each colour sees a position as a graph. Its vertices are the empty cells and the colour's two
//! edges of the board. Two vertices are adjacent if they touch, or if a group of the colour touches
//! both. The colour wins if its stones join the two edges in this graph.
//!
//! * A cell is *dead* if, in the graph of either colour, its neighbours are adjacent to each other:
//!   then every path through it has a short cut. Later stones leave it dead.
//! * Two cells are *captured* by a colour if it can answer an opponent's stone on either one by a
//!   stone on the other that makes the first one dead. They are as good as its own.
//!
//! Filling in these cells does not change the winner (Björnsson, Hayward, Johanson and van
//! Rijswijck, *Dead cell analysis in Hex and the Shannon game*, 2007).

use super::base_cells::BaseCells;
use super::groups::ColorGroups;
use super::set::Set;
use hexbot::cell::Color;

/// The empty cells as one colour sees them.
pub(crate) struct Graph {
    neighbors: [Set; Set::CAPACITY],
    start: Set,
    end: Set,
}

/// The result of one pass. The sets are disjoint.
#[derive(Debug, Default)]
pub(crate) struct Inferior {
    /// Cells that decide nothing.
    pub(crate) dead: Set,
    /// Pairs that belong to a colour, in the order of [`Color::index`].
    pub(crate) captured: [Set; 2],
}

impl Inferior {
    /// Finds dead cells and disjoint captured pairs among the `empty` cells. `groups` are those of
    /// both colours, by [`Color::index`]. Filling in the cells may reveal more.
    pub(crate) fn find(groups: &[ColorGroups; 2], empty: Set, base_cells: &BaseCells) -> Self {
        let graphs = Color::ALL.map(|color| Graph::new(&groups[color.index()], empty, base_cells));
        let is_dead = |&cell: &usize| graphs.iter().any(|graph| graph.is_dead(cell, Set::EMPTY));
        let dead = empty.iter().filter(is_dead).map(Set::of);
        let mut found = Inferior {
            dead: dead.fold(Set::EMPTY, |all, cell| all | cell),
            ..Inferior::default()
        };
        for color in Color::ALL {
            let [own, other] = [color, color.opponent()].map(|color| &graphs[color.index()]);
            found.add_captured(color, own, other, empty);
        }
        found
    }

    /// Returns true if nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        (self.dead | self.captured[0] | self.captured[1]).is_empty()
    }

    fn add_captured(&mut self, color: Color, own: &Graph, other: &Graph, empty: Set) {
        let kills = |killer, cell| own.covers(killer, cell) || other.is_dead(cell, Set::of(killer));
        let mut left = empty - self.dead - self.captured[color.opponent().index()];
        for cell in left.iter() {
            if !left.contains(cell) {
                continue;
            }
            let near = (own.neighbors[cell] | other.neighbors[cell]) & left;
            let mut partners = near.iter().filter(|&partner| partner > cell);
            if let Some(partner) = partners.find(|&to| kills(to, cell) && kills(cell, to)) {
                let pair = Set::of(cell) | Set::of(partner);
                self.captured[color.index()] |= pair;
                left -= pair;
            }
        }
    }
}

impl Graph {
    fn new(groups: &ColorGroups, empty: Set, base_cells: &BaseCells) -> Self {
        let mut neighbors = [Set::EMPTY; Set::CAPACITY];
        for cell in empty.iter() {
            let around = groups.neighbors(cell, base_cells.around(cell) & empty);
            neighbors[cell] = around - Set::of(cell);
        }
        Graph {
            neighbors,
            start: groups.start(),
            end: groups.end(),
        }
    }

    /// Returns true if the neighbours of `cell` are adjacent to each other once the opponent has
    /// the cells `lost`.
    fn is_dead(&self, cell: usize, lost: Set) -> bool {
        let around = self.neighbors[cell] - lost;
        let beyond = |edge: Set| edge.contains(cell) && !(around - edge).is_empty();
        let joins_edges = self.start.contains(cell) && self.end.contains(cell);
        let covered = |other| (around - Set::of(other) - self.neighbors[other]).is_empty();
        !joins_edges && !beyond(self.start) && !beyond(self.end) && around.iter().all(covered)
    }

    /// Returns true if `cover` reaches everything that `cell` reaches. A stone on it then makes the
    /// cell dead.
    fn covers(&self, cover: usize, cell: usize) -> bool {
        let at = |edge: Set| edge.contains(cover) || !edge.contains(cell);
        let rest = self.neighbors[cell] - Set::of(cover) - self.neighbors[cover];
        self.neighbors[cell].contains(cover) && rest.is_empty() && at(self.start) && at(self.end)
    }
}
