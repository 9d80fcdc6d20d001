//! The options of commands that play many games: openings, board and time limits.

use super::openings::{OpeningMode, Openings, GAME_SIDES};
use super::player::Limits;
use hex_common::options;
use hex_core::record::Side;
use std::time::Duration;

/// The options.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct GameOptions {
    /// How games begin: own, all, balanced, random:PLIES or file:PATH
    #[arg(long, default_value = "balanced", value_name = "MODE")]
    pub(crate) openings: OpeningMode,
    /// The seed of the openings and of all other random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    pub(crate) seed: u64,
    /// Side of the board
    #[arg(long, value_name = "N", default_value = "11", value_parser = options::side(GAME_SIDES))]
    pub(crate) side: Side,
    /// Limit of each player's first answer, in milliseconds
    #[arg(long, default_value_t = 1000, value_name = "MS", value_parser = options::whole(options::MILLISECONDS))]
    pub(crate) first_ms: u64,
    /// Limit of later answers, in milliseconds
    #[arg(long, default_value_t = 100, value_name = "MS", value_parser = options::whole(options::MILLISECONDS))]
    pub(crate) turn_ms: u64,
}

impl GameOptions {
    /// The time limits of players that have no limits of their own.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            first: Duration::from_millis(self.first_ms),
            turn: Duration::from_millis(self.turn_ms),
        }
    }

    /// The options as on a command line, without the seed, so that another match has other
    /// openings.
    pub(crate) fn arguments(&self) -> String {
        let openings = self.openings.to_string();
        format!(
            "--openings {} --side {} --first-ms {} --turn-ms {}",
            shell_words::quote(&openings),
            self.side,
            self.first_ms,
            self.turn_ms
        )
    }

    /// The openings.
    ///
    /// # Errors
    /// As [`Openings::new`].
    pub(crate) fn openings(&self) -> anyhow::Result<Openings> {
        Openings::new(&self.openings, self.side, self.seed)
    }
}
