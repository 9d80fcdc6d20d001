//! What the referee asks of a player, and how a player can fail.

use hex_common::system::ProcessId;
use hex_core::record::{Ending, Game, Move};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// How long a player may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the player's first answer of a game.
    pub first: Duration,
    /// For every later answer.
    pub turn: Duration,
}

impl Limits {
    /// CodinGame's: 1 s, then 100 ms.
    pub const CODINGAME: Limits = Limits {
        first: Duration::from_millis(1000),
        turn: Duration::from_millis(100),
    };
}

/// What a player decides on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// To make a move, legal or not.
    Play(Move),
    /// To give the game up.
    Resign,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Decision::Play(action) => action.fmt(f),
            Decision::Resign => f.write_str("resign"),
        }
    }
}

/// A player's answer to a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedAnswer {
    /// What it decided.
    pub decision: Decision,
    /// From the end of the question to the end of the answer.
    pub time: Duration,
    /// What the player said with its move; often empty.
    pub message: String,
}

/// The ways to lose a game otherwise than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The answer is not a move, or not one that the rules allow here.
    Illegal,
    /// The answer came after the limit.
    Timeout,
    /// The program ended or closed its output (or could not be started).
    Crash,
    /// No answer came at all.
    Silence,
}

impl FaultKind {
    /// All of them, in the order of reports.
    pub const ALL: [FaultKind; 4] = [
        FaultKind::Illegal,
        FaultKind::Timeout,
        FaultKind::Crash,
        FaultKind::Silence,
    ];

    /// How a record tells that a game was lost so.
    pub fn ending(self) -> Ending {
        match self {
            FaultKind::Timeout => Ending::Time,
            FaultKind::Illegal | FaultKind::Crash | FaultKind::Silence => Ending::Forfeit,
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Illegal => "illegal move",
            FaultKind::Timeout => "timeout",
            FaultKind::Crash => "crash",
            FaultKind::Silence => "silence",
        })
    }
}

/// What a player did wrong. It costs the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The class.
    pub kind: FaultKind,
    /// What happened, for people.
    pub detail: String,
    /// The offending line as it came, shortened; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// How long the answer took, in milliseconds; `None` if there was none in time to measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

impl Fault {
    /// A fault without an offending line.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault {
            kind,
            detail: detail.into(),
            line: None,
            ms: None,
        }
    }

    /// The same fault with the line that shows it, cut to what a report can bear.
    pub fn with_line(self, line: &str) -> Fault {
        Fault {
            line: Some(line.chars().take(LINE_KEPT).collect()),
            ..self
        }
    }
}

impl Fault {
    /// The same fault with the time that the answer took.
    pub fn with_time(self, time: Duration) -> Fault {
        Fault {
            ms: Some(time.as_secs_f64() * 1e3),
            ..self
        }
    }
}

/// How much of an offending line is kept, in characters.
const LINE_KEPT: usize = 200;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)?;
        match &self.line {
            Some(line) => write!(f, " ({line:?})"),
            None => Ok(()),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Failure {
    /// The player's own doing.
    #[error("{0}")]
    Fault(Fault),
    /// The match was stopped; nobody is to blame.
    #[error("the game was interrupted")]
    Interrupted,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

/// One side of a game. A value lives for one game; dropping it ends all that it started.
pub trait ArenaPlayer {
    /// Asks for the next move in `game`, of which it is this player's turn. An answer after `limit`
    /// is still an answer (the referee judges it); players wait a little longer than `limit` for
    /// it.
    ///
    /// # Errors
    /// If no answer can be had, or it is not a move.
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure>;

    /// The process that the player is; `None` for a player in this process and for one
    /// that has ended.
    fn process(&mut self) -> Option<ProcessId> {
        None
    }
}
