//! Who wins, found out in the most obvious way: what tests hold searches against. The tools' tests
//! use it, too.

use hexbot::board::Board;
use hexbot::cell::Color;
use std::collections::HashMap;

/// Winners by the stones of both colours, a bit a cell.
pub type KnownWinners = HashMap<(u32, u32), Color>;

/// The winner with perfect play, by trying everything; for boards of up to 32 cells.
pub fn perfect_winner<const N: usize>(board: &Board<N>, known: &mut KnownWinners) -> Color {
    if let Some(winner) = board.winner() {
        return winner;
    }
    let bits = |color| {
        let stones = board.stones(color).iter();
        stones.fold(0, |bits, cell| bits | 1 << cell.index())
    };
    let key = (bits(Color::Red), bits(Color::Blue));
    if let Some(&winner) = known.get(&key) {
        return winner;
    }
    let mover = board.to_move();
    let wins = board.empty_cells().iter().any(|cell| {
        let mut after = board.clone();
        after.play(cell);
        perfect_winner(&after, known) == mover
    });
    let winner = if wins { mover } else { mover.opponent() };
    known.insert(key, winner);
    winner
}
