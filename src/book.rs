//! The opening book: answers to positions of 11×11 openings that the search gets wrong.
//!
//! They come from the evaluations of a far stronger network; `train/book.py` describes how they
//! were chosen. The file is a tree of answers, depth first: the answers to one position are
//! siblings, and the answers that follow one come right after it. An answer has two bytes, the
//! higher one first. The highest seven bits are the other player's move and the next seven our
//! answer, as 11 · row + column. Bit 1 is set if answers that follow this one come next; bit 0 is
//! set for the last sibling. A number beyond the board stands for no move: it precedes our own
//! first stone.

use crate::board::Board;
use crate::cell::{Cell, Color};

/// The book's board side.
const BOOK_SIDE: usize = 11;

/// The shipped book, which `python -m train.book` writes.
pub fn file() -> impl AsRef<[u8]> {
    include_bytes!("shipped.book")
}

/// The book's answer to a position; `None` if it has none. O(length of the book).
///
/// Half a turn of the board, and the mirror image with the colours exchanged, lead to equivalent
/// positions, so a position is looked up in four forms.
pub fn answer<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    (0..4)
        .filter(|_| board.side() == BOOK_SIDE)
        .find_map(|form| {
            let empty = board.cleared().with_to_move(Color::ALL[form % 2]);
            find(&mut file().as_ref(), &empty, board, form)
        })
}

/// Looks for `wanted` among the answers at the front of `file`, which follow the position `before`,
/// and removes them from it. `form`, 0 to 3, transforms the cells of the file.
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
