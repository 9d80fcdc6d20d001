//! A decided game as a line of JSON: what a match logs, what a referee writes.

use super::judge::Judged;
use super::player::Fault;
pub use hex_core::record::ColorName;
use hex_core::record::{Ending, Game, Move, Outcome, Side};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// Which game it is, and who plays which colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the schedule.
    pub id: u64,
    /// Which opening, from 0.
    pub round: u64,
    /// Who plays Red.
    pub red: usize,
    /// Who plays Blue.
    pub blue: usize,
}

/// The moves of a scoresheet are not those of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {number}: {why}")]
pub struct SheetError {
    number: usize,
    why: String,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the schedule, from 0; games 2k and 2k+1 are a pair.
    pub id: u64,
    /// The seed of the openings.
    pub seed: u64,
    /// Which opening, from 0; the seed and this number give its moves.
    pub round: u64,
    /// Red's number in the header.
    pub red: usize,
    /// Blue's number in the header.
    pub blue: usize,
    /// Who won.
    pub winner: ColorName,
    /// `connection`, `resignation`, or the class of the loser's fault.
    pub reason: String,
    /// How many of the moves were forced.
    pub opening: usize,
    /// The moves.
    pub moves: Vec<String>,
    /// What each took, in milliseconds; `null` for the forced ones.
    pub times_ms: Vec<Option<f64>>,
    /// What the loser did wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// How late sleepers were woken beside the late answer that ended the game, in milliseconds, if
    /// it would have been in time but for that: the machine has lost the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_ms: Option<f64>,
}

impl GameLine {
    /// The line of a game that has been decided; `seed` is that of its opening.
    ///
    /// # Panics
    /// If it has not.
    pub fn new(fixture: Fixture, seed: u64, judged: &Judged) -> GameLine {
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

    /// The same line, of a game that a stall of the machine has decided, as long as `stall`.
    pub fn stalled(self, stall: Option<Duration>) -> GameLine {
        GameLine {
            stalled_ms: stall.map(milliseconds),
            ..self
        }
    }

    /// Checks that this can be the line of a game between `players` players on a board of `side`.
    ///
    /// # Errors
    /// Why it cannot, in words.
    pub fn check(&self, players: usize, side: Side) -> Result<(), String> {
        if self.red == self.blue || self.red.max(self.blue) >= players {
            let (red, blue) = (self.red, self.blue);
            return Err(format!("players {red} and {blue} of {players} cannot meet"));
        }
        if self.times_ms.len() != self.moves.len() {
            let (times, moves) = (self.times_ms.len(), self.moves.len());
            return Err(format!("{times} times for {moves} moves"));
        }
        let late = self.fault.as_ref().and_then(|fault| fault.ms);
        let times = self.times_ms.iter().flatten().chain(&late);
        if let Some(time) = times.chain(&self.stalled_ms).find(|time| !is_time(**time)) {
            return Err(format!("{time} ms is no time"));
        }
        let game = self.game(side).map_err(|error| error.to_string())?;
        match game.outcome() {
            Some(outcome) if outcome.winner == self.winner.into() => Ok(()),
            _ => Err("on the board the other player has won".to_string()),
        }
    }

    /// The game on a board of `side`, with its outcome.
    ///
    /// # Errors
    /// If the moves are not those of a game; which one, from 1, and why.
    pub fn game(&self, side: Side) -> Result<Game, SheetError> {
        let mut game = Game::new(side);
        for (number, text) in self.moves.iter().enumerate() {
            let fail = |why: String| SheetError {
                number: number + 1,
                why,
            };
            let action = Move::parse(text, side).map_err(|error| fail(error.to_string()))?;
            game.play(action).map_err(|error| fail(error.to_string()))?;
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

    /// The loser's number in the header.
    pub fn loser_index(&self) -> usize {
        match self.winner {
            ColorName::Red => self.blue,
            ColorName::Blue => self.red,
        }
    }

    /// The winner's number in the header.
    pub fn winner_index(&self) -> usize {
        match self.winner {
            ColorName::Red => self.red,
            ColorName::Blue => self.blue,
        }
    }
}

/// Milliseconds; microseconds are enough.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The longest time that a line may tell of, in milliseconds: a year.
const LONGEST_MS: f64 = 365.0 * 86_400e3;

fn is_time(ms: f64) -> bool {
    (0.0..=LONGEST_MS).contains(&ms)
}
