//! Shortest paths in positions whose side is known at run time; see [`hexbot::shortest_path`]. The
//! one place where they are compiled for every side.

use crate::record::{Point, Position};
use crate::with_side;
use hexbot::board::Board;
use hexbot::cell::Color;
use hexbot::shortest_path::{self, Distances};

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
    fn on<const N: usize>(board: &Board<N>, color: Color) -> Option<ShortestPath> {
        let distances = Distances::new(board, color);
        let moves = distances.moves_to_win()?;
        let cells = distances.shortest_path().map(Point::from).collect();
        Some(ShortestPath { moves, cells })
    }
    with_side!(position.side(), N => on(&position.board::<N>(color), color))
}

/// For each empty cell that `color` can still use, row by row, how many moves join it with both
/// edges, see [`Distances::moves_through`].
pub fn moves_through(position: &Position, color: Color) -> Vec<(Point, u16)> {
    fn on<const N: usize>(board: &Board<N>, color: Color) -> Vec<(Point, u16)> {
        let distances = Distances::new(board, color);
        let moves = |cell| Some((Point::from(cell), distances.moves_through(cell)?));
        board.empty_cells().iter().filter_map(moves).collect()
    }
    with_side!(position.side(), N => on(&position.board::<N>(color), color))
}

/// A sound move without any search, see [`shortest_path::heuristic_move`]. `None` if and only if no
/// cell is empty.
pub fn heuristic_move(position: &Position, to_move: Color) -> Option<Point> {
    with_side!(position.side(), N => {
        shortest_path::heuristic_move(&position.board::<N>(to_move)).map(Point::from)
    })
}
