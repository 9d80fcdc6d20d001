//! Games between engines in this process, for measurements. [`crate::selfplay`] plays games for
//! training.

use hex_core::engine::strength::Handicap;
use hex_core::engine::{Effort, Engine, Task};
use hex_core::record::{AnyCell, Game, Move};
use hexbot::cell::Color;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// An engine with a handicap, for one game.
pub(crate) struct EnginePlayer {
    engine: Engine,
    handicap: Handicap,
    task: Task,
    /// How many more moves are drawn at random.
    drawn: u32,
    rng: Xoshiro256PlusPlus,
}

impl EnginePlayer {
    /// A player that searches with `simulations` a move, or fewer with the handicap.
    pub(crate) fn new(engine: Engine, handicap: Handicap, simulations: u64, seed: u64) -> Self {
        EnginePlayer {
            engine,
            handicap,
            task: Task::new(handicap.limit(Effort::Simulations(simulations))),
            drawn: 0,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// The player with its first `moves` moves drawn with probabilities proportional to their
    /// visits. The network's search is deterministic and would always play the same game.
    pub(crate) fn drawing(self, moves: u32) -> Self {
        EnginePlayer {
            drawn: moves,
            ..self
        }
    }

    fn choose(&mut self, game: &Game) -> AnyCell {
        let analysis = self
            .engine
            .think(game.position(), &self.task, &mut |_| {})
            .expect("the game is not over");
        if self.drawn > 0 {
            self.drawn -= 1;
            return analysis.draw(&mut self.rng);
        }
        self.handicap.choose(&analysis, &mut self.rng)
    }
}

/// Plays a game to its end and returns the winner. `players` are in the order of [`Color::index`].
pub(crate) fn play(mut game: Game, players: &mut [EnginePlayer; 2]) -> Color {
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner;
        }
        let player = &mut players[game.to_move().index()];
        let point = player.choose(&game);
        let played = game.play(Move::Place(point));
        played.expect("players choose empty cells");
    }
}
