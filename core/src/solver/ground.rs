//! What a solver plays on: the empty cells of a position, numbered, and the groups of its stones.

use super::connections::Connections;
use super::groups::{Cluster, ColorGroups};
use super::inferior::Inferior;
use super::set::Set;
use crate::record::{Point, Position, Side};
use hexbot::cell::{Color, Direction};
use smallvec::SmallVec;

/// The empty cells of a position and who is next to whom.
#[derive(Debug)]
pub struct Ground {
    cells: Vec<Point>,
    around: Vec<Set>,
}

/// Stones and empty cells, as a search changes them. Stones and groups change together, in
/// [`SolverBoard::place`] alone.
#[derive(Clone, Debug)]
pub struct SolverBoard {
    groups: [ColorGroups; 2],
    stones: [Set; 2],
    empty: Set,
    /// What each colour got for nothing by the last [`SolverBoard::settle`].
    captured: [Set; 2],
}

impl Ground {
    /// The ground of `position`; `None` if and only if more cells are empty than a [`Set`] holds.
    pub fn new(position: &Position) -> Option<Self> {
        let is_empty = |point: &Point| position.at(*point).is_none();
        let cells: Vec<Point> = position.side().points().filter(is_empty).collect();
        if cells.len() > Set::CAPACITY {
            return None;
        }
        let mut ground = Ground {
            cells,
            around: Vec::new(),
        };
        let around = |&point: &Point| ground.set(neighbors(point, position.side()));
        ground.around = ground.cells.iter().map(around).collect();
        Some(ground)
    }

    /// The cell with this number.
    pub fn point(&self, cell: usize) -> Point {
        self.cells[cell]
    }

    /// The number of a cell; `None` if it holds a stone.
    pub fn number(&self, point: Point) -> Option<usize> {
        self.cells.binary_search(&point).ok()
    }

    /// The cells next to the one with this number.
    pub fn around(&self, cell: usize) -> Set {
        self.around[cell]
    }

    /// Those of the points that are empty.
    fn set(&self, points: impl IntoIterator<Item = Point>) -> Set {
        let numbers = points.into_iter().filter_map(|point| self.number(point));
        numbers.fold(Set::EMPTY, |set, cell| set | Set::of(cell))
    }

    /// The stones of the position that the ground was made of.
    pub fn field(&self, position: &Position) -> SolverBoard {
        SolverBoard {
            groups: Color::ALL.map(|color| self.groups(position, color)),
            stones: [Set::EMPTY; 2],
            empty: Set::first(self.cells.len()),
            captured: [Set::EMPTY; 2],
        }
    }

    fn groups(&self, position: &Position, color: Color) -> ColorGroups {
        let side = position.side();
        let starts = |point: &Point| at_start(*point, color);
        let ends = |point: &Point| at_end(*point, color, side);
        let mut start = self.set(side.points().filter(starts));
        let mut end = self.set(side.points().filter(ends));
        let (mut others, mut joined) = (Vec::new(), false);
        let mut seen = Position::new(side);
        for stone in position.stones(color) {
            if seen.at(stone).is_some() {
                continue;
            }
            let group = group_of(stone, position, &mut seen);
            let around = group.iter().flat_map(|&stone| neighbors(stone, side));
            let touches = self.set(around);
            let (at_start, at_end) = (group.iter().any(starts), group.iter().any(ends));
            joined |= at_start && at_end;
            start |= if at_start { touches } else { Set::EMPTY };
            end |= if at_end { touches } else { Set::EMPTY };
            if !at_start && !at_end {
                others.push(touches);
            }
        }
        ColorGroups::new(start, end, others, joined)
    }
}

impl SolverBoard {
    /// The groups of a colour.
    pub fn groups(&self, color: Color) -> &ColorGroups {
        &self.groups[color.index()]
    }

    /// The empty cells.
    pub fn empty(&self) -> Set {
        self.empty
    }

    /// The stones placed on the ground, in the order of [`Color::index`]; together with the ground
    /// they tell positions apart.
    pub fn stones(&self) -> [Set; 2] {
        self.stones
    }

    /// The cells that `color` captured when the field was settled: its carriers rest on them.
    pub fn captured(&self, color: Color) -> Set {
        self.captured[color.index()]
    }

    /// The field after a stone on an empty cell, settled.
    pub fn after(&self, cell: usize, color: Color, ground: &Ground) -> SolverBoard {
        let mut after = self.clone();
        after.place(cell, color, ground);
        after.settle(ground);
        after
    }

