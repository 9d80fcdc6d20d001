//! What a solver plays on: the empty cells of a position, numbered, and the groups of its stones.

use super::groups::ColorGroups;
use super::set::Set;
use crate::record::{Point, Position, Side};
use hexbot::cell::{Color, Direction};

/// The empty cells of a position and who is next to whom.
#[derive(Debug)]
pub struct Ground {
    cells: Vec<Point>,
    around: Vec<Set>,
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

    /// All cells.
    pub fn all(&self) -> Set {
        Set::first(self.cells.len())
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

    /// The groups of `color` in the position that the ground was made of.
    pub fn groups(&self, position: &Position, color: Color) -> ColorGroups {
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
