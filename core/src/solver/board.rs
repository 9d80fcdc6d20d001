//! A position in the search of a solver: stones and empty cells on a [`BaseCells`].

use super::base_cells::BaseCells;
use super::connections::Connections;
use super::groups::{Cluster, ColorGroups};
use super::inferior::Inferior;
use super::set::Set;
use crate::record::AnyBoard;
use hexbot::cell::Color;
use smallvec::SmallVec;

/// Stones and empty cells. Stones and groups change together, and only in [`SolverBoard::place`].
#[derive(Clone, Debug)]
pub(crate) struct SolverBoard {
    groups: [ColorGroups; 2],
    stones: [Set; 2],
    empty: Set,
    /// The cells that each colour captured in the last [`SolverBoard::settle`].
    captured: [Set; 2],
}

impl SolverBoard {
    /// The stones of the position whose cells these are.
    pub(crate) fn new(position: &AnyBoard, base_cells: &BaseCells) -> Self {
        SolverBoard {
            groups: Color::ALL.map(|color| base_cells.groups(position, color)),
            stones: [Set::EMPTY; 2],
            empty: base_cells.all(),
            captured: [Set::EMPTY; 2],
        }
    }

    /// The groups of a colour.
    pub(crate) fn groups(&self, color: Color) -> &ColorGroups {
        &self.groups[color.index()]
    }

    /// The empty cells.
    pub(crate) fn empty(&self) -> Set {
        self.empty
    }

    /// The stones placed since the base position, by [`Color::index`]. With the player to move they
    /// identify the position.
    pub fn stones(&self) -> [Set; 2] {
        self.stones
    }

    /// The cells that `color` captured when the board was settled. Its carriers depend on them.
    pub(crate) fn captured(&self, color: Color) -> Set {
        self.captured[color.index()]
    }

    /// The board after a stone of `color` on an empty cell, settled.
    pub(crate) fn after(&self, cell: usize, color: Color, base_cells: &BaseCells) -> SolverBoard {
        let mut after = self.clone();
        after.place(cell, color, base_cells);
        after.settle(base_cells);
        after
    }

    /// Fills in dead and captured cells until there are none.
    pub(crate) fn settle(&mut self, base_cells: &BaseCells) {
        self.captured = [Set::EMPTY; 2];
        while !self.groups.iter().any(ColorGroups::joined) {
            let found = Inferior::find(&self.groups, self.empty, base_cells);
            if found.is_empty() {
                return;
            }
            // Either colour may get a dead cell, but it must always be the same one.
            let fillings = [
                (found.dead, Color::Red),
                (found.captured[0], Color::Red),
                (found.captured[1], Color::Blue),
            ];
            for (cells, color) in fillings {
                cells
                    .iter()
                    .for_each(|cell| self.place(cell, color, base_cells));
            }
            for (all, new) in self.captured.iter_mut().zip(found.captured) {
                *all |= new;
            }
        }
    }

    /// Places a stone on an empty cell.
    pub(crate) fn place(&mut self, cell: usize, color: Color, base_cells: &BaseCells) {
        debug_assert!(self.empty.contains(cell));
        self.empty -= Set::of(cell);
        self.stones[color.index()] |= Set::of(cell);
        self.groups[color.index()].gain(cell, base_cells.around(cell) & self.empty);
        self.groups[color.opponent().index()].lose(cell);
    }

    /// The connections between the edges of `color`, by H-search.
    pub(crate) fn connections(&self, color: Color, base_cells: &BaseCells) -> Connections {
        let groups = self.groups(color);
        let neighbors = |cell| groups.neighbors(cell, base_cells.around(cell) & self.empty);
        let cells = self.empty.iter();
        let cells = cells.map(|cell| (cell, neighbors(cell) - Set::of(cell)));
        let cells: SmallVec<[(usize, Set); 64]> = cells.collect();
        Connections::find(groups.start(), groups.end(), groups.others(), &cells)
    }

    /// The certain connections of `color` that are seen without a search.
    pub(crate) fn prospects(&self, color: Color, base_cells: &BaseCells) -> Prospects {
        let groups = self.groups(color);
        let neighbors = |cell| groups.neighbors(cell, base_cells.around(cell) & self.empty);
        let cells = self.empty.iter().map(|cell| (cell, neighbors(cell)));
        let cells: SmallVec<[(usize, Set); 64]> = cells.collect();
        Prospects {
            clusters: groups.clusters(&cells),
            joined: groups.joined(),
            end: groups.end(),
            cells,
        }
    }
}

/// The groups that a colour has certainly connected with its edges.
pub(crate) struct Prospects {
    clusters: [Cluster; 2],
    joined: bool,
    /// The cells that the ending edge touches.
    end: Set,
    /// The empty cells with their neighbours.
    cells: SmallVec<[(usize, Set); 64]>,
}

impl Prospects {
    /// The carrier of a win no matter who moves, if one is seen.
    pub(crate) fn proof(&self) -> Option<Set> {
        if self.joined {
            Some(Set::EMPTY)
        } else {
            self.clusters[0].proof(self.end, &self.cells)
        }
    }

    /// The carriers of the wins by one move that are seen. A carrier includes the move.
    pub(crate) fn threats(&self) -> impl Iterator<Item = Set> + '_ {
        let [start, end] = &self.clusters;
        let cells = self.cells.iter();
        cells.filter_map(move |&(cell, neighbors)| start.threat(end, cell, neighbors))
    }
}
