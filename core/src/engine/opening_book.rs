//! The bot's opening book ([`hexbot::book`]) for positions of games, where the bot plays at full
//! strength: the weaker levels know no openings.

use super::strength::Level;
use crate::record::{Point, Position, Side};
use hexbot::board::Board;
use hexbot::book;
use hexbot::cell::Color;

/// The book's answer to a position, if it has one and the `level` plays it.
pub fn answer(position: &Position, to_move: Color, level: Level) -> Option<Point> {
    const SIDE: usize = Side::CODINGAME.get();
    if level != Level::STRONGEST || position.side() != Side::CODINGAME {
        return None;
    }
    let board: Board<SIDE> = position.board(to_move);
    book::answer(&board).map(Point::from)
}
