//! The bot's opening book ([`hexbot::book`]) for positions of games.

use super::strength::Level;
use crate::record::{Point, Position, Side};
use hexbot::board::Board;
use hexbot::book;
use hexbot::cell::Color;

/// The book's answer to a position; `None` if it has none.
pub fn answer(position: &Position, to_move: Color) -> Option<Point> {
    const SIDE: usize = Side::CODINGAME.get();
    if position.side() != Side::CODINGAME {
        return None;
    }
    let board: Board<SIDE> = position.board(to_move);
    book::answer(&board).map(Point::from)
}

/// The same for a bot of this level: the weaker ones know no openings.
pub fn answer_at(level: Level, position: &Position, to_move: Color) -> Option<Point> {
    match level {
        Level::STRONGEST => answer(position, to_move),
        _ => None,
    }
}
