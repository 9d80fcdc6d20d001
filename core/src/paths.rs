//! Shortest paths in positions of records: [`hexbot::shortest_path`] on a board with room for all
//! sides.

use crate::record::{Point, Position, Side};
use hexbot::board::Board;
use hexbot::cell::Color;
use hexbot::shortest_path::{self, Distances};

/// The side of the board that every position fits on.
const ROOM: usize = Side::MAX;

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
    let distances = Distances::new(&position.board::<ROOM>(color), color);
    Some(ShortestPath {
        moves: distances.moves_to_win()?,
        cells: distances.shortest_path().map(Point::from).collect(),
    })
}

/// For each empty cell that `color` can still use, row by row, how many moves join it with both
/// edges, see [`Distances::moves_through`].
pub fn moves_through(position: &Position, color: Color) -> Vec<(Point, u16)> {
    let board: Board<ROOM> = position.board(color);
    let distances = Distances::new(&board, color);
    let moves = |cell| Some((Point::from(cell), distances.moves_through(cell)?));
    board.empty_cells().iter().filter_map(moves).collect()
}

/// A sound move without any search, see [`shortest_path::heuristic_move`]. `None` if and only if no
/// cell is empty.
pub fn heuristic_move(position: &Position, to_move: Color) -> Option<Point> {
    shortest_path::heuristic_move(&position.board::<ROOM>(to_move)).map(Point::from)
}
