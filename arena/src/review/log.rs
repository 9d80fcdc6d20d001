//! What the lines of a review's log say: the first one how positions are searched, each other one
//! what the search found in a game. Grades are made of it afterwards, so that they cost nothing.

use anyhow::{ensure, Result};
use hex_common::append_log::games::{GameLog, RunHeader, FORMAT};
use hex_core::engine::Effort;
use serde::{Deserialize, Serialize};

/// The log's name in the folder of a review.
pub(crate) const REVIEW_LOG: &str = "review.jsonl";

/// The log of a review.
pub(crate) type ReviewLog = GameLog<ReviewHeader>;

/// The first line: what has to agree for a review to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewHeader {
    format: u32,
    /// The version of the engine.
    pub(crate) engine: String,
    /// Simulations of each position.
    pub(crate) simulations: Option<u64>,
    /// Seconds for each position.
    pub(crate) seconds: Option<f64>,
}

impl ReviewHeader {
    /// The first line of a review with this effort.
    pub fn of(effort: Effort) -> ReviewHeader {
        let (simulations, seconds) = match effort {
            Effort::Simulations(count) => (Some(count), None),
            Effort::Time(time) => (None, Some(time.as_secs_f64())),
        };
        ReviewHeader {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            simulations,
            seconds,
        }
    }

    /// The effort in words.
    pub(crate) fn effort(&self) -> String {
        match (self.simulations, self.seconds) {
            (Some(count), _) => format!("{count} simulations"),
            (None, seconds) => format!("{} s", seconds.unwrap_or_default()),
        }
    }
}

/// What the search found in the positions of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysedGame {
    /// The number of its moves: [`RecordedGame::id`](super::games::RecordedGame::id).
    pub(crate) id: u64,
    /// What the search found before each move, and after the last one; `null` where the position
    /// decides no judgement.
    pub(crate) positions: Vec<Option<ReviewedPosition>>,
}

/// What the search found in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReviewedPosition {
    /// The probability that the player to move wins, 0 to 1; 0 or 1 where it is proven.
    pub(crate) value: f64,
    /// Whether the result is proven.
    pub(crate) is_proven: bool,
    /// The best move.
    pub(crate) best: String,
    /// What is expected from here, the best move first.
    pub(crate) line: Vec<String>,
    /// Whether every other move is proven to lose.
    pub(crate) is_forced: bool,
    /// The mover's probability to win after the best move, where that was searched, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) best_value: Option<f64>,
    /// The same after the played move, where the solver knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) played_value: Option<f64>,
}

impl RunHeader for ReviewHeader {
    type Game = AnalysedGame;
    const RUN: &'static str = "review";
    const SAME: &'static str =
        "--simulations or --time, with the same version of hex, or another --out";

    fn id(game: &AnalysedGame) -> u64 {
        game.id
    }

    fn check(&self, game: &AnalysedGame) -> Result<()> {
        let positions = game.positions.iter().flatten();
        let values = positions
            .flat_map(|p| [Some(p.value), p.best_value, p.played_value])
            .flatten();
        for value in values {
            ensure!((0.0..=1.0).contains(&value), "{value} is no probability");
        }
        Ok(())
    }
}
