//! Tests the bot in one position: the solver judges its move.

use super::bot::Bot;
use hex_core::record::{hexworld, AnyBoard, AnyCell, Game, Move, Side};
use hex_core::solver::{Solver, Unsolved};
use hexbot::cell::Color;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// The result of a portion of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PortionResult {
    /// Positions that were left out because the solver could not solve them.
    pub(crate) unsolved: u64,
    /// Positions that were left out because they are lost, won at sight or won by passing.
    pub(crate) unfit: u64,
    /// The number of positions in which the bot was tested.
    pub(crate) tried: u64,
    /// The number of positions in which a random move would have lost the win.
    pub(crate) random_losses: u64,
    /// The positions in which the bot's move loses the win.
    pub(crate) blunders: Vec<Blunder>,
}

/// A move that loses a won position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Blunder {
    /// A HexWorld link to the position after the move.
    pub(crate) link: String,
    /// Red's stones before the move, without separators.
    pub(crate) red: String,
    /// Blue's stones before the move.
    pub(crate) blue: String,
    /// True if it is Blue's move.
    pub(crate) blue_moves: bool,
    /// The move.
    pub(crate) played: String,
    /// The moves that would have won; empty if the solver could not solve all.
    pub(crate) winning: Vec<String>,
}

/// Returns true if the player to move wins, but neither at sight nor by passing.
///
/// # Errors
/// If it could not be solved.
pub(crate) fn is_fit(solver: &mut Solver, position: &AnyBoard) -> Result<bool, Unsolved> {
    let mover = position.to_move();
    let passed = position.with_to_move(mover.opponent());
    Ok(solver.winner_at_sight(position).is_none()
        && solver.winner(position)? == mover
        && solver.winner(&passed)? != mover)
}

/// Tests the bot in a fit position and counts the result. Returns the move, or `None` if it loses
/// the win.
///
/// # Errors
/// If the position after the move could not be solved.
pub(crate) fn test(
    bot: &mut Bot,
    solver: &mut Solver,
    position: &AnyBoard,
    rng: &mut Xoshiro256PlusPlus,
    counts: &mut PortionResult,
) -> Result<Option<AnyCell>, Unsolved> {
    let empty: Vec<AnyCell> = position.empty_cells().iter().collect();
    let random = empty[rng.random_range(0..empty.len())];
    let random_loses = loses(solver, position, random)?;
    let played = bot.choose(position);
    let is_blunder = loses(solver, position, played)?;
    counts.tried += 1;
    counts.random_losses += u64::from(random_loses);
    if is_blunder {
        counts.blunders.push(blunder(solver, position, played));
        return Ok(None);
    }
    Ok(Some(played))
}

/// The position after a stone on `cell`, also if the game is won already.
///
/// # Panics
/// If the cell is taken.
pub(crate) fn with_stone(position: &AnyBoard, cell: AnyCell) -> AnyBoard {
    let mover = position.to_move();
    let mut after = position.with_to_move(mover.opponent());
    after.set_up(cell, mover).expect("it is empty");
    after
}

/// Returns true if the opponent wins after the move.
fn loses(solver: &mut Solver, position: &AnyBoard, cell: AnyCell) -> Result<bool, Unsolved> {
    Ok(solver.winner(&with_stone(position, cell))? != position.to_move())
}

fn blunder(solver: &mut Solver, position: &AnyBoard, played: AnyCell) -> Blunder {
    let stones = |color| {
        let cells = position.own_stones(color).iter();
        cells.map(|cell| cell.to_string()).collect()
    };
    let winning = solver.winning_moves(position).unwrap_or_default();
    Blunder {
        link: link(position, played),
        red: stones(Color::Red),
        blue: stones(Color::Blue),
        blue_moves: position.to_move() == Color::Blue,
        played: played.to_string(),
        winning: winning.iter().map(AnyCell::to_string).collect(),
    }
}

/// A link with the stones set up in turn, and the move.
fn link(position: &AnyBoard, played: AnyCell) -> String {
    let mut game = Game::new(Side::of_board(position));
    let stones = Color::ALL.map(|color| position.own_stones(color).iter().collect::<Vec<_>>());
    let [mut red, mut blue] = stones;
    while !(red.is_empty() && blue.is_empty()) {
        for (color, stones) in Color::ALL.into_iter().zip([&mut red, &mut blue]) {
            if let Some(stone) = stones.pop() {
                let set = game.set_up(stone, color);
                set.expect("a cell has one stone, and all come before the first move");
            }
        }
    }
    let move_made = game.play_as(position.to_move(), Move::Place(played));
    move_made.expect("the bot plays on empty cells");
    hexworld::write(&game)
}
