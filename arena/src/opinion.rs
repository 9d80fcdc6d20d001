//! The engine's evaluation of single moves: the probability that their player wins.

use hex_core::engine::{engine, Effort, Stop, Task};
use hex_core::record::{Game, Move};
use hexbot::cell::Color;
use hexbot::params::Params;

/// The seed, always the same: so equal questions get equal answers.
const SEED: u64 = 1;

/// Evaluates moves, each by a search of its own with the same number of simulations.
pub(crate) struct Opinion(Task);

impl Opinion {
    /// Searches with this number of simulations, or fewer if `stop` is set.
    pub(crate) fn new(simulations: u64, stop: Stop) -> Opinion {
        Opinion(Task {
            stop,
            ..Task::new(Effort::Simulations(simulations))
        })
    }

    /// The probability, 0 to 1, that the player to move wins after playing `action`. If the
    /// opponent may swap then, the better choice for the opponent counts.
    ///
    /// # Errors
    /// If the rules forbid the move, or the engine does not play on the board.
    pub(crate) fn of_move(&self, game: &Game, action: Move) -> anyhow::Result<f64> {
        let mover = game.to_move();
        let mut after = game.clone();
        after.play(action)?;
        let value = self.of_position(&after, mover)?;
        Ok(if after.may_swap() {
            // A swap exchanges the players' prospects.
            value.min(1.0 - value)
        } else {
            value
        })
    }

    /// The probability, 0 to 1, that `color` wins from the game's position, without a swap.
    ///
    /// # Errors
    /// If the engine does not play on the board.
    pub(crate) fn of_position(&self, game: &Game, color: Color) -> anyhow::Result<f64> {
        if let Some(outcome) = game.outcome() {
            return Ok(f64::from(u8::from(outcome.winner == color)));
        }
        let mut engine = engine(game.side(), &Params::default(), SEED)?;
        let found = engine.think(game.position(), &self.0, &mut |_| {});
        let value = f64::from(found.expect("the game goes on").win_probability);
        Ok(if game.to_move() == color {
            value
        } else {
            1.0 - value
        })
    }
}
