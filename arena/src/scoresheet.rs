//! A decided game as a line of JSON, in the log of a match and of a referee.

use super::judge::Judged;
use super::player::Fault;
use anyhow::{anyhow, bail};
pub use hex_core::record::ColorName;
use hex_core::record::{Ending, Game, Move, Outcome, Side};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::time::Duration;

/// The only remark on a forced move in records of games. Who reads them judges no such move.
pub(crate) const FORCED: &str = "forced";

/// A game of a schedule, and its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the schedule.
    pub(crate) id: u64,
    /// The index of its opening, from 0.
    pub round: u64,
    /// The index of Red's player.
    pub red: usize,
    /// The index of Blue's player.
    pub blue: usize,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the schedule, from 0; games 2k and 2k+1 are a pair.
    pub id: u64,
    /// The seed of the openings.
    pub seed: u64,
    /// The index of its opening, from 0; with the seed it determines the moves.
    pub round: u64,
    /// Red's index in the header's players.
    pub red: usize,
    /// Blue's index in the header's players.
    pub blue: usize,
    /// Who won.
    pub winner: ColorName,
    /// `connection`, `resignation`, or the kind of the loser's fault.
    pub reason: String,
    /// How many moves were forced.
    pub opening: usize,
    /// The moves.
    pub moves: Vec<String>,
    /// How long each move took, in milliseconds; `null` for forced moves.
    pub times_ms: Vec<Option<f64>>,
    /// The loser's fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The lateness of wake-ups during the late answer that ended the game, in milliseconds, if the
    /// answer would have been in time without it: a stall of the machine lost the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_ms: Option<f64>,
}

impl GameLine {
    /// The line of a decided game; `seed` is that of its opening.
    ///
    /// # Panics
    /// If the game has no outcome.
    pub(crate) fn new(fixture: Fixture, seed: u64, judged: &Judged) -> GameLine {
        let Judged {
            game, times, fault, ..
        } = judged;
        let outcome = game.outcome().expect("a judged game is decided");
        let reason = match fault {
            Some(fault) => fault.kind.to_string(),
            None if outcome.ending == Ending::Resignation => "resignation".to_string(),
            None => "connection".to_string(),
        };
        GameLine {
            id: fixture.id,
            seed,
            round: fixture.round,
            red: fixture.red,
            blue: fixture.blue,
            winner: outcome.winner.into(),
            reason,
            opening: times.iter().take_while(|time| time.is_none()).count(),
            moves: game.turns().iter().map(|t| t.action.to_string()).collect(),
            times_ms: times.iter().map(|time| time.map(milliseconds)).collect(),
            fault: fault.clone(),
            stalled_ms: None,
        }
    }

    /// The same line with the stall of the machine that decided the game, if there was one.
    pub(crate) fn stalled(self, stall: Option<Duration>) -> GameLine {
        GameLine {
            stalled_ms: stall.map(milliseconds),
            ..self
        }
    }

    /// Checks that this is a possible line of a match with `players` players on a board of `side`.
    ///
    /// # Errors
    /// The reason why it is not.
    pub(crate) fn check(&self, players: usize, side: Side) -> anyhow::Result<()> {
        if self.red == self.blue || self.red.max(self.blue) >= players {
            let (red, blue) = (self.red, self.blue);
            bail!("players {red} and {blue} of {players} cannot meet");
        }
        if self.times_ms.len() != self.moves.len() {
            let (times, moves) = (self.times_ms.len(), self.moves.len());
            bail!("{times} times for {moves} moves");
        }
        let late = self.fault.as_ref().and_then(|fault| fault.ms);
        let times = self.times_ms.iter().flatten().chain(&late);
        if let Some(time) = times.chain(&self.stalled_ms).find(|time| !is_time(**time)) {
            bail!("{time} ms is not a time from 0 to a year");
        }
        match self.game(side)?.outcome() {
            Some(outcome) if outcome.winner == self.winner.into() => Ok(()),
            _ => bail!("by the moves the other player has won"),
        }
    }

    /// The game on a board of `side`, with its outcome.
    ///
    /// # Errors
    /// If a move is not legal: its number, from 1, and the reason.
    pub(crate) fn game(&self, side: Side) -> anyhow::Result<Game> {
        let mut game = Game::new(side);
        for (number, text) in self.moves.iter().enumerate() {
            let fail = |why: &dyn Display| anyhow!("move {}: {why}", number + 1);
            let action = Move::parse(text, side).map_err(|error| fail(&error))?;
            game.play(action).map_err(|error| fail(&error))?;
        }
        game.end(Outcome {
            winner: self.winner.into(),
            ending: match &self.fault {
                None => Ending::Resignation,
                Some(fault) => fault.kind.ending(),
            },
        });
        Ok(game)
    }

    /// The loser's index in the header's players.
    pub(crate) fn loser_index(&self) -> usize {
        self.red + self.blue - self.winner_index()
    }

    /// The winner's index in the header's players.
    pub(crate) fn winner_index(&self) -> usize {
        match self.winner {
            ColorName::Red => self.red,
            ColorName::Blue => self.blue,
        }
    }
}

/// The time in milliseconds, rounded to microseconds.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The longest time in a line, in milliseconds: a year.
const LONGEST_MS: f64 = 365.0 * 86_400e3;

fn is_time(ms: f64) -> bool {
    (0.0..=LONGEST_MS).contains(&ms)
}
