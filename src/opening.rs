//! The first move and the swap, from a table of how good each first move is for Red.

use crate::board::Board;
use crate::cell::{Cell, Color};

/// Red's chance to win in percent after each first move in the upper rows of the 11×11 board if
/// Blue does not swap; half a turn changes nothing. Measured by `hex openings`: a long search of
/// every opening, its value scaled by games (`docs/openings.txt` holds both). One says otherwise
/// than was measured: j3 (47 ± 5 %), which strong players and programs hold to win (HexWiki).
#[rustfmt::skip]
const RED_WINS: [[u8; 11]; 6] = [
    [22, 15, 25, 12, 14, 13, 13, 16, 18, 24, 63],
    [35, 32, 46, 35, 39, 41, 42, 34, 37, 77, 60],
    [32, 75, 81, 76, 69, 74, 65, 65, 88, 53, 38],
    [62, 55, 83, 83, 78, 85, 73, 86, 72, 74, 52],
    [64, 74, 77, 87, 85, 77, 83, 69, 83, 75, 57],
    [56, 82, 83, 78, 79, 87, 79, 78, 83, 82, 56],
];

/// Red's chance to win, 0 to 1, after opening with `cell` if Blue does not swap. On boards of other
/// sides the value is that of the 11×11 cell as far from the edges, as seen from the nearer ones.
pub fn red_wins<const N: usize>(cell: Cell<N>) -> f32 {
    let [row, col] = [cell.row(), cell.col()].map(|x| match 2 * x < N {
        true => x.min(5),
        false => 10 - (N - 1 - x).min(5),
    });
    let wins = match row {
        0..6 => RED_WINS[row][col],
        _ => RED_WINS[10 - row][10 - col],
    };
    f32::from(wins) / 100.0
}

/// The first move as Red, one that leaves the game as even as any: c2, which strong players choose
/// for that too (HexWiki, *Openings on 11 x 11*); on boards too small for it, the most even cell of
/// the table.
pub fn first_move<const N: usize>() -> Cell<N> {
    let c2 = Cell::new(1, 2).filter(|_| N >= 9);
    let unevenness = |cell: &Cell<N>| (red_wins(*cell) - 0.5).abs();
    let most_even = || Cell::all().min_by(|a, b| unevenness(a).total_cmp(&unevenness(b)));
    c2.or_else(most_even).expect("a board has cells")
}

/// The stone that Blue may take over by swapping, if this is Blue's first turn.
pub fn stone_to_swap<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    let mut stones = board.stones(Color::Red).iter();
    match (board.to_move(), stones.next(), stones.next()) {
        (Color::Blue, first, None) if board.stones(Color::Blue).is_empty() => first,
        _ => None,
    }
}
