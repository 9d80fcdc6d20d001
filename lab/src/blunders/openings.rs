//! Games from all first moves, in which the bot has the side that wins.

use super::bot::Bot;
use super::trial::{is_fit, put, with_stone, PortionResult};
use hex_common::seeds::generator;
use hex_core::record::{AnyBoard, AnyCell, Side};
use hex_core::solver::{Solver, Unsolved};
use hexbot::cell::Color;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Games, numbered by first move and first reply to the bot.
pub struct OpeningGames {
    side: Side,
    seed: u64,
    /// Those not equal by half a turn of the board.
    first_moves: Vec<AnyCell>,
    solver: Solver,
}

/// A game in progress.
struct BotGame<'a> {
    solver: &'a mut Solver,
    rng: Xoshiro256PlusPlus,
    position: AnyBoard,
    found: PortionResult,
}

impl OpeningGames {
    /// All openings of a board.
    ///
    /// # Errors
    /// If the board has more cells than the solver can deal with.
    pub fn new(side: Side, seed: u64, limit: u64) -> Result<Self, Unsolved> {
        let first_moves = side.cells();
        let first_moves = first_moves.filter(|&cell| cell <= side.rotated(cell));
        Ok(OpeningGames {
            side,
            seed,
            first_moves: first_moves.collect(),
            solver: Solver::new(&side.board(), limit)?,
        })
    }

    /// How many games there are. Some are over before the reply that tells them apart.
    pub fn count(&self) -> u64 {
        (self.first_moves.len() * self.replies()) as u64
    }

    /// The opponent has at most so many cells for its first reply to the bot.
    fn replies(&self) -> usize {
        self.side.get().pow(2) - 1
    }

    /// Plays a game: the bot wins, blunders or meets a position that cannot be solved.
    ///
    /// # Errors
    /// None at present.
    pub fn examine(&mut self, number: u64, bot: &mut Bot) -> anyhow::Result<PortionResult> {
        let first_move = self.first_moves[number as usize / self.replies()];
        let reply = number as usize % self.replies();
        let mut game = BotGame {
            solver: &mut self.solver,
            rng: generator(self.seed, number),
            position: with_stone(&self.side.board(), first_move),
            found: PortionResult::default(),
        };
        bot.begin(number);
        if game.play(reply, bot).is_err() {
            game.found.unsolved += 1;
        }
        Ok(game.found)
    }
}

impl BotGame<'_> {
    /// Plays to the end, the opponent beginning with its possible reply of this number.
    fn play(&mut self, reply: usize, bot: &mut Bot) -> Result<(), Unsolved> {
        let winner = self.solver.winner(&self.position)?;
        if winner == Color::Blue {
            // All games with this first move begin with the same question; it counts once.
            let asked = self.bot_moves(bot)?;
            if reply > 0 {
                self.found = PortionResult::default();
            }
            if !asked {
                return Ok(());
            }
        }
        let Some(cell) = self.position.empty_cells().iter().nth(reply) else {
            return Ok(());
        };
        self.position.play(cell);
        while self.bot_moves(bot)? {
            let Some(cell) = self.resistance() else {
                return Ok(());
            };
            self.position.play(cell);
        }
        Ok(())
    }

    /// Lets the bot move; returns true if the game goes on.
    fn bot_moves(&mut self, bot: &mut Bot) -> Result<bool, Unsolved> {
        if self.solver.winner_at_sight(&self.position).is_some() {
            self.found.unfit += 1;
            return Ok(false);
        }
        let position = &self.position;
        let cell = if is_fit(self.solver, position)? {
            let (cell, trial) = put(bot, self.solver, position, &mut self.rng)?;
            let lost = trial.blunder.is_some();
            self.found.trials.push(trial);
            if lost {
                return Ok(false);
            }
            cell
        } else {
            self.found.unfit += 1;
            bot.choose(position)
        };
        self.position.play(cell);
        Ok(true)
    }

    /// A random move of the loser after which the win is not to be seen; `None` if there is none.
    fn resistance(&mut self) -> Option<AnyCell> {
        let hard = |&cell: &AnyCell| {
            let after = with_stone(&self.position, cell);
            self.solver.winner_at_sight(&after).is_none()
        };
        let cells: Vec<AnyCell> = self.position.empty_cells().iter().filter(hard).collect();
        (!cells.is_empty()).then(|| cells[self.rng.random_range(0..cells.len())])
    }
}
