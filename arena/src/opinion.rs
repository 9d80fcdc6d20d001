//! What the engine thinks of single moves: the probability that their player wins after them.

use hex_core::engine::{engine, Effort, SideNotPlayed, Stop, Task};
use hex_core::record::{Game, GameError, Move};
use hexbot::cell::Color;
use hexbot::params::Params;

/// Where the random numbers begin: the same question gets the same answer.
const SEED: u64 = 1;

/// Why a move has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpinionError {
    /// The rules forbid it.
    #[error(transparent)]
    Move(#[from] GameError),
    /// The engine does not play on this board.
    #[error(transparent)]
    Side(#[from] SideNotPlayed),
}

/// An engine that judges moves, each by a search of its own with the same number of simulations.
pub struct Opinion(Task);

impl Opinion {
    /// One that searches with this number of simulations until `stop` is set.
    pub fn new(simulations: u64, stop: Stop) -> Opinion {
        Opinion(Task {
            stop,
            ..Task::new(Effort::Simulations(simulations))
        })
    }

    /// The probability, 0 to 1, that the player to move wins after playing `action`. After Red's
    /// first move, it is that with Blue's better choice between a swap and an answer.
    ///
    /// # Errors
    /// If the rules forbid the move, or the engine does not play on the board.
    pub fn of_move(&self, game: &Game, action: Move) -> Result<f64, OpinionError> {
        let mover = game.to_move();
        let mut after = game.clone();
        after.play(action)?;
        let value = self.of_position(&after, mover)?;
        Ok(match after.may_swap() {
            // A swap exchanges the players' prospects.
            true => value.min(1.0 - value),
            false => value,
        })
    }

    /// The probability, 0 to 1, that `color` wins the game from where it is, without a swap.
    ///
    /// # Errors
    /// If the engine does not play on the board.
    pub fn of_position(&self, game: &Game, color: Color) -> Result<f64, OpinionError> {
        if let Some(outcome) = game.outcome() {
            return Ok(f64::from(u8::from(outcome.winner == color)));
        }
        let mut engine = engine(game.side(), &Params::default(), SEED)?;
        let found = engine.think(game.position(), &self.0, &mut |_| {});
        let value = f64::from(found.expect("the game goes on").win_probability);
        Ok(match game.to_move() == color {
            true => value,
            false => 1.0 - value,
        })
    }
}
