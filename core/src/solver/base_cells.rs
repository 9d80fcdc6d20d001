//! The board of a solver: the empty cells of the base position, numbered, and the groups of its
//! stones.

use super::groups::{ColorGroups, Contact};
use super::set::Set;
use crate::record::{AnyBoard, AnyCell, Side};
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;

/// The empty cells of a position and the neighbours of each.
#[derive(Debug)]
pub(crate) struct BaseCells {
    cells: Vec<AnyCell>,
    around: Vec<Set>,
}

impl BaseCells {
    /// The cells of `position`; `None` if and only if more cells are empty than a [`Set`] holds.
    pub(crate) fn new(position: &AnyBoard) -> Option<Self> {
        let cells: Vec<AnyCell> = position.empty_cells().iter().collect();
        if cells.len() > Set::CAPACITY {
            return None;
        }
        let mut base_cells = BaseCells {
            cells,
            around: Vec::new(),
        };
        let around = |&cell: &AnyCell| base_cells.set(cell.neighbors().iter().copied());
        base_cells.around = base_cells.cells.iter().map(around).collect();
        Some(base_cells)
    }

    /// All cells.
    pub(crate) fn all(&self) -> Set {
        Set::first(self.cells.len())
    }

    /// The cell with this number.
    pub(crate) fn cell(&self, number: usize) -> AnyCell {
        self.cells[number]
    }

    /// The number of a cell; `None` if it holds a stone.
    pub(crate) fn number(&self, cell: AnyCell) -> Option<usize> {
        self.cells.binary_search(&cell).ok()
    }

    /// The cells next to the one with this number.
    pub(crate) fn around(&self, cell: usize) -> Set {
        self.around[cell]
    }

    /// The empty ones among these cells.
    fn set(&self, cells: impl IntoIterator<Item = AnyCell>) -> Set {
        let numbers = cells.into_iter().filter_map(|cell| self.number(cell));
        numbers.fold(Set::EMPTY, |set, cell| set | Set::of(cell))
    }

    /// The groups of `color` in the position whose cells these are.
    pub(crate) fn groups(&self, position: &AnyBoard, color: Color) -> ColorGroups {
        let side = Side::of_board(position);
        let starts = |cell: &AnyCell| at_start(*cell, color);
        let ends = |cell: &AnyCell| at_end(*cell, color, side);
        let edges = ColorGroups::of_edges(
            self.set(side.cells().filter(starts)),
            self.set(side.cells().filter(ends)),
        );
        let mut left = position.own_stones(color);
        let groups = std::iter::from_fn(|| {
            let group = group_of(left.iter().next()?, &mut left);
            let around = group.iter().flat_map(|stone| stone.neighbors());
            let contact = match (group.iter().any(starts), group.iter().any(ends)) {
                (false, false) => Contact::NoEdge,
                (true, false) => Contact::Start,
                (false, true) => Contact::End,
                (true, true) => Contact::BothEdges,
            };
            Some((self.set(around.copied()), contact))
        });
        edges.with(groups)
    }
}

/// Returns true if the cell is on the edge where the connection of `color` starts.
fn at_start(point: AnyCell, color: Color) -> bool {
    match color {
        Color::Red => point.row() == 0,
        Color::Blue => point.col() == 0,
    }
}

/// Returns true if the cell is on the edge where the connection of `color` ends.
fn at_end(point: AnyCell, color: Color, side: Side) -> bool {
    match color {
        Color::Red => point.row() + 1 == side.get(),
        Color::Blue => point.col() + 1 == side.get(),
    }
}

/// The stones connected with `stone`. They are removed from `left`.
fn group_of(stone: AnyCell, left: &mut CellSet<{ Side::MAX }>) -> Vec<AnyCell> {
    left.remove(stone);
    let mut group = vec![stone];
    let mut next = 0;
    while next < group.len() {
        for &neighbor in group[next].neighbors() {
            if left.contains(neighbor) {
                left.remove(neighbor);
                group.push(neighbor);
            }
        }
        next += 1;
    }
    group
}
