//! Games of our engine against itself inside this process, for measurements.

use crate::engine::levels::Handicap;
use crate::engine::{engine, Effort, Engine, SideNotPlayed, Task};
use crate::record::{Game, Move, Point, Side};
use hexbot::cell::Color;
use hexbot::params::Params;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// An engine held back to some strength, for one game.
pub struct SelfPlayer {
    engine: Box<dyn Engine>,
    handicap: Handicap,
    task: Task,
    rng: Xoshiro256PlusPlus,
}

impl SelfPlayer {
    /// A player that thinks `simulations` a move, or fewer if the handicap says so.
    ///
    /// # Errors
    /// If the engine does not play on boards of `side`.
    pub fn new(
        side: Side,
        handicap: Handicap,
        simulations: u64,
        seed: u64,
    ) -> Result<Self, SideNotPlayed> {
        Ok(SelfPlayer {
            engine: engine(side, &Params::default(), seed)?,
            handicap,
            task: Task::new(handicap.limit(Effort::Simulations(simulations))),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        })
    }

    fn choose(&mut self, game: &Game) -> Point {
        let position = game.position();
        let thought = self
            .engine
            .think(position, game.to_move(), &self.task, &mut |_| {})
            .expect("the game is not over");
        self.handicap.choose(&thought, position, &mut self.rng)
    }
}

/// Plays a game to its end and tells the winner. `players` are in the order of [`Color::index`].
pub fn play(mut game: Game, players: &mut [SelfPlayer; 2]) -> Color {
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
