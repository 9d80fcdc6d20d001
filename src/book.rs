//! The opening book: answers to positions of 11×11 openings that the search gets wrong.
//!
//! They are taken from the judgement of a far stronger network; `train/book.py` tells how they were
//! chosen. The text is a tree: the answers that follow a position stand side by side, and those
//! that follow an answer right behind it. Each has four letters: the column and the row of the
//! other player's move, and those of the answer. The answer's row is a capital if answers that
//! follow it come next, its column if it is the last that follows the same position. A move off the
//! board is none: so begins what follows a first stone that is ours.

use crate::board::Board;
use crate::book_lines::LINES;
use crate::cell::{Cell, Color};

/// The side of the board that the book is of.
const BOOK_SIDE: usize = 11;

/// The book's answer to a position; `None` if it has none. O(length of the book).
///
/// Half a turn of the board, and the mirror at the long diagonal with the colours exchanged, change
/// nothing: a position is found in each of its four forms.
pub fn answer<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    (0..4)
        .filter(|_| board.side() == BOOK_SIDE)
        .find_map(|form| {
            let empty = board.cleared().with_to_move(Color::ALL[form % 2]);
            find(&mut LINES.as_bytes(), &empty, board, form)
        })
}

/// Looks for `wanted` among the first answers of `text`, all of which follow the position `before`,
/// and cuts these off. The cells of the text are seen in a `form`, 0 to 3.
fn find<const N: usize>(
    text: &mut &[u8],
    before: &Board<N>,
    wanted: &Board<N>,
    form: usize,
) -> Option<Cell<N>> {
    while let [their_col, their_row, col, row, rest @ ..] = *text {
        *text = rest;
        let number = |letter: &u8| usize::from(letter.to_ascii_lowercase() - b'a');
        let cell = |col, row| {
            let (row, col) = (number(row), number(col));
            let on_board = row < BOOK_SIDE && col < BOOK_SIDE;
            let turned = |x| if form < 2 { x } else { BOOK_SIDE - 1 - x };
            let cell = on_board.then(|| Cell::new(turned(row), turned(col)))??;
            Some([cell, cell.transposed()][form % 2])
        };
        let mut board = before.clone();
        if let Some(theirs) = cell(their_col, their_row) {
            board.play_unchecked(theirs);
        }
        let ours = cell(col, row)?;
        if board == *wanted {
            return Some(ours);
        }
        if row.is_ascii_uppercase() {
            board.play_unchecked(ours);
            let found = find(text, &board, wanted, form);
            if found.is_some() {
                return found;
            }
        }
        if col.is_ascii_uppercase() {
            break;
        }
    }
    None
}
