//! Shortest paths in positions whose side is known at run time: [`hexbot::shortest_path`] once
//! more, cell for cell, because compiling that for 26 sides takes long.

use crate::record::{Point, Position, Side};
use hexbot::cell::{Color, Direction};
use std::collections::VecDeque;

/// A shortest path between a player's two edges, as if the other player never answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestPath {
    /// How many of its cells are empty.
    pub moves: u16,
    /// Its cells from the right or bottom edge back to the left or top edge, own stones included.
    pub cells: Vec<Point>,
}

impl ShortestPath {
    /// The cells that are to be filled, in the same order.
    pub fn missing<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = Point> + 'a {
        let cells = self.cells.iter().copied();
        cells.filter(|&point| position.at(point).is_none())
    }
}

/// A shortest path of `color`; `None` if and only if the opponent has won.
pub fn shortest_path(position: &Position, color: Color) -> Option<ShortestPath> {
    let waves = Waves::new(position, color);
    let last = waves.last_point()?;
    let previous = |&point: &Point| waves.from_start.step(point)?.previous;
    Some(ShortestPath {
        moves: waves.from_start.step(last)?.moves,
        cells: std::iter::successors(Some(last), previous).collect(),
    })
}

/// For each empty cell that `color` can still use, row by row, how many moves join it with both
/// edges, see [`hexbot::shortest_path::Distances::moves_through`].
pub fn moves_through(position: &Position, color: Color) -> Vec<(Point, u16)> {
    let waves = Waves::new(position, color);
    let moves = |point| Some((point, waves.moves_through(point)?));
    empty_points(position).filter_map(moves).collect()
}

/// A sound move without any search, see [`hexbot::shortest_path::heuristic_move`]. `None` if and
/// only if no cell is empty.
pub fn heuristic_move(position: &Position, to_move: Color) -> Option<Point> {
    let [own, other] = [to_move, to_move.opponent()].map(|color| Waves::new(position, color));
    let nearer = match (own.moves_to_win, other.moves_to_win) {
        (Some(ours), Some(theirs)) if theirs < ours => &other,
        (None, _) => &other,
        _ => &own,
    };
    let most_central = |choice: &dyn Fn(Point) -> bool| {
        let points = empty_points(position).filter(|&point| choice(point));
        points.min_by_key(|&point| distance_to_centre(point, position.side()))
    };
    let on_both = |point| own.is_on_shortest_path(point) && other.is_on_shortest_path(point);
    most_central(&on_both)
        .or_else(|| most_central(&|point| nearer.is_on_shortest_path(point)))
        .or_else(|| most_central(&|_| true))
}

fn empty_points(position: &Position) -> impl Iterator<Item = Point> + '_ {
    let points = position.side().points();
    points.filter(|&point| position.at(point).is_none())
}

/// How far the cells are from both edges of a player.
struct Waves<'a> {
    position: &'a Position,
    color: Color,
    from_start: Wave,
    to_end: Wave,
    /// How many cells are missing on the shortest path; `None` if there is none.
    moves_to_win: Option<u16>,
}

/// What one wave from an edge found for each cell, row by row.
struct Wave {
    side: Side,
    steps: Vec<Option<Step>>,
}

#[derive(Clone, Copy)]
struct Step {
    /// Empty cells between the edge and this cell, this cell included.
    moves: u16,
    /// The cell before this one on a cheapest path from the edge; none on the edge itself.
    previous: Option<Point>,
}

impl Wave {
    /// A wave of `color` that starts with the points of its edge.
    fn new(position: &Position, color: Color, edge: impl Fn(Point) -> bool) -> Wave {
        let side = position.side();
        let mut wave = Wave {
            side,
            steps: vec![None; side.get() * side.get()],
        };
        let mut queue = VecDeque::new();
        for point in side.points().filter(|&point| edge(point)) {
            wave.visit(position, color, point, None, &mut queue);
        }
        while let Some(from) = queue.pop_front() {
            for to in Direction::ALL {
                if let Some(point) = neighbor(from, to, side) {
                    wave.visit(position, color, point, Some(from), &mut queue);
                }
            }
        }
        wave
    }

    /// Comes to `point` from a neighbour or, at the edge, from nowhere. What waits in the queue
    /// differs by one move at most, so a cell that cost nothing belongs in front.
    fn visit(
        &mut self,
        position: &Position,
        color: Color,
        point: Point,
        previous: Option<Point>,
        queue: &mut VecDeque<Point>,
    ) {
        let stone = position.at(point);
        if stone == Some(color.opponent()) {
            return;
        }
        let before = previous.and_then(|previous| self.step(previous));
        let moves = before.map_or(0, |step| step.moves) + stone.is_none() as u16;
        if self.step(point).is_some_and(|step| step.moves <= moves) {
            return;
        }
        let index = self.index(point);
        self.steps[index] = Some(Step { moves, previous });
        match stone {
            Some(_) => queue.push_front(point),
            None => queue.push_back(point),
        }
    }

    fn step(&self, point: Point) -> Option<Step> {
        self.steps[self.index(point)]
    }

    fn index(&self, point: Point) -> usize {
        point.row() * self.side.get() + point.col()
    }
}

impl<'a> Waves<'a> {
    fn new(position: &'a Position, color: Color) -> Self {
        let last = position.side().get() - 1;
        let mut waves = Waves {
            position,
            color,
            from_start: Wave::new(position, color, |point| along(point, color) == 0),
            to_end: Wave::new(position, color, |point| along(point, color) == last),
            moves_to_win: None,
        };
        let end = waves
            .last_point()
            .and_then(|end| waves.from_start.step(end));
        waves.moves_to_win = end.map(|step| step.moves);
        waves
    }

    /// The cell on the end edge that is cheapest to reach from the start edge.
    fn last_point(&self) -> Option<Point> {
        let side = self.position.side();
        let ends = side
            .points()
            .filter(|&point| along(point, self.color) == side.get() - 1);
        let reached = ends.filter_map(|point| Some((self.from_start.step(point)?.moves, point)));
        reached.min().map(|(_, point)| point)
    }

    fn moves_through(&self, point: Point) -> Option<u16> {
        let counted_twice = self.position.at(point).is_none() as u16;
        let to_end = self.to_end.step(point)?.moves;
        Some(self.from_start.step(point)?.moves + to_end - counted_twice)
    }

    fn is_on_shortest_path(&self, point: Point) -> bool {
        self.moves_to_win.is_some() && self.moves_through(point) == self.moves_to_win
    }
}

/// How many rows or columns a cell is from the edge where `color` starts.
fn along(point: Point, color: Color) -> usize {
    match color {
        Color::Red => point.row(),
        Color::Blue => point.col(),
    }
}

fn neighbor(point: Point, to: Direction, side: Side) -> Option<Point> {
    let (rows, cols) = to.step();
    // A step before row or column 0 wraps to a huge number, which `new` refuses.
    let row = point.row().wrapping_add_signed(rows);
    Point::new(row, point.col().wrapping_add_signed(cols), side)
}

/// Twice the number of steps, so that it is whole on boards of even side too.
fn distance_to_centre(point: Point, side: Side) -> usize {
    let centre = side.get() as isize - 1;
    let rows = 2 * point.row() as isize - centre;
    let cols = 2 * point.col() as isize - centre;
    // A step changes the row, the column, or both in opposite directions.
    rows.abs().max(cols.abs()).max((rows + cols).abs()) as usize
}
