//! Endgames: boards filled at random until some cells are empty, not decided at sight.

use super::bot::Bot;
use super::trial::{is_fit, test, with_stone, PortionResult};
use super::PositionSource;
use anyhow::bail;
use hex_common::seeds::generator;
use hex_core::record::{AnyBoard, Side};
use hex_core::solver::{Solver, Unsolved};
use hexbot::cell::Color;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A series of random endgames, by number.
pub(crate) struct Endgames {
    /// The board's side.
    pub(crate) side: Side,
    /// The empty cells of each.
    pub(crate) empty: usize,
    /// The number of endgames.
    pub(crate) count: u64,
    /// The seed of the random stones.
    pub(crate) seed: u64,
    /// The solver's limit.
    pub(crate) limit: u64,
}

/// After this many unsuitable cells for a stone, the filling starts again.
const TRIES_A_STONE: usize = 12;

/// After this many fillings without a fit position we give up.
const MOST_FILLINGS: u64 = 100_000;

impl PositionSource for Endgames {
    fn portions(&self) -> (u64, &'static str) {
        (self.count, "positions")
    }

    /// Draws positions until one is fit, and tests the bot with it.
    fn examine(&mut self, number: u64, bot: &mut Bot) -> anyhow::Result<PortionResult> {
        let mut rng = generator(self.seed, number);
        let mut found = PortionResult::default();
        bot.begin(number);
        for _ in 0..MOST_FILLINGS {
            let Some(position) = self.filling(&mut rng)? else {
                continue;
            };
            let mut solver = Solver::new(&position, self.limit)?;
            let tried = match is_fit(&mut solver, &position) {
                Ok(true) => test(bot, &mut solver, &position, &mut rng, &mut found).map(|_| true),
                other => other,
            };
            match tried {
                Ok(true) => return Ok(found),
                Ok(false) => found.unfit += 1,
                Err(Unsolved::TooHard(_)) => found.unsolved += 1,
                Err(error) => return Err(error.into()),
            }
        }
        bail!(
            "no position with {} empty cells of side {} was fit among {MOST_FILLINGS}; choose another --empty",
            self.empty,
            self.side
        )
    }
}

impl Endgames {
    /// Places stones at random in turn, without deciding the result at sight; `None` if no cell was
    /// found for one of them.
    fn filling(&self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<AnyBoard>, Unsolved> {
        let first = Color::ALL[rng.random_range(0..Color::ALL.len())];
        let mut position = self.side.board().with_to_move(first);
        for left in (self.empty..self.side.get().pow(2)).rev() {
            let cells: Vec<_> = position.empty_cells().iter().collect();
            let mut tries = (0..TRIES_A_STONE).map(|_| {
                let cell = cells[rng.random_range(0..cells.len())];
                with_stone(&position, cell)
            });
            // While many cells are empty nothing is decided, and the check would take long.
            let unseen = |position: &AnyBoard| {
                if left > 2 * self.empty {
                    Ok(true)
                } else {
                    is_open(position, self.limit)
                }
            };
            let mut open = None;
            while let (None, Some(next)) = (&open, tries.next()) {
                open = unseen(&next)?.then_some(next);
            }
            let Some(next) = open else {
                return Ok(None);
            };
            position = next;
        }
        Ok(Some(position))
    }
}

/// Returns true if neither side wins at sight, no matter who moves.
fn is_open(position: &AnyBoard, limit: u64) -> Result<bool, Unsolved> {
    let solver = Solver::new(position, limit)?;
    let mut decided = Color::ALL.into_iter().filter(|&color| {
        let winner = solver.winner_at_sight(&position.with_to_move(color));
        winner == Some(color.opponent())
    });
    Ok(decided.next().is_none())
}