    /// Fills in the cells that need no search, until there are none.
    pub fn settle(&mut self, ground: &Ground) {
        self.captured = [Set::EMPTY; 2];
        while !self.groups.iter().any(ColorGroups::joined) {
            let found = Inferior::find(self, ground);
            if found.is_empty() {
                return;
            }
            // Whose stone lies on a dead cell does not matter, as long as it is always the same
            // colour's.
            let fillings = [
                (found.dead, Color::Red),
                (found.captured[0], Color::Red),
                (found.captured[1], Color::Blue),
            ];
            for (cells, color) in fillings {
                cells
                    .iter()
                    .for_each(|cell| self.place(cell, color, ground));
            }
            for (all, new) in self.captured.iter_mut().zip(found.captured) {
                *all |= new;
            }
        }
    }

    /// Places a stone on an empty cell.
    pub fn place(&mut self, cell: usize, color: Color, ground: &Ground) {
        debug_assert!(self.empty.contains(cell));
        self.empty -= Set::of(cell);
        self.stones[color.index()] |= Set::of(cell);
        self.groups[color.index()].gain(cell, ground.around(cell) & self.empty);
        self.groups[color.opponent().index()].lose(cell);
    }

    /// What joins the edges of `color`, by H-search.
    pub fn connections(&self, color: Color, ground: &Ground) -> Connections {
        let groups = self.groups(color);
        let neighbors = |cell| groups.neighbors(cell, ground.around(cell) & self.empty);
        let cells = self.empty.iter();
        let cells = cells.map(|cell| (cell, neighbors(cell) - Set::of(cell)));
        let cells: SmallVec<[(usize, Set); 64]> = cells.collect();
        Connections::find(groups.start(), groups.end(), groups.others(), &cells)
    }

    /// What is seen of `color`'s prospects without a search.
    pub fn prospects(&self, color: Color, ground: &Ground) -> Prospects {
        let groups = self.groups(color);
        let neighbors = |cell| groups.neighbors(cell, ground.around(cell) & self.empty);
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

/// What a colour has joined with its edges for certain.
pub struct Prospects {
    clusters: [Cluster; 2],
    joined: bool,
    /// What the ending edge touches.
    end: Set,
    /// The empty cells with their neighbours.
    cells: SmallVec<[(usize, Set); 64]>,
}

impl Prospects {
    /// The carrier of a win whoever moves, if one is seen.
    pub fn proof(&self) -> Option<Set> {
        match self.joined {
            true => Some(Set::EMPTY),
            false => self.clusters[0].proof(self.end, &self.cells),
        }
    }

    /// The carriers of wins by one move that are seen, the moves included.
    pub fn threats(&self) -> impl Iterator<Item = Set> + '_ {
        let [start, end] = &self.clusters;
        let cells = self.cells.iter();
        cells.filter_map(move |&(cell, neighbors)| start.threat(end, cell, neighbors))
    }
}

/// Returns true if the cell lies where the connection of `color` starts.
fn at_start(point: Point, color: Color) -> bool {
    match color {
        Color::Red => point.row() == 0,
        Color::Blue => point.col() == 0,
    }
}

/// Returns true if the cell lies where the connection of `color` ends.
fn at_end(point: Point, color: Color, side: Side) -> bool {
    match color {
        Color::Red => point.row() + 1 == side.get(),
        Color::Blue => point.col() + 1 == side.get(),
    }
}

/// The two to six cells next to a cell.
fn neighbors(point: Point, side: Side) -> impl Iterator<Item = Point> {
    Direction::ALL.into_iter().filter_map(move |to| {
        let (rows, cols) = to.step();
        let row = point.row().checked_add_signed(rows)?;
        Point::new(row, point.col().checked_add_signed(cols)?, side)
    })
}

/// The stones connected with `stone`, which are marked in `seen`.
fn group_of(stone: Point, position: &Position, seen: &mut Position) -> Vec<Point> {
    let color = position.at(stone);
    seen.set(stone, color);
    let mut group = vec![stone];
    let mut next = 0;
    while next < group.len() {
        for neighbor in neighbors(group[next], position.side()) {
            if position.at(neighbor) == color && seen.at(neighbor).is_none() {
                seen.set(neighbor, color);
                group.push(neighbor);
            }
        }
        next += 1;
    }
    group
}
