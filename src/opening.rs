//! The first move and the swap, from a table of how good each first move is for Red.

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::grid::Grid;

/// Red's chance to win in percent after each first move on the 11×11 board if Blue does not swap.
/// Measured by `hex openings`: a long search of every opening, its value scaled by games
/// (`docs/openings.txt` holds both).
#[rustfmt::skip]
const RED_WINS: Grid<u8, 11> = Grid::from_rows([
    [42, 43, 45, 46, 47, 46, 47, 48, 50, 50, 48],
    [44, 47, 52, 53, 55, 54, 60, 61, 66, 65, 53],
    [46, 46, 52, 55, 58, 60, 63, 64, 68, 54, 48],
    [47, 50, 54, 60, 62, 64, 63, 70, 65, 59, 51],
    [47, 56, 57, 62, 63, 66, 72, 66, 61, 55, 50],
    [51, 54, 61, 63, 67, 71, 67, 63, 61, 54, 51],
    [50, 55, 61, 66, 72, 66, 63, 62, 57, 56, 47],
    [51, 59, 65, 70, 63, 64, 62, 60, 54, 50, 47],
    [48, 54, 68, 64, 63, 60, 58, 55, 52, 46, 46],
    [53, 65, 66, 61, 60, 54, 55, 53, 52, 47, 44],
    [48, 50, 50, 48, 47, 46, 47, 46, 45, 43, 42],
]);

/// Red's chance to win, 0 to 1, after opening with `cell` if Blue does not swap. On boards of other
/// sides the value is that of the 11×11 cell as far from the edges, as seen from the nearer ones.
pub fn red_wins<const N: usize>(cell: Cell<N>) -> f32 {
    let place = |x: usize| match 2 * x < N {
        true => x.min(5),
        false => 10 - (N - 1 - x).min(5),
    };
    f32::from(RED_WINS.rows()[place(cell.row())][place(cell.col())]) / 100.0
}

/// The first move as Red, one that leaves the game as even as any: b4, to which both the searches and
/// the games give half of the wins; on boards too small for it, the most even cell of the table.
pub fn first_move<const N: usize>() -> Cell<N> {
    let b4 = Cell::new(3, 1).filter(|_| N >= 9);
    let unevenness = |cell: &Cell<N>| (red_wins(*cell) - 0.5).abs();
    let most_even = || Cell::all().min_by(|a, b| unevenness(a).total_cmp(&unevenness(b)));
    b4.or_else(most_even).expect("a board has cells")
}

/// The stone that Blue may take over by swapping, if this is Blue's first turn.
pub fn stone_to_swap<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    let mut stones = board.stones(Color::Red).iter();
    match (board.to_move(), stones.next(), stones.next()) {
        (Color::Blue, first, None) if board.stones(Color::Blue).is_empty() => first,
        _ => None,
    }
}
