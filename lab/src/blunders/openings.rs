//! Games from all first moves, in which the bot has the winning side.

use super::bot::Bot;
use super::trial::{is_fit, test, with_stone, PortionResult};
use super::PositionSource;
use hex_common::seeds::generator;
use hex_core::record::{AnyBoard, AnyCell, Side};
use hex_core::solver::{Solver, Unsolved};
use hexbot::cell::Color;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// What the bot's opponent plays after its first reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resistance {
    /// One move, drawn at random.
    Random,
    /// Every move, each in a game of its own.
    Every,
}

/// Games, numbered by first move and first reply to the bot.
pub(crate) struct OpeningGames {
    side: Side,
    seed: u64,
    resistance: Resistance,
    /// One of each two that half a turn of the board makes equal.
    first_moves: Vec<AnyCell>,
    solver: Solver,
}

/// A game in progress.
struct BotGame<'a> {
    solver: &'a mut Solver,
    rng: Xoshiro256PlusPlus,
    position: AnyBoard,
    found: PortionResult,
    resistance: Resistance,
}

impl OpeningGames {
    /// All openings of a board.
    ///
    /// # Errors
    /// If the board has more cells than the solver can handle.
    pub(crate) fn new(
        side: Side,
        resistance: Resistance,
        seed: u64,
        limit: u64,
    ) -> Result<Self, Unsolved> {
        let first_moves = side.cells().filter(|&cell| side.opening(cell) == cell);
        Ok(OpeningGames {
            side,
            seed,
            resistance,
            first_moves: first_moves.collect(),
            solver: Solver::new(&side.board(), limit)?,
        })
    }

    /// The most cells for the opponent's first reply to the bot.
    fn replies(&self) -> usize {
        self.side.get().pow(2) - 1
    }
}

impl PositionSource for OpeningGames {
    /// Some games end before the reply in which they differ.
    fn portions(&self) -> (u64, &'static str) {
        ((self.first_moves.len() * self.replies()) as u64, "games")
    }

    /// Plays a game until the bot wins, blunders, or a position cannot be solved.
    fn examine(&mut self, number: u64, bot: &mut Bot) -> anyhow::Result<PortionResult> {
        let first_move = self.first_moves[number as usize / self.replies()];
        let reply = number as usize % self.replies();
        let mut game = BotGame {
            solver: &mut self.solver,
            rng: generator(self.seed, number),
            position: with_stone(&self.side.board(), first_move),
            found: PortionResult::default(),
            resistance: self.resistance,
        };
        bot.begin(number);
        if game.play(reply, bot).is_err() {
            game.found.unsolved += 1;
        }
        Ok(game.found)
    }
}

impl BotGame<'_> {
    /// Plays to the end. The opponent begins with its possible reply of this number.
    fn play(&mut self, reply: usize, bot: &mut Bot) -> Result<(), Unsolved> {
        let winner = self.solver.winner(&self.position)?;
        if winner == Color::Blue {
            // All games with this first move begin with the same position, which counts once.
            let goes_on = self.bot_moves(bot)?;
            if reply > 0 {
                self.found = PortionResult::default();
            }
            if !goes_on {
                return Ok(());
            }
        }
        let Some(cell) = self.position.empty_cells().iter().nth(reply) else {
            return Ok(());
        };
        self.position.play(cell);
        match self.resistance {
            Resistance::Random => self.play_against_random_moves(bot),
            Resistance::Every => self.play_against_every_move(bot),
        }
    }

    fn play_against_random_moves(&mut self, bot: &mut Bot) -> Result<(), Unsolved> {
        while self.bot_moves(bot)? {
            let cells = self.hard_replies();
            if cells.is_empty() {
                return Ok(());
            }
            self.position
                .play(cells[self.rng.random_range(0..cells.len())]);
        }
        Ok(())
    }

    /// Plays all games from here, a position that comes up again only once.
    fn play_against_every_move(&mut self, bot: &mut Bot) -> Result<(), Unsolved> {
        let mut seen = HashSet::new();
        let mut open = vec![self.position.clone()];
        while let Some(position) = open.pop() {
            self.position = position;
            if self.bot_moves(bot)? {
                for reply in self.hard_replies() {
                    let after = with_stone(&self.position, reply);
                    if seen.insert(after.position()) {
                        open.push(after);
                    }
                }
            }
        }
        Ok(())
    }

    /// Lets the bot move. Returns true if the game continues.
    fn bot_moves(&mut self, bot: &mut Bot) -> Result<bool, Unsolved> {
        if self.solver.winner_at_sight(&self.position).is_some() {
            self.found.unfit += 1;
            return Ok(false);
        }
        let position = &self.position;
        let cell = if is_fit(self.solver, position)? {
            let counts = &mut self.found;
            match test(bot, self.solver, position, &mut self.rng, counts)? {
                Some(cell) => cell,
                None => return Ok(false),
            }
        } else {
            self.found.unfit += 1;
            bot.choose(position)
        };
        self.position.play(cell);
        Ok(true)
    }

    /// The moves of the losing side after which the game is not decided at sight.
    fn hard_replies(&self) -> Vec<AnyCell> {
        let hard = |&cell: &AnyCell| {
            let after = with_stone(&self.position, cell);
            self.solver.winner_at_sight(&after).is_none()
        };
        self.position.empty_cells().iter().filter(hard).collect()
    }
}
