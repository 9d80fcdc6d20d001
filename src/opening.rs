//! The first move and the swap, from a table of Red's win probability after each first move.

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::params::SWAP_ABOVE;

/// Red's win probability in percent after each first move in the upper rows of the 11×11 board, if
/// Blue does not swap. Half a turn of the board leads to equal values. Measured by `hex lab
/// openings`: a long search of every opening, with its value scaled by games (`docs/openings.txt`
/// has both).
#[rustfmt::skip]
const RED_WINS: [[u8; 11]; 6] = [
    [20, 22, 20, 17, 17, 17, 18, 20, 20, 22, 60],
    [46, 44, 46, 44, 36, 37, 42, 41, 50, 76, 69],
    [42, 77, 78, 76, 73, 72, 74, 71, 81, 63, 39],
    [72, 68, 84, 79, 79, 83, 76, 87, 78, 79, 61],
    [66, 75, 78, 84, 79, 81, 84, 80, 82, 75, 66],
    [63, 79, 79, 83, 83, 84, 83, 83, 79, 79, 63],
];

/// Red's win probability, 0 to 1, after opening with `cell` on a board of `side`, if Blue does not
/// swap. For sides other than 11 it is that of the 11×11 cell with the same distances from the
/// nearer edges.
pub fn red_wins<const N: usize>(cell: Cell<N>, side: usize) -> f32 {
    let [row, col] = [cell.row(), cell.col()].map(|x| on_table(x, side));
    let wins = match row {
        0..6 => RED_WINS[row][col],
        _ => RED_WINS[10 - row][10 - col],
    };
    f32::from(wins) / 100.0
}

/// Whether Blue should swap Red's first stone on `cell`, on a board of `side`.
pub fn swap_pays<const N: usize>(cell: Cell<N>, side: usize) -> bool {
    red_wins(cell, side) > SWAP_ABOVE
}

/// The table's row or column, 0 to 10, for `x`, 0 to `side` − 1.
fn on_table(x: usize, side: usize) -> usize {
    if 2 * x < side {
        x.min(5)
    } else {
        10 - (side - 1 - x).min(5)
    }
}

/// The first move as Red, which leaves an even game: c2, as strong players choose too (HexWiki,
/// *Openings on 11 x 11*). On boards below side 9 it is the most even cell of the table.
pub fn first_move<const N: usize>(board: &Board<N>) -> Cell<N> {
    #[cfg(feature = "sides")]
    if board.side() < 9 {
        let unevenness = |cell: &Cell<N>| (red_wins(*cell, board.side()) - 0.5).abs();
        let cells = board.empty_cells().iter();
        let most_even = cells.min_by(|a, b| unevenness(a).total_cmp(&unevenness(b)));
        return most_even.expect("a board has cells");
    }
    debug_assert!(board.side() >= 9);
    Cell::new(1, 2).expect("the board has c2")
}

/// Red's stone that Blue may swap, if this is Blue's first turn.
pub fn stone_to_swap<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    let mut stones = board.own_stones(Color::Red).iter();
    match (board.to_move(), stones.next(), stones.next()) {
        (Color::Blue, first, None) if board.own_stones(Color::Blue).is_empty() => first,
        _ => None,
    }
}
