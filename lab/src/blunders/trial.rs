//! One position put to the bot, and what the solver says of its move.

use super::bot::Bot;
use hex_core::record::{hexworld, Game, Move, Point, Position};
use hex_core::solver::{Solver, Unsolved};
use hexbot::cell::Color;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// What became of a portion of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortionResult {
    /// Positions that were left out because the solver could not solve them.
    pub unsolved: u64,
    /// Positions that were left out because they are lost, won at sight or won by passing.
    pub unfit: u64,
    /// Those that were put to the bot.
    pub trials: Vec<Trial>,
}

/// A position put to the bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// HexWorld link to the position after the bot's move.
    pub link: String,
    /// True if a move drawn at random would have thrown the win away.
    pub random_loses: bool,
    /// The bot's move, if it throws the win away.
    pub blunder: Option<Blunder>,
}

/// A move that throws a win away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blunder {
    /// Red's stones before the move, run together.
    pub red: String,
    /// Blue's.
    pub blue: String,
    /// True if it is Blue's move.
    pub blue_moves: bool,
    /// The move.
    pub played: String,
    /// The moves that would have won; empty if the solver could not solve all.
    pub winning: Vec<String>,
}

/// Returns true if the position is won for the player to move, though neither at sight nor without
/// moving.
///
/// # Errors
/// If it could not be solved.
pub fn is_fit(solver: &mut Solver, position: &Position, to_move: Color) -> Result<bool, Unsolved> {
    Ok(solver.winner_at_sight(position, to_move).is_none()
        && solver.winner(position, to_move)? == to_move
        && solver.winner(position, to_move.opponent())? != to_move)
}

/// Puts a fit position to the bot. Returns its move with what came of it.
///
/// # Errors
/// If the position after the move could not be solved.
pub fn put(
    bot: &mut Bot,
    solver: &mut Solver,
    position: &Position,
    to_move: Color,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<(Point, Trial), Unsolved> {
    let empty: Vec<Point> = empty_cells(position).collect();
    let random = empty[rng.random_range(0..empty.len())];
    let random_loses = loses(solver, position, to_move, random)?;
    let played = bot.choose(position, to_move);
    let blunder = if loses(solver, position, to_move, played)? {
        Some(blunder(solver, position, to_move, played))
    } else {
        None
    };
    let trial = Trial {
        link: link(position, to_move, played),
        random_loses,
        blunder,
    };
    Ok((played, trial))
}

/// The empty cells, row by row.
pub fn empty_cells(position: &Position) -> impl Iterator<Item = Point> + '_ {
    let points = position.side().points();
    points.filter(|&point| position.at(point).is_none())
}

/// The position after a stone of `color` on `point`.
pub fn with_stone(position: &Position, point: Point, color: Color) -> Position {
    let mut after = position.clone();
    after.set(point, Some(color));
    after
}

/// Returns true if the opponent wins after the move.
fn loses(
    solver: &mut Solver,
    position: &Position,
    to_move: Color,
    point: Point,
) -> Result<bool, Unsolved> {
    let after = with_stone(position, point, to_move);
    Ok(solver.winner(&after, to_move.opponent())? != to_move)
}

fn blunder(solver: &mut Solver, position: &Position, to_move: Color, played: Point) -> Blunder {
    let stones = |color| {
        position
            .stones(color)
            .map(|point| point.to_string())
            .collect()
    };
    let winning = solver.winning_moves(position, to_move).unwrap_or_default();
    Blunder {
        red: stones(Color::Red),
        blue: stones(Color::Blue),
        blue_moves: to_move == Color::Blue,
        played: played.to_string(),
        winning: winning.iter().map(Point::to_string).collect(),
    }
}

/// The stones set up in turn, and the move.
fn link(position: &Position, to_move: Color, played: Point) -> String {
    let mut game = Game::new(position.side());
    let [mut red, mut blue] = Color::ALL.map(|color| position.stones(color).collect::<Vec<_>>());
    while !(red.is_empty() && blue.is_empty()) {
        for (color, stones) in Color::ALL.into_iter().zip([&mut red, &mut blue]) {
            if let Some(stone) = stones.pop() {
                let set = game.set_up(stone, color);
                set.expect("a cell has one stone, and all come before the first move");
            }
        }
    }
    let move_made = game.play_as(to_move, Move::Place(played));
    move_made.expect("the bot plays on empty cells");
    hexworld::write(&game)
}
