//! The shortest paths between a side's two edges: how many more stones it needs, and where.
//!
//! An empty cell costs one move, an own stone none, and an opponent's stone blocks. The opponent
//! never answers. This is Lee's algorithm (1961) with costs 0 and 1: a breadth-first search with a
//! double-ended queue, where free steps go to the front. The module also has the move that is
//! played when the search fails.

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::grid::Grid;
use crate::groups::Edges;
use std::collections::VecDeque;

/// How many moves `color` needs to connect each cell with each of its two edges.
///
/// ```
/// use hexbot::board::Board;
/// use hexbot::cell::Color;
/// use hexbot::shortest_path::Distances;
/// let mut board = Board::<5>::new();
/// assert_eq!(Distances::new(&board, Color::Red).moves_to_win(), Some(5));
/// board.play("c3".parse().unwrap());
/// assert_eq!(Distances::new(&board, Color::Red).moves_to_win(), Some(4));
/// ```
#[derive(Clone, Debug)]
pub struct Distances<const N: usize> {
    empty: CellSet<N>,
    from_start: Wave<N>,
    to_end: Wave<N>,
}

/// The result of one wave from an edge, for each cell that it reached.
#[derive(Clone, Debug)]
struct Wave<const N: usize>(Grid<Option<Step<N>>, N>);

#[derive(Clone, Copy, Debug)]
struct Step<const N: usize> {
    /// Empty cells between the edge and this cell, this cell included.
    moves: u16,
    /// The cell before this one on a shortest path from the edge; `None` on the edge itself.
    previous: Option<Cell<N>>,
}

impl<const N: usize> Wave<N> {
    fn from_edge(edge: Edges, color: Color, board: &Board<N>) -> Self {
        let own = board.own_stones(color);
        let passable = own | board.empty_cells();
        let mut wave = Wave(Grid::filled(None));
        // Cells in the order of their moves. They differ by at most one, so free cells go to
        // the front and all others to the back.
        let mut queue = VecDeque::with_capacity(Cell::<N>::COUNT);
        let mut visit = |cell, before: Option<(Cell<N>, u16)>, queue: &mut VecDeque<_>| {
            let free = own.contains(cell);
            let moves = before.map_or(0, |(_, moves)| moves) + !free as u16;
            if wave.0[cell].is_some_and(|step| step.moves <= moves) {
                return;
            }
            wave.0[cell] = Some(Step {
                moves,
                previous: before.map(|(cell, _)| cell),
            });
            if free {
                queue.push_front((cell, moves));
            } else {
                queue.push_back((cell, moves));
            }
        };
        for cell in passable
            .iter()
            .filter(|&cell| Edges::of(cell, board.side()).include(edge))
        {
            visit(cell, None, &mut queue);
        }
        while let Some((cell, moves)) = queue.pop_front() {
            for &next in cell
                .neighbors()
                .iter()
                .filter(|&&next| passable.contains(next))
            {
                visit(next, Some((cell, moves)), &mut queue);
            }
        }
        wave
    }

    fn moves(&self, cell: Cell<N>) -> Option<u16> {
        self.0[cell].map(|step| step.moves)
    }
}

impl<const N: usize> Distances<N> {
    /// Two breadth-first searches, O(N²).
    pub fn new(board: &Board<N>, color: Color) -> Self {
        Distances {
            empty: board.empty_cells(),
            from_start: Wave::from_edge(Edges::start(color), color, board),
            to_end: Wave::from_edge(Edges::end(color), color, board),
        }
    }

    /// The fewest moves that join the two edges, 0 if they are joined; `None` if and only if the
    /// opponent has won.
    pub fn moves_to_win(&self) -> Option<u16> {
        self.last_cell()
            .and_then(|cell| self.from_start.moves(cell))
    }

    /// The cell on the end edge, where the wave from there begins, with the fewest moves from the
    /// start edge.
    fn last_cell(&self) -> Option<Cell<N>> {
        Cell::all()
            .filter(|&cell| self.to_end.0[cell].is_some_and(|step| step.previous.is_none()))
            .filter_map(|cell| Some((self.from_start.moves(cell)?, cell)))
            .min()
            .map(|(_, cell)| cell)
    }

    /// The fewest moves that connect `cell` with both edges, including a move there if it is empty;
    /// `None` if and only if that is impossible. An empty cell that serves both directions is
    /// counted twice, which never happens on a shortest path.
    pub fn moves_through(&self, cell: Cell<N>) -> Option<u16> {
        let counted_twice = self.empty.contains(cell) as u16;
        Some(self.from_start.moves(cell)? + self.to_end.moves(cell)? - counted_twice)
    }

    /// The empty cells that lie on some shortest path.
    pub fn cells_on_shortest_paths(&self) -> CellSet<N> {
        let Some(moves) = self.moves_to_win() else {
            return CellSet::EMPTY;
        };
        self.empty
            .iter()
            .filter(|&cell| self.moves_through(cell) == Some(moves))
            .collect()
    }

    /// The cells of one shortest path from the end edge back to the start edge, including own
    /// stones; [`moves_to_win`](Self::moves_to_win) of them are empty. No cells if the opponent has
    /// won.
    pub fn shortest_path(&self) -> impl Iterator<Item = Cell<N>> + '_ {
        std::iter::successors(self.last_cell(), |&cell| self.from_start.0[cell]?.previous)
    }
}

/// A reasonable move without a search: an empty cell on shortest paths of both sides, else on one
/// of the side that needs fewer moves, and the nearest to the centre among several. `None` if and
/// only if no cell is empty. O(N²).
pub fn heuristic_move<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    let mover = board.to_move();
    let [own, other] = [mover, mover.opponent()].map(|color| Distances::new(board, color));
    let [own_cells, other_cells] = [&own, &other].map(|side| side.cells_on_shortest_paths());
    let nearer = match (own.moves_to_win(), other.moves_to_win()) {
        (Some(ours), Some(theirs)) if theirs < ours => other_cells,
        (None, _) => other_cells,
        _ => own_cells,
    };
    [own_cells & other_cells, nearer, board.empty_cells()]
        .into_iter()
        .find_map(|cells| {
            cells
                .iter()
                .min_by_key(|&cell| distance_to_centre(cell, board.side()))
        })
}

/// Twice the number of steps to the centre, which is whole on boards of even sides too.
fn distance_to_centre<const N: usize>(cell: Cell<N>, side: usize) -> usize {
    let centre = side as isize - 1;
    let rows = 2 * cell.row() as isize - centre;
    let cols = 2 * cell.col() as isize - centre;
    // A step changes the row, the column, or both in opposite directions.
    rows.abs().max(cols.abs()).max((rows + cols).abs()) as usize
}
