//! The first move and the swap, from a table of how good each first move is for Red.

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::grid::Grid;

/// Red's chance to win in percent after each first move on the 11×11 board if Blue does not swap.
const RED_WINS: Grid<u8, 11> = Grid::from_rows([[50; 11]; 11]);

/// Red's chance to win, 0 to 1, after opening with `cell` if Blue does not swap. On boards of other
/// sides the value is that of the 11×11 cell as far from the edges, as seen from the nearer ones.
pub fn red_wins<const N: usize>(cell: Cell<N>) -> f32 {
    let place = |x: usize| {
        if 2 * x < N {
            x.min(5)
        } else {
            10 - (N - 1 - x).min(5)
        }
    };
    f32::from(RED_WINS.rows()[place(cell.row())][place(cell.col())]) / 100.0
}

/// The first move as Red: the one that leaves the game most even.
pub fn first_move<const N: usize>() -> Cell<N> {
    let unevenness = |cell: &Cell<N>| (red_wins(*cell) - 0.5).abs();
    let cells = Cell::all();
    cells
        .min_by(|a, b| unevenness(a).total_cmp(&unevenness(b)))
        .expect("a board has cells")
}

/// The stone that Blue may take over by swapping, if this is Blue's first turn.
pub fn stone_to_swap<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    let mut stones = board.stones(Color::Red).iter();
    match (board.to_move(), stones.next(), stones.next()) {
        (Color::Blue, first, None) if board.stones(Color::Blue).is_empty() => first,
        _ => None,
    }
}
