//! The opening book: answers to positions of 11×11 openings that the search gets wrong.
//!
//! They come from the evaluations of a far stronger network; `hex lab book` chose them and wrote
//! the files. There are two: `large.book`, and `small.book` for the uploads without room for it.
//!
//! The file is a tree of answers, depth first: the answers to one position are siblings, and the
//! answers that follow one come right after it. An answer has two bytes, the higher one first. The
//! highest seven bits are the other player's move and the next seven our answer, as
//! 11 · row + column. Bit 1 is set if answers that follow this one come next; bit 0 is set for the
//! last sibling. A number beyond the board stands for no move: it precedes our own first stone.

use crate::board::Board;
use crate::cell::{Cell, Color};
use std::sync::LazyLock;

/// The book's board side.
const BOOK_SIDE: usize = 11;

/// The number of the last cell.
const LAST_CELL: usize = BOOK_SIDE * BOOK_SIDE - 1;

/// The bytes of the book, decoded once: an upload has them as text.
static BOOK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    #[cfg(feature = "large-book")]
    let file = include_bytes!("large.book");
    #[cfg(not(feature = "large-book"))]
    let file = include_bytes!("small.book");
    file.into()
});

/// The book's answer to a position; `None` if it has none. O(length of the book).
pub fn answer<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    look_up(&BOOK, board)
}

/// The answer of the small book, which is all that an upload without the large one knows.
pub fn small_answer<const N: usize>(board: &Board<N>) -> Option<Cell<N>> {
    look_up(&include_bytes!("small.book")[..], board)
}

/// The answer to `wanted` in the bytes of a book.
///
/// Half a turn of the board, and the mirror image with the colours exchanged, lead to equivalent
/// positions, so a position is looked up in its four forms. Only two have the right player to move.
pub fn look_up<const N: usize>(file: &[u8], wanted: &Board<N>) -> Option<Cell<N>> {
    let stones = wanted.cells().len() - wanted.empty_cells().len();
    (0..4)
        .filter(|form| wanted.side() == BOOK_SIDE && mover(form + stones) == wanted.to_move())
        .find_map(|form| find(file, wanted, stones, form))
}

/// The player to move after a number of stones, plus 1 if Blue has placed the first.
fn mover(count: usize) -> Color {
    Color::ALL[count % 2]
}

/// The answer to `wanted`, a position with this number of stones. `form`, 0 to 3, transforms the
/// cells of the file.
fn find<const N: usize>(
    file: &[u8],
    wanted: &Board<N>,
    stones: usize,
    form: usize,
) -> Option<Cell<N>> {
    // For each position on the way to the next answer: its number of stones, or `None` if it has
    // one that `wanted` lacks.
    let mut before = vec![Some(0)];
    for word in file.chunks_exact(2) {
        let word = (word[0] as usize) << 8 | word[1] as usize;
        let cell = |shift: usize| {
            let number = word >> shift & 127;
            let rotated = LAST_CELL.checked_sub(number)?;
            let number = [number, rotated][form / 2];
            let cell = Cell::new(number / BOOK_SIDE, number % BOOK_SIDE)?;
            Some([cell, cell.transposed()][form % 2])
        };
        // The number of stones after another one.
        let placed = |count: usize, at: Cell<N>| {
            (wanted.at(at) == Some(mover(form + count))).then_some(count + 1)
        };
        let count = before
            .last()?
            .and_then(|count| cell(9).map_or(Some(count), |theirs| placed(count, theirs)));
        if count == Some(stones) {
            return cell(2);
        }
        if word & 1 != 0 {
            before.pop();
        }
        if word & 2 != 0 {
            before.push(count.and_then(|count| placed(count, cell(2)?)));
        }
    }
    None
}
