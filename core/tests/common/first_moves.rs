//! First moves and swaps as the bot decides them. The tests of lab and cli use it, too.
#![allow(dead_code, reason = "not every program uses everything")]

use hex_core::engine::SIDES;
use hex_core::record::{AnyCell, Game, Move, Side};
use hexbot::opening::{self, Answer, Swaps};
use hexbot::params::OpeningBook;

/// The sides whose winners are proven.
pub const PROVEN: std::ops::RangeInclusive<u8> = 2..=8;

/// The sides that the engine plays.
pub fn sides() -> impl Iterator<Item = Side> {
    SIDES.map(|side| Side::try_from(side).unwrap())
}

/// The position after a first move of Red.
pub fn after(opening: AnyCell, side: Side) -> Game {
    let mut game = Game::new(side);
    game.play(Move::Place(opening)).unwrap();
    game
}

/// Whether Blue swaps this first move.
pub fn swaps(opening: AnyCell, side: Side) -> bool {
    let game = after(opening, side);
    let answer = opening::decide(game.position(), Swaps::Allowed, OpeningBook::Ignored);
    answer == Some(Answer::SwapPieces)
}

/// Red's first move.
pub fn first_move(side: Side) -> AnyCell {
    match opening::decide(&side.board(), Swaps::Allowed, OpeningBook::Used) {
        Some(Answer::Play(cell)) => cell,
        other => panic!("{other:?} on an empty board of side {side}"),
    }
}
