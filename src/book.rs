//! The opening book: answers to positions of 11×11 openings that the search gets wrong.
//!
//! They are taken from the judgement of a far stronger network; `train/book.py` tells how they
//! were chosen. The file is a tree: the answers that follow a position stand side by side, and
//! those that follow an answer right behind it. Each has two bytes, the higher one first. The
//! highest seven bits are the other player's move and the next seven the answer, as 11 · row +
//! column. The bit of weight 2 is set if answers that follow it come next, that of weight 1 if it
//! is the last that follows the same position. A move beyond the board is none: so begins what
//! follows a first stone that is ours.

use crate::board::Board;
use crate::cell::{Cell, Color};

/// The side of the board that the book is of.
const BOOK_SIDE: usize = 11;

/// The shipped book, which `python -m train.book` writes.
pub fn file() -> impl AsRef<[u8]> {
    include_bytes!("shipped.book")
}

/// The book's answer to a position; `None` if it has none. O(length of the book).
///
/// Half a turn of the board, and the mirror at the long diagonal with the colours exchanged, change
/// nothing: a position is found in each of its four forms.
pub fn answer<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    (0..4)
        .filter(|_| board.side() == BOOK_SIDE)
        .find_map(|form| {
            let empty = board.cleared().with_to_move(Color::ALL[form % 2]);
            find(&mut file().as_ref(), &empty, board, form)
        })
}

/// Looks for `wanted` among the first answers of `file`, all of which follow the position `before`,
/// and cuts these off. The cells of the file are seen in a `form`, 0 to 3.
fn find<const N: usize>(
    file: &mut &[u8],
    before: &Board<N>,
    wanted: &Board<N>,
    form: usize,
) -> Option<Cell<N>> {
    while let [high, low, rest @ ..] = *file {
        *file = rest;
        let word = u16::from_be_bytes([*high, *low]) as usize;
        let cell = |shift: usize| {
            let number = word >> shift & 127;
            let turned = |x| if form < 2 { x } else { BOOK_SIDE - 1 - x };
            let on_board = number < BOOK_SIDE * BOOK_SIDE;
            let (row, col) = (number / BOOK_SIDE, number % BOOK_SIDE);
            let cell = on_board.then(|| Cell::new(turned(row), turned(col)))??;
            Some([cell, cell.transposed()][form % 2])
        };
        let mut board = before.clone();
        if let Some(theirs) = cell(9) {
            board.play_unchecked(theirs);
        }
        let ours = cell(2)?;
        if board == *wanted {
            return Some(ours);
        }
        if word & 2 != 0 {
            board.play_unchecked(ours);
            let found = find(file, &board, wanted, form);
            if found.is_some() {
                return found;
            }
        }
        if word & 1 != 0 {
            break;
        }
    }
    None
}
