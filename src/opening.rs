//! The opening: Red's first move, Blue's swap, and the answers of the opening book. Every program
//! around the engine asks [`decide`].

use crate::board::Board;
use crate::book;
use crate::cell::{Cell, Color};
use crate::params::{OpeningBook, SWAP_ABOVE};
use std::fmt;

/// What to do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<const N: usize> {
    /// Swap Red's first stone. Only as Blue's first answer.
    SwapPieces,
    /// Place a stone.
    Play(Cell<N>),
}

impl<const N: usize> Answer<N> {
    /// The position after the answer. A swap requires that Red's stone is the only one. A stone on
    /// a taken cell changes nothing.
    pub fn played_on(self, board: &Board<N>) -> Board<N> {
        match self {
            Answer::SwapPieces => board.transposed(),
            Answer::Play(cell) => {
                let mut after = board.clone();
                if after.at(cell).is_none() {
                    after.play_unchecked(cell);
                }
                after
            }
        }
    }
}

/// The form that the judge reads.
impl<const N: usize> fmt::Display for Answer<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Answer::SwapPieces => f.write_str("swap-pieces"),
            Answer::Play(cell) => cell.fmt(f),
        }
    }
}

/// Whether Blue may answer Red's first stone with a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swaps {
    /// By the rules of this game, and nothing but that stone was played or set up. It makes no
    /// difference whether the pieces or the sides are swapped.
    Allowed,
    /// The players agreed on none, or it is too late. Then Red's first move is the search's.
    Off,
}

/// Red's win probability in percent after each first move in the upper half of the 11×11 board, row
/// by row to its centre, if Blue does not swap. Half a turn of the board leads to equal values.
/// Measured by `hex lab openings`: a long search of every opening, with its value scaled by games
/// (`docs/openings` has both).
#[rustfmt::skip]
const RED_WINS: [u8; 61] = [
    20, 22, 20, 17, 17, 17, 18, 20, 20, 22, 60,
    46, 44, 46, 44, 36, 37, 42, 41, 50, 76, 69,
    42, 77, 78, 76, 73, 72, 74, 71, 81, 63, 39,
    72, 68, 84, 79, 79, 83, 76, 87, 78, 79, 61,
    66, 75, 78, 84, 79, 81, 84, 80, 82, 75, 66,
    63, 79, 79, 83, 83, 84,
];

/// Red's win probability, 0 to 1, after opening with `cell` on a board of `side`, if Blue does not
/// swap. Where the winner is proven, it is on the winner's side of ½.
pub fn red_wins<const N: usize>(cell: Cell<N>, side: usize) -> f32 {
    #[cfg(feature = "sides")]
    if side != 11 {
        return f32::from(crate::opening_tables::red_wins_percent(
            cell.row(),
            cell.col(),
            side,
        )) / 100.0;
    }
    let number = cell.row() * side + cell.col();
    f32::from(RED_WINS[number.min(120 - number)]) / 100.0
}

/// Whether Blue should swap Red's first stone on `cell`, on a board of `side`.
fn swap_pays<const N: usize>(cell: Cell<N>, side: usize) -> bool {
    red_wins(cell, side) > SWAP_ABOVE
}

/// The answer to `board` that needs no search, if there is one: Red's first move, the swap if it
/// pays, or an answer of the opening book. Callers say whether Blue may swap, and which book they
/// use. The opening of every program is decided here.
pub fn decide<const N: usize>(
    board: &Board<N>,
    swaps: Swaps,
    book: OpeningBook,
) -> Option<Answer<N>> {
    if swaps == Swaps::Allowed {
        let ready = first_move_or_swap(board);
        if ready.is_some() {
            return ready;
        }
    } else if *board == board.cleared() {
        // The book's first move is one that loses if Blue does not swap.
        return None;
    }
    match book {
        OpeningBook::Used => book::answer(board).map(Answer::Play),
        #[cfg(feature = "large-book")]
        OpeningBook::Small => book::small_answer(board).map(Answer::Play),
        OpeningBook::Ignored => None,
    }
}

fn first_move_or_swap<const N: usize>(board: &Board<N>) -> Option<Answer<N>> {
    if *board == board.cleared() {
        return Some(Answer::Play(first_move(board)));
    }
    let stone = stone_to_swap(board)?;
    swap_pays(stone, board.side()).then_some(Answer::SwapPieces)
}

/// The first move as Red, which leaves an even game: c2, as strong players choose too (HexWiki,
/// *Openings on 11 x 11*). On other boards it is the most even cell that Blue had better not swap.
#[cfg_attr(not(feature = "sides"), allow(unused_variables))]
fn first_move<const N: usize>(board: &Board<N>) -> Cell<N> {
    #[cfg(feature = "sides")]
    if board.side() != 11 {
        let swapped = |cell: &Cell<N>| swap_pays(*cell, board.side());
        let unevenness = |cell: &Cell<N>| (red_wins(*cell, board.side()) - 0.5).abs();
        let cells = board.empty_cells().iter();
        let best = cells.min_by(|a, b| {
            let by_swap = swapped(a).cmp(&swapped(b));
            by_swap.then(unevenness(a).total_cmp(&unevenness(b)))
        });
        return best.expect("a board has cells");
    }
    Cell::new(1, 2).expect("the board has c2")
}

/// Red's stone that Blue may swap, if this is Blue's first turn.
fn stone_to_swap<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    let mut stones = board.own_stones(Color::Red).iter();
    match (board.to_move(), stones.next(), stones.next()) {
        (Color::Blue, first, None) if board.own_stones(Color::Blue).is_empty() => first,
        _ => None,
    }
}
